//! What a batch costs.

use super::Flops;
use crate::convention::Convention;
use crate::error::NotApplicable;
use crate::exact::Exact;
use crate::{Fleet, FlopCount, Pace, Recipe, Report, Result};

/// What a batch costs under one convention and recipe: exact, and additive.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{Batch, Convention, catalog};
///
/// let cost = catalog::find("deepseek-v3")?.cost(Convention::DEEPSEEK_2025_CAUSAL)?;
/// let step = cost.count(Batch::uniform(15_360, 4_096))?;
/// assert_eq!(step.tokens, 62_914_560);
/// assert_eq!(step.training.get(), 62_914_560 * 249_811_304_448);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Count {
    /// Tokens computed; cached ones are none of them.
    #[cfg_attr(feature = "serde", serde(with = "crate::decimal"))]
    pub tokens: u128,
    /// FLOPs of one forward pass.
    pub forward: FlopCount,
    /// Model FLOPs of a training step, forward and backward: the numerator of MFU.
    pub training: FlopCount,
    /// Model FLOPs and what was recomputed: the numerator of HFU.
    pub hardware: FlopCount,
    /// The convention they were counted under.
    pub convention: Convention,
    /// The recipe they were counted for.
    pub recipe: Recipe,
    /// Of the training FLOPs, those of the attention core. A report looks there when the figure is impossible.
    core: FlopCount,
    /// Of the training FLOPs, those charged for parameters that the token does not touch.
    idle: FlopCount,
}

impl Count {
    pub(super) const fn new(
        tokens: u128,
        total: Flops,
        core: u128,
        idle: u128,
        (convention, recipe): (Convention, Recipe),
    ) -> Self {
        Self {
            tokens,
            forward: FlopCount::new(total.forward),
            training: FlopCount::new(total.training),
            hardware: FlopCount::new(total.hardware),
            convention,
            recipe,
            core: FlopCount::new(core),
            idle: FlopCount::new(idle),
        }
    }

    /// Both batches together.
    ///
    /// # Errors
    ///
    /// If they were counted under different conventions or recipes, or the sum overflows.
    pub fn checked_add(self, other: Self) -> Result<Self> {
        if (self.convention, self.recipe) != (other.convention, other.recipe) {
            let name = |count: &Self| format!("{} ({})", count.convention.label(), count.recipe.recompute);
            return Err(NotApplicable::UnlikeCounts { left: name(&self), right: name(&other) }.into());
        }
        Ok(Self {
            tokens: self.tokens.plus(other.tokens, "tokens")?,
            forward: self.forward.checked_add(other.forward)?,
            training: self.training.checked_add(other.training)?,
            hardware: self.hardware.checked_add(other.hardware)?,
            core: self.core.checked_add(other.core)?,
            idle: self.idle.checked_add(other.idle)?,
            ..self
        })
    }

    /// Training FLOPs per token, averaged over the batch; `None` without tokens.
    #[must_use]
    pub fn training_per_token(&self) -> Option<f64> {
        (self.tokens > 0).then(|| self.training.as_f64() / self.tokens as f64)
    }

    /// Of the training FLOPs, those of the attention core.
    #[must_use]
    pub const fn attention_core(&self) -> FlopCount {
        self.core
    }

    pub(crate) const fn idle(&self) -> FlopCount {
        self.idle
    }

    /// How well a fleet was used that computed this count at that pace: usually the [`Duration`](std::time::Duration) of the step.
    ///
    /// # Formula
    ///
    /// `MFU = training FLOPs ÷ (seconds × Σ devices × peak)`.
    ///
    /// # Errors
    ///
    /// If the pace is zero, no device or no token was given, or the utilization is above 1, which is impossible; the message then
    /// ranks the inputs to suspect.
    pub fn utilization(&self, pace: impl Into<Pace>, fleet: &Fleet) -> Result<Report> {
        Report::new(*self, pace.into(), fleet.clone())
    }
}
