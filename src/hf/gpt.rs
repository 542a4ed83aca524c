//! GPT-2 and what came before Llama: multi-head attention, ungated feed-forwards, LayerNorms.

use super::Family;
use super::fields::Fields;
use super::shared::{BY_HAND, Dim, Frame, Heads, Kv, product, when};
use super::value::Value;
use crate::{ArchitectureBuilder, Attention, FeedForward, Layer, Norm, Result};

pub(super) const FAMILIES: &[Family] = &[
    Family::new("gpt2", gpt2),
    Family::new("gpt_neo", gpt_neo),
    Family::new("gpt_neox", gpt_neox),
    Family::new("gptj", gptj),
    Family::new("gpt_bigcode", gpt_bigcode),
    Family::new("bloom", bloom),
    Family::new("mpt", mpt),
    Family::new("opt", opt),
    Family::new("falcon", falcon),
    Family::new("starcoder2", starcoder2),
];

const HIDDEN: &str = "n_embd|hidden_size";
const LAYERS: &str = "n_layer|num_hidden_layers";
const HEADS: &str = "n_head|num_attention_heads";
const POSITIONS: &str = "n_positions|max_position_embeddings";

/// As many heads for keys and values, all together as wide as the hidden size.
fn multi_head(f: &Fields<'_>, hidden: (&str, u64), heads: (&str, u64)) -> Result<Heads> {
    let queries = f.size(heads.0, heads.1)?;
    let dim = f.divided(hidden, (heads.0, queries))?;
    Ok(Heads { queries, kv: queries, dim })
}

/// Two matrices with biases, four hidden sizes wide unless the file says otherwise.
fn mlp(f: &Fields<'_>, names: &str, hidden: u64) -> Result<FeedForward> {
    Ok(FeedForward::plain(f.size(names, product(4, hidden))?).bias())
}

fn gpt2(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = Frame::new(f.size(HIDDEN, 768)?, f.size("vocab_size", 50_257)?, f.layers(LAYERS, 12)?).tied(f, true)?;
    f.refuse("add_cross_attention", "attention to an encoder")?;
    let attention = multi_head(f, (HIDDEN, frame.hidden), (HEADS, 12))?.attention().bias();
    let layer = Layer::pre_norm(attention, mlp(f, "n_inner", frame.hidden)?).with_norms(Norm::layer());
    Ok(frame.all(layer).positions(f.size(POSITIONS, 1_024)?))
}

/// Layers that see everything and layers with a window in turn; only the output projection has a bias.
fn gpt_neo(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let layers = f.layers("num_layers|num_hidden_layers", 24)?;
    let frame = Frame::new(f.size("hidden_size", 2_048)?, f.size("vocab_size", 50_257)?, layers).tied(f, true)?;
    let heads = multi_head(f, ("hidden_size", frame.hidden), ("num_heads|num_attention_heads", 16))?;
    let attention = heads.attention().output_bias();
    let mlp = mlp(f, "intermediate_size", frame.hidden)?;
    let window = f.size("window_size", 256)?;
    let builder = frame.each(local_layers(f, layers)?, |local| {
        let attention = when(*local, attention, |a| a.window(window));
        Layer::pre_norm(attention, mlp).with_norms(Norm::layer())
    });
    Ok(builder.positions(f.size("max_position_embeddings", 2_048)?))
}

