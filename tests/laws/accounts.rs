//! The breakdown, the recipe, the domain.

use super::*;

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn a_breakdown_sums_to_the_count(
        draft in draft(), convention in universal(), lengths in lengths(), cached in length(),
        [spared, frozen] in any::<[bool; 2]>(),
    ) {
        let ledger = draft.ledger();
        let batch = Batch::packed(&lengths).after(cached);
        let batch = if spared { batch.logits(lengths.iter().sum::<u64>() / 2) } else { batch };
        let recipe = if frozen { Recipe::frozen_layers() } else { Recipe::default() };
        for convention in presets_and(convention) {
            let breakdown = ledger.breakdown_with(convention, recipe, batch).unwrap();
            let counted = ledger.cost_with(convention, recipe).unwrap().count(batch).unwrap();
            prop_assert_eq!(breakdown.total(), counted.training);
            let flops = |of: fn(&Line) -> bool| {
                let lines = breakdown.counted().iter().filter(|(line, _)| of(line));
                lines.map(|(_, flops)| flops.get()).sum::<u128>()
            };
            prop_assert_eq!(flops(|_| true), counted.training.get());
            let core = flops(|line| matches!(line.work, Work::PerPair { .. }));
            prop_assert_eq!(core, counted.attention_core().get());

            // Each line of the ledger is on one side or the other.
            let counted = breakdown.counted().iter().map(|(line, _)| *line);
            let mut lines: Vec<Line> = counted.chain(breakdown.not_counted().iter().copied()).collect();
            lines.sort_unstable();
            prop_assert_eq!(lines.as_slice(), ledger.lines());
        }
    }

    #[test]
    fn a_recompute_changes_the_hardware_figure_alone(
        draft in draft(), convention in universal(), lengths in lengths(), cached in length(),
    ) {
        let ledger = draft.ledger();
        let batch = Batch::packed(&lengths).after(cached);
        for convention in presets_and(convention) {
            let plain = count(&ledger, convention, batch);
            prop_assert_eq!(plain.hardware, plain.training);
            let recomputing = |hardware| {
                let recipe = Recipe::recomputing(Recompute::Full);
                ledger.cost_with(Convention { hardware, ..convention }, recipe).unwrap().count(batch).unwrap()
            };
            let every = [Hardware::Performed, Hardware::WholeStep, Hardware::CoreTwice].map(recomputing);
            for count in every {
                let model_work = |count: Count| (count.tokens, count.forward, count.training, count.attention_core());
                prop_assert_eq!(model_work(count), model_work(plain));
                prop_assert!(count.hardware >= count.training);
            }
            let [performed, whole_step, core_twice] = every.map(|count: Count| count.hardware);
            prop_assert!(performed <= core_twice);
            prop_assert!(performed <= whole_step);
            // Everything counted runs forward once more.
            prop_assert_eq!(whole_step, plain.training.checked_add(plain.forward).unwrap());
            // A step is three forwards, unless the scores are counted once more.
            let again = if convention.scores_recomputed == Inclusion::In { plain.attention_core().get() } else { 0 };
            prop_assert!(3 * plain.forward.get() <= plain.training.get());
            prop_assert!(plain.training.get() <= 3 * plain.forward.get() + again);
        }
    }

    #[test]
    fn unlike_counts_do_not_add(draft in draft(), one in universal(), other in universal(), lengths in lengths()) {
        let ledger = draft.ledger();
        let (left, right) = (count(&ledger, one, &lengths), count(&ledger, other, &lengths));
        prop_assert_eq!(left.checked_add(right).is_err_and(|error| error.is_not_applicable()), one != other);
        let recomputing = ledger.cost_with(one, Recipe::recomputing(Recompute::Full)).unwrap();
        let recomputed = recomputing.count(&lengths).unwrap();
        prop_assert!(left.checked_add(recomputed).is_err_and(|error| error.is_not_applicable()));
    }

    #[test]
    fn a_domain_refuses_or_changes_nothing(
        draft in draft(), convention in universal(), domain in select(&[Domain::HeadsFillHidden, Domain::GptLayers]),
        lengths in lengths(),
    ) {
        let ledger = draft.ledger();
        for convention in presets_and(convention) {
            match ledger.cost(Convention { domain, ..convention }) {
                Ok(cost) => {
                    let mut inside = cost.count(&lengths).unwrap();
                    inside.convention = convention;
                    prop_assert_eq!(inside, count(&ledger, convention, &lengths));
                }
                Err(error) => prop_assert!(error.is_not_applicable()),
            }
        }
    }
}
