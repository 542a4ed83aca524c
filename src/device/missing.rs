//! A peak that a device does not have: no units for it, or no figure of them.

use super::{Device, Precision};
use crate::Error;
use crate::error::{Cause, Class};

pub(super) fn unsupported(device: &Device, precision: Precision) -> Error {
    Unsupported { device: device.name().to_owned(), precision, known: known(device) }.into()
}

pub(super) fn unpublished(device: &Device, precision: Precision) -> Error {
    Unpublished { device: device.name().to_owned(), precision, known: known(device) }.into()
}

#[derive(Debug, thiserror::Error)]
#[error("`{device}` has no {precision} units; {known}")]
struct Unsupported {
    device: String,
    precision: Precision,
    known: String,
}

impl Cause for Unsupported {
    const CLASS: Class = Class::UnsupportedPrecision;
}

#[derive(Debug, thiserror::Error)]
#[error(
    "no dense {precision} peak of `{device}` is known that can be trusted, and none is inferred: {known}; \
     `Device::with_peak` or `Peak::declared` takes yours"
)]
struct Unpublished {
    device: String,
    precision: Precision,
    known: String,
}

impl Cause for Unpublished {
    const CLASS: Class = Class::UnpublishedPeak;
}

fn known(device: &Device) -> String {
    let precisions: Vec<String> = device.precisions().map(|precision| precision.to_string()).collect();
    if precisions.is_empty() {
        return "it has no known peak at all".to_owned();
    }
    format!("it has peaks at {}", precisions.join(", "))
}