/// Which layers are local: `attention_types` lists patterns and how often each is repeated, `attention_layers` the
/// layers.
fn local_layers(f: &Fields<'_>, layers: u64) -> Result<Vec<bool>> {
    const NAMES: &str = "attention_types";
    const EXPECTED: &str = "a pattern of `global` and `local` with how often it is repeated";
    let known = |name: &Value| match name {
        Value::Text(name) if name == "global" => Some(false),
        Value::Text(name) if name == "local" => Some(true),
        _ => None,
    };
    if let Some(local) = f.each_layer("attention_layers", layers, "global or local", known)? {
        f.ignore(NAMES);
        return Ok(local);
    }
    let Some(patterns) = f.list(NAMES)? else {
        return Ok((0..layers).map(|layer| layer % 2 == 1).collect());
    };
    let mut local = Vec::new();
    let most = usize::try_from(layers).unwrap_or(usize::MAX);
    for (index, entry) in patterns.iter().enumerate() {
        let wrong = || f.entry(NAMES, index, entry, EXPECTED);
        let Value::List(parts) = entry else {
            return Err(wrong().into());
        };
        let [Value::List(names), Value::Integer(times)] = parts.as_slice() else {
            return Err(wrong().into());
        };
        let pattern: Option<Vec<bool>> = names.iter().map(known).collect();
        let pattern = pattern.filter(|pattern| !pattern.is_empty()).ok_or_else(wrong)?;
        let length = u64::try_from(pattern.len()).unwrap_or(u64::MAX);
        let all = usize::try_from(product(length, *times)).unwrap_or(usize::MAX);
        // One layer too many is as wrong as any number of them.
        let room = most.saturating_add(1).saturating_sub(local.len());
        local.extend(pattern.into_iter().cycle().take(all.min(room)));
    }
    if local.len() != most {
        let why = "its patterns do not cover the layers";
        return Err(f.contradiction(NAMES, &format!("a list of {}", patterns.len()), why).into());
    }
    Ok(local)
}

/// Both blocks side by side or one after the other: two norms either way.
fn gpt_neox(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(6_144, 50_432, 44)?.tied(f, false)?;
    f.ignore("num_key_value_heads");
    let heads = multi_head(f, ("hidden_size", frame.hidden), ("num_attention_heads", 64))?;
    let attention = when(f.flag("attention_bias", true)?, heads.attention(), Attention::bias);
    let mlp = FeedForward::plain(f.size("intermediate_size", 24_576)?).bias();
    Ok(frame.all(Layer::pre_norm(attention, mlp).with_norms(Norm::layer())))
}

/// One norm for both blocks, biases in the feed-forward and on the head alone.
fn gptj(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame =
        Frame::new(f.size(HIDDEN, 4_096)?, f.size("vocab_size", 50_400)?, f.layers(LAYERS, 28)?).tied(f, false)?;
    let attention = multi_head(f, (HIDDEN, frame.hidden), (HEADS, 16))?.attention();
    let layer = Layer::parallel(attention, mlp(f, "n_inner", frame.hidden)?).with_norms(Norm::layer());
    Ok(frame.all(layer).head_bias())
}

fn gpt_bigcode(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = Frame::new(f.size(HIDDEN, 768)?, f.size("vocab_size", 50_257)?, f.layers(LAYERS, 12)?).tied(f, true)?;
    f.refuse("add_cross_attention", "attention to an encoder")?;
    f.ignore("num_key_value_heads");
    let heads = multi_head(f, (HIDDEN, frame.hidden), (HEADS, 12))?;
    let heads = when(f.flag("multi_query", true)?, heads, |heads| Heads { kv: 1, ..heads });
    let layer = Layer::pre_norm(heads.attention().bias(), mlp(f, "n_inner", frame.hidden)?);
    Ok(frame.all(layer.with_norms(Norm::layer())).positions(f.size(POSITIONS, 1_024)?))
}

/// A norm on the embedding; positions by a bias that holds nothing.
fn bloom(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    const HIDDEN: &str = "hidden_size|n_embed";
    let frame = Frame::new(f.size(HIDDEN, 64)?, f.size("vocab_size", 250_880)?, f.layers(LAYERS, 2)?).tied(f, true)?;
    let attention = multi_head(f, (HIDDEN, frame.hidden), (HEADS, 8))?.attention().bias();
    let mlp = FeedForward::plain(product(4, frame.hidden)).bias();
    let layer = Layer::pre_norm(attention, mlp).with_norms(Norm::layer());
    Ok(frame.all(layer).embedding_norm(Norm::layer()))
}

