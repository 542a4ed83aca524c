//! Which tokens attend to which.

mod lengths;
mod pairs;

pub use lengths::Length;
use lengths::Lengths;
pub(crate) use pairs::{Measure, View};

use crate::Result;
use crate::error::{Argument, Cause, Class};
use crate::exact::{Exact, fits};

/// The tokens that are computed together, and which of them attend to which: equal sequences, or documents of any
/// lengths.
///
/// A slice of lengths is a batch, as a framework holds it, of any primitive integer; so is a `Vec` of them. Nothing is
/// copied, and the lengths are read once, when they are counted.
///
/// # Formula
///
/// A sequence has `n` new tokens after `p` cached ones ([`after`](Self::after)); `t = p + n`. Its query-key pairs are,
/// with `e(x) = max(x − W, 0)`:
///
/// | span | the mask | the area | the rectangle |
/// |---|---|---|---|
/// | causal | `T(t) − T(p)` | `(t² − p²)/2` | `n·t` |
/// | window `W` | `F(t) − F(p)`, `F(x) = T(x) − T(e(x))` | the same with `x²/2` for `T(x)` | `n·min(t, W)` |
/// | chunk `c` | `F(t) − F(p)`, `F(x) = ⌊x/c⌋·T(c) + T(x mod c)` | the same with `x²/2` for `T(x)` | `n·min(t, c)` |
/// | bidirectional | `n·t` | `n·t` | `n·t` |
///
/// `T(x) = x(x + 1)/2`, the triangle with its diagonal. Documents packed into one sequence attend within themselves:
/// `Σnᵢ²`, never `(Σnᵢ)²`. The tools that presets are named after take one sequence length for the whole batch: to meet
/// their logs of packed data, give the length that they were given, with [`Batch::uniform`].
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{Batch, Convention, catalog};
///
/// let cost = catalog::find("llama-3-8b")?.cost(Convention::EXACT)?;
/// let lengths: Vec<i32> = vec![4_096, 1_024, 3_072];
/// let packed = cost.count(&lengths)?;
/// let separate = cost.count(&[4_096])?.checked_add(cost.count(&[1_024, 3_072])?)?;
/// assert_eq!(packed, separate);
///
/// // Decoding one token after 2,047 cached ones.
/// let decode = cost.count(Batch::uniform(1, 1).after(2_047))?;
/// # let _ = decode;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "a batch does nothing until it is counted"]
pub struct Batch<'a> {
    sequences: Sequences<'a>,
    cached: u64,
    logits: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
enum Sequences<'a> {
    Uniform { count: u64, length: u64 },
    Packed(Lengths<'a>),
    Cumulative(Lengths<'a>),
}

impl<'a> Batch<'a> {
    /// `sequences` sequences of `length` tokens each. Counting it takes the same time whatever the numbers are.
    pub const fn uniform(sequences: u64, length: u64) -> Self {
        Self { sequences: Sequences::Uniform { count: sequences, length }, cached: 0, logits: None }
    }

    /// Documents of these lengths, each attending to itself.
    pub fn packed<T: Length>(lengths: &'a [T]) -> Self {
        Self { sequences: Sequences::Packed(T::erase(lengths)), cached: 0, logits: None }
    }

    /// Documents given by where they end, as variable-length attention kernels take them: `[0, 3, 8]` is a document of
    /// 3 tokens and one of 5.
    pub fn cumulative<T: Length>(ends: &'a [T]) -> Self {
        Self { sequences: Sequences::Cumulative(T::erase(ends)), cached: 0, logits: None }
    }

    /// Every sequence continues after so many cached tokens: they are attended to and not computed again.
    pub const fn after(self, cached: u64) -> Self {
        Self { cached, ..self }
    }

    /// The LM head runs on so many positions of the whole batch instead of on all.
    pub const fn logits(self, positions: u64) -> Self {
        Self { logits: Some(positions), ..self }
    }

    /// Calls `visit` with a number of equal sequences and their length, for each document or once for all.
    fn visit(&self, mut visit: impl FnMut(u128, u128) -> Result<()>) -> Result<()> {
        match self.sequences {
            // However long none of them is, they amount to nothing.
            Sequences::Uniform { count: 0, .. } => Ok(()),
            Sequences::Uniform { count, length } => visit(count.into(), length.into()),
            Sequences::Packed(lengths) => lengths.visit("lengths", |_, length| visit(1, length)),
            Sequences::Cumulative(ends) => {
                let mut start = None;
                ends.visit("cumulative lengths", |index, end| match start.replace(end) {
                    None if end == 0 => Ok(()),
                    None => Err(Invalid::FirstEnd { end }.into()),
                    Some(start) => {
                        let length = end.checked_sub(start).ok_or(Invalid::Falling { index, start, end })?;
                        visit(1, length)
                    }
                })
            }
        }
    }

    /// The tokens and the positions with logits; adds to each of `twice_pairs` twice the query-key pairs of the view
    /// beside it, all in one pass over the lengths.
    pub(crate) fn tally(
        &self,
        views: &(impl Iterator<Item = View> + Clone),
        twice_pairs: &mut [u128],
    ) -> Result<Tally> {
        let mut tokens = 0_u128;
        let cached = u128::from(self.cached);
        self.visit(|count, length| {
            tokens = tokens.plus(length.times(count, "tokens")?, "tokens")?;
            for (sum, view) in twice_pairs.iter_mut().zip(views.clone()) {
                let pairs = view.twice_pairs(length, cached).and_then(|pairs| pairs.checked_mul(count));
                *sum = fits(pairs.and_then(|pairs| sum.checked_add(pairs)), "query-key pairs")?;
            }
            Ok(())
        })?;
        let logits = self.logits.map_or(tokens, u128::from);
        if logits > tokens {
            let value = format!("{logits} of {tokens} tokens");
            return Err(Argument { name: "logits", value, expected: "at most one per token" }.into());
        }
        Ok(Tally { tokens, logits })
    }
}

/// What a batch amounts to, pairs aside.
pub(crate) struct Tally {
    pub(crate) tokens: u128,
    pub(crate) logits: u128,
}

impl<'a, T: Length> From<&'a [T]> for Batch<'a> {
    fn from(lengths: &'a [T]) -> Self {
        Self::packed(lengths)
    }
}

impl<'a, T: Length> From<&'a Vec<T>> for Batch<'a> {
    fn from(lengths: &'a Vec<T>) -> Self {
        Self::packed(lengths)
    }
}

impl<'a, T: Length, const N: usize> From<&'a [T; N]> for Batch<'a> {
    fn from(lengths: &'a [T; N]) -> Self {
        Self::packed(lengths)
    }
}

/// Why a batch cannot be.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Invalid {
    #[error(
        "{noun}[{index}] is {value}, and no number of tokens is negative: leave out entries that stand for padding"
    )]
    Negative { noun: &'static str, index: usize, value: i128 },
    #[error("{noun}[{index}] is {value}, above the {} that are possible", u64::MAX)]
    TooLong { noun: &'static str, index: usize, value: u128 },
    #[error(
        "cumulative lengths begin with 0, and these with {end}; for the lengths themselves there is `Batch::packed`"
    )]
    FirstEnd { end: u128 },
    #[error("cumulative lengths[{index}] is {end}, below the one before it, {start}")]
    Falling { index: usize, start: u128, end: u128 },
}

impl Cause for Invalid {
    const CLASS: Class = Class::Batch;
}
