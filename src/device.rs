//! What the hardware could do.

mod divisor;
mod find;
mod fleet;
mod misread;
mod missing;
mod peak;
mod precision;
mod row;
mod table;

use std::borrow::Cow;
use std::fmt;

pub use divisor::{Divisor, Origin};
pub use fleet::Fleet;
pub use misread::{Misread, Reading};
pub use peak::Peak;
pub use precision::Precision;
pub use row::{Confidence, Headline};

use crate::error::Argument;
use crate::quantity::positive;
use crate::{FlopRate, Result};
use row::{Dense, Row};

/// A device that models are trained on, as a framework shows it: a GPU, a TPU core, one of the two dies of a package.
///
/// Its peaks are dense and are looked up one by one: another precision, a clock or a neighbour never stands in. A
/// precision that the device has no units for is an error, and one that no trustworthy figure is published for is
/// another. Where a row of the table itself holds a derived figure, its source says so.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{Device, Precision};
///
/// let device = Device::find("NVIDIA H100 80GB HBM3")?;
/// assert_eq!(device.name(), "h100-sxm5");
/// assert_eq!(device.peak(Precision::Bf16)?.rate().as_tflops(), 989.4);
/// assert!(device.peak(Precision::Fp4).unwrap_err().is_unsupported_precision());
///
/// // Whole names only: a slice of a device is not the device.
/// assert!(Device::find("NVIDIA H100-20C").unwrap_err().is_unknown_name());
/// // A name that two devices share is neither.
/// assert!(Device::find("AMD Instinct MI250X / MI250").unwrap_err().is_ambiguous_name());
/// # Ok(())
/// # }
/// ```
///
/// A device of your own, or one of the table changed by hand, is *declared*, and so is every peak that you gave it:
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{Device, FlopRate, Precision};
///
/// let chip = Device::declared("chip-1")?.with_peak(Precision::Bf16, FlopRate::from_tflops(400.0)?)?;
/// assert!(chip.peak(Precision::Bf16)?.is_declared());
/// let capped = Device::find("H100 PCIe")?.with_tdp_watts(310.0)?;
/// assert!(capped.is_declared() && !capped.peak(Precision::Bf16)?.is_declared());
///
/// let ours = [chip, capped];
/// assert_eq!(Device::find_among("chip-1", &ours)?.name(), "chip-1");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    name: Cow<'static, str>,
    /// The row that it is, or was before it was changed.
    row: Option<&'static Row>,
    declared: bool,
    /// Of its figures, where that is not for the row to say.
    source: Option<String>,
    /// The peaks that you gave it, in the order of [`Precision::ALL`].
    own_peaks: [Option<FlopRate>; Precision::COUNT],
    memory_gb: Option<f64>,
    memory_bytes_per_second: Option<f64>,
    tdp_watts: Option<f64>,
    link_bytes_per_second: Option<f64>,
    pcie_bytes_per_second: Option<f64>,
}

impl Device {
    /// The device of that name: what its driver or framework reports, or the name or an alias of the table. The name
    /// is taken whole; only the case of letters does not matter, nor whether NVIDIA's driver put `NVIDIA ` before it.
    ///
    /// Finding a device takes a fraction of a microsecond and allocates nothing.
    ///
    /// What a name that is none should lead to is yours to decide; no MFU is better than a wrong one.
    ///
    /// ```
    /// use mfu::{Device, Peak, Precision};
    ///
    /// /// The denominator for what a framework reports, or why there is none.
    /// fn peak(device_name: &str, dtype: &str) -> Result<Peak, mfu::Error> {
    ///     let precision: Precision = dtype.parse()?;
    ///     Device::find(device_name)?.peak(precision)
    /// }
    ///
    /// assert_eq!(peak("NVIDIA H100 NVL", "torch.bfloat16").unwrap().rate().as_tflops(), 835.5);
    /// match peak("NVIDIA H100-20C", "torch.bfloat16") {
    ///     Ok(peak) => println!("dividing by {peak}"),
    ///     Err(error) => eprintln!("no MFU: {error}"),
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// If no device of the table has this name ([`is_unknown_name`](crate::Error::is_unknown_name)), or several share
    /// it ([`is_ambiguous_name`](crate::Error::is_ambiguous_name)). A slice of a device (vGPU, MIG), a laptop's part
    /// and a custom part are not the device that they are named after.
    pub fn find(name: &str) -> Result<Self> {
        find::find(name).map(|(row, known)| Self::listed(row, known))
    }

