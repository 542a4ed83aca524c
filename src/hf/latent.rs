//! Multi-head latent attention: DeepSeek and what is made like it.

use super::Family;
use super::fields::Fields;
use super::shared::{BY_HAND, Frame, Latent, Names, in_turn, when};
use super::value::Value;
use crate::{
    ArchitectureBuilder, Block, CompressedAttention, Experts, FeedForward, HyperConnection, LatentAttention, Layer,
    Norm, Result,
};

pub(super) const FAMILIES: &[Family] = &[
    Family::new("deepseek_v2", deepseek_v2),
    Family::new("deepseek_v3", deepseek_v3).also(&["kimi_k2"]),
    Family::new("deepseek_v32", deepseek_v32),
    Family::new("deepseek_v4", deepseek_v4),
    Family::new("glm4_moe_lite", glm4_moe_lite),
    Family::new("glm_moe_dsa", glm_moe_dsa),
    Family::new("longcat_flash", longcat_flash),
    Family::new("minicpm3", minicpm3),
];

const V3: Latent =
    Latent { heads: 128, query_rank: Some(1_536), kv_rank: 512, nope_dim: 128, rope_dim: 64, value_dim: 128 };

/// The defaults of a mixture: how many experts, how many of them per token, how wide, how many shared.
struct Mixture {
    experts: u64,
    top_k: u64,
    width: u64,
    shared: u64,
}

const EXPERTS: &str = "n_routed_experts|num_local_experts|num_experts";

fn experts(f: &Fields<'_>, defaults: &Mixture) -> Result<Experts> {
    let width = f.size("moe_intermediate_size", defaults.width)?;
    let experts = f.experts(&Names {
        count: (EXPERTS, defaults.experts),
        top_k: ("num_experts_per_tok", defaults.top_k),
        width: ("moe_intermediate_size", width),
    })?;
    f.shared_experts(experts, "n_shared_experts", defaults.shared, width)
}

/// Refuses a bias that no released model has.
fn refuse_mlp_bias(f: &Fields<'_>) -> Result<()> {
    f.refuse("mlp_bias", "a bias in these feed-forwards")
}

/// Dense layers, then those with experts.
fn dense_then_sparse(
    f: &Fields<'_>,
    frame: Frame,
    attention: LatentAttention,
    experts: Experts,
    (width, dense): (u64, u64),
) -> Result<ArchitectureBuilder> {
    let mlp = FeedForward::gated(f.size("intermediate_size", width)?);
    let layer = |sparse: &bool| {
        if *sparse { Layer::pre_norm(attention, experts) } else { Layer::pre_norm(attention, mlp) }
    };
    let builder = frame.each(f.sparse_after_dense(frame.layers, dense)?, layer);
    f.mtp(builder, "num_nextn_predict_layers|num_mtp_layers", layer(&true))
}

fn deepseek_v2(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 102_400, 32)?.tied(f, false)?;
    refuse_mlp_bias(f)?;
    let attention = f.latent_attention(&Latent { heads: 32, ..V3 })?;
    if !f.has("num_experts_per_tok")? {
        f.needed("num_experts_per_tok")?;
    }
    let experts = experts(f, &Mixture { experts: 64, top_k: 1, width: 1_407, shared: 2 })?;
    dense_then_sparse(f, frame, attention, experts, (11_008, 0))
}

fn deepseek_v3(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(7_168, 129_280, 61)?.tied(f, false)?;
    let attention = f.latent_attention(&V3)?;
    let experts = experts(f, &Mixture { experts: 256, top_k: 8, width: 2_048, shared: 1 })?;
    dense_then_sparse(f, frame, attention, experts, (18_432, 3))
}

/// The number of heads, width and choice of the indexer, which reads the query latent.
fn indexer(f: &Fields<'_>, heads: u64, query_rank: u64) -> Result<[u64; 3]> {
    if f.optional("q_lora_rank", Some(query_rank))?.is_none() {
        let why = "the indexer of this family reads the query latent";
        return Err(f.contradiction("q_lora_rank", &"null", why).into());
    }
    Ok([f.size("index_n_heads", heads)?, f.size("index_head_dim", 128)?, f.size("index_topk", 2_048)?])
}

/// Refuses layers of other kinds than the one that is built.
fn all_indexed(f: &Fields<'_>, layers: u64) -> Result<()> {
    f.layer_types(layers, "indexed_attention", |_| (), |name| (name == "indexed_attention").then_some(()))?;
    Ok(())
}

fn deepseek_v32(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(7_168, 129_280, 61)?.tied(f, false)?;
    refuse_mlp_bias(f)?;
    all_indexed(f, frame.layers)?;
    let [heads, dim, top_k] = indexer(f, 64, 1_536)?;
    let attention = f.latent_attention(&V3)?.indexer(heads, dim, top_k);
    let experts = experts(f, &Mixture { experts: 256, top_k: 8, width: 2_048, shared: 1 })?;
    dense_then_sparse(f, frame, attention, experts, (18_432, 3))
}

