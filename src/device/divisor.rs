//! What a utilization may have been divided by.

use std::fmt;

use super::misread::{Known, Reading, alike};
use super::{Fleet, Peak, Precision};
use crate::{FlopRate, Result};

/// A rate that somebody may have divided by, for each device.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Divisor {
    /// The rate.
    pub rate: FlopRate,
    /// What it may be: at least one thing, and all of them equally little to assume.
    pub origins: Vec<Origin>,
}

/// What a divisor may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The peak that the run says, the mean of its devices.
    Own,
    /// A figure that is printed for the device, dense or not, of one device or of several.
    Listed {
        /// The precision that it is printed for.
        precision: Precision,
        /// What it is the figure of.
        reading: Reading,
    },
    /// The dense peak as a sheet rounds it: to a TFLOP/s, to ten, or as half of a doubled figure that was rounded.
    Rounded {
        /// The precision that it is printed for.
        precision: Precision,
    },
    /// 312 TFLOP/s, an A100's: what torchtitan, OLMo-core and prime-rl divide by where they do not know the device.
    Fallback,
}

impl Divisor {
    /// Whether both are one figure, as different sheets round it.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        alike(self.rate, other.rate)
    }

    /// Whether it is nothing but a rounding.
    pub(crate) fn is_rounded(&self) -> bool {
        self.origins.iter().all(|origin| matches!(origin, Origin::Rounded { .. }))
    }
}

impl Origin {
    /// How much has to be assumed for it: nothing where the run says so itself, otherwise one for each way in which it
    /// is not the dense figure of one device at the run's precision, and at least one.
    fn assumptions(self, precision: Option<Precision>) -> u32 {
        match self {
            Self::Own => 0,
            Self::Rounded { .. } | Self::Fallback => 1,
            Self::Listed { precision: at, reading: Reading { headline, group, .. } } => {
                let ways = [precision != Some(at), headline.is_some(), group.is_some()];
                ways.into_iter().map(u32::from).fold(0, u32::saturating_add).max(1)
            }
        }
    }
}

impl Fleet {
    /// What its utilization may have been divided by, each with how much has to be assumed for it.
    pub(crate) fn divisors(&self) -> Result<Vec<(Divisor, u32)>> {
        let own = (self.mean_peak()?, Origin::Own);
        let fallback = (FlopRate::from_tflops(312.0)?, Origin::Fallback);
        let known = self.only_peak().and_then(Peak::known);
        let listed = known.into_iter().flat_map(|known| rounded(known).chain(printed(known)));
        let precision = known.map(|known| known.precision);

        let mut divisors: Vec<(Divisor, u32)> = Vec::new();
        for (rate, origin) in std::iter::once(own).chain(listed).chain([fallback]) {
            let assumptions = origin.assumptions(precision);
            match divisors.iter_mut().find(|(known, _)| known.rate == rate) {
                Some((known, least)) if *least == assumptions && !known.origins.contains(&origin) => {
                    known.origins.push(origin);
                }
                Some((known, least)) if *least > assumptions => {
                    known.origins = vec![origin];
                    *least = assumptions;
                }
                Some(_) => {}
                None => divisors.push((Divisor { rate, origins: vec![origin] }, assumptions)),
            }
        }
        Ok(divisors)
    }
}

fn printed(known: Known) -> impl Iterator<Item = (FlopRate, Origin)> {
    Precision::ALL.into_iter().flat_map(move |precision| {
        let figures = known.figures(precision);
        figures.map(move |(reading, rate)| (rate, Origin::Listed { precision, reading }))
    })
}

/// The dense peak of the run's precision as sheets round it, as far as that leaves it the same figure.
fn rounded(known: Known) -> impl Iterator<Item = (FlopRate, Origin)> {
    let origin = Origin::Rounded { precision: known.precision };
    known.dense().into_iter().flat_map(move |dense| {
        let tflops = dense.as_tflops();
        let roundings = [tflops.floor(), tflops.round(), (2.0 * tflops).round() / 2.0, (tflops / 10.0).round() * 10.0];
        let rates = roundings.into_iter().filter_map(|tflops| FlopRate::from_tflops(tflops).ok());
        rates.filter(move |rate| alike(*rate, dense)).map(move |rate| (rate, origin))
    })
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.write_str("the run's own peak"),
            Self::Listed { precision, reading } => write!(f, "{reading} at {precision}"),
            Self::Rounded { precision } => write!(f, "the dense figure at {precision} as rounded"),
            Self::Fallback => f.write_str("the peak of an A100, as for an unknown device"),
        }
    }
}

impl fmt::Display for Divisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origins: Vec<String> = self.origins.iter().map(Origin::to_string).collect();
        write!(f, "{}, {}", self.rate, origins.join(" or "))
    }
}
