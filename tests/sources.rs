//! A source and what reads it, worked out by hand under every measure, in packs and in chunks. What each part of an
//! encoder–decoder holds and does is in `encoder_decoder.rs`.

use mfu::{
    Architecture, Attention, Basis, Batch, Block, Convention, Core, Count, FeedForward, Inclusion, Layer, Ledger,
    Recipe, Recompute,
};

/// Three heads of 5: 4·6·15 = 360 parameters at a hidden size of 6, and 4·3·5 = 60 FLOPs a pair.
const ATTENTION: Attention = Attention::multi_head(3, 5);

/// 2·6·13 = 156.
const FEED_FORWARD: FeedForward = FeedForward::plain(13);

/// Two layers of an encoder and three of a decoder, as in T5: the first of either has the bias of nine distances.
fn model() -> Architecture {
    let encoder = |attention| Layer::pre_norm(attention, FEED_FORWARD);
    let decoder = |attention: Attention| {
        let norm = mfu::Norm::rms();
        let layer = Layer::new().with(norm).with(attention).with(norm).with(ATTENTION.cross());
        layer.with(norm).with(FEED_FORWARD)
    };
    Architecture::decoder(6, 11)
        .encoder_layers(1, encoder(ATTENTION.position_bias(9)))
        .layer(decoder(ATTENTION.position_bias(9)))
        .encoder_layers(1, encoder(ATTENTION))
        .layers(2, decoder(ATTENTION))
        .build()
        .unwrap()
}

fn ledger() -> Ledger {
    model().ledger().unwrap()
}

fn count(convention: Convention, batch: Batch<'_>) -> Count {
    ledger().cost(convention).unwrap().count(batch).unwrap()
}

fn forward(convention: Convention, batch: Batch<'_>) -> u128 {
    count(convention, batch).forward.get()
}

/// Five tokens of a target, seven of its source.
const PAIR: Batch<'static> = Batch::uniform(1, 5).source(7);

/// Multiplied with every token of the source: two layers of the encoder, and keys and values of three of the decoder.
const OVER_SOURCE: u128 = 2 * (360 + 156) + 3 * 180;

/// Multiplied with every token of the target: its own attention, queries and output of the other, the feed-forward.
const OVER_TARGET: u128 = 3 * (360 + 180 + 156);

const HEAD: u128 = 66;

#[test]
fn the_measures_of_a_source_are_those_of_a_mask_without_triangle() {
    let matmuls = 2 * (7 * OVER_SOURCE + 5 * OVER_TARGET + 5 * HEAD);
    let measured = |core| Convention { core, ..Convention::EXACT };
    // 7·7 and 5·7 by every measure; within the target 5²/2, 5·6/2 or 5².
    assert_eq!(forward(measured(Core::Half), PAIR), matmuls + 60 * (98 + 105) + 30 * 75);
    assert_eq!(forward(measured(Core::Exact), PAIR), matmuls + 60 * (98 + 105 + 45));
    assert_eq!(forward(measured(Core::Full), PAIR), matmuls + 60 * (98 + 105 + 75));
    assert_eq!(forward(Convention::TORCH_FLOP_COUNTER, PAIR), matmuls + 60 * (98 + 105 + 75));
    assert_eq!(forward(measured(Core::Out), PAIR), matmuls);
    // 3·3 a pair for the softmax.
    let softmax = Convention { softmax: Inclusion::In, ..Convention::EXACT };
    assert_eq!(forward(softmax, PAIR), matmuls + 69 * (98 + 105 + 45));

    // Parameters, too, are charged to the tokens that they are for: 2·1629 to each of seven, 2·2307 to each of five.
    assert_eq!(forward(Convention::PALM_2022, PAIR), 2 * (7 * 1_629 + 5 * 2_307) + 60 * (98 + 105 + 75));
    assert_eq!(forward(Convention::HF_TRAINER, PAIR), 2 * (7 * 1_629 + 5 * (2_307 - 66)));
    let stored = Convention { weights: Basis::Stored, core: Core::Out, ..Convention::EXACT };
    assert_eq!(forward(stored, PAIR), 2 * (7 * 1_629 + 5 * 2_241));

    // Everything in a layer is recomputed, the encoder's too, and the head is not.
    let recompute = ledger().cost_with(Convention::EXACT, Recipe::recomputing(Recompute::Full)).unwrap();
    let recompute = recompute.count(PAIR).unwrap();
    let again = recompute.forward.get() - 2 * 5 * HEAD;
    assert_eq!(recompute.hardware.get() - recompute.training.get(), again);
}

#[test]
fn logits_are_the_targets() {
    let all = forward(Convention::EXACT, PAIR);
    assert_eq!(forward(Convention::EXACT, PAIR.logits(5)), all);
    assert_eq!(forward(Convention::EXACT, PAIR.logits(2)), all - 2 * 3 * HEAD);
    assert_eq!(forward(Convention::EXACT, PAIR.logits(0)), all - 2 * 5 * HEAD);
    let error = ledger().cost(Convention::EXACT).unwrap().count(PAIR.logits(6)).unwrap_err();
    assert!(error.is_invalid_argument(), "{error}");
    assert_eq!(error.to_string(), "logits is 6 of 5 tokens and must be at most one per token");
}