fn glm4_moe_lite(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_048, 154_880, 47)?.tied(f, false)?;
    let attention = f.latent_attention(&Latent {
        heads: 20,
        query_rank: Some(768),
        kv_rank: 512,
        nope_dim: 192,
        rope_dim: 64,
        value_dim: 256,
    })?;
    let experts = experts(f, &Mixture { experts: 64, top_k: 4, width: 1_536, shared: 1 })?;
    dense_then_sparse(f, frame, attention, experts, (10_240, 1))
}

/// Some layers use the keys that the indexer of an earlier one chose.
fn glm_moe_dsa(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(6_144, 154_880, 78)?.tied(f, false)?;
    refuse_mlp_bias(f)?;
    all_indexed(f, frame.layers)?;
    let [heads, dim, top_k] = indexer(f, 32, 2_048)?;
    let attention = f.latent_attention(&Latent {
        heads: 64,
        query_rank: Some(2_048),
        kv_rank: 512,
        nope_dim: 192,
        rope_dim: 64,
        value_dim: 256,
    })?;
    let experts = experts(f, &Mixture { experts: 256, top_k: 8, width: 2_048, shared: 1 })?;
    let mlp = FeedForward::gated(f.size("intermediate_size", 12_288)?);
    let own = own_indexers(f, frame.layers)?;
    let layer = |(own, sparse): &(bool, bool)| {
        let attention = if *own { attention.indexer(heads, dim, top_k) } else { attention.top_k(top_k) };
        if *sparse { Layer::pre_norm(attention, experts) } else { Layer::pre_norm(attention, mlp) }
    };
    let kinds = own.into_iter().zip(f.sparse_after_dense(frame.layers, 3)?);
    f.mtp(frame.each(kinds, layer), "num_nextn_predict_layers|num_mtp_layers", layer(&(true, true)))
}

/// Which layers have an indexer of their own: a list, a pattern of `F` and `S`, or every `index_topk_freq`-th.
fn own_indexers(f: &Fields<'_>, layers: u64) -> Result<Vec<bool>> {
    let frequency = f.size("index_topk_freq", 1)?;
    let offset = f.count("index_skip_topk_offset", 2)?;
    let rule = |layer: u64| {
        let after = layer.saturating_add(1).saturating_sub(offset);
        after.checked_rem(frequency) == Some(0)
    };
    if let Some(pattern) = f.text("index_topk_pattern")? {
        let own: Option<Vec<bool>> = pattern
            .chars()
            .map(|letter| match letter {
                'F' => Some(true),
                'S' => Some(false),
                _ => None,
            })
            .collect();
        let own = own.filter(|own| u64::try_from(own.len()) == Ok(layers));
        let why = "it is a letter for each layer, F or S";
        return own.ok_or_else(|| f.contradiction("index_topk_pattern", &pattern, why).into());
    }
    f.kinds_of("indexer_types", layers, "full or shared", rule, |name| match name {
        "full" => Some(true),
        "shared" => Some(false),
        _ => None,
    })
}

/// Each layer has two attentions, two dense feed-forwards and one mixture, whose router may choose experts that do
/// nothing.
fn longcat_flash(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let layers = f.layers("num_layers", 28)?;
    let frame = Frame::new(f.size("hidden_size", 6_144)?, f.size("vocab_size", 131_072)?, layers).tied(f, false)?;
    // Twice as many, as its cache counts them.
    f.ignore("num_hidden_layers");
    let attention = f.latent_attention(&Latent { heads: 64, ..V3 })?;
    let mlp = FeedForward::gated(f.size("ffn_hidden_size|intermediate_size", 12_288)?);
    let names = Names {
        count: ("n_routed_experts|num_local_experts", 512),
        top_k: ("moe_topk|num_experts_per_tok", 12),
        width: ("expert_ffn_hidden_size|moe_intermediate_size", 2_048),
    };
    let count = f.size(names.count.0, names.count.1)?;
    let idle = f.count("zero_expert_num", 256)?;
    let experts = f.experts(&names)?.router_width(count.saturating_add(idle));
    let experts = when(f.flag("router_bias", false)?, experts, Experts::router_bias);
    let half = |layer: Layer, further: Option<Experts>| {
        let layer = layer.with(Norm::rms()).with(attention).with(Norm::rms());
        let layer = further.into_iter().fold(layer, Layer::with);
        layer.with(mlp)
    };
    Ok(frame.all(half(half(Layer::new(), Some(experts)), None)))
}

/// Its value heads are `hidden_size / num_attention_heads` wide unless the file says otherwise.
fn minicpm3(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_560, 73_448, 62)?.tied(f, true)?;
    refuse_mlp_bias(f)?;
    let heads = f.size("num_attention_heads", 40)?;
    let value_dim = match f.given("v_head_dim")? {
        Some(value_dim) => value_dim,
        None => f.divided(("hidden_size", frame.hidden), ("num_attention_heads", heads))?,
    };
    let attention = f.latent_attention(&Latent {
        heads,
        query_rank: Some(768),
        kv_rank: 256,
        nope_dim: 64,
        rope_dim: 32,
        value_dim,
    })?;
    Ok(frame.all(Layer::pre_norm(attention, FeedForward::gated(f.size("intermediate_size", 6_400)?))))
}

