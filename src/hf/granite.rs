//! Granite, dense, with experts, and with Mamba-2.

use super::Family;
use super::fields::Fields;
use super::shared::{Dim, Frame, Kv, Names, product, when};
use super::state_spaces::mamba2;
use crate::{
    ArchitectureBuilder, Attention, Block, Component, Experts, FeedForward, Layer, Linear, Mamba2, Norm, Result,
};

pub(super) const FAMILIES: &[Family] = &[
    Family::new("granite", granite),
    Family::new("granitemoe", granitemoe),
    Family::new("granitemoeshared", granitemoeshared),
    Family::new("granitemoehybrid", granitemoehybrid),
];

fn attention(f: &Fields<'_>, frame: Frame) -> Result<Attention> {
    let attention = f.heads(frame.hidden, 32, Kv::LikeQueries, Dim::Divided)?.attention();
    f.biased(attention)
}

fn granite(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 32_000, 32)?.tied(f, false)?;
    let mlp = f.gated(11_008)?;
    Ok(frame.all(Layer::pre_norm(attention(f, frame)?, mlp)))
}

const NAMES: Names = Names {
    count: ("num_local_experts|num_experts", 8),
    top_k: ("num_experts_per_tok", 2),
    width: ("intermediate_size", 11_008),
};

fn granitemoe(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 32_000, 32)?.tied(f, false)?;
    Ok(frame.all(Layer::pre_norm(attention(f, frame)?, f.experts(&NAMES)?)))
}

fn granitemoeshared(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 32_000, 32)?.tied(f, false)?;
    let experts = f.experts(&NAMES)?;
    let experts = match f.count("shared_intermediate_size", 0)? {
        0 => experts,
        width => experts.shared(FeedForward::gated(width)),
    };
    Ok(frame.all(Layer::pre_norm(attention(f, frame)?, experts)))
}

/// Experts beside a feed-forward that every token visits; without experts that feed-forward is all there is.
fn granitemoehybrid(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
    let frame = f.frame(4_096, 32_000, 32)?.tied(f, false)?;
    let width = f.size("shared_intermediate_size", 1_024)?;
    f.refuse_null(NAMES.count.0, "it may mean none or the family's default: leave it out, or give a number")?;
    let experts = match f.count(NAMES.count.0, NAMES.count.1)? {
        0 => {
            f.ignore("num_experts_per_tok|intermediate_size");
            None
        }
        _ => Some(Experts::shared(f.experts(&NAMES)?, FeedForward::gated(width))),
    };
    let alone = [
        Linear::new(frame.hidden, product(2, width)).part_of(Component::SharedExpertUp),
        Linear::new(width, frame.hidden).part_of(Component::SharedExpertDown),
    ];
    let attention = attention(f, frame)?;
    let mamba = mamba2(f, frame.hidden, None)?.norm();
    let mamba = when(f.flag("mamba_proj_bias", false)?, mamba, Mamba2::output_bias);
    let expected = "linear_attention (mamba) or full_attention (attention)";
    let known = |name: &str| match name {
        "linear_attention" | "mamba" => Some(true),
        "full_attention" | "attention" => Some(false),
        _ => None,
    };
    let linear = f.kinds_of("layer_types|layers_block_type", frame.layers, expected, |_| true, known)?;
    Ok(frame.each(linear, |linear| {
        let mixer: Block = if *linear { mamba.into() } else { attention.into() };
        let layer = Layer::new().with(Norm::rms()).with(mixer).with(Norm::rms());
        match experts {
            Some(experts) => layer.with(experts),
            None => alone.into_iter().fold(layer, Layer::with),
        }
    }))
}
