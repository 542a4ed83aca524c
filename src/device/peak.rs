//! The dense peak of one device at one precision, and who says so.

use std::fmt;

use super::Fleet;
use crate::error::Argument;
use crate::quantity::positive;
use crate::{FlopRate, Result};

/// The most that one device can do at one precision, dense, with a label and a source.
///
/// A peak is a value with a label, never a chip's name alone: DeepSeek divides by 989.0 TFLOP/s, the datasheet of the
/// same device says 989.4. Vendors headline figures for sparse matrices, often twice the dense one; those are not
/// peaks.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{FlopRate, Peak};
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Stored"))]
pub struct Peak {
    label: String,
    rate: FlopRate,
    source: Option<String>,
    declared: bool,
}

impl Peak {
    /// A peak that you declare, with a label that says of what: the device, the precision.
    ///
    /// # Errors
    ///
    /// If the rate is zero or the label is blank.
    pub fn declared(label: impl Into<String>, rate: FlopRate) -> Result<Self> {
        Self { label: label.into(), rate, source: None, declared: true }.checked()
    }

    fn checked(self) -> Result<Self> {
        positive("peak in FLOP/s", self.rate.per_second())?;
        if self.label.trim().is_empty() {
            let expected = "the name of a device and a precision";
            return Err(Argument { name: "peak label", value: format!("{:?}", self.label), expected }.into());
        }
        Ok(self)
    }

    /// Where the figure was found.
    #[must_use = "the peak is returned, not changed in place"]
    pub fn with_source(self, source: impl Into<String>) -> Self {
        Self { source: Some(source.into()), ..self }
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
}

impl fmt::Display for Peak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.label, self.rate)?;
        if self.declared {
            f.write_str(", declared")?;
        }
        match &self.source {
            Some(source) => write!(f, " ({source})"),
            None => Ok(()),
        }
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    label: String,
    rate: FlopRate,
    source: Option<String>,
    declared: bool,
}

#[cfg(feature = "serde")]
impl TryFrom<Stored> for Peak {
    type Error = crate::Error;

    fn try_from(Stored { label, rate, source, declared }: Stored) -> Result<Self> {
        Self { label, rate, source, declared }.checked()
    }
}
