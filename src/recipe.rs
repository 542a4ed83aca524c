//! How often each line runs in a training step.

use std::fmt;

/// How often each line of the ledger runs in a training step.
///
/// By default everything is trained and nothing recomputed: a matmul runs once forward and twice backward, 3 forwards;
/// the attention core likewise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Recipe {
    /// Which activations are thrown away in the forward pass and computed again in the backward pass.
    pub recompute: Recompute,
}

impl Recipe {
    /// Everything is trained; these activations are recomputed.
    #[must_use]
    pub const fn recomputing(recompute: Recompute) -> Self {
        Self { recompute }
    }
}

/// Which activations are thrown away in the forward pass and computed again in the backward pass.
///
/// It never changes model FLOPs, only the hardware figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Recompute {
    /// None: every activation is kept.
    #[default]
    None,
    /// Every layer's: its forward pass runs again. Embedding and head are outside the layers.
    Full,
}

impl fmt::Display for Recompute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "nothing recomputed",
            Self::Full => "every layer recomputed",
        })
    }
}
