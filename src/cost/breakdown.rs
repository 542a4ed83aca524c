//! The ledger under a convention, line by line.

use std::fmt;

use super::charge::{Unit, charge};
use super::domain;
use crate::batch::Batch;
use crate::convention::Convention;
use crate::ledger::{Ledger, Line, Work};
use crate::quantity::grouped;
use crate::{FlopCount, Frozen, Recipe, Result};

/// What each line of a ledger costs for a batch under a convention, and what is not counted.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{Batch, Convention, catalog};
///
/// let ledger = catalog::find("deepseek-v3")?.architecture()?.ledger()?;
/// let breakdown = ledger.breakdown(Convention::DEEPSEEK_2025_CAUSAL, Batch::uniform(1, 4_096))?;
/// println!("{breakdown}");
/// assert_eq!(breakdown.total().get(), 4_096 * 249_811_304_448);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakdown {
    convention: Convention,
    recipe: Recipe,
    tokens: u128,
    total: FlopCount,
    counted: Vec<(Line, FlopCount)>,
    not_counted: Vec<Line>,
}

impl Breakdown {
    pub(super) fn of(ledger: &Ledger, convention: Convention, recipe: Recipe, batch: Batch<'_>) -> Result<Self> {
        domain::admit(ledger, &convention)?;
        let (mut charged, mut not_counted) = (Vec::new(), Vec::new());
        for line in ledger.lines() {
            match charge(line, &convention, recipe)? {
                Some(charge) => charged.push((*line, charge)),
                None => not_counted.push(*line),
            }
        }
        let views = charged.iter().filter_map(|(_, charge)| match charge.unit {
            Unit::Pair(pairs) => Some(pairs.view),
            Unit::Token | Unit::Source | Unit::Logit => None,
        });
        let mut twice_pairs = vec![0; views.clone().count()];
        let tally = batch.tally(ledger.reads_source(), &views, &mut twice_pairs)?;

        let mut twice_pairs = twice_pairs.into_iter();
        let (mut total, mut counted) = (FlopCount::default(), Vec::new());
        for (line, charge) in &charged {
            let flops = match charge.unit {
                Unit::Token => charge.flops.times(tally.targets)?,
                Unit::Source => charge.flops.times(tally.sources)?,
                Unit::Logit => charge.flops.times(tally.logits)?,
                Unit::Pair(_) => charge.flops.times(twice_pairs.next().unwrap_or_default())?.halved(),
            };
            let flops = FlopCount::new(flops.training);
            total = total.checked_add(flops)?;
            counted.push((*line, flops));
        }
        Ok(Self { convention, recipe, tokens: tally.tokens, total, counted, not_counted })
    }

    /// The lines that count, each with its training FLOPs.
    #[must_use]
    pub fn counted(&self) -> &[(Line, FlopCount)] {
        &self.counted
    }

    /// The lines that the convention leaves out, or for which it charges nothing.
    #[must_use]
    pub fn not_counted(&self) -> &[Line] {
        &self.not_counted
    }

    /// The tokens of the batch.
    #[must_use]
    pub const fn tokens(&self) -> u128 {
        self.tokens
    }

    /// The training FLOPs of the batch: what [`Cost::count`](crate::Cost::count) gives.
    #[must_use]
    pub const fn total(&self) -> FlopCount {
        self.total
    }
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: training FLOPs of {} tokens", self.convention.label(), grouped(self.tokens))?;
        if self.recipe.frozen != Frozen::Nothing {
            write!(f, ", {}", self.recipe.frozen)?;
        }
        writeln!(f)?;
        let total = self.total.as_f64();
        let mut place = None;
        for (line, flops) in &self.counted {
            if place.replace(line.place) != Some(line.place) {
                writeln!(f, "\n{:<32}{:>7}{:>18}{:>10}", line.place, "×", "FLOPs", "share")?;
            }
            let share = if total > 0.0 { format!("{:.2} %", 100.0 * flops.as_f64() / total) } else { "–".to_owned() };
            writeln!(f, "{:<32}{:>7}{flops:>18}{share:>10}", name(line), line.layers)?;
        }
        writeln!(f, "\n{:<39}{:>18}", "total", self.total)?;
        if !self.not_counted.is_empty() {
            writeln!(f, "\nnot counted")?;
        }
        for line in &self.not_counted {
            writeln!(f, "{:<32}{:>7}  {}", name(line), line.layers, line.place)?;
        }
        Ok(())
    }
}

/// What a line is called where its work is not shown: spans tell the parts of attention apart.
fn name(line: &Line) -> String {
    match line.work {
        Work::PerPair { span, .. } => format!("{}, {span}", line.component),
        Work::None | Work::Matmul(_) | Work::PerToken(_) => line.component.to_string(),
    }
}
