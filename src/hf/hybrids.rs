//! Short convolutions, Kimi delta attention and lightning attention beside softmax attention.

use super::Family;
use super::fields::Fields;
use super::shared::{Dim, Frame, Kv, Latent, Names, at, ends_group, product, when};
use crate::{
    ArchitectureBuilder, Block, Experts, FeedForward, KimiDeltaAttention, Layer, LightningAttention, Result,
    ShortConvolution,
};

pub(super) const FAMILIES: &[Family] = &[
    Family::new("lfm2", lfm2),
    Family::new("lfm2_moe", lfm2_moe),
    Family::new("kimi_linear", kimi_linear),
    Family::new("bailing_hybrid", bailing_hybrid),
    Family::new("minimax", minimax),
];

/// The latent attention of Kimi Linear and Ling.
const LATENT: Latent =
    Latent { heads: 32, query_rank: None, kv_rank: 512, nope_dim: 128, rope_dim: 64, value_dim: 128 };

/// Softmax attention with norms of queries and keys, and a short convolution.
fn attention_or_convolution(f: &Fields<'_>, frame: Frame) -> Result<impl Fn(bool) -> Block + use<>> {
    let attention = f.heads(frame.hidden, 32, Kv::Default(8), Dim::Divided)?.attention().qk_norm();
    let convolution = ShortConvolution::new(f.size("conv_L_cache", 3)?);
    let convolution = when(f.flag("conv_bias", false)?, convolution, ShortConvolution::bias);
    Ok(move |attends| if attends { attention.into() } else { convolution.into() })
}

/// Which layers attend; all of them, or those that `full_attn_idxs` lists.
fn attending(f: &Fields<'_>, layers: u64) -> Result<Vec<bool>> {
    let listed = f.listed("full_attn_idxs", layers)?;
    let rule = |layer| listed.as_ref().is_none_or(|listed| at(listed, layer));
    f.layer_types(layers, "full_attention or conv", rule, |name| match name {
        "full_attention" => Some(true),
        "conv" => Some(false),
        _ => None,
    })
}

/// The width of a feed-forward: two thirds of what the file says, rounded up to a multiple, unless it is not to be
/// adjusted.
fn lfm2_width(f: &Fields<'_>) -> Result<u64> {
    let width = match f.given("block_ff_dim")? {
        Some(width) => {
            f.ignore("intermediate_size");
            width
        }
        None => f.size("intermediate_size", 12_288)?,
    };
    if !f.flag("block_auto_adjust_ff_dim", true)? {
        return Ok(width);
    }
    let two_thirds = product(2, width) / 3;
    if f.has("block_ffn_dim_multiplier")? && f.size("block_ffn_dim_multiplier", 1)? != 1 {
        let value = f.size("block_ffn_dim_multiplier", 1)?;
        let what = "a multiplier of the feed-forward's width";
        return Err(f.unsupported("block_ffn_dim_multiplier", &value, what, "give the width itself").into());
    }
    let multiple = f.size("block_multiple_of", 256)?;
    Ok(two_thirds.checked_next_multiple_of(multiple).unwrap_or(u64::MAX))
}

fn lfm2(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let tied = f.flag("tie_embedding|tie_word_embeddings", true)?;
    let frame = f.frame(2_560, 65_536, 32)?.tied(f, tied)?;
    f.ignore("num_heads|conv_dim|conv_dim_out|block_dim|block_mlp_init_scale");
    let mixer = attention_or_convolution(f, frame)?;
    let mlp = FeedForward::gated(lfm2_width(f)?);
    Ok(frame.each(attending(f, frame.layers)?, |attends| Layer::pre_norm(mixer(*attends), mlp)))
}

fn lfm2_moe(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let tied = f.flag("tie_embedding|tie_word_embeddings", true)?;
    let frame = f.frame(2_048, 65_536, 32)?.tied(f, tied)?;
    let mixer = attention_or_convolution(f, frame)?;
    let mlp = FeedForward::gated(f.size("intermediate_size", 7_168)?);
    let experts = f.experts(&Names {
        count: ("num_experts|num_local_experts", 32),
        top_k: ("num_experts_per_tok", 4),
        width: ("moe_intermediate_size", 1_792),
    })?;
    let dense = f.count("num_dense_layers", 2)?;
    let kinds = attending(f, frame.layers)?.into_iter().zip(0_u64..).map(|(attends, layer)| (attends, layer >= dense));
    Ok(frame.each(kinds, |(attends, sparse)| {
        let mixer = mixer(*attends);
        if *sparse { Layer::pre_norm(mixer, experts) } else { Layer::pre_norm(mixer, mlp) }
    }))
}

/// The experts of Kimi Linear and Ling, shared ones among them.
fn experts(f: &Fields<'_>, [count, top_k, width]: [u64; 3]) -> Result<Experts> {
    let width = f.size("moe_intermediate_size", width)?;
    let experts = f.experts(&Names {
        count: ("num_experts|num_local_experts", count),
        top_k: ("num_experts_per_token|num_experts_per_tok", top_k),
        width: ("moe_intermediate_size", width),
    })?;
    f.shared_experts(experts, "num_shared_experts|n_shared_experts", 1, width)
}

/// Which layers attend by a delta rule, and which by softmax, by name.
fn linear(f: &Fields<'_>, layers: u64, rule: impl Fn(u64) -> bool) -> Result<Vec<bool>> {
    f.layer_types(layers, "full_attention or linear_attention", rule, |name| match name {
        "full_attention" => Some(false),
        "linear_attention" => Some(true),
        _ => None,
    })
}

