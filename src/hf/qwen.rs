//! Qwen, from 2 to 3.5.

use super::Family;
use super::fields::Fields;
use super::shared::{Dim, Frame, Kv, Names, ends_group, when, within};
use crate::{ArchitectureBuilder, Attention, Block, Experts, FeedForward, GatedDeltaNet, Layer, Mtp, Result};

pub(super) const FAMILIES: &[Family] = &[
    Family::new("qwen2", qwen2),
    Family::new("qwen2_moe", qwen2_moe),
    Family::new("qwen3", qwen3),
    Family::new("qwen3_moe", qwen3_moe).also(&["qwen3_vl_moe_text"]),
    Family::new("qwen3_next", qwen3_next),
    Family::new("qwen3_5_text", qwen3_5),
    Family::new("qwen3_5_moe_text", qwen3_5_moe),
];

/// The window, which counts only if `use_sliding_window` says so.
fn window(f: &Fields<'_>) -> Result<Option<u64>> {
    let window = f.optional("sliding_window", Some(4_096))?;
    Ok(if f.flag("use_sliding_window", false)? { window } else { None })
}

/// Dense layers, those from `max_window_layers` on sliding.
fn dense(f: &Fields<'_>, frame: Frame, attention: Attention) -> Result<ArchitectureBuilder> {
    let mlp = FeedForward::gated(f.size("intermediate_size", 22_016)?);
    let window = window(f)?;
    let first = f.count("max_window_layers", 28)?;
    let sliding = f.sliding(frame.layers, |layer| window.is_some() && layer >= first)?;
    Ok(frame.each(sliding, |slides| Layer::pre_norm(within(attention, window, *slides), mlp)))
}

/// A bias on queries, keys and values, which no field mentions.
fn qwen2(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 151_936, 32)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 32, Kv::Default(32), Dim::Divided)?.attention();
    dense(f, frame, attention.qkv_bias())
}

fn qwen3(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 151_936, 32)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 32, Kv::Default(32), Dim::Default(128))?.attention().qk_norm();
    dense(f, frame, f.biased(attention)?)
}

/// Which layers have experts: every `decoder_sparse_step`-th, but for those that are listed as dense.
fn sparse(f: &Fields<'_>, frame: Frame) -> Result<Vec<bool>> {
    let step = f.size("decoder_sparse_step", 1)?;
    let dense = f.listed("mlp_only_layers", frame.layers)?;
    let any = has_experts(f)?;
    let every = (0..frame.layers).map(|layer| any && ends_group(layer, step));
    Ok(match dense {
        Some(dense) => every.zip(dense).map(|(sparse, dense)| sparse && !dense).collect(),
        None => every.collect(),
    })
}

const COUNT: &str = "num_experts|num_local_experts";

/// Whether the file has experts at all: 0 of them are none.
fn has_experts(f: &Fields<'_>) -> Result<bool> {
    Ok(f.count(COUNT, 1)? > 0)
}

/// The experts of a layer, if there are any.
fn experts(f: &Fields<'_>, names: &Names) -> Result<Option<Experts>> {
    if has_experts(f)? {
        return f.experts(names).map(Some);
    }
    f.ignore("num_experts_per_tok|moe_intermediate_size|shared_expert_intermediate_size");
    Ok(None)
}

fn names(count: u64, top_k: u64, width: u64) -> Names {
    Names { count: (COUNT, count), top_k: ("num_experts_per_tok", top_k), width: ("moe_intermediate_size", width) }
}

/// A shared expert of its own width behind a gate.
fn with_shared(f: &Fields<'_>, experts: Experts, width: u64) -> Result<Experts> {
    let shared = f.size("shared_expert_intermediate_size", width)?;
    Ok(experts.shared(FeedForward::gated(shared)).shared_gate())
}

fn qwen2_moe(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_048, 151_936, 24)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 16, Kv::Default(16), Dim::Divided)?.attention();
    let attention = when(f.flag("qkv_bias", true)?, attention, Attention::qkv_bias);
    let mlp = FeedForward::gated(f.size("intermediate_size", 5_632)?);
    let experts = experts(f, &names(60, 4, 1_408))?.map(|experts| with_shared(f, experts, 5_632)).transpose()?;
    let window = window(f)?;
    // Unlike Qwen2: every other layer, and those before `max_window_layers`.
    let end = f.count("max_window_layers", 28)?;
    let sliding = f.sliding(frame.layers, |layer| window.is_some() && layer < end && !ends_group(layer, 2))?;
    let kinds = sliding.into_iter().zip(sparse(f, frame)?);
    Ok(frame.each(kinds, |(slides, sparse)| {
        let attention = within(attention, window, *slides);
        match experts {
            Some(experts) if *sparse => Layer::pre_norm(attention, experts),
            _ => Layer::pre_norm(attention, mlp),
        }
    }))
}

