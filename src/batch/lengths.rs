//! Lengths as frameworks hold them: slices of any primitive integer.

use num_traits::PrimInt;

use super::Invalid;
use crate::Result;

pub(super) use sealed::Lengths;

/// An integer that a framework may hold document lengths in: every primitive one. Sealed.
pub trait Length: sealed::Length {}

macro_rules! lengths {
    ($($variant:ident($integer:ty)),+) => {
        mod sealed {
            /// A borrowed slice of one of the primitive integers, its type forgotten.
            #[derive(Clone, Copy, Debug)]
            pub enum Lengths<'a> {
                $($variant(&'a [$integer])),+
            }

            pub trait Length: Sized {
                fn erase(lengths: &[Self]) -> Lengths<'_>;
            }

            $(
                impl Length for $integer {
                    fn erase(lengths: &[Self]) -> Lengths<'_> {
                        Lengths::$variant(lengths)
                    }
                }
            )+
        }

        $(impl Length for $integer {})+

        impl Lengths<'_> {
            /// Calls `visit` with each index and length; a length below zero or beyond 64 bits is an error.
            pub(super) fn visit(&self, visit: impl FnMut(usize, u128) -> Result<()>) -> Result<()> {
                match self {
                    $(Self::$variant(lengths) => each(lengths, visit)),+
                }
            }
        }
    };
}

lengths! {
    U8(u8), U16(u16), U32(u32), U64(u64), U128(u128), Usize(usize),
    I8(i8), I16(i16), I32(i32), I64(i64), I128(i128), Isize(isize)
}

fn each<T: PrimInt>(lengths: &[T], mut visit: impl FnMut(usize, u128) -> Result<()>) -> Result<()> {
    for (index, length) in lengths.iter().enumerate() {
        match length.to_u64() {
            Some(length) => visit(index, length.into())?,
            None => return Err(refused(index, *length).into()),
        }
    }
    Ok(())
}

#[cold]
fn refused<T: PrimInt>(index: usize, length: T) -> Invalid {
    match (length.to_u128(), length.to_i128()) {
        (Some(length), _) => Invalid::TooLong { index, length },
        (None, length) => Invalid::Negative { index, length: length.unwrap_or(i128::MIN) },
    }
}
