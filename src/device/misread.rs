//! A declared peak that is another figure of its device.

use std::fmt;

use super::row::Headline;
use super::{Peak, Precision, find, row::Row};
use crate::FlopRate;

/// The device and precision that the label of a peak names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    pub(super) row: &'static Row,
    pub(super) precision: Precision,
}

impl Known {
    /// What a label names whole: a device, then a precision, then whatever else it says.
    pub(super) fn of(label: &str) -> Option<Self> {
        let separated = |c: char| c.is_whitespace() || ",;:/|@()[]".contains(c);
        let mut rest = label;
        let mut start = 0_usize;
        loop {
            let (word, after) = rest.split_once(separated).map_or((rest, None), |(word, after)| (word, Some(after)));
            if let Some(precision) = Precision::named(word) {
                let (device, _) = label.split_at_checked(start)?;
                let device = device.trim_end_matches(|c| separated(c) || c == '-');
                let device = device.strip_suffix(" dense").unwrap_or(device).trim_end_matches(separated);
                let (row, _) = find::listed(device.trim_start())?;
                let next = after.unwrap_or_default().trim_start_matches(separated);
                let on_matrix_units = ["tensor", "matrix"]
                    .iter()
                    .any(|units| next.get(..units.len()).is_some_and(|start| start.eq_ignore_ascii_case(units)));
                let precision = match precision {
                    Precision::Fp64 if on_matrix_units => Precision::Fp64Tensor,
                    other => other,
                };
                return Some(Self { row, precision });
            }
            rest = after?;
            start = label.len().checked_sub(rest.len())?;
        }
    }

    pub(super) fn dense(self) -> Option<FlopRate> {
        self.row.dense(self.precision).rate()
    }

    /// Every figure that is printed of the device at a precision, the dense one first: of one, and of several that are
    /// sold or printed together.
    pub(super) fn figures(self, precision: Precision) -> impl Iterator<Item = (Reading, FlopRate)> {
        let row = self.row;
        let unit = (row.devices_per_unit > 1).then_some((row.devices_per_unit, row.unit));
        let groups = unit.into_iter().chain(row.groups.iter().copied());
        let groups = std::iter::once((1, None)).chain(groups.map(|(devices, group)| (devices, Some(group))));
        groups.flat_map(move |(devices, group)| {
            let dense = row.dense(precision).rate().map(|rate| (None, rate));
            let headlines = row.headlines(precision).map(|(headline, rate)| (Some(headline), rate));
            dense.into_iter().chain(headlines).filter_map(move |(headline, rate)| {
                let together = FlopRate::from_flops_per_second(rate.per_second() * f64::from(devices)).ok()?;
                Some((Reading { headline, devices, group }, together))
            })
        })
    }
}

/// A declared peak that equals another figure than the dense peak of the device that its label names.
///
/// A label names a device if it begins with a whole name of one, and goes on with a precision: `H100, BF16 dense`. The
/// figure stays what was declared; this says what it looks like.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{FlopRate, Peak};
///
/// let peak = Peak::declared("H100 BF16", FlopRate::from_tflops(1_979.0)?)?;
/// let misread = peak.misread().expect("1,979 is printed large, and is for sparse matrices");
/// assert!(misread.to_string().contains("sparse headline"));
/// assert_eq!(misread.dense().map(|dense| dense.rate().as_tflops()), Some(989.4));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Misread {
    declared: Peak,
    dense: Option<Peak>,
    readings: Vec<Reading>,
}

/// What a figure is that was declared as the dense peak of one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reading {
    /// The kind of figure, or `None` for a dense one.
    pub headline: Option<Headline>,
    /// How many devices it is the figure of.
    pub devices: u32,
    /// What these devices are together, where they are several.
    pub group: Option<&'static str>,
}

impl Misread {
    /// The peak as it was declared.
    #[must_use]
    pub const fn declared(&self) -> &Peak {
        &self.declared
    }

    /// The dense peak of the table, if one is published.
    #[must_use]
    pub const fn dense(&self) -> Option<&Peak> {
        self.dense.as_ref()
    }

    /// What the declared figure may be instead; at least one reading.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }
}

impl Peak {
    /// Whether a declared peak is a sparse headline of the device that its label names, or the figure of several such
    /// devices, and not the dense figure of one.
    #[must_use]
    pub fn misread(&self) -> Option<Misread> {
        let known = self.known().filter(|_| self.is_declared())?;
        let Known { row, precision } = known;
        if known.dense().is_some_and(|dense| alike(self.rate(), dense)) {
            return None;
        }
        let is_it = |(_, rate): &(Reading, FlopRate)| alike(self.rate(), *rate);
        let readings: Vec<Reading> = known.figures(precision).filter(is_it).map(|(reading, _)| reading).collect();
        let dense = known.dense().map(|rate| Self::listed(row, precision, rate));
        (!readings.is_empty()).then(|| Misread { declared: self.clone(), dense, readings })
    }
}

/// Whether two rates are one figure, as different sheets round it: 989, 989.4, 989.5 and 990 are.
pub(super) fn alike(declared: FlopRate, figure: FlopRate) -> bool {
    const ROUNDING: f64 = 1e-3;
    (declared.per_second() - figure.per_second()).abs() <= ROUNDING * figure.per_second()
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.headline {
            Some(headline) => write!(f, "the {headline}")?,
            None => f.write_str("the dense figure")?,
        }
        match self.group {
            Some(group) => write!(f, " of one {group} ({} devices)", self.devices),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let readings: Vec<String> = self.readings.iter().map(ToString::to_string).collect();
        write!(f, "{} is declared as {}, ", self.declared.label(), self.declared.rate())?;
        write!(f, "{}; ", readings.join(" or "))?;
        match &self.dense {
            Some(dense) => write!(f, "the dense peak of one device is {}", dense.rate()),
            None => f.write_str("no dense peak is published"),
        }
    }
}
