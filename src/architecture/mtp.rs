//! Multi-token prediction modules.

use super::{Invalid, Layer};

/// Multi-token prediction: `depth` modules after the trunk, each a layer behind a projection of two streams to one,
/// with a head for a further token.
///
/// # Formula
///
/// Per module: the layer; a projection `2h` → `h`, so `2h²` parameters; three norms of its own, `3h`, of the kind that
/// its layer has (RMS if it has none); the LM head once more. The head and the embedding are the trunk's unless
/// [owned](Self::own_head). Source: DeepSeek-V3, arXiv 2412.19437, section 2.2.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Mtp {
    pub(crate) depth: u64,
    pub(crate) layer: Layer,
    pub(crate) owns_head: bool,
    pub(crate) owns_embedding: bool,
}

impl Mtp {
    /// `depth` modules of this layer each, usually of the kind of the trunk's last layer.
    #[must_use]
    pub const fn new(depth: u64, layer: Layer) -> Self {
        Self { depth, layer, owns_head: false, owns_embedding: false }
    }

    /// Each module holds a head of its own instead of sharing the trunk's.
    #[must_use = "the modules are returned, not changed in place"]
    pub fn own_head(self) -> Self {
        Self { owns_head: true, ..self }
    }

    /// Each module holds an embedding of its own instead of sharing the trunk's.
    #[must_use = "the modules are returned, not changed in place"]
    pub fn own_embedding(self) -> Self {
        Self { owns_embedding: true, ..self }
    }

    /// How many further tokens are predicted.
    #[must_use]
    pub const fn depth(&self) -> u64 {
        self.depth
    }

    /// The layer of each module.
    #[must_use]
    pub const fn layer(&self) -> &Layer {
        &self.layer
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        if self.depth == 0 {
            return Err(Invalid::Zero { field: "MTP depth" });
        }
        self.layer.check()
    }
}
