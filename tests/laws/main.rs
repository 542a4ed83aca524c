//! The laws that every count obeys, for every preset and for rules nobody has named, over architectures of every shape.

mod accounts;
mod batches;
mod claims;
#[path = "../common/mod.rs"]
mod common;
mod devices;
mod experts;
mod layers;
mod measures;
#[cfg(feature = "serde")]
mod records;
mod sources;
mod spans;
mod walks;

use std::collections::BTreeSet;

use common::{
    Draft, FinalNorm, Frame, Head, cases, compressed_attention, convention, core, core_of, count, decoder, draft,
    figures, frame, latent_attention, layer, length, lengths, mixer, pair, preset, presets, presets_and, reach,
    selective_attention, size, span, sum, universal,
};
use mfu::{
    Architecture, Attention, Axis, Basis, Batch, Block, Change, Component, CompressedAttention, Convention, Core,
    Count, Device, Domain, Experts, Explanation, FeedForward, Figure, Fleet, FlopCount, FlopRate, Group, Hardware,
    Inclusion, LatentAttention, Layer, Ledger, Line, Linear, Matmul, MtpParts, Norm, Origin, Pace, Peak, Place, Recipe,
    Recompute, Reconciliation, Run, Span, Step, Utilization, Windows, Work,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