/// The mixer of every layer in turn, and experts in all but the first.
fn delta_or_latent(
    f: &Fields<'_>,
    frame: Frame,
    mixer: impl Fn(bool) -> Block,
    linear: Vec<bool>,
    (experts, mlp, dense): (Experts, FeedForward, u64),
) -> Result<ArchitectureBuilder> {
    let sparse = f.sparse_after_dense(frame.layers, dense)?;
    let layer = |(linear, sparse): &(bool, bool)| {
        let mixer = mixer(*linear);
        if *sparse { Layer::pre_norm(mixer, experts) } else { Layer::pre_norm(mixer, mlp) }
    };
    let builder = frame.each(linear.into_iter().zip(sparse), layer);
    f.mtp(builder, "num_nextn_predict_layers|num_mtp_layers", layer(&(false, true)))
}

/// Its lists of layers count from 1.
fn kimi_linear(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_304, 163_840, 27)?.never_tied(f)?;
    let latent = f.latent_attention(&LATENT)?;
    let (heads, dim, kernel, listed) = f.within("linear_attn_config", |inside| {
        let full = inside.numbers("full_attn_layers")?;
        let delta = inside.numbers("kda_layers")?;
        let listed = match (full, delta) {
            (Some(full), Some(delta)) => Some(kimi_layers(inside, frame.layers, &full, &delta)?),
            _ => None,
        };
        let size = |name| inside.given(name);
        Ok((size("num_heads")?, size("head_dim")?, size("short_conv_kernel_size")?, listed))
    })?;
    let delta = KimiDeltaAttention::new(
        heads.unwrap_or(f.size("linear_num_heads", 32)?),
        dim.unwrap_or(f.size("linear_head_dim", 128)?),
        kernel.unwrap_or(f.size("linear_conv_kernel_dim", 4)?),
    );
    let named = linear(f, frame.layers, |layer| layer == 0 || layer % 4 != 0)?;
    let linear = if f.has("layer_types")? { named } else { listed.unwrap_or(named) };
    let experts = experts(f, [256, 8, 1_024])?;
    let mlp = FeedForward::gated(f.size("intermediate_size", 9_216)?);
    let mixer = |linear| if linear { delta.into() } else { latent.into() };
    delta_or_latent(f, frame, mixer, linear, (experts, mlp, 1))
}

/// Which layers attend by a delta rule, from two lists that together name every layer once.
fn kimi_layers(f: &Fields<'_>, layers: u64, full: &[u64], delta: &[u64]) -> Result<Vec<bool>> {
    let length = usize::try_from(layers).unwrap_or(usize::MAX);
    let mut kinds: Vec<Option<bool>> = vec![None; length];
    for (name, listed, kind) in [("full_attn_layers", full, false), ("kda_layers", delta, true)] {
        for layer in listed {
            let index = layer.checked_sub(1).and_then(|index| usize::try_from(index).ok());
            match index.and_then(|index| kinds.get_mut(index)) {
                Some(entry @ None) => *entry = Some(kind),
                Some(Some(_)) => return Err(f.contradiction(name, &layer, "the layer is listed twice").into()),
                None => return Err(f.contradiction(name, &layer, "there is no such layer, counted from 1").into()),
            }
        }
    }
    let missing = || f.contradiction("kda_layers", &format!("a list of {}", delta.len()), "a layer is in neither list");
    kinds.into_iter().collect::<Option<_>>().ok_or_else(|| missing().into())
}

/// Latent attention with a gate on every head in one layer of six.
fn bailing_hybrid(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_560, 157_184, 42)?.never_tied(f)?;
    let dim = f.size("head_dim|linear_head_dim", 128)?;
    let latent = f.latent_attention(&LATENT)?;
    let latent = latent.gated_per_head();
    let heads = f.size("num_attention_heads|linear_num_heads", 32)?;
    let kernel = f.size("short_conv_kernel_size|linear_conv_kernel_dim", 4)?;
    let delta = KimiDeltaAttention::new(heads, dim, kernel).full_rank_gates();
    let group = f.size("layer_group_size", 6)?;
    let linear = linear(f, frame.layers, |layer| !ends_group(layer, group))?;
    let experts = experts(f, [512, 8, 768])?;
    let mlp = FeedForward::gated(f.size("intermediate_size", 6_144)?);
    let mixer = |linear| if linear { delta.into() } else { latent.into() };
    delta_or_latent(f, frame, mixer, linear, (experts, mlp, 2))
}

/// Lightning attention in every other layer unless the file says otherwise; experts in all.
fn minimax(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 32_000, 32)?.tied(f, false)?;
    let heads = f.heads(frame.hidden, 32, Kv::Default(8), Dim::Divided)?;
    let attention = f.windowed(heads.attention(), None)?;
    let lightning = LightningAttention::new(heads.queries, heads.dim);
    let experts = f.experts(&Names {
        count: ("num_local_experts|num_experts", 8),
        top_k: ("num_experts_per_tok", 2),
        width: ("intermediate_size", 14_336),
    })?;
    // Older files say 1 for softmax attention and 0 for lightning attention.
    let older = f.bits("attn_type_list", frame.layers)?;
    let older = older.map(|softmax| softmax.into_iter().map(|softmax| !softmax).collect());
    let named = linear(f, frame.layers, |layer| ends_group(layer, 2))?;
    let linear = if f.has("layer_types")? { named } else { older.unwrap_or(named) };
    Ok(frame.each(linear, |linear| {
        if *linear { Layer::pre_norm(lightning, experts) } else { Layer::pre_norm(attention, experts) }
    }))
}
