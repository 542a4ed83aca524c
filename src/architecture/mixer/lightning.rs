//! Lightning attention.

/// Lightning attention, as in MiniMax-01: linear attention whose state decays at a fixed rate per head.
///
/// # Formula
///
/// Projections: `h·3Hd` (query, key, value), `h·Hd` (output gate), `Hd·h` (output); a norm of `Hd`. Scan, per token:
/// `5·H·d²`: the decay of the `d·d` state of each head, `k·vᵀ` added to it (2), and its product with `q` (2). `h`
/// hidden size, `H` heads, `d` their width. Source: MiniMax-01, arXiv 2501.08313, section 2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct LightningAttention {
    pub(crate) heads: u64,
    pub(crate) head_dim: u64,
}

impl LightningAttention {
    /// `heads` heads, `head_dim` wide.
    #[must_use]
    pub const fn new(heads: u64, head_dim: u64) -> Self {
        Self { heads, head_dim }
    }

    pub(crate) const fn widths(self) -> [(&'static str, Option<u64>); 2] {
        [("heads", Some(self.heads)), ("head_dim", Some(self.head_dim))]
    }
}
