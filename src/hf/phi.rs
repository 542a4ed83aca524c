//! Phi, and other decoders with LayerNorms.

use super::Family;
use super::fields::Fields;
use super::shared::{Dim, Heads, Kv, Names, when};
use crate::{ArchitectureBuilder, Attention, FeedForward, Layer, Norm, Result};

pub(super) const FAMILIES: &[Family] = &[
    Family::new("phi", phi),
    Family::new("phi3", phi3),
    Family::new("phimoe", phimoe),
    Family::new("persimmon", persimmon),
    Family::new("stablelm", stablelm),
];

/// One norm for both blocks, a bias everywhere, the head included.
fn phi(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_048, 51_200, 24)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 32, Kv::LikeQueries, Dim::Divided)?.attention().bias();
    let attention = when(f.flag("qk_layernorm", false)?, attention, Attention::qk_layer_norm);
    let mlp = FeedForward::plain(f.size("intermediate_size", 8_192)?).bias();
    Ok(frame.all(Layer::parallel(attention, mlp).with_norms(Norm::layer())).head_bias())
}

fn phi3(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(3_072, 32_064, 32)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 32, Kv::LikeQueries, Dim::Divided)?.attention();
    let attention = f.windowed(attention, None)?;
    Ok(frame.all(Layer::pre_norm(attention, FeedForward::gated(f.size("intermediate_size", 8_192)?))))
}

fn phimoe(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 32_064, 32)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 32, Kv::Default(8), Dim::Divided)?.attention();
    let attention = f.biased(attention)?;
    let attention = f.windowed(attention, None)?;
    let experts = f.experts(&Names {
        count: ("num_local_experts|num_experts", 16),
        top_k: ("num_experts_per_tok", 2),
        width: ("intermediate_size", 6_400),
    })?;
    let builder = frame.all(Layer::pre_norm(attention, experts).with_norms(Norm::layer()));
    Ok(when(f.flag("lm_head_bias", false)?, builder, ArchitectureBuilder::head_bias))
}

/// A bias on every matrix of a layer, a squared ReLU, and no gate.
fn persimmon(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 262_144, 36)?.tied(f, false)?;
    let heads = f.size("num_attention_heads", 64)?;
    let dim = f.divided(("hidden_size", frame.hidden), ("num_attention_heads", heads))?;
    f.ignore("num_key_value_heads|head_dim");
    let attention = Attention::multi_head(heads, dim).bias();
    let attention = when(f.flag("qk_layernorm", true)?, attention, Attention::qk_layer_norm);
    let mlp = FeedForward::plain(f.size("intermediate_size", 16_384)?).bias();
    Ok(frame.all(Layer::pre_norm(attention, mlp).with_norms(Norm::layer())))
}

/// Its norms of queries and keys have weights of their own for every head.
fn stablelm(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_560, 50_304, 32)?.tied(f, false)?;
    let heads = f.size("num_attention_heads", 32)?;
    let dim = f.divided(("hidden_size", frame.hidden), ("num_attention_heads", heads))?;
    f.ignore("head_dim");
    let heads = Heads { queries: heads, kv: heads, dim };
    let attention = f.key_value_heads("num_key_value_heads", heads, Kv::Default(32))?.attention();
    let attention = when(f.flag("use_qkv_bias", false)?, attention, Attention::qkv_bias);
    let attention = when(f.flag("qk_layernorm", false)?, attention, Attention::qk_norm_whole_width);
    let mlp = FeedForward::gated(f.size("intermediate_size", 6_912)?);
    let layer = if f.flag("use_parallel_residual", false)? {
        Layer::parallel(attention, mlp)
    } else {
        Layer::pre_norm(attention, mlp)
    };
    Ok(frame.all(layer.with_norms(Norm::layer())))
}
