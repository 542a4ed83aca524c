//! Normalization: parameters without matmuls.

use crate::error::Result;
use crate::exact::Exact;

/// A normalization layer. It holds parameters and performs no matmul, so it counts only where a convention counts
/// parameters (6·N).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Norm {
    kind: Kind,
    width: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
enum Kind {
    Rms,
    Layer,
    LayerWithoutBias,
    Unweighted,
}

impl Norm {
    /// RMSNorm: one weight per channel.
    #[must_use]
    pub const fn rms() -> Self {
        Self { kind: Kind::Rms, width: None }
    }

    /// LayerNorm: a weight and a bias per channel.
    #[must_use]
    pub const fn layer() -> Self {
        Self { kind: Kind::Layer, width: None }
    }

    /// LayerNorm whose bias was left out: a weight per channel.
    #[must_use]
    pub const fn layer_without_bias() -> Self {
        Self { kind: Kind::LayerWithoutBias, width: None }
    }

    /// A norm of either kind without any weight.
    #[must_use]
    pub const fn unweighted() -> Self {
        Self { kind: Kind::Unweighted, width: None }
    }

    /// The number of channels, where it is not the hidden size.
    #[must_use = "the norm is returned, not changed in place"]
    pub const fn width(self, width: u64) -> Self {
        Self { width: Some(width), ..self }
    }

    /// The same norm over the whole hidden size.
    pub(crate) const fn whole(self) -> Self {
        Self { width: None, ..self }
    }

    /// The parameters of this norm in a model of that hidden size.
    pub(crate) fn parameters(self, hidden: u64) -> Result<u64> {
        let per_channel = match self.kind {
            Kind::Rms | Kind::LayerWithoutBias => 1,
            Kind::Layer => 2,
            Kind::Unweighted => 0,
        };
        self.width.unwrap_or(hidden).times(per_channel, "norm parameters")
    }

    pub(crate) const fn widths(self) -> [(&'static str, Option<u64>); 1] {
        [("norm width", self.width)]
    }
}
