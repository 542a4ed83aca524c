//! Llama, and what is made like it.

use super::Family;
use super::fields::Fields;
use super::shared::{Dim, Frame, Kv, Names, at, ends_group, when, within};
use crate::{ArchitectureBuilder, Attention, Component, FeedForward, Layer, Norm, Result, Weights};

pub(super) const FAMILIES: &[Family] = &[
    Family::new("llama", llama),
    Family::new("mistral", mistral),
    Family::new("ministral3", ministral3),
    Family::new("mixtral", mixtral),
    Family::new("arcee", arcee),
    Family::new("apertus", apertus),
    Family::new("smollm3", smollm3),
    Family::new("seed_oss", seed_oss),
    Family::new("nemotron", nemotron),
];

fn plain(f: &Fields<'_>, width: u64) -> Result<FeedForward> {
    let block = FeedForward::plain(f.size("intermediate_size", width)?);
    Ok(when(f.flag("mlp_bias", false)?, block, FeedForward::bias))
}

/// Attention with biases on all four projections if `attention_bias` says so.
fn attention(f: &Fields<'_>, frame: Frame, heads: u64, kv: Kv, dim: Dim) -> Result<Attention> {
    let attention = f.heads(frame.hidden, heads, kv, dim)?.attention();
    f.biased(attention)
}

fn llama(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 32_000, 32)?.tied(f, false)?;
    let attention = attention(f, frame, 32, Kv::LikeQueries, Dim::Divided)?;
    Ok(frame.all(Layer::pre_norm(attention, f.gated(11_008)?)))
}

/// Every layer slides if there is a window; here alone one is absent and there all the same.
fn mistral(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 32_000, 32)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 32, Kv::Default(8), Dim::Divided)?.attention();
    let attention = f.windowed(attention, Some(4_096))?;
    Ok(frame.all(Layer::pre_norm(attention, FeedForward::gated(f.size("intermediate_size", 14_336)?))))
}

fn ministral3(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 131_072, 34)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 32, Kv::Default(8), Dim::Default(128))?.attention();
    let attention = f.windowed(attention, None)?;
    Ok(frame.all(Layer::pre_norm(attention, FeedForward::gated(f.size("intermediate_size", 14_336)?))))
}

fn mixtral(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 32_000, 32)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 32, Kv::Default(8), Dim::Divided)?.attention();
    let attention = f.windowed(attention, None)?;
    let experts = f.experts(&Names {
        count: ("num_local_experts|num_experts", 8),
        top_k: ("num_experts_per_tok", 2),
        width: ("intermediate_size", 14_336),
    })?;
    Ok(frame.all(Layer::pre_norm(attention, experts)))
}

/// A squared ReLU, and no gate.
fn arcee(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_560, 32_000, 32)?.tied(f, false)?;
    let attention = attention(f, frame, 32, Kv::LikeQueries, Dim::Divided)?;
    Ok(frame.all(Layer::pre_norm(attention, plain(f, 18_432)?)))
}

/// An xIELU, and no gate; queries and keys have a norm each.
fn apertus(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 131_072, 32)?.tied(f, false)?;
    let attention = attention(f, frame, 32, Kv::LikeQueries, Dim::Divided)?.qk_norm();
    let mlp = FeedForward::plain(f.size("intermediate_size", 14_336)?);
    // Two of the activation's own: how steep it is on either side of 0.
    let steepness = Weights::new(2, Component::FeedForwardUp);
    Ok(frame.all(Layer::pre_norm(attention, mlp).with(steepness)))
}

/// Layers without rotary position slide, if any does.
fn smollm3(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_048, 128_256, 36)?.tied(f, true)?;
    let attention = attention(f, frame, 16, Kv::Default(4), Dim::Divided)?;
    let mlp = f.gated(11_008)?;
    f.ignore("max_window_layers");
    let interval = f.size("no_rope_layer_interval", 4)?;
    let rotary = f.bits("no_rope_layers", frame.layers)?;
    let window = f.optional("sliding_window", None)?;
    let window = if f.flag("use_sliding_window", false)? { window } else { None };
    let has_rotary = |layer: u64| match &rotary {
        Some(rotary) => at(rotary, layer),
        None => !ends_group(layer, interval),
    };
    let sliding = f.sliding(frame.layers, |layer| window.is_some() && !has_rotary(layer))?;
    Ok(frame.each(sliding, |slides| Layer::pre_norm(within(attention, window, *slides), mlp)))
}

/// The bias of the output projection is a field of its own.
fn seed_oss(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 155_136, 64)?.tied(f, false)?;
    // `null` is no width of its own here.
    let dim = if f.is_null("head_dim") { Dim::Divided } else { Dim::Default(128) };
    let attention = f.heads(frame.hidden, 80, Kv::Default(8), dim)?.attention();
    let attention = when(f.flag("attention_bias", true)?, attention, Attention::qkv_bias);
    let attention = when(f.flag("attention_out_bias", false)?, attention, Attention::output_bias);
    Ok(frame.all(Layer::pre_norm(attention, f.gated(27_648)?)))
}

/// LayerNorms, a squared ReLU, and no gate.
fn nemotron(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(6_144, 256_000, 32)?.tied(f, false)?;
    let attention = attention(f, frame, 48, Kv::LikeQueries, Dim::Divided)?;
    Ok(frame.all(Layer::pre_norm(attention, plain(f, 24_576)?).with_norms(Norm::layer())))
}
