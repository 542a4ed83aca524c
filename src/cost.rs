//! Ledger × convention × recipe, compiled to a few integers.

mod breakdown;
mod charge;
mod count;
mod domain;

pub use breakdown::Breakdown;
pub(crate) use charge::Flops;
use charge::{Pairs, Unit, charge};
pub use count::Count;
pub(crate) use count::Detail;

use crate::catalog::Model;
use crate::exact::Exact;
use crate::{Architecture, Batch, Convention, Ledger, Recipe, Result};

/// What a token costs under one convention and recipe: a few integers, compiled once and used every step.
///
/// It never sees time. Counting a uniform batch takes the same time whatever its size; packed lengths are read once.
///
/// # Formula
///
/// `tokens·a + logits·b + Σ pairs·c`, one term for each way that the convention sees the model's masks. `logits` are
/// the positions on which the head runs: all, unless a [`Batch`] says otherwise. An encoder–decoder has a further term
/// for the tokens of the source, and its `tokens` and `logits` are the decoder's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    convention: Convention,
    recipe: Recipe,
    reads_source: bool,
    per_token: Flops,
    per_source: Flops,
    per_logit: Flops,
    idle_per_token: u128,
    idle_per_source: u128,
    core: Vec<Term>,
}

/// What the attention core is charged for one of the pairs that it is charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term {
    pairs: Pairs,
    flops: Flops,
}

impl Cost {
    fn compile(ledger: &Ledger, convention: Convention, recipe: Recipe) -> Result<Self> {
        domain::admit(ledger, &convention)?;
        let mut cost = Self {
            convention,
            recipe,
            reads_source: ledger.reads_source(),
            per_token: Flops::default(),
            per_source: Flops::default(),
            per_logit: Flops::default(),
            idle_per_token: 0,
            idle_per_source: 0,
            core: Vec::new(),
        };
        for line in ledger.lines() {
            let Some(charge) = charge(line, &convention, recipe)? else {
                continue;
            };
            let idle = match charge.unit {
                Unit::Source => &mut cost.idle_per_source,
                Unit::Token | Unit::Logit | Unit::Pair(_) => &mut cost.idle_per_token,
            };
            *idle = idle.plus(charge.idle, "training FLOPs")?;
            match charge.unit {
                Unit::Token => cost.per_token = cost.per_token.plus(charge.flops)?,
                Unit::Source => cost.per_source = cost.per_source.plus(charge.flops)?,
                Unit::Logit => cost.per_logit = cost.per_logit.plus(charge.flops)?,
                Unit::Pair(pairs) => cost.core.push(Term { pairs, flops: charge.flops }),
            }
        }
        cost.core = merged(cost.core)?;
        Ok(cost)
    }

    /// The convention it was compiled for.
    #[must_use]
    pub const fn convention(&self) -> Convention {
        self.convention
    }

    /// The recipe it was compiled for.
    #[must_use]
    pub const fn recipe(&self) -> Recipe {
        self.recipe
    }

    /// What a batch costs: a [`Batch`], or a slice or `Vec` of document lengths.
    ///
    /// # Errors
    ///
    /// If a length is negative or cumulative lengths fall (the message names the index), or a count overflows.
    pub fn count<'b>(&self, batch: impl Into<Batch<'b>>) -> Result<Count> {
        // A model seldom has more than two spans, each perhaps beside its mask; one with many pays for a vector.
        const FEW: usize = 4;
        let views = self.core.iter().flat_map(|term| [Some(term.pairs.view), term.pairs.mask]).flatten();
        let (mut few, mut many) = ([0; FEW], Vec::new());
        let length = views.clone().count();
        let pairs: &mut [u128] = if let Some(few) = few.get_mut(..length) {
            few
        } else {
            many.resize(length, 0);
            &mut many
        };
        let tally = batch.into().tally(self.reads_source, &views, pairs)?;

        let mut total = self.per_token.times(tally.targets)?.plus(self.per_logit.times(tally.logits)?)?;
        if self.reads_source {
            total = total.plus(self.per_source.times(tally.sources)?)?;
        }
        let idle = self.idle_per_token.times(tally.targets, "training FLOPs")?;
        let idle = idle.plus(self.idle_per_source.times(tally.sources, "training FLOPs")?, "training FLOPs")?;
        let mut detail = Detail { idle, ..Detail::default() };
        let mut pairs = pairs.iter().copied();
        for term in &self.core {
            let flops = term.flops.times(pairs.next().unwrap_or_default())?.halved();
            total = total.plus(flops)?;
            detail.core = detail.core.plus(flops.training, "training FLOPs")?;
            let masked = match term.pairs.mask {
                Some(_) => term.flops.times(pairs.next().unwrap_or_default())?.halved(),
                None => flops,
            };
            detail.masked = detail.masked.plus(masked.training, "training FLOPs")?;
        }
        Ok(Count::new(tally.tokens, total, detail, (self.convention, self.recipe)))
    }
}

/// The terms, those for the same pairs made one.
fn merged(mut terms: Vec<Term>) -> Result<Vec<Term>> {
    terms.sort_unstable_by_key(|term| term.pairs);
    let mut merged: Vec<Term> = Vec::new();
    for term in terms {
        match merged.last_mut() {
            Some(last) if last.pairs == term.pairs => last.flops = last.flops.plus(term.flops)?,
            _ => merged.push(term),
        }
    }
    Ok(merged)
}

impl Ledger {
    /// What a token costs under a convention, in a training step that recomputes nothing.
    ///
    /// # Errors
    ///
    /// If a count overflows, or the convention was not written for such a model.
    pub fn cost(&self, convention: Convention) -> Result<Cost> {
        self.cost_with(convention, Recipe::default())
    }

    /// What a token costs under a convention and a recipe.
    ///
    /// # Errors
    ///
    /// If a count overflows, or the convention was not written for such a model.
    pub fn cost_with(&self, convention: Convention, recipe: Recipe) -> Result<Cost> {
        Cost::compile(self, convention, recipe)
    }

    /// The account of a batch under a convention: what each line costs, its share, and what is not counted.
    ///
    /// # Errors
    ///
    /// As [`cost`](Self::cost) and [`Cost::count`].
    pub fn breakdown<'b>(&self, convention: Convention, batch: impl Into<Batch<'b>>) -> Result<Breakdown> {
        self.breakdown_with(convention, Recipe::default(), batch)
    }

    /// The account of a batch under a convention and a recipe.
    ///
    /// # Errors
    ///
    /// As [`cost_with`](Self::cost_with) and [`Cost::count`].
    pub fn breakdown_with<'b>(
        &self,
        convention: Convention,
        recipe: Recipe,
        batch: impl Into<Batch<'b>>,
    ) -> Result<Breakdown> {
        Breakdown::of(self, convention, recipe, batch.into())
    }
}

impl Architecture {
    /// What a token costs under a convention: [`ledger`](Self::ledger) and [`Ledger::cost`] in one step.
    ///
    /// # Errors
    ///
    /// If a count overflows, or the convention was not written for such a model.
    pub fn cost(&self, convention: Convention) -> Result<Cost> {
        self.ledger()?.cost(convention)
    }
}

impl Model {
    /// What a token costs under a convention.
    ///
    /// # Errors
    ///
    /// As [`Architecture::cost`].
    pub fn cost(&self, convention: Convention) -> Result<Cost> {
        self.architecture()?.cost(convention)
    }
}
