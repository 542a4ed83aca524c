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
            pub(super) const fn len(&self) -> usize {
                match self {
                    $(Self::$variant(lengths) => lengths.len()),+
                }
            }

            /// The length at an index; as [`visit`](Self::visit), an error if it cannot be one, and 0 where there is
            /// none.
            pub(super) fn get(&self, noun: &'static str, index: usize) -> Result<u128> {
                match self {
                    $(Self::$variant(lengths) => lengths.get(index).map_or(Ok(0), |length| one(*length, noun, index))),+
                }
            }

            /// Calls `visit` with each index and length; one below zero or beyond 64 bits is an error that names it
            /// with `noun`.
            pub(super) fn visit(
                &self,
                noun: &'static str,
                visit: impl FnMut(usize, u128) -> Result<()>,
            ) -> Result<()> {
                match self {
                    $(Self::$variant(lengths) => each(lengths, noun, visit)),+
                }
            }
        }
    };
}

lengths! {
    U8(u8), U16(u16), U32(u32), U64(u64), U128(u128), Usize(usize),
    I8(i8), I16(i16), I32(i32), I64(i64), I128(i128), Isize(isize)
}

fn each<T: PrimInt>(lengths: &[T], noun: &'static str, mut visit: impl FnMut(usize, u128) -> Result<()>) -> Result<()> {
    lengths.iter().enumerate().try_for_each(|(index, length)| visit(index, one(*length, noun, index)?))
}

fn one<T: PrimInt>(length: T, noun: &'static str, index: usize) -> Result<u128> {
    match length.to_u64() {
        Some(length) => Ok(length.into()),
        None => Err(refused(noun, index, length).into()),
    }
}

#[cold]
fn refused<T: PrimInt>(noun: &'static str, index: usize, length: T) -> Invalid {
    match (length.to_u128(), length.to_i128()) {
        (Some(value), _) => Invalid::TooLong { noun, index, value },
        (None, value) => Invalid::Negative { noun, index, value: value.unwrap_or(i128::MIN) },
    }
}
