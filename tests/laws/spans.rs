//! Windows, chunks, the cache.

use super::*;

/// The mask, pair by pair: does a query at this place of its sequence see this key?
fn sees(span: Span, query: u64, key: u64) -> bool {
    match span {
        Span::Causal => key <= query,
        Span::Bidirectional => true,
        // Which keys an indexer chooses is not known: as many as the last ones.
        Span::Window(width) | Span::TopK(width) => key <= query && query - key < width,
        Span::Chunk(width) => key <= query && query / width == key / width,
        span => panic!("no test knows a {span}"),
    }
}

/// The pairs that a mask lets through for `new` queries after `cached` keys, counted one by one.
fn pairs(span: Span, new: u64, cached: u64) -> u128 {
    let total = cached + new;
    let pairs = (cached..total).flat_map(|query| (0..total).map(move |key| (query, key)));
    pairs.filter(|&(query, key)| sees(span, query, key)).count() as u128
}

/// Spans of which no query is cut off by what comes after it.
pub fn causal_span() -> impl Strategy<Value = Span> {
    prop_oneof![
        Just(Span::Causal),
        reach().prop_map(Span::Window),
        reach().prop_map(Span::Chunk),
        reach().prop_map(Span::TopK),
    ]
}

/// Whether a count under this rule telescopes: by the area or the mask, and by the same of the two whether a window
/// hides anything or not.
fn telescopes(convention: &Convention) -> bool {
    match convention.core {
        Core::Out | Core::Exact => true,
        Core::Half => convention.windows != Windows::Exact,
        Core::Full => false,
    }
}

