//! The account of a model: what it holds, and what one token does.

mod component;
mod line;
mod parameters;
mod post;

use std::fmt;

pub use component::{Component, Group};
pub use line::{Line, Matmul, Place, Work};
pub use parameters::Parameters;

use crate::exact::Exact;
use crate::quantity::grouped;
use crate::{Architecture, Batch, Breakdown, Convention, Cost, Recipe, Reconciliation, Result};

/// Everything a model holds and does, one [`Line`] per operation, before any convention says what counts.
///
/// Its `Display` is the account:
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// let ledger = mfu::catalog::find("deepseek-v3")?.architecture()?.ledger()?;
/// println!("{ledger}");
/// assert_eq!(ledger.parameters().total(), 671_026_404_352);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    lines: Vec<Line>,
    parameters: Parameters,
    hidden: u64,
}

impl Ledger {
    pub(crate) fn of(architecture: &Architecture) -> Result<Self> {
        let lines = post::lines(architecture)?;
        let parameters = Parameters::of(&lines)?;
        Ok(Self { lines, parameters, hidden: architecture.hidden() })
    }

    /// The lines, in the order of a forward pass.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// What the model holds and what one token touches.
    #[must_use]
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// The parameters of one part of the model, multi-token prediction modules left out: held, and touched by one token.
    #[must_use]
    pub fn parameters_of(&self, group: Group) -> (u128, u128) {
        let trunk = self.lines.iter().filter(|line| line.place == Place::Trunk);
        trunk.filter(|line| line.component.group() == group).fold((0, 0), |(held, active), line| {
            // The sum over all lines was checked when the ledger was made.
            let occurring = |parameters: u64| u128::from(parameters).saturating_mul(u128::from(line.layers));
            (held.saturating_add(occurring(line.parameters)), active.saturating_add(occurring(line.active_parameters)))
        })
    }

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
        Breakdown::of(self, convention, batch.into())
    }

    /// From one convention to another over a batch, one axis at a time.
    ///
    /// # Errors
    ///
    /// As [`cost`](Self::cost) and [`Cost::count`].
    pub fn reconcile<'b>(
        &self,
        from: Convention,
        to: Convention,
        batch: impl Into<Batch<'b>>,
    ) -> Result<Reconciliation> {
        Reconciliation::of(self, from, to, batch.into())
    }

    pub(crate) const fn hidden(&self) -> u64 {
        self.hidden
    }
}

impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut place = None;
        for line in &self.lines {
            if place.replace(line.place) != Some(line.place) {
                let gap = if line.place == Place::Trunk { "" } else { "\n" };
                writeln!(f, "{gap}{:<24}{:>7}{:>20}{:>20}  forward work", line.place, "×", "held", "active")?;
            }
            let occurring = |parameters: u64| {
                if line.shared {
                    return "shared".to_owned();
                }
                u128::from(parameters)
                    .times(u128::from(line.layers), "parameters")
                    .map_or_else(|_| "overflow".to_owned(), grouped)
            };
            let (held, active) = (occurring(line.parameters), occurring(line.active_parameters));
            writeln!(f, "{:<24}{:>7}{held:>20}{active:>20}  {}", line.component, line.layers, line.work)?;
        }
        write!(f, "\n{}", self.parameters)
    }
}
