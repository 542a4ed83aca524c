//! Closed forms for query-key pairs. They stand here and nowhere else.
//!
//! Everything is held twice over, so that the area of a triangle, `x²/2`, is an integer.

use crate::Span;

/// How the pairs of a span are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Measure {
    /// Every key is counted for every query, up to the span's width: `n·min(t, W)`.
    Rectangle,
    /// The area of the mask, its diagonal halved: `s²/2` for a causal one.
    Area,
    /// The pairs that the mask lets through: `s(s + 1)/2` for a causal one.
    Mask,
}

/// One sequence, as its pairs are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sequence {
    /// The tokens that are computed.
    pub(crate) new: u128,
    /// The tokens before them, which were computed earlier.
    pub(crate) cached: u128,
    /// The tokens of its source, where it has one.
    pub(crate) source: u128,
}

impl Sequence {
    /// The source tokens that are computed with it: all of them with its first token, none before and none later.
    pub(crate) const fn new_source(self) -> u128 {
        if self.cached == 0 && self.new > 0 { self.source } else { 0 }
    }
}

/// Which tokens attend: those of the sequence, or those of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stream {
    Target,
    Source,
}

/// A span as a convention sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct View {
    pub(crate) stream: Stream,
    pub(crate) span: Span,
    /// How a sequence is measured of which the span hides nothing that came before a query.
    pub(crate) whole: Measure,
    /// How any other sequence is measured.
    pub(crate) cut: Measure,
}

impl View {
    /// Twice the pairs of a sequence, or `None` where 128 bits are too few.
    pub(crate) fn twice_pairs(&self, sequence: Sequence) -> Option<u128> {
        let (new, cached) = match self.stream {
            Stream::Target => (sequence.new, sequence.cached),
            Stream::Source => (sequence.new_source(), 0),
        };
        let total = cached.checked_add(new)?;
        let measure = if hides(self.span, total) { self.cut } else { self.whole };
        let diagonal = match (self.span, measure) {
            (Span::Cross, _) => return twice(new.checked_mul(sequence.source)?),
            (Span::Bidirectional, _) => return twice(new.checked_mul(total)?),
            (span, Measure::Rectangle) => return twice(new.checked_mul(widest(span, total))?),
            (_, Measure::Area) => 0,
            (_, Measure::Mask) => 1,
        };
        seen(self.span, total, diagonal)?.checked_sub(seen(self.span, cached, diagonal)?)
    }
}

/// Whether a query of so long a sequence sees less than all that came before it.
fn hides(span: Span, total: u128) -> bool {
    match span {
        Span::Window(width) | Span::Chunk(width) | Span::TopK(width) => u128::from(width) < total,
        Span::Compressed { ratio, top_k } => {
            let keys = total.checked_div(ratio.into()).unwrap_or_default();
            top_k.is_some_and(|top_k| u128::from(top_k) < keys)
        }
        Span::Causal | Span::Bidirectional | Span::Cross => false,
    }
}

/// The most keys that any query of so long a sequence sees.
fn widest(span: Span, total: u128) -> u128 {
    match span {
        Span::Window(width) | Span::Chunk(width) | Span::TopK(width) => total.min(width.into()),
        Span::Compressed { ratio, top_k } => {
            let keys = total.checked_div(ratio.into()).unwrap_or_default();
            top_k.map_or(keys, |top_k| keys.min(top_k.into()))
        }
        Span::Causal | Span::Bidirectional | Span::Cross => total,
    }
}

/// Twice the keys that the first `queries` queries of a causal span see.
fn seen(span: Span, queries: u128, diagonal: u128) -> Option<u128> {
    let triangle = |side: u128| side.checked_mul(side.checked_add(diagonal)?);
    match span {
        Span::Causal | Span::Bidirectional | Span::Cross => triangle(queries),
        // The first `top_k` queries see all before them, and every other one `top_k`: as many as in a window.
        Span::Window(width) | Span::TopK(width) => {
            triangle(queries)?.checked_sub(triangle(queries.saturating_sub(width.into()))?)
        }
        Span::Chunk(width) => {
            let width = u128::from(width);
            let (chunks, rest) = (queries.checked_div(width)?, queries.checked_rem(width)?);
            chunks.checked_mul(triangle(width)?)?.checked_add(triangle(rest)?)
        }
        // Query i, counted from 1, sees ⌊i/m⌋ keys, and with ⌊i/m⌋ ≥ j = min(⌊n/m⌋, k) it sees j: m·j(j − 1)/2 up to
        // query m·j, and j for each of the n − m·j + 1 from there on. A key is seen whole or not at all, so there is
        // no diagonal to halve.
        Span::Compressed { ratio, .. } => {
            let keys = widest(span, queries);
            let full = u128::from(ratio).checked_mul(keys)?;
            let climb = full.checked_mul(keys.saturating_sub(1))?;
            let rest = queries.checked_sub(full)?.checked_add(1)?;
            climb.checked_add(twice(keys.checked_mul(rest)?)?)
        }
    }
}