    /// The device of that name among those of your own, and then in the table. One of the table that you changed goes
    /// by every name of its row, so that it is found by what a driver reports.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    pub fn find_among(name: &str, own: &[Self]) -> Result<Self> {
        let row = find::listed(name).map(|(row, _)| row);
        let changed = |device: &&Self| row.is_some() && device.row == row;
        let found = own.iter().find(|device| find::same(&device.name, name)).or_else(|| own.iter().find(changed));
        found.map_or_else(|| Self::find(name), |own| Ok(own.clone()))
    }

    /// Every device of the table, by vendor.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        table::rows().map(|row| Self::listed(row, row.name))
    }

    /// A device of your own, with what you say of it by the methods that begin with `with_`.
    ///
    /// # Errors
    ///
    /// If the name is blank.
    pub fn declared(name: impl Into<String>) -> Result<Self> {
        let name = name.into();
        if name.trim().is_empty() {
            let expected = "what the device is called";
            return Err(Argument { name: "device name", value: format!("{name:?}"), expected }.into());
        }
        Ok(Self {
            name: name.into(),
            row: None,
            declared: true,
            source: None,
            own_peaks: [None; Precision::COUNT],
            memory_gb: None,
            memory_bytes_per_second: None,
            tdp_watts: None,
            link_bytes_per_second: None,
            pcie_bytes_per_second: None,
        })
    }

    /// The device that a row is under one of its names.
    fn listed(row: &'static Row, known: &'static str) -> Self {
        let unlike = row.unlike.iter().find(|unlike| unlike.names.contains(&known));
        let (memory, bandwidth, tdp) = unlike.map_or((row.memory_gb, row.memory_tb_per_s, row.tdp_watts), |unlike| {
            (unlike.memory_gb, unlike.memory_tb_per_s, unlike.tdp_watts)
        });
        let share = |of_unit: Option<f64>, unit: f64| of_unit.map(|figure| row.share(figure) * unit);
        Self {
            name: Cow::Borrowed(row.name),
            row: Some(row),
            declared: false,
            source: None,
            own_peaks: [None; Precision::COUNT],
            memory_gb: share(memory, 1.0),
            memory_bytes_per_second: share(bandwidth, 1e12),
            tdp_watts: share(tdp, 1.0),
            link_bytes_per_second: share(row.link_gb_per_s, 1e9),
            pcie_bytes_per_second: row.pcie_gb_per_s.map(|rate| rate * 1e9),
        }
    }

    /// With this dense peak at one precision.
    ///
    /// # Errors
    ///
    /// If the rate is zero.
    pub fn with_peak(mut self, precision: Precision, dense: FlopRate) -> Result<Self> {
        positive("peak in FLOP/s", dense.per_second())?;
        if let Some(peak) = self.own_peaks.get_mut(precision.place()) {
            *peak = Some(dense);
        }
        Ok(self.own())
    }

    /// Where the figures were found that you gave it. Those of the table keep their own sources.
    #[must_use = "the device is returned, not changed in place"]
    pub fn with_source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self.own()
    }

    /// With so much memory, in GB.
    ///
    /// # Errors
    ///
    /// If it is zero, negative, infinite or not a number.
    pub fn with_memory_gb(mut self, gb: f64) -> Result<Self> {
        self.memory_gb = Some(positive("memory in GB", gb)?);
        Ok(self.own())
    }

    /// With memory that reads or writes so many bytes per second.
    ///
    /// # Errors
    ///
    /// If it is zero, negative, infinite or not a number.
    pub fn with_memory_bytes_per_second(mut self, rate: f64) -> Result<Self> {
        self.memory_bytes_per_second = Some(positive("memory bandwidth in bytes per second", rate)?);
        Ok(self.own())
    }

    /// With so much thermal design power, or whatever limit it is run at.
    ///
    /// # Errors
    ///
    /// If it is zero, negative, infinite or not a number.
    pub fn with_tdp_watts(mut self, watts: f64) -> Result<Self> {
        self.tdp_watts = Some(positive("TDP in watts", watts)?);
        Ok(self.own())
    }

    /// With links that scale up by so many bytes per second in each direction.
    ///
    /// # Errors
    ///
    /// If it is zero, negative, infinite or not a number.
    pub fn with_link_bytes_per_second(mut self, rate: f64) -> Result<Self> {
        self.link_bytes_per_second = Some(positive("link bandwidth in bytes per second", rate)?);
        Ok(self.own())
    }

    fn own(self) -> Self {
        Self { declared: true, ..self }
    }

    /// Its name in the table, or the one that you gave it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether you declared or changed it, rather than taking it from the table.
    #[must_use]
    pub const fn is_declared(&self) -> bool {
        self.declared
    }

    /// The dense peak of one device at that precision, with its source.
    ///
    /// # Errors
    ///
    /// If the device has no units for that precision
    /// ([`is_unsupported_precision`](crate::Error::is_unsupported_precision)), or no trustworthy figure is published or
    /// declared ([`is_unpublished_peak`](crate::Error::is_unpublished_peak)). Another precision's peak never stands in.
    pub fn peak(&self, precision: Precision) -> Result<Peak> {
        if let Some(rate) = self.own_peak(precision) {
            let peak = Peak::declared(label(&self.name, precision, self.devices_per_unit(), self.part()), rate)?;
            return Ok(match &self.source {
                Some(source) => peak.with_source(source.as_str()),
                None => peak,
            });
        }
        let Some(row) = self.row else { return Err(missing::unpublished(self, precision)) };
        match row.dense(precision) {
            Dense::Known(rate) | Dense::Uncertain(rate) => Ok(Peak::listed(row, precision, rate)),
            Dense::Unsupported => Err(missing::unsupported(self, precision)),
            Dense::Unpublished => Err(missing::unpublished(self, precision)),
        }
    }

    fn own_peak(&self, precision: Precision) -> Option<FlopRate> {
        self.own_peaks.get(precision.place()).copied().flatten()
    }

    /// The precisions that it has a peak at.
    pub fn precisions(&self) -> impl Iterator<Item = Precision> {
        let has_peak = |precision: &Precision| {
            let listed = || self.row.and_then(|row| row.dense(*precision).rate());
            self.own_peak(*precision).or_else(listed).is_some()
        };
        Precision::ALL.into_iter().filter(has_peak)
    }

    /// Whether it has units for that precision, as far as is known.
    #[must_use]
    pub fn supports(&self, precision: Precision) -> bool {
        let none = self.row.is_some_and(|row| row.dense(precision) == Dense::Unsupported);
        self.own_peak(precision).is_some() || !none
    }

    /// What is printed large at that precision and is no dense peak, for one device.
    pub fn headlines(&self, precision: Precision) -> impl Iterator<Item = (Headline, FlopRate)> {
        self.row.into_iter().flat_map(move |row| row.headlines(precision))
    }

    /// The fastest large matrix product that was measured on it, as far as is known: below the peak, or above it where
    /// the clock goes higher than the published one.
    #[must_use]
    pub fn measured_matmul(&self, precision: Precision) -> Option<FlopRate> {
        self.row?.measured(precision)
    }

    /// The names that its driver or framework reports.
    #[must_use]
    pub fn driver_names(&self) -> &'static [&'static str] {
        self.row.map_or(&[], |row| row.drivers)
    }

    /// Other names that it is found by.
    #[must_use]
    pub fn aliases(&self) -> &'static [&'static str] {
        self.row.map_or(&[], |row| row.aliases)
    }

    /// Who makes it.
    #[must_use]
    pub fn vendor(&self) -> Option<&'static str> {
        self.row.map(|row| row.vendor)
    }

    /// What generation it is of.
    #[must_use]
    pub fn architecture(&self) -> Option<&'static str> {
        self.row.map(|row| row.architecture)
    }

    /// What it comes as.
    #[must_use]
    pub fn form_factor(&self) -> Option<&'static str> {
        self.row.map(|row| row.form_factor)
    }

    /// What its vendor sells and rates: a `GPU`, a `chip`, a `package`.
    #[must_use]
    pub fn unit(&self) -> Option<&'static str> {
        self.row.map(|row| row.unit)
    }

    /// How many devices a framework shows for one unit: 2 for a `chip` whose cores are devices.
    #[must_use]
    pub fn devices_per_unit(&self) -> u32 {
        self.row.map_or(1, |row| row.devices_per_unit)
    }

    /// What one device is of its unit: a `core`, a `GCD`; the unit itself where that is one device.
    #[must_use]
    pub fn part(&self) -> Option<&'static str> {
        self.row.map(|row| row.part)
    }

    /// How sure its BF16 figure is (FP16, where there is no BF16); `None` if that is yours.
    #[must_use]
    pub fn confidence(&self) -> Option<Confidence> {
        let yours = [Precision::Bf16, Precision::Fp16].into_iter().any(|it| self.own_peak(it).is_some());
        self.row.filter(|_| !yours).map(|row| row.confidence)
    }

    /// Where its figures were found: the chief source of its row, or what you said. A peak has its own.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref().or_else(|| self.row?.source(Precision::Bf16))
    }

    /// Every source of its row, with addresses.
    #[must_use]
    pub fn sources(&self) -> &'static [&'static str] {
        self.row.map_or(&[], |row| row.sources)
    }

    /// What is uncertain about its row: precisions first, then other figures.
    pub fn uncertain(&self) -> impl Iterator<Item = String> {
        let uncertain = |precision: &Precision| self.peak(*precision).is_ok_and(|peak| peak.is_uncertain());
        let peaks = Precision::ALL.into_iter().filter(uncertain).map(|precision| precision.to_string());
        peaks.chain(self.row.into_iter().flat_map(|row| row.uncertain).map(ToString::to_string))
    }

    /// What to know about its row.
    #[must_use]
    pub fn note(&self) -> Option<&'static str> {
        self.row.map(|row| row.note).filter(|note| !note.is_empty())
    }

    /// Its memory in GB, as its vendor prints it (some print GiB as GB); a unit's memory is shared out among its
    /// devices. `None` as well where the name stands for parts of several sizes: `v100-sxm2`, but not `Tesla
    /// V100-SXM2-16GB`.
    #[must_use]
    pub const fn memory_gb(&self) -> Option<f64> {
        self.memory_gb
    }

    /// How many bytes per second its memory reads or writes.
    #[must_use]
    pub const fn memory_bytes_per_second(&self) -> Option<f64> {
        self.memory_bytes_per_second
    }

    /// Its thermal design power in watts; a unit's is shared out among its devices.
    #[must_use]
    pub const fn tdp_watts(&self) -> Option<f64> {
        self.tdp_watts
    }

    /// The link that scales up.
    #[must_use]
    pub fn link(&self) -> Option<&'static str> {
        self.row.map(|row| row.link).filter(|link| !link.is_empty())
    }

    /// Bytes per second of all links that scale up together, in one direction: half of what vendors print.
    #[must_use]
    pub const fn link_bytes_per_second(&self) -> Option<f64> {
        self.link_bytes_per_second
    }

    /// Bytes per second to the host, in one direction; devices of one unit share it.
    #[must_use]
    pub const fn pcie_bytes_per_second(&self) -> Option<f64> {
        self.pcie_bytes_per_second
    }
}

