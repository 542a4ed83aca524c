//! What it takes to read a config file, and to make a cost of it.
//!
//! `cargo bench --bench hf` prints the time of one call and what it allocates.

use divan::{AllocProfiler, Bencher, black_box};
use mfu::{Convention, hf};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// A model of few kinds of layer, a large mixture, a hybrid with a list of layers, and one with a pattern of them.
const CASES: [&str; 4] = ["llama-2-7b", "deepseek-v3", "qwen3-next-80b-a3b", "nemotron-3-nano-30b-a3b"];

/// The config of a case, as text.
fn config(name: &str) -> String {
    let file = format!("{}/tests/data/reference/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(file).expect("the case is there");
    let record: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    record["config"].to_string()
}

#[divan::bench(args = CASES)]
fn to_architecture(bencher: Bencher<'_, '_>, name: &str) {
    let config = config(name);
    bencher.bench(|| hf::read(black_box(&config)));
}

#[divan::bench(args = CASES)]
fn to_cost(bencher: Bencher<'_, '_>, name: &str) {
    let config = config(name);
    bencher.bench(|| hf::read(black_box(&config))?.architecture().cost(Convention::EXACT));
}
