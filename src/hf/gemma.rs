//! Gemma, from the first to the fourth, and Cohere's Command.

use super::Family;
use super::fields::Fields;
use super::shared::{Dim, Frame, Kv, Names, ends_group, product, when};
use crate::{ArchitectureBuilder, Attention, Component, Experts, FeedForward, Layer, Linear, Norm, Result, Weights};

pub(super) const FAMILIES: &[Family] = &[
    Family::new("gemma", gemma),
    Family::new("gemma2", gemma2),
    Family::new("gemma3_text", gemma3),
    Family::new("gemma4_text", gemma4),
    Family::new("cohere", cohere),
    Family::new("cohere2", cohere2),
];

/// Attention that is causal: an encoder made of a decoder is another model.
fn attention(f: &Fields<'_>, frame: Frame, heads: u64, kv: Kv, dim: Dim) -> Result<Attention> {
    const FIELD: &str = "use_bidirectional_attention";
    // `vision` opens the mask within an image, whose tokens come from a tower.
    if let Some(how) = f.text_or_flag(FIELD)?.filter(|how| *how != "vision") {
        let remedy = "build it with `Architecture::encoder`";
        return Err(f.unsupported(FIELD, &how, "attention to the whole sequence", remedy).into());
    }
    let attention = f.heads(frame.hidden, heads, kv, dim)?.attention();
    f.biased(attention)
}

fn gemma(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(3_072, 256_000, 28)?.tied(f, true)?;
    let attention = attention(f, frame, 16, Kv::Default(16), Dim::Default(256))?;
    Ok(frame.all(Layer::pre_norm(attention, FeedForward::gated(f.size("intermediate_size", 24_576)?))))
}

/// Every other layer slides, the first among them.
fn gemma2(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_304, 256_000, 26)?.tied(f, true)?;
    let attention = attention(f, frame, 8, Kv::Default(4), Dim::Default(256))?;
    local_and_global(f, frame, attention, 9_216, 2)
}

/// All but every sixth layer slide; queries and keys have a norm each.
fn gemma3(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_304, 262_208, 26)?.tied(f, true)?;
    let attention = attention(f, frame, 8, Kv::Default(4), Dim::Default(256))?.qk_norm();
    let pattern = f.size("sliding_window_pattern|_sliding_window_pattern", 6)?;
    local_and_global(f, frame, attention, 9_216, pattern)
}

fn local_and_global(
    f: &Fields<'_>,
    frame: Frame,
    attention: Attention,
    width: u64,
    pattern: u64,
) -> Result<ArchitectureBuilder> {
    let mlp = FeedForward::gated(f.size("intermediate_size", width)?);
    let window = f.size("sliding_window|sliding_window_size", 4_096)?;
    let sliding = f.sliding(frame.layers, |layer| !ends_group(layer, pattern))?;
    Ok(frame.each(sliding, |slides| Layer::sandwich_norm(when(*slides, attention, |a| a.window(window)), mlp)))
}

