//! Mixtures of experts of many makers, and dense models of the same.

use super::Family;
use super::fields::Fields;
use super::shared::{BY_HAND, Dim, Heads, Kv, Names, at, ends_group, product, when, within};
use crate::{ArchitectureBuilder, Attention, Component, Experts, FeedForward, Layer, Norm, Result, Weights};

pub(super) const FAMILIES: &[Family] = &[
    Family::new("gpt_oss", gpt_oss),
    Family::new("llama4_text", llama4),
    Family::new("minimax_m2", minimax_m2),
    Family::new("mimo_v2_flash", mimo_v2_flash),
    Family::new("dots1", dots1),
    Family::new("afmoe", afmoe),
    Family::new("dbrx", dbrx),
    Family::new("jetmoe", jetmoe),
    Family::new("step3p5", step3p5),
    Family::new("ernie4_5", ernie4_5),
    Family::new("ernie4_5_moe", ernie4_5_moe),
    Family::new("hunyuan_v1_dense", hunyuan_dense),
    Family::new("hunyuan_v1_moe", hunyuan_moe),
    Family::new("exaone4", exaone4),
];

/// Every other layer slides, the first among them; sinks, and a bias everywhere.
fn gpt_oss(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_880, 201_088, 36)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 64, Kv::Default(8), Dim::Default(64))?.attention().sinks();
    let attention = when(f.flag("attention_bias", true)?, attention, Attention::bias);
    let names = Names {
        count: ("num_local_experts|num_experts", 128),
        top_k: ("num_experts_per_tok|experts_per_token", 4),
        width: ("intermediate_size", 2_880),
    };
    let expert = FeedForward::gated(f.size(names.width.0, names.width.1)?).bias();
    let experts = f.experts_of(&names, expert)?.router_bias();
    let window = f.size("sliding_window", 128)?;
    let sliding = f.sliding(frame.layers, |layer| !ends_group(layer, 2))?;
    Ok(frame.each(sliding, |slides| Layer::pre_norm(when(*slides, attention, |a| a.window(window)), experts)))
}

/// Chunks in three layers of four; a shared expert of the routed ones' width; dense layers of another width. Its norms
/// of queries and keys have no weights.
fn llama4(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(5_120, 202_048, 48)?.tied_within(f, false)?;
    let attention = f.heads(frame.hidden, 40, Kv::Default(8), Dim::Default(128))?.attention();
    let attention = f.biased(attention)?;
    let names = Names {
        count: ("num_local_experts|num_experts", 16),
        top_k: ("num_experts_per_tok", 1),
        width: ("intermediate_size", 8_192),
    };
    let width = f.size(names.width.0, names.width.1)?;
    let experts = f.experts(&names)?.shared(FeedForward::gated(width));
    let mlp = FeedForward::gated(f.size("intermediate_size_mlp", 16_384)?);

    let step = f.count("interleave_moe_layer_step", 1)?;
    let sparse = match f.listed("moe_layers", frame.layers)? {
        Some(listed) => listed,
        None => (0..frame.layers).map(|layer| step > 0 && ends_group(layer, step)).collect(),
    };
    let chunk = f.optional("attention_chunk_size", Some(8_192))?;
    let interval = f.size("no_rope_layer_interval", 4)?;
    // An entry of 1 has rotary position, in spite of the field's name.
    let said = f.list("no_rope_layers")?.is_some_and(|list| !list.is_empty());
    let rotary = if said { f.bits("no_rope_layers", frame.layers)? } else { None };
    let is_rotary = |layer: u64| match &rotary {
        Some(rotary) => at(rotary, layer),
        None => !ends_group(layer, interval),
    };
    let expected = "full_attention or chunked_attention";
    let rule = |layer| chunk.is_some() && is_rotary(layer);
    let chunked = f.layer_types(frame.layers, expected, rule, |name| match name {
        "full_attention" => Some(false),
        "chunked_attention" => Some(true),
        _ => None,
    })?;
    Ok(frame.each(chunked.into_iter().zip(sparse), |(chunked, sparse)| {
        let attention = match chunk {
            Some(width) if *chunked => attention.chunk(width),
            _ => attention,
        };
        if *sparse { Layer::pre_norm(attention, experts) } else { Layer::pre_norm(attention, mlp) }
    }))
}

