//! What a line of the ledger is.

use std::fmt;

macro_rules! components {
    ($($(#[doc = $doc:literal])+ $variant:ident, $name:literal, $group:ident;)+) => {
        /// What an operation is part of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
        #[non_exhaustive]
        pub enum Component {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Component {
            /// Every component, roughly in the order of a forward pass.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its name, as the account prints it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The coarser part of the model it belongs to.
            #[must_use]
            pub const fn group(self) -> Group {
                match self {
                    $(Self::$variant => Group::$group,)+
                }
            }
        }
    };
}

components! {
    /// The table of token embeddings: a lookup.
    Embedding, "embedding", Embedding;
    /// The table of learned positions: a lookup.
    Positions, "positions", Embedding;
    /// The table of token types (segments): a lookup.
    TokenTypes, "token types", Embedding;
    /// The table of embeddings that each layer has of its own: a lookup.
    PerLayerEmbedding, "per-layer embedding", Embedding;
    /// Hidden → what is added to the embeddings that each layer has of its own.
    PerLayerProjection, "per-layer projection", Other;
    /// The projection between an embedding width and the hidden size, on either end.
    EmbeddingProjection, "embedding projection", Other;
    /// Two streams → one, at the entry of a multi-token prediction module.
    MtpProjection, "MTP projection", Mtp;
    /// The three norms that a multi-token prediction module has beside those of its layer.
    MtpNorm, "MTP norm", Norms;
    /// A norm of the hidden stream.
    Norm, "norm", Norms;
    /// The residual streams → how a block reads, mixes and writes them.
    HyperConnection, "hyper-connection", Other;
    /// Input → queries.
    QueryProjection, "query projection", Attention;
    /// Input → query latent (latent attention).
    QueryDown, "query down", Attention;
    /// Query latent → queries (latent attention).
    QueryUp, "query up", Attention;
    /// Input → keys.
    KeyProjection, "key projection", Attention;
    /// Input → values.
    ValueProjection, "value projection", Attention;
    /// Input → key-value latent and the rotary part of the keys (latent attention).
    KeyValueDown, "key-value down", Attention;
    /// Key-value latent → keys and values (latent attention).
    KeyValueUp, "key-value up", Attention;
    /// The norm of a query or key-value latent.
    LatentNorm, "latent norm", Norms;
    /// A norm of queries and keys.
    QueryKeyNorm, "query-key norm", Norms;
    /// A learned bias on the scores by distance, one per bucket and head.
    PositionBias, "position bias", Attention;
    /// Input → a score for every expert that heads belong to.
    AttentionRouter, "attention router", Router;
    /// Input → compressed keys and their weights, with the bias of each position (compressed attention).
    Compressor, "compressor", Attention;
    /// Query latent → queries of the indexer.
    IndexerQuery, "indexer query", Indexer;
    /// Input → the keys of the indexer, compressed or not.
    IndexerKey, "indexer key", Indexer;
    /// Input → the weight of each head of the indexer.
    IndexerWeights, "indexer weights", Indexer;
    /// The norm of the indexer's keys.
    IndexerNorm, "indexer norm", Norms;
    /// Queries × keys of the indexer and the weighted sum over its heads, per pair.
    IndexerScores, "indexer scores", Indexer;
    /// Queries × keys, per pair.
    AttentionScores, "attention scores", AttentionCore;
    /// The softmax of the scores, per pair: 3 operations per head.
    AttentionSoftmax, "attention softmax", AttentionCore;
    /// Probabilities × values, per pair.
    AttentionValues, "attention values", AttentionCore;
    /// Learned sinks, one per query head.
    AttentionSinks, "attention sinks", Attention;
    /// Input → the gate on the heads' output.
    AttentionGate, "attention gate", Attention;
    /// Heads → a latent per group of heads (compressed attention).
    OutputDown, "output down", Attention;
    /// Heads, or their latents → hidden.
    OutputProjection, "output projection", Attention;
    /// Input → what a recurrent mixer takes in.
    MixerInput, "mixer input", Mixer;
    /// The short convolution of a mixer, each channel by itself.
    Convolution, "convolution", Mixer;
    /// What drives the state of a mixer: its gates, and in Mamba B, C and the time step's latent.
    StateProjection, "state projection", Mixer;
    /// The latent of Mamba's time step → the time step of every channel.
    TimeStep, "time step", Mixer;
    /// What a mixer holds beside matrices: A, D, the bias of the time step.
    StateParameters, "state parameters", Mixer;
    /// The recurrence of a mixer, token by token.
    Scan, "scan", Mixer;
    /// Input → the gate on a mixer's output.
    MixerGate, "mixer gate", Mixer;
    /// The norms inside a mixer.
    MixerNorm, "mixer norm", Norms;
    /// The channels of a mixer → hidden.
    MixerOutput, "mixer output", Mixer;
    /// The up projection of a dense feed-forward, and its gate.
    FeedForwardUp, "feed-forward up", FeedForward;
    /// The down projection of a dense feed-forward.
    FeedForwardDown, "feed-forward down", FeedForward;
    /// Hidden → a score for every expert.
    Router, "router", Router;
    /// Hidden → the latent width that the experts work at.
    LatentDown, "latent down", Other;
    /// The up projection of the routed experts, and its gate.
    ExpertUp, "expert up", Experts;
    /// The down projection of the routed experts.
    ExpertDown, "expert down", Experts;
    /// The latent width that the experts work at → hidden.
    LatentUp, "latent up", Other;
    /// The up projection of the shared experts, and its gate.
    SharedExpertUp, "shared expert up", SharedExperts;
    /// The down projection of the shared experts.
    SharedExpertDown, "shared expert down", SharedExperts;
    /// Hidden → 1, the gate on a shared expert's output.
    SharedExpertGate, "shared expert gate", SharedExperts;
    /// A matrix of no other kind.
    Linear, "linear", Other;
    /// Hidden → hidden in front of the LM head (BERT).
    HeadTransform, "head transform", LmHead;
    /// Hidden → a score for every token.
    LmHead, "LM head", LmHead;
}

impl Component {
    /// Whether a matrix or weights in a layer may be part of it: not of what stands around the layers once, whose lines
    /// say what is tied and what is a table, and not of what is done per pair.
    pub(crate) const fn takes_matrices(self) -> bool {
        !matches!(self.group(), Group::Embedding | Group::AttentionCore | Group::Mtp | Group::LmHead)
            && !matches!(self, Self::MtpNorm | Self::IndexerScores)
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A part of the model, as parameter counts are usually broken down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Group {
    /// Token embeddings and learned positions.
    Embedding,
    /// The projections, biases, sinks and gates of attention.
    Attention,
    /// Scores, softmax and values.
    AttentionCore,
    /// The indexer that chooses the keys of sparse attention.
    Indexer,
    /// Recurrent mixers and short convolutions.
    Mixer,
    /// Dense feed-forward blocks.
    FeedForward,
    /// Routers.
    Router,
    /// Routed experts.
    Experts,
    /// Shared experts and their gates.
    SharedExperts,
    /// All norms, those of queries, keys, latents and mixers included.
    Norms,
    /// The projections of multi-token prediction.
    Mtp,
    /// Projections that belong to none of the others.
    Other,
    /// The LM head.
    LmHead,
}

impl Group {
    /// Every part.
    pub const ALL: &[Self] = &[
        Self::Embedding,
        Self::Attention,
        Self::AttentionCore,
        Self::Indexer,
        Self::Mixer,
        Self::FeedForward,
        Self::Router,
        Self::Experts,
        Self::SharedExperts,
        Self::Norms,
        Self::Mtp,
        Self::Other,
        Self::LmHead,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_is_of_a_listed_group() {
        assert!(Component::ALL.iter().all(|component| Group::ALL.contains(&component.group())));
        assert!(Group::ALL.iter().all(|group| Component::ALL.iter().any(|component| component.group() == *group)));
    }
}
