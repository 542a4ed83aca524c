//! Softmax attention: grouped-query attention and multi-head latent attention.

use super::{Invalid, Span};

/// Softmax attention with any number of key-value heads.
///
/// # Formula
///
/// Projections: `w·H·d_qk` (query), `w·g·d_qk` (key), `w·g·d_v` (value), `H·d_v·h` (output) parameters, each multiplied
/// once per token. Core, per query-key pair: `2·H·d_qk` (scores) and `2·H·d_v` (values) forward FLOPs. Sharing
/// key-value heads shrinks projections, never the core.
///
/// `H` query heads, `g` key-value heads, `d_qk` the width of a query or key head, `d_v` that of a value head, `h` the
/// hidden size, `w` the input width. No head width is ever assumed to be `h/H`.
///
/// ```
/// use mfu::Attention;
///
/// // Llama-3-8B: 32 query heads, 8 key-value heads, 128 wide.
/// let llama = Attention::grouped(32, 8, 128);
/// // gpt-oss: biases, sinks, and a window of 128 on every other layer.
/// let gpt_oss = Attention::grouped(64, 8, 64).bias().sinks().window(128);
/// # let _ = (llama, gpt_oss);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Attention {
    pub(crate) heads: u64,
    pub(crate) kv_heads: u64,
    pub(crate) qk_dim: u64,
    pub(crate) value_dim: u64,
    pub(crate) input_width: Option<u64>,
    pub(crate) biases: Biases,
    pub(crate) qk_norm: QkNorm,
    pub(crate) gate: Gate,
    pub(crate) sinks: bool,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[expect(clippy::struct_excessive_bools, reason = "four projections, each with a bias of its own or none")]
pub(crate) struct Biases {
    pub(crate) query: bool,
    pub(crate) key: bool,
    pub(crate) value: bool,
    pub(crate) output: bool,
}

/// A norm on queries and keys before they meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub(crate) enum QkNorm {
    None,
    /// One weight vector of the head's width, shared by the heads: 2·d.
    PerHead,
    /// A weight for every channel of every head: (H + g)·d.
    WholeWidth,
}

/// A learned gate on the output of the heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub(crate) enum Gate {
    None,
    PerChannel,
    PerHead,
}

impl Attention {
    /// `heads` query heads and as many key-value heads.
    #[must_use]
    pub const fn multi_head(heads: u64, head_dim: u64) -> Self {
        Self::grouped(heads, heads, head_dim)
    }

    /// `heads` query heads that share one key-value head.
    #[must_use]
    pub const fn multi_query(heads: u64, head_dim: u64) -> Self {
        Self::grouped(heads, 1, head_dim)
    }

    /// `heads` query heads in groups that share `kv_heads` key-value heads. Every head is `head_dim` wide.
    #[must_use]
    pub const fn grouped(heads: u64, kv_heads: u64, head_dim: u64) -> Self {
        Self {
            heads,
            kv_heads,
            qk_dim: head_dim,
            value_dim: head_dim,
            input_width: None,
            biases: Biases { query: false, key: false, value: false, output: false },
            qk_norm: QkNorm::None,
            gate: Gate::None,
            sinks: false,
            span: Span::Causal,
        }
    }

