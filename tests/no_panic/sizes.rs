//! No more time than the size asks for.

use super::*;

/// A layer with a norm of this width, unlike any other.
fn unlike(width: u64) -> Layer {
    Layer::new().with(Norm::rms().width(width))
}

#[test]
fn endless_patterns_are_refused_at_once() {
    let begin = || Architecture::decoder(4, 4);
    let refused = |builder: ArchitectureBuilder, why: &str| {
        let error = builder.build().unwrap_err();
        says(&error);
        assert!(error.is_invalid_architecture() && error.to_string().contains(why), "{error}");
    };
    refused(begin().repeat(u64::MAX, [unlike(1), unlike(2)]), "runs of layers");
    refused(begin().repeat(u64::MAX, []), "no layers");
    refused(begin().repeat(0, [unlike(1)]), "no layers");
    refused(begin().layers(u64::MAX, unlike(1)).repeat(u64::MAX, [unlike(1)]), "layers");
    let patterns = (0..40).fold(begin(), |builder, _| builder.repeat(u64::MAX, [unlike(1), unlike(2), unlike(1)]));
    refused(patterns, "runs of layers");
    // A pattern of one kind is a run, whatever its length.
    assert_eq!(begin().repeat(u64::MAX, [unlike(1)]).build().unwrap().depth(), u64::MAX);
    assert_eq!(begin().repeat(1 << 62, [unlike(1), unlike(1)]).build().unwrap().depth(), 1 << 63);
    // The longest pattern that is taken.
    assert_eq!(begin().repeat(50_000, [unlike(1), unlike(2)]).build().unwrap().depth(), 100_000);
}

#[test]
fn as_many_kinds_as_no_model_has_are_refused() {
    let kinds = |count| (1..=count).fold(Architecture::decoder(4, 4), |builder, width| builder.layer(unlike(width)));
    assert_eq!(kinds(1_024).build().unwrap().depth(), 1_024);
    let error = kinds(1_025).build().unwrap_err();
    says(&error);
    assert!(error.to_string().contains("kinds of layer"), "{error}");
    // Kinds that are refused anyway are not compared with all others: that would be a thousand million comparisons.
    assert!(kinds(1_000_000).build().is_err());
}

#[test]
fn kinds_that_differ_in_their_last_block_are_told_apart_in_time() {
    // Compared pair by pair, 1,024 kinds of 500 blocks are 260 million blocks.
    let common = (0..500).fold(Layer::new(), |layer, _| layer.with(Norm::rms()));
    let kinds = (1..=1_024).map(|width| common.clone().with(Norm::rms().width(width)));
    let model = kinds.fold(Architecture::decoder(4, 4), ArchitectureBuilder::layer).build().unwrap();
    assert_eq!(model.runs().count(), 1_024);
}

#[test]
fn spans_that_are_all_unlike_are_sorted_in_time() {
    // Searched one by one, 60,000 spans are 1,800 million comparisons.
    let layer = (1..=60_000).fold(Layer::new(), |layer, width| layer.with(Attention::multi_head(1, 1).window(width)));
    let model = Architecture::decoder(1, 1).layer(layer).build().unwrap();
    let ledger = model.ledger().unwrap();
    let count = ledger.cost(Convention::EXACT).unwrap().count(&[2]).unwrap();
    // Two queries see 1 and 2 keys, the first window 1 and 1; 6·(1 + 1) FLOPs per pair.
    assert_eq!(count.attention_core().get(), 12 * (59_999 * 3 + 2));
    assert_eq!(ledger.breakdown(Convention::EXACT, &[2]).unwrap().total(), count.training);
}

#[test]
fn numbers_take_no_longer_for_being_large() {
    // Sequences, lengths and layers are numbers, never loops.
    let layer = Layer::new().with(Attention::multi_head(1, 1).chunk(7));
    let model = Architecture::decoder(1, 1).layers(1 << 40, layer).build().unwrap();
    let cost = model.cost(Convention::EXACT).unwrap();
    let count = cost.count(Batch::uniform(1 << 20, 7 << 20)).unwrap();
    // 2^20 chunks of 28 pairs in each of 2^20 sequences, 12 FLOPs each, in 2^40 layers.
    assert_eq!(count.attention_core().get(), (12 * 28) << 80_u32);
    assert_eq!(model.runs().map(|(layer, _)| layer.blocks().len()).sum::<usize>(), 1);
    assert_eq!(Span::default(), Span::Causal);
}
