//! A run as a convention counts it: what somebody claims.

use crate::reconcile::{self, Reconciliation};
use crate::{Convention, Count, FlopRate, Report, Result, Run};

/// A run as a convention counts it: everything that a published figure is made of, made by [`Run::under`].
///
/// Two claims are [reconciled](Self::reconcile) step by step: what of the difference between 38 % and 44 % is the rule,
/// what the model, the time, the devices, the peak.
#[derive(Clone, Debug)]
#[must_use = "a claim does nothing until it is looked at"]
pub struct Claim<'a> {
    run: Run<'a>,
    convention: Convention,
}

impl<'a> Claim<'a> {
    pub(crate) const fn new(run: Run<'a>, convention: Convention) -> Self {
        Self { run, convention }
    }

    /// What was run.
    pub const fn run(&self) -> &Run<'a> {
        &self.run
    }

    /// The convention.
    #[must_use]
    pub const fn convention(&self) -> Convention {
        self.convention
    }

    /// The FLOPs of the batch.
    ///
    /// # Errors
    ///
    /// As [`Architecture::cost`](crate::Architecture::cost) and [`Cost::count`](crate::Cost::count).
    pub fn count(&self) -> Result<Count> {
        let Run { architecture, batch, recipe, .. } = &self.run;
        architecture.ledger()?.cost_with(self.convention, *recipe)?.count(*batch)
    }

    /// Model FLOP/s of each device, on average: what tables print where they have no utilization. No peak is needed.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Batch, Convention, Pace, Run, catalog};
    ///
    /// // NVIDIA prints 736 TFLOP/s for Llama-3-70B at 1,639 tokens/s per H100.
    /// let llama = catalog::find("llama-3-70b")?.architecture()?;
    /// let run = Run::new(&llama, Batch::uniform(1, 8_192)).at(Pace::tokens_per_second_per_device(1_639.0)?);
    /// let rate = run.under(Convention::MEGATRON_2025_03).flops_per_second_per_device()?;
    /// assert_eq!(format!("{rate:.0}"), "736 TFLOP/s");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the run says no pace, or one of all devices together and not their number; as [`count`](Self::count).
    pub fn flops_per_second_per_device(&self) -> Result<FlopRate> {
        self.run.said_rate(&self.count()?)
    }

    /// The utilization that it comes to.
    ///
    /// # Errors
    ///
    /// If the run says no pace or no peaks, and as [`Count::utilization`].
    pub fn report(&self) -> Result<Report> {
        let (pace, fleet) = (self.run.said_pace()?, self.run.said_fleet()?);
        self.count()?.utilization(pace, fleet)
    }

    /// From this claim to another, step by step: each axis of the convention, the recipe, the architecture, the tokens,
    /// the time, the devices, the precision and the peak, one at a time and in this order.
    ///
    /// Two claims are compared by what both say: by utilization, where both have a pace and peaks; by FLOP/s per
    /// device, where both have a pace but not both peaks; by FLOPs, where neither has a pace. A claim with a pace
    /// and one without are not the same basis, nor are a model that reads a source and one that reads none.
    ///
    /// Paces that are said in different ways, or in FLOP/s, are compared as tokens per second of each device. Domains
    /// bind the two ends alone: on the way a formula may meet a model that it was not written for. A claim above
    /// 100 %, which [`report`](Self::report) refuses, is one to explain as well.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Batch, Convention, Pace, Run, catalog};
    ///
    /// // Llama-3-70B in NVIDIA's tables of releases 24.12 and 26.02, at equal speed: the later counts half the square.
    /// let llama = catalog::find("llama-3-70b")?.architecture()?;
    /// let run = Run::new(&llama, Batch::uniform(1, 8_192)).at(Pace::tokens_per_second_per_device(1_639.0)?);
    /// let (before, after) = (run.under(Convention::MEGATRON_2024), run.under(Convention::MEGATRON_2025_03));
    /// let steps = before.reconcile(&after)?;
    /// let [start, end] = [steps.start(), steps.end()].map(|it| it.flops_per_second_per_device.unwrap().as_tflops());
    /// assert_eq!(format!("{start:.0} {end:.0} {:+.1} %", 100.0 * (end / start - 1.0)), "789 736 -6.7 %");
    /// println!("{steps}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the two are [not on the same basis](crate::Error::is_not_applicable), a count of one of them is an error, or
    /// a pace is said of all devices together and not their number.
    pub fn reconcile(&self, other: &Claim<'_>) -> Result<Reconciliation> {
        reconcile::claims(self, other)
    }
}
