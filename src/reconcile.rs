//! From one claim to another, step by step.

mod show;
mod walk;

pub(crate) use walk::claims;

use crate::convention::{Axis, Convention};
use crate::error::{Cause, Class};
use crate::{Batch, Component, FlopCount, FlopRate, Ledger, Pace, Precision, Recipe, Result, Utilization};

/// What each input contributes to the difference between two claims, one input changed at a time.
///
/// The steps of a convention follow [`Convention::walk`]: one axis at a time, in a fixed order. In FLOPs the steps sum
/// to the whole difference exactly, in percentage points to 1e-12, and the way back sums to its opposite. What one step
/// contributes depends on those before it, so the order is fixed.
///
/// It displays as a table, with the FLOPs per token, and where the claims have them FLOP/s per device and percentage
/// points of MFU. It is made by [`Claim::reconcile`](crate::Claim::reconcile), or for conventions alone by
/// [`Ledger::reconcile`]:
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{Batch, Convention, catalog};
///
/// let ledger = catalog::find("deepseek-v3")?.architecture()?.ledger()?;
/// let steps = ledger.reconcile(
///     Convention::DEEPSEEK_2025_FULL,
///     Convention::DEEPSEEK_2025_CAUSAL,
///     Batch::uniform(1, 4_096),
/// )?;
/// // One axis: half of the square. 280.5 against 249.8 GFLOP per token, 43.73 against 38.94 %.
/// assert_eq!(steps.steps().len(), 1);
/// println!("{steps}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reconciliation {
    from: Convention,
    to: Convention,
    start: Standing,
    steps: Vec<Step>,
}

/// One input changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// What changed.
    pub change: Change,
    /// Where the claim stood before.
    pub before: Standing,
    /// Where it stands after.
    pub after: Standing,
    /// The change of FLOPs by component, where the change is of an axis, the recipe, the architecture or the tokens;
    /// components that it leaves alone are left out.
    pub parts: Vec<(Component, i128)>,
}

/// What changed, from what to what.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// An axis of the convention.
    Axis {
        /// The axis.
        axis: Axis,
        /// The convention that the change leads to.
        convention: Convention,
    },
    /// The recipe: what is trained. (Recomputing changes no model FLOPs.)
    Recipe {
        /// The recipe before.
        from: Recipe,
        /// The recipe after.
        to: Recipe,
    },
    /// The architecture.
    Architecture,
    /// The batch: how many tokens there are, or which of them attend to which.
    Tokens {
        /// The tokens before.
        from: u128,
        /// The tokens after.
        to: u128,
    },
    /// The time, or the rate that it follows from.
    Time {
        /// The pace before.
        from: Pace,
        /// The pace after.
        to: Pace,
    },
    /// How many devices there are.
    Devices {
        /// The devices before.
        from: u64,
        /// The devices after.
        to: u64,
    },
    /// The precision of the peak, on the same device.
    Precision {
        /// The precision before.
        from: Precision,
        /// The precision after.
        to: Precision,
    },
    /// The peak of a device, on average.
    Peak {
        /// The peak before.
        from: FlopRate,
        /// The peak after.
        to: FlopRate,
    },
}

/// Where a claim stands between two steps. Neither claim need have been here, so a utilization may be above 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Standing {
    /// The tokens of the batch.
    pub tokens: u128,
    /// Its training FLOPs.
    pub training: FlopCount,
    /// Model FLOP/s of each device; `None` where the claims say no pace.
    pub flops_per_second_per_device: Option<FlopRate>,
    /// The utilization; `None` where not both claims say a pace and peaks.
    pub mfu: Option<Utilization>,
}

/// Two claims that no step leads from one to the other.
#[derive(Debug, thiserror::Error)]
#[error("not the same basis: {0}")]
struct NotTheSameBasis(String);

impl Cause for NotTheSameBasis {
    const CLASS: Class = Class::NotApplicable;
}

impl Reconciliation {
    /// Where the first claim stands.
    #[must_use]
    pub const fn start(&self) -> Standing {
        self.start
    }

    /// The steps, in order, those that change no figure included.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Where the second claim stands.
    #[must_use]
    pub fn end(&self) -> Standing {
        self.steps.last().map_or(self.start, |step| step.after)
    }
}

impl Step {
    /// The change of the batch's training FLOPs.
    #[must_use]
    pub fn flops(&self) -> i128 {
        // Made from counts that fit.
        difference(self.after.training, self.before.training).unwrap_or_default()
    }

    /// The change of the utilization in percentage points, where the claims have one.
    #[must_use]
    pub fn percentage_points(&self) -> Option<f64> {
        Some(self.after.mfu?.as_percent() - self.before.mfu?.as_percent())
    }
}

impl Standing {
    /// Training FLOPs per token; `None` without tokens.
    #[must_use]
    pub fn training_flops_per_token(&self) -> Option<f64> {
        (self.tokens > 0).then(|| self.training.as_f64() / self.tokens as f64)
    }
}

impl Ledger {
    /// From one convention to another over a batch, one axis at a time.
    ///
    /// # Errors
    ///
    /// As [`cost`](Self::cost) and [`Cost::count`](crate::Cost::count).
    pub fn reconcile<'b>(
        &self,
        from: Convention,
        to: Convention,
        batch: impl Into<Batch<'b>>,
    ) -> Result<Reconciliation> {
        walk::conventions(self, from, to, batch.into())
    }

    /// What a utilization that was published under one convention is under another, for the same run: the batch gives
    /// the lengths of the sequences, and its size does not matter.
    ///
    /// # Formula
    ///
    /// `MFU · FLOPs(to) / FLOPs(from)`. Where the other convention counts much more than is done, the result may be
    /// above 1: it is what that rule would print.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Batch, Convention, Utilization, catalog};
    ///
    /// let ledger = catalog::find("deepseek-v3")?.ledger()?;
    /// let (full, causal) = (Convention::DEEPSEEK_2025_FULL, Convention::DEEPSEEK_2025_CAUSAL);
    /// let published = Utilization::from_percent(43.73)?;
    /// let converted = ledger.convert(published, full, causal, Batch::uniform(1, 4_096))?;
    /// assert_eq!(converted.to_string(), "38.94 %");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`cost`](Self::cost) and [`Cost::count`](crate::Cost::count), and if the first convention counts no FLOPs of
    /// this batch.
    pub fn convert<'b>(
        &self,
        mfu: Utilization,
        from: Convention,
        to: Convention,
        batch: impl Into<Batch<'b>>,
    ) -> Result<Utilization> {
        let batch = batch.into();
        let counted = |convention| Ok::<_, crate::Error>(self.cost(convention)?.count(batch)?.training.as_f64());
        let [from_flops, to_flops] = [counted(from)?, counted(to)?];
        if from_flops <= 0.0 {
            return Err(NotTheSameBasis(format!("{from} counts nothing of this batch")).into());
        }
        Utilization::from_fraction(mfu.as_fraction() * (to_flops / from_flops))
    }
}

/// A difference of counts, both of which must fit in 127 bits.
fn difference(after: FlopCount, before: FlopCount) -> Result<i128> {
    let signed = |count: FlopCount| i128::try_from(count.get()).ok();
    let difference = signed(after).zip(signed(before)).and_then(|(after, before)| after.checked_sub(before));
    crate::exact::fits(difference, "the difference of two counts")
}
