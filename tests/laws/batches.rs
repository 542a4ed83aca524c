//! Counts add.

use super::*;

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn a_packed_batch_is_the_sum_of_its_documents(
        draft in draft(), convention in universal(), lengths in lengths(), cached in length(),
    ) {
        let ledger = draft.ledger();
        for convention in presets_and(convention) {
            let of = |batch: Batch<'_>| count(&ledger, convention, batch.after(cached));
            let packed = of(Batch::packed(&lengths));
            let nothing = of(Batch::uniform(0, 0));
            prop_assert_eq!(nothing.training.get(), 0);
            prop_assert_eq!(packed, sum(lengths.iter().map(|&length| of(Batch::uniform(1, length))).chain([nothing])));

            // In two halves, in either order.
            let (front, back) = lengths.split_at(lengths.len() / 2);
            let (front, back) = (of(front.into()), of(back.into()));
            prop_assert_eq!(packed, front.checked_add(back).unwrap());
            prop_assert_eq!(packed, back.checked_add(front).unwrap());
        }
    }

    #[test]
    fn n_equal_sequences_are_n_times_one(
        draft in draft(), convention in universal(), n in 0..=9_u64, length in length(), cached in length(),
    ) {
        let ledger = draft.ledger();
        let documents = vec![length; usize::try_from(n).unwrap()];
        for convention in presets_and(convention) {
            let of = |batch: Batch<'_>| count(&ledger, convention, batch.after(cached));
            let uniform = of(Batch::uniform(n, length));
            let one = of(Batch::uniform(1, length));
            prop_assert_eq!(uniform, of(Batch::packed(&documents)));
            prop_assert_eq!(uniform, sum((0..n).map(|_| one).chain([of(Batch::uniform(0, length))])));
            prop_assert_eq!(uniform.training.get(), u128::from(n) * one.training.get());
            prop_assert_eq!(uniform.tokens, u128::from(n * length));
        }
    }

    #[test]
    fn every_integer_counts_alike(
        draft in draft(), convention in universal(), small in vec(0..=127_u8, 0..=6), cached in length(),
    ) {
        let ledger = draft.ledger();
        macro_rules! as_each {
            ($of:ident, $($integer:ty),+) => {[$({
                let lengths: Vec<$integer> = small.iter().map(|&n| <$integer>::try_from(n).unwrap()).collect();
                let ends: Vec<$integer> = std::iter::once(0).chain(lengths.iter().scan(0, |end, &length| {
                    // Small integers hold small lengths and not always their sum.
                    *end = <$integer>::checked_add(*end, length)?;
                    Some(*end)
                })).collect();
                // All of them, or none where the sum is too large.
                let cumulative = (ends.len() == lengths.len() + 1).then(|| $of(Batch::cumulative(&ends)));
                ($of(Batch::packed(&lengths)), $of((&lengths).into()), $of(lengths.as_slice().into()), cumulative)
            }),+]};
        }
        for convention in presets_and(convention) {
            let lengths: Vec<u64> = small.iter().map(|&length| length.into()).collect();
            let of = |batch: Batch<'_>| count(&ledger, convention, batch.after(cached));
            let expected = of(Batch::packed(&lengths));
            for (packed, vector, slice, cumulative) in
                as_each!(of, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize)
            {
                prop_assert_eq!(packed, expected);
                prop_assert_eq!(vector, expected);
                prop_assert_eq!(slice, expected);
                prop_assert_eq!(cumulative.unwrap_or(expected), expected);
            }
        }
    }

    #[test]
    fn cumulative_lengths_are_the_lengths(
        draft in draft(), convention in universal(), lengths in lengths(), cached in length(),
    ) {
        let ledger = draft.ledger();
        let ends: Vec<u64> = (0..=lengths.len()).map(|documents| lengths[..documents].iter().sum()).collect();
        for convention in presets_and(convention) {
            let of = |batch: Batch<'_>| count(&ledger, convention, batch.after(cached));
            prop_assert_eq!(of(Batch::cumulative(&ends)), of(Batch::packed(&lengths)));
        }
    }

    #[test]
    fn restricted_logits_spare_the_head_alone(
        draft in draft(), convention in universal(), lengths in lengths(), share in any::<prop::sample::Index>(),
    ) {
        let ledger = draft.ledger();
        let tokens: u64 = lengths.iter().sum();
        let some = share.index(usize::try_from(tokens).unwrap() + 1) as u64;
        for convention in presets_and(convention) {
            let with = |logits| count(&ledger, convention, Batch::packed(&lengths).logits(logits));
            let training = |logits| with(logits).training.get();
            let all = count(&ledger, convention, &lengths);
            prop_assert_eq!(with(tokens), all);
            prop_assert_eq!(with(some).tokens, all.tokens);
            prop_assert_eq!(with(some).attention_core(), all.attention_core());
            if matches!(convention.head, Basis::Active | Basis::Stored) {
                // A rule on parameters charges every token for the head, wherever its matmul runs.
                prop_assert_eq!(with(some), all);
                continue;
            }
            // Each position with logits costs the same.
            prop_assert_eq!(
                (training(some) - training(0)) * u128::from(tokens), (training(tokens) - training(0)) * u128::from(some)
            );
            // Without any, the head is not there.
            let headless = Convention { head: Basis::Out, ..convention };
            prop_assert_eq!(training(0), count(&ledger, headless, &lengths).training.get());
        }
        let too_many = ledger.cost(Convention::EXACT).unwrap().count(Batch::packed(&lengths).logits(tokens + 1));
        prop_assert!(too_many.is_err_and(|error| error.is_invalid_argument()));
    }
}

#[test]
fn an_array_a_slice_and_a_vector_of_lengths_are_batches() {
    let ledger = mfu::catalog::find("gpt-oss-20b").unwrap().ledger().unwrap();
    let packed = count(&ledger, Convention::EXACT, Batch::packed(&[3, 500]));
    assert_eq!(count(&ledger, Convention::EXACT, &[3, 500]), packed);
    assert_eq!(count(&ledger, Convention::EXACT, &[3_i8, 120].map(i64::from)[..]).tokens, 123);
    assert_eq!(count(&ledger, Convention::EXACT, &vec![3_u16, 500]), packed);
    // No documents, and cumulative lengths of none.
    assert_eq!(count(&ledger, Convention::EXACT, &[0_u8; 0]).training.get(), 0);
    assert_eq!(count(&ledger, Convention::EXACT, Batch::cumulative(&[0_u8; 0])).training.get(), 0);
    assert_eq!(count(&ledger, Convention::EXACT, Batch::cumulative(&[0])).training.get(), 0);
}
