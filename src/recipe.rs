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
    /// Whose weights are not trained.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Frozen::is_nothing"))]
    pub frozen: Frozen,
}

impl Recipe {
    /// Everything is trained; these activations are recomputed.
    #[must_use]
    pub const fn recomputing(recompute: Recompute) -> Self {
        Self { recompute, frozen: Frozen::Nothing }
    }

    /// The layers are frozen and pass gradients on, as under adapters, which are not counted; the head is trained.
    #[must_use]
    pub const fn frozen_layers() -> Self {
        Self { recompute: Recompute::None, frozen: Frozen::Layers }
    }
}

/// Whose weights are not trained. A frozen matmul that passes gradients on runs once forward and once backward, for its
/// input: 2 forwards instead of 3. The attention core holds no weights, and keeps its 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Frozen {
    /// Nobody's: everything is trained.
    #[default]
    Nothing,
    /// The layers'. Embedding and head are outside the layers.
    Layers,
}

#[cfg(feature = "serde")]
impl Frozen {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field by reference")]
    const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

impl fmt::Display for Frozen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Nothing => "everything trained",
            Self::Layers => "layers frozen",
        })
    }
}

/// What sets it apart, the parts that are as by default left out unless all are.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.frozen {
            Frozen::Nothing => self.recompute.fmt(f),
            Frozen::Layers if self.recompute == Recompute::None => self.frozen.fmt(f),
            Frozen::Layers => write!(f, "{}, {}", self.frozen, self.recompute),
        }
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
