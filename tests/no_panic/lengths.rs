//! Lengths.

use super::*;

/// What the lengths sum to, or the index of the first that is none.
fn total<T: Copy + TryInto<u64>>(lengths: &[T]) -> Result<u128, usize> {
    lengths
        .iter()
        .enumerate()
        .try_fold(0, |sum, (index, &length)| Ok(sum + u128::from(TryInto::<u64>::try_into(length).map_err(|_| index)?)))
}

/// The differences of cumulative lengths sum to the last, or the index of the first end that cannot be.
fn last<T: Copy + TryInto<u64>>(ends: &[T]) -> Result<u128, Option<usize>> {
    let mut before = 0;
    for (index, &end) in ends.iter().enumerate() {
        let end: u64 = end.try_into().map_err(|_| Some(index))?;
        if index == 0 && end != 0 {
            return Err(None);
        }
        if end < before {
            return Err(Some(index));
        }
        before = end;
    }
    Ok(before.into())
}

/// As the lengths of sources.
fn sources<T: Length + Copy + TryInto<u64>>(lengths: &[T]) {
    let layer = Layer::new().with(Attention::multi_head(1, 1).cross());
    let pair = Architecture::decoder(1, 1).layer(layer).encoder_layers(1, Layer::new()).build().unwrap();
    let linear = pair.cost(Convention { core: Core::Out, ..Convention::EXACT }).unwrap();
    let (n, ones) = (lengths.len() as u64, vec![1_u8; lengths.len()]);
    for batch in [Batch::uniform(n, 1), Batch::packed(&ones)] {
        match (total(lengths), linear.count(batch.sources(lengths))) {
            (Ok(total), Ok(count)) => assert_eq!(count.tokens, total + u128::from(n)),
            (Err(index), Err(error)) => {
                says(&error);
                assert!(error.is_invalid_batch(), "{error}");
                assert!(error.to_string().starts_with(&format!("source lengths[{index}] is ")), "{error}");
            }
            (expected, count) => panic!("{expected:?} expected, {count:?} found"),
        }
        // One more sequence than sources.
        let error = linear.count(Batch::uniform(n + 1, 1).sources(lengths)).unwrap_err();
        says(&error);
        assert!(error.is_invalid_batch() && error.to_string().contains("each has one"), "{error}");
        or_says(pair.cost(Convention::EXACT).unwrap().count(batch.after(u64::MAX).sources(lengths)), |error| {
            error.is_overflow() || error.is_invalid_batch()
        });
    }
}

fn any_lengths<T: Length + Copy + TryInto<u64>>(lengths: &[T]) {
    let ledger = catalog::find("gpt-oss-20b").unwrap().ledger().unwrap();
    // Without a core no count of so few lengths overflows.
    let linear = ledger.cost(Convention { core: Core::Out, ..Convention::EXACT }).unwrap();
    let exact = ledger.cost(Convention::EXACT).unwrap();

    match (total(lengths), linear.count(lengths)) {
        (Ok(total), Ok(count)) => assert_eq!(count.tokens, total),
        (Err(index), Err(error)) => {
            says(&error);
            assert!(error.is_invalid_batch(), "{error}");
            assert!(error.to_string().starts_with(&format!("lengths[{index}] is ")), "{error}");
        }
        (expected, count) => panic!("{expected:?} expected, {count:?} found"),
    }
    match (last(lengths), linear.count(Batch::cumulative(lengths))) {
        (Ok(last), Ok(count)) => assert_eq!(count.tokens, last),
        (Err(at), Err(error)) => {
            says(&error);
            assert!(error.is_invalid_batch(), "{error}");
            if let Some(index) = at {
                assert!(error.to_string().contains(&format!("lengths[{index}] ")), "{error}");
            }
        }
        (expected, count) => panic!("{expected:?} expected, {count:?} found"),
    }
    sources(lengths);
    for batch in [Batch::packed(lengths), Batch::cumulative(lengths), Batch::packed(lengths).after(u64::MAX)] {
        or_says(exact.count(batch), |error| error.is_overflow() || error.is_invalid_batch());
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn lengths_of_any_integer(bits in vec(any::<u128>(), 0..6), shift in 0..128_u32, sorted in any::<bool>()) {
        macro_rules! as_each {
            ($bits:ident, $shift:ident, $sorted:ident, $($integer:ty),+) => {$({
                // Of any magnitude, negative and beyond 64 bits where the type holds such.
                let of = |bits: &u128| {
                    <$integer>::from_le_bytes(*bits.to_le_bytes().first_chunk().unwrap()) >> ($shift % <$integer>::BITS)
                };
                let mut lengths: Vec<$integer> = $bits.iter().map(of).collect();
                any_lengths(&lengths);
                lengths.insert(0, 0);
                if $sorted {
                    lengths.sort_unstable();
                }
                any_lengths(&lengths);
            })+};
        }
        as_each!(bits, shift, sorted, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
    }
}

#[test]
fn lengths_that_cannot_be() {
    any_lengths(&[-1_i8]);
    any_lengths(&[3, i64::MIN]);
    any_lengths(&[i128::MIN, i128::MAX]);
    any_lengths(&[u128::MAX]);
    any_lengths(&[0, u128::from(u64::MAX) + 1]);
    any_lengths(&[0, u64::MAX, u64::MAX, 0]);
    any_lengths(&[0_i32, 5, 3]);
    any_lengths(&[1_u8]);
    any_lengths::<usize>(&[]);
}
