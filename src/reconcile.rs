//! From one claim to another, step by step.

mod show;

use std::collections::BTreeMap;

use crate::convention::{Axis, Convention, Domain};
use crate::cost::Breakdown;
use crate::error::{Cause, Class};
use crate::{Batch, Claim, Component, FlopCount, FlopRate, Ledger, Pace, Peak, Precision, Result, Run, Utilization};

/// What each input contributes to the difference between two claims, one input changed at a time.
///
/// The steps of a convention follow [`Convention::walk`]: one axis at a time, in a fixed order. In FLOPs the steps sum
/// to the whole difference exactly, in percentage points to 1e-12, and the way back sums to its opposite. What one step
/// contributes depends on those before it, so the order is fixed.
///
/// It displays as a table, with the FLOPs per token, and where the claims have them FLOP/s per device and percentage
/// points of MFU. It is made by [`Claim::reconcile`], or for conventions alone by [`Ledger::reconcile`]:
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
    /// The change of FLOPs by component, where the change is of an axis, the architecture or the tokens; components
    /// that it leaves alone are left out.
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
        for convention in [from, to] {
            self.cost(convention)?;
        }
        let state = State { ledger: self, convention: from, batch: batch.into(), pace: None, devices: 1, peak: None };
        let mut walk = Walk::from(state)?;
        walk.along(to)?;
        Ok(walk.ended(from, to))
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

/// From one claim to another.
pub(crate) fn claims(from: &Claim<'_>, to: &Claim<'_>) -> Result<Reconciliation> {
    let ledgers = (from.run().architecture.ledger()?, to.run().architecture.ledger()?);
    let [one, other] = [from, to].map(Claim::run);
    let kind = |run: &Run<'_>| if run.pace.is_some() { "a rate" } else { "FLOPs alone" };
    if one.pace.is_some() != other.pace.is_some() {
        let reason = format!(
            "the first run is of {}, the second of {}; say the pace of both or of neither",
            kind(one),
            kind(other)
        );
        return Err(NotTheSameBasis(reason).into());
    }
    if ledgers.0.reads_source() != ledgers.1.reads_source() {
        let reason = "one of the architectures reads a source and the other none, so no batch is of both";
        return Err(NotTheSameBasis(reason.to_owned()).into());
    }
    // What each claim comes to by itself, so that whatever is wrong with it is said.
    let counts = (from.count()?, to.count()?);
    let fleets = one.fleet().zip(other.fleet()).filter(|_| one.pace.is_some());
    if fleets.is_some() {
        from.report()?;
        to.report()?;
    }
    let (devices, to_devices) = (one.said_devices()?, other.said_devices()?);
    // Paces said in different ways are compared as tokens per second of each device.
    let paces = match one.pace.zip(other.pace) {
        Some((one, other)) if !one.is_like(other) => {
            Some((one.per_device(&counts.0, devices)?, other.per_device(&counts.1, to_devices)?))
        }
        alike => alike,
    };
    let (pace, to_pace) = paces.unzip();
    let rates = fleets.map(|(one, other)| Ok::<_, crate::Error>((one.mean_peak()?, other.mean_peak()?))).transpose()?;
    let (peak, to_peak) = rates.unzip();
    let (ledger, convention) = (&ledgers.0, from.convention());
    let state = State { ledger, convention, batch: one.batch, pace, devices, peak };
    let mut walk = Walk::from(state)?;
    walk.along(to.convention())?;
    if one.architecture != other.architecture {
        walk.step(Change::Architecture, State { ledger: &ledgers.1, ..walk.state })?;
    }
    let tokens = Change::Tokens { from: counts.0.tokens, to: counts.1.tokens };
    walk.step_if_it_changes(tokens, State { batch: other.batch, ..walk.state })?;
    if let Some((from, to)) = pace.zip(to_pace).filter(|(from, to)| from != to) {
        walk.step(Change::Time { from, to }, State { pace: to_pace, ..walk.state })?;
    }
    if pace.is_some() && devices != to_devices {
        let change = Change::Devices { from: devices, to: to_devices };
        walk.step(change, State { devices: to_devices, ..walk.state })?;
    }
    if let Some((one, other)) = fleets {
        if let Some((from, to, rate)) = at_the_others_precision(one.only_peak(), other.only_peak()) {
            walk.step(Change::Precision { from, to }, State { peak: Some(rate), ..walk.state })?;
        }
    }
    if let Some((from, to)) = walk.state.peak.zip(to_peak).filter(|(from, to)| from != to) {
        walk.step(Change::Peak { from, to }, State { peak: to_peak, ..walk.state })?;
    }
    Ok(walk.ended(from.convention(), to.convention()))
}