/// Random rules that telescope.
fn telescoping() -> impl Strategy<Value = Convention> {
    (universal(), select(&[Core::Half, Core::Exact]), select(&[Windows::Ignored, Windows::Honoured]))
        .prop_map(|(convention, core, windows)| Convention { core, windows, ..convention })
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn a_span_that_hides_nothing_is_none(
        draft in decoder(), convention in universal(), lengths in lengths(), cached in length(), more in 0..=3_u64,
    ) {
        let longest = cached + lengths.iter().max().copied().unwrap_or(0);
        let reach = (longest + more).max(1);
        let causal = draft.with_span(Span::Causal).ledger();
        let window = draft.with_span(Span::Window(reach)).ledger();
        let chunk = draft.with_span(Span::Chunk(reach)).ledger();
        let top_k = draft.with_span(Span::TopK(reach)).ledger();
        for convention in presets_and(convention) {
            let of = |ledger| figures(&count(ledger, convention, Batch::packed(&lengths).after(cached)));
            prop_assert_eq!(of(&window), of(&causal));
            prop_assert_eq!(of(&chunk), of(&causal));
            prop_assert_eq!(of(&top_k), of(&causal));
        }
    }

    #[test]
    fn the_mask_is_counted_pair_by_pair(
        (groups, kv_heads, width, value_width) in (1..=4_u64, 1..=4_u64, size(), size()),
        span in span(), depth in 1..=5_u64, n in 0..=3_u64, new in 0..=40_u64, cached in 0..=40_u64,
        convention in universal(),
    ) {
        let heads = groups * kv_heads;
        let attention = Attention::grouped(heads, kv_heads, width).value_dim(value_width);
        let attention = match span {
            Span::Bidirectional => attention.bidirectional(),
            Span::Window(width) | Span::TopK(width) => attention.window(width),
            Span::Chunk(width) => attention.chunk(width),
            _ => attention,
        };
        let model = Architecture::decoder(8, 9).layers(depth, Layer::new().with(attention)).build().unwrap();
        let ledger = model.ledger().unwrap();
        let batch = Batch::uniform(n, new).after(cached);
        let pairs = u128::from(depth * n) * pairs(span, new, cached);
        // Forward and backward: scores 2·H·d_qk, values 2·H·d_v, per pair.
        let core = u128::from(6 * heads * (width + value_width)) * pairs;
        prop_assert_eq!(core_of(&ledger, Convention::EXACT, batch), core);

        // Softmax, 3·H, and the scores once more, if counted.
        let convention = Convention { core: Core::Exact, windows: Windows::Honoured, ..convention };
        let softmax = if convention.softmax == Inclusion::In { 9 * heads } else { 0 };
        let again = if convention.scores_recomputed == Inclusion::In { 2 * heads * width } else { 0 };
        prop_assert_eq!(core_of(&ledger, convention, batch), core + u128::from(softmax + again) * pairs);
    }

    #[test]
    fn a_window_of_one_sees_one_key(
        draft in decoder(), convention in universal(), windows in select(&[Windows::Honoured, Windows::Exact]),
        n in 0..=3_u64, length in length(), cached in length(),
    ) {
        for span in [Span::Window(1), Span::Chunk(1), Span::TopK(1)] {
            let ledger = draft.with_span(span).ledger();
            for convention in presets_and(convention) {
                let convention = Convention { core: Core::Exact, windows, ..convention };
                let one_pair = core_of(&ledger, convention, Batch::uniform(1, 1));
                let batch = Batch::uniform(n, length).after(cached);
                prop_assert_eq!(core_of(&ledger, convention, batch), u128::from(n * length) * one_pair);
            }
        }
    }

    #[test]
    fn after_a_prefix_is_the_whole_less_the_prefix(
        draft in decoder(), spans in vec(causal_span(), 1..=3), convention in telescoping(),
        n in 1..=3_u64, new in length(), cached in length(),
    ) {
        let ledger = draft.with_spans(&spans).ledger();
        for convention in presets_and(convention).filter(telescopes) {
            let of = |batch: Batch<'_>| count(&ledger, convention, batch);
            let (prefix, rest) = (of(Batch::uniform(n, cached)), of(Batch::uniform(n, new).after(cached)));
            prop_assert_eq!(prefix.checked_add(rest).unwrap(), of(Batch::uniform(n, cached + new)));
        }
    }

    #[test]
    fn a_prefix_lengthens_the_rectangle(
        draft in decoder(), convention in universal(), reach in reach(), n in 1..=3_u64,
        new in length(), cached in length(),
    ) {
        let full = |convention| Convention { core: Core::Full, windows: Windows::Honoured, ..convention };
        let total = cached + new;
        let spans = [(Span::Causal, total), (Span::Bidirectional, total)];
        let bounded = [Span::Window(reach), Span::Chunk(reach), Span::TopK(reach)].map(|span| (span, total.min(reach)));
        for (span, keys) in spans.into_iter().chain(bounded) {
            let ledger = draft.with_span(span).ledger();
            for convention in presets_and(convention).map(full) {
                let one_pair = core_of(&ledger, convention, Batch::uniform(1, 1));
                let batch = Batch::uniform(n, new).after(cached);
                prop_assert_eq!(core_of(&ledger, convention, batch), u128::from(n * new * keys) * one_pair);
            }
        }
    }

    #[test]
    fn decoding_and_chunked_prefill_are_prefill(
        draft in decoder(), spans in vec(causal_span(), 1..=3), convention in telescoping(),
        chunks in vec(1..=12_u64, 1..=4), cached in length(),
    ) {
        let ledger = draft.with_spans(&spans).ledger();
        let new: u64 = chunks.iter().sum();
        for convention in presets_and(convention).filter(telescopes) {
            let of = |new, cached| count(&ledger, convention, Batch::uniform(1, new).after(cached));
            let at_once = of(new, cached);
            prop_assert_eq!(sum((0..new).map(|done| of(1, cached + done))), at_once);
            let starts = chunks.iter().scan(cached, |done, chunk| Some(std::mem::replace(done, *done + chunk)));
            prop_assert_eq!(sum(starts.zip(&chunks).map(|(start, &chunk)| of(chunk, start))), at_once);
        }
    }
}

