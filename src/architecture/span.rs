//! Which keys a query sees.

use std::fmt;

/// Which keys a query sees: the shape of the attention mask.
///
/// A window or a chunk that hides no key of a sequence is counted as if it were [`Span::Causal`], whatever the
/// convention. The closed forms are in [`Batch`](crate::Batch).
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
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Causal => f.write_str("causal"),
            Self::Bidirectional => f.write_str("bidirectional"),
            Self::Window(width) => write!(f, "window {width}"),
            Self::Chunk(width) => write!(f, "chunk {width}"),
        }
    }
}
