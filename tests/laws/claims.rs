//! Claims of random runs: what leads from one to another, and what a figure follows from.

use super::*;

fn signed(flops: FlopCount) -> i128 {
    i128::try_from(flops.get()).unwrap()
}

/// The whole change of FLOPs, to which the steps sum, as do the percentage points; each begins where the one before
/// ended, and its parts are the whole of it.
pub fn adds_up(reconciliation: &Reconciliation) -> Result<i128, TestCaseError> {
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

/// Every peak of the table.
fn peaks() -> Vec<Peak> {
    let of = |device: Device| device.precisions().map(|at| device.peak(at).unwrap()).collect::<Vec<_>>();
    Device::all().flat_map(of).collect()
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn the_steps_between_two_claims_sum_to_the_difference(
        drafts in (draft(), draft()), rules in (universal(), preset()), lengths in (lengths(), lengths()),
        said in (said(), said()), frozen in any::<[bool; 2]>(),
    ) {
        let (one, other) = (drafts.0.build(), drafts.1.build());
        // A rate of no tokens takes no time.
        let (first, second) = ([lengths.0.as_slice(), &[1]].concat(), [lengths.1.as_slice(), &[1]].concat());
        let [recipe, other_recipe] = frozen.map(|it| if it { Recipe::frozen_layers() } else { Recipe::default() });
        let one = Run::new(&one, &first).with_recipe(recipe);
        let other = Run::new(&other, &second).with_recipe(other_recipe);
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

    #[test]
    fn a_figure_is_explained_by_the_rule_it_was_made_with(
        draft in draft(), lengths in lengths(), rule in select(Convention::presets()), tokens in 1.0..1e6_f64,
        peak in select(peaks()), places in 0..4_usize,
    ) {
        let architecture = draft.build();
        let lengths = [lengths.as_slice(), &[1]].concat();
        let pace = Pace::tokens_per_second_per_device(tokens).unwrap();
        let run = Run::new(&architecture, &lengths).at(pace).on(peak.times(8));
        let Ok(count) = run.under(rule.1).count() else { return Ok(()) };
        let per_token = count.training_flops_per_token().unwrap();
        let mfu = 100.0 * per_token * tokens / peak.rate().per_second();
        // As somebody prints it, to any number of places.
        let figures = [
            (Figure::MfuPercent(format!("{mfu:.places$}").parse().unwrap()), Some(Origin::Own)),
            (Figure::TflopsPerDevice(format!("{:.places$}", per_token * tokens / 1e12).parse().unwrap()), None),
            (Figure::GflopsPerToken(format!("{:.places$}", per_token / 1e9).parse().unwrap()), None),
        ];
        for (figure, origin) in figures {
            let diagnosis = run.diagnose(&figure).unwrap();
            let is_it = |it: &&Explanation| {
                let origins = it.divisor.as_ref().map(|divisor| divisor.origins.as_slice());
                it.conventions.contains(&rule.1) && it.variant.is_none() && origins == origin.as_ref().map(std::slice::from_ref)
            };
            let found = diagnosis.explanations().iter().find(is_it);
            prop_assert!(found.is_some_and(|it| it.assumptions == 0), "{}", diagnosis);
            for explanation in diagnosis.explanations() {
                prop_assert!(figure.printed().allows(explanation.value));
                prop_assert!(explanation.assumptions <= 2 && !explanation.conventions.is_empty());
            }
        }
    }
}
