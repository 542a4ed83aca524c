//! Mamba and Mamba-2.

use super::super::Invalid;

/// Mamba's selective state space.
///
/// # Formula
///
/// Projections: `h·2I` (input and gate), `I·(R + 2N)` (time step, B, C), `R·I` (time step, with a bias), `I·h`
/// (output); convolution: `K·I`; `I·N + I` for A and D. Scan, per token: `7·I·N`: for each channel and entry of its
/// state, Δ·A, Δ·x times B (2), the decay and its sum (2), and the product with C (2); exponentials and the skip by D
/// are elementwise. This is Megatron-LM's rule for Mamba-2, whose recurrence is the same.
///
/// `h` hidden size, `I` inner width, `N` state, `R` the rank of the time step, `K` the kernel. Source: Mamba, arXiv
/// 2312.00752, section 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Mamba {
    pub(crate) inner: u64,
    pub(crate) state: u64,
    pub(crate) kernel: u64,
    pub(crate) time_step_rank: u64,
    pub(crate) bias: bool,
    pub(crate) conv_bias: bool,
    pub(crate) norms: bool,
}

impl Mamba {
    /// `inner` channels with a state of `state` each.
    #[must_use]
    pub const fn new(inner: u64, state: u64, kernel: u64, time_step_rank: u64) -> Self {
        Self { inner, state, kernel, time_step_rank, bias: false, conv_bias: false, norms: false }
    }

    /// A bias on the input and output projections. That of the time step has one always.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn bias(self) -> Self {
        Self { bias: true, ..self }
    }

    /// A bias on the convolution.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn conv_bias(self) -> Self {
        Self { conv_bias: true, ..self }
    }

    /// Norms with weights on time step, B and C, as in Jamba.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn norms(self) -> Self {
        Self { norms: true, ..self }
    }

    pub(crate) const fn widths(self) -> [(&'static str, Option<u64>); 4] {
        [
            ("inner width", Some(self.inner)),
            ("state", Some(self.state)),
            ("convolution kernel", Some(self.kernel)),
            ("time_step_rank", Some(self.time_step_rank)),
        ]
    }
}

/// Mamba-2's selective state space, whose channels share a decay per head.
///
/// # Formula
///
/// With `I = H·P`: projections `h·(2I + 2GN + H)` (input, gate, B, C, time step) and `I·h` (output); convolution:
/// `K·(I + 2GN)`; `3H` for A, D and the bias of the time step; a gated norm of `I`, if there is one. Scan, per token:
/// `7·I·N`, as Megatron-LM counts it; [`Mamba`] says what the seven are.
///
/// `h` hidden size, `H` heads, `P` their width, `N` state, `G` groups that share B and C, `K` the kernel. Source:
/// Mamba-2, arXiv 2405.21060, section 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[expect(clippy::struct_excessive_bools, reason = "parts that are there or not, each by itself")]
pub struct Mamba2 {
    pub(crate) heads: u64,
    pub(crate) head_dim: u64,
    pub(crate) state: u64,
    pub(crate) groups: u64,
    pub(crate) kernel: Option<u64>,
    pub(crate) input_bias: bool,
    pub(crate) output_bias: bool,
    pub(crate) conv_bias: bool,
    pub(crate) norm: bool,
}

impl Mamba2 {
    /// `heads` heads, `head_dim` wide, with a state of `state` per channel; `groups` groups of heads share B and C.
    #[must_use]
    pub const fn new(heads: u64, head_dim: u64, state: u64, groups: u64, kernel: u64) -> Self {
        Self {
            heads,
            head_dim,
            state,
            groups,
            kernel: Some(kernel),
            input_bias: false,
            output_bias: false,
            conv_bias: false,
            norm: false,
        }
    }

    /// A bias on both projections.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn bias(self) -> Self {
        self.input_bias().output_bias()
    }

    /// A bias on the input projection.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn input_bias(self) -> Self {
        Self { input_bias: true, ..self }
    }

    /// A bias on the output projection.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn output_bias(self) -> Self {
        Self { output_bias: true, ..self }
    }

    /// No convolution, as in Mamba-3.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn without_convolution(self) -> Self {
        Self { kernel: None, conv_bias: false, ..self }
    }

    /// A bias on the convolution.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn conv_bias(self) -> Self {
        Self { conv_bias: true, ..self }
    }

    /// A norm, gated by the input, in front of the output projection.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn norm(self) -> Self {
        Self { norm: true, ..self }
    }

    pub(crate) fn check(self) -> Result<(), Invalid> {
        if self.heads.checked_rem(self.groups) != Some(0) {
            let (value, divisor) = (self.heads, self.groups);
            return Err(Invalid::NotMultiple { field: "heads", value, of: "groups", divisor });
        }
        if self.kernel.is_none() && self.conv_bias {
            return Err(Invalid::BiasWithoutConvolution);
        }
        Ok(())
    }

    pub(crate) const fn widths(self) -> [(&'static str, Option<u64>); 5] {
        [
            ("heads", Some(self.heads)),
            ("head_dim", Some(self.head_dim)),
            ("state", Some(self.state)),
            ("groups", Some(self.groups)),
            ("convolution kernel", self.kernel),
        ]
    }
}
