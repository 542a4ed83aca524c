//! How fast a count was computed: a duration, or whichever rate was published.

use std::time::Duration;

use crate::error::Argument;
use crate::quantity::positive;
use crate::{FlopRate, Result};

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
/// let report = count.utilization(Pace::tokens_per_second(238_300.0), &chips)?;
/// assert_eq!(report.mfu().to_string(), "46.23 %");
///
/// // A duration is a pace as it is.
/// let step = count.utilization(Duration::from_secs(18), &chips)?;
/// # let _ = step;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
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
    /// The whole count took this long.
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
                Err(Argument { name: "time in seconds", value: seconds.to_string(), expected: "a duration above zero" }
                    .into())
            }
        }
    }

    /// So many tokens per second on all devices together.
    #[must_use]
    pub const fn tokens_per_second(rate: f64) -> Self {
        Self(Given::TokensPerSecond(rate))
    }

    /// So many tokens per second on each device.
    #[must_use]
    pub const fn tokens_per_second_per_device(rate: f64) -> Self {
        Self(Given::TokensPerSecondPerDevice(rate))
    }

    /// So many model FLOPs per second on each device, under the count's own convention.
    #[must_use]
    pub const fn flops_per_second_per_device(rate: FlopRate) -> Self {
        Self(Given::FlopsPerSecondPerDevice(rate))
    }

    /// The seconds that these tokens and FLOPs took on so many devices.
    pub(super) fn seconds_for(self, tokens: u128, flops: f64, devices: u64) -> Result<f64> {
        let devices = devices as f64;
        match self.0 {
            Given::DurationNanoseconds(0) => {
                Err(Argument { name: "duration", value: "0 s".to_owned(), expected: "above zero" }.into())
            }
            Given::DurationNanoseconds(nanoseconds) => Ok(nanoseconds as f64 / 1e9),
            Given::TokensPerSecond(rate) => Ok(tokens as f64 / positive("tokens per second", rate)?),
            Given::TokensPerSecondPerDevice(rate) => {
                Ok(tokens as f64 / (positive("tokens per second per device", rate)? * devices))
            }
            Given::FlopsPerSecondPerDevice(rate) => {
                Ok(flops / (positive("FLOP/s per device", rate.per_second())? * devices))
            }
        }
    }

    /// Whether the time is derived from a published rate.
    pub(super) const fn is_rate(self) -> bool {
        !matches!(self.0, Given::DurationNanoseconds(_))
    }
}

impl From<Duration> for Pace {
    fn from(duration: Duration) -> Self {
        Self::duration(duration)
    }
}
