//! What was run: the inputs of a figure, before any rule counts them.

use crate::error::Argument;
use crate::{Architecture, Batch, Claim, Convention, Count, Fleet, Pace, Result};

/// What was run: an architecture, its tokens and, as far as they are known, the pace and the devices.
///
/// A run has no FLOPs until a convention counts them, [`under`](Self::under).
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use std::time::Duration;
/// use mfu::{Batch, Convention, FlopRate, Peak, Run, catalog};
///
/// let deepseek = catalog::find("deepseek-v3")?.architecture()?;
/// let h800 = Peak::declared("H800, BF16 dense", FlopRate::from_tflops(989.0)?)?;
/// let run = Run::new(&deepseek, Batch::uniform(15_360, 4_096))
///     .at(Duration::from_millis(19_926))
///     .on(h800.times(2_048));
/// assert_eq!(run.under(Convention::DEEPSEEK_2025_FULL).report()?.mfu().to_string(), "43.73 %");
/// assert_eq!(run.under(Convention::DEEPSEEK_2025_CAUSAL).report()?.mfu().to_string(), "38.94 %");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a run does nothing until a convention counts it"]
pub struct Run<'a> {
    pub(crate) architecture: &'a Architecture,
    pub(crate) batch: Batch<'a>,
    pub(crate) pace: Option<Pace>,
    pub(crate) devices: Option<Devices>,
}

/// What a run says of its devices.
#[derive(Clone, Debug)]
pub(crate) enum Devices {
    Number(u64),
    Fleet(Fleet),
}

impl<'a> Run<'a> {
    /// This architecture over these tokens: a [`Batch`], or a slice of document lengths.
    pub fn new(architecture: &'a Architecture, batch: impl Into<Batch<'a>>) -> Self {
        Self { architecture, batch: batch.into(), pace: None, devices: None }
    }

    /// At this pace: the time of the batch, or whichever rate was published.
    pub fn at(self, pace: impl Into<Pace>) -> Self {
        Self { pace: Some(pace.into()), ..self }
    }

    /// On these devices, with their peaks.
    pub fn on(self, fleet: Fleet) -> Self {
        Self { devices: Some(Devices::Fleet(fleet)), ..self }
    }

    /// On so many devices, of which no peak is said: figures are FLOP/s, and no utilization.
    pub fn on_devices(self, devices: u64) -> Self {
        Self { devices: Some(Devices::Number(devices)), ..self }
    }

    /// As a convention counts it.
    pub fn under(&self, convention: Convention) -> Claim<'a> {
        Claim::new(self.clone(), convention)
    }

    pub(crate) const fn fleet(&self) -> Option<&Fleet> {
        match &self.devices {
            Some(Devices::Fleet(fleet)) => Some(fleet),
            Some(Devices::Number(_)) | None => None,
        }
    }

    /// How many devices it says there are.
    pub(crate) fn device_count(&self) -> Result<Option<u64>> {
        match &self.devices {
            Some(Devices::Fleet(fleet)) => fleet.devices().map(Some),
            Some(Devices::Number(0)) => {
                Err(Argument { name: "devices", value: "0".to_owned(), expected: "at least 1" }.into())
            }
            Some(Devices::Number(devices)) => Ok(Some(*devices)),
            None => Ok(None),
        }
    }

    /// The tokens per second of each device that its pace amounts to for a count.
    pub(crate) fn per_device(&self, count: &Count) -> Result<Option<Pace>> {
        let Some(pace) = self.pace else { return Ok(None) };
        pace.per_device(count, self.device_count()?).map(Some)
    }
}