fn qwen3_moe(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_048, 151_936, 24)?.tied(f, false)?;
    f.ignore("max_window_layers|shared_expert_intermediate_size");
    let attention = f.heads(frame.hidden, 32, Kv::Default(4), Dim::Divided)?.attention().qk_norm();
    let attention = f.biased(attention)?;
    let attention = window(f)?.map_or(attention, |width| attention.window(width));
    let mlp = FeedForward::gated(f.size("intermediate_size", 6_144)?);
    let experts = experts(f, &names(128, 8, 768))?;
    Ok(frame.each(sparse(f, frame)?, |sparse| match experts {
        Some(experts) if *sparse => Layer::pre_norm(attention, experts),
        _ => Layer::pre_norm(attention, mlp),
    }))
}

/// Which layers attend by a delta rule, and which by softmax.
fn linear(f: &Fields<'_>, frame: Frame) -> Result<Vec<bool>> {
    let interval = f.size("full_attention_interval", 4)?;
    let rule = |layer| !ends_group(layer, interval);
    f.layer_types(frame.layers, "full_attention or linear_attention", rule, |name| match name {
        "full_attention" => Some(false),
        "linear_attention" => Some(true),
        _ => None,
    })
}

/// The two kinds of attention of a hybrid: a delta rule, and softmax attention with a gate as wide as its output.
fn hybrid_attention(f: &Fields<'_>, frame: Frame, kv: u64) -> Result<impl Fn(bool) -> Block + use<>> {
    let softmax = f.heads(frame.hidden, 16, Kv::Default(kv), Dim::Default(256))?.attention().qk_norm().gated();
    // The gate is projected with the queries, bias and all.
    let softmax = when(f.flag("attention_bias", false)?, softmax, |softmax| softmax.bias().gate_bias());
    let [keys, values] = ["linear_num_key_heads", "linear_num_value_heads"];
    let (key_heads, value_heads) = (f.size(keys, 16)?, f.size(values, 32)?);
    f.divided((values, value_heads), (keys, key_heads))?;
    let delta = GatedDeltaNet::new(
        key_heads,
        f.size("linear_key_head_dim", 128)?,
        value_heads,
        f.size("linear_value_head_dim", 128)?,
        f.size("linear_conv_kernel_dim", 4)?,
    );
    Ok(move |linear| if linear { delta.into() } else { softmax.into() })
}

/// Modules of multi-token prediction, each with an embedding of its own where the file says so.
fn mtp(f: &Fields<'_>, builder: ArchitectureBuilder, layer: Layer) -> Result<ArchitectureBuilder> {
    let own = f.flag("mtp_use_dedicated_embeddings", false)?;
    Ok(match f.depth("mtp_num_hidden_layers|num_nextn_predict_layers")? {
        0 => builder,
        depth => builder.mtp(when(own, Mtp::new(depth, layer), Mtp::own_embedding)),
    })
}

fn qwen3_next(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_048, 151_936, 48)?.tied(f, false)?;
    let attention = hybrid_attention(f, frame, 2)?;
    let mlp = FeedForward::gated(f.size("intermediate_size", 5_632)?);
    let experts = experts(f, &names(512, 10, 512))?.map(|experts| with_shared(f, experts, 512)).transpose()?;
    let kinds = linear(f, frame)?.into_iter().zip(sparse(f, frame)?);
    let layer = |(linear, sparse): &(bool, bool)| {
        let attention = attention(*linear);
        match experts {
            Some(experts) if *sparse => Layer::pre_norm(attention, experts),
            _ => Layer::pre_norm(attention, mlp),
        }
    };
    mtp(f, frame.each(kinds, layer), layer(&(false, true)))
}

fn qwen3_5(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 248_320, 32)?.tied(f, false)?;
    let attention = hybrid_attention(f, frame, 4)?;
    let mlp = FeedForward::gated(f.size("intermediate_size", 12_288)?);
    let layer = |linear: &bool| Layer::pre_norm(attention(*linear), mlp);
    mtp(f, frame.each(linear(f, frame)?, layer), layer(&false))
}

/// Every layer has experts.
fn qwen3_5_moe(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_048, 248_320, 40)?.tied(f, false)?;
    let attention = hybrid_attention(f, frame, 2)?;
    let experts = with_shared(f, f.experts(&names(256, 8, 512))?, 512)?;
    f.ignore("intermediate_size|mlp_only_layers");
    let layer = |linear: &bool| Layer::pre_norm(attention(*linear), experts);
    mtp(f, frame.each(linear(f, frame)?, layer), layer(&false))
}
