//! A diagnosis as a table.

use std::fmt::{self, Display, Formatter};

use super::{Diagnosis, Explanation, Figure};
use crate::quantity::grouped;

/// How many explanations are shown.
const SHOWN: usize = 12;

impl Display for Figure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::MfuPercent(printed) => write!(f, "{printed} % MFU"),
            Self::TflopsPerDevice(printed) => write!(f, "{printed} TFLOP/s per device"),
            Self::GflopsPerToken(printed) => write!(f, "{printed} GFLOP per token"),
        }
    }
}

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.conventions.iter().map(crate::Convention::label).collect();
        f.write_str(if names.is_empty() { "any convention" } else { "" })?;
        f.write_str(&names.join(", "))?;
        if let Some(variant) = self.variant {
            write!(f, "; {variant}")?;
        }
        match &self.divisor {
            Some(divisor) => write!(f, "; {divisor}"),
            None => Ok(()),
        }
    }
}

impl Display for Diagnosis {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let number = |number: usize| grouped(number as u128);
        write!(f, "{}: of {} ways to count and divide, ", self.figure, number(self.tried))?;
        let shown: Vec<&Explanation> = match self.explanations.len() {
            0 => {
                f.write_str(if self.nearest.is_some() { "none fits; the nearest" } else { "none fits" })?;
                self.nearest.iter().collect()
            }
            fit => {
                write!(f, "{} {}", number(fit), if fit == 1 { "fits" } else { "fit" })?;
                self.explanations.iter().take(SHOWN).collect()
            }
        };
        if !shown.is_empty() {
            f.write_str("\n  last digit  assumed")?;
        }
        for explanation in shown {
            // Nothing is added so that what rounds to zero is not below it.
            let digits_off = format!("{:+.2}", (100.0 * explanation.digits_off).round() / 100.0 + 0.0);
            write!(f, "\n{digits_off:>12}{:>9}  {explanation}", explanation.assumptions)?;
        }
        match self.explanations.len().checked_sub(SHOWN) {
            Some(more @ 1..) => write!(f, "\n  and {} more", number(more)),
            _ => Ok(()),
        }
    }
}
