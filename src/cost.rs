//! Ledger × convention × recipe, compiled to a few integers.

mod breakdown;
mod charge;
mod count;

pub use breakdown::Breakdown;
pub(crate) use charge::Flops;
use charge::{Unit, charge};
pub use count::Count;

use crate::batch::View;
use crate::exact::Exact;
use crate::{Batch, Convention, Ledger, Recipe, Result};

/// What a token costs under one convention and recipe: a few integers, compiled once and used every step.
///
/// It never sees time. Counting a uniform batch takes the same time whatever its size; packed lengths are read once.
///
/// # Formula
///
/// `tokens·a + logits·b + Σ pairs·c`, one term per span that the model's attention has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    convention: Convention,
    recipe: Recipe,
    per_token: Flops,
    per_logit: Flops,
    idle_per_token: u128,
    /// The pairs that the attention core is charged for, and what one of each costs.
    views: Vec<View>,
    per_pair: Vec<Flops>,
}

impl Cost {
    pub(crate) fn compile(ledger: &Ledger, convention: Convention, recipe: Recipe) -> Result<Self> {
        convention.admit(ledger)?;
        let mut cost = Self {
            convention,
            recipe,
            per_token: Flops::default(),
            per_logit: Flops::default(),
            idle_per_token: 0,
            views: Vec::new(),
            per_pair: Vec::new(),
        };
        for line in ledger.lines() {
            let Some(charge) = charge(line, &convention, recipe)? else {
                continue;
            };
            cost.idle_per_token = cost.idle_per_token.plus(charge.idle, "training FLOPs")?;
            match charge.unit {
                Unit::Token => cost.per_token = cost.per_token.plus(charge.flops)?,
                Unit::Logit => cost.per_logit = cost.per_logit.plus(charge.flops)?,
                Unit::Pair(view) => cost.charge_pairs(view, charge.flops)?,
            }
        }
        Ok(cost)
    }

    fn charge_pairs(&mut self, view: View, flops: Flops) -> Result<()> {
        let known = self.views.iter().position(|known| *known == view);
        if let Some(sum) = known.and_then(|index| self.per_pair.get_mut(index)) {
            *sum = sum.plus(flops)?;
        } else {
            self.views.push(view);
            self.per_pair.push(flops);
        }
        Ok(())
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
        // A model seldom has more than two spans; one with many pays for a vector.
        const FEW: usize = 4;
        let (mut few, mut many) = ([0; FEW], Vec::new());
        let pairs: &mut [u128] = if let Some(few) = few.get_mut(..self.views.len()) {
            few
        } else {
            many.resize(self.views.len(), 0);
            &mut many
        };
        let tally = batch.into().tally(&self.views, pairs)?;

        let mut core = Flops::default();
        for (per_pair, twice_pairs) in self.per_pair.iter().zip(pairs) {
            core = core.plus(per_pair.times(*twice_pairs)?.halved())?;
        }
        let linear = self.per_token.times(tally.tokens)?.plus(self.per_logit.times(tally.logits)?)?;
        let idle = self.idle_per_token.times(tally.tokens, "training FLOPs")?;
        let counted_for = (self.convention, self.recipe);
        Ok(Count::new(tally.tokens, linear.plus(core)?, core.training, idle, counted_for))
    }
}