/// No bias anywhere, and norms without one.
fn mpt(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    const HIDDEN: &str = "d_model|hidden_size";
    let layers = f.layers("n_layers|num_hidden_layers", 24)?;
    let frame = Frame::new(f.size(HIDDEN, 2_048)?, f.size("vocab_size", 50_368)?, layers).tied(f, true)?;
    let ratio = f.size("expansion_ratio", 4)?;
    if ratio != 4 || !f.flag("no_bias", true)? {
        let (field, value) =
            if ratio == 4 { ("no_bias", "false".to_owned()) } else { ("expansion_ratio", ratio.to_string()) };
        let what = "another ratio than 4, or a bias, which the reference implementation does not build,";
        return Err(f.unsupported(field, &value, what, BY_HAND).into());
    }
    f.within("attn_config", |attention| {
        attention.refuse("qk_ln", "a norm of queries and keys")?;
        attention.ignore("kv_n_heads|softmax_scale|attn_pdrop");
        Ok(())
    })?;
    let attention = multi_head(f, (HIDDEN, frame.hidden), ("n_heads|num_attention_heads", 16))?.attention();
    let mlp = FeedForward::plain(product(4, frame.hidden));
    Ok(frame.all(Layer::pre_norm(attention, mlp).with_norms(Norm::layer_without_bias())))
}

/// Two rows of positions more than there are; in OPT-350M an embedding of another width, norms after the blocks, and
/// none at the end.
fn opt(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(768, 50_272, 12)?.tied(f, true)?;
    let heads = multi_head(f, ("hidden_size", frame.hidden), ("num_attention_heads", 12))?;
    let biased = f.flag("enable_bias", true)?;
    let attention = when(biased, heads.attention(), Attention::bias);
    let mlp = when(biased, FeedForward::plain(f.size("ffn_dim", 3_072)?), FeedForward::bias);
    let norm = if f.flag("layer_norm_elementwise_affine", true)? { Norm::layer() } else { Norm::unweighted() };
    let before = f.flag("do_layer_norm_before", true)?;
    let layer = if before { Layer::pre_norm(attention, mlp) } else { Layer::post_norm(attention, mlp) };
    let builder = frame.all(layer.with_norms(norm));
    let last = before && !f.flag("_remove_final_layer_norm", false)?;
    let builder = when(!last, builder, ArchitectureBuilder::without_final_norm);
    let width = f.size("word_embed_proj_dim", frame.hidden)?;
    let builder = when(width != frame.hidden, builder, |builder| builder.embedding_width(width));
    Ok(builder.positions(f.size("max_position_embeddings", 2_048)?.saturating_add(2)))
}

fn falcon(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    const LAYERS: &str = "num_hidden_layers|n_layer";
    const HEADS: &str = "num_attention_heads|n_head";
    let frame = Frame::new(f.size("hidden_size|n_embed", 4_544)?, f.size("vocab_size", 65_024)?, f.layers(LAYERS, 32)?)
        .tied(f, true)?;
    let heads = multi_head(f, ("hidden_size|n_embed", frame.hidden), (HEADS, 71))?;
    let new = f.flag("new_decoder_architecture", false)?;
    let parallel = f.flag("parallel_attn", true)?;
    let one = f.flag("multi_query", true)?;
    let heads = if new {
        f.key_value_heads("num_kv_heads|n_head_kv", heads, Kv::LikeQueries)?
    } else {
        f.ignore("num_kv_heads|n_head_kv");
        when(one, heads, |heads| Heads { kv: 1, ..heads })
    };
    let biased = f.flag("bias", false)?;
    let attention = when(biased, heads.attention(), Attention::bias);
    let mlp = FeedForward::plain(f.size("ffn_hidden_size|intermediate_size", product(4, frame.hidden))?);
    let mlp = when(biased, mlp, FeedForward::bias);
    let norms = f.count("num_ln_in_parallel_attn", if new { 2 } else { 1 })?;
    let layer = if parallel && norms != 2 { Layer::parallel(attention, mlp) } else { Layer::pre_norm(attention, mlp) };
    Ok(frame.all(layer.with_norms(Norm::layer())))
}

fn starcoder2(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(3_072, 49_152, 30)?.tied(f, true)?;
    let attention = f.heads(frame.hidden, 24, Kv::Default(2), Dim::Divided)?.attention();
    let biased = f.flag("use_bias", true)?;
    let attention = when(biased, attention, Attention::bias);
    let attention = f.windowed(attention, None)?;
    let mlp = when(biased, FeedForward::plain(f.size("intermediate_size", 12_288)?), FeedForward::bias);
    Ok(frame.all(Layer::pre_norm(attention, mlp).with_norms(Norm::layer())))
}
