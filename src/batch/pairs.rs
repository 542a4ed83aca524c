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

/// A span as a convention sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct View {
    pub(crate) span: Span,
    /// How a sequence is measured of which the span hides nothing that came before a query.
    pub(crate) whole: Measure,
    /// How any other sequence is measured.
    pub(crate) cut: Measure,
}

impl View {
    /// Twice the pairs of `new` queries after `cached` tokens, or `None` where 128 bits are too few.
    pub(crate) fn twice_pairs(&self, new: u128, cached: u128) -> Option<u128> {
        let total = cached.checked_add(new)?;
        let measure = if hides(self.span, total) { self.cut } else { self.whole };
        let diagonal = match (self.span, measure) {
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
    widest(span, total) < total
}

/// The most keys that any query of so long a sequence sees.
fn widest(span: Span, total: u128) -> u128 {
    match span {
        Span::Window(width) | Span::Chunk(width) => total.min(width.into()),
        Span::Causal | Span::Bidirectional => total,
    }
}

/// Twice the keys that the first `queries` queries of a causal span see.
fn seen(span: Span, queries: u128, diagonal: u128) -> Option<u128> {
    let triangle = |side: u128| side.checked_mul(side.checked_add(diagonal)?);
    match span {
        Span::Causal | Span::Bidirectional => triangle(queries),
        Span::Window(width) => triangle(queries)?.checked_sub(triangle(queries.saturating_sub(width.into()))?),
        Span::Chunk(width) => {
            let width = u128::from(width);
            let (chunks, rest) = (queries.checked_div(width)?, queries.checked_rem(width)?);
            chunks.checked_mul(triangle(width)?)?.checked_add(triangle(rest)?)
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
        View { span, whole: measure, cut: measure }.twice_pairs(new, cached)
    }

    /// The mask, pair by pair: does query `q` (counted from the start of the sequence) see key `k`?
    fn sees(span: Span, q: u64, k: u64) -> bool {
        match span {
            Span::Causal => k <= q,
            Span::Bidirectional => true,
            Span::Window(width) => k <= q && q - k < width,
            Span::Chunk(width) => k <= q && q / width == k / width,
        }
    }

    #[test]
    fn the_mask_pair_by_pair() {
        for span in
            [Span::Causal, Span::Bidirectional, Span::Window(1), Span::Window(5), Span::Chunk(1), Span::Chunk(4)]
        {
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
        let view = View { span: Span::Window(8), whole: Measure::Area, cut: Measure::Mask };
        // 8 tokens: nothing hidden, 8²/2. 9 tokens: the mask, 45 − 1.
        assert_eq!(view.twice_pairs(8, 0), Some(64));
        assert_eq!(view.twice_pairs(9, 0), Some(2 * 44));
    }

    #[test]
    fn extremes_are_none() {
        let most = u128::from(u64::MAX);
        assert_eq!(pairs(Span::Causal, Measure::Mask, most, most), None);
        assert!(pairs(Span::Window(1), Measure::Rectangle, most, 0).is_some());
        assert_eq!(pairs(Span::Chunk(0), Measure::Mask, 1, 0), None);
    }
}
