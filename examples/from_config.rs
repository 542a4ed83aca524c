//! What a model holds and what a token costs, from its `config.json`.
//!
//! `cargo run --release --example from_config -- PATH [SEQUENCE] [CONVENTION]`
//!
//! `PATH` is a file, or `-` for standard input; without any argument the config below is read. `SEQUENCE` is the number
//! of tokens, 4,096 unless given, and `CONVENTION` the name of a preset, EXACT unless given.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Read;

use mfu::{Batch, Component, Convention, Ledger, Place, hf};

/// Qwen3-0.6B.
const EXAMPLE: &str = r#"{
    "architectures": ["Qwen3ForCausalLM"],
    "attention_bias": false,
    "head_dim": 128,
    "hidden_size": 1024,
    "intermediate_size": 3072,
    "max_window_layers": 28,
    "model_type": "qwen3",
    "num_attention_heads": 16,
    "num_hidden_layers": 28,
    "num_key_value_heads": 8,
    "sliding_window": null,
    "tie_word_embeddings": true,
    "use_sliding_window": false,
    "vocab_size": 151936
}"#;

const USAGE: &str = "usage: from_config PATH [SEQUENCE] [CONVENTION], with `-` for standard input";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.len() > 3 || arguments.iter().any(|argument| argument.starts_with("--")) {
        return Err(USAGE.into());
    }
    let config = match arguments.first().map(String::as_str) {
        None => EXAMPLE.as_bytes().to_vec(),
        Some("-") => {
            let mut config = Vec::new();
            std::io::stdin().read_to_end(&mut config)?;
            config
        }
        Some(path) => std::fs::read(path).map_err(|error| format!("{path}: {error}"))?,
    };
    let sequence: u64 = match arguments.get(1) {
        None => 4_096,
        Some(given) => given.parse().map_err(|_| format!("SEQUENCE is `{given}` and must be a number; {USAGE}"))?,
    };
    let convention = arguments.get(2).map_or(Ok(Convention::EXACT), |name| Convention::find(name))?;

    let config = hf::read(config)?;
    let ledger = config.architecture().ledger()?;
    println!("{}\n{}", config.model_type(), config.architecture());
    parameters(&ledger);
    work(&ledger, convention, sequence, config.architecture().encoder_runs().next().is_some())?;

    let left_out = |what, names: &[String]| {
        let names = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
        println!("{what}: {names}");
    };
    println!();
    left_out("models of their own in the file, not counted", config.not_counted());
    left_out("fields that look as if they mattered, not read", config.unread_fields());
    Ok(())
}

/// Parameters, by component.
fn parameters(ledger: &Ledger) {
    let mut held: BTreeMap<(Place, Component), [u128; 2]> = BTreeMap::new();
    for line in ledger.lines() {
        let layers = u128::from(line.layers);
        let sum = held.entry((line.place, line.component)).or_default();
        sum[0] += u128::from(line.parameters) * layers;
        sum[1] += u128::from(line.active_parameters) * layers;
    }
    println!("\n{:<28}{:>18}{:>18}", "parameters", "held", "active");
    let mut last = Place::Trunk;
    for ((place, component), [held, active]) in held.into_iter().filter(|(_, [held, _])| *held > 0) {
        if place != last {
            println!("{place}");
            last = place;
        }
        println!("{component:<28}{held:>18}{active:>18}");
    }
    println!("\n{}", ledger.parameters());
}

/// FLOPs per token, forward and backward, by component.
fn work(ledger: &Ledger, convention: Convention, sequence: u64, encodes: bool) -> Result<(), mfu::Error> {
    let batch = Batch::uniform(1, sequence);
    let batch = if encodes { batch.source(sequence) } else { batch };
    let breakdown = ledger.breakdown(convention, batch)?;
    let mut flops: BTreeMap<(Place, Component), u128> = BTreeMap::new();
    for (line, counted) in breakdown.counted() {
        *flops.entry((line.place, line.component)).or_default() += counted.get();
    }
    let (total, tokens) = (breakdown.total().as_f64(), sequence.max(1) as f64);
    let source = if encodes { format!(" after a source of {sequence}") } else { String::new() };
    println!("\nFLOPs per token of {sequence}{source}, forward and backward, under {convention}");
    let mut last = Place::Trunk;
    for ((place, component), flops) in flops {
        if place != last {
            println!("{place}");
            last = place;
        }
        println!("{component:<28}{:>18.0}{:>9.2} %", flops as f64 / tokens, 100.0 * flops as f64 / total.max(1.0));
    }
    println!("{:<28}{:>18.0}", "total", total / tokens);
    Ok(())
}