/// A norm over all queries and one over all keys; modules of multi-token prediction where `use_mtp` says so.
fn minimax_m2(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(3_072, 200_064, 62)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 48, Kv::Default(8), Dim::Default(128))?.attention();
    let attention = attention.qk_norm_whole_width();
    let experts = f.experts(&Names {
        count: ("num_local_experts|num_experts", 256),
        top_k: ("num_experts_per_tok", 8),
        width: ("intermediate_size", 1_536),
    })?;
    for (name, none, what) in [
        ("shared_intermediate_size", 0, "a shared expert"),
        ("mtp_transformer_layers", 1, "several layers in a module of multi-token prediction"),
    ] {
        let value = f.count(name, none)?;
        if value != none {
            return Err(f.unsupported(name, &value, what, BY_HAND).into());
        }
    }
    if !f.flag("use_qk_norm", true)? {
        return Err(f
            .contradiction("use_qk_norm", &false, "the reference implementation has these norms always")
            .into());
    }
    let layer = Layer::pre_norm(attention, experts);
    let builder = frame.all(layer.clone());
    if f.flag("use_mtp", true)? {
        f.mtp(builder, "num_mtp_modules", layer)
    } else {
        f.ignore("num_mtp_modules");
        Ok(builder)
    }
}

/// Windows in five layers of six, with heads of their own number and with sinks. The window is the publisher's: it
/// counts the query, as everywhere.
fn mimo_v2_flash(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 152_576, 48)?.tied(f, false)?;
    let full = f.heads(frame.hidden, 64, Kv::Default(4), Dim::Default(192))?;
    let value_dim = f.size("v_head_dim", 128)?;
    let queries = f.size("swa_num_attention_heads", full.queries)?;
    let dim = f.size("swa_head_dim", full.dim)?;
    let kv = f.size("swa_num_key_value_heads", product(2, full.kv))?;
    f.divided(("swa_num_attention_heads", queries), ("swa_num_key_value_heads", kv))?;
    let biased = f.flag("attention_bias", false)?;
    let window = f.size("sliding_window|sliding_window_size", 128)?;
    let sinks = |name, default| f.flag(name, default);
    let local = Attention::grouped(queries, kv, dim).value_dim(f.size("swa_v_head_dim", value_dim)?).window(window);
    let local = when(sinks("add_swa_attention_sink_bias", true)?, local, Attention::sinks);
    let global = full.attention().value_dim(value_dim);
    let global = when(sinks("add_full_attention_sink_bias", false)?, global, Attention::sinks);
    let [local, global] = [local, global].map(|attention| when(biased, attention, Attention::qkv_bias));

    let width = f.size("moe_intermediate_size", 2_048)?;
    let experts = f.experts(&Names {
        count: ("n_routed_experts|num_local_experts", 256),
        top_k: ("num_experts_per_tok", 8),
        width: ("moe_intermediate_size", width),
    })?;
    let shared = f.count("n_shared_experts", 0)?;
    if shared != 0 {
        let what = "a shared expert, which no implementation of this family builds,";
        return Err(f.unsupported("n_shared_experts", &shared, what, BY_HAND).into());
    }
    let mlp = FeedForward::gated(f.size("intermediate_size", 16_384)?);
    let patterned = f.bits("hybrid_layer_pattern", frame.layers)?;
    let sliding = f.sliding(frame.layers, |layer| layer != 0 && !ends_group(layer, 6))?;
    let sliding = if f.has("layer_types")? { sliding } else { patterned.unwrap_or(sliding) };
    let frequent = f.bits("moe_layer_freq", frame.layers)?;
    let sparse = f.sparse(frame.layers, |layer| layer > 0)?;
    let sparse = if f.has("mlp_layer_types")? { sparse } else { frequent.unwrap_or(sparse) };
    Ok(frame.each(sliding.into_iter().zip(sparse), |(slides, sparse)| {
        let attention = if *slides { local } else { global };
        if *sparse { Layer::pre_norm(attention, experts) } else { Layer::pre_norm(attention, mlp) }
    }))
}

