//! What a batch costs.

use super::Flops;
use crate::convention::Convention;
use crate::error::{Cause, Class, Result};
use crate::exact::Exact;
use crate::{FlopCount, Recipe};

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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "stored::Stored"))]
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
    pub(crate) detail: Detail,
}

/// Of the training FLOPs, those of parts that a report looks at when its figure is impossible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Detail {
    /// The attention core.
    #[cfg_attr(feature = "serde", serde(rename = "attention_core", with = "crate::decimal"))]
    pub(crate) core: u128,
    /// The attention core again, where the convention may see more pairs than the masks let through: by those that
    /// they do.
    #[cfg_attr(feature = "serde", serde(with = "crate::decimal"))]
    pub(crate) masked: u128,
    /// Charged for parameters that the token does not touch.
    #[cfg_attr(feature = "serde", serde(with = "crate::decimal"))]
    pub(crate) idle: u128,
}

/// Counts that were made by different rules.
#[derive(Debug, thiserror::Error)]
#[error("counts under {left} and under {right} do not add: count both batches under one convention and recipe")]
struct UnlikeCounts {
    left: String,
    right: String,
}

impl Cause for UnlikeCounts {
    const CLASS: Class = Class::NotApplicable;
}

impl Count {
    pub(super) const fn new(
        tokens: u128,
        total: Flops,
        detail: Detail,
        (convention, recipe): (Convention, Recipe),
    ) -> Self {
        Self {
            tokens,
            forward: FlopCount::new(total.forward),
            training: FlopCount::new(total.training),
            hardware: FlopCount::new(total.hardware),
            convention,
            recipe,
            detail,
        }
    }

    /// Both batches together.
    ///
    /// # Errors
    ///
    /// If they were counted under different conventions or recipes, or the sum overflows.
    pub fn checked_add(self, other: Self) -> Result<Self> {
        if (self.convention, self.recipe) != (other.convention, other.recipe) {
            let name = |count: &Self| format!("{} ({})", count.convention.label(), count.recipe);
            return Err(UnlikeCounts { left: name(&self), right: name(&other) }.into());
        }
        let detail = |part: fn(&Detail) -> u128| part(&self.detail).plus(part(&other.detail), "training FLOPs");
        Ok(Self {
            tokens: self.tokens.plus(other.tokens, "tokens")?,
            forward: self.forward.checked_add(other.forward)?,
            training: self.training.checked_add(other.training)?,
            hardware: self.hardware.checked_add(other.hardware)?,
            detail: Detail {
                core: detail(|detail| detail.core)?,
                masked: detail(|detail| detail.masked)?,
                idle: detail(|detail| detail.idle)?,
            },
            ..self
        })
    }

    /// Training FLOPs per token, averaged over the batch; `None` without tokens.
    #[must_use]
    pub fn training_flops_per_token(&self) -> Option<f64> {
        (self.tokens > 0).then(|| self.training.as_f64() / self.tokens as f64)
    }

    /// Of the training FLOPs, those of the attention core: all that is done per pair of a query and a key, an indexer's
    /// scores included.
    #[must_use]
    pub const fn attention_core(&self) -> FlopCount {
        FlopCount::new(self.detail.core)
    }
}

/// The record of a count, as it is read: no part is more than the whole.
#[cfg(feature = "serde")]
mod stored {
    use super::{Cause, Class, Convention, Count, Detail, FlopCount, Recipe};
    use crate::Recompute;

    #[derive(Debug, thiserror::Error)]
    #[error("a count contradicts itself: {part} = {value} is above {whole} = {most}")]
    struct AboveTheWhole {
        part: &'static str,
        value: u128,
        whole: &'static str,
        most: u128,
    }

    impl Cause for AboveTheWhole {
        const CLASS: Class = Class::NotApplicable;
    }

    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Stored {
        #[serde(with = "crate::decimal")]
        tokens: u128,
        forward: FlopCount,
        training: FlopCount,
        hardware: FlopCount,
        convention: Convention,
        recipe: Recipe,
        detail: Detail,
    }

    impl TryFrom<Stored> for Count {
        type Error = crate::Error;

        fn try_from(stored: Stored) -> crate::Result<Self> {
            let Stored { tokens, forward, training, hardware, convention, recipe, detail } = stored;
            let counted_twice = detail.core.saturating_add(detail.idle);
            let unrecomputed = if recipe.recompute == Recompute::None { hardware.get() } else { 0 };
            for (part, value, whole, most) in [
                ("forward", forward.get(), "training", training.get()),
                ("training", training.get(), "hardware", hardware.get()),
                ("attention_core + idle", counted_twice, "training", training.get()),
                // What is recomputed is what the two differ by.
                ("hardware without a recompute", unrecomputed, "training", training.get()),
            ] {
                if value > most {
                    return Err(AboveTheWhole { part, value, whole, most }.into());
                }
            }
            Ok(Self { tokens, forward, training, hardware, convention, recipe, detail })
        }
    }
}
