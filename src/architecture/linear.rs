//! What no other block expresses: a matrix, and parameters by themselves.

use super::Invalid;
use crate::Component;

/// A matrix that every token is multiplied with: the way to express what no other block does yet.
///
/// # Formula
///
/// `inputs·outputs` parameters (and `outputs` more with a bias), `2·inputs·outputs` forward FLOPs per token.
///
/// ```
/// use mfu::{Component, Linear};
///
/// // A low-rank adapter on the up projection, as a layer of its own has it in Zamba2.
/// let down = Linear::new(2_560, 128).part_of(Component::FeedForwardUp);
/// let up = Linear::new(128, 2 * 10_240).part_of(Component::FeedForwardUp);
/// # let _ = (down, up);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Linear {
    pub(crate) inputs: u64,
    pub(crate) outputs: u64,
    pub(crate) bias: bool,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub(crate) component: Option<Component>,
}

impl Linear {
    /// A matrix from `inputs` to `outputs` channels.
    #[must_use]
    pub const fn new(inputs: u64, outputs: u64) -> Self {
        Self { inputs, outputs, bias: false, component: None }
    }

    /// With a bias on its outputs.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn bias(self) -> Self {
        Self { bias: true, ..self }
    }

    /// The account shows it as this part of the model instead of [`Component::Linear`], and conventions count it as
    /// that.
    ///
    /// # Errors
    ///
    /// `build` refuses what stands around the layers (tables, multi-token prediction's own, the LM head) and what is done
    /// per pair.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn part_of(self, component: Component) -> Self {
        Self { component: Some(component), ..self }
    }

    pub(super) const fn widths(self) -> [(&'static str, Option<u64>); 2] {
        [("linear inputs", Some(self.inputs)), ("linear outputs", Some(self.outputs))]
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        self.component.map_or(Ok(()), takes_matrices)
    }
}

/// Parameters that take part in no matmul, and are no norm: the way to express what no other block holds yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Weights {
    pub(crate) count: u64,
    pub(crate) component: Component,
}

impl Weights {
    /// So many parameters of this part of the model.
    ///
    /// # Errors
    ///
    /// `build` refuses the parts that it refuses for [`Linear::part_of`].
    #[must_use]
    pub const fn new(count: u64, component: Component) -> Self {
        Self { count, component }
    }

    pub(super) const fn widths(self) -> [(&'static str, Option<u64>); 1] {
        [("the number of weights", Some(self.count))]
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        takes_matrices(self.component)
    }
}

fn takes_matrices(component: Component) -> Result<(), Invalid> {
    if component.takes_matrices() { Ok(()) } else { Err(Invalid::NotInALayer { component }) }
}
