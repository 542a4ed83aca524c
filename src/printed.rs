//! A figure as somebody printed it.

use std::fmt;
use std::str::FromStr;

use crate::error::Argument;
use crate::{Error, Result};

/// A figure as it was printed: a value, and how much its last digit is worth.
///
/// Whoever prints 38.94 has a number from 38.935 to 38.945, and whoever cuts digits off one from 38.94 to 38.95. What
/// follows from a printed figure follows from that interval; no tolerance is needed, and none would be right.
///
/// A figure parses from its digits, with commas between thousands and an exponent if need be: `400` is good to a unit,
/// `4.0e2` to ten.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::Printed;
///
/// let mfu: Printed = "38.94".parse()?;
/// assert!(mfu.allows(38.9419) && !mfu.allows(38.93));
/// // Half of a last digit off, and one and a half.
/// assert!((mfu.digits_off(38.945) - 0.5).abs() < 1e-9);
/// assert!((mfu.digits_off(38.925) + 1.5).abs() < 1e-9);
///
/// assert!("15".parse::<Printed>()?.truncated().allows(15.93));
/// assert!("4.0e2".parse::<Printed>()?.allows(404.0));
/// assert!("1,542".parse::<Printed>()?.allows(1_541.7));
/// assert!("39 %".parse::<Printed>().unwrap_err().is_invalid_argument());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    text: String,
    value: f64,
    last_digit: f64,
    truncated: bool,
}

impl Printed {
    /// Digits beyond the last were cut off, not rounded.
    #[must_use = "the figure is returned, not changed in place"]
    pub fn truncated(self) -> Self {
        Self { truncated: true, ..self }
    }

    /// The value of its digits.
    #[must_use]
    pub const fn value(&self) -> f64 {
        self.value
    }

    /// What a unit of its last digit is worth: 0.01 for 38.94.
    #[must_use]
    pub const fn last_digit(&self) -> f64 {
        self.last_digit
    }

    /// The least that it may have been printed for.
    #[must_use]
    pub fn least(&self) -> f64 {
        match self.truncated {
            true if self.value < 0.0 => self.value - self.last_digit,
            true => self.value,
            false => self.value - self.last_digit / 2.0,
        }
    }

    /// The most that it may have been printed for.
    #[must_use]
    pub fn most(&self) -> f64 {
        match self.truncated {
            true if self.value < 0.0 => self.value,
            true => self.value + self.last_digit,
            false => self.value + self.last_digit / 2.0,
        }
    }

    /// Whether it may have been printed for this number. A number that falls on either end, but for the rounding of
    /// floats, may.
    #[must_use]
    pub fn allows(&self, number: f64) -> bool {
        const ROUNDING: f64 = 1e-9;
        let slack = ROUNDING * self.last_digit;
        number >= self.least() - slack && number <= self.most() + slack
    }

    /// How far a number is from it, in units of the last digit: at most a half, if it was rounded from that number.
    #[must_use]
    pub fn digits_off(&self, number: f64) -> f64 {
        (number - self.value) / self.last_digit
    }
}

impl FromStr for Printed {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = || {
            let expected = "a number in digits, such as 38.94, 1,542 or 4.0e2";
            Argument { name: "printed figure", value: format!("{:?}", crate::lookup::abridged(text)), expected }
        };
        let trimmed = text.trim();
        let (mantissa, exponent) = match trimmed.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| refused())?),
            None => (trimmed, 0),
        };
        let (whole, places) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let whole = ungrouped(whole.strip_prefix('-').unwrap_or(whole)).ok_or_else(refused)?;
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len().saturating_add(places.len()) == 0 || !digits(&whole) || !digits(places) {
            return Err(refused().into());
        }
        let sign = if mantissa.starts_with('-') { "-" } else { "" };
        let value: f64 = format!("{sign}{whole}.{places}e{exponent}").parse().map_err(|_| refused())?;
        let last_place = i32::try_from(places.len()).ok().and_then(|places| exponent.checked_sub(places));
        let last_digit: f64 = format!("1e{}", last_place.ok_or_else(refused)?).parse().map_err(|_| refused())?;
        if !value.is_finite() || !last_digit.is_normal() {
            return Err(refused().into());
        }
        Ok(Self { text: trimmed.to_owned(), value, last_digit, truncated: false })
    }
}

/// Digits without the commas between their thousands; none, if a comma stands elsewhere.
fn ungrouped(digits: &str) -> Option<String> {
    let mut groups = digits.split(',');
    let first = groups.next()?;
    let grouped = digits.contains(',');
    let well_placed = !grouped || (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3);
    well_placed.then(|| digits.replace(',', ""))
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_and_its_last_digit() {
        for (text, value, last_digit) in [
            ("38.94", 38.94, 0.01),
            ("400", 400.0, 1.0),
            ("4.0e2", 400.0, 10.0),
            ("238.3E3", 238_300.0, 100.0),
            (" 1,027.9 ", 1_027.9, 0.1),
            ("3,157,410", 3_157_410.0, 1.0),
            ("-0.5", -0.5, 0.1),
            (".25", 0.25, 0.01),
            ("20.", 20.0, 1.0),
        ] {
            let printed: Printed = text.parse().unwrap();
            approx::assert_relative_eq!(printed.value(), value);
            approx::assert_relative_eq!(printed.last_digit(), last_digit);
            assert!(printed.allows(value) && printed.allows(printed.least()) && printed.allows(printed.most()));
            assert!(!printed.allows(value + 0.51 * last_digit) && !printed.allows(value - 0.51 * last_digit));
        }
    }

    #[test]
    fn what_is_no_figure() {
        for text in [
            "",
            " ",
            ".",
            "e5",
            "1e",
            "1e1.5",
            "NaN",
            "inf",
            "1_000",
            "1,00",
            ",100",
            "1000,000",
            "39 %",
            "0x10",
            "1e400",
            "1e-400",
            "--1",
            "+1",
            "1.2.3",
            "1e99999999999",
        ] {
            let error = text.parse::<Printed>().unwrap_err();
            assert!(error.is_invalid_argument() && error.to_string().contains("printed figure"), "{text:?}: {error}");
        }
    }

    #[test]
    fn cut_off_is_not_rounded() {
        let cut = "15".parse::<Printed>().unwrap().truncated();
        for (number, allowed) in [(14.99, false), (15.0, true), (15.99, true), (16.01, false)] {
            assert_eq!(cut.allows(number), allowed, "{number}");
        }
        // Digits are cut off towards zero.
        let below = "-15".parse::<Printed>().unwrap().truncated();
        assert!(below.allows(-15.99) && !below.allows(-14.99));
    }
}