/// Global layers with heads of their own width, whose keys may serve as values; the last layers use keys and values of
/// earlier ones; embeddings of their own for every layer; in some, experts beside the feed-forward.
fn gemma4(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_304, 262_144, 30)?.tied(f, true)?;
    if f.has("per_layer_config")? {
        let (what, remedy) = ("a head width for each layer", "give `global_head_dim` instead");
        return Err(f.unsupported("per_layer_config", &"an object", what, remedy).into());
    }
    let local = attention(f, frame, 8, Kv::Default(4), Dim::Default(256))?.qk_norm();
    let window = f.size("sliding_window", 512)?;
    let local_heads = f.heads(frame.hidden, 8, Kv::Default(4), Dim::Default(256))?;
    let keys_serve = f.flag("attention_k_eq_v", false)?;
    let global_dim = f.size("global_head_dim", 512)?;
    let global_kv = f.given("num_global_key_value_heads")?.filter(|_| keys_serve).unwrap_or(local_heads.kv);
    f.divided(("num_attention_heads", local_heads.queries), ("num_global_key_value_heads", global_kv))?;
    let global = Attention::grouped(local_heads.queries, global_kv, global_dim).qk_norm();
    let global = f.biased(global)?;

    let width = f.size("intermediate_size", 9_216)?;
    let twice = if f.flag("use_double_wide_mlp", false)? { 2 } else { 1 };
    let shared_layers = f.count("num_kv_shared_layers", 0)?;
    let Some(first_shared) = frame.layers.checked_sub(shared_layers) else {
        let why = "there are not that many layers";
        return Err(f.contradiction("num_kv_shared_layers", &shared_layers, why).into());
    };
    let mut sliding = f.sliding(frame.layers, |layer| !ends_group(layer, 6))?;
    // The reference makes the last layer global, whatever its list says.
    if let Some(last) = sliding.last_mut() {
        *last = false;
    }
    let embedding = match f.count("hidden_size_per_layer_input", 256)? {
        0 => None,
        width => Some(width),
    };
    let experts = gemma4_experts(f)?;

    let kinds = sliding.into_iter().zip(0_u64..).map(|(slides, layer)| (slides, layer >= first_shared));
    let builder = frame.each(kinds, |(slides, shared)| {
        let attention = match (*slides, *shared) {
            (true, true) => local.window(window).earlier_keys_and_values(),
            (true, false) => local.window(window),
            (false, true) => global.earlier_keys_and_values(),
            (false, false) => when(keys_serve, global, Attention::keys_as_values),
        };
        let mlp = FeedForward::gated(product(width, if *shared { twice } else { 1 }));
        let layer = Layer::new().with(Norm::rms()).with(attention).with(Norm::rms()).with(Norm::rms()).with(mlp);
        // The norms of both ways through the layer, and of their sum.
        let layer = match experts {
            Some((experts, weights)) => {
                layer.with(Norm::rms()).with(Norm::rms()).with(experts).with(weights).with(Norm::rms())
            }
            None => layer,
        };
        let layer = layer.with(Norm::rms());
        match embedding {
            Some(width) => {
                layer.with(Linear::new(frame.hidden, width)).with(Linear::new(width, frame.hidden)).with(Norm::rms())
            }
            None => layer,
        }
    });
    Ok(match embedding {
        Some(width) => builder.per_layer_embedding(f.size("vocab_size_per_layer_input", 262_144)?, width),
        None => builder,
    })
}

/// The experts, and what the router holds beside its matrix: a scale of its input and one of every expert.
fn gemma4_experts(f: &Fields<'_>) -> Result<Option<(Experts, Weights)>> {
    if !f.flag("enable_moe_block", false)? {
        f.ignore("num_experts|top_k_experts|moe_intermediate_size");
        return Ok(None);
    }
    let names = Names { count: ("num_experts", 0), top_k: ("top_k_experts", 0), width: ("moe_intermediate_size", 0) };
    for name in [names.count.0, names.top_k.0, names.width.0] {
        f.needed(name)?;
    }
    let scales = f.size("hidden_size", 2_304)?.saturating_add(f.needed("num_experts")?);
    Ok(Some((f.experts(&names)?, Weights::new(scales, Component::Router))))
}

/// One norm without a bias for both blocks.
fn cohere(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(8_192, 256_000, 40)?.tied(f, true)?;
    let attention = f.heads(frame.hidden, 64, Kv::LikeQueries, Dim::Divided)?.attention();
    let attention = f.biased(attention)?;
    let attention = when(f.flag("use_qk_norm", false)?, attention, Attention::qk_norm_whole_width);
    let mlp = FeedForward::gated(f.size("intermediate_size", 22_528)?);
    Ok(frame.all(Layer::parallel(attention, mlp).with_norms(Norm::layer_without_bias())))
}

/// As before, with a window in all but every fourth layer.
fn cohere2(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(8_192, 256_000, 40)?.tied(f, true)?;
    let attention = f.heads(frame.hidden, 64, Kv::LikeQueries, Dim::Divided)?.attention();
    let attention = f.biased(attention)?;
    let mlp = FeedForward::gated(f.size("intermediate_size", 22_528)?);
    let window = f.size("sliding_window", 4_096)?;
    let pattern = f.size("sliding_window_pattern|_sliding_window_pattern", 4)?;
    let sliding = f.sliding(frame.layers, |layer| !ends_group(layer, pattern))?;
    Ok(frame.each(sliding, |slides| {
        let attention = when(*slides, attention, |a| a.window(window));
        Layer::parallel(attention, mlp).with_norms(Norm::layer_without_bias())
    }))
}
