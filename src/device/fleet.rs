//! The devices of a run.

use std::fmt;
use std::ops::Add;

use super::Peak;
use crate::error::Argument;
use crate::exact::Exact;
use crate::quantity::grouped;
use crate::{FlopRate, Result};

/// The devices that a run used, each kind with its peak. Unlike kinds add.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{FlopRate, Peak};
///
/// let hopper = Peak::declared("H100, BF16 dense", FlopRate::from_tflops(989.4)?)?;
/// let ampere = Peak::declared("A100, BF16 dense", FlopRate::from_tflops(312.0)?)?;
/// let mixed = hopper.times(8) + ampere.times(16);
/// assert_eq!(mixed.devices()?, 24);
/// assert_eq!(mixed.peak().as_tflops(), 8.0 * 989.4 + 16.0 * 312.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Fleet(Vec<Part>);

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
struct Part {
    devices: u64,
    peak: Peak,
}

impl Fleet {
    pub(super) fn new(peak: Peak, devices: u64) -> Self {
        Self(vec![Part { devices, peak }])
    }

    /// How many devices there are.
    ///
    /// # Errors
    ///
    /// If there is none of some kind, or the sum of the kinds overflows.
    pub fn devices(&self) -> Result<u64> {
        if self.0.is_empty() || self.0.iter().any(|part| part.devices == 0) {
            let (value, expected) = ("0".to_owned(), "at least 1 of every peak");
            return Err(Argument { name: "devices", value, expected }.into());
        }
        self.0.iter().try_fold(0_u64, |sum, part| sum.plus(part.devices, "the devices of the fleet"))
    }

    /// The peak of all devices together, `Σ devices × peak`; saturates at the largest finite rate.
    #[must_use]
    pub fn peak(&self) -> FlopRate {
        let sum: f64 = self.0.iter().map(|part| part.devices as f64 * part.peak.rate().per_second()).sum();
        // Peaks and numbers are finite and not negative, and so is their sum, once kept from overflowing.
        FlopRate::from_flops_per_second(sum.min(f64::MAX)).unwrap_or_default()
    }

    /// The peak of a device, on average.
    pub(crate) fn mean_peak(&self) -> Result<FlopRate> {
        match self.only_peak() {
            Some(peak) => Ok(peak.rate()),
            None => FlopRate::from_flops_per_second(self.peak().per_second() / self.devices()? as f64),
        }
    }

    /// The peak, where all devices are of one kind.
    pub(crate) fn only_peak(&self) -> Option<&Peak> {
        match self.0.as_slice() {
            [only] => Some(&only.peak),
            _ => None,
        }
    }

    /// How far above its peak the fleet may be, as [`Peak::headroom`] of its devices: exactly 1 where none may.
    pub(crate) fn headroom(&self) -> f64 {
        if self.0.iter().all(|part| part.peak.headroom() <= 1.0) {
            return 1.0;
        }
        // Weighed by peaks over the largest, whose sum stays finite where that of the peaks does not.
        let rate = |part: &Part| part.peak.rate().per_second();
        let largest = self.0.iter().map(rate).fold(f64::MIN_POSITIVE, f64::max);
        let weighed = self.0.iter().map(|part| (part.devices as f64 * (rate(part) / largest), part.peak.headroom()));
        let (sum, most) =
            weighed.fold((0.0, 0.0), |(sum, most), (weight, headroom)| (sum + weight, most + weight * headroom));
        if sum > 0.0 { (most / sum).max(1.0) } else { 1.0 }
    }

    /// Each kind of device and how many there are of it.
    pub fn parts(&self) -> impl Iterator<Item = (&Peak, u64)> {
        self.0.iter().map(|part| (&part.peak, part.devices))
    }
}

/// Both fleets together; equal peaks are one kind.
impl Add for Fleet {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        for part in other.0 {
            let known = self.0.iter_mut().find(|known| known.peak == part.peak);
            // A sum that overflows stays two parts, and is an error once somebody asks for it.
            match known.and_then(|known| Some((known.devices.checked_add(part.devices)?, known))) {
                Some((sum, known)) => known.devices = sum,
                None => self.0.push(part),
            }
        }
        self
    }
}

impl fmt::Display for Fleet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.0.iter().enumerate() {
            let plus = if index == 0 { "" } else { " + " };
            write!(f, "{plus}{} × {}", grouped(part.devices.into()), part.peak)?;
        }
        Ok(())
    }
}
