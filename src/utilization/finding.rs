//! What looks wrong about a report that is possible.

use std::fmt;

use crate::{Fleet, Misread, Utilization};

/// Something about a report that looks wrong, with the input to look at. A finding changes no figure.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// A declared peak is another figure of the device that its label names: a sparse headline, or that of several
    /// devices.
    MisreadPeak(Misread),
    /// The devices did more than their published peak, on clocks that are known to go higher than published.
    AbovePublishedClock {
        /// The utilization, above 1.
        utilization: Utilization,
        /// The most that has been measured of these devices, over their published peak.
        measured: Utilization,
    },
}

/// What to find about a fleet that was used so well.
pub(super) fn about(fleet: &Fleet, utilization: Utilization) -> Vec<Finding> {
    let misread = fleet.parts().filter_map(|(peak, _)| peak.misread()).map(Finding::MisreadPeak);
    let measured = Utilization::from_fraction(fleet.headroom()).ok();
    let above = measured.filter(|_| utilization.as_fraction() > 1.0);
    misread.chain(above.map(|measured| Finding::AbovePublishedClock { utilization, measured })).collect()
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MisreadPeak(misread) => misread.fmt(f),
            Self::AbovePublishedClock { utilization, measured } => write!(
                f,
                "{utilization} of the published peak: these devices clock higher than it is published for, up to \
                 {measured:.1} as measured at BF16"
            ),
        }
    }
}