/// Which keys a layer of DeepSeek-V4 sees beside its window.
#[derive(Clone, Copy, PartialEq)]
enum Compressed {
    None,
    Sparse,
    Heavily,
}

fn deepseek_v4(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 129_280, 43)?.tied(f, false)?;
    for (name, what) in [("attention_bias", "a bias on compressed attention"), ("mlp_bias", "a bias on experts")] {
        f.refuse(name, what)?;
    }
    if f.size("num_key_value_heads", 1)? != 1 {
        let value = f.size("num_key_value_heads", 1)?;
        return Err(f.contradiction("num_key_value_heads", &value, "this attention has one").into());
    }
    f.ignore("qk_rope_head_dim|num_hash_layers|mlp_layer_types|index_head_dim");
    let (heads, groups) = (f.size("num_attention_heads", 64)?, f.size("o_groups", 8)?);
    f.divided(("num_attention_heads", heads), ("o_groups", groups))?;
    let attention = CompressedAttention::new(
        heads,
        f.size("head_dim", 512)?,
        f.size("q_lora_rank", 1_024)?,
        groups,
        f.size("o_lora_rank", 1_024)?,
        f.size("sliding_window", 128)?,
    );
    let [index_heads, index_dim, top_k] =
        [f.size("index_n_heads", 64)?, f.size("index_head_dim", 128)?, f.size("index_topk", 512)?];
    let (sparse, heavily) = f.within("compress_rates", |rates| {
        Ok((rates.given("compressed_sparse_attention")?, rates.given("heavily_compressed_attention")?))
    })?;
    let sparse = f.given("compress_rate_csa")?.or(sparse).unwrap_or(4);
    let heavily = f.given("compress_rate_hca")?.or(heavily).unwrap_or(128);
    let shared = f.count("n_shared_experts", 1)?;
    if shared != 1 {
        let what = "another number of shared experts than the one that the reference implementation builds";
        return Err(f.unsupported("n_shared_experts", &shared, what, BY_HAND).into());
    }
    let experts = experts(f, &Mixture { experts: 256, top_k: 6, width: 2_048, shared })?;
    let connection = HyperConnection::new(f.size("hc_mult", 4)?);
    let layer = |kind: &Compressed| {
        let attention: Block = match kind {
            Compressed::None => attention,
            Compressed::Sparse => attention.indexed(sparse, index_heads, index_dim, top_k),
            Compressed::Heavily => attention.compressed(heavily),
        }
        .into();
        Layer::new().with(connection).with(Norm::rms()).with(attention).with(connection).with(Norm::rms()).with(experts)
    };
    let kinds = compressed_layers(f, frame.layers)?;
    // What its modules of multi-token prediction do with several residual streams is not known, and
    // `num_nextn_predict_layers` stays unread.
    Ok(in_turn(frame.builder(), kinds, layer).residual_streams(f.size("hc_mult", 4)?))
}

/// What each layer sees: by name, by the ratios of older files, or heavily compressed keys first and then in turn.
fn compressed_layers(f: &Fields<'_>, layers: u64) -> Result<Vec<Compressed>> {
    let ratio = |value: &Value| match value {
        Value::Integer(0) => Some(Compressed::None),
        Value::Integer(4) => Some(Compressed::Sparse),
        Value::Integer(128) => Some(Compressed::Heavily),
        _ => None,
    };
    // Older files go on with the layers of multi-token prediction.
    let legacy: Option<Vec<Compressed>> = match f.list("compress_ratios")? {
        Some(ratios) if !f.has("layer_types")? => {
            let each = |(index, value)| {
                ratio(value).ok_or_else(|| f.entry("compress_ratios", index, value, "0, 4 or 128").into())
            };
            let mut kinds: Vec<Compressed> = ratios.iter().enumerate().map(each).collect::<Result<_>>()?;
            if u64::try_from(kinds.len()).is_ok_and(|length| length < layers) {
                let why = "there are more layers";
                return Err(f.contradiction("compress_ratios", &format!("a list of {}", kinds.len()), why).into());
            }
            kinds.truncate(usize::try_from(layers).unwrap_or(usize::MAX));
            Some(kinds)
        }
        _ => None,
    };
    let rule = |layer: u64| if layer < 2 || layer % 2 == 0 { Compressed::Heavily } else { Compressed::Sparse };
    let expected = "sliding_attention, compressed_sparse_attention or heavily_compressed_attention";
    let named = f.layer_types(layers, expected, rule, |name| match name {
        "sliding_attention" => Some(Compressed::None),
        "compressed_sparse_attention" => Some(Compressed::Sparse),
        "heavily_compressed_attention" => Some(Compressed::Heavily),
        _ => None,
    })?;
    Ok(legacy.unwrap_or(named))
}
