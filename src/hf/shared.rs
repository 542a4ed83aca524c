//! What families share: head widths, layers in turn, experts, tying, multi-token prediction.

use super::fields::Fields;
use super::invalid::Invalid;
use super::value::Value;
use crate::{Architecture, ArchitectureBuilder, Attention, Experts, FeedForward, LatentAttention, Layer, Mtp, Result};

/// What to do about a feature that this reader refuses.
pub(super) const BY_HAND: &str = "build it with `Architecture::decoder`";

/// The key-value heads of a family whose file does not say. A file that says `null` has as many as query heads.
#[derive(Clone, Copy)]
pub(super) enum Kv {
    LikeQueries,
    Default(u64),
}

/// The head width of a family whose file does not say.
#[derive(Clone, Copy)]
pub(super) enum Dim {
    /// `hidden_size / num_attention_heads`.
    Divided,
    Default(u64),
}

/// Heads of ordinary attention.
#[derive(Clone, Copy)]
pub(super) struct Heads {
    pub(super) queries: u64,
    pub(super) kv: u64,
    pub(super) dim: u64,
}

impl Heads {
    pub(super) const fn attention(self) -> Attention {
        Attention::grouped(self.queries, self.kv, self.dim)
    }
}

/// What stands around the layers.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) hidden: u64,
    pub(super) vocab: u64,
    pub(super) layers: u64,
    tied: bool,
}

impl Frame {
    pub(super) const fn new(hidden: u64, vocab: u64, layers: u64) -> Self {
        Self { hidden, vocab, layers, tied: false }
    }

    /// Whether embedding and head are one: as the file, or the file around it, or else the family says.
    pub(super) fn tied(self, f: &Fields<'_>, default: bool) -> Result<Self> {
        Ok(Self { tied: f.flag_here_or_outside("tie_word_embeddings", default)?, ..self })
    }

    /// As [`tied`](Self::tied), in a family that reads nothing of the file around it.
    pub(super) fn tied_within(self, f: &Fields<'_>, default: bool) -> Result<Self> {
        Ok(Self { tied: f.flag("tie_word_embeddings", default)?, ..self })
    }

    /// Embedding and head are two, as the reference implementation has them whatever the file says: a file that says
    /// otherwise is refused.
    pub(super) fn never_tied(self, f: &Fields<'_>) -> Result<Self> {
        let tied = f.flag_here_or_outside("tie_word_embeddings", false)?;
        if tied {
            let what = "a head that is the embedding, which the reference implementation does not have in this family,";
            let remedy = BY_HAND;
            return Err(f.unsupported("tie_word_embeddings", &tied, what, remedy).into());
        }
        Ok(self)
    }

    /// The decoder without layers.
    pub(super) fn builder(self) -> ArchitectureBuilder {
        let builder = Architecture::decoder(self.hidden, self.vocab);
        if self.tied { builder.tied() } else { builder }
    }

    /// A decoder whose layers are all alike.
    pub(super) fn all(self, layer: Layer) -> ArchitectureBuilder {
        self.builder().layers(self.layers, layer)
    }

    /// A decoder with a layer for each of these kinds, equal ones in a row made once.
    pub(super) fn each<K: PartialEq>(
        self,
        kinds: impl IntoIterator<Item = K>,
        layer: impl FnMut(&K) -> Layer,
    ) -> ArchitectureBuilder {
        in_turn(self.builder(), kinds, layer)
    }
}

/// The builder with a further layer for each of these kinds, equal ones in a row made once.
pub(super) fn in_turn<K: PartialEq>(
    mut builder: ArchitectureBuilder,
    kinds: impl IntoIterator<Item = K>,
    mut layer: impl FnMut(&K) -> Layer,
) -> ArchitectureBuilder {
    let mut run: Option<(K, u64)> = None;
    for kind in kinds {
        match &mut run {
            Some((last, count)) if *last == kind => *count = count.saturating_add(1),
            _ => {
                if let Some((last, count)) = run.replace((kind, 1)) {
                    builder = builder.layers(count, layer(&last));
                }
            }
        }
    }
    match run {
        Some((last, count)) => builder.layers(count, layer(&last)),
        None => builder,
    }
}

