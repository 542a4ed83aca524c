//! A utilization above 1, and which inputs to suspect for it, the likeliest first.

use std::fmt;

use super::report::Report;
use crate::error::{Cause, Class};
use crate::quantity::grouped;
use crate::{FlopRate, Hardware, Peak};

/// A utilization above 1.
#[derive(Debug)]
pub(super) struct Impossible {
    figure: &'static str,
    fraction: f64,
    achieved: FlopRate,
    peak: String,
    suspects: Vec<String>,
}

impl Impossible {
    /// One rate over one peak: nothing is known of how the rate came about.
    pub(super) fn of_rate(fraction: f64, achieved: FlopRate, peak: &Peak) -> Self {
        let suspects = vec![WRONG_PEAK.to_owned(), "the rate is that of several devices".to_owned()];
        Self { figure: "utilization", fraction, achieved, peak: peak.to_string(), suspects }
    }

    /// A report whose MFU is above 1.
    pub(super) fn mfu(report: &Report, fraction: f64, achieved: FlopRate) -> Self {
        let (enough, partial) = overcounts(report, fraction);
        let suspects = enough.into_iter().chain(mistaken(report, fraction)).chain(partial).collect();
        Self { figure: "MFU", fraction, achieved, peak: report.fleet().to_string(), suspects }
    }

    /// A report whose HFU is above 1, and whose MFU is not.
    pub(super) fn hfu(report: &Report, fraction: f64, achieved: FlopRate) -> Self {
        let mut suspects = vec!["less was recomputed than the recipe says".to_owned()];
        if report.count().convention.hardware != Hardware::Performed {
            let label = report.count().convention.label();
            suspects.insert(0, format!("{label} charges a recompute more than is performed"));
        }
        suspects.extend(mistaken(report, fraction));
        Self { figure: "HFU", fraction, achieved, peak: report.fleet().to_string(), suspects }
    }
}

const WRONG_PEAK: &str = "the peak is a wrong one: another device's, another precision's, half a package's (a sparse peak would \
                          make the figure too small)";

/// What this very count is known to hold too much of: what suffices to explain the figure, and what does not, the
/// largest first.
fn overcounts(report: &Report, fraction: f64) -> (Vec<String>, Vec<String>) {
    let count = report.count();
    let (label, training) = (count.convention.label(), count.training.as_f64());
    let detail = count.detail;
    let mut known: Vec<(f64, String)> = Vec::new();
    let mut suspect = |share: f64, at_least: &str, reason: &str| {
        if share > 0.0 {
            let left = 100.0 * fraction * (1.0 - share);
            known.push((share, format!("{label} {reason}; without that, {at_least}{left:.1} %")));
        }
    };
    // The diagonal, a pair in s, is neither here nor there.
    let square = detail.square as f64 / training / 2.0;
    suspect(square, "", "counts the full attention matrix, of which a causal mask computes half");
    suspect(detail.idle as f64 / training, "", "counts all experts, of which a token visits a few");
    // How much of it the windows would leave depends on the lengths; the whole is the most that they can hide.
    suspect(
        detail.without_window as f64 / training,
        "no less than ",
        "looks at no window, and counts such layers as if they saw everything",
    );
    known.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    let (enough, partial): (Vec<_>, Vec<_>) = known.into_iter().partition(|(share, _)| fraction * (1.0 - share) <= 1.0);
    let reasons = |known: Vec<(f64, String)>| known.into_iter().map(|(_, reason)| reason).collect();
    (reasons(enough), reasons(partial))
}

/// What inputs are usually mistaken for, by the size of the excess. True utilizations are a third to a half, so what is
/// a little above 1 is two or three times too much, as a wrong peak may be; what is far above is more than a peak is
/// ever wrong by, while step and world sizes have no such limit; and a hundred times is a unit.
fn mistaken(report: &Report, fraction: f64) -> Vec<String> {
    let devices = report.devices();
    let peak = WRONG_PEAK.to_owned();
    let duplicated =
        "tokens are counted once per tensor, pipeline or context rank, which work on the same ones".to_owned();
    let (step, unit) = if report.pace().is_rate() {
        ("the rate is that of more devices than these", "the rate or the peak is in another unit, a thousand times off")
    } else {
        let unit = "the time or the peak is in another unit: milliseconds for seconds, PFLOP/s for TFLOP/s";
        ("the time is that of a microbatch, the tokens those of a whole step", unit)
    };
    let step = step.to_owned();
    let plural = if devices == 1 { "device is that" } else { "devices are those" };
    let local =
        format!("the tokens are those of all ranks, and the {} {plural} of one node or rank", grouped(devices.into()));
    let ranked = if fraction <= 2.0 { [peak, step, duplicated, local] } else { [step, local, duplicated, peak] };
    let unit = (fraction >= 100.0).then(|| unit.to_owned());
    unit.into_iter().chain(ranked).collect()
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { figure, fraction, achieved, peak, .. } = self;
        let percent = fraction * 100.0;
        writeln!(f, "{figure} of {percent:.1} % is impossible: {achieved} per device against {peak}")?;
        f.write_str("suspect, likeliest first:")?;
        for (index, suspect) in self.suspects.iter().enumerate() {
            write!(f, "\n  {}. {suspect}", index.saturating_add(1))?;
        }
        Ok(())
    }
}

impl std::error::Error for Impossible {}

impl Cause for Impossible {
    const CLASS: Class = Class::Impossible;
}
