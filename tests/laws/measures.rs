//! The measures compared.

use super::spans::causal_span;
use super::*;

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn half_is_at_most_exact_and_exact_at_most_full(
        draft in draft(), convention in universal(), lengths in lengths(), cached in length(),
    ) {
        let ledger = draft.ledger();
        for convention in presets_and(convention) {
            // Nothing of this depends on a prefix being absent: each query sees no more by the smaller measure.
            for cached in [0, cached] {
                let of = |core| {
                    let rule = Convention { core, ..convention };
                    core_of(&ledger, rule, Batch::packed(&lengths).after(cached))
                };
                prop_assert_eq!(of(Core::Out), 0);
                prop_assert!(of(Core::Half) <= of(Core::Exact));
                prop_assert!(of(Core::Exact) <= of(Core::Full));
            }
        }
    }

    #[test]
    fn full_is_twice_exact_less_the_diagonal(draft in decoder(), convention in universal(), lengths in lengths()) {
        let ledger = draft.with_span(Span::Causal).ledger();
        let tokens: u64 = lengths.iter().sum();
        for convention in presets_and(convention) {
            let rule = |core| Convention { core, softmax: Inclusion::Out, ..convention };
            let of = |core| core_of(&ledger, rule(core), &lengths);
            // One token sees itself alone: the diagonal is as many of those as there are tokens.
            let diagonal = u128::from(tokens) * core_of(&ledger, rule(Core::Exact), &[1]);
            prop_assert_eq!(of(Core::Full), 2 * of(Core::Exact) - diagonal);
            prop_assert_eq!(of(Core::Full), 2 * of(Core::Half));
        }
    }

    #[test]
    fn what_is_seen_both_ways_is_a_rectangle_by_every_measure(
        draft in draft(), convention in universal(), lengths in lengths(), cached in length(),
    ) {
        let ledger = draft.with_span(Span::Bidirectional).ledger();
        for convention in presets_and(convention) {
            let of = |core| {
                let rule = Convention { core, ..convention };
                count(&ledger, rule, Batch::packed(&lengths).after(cached)).training
            };
            prop_assert_eq!(of(Core::Half), of(Core::Full));
            prop_assert_eq!(of(Core::Exact), of(Core::Full));
        }
    }

    #[test]
    fn a_window_honoured_is_at_most_one_ignored(
        draft in draft(), convention in universal(), core in core(), lengths in lengths(), cached in length(),
    ) {
        let ledger = draft.ledger();
        for convention in presets_and(convention) {
            let of = |windows| {
                let rule = Convention { core, windows, ..convention };
                core_of(&ledger, rule, Batch::packed(&lengths).after(cached))
            };
            prop_assert!(of(Windows::Honoured) <= of(Windows::Ignored));
            if matches!(core, Core::Exact) {
                prop_assert_eq!(of(Windows::Exact), of(Windows::Honoured));
            }
        }
    }

    #[test]
    fn ignored_windows_are_causal(draft in decoder(), spans in vec(causal_span(), 1..=3), convention in universal(),
        lengths in lengths(), cached in length(),
    ) {
        let (seen, causal) = (draft.with_spans(&spans).ledger(), draft.with_spans(&[Span::Causal]).ledger());
        for convention in presets_and(convention) {
            let rule = Convention { windows: Windows::Ignored, ..convention };
            let of = |ledger| figures(&count(ledger, rule, Batch::packed(&lengths).after(cached)));
            prop_assert_eq!(of(&seen), of(&causal));
        }
    }

    #[test]
    fn what_is_in_is_at_least_what_is_out(draft in draft(), convention in universal(), lengths in lengths()) {
        let ledger = draft.ledger();
        let training = |rule| count(&ledger, rule, &lengths).training;
        for convention in presets_and(convention) {
            let with = |change: fn(&mut Convention, Inclusion), inclusion| {
                let mut rule = convention;
                change(&mut rule, inclusion);
                training(rule)
            };
            let inclusions: [fn(&mut Convention, Inclusion); 6] = [
                |rule, value| rule.softmax = value,
                |rule, value| rule.scan = value,
                |rule, value| rule.scores_recomputed = value,
                |rule, value| rule.mtp.layer = value,
                |rule, value| rule.mtp.projection = value,
                |rule, value| rule.mtp.head = value,
            ];
            for change in inclusions {
                prop_assert!(with(change, Inclusion::Out) <= with(change, Inclusion::In));
            }
            for (change, _) in BASES {
                let with = |basis| {
                    let mut rule = convention;
                    change(&mut rule, basis);
                    training(rule)
                };
                prop_assert!(with(Basis::Out) <= with(Basis::Work));
                prop_assert!(with(Basis::Out) <= with(Basis::Active));
                prop_assert!(with(Basis::Active) <= with(Basis::Stored));
            }
        }
    }
}

/// An axis with a basis: how it is set, and which components it is for.
type BasisAxis = (fn(&mut Convention, Basis), fn(Component) -> bool);

