//! All experts are a wide feed-forward.

use super::*;

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn all_experts_at_once_are_a_dense_feed_forward_and_a_router(
        draft in decoder(), rest in layer(), (experts, width, gated) in (1..=8_u64, size(), any::<bool>()),
        depth in 1..=4_u64, convention in universal(), lengths in lengths(),
    ) {
        let shape = if gated { FeedForward::gated } else { FeedForward::plain };
        let hidden = draft.frame.hidden;
        let ledger = |layer: Layer| draft.builder().layers(depth, layer).build().unwrap().ledger().unwrap();
        let sparse = ledger(rest.clone().with(Experts::new(experts, experts, shape(width))));
        let dense = ledger(rest.clone().with(shape(experts * width)));
        let routed = ledger(rest.with(shape(experts * width)).with(Linear::new(hidden, experts)));

        prop_assert_eq!(sparse.parameters(), routed.parameters());
        let router = u128::from(depth * hidden * experts);
        prop_assert_eq!(sparse.parameters().total(), dense.parameters().total() + router);

        for convention in presets_and(convention) {
            let of = |ledger| count(ledger, convention, &lengths);
            // The router is a matrix without a bias, which costs the same on every basis that counts it.
            let charged = if convention.router == Basis::Out { 0 } else { 6 * router * of(&dense).tokens };
            prop_assert_eq!(of(&sparse).training.get(), of(&dense).training.get() + charged);
            // A linear block is counted with the weights.
            if (convention.router == Basis::Out) == (convention.weights == Basis::Out) {
                prop_assert_eq!(of(&sparse), of(&routed));
            }
        }
    }

    #[test]
    fn some_experts_work_like_those_visited_and_are_held_like_all(
        draft in decoder(), rest in layer(), (visited, idle, width) in (1..=5_u64, 0..=5_u64, size()),
        gated in any::<bool>(), depth in 1..=4_u64, convention in universal(), lengths in lengths(),
    ) {
        let shape = if gated { FeedForward::gated } else { FeedForward::plain };
        let experts = visited + idle;
        let ledger = |layer: Layer| draft.builder().layers(depth, layer).build().unwrap().ledger().unwrap();
        let sparse = ledger(rest.clone().with(Experts::new(experts, visited, shape(width))));
        let [touched, all] = [visited, experts].map(|n| ledger(rest.clone().with(shape(n * width))));

        let router = u128::from(depth * draft.frame.hidden * experts);
        prop_assert_eq!(sparse.parameters().total(), all.parameters().total() + router);
        prop_assert_eq!(sparse.parameters().active(), touched.parameters().active() + router);

        for convention in presets_and(convention) {
            let of = |ledger| count(ledger, convention, &lengths);
            let charged = if convention.router == Basis::Out { 0 } else { 6 * router * of(&all).tokens };
            let dense = if convention.weights == Basis::Stored { &all } else { &touched };
            prop_assert_eq!(of(&sparse).training.get(), of(dense).training.get() + charged);
            prop_assert_eq!(of(&sparse).attention_core(), of(dense).attention_core());
        }
    }
}
