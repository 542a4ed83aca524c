//! An architecture in words: one line for each run of equal layers.

use std::fmt::{self, Display, Formatter};

use super::{
    Architecture, Attention, Block, CompressedAttention, Compression, Experts, FeedForward, KeysAndValues,
    LatentAttention, Layer, Span,
};

/// One line for the whole, and one for each run of equal layers.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// let mixtral = mfu::catalog::find("mixtral-8x7b")?.architecture()?;
/// assert_eq!(
///     mixtral.to_string(),
///     "decoder, hidden 4096, vocabulary 32000\n  \
///      32 × norm · attention 32 × 128, 8 kv · norm · experts 2 of 8 × 14336, gated"
/// );
/// # Ok(())
/// # }
/// ```
impl Display for Architecture {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let plan = self.plan();
        let kind = match (plan.encoder, plan.source_runs.is_empty()) {
            (true, _) => "encoder",
            (false, true) => "decoder",
            (false, false) => "encoder–decoder",
        };
        write!(f, "{kind}, hidden {}, vocabulary {}", plan.hidden, plan.vocab)?;
        if plan.padded_vocab != plan.vocab {
            write!(f, " padded to {}", plan.padded_vocab)?;
        }
        if plan.tied {
            f.write_str(", tied")?;
        }
        for (layer, layers) in self.encoder_runs() {
            write!(f, "\n  {layers} × of the encoder: {layer}")?;
        }
        for (layer, layers) in self.runs() {
            write!(f, "\n  {layers} × {layer}")?;
        }
        if let Some(mtp) = &plan.mtp {
            write!(f, "\n  {} × multi-token prediction: {}", mtp.depth, mtp.layer)?;
        }
        Ok(())
    }
}

/// Its blocks, in order.
impl Display for Layer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, block) in self.blocks().iter().enumerate() {
            if index > 0 {
                f.write_str(" · ")?;
            }
            block.fmt(f)?;
        }
        Ok(())
    }
}

/// What it is, and its sizes. Biases and norms within it are left out.
impl Display for Block {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Norm(_) => f.write_str("norm"),
            Self::Attention(attention) => show_attention(attention, f),
            Self::LatentAttention(attention) => show_latent_attention(attention, f),
            Self::CompressedAttention(attention) => show_compressed_attention(attention, f),
            Self::Mamba(mixer) => write!(f, "mamba {}, state {}", mixer.inner, mixer.state),
            Self::Mamba2(mixer) => write!(f, "mamba-2 {} × {}, state {}", mixer.heads, mixer.head_dim, mixer.state),
            Self::GatedDeltaNet(mixer) => write!(
                f,
                "gated delta net {} × {}, keys {} × {}",
                mixer.value_heads, mixer.value_dim, mixer.key_heads, mixer.key_dim
            ),
            Self::KimiDeltaAttention(mixer) => write!(f, "kimi delta attention {} × {}", mixer.heads, mixer.head_dim),
            Self::LightningAttention(mixer) => write!(f, "lightning attention {} × {}", mixer.heads, mixer.head_dim),
            Self::ShortConvolution(mixer) => write!(f, "short convolution {}", mixer.kernel),
            Self::FeedForward(block) => write!(f, "feed-forward {}", shape(*block)),
            Self::Experts(experts) => show_experts(experts, f),
            Self::HyperConnection(connection) => write!(f, "hyper-connection of {}", connection.streams),
            Self::Linear(linear) => write!(f, "linear {} → {}", linear.inputs, linear.outputs),
            Self::Weights(weights) => write!(f, "{} weights", weights.count),
            Self::Reused(reused) => write!(f, "reused {}", reused.block()),
        }
    }
}

fn shape(block: FeedForward) -> String {
    format!("{}{}", block.width, if block.gated { ", gated" } else { "" })
}

/// A span that says more than that the attention is causal.
fn show_span(span: Span, f: &mut Formatter<'_>) -> fmt::Result {
    if span == Span::Causal { Ok(()) } else { write!(f, ", {span}") }
}

fn show_attention(attention: &Attention, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "attention {} × {}", attention.heads, attention.qk_dim)?;
    if attention.value_dim != attention.qk_dim {
        write!(f, " and {}", attention.value_dim)?;
    }
    match attention.keys_and_values {
        KeysAndValues::Earlier => f.write_str(", kv of an earlier layer")?,
        KeysAndValues::KeysAsValues => write!(f, ", {} k as v", attention.kv_heads)?,
        KeysAndValues::Projected if attention.kv_heads != attention.heads => write!(f, ", {} kv", attention.kv_heads)?,
        KeysAndValues::Projected => {}
    }
    if let Some(routed) = attention.routed {
        write!(f, ", {} of {} experts", routed.top_k, routed.experts)?;
    }
    show_span(attention.span, f)
}

fn show_latent_attention(attention: &LatentAttention, f: &mut Formatter<'_>) -> fmt::Result {
    let LatentAttention { heads, kv_rank, nope_dim, rope_dim, value_dim, .. } = attention;
    write!(f, "latent attention {heads} × {nope_dim} + {rope_dim} and {value_dim}, rank {kv_rank}")?;
    if let Some(rank) = attention.query_rank {
        write!(f, ", query rank {rank}")?;
    }
    if let Some(indexer) = attention.indexer {
        write!(f, ", indexer {} × {}", indexer.heads, indexer.head_dim)?;
    }
    show_span(attention.span, f)
}

fn show_compressed_attention(attention: &CompressedAttention, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "attention {} × {}, window {}", attention.heads, attention.head_dim, attention.window)?;
    match attention.compression {
        Compression::None => Ok(()),
        Compression::All { ratio } => write!(f, " and 1 in {ratio}"),
        Compression::Indexed { ratio, top_k, .. } => write!(f, " and the best {top_k} of 1 in {ratio}"),
    }
}

fn show_experts(experts: &Experts, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "experts {} of {} × {}", experts.top_k, experts.count, shape(experts.expert))?;
    if let Some(latent) = experts.latent {
        write!(f, ", at {latent}")?;
    }
    if let Some(shared) = experts.shared {
        write!(f, ", {} shared × {}", shared.count, shared.expert.width)?;
    }
    Ok(())
}
