//! Model FLOPs utilization, counted exactly and under a named convention.
#![doc = include_str!("../README.md")]
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
mod convention;
mod cost;
#[cfg(feature = "serde")]
mod decimal;
mod device;
mod error;
mod exact;
mod ledger;
mod nearest;
mod quantity;
mod recipe;
mod reconcile;
mod utilization;

pub use architecture::{
    Architecture, ArchitectureBuilder, Attention, Block, Experts, FeedForward, LatentAttention, Layer, Linear, Mtp,
    Norm, Reused, Span,
};
pub use batch::{Batch, Length};
pub use convention::{Axis, Basis, Convention, Core, Domain, Hardware, Inclusion, MtpParts, Windows};
pub use cost::{Breakdown, Cost, Count};
pub use device::{Fleet, Peak};
pub use error::{Error, Result};
pub use ledger::{Component, Group, Ledger, Line, Matmul, Parameters, Place, Work};
pub use quantity::{FlopCount, FlopRate, Utilization};
pub use recipe::{Recipe, Recompute};
pub use reconcile::{Reconciliation, Step};
pub use utilization::{Pace, Report};

/// The design: the flow, the rooms, the definitions, and why they are what they are.
#[doc = include_str!("../DESIGN.md")]
pub mod design {}
