//! Which rule and which peak a published figure follows from.

mod show;

use crate::device::Divisor;
use crate::error::Argument;
use crate::{Architecture, Convention, Count, FlopRate, Pace, Printed, Result, Run, Variant};

/// A published figure, as it was printed.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::Figure;
///
/// assert_eq!(Figure::MfuPercent("38.94".parse()?).to_string(), "38.94 % MFU");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Figure {
    /// A utilization in percent.
    MfuPercent(Printed),
    /// Model TFLOP/s of each device.
    TflopsPerDevice(Printed),
    /// Training GFLOPs per token.
    GflopsPerToken(Printed),
}

/// What a published figure may follow from: each named convention, with the devices' figures that people divide by, and
/// the architecture as tools misread it.
///
/// All that fit are kept: a figure of two digits fits many, and none of them is preferred but by how well it fits. (A
/// peak that differs from one that fits by its rounding alone, and takes more to assume, is no other explanation.)
/// Where none fits there is no explanation, and [`nearest`](Self::nearest) says how far off the closest is. No more
/// than two assumptions are made at once, since enough of them explain any figure.
///
/// It displays as a table, and is made by [`Run::diagnose`].
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    figure: Figure,
    /// Those that fit, the best first.
    explanations: Vec<Explanation>,
    nearest: Option<Explanation>,
    tried: usize,
}

/// One way to come to a figure.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The conventions, all of which count this run alike; none, where its pace is said in FLOP/s and nothing is
    /// counted.
    pub conventions: Vec<Convention>,
    /// How the architecture was misread, if it was.
    pub variant: Option<Variant>,
    /// What was divided by, where the figure is a utilization.
    pub divisor: Option<Divisor>,
    /// What it comes to, in the unit of the figure.
    pub value: f64,
    /// How far that is from the printed digits, in units of the last.
    pub digits_off: f64,
    /// How much it assumes that the run does not say.
    pub assumptions: u32,
}

/// The figure as some conventions give it for the architecture as it was read, before anything is divided.
struct Counted {
    variant: Option<Variant>,
    conventions: Vec<Convention>,
    value: f64,
}

/// The most that is assumed at once.
const MOST_ASSUMPTIONS: u32 = 2;

