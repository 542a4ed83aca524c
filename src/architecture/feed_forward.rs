//! The feed-forward block: up, an activation, down.

/// A feed-forward block, gated or plain.
///
/// # Formula
///
/// Matmul parameters: `e·h·f`, with `h` the input width, `f` the inner width, and `e = 3` when gated (up, gate, down),
/// 2 otherwise. Gatedness decides, not the activation: a GeGLU counts like a SwiGLU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct FeedForward {
    pub(crate) width: u64,
    pub(crate) gated: bool,
    pub(crate) up_bias: bool,
    pub(crate) down_bias: bool,
}

impl FeedForward {
    /// Three matrices: up, gate and down. `width` is that of one of them; a report that prints gate and up *fused*
    /// prints twice this width.
    #[must_use]
    pub const fn gated(width: u64) -> Self {
        Self { width, gated: true, up_bias: false, down_bias: false }
    }

    /// Two matrices: up and down.
    #[must_use]
    pub const fn plain(width: u64) -> Self {
        Self { gated: false, ..Self::gated(width) }
    }

    /// A bias on every matrix.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn bias(self) -> Self {
        self.up_bias().down_bias()
    }

    /// A bias on the up (and gate) projection alone.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn up_bias(self) -> Self {
        Self { up_bias: true, ..self }
    }

    /// A bias on the down projection alone.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn down_bias(self) -> Self {
        Self { down_bias: true, ..self }
    }

    /// How many matrices lead up to the inner width.
    pub(crate) const fn up_matrices(self) -> u64 {
        if self.gated { 2 } else { 1 }
    }

    pub(crate) const fn widths(self, name: &'static str) -> [(&'static str, Option<u64>); 1] {
        [(name, Some(self.width))]
    }
}
