//! A layer: blocks in order.

use super::{Block, Invalid, Norm};

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

    /// Whether a block of it attends to a source.
    pub(super) fn reads_source(&self) -> bool {
        self.0.iter().any(Block::reads_source)
    }

    pub(super) fn blocks_mut(&mut self) -> &mut [Block] {
        &mut self.0
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        self.0.iter().try_for_each(Block::check)
    }
}