impl Run<'_> {
    /// Which conventions and which peaks a published figure of this run follows from, within its printed digits.
    ///
    /// Tried are all [presets](Convention::presets) that are defined for the architecture, over the architecture as it
    /// is and as each [`Variant`] misreads it. A utilization is divided by the run's own peak, by the dense peak of the
    /// table as sheets round it, by what else is printed for the device (sparse headlines, other precisions, a package,
    /// superchip, board or rack), and by the 312 TFLOP/s that some tools fall back on. What is printed for the device
    /// is known where the fleet is of one kind, and the label of its peak names a device of the table.
    ///
    /// Those that fit are ranked by their distance from the printed digits, to a tenth of the last, and among equals by
    /// the number of their assumptions: one for a misreading, one for each way in which the divisor is not what the run
    /// says.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use std::time::Duration;
    /// use mfu::{Batch, Convention, Device, Figure, Precision, Run, catalog};
    ///
    /// let deepseek = catalog::find("deepseek-v3")?.architecture()?;
    /// let run = Run::new(&deepseek, Batch::uniform(15_360, 4_096))
    ///     .at(Duration::from_millis(19_926))
    ///     .on(Device::find("NVIDIA H800")?.peak(Precision::Bf16)?.times(2_048));
    ///
    /// // Not of the table's 989.4 TFLOP/s: of 989.
    /// let diagnosis = run.diagnose(&Figure::MfuPercent("43.73".parse()?))?;
    /// let best = &diagnosis.explanations()[0];
    /// assert!(best.conventions.contains(&Convention::DEEPSEEK_2025_FULL));
    /// assert_eq!(best.divisor.as_ref().map(|divisor| divisor.rate.as_tflops()), Some(989.0));
    ///
    /// // No rule and no peak gives this.
    /// let diagnosis = run.diagnose(&Figure::MfuPercent("97.31".parse()?))?;
    /// assert!(diagnosis.explanations().is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the figure needs what the run does not say (a pace, the number of devices, their peaks), or a count
    /// overflows.
    pub fn diagnose(&self, figure: &Figure) -> Result<Diagnosis> {
        let divisors = self.divisors(figure)?;
        let mut tried = Vec::new();
        for Counted { variant, conventions, value } in self.values(figure)? {
            for (divisor, assumptions) in divisors.clone() {
                let assumptions = assumptions.saturating_add(u32::from(variant.is_some()));
                let value = divisor.as_ref().map_or(value, |divisor| 100.0 * value / divisor.rate.per_second());
                let (digits_off, conventions) = (figure.printed().digits_off(value), conventions.clone());
                tried.push(Explanation { conventions, variant, divisor, value, digits_off, assumptions });
            }
        }
        // What is infinitely far off, in floats, is near nothing.
        tried.retain(|explanation| explanation.assumptions <= MOST_ASSUMPTIONS && explanation.digits_off.is_finite());
        tried.sort_by(|one: &Explanation, other| {
            let (tenths, least) = (one.tenths_off().total_cmp(&other.tenths_off()), one.off().total_cmp(&other.off()));
            tenths.then(one.assumptions.cmp(&other.assumptions)).then(least)
        });
        let (number, nearest) = (tried.len(), tried.first().cloned());
        tried.retain(|explanation| figure.printed().allows(explanation.value));
        let explanations = tried.iter().filter(|it| !tried.iter().any(|other| it.adds_nothing_to(other))).cloned();
        Ok(Diagnosis { figure: figure.clone(), explanations: explanations.collect(), nearest, tried: number })
    }

    /// What to divide by, and what that assumes.
    fn divisors(&self, figure: &Figure) -> Result<Vec<(Option<Divisor>, u32)>> {
        match figure {
            Figure::MfuPercent(_) => {
                let divisors = self.said_fleet()?.divisors()?;
                Ok(divisors.into_iter().map(|(divisor, assumptions)| (Some(divisor), assumptions)).collect())
            }
            Figure::TflopsPerDevice(_) | Figure::GflopsPerToken(_) => Ok(vec![(None, 0)]),
        }
    }

    /// The figure as each rule gives it, in its own unit; a utilization still as FLOP/s. What the architecture as it is
    /// gives needs no misreading.
    fn values(&self, figure: &Figure) -> Result<Vec<Counted>> {
        if let (Some(rate), false) = (self.pace.and_then(Pace::said_flops), matches!(figure, Figure::GflopsPerToken(_)))
        {
            return Ok(vec![Counted { variant: None, conventions: Vec::new(), value: figure.of_rate(rate) }]);
        }
        let plain = self.counts(self.architecture)?;
        let mut readings = Vec::new();
        for &variant in Variant::ALL {
            match self.architecture.as_read(variant) {
                Err(error) if error.is_not_applicable() => {}
                misread => {
                    let mut counts = self.counts(&misread?)?;
                    counts.retain(|(count, _)| plain.iter().all(|(known, _)| known.training != count.training));
                    readings.extend(counts.into_iter().map(|counted| (Some(variant), counted)));
                }
            }
        }
        let readings = plain.into_iter().map(|counted| (None, counted)).chain(readings);
        let counted = |(variant, (count, conventions)): (_, (Count, _))| {
            Ok(Counted { variant, conventions, value: self.value(figure, &count)? })
        };
        readings.map(counted).collect()
    }

    /// What each preset counts that is defined for the architecture; those that count alike together.
    fn counts(&self, architecture: &Architecture) -> Result<Vec<(Count, Vec<Convention>)>> {
        let ledger = architecture.ledger()?;
        let mut counts: Vec<(Count, Vec<Convention>)> = Vec::new();
        for &(_, convention) in Convention::presets() {
            let cost = match ledger.cost_with(convention, self.recipe) {
                Err(error) if error.is_not_applicable() => continue,
                cost => cost?,
            };
            let count = cost.count(self.batch)?;
            match counts.iter_mut().find(|(known, _)| known.training == count.training) {
                // Two presets may be one rule, that differ in what they are for.
                Some((_, conventions)) if conventions.contains(&convention) => {}
                Some((_, conventions)) => conventions.push(convention),
                None => counts.push((count, vec![convention])),
            }
        }
        Ok(counts)
    }

    fn value(&self, figure: &Figure, count: &Count) -> Result<f64> {
        let none = || Argument { name: "tokens", value: "0".to_owned(), expected: "at least one" };
        let per_token = count.training_flops_per_token().ok_or_else(none)?;
        match figure {
            Figure::MfuPercent(_) | Figure::TflopsPerDevice(_) => Ok(figure.of_rate(self.said_rate(count)?)),
            Figure::GflopsPerToken(_) => Ok(per_token / 1e9),
        }
    }
}

impl Figure {
    /// What it is of a rate on one device, in its own unit; a utilization still in FLOP/s.
    const fn of_rate(&self, rate: FlopRate) -> f64 {
        match self {
            Self::TflopsPerDevice(_) => rate.as_tflops(),
            Self::MfuPercent(_) | Self::GflopsPerToken(_) => rate.per_second(),
        }
    }

    /// Its digits.
    #[must_use]
    pub const fn printed(&self) -> &Printed {
        match self {
            Self::MfuPercent(printed) | Self::TflopsPerDevice(printed) | Self::GflopsPerToken(printed) => printed,
        }
    }
}

impl Diagnosis {
    /// The figure.
    #[must_use]
    pub const fn figure(&self) -> &Figure {
        &self.figure
    }

    /// All that come to the figure within its printed digits, the best first; none, if none does.
    #[must_use]
    pub fn explanations(&self) -> &[Explanation] {
        &self.explanations
    }

    /// The closest to the printed digits of all that were tried, whether or not it fits; `None` if nothing
    /// came to a finite figure.
    #[must_use]
    pub const fn nearest(&self) -> Option<&Explanation> {
        self.nearest.as_ref()
    }

    /// How many different ways to a figure were tried.
    #[must_use]
    pub const fn tried(&self) -> usize {
        self.tried
    }
}

impl Explanation {
    /// Whether it is another that fits, with a peak that is the same figure but for its rounding, and assumes more.
    fn adds_nothing_to(&self, other: &Self) -> bool {
        let Some((divisor, others)) = self.divisor.as_ref().zip(other.divisor.as_ref()) else { return false };
        self.conventions == other.conventions
            && self.variant == other.variant
            && divisor.is_alike(others)
            && (self.assumptions > other.assumptions || divisor.is_rounded() && !others.is_rounded())
    }

    fn off(&self) -> f64 {
        self.digits_off.abs()
    }

    /// Inputs are rounded as well, so that a difference below a tenth of a digit is none.
    fn tenths_off(&self) -> f64 {
        (10.0 * self.off()).round()
    }
}
