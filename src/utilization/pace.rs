//! How fast a count was computed: a duration, or whichever rate was published.

use std::fmt;
use std::time::Duration;

use crate::error::Argument;
use crate::quantity::{grouped_rate, positive};
use crate::{Count, FlopCount, FlopRate, Result};

/// How fast a count was computed: the time it took, or the rate that was published instead.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use std::time::Duration;
/// use mfu::{Batch, Convention, FlopRate, Pace, Peak, catalog};
///
/// // PaLM 540B: 238.3 thousand tokens per second on 6,144 TPU v4.
/// let count = catalog::find("palm-540b")?.cost(Convention::PALM_2022)?.count(Batch::uniform(2_048, 2_048))?;
/// let chips = Peak::declared("TPU v4, BF16", FlopRate::from_tflops(275.0)?)?.times(6_144);
/// let report = count.utilization(Pace::tokens_per_second(238_300.0)?, &chips)?;
/// assert_eq!(report.mfu().to_string(), "46.23 %");
///
/// // A duration is a pace as it is.
/// let step = count.utilization(Duration::from_secs(18), &chips)?;
/// # let _ = step;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Given", into = "Given"))]
pub struct Pace(Given);

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
enum Given {
    /// The whole count took this long.
    DurationNanoseconds(#[cfg_attr(feature = "serde", serde(with = "crate::decimal"))] u128),
    TokensPerSecond(f64),
    TokensPerSecondPerDevice(f64),
    FlopsPerSecondPerDevice(FlopRate),
}

impl Pace {
    /// The whole count took this long; a duration of zero is refused when it is used.
    #[must_use]
    pub const fn duration(duration: Duration) -> Self {
        Self(Given::DurationNanoseconds(duration.as_nanos()))
    }

    /// The whole count took so many seconds, to the nanosecond: for a time that was published, or measured as a float.
    ///
    /// # Errors
    ///
    /// If it is zero to the nanosecond, negative, infinite, not a number, or beyond any [`Duration`].
    pub fn seconds(seconds: f64) -> Result<Self> {
        match Duration::try_from_secs_f64(seconds) {
            Ok(duration) if !duration.is_zero() => Ok(Self::duration(duration)),
            _ => {
                let (value, expected) = (seconds.to_string(), "from a nanosecond to the longest `Duration`");
                Err(Argument { name: "time in seconds", value, expected }.into())
            }
        }
    }

    /// So many tokens per second on all devices together.
    ///
    /// # Errors
    ///
    /// If it is zero, negative, infinite or not a number.
    pub fn tokens_per_second(rate: f64) -> Result<Self> {
        Given::TokensPerSecond(rate).checked()
    }

    /// So many tokens per second on each device.
    ///
    /// # Errors
    ///
    /// If it is zero, negative, infinite or not a number.
    pub fn tokens_per_second_per_device(rate: f64) -> Result<Self> {
        Given::TokensPerSecondPerDevice(rate).checked()
    }

    /// So many model FLOPs per second on each device, under the count's own convention.
    ///
    /// # Errors
    ///
    /// If it is zero.
    pub fn flops_per_second_per_device(rate: FlopRate) -> Result<Self> {
        Given::FlopsPerSecondPerDevice(rate).checked()
    }

    /// The tokens per second of each of so many devices that it amounts to for a count.
    pub(crate) fn per_device(self, count: &Count, devices: u64) -> Result<Self> {
        if matches!(self.0, Given::TokensPerSecondPerDevice(_)) {
            return Ok(self);
        }
        let seconds = self.seconds_for(count.tokens, count.training, devices)?;
        Self::tokens_per_second_per_device(count.tokens as f64 / seconds / devices as f64)
    }

    /// The FLOP/s of each of so many devices that it amounts to for so many tokens and FLOPs.
    pub(crate) fn flops_per_device(self, tokens: u128, training: FlopCount, devices: u64) -> Result<FlopRate> {
        if let Some(rate) = self.said_flops() {
            return Ok(rate);
        }
        let seconds = self.seconds_for(tokens, training, devices)?;
        FlopRate::from_flops_per_second(training.as_f64() / seconds / devices as f64)
    }

