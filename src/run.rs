//! What was run: the inputs of a figure, before any rule counts them.

use crate::error::Argument;
use crate::{Architecture, Batch, Claim, Convention, Count, Fleet, FlopRate, Pace, Recipe, Result};

/// What was run: an architecture, its tokens and, as far as they are known, the recipe, the pace and the devices.
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
    pub(crate) recipe: Recipe,
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
        Self { architecture, batch: batch.into(), recipe: Recipe::default(), pace: None, devices: None }
    }

    /// Trained by this recipe, where not everything is trained or something is recomputed.
    pub fn with_recipe(self, recipe: Recipe) -> Self {
        Self { recipe, ..self }
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

    /// The pace, which it has to say.
    pub(crate) fn said_pace(&self) -> Result<Pace> {
        self.pace.ok_or_else(|| unsaid("pace", "given with `Run::at`").into())
    }

    /// The devices with their peaks, which it has to say.
    pub(crate) fn said_fleet(&self) -> Result<&Fleet> {
        self.fleet().ok_or_else(|| unsaid("peak of the devices", "given with `Run::on`").into())
    }

    /// How many devices it says there are; where the pace is that of each, their number does not matter, and is 1
    /// unless it is said.
    pub(crate) fn said_devices(&self) -> Result<u64> {
        match self.device_count()? {
            Some(devices) => Ok(devices),
            None if self.pace.is_none_or(Pace::is_of_each_device) => Ok(1),
            None => {
                Err(unsaid("devices", "given with `Run::on` or `Run::on_devices`, as the pace is that of all together")
                    .into())
            }
        }
    }

    /// The FLOP/s of each device that its pace amounts to for a count.
    pub(crate) fn said_rate(&self, count: &Count) -> Result<FlopRate> {
        self.said_pace()?.flops_per_device(count.tokens, count.training, self.said_devices()?)
    }

    fn device_count(&self) -> Result<Option<u64>> {
        match &self.devices {
            Some(Devices::Fleet(fleet)) => fleet.devices().map(Some),
            Some(Devices::Number(0)) => {
                Err(Argument { name: "devices", value: "0".to_owned(), expected: "at least 1" }.into())
            }
            Some(Devices::Number(devices)) => Ok(Some(*devices)),
            None => Ok(None),
        }
    }
}

fn unsaid(name: &'static str, expected: &'static str) -> Argument {
    Argument { name, value: "not said".to_owned(), expected }
}