    /// Value heads of another width than query and key heads.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn value_dim(self, value_dim: u64) -> Self {
        Self { value_dim, ..self }
    }

    /// Queries, keys and values are read from a stream of this width instead of the hidden size.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn input_width(self, width: u64) -> Self {
        Self { input_width: Some(width), ..self }
    }

    /// Each query sees the last `width` keys, its own included.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn window(self, width: u64) -> Self {
        Self { span: Span::Window(width), ..self }
    }

    /// Each query sees the keys of its own chunk, up to itself.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn chunk(self, width: u64) -> Self {
        Self { span: Span::Chunk(width), ..self }
    }

    /// Each query sees every key of its sequence. In an [encoder](crate::Architecture::encoder) this is the
    /// default.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn bidirectional(self) -> Self {
        Self { span: Span::Bidirectional, ..self }
    }

    /// A bias on queries, keys, values and output.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn bias(self) -> Self {
        self.qkv_bias().output_bias()
    }

    /// A bias on queries, keys and values.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn qkv_bias(self) -> Self {
        self.query_bias().key_bias().value_bias()
    }

    /// A bias on queries.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn query_bias(self) -> Self {
        Self { biases: Biases { query: true, ..self.biases }, ..self }
    }

    /// A bias on keys.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn key_bias(self) -> Self {
        Self { biases: Biases { key: true, ..self.biases }, ..self }
    }

    /// A bias on values.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn value_bias(self) -> Self {
        Self { biases: Biases { value: true, ..self.biases }, ..self }
    }

    /// A bias on the output projection.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn output_bias(self) -> Self {
        Self { biases: Biases { output: true, ..self.biases }, ..self }
    }

    /// A norm on queries and keys, with one weight vector of the head's width for all heads.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn qk_norm(self) -> Self {
        Self { qk_norm: QkNorm::PerHead, ..self }
    }

    /// A norm on queries and keys, with a weight for every channel of every head.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn qk_norm_whole_width(self) -> Self {
        Self { qk_norm: QkNorm::WholeWidth, ..self }
    }

    /// A learned sink per query head, which the softmax may attend to instead of a key.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn sinks(self) -> Self {
        Self { sinks: true, ..self }
    }

    /// A gate on every output channel, projected from the input (`w` → `H·d_v`).
    #[must_use = "the block is returned, not changed in place"]
    pub const fn gated(self) -> Self {
        Self { gate: Gate::PerChannel, ..self }
    }

    /// A gate on every output head, projected from the input (`w` → `H`).
    #[must_use = "the block is returned, not changed in place"]
    pub const fn gated_per_head(self) -> Self {
        Self { gate: Gate::PerHead, ..self }
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        if self.heads.checked_rem(self.kv_heads) != Some(0) {
            return Err(Invalid::NotMultiple {
                field: "heads",
                value: self.heads,
                of: "kv_heads",
                divisor: self.kv_heads,
            });
        }
        Ok(())
    }

    pub(crate) const fn widths(&self) -> [(&'static str, Option<u64>); 6] {
        [
            ("heads", Some(self.heads)),
            ("kv_heads", Some(self.kv_heads)),
            ("head_dim", Some(self.qk_dim)),
            ("value_dim", Some(self.value_dim)),
            ("attention input width", self.input_width),
            ("the width of a window or chunk", width_of(self.span)),
        ]
    }
}

/// Multi-head latent attention, in the expanded form used for training and prefill: keys and values are projected up
/// from the latent for every token, and the core works on full heads.
///
/// # Formula
///
/// Projections, with a low-rank query: `h·r_q + r_q·H·(d_n + d_r) + h·(r_kv + d_r) + r_kv·H·(d_n + d_v) + H·d_v·h`;
/// without, the first two are `h·H·(d_n + d_r)`. Core, per pair: `2·H·(d_n + d_r)` (scores) and `2·H·d_v` (values).
/// Each latent has a norm of its rank.
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
}

impl LatentAttention {
    /// `heads` heads over a key-value latent of rank `kv_rank`; a query or key head is `nope_dim + rope_dim` wide, a
    /// value head `value_dim`.
    #[must_use]
    pub const fn new(heads: u64, kv_rank: u64, nope_dim: u64, rope_dim: u64, value_dim: u64) -> Self {
        Self { heads, query_rank: None, kv_rank, nope_dim, rope_dim, value_dim, bias: false, span: Span::Causal }
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

    /// The rotary part is not among them: a model without rotary position has none, which 0 says exactly.
    pub(crate) const fn widths(&self) -> [(&'static str, Option<u64>); 6] {
        [
            ("heads", Some(self.heads)),
            ("query_rank", self.query_rank),
            ("kv_rank", Some(self.kv_rank)),
            ("nope_dim", Some(self.nope_dim)),
            ("value_dim", Some(self.value_dim)),
            ("the width of a window or chunk", width_of(self.span)),
        ]
    }
}

const fn width_of(span: Span) -> Option<u64> {
    match span {
        Span::Window(width) | Span::Chunk(width) => Some(width),
        Span::Causal | Span::Bidirectional => None,
    }
}
