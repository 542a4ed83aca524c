//! A utilization with everything it was made from.

use std::fmt;

use super::{Finding, Impossible, Pace, finding};
use crate::error::Argument;
use crate::quantity::{Si, grouped, grouped_rate, positive};
use crate::{Count, Fleet, FlopCount, FlopRate, Frozen, Recompute, Result, Utilization};

/// A utilization that carries everything it was made from: FLOPs, tokens, time, devices, peak, convention.
///
/// Its `Display` reads in a terminal. With the `serde` feature it writes those inputs and the figures derived from them
/// under the names that dashboards use, and a `schema_version`; reading it back derives the figures anew and refuses a
/// record whose figures do not follow from its inputs. Its convention is read from the axes; the label beside them is
/// for people.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use std::time::Duration;
/// use mfu::{Batch, Convention, FlopRate, Peak, catalog};
///
/// let cost = catalog::find("deepseek-v3")?.cost(Convention::DEEPSEEK_2025_CAUSAL)?;
/// let peak = Peak::declared("H800, BF16 dense", FlopRate::from_tflops(989.0)?)?;
/// let step = cost.count(Batch::uniform(15_360, 4_096))?;
/// let report = step.utilization(Duration::from_millis(19_926), &peak.times(2_048))?;
/// assert_eq!(report.mfu().to_string(), "38.94 %");
/// assert_eq!(format!("{:.0}", report.flops_per_second_per_device()), "385 TFLOP/s");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(try_from = "stored::Stored"))]
pub struct Report {
    count: Count,
    pace: Pace,
    fleet: Fleet,
    seconds: f64,
    devices: u64,
    mfu: Utilization,
    hfu: Utilization,
}

impl Report {
    pub(super) fn new(count: Count, pace: Pace, fleet: Fleet) -> Result<Self> {
        if count.tokens == 0 {
            return Err(Argument { name: "tokens", value: "0".to_owned(), expected: "at least one" }.into());
        }
        let devices = fleet.devices()?;
        let seconds = pace.seconds_for(count.tokens, count.training, devices)?;
        let available = positive("time × peak in FLOP", seconds * fleet.peak().per_second())?;
        let most = fleet.headroom();
        let [mfu, hfu] = [count.training, count.hardware].map(|flops| super::fraction(flops.as_f64(), available, most));
        let utilization = Utilization::from_fraction;
        let report = Self { count, pace, fleet, seconds, devices, mfu: utilization(mfu)?, hfu: utilization(hfu)? };
        if mfu > most {
            return Err(Impossible::mfu(&report, mfu, report.per_device_and_second(count.training)?).into());
        }
        if hfu > most {
            return Err(Impossible::hfu(&report, hfu, report.per_device_and_second(count.hardware)?).into());
        }
        Ok(report)
    }

    /// Model FLOPs utilization.
    #[must_use]
    pub const fn mfu(&self) -> Utilization {
        self.mfu
    }

    /// Hardware FLOPs utilization: what was recomputed counts, too. Equal to [`mfu`](Self::mfu) where nothing was.
    #[must_use]
    pub const fn hfu(&self) -> Utilization {
        self.hfu
    }

    /// The FLOPs and tokens, with the convention and recipe they were counted under.
    #[must_use]
    pub const fn count(&self) -> &Count {
        &self.count
    }

    /// The devices and their peaks.
    #[must_use]
    pub const fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// How many devices there are.
    #[must_use]
    pub const fn devices(&self) -> u64 {
        self.devices
    }

    /// The time that was given, or the rate it was derived from.
    #[must_use]
    pub const fn pace(&self) -> Pace {
        self.pace
    }

    /// The time in seconds, given or derived.
    #[must_use]
    pub const fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Model FLOP/s of each device, on average.
    #[must_use]
    pub fn flops_per_second_per_device(&self) -> FlopRate {
        // What bounds an MFU bounds it by the fleet's peak, which is finite.
        self.per_device_and_second(self.count.training).unwrap_or_default()
    }

    /// Tokens per second of all devices together.
    #[must_use]
    pub fn tokens_per_second(&self) -> f64 {
        self.count.tokens as f64 / self.seconds
    }

    /// Tokens per second of each device, on average.
    #[must_use]
    pub fn tokens_per_second_per_device(&self) -> f64 {
        self.tokens_per_second() / self.devices as f64
    }