/// What a peak is labelled: `mi250x, BF16 dense per GCD`.
fn label(name: &str, precision: Precision, devices_per_unit: u32, part: Option<&str>) -> String {
    match part.filter(|_| devices_per_unit > 1) {
        Some(part) => format!("{name}, {precision} dense per {part}"),
        None => format!("{name}, {precision} dense"),
    }
}

/// The device with its peaks, as a card.
impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<11} ", self.name)?;
        match self.row {
            Some(row) => write!(f, "{} {}, {}", row.vendor, row.architecture, row.form_factor)?,
            None => f.write_str("declared")?,
        }
        if let (Some(_), true) = (self.row, self.declared) {
            f.write_str(", changed by declaration")?;
        }
        if let (Some(part), Some(unit), devices @ 2..) = (self.part(), self.unit(), self.devices_per_unit()) {
            write!(f, "; per {part}, {devices} to a {unit}")?;
        }
        for peak in self.precisions().filter_map(|precision| Some((precision, self.peak(precision).ok()?))) {
            let (precision, peak) = peak;
            let uncertain = if peak.is_uncertain() { ", uncertain" } else { "" };
            let declared = if peak.is_declared() { ", declared" } else { "" };
            write!(f, "\n  {precision:<11} {} dense{declared}{uncertain}", peak.rate())?;
        }
        if let Some(gb) = self.memory_gb {
            write!(f, "\n  {:<11} {gb} GB", "memory")?;
        }
        if let Some(rate) = self.memory_bytes_per_second {
            write!(f, "\n  {:<11} {} TB/s", "bandwidth", rate / 1e12)?;
        }
        if let Some(watts) = self.tdp_watts {
            write!(f, "\n  {:<11} {watts} W", "TDP")?;
        }
        if let Some(source) = self.source() {
            write!(f, "\n  {:<11} {source}", "source")?;
        }
        if let Some(note) = self.note() {
            write!(f, "\n  {:<11} {note}", "note")?;
        }
        Ok(())
    }
}
