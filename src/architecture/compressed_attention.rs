//! Attention to a window and to compressed keys.

use super::{Invalid, Span};

/// Attention to the last few tokens and to compressed keys of all before, as in DeepSeek-V4: one key-value head whose
/// keys serve as values, a low-rank query, and an output projection in groups.
///
/// # Formula
///
/// Projections: `h·r_q + r_q·H·d` (query), `h·d` (key), `H·d·r_o` (output of `g` groups, each from its `H·d/g` channels
/// to `r_o`) and `g·r_o·h`; norms of `r_q` and `d`, one sink per head. Core: `4·H·d` per pair, within the window and
/// with the compressed keys alike.
///
/// Compressed keys, one for every `m` tokens: projections of `h·c·d` for the keys and as many for their weights,
/// `m·c·d` biases of positions, a norm of `d`. `c` is 1 where each key is made of `m` tokens, and 2 where it overlaps
/// with its neighbour, which are those that an indexer chooses from. The indexer, `H_i` heads of `d_i`: `r_q·H_i·d_i +
/// h·H_i`, keys of its own as above with `d_i` for `d`, and `2·H_i·d_i` for each pair of a query and a compressed key
/// up to it.
///
/// A query at position `i`, counted from 1, sees `⌊i/m⌋` compressed keys, or the best `k` of them.
///
/// `h` hidden size, `H` heads, `d` their width, `r_q` and `r_o` the ranks of query and output, `g` groups.
///
/// ```
/// use mfu::CompressedAttention;
///
/// // DeepSeek-V4-Flash: 64 heads of 512, ranks of 1,024, 8 groups, a window of 128.
/// let attention = CompressedAttention::new(64, 512, 1_024, 8, 1_024, 128);
/// let heavily_compressed = attention.compressed(128);
/// let sparse = attention.indexed(4, 64, 128, 512);
/// # let _ = (heavily_compressed, sparse);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct CompressedAttention {
    pub(crate) heads: u64,
    pub(crate) head_dim: u64,
    pub(crate) query_rank: u64,
    pub(crate) groups: u64,
    pub(crate) output_rank: u64,
    pub(crate) window: u64,
    pub(crate) compression: Compression,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub(crate) enum Compression {
    None,
    All { ratio: u64 },
    Indexed { ratio: u64, heads: u64, head_dim: u64, top_k: u64 },
}

impl CompressedAttention {
    /// `heads` heads of `head_dim` that see the last `window` tokens alone; the output of `groups` groups of heads goes
    /// through latents of `output_rank`.
    #[must_use]
    pub const fn new(heads: u64, head_dim: u64, query_rank: u64, groups: u64, output_rank: u64, window: u64) -> Self {
        Self { heads, head_dim, query_rank, groups, output_rank, window, compression: Compression::None }
    }

    /// Every query also sees one key for every `ratio` tokens up to itself (heavily compressed attention).
    #[must_use = "the block is returned, not changed in place"]
    pub const fn compressed(self, ratio: u64) -> Self {
        Self { compression: Compression::All { ratio }, ..self }
    }

    /// Every query also sees the `top_k` keys that an indexer likes best of one for every `ratio` tokens (compressed
    /// sparse attention).
    #[must_use = "the block is returned, not changed in place"]
    pub const fn indexed(self, ratio: u64, heads: u64, head_dim: u64, top_k: u64) -> Self {
        Self { compression: Compression::Indexed { ratio, heads, head_dim, top_k }, ..self }
    }

    pub(super) const fn window(self) -> Span {
        Span::Window(self.window)
    }

    pub(super) fn check(self) -> Result<(), Invalid> {
        if self.heads.checked_rem(self.groups) != Some(0) {
            let (value, divisor) = (self.heads, self.groups);
            return Err(Invalid::NotMultiple { field: "heads", value, of: "output groups", divisor });
        }
        Ok(())
    }

    pub(super) fn widths(self) -> impl Iterator<Item = (&'static str, Option<u64>)> {
        let (ratio, indexer) = match self.compression {
            Compression::None => (None, None),
            Compression::All { ratio } => (Some(ratio), None),
            Compression::Indexed { ratio, heads, head_dim, top_k } => (Some(ratio), Some((heads, head_dim, top_k))),
        };
        [
            ("heads", Some(self.heads)),
            ("head_dim", Some(self.head_dim)),
            ("query_rank", Some(self.query_rank)),
            ("output groups", Some(self.groups)),
            ("output_rank", Some(self.output_rank)),
            ("the width of a window or chunk", Some(self.window)),
            ("compression ratio", ratio),
            ("indexer heads", indexer.map(|(heads, _, _)| heads)),
            ("indexer head_dim", indexer.map(|(_, head_dim, _)| head_dim)),
            ("indexer top_k", indexer.map(|(_, _, top_k)| top_k)),
        ]
        .into_iter()
    }
}
