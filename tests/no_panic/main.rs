//! Whatever is handed in, nothing panics: it is a result, or an error that says what is wrong. And it takes no longer
//! than its own size asks for.

mod architectures;
#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "hf")]
mod configs;
mod lengths;
mod names;
mod quantities;
#[cfg(feature = "serde")]
mod records;
mod sizes;

use std::time::Duration;

use common::{attention, cases, convention, draft, layer, norm, pair, preset, presets, presets_and, size};
use mfu::{
    Architecture, ArchitectureBuilder, Attention, Batch, Block, Claim, Component, CompressedAttention, Convention,
    Core, Cost, Count, Device, Error, Experts, FeedForward, Figure, Fleet, FlopCount, FlopRate, GatedDeltaNet,
    HyperConnection, KimiDeltaAttention, LatentAttention, Layer, Ledger, Length, LightningAttention, Linear, Mamba,
    Mamba2, Mtp, Norm, Pace, Peak, Place, Precision, Printed, Recipe, Recompute, Report, Run, ShortConvolution, Span,
    Utilization, Weights, catalog,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The integers at which arithmetic ends.
fn extreme() -> impl Strategy<Value = u64> {
    const EXTREMES: &[u64] =
        &[0, 1, 2, u32::MAX as u64, 1 << 32, 1 << 53, i64::MAX as u64, 1 << 63, u64::MAX - 1, u64::MAX];
    prop_oneof![4 => select(EXTREMES), 1 => any::<u64>()]
}

/// Mostly a size that passes, so that the next one is reached, too.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![6 => size(), 1 => extreme()]
}

/// Any float at all, those that are no numbers included.
fn float() -> impl Strategy<Value = f64> {
    const EXTREMES: &[f64] = &[
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        -1.0,
        f64::MIN,
        f64::MAX,
        f64::EPSILON,
        f64::MIN_POSITIVE,
        5e-324,
    ];
    prop_oneof![2 => select(EXTREMES), 2 => proptest::num::f64::ANY, 3 => 1e-9..1e18]
}

/// An error answers to one question, and has something to say.
fn says(error: &Error) {
    let kinds = [
        error.is_invalid_architecture(),
        error.is_invalid_batch(),
        error.is_invalid_argument(),
        error.is_invalid_config(),
        error.is_unsupported_config(),
        error.is_unknown_name(),
        error.is_ambiguous_name(),
        error.is_unsupported_precision(),
        error.is_unpublished_peak(),
        error.is_not_applicable(),
        error.is_impossible(),
        error.is_overflow(),
    ];
    assert_eq!(kinds.iter().filter(|is| **is).count(), 1, "{error:?} is of one kind");
    assert!(error.to_string().len() > 20, "`{error}` says little");
    assert_eq!(error.clone().to_string(), error.to_string());
}

/// The value, or an error of the kind expected.
fn or_says<T>(result: Result<T, Error>, expected: impl Fn(&Error) -> bool) -> Option<T> {
    result
        .inspect_err(|error| {
            says(error);
            assert!(expected(error), "{error} is of another kind");
        })
        .ok()
}

/// What is printed of good values holds no float that is no number.
fn reads(shown: &impl std::fmt::Display) {
    let text = shown.to_string();
    assert!(!text.is_empty());
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    assert!(!words.any(|word| word == "NaN" || word == "inf"), "{text}");
}