#[test]
fn each_document_has_its_source() {
    let one = |target, source| count(Convention::EXACT, Batch::uniform(1, target).source(source));
    let sum = |counts: &[Count]| counts.iter().copied().reduce(|a, b| a.checked_add(b).unwrap()).unwrap();
    let expected = sum(&[one(5, 7), one(2, 3), one(0, 4), one(1, 0)]);
    let sources = [7, 3, 4, 0];
    let of = |batch: Batch<'_>| count(Convention::EXACT, batch);
    assert_eq!(of(Batch::packed(&[5, 2, 0, 1]).sources(&sources)), expected);
    assert_eq!(of(Batch::cumulative(&[0, 5, 7, 7, 8]).sources(&sources)), expected);
    assert_eq!(of(Batch::packed(&[5_i8, 2, 0, 1]).sources(&[7_u128, 3, 4, 0])), expected);
    // Eight tokens and the ten of three sources: nothing is read for no tokens.
    assert_eq!(expected.tokens, 8 + 10);
    assert_eq!(one(0, 4).training.get(), 0);
    // A source is seen by its own target, not by every one.
    assert_ne!(of(Batch::packed(&[5, 2, 0, 1]).sources(&[3, 7, 4, 0])), expected);
    assert_eq!(of(Batch::packed(&[2, 5]).sources(&[3, 7])), of(Batch::packed(&[5, 2]).sources(&[7, 3])));

    // Equal targets, equal sources or not.
    assert_eq!(of(Batch::uniform(3, 5).source(7)), sum(&[one(5, 7), one(5, 7), one(5, 7)]));
    assert_eq!(of(Batch::packed(&[5, 5, 5]).source(7)), of(Batch::uniform(3, 5).source(7)));
    assert_eq!(of(Batch::uniform(3, 5).sources(&[7, 0, 2])), sum(&[one(5, 7), one(5, 0), one(5, 2)]));
    assert_eq!(of(Batch::packed(&[5, 2]).source(7)), sum(&[one(5, 7), one(2, 7)]));
    // The last word on the source is the one that counts.
    assert_eq!(of(PAIR.sources(&[3])), one(5, 3));
    assert_eq!(of(Batch::uniform(1, 5).sources(&[3]).source(7)), one(5, 7));
}

#[test]
fn decoding_does_not_encode_again() {
    // One token after four: a fifth key of its own in three layers, and seven of the source.
    let step = count(Convention::EXACT, Batch::uniform(1, 1).after(4).source(7));
    assert_eq!(step.tokens, 1);
    assert_eq!(step.forward.get(), 2 * (OVER_TARGET + HEAD) + 60 * 3 * (5 + 7));

    let of = |new, cached| count(Convention::EXACT, Batch::uniform(2, new).after(cached).source(7));
    let sum = |counts: &[Count]| counts.iter().copied().reduce(|a, b| a.checked_add(b).unwrap()).unwrap();
    let whole = of(5, 0);
    assert_eq!(sum(&[of(2, 0), of(3, 2)]), whole);
    assert_eq!(sum(&[of(1, 0), of(1, 1), of(1, 2), of(1, 3), of(1, 4)]), whole);
    // Chunks of no tokens are nothing, first or last.
    assert_eq!(sum(&[of(0, 0), of(2, 0), of(0, 2), of(3, 2), of(0, 5)]), whole);
    // Documents likewise, each with its own source.
    let packed =
        |lengths: &[u64], cached| count(Convention::EXACT, Batch::packed(lengths).after(cached).sources(&[7, 2]));
    assert_eq!(sum(&[packed(&[3, 3], 0), packed(&[2, 6], 3)]), packed(&[5, 9], 0));
}

#[test]
fn a_kind_of_layer_may_be_in_both_stacks() {
    // A decoder that sees all of its target, made of the encoder's layers and one that looks across.
    let both = Layer::new().with(ATTENTION.bidirectional()).with(FEED_FORWARD);
    let across = Layer::new().with(ATTENTION.cross());
    let build = |builder: mfu::ArchitectureBuilder| builder.layer(across.clone()).build().unwrap();
    let model = build(Architecture::decoder(6, 11).encoder_layers(2, both.clone()).layers(3, both.clone()));
    // The order in which the stacks are added is none of the model's, nor whether an encoder's layer says what it sees.
    assert_eq!(build(Architecture::decoder(6, 11).layers(3, both.clone()).encoder_layers(2, both.clone())), model);
    let unsaid = Layer::new().with(ATTENTION).with(FEED_FORWARD);
    let one_by_one = Architecture::decoder(6, 11).encoder_layers(1, unsaid.clone()).layers(3, both);
    assert_eq!(build(one_by_one.encoder_layers(0, Layer::new()).encoder_layers(1, unsaid.clone())), model);
    let decoder = || Architecture::decoder(6, 11).layers(3, across.clone());
    let encoder = || Architecture::decoder(6, 11).encoder_layers(2, unsaid.clone());
    assert_eq!(build(encoder().layers(3, across.clone())), build(decoder().encoder_layers(2, unsaid.clone())));

    let count = model.cost(Convention::EXACT).unwrap().count(PAIR).unwrap();
    let matmuls = 7 * (2 * 516 + 180) + 5 * (3 * 516 + 180 + 66);
    assert_eq!(count.forward.get(), 2 * matmuls + 60 * (2 * 49 + 3 * 25 + 35));
    // Again with the parameters of another: the same work, and nothing held on either side.
    let again = Layer::new().with(Block::reused(ATTENTION.cross()));
    let builder = Architecture::decoder(6, 11).encoder_layers(1, Layer::new()).layer(again);
    let ledger = builder.build().unwrap().ledger().unwrap();
    assert_eq!(ledger.parameters().total(), 132);
    let again = ledger.cost(Convention::EXACT).unwrap().count(PAIR).unwrap();
    assert_eq!(again.forward.get(), 2 * (7 * 180 + 5 * (180 + 66)) + 60 * 35);
}
