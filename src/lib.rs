//! Model FLOPs utilization, counted exactly and under a named convention.
//!
//! MFU is the model FLOPs of a training step over what the devices could have done in its time. One run of DeepSeek-V3
//! is published at 43.73 % and at 38.94 %, because rules differ on what counts as a model FLOP. This crate posts every
//! operation of an [`Architecture`] once, in a [`Ledger`], and lets a [`Convention`] say which lines count and how; the
//! two compile to a [`Cost`], which counts a [`Batch`], whose [`Count`] divides by a time and a [`Fleet`] to a
//! [`Report`].
//!
//! ```
//! # fn main() -> Result<(), mfu::Error> {
//! use std::time::Duration;
//! use mfu::{Batch, Convention, Device, Precision, catalog};
//!
//! let deepseek = catalog::find("deepseek-v3")?;
//! let peak = Device::find("NVIDIA H800")?.peak(Precision::Bf16)?; // 989.4 TFLOP/s, dense
//! let cluster = peak.times(2_048);
//!
//! // One run, and two rules. The report has 43.73 % and 38.94 %, since it divides by 989.0.
//! for (convention, mfu) in
//!     [(Convention::DEEPSEEK_2025_FULL, "43.71 %"), (Convention::DEEPSEEK_2025_CAUSAL, "38.93 %")]
//! {
//!     let step = deepseek.cost(convention)?.count(Batch::uniform(15_360, 4_096))?;
//!     let report = step.utilization(Duration::from_millis(19_926), &cluster)?;
//!     assert_eq!(report.mfu().to_string(), mfu);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! - Models: [`catalog`], a `config.json` with `hf::read`, or [`Architecture::decoder`] and its builder.
//! - Devices: [`Device::find`] by the name that a driver reports, [`Peak::declared`] for a peak of your own;
//!   [`devices`] lists them all.
//! - What counts: [`Convention`] and its presets; [`Ledger::breakdown`] shows it line by line, [`Ledger::convert`] has
//!   a figure of one under another.
//! - Two figures: a [`Run`] under a convention is a [`Claim`], and [`Claim::reconcile`] leads from one to another. A
//!   figure of unknown origin: [`Run::diagnose`].
//! - Parameters, held and active: [`Ledger::parameters`].
//! - What other tools count, and divide by: [`compare`].
//! - Why things are as they are: [`design`].
//!
//! # Features
//!
//! - `hf` (on by default): Hugging Face `config.json` files can be read.
//! - `serde` (on by default): architectures, conventions, counts, peaks and reports can be read from and written to
//!   serde formats. In JSON, the floats of a report return to their last bit with `serde_json`'s feature
//!   `float_roundtrip`.
//!
//! # Scope
//!
//! It counts and divides. It does not measure time, read counters, estimate kernels or guess: what it does not know is
//! an error that names near matches and what to do.

// Nothing that a caller hands in may panic; tests fail by panicking, and are not held to it.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::todo,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]
#![warn(unreachable_pub)]

mod architecture;
mod batch;
pub mod catalog;
mod claim;
mod convention;
mod cost;
#[cfg(feature = "serde")]
mod decimal;
mod device;
mod diagnosis;
mod error;
mod exact;
#[cfg(feature = "hf")]
pub mod hf;
mod ledger;
mod lookup;
mod printed;
mod quantity;
mod recipe;
mod reconcile;
mod run;
#[cfg(feature = "serde")]
mod schema;
mod utilization;

pub use architecture::{
    Architecture, ArchitectureBuilder, Attention, Block, CompressedAttention, Experts, FeedForward, GatedDeltaNet,
    HyperConnection, KimiDeltaAttention, LatentAttention, Layer, LightningAttention, Linear, Mamba, Mamba2, Mtp, Norm,
    Reused, ShortConvolution, Span, Variant, Weights,
};
pub use batch::{Batch, Length};
pub use claim::Claim;
pub use convention::{Axis, Basis, Convention, Core, Domain, Hardware, Inclusion, MtpParts, Windows};
pub use cost::{Breakdown, Cost, Count};
pub use device::{Confidence, Device, Divisor, Fleet, Headline, Misread, Origin, Peak, Precision, Reading};
pub use diagnosis::{Diagnosis, Explanation, Figure};
pub use error::{Error, Result};
pub use ledger::{Component, Group, Held, Ledger, Line, Matmul, Parameters, Place, Work};
pub use printed::Printed;
pub use quantity::{FlopCount, FlopRate, Utilization};
pub use recipe::{Frozen, Recipe, Recompute};
pub use reconcile::{Change, Reconciliation, Standing, Step};
pub use run::Run;
pub use utilization::{Finding, Pace, Report};

/// The design: the flow, the rooms, the definitions, and why they are what they are.
#[doc = include_str!("../DESIGN.md")]
pub mod design {}

/// The tools and papers that people take an MFU from, each with the constant that equals it.
#[doc = include_str!("../COMPARE.md")]
pub mod compare {}

/// Every device of the table, and how to read it.
#[doc = include_str!("../DEVICES.md")]
pub mod devices {}

#[cfg(all(doctest, feature = "hf"))]
#[doc = include_str!("../README.md")]
mod readme {}
