//! Whatever a config file holds, reading it and counting what was read never panics.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mfu::hf::Reader;
use mfu::{Batch, Convention};

fuzz_target!(|config: &[u8]| {
    for reader in [Reader::new(), Reader::new().strict(), Reader::new().read_as("deepseek_v3")] {
        let Ok(config) = reader.read(config) else { continue };
        let _ = config.to_string();
        let Ok(ledger) = config.architecture().ledger() else { continue };
        let _ = ledger.to_string();
        let Ok(cost) = ledger.cost(Convention::EXACT) else { continue };
        for batch in [Batch::uniform(2, 4_096), Batch::uniform(1, 1).after(31), Batch::uniform(1, 9).source(5)] {
            let _ = cost.count(batch);
        }
    }
});
