//! The dense peak of one device at one precision, and who says so.

use std::fmt;

use super::misread::{Known, alike};
use super::row::{Dense, Row};
use super::{Fleet, Precision};
use crate::error::Argument;
use crate::quantity::positive;
use crate::{FlopRate, Result};

/// The most that one device can do at one precision, dense, with a label and a source.
///
/// It comes from the table, [`Device::peak`](super::Device::peak), or is declared: DeepSeek divides by 989.0 TFLOP/s,
/// the table says 989.4. Vendors headline figures for sparse matrices, often twice the dense one; those are not peaks,
/// and a declared one is [recognized](Self::misread).
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{Device, FlopRate, Peak, Precision};
///
/// let listed = Device::find("NVIDIA H800")?.peak(Precision::Bf16)?;
/// assert_eq!(listed.rate().as_tflops(), 989.4);
///
/// let h800 = Peak::declared("H800, BF16 dense", FlopRate::from_tflops(989.0)?)?;
/// let h800 = h800.with_source("implied by arXiv:2505.09343");
/// assert_eq!(h800.to_string(), "H800, BF16 dense: 989.000 TFLOP/s, declared (implied by arXiv:2505.09343)");
/// let cluster = h800.times(2_048);
/// # let _ = cluster;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "stored::Stored", into = "stored::Stored")
)]
pub struct Peak {
    label: String,
    rate: FlopRate,
    source: Option<String>,
    declared: bool,
    known: Option<Known>,
}

impl Peak {
    /// A peak that you declare, with a label that says of what: the device, the precision. A label like `H100, BF16`
    /// that begins with a name of the table, whole, and a precision lets [`misread`](Self::misread) look at the figure.
    ///
    /// # Errors
    ///
    /// If the rate is zero or the label is blank.
    pub fn declared(label: impl Into<String>, rate: FlopRate) -> Result<Self> {
        Self::new(label.into(), rate, None, true)
    }

    /// The peak of a row at a precision.
    pub(super) fn listed(row: &'static Row, precision: Precision, rate: FlopRate) -> Self {
        Self {
            label: super::label(row.name, precision, row.devices_per_unit, Some(row.part)),
            rate,
            source: row.source(precision).map(str::to_owned),
            declared: false,
            known: Some(Known { row, precision }),
        }
    }

    fn new(label: String, rate: FlopRate, source: Option<String>, declared: bool) -> Result<Self> {
        let known = Known::of(&label);
        Self { label, rate, source, declared, known }.checked()
    }

    fn checked(self) -> Result<Self> {
        positive("peak in FLOP/s", self.rate.per_second())?;
        if self.label.trim().is_empty() {
            let expected = "the name of a device and a precision";
            return Err(Argument { name: "peak label", value: format!("{:?}", self.label), expected }.into());
        }
        Ok(self)
    }

    /// Where the figure was found. A peak of the table that is given another source is yours from then on.
    #[must_use = "the peak is returned, not changed in place"]
    pub fn with_source(self, source: impl Into<String>) -> Self {
        Self { source: Some(source.into()), declared: true, ..self }
    }

    /// So many devices of this peak.
    #[must_use]
    pub fn times(&self, devices: u64) -> Fleet {
        Fleet::new(self.clone(), devices)
    }

    /// What it is the peak of.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The dense peak of one device.
    #[must_use]
    pub const fn rate(&self) -> FlopRate {
        self.rate
    }

    /// The precision that it is the peak of: what its label names after a device of the table, if it does.
    #[must_use]
    pub fn precision(&self) -> Option<Precision> {
        self.known.map(|known| known.precision)
    }

    /// The dense peak of the table for the device that its label names, at another precision.
    pub(crate) fn at(&self, precision: Precision) -> Option<FlopRate> {
        self.known.and_then(|known| known.row.dense(precision).rate())
    }

    /// Where the figure was found, if that was said.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// Whether you declared it, rather than this crate's table.
    #[must_use]
    pub const fn is_declared(&self) -> bool {
        self.declared
    }

    /// Whether it is a figure of the table that sources disagree on, or that rests on a weak one.
    #[must_use]
    pub fn is_uncertain(&self) -> bool {
        let uncertain = |known: Known| matches!(known.row.dense(known.precision), Dense::Uncertain(_));
        !self.declared && self.known.is_some_and(uncertain)
    }

    /// The device and precision that its label names.
    pub(super) const fn known(&self) -> Option<Known> {
        self.known
    }

    /// How far above this peak its device may be: 1, except where the peak is the published one of a device that
    /// clocks higher than it is published for.
    pub(crate) fn headroom(&self) -> f64 {
        let published = self.known.and_then(|known| Some((known.row.headroom(), known.dense()?)));
        match published {
            Some((headroom, dense)) if headroom > 1.0 && alike(self.rate, dense) => {
                (headroom * (dense.per_second() / self.rate.per_second())).max(1.0)
            }
            _ => 1.0,
        }
    }
}

impl fmt::Display for Peak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.label, self.rate)?;
        if self.declared {
            f.write_str(", declared")?;
        }
        if self.is_uncertain() {
            f.write_str(", uncertain")?;
        }
        match &self.source {
            Some(source) => write!(f, " ({source})"),
            None => Ok(()),
        }
    }
}

/// The record of a peak, as it is written and read.
#[cfg(feature = "serde")]
mod stored {
    use super::Peak;
    use crate::error::{Cause, Class};
    use crate::{FlopRate, Result};

    #[derive(serde::Deserialize, serde::Serialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Stored {
        label: String,
        rate: FlopRate,
        source: Option<String>,
        declared: bool,
    }

    #[derive(Debug, thiserror::Error)]
    #[error(
        "the recorded peak `{label}` of {rate} is not in the table of devices; a record with `declared` set is read"
    )]
    struct NotListed {
        label: String,
        rate: FlopRate,
    }

    impl Cause for NotListed {
        const CLASS: Class = Class::NotApplicable;
    }

    impl TryFrom<Stored> for Peak {
        type Error = crate::Error;

        /// What a record takes from the table is held against it.
        fn try_from(Stored { label, rate, source, declared }: Stored) -> Result<Self> {
            let peak = Self::new(label, rate, source, declared)?;
            if declared {
                return Ok(peak);
            }
            let listed = peak.known.and_then(|known| Some(Self::listed(known.row, known.precision, known.dense()?)));
            // Formats that print floats short of their last bit are tolerated.
            let same = |listed: &Self| {
                let [listed_rate, rate] = [listed.rate, rate].map(FlopRate::per_second);
                listed.label == peak.label && (listed_rate - rate).abs() <= 1e-12 * listed_rate
            };
            listed.filter(same).ok_or_else(|| NotListed { label: peak.label, rate }.into())
        }
    }

    impl From<Peak> for Stored {
        fn from(Peak { label, rate, source, declared, known: _ }: Peak) -> Self {
            Self { label, rate, source, declared }
        }
    }
}
