//! Checked integer arithmetic: every operation that can leave its range says which quantity did.

use crate::error::{Kind, Result};

#[cold]
fn overflow(what: &'static str, bits: u32) -> Kind {
    Kind::Overflow { what, bits }
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
                Ok(self.checked_add(other).ok_or_else(|| overflow(what, Self::BITS))?)
            }

            fn times(self, other: Self, what: &'static str) -> Result<Self> {
                Ok(self.checked_mul(other).ok_or_else(|| overflow(what, Self::BITS))?)
            }
        }
    )*};
}

exact!(u64, u128);

/// The value of checked arithmetic written with `?` over options, or the overflow named.
pub(crate) fn fits(value: Option<u128>, what: &'static str) -> Result<u128> {
    Ok(value.ok_or_else(|| overflow(what, u128::BITS))?)
}