/// What the device of one peak does at the precision of another, where both are known and differ.
fn at_the_others_precision(one: Option<&Peak>, other: Option<&Peak>) -> Option<(Precision, Precision, FlopRate)> {
    let (one, other) = one.zip(other)?;
    let (from, to) = one.precision().zip(other.precision()).filter(|(from, to)| from != to)?;
    Some((from, to, one.at(to)?))
}

/// Everything that a figure is made of.
#[derive(Clone, Copy)]
struct State<'a> {
    ledger: &'a Ledger,
    convention: Convention,
    batch: Batch<'a>,
    pace: Option<Pace>,
    devices: u64,
    peak: Option<FlopRate>,
}

type Account = BTreeMap<Component, i128>;

impl State<'_> {
    /// What it comes to, and the FLOPs of each component. Domains are the business of the two ends: on the way a
    /// formula may meet a model that it was not written for.
    fn account(&self) -> Result<(Standing, Account)> {
        let convention = Convention { domain: Domain::Any, ..self.convention };
        let breakdown: Breakdown = self.ledger.breakdown(convention, self.batch)?;
        let mut account = Account::new();
        for (line, flops) in breakdown.counted() {
            let sum = account.entry(line.component).or_default();
            *sum = sum.saturating_add(difference(*flops, FlopCount::default())?);
        }
        let (tokens, training) = (breakdown.tokens(), breakdown.total());
        difference(training, FlopCount::default())?;
        let rate = self.pace.map(|pace| pace.flops_per_device(tokens, training, self.devices)).transpose()?;
        let mfu = rate.zip(self.peak).map(|(rate, peak)| rate.per_second() / peak.per_second());
        let mfu = mfu.map(Utilization::from_fraction).transpose()?;
        Ok((Standing { tokens, training, flops_per_second_per_device: rate, mfu }, account))
    }
}

/// The way so far.
struct Walk<'a> {
    state: State<'a>,
    start: Standing,
    at: Standing,
    account: Account,
    steps: Vec<Step>,
}

impl<'a> Walk<'a> {
    fn from(state: State<'a>) -> Result<Self> {
        let (start, account) = state.account()?;
        Ok(Self { state, start, at: start, account, steps: Vec::new() })
    }

    /// Along the axes to a convention.
    fn along(&mut self, to: Convention) -> Result<()> {
        for (axis, convention) in self.state.convention.walk(&to) {
            self.step(Change::Axis { axis, convention }, State { convention, ..self.state })?;
        }
        Ok(())
    }

    fn step(&mut self, change: Change, state: State<'a>) -> Result<()> {
        let (after, account) = state.account()?;
        let mut parts = account.clone();
        for (component, flops) in &self.account {
            let part = parts.entry(*component).or_default();
            *part = part.saturating_sub(*flops);
        }
        parts.retain(|_, flops| *flops != 0);
        self.steps.push(Step { change, before: self.at, after, parts: parts.into_iter().collect() });
        (self.state, self.at, self.account) = (state, after, account);
        Ok(())
    }

    /// A step that is none where nothing comes of it.
    fn step_if_it_changes(&mut self, change: Change, state: State<'a>) -> Result<()> {
        let (at, account) = (self.at, self.account.clone());
        self.step(change, state)?;
        if self.at == at && self.account == account {
            self.steps.pop();
        }
        Ok(())
    }

    fn ended(self, from: Convention, to: Convention) -> Reconciliation {
        Reconciliation { from, to, start: self.start, steps: self.steps }
    }
}

/// A difference of counts, both of which must fit in 127 bits.
fn difference(after: FlopCount, before: FlopCount) -> Result<i128> {
    let signed = |count: FlopCount| i128::try_from(count.get()).ok();
    let difference = signed(after).zip(signed(before)).and_then(|(after, before)| after.checked_sub(before));
    crate::exact::fits(difference, "the difference of two counts")
}