/// Under which names a family keeps the experts of a layer, and its defaults.
pub(super) struct Names {
    pub(super) count: (&'static str, u64),
    pub(super) top_k: (&'static str, u64),
    pub(super) width: (&'static str, u64),
}

/// The block, changed if so.
pub(super) fn when<T>(yes: bool, block: T, change: impl FnOnce(T) -> T) -> T {
    if yes { change(block) } else { block }
}

/// The attention within the window, where there is one and the layer slides.
pub(super) fn within(attention: Attention, window: Option<u64>, slides: bool) -> Attention {
    window.filter(|_| slides).map_or(attention, |width| attention.window(width))
}

/// A product of two sizes from a file; one beyond 64 bits stays so large that the ledger refuses it.
pub(super) const fn product(a: u64, b: u64) -> u64 {
    a.saturating_mul(b)
}

/// What a list says of a layer, counted from 0; no where it has no entry for it.
pub(super) fn at(listed: &[bool], layer: u64) -> bool {
    usize::try_from(layer).ok().and_then(|layer| listed.get(layer)).is_some_and(|listed| *listed)
}

/// Whether a layer, counted from 0, is the last of a group of so many.
pub(super) fn ends_group(layer: u64, group: u64) -> bool {
    layer.checked_add(1).and_then(|layers| layers.checked_rem(group)) == Some(0)
}

impl Fields<'_> {
    /// Hidden size, vocabulary and layers under their usual names.
    pub(super) fn frame(&self, hidden: u64, vocab: u64, layers: u64) -> Result<Frame> {
        let hidden = self.size("hidden_size", hidden)?;
        let vocab = self.size("vocab_size", vocab)?;
        Ok(Frame::new(hidden, vocab, self.layers("num_hidden_layers", layers)?))
    }

    /// Heads under their usual names.
    pub(super) fn heads(&self, hidden: u64, queries: u64, kv: Kv, dim: Dim) -> Result<Heads> {
        let queries = self.size("num_attention_heads", queries)?;
        let dim = match self.given("head_dim")? {
            Some(dim) => dim,
            None => self.head_dim(hidden, queries, dim)?,
        };
        self.key_value_heads("num_key_value_heads", Heads { queries, kv: queries, dim }, kv)
    }

    fn head_dim(&self, hidden: u64, queries: u64, dim: Dim) -> Result<u64> {
        match dim {
            Dim::Divided => self.divided(("hidden_size", hidden), ("num_attention_heads", queries)),
            Dim::Default(dim) => Ok(dim),
        }
    }

    /// The heads with as many for keys and values as the field says.
    pub(super) fn key_value_heads(&self, names: &str, heads: Heads, default: Kv) -> Result<Heads> {
        let default = match default {
            Kv::LikeQueries => heads.queries,
            Kv::Default(kv) => kv,
        };
        let kv = self.optional(names, Some(default))?.unwrap_or(heads.queries);
        self.divided(("num_attention_heads", heads.queries), (names, kv))?;
        Ok(Heads { kv, ..heads })
    }

    /// A size that another has to divide.
    pub(super) fn divided(&self, (names, value): (&str, u64), (of, divisor): (&str, u64)) -> Result<u64> {
        if value.checked_rem(divisor) == Some(0) {
            return Ok(value.checked_div(divisor).unwrap_or(value));
        }
        let (value, divisor) = (self.shown(names, value), self.shown(of, divisor));
        Err(Invalid::NotMultiple { value, divisor }.into())
    }

    /// The attention with a bias on all four projections, if `attention_bias` says so.
    pub(super) fn biased(&self, attention: Attention) -> Result<Attention> {
        Ok(when(self.flag("attention_bias", false)?, attention, Attention::bias))
    }

    /// The attention with the window that the file, or else the family, gives to every layer.
    pub(super) fn windowed(&self, attention: Attention, default: Option<u64>) -> Result<Attention> {
        let window = self.optional("sliding_window", default)?;
        Ok(window.map_or(attention, |width| attention.window(width)))
    }

    /// A gated feed-forward under its usual name, whose matrices have a bias if `mlp_bias` says so.
    pub(super) fn gated(&self, width: u64) -> Result<FeedForward> {
        let block = FeedForward::gated(self.size("intermediate_size", width)?);
        Ok(when(self.flag("mlp_bias", false)?, block, FeedForward::bias))
    }

    /// Refuses what the flag asks for, if it does: this reader has no case of it.
    pub(super) fn refuse(&self, name: &str, what: &'static str) -> Result<()> {
        if self.flag(name, false)? {
            return Err(self.unsupported(name, &true, what, BY_HAND).into());
        }
        Ok(())
    }

    /// Gated experts, each token visiting a few.
    pub(super) fn experts(&self, names: &Names) -> Result<Experts> {
        let width = self.size(names.width.0, names.width.1)?;
        self.experts_of(names, FeedForward::gated(width))
    }

    /// Experts of this shape, each token visiting a few.
    pub(super) fn experts_of(&self, names: &Names, expert: FeedForward) -> Result<Experts> {
        self.refuse_null(names.count.0, "it may mean none or the family's default: leave it out, or give a number")?;
        let count = self.size(names.count.0, names.count.1)?;
        let top_k = self.size(names.top_k.0, names.top_k.1)?;
        self.top_k_of(names, count, top_k)?;
        Ok(Experts::new(count, top_k, expert))
    }

    /// Refuses more choices than there are experts.
    pub(super) fn top_k_of(&self, names: &Names, count: u64, top_k: u64) -> Result<()> {
        if top_k > count {
            let limit = format!("{} = {count}", self.named(names.count.0));
            return Err(Invalid::Above { field: self.named(names.top_k.0), value: top_k, limit }.into());
        }
        Ok(())
    }

    /// Shared experts of the routed ones' shape, none if the file says 0 or `null`.
    pub(super) fn shared_experts(&self, experts: Experts, names: &str, default: u64, width: u64) -> Result<Experts> {
        let none = !self.has(names)? && names.split('|').any(|name| self.is_null(name));
        Ok(match if none { 0 } else { self.count(names, default)? } {
            0 => experts,
            count => experts.shared_experts(count, FeedForward::gated(width)),
        })
    }

    /// Which layers attend to a window, by `layer_types` or else by the family's rule.
    pub(super) fn sliding(&self, layers: u64, rule: impl Fn(u64) -> bool) -> Result<Vec<bool>> {
        self.layer_types(layers, "full_attention or sliding_attention", rule, |name| match name {
            "full_attention" => Some(false),
            "sliding_attention" => Some(true),
            _ => None,
        })
    }

    /// As [`sliding`](Self::sliding), for files whose list goes on with the layers of multi-token prediction; without a
    /// list no layer slides.
    pub(super) fn sliding_with_mtp(&self, layers: u64, depth: u64) -> Result<Vec<bool>> {
        let length = self.list("layer_types")?.map_or(0, <[Value]>::len);
        let listed = u64::try_from(length).unwrap_or(u64::MAX);
        let longer = layers.checked_add(depth).is_some_and(|both| both == listed);
        let mut sliding = self.sliding(if longer { listed } else { layers }, |_| false)?;
        sliding.truncate(usize::try_from(layers).unwrap_or(usize::MAX));
        Ok(sliding)
    }

    /// What `layer_types` says of each layer, or else the family's rule.
    pub(super) fn layer_types<T>(
        &self,
        layers: u64,
        expected: &'static str,
        rule: impl Fn(u64) -> T,
        known: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>> {
        self.kinds_of("layer_types", layers, expected, rule, known)
    }

    /// What a list of names says of each layer, or else the family's rule.
    pub(super) fn kinds_of<T>(
        &self,
        names: &str,
        layers: u64,
        expected: &'static str,
        rule: impl Fn(u64) -> T,
        known: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>> {
        let listed = self.each_layer(names, layers, expected, |value| match value {
            Value::Text(name) => known(name),
            _ => None,
        })?;
        Ok(listed.unwrap_or_else(|| (0..layers).map(rule).collect()))
    }

    /// Which layers have experts, by `mlp_layer_types` or else by the family's rule.
    pub(super) fn sparse(&self, layers: u64, rule: impl Fn(u64) -> bool) -> Result<Vec<bool>> {
        self.kinds_of("mlp_layer_types", layers, "dense or sparse", rule, |name| match name {
            "dense" => Some(false),
            "sparse" => Some(true),
            _ => None,
        })
    }

    /// Which layers have experts in files that count the dense ones at the beginning. `moe_layer_freq`, where it is a
    /// number, is 1 in every file; the reference implementation does not read it.
    pub(super) fn sparse_after_dense(&self, layers: u64, dense: u64) -> Result<Vec<bool>> {
        let dense = self.count("first_k_dense_replace", dense)?;
        if self.has("moe_layer_freq")? && self.count("moe_layer_freq", 1)? != 1 {
            let value = self.count("moe_layer_freq", 1)?;
            let what = "a mixture of experts in every n-th layer only";
            return Err(self.unsupported("moe_layer_freq", &value, what, BY_HAND).into());
        }
        self.sparse(layers, |layer| layer >= dense)
    }

    /// The builder with as many modules of multi-token prediction as the file declares.
    pub(super) fn mtp(&self, builder: ArchitectureBuilder, names: &str, layer: Layer) -> Result<ArchitectureBuilder> {
        Ok(match self.depth(names)? {
            0 => builder,
            depth => builder.mtp(Mtp::new(depth, layer)),
        })
    }

    /// Multi-head latent attention under its usual names. Its widths come from these fields alone: a `head_dim` beside
    /// them means something else.
    pub(super) fn latent_attention(&self, defaults: &Latent) -> Result<LatentAttention> {
        self.ignore("head_dim|num_key_value_heads");
        let heads = self.size("num_attention_heads", defaults.heads)?;
        let kv_rank = self.size("kv_lora_rank", defaults.kv_rank)?;
        let nope_dim = self.size("qk_nope_head_dim", defaults.nope_dim)?;
        let rope_dim = self.count("qk_rope_head_dim", defaults.rope_dim)?;
        if let Some(both) = self.given("qk_head_dim")?.filter(|both| nope_dim.checked_add(rope_dim) != Some(*both)) {
            let why = "it is not qk_nope_head_dim and qk_rope_head_dim together";
            return Err(self.contradiction("qk_head_dim", &both, why).into());
        }
        let value_dim = self.size("v_head_dim", defaults.value_dim)?;
        let attention = LatentAttention::new(heads, kv_rank, nope_dim, rope_dim, value_dim);
        let attention = match self.optional("q_lora_rank", defaults.query_rank)? {
            Some(rank) => attention.query_rank(rank),
            None => attention,
        };
        Ok(if self.flag("attention_bias", false)? { attention.bias() } else { attention })
    }
}

/// The widths of latent attention in a family whose file does not say.
pub(super) struct Latent {
    pub(super) heads: u64,
    pub(super) query_rank: Option<u64>,
    pub(super) kv_rank: u64,
    pub(super) nope_dim: u64,
    pub(super) rope_dim: u64,
    pub(super) value_dim: u64,
}
