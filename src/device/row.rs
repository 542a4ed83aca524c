//! What the table holds of a device, and what of it a framework's device has.

use super::Precision;
use crate::FlopRate;

/// A row of the table, with the figures of a unit as its vendor sells it: a GPU, a chip, a package.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// What drivers and frameworks report, whole.
    pub(super) drivers: &'static [&'static str],
    pub(super) aliases: &'static [&'static str],
    pub(super) vendor: &'static str,
    pub(super) architecture: &'static str,
    pub(super) form_factor: &'static str,
    pub(super) unit: &'static str,
    /// How many devices a framework shows for one unit, and what one of them is.
    pub(super) devices_per_unit: u32,
    pub(super) part: &'static str,
    /// In TFLOP/s, in the order of [`Precision::ALL`].
    pub(super) dense: [Dense; Precision::COUNT],
    /// What is printed large and is no dense peak, in TFLOP/s.
    pub(super) headlines: &'static [(Precision, Headline, f64)],
    /// What is sold or printed as one, and how many devices of a framework it holds.
    pub(super) groups: &'static [(u32, &'static str)],
    /// The fastest matrix product that was measured, in TFLOP/s.
    pub(super) measured: &'static [(Precision, f64)],
    /// Whether it clocks higher than its peak is published for.
    pub(super) boosts: bool,
    pub(super) memory_gb: Option<f64>,
    pub(super) memory_tb_per_s: Option<f64>,
    pub(super) tdp_watts: Option<f64>,
    /// Names of the row whose memory or power differs, or is not known.
    pub(super) unlike: &'static [Unlike],
    /// The link that scales up, and each direction of all links of the unit together.
    pub(super) link: &'static str,
    pub(super) link_gb_per_s: Option<f64>,
    pub(super) pcie_gb_per_s: Option<f64>,
    /// Which figures besides those of `dense` are uncertain.
    pub(super) uncertain: &'static [&'static str],
    /// Peaks whose source is not the first of `sources`.
    pub(super) cited: &'static [(Precision, &'static str)],
    pub(super) confidence: Confidence,
    pub(super) sources: &'static [&'static str],
    pub(super) note: &'static str,
}

/// What is known of the dense rate at one precision: of a unit in TFLOP/s, as the table has it, or of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Dense<T = f64> {
    Known(T),
    /// A figure, but sources disagree or are weak.
    Uncertain(T),
    /// There are no units for it.
    Unsupported,
    /// There are or may be units for it, and no figure to be trusted.
    Unpublished,
}

/// Names of a row whose figures differ from the row's.
#[derive(Debug, PartialEq)]
pub(super) struct Unlike {
    pub(super) names: &'static [&'static str],
    pub(super) memory_gb: Option<f64>,
    pub(super) memory_tb_per_s: Option<f64>,
    pub(super) tdp_watts: Option<f64>,
}

/// A rate that is printed large and is no dense peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Headline {
    /// For matrices with structured zeros.
    Sparse,
    /// With accumulation in FP16, which doubles the rate of GeForce cards.
    Fp16Accumulate,
    /// For inference with compressed operands.
    Compressed,
}

/// How sure a row's BF16 figure is (FP16, where there is no BF16).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Confidence {
    /// The vendor's datasheet or product page.
    Datasheet,
    /// The vendor's whitepaper.
    Whitepaper,
    /// The vendor's documentation.
    VendorDocs,
    /// Derived from other published figures.
    Derived,
    /// Third parties only.
    ThirdParty,
}

impl Row {
    /// Of whom nothing is known.
    pub(super) const BLANK: Self = Self {
        name: "",
        drivers: &[],
        aliases: &[],
        vendor: "",
        architecture: "",
        form_factor: "",
        unit: "GPU",
        devices_per_unit: 1,
        part: "GPU",
        dense: [Dense::Unpublished; Precision::COUNT],
        headlines: &[],
        groups: &[],
        measured: &[],
        boosts: false,
        memory_gb: None,
        memory_tb_per_s: None,
        tdp_watts: None,
        unlike: &[],
        link: "",
        link_gb_per_s: None,
        pcie_gb_per_s: None,
        uncertain: &[],
        cited: &[],
        confidence: Confidence::ThirdParty,
        sources: &[],
        note: "",
    };

    /// A unit's figure as one device's share, the only place where it is divided.
    pub(super) fn share(&self, of_unit: f64) -> f64 {
        of_unit / f64::from(self.devices_per_unit)
    }

    /// What is known of one device's dense rate at that precision.
    pub(super) fn dense(&self, precision: Precision) -> Dense<FlopRate> {
        let dense = self.dense.get(precision.place()).copied().unwrap_or(Dense::Unpublished);
        dense.and_then(|tflops| tera(self.share(tflops)))
    }

    /// Where the peak at that precision was found, without an address.
    pub(super) fn source(&self, precision: Precision) -> Option<&'static str> {
        let cited = self.cited.iter().find_map(|(known, source)| (*known == precision).then_some(*source));
        let first = || self.sources.first().map(|source| source.split_once(" <").map_or(*source, |(title, _)| title));
        cited.or_else(first)
    }

    /// The rates that are printed large at that precision, for one device.
    pub(super) fn headlines(&self, precision: Precision) -> impl Iterator<Item = (Headline, FlopRate)> {
        let these = self.headlines.iter().filter(move |(known, _, _)| *known == precision);
        these.filter_map(|(_, headline, tflops)| Some((*headline, tera(self.share(*tflops))?)))
    }

    pub(super) fn measured(&self, precision: Precision) -> Option<FlopRate> {
        let (_, tflops) = self.measured.iter().find(|(known, _)| *known == precision)?;
        tera(self.share(*tflops))
    }

    /// How far above its published peak the device has been measured, where its clock goes that far; otherwise 1.
    pub(super) fn headroom(&self) -> f64 {
        let ratios = self.measured.iter().filter_map(|(precision, tflops)| {
            Some(tera(self.share(*tflops))?.per_second() / self.dense(*precision).rate()?.per_second())
        });
        if self.boosts { ratios.fold(1.0, f64::max) } else { 1.0 }
    }
}

impl<T> Dense<T> {
    pub(super) fn rate(self) -> Option<T> {
        match self {
            Self::Known(rate) | Self::Uncertain(rate) => Some(rate),
            Self::Unsupported | Self::Unpublished => None,
        }
    }

    fn and_then<U>(self, change: impl FnOnce(T) -> Option<U>) -> Dense<U> {
        match self {
            Self::Known(rate) => change(rate).map_or(Dense::Unpublished, Dense::Known),
            Self::Uncertain(rate) => change(rate).map_or(Dense::Unpublished, Dense::Uncertain),
            Self::Unsupported => Dense::Unsupported,
            Self::Unpublished => Dense::Unpublished,
        }
    }
}

/// The figures of the table are finite and not negative, so none is lost here.
fn tera(tflops: f64) -> Option<FlopRate> {
    FlopRate::from_tflops(tflops).ok()
}

impl std::fmt::Display for Headline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Sparse => "sparse headline",
            Self::Fp16Accumulate => "rate with FP16 accumulation",
            Self::Compressed => "headline for inference with compression",
        })
    }
}

impl std::fmt::Display for Confidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Datasheet => "vendor's datasheet",
            Self::Whitepaper => "vendor's whitepaper",
            Self::VendorDocs => "vendor's documentation",
            Self::Derived => "derived",
            Self::ThirdParty => "third party",
        })
    }
}
