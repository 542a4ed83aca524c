//! Softmax attention with any number of key-value heads.

use super::{Invalid, Span};

/// Softmax attention with any number of key-value heads.
///
/// # Formula
///
/// Projections: `w·H·d_qk` (query), `w·g·d_qk` (key), `w·g·d_v` (value), `H·d_v·h` (output) parameters, each multiplied
/// once per token. Core, per query-key pair: `2·H·d_qk` (scores) and `2·H·d_v` (values) forward FLOPs. Sharing
/// key-value heads shrinks projections, never the core.
///
/// Keys and values of [an earlier layer](Self::earlier_keys_and_values) are not projected again; across to a
/// [source](Self::cross) they are projected once per source token. Heads that belong to [experts](Self::experts) hold
/// `E` query and output projections of `g` heads each, and a token is multiplied with `k` of them.
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
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "KeysAndValues::are_projected"))]
    pub(crate) keys_and_values: KeysAndValues,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub(crate) position_buckets: Option<u64>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub(crate) routed: Option<RoutedHeads>,
}

/// Where keys and values come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub(crate) enum KeysAndValues {
    /// Each from a projection of its own.
    #[default]
    Projected,
    /// One projection serves as both.
    KeysAsValues,
    /// An earlier layer made them.
    Earlier,
}

impl KeysAndValues {
    #[cfg(feature = "serde")]
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field by reference")]
    fn are_projected(&self) -> bool {
        *self == Self::Projected
    }
}

/// Heads that belong to experts, of which each token visits a few.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct RoutedHeads {
    pub(crate) experts: u64,
    pub(crate) top_k: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[expect(clippy::struct_excessive_bools, reason = "projections, each with a bias of its own or none")]
pub(crate) struct Biases {
    pub(crate) query: bool,
    pub(crate) key: bool,
    pub(crate) value: bool,
    pub(crate) output: bool,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub(crate) gate: bool,
}

/// A norm on queries and keys before they meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub(crate) enum QkNorm {
    None,
    /// One weight vector of the head's width, shared by the heads: 2·d.
    PerHead,
    /// The same with a bias: 4·d.
    PerHeadWithBias,
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
            biases: Biases { query: false, key: false, value: false, output: false, gate: false },
            qk_norm: QkNorm::None,
            gate: Gate::None,
            sinks: false,
            span: Span::Causal,
            keys_and_values: KeysAndValues::Projected,
            position_buckets: None,
            routed: None,
        }
    }

    /// A mixture of attention heads, as in JetMoE: `count` experts, of which each token visits `top_k`. An expert is a
    /// query and an output projection of `kv_heads` heads; keys and values are projected once, for all of them, so
    /// that the core has `top_k·kv_heads` query heads. A router (`w` → `count`) chooses.
    #[must_use]
    pub const fn experts(count: u64, top_k: u64, kv_heads: u64, head_dim: u64) -> Self {
        Self {
            routed: Some(RoutedHeads { experts: count, top_k }),
            ..Self::grouped(top_k.saturating_mul(kv_heads), kv_heads, head_dim)
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

    /// Each query sees every key of the source, whose keys and values are projected from what the encoder made of it.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn cross(self) -> Self {
        Self { span: Span::Cross, ..self }
    }

    /// Keys and values are those of an earlier layer: no projection and no norm of them here.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn earlier_keys_and_values(self) -> Self {
        Self { keys_and_values: KeysAndValues::Earlier, ..self }
    }

    /// Keys serve as values: one projection for both.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn keys_as_values(self) -> Self {
        Self { keys_and_values: KeysAndValues::KeysAsValues, ..self }
    }

    /// A learned bias on the scores for each of so many buckets of distance and each head, as in T5. Layers that use
    /// that of another hold none.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn position_bias(self, buckets: u64) -> Self {
        Self { position_buckets: Some(buckets), ..self }
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

    /// A bias on the gate, if there is one.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn gate_bias(self) -> Self {
        Self { biases: Biases { gate: true, ..self.biases }, ..self }
    }

    /// A norm on queries and keys, with one weight vector of the head's width for all heads.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn qk_norm(self) -> Self {
        Self { qk_norm: QkNorm::PerHead, ..self }
    }

    /// A LayerNorm with a bias on queries and keys, one of the head's width for all heads.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn qk_layer_norm(self) -> Self {
        Self { qk_norm: QkNorm::PerHeadWithBias, ..self }
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
        if self.keys_and_values == KeysAndValues::KeysAsValues && self.qk_dim != self.value_dim {
            return Err(Invalid::Unequal {
                field: "value_dim",
                value: self.value_dim,
                to: "that of the keys that serve as values, head_dim",
                other: self.qk_dim,
            });
        }
        if let Some(RoutedHeads { experts, top_k }) = self.routed {
            let (field, limit) = ("top_k", "the number of experts");
            if top_k > experts {
                return Err(Invalid::Above { field, value: top_k, limit, most: experts });
            }
            if self.heads.checked_rem(top_k) != Some(0) {
                return Err(Invalid::NotMultiple { field: "heads", value: self.heads, of: field, divisor: top_k });
            }
        }
        Ok(())
    }

    pub(crate) fn widths(&self) -> impl Iterator<Item = (&'static str, Option<u64>)> {
        // Heads that belong to experts are counted by these, which a caller gave.
        let routed = self.routed.map(|routed| (routed.experts, routed.top_k, self.kv_heads));
        [
            ("the number of experts", routed.map(|(experts, _, _)| experts)),
            ("top_k", routed.map(|(_, top_k, _)| top_k)),
            ("kv_heads", routed.map(|(_, _, kv_heads)| kv_heads)),
            ("heads", Some(self.heads)),
            ("kv_heads", Some(self.kv_heads)),
            ("head_dim", Some(self.qk_dim)),
            ("value_dim", Some(self.value_dim)),
            ("attention input width", self.input_width),
            ("the number of position buckets", self.position_buckets),
        ]
        .into_iter()
        .chain(self.span.widths())
    }
}
