//! Which tokens attend to which.

mod lengths;
mod pairs;

pub use lengths::Length;
use lengths::Lengths;
pub(crate) use pairs::{Measure, Sequence, Stream, View};

use crate::error::{Argument, Cause, Class};
use crate::exact::{Exact, fits};
use crate::{Error, Result};

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
/// | top-k | as a window of `k` | as a window of `k` | `n·min(t, k)` |
/// | compressed by `m`, at most `k` | `F(t) − F(p)`, `F(x) = m·j(j − 1)/2 + j(x − m·j + 1)`, `j = min(⌊x/m⌋, k)` | as the mask | `n·min(⌊t/m⌋, k)` |
/// | bidirectional | `n·t` | `n·t` | `n·t` |
/// | cross, to a [source](Self::source) of `m` | `n·m` | `n·m` | `n·m` |
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
    source: Option<Source<'a>>,
    cached: u64,
    logits: Option<u64>,
}

/// What an encoder reads for each sequence.
#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    Uniform(u64),
    Each(Lengths<'a>),
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
        Self::of(Sequences::Uniform { count: sequences, length })
    }

    /// Documents of these lengths, each attending to itself.
    pub fn packed<T: Length>(lengths: &'a [T]) -> Self {
        Self::of(Sequences::Packed(T::erase(lengths)))
    }

    /// Documents given by where they end, as variable-length attention kernels take them: `[0, 3, 8]` is a document of
    /// 3 tokens and one of 5.
    pub fn cumulative<T: Length>(ends: &'a [T]) -> Self {
        Self::of(Sequences::Cumulative(T::erase(ends)))
    }

    const fn of(sequences: Sequences<'a>) -> Self {
        Self { sequences, source: None, cached: 0, logits: None }
    }

    /// For an encoder–decoder: the encoder reads a source of so many tokens for every sequence, whose own tokens are
    /// the decoder's.
    ///
    /// The source is encoded with the first tokens of a sequence, and not while there are none. A batch that continues
    /// [after](Self::after) cached tokens attends to it and does not encode it again. The tokens of a count are those
    /// of both.
    pub const fn source(self, length: u64) -> Self {
        Self { source: Some(Source::Uniform(length)), ..self }
    }

    /// For an encoder–decoder: the encoder reads a source of its own length for each sequence.
    pub fn sources<T: Length>(self, lengths: &'a [T]) -> Self {
        Self { source: Some(Source::Each(T::erase(lengths))), ..self }
    }

    /// Every sequence continues after so many cached tokens: they are attended to and not computed again.
    pub const fn after(self, cached: u64) -> Self {
        Self { cached, ..self }
    }

    /// The LM head runs on so many positions of the whole batch instead of on all.
    pub const fn logits(self, positions: u64) -> Self {
        Self { logits: Some(positions), ..self }
    }

    /// Calls `visit` with a number of equal sequences and one of them, for each document or once for all.
    fn visit(&self, mut visit: impl FnMut(u128, Sequence) -> Result<()>) -> Result<()> {
        let cached = u128::from(self.cached);
        let one = |index, new| Ok::<_, Error>(Sequence { new, cached, source: self.source_of(index)? });
        match self.sequences {
            // However long none of them is, they amount to nothing.
            Sequences::Uniform { count: 0, .. } => self.same_number(0),
            Sequences::Uniform { count, length } => match self.source {
                // The sources are at most as many as their slice is long, whatever `count` is.
                Some(Source::Each(sources)) => {
                    self.same_number(usize::try_from(count).unwrap_or(usize::MAX))?;
                    sources
                        .visit("source lengths", |_, source| visit(1, Sequence { new: length.into(), cached, source }))
                }
                _ => visit(count.into(), one(0, length.into())?),
            },
            Sequences::Packed(lengths) => {
                self.same_number(lengths.len())?;
                lengths.visit("lengths", |index, length| visit(1, one(index, length)?))
            }
            Sequences::Cumulative(ends) => {
                self.same_number(ends.len().saturating_sub(1))?;
                let mut start = None;
                ends.visit("cumulative lengths", |index, end| match start.replace(end) {
                    None if end == 0 => Ok(()),
                    None => Err(Invalid::FirstEnd { end }.into()),
                    Some(start) => {
                        let length = end.checked_sub(start).ok_or(Invalid::Falling { index, start, end })?;
                        visit(1, one(index.saturating_sub(1), length)?)
                    }
                })
            }
        }
    }

    /// The length of the source of one sequence.
    fn source_of(&self, index: usize) -> Result<u128> {
        match self.source {
            None => Ok(0),
            Some(Source::Uniform(length)) => Ok(length.into()),
            Some(Source::Each(lengths)) => lengths.get("source lengths", index),
        }
    }

    fn same_number(&self, sequences: usize) -> Result<()> {
        match self.source {
            Some(Source::Each(lengths)) if lengths.len() != sequences => {
                Err(Invalid::Sources { sources: lengths.len(), sequences }.into())
            }
            _ => Ok(()),
        }
    }

    /// The tokens and the positions with logits; adds to each of `twice_pairs` twice the query-key pairs of the view
    /// beside it, all in one pass over the lengths.
    pub(crate) fn tally(
        &self,
        reads_source: bool,
        views: &(impl Iterator<Item = View> + Clone),
        twice_pairs: &mut [u128],
    ) -> Result<Tally> {
        match (reads_source, self.source) {
            (true, None) => return Err(Invalid::NoSource.into()),
            (false, Some(_)) => return Err(Invalid::NoEncoder.into()),
            (true, Some(_)) | (false, None) => {}
        }
        let (mut targets, mut sources) = (0_u128, 0_u128);
        self.visit(|count, sequence| {
            targets = targets.plus(sequence.new.times(count, "tokens")?, "tokens")?;
            sources = sources.plus(sequence.new_source().times(count, "tokens")?, "tokens")?;
            for (sum, view) in twice_pairs.iter_mut().zip(views.clone()) {
                let pairs = view.twice_pairs(sequence).and_then(|pairs| pairs.checked_mul(count));
                *sum = fits(pairs.and_then(|pairs| sum.checked_add(pairs)), "query-key pairs")?;
            }
            Ok(())
        })?;
        let tokens = targets.plus(sources, "tokens")?;
        let logits = self.logits.map_or(targets, u128::from);
        if logits > targets {
            let value = format!("{logits} of {targets} tokens");
            return Err(Argument { name: "logits", value, expected: "at most one per token" }.into());
        }
        Ok(Tally { tokens, targets, sources, logits })
    }
}

/// What a batch amounts to, pairs aside.
pub(crate) struct Tally {
    /// All tokens that are computed.
    pub(crate) tokens: u128,
    /// Those of the sequences themselves.
    pub(crate) targets: u128,
    /// Those of the sources.
    pub(crate) sources: u128,
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
    #[error("{sources} source lengths for {sequences} sequences: each has one")]
    Sources { sources: usize, sequences: usize },
    #[error(
        "this model has an encoder, and the batch says nothing of what it reads: give the source's tokens with `source` or `sources`"
    )]
    NoSource,
    #[error("the batch has a source, and this model has no encoder that would read it")]
    NoEncoder,
    #[error("cumulative lengths[{index}] is {end}, below the one before it, {start}")]
    Falling { index: usize, start: u128, end: u128 },
}

impl Cause for Invalid {
    const CLASS: Class = Class::Batch;
}
