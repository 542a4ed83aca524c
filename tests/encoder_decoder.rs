//! An encoder–decoder at unequal lengths, worked out by hand: the measured cases have source and target of one length,
//! or of one ratio.

use mfu::{Architecture, Attention, Batch, Convention, Cost, FeedForward, Group, Layer, Ledger, Norm, Place};

const HIDDEN: u64 = 6;
const SOURCE: u64 = 7;
const TARGET: u64 = 5;

/// Two layers that read, three that write: three heads of 5, a feed-forward of 11, a bias by distance of four buckets
/// in the first layer of either stack.
fn ledger() -> Ledger {
    let attention = Attention::multi_head(3, 5);
    let biased = attention.position_bias(4);
    let mlp = FeedForward::plain(11);
    let encode = |attention: Attention| Layer::pre_norm(attention, mlp);
    let decode = |own: Attention| {
        let layer = Layer::new().with(Norm::rms()).with(own).with(Norm::rms()).with(attention.cross());
        layer.with(Norm::rms()).with(mlp)
    };
    let builder = Architecture::decoder(HIDDEN, 13)
        .encoder_layers(1, encode(biased))
        .encoder_layers(1, encode(attention))
        .layer(decode(biased))
        .layers(2, decode(attention))
        .tied();
    builder.build().unwrap().ledger().unwrap()
}

fn forward(cost: &Cost, batch: Batch<'_>) -> u128 {
    cost.count(batch).unwrap().forward.get()
}

#[test]
fn what_it_holds() {
    let ledger = ledger();
    // Attention: three projections of 6·15 and one of 15·6, 360; feed-forward: 2·6·11 = 132.
    // The decoder: three layers of two attentions each, and 4·3 biases. Keys and values of the source are the encoder's
    // place: 3·2·6·15 = 540 of 3·2·360 + 12.
    let held = |place, group| ledger.parameters_of(place, group).held;
    assert_eq!(held(Place::Trunk, Group::Attention), 2_160 + 12 - 540);
    assert_eq!(held(Place::Encoder, Group::Attention), 2 * 360 + 12 + 540);
    assert_eq!((held(Place::Trunk, Group::FeedForward), held(Place::Encoder, Group::FeedForward)), (396, 264));
    // Three norms of 6 a layer and one at the end; two a layer and one at the end.
    assert_eq!((held(Place::Trunk, Group::Norms), held(Place::Encoder, Group::Norms)), (60, 30));
    // 13·6 in the one table.
    assert_eq!(ledger.parameters().total(), 2_160 + 720 + 24 + 396 + 264 + 60 + 30 + 78);
}

#[test]
fn either_stack_may_be_built_first() {
    let attention = Attention::multi_head(3, 5);
    let encode = Layer::new().with(attention);
    let decode = Layer::new().with(attention).with(attention.cross());
    let begin = || Architecture::decoder(HIDDEN, 13);
    let first = begin().encoder_layers(2, encode.clone()).layers(3, decode.clone()).build().unwrap();
    let last = begin().layers(3, decode.clone()).encoder_layers(2, encode.clone()).build().unwrap();
    let between = begin().layer(decode.clone()).encoder_layers(2, encode).layers(2, decode).build().unwrap();
    assert_eq!(first, last);
    assert_eq!(first, between);
    assert_eq!(first.encoder_runs().map(|(_, layers)| layers).collect::<Vec<_>>(), [2]);
}

