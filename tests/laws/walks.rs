//! From one rule to another and back.

use super::*;

/// What the steps from one rule to another add up to, each held against a count of its own.
pub fn walked(ledger: &Ledger, from: Convention, to: Convention, batch: Batch<'_>) -> Result<i128, TestCaseError> {
    let reconciliation = ledger.reconcile(from, to, batch).unwrap();
    prop_assert_eq!(reconciliation.start().training, count(ledger, from, batch).training);
    prop_assert_eq!(reconciliation.end().training, count(ledger, to, batch).training);

    let mut at = from;
    for step in reconciliation.steps() {
        let Change::Axis { axis, convention } = step.change else { panic!("{step:?}") };
        prop_assert_eq!(at.differences(&convention).collect::<Vec<_>>(), [axis]);
        prop_assert_eq!(step.before.training, count(ledger, at, batch).training);
        prop_assert_eq!(step.after.training, count(ledger, convention, batch).training);
        at = convention;
    }
    prop_assert_eq!(at, to);
    prop_assert_eq!(reconciliation.steps().len(), from.differences(&to).count());
    adds_up(&reconciliation)
}

fn signed(flops: FlopCount) -> i128 {
    i128::try_from(flops.get()).unwrap()
}

/// The whole change of FLOPs, to which the steps sum, as do the percentage points; each begins where the one before
/// ended, and its parts are the whole of it.
fn adds_up(reconciliation: &Reconciliation) -> Result<i128, TestCaseError> {
    let (start, end) = (reconciliation.start(), reconciliation.end());
    let mut at = start;
    for step in reconciliation.steps() {
        prop_assert_eq!(step.before, at);
        prop_assert_eq!(step.flops(), step.parts.iter().map(|(_, flops)| flops).sum::<i128>());
        at = step.after;
    }
    prop_assert_eq!(at, end);
    let flops: i128 = reconciliation.steps().iter().map(Step::flops).sum();
    prop_assert_eq!(flops, signed(end.training) - signed(start.training));

    if let Some((end, start)) = end.mfu.zip(start.mfu) {
        let points: f64 = reconciliation.steps().iter().map(|step| step.percentage_points().unwrap()).sum();
        // Steps on the way may be far above both ends.
        let highest = reconciliation.steps().iter().map(|step| step.after.mfu.unwrap().as_percent());
        let scale = highest.fold(start.as_percent().max(1.0), f64::max);
        prop_assert!((points - (end.as_percent() - start.as_percent())).abs() <= 1e-12 * scale);
    }
    Ok(flops)
}

/// How fast a run was, said in one way or another, and on what.
fn said() -> impl Strategy<Value = (Pace, Fleet)> {
    let pace = (0..3, 1e-3..1e3_f64).prop_map(|(kind, value)| match kind {
        0 => Pace::seconds(value).unwrap(),
        1 => Pace::tokens_per_second(value).unwrap(),
        _ => Pace::tokens_per_second_per_device(value).unwrap(),
    });
    // Far above what a run of this size comes to, so that both claims are possible.
    let declared = (1.0..9.0_f64)
        .prop_map(|tflops| Peak::declared("declared", FlopRate::from_tflops(tflops * 1e6).unwrap()).unwrap());
    (pace, declared, 1..5_000_u64).prop_map(|(pace, peak, devices)| (pace, peak.times(devices)))
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn the_steps_between_two_claims_sum_to_the_difference(
        drafts in (draft(), draft()), rules in (universal(), preset()), lengths in (lengths(), lengths()),
        said in (said(), said()),
    ) {
        let (one, other) = (drafts.0.build(), drafts.1.build());
        // A rate of no tokens takes no time.
        let (first, second) = ([lengths.0.as_slice(), &[1]].concat(), [lengths.1.as_slice(), &[1]].concat());
        let (one, other) = (Run::new(&one, &first), Run::new(&other, &second));
        let ((pace, fleet), (other_pace, other_fleet)) = said;
        let paced = (one.clone().at(pace).on(fleet), other.clone().at(other_pace).on(other_fleet));
        for (one, other) in [(one, other), paced] {
            let (one, other) = (one.under(rules.0), other.under(rules.1));
            let (there, back) = (one.reconcile(&other).unwrap(), other.reconcile(&one).unwrap());
            prop_assert_eq!(adds_up(&there)?, -adds_up(&back)?);
            prop_assert_eq!(there.start().training, one.count().unwrap().training);
            prop_assert_eq!(there.end().training, other.count().unwrap().training);
            if let Some((start, end)) = there.start().mfu.zip(there.end().mfu) {
                for (claim, mfu) in [(one, start), (other, end)] {
                    let reported = claim.report().unwrap().mfu().as_fraction();
                    prop_assert!((mfu.as_fraction() - reported).abs() <= 1e-12 * reported);
                }
            }
        }
    }

    #[test]
    fn a_claim_is_its_own(draft in draft(), rule in universal(), lengths in lengths()) {
        let architecture = draft.build();
        let claim = Run::new(&architecture, &lengths).under(rule);
        prop_assert!(claim.reconcile(&claim).unwrap().steps().is_empty());
    }

    #[test]
    fn a_figure_converts_there_and_back(
        draft in draft(), one in preset(), other in preset(), lengths in lengths(), percent in 0.1..60.0_f64,
    ) {
        let ledger = draft.ledger();
        let (flops, others) = (count(&ledger, one, &lengths).training, count(&ledger, other, &lengths).training);
        let mfu = Utilization::from_percent(percent).unwrap();
        let there = ledger.convert(mfu, one, other, &lengths);
        if flops.get() == 0 || others.get() == 0 {
            prop_assert_eq!(there.is_err(), flops.get() == 0);
        } else {
            let back = ledger.convert(there.unwrap(), other, one, &lengths).unwrap();
            prop_assert!((back.as_percent() - percent).abs() <= 1e-12 * percent);
        }
    }
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn there_and_back_is_nowhere(
        draft in draft(), one in universal(), other in universal(), lengths in lengths(), cached in length(),
    ) {
        let ledger = draft.ledger();
        let batch = Batch::packed(&lengths).after(cached);
        let rules: Vec<Convention> = presets().chain([one, other]).collect();
        for (index, &from) in rules.iter().enumerate() {
            for &to in &rules[index..] {
                prop_assert_eq!(walked(&ledger, from, to, batch)?, -walked(&ledger, to, from, batch)?);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_walk_changes_one_axis_at_a_time_and_arrives(from in convention(), to in convention()) {
        let steps: Vec<(Axis, Convention)> = from.walk(&to).collect();
        let axes: Vec<Axis> = steps.iter().map(|(axis, _)| *axis).collect();
        prop_assert_eq!(&axes, &from.differences(&to).collect::<Vec<_>>());
        prop_assert_eq!(&axes, &to.differences(&from).collect::<Vec<_>>());
        prop_assert!(axes.is_sorted());
        prop_assert_eq!(steps.last().map_or(from, |(_, rule)| *rule), to);
        prop_assert_eq!(axes.is_empty(), from == to);
    }

    #[test]
    fn a_label_names_one_rule(convention in convention(), other in convention()) {
        prop_assert_eq!(convention.label() == other.label(), convention == other);
    }
}