fn twice(pairs: u128) -> Option<u128> {
    pairs.checked_mul(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(span: Span, measure: Measure, new: u128, cached: u128) -> Option<u128> {
        let view = View { stream: Stream::Target, span, whole: measure, cut: measure };
        view.twice_pairs(Sequence { new, cached, source: 7 })
    }

    /// The mask, pair by pair: does query `q` (counted from the start of the sequence) see key `k`?
    fn sees(span: Span, q: u64, k: u64) -> bool {
        match span {
            Span::Causal => k <= q,
            Span::Bidirectional => true,
            Span::Window(width) => k <= q && q - k < width,
            Span::Chunk(width) => k <= q && q / width == k / width,
            // Which keys an indexer chooses is not known; as many as the last ones.
            Span::TopK(top_k) => k <= q && q - k < top_k,
            // Here `k` stands for a compressed key, and `q` is preceded by q + 1 tokens with its own.
            Span::Compressed { ratio, top_k } => k < ((q + 1) / ratio).min(top_k.unwrap_or(u64::MAX)),
            Span::Cross => k < 7,
        }
    }

    #[test]
    fn the_mask_pair_by_pair() {
        let compressed = |ratio, top_k| Span::Compressed { ratio, top_k };
        for span in [
            Span::Causal,
            Span::Bidirectional,
            Span::Window(1),
            Span::Window(5),
            Span::Chunk(1),
            Span::Chunk(4),
            Span::TopK(5),
            compressed(1, None),
            compressed(3, None),
            compressed(3, Some(2)),
            compressed(4, Some(1)),
        ] {
            for cached in 0..12 {
                for new in 0..12 {
                    let total = cached + new;
                    let open = (cached..total).flat_map(|q| (0..total).map(move |k| (q, k)));
                    let counted = open.filter(|&(q, k)| sees(span, q, k)).count() as u128;
                    let closed = pairs(span, Measure::Mask, new.into(), cached.into());
                    assert_eq!(closed, Some(2 * counted), "{span}, {new} after {cached}");
                }
            }
        }
    }

    #[test]
    fn areas_and_rectangles_by_hand() {
        // s²/2 = 50; the window cuts (10 − 4)²/2 = 18 off: sW − W²/2 = 40 − 8 = 32; two chunks of 4²/2 and one of 2²/2:
        // 18.
        assert_eq!(pairs(Span::Causal, Measure::Area, 10, 0), Some(2 * 50));
        assert_eq!(pairs(Span::Window(4), Measure::Area, 10, 0), Some(2 * 32));
        assert_eq!(pairs(Span::Chunk(4), Measure::Area, 10, 0), Some(2 * 18));
        // n·(p + n) = 10·13; capped at the width per query: 10·4.
        assert_eq!(pairs(Span::Causal, Measure::Rectangle, 10, 3), Some(2 * 130));
        assert_eq!(pairs(Span::Window(4), Measure::Rectangle, 10, 3), Some(2 * 40));
        assert_eq!(pairs(Span::Chunk(4), Measure::Rectangle, 10, 3), Some(2 * 40));
        assert_eq!(pairs(Span::Bidirectional, Measure::Area, 10, 3), Some(2 * 130));
    }

    #[test]
    fn a_sequence_that_hides_nothing_is_whole() {
        let window = View { stream: Stream::Target, span: Span::Window(8), whole: Measure::Area, cut: Measure::Mask };
        let of = |new| window.twice_pairs(Sequence { new, cached: 0, source: 0 });
        // 8 tokens: nothing hidden, 8²/2. 9 tokens: the mask, 45 − 1.
        assert_eq!(of(8), Some(64));
        assert_eq!(of(9), Some(2 * 44));
    }

    #[test]
    fn a_source_is_attended_to_by_every_token_and_made_with_the_first() {
        let view = |stream, span| View { stream, span, whole: Measure::Area, cut: Measure::Area };
        let cross = view(Stream::Target, Span::Cross);
        let within = view(Stream::Source, Span::Bidirectional);
        let (first, later) = (Sequence { new: 5, cached: 0, source: 7 }, Sequence { new: 2, cached: 5, source: 7 });
        // n·m pairs, whichever chunk the tokens come in; the source's own m² once.
        assert_eq!((cross.twice_pairs(first), cross.twice_pairs(later)), (Some(2 * 35), Some(2 * 14)));
        assert_eq!((within.twice_pairs(first), within.twice_pairs(later)), (Some(2 * 49), Some(0)));
    }

    #[test]
    fn extremes_are_none() {
        let most = u128::from(u64::MAX);
        assert_eq!(pairs(Span::Causal, Measure::Mask, most, most), None);
        assert!(pairs(Span::Window(1), Measure::Rectangle, most, 0).is_some());
        assert_eq!(pairs(Span::Chunk(0), Measure::Mask, 1, 0), None);
        let dense = Span::Compressed { ratio: 1, top_k: None };
        assert_eq!(pairs(dense, Measure::Mask, most, most), None);
        assert_eq!(pairs(Span::Compressed { ratio: 0, top_k: None }, Measure::Mask, 1, 0), Some(0));
    }
}