fn dots1(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_608, 152_064, 62)?.tied(f, false)?;
    // The reference implementation does not read it.
    f.ignore("use_sliding_window");
    let attention = f.heads(frame.hidden, 32, Kv::Default(32), Dim::Divided)?.attention().qk_norm();
    let attention = f.biased(attention)?;
    let mlp = FeedForward::gated(f.size("intermediate_size", 10_944)?);
    let width = f.size("moe_intermediate_size", 1_408)?;
    let names = Names {
        count: ("n_routed_experts|num_local_experts", 0),
        top_k: ("num_experts_per_tok", 0),
        width: ("moe_intermediate_size", width),
    };
    let sparse = f.sparse_after_dense(frame.layers, 0)?;
    let experts = if sparse.contains(&true) {
        f.needed(names.count.0)?;
        f.needed(names.top_k.0)?;
        Some(f.shared_experts(f.experts(&names)?, "n_shared_experts", 0, width)?)
    } else {
        f.ignore("n_routed_experts|num_local_experts|num_experts_per_tok|n_shared_experts");
        None
    };
    let window = f.optional("sliding_window", Some(4_096))?;
    let first = f.count("max_window_layers", 62)?;
    let sliding = f.sliding(frame.layers, |layer| window.is_some() && layer >= first)?;
    Ok(frame.each(sliding.into_iter().zip(sparse), |(slides, sparse)| {
        let attention = within(attention, window, *slides);
        match experts {
            Some(experts) if *sparse => Layer::pre_norm(attention, experts),
            _ => Layer::pre_norm(attention, mlp),
        }
    }))
}

/// A gate as wide as the heads' output, norms on either side of both blocks, a correction of the router that is a
/// parameter.
fn afmoe(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_048, 200_192, 32)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 16, Kv::LikeQueries, Dim::Default(128))?.attention().qk_norm().gated();
    let attention = f.biased(attention)?;
    let mlp = FeedForward::gated(f.size("intermediate_size", 6_144)?);
    let width = f.size("moe_intermediate_size", 1_408)?;
    let experts = f.experts(&Names {
        count: ("num_experts|num_local_experts", 64),
        top_k: ("num_experts_per_tok", 6),
        width: ("moe_intermediate_size", width),
    })?;
    let experts = f.shared_experts(experts.router_bias(), "num_shared_experts", 2, width)?;
    let dense = f.count("num_dense_layers", 1)?;
    let window = f.size("sliding_window", 1_024)?;
    let every = f.size("global_attn_every_n_layers", 4)?;
    let sliding = f.sliding(frame.layers, |layer| !ends_group(layer, every))?;
    let kinds = sliding.into_iter().zip(0_u64..).map(|(slides, layer)| (slides, layer >= dense));
    Ok(frame.each(kinds, |(slides, sparse)| {
        let attention = when(*slides, attention, |a| a.window(window));
        if *sparse { Layer::sandwich_norm(attention, experts) } else { Layer::sandwich_norm(attention, mlp) }
    }))
}

/// Attention and experts are objects inside; norms without a bias.
fn dbrx(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    const HIDDEN: &str = "d_model|hidden_size";
    let layers = f.layers("n_layers|num_hidden_layers", 24)?;
    let hidden = f.size(HIDDEN, 2_048)?;
    let frame = super::shared::Frame::new(hidden, f.size("vocab_size", 32_000)?, layers).tied(f, false)?;
    let queries = f.size("n_heads|num_attention_heads", 16)?;
    let dim = f.divided((HIDDEN, hidden), ("n_heads", queries))?;
    let heads = Heads { queries, kv: queries, dim };
    let heads = f.within("attn_config", |attention| attention.key_value_heads("kv_n_heads", heads, Kv::Default(1)))?;
    let experts = f.within("ffn_config", |ffn| {
        if ffn.size("hidden_size", hidden)? != hidden {
            let value = ffn.size("hidden_size", hidden)?;
            return Err(ffn.contradiction("hidden_size", &value, "it is not `d_model`").into());
        }
        ffn.experts(&Names {
            count: ("moe_num_experts", 4),
            top_k: ("moe_top_k", 1),
            width: ("ffn_hidden_size", 3_584),
        })
    })?;
    f.ignore("num_key_value_heads");
    Ok(frame.all(Layer::pre_norm(heads.attention(), experts).with_norms(Norm::layer_without_bias())))
}

