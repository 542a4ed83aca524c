//! The division, the report it gives, and what to suspect when it cannot be true.

mod impossible;
mod pace;
mod report;

pub(crate) use impossible::Impossible;
pub use pace::Pace;
pub use report::Report;

use crate::{FlopRate, Peak, Result, Utilization};

/// What was done over what was possible. A quotient that is above 1 by no more than the rounding of its floats is 1: exactly 1 is
/// possible, and must not fail for its last bit.
fn fraction(done: f64, possible: f64) -> f64 {
    const ROUNDING: f64 = 1e-12;
    let fraction = done / possible;
    if fraction > 1.0 && fraction <= 1.0 + ROUNDING { 1.0 } else { fraction }
}

/// One device's rate over its peak.
pub(crate) fn divide(achieved: FlopRate, peak: &Peak) -> Result<Utilization> {
    let fraction = fraction(achieved.per_second(), peak.rate().per_second());
    if fraction > 1.0 {
        return Err(Impossible::bare(fraction, achieved, peak).into());
    }
    Utilization::from_fraction(fraction)
}
