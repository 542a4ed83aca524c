//! Delta rules: a state that is corrected towards what it should have remembered.

use super::super::Invalid;

/// A gated delta rule, as in Qwen3-Next.
///
/// # Formula
///
/// Projections: `h·(2·H_k·d_k + 2·H_v·d_v)` (query, key, value, output gate), `h·2·H_v` (decay and step), `H_v·d_v·h`
/// (output); convolution: `K·(2·H_k·d_k + H_v·d_v)`; `2·H_v` for A and the bias of the time step; a gated norm of
/// `d_v`. Scan, per token: `8·H_v·d_k·d_v`: four multiply-adds for each entry of the state (what it holds for `k`, the
/// correction towards `v`, the decayed update, and its product with `q`), as Megatron-LM and MaxText count it.
///
/// `h` hidden size, `H_k` and `H_v` key and value heads, `d_k` and `d_v` their widths, `K` the kernel. Source: Gated
/// DeltaNet, arXiv 2412.06464, section 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct GatedDeltaNet {
    pub(crate) key_heads: u64,
    pub(crate) key_dim: u64,
    pub(crate) value_heads: u64,
    pub(crate) value_dim: u64,
    pub(crate) kernel: u64,
}

impl GatedDeltaNet {
    /// `key_heads` heads for queries and keys, `key_dim` wide, each serving the same number of `value_heads`.
    #[must_use]
    pub const fn new(key_heads: u64, key_dim: u64, value_heads: u64, value_dim: u64, kernel: u64) -> Self {
        Self { key_heads, key_dim, value_heads, value_dim, kernel }
    }

    pub(crate) fn check(self) -> Result<(), Invalid> {
        if self.value_heads.checked_rem(self.key_heads) != Some(0) {
            let (value, divisor) = (self.value_heads, self.key_heads);
            return Err(Invalid::NotMultiple { field: "value_heads", value, of: "key_heads", divisor });
        }
        Ok(())
    }

    pub(crate) const fn widths(self) -> [(&'static str, Option<u64>); 5] {
        [
            ("key_heads", Some(self.key_heads)),
            ("key_dim", Some(self.key_dim)),
            ("value_heads", Some(self.value_heads)),
            ("value_dim", Some(self.value_dim)),
            ("convolution kernel", Some(self.kernel)),
        ]
    }
}

/// Kimi delta attention: a delta rule whose gate decays every channel by itself.
///
/// # Formula
///
/// Projections: `h·3Hd` (query, key, value), `h·d + d·Hd` for the decay and as much for the output gate, or `h·Hd` each
/// with [full-rank gates](Self::full_rank_gates), `h·H` (step), `Hd·h` (output); convolution: `K·3Hd`; `H + Hd` for A
/// and the bias of the decay; a gated norm of `d`. Scan, per token: `8·H·d²`, as for [`GatedDeltaNet`].
///
/// `h` hidden size, `H` heads, `d` their width, `K` the kernel. Source: Kimi Linear, arXiv 2510.26692, section 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct KimiDeltaAttention {
    pub(crate) heads: u64,
    pub(crate) head_dim: u64,
    pub(crate) kernel: u64,
    pub(crate) full_rank_gates: bool,
}

impl KimiDeltaAttention {
    /// `heads` heads, `head_dim` wide.
    #[must_use]
    pub const fn new(heads: u64, head_dim: u64, kernel: u64) -> Self {
        Self { heads, head_dim, kernel, full_rank_gates: false }
    }

    /// Decay and output gate are projected at once instead of through a latent of the head's width.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn full_rank_gates(self) -> Self {
        Self { full_rank_gates: true, ..self }
    }

    pub(crate) const fn widths(self) -> [(&'static str, Option<u64>); 3] {
        [("heads", Some(self.heads)), ("head_dim", Some(self.head_dim)), ("convolution kernel", Some(self.kernel))]
    }
}
