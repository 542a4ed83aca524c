//! The three quantities everything else is made of: an exact count of FLOPs, a rate, a utilization.

use std::fmt;

use crate::error::{Argument, Result};
use crate::exact::Exact;

/// An exact number of floating-point operations. One multiply-add is two.
///
/// Held as `u128`, since two steps of DeepSeek-V3 (1.57 × 10¹⁹ FLOP each) leave the range of a `u64`, and one that of
/// the integers an `f64` holds exactly.
/// In JSON it is a decimal string; reading accepts a string or an integer up to `u64`, and refuses a float.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::FlopCount;
///
/// let token = FlopCount::new(249_811_304_448);
/// assert_eq!(token.get(), 249_811_304_448);
/// assert_eq!(token.to_string(), "249.811 GFLOP");
/// assert_eq!(format!("{:.0}", token.checked_add(token)?), "500 GFLOP");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct FlopCount(#[cfg_attr(feature = "serde", serde(with = "crate::decimal"))] u128);

impl FlopCount {
    /// This many operations.
    #[must_use]
    pub const fn new(operations: u128) -> Self {
        Self(operations)
    }

    /// The exact number of operations.
    #[must_use]
    pub const fn get(self) -> u128 {
        self.0
    }

    /// The sum, or an overflow error.
    pub fn checked_add(self, other: Self) -> Result<Self> {
        Ok(Self(self.0.plus(other.0, "FLOPs")?))
    }

    /// The nearest `f64`, for ratios.
    #[must_use]
    pub const fn as_f64(self) -> f64 {
        self.0 as f64
    }
}

impl fmt::Display for FlopCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Si { value: self.as_f64(), unit: "FLOP" }.fmt(f)
    }
}

/// A rate in FLOP/s: finite and not negative.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::FlopRate;
///
/// let peak = FlopRate::from_tflops(989.4)?;
/// assert_eq!(peak.per_second(), 989.4e12);
/// assert_eq!(peak.to_string(), "989.400 TFLOP/s");
/// assert!(FlopRate::from_tflops(f64::NAN).unwrap_err().is_invalid_argument());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "f64", into = "f64"))]
pub struct FlopRate(f64);

impl FlopRate {
    /// A rate given in FLOP/s.
    ///
    /// # Errors
    ///
    /// If it is negative, infinite or not a number.
    pub fn from_flops_per_second(per_second: f64) -> Result<Self> {
        Ok(Self(not_negative("rate in FLOP/s", per_second)?))
    }

    /// A rate given in TFLOP/s (10¹² FLOP/s).
    ///
    /// # Errors
    ///
    /// If it is negative, infinite or not a number.
    pub fn from_tflops(tera_per_second: f64) -> Result<Self> {
        Self::from_flops_per_second(tera_per_second * 1e12)
    }

    /// The rate in FLOP/s.
    #[must_use]
    pub const fn per_second(self) -> f64 {
        self.0
    }

    /// The rate in TFLOP/s (10¹² FLOP/s).
    #[must_use]
    pub const fn as_tflops(self) -> f64 {
        self.0 / 1e12
    }
}

impl fmt::Display for FlopRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Si { value: self.0, unit: "FLOP/s" }.fmt(f)
    }
}

/// A utilization, held as a fraction and shown in percent: finite and not negative.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::Utilization;
///
/// let mfu = Utilization::from_percent(38.94)?;
/// assert!((mfu.as_fraction() - 0.3894).abs() < 1e-15);
/// assert_eq!(mfu.to_string(), "38.94 %");
/// assert_eq!(format!("{mfu:.1}"), "38.9 %");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "f64", into = "f64"))]
pub struct Utilization(f64);

impl Utilization {
    /// A utilization given as a fraction: 0.3894 for 38.94 %.
    ///
    /// # Errors
    ///
    /// If it is negative, infinite or not a number.
    pub fn from_fraction(fraction: f64) -> Result<Self> {
        Ok(Self(not_negative("utilization", fraction)?))
    }

    /// A utilization given in percent: 38.94 for 38.94 %.
    ///
    /// # Errors
    ///
    /// If it is negative, infinite or not a number.
    pub fn from_percent(percent: f64) -> Result<Self> {
        Self::from_fraction(percent / 100.0)
    }

    /// The fraction: 0.3894 for 38.94 %.
    #[must_use]
    pub const fn as_fraction(self) -> f64 {
        self.0
    }

    /// In percent: 38.94 for 38.94 %.
    #[must_use]
    pub const fn as_percent(self) -> f64 {
        self.0 * 100.0
    }
}

impl fmt::Display for Utilization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.*} %", f.precision().unwrap_or(2), self.as_percent());
        right_aligned(f, &text)
    }
}

macro_rules! through_f64 {
    ($($quantity:ty, $from:path, $into:path;)*) => {$(
        impl TryFrom<f64> for $quantity {
            type Error = crate::Error;

            fn try_from(value: f64) -> Result<Self> {
                $from(value)
            }
        }

        impl From<$quantity> for f64 {
            fn from(value: $quantity) -> f64 {
                $into(value)
            }
        }
    )*};
}

