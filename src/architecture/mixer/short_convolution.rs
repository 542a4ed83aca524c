//! A gated short convolution.

/// A gated short convolution, as in LFM2: three streams of the hidden size, of which one is convolved between two
/// gates.
///
/// # Formula
///
/// Projections: `h·3h` in and `h·h` out; convolution: `K·h`. No state beyond the last `K − 1` tokens, and no scan. `h`
/// the hidden size, `K` the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ShortConvolution {
    pub(crate) kernel: u64,
    pub(crate) bias: bool,
}

impl ShortConvolution {
    /// With a kernel of so many tokens.
    #[must_use]
    pub const fn new(kernel: u64) -> Self {
        Self { kernel, bias: false }
    }

    /// A bias on both projections and on the convolution.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn bias(self) -> Self {
        Self { bias: true, ..self }
    }

    pub(crate) const fn widths(self) -> [(&'static str, Option<u64>); 1] {
        [("convolution kernel", Some(self.kernel))]
    }
}