#[test]
fn what_it_does_at_unequal_lengths() {
    let ledger = ledger();
    let batch = Batch::uniform(1, TARGET).source(SOURCE);
    // Per source token: two encoder layers of 2·(360 + 132), and 2·180 for keys and values in each of three decoder
    // layers: 1,968 + 1,080. Per target token: 2·(360 + 180 + 132) in each layer and 2·78 for the head: 4,188.
    let matmuls = u128::from(SOURCE) * (1_968 + 1_080) + u128::from(TARGET) * 4_188;
    // 4·3·5 = 60 per pair: 7·7 in each encoder layer, 5·6/2 and 5·7 in each decoder layer.
    let [encoder, own, cross] = [2 * 60 * 49, 3 * 60 * 15, 3 * 60 * 35];
    let exact = ledger.cost(Convention::EXACT).unwrap();
    assert_eq!(forward(&exact, batch), matmuls + encoder + own + cross);
    let count = exact.count(batch).unwrap();
    assert_eq!(count.training.get(), 3 * (matmuls + encoder + own + cross));
    assert_eq!(count.tokens, u128::from(SOURCE + TARGET));

    // The whole square and half of it concern the decoder's own attention alone: 25 and 12.5 pairs.
    let full = ledger.cost(Convention::TORCH_FLOP_COUNTER).unwrap();
    assert_eq!(forward(&full, batch), matmuls + encoder + 3 * 60 * 25 + cross);
    let half = ledger.cost(Convention::DEEPSEEK_2025_CAUSAL).unwrap();
    assert_eq!(forward(&half, batch), matmuls + encoder + 3 * 60 * 25 / 2 + cross);

    // Four sequences are four times one, and a head on the last position of each is four.
    assert_eq!(forward(&exact, Batch::uniform(4, TARGET).source(SOURCE)), 4 * forward(&exact, batch));
    let last = Batch::uniform(1, TARGET).source(SOURCE).logits(1);
    assert_eq!(forward(&exact, batch) - forward(&exact, last), 4 * 2 * 78);

    // Line by line, the breakdown is the same account.
    assert_eq!(ledger.breakdown(Convention::EXACT, batch).unwrap().total(), count.training);
}

#[test]
fn each_sequence_may_have_a_source_of_its_own() {
    let exact = ledger().cost(Convention::EXACT).unwrap();
    let one = |target, source| forward(&exact, Batch::uniform(1, target).source(source));
    let (targets, sources) = ([5_i32, 2, 0], [7_u64, 1, 3]);
    let sum = one(5, 7) + one(2, 1) + one(0, 3);
    assert_eq!(forward(&exact, Batch::packed(&targets).sources(&sources)), sum);
    assert_eq!(forward(&exact, Batch::cumulative(&[0, 5, 7, 7]).sources(&sources)), sum);
    assert_eq!(forward(&exact, Batch::uniform(3, 2).sources(&sources)), one(2, 7) + one(2, 1) + one(2, 3));
    assert_eq!(forward(&exact, Batch::packed(&targets).source(4)), one(5, 4) + one(2, 4) + one(0, 4));
}

#[test]
fn a_source_is_encoded_once() {
    let exact = ledger().cost(Convention::EXACT).unwrap();
    // A token after five cached ones: 4,188 for its matmuls, 6 pairs of its own and 7 with the source, 3 layers, 60
    // each.
    let decode = Batch::uniform(1, 1).after(5).source(SOURCE);
    assert_eq!(forward(&exact, decode), 4_188 + 3 * 60 * (6 + 7));
    assert_eq!(exact.count(decode).unwrap().tokens, 1);
    // In two parts as at once.
    let parts = [Batch::uniform(1, 3).source(SOURCE), Batch::uniform(1, 2).after(3).source(SOURCE)];
    let whole = forward(&exact, Batch::uniform(1, TARGET).source(SOURCE));
    assert_eq!(parts.into_iter().map(|part| forward(&exact, part)).sum::<u128>(), whole);
}

#[test]
fn a_batch_without_a_source_is_no_batch_of_it() {
    let ledger = ledger();
    let exact = ledger.cost(Convention::EXACT).unwrap();
    let error = exact.count(&[5]).unwrap_err();
    assert!(error.is_invalid_batch() && error.to_string().contains("`source` or `sources`"), "{error}");
    assert!(ledger.breakdown(Convention::EXACT, &[5]).unwrap_err().is_invalid_batch());
    let error = exact.count(Batch::packed(&[5, 2]).sources(&[7])).unwrap_err();
    assert!(error.is_invalid_batch());
    assert_eq!(error.to_string(), "1 source lengths for 2 sequences: each has one");
    let error = exact.count(Batch::packed(&[5, 2]).sources(&[7, -1])).unwrap_err();
    assert!(error.is_invalid_batch() && error.to_string().starts_with("source lengths[1] is -1"), "{error}");

    // And the other way round.
    let layer = Layer::pre_norm(Attention::multi_head(3, 5), FeedForward::plain(11));
    let decoder = Architecture::decoder(HIDDEN, 13).layer(layer).build().unwrap().cost(Convention::EXACT).unwrap();
    let error = decoder.count(Batch::uniform(1, TARGET).source(SOURCE)).unwrap_err();
    assert!(error.is_invalid_batch() && error.to_string().contains("no encoder"), "{error}");
}
