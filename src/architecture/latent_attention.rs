//! Multi-head latent attention, and the indexer of its sparse form.

use super::{Invalid, Span};

/// Multi-head latent attention, in the expanded form used for training and prefill: keys and values are projected up
/// from the latent for every token, and the core works on full heads.
///
/// # Formula
///
/// Projections, with a low-rank query: `h·r_q + r_q·H·(d_n + d_r) + h·(r_kv + d_r) + r_kv·H·(d_n + d_v) + H·d_v·h`;
/// without, the first two are `h·H·(d_n + d_r)`. Core, per pair: `2·H·(d_n + d_r)` (scores) and `2·H·d_v` (values).
/// Each latent has a norm of its rank.
///
/// With an [indexer](Self::indexer) of `H_i` heads, `d_i` wide (DeepSeek-V3.2): `r_q·H_i·d_i + h·d_i + h·H_i`
/// projections and, for every key up to the query, `2·H_i·d_i` for its scores and `2·H_i` for their weighted sum; the
/// core then sees at most `k` keys per query.
///
/// `h` hidden size, `H` heads, `r_q` and `r_kv` the ranks of the query and key-value latents, `d_n` and `d_r` the
/// widths of a query or key head without and with rotary position, `d_v` that of a value head. Source: DeepSeek-V2,
/// arXiv 2405.04434, section 2.1.
///
/// ```
/// use mfu::LatentAttention;
///
/// let deepseek_v3 = LatentAttention::new(128, 512, 128, 64, 128).query_rank(1_536);
/// # let _ = deepseek_v3;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct LatentAttention {
    pub(crate) heads: u64,
    pub(crate) query_rank: Option<u64>,
    pub(crate) kv_rank: u64,
    pub(crate) nope_dim: u64,
    pub(crate) rope_dim: u64,
    pub(crate) value_dim: u64,
    pub(crate) bias: bool,
    pub(crate) span: Span,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub(crate) gated: bool,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub(crate) indexer: Option<Indexer>,
}

/// What chooses the keys of sparse attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Indexer {
    pub(crate) heads: u64,
    pub(crate) head_dim: u64,
}

impl Indexer {
    pub(super) const fn widths(self) -> [(&'static str, Option<u64>); 2] {
        [("indexer heads", Some(self.heads)), ("indexer head_dim", Some(self.head_dim))]
    }
}

impl LatentAttention {
    /// `heads` heads over a key-value latent of rank `kv_rank`; a query or key head is `nope_dim + rope_dim` wide, a
    /// value head `value_dim`.
    #[must_use]
    pub const fn new(heads: u64, kv_rank: u64, nope_dim: u64, rope_dim: u64, value_dim: u64) -> Self {
        Self {
            heads,
            query_rank: None,
            kv_rank,
            nope_dim,
            rope_dim,
            value_dim,
            bias: false,
            span: Span::Causal,
            gated: false,
            indexer: None,
        }
    }

    /// Queries go through a latent of this rank, too.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn query_rank(self, rank: u64) -> Self {
        Self { query_rank: Some(rank), ..self }
    }

    /// A bias on both down projections and on the output, which is where this attention has them.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn bias(self) -> Self {
        Self { bias: true, ..self }
    }

    /// Each query sees the last `width` keys, its own included.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn window(self, width: u64) -> Self {
        Self { span: Span::Window(width), ..self }
    }

    /// Each query sees every key of its sequence.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn bidirectional(self) -> Self {
        Self { span: Span::Bidirectional, ..self }
    }

    /// A gate on every output head, projected from the input (`h` → `H`).
    #[must_use = "the block is returned, not changed in place"]
    pub const fn gated_per_head(self) -> Self {
        Self { gated: true, ..self }
    }

    /// DeepSeek's sparse attention: an indexer of `heads` heads scores every key up to the query, and the core sees the
    /// `top_k` it likes best.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn indexer(self, heads: u64, head_dim: u64, top_k: u64) -> Self {
        Self { indexer: Some(Indexer { heads, head_dim }), span: Span::TopK(top_k), ..self }
    }

    /// The core sees the `top_k` keys that the indexer of an earlier layer chose.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn top_k(self, top_k: u64) -> Self {
        Self { span: Span::TopK(top_k), ..self }
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        match (self.indexer, self.query_rank) {
            (Some(_), None) => Err(Invalid::IndexerWithoutQueryRank),
            _ => Ok(()),
        }
    }

    /// The rotary part is not among them: a model without rotary position has none, which 0 says exactly.
    pub(crate) fn widths(&self) -> impl Iterator<Item = (&'static str, Option<u64>)> {
        [
            ("heads", Some(self.heads)),
            ("query_rank", self.query_rank),
            ("kv_rank", Some(self.kv_rank)),
            ("nope_dim", Some(self.nope_dim)),
            ("value_dim", Some(self.value_dim)),
        ]
        .into_iter()
        .chain(self.span.widths())
        .chain(self.indexer.map(Indexer::widths).into_iter().flatten())
    }
}