through_f64! {
    FlopRate, FlopRate::from_flops_per_second, FlopRate::per_second;
    Utilization, Utilization::from_fraction, Utilization::as_fraction;
}

/// The value, if it is finite and not below zero.
pub(crate) fn not_negative(name: &'static str, value: f64) -> Result<f64> {
    if value.is_finite() && value >= 0.0 {
        // -0.0 passes the comparison; adding zero makes it the zero that everyone expects to see.
        Ok(value + 0.0)
    } else {
        Err(Argument { name, value: value.to_string(), expected: "a finite number from zero up" }.into())
    }
}

/// The value, if it is finite and above zero.
pub(crate) fn positive(name: &'static str, value: f64) -> Result<f64> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(Argument { name, value: value.to_string(), expected: "a finite number above zero" }.into())
    }
}

/// A value with the SI prefix that leaves one to three digits before the point, to three places unless told otherwise.
pub(crate) struct Si {
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
}

impl fmt::Display for Si {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PREFIXES: [&str; 10] = ["k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q"];
        let Self { value, unit } = *self;
        let places = f.precision().unwrap_or(3);
        let (mut scaled, mut prefix) = (value, "");
        for next in PREFIXES {
            // Rounding may carry to a thousand, which is the next prefix's one.
            if scaled + 0.5 * 0.1_f64.powi(i32::try_from(places).unwrap_or(i32::MAX)) < 1000.0 {
                break;
            }
            (scaled, prefix) = (scaled / 1000.0, next);
        }
        let text = if prefix.is_empty() && scaled.fract() == 0.0 {
            format!("{scaled} {unit}")
        } else {
            format!("{scaled:.places$} {prefix}{unit}")
        };
        right_aligned(f, &text)
    }
}

/// Writes the text in the width asked for, to the right unless told otherwise, as numbers are. `Formatter::pad` would
/// cut it to the precision, which is that of the number.
fn right_aligned(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    match (f.width(), f.align()) {
        (None, _) => f.write_str(text),
        (Some(width), Some(fmt::Alignment::Left)) => write!(f, "{text:<width$}"),
        (Some(width), Some(fmt::Alignment::Center)) => write!(f, "{text:^width$}"),
        (Some(width), Some(fmt::Alignment::Right) | None) => write!(f, "{text:>width$}"),
    }
}

/// An integer with its thousands set apart, as accounts are written.
pub(crate) fn grouped(value: u128) -> String {
    thousands(&value.to_string())
}

/// A rate with its thousands set apart, to the places that are worth reading.
pub(crate) fn grouped_rate(value: f64) -> String {
    if value < 100.0 { format!("{value:.3}") } else { thousands(&format!("{value:.0}")) }
}

fn thousands(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len().saturating_mul(4) / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && digits.len().abs_diff(index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_and_carries() {
        for (operations, shown) in [
            (0, "0 FLOP"),
            (999, "999 FLOP"),
            (1_000, "1.000 kFLOP"),
            (999_999, "999.999 kFLOP"),
            (999_999_999, "1.000 GFLOP"),
            (15_716_802_000_000_000_000, "15.717 EFLOP"),
            (u128::MAX, "340282366.921 QFLOP"),
        ] {
            assert_eq!(FlopCount::new(operations).to_string(), shown);
        }
        assert_eq!(format!("{:.0}", FlopCount::new(999_600)), "1 MFLOP");
        assert_eq!(
            FlopRate::from_flops_per_second(0.25).map(|rate| rate.to_string()).ok().as_deref(),
            Some("0.250 FLOP/s")
        );
    }

    #[test]
    fn widths() {
        let count = FlopCount::new(1_500);
        assert_eq!(format!("{count:>14}|{count:<14}|{count:^14.0}"), "   1.500 kFLOP|1.500 kFLOP   |   2 kFLOP    ");
        let half = Utilization::from_percent(50.0).ok();
        assert_eq!(half.map(|half| format!("{half:9.1}")).as_deref(), Some("   50.0 %"));
    }

    #[test]
    fn thousands() {
        for (value, shown) in [(0, "0"), (999, "999"), (1_000, "1,000"), (926_679_040, "926,679,040")] {
            assert_eq!(grouped(value), shown);
        }
        for (rate, shown) in [(0.25, "0.250"), (99.5, "99.500"), (100.4, "100"), (3_157_410.4, "3,157,410")] {
            assert_eq!(grouped_rate(rate), shown);
        }
    }

    #[test]
    fn bad_floats_are_named() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0] {
            assert!(FlopRate::from_flops_per_second(value).is_err_and(|e| e.is_invalid_argument()));
            assert!(Utilization::from_fraction(value).is_err_and(|e| e.to_string().contains("utilization")));
            assert!(positive("peak", value).is_err());
        }
        assert!(FlopRate::from_tflops(f64::MAX).is_err(), "overflows to infinity");
        assert!(positive("peak", 0.0).is_err());
        assert_eq!(Utilization::from_fraction(-0.0).map(|u| u.to_string()).ok().as_deref(), Some("0.00 %"));
    }

    #[test]
    fn sums_are_checked() {
        let most = FlopCount::new(u128::MAX);
        assert!(most.checked_add(FlopCount::new(1)).is_err_and(|e| e.is_overflow()));
    }
}