proptest! {
    #![proptest_config(cases(128))]

    /// A choice of keys sees as many as a window of that width, and all that is before it where it may choose that many.
    #[test]
    fn a_choice_of_keys_is_a_window(
        latent in latent_attention(), indexer in (1..=3_u64, 1..=5_u64), top_k in reach(), rank in size(),
        convention in universal(), lengths in lengths(), cached in length(),
    ) {
        let latent = latent.query_rank(rank);
        let model = |attention: LatentAttention| {
            Architecture::decoder(8, 9).layer(Layer::new().with(attention)).build().unwrap().ledger().unwrap()
        };
        let chosen = model(latent.top_k(top_k));
        let window = model(latent.window(top_k));
        let longest = cached + lengths.iter().max().copied().unwrap_or(0);
        let all = model(latent.top_k(longest.max(1)));
        let causal = model(latent);
        for convention in presets_and(convention) {
            let of = |ledger| figures(&count(ledger, convention, Batch::packed(&lengths).after(cached)));
            prop_assert_eq!(of(&chosen), of(&window));
            prop_assert_eq!(of(&all), of(&causal));
        }
        // What chooses comes on top, and looks at every key: 2·H·(d + 1) for each.
        let (heads, width) = indexer;
        let indexed = model(latent.indexer(heads, width, top_k));
        let batch = || Batch::packed(&lengths).after(cached);
        let scores = |ledger: &Ledger, rule| -> u128 {
            let breakdown = ledger.breakdown(rule, batch()).unwrap();
            let of_it = breakdown.counted().iter().filter(|(line, _)| line.component == Component::IndexerScores);
            of_it.map(|(_, flops)| flops.get()).sum()
        };
        let seen: u128 = lengths.iter().map(|new| pairs(Span::Causal, *new, cached)).sum();
        prop_assert_eq!(scores(&indexed, Convention::EXACT), 3 * u128::from(2 * heads * (width + 1)) * seen);
        prop_assert_eq!(scores(&chosen, Convention::EXACT), 0);
    }

    /// Compressed keys: one by one, in parts as at once, and never more under a narrower measure.
    #[test]
    fn compressed_keys_are_counted_one_by_one(
        (groups, heads, dim, window) in (1..=3_u64, 1..=3_u64, 1..=6_u64, reach()),
        (ratio, top_k) in (1..=9_u64, proptest::option::of(1..=9_u64)),
        (new, cached, further) in (0..=40_u64, 0..=40_u64, 0..=20_u64), convention in telescoping(),
    ) {
        let heads = groups * heads;
        let attention = CompressedAttention::new(heads, dim, 5, groups, 3, window);
        let attention = match top_k {
            Some(top_k) => attention.indexed(ratio, 2, 3, top_k),
            None => attention.compressed(ratio),
        };
        let layer = Layer::new().with(attention);
        let ledger = Architecture::decoder(8, 9).layer(layer).build().unwrap().ledger().unwrap();
        let scores = |rule, batch| -> u128 {
            let breakdown = ledger.breakdown(rule, batch).unwrap();
            let of_it = breakdown.counted().iter().filter(|(line, _)| line.component == Component::AttentionScores);
            of_it.map(|(_, flops)| flops.get()).sum()
        };
        // Query i, counted from 1, sees the last keys of its window and ⌊i/m⌋ compressed ones, or k of them.
        let seen = |query: u64| query.min(window) + (query / ratio).min(top_k.unwrap_or(u64::MAX));
        let seen: u64 = (cached + 1..=cached + new).map(seen).sum();
        let batch = Batch::uniform(1, new).after(cached);
        prop_assert_eq!(scores(Convention::EXACT, batch), 3 * u128::from(2 * heads * dim * seen));

        let parts = [Batch::uniform(1, new).after(cached), Batch::uniform(1, further).after(cached + new)];
        let at_once = Batch::uniform(1, new + further).after(cached);
        let training = |batch| count(&ledger, convention, batch).training.get();
        prop_assert_eq!(parts.into_iter().map(training).sum::<u128>(), training(at_once));

        let by = |core| scores(Convention { core, ..Convention::EXACT }, Batch::uniform(1, new));
        prop_assert!(by(Core::Half) <= by(Core::Exact) && by(Core::Exact) <= by(Core::Full));
        let ignored = Convention { windows: Windows::Ignored, ..Convention::EXACT };
        prop_assert!(scores(Convention::EXACT, batch) <= scores(ignored, batch));
    }

    #[test]
    fn compressed_keys_stand_beside_a_window(
        attention in compressed_attention(), (ratio, top_k) in (reach(), reach()), more in 0..=3_u64,
        convention in universal(), n in 0..=3_u64, new in 0..=40_u64, cached in 0..=40_u64,
    ) {
        let batch = Batch::uniform(n, new).after(cached);
        let core = |attention, convention| {
            let model = Architecture::decoder(8, 9).layer(Layer::new().with(attention)).build().unwrap();
            core_of(&model.ledger().unwrap(), convention, batch)
        };
        // What a pair costs, and beside it an indexer of one head, 1 wide: 2 for each key that it chooses from.
        let one_pair = {
            let model = Architecture::decoder(8, 9).layer(Layer::new().with(attention)).build().unwrap();
            core_of(&model.ledger().unwrap(), Convention::EXACT, Batch::uniform(1, 1))
        };
        let beside = |attention: CompressedAttention, window: CompressedAttention| {
            core(attention, Convention::EXACT) - core(window, Convention::EXACT)
        };
        let keys = |most: u64| u128::from(n * (cached..cached + new).map(|q| ((q + 1) / ratio).min(most)).sum::<u64>());
        let all = keys(u64::MAX);
        prop_assert_eq!(beside(attention.compressed(ratio), attention), one_pair * all);
        let indexed = |top_k| attention.indexed(ratio, 1, 1, top_k);
        prop_assert_eq!(beside(indexed(top_k), attention), one_pair * keys(top_k) + 3 * 2 * all);

        // One key for every token is the causal mask.
        let causal = u128::from(n) * pairs(Span::Causal, new, cached);
        prop_assert_eq!(beside(attention.compressed(1), attention), one_pair * causal);

        // A choice of as many keys as there are is none, under every rule, and one that is ignored is none either.
        let longest = ((cached + new) / ratio + more).max(1);
        for convention in presets_and(convention) {
            prop_assert_eq!(core(indexed(longest), convention), core(indexed(u64::MAX), convention));
            let ignored = Convention { windows: Windows::Ignored, ..convention };
            prop_assert_eq!(core(indexed(top_k), ignored), core(indexed(u64::MAX), ignored));
        }
    }

    #[test]
    fn a_choice_of_keys_is_measured_as_every_mask_is(
        block in selective_attention(), convention in universal(), lengths in lengths(), cached in length(),
    ) {
        let ledger = Architecture::decoder(8, 9).layer(Layer::new().with(block)).build().unwrap().ledger().unwrap();
        for convention in presets_and(convention) {
            for cached in [0, cached] {
                let of = |core, windows| {
                    let rule = Convention { core, windows, ..convention };
                    core_of(&ledger, rule, Batch::packed(&lengths).after(cached))
                };
                for windows in [Windows::Ignored, Windows::Honoured, Windows::Exact] {
                    prop_assert!(of(Core::Half, windows) <= of(Core::Exact, windows));
                    prop_assert!(of(Core::Exact, windows) <= of(Core::Full, windows));
                }
                for core in [Core::Half, Core::Exact, Core::Full] {
                    prop_assert!(of(core, Windows::Honoured) <= of(core, Windows::Ignored));
                }
                prop_assert_eq!(of(Core::Exact, Windows::Exact), of(Core::Exact, Windows::Honoured));
            }
        }
    }
}
