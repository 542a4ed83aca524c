//! From one convention to another, step by step.

use std::fmt;

use crate::convention::{Axis, Convention};
use crate::quantity::{Si, grouped};
use crate::{Batch, FlopCount, Ledger, Result};

/// What each axis contributes to the difference between two conventions over the same batch.
///
/// The steps follow [`Convention::walk`]: one axis at a time, in a fixed order. They sum to the whole difference
/// exactly, and the way back sums to its opposite.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reconciliation {
    from: (Convention, FlopCount),
    tokens: u128,
    steps: Vec<AxisChange>,
}

/// One axis changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AxisChange {
    /// The axis.
    pub axis: Axis,
    /// The convention that the change leads to.
    pub convention: Convention,
    /// The training FLOPs of the batch under it.
    pub training: FlopCount,
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
        Reconciliation::of(self, from, to, batch.into())
    }
}

impl Reconciliation {
    fn of(ledger: &Ledger, from: Convention, to: Convention, batch: Batch<'_>) -> Result<Self> {
        let start = ledger.cost(from)?.count(batch)?;
        let mut steps = Vec::new();
        for (axis, convention) in from.walk(&to) {
            let training = ledger.cost(convention)?.count(batch)?.training;
            steps.push(AxisChange { axis, convention, training });
        }
        Ok(Self { from: (from, start.training), tokens: start.tokens, steps })
    }

    /// The axes on which the two differ, each with where it leads.
    #[must_use]
    pub fn steps(&self) -> &[AxisChange] {
        &self.steps
    }

    /// The training FLOPs of the batch under the first convention.
    #[must_use]
    pub const fn start(&self) -> FlopCount {
        self.from.1
    }

    /// The training FLOPs of the batch under the second convention.
    #[must_use]
    pub fn end(&self) -> FlopCount {
        self.steps.last().map_or(self.from.1, |step| step.training)
    }
}

impl fmt::Display for Reconciliation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, start) = self.from;
        let per_token = |flops: f64, sign: &str| {
            let amount = Si { value: flops / self.tokens as f64, unit: "FLOP" };
            if self.tokens > 0 { format!("{sign}{amount}") } else { "–".to_owned() }
        };
        writeln!(f, "training FLOPs per token, over {} tokens", grouped(self.tokens))?;
        writeln!(f, "{:<44}{:>16}", from.label(), per_token(start.as_f64(), ""))?;
        let mut before = start;
        let mut unchanged = Vec::new();
        for step in &self.steps {
            if step.training == before {
                unchanged.push(step.axis.name());
                continue;
            }
            let sign = if step.training > before { "+" } else { "−" };
            let change = step.training.get().abs_diff(before.get()) as f64;
            let name = format!("  {} {}", step.axis, step.axis.value(&step.convention));
            writeln!(f, "{name:<44}{:>16}", per_token(change, sign))?;
            before = step.training;
        }
        if !unchanged.is_empty() {
            writeln!(f, "  no difference here: {}", unchanged.join(", "))?;
        }
        let to = self.steps.last().map_or(from, |step| step.convention);
        write!(f, "{:<44}{:>16}", to.label(), per_token(before.as_f64(), ""))
    }
}
