//! BERT, RoBERTa and T5.

use super::Family;
use super::fields::Fields;
use super::shared::Frame;
use crate::{Architecture, ArchitectureBuilder, Attention, FeedForward, Layer, Norm, Result};

pub(super) const FAMILIES: &[Family] =
    &[Family::new("bert", bert), Family::new("roberta", roberta), Family::new("t5", t5)];

fn bert(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    masked_language_model(f, 30_522, 512)
}

fn roberta(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    masked_language_model(f, 50_265, 512)
}

/// An encoder with norms after its blocks and one on its embeddings; in front of the head a matrix with a norm, and a
/// bias on the head. What a classifier would have instead of that head, a pooler among it, is not counted.
fn masked_language_model(f: &Fields<'_>, vocab: u64, positions: u64) -> Result<ArchitectureBuilder> {
    let frame = f.frame(768, vocab, 12)?;
    f.ignore("pooler_num_attention_heads|pooler_num_fc_layers|pooler_size_per_head");
    for (name, what) in [("is_decoder", "a causal mask"), ("add_cross_attention", "attention to an encoder")] {
        f.refuse(name, what)?;
    }
    let heads = f.size("num_attention_heads", 12)?;
    let dim = f.divided(("hidden_size", frame.hidden), ("num_attention_heads", heads))?;
    let mlp = FeedForward::plain(f.size("intermediate_size", 3_072)?).bias();
    let layer = Layer::post_norm(Attention::multi_head(heads, dim).bias(), mlp).with_norms(Norm::layer());
    if !f.flag_here_or_outside("tie_word_embeddings", true)? {
        // There the reference implementation has a second bias, of which one is never used.
        let what = "a head apart from the embedding";
        return Err(f.unsupported("tie_word_embeddings", &false, what, "build it with `Architecture::encoder`").into());
    }
    let builder = Architecture::encoder(frame.hidden, frame.vocab)
        .layers(frame.layers, layer)
        .positions(f.size("max_position_embeddings", positions)?)
        .token_types(f.count("type_vocab_size", 2)?)
        .embedding_norm(Norm::layer())
        .without_final_norm()
        .head_transform(Norm::layer())
        .head_bias();
    Ok(builder.tied())
}

/// An encoder and a decoder, the first layer of each with a bias on its scores by distance. A head of its own where the
/// file says so: checkpoints of T5 1.1 and Flan-T5 have one.
fn t5(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let encoder_layers = f.layers("num_layers|num_hidden_layers", 6)?;
    let decoder_layers = f.layers("num_decoder_layers", encoder_layers)?;
    let hidden = f.size("d_model|hidden_size", 512)?;
    let frame = Frame::new(hidden, f.size("vocab_size", 32_128)?, decoder_layers).tied(f, true)?;
    let attention = Attention::multi_head(f.size("num_heads|num_attention_heads", 8)?, f.size("d_kv|head_dim", 64)?);
    let buckets = f.size("relative_attention_num_buckets", 32)?;
    let gated = f.text("feed_forward_proj")?.is_some_and(|kind| kind.starts_with("gated-"));
    if f.flag("is_gated_act", gated)? != gated {
        let why = "`feed_forward_proj` says otherwise";
        return Err(f.contradiction("is_gated_act", &!gated, why).into());
    }
    let width = f.size("d_ff|intermediate_size", 2_048)?;
    let mlp = if gated { FeedForward::gated(width) } else { FeedForward::plain(width) };
    let encode = |attention: Attention| Layer::pre_norm(attention, mlp);
    // The attention to the source has no bias in any layer.
    let decode = |own: Attention| {
        let layer = Layer::new().with(Norm::rms()).with(own).with(Norm::rms()).with(attention.cross());
        layer.with(Norm::rms()).with(mlp)
    };
    let biased = attention.position_bias(buckets);
    Ok(frame
        .builder()
        .encoder_layers(1, encode(biased))
        .encoder_layers(encoder_layers.saturating_sub(1), encode(attention))
        .layer(decode(biased))
        .layers(decoder_layers.saturating_sub(1), decode(attention)))
}
