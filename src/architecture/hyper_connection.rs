//! Hyper-connections: several residual streams instead of one.

/// How one block reads and writes several residual streams (mHC, in DeepSeek-V4). It stands beside the block that it
/// serves.
///
/// # Formula
///
/// `n·h·(n² + 2n)` parameters in the matrix that says how the streams are read, mixed and written, `n² + 2n` biases and
/// 3 scales; `2·n·h·(n² + 2n)` forward FLOPs per token for it, and `2·n²·h` for the mixing of the streams, which holds
/// nothing. `n` streams, `h` the hidden size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct HyperConnection {
    pub(crate) streams: u64,
}

impl HyperConnection {
    /// Over so many residual streams.
    #[must_use]
    pub const fn new(streams: u64) -> Self {
        Self { streams }
    }

    pub(super) const fn widths(self) -> [(&'static str, Option<u64>); 1] {
        [("residual streams", Some(self.streams))]
    }
}
