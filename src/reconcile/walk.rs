//! The walk itself: one input changed at a time, and what each claim comes to on the way.

use std::collections::BTreeMap;

use super::{Change, NotTheSameBasis, Reconciliation, Standing, Step, difference};
use crate::convention::{Convention, Domain};
use crate::cost::Breakdown;
use crate::{Batch, Claim, Component, FlopCount, FlopRate, Ledger, Pace, Peak, Recipe, Result, Run, Utilization};

/// From one convention to another over a ledger.
pub(super) fn conventions(
    ledger: &Ledger,
    from: Convention,
    to: Convention,
    batch: Batch<'_>,
) -> Result<Reconciliation> {
    for convention in [from, to] {
        ledger.cost(convention)?;
    }
    let recipe = Recipe::default();
    let mut walk = Walk::from(State { ledger, convention: from, recipe, batch, pace: None, devices: 1, peak: None })?;
    walk.along(to)?;
    Ok(walk.ended(from, to))
}

/// From one claim to another.
pub(crate) fn claims(from: &Claim<'_>, to: &Claim<'_>) -> Result<Reconciliation> {
    let ledgers = (from.run().architecture.ledger()?, to.run().architecture.ledger()?);
    same_basis((from.run(), &ledgers.0), (to.run(), &ledgers.1))?;
    // What each comes to by itself, so that whatever is wrong with it is said.
    let counts = (from.count()?, to.count()?);
    let mut ends = (State::of(from, &ledgers.0)?, State::of(to, &ledgers.1)?);
    // Paces said in different ways are compared as tokens per second of each device.
    if let Some((pace, to_pace)) = ends.0.pace.zip(ends.1.pace).filter(|(pace, to_pace)| !pace.is_like(*to_pace)) {
        ends.0.pace = Some(pace.per_device(&counts.0, ends.0.devices)?);
        ends.1.pace = Some(to_pace.per_device(&counts.1, ends.1.devices)?);
    }
    let mut precision = None;
    match from.run().fleet().zip(to.run().fleet()) {
        Some((one, other)) if from.run().pace.is_some() => {
            (ends.0.peak, ends.1.peak) = (Some(one.mean_peak()?), Some(other.mean_peak()?));
            precision = one.only_peak().zip(other.only_peak()).and_then(|(one, other)| at_the_precision_of(one, other));
        }
        _ => {}
    }

    let mut walk = Walk::from(ends.0)?;
    walk.along(ends.1.convention)?;
    walk.over_inputs(&ends.1, counts.1.tokens, precision)?;
    Ok(walk.ended(from.convention(), to.convention()))
}

/// Whether anything that both say can be compared.
fn same_basis((one, ledger): (&Run<'_>, &Ledger), (other, to_ledger): (&Run<'_>, &Ledger)) -> Result<()> {
    let reason = match (one.pace.is_some(), other.pace.is_some()) {
        (true, false) => "the first run is of a rate, the second of FLOPs alone; say the pace of both or of neither",
        (false, true) => "the first run is of FLOPs alone, the second of a rate; say the pace of both or of neither",
        _ if ledger.reads_source() != to_ledger.reads_source() => {
            "one of the architectures reads a source and the other none, so no batch is of both"
        }
        _ => return Ok(()),
    };
    Err(NotTheSameBasis(reason.to_owned()).into())
}

/// What the device of one peak does at the precision of another, where both are known and differ.
fn at_the_precision_of(one: &Peak, other: &Peak) -> Option<(Change, FlopRate)> {
    let (from, to) = one.precision().zip(other.precision()).filter(|(from, to)| from != to)?;
    Some((Change::Precision { from, to }, one.at(to)?))
}

/// Everything that a figure is made of.
#[derive(Clone, Copy)]
struct State<'a> {
    ledger: &'a Ledger,
    convention: Convention,
    recipe: Recipe,
    batch: Batch<'a>,
    pace: Option<Pace>,
    devices: u64,
    peak: Option<FlopRate>,
}

type Account = BTreeMap<Component, i128>;

impl<'a> State<'a> {
    /// Of a claim, as far as it goes without peaks.
    fn of(claim: &'a Claim<'_>, ledger: &'a Ledger) -> Result<Self> {
        let run = claim.run();
        let (convention, devices) = (claim.convention(), run.said_devices()?);
        let Run { recipe, batch, pace, .. } = *run;
        Ok(Self { ledger, convention, recipe, batch, pace, devices, peak: None })
    }

    /// What it comes to, and the FLOPs of each component. Domains are the business of the two ends: on the way a
    /// formula may meet a model that it was not written for.
    fn account(&self) -> Result<(Standing, Account)> {
        let convention = Convention { domain: Domain::Any, ..self.convention };
        let breakdown: Breakdown = self.ledger.breakdown_with(convention, self.recipe, self.batch)?;
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

    /// From the inputs of one claim to those of another, of so many tokens; over the precision on the same device.
    fn over_inputs(&mut self, to: &State<'a>, tokens: u128, precision: Option<(Change, FlopRate)>) -> Result<()> {
        if self.state.recipe != to.recipe {
            let change = Change::Recipe { from: self.state.recipe, to: to.recipe };
            self.step(change, State { recipe: to.recipe, ..self.state })?;
        }
        if self.state.ledger != to.ledger {
            self.step(Change::Architecture, State { ledger: to.ledger, ..self.state })?;
        }
        let change = Change::Tokens { from: self.at.tokens, to: tokens };
        self.step_if_it_changes(change, State { batch: to.batch, ..self.state })?;
        if let Some((from, to)) = self.state.pace.zip(to.pace).filter(|(from, to)| from != to) {
            self.step(Change::Time { from, to }, State { pace: Some(to), ..self.state })?;
        }
        if self.state.pace.is_some() && self.state.devices != to.devices {
            let change = Change::Devices { from: self.state.devices, to: to.devices };
            self.step(change, State { devices: to.devices, ..self.state })?;
        }
        if let Some((change, peak)) = precision {
            self.step(change, State { peak: Some(peak), ..self.state })?;
        }
        if let Some((from, to)) = self.state.peak.zip(to.peak).filter(|(from, to)| from != to) {
            self.step(Change::Peak { from, to }, State { peak: Some(to), ..self.state })?;
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