/// Experts of heads beside experts of channels, each behind a router and a bias.
fn jetmoe(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_048, 32_000, 12)?.tied(f, true)?;
    f.ignore("num_attention_heads|n_head|num_layers");
    let names = Names {
        count: ("num_local_experts|num_experts|moe_num_experts", 8),
        top_k: ("num_experts_per_tok|moe_top_k", 2),
        width: ("intermediate_size|ffn_hidden_size", 5_632),
    };
    let experts = f.experts(&names)?;
    let (count, top_k) = (f.size(names.count.0, names.count.1)?, f.size(names.top_k.0, names.top_k.1)?);
    let kv = f.size("num_key_value_heads", 16)?;
    if top_k.checked_mul(kv).is_none() {
        let why = "the heads of all experts that a token visits exceed 64 bits";
        return Err(f.contradiction("num_key_value_heads", &kv, why).into());
    }
    let attention = Attention::experts(count, top_k, kv, f.size("kv_channels|head_dim", 128)?);
    let bias = |part| Weights::new(frame.hidden, part);
    let layer = Layer::new()
        .with(Norm::rms())
        .with(attention)
        .with(bias(Component::OutputProjection))
        .with(Norm::rms())
        .with(experts)
        .with(bias(Component::FeedForwardDown));
    Ok(frame.all(layer))
}

/// Sliding layers with heads of their own number; a gate on every head; one shared expert.
fn step3p5(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 128_815, 45)?.tied(f, false)?;
    let queries = f.size("num_attention_heads", 64)?;
    let heads = Heads { queries, kv: queries, dim: f.size("head_dim", 128)? };
    let heads = f.key_value_heads("num_key_value_heads|num_attention_groups", heads, Kv::Default(8))?;
    let other = f.within("attention_other_setting", |other| {
        // The reference implementation takes the number of heads from here, and nothing else.
        other.ignore("num_attention_groups|head_dim|true_head_dim");
        other.given("num_attention_heads")
    })?;
    let sliding_heads = f.given("num_sliding_attention_heads")?.or(other).unwrap_or(heads.queries);
    f.divided(("num_sliding_attention_heads", sliding_heads), ("num_key_value_heads", heads.kv))?;
    let finish = |heads: Heads| -> Result<Attention> {
        let attention = heads.attention().qk_norm().gated_per_head();
        f.biased(attention)
    };
    let (global, local) = (finish(heads)?, finish(Heads { queries: sliding_heads, ..heads })?);
    let local = f.windowed(local, None)?;

    f.refuse("mlp_bias", "a bias in these feed-forwards")?;
    let names = Names {
        count: ("n_routed_experts|moe_num_experts|num_local_experts", 288),
        top_k: ("num_experts_per_tok|moe_top_k", 8),
        width: ("moe_intermediate_size", 1_280),
    };
    let experts = f.experts(&names)?.shared(FeedForward::gated(f.size("share_expert_dim|share_expert_dims", 1_280)?));
    let mlp = FeedForward::gated(f.size("intermediate_size", 11_264)?);
    f.ignore("use_head_wise_attn_gate");
    let depth = f.depth("num_nextn_predict_layers|num_mtp_layers")?;
    let sliding = f.sliding_with_mtp(frame.layers, depth)?;
    let listed = step3p5_sparse(f, frame.layers.saturating_add(depth))?;
    let sparse = f.sparse(frame.layers, |layer| match &listed {
        Some(listed) => at(listed, layer),
        None => layer >= 3,
    })?;
    let layer = |(slides, sparse): &(bool, bool)| {
        let attention = if *slides { local } else { global };
        if *sparse { Layer::pre_norm(attention, experts) } else { Layer::pre_norm(attention, mlp) }
    };
    let last = (sliding.last().copied().unwrap_or(false), sparse.last().copied().unwrap_or(true));
    let builder = frame.each(sliding.into_iter().zip(sparse), layer);
    f.mtp(builder, "num_nextn_predict_layers|num_mtp_layers", layer(&last))
}

