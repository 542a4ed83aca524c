//! A source and what reads it.

use super::walks::walked;
use super::*;

/// The lengths of a few targets, each with that of its source.
fn targets_and_sources() -> impl Strategy<Value = (Vec<u64>, Vec<u64>)> {
    vec((length(), length()), 0..=5).prop_map(|pairs| pairs.into_iter().unzip())
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn a_packed_batch_is_the_sum_of_its_documents_and_their_sources(
        pair in pair(), convention in universal(), (targets, sources) in targets_and_sources(), cached in length(),
    ) {
        let ledger = pair.ledger();
        let ends: Vec<u64> = (0..=targets.len()).map(|documents| targets[..documents].iter().sum()).collect();
        for convention in presets_and(convention) {
            let of = |batch: Batch<'_>| count(&ledger, convention, batch.after(cached));
            let packed = of(Batch::packed(&targets).sources(&sources));
            prop_assert_eq!(of(Batch::cumulative(&ends).sources(&sources)), packed);
            let nothing = of(Batch::uniform(0, 0).source(0));
            prop_assert_eq!(nothing.training.get(), 0);
            let one = |(&target, &source)| of(Batch::uniform(1, target).source(source));
            let each = targets.iter().zip(&sources).map(one);
            prop_assert_eq!(packed, sum(each.chain([nothing])));
            let read = if cached == 0 {
                targets.iter().zip(&sources).filter(|(target, _)| **target > 0).map(|(_, source)| source).sum()
            } else {
                0
            };
            prop_assert_eq!(packed.tokens, u128::from(targets.iter().sum::<u64>() + read));
        }
    }

    #[test]
    fn n_equal_sequences_are_n_times_one(
        pair in pair(), convention in universal(), n in 0..=9_u64, target in length(), source in length(),
        cached in length(),
    ) {
        let ledger = pair.ledger();
        let sources = vec![source; usize::try_from(n).unwrap()];
        for convention in presets_and(convention) {
            let of = |batch: Batch<'_>| count(&ledger, convention, batch.after(cached));
            let uniform = of(Batch::uniform(n, target).source(source));
            prop_assert_eq!(of(Batch::uniform(n, target).sources(&sources)), uniform);
            let one = of(Batch::uniform(1, target).source(source));
            prop_assert_eq!(uniform.training.get(), u128::from(n) * one.training.get());
            prop_assert_eq!(uniform.tokens, u128::from(n) * one.tokens);
        }
    }

    #[test]
    fn after_a_prefix_is_the_whole_less_the_prefix(
        pair in pair(), convention in universal(), n in 1..=3_u64, chunks in vec(0..=12_u64, 1..=4), source in length(),
    ) {
        let pair = common::Pair { draft: pair.draft.with_spans(&[Span::Causal, Span::TopK(5)]), ..pair };
        let ledger = pair.ledger();
        for core in [Core::Half, Core::Exact] {
            for windows in [Windows::Ignored, Windows::Honoured] {
                let rule = Convention { core, windows, ..convention };
                let of = |new, cached| count(&ledger, rule, Batch::uniform(n, new).after(cached).source(source));
                let starts = chunks.iter().scan(0, |done, chunk| Some(std::mem::replace(done, *done + chunk)));
                let in_chunks = sum(starts.zip(&chunks).map(|(start, &chunk)| of(chunk, start)));
                prop_assert_eq!(in_chunks, of(chunks.iter().sum(), 0));
            }
        }
    }

    #[test]
    fn target_and_source_meet_in_one_product(
        pair in pair(), convention in universal(),
        (less, more) in (1..=40_u64, 0..=40_u64), (shorter, longer) in (0..=40_u64, 0..=40_u64),
    ) {
        // What a target costs and what its source costs are independent, but for the pairs of the two.
        let ledger = pair.ledger();
        for convention in presets_and(convention) {
            let of = |target, source| {
                count(&ledger, convention, Batch::uniform(1, target).source(source)).training.get()
            };
            let met = |n: u64, more: u64, m: u64, longer: u64| {
                of(n + more, m + longer) + of(n, m) - of(n + more, m) - of(n, m + longer)
            };
            let pairs = u128::from(more * longer);
            prop_assert_eq!(met(less, more, shorter, longer), pairs * met(1, 1, 0, 1));
        }
    }

    #[test]
    fn half_is_at_most_exact_and_exact_at_most_full(
        pair in pair(), convention in universal(), (targets, sources) in targets_and_sources(), cached in length(),
    ) {
        let ledger = pair.ledger();
        for convention in presets_and(convention) {
            let of = |core| {
                let batch = Batch::packed(&targets).sources(&sources).after(cached);
                core_of(&ledger, Convention { core, ..convention }, batch)
            };
            prop_assert_eq!(of(Core::Out), 0);
            prop_assert!(of(Core::Half) <= of(Core::Exact));
            prop_assert!(of(Core::Exact) <= of(Core::Full));
        }
    }

    #[test]
    fn a_breakdown_sums_to_the_count(
        pair in pair(), convention in universal(), (targets, sources) in targets_and_sources(), cached in length(),
    ) {
        let ledger = pair.ledger();
        let batch = Batch::packed(&targets).sources(&sources).after(cached).logits(targets.iter().sum::<u64>() / 2);
        for convention in presets_and(convention) {
            let breakdown = ledger.breakdown(convention, batch).unwrap();
            prop_assert_eq!(breakdown.total(), count(&ledger, convention, batch).training);
            let sum: u128 = breakdown.counted().iter().map(|(_, flops)| flops.get()).sum();
            prop_assert_eq!(sum, breakdown.total().get());
            prop_assert_eq!(breakdown.counted().len() + breakdown.not_counted().len(), ledger.lines().len());
        }
        let away = walked(&ledger, Convention::EXACT, convention, batch)?;
        prop_assert_eq!(away, -walked(&ledger, convention, Convention::EXACT, batch)?);
    }

    #[test]
    fn the_parts_of_the_parameters_sum_to_the_whole(pair in pair()) {
        let ledger = pair.ledger();
        let held_in = |place| {
            let parts = Group::ALL.iter().map(|group| ledger.parameters_of(place, *group));
            parts.fold((0, 0), |(held, active), part| (held + part.held, active + part.active))
        };
        let (decoder, encoder) = (held_in(Place::Trunk), held_in(Place::Encoder));
        let parameters = ledger.parameters();
        prop_assert_eq!((decoder.0 + encoder.0, decoder.1 + encoder.1), (parameters.total(), parameters.active()));
        prop_assert_eq!(held_in(Place::Mtp).0, parameters.mtp());
    }

    #[test]
    fn the_two_stacks_may_be_built_in_any_order(pair in pair()) {
        let model = pair.build();
        let decoder_first = pair.encoder_on(pair.decoder_on(pair.draft.builder())).build().unwrap();
        prop_assert_eq!(&decoder_first, &model);
        // As the runs that the architecture itself gives, each cut in two.
        let cut = |(layer, count): (&Layer, u64)| [(1, layer.clone()), (count - 1, layer.clone())];
        let builder = model.runs().flat_map(cut).fold(pair.draft.builder(), |builder, (count, layer)| {
            builder.layers(count, layer)
        });
        let builder = model.encoder_runs().flat_map(cut).fold(builder, |builder, (count, layer)| {
            builder.encoder_layers(count, layer)
        });
        prop_assert_eq!(&builder.build().unwrap(), &model);
        prop_assert_eq!(decoder_first.ledger().unwrap(), model.ledger().unwrap());
    }

    #[test]
    fn a_source_is_for_models_that_read_one(
        pair in pair(), draft in draft(), lengths in lengths(), source in length(),
    ) {
        let refused = |ledger: &Ledger, batch| {
            ledger.cost(Convention::EXACT).unwrap().count(batch).is_err_and(|error| error.is_invalid_batch())
        };
        prop_assert!(refused(&pair.ledger(), Batch::packed(&lengths)));
        prop_assert!(refused(&draft.ledger(), Batch::packed(&lengths).source(source)));
        let more: Vec<u64> = lengths.iter().copied().chain([source]).collect();
        prop_assert!(refused(&pair.ledger(), Batch::packed(&lengths).sources(&more)));
        prop_assert!(!refused(&pair.ledger(), Batch::packed(&more).sources(&more)));
    }
}
