//! OLMo in its versions.

use super::Family;
use super::fields::Fields;
use super::shared::{Dim, Frame, Kv, Names, ends_group, when};
use crate::{ArchitectureBuilder, Attention, FeedForward, Layer, Norm, Result};

pub(super) const FAMILIES: &[Family] = &[
    Family::new("olmo", olmo),
    Family::new("olmo2", olmo2),
    Family::new("olmo3", olmo3),
    Family::new("olmoe", olmoe),
    Family::new("flex_olmo", flex_olmo),
];

fn attention(f: &Fields<'_>, frame: Frame, heads: u64) -> Result<Attention> {
    let attention = f.heads(frame.hidden, heads, Kv::LikeQueries, Dim::Divided)?.attention();
    f.biased(attention)
}

/// Its norms have no weights.
fn olmo(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 50_304, 32)?.tied(f, false)?;
    let mlp = FeedForward::gated(f.size("intermediate_size", 11_008)?);
    Ok(frame.all(Layer::pre_norm(attention(f, frame, 32)?, mlp).with_norms(Norm::unweighted())))
}

/// Norms after both blocks, and one over all queries and all keys.
fn olmo2(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 50_304, 32)?.tied(f, false)?;
    let attention = attention(f, frame, 32)?.qk_norm_whole_width();
    Ok(frame.all(Layer::post_norm(attention, FeedForward::gated(f.size("intermediate_size", 11_008)?))))
}

/// As OLMo 2, with a window in three layers of four.
fn olmo3(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 50_304, 32)?.tied(f, false)?;
    let attention = attention(f, frame, 32)?.qk_norm_whole_width();
    let mlp = FeedForward::gated(f.size("intermediate_size", 11_008)?);
    let window = f.size("sliding_window", 4_096)?;
    let sliding = f.sliding(frame.layers, |layer| !ends_group(layer, 4))?;
    Ok(frame.each(sliding, |slides| Layer::post_norm(when(*slides, attention, |a| a.window(window)), mlp)))
}

fn experts(f: &Fields<'_>, count: u64, top_k: u64, width: u64) -> Result<crate::Experts> {
    f.experts(&Names {
        count: ("num_experts|num_local_experts", count),
        top_k: ("num_experts_per_tok", top_k),
        width: ("intermediate_size", width),
    })
}

fn olmoe(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(2_048, 50_304, 16)?.tied(f, false)?;
    let attention = attention(f, frame, 16)?.qk_norm_whole_width();
    Ok(frame.all(Layer::pre_norm(attention, experts(f, 64, 8, 2_048)?)))
}

fn flex_olmo(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 100_352, 32)?.tied(f, false)?;
    let attention = attention(f, frame, 32)?.qk_norm_whole_width();
    Ok(frame.all(Layer::post_norm(attention, experts(f, 7, 5, 11_008)?)))
}