/// The layers with experts of older files: numbers in a list, or in text with commas.
fn step3p5_sparse(f: &Fields<'_>, layers: u64) -> Result<Option<Vec<bool>>> {
    const NAME: &str = "moe_layers_enum";
    if !f.has(NAME)? || f.is_list(NAME)? {
        return f.listed(NAME, layers);
    }
    let text = f.text(NAME)?.unwrap_or_default();
    let mut listed = vec![false; usize::try_from(layers).unwrap_or(usize::MAX)];
    for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let Some(entry) = entry.parse().ok().and_then(|layer: usize| listed.get_mut(layer)) else {
            let why = "it is numbers of layers, counted from 0, with commas between them";
            return Err(f.contradiction(NAME, &text, why).into());
        };
        *entry = true;
    }
    Ok(Some(listed))
}

fn ernie4_5(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(1_024, 103_424, 18)?.tied(f, true)?;
    // `null` is no width of its own here.
    let dim = if f.is_null("head_dim") { Dim::Divided } else { Dim::Default(128) };
    let attention = f.heads(frame.hidden, 16, Kv::Default(2), dim)?.attention();
    let biased = f.flag("use_bias", false)?;
    let attention = when(biased, attention, Attention::bias);
    let mlp = when(biased, FeedForward::gated(f.size("intermediate_size", 3_072)?), FeedForward::bias);
    Ok(frame.all(Layer::pre_norm(attention, mlp)))
}

/// Experts between a first and a last layer, at an interval; the correction of the router is a parameter.
fn ernie4_5_moe(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_560, 103_424, 28)?.tied(f, true)?;
    f.refuse("use_bias", "a bias beside experts, on whose place implementations differ,")?;
    let attention = f.heads(frame.hidden, 20, Kv::Default(4), Dim::Divided)?.attention();
    let mlp = FeedForward::gated(f.size("intermediate_size", 12_288)?);
    let width = f.size("moe_intermediate_size", 1_536)?;
    let experts = f.experts(&Names {
        count: ("moe_num_experts|num_experts", 64),
        top_k: ("moe_k|num_experts_per_tok", 6),
        width: ("moe_intermediate_size", width),
    })?;
    let experts = f.shared_experts(experts.router_bias(), "moe_num_shared_experts", 2, width)?;
    let first = f.count("moe_layer_start_index", 1)?;
    // −1 is the last layer.
    let end = "moe_layer_end_index";
    let last = if f.is_minus_one(end)? { u64::MAX } else { f.count(end, u64::MAX)? };
    let interval = f.size("moe_layer_interval", 1)?;
    let kinds = (0..frame.layers).map(|layer| ends_group(layer, interval) && (first..=last).contains(&layer));
    Ok(frame.each(
        kinds,
        |sparse| {
            if *sparse { Layer::pre_norm(attention, experts) } else { Layer::pre_norm(attention, mlp) }
        },
    ))
}

/// Norms of queries and keys, whatever `use_qk_norm` says.
fn hunyuan_dense(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 290_943, 32)?.tied(f, false)?;
    f.ignore("attention_head_dim");
    let attention = f.heads(frame.hidden, 32, Kv::LikeQueries, Dim::Divided)?.attention().qk_norm();
    let attention = f.biased(attention)?;
    // One expert is none.
    if f.has("num_experts")? && f.count("num_experts", 1)? > 1 {
        let value = f.count("num_experts", 1)?;
        return Err(f.contradiction("num_experts", &value, "a dense model has none; is it hunyuan_v1_moe?").into());
    }
    Ok(frame.all(Layer::pre_norm(attention, FeedForward::gated(f.size("intermediate_size", 11_008)?))))
}

