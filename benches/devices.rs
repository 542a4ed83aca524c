//! What it takes to find a device and its peak.
//!
//! `cargo bench --bench devices` prints the time of one call and what it allocates.

use divan::{AllocProfiler, black_box};
use mfu::{Device, Precision};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// The first row, the middle of the table, its last row, and a name without its prefix.
const NAMES: [&str; 4] =
    ["Tesla V100-SXM2-16GB", "NVIDIA GeForce RTX 5090", "Ascend950DT_9582", "RTX PRO 6000 Blackwell Server Edition"];

#[divan::bench(args = NAMES)]
fn find(name: &str) -> Result<Device, mfu::Error> {
    Device::find(black_box(name))
}

#[divan::bench(args = NAMES)]
fn find_and_peak(name: &str) -> Result<mfu::Peak, mfu::Error> {
    Device::find(black_box(name))?.peak(Precision::Fp16)
}

#[divan::bench(args = ["NVIDIA H100-20C", "no such device"])]
fn unknown(name: &str) -> Result<Device, mfu::Error> {
    Device::find(black_box(name))
}

#[divan::bench]
fn precision() -> Result<Precision, mfu::Error> {
    black_box("torch.float8_e4m3fn").parse()
}
