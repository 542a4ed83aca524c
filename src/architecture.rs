//! What a model is made of.

mod attention;
mod block;
mod builder;
mod compressed_attention;
mod experts;
mod feed_forward;
mod hyper_connection;
mod latent_attention;
mod layer;
mod linear;
mod mixer;
mod mtp;
mod norm;
mod plan;
mod show;
mod span;
mod variant;

pub use attention::Attention;
pub(crate) use attention::{Gate, KeysAndValues, QkNorm, RoutedHeads};
pub use block::{Block, Reused};
pub use builder::ArchitectureBuilder;
pub use compressed_attention::CompressedAttention;
pub(crate) use compressed_attention::Compression;
pub use experts::Experts;
pub use feed_forward::FeedForward;
pub use hyper_connection::HyperConnection;
pub(crate) use latent_attention::Indexer;
pub use latent_attention::LatentAttention;
pub use layer::Layer;
pub use linear::{Linear, Weights};
pub use mixer::{GatedDeltaNet, KimiDeltaAttention, LightningAttention, Mamba, Mamba2, ShortConvolution};
pub use mtp::Mtp;
pub use norm::Norm;
pub(crate) use plan::{FinalNorm, Head, Plan, Run};
pub use span::Span;
pub use variant::Variant;

use crate::Component;
use crate::error::{Cause, Class};

/// What a model is made of: its widths, each *kind* of layer once, and the order of the layers as runs of equal ones.
///
/// An architecture is validated when it is [built](ArchitectureBuilder::build), and two that are made of the same
/// layers in the same order are equal, however their layers were grouped. Its size does not depend on the number of
/// equal layers.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{Architecture, Attention, Convention, FeedForward, Layer};
///
/// let layer = Layer::pre_norm(Attention::grouped(32, 8, 128), FeedForward::gated(14_336));
/// let llama = Architecture::decoder(4_096, 128_256).layers(32, layer).build()?;
///
/// assert_eq!(llama.ledger()?.parameters().total(), 8_030_261_248);
/// let cost = llama.cost(Convention::EXACT)?;
/// # let _ = cost;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Plan", into = "Plan"))]
pub struct Architecture(Plan);

impl Architecture {
    /// Begins a decoder: attention is causal unless a block says otherwise.
    pub fn decoder(hidden: u64, vocab: u64) -> ArchitectureBuilder {
        ArchitectureBuilder::new(hidden, vocab, false)
    }

    /// Begins an encoder: attention sees the whole sequence.
    pub fn encoder(hidden: u64, vocab: u64) -> ArchitectureBuilder {
        ArchitectureBuilder::new(hidden, vocab, true)
    }

    /// The hidden size.
    #[must_use]
    pub const fn hidden(&self) -> u64 {
        self.0.hidden
    }

    /// The vocabulary, without padding.
    #[must_use]
    pub const fn vocab(&self) -> u64 {
        self.0.vocab
    }

    /// The rows of the embedding and of the head: the vocabulary, padded if so built.
    #[must_use]
    pub const fn padded_vocab(&self) -> u64 {
        self.0.padded_vocab
    }

    /// Whether embedding and head are one tensor.
    #[must_use]
    pub const fn is_tied(&self) -> bool {
        self.0.tied
    }

    /// The number of layers of the trunk.
    #[must_use]
    pub fn depth(&self) -> u64 {
        // Building checked that the sum fits.
        self.runs().fold(0, |sum, (_, layers)| sum.wrapping_add(layers))
    }

    /// The layers of the trunk, in order, as runs of equal ones; of an encoder–decoder, those of the decoder.
    pub fn runs(&self) -> impl Iterator<Item = (&Layer, u64)> {
        self.0.runs.iter().filter_map(|run| Some((self.0.kinds.get(run.kind)?, run.layers)))
    }

    /// The layers of the encoder that reads a source, in order, as runs of equal ones; none unless the model is an
    /// encoder–decoder.
    pub fn encoder_runs(&self) -> impl Iterator<Item = (&Layer, u64)> {
        self.0.source_runs.iter().filter_map(|run| Some((self.0.kinds.get(run.kind)?, run.layers)))
    }

    /// The multi-token prediction modules, if there are any.
    #[must_use]
    pub const fn mtp(&self) -> Option<&Mtp> {
        self.0.mtp.as_ref()
    }

    pub(crate) const fn plan(&self) -> &Plan {
        &self.0
    }
}

/// Why an architecture cannot be.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Invalid {
    #[error("{cause} ({place})")]
    At { cause: Box<Self>, place: String },
    #[error("{field} is 0 and must be at least 1")]
    Zero { field: &'static str },
    #[error("{field} = {value} is not a multiple of {of} = {divisor}")]
    NotMultiple { field: &'static str, value: u64, of: &'static str, divisor: u64 },
    #[error("{field} = {value} is above {limit} = {most}")]
    Above { field: &'static str, value: u64, limit: &'static str, most: u64 },
    #[error("{field} = {value} is not {to} = {other}")]
    Unequal { field: &'static str, value: u64, to: &'static str, other: u64 },
    #[error("an indexer reads the query latent, and this attention has none: give it with `query_rank`")]
    IndexerWithoutQueryRank,
    #[error("attention to a source, and no encoder that makes one: add its layers with `encoder_layers`")]
    CrossWithoutEncoder,
    #[error("an encoder, and no layer that attends to what it makes: give one `Attention::cross`")]
    EncoderWithoutCross,
    #[error("a gate on shared experts, and none of those: give them with `shared` or `shared_experts`")]
    GateWithoutSharedExpert,
    #[error("a bias on the convolution of a mixer that has none")]
    BiasWithoutConvolution,
    #[error("no layers: add at least one with `layers`, `layer` or `repeat`")]
    NoLayers,
    #[error("the number of layers exceeds 64 bits")]
    TooManyLayers,
    #[error("more than {most} {what}: {remedy}")]
    TooMany { what: &'static str, most: usize, remedy: &'static str },
    #[error("a run names the kind of layer {kind}, and there are fewer")]
    NoSuchKind { kind: usize },
    #[error(
        "a matrix or weights in a layer cannot be part of the {component}: it is no part of a layer, or done per pair"
    )]
    NotInALayer { component: Component },
    #[error("attention to a source stands in the layers of a decoder, not in an encoder's")]
    CrossInEncoder,
    #[error("an encoder's attention sees the whole sequence, not a {span}; build it as a decoder if it is causal")]
    SpanInEncoder { span: Span },
    #[error(
        "multi-token prediction beside an embedding width: no known model has both, and where their projections meet is not known"
    )]
    MtpWithEmbeddingWidth,
    #[error(
        "multi-token prediction that attends to a source: no known model has it, and whose keys and values it would use is not known"
    )]
    MtpWithCross,
    #[error("{what} needs an LM head, and `without_head` took it away")]
    NoHead { what: &'static str },
    #[error("vocab = {vocab} has no multiple of {multiple} above it that fits in 64 bits")]
    Padding { vocab: u64, multiple: u64 },
}

impl Cause for Invalid {
    const CLASS: Class = Class::Architecture;
}
