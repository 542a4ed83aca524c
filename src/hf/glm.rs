//! GLM, and Solar Open, which is made like GLM-4.5.

use super::Family;
use super::fields::Fields;
use super::shared::{Dim, Frame, Kv, Names, when};
use crate::{ArchitectureBuilder, Attention, Experts, FeedForward, Layer, Result};

pub(super) const FAMILIES: &[Family] = &[
    Family::new("glm", glm),
    Family::new("glm4", glm4),
    Family::new("glm4_moe", glm4_moe),
    Family::new("solar_open", solar_open),
];

/// A bias on queries, keys and values, and none on the output.
fn attention(f: &Fields<'_>, frame: Frame, heads: u64, kv: u64, dim: Dim, bias: bool) -> Result<Attention> {
    let attention = f.heads(frame.hidden, heads, Kv::Default(kv), dim)?.attention();
    Ok(when(f.flag("attention_bias", bias)?, attention, Attention::qkv_bias))
}

fn glm(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 151_552, 40)?.tied(f, false)?;
    let attention = attention(f, frame, 32, 2, Dim::Default(128), true)?;
    Ok(frame.all(Layer::pre_norm(attention, FeedForward::gated(f.size("intermediate_size", 13_696)?))))
}

/// A norm on either side of both blocks.
fn glm4(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 151_552, 40)?.tied(f, false)?;
    let attention = attention(f, frame, 32, 2, Dim::Default(128), true)?;
    Ok(frame.all(Layer::sandwich_norm(attention, FeedForward::gated(f.size("intermediate_size", 13_696)?))))
}

fn experts(f: &Fields<'_>, width: u64) -> Result<Experts> {
    let width = f.size("moe_intermediate_size", width)?;
    let experts = f.experts(&Names {
        count: ("n_routed_experts|num_local_experts", 128),
        top_k: ("num_experts_per_tok", 8),
        width: ("moe_intermediate_size", width),
    })?;
    f.shared_experts(experts, "n_shared_experts", 1, width)
}

fn glm4_moe(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 151_552, 46)?.tied(f, false)?;
    let attention = attention(f, frame, 96, 8, Dim::Divided, false)?;
    let attention = when(f.flag("use_qk_norm", false)?, attention, Attention::qk_norm);
    let mlp = FeedForward::gated(f.size("intermediate_size", 10_944)?);
    let experts = experts(f, 1_408)?;
    let layer = |sparse: &bool| {
        if *sparse { Layer::pre_norm(attention, experts) } else { Layer::pre_norm(attention, mlp) }
    };
    let builder = frame.each(f.sparse_after_dense(frame.layers, 1)?, layer);
    f.mtp(builder, "num_nextn_predict_layers|num_mtp_layers", layer(&true))
}

fn solar_open(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 196_608, 48)?.tied(f, false)?;
    f.ignore("intermediate_size|first_k_dense_replace|use_qk_norm");
    let attention = attention(f, frame, 64, 8, Dim::Default(128), false)?;
    Ok(frame.all(Layer::pre_norm(attention, experts(f, 1_280)?)))
}