const BASES: [BasisAxis; 5] = [
    (
        |rule, basis| rule.embedding = basis,
        |of| {
            matches!(
                of,
                Component::Embedding | Component::Positions | Component::TokenTypes | Component::PerLayerEmbedding
            )
        },
    ),
    (|rule, basis| rule.head = basis, |of| matches!(of, Component::LmHead | Component::HeadTransform)),
    (|rule, basis| rule.router = basis, |of| matches!(of, Component::Router | Component::AttentionRouter)),
    (|rule, basis| rule.latent_norms = basis, |of| matches!(of, Component::LatentNorm | Component::MtpNorm)),
    (
        |rule, basis| rule.weights = basis,
        |of| !BASES[..4].iter().any(|(_, others)| others(of)) && of.group() != Group::AttentionCore,
    ),
];

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn each_basis_charges_its_own_components(draft in draft(), convention in universal(), lengths in lengths()) {
        let ledger = draft.ledger();
        let tokens = u128::from(lengths.iter().sum::<u64>());
        for convention in presets_and(convention) {
            for (set, is_of) in BASES {
                let with = |basis| {
                    let mut rule = Convention { mtp: MtpParts::ALL, ..convention };
                    set(&mut rule, basis);
                    count(&ledger, rule, &lengths).training.get()
                };
                // Each parameter or matrix entry is one multiply-add, forward and twice backward: 6 FLOPs.
                let charged = |each: fn(&Line) -> u128| {
                    let lines = ledger.lines().iter().filter(|line| is_of(line.component));
                    6 * tokens * lines.map(|line| each(line) * u128::from(line.layers)).sum::<u128>()
                };
                let work = charged(|line| match line.work {
                    Work::Matmul(Matmul { inputs, outputs, used, .. }) => u128::from(inputs * outputs * used),
                    _ => 0,
                });
                let nothing = with(Basis::Out);
                prop_assert_eq!(with(Basis::Work) - nothing, work);
                prop_assert_eq!(with(Basis::Active) - nothing, charged(|line| line.active_parameters.into()));
                prop_assert_eq!(with(Basis::Stored) - nothing, charged(|line| line.parameters.into()));
            }
        }
    }

    #[test]
    fn the_parts_of_multi_token_prediction_sum_to_it(
        draft in draft(), convention in universal(), lengths in lengths(),
    ) {
        use Inclusion::{In, Out};
        let ledger = draft.ledger();
        let without_modules = Draft { mtp: None, ..draft }.ledger();
        for convention in presets_and(convention) {
            let with = |ledger, layer, projection, head| {
                let rule = Convention { mtp: MtpParts { layer, projection, head }, ..convention };
                count(ledger, rule, &lengths).training.get()
            };
            let nothing = with(&ledger, Out, Out, Out);
            prop_assert_eq!(nothing, with(&without_modules, Out, Out, Out));
            prop_assert_eq!(nothing, with(&without_modules, In, In, In));
            let layer = with(&ledger, In, Out, Out) - nothing;
            let projection = with(&ledger, Out, In, Out) - nothing;
            let head = with(&ledger, Out, Out, In) - nothing;
            prop_assert_eq!(with(&ledger, In, In, In), nothing + layer + projection + head);
        }
    }

    #[test]
    fn a_module_is_a_layer_a_projection_and_a_head(draft in draft(), module in layer(), depth in 1..=3_u64) {
        // A trunk of this layer, and as many modules of it: without head and projections, the work is equal.
        let frame = Frame { head: Head::Plain, embedding_width: None, ..draft.frame.bare() };
        let patterns = vec![(depth, vec![module.clone()])];
        let spans = vec![Span::Causal];
        let draft = Draft { frame, patterns, spans, mtp: Some((depth, module, [false; 2])) };
        let ledger = draft.ledger();
        let of = |head, mtp| {
            let rule = Convention { head, mtp, embedding: Basis::Out, ..Convention::EXACT };
            count(&ledger, rule, &[5, 9]).training.get()
        };
        let part = |mtp| of(Basis::Work, mtp) - of(Basis::Work, MtpParts::NONE);
        let depth = u128::from(depth);
        prop_assert_eq!(part(MtpParts { layer: Inclusion::In, ..MtpParts::NONE }), of(Basis::Out, MtpParts::NONE));
        let head = of(Basis::Work, MtpParts::NONE) - of(Basis::Out, MtpParts::NONE);
        prop_assert_eq!(part(MtpParts { head: Inclusion::In, ..MtpParts::NONE }), depth * head);
        // 2h → h for each of 14 tokens.
        let hidden = u128::from(draft.frame.hidden);
        let projection = depth * 6 * 14 * 2 * hidden * hidden;
        prop_assert_eq!(part(MtpParts { projection: Inclusion::In, ..MtpParts::NONE }), projection);
    }
}

#[test]
fn every_preset_by_stored_parameters_is_six_times_the_parameters() {
    // 6·N, whatever else the preset says: with every basis Stored and no core, a token costs six times what is held.
    for (name, model) in [("mixtral-8x7b", 46_702_792_704_u128), ("llama-3-8b", 8_030_261_248)] {
        let ledger = mfu::catalog::find(name).unwrap().ledger().unwrap();
        for preset in presets() {
            let by_n = Convention {
                weights: Basis::Stored,
                embedding: Basis::Stored,
                head: Basis::Stored,
                router: Basis::Stored,
                latent_norms: Basis::Stored,
                core: Core::Out,
                ..preset
            };
            assert_eq!(count(&ledger, by_n, &[7]).training.get(), 7 * 6 * model);
        }
    }
}
