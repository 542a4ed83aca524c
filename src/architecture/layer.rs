//! A layer: blocks in order.

use super::{Attention, Experts, FeedForward, Invalid, LatentAttention, Norm, Span};

/// One layer of a model: its blocks, in order.
///
/// ```
/// use mfu::{Attention, Block, FeedForward, Layer, Norm};
///
/// // Llama: a norm before the attention and one before the feed-forward.
/// let llama = Layer::pre_norm(Attention::grouped(32, 8, 128), FeedForward::gated(14_336));
/// assert_eq!(llama.blocks().len(), 4);
///
/// // The same, written out.
/// let by_hand = Layer::new()
///     .with(Norm::rms())
///     .with(Attention::grouped(32, 8, 128))
///     .with(Norm::rms())
///     .with(FeedForward::gated(14_336));
/// assert_eq!(llama, by_hand);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Layer(Vec<Block>);

impl Layer {
    /// A layer without blocks.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// A norm before each of the two blocks, as in Llama.
    #[must_use]
    pub fn pre_norm(mixer: impl Into<Block>, feed_forward: impl Into<Block>) -> Self {
        Self(vec![Norm::rms().into(), mixer.into(), Norm::rms().into(), feed_forward.into()])
    }

    /// A norm after each of the two blocks, as in BERT and OLMo 2.
    #[must_use]
    pub fn post_norm(mixer: impl Into<Block>, feed_forward: impl Into<Block>) -> Self {
        Self(vec![mixer.into(), Norm::rms().into(), feed_forward.into(), Norm::rms().into()])
    }

    /// A norm before and after each of the two blocks, as in Gemma 2.
    #[must_use]
    pub fn sandwich_norm(mixer: impl Into<Block>, feed_forward: impl Into<Block>) -> Self {
        let norm = || Block::from(Norm::rms());
        Self(vec![norm(), mixer.into(), norm(), norm(), feed_forward.into(), norm()])
    }

    /// Both blocks read the output of one norm, as in PaLM.
    #[must_use]
    pub fn parallel(mixer: impl Into<Block>, feed_forward: impl Into<Block>) -> Self {
        Self(vec![Norm::rms().into(), mixer.into(), feed_forward.into()])
    }

    /// One more block at the end.
    #[must_use = "the layer is returned, not changed in place"]
    pub fn with(mut self, block: impl Into<Block>) -> Self {
        self.0.push(block.into());
        self
    }

    /// Every norm block of this layer becomes `norm`.
    #[must_use = "the layer is returned, not changed in place"]
    pub fn with_norms(mut self, norm: Norm) -> Self {
        for each in self.0.iter_mut().filter_map(Block::norm_mut) {
            *each = norm;
        }
        self
    }

    /// The blocks, in order.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.0
    }

    /// A norm of the kind of its last one, over the whole hidden size.
    pub(crate) fn last_norm(&self) -> Option<Norm> {
        self.0.iter().rev().find_map(Block::norm).map(Norm::whole)
    }

    pub(super) fn blocks_mut(&mut self) -> &mut [Block] {
        &mut self.0
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        self.0.iter().try_for_each(Block::check)
    }
}

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
    /// A dense feed-forward block.
    FeedForward(FeedForward),
    /// A mixture of experts.
    Experts(Experts),
    /// Any matrix that no other block expresses.
    Linear(Linear),
    /// A block whose parameters another block holds.
    Reused(Reused),
}

impl Block {
    /// This block once more, with the parameters of an earlier one: full work, nothing held.
    #[must_use]
    pub fn reused(block: impl Into<Self>) -> Self {
        Self::Reused(Reused::from(block.into()))
    }

    fn check(&self) -> Result<(), Invalid> {
        match self {
            Self::Norm(norm) => nonzero(&norm.widths()),
            Self::Attention(attention) => {
                nonzero(&attention.widths())?;
                attention.check()
            }
            Self::LatentAttention(attention) => nonzero(&attention.widths()),
            Self::FeedForward(feed_forward) => nonzero(&feed_forward.widths("feed-forward width")),
            Self::Experts(experts) => {
                nonzero(&experts.widths())?;
                experts.check()
            }
            Self::Linear(linear) => nonzero(&linear.widths()),
            Self::Reused(reused) => reused.block().check(),
        }
    }

    /// The norm that this block is, or uses again.
    fn norm(&self) -> Option<Norm> {
        match self {
            Self::Norm(norm) => Some(*norm),
            Self::Reused(reused) => reused.0.norm(),
            _ => None,
        }
    }

    fn norm_mut(&mut self) -> Option<&mut Norm> {
        match self {
            Self::Norm(norm) => Some(norm),
            Self::Reused(reused) => reused.0.norm_mut(),
            _ => None,
        }
    }

    /// The span of this block's attention, if it has one.
    pub(super) fn span_mut(&mut self) -> Option<&mut Span> {
        match self {
            Self::Attention(attention) => Some(&mut attention.span),
            Self::LatentAttention(attention) => Some(&mut attention.span),
            Self::Reused(reused) => reused.0.span_mut(),
            Self::Norm(_) | Self::FeedForward(_) | Self::Experts(_) | Self::Linear(_) => None,
        }
    }
}

fn nonzero(widths: &[(&'static str, Option<u64>)]) -> Result<(), Invalid> {
    match widths.iter().find(|(_, width)| *width == Some(0)) {
        Some(&(field, _)) => Err(Invalid::Zero { field }),
        None => Ok(()),
    }
}

/// A matrix that every token is multiplied with: the way to express what no other block does yet.
///
/// # Formula
///
/// `inputs·outputs` parameters (and `outputs` more with a bias), `2·inputs·outputs` forward FLOPs per token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Linear {
    pub(crate) inputs: u64,
    pub(crate) outputs: u64,
    pub(crate) bias: bool,
}

impl Linear {
    /// A matrix from `inputs` to `outputs` channels.
    #[must_use]
    pub const fn new(inputs: u64, outputs: u64) -> Self {
        Self { inputs, outputs, bias: false }
    }

    /// With a bias on its outputs.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn bias(self) -> Self {
        Self { bias: true, ..self }
    }

    const fn widths(self) -> [(&'static str, Option<u64>); 2] {
        [("linear inputs", Some(self.inputs)), ("linear outputs", Some(self.outputs))]
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
    ($($kind:ident),*) => {$(
        impl From<$kind> for Block {
            fn from(block: $kind) -> Self {
                Self::$kind(block)
            }
        }
    )*};
}

into_block!(Norm, Attention, LatentAttention, FeedForward, Experts, Linear, Reused);
