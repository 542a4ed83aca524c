//! Checked integer arithmetic: every operation that can leave its range says which quantity did.

use crate::error::{Cause, Class, Result};

/// A count that left the range of its integer.
#[derive(Debug, thiserror::Error)]
#[error("overflow in {what}: it does not fit in {bits} bits; is a size or a length off by orders of magnitude?")]
pub(crate) struct Overflow {
    what: &'static str,
    bits: u32,
}

impl Cause for Overflow {
    const CLASS: Class = Class::Overflow;
}

/// Integer arithmetic whose overflow is an error that names the quantity.
pub(crate) trait Exact: Sized {
    fn plus(self, other: Self, what: &'static str) -> Result<Self>;
    fn times(self, other: Self, what: &'static str) -> Result<Self>;
}

macro_rules! exact {
    ($($integer:ty),*) => {$(
        impl Exact for $integer {
            fn plus(self, other: Self, what: &'static str) -> Result<Self> {
                Ok(self.checked_add(other).ok_or(Overflow { what, bits: Self::BITS })?)
            }

            fn times(self, other: Self, what: &'static str) -> Result<Self> {
                Ok(self.checked_mul(other).ok_or(Overflow { what, bits: Self::BITS })?)
            }
        }
    )*};
}

exact!(u64, u128);

/// The value of checked arithmetic written with `?` over options, or the overflow named.
pub(crate) fn fits<T>(value: Option<T>, what: &'static str) -> Result<T> {
    Ok(value.ok_or(Overflow { what, bits: u128::BITS })?)
}
