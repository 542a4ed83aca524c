//! One block of a layer, of any kind.

use super::{
    Attention, CompressedAttention, Experts, FeedForward, GatedDeltaNet, HyperConnection, Invalid, KimiDeltaAttention,
    LatentAttention, LightningAttention, Linear, Mamba, Mamba2, Norm, ShortConvolution, Span, Weights,
};

/// One block of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Block {
    /// A norm.
    Norm(Norm),
    /// Softmax attention.
    Attention(Attention),
    /// Multi-head latent attention.
    LatentAttention(LatentAttention),
    /// Attention to a window and to compressed keys.
    CompressedAttention(CompressedAttention),
    /// A selective state space.
    Mamba(Mamba),
    /// A selective state space with heads.
    Mamba2(Mamba2),
    /// A gated delta rule.
    GatedDeltaNet(GatedDeltaNet),
    /// A delta rule with a gate per channel.
    KimiDeltaAttention(KimiDeltaAttention),
    /// Linear attention with a fixed decay.
    LightningAttention(LightningAttention),
    /// A gated short convolution.
    ShortConvolution(ShortConvolution),
    /// A dense feed-forward block.
    FeedForward(FeedForward),
    /// A mixture of experts.
    Experts(Experts),
    /// How a block reads and writes several residual streams.
    HyperConnection(HyperConnection),
    /// Any matrix that no other block expresses.
    Linear(Linear),
    /// Parameters that take part in no matmul.
    Weights(Weights),
    /// A block whose parameters another block holds.
    Reused(Reused),
}

impl Block {
    /// This block once more, with the parameters of an earlier one: full work, nothing held.
    #[must_use]
    pub fn reused(block: impl Into<Self>) -> Self {
        Self::Reused(Reused::from(block.into()))
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        match self {
            Self::Norm(norm) => nonzero(norm.widths()),
            Self::Attention(attention) => {
                nonzero(attention.widths())?;
                attention.check()
            }
            Self::LatentAttention(attention) => {
                nonzero(attention.widths())?;
                attention.check()
            }
            Self::CompressedAttention(attention) => {
                nonzero(attention.widths())?;
                attention.check()
            }
            Self::Mamba(mixer) => nonzero(mixer.widths()),
            Self::Mamba2(mixer) => {
                nonzero(mixer.widths())?;
                mixer.check()
            }
            Self::GatedDeltaNet(mixer) => {
                nonzero(mixer.widths())?;
                mixer.check()
            }
            Self::KimiDeltaAttention(mixer) => nonzero(mixer.widths()),
            Self::LightningAttention(mixer) => nonzero(mixer.widths()),
            Self::ShortConvolution(mixer) => nonzero(mixer.widths()),
            Self::FeedForward(feed_forward) => nonzero(feed_forward.widths("feed-forward width")),
            Self::Experts(experts) => {
                nonzero(experts.widths())?;
                experts.check()
            }
            Self::HyperConnection(connection) => nonzero(connection.widths()),
            Self::Linear(linear) => {
                nonzero(linear.widths())?;
                linear.check()
            }
            Self::Weights(weights) => {
                nonzero(weights.widths())?;
                weights.check()
            }
            Self::Reused(reused) => reused.block().check(),
        }
    }

    /// The norm that this block is, or uses again.
    pub(super) fn norm(&self) -> Option<Norm> {
        match self {
            Self::Norm(norm) => Some(*norm),
            Self::Reused(reused) => reused.0.norm(),
            _ => None,
        }
    }

    pub(super) fn norm_mut(&mut self) -> Option<&mut Norm> {
        match self {
            Self::Norm(norm) => Some(norm),
            Self::Reused(reused) => reused.0.norm_mut(),
            _ => None,
        }
    }

    /// This block, or the one that it uses again.
    pub(super) fn itself_mut(&mut self) -> &mut Self {
        match self {
            Self::Reused(reused) => reused.0.itself_mut(),
            block => block,
        }
    }

    /// Whether this block attends to a source.
    pub(super) fn reads_source(&self) -> bool {
        match self {
            Self::Attention(attention) => attention.span == Span::Cross,
            // No call makes such a one, and a record may hold it.
            Self::LatentAttention(attention) => attention.span == Span::Cross,
            Self::Reused(reused) => reused.0.reads_source(),
            _ => false,
        }
    }

    /// Makes this block one of an encoder. A block that says nothing of what it sees sees everything; one that hides
    /// keys is not an encoder's. A mixer that has no attention runs as it does in a decoder.
    pub(super) fn see_whole_sequence(&mut self) -> Result<(), Invalid> {
        let span = match self {
            Self::Attention(attention) => &mut attention.span,
            Self::LatentAttention(attention) => &mut attention.span,
            Self::CompressedAttention(attention) => return Err(Invalid::SpanInEncoder { span: attention.window() }),
            Self::Reused(reused) => return reused.0.see_whole_sequence(),
            _ => return Ok(()),
        };
        match *span {
            Span::Causal | Span::Bidirectional => {
                *span = Span::Bidirectional;
                Ok(())
            }
            Span::Cross => Err(Invalid::CrossInEncoder),
            span => Err(Invalid::SpanInEncoder { span }),
        }
    }
}

fn nonzero(widths: impl IntoIterator<Item = (&'static str, Option<u64>)>) -> Result<(), Invalid> {
    match widths.into_iter().find(|(_, width)| *width == Some(0)) {
        Some((field, _)) => Err(Invalid::Zero { field }),
        None => Ok(()),
    }
}

/// A block used here whose parameters are held elsewhere; made by [`Block::reused`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(from = "Block"))]
pub struct Reused(Box<Block>);

/// A block reused twice is a block reused.
impl From<Block> for Reused {
    fn from(block: Block) -> Self {
        match block {
            Block::Reused(reused) => reused,
            block => Self(Box::new(block)),
        }
    }
}

impl Reused {
    /// The block that is used again.
    #[must_use]
    pub fn block(&self) -> &Block {
        &self.0
    }
}

macro_rules! into_block {
    ($($kind:ident),* $(,)?) => {$(
        impl From<$kind> for Block {
            fn from(block: $kind) -> Self {
                Self::$kind(block)
            }
        }
    )*};
}

into_block!(
    Norm,
    Attention,
    LatentAttention,
    CompressedAttention,
    Mamba,
    Mamba2,
    GatedDeltaNet,
    KimiDeltaAttention,
    LightningAttention,
    ShortConvolution,
    FeedForward,
    Experts,
    HyperConnection,
    Linear,
    Weights,
    Reused,
);
