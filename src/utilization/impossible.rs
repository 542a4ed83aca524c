//! A utilization above 1, and which inputs to suspect for it, the likeliest first.

use std::fmt;

use super::report::Report;
use crate::convention::Core;
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
    /// The most that would have been possible: 1, or what has been measured of devices that exceed their peak.
    most: f64,
    suspects: Vec<String>,
}

impl Impossible {
    /// One rate over one peak: nothing is known of how the rate came about.
    pub(super) fn of_rate(fraction: f64, achieved: FlopRate, peak: &Peak) -> Self {
        let suspects = vec![WRONG_PEAK.to_owned(), "the rate is that of several devices".to_owned()];
        let most = peak.headroom();
        Self { figure: "utilization", fraction, achieved, peak: peak.to_string(), most, suspects }
    }

    /// A report whose MFU is above 1.
    pub(super) fn mfu(report: &Report, fraction: f64, achieved: FlopRate) -> Self {
        let known = overcounts(report);
        let left = |share: f64| fraction * (1.0 - share);
        let together: f64 = known.iter().map(|(share, _)| share).sum();
        let (peak, most) = (report.fleet().to_string(), report.fleet().headroom());
        let (mut enough, mut partial): (Vec<_>, Vec<_>) =
            known.into_iter().partition(|(share, _)| left(*share) <= most);
        if enough.is_empty() && left(together) <= most {
            (enough, partial) = (partial, enough);
        }
        let explain = |(share, reason): (f64, String)| format!("{reason}; without those, {:.1} %", 100.0 * left(share));
        let suspects = enough.into_iter().map(explain).chain(mistaken(report, fraction));
        let suspects = suspects.chain(partial.into_iter().map(explain)).collect();
        Self { figure: "MFU", fraction, achieved, peak, most, suspects }
    }

    /// A report whose HFU is above 1, and whose MFU is not.
    pub(super) fn hfu(report: &Report, fraction: f64, achieved: FlopRate) -> Self {
        let mut suspects: Vec<String> = overcounts(report).into_iter().map(|(_, reason)| reason).collect();
        if report.count().convention.hardware != Hardware::Performed {
            let label = report.count().convention.label();
            suspects.push(format!("{label} charges a recompute by a rule, which may be more than is performed"));
        }
        suspects.push("less was recomputed than the recipe says".to_owned());
        suspects.extend(mistaken(report, fraction));
        let (peak, most) = (report.fleet().to_string(), report.fleet().headroom());
        Self { figure: "HFU", fraction, achieved, peak, most, suspects }
    }
}

const WRONG_PEAK: &str = "the peak is a wrong one: another device's, another precision's, half a package's (a sparse peak would \
                          make the figure too small)";

/// What this very count is known to hold too much of, each with its share of the count, the largest first. Less than a
/// hundredth (the diagonal, the corner of a window) explains nothing.
fn overcounts(report: &Report) -> Vec<(f64, String)> {
    let count = report.count();
    let (label, training) = (count.convention.label(), count.training.as_f64());
    let unmasked = if count.convention.core == Core::Full {
        "counts the full attention matrix, with pairs that the masks hide"
    } else {
        "looks at no window, and counts pairs that the masks hide"
    };
    let mut known: Vec<(f64, String)> = [
        (count.detail.core.saturating_sub(count.detail.masked), unmasked),
        (count.detail.idle, "counts all experts, with those that a token does not visit"),
    ]
    .into_iter()
    .map(|(flops, reason)| (flops as f64 / training, format!("{label} {reason}")))
    .filter(|(share, _)| *share > 0.01)
    .collect();
    known.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    known
}

/// What inputs are usually mistaken for, by the size of the excess. True utilizations are a third to a half, so what is
/// a little above 1 is two or three times too much, as a wrong peak may be; what is far above is more than a peak is
/// ever wrong by, while step and world sizes have no such limit; and a hundred times is a unit.
fn mistaken(report: &Report, fraction: f64) -> Vec<String> {
    let devices = report.devices();
    let peak = WRONG_PEAK.to_owned();
    let duplicated =
        "tokens are counted once per tensor, pipeline or context rank, which work on the same ones".to_owned();
    if report.pace().is_rate() {
        let unit = "the rate or the peak is in another unit, a thousand times off".to_owned();
        let rate = "the rate is that of more devices than these".to_owned();
        let ranked = if fraction <= 2.0 { [peak, rate, duplicated] } else { [rate, duplicated, peak] };
        return (fraction >= 100.0).then_some(unit).into_iter().chain(ranked).collect();
    }
    let unit = "the time or the peak is in another unit: milliseconds for seconds, PFLOP/s for TFLOP/s".to_owned();
    let step = "the time is that of a microbatch, the tokens those of a whole step".to_owned();
    let plural = if devices == 1 { "device is that" } else { "devices are those" };
    let local =
        format!("the tokens are those of all ranks, and the {} {plural} of one node or rank", grouped(devices.into()));
    let ranked = if fraction <= 2.0 { [peak, step, duplicated, local] } else { [step, local, duplicated, peak] };
    (fraction >= 100.0).then_some(unit).into_iter().chain(ranked).collect()
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { figure, fraction, achieved, peak, most, .. } = self;
        let percent = fraction * 100.0;
        // What rounds to 100 is shown to more places: exactly 100 % is possible.
        let places = if percent < 100.05 { 7 } else { 1 };
        writeln!(f, "{figure} of {percent:.places$} % is impossible: {achieved} per device against {peak}")?;
        if *most > 1.0 {
            writeln!(
                f,
                "these devices clock higher than that is published for, up to {:.1} % as measured at BF16",
                most * 100.0
            )?;
        }
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
