//! The division, the report it gives, and what to suspect when it cannot be true.

mod finding;
mod impossible;
mod pace;
mod report;

pub use finding::Finding;
use impossible::Impossible;
pub use pace::Pace;
pub use report::Report;

use crate::{Count, Fleet, FlopRate, Peak, Result, Utilization};

impl Count {
    /// How well a fleet was used that computed this count at that pace: usually the [`Duration`](std::time::Duration)
    /// of the step.
    ///
    /// # Formula
    ///
    /// `MFU = training FLOPs ÷ (seconds × Σ devices × peak)`.
    ///
    /// # Errors
    ///
    /// If the pace is zero, no device or no token was given, or the utilization is above 1, which is impossible; the
    /// message then ranks the inputs to suspect. GeForce cards clock higher than their peak is published for, and may
    /// read above 1 by as much as has been measured; the report then has a [`Finding`].
    pub fn utilization(&self, pace: impl Into<Pace>, fleet: &Fleet) -> Result<Report> {
        Report::new(*self, pace.into(), fleet.clone())
    }
}

impl Peak {
    /// The utilization of one device that achieves this rate.
    ///
    /// # Errors
    ///
    /// If it is above 1, which is impossible; or, where the device is known to clock higher than its peak is published
    /// for, above what has been measured.
    pub fn utilization(&self, achieved: FlopRate) -> Result<Utilization> {
        let fraction = fraction(achieved.per_second(), self.rate().per_second(), self.headroom());
        if fraction > self.headroom() {
            return Err(Impossible::of_rate(fraction, achieved, self).into());
        }
        Utilization::from_fraction(fraction)
    }
}

/// What was done over what was possible. A quotient that is above the most that is possible by no more than the
/// rounding of its floats is that most: exactly 1 is possible, and must not fail for its last bit.
fn fraction(done: f64, peak: f64, most: f64) -> f64 {
    const ROUNDING: f64 = 1e-12;
    let fraction = done / peak;
    if fraction > most && fraction <= most * (1.0 + ROUNDING) { most } else { fraction }
}
