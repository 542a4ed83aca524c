//! The division, the report it gives, and what to suspect when it cannot be true.

mod impossible;
mod pace;
mod report;

pub(crate) use impossible::Impossible;
pub use pace::Pace;
pub use report::Report;

use crate::{FlopRate, Peak, Result, Utilization};

/// One device's rate over its peak.
pub(crate) fn divide(achieved: FlopRate, peak: &Peak) -> Result<Utilization> {
    let fraction = achieved.per_second() / peak.rate().per_second();
    if fraction > 1.0 {
        return Err(Impossible::bare(fraction, achieved, peak).into());
    }
    Utilization::from_fraction(fraction)
}