/// Every layer has experts and one shared by all tokens, of the same width; how many a token visits may differ by
/// layer.
fn hunyuan_moe(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 290_943, 32)?.tied(f, false)?;
    f.ignore("attention_head_dim");
    let attention = f.heads(frame.hidden, 32, Kv::LikeQueries, Dim::Divided)?.attention().qk_norm();
    let attention = f.biased(attention)?;
    let width = f.size("intermediate_size", 11_008)?;
    for (name, implied) in [("use_mixed_mlp_moe", true), ("use_cla", false)] {
        if f.flag(name, implied)? != implied {
            let what = "what the reference implementation does not build";
            return Err(f.unsupported(name, &!implied, what, BY_HAND).into());
        }
    }
    if f.count("moe_layer_num_skipped", 0)? != 0 {
        let value = f.count("moe_layer_num_skipped", 0)?;
        return Err(f.unsupported("moe_layer_num_skipped", &value, "a dense layer among these", BY_HAND).into());
    }
    for (name, expected) in [("moe_intermediate_size", width), ("num_shared_expert", 1)] {
        let values = f.one_or_each(name, frame.layers)?;
        if let Some(value) = values.and_then(|values| values.into_iter().find(|value| *value != expected)) {
            let what = "another width of experts than `intermediate_size`, or another number of shared ones than 1,";
            return Err(f.unsupported(name, &value, what, BY_HAND).into());
        }
    }
    let layers = usize::try_from(frame.layers).unwrap_or(usize::MAX);
    let counts = f.one_or_each("num_experts|num_local_experts", frame.layers)?.unwrap_or_else(|| vec![1; layers]);
    let choices = f.one_or_each("moe_topk|num_experts_per_tok", frame.layers)?.unwrap_or_else(|| vec![1; layers]);
    let names = Names { count: ("num_experts", 1), top_k: ("moe_topk", 1), width: ("intermediate_size", width) };
    let kinds: Vec<(u64, u64)> = counts.into_iter().zip(choices).collect();
    for &(count, top_k) in &kinds {
        f.top_k_of(&names, count, top_k)?;
    }
    Ok(frame.each(kinds, |(count, top_k)| {
        let expert = FeedForward::gated(width);
        Layer::pre_norm(attention, Experts::new(*count, *top_k, expert).shared(expert))
    }))
}

/// Norms after both blocks; a window in all but every n-th layer, which a number or a pattern of letters gives.
fn exaone4(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 102_400, 32)?.tied(f, false)?;
    let attention = f.heads(frame.hidden, 32, Kv::Default(32), Dim::Divided)?.attention().qk_norm();
    let mlp = FeedForward::gated(f.size("intermediate_size", 16_384)?);
    let window = f.optional("sliding_window", Some(4_096))?;
    let pattern = if f.is_number("sliding_window_pattern")? { None } else { f.text("sliding_window_pattern")? };
    let every = match pattern {
        Some(letters) => exaone4_pattern(f, letters)?,
        None => f.optional("sliding_window_pattern", Some(4))?.unwrap_or(1),
    };
    let sliding = f.sliding(frame.layers, |layer| window.is_some() && !ends_group(layer, every))?;
    Ok(frame.each(sliding, |slides| Layer::post_norm(within(attention, window, *slides), mlp)))
}

/// `LLLG`: three local layers for each global one.
fn exaone4_pattern(f: &Fields<'_>, letters: &str) -> Result<u64> {
    let local = letters.trim_end_matches('G');
    let one_global = letters.len().checked_sub(local.len()) == Some(1);
    if one_global && local.chars().all(|letter| letter == 'L') {
        return Ok(u64::try_from(letters.len()).unwrap_or(u64::MAX));
    }
    Err(f.contradiction("sliding_window_pattern", &letters, "it is any number of L, and one G").into())
}