    /// The FLOP/s of each device, where it is said in them.
    pub(crate) const fn said_flops(self) -> Option<FlopRate> {
        match self.0 {
            Given::FlopsPerSecondPerDevice(rate) => Some(rate),
            _ => None,
        }
    }

    /// Whether it is that of each device, and not of all together.
    pub(crate) const fn is_of_each_device(self) -> bool {
        matches!(self.0, Given::TokensPerSecondPerDevice(_) | Given::FlopsPerSecondPerDevice(_))
    }

    /// Whether both say how fast in the same way, and not in FLOPs, which a convention would have to count.
    pub(crate) fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self.0) == std::mem::discriminant(&other.0)
            && !matches!(self.0, Given::FlopsPerSecondPerDevice(_))
    }

    /// What it says how fast in.
    pub(crate) const fn noun(self) -> &'static str {
        if self.is_rate() { "throughput" } else { "time" }
    }

    /// The seconds that so many tokens and FLOPs took on so many devices.
    pub(crate) fn seconds_for(self, tokens: u128, training: FlopCount, devices: u64) -> Result<f64> {
        let (tokens, flops, devices) = (tokens as f64, training.as_f64(), devices as f64);
        let seconds = match self.0 {
            Given::DurationNanoseconds(nanoseconds) => nanoseconds as f64 / 1e9,
            Given::TokensPerSecond(rate) => tokens / rate,
            Given::TokensPerSecondPerDevice(rate) => tokens / rate / devices,
            Given::FlopsPerSecondPerDevice(rate) => flops / rate.per_second() / devices,
        };
        if seconds.is_finite() && seconds > 0.0 {
            return Ok(seconds);
        }
        if flops == 0.0 && matches!(self.0, Given::FlopsPerSecondPerDevice(_)) {
            let expected = "above zero where time is derived from a rate of them";
            return Err(Argument { name: "training FLOPs", value: "0".to_owned(), expected }.into());
        }
        let (name, value) = self.0.named();
        let expected = if value > 0.0 { "such that this count takes a finite time above zero" } else { "above zero" };
        Err(Argument { name, value: value.to_string(), expected }.into())
    }

    /// Whether the time is derived from a published rate.
    pub(super) const fn is_rate(self) -> bool {
        !matches!(self.0, Given::DurationNanoseconds(_))
    }
}

impl Given {
    fn checked(self) -> Result<Pace> {
        let (name, value) = self.named();
        if !matches!(self, Self::DurationNanoseconds(_)) {
            positive(name, value)?;
        }
        Ok(Pace(self))
    }

    const fn named(self) -> (&'static str, f64) {
        match self {
            Self::DurationNanoseconds(nanoseconds) => ("duration in nanoseconds", nanoseconds as f64),
            Self::TokensPerSecond(rate) => ("tokens per second", rate),
            Self::TokensPerSecondPerDevice(rate) => ("tokens per second per device", rate),
            Self::FlopsPerSecondPerDevice(rate) => ("FLOP/s per device", rate.per_second()),
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self.0 {
            Given::DurationNanoseconds(nanoseconds) => super::report::time(nanoseconds as f64 / 1e9),
            Given::TokensPerSecond(rate) => format!("{} tokens/s", grouped_rate(rate)),
            Given::TokensPerSecondPerDevice(rate) => format!("{} tokens/s per device", grouped_rate(rate)),
            Given::FlopsPerSecondPerDevice(rate) => format!("{rate} per device"),
        })
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Given> for Pace {
    type Error = crate::Error;

    fn try_from(given: Given) -> Result<Self> {
        given.checked()
    }
}

#[cfg(feature = "serde")]
impl From<Pace> for Given {
    fn from(pace: Pace) -> Self {
        pace.0
    }
}

impl From<Duration> for Pace {
    fn from(duration: Duration) -> Self {
        Self::duration(duration)
    }
}
