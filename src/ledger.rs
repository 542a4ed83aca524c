//! The account of a model: what it holds, and what one token does.

mod component;
mod line;
mod parameters;
mod post;

use std::fmt;

pub use component::{Component, Group};
pub use line::{Line, Matmul, Place, Work};
pub use parameters::{Held, Parameters};

use crate::catalog::Model;
use crate::exact::Exact;
use crate::quantity::grouped;
use crate::{Architecture, Result, Span};

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

impl Architecture {
    /// What it holds and what one token does, one line per operation.
    ///
    /// # Errors
    ///
    /// If a product of its sizes overflows; the message names the component.
    pub fn ledger(&self) -> Result<Ledger> {
        let lines = post::lines(self)?;
        let parameters = Parameters::of(&lines)?;
        Ok(Ledger { lines, parameters, hidden: self.hidden() })
    }
}

impl Model {
    /// What it holds and what one token does.
    ///
    /// # Errors
    ///
    /// As [`Architecture::ledger`].
    pub fn ledger(&self) -> Result<Ledger> {
        self.architecture()?.ledger()
    }
}

impl Ledger {
    /// The lines, by place and component, which is roughly the order of a forward pass.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// What the model holds and what one token touches.
    #[must_use]
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// The parameters of one part of the model, in one place: held, and touched by one token.
    #[must_use]
    pub fn parameters_of(&self, place: Place, group: Group) -> Held {
        let lines = self.lines.iter().filter(|line| (line.place, line.component.group()) == (place, group));
        lines.fold(Held::default(), |sum, line| {
            // The sum over all lines was checked when the ledger was made.
            let occurring = |parameters: u64| u128::from(parameters).saturating_mul(u128::from(line.layers));
            Held {
                held: sum.held.saturating_add(occurring(line.parameters)),
                active: sum.active.saturating_add(occurring(line.active_parameters)),
            }
        })
    }

    /// Whether a part of it runs over the tokens of a source.
    pub(crate) fn reads_source(&self) -> bool {
        let crosses = |work| matches!(work, Work::PerPair { span: Span::Cross, .. });
        self.lines.iter().any(|line| line.place == Place::Encoder || crosses(line.work))
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
