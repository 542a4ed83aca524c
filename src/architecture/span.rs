//! Which keys a query sees.

use std::fmt;

/// Which keys a query sees: the shape of the attention mask.
///
/// A window, a chunk or a choice of keys that hides no key of a sequence is counted as if it were [`Span::Causal`],
/// whatever the convention. The closed forms are in [`Batch`](crate::Batch).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Span {
    /// Every key up to the query itself.
    #[default]
    Causal,
    /// Every key of the sequence.
    Bidirectional,
    /// The last so many keys, the query's own included.
    Window(u64),
    /// The keys of the query's own chunk, up to the query itself; chunks tile the sequence from its start.
    Chunk(u64),
    /// So many keys of all up to the query itself, chosen by an indexer.
    TopK(u64),
    /// Every key of the source, which an encoder made.
    Cross,
    /// One compressed key for every `ratio` tokens up to the query itself, at most `top_k` of them where an indexer
    /// chooses.
    Compressed {
        /// Tokens per compressed key.
        ratio: u64,
        /// The most compressed keys that a query sees, if there is a limit.
        top_k: Option<u64>,
    },
}

impl Span {
    /// The fields that must not be 0.
    pub(crate) const fn widths(self) -> [(&'static str, Option<u64>); 2] {
        match self {
            Self::Window(width) | Self::Chunk(width) => [("the width of a window or chunk", Some(width)), ("", None)],
            Self::TopK(top_k) => [("indexer top_k", Some(top_k)), ("", None)],
            Self::Compressed { ratio, top_k } => [("compression ratio", Some(ratio)), ("indexer top_k", top_k)],
            Self::Causal | Self::Bidirectional | Self::Cross => [("", None), ("", None)],
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Causal => f.write_str("causal"),
            Self::Bidirectional => f.write_str("bidirectional"),
            Self::Window(width) => write!(f, "window {width}"),
            Self::Chunk(width) => write!(f, "chunk {width}"),
            Self::TopK(top_k) => write!(f, "top {top_k}"),
            Self::Cross => f.write_str("cross"),
            Self::Compressed { ratio, top_k: None } => write!(f, "1 in {ratio}"),
            Self::Compressed { ratio, top_k: Some(top_k) } => write!(f, "1 in {ratio}, top {top_k}"),
        }
    }
}
