//! From one rule to another and back.

use super::claims::adds_up;
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
