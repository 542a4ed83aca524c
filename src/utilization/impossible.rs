//! A utilization above 1, and which inputs to suspect for it, the likeliest first.

use std::fmt;

use super::report::Report;
use crate::convention::Core;
use crate::{FlopRate, Peak};

/// A utilization above 1.
#[derive(Clone, Debug)]
pub(crate) struct Impossible {
    figure: &'static str,
    fraction: f64,
    achieved: FlopRate,
    peak: String,
    causes: Vec<String>,
}

impl Impossible {
    /// One rate over one peak: nothing is known of how the rate came about.
    pub(super) fn bare(fraction: f64, achieved: FlopRate, peak: &Peak) -> Self {
        let causes = vec![
            "the peak is that of another device or precision".to_owned(),
            "the rate is that of several devices".to_owned(),
        ];
        Self { figure: "utilization", fraction, achieved, peak: peak.to_string(), causes }
    }

    /// A report whose MFU, or whose HFU, is above 1.
    pub(super) fn of(report: &Report, figure: &'static str, fraction: f64, achieved: FlopRate) -> Self {
        let causes = causes(report, fraction);
        Self { figure, fraction, achieved, peak: report.fleet().to_string(), causes }
    }
}

/// What would explain the figure, ranked. Overcounts that this very count is known to hold come first, those that suffice alone
/// before those that do not; then what inputs are usually mistaken for, by the size of the excess.
fn causes(report: &Report, fraction: f64) -> Vec<String> {
    let count = report.count();
    let training = count.training.as_f64();
    let core = count.attention_core().as_f64();
    let tokens_per_expert = count.idle().as_f64();

    let mut overcounts: Vec<(f64, &str)> = Vec::new();
    if count.convention.core == Core::Full && core > 0.0 {
        overcounts.push((core / 2.0, "it counts the full attention matrix, of which a causal mask computes half"));
    }
    if tokens_per_expert > 0.0 {
        overcounts.push((tokens_per_expert, "it counts all experts, of which a token visits a few"));
    }
    overcounts.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    let (enough, partial): (Vec<_>, Vec<_>) =
        overcounts.into_iter().partition(|(excess, _)| fraction * (1.0 - excess / training) <= 1.0);
    let explain = |(excess, reason): (f64, &str)| {
        let without = 100.0 * fraction * (1.0 - excess / training);
        format!("{} counts too much: {reason}; without that, {without:.1} %", count.convention.label())
    };

    let devices = report.devices();
    let wrong_peak = "the peak is a wrong one: another device's, another precision's, half a package's".to_owned();
    let duplicated =
        "tokens are counted once per tensor, pipeline or context rank, which work on the same ones".to_owned();
    let microbatch = "the time is that of a microbatch, the tokens those of a whole step".to_owned();
    let local = format!("the tokens are those of all ranks, the {devices} devices those of one node or rank");
    // A peak is rarely wrong by more than sparsity and a precision, 4; step and world sizes have no such limit.
    let usual = if fraction <= 4.0 {
        [wrong_peak, duplicated, microbatch, local]
    } else {
        [microbatch, local, duplicated, wrong_peak]
    };
    enough.into_iter().map(explain).chain(usual).chain(partial.into_iter().map(explain)).collect()
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { figure, fraction, achieved, peak, .. } = self;
        let percent = fraction * 100.0;
        write!(
            f,
            "{figure} of {percent:.1} % is impossible: {achieved} per device against {peak}. Suspect, likeliest first: "
        )?;
        for (index, cause) in self.causes.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}({}) {cause}", index.saturating_add(1))?;
        }
        Ok(())
    }
}

impl std::error::Error for Impossible {}

impl From<Impossible> for crate::error::Kind {
    fn from(impossible: Impossible) -> Self {
        Self::Impossible(impossible)
    }
}