    /// What looks wrong about it: usually nothing.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        finding::about(&self.fleet, if self.hfu > self.mfu { self.hfu } else { self.mfu })
    }

    fn per_device_and_second(&self, flops: FlopCount) -> Result<FlopRate> {
        FlopRate::from_flops_per_second(flops.as_f64() / self.seconds / self.devices as f64)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count { tokens, training, convention, recipe, .. } = self.count;
        writeln!(f, "{:<12}{} under {}", "MFU", self.mfu, convention.label())?;
        if recipe.recompute != Recompute::None {
            writeln!(f, "{:<12}{}, {}", "HFU", self.hfu, recipe.recompute)?;
        }
        if recipe.frozen != Frozen::Nothing {
            writeln!(f, "{:<12}{}", "recipe", recipe.frozen)?;
        }
        writeln!(f, "{:<12}{} per device", "achieved", self.flops_per_second_per_device())?;
        let per_token = |value| format!(", {} per token", Si { value, unit: "FLOP" });
        let per_token = self.count.training_flops_per_token().map_or_else(String::new, per_token);
        writeln!(f, "{:<12}{} for {} tokens{per_token}", "work", training, grouped(tokens))?;
        let derived = if self.pace.is_rate() { " (derived from a rate)" } else { "" };
        writeln!(f, "{:<12}{}{derived}", "time", time(self.seconds))?;
        let [all, each] = [self.tokens_per_second(), self.tokens_per_second_per_device()].map(grouped_rate);
        writeln!(f, "{:<12}{all} tokens/s, {each} per device", "throughput")?;
        write!(f, "{:<12}{}", "devices", self.fleet)?;
        for finding in self.findings() {
            write!(f, "\n{:<12}{finding}", "finding")?;
        }
        Ok(())
    }
}

/// A time with the unit that leaves a digit before the point.
pub(super) fn time(seconds: f64) -> String {
    for (unit, per_second) in [("s", 1.0), ("ms", 1e3), ("µs", 1e6)] {
        if seconds * per_second >= 1.0 {
            return format!("{:.3} {unit}", seconds * per_second);
        }
    }
    format!("{:.3} ns", seconds * 1e9)
}

/// The record of a report, as it is written and read.
#[cfg(feature = "serde")]
mod stored {
    use serde::{Deserialize, Serialize, Serializer};

    use super::Report;
    use crate::error::{Cause, Class};
    use crate::schema::SchemaVersion;
    use crate::{Count, Fleet, Pace, Result};

    #[derive(Debug, thiserror::Error)]
    #[error("the recorded {field} = {recorded} does not follow from the recorded inputs, which give {computed}")]
    struct Inconsistent {
        field: &'static str,
        recorded: f64,
        computed: f64,
    }

    impl Cause for Inconsistent {
        const CLASS: Class = Class::NotApplicable;
    }

    #[derive(Deserialize, Serialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Stored {
        schema_version: SchemaVersion,
        mfu: f64,
        hfu: f64,
        model_tflops_per_second_per_device: f64,
        tokens_per_second: f64,
        tokens_per_second_per_device: f64,
        step_time_seconds: f64,
        devices: u64,
        convention_label: String,
        findings: Vec<String>,
        count: Count,
        pace: Pace,
        fleet: Fleet,
    }

    impl Serialize for Report {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let stored = Stored {
                schema_version: SchemaVersion,
                mfu: self.mfu().as_fraction(),
                hfu: self.hfu().as_fraction(),
                model_tflops_per_second_per_device: self.flops_per_second_per_device().as_tflops(),
                tokens_per_second: self.tokens_per_second(),
                tokens_per_second_per_device: self.tokens_per_second_per_device(),
                step_time_seconds: self.seconds(),
                devices: self.devices(),
                convention_label: self.count.convention.label(),
                findings: self.findings().iter().map(ToString::to_string).collect(),
                count: self.count,
                pace: self.pace,
                fleet: self.fleet.clone(),
            };
            stored.serialize(serializer)
        }
    }

    impl TryFrom<Stored> for Report {
        type Error = crate::Error;

        fn try_from(stored: Stored) -> Result<Self> {
            let report = Self::new(stored.count, stored.pace, stored.fleet)?;
            if stored.devices != report.devices() {
                let (recorded, computed) = (stored.devices as f64, report.devices() as f64);
                return Err(Inconsistent { field: "devices", recorded, computed }.into());
            }
            // The label is a name for the axes beside it, and findings are words about the inputs. A later release may
            // know better ones, so they are not held against them.
            for (field, recorded, computed) in [
                ("mfu", stored.mfu, report.mfu().as_fraction()),
                ("hfu", stored.hfu, report.hfu().as_fraction()),
                ("step_time_seconds", stored.step_time_seconds, report.seconds()),
                ("tokens_per_second", stored.tokens_per_second, report.tokens_per_second()),
                (
                    "tokens_per_second_per_device",
                    stored.tokens_per_second_per_device,
                    report.tokens_per_second_per_device(),
                ),
                (
                    "model_tflops_per_second_per_device",
                    stored.model_tflops_per_second_per_device,
                    report.flops_per_second_per_device().as_tflops(),
                ),
            ] {
                // Formats that print floats short of their last bit are tolerated; tampering is not, and neither is no
                // number.
                let follows = (recorded - computed).abs() <= 1e-12 * computed.abs();
                if !follows {
                    return Err(Inconsistent { field, recorded, computed }.into());
                }
            }
            Ok(report)
        }
    }
}
