//! Mixers, sparse attention and what else few models have, against values worked out by hand. The measured configs of
//! `reference.rs` have all of them, but for what a scan and a chosen key cost. Counts with `==`.

use mfu::{
    Architecture, ArchitectureBuilder, Attention, Batch, Block, Component, CompressedAttention, Convention, Core,
    FeedForward, GatedDeltaNet, Group, HyperConnection, Inclusion, KimiDeltaAttention, LatentAttention, Layer, Ledger,
    LightningAttention, Linear, Mamba, Mamba2, Norm, Place, ShortConvolution, Weights, Windows,
};

/// A hidden size of 6 and a vocabulary of 13.
fn decoder() -> ArchitectureBuilder {
    Architecture::decoder(6, 13)
}

/// One layer of one block.
fn ledger(block: impl Into<Block>) -> Ledger {
    decoder().layer(Layer::new().with(block)).build().unwrap().ledger().unwrap()
}

fn held(ledger: &Ledger, group: Group) -> u128 {
    ledger.parameters_of(Place::Trunk, group).held
}

/// The forward FLOPs of a component for one sequence of so many tokens.
fn work(ledger: &Ledger, component: Component, tokens: u64) -> u128 {
    let breakdown = ledger.breakdown(Convention::EXACT, Batch::uniform(1, tokens)).unwrap();
    let of_it = breakdown.counted().iter().filter(|(line, _)| line.component == component);
    of_it.map(|(_, flops)| flops.get() / 3).sum()
}

/// The forward FLOPs per token of all that a mixer multiplies, its scan aside.
fn matmuls(ledger: &Ledger) -> u128 {
    let components = Component::ALL.iter().filter(|component| component.group() == Group::Mixer);
    components.filter(|component| **component != Component::Scan).map(|component| work(ledger, *component, 1)).sum()
}

#[test]
fn mamba() {
    // 6·20 in, 4·10 convolved, 10·(2 + 6) driving, 2·10 for the time step, 10·6 out: 320 are multiplied. Beside them 10
    // biases of the time step and 10·3 + 10 for A and D.
    let mixer = Mamba::new(10, 3, 4, 2);
    let plain = ledger(mixer);
    assert_eq!((held(&plain, Group::Mixer), matmuls(&plain)), (320 + 10 + 40, 2 * 320));
    assert_eq!(work(&plain, Component::Scan, 5), 5 * 7 * 10 * 3);
    // 20 and 6 on the projections, 10 on the convolution; norms of the time step, B and C.
    let full = ledger(mixer.bias().conv_bias().norms());
    assert_eq!((held(&full, Group::Mixer), matmuls(&full)), (370 + 26 + 10, 2 * 320));
    assert_eq!(held(&full, Group::Norms), 2 + 3 + 3);
}

#[test]
fn mamba_2() {
    // Inner width 4·3 = 12, convolved channels 12 + 2·2·5 = 32: 6·(12 + 32 + 4) in, 4·32 convolved, 12·6 out.
    let mixer = Mamba2::new(4, 3, 5, 2, 4);
    let plain = ledger(mixer);
    assert_eq!((held(&plain, Group::Mixer), matmuls(&plain)), (288 + 128 + 72 + 3 * 4, 2 * 488));
    assert_eq!(work(&plain, Component::Scan, 5), 5 * 7 * 12 * 5);
    assert_eq!(held(&plain, Group::Norms), 0);
    let full = ledger(mixer.input_bias().output_bias().conv_bias().norm());
    assert_eq!((held(&full, Group::Mixer), held(&full, Group::Norms)), (500 + 48 + 6 + 32, 12));
    assert_eq!(full, ledger(mixer.bias().conv_bias().norm()));
}

#[test]
fn delta_rules() {
    // Keys 2·3 = 6 wide, values 4·5 = 20: 6·(12 + 20) in, 6·20 for the gate, 6·8 for decay and step, 4·32 convolved,
    // 20·6 out, and 8 for A and the bias.
    let gated = ledger(GatedDeltaNet::new(2, 3, 4, 5, 4));
    assert_eq!((held(&gated, Group::Mixer), matmuls(&gated)), (192 + 120 + 48 + 128 + 120 + 8, 2 * 608));
    assert_eq!((held(&gated, Group::Norms), work(&gated, Component::Scan, 5)), (5, 5 * 8 * 4 * 3 * 5));

    // 10 wide: 6·30 in, 4·30 convolved, twice 6·5 + 5·10 for the gates, 6·2 for the step, 10·6 out, 2 + 10 for A and
    // the bias.
    let kimi = KimiDeltaAttention::new(2, 5, 4);
    let low_rank = ledger(kimi);
    assert_eq!((held(&low_rank, Group::Mixer), matmuls(&low_rank)), (180 + 120 + 160 + 12 + 60 + 12, 2 * 532));
    assert_eq!((held(&low_rank, Group::Norms), work(&low_rank, Component::Scan, 5)), (5, 5 * 8 * 2 * 5 * 5));
    // Twice 6·10 instead.
    assert_eq!(held(&ledger(kimi.full_rank_gates()), Group::Mixer), 544 - 160 + 120);
}

#[test]
fn lightning_attention_and_short_convolutions() {
    // 10 wide: 6·30 in, 6·10 for the gate, 10·6 out.
    let lightning = ledger(LightningAttention::new(2, 5));
    assert_eq!((held(&lightning, Group::Mixer), matmuls(&lightning)), (300, 600));
    assert_eq!((held(&lightning, Group::Norms), work(&lightning, Component::Scan, 5)), (10, 5 * 5 * 2 * 5 * 5));

    // 6·18 in, 4·6 convolved, 6·6 out; biases of 18, 6 and 6; nothing that depends on a state.
    let convolution = ShortConvolution::new(4);
    let plain = ledger(convolution);
    assert_eq!((held(&plain, Group::Mixer), matmuls(&plain), work(&plain, Component::Scan, 5)), (168, 336, 0));
    assert_eq!(held(&ledger(convolution.bias()), Group::Mixer), 168 + 30);
}

#[test]
fn a_scan_is_taken_or_left() {
    let ledger = ledger(LightningAttention::new(2, 5));
    let count = |convention| ledger.cost(convention).unwrap().count(&[5]).unwrap().forward.get();
    let without = Convention { scan: Inclusion::Out, ..Convention::EXACT };
    assert_eq!(count(Convention::EXACT) - count(without), 5 * 250);
    assert_eq!(count(without), count(Convention::TORCH_FLOP_COUNTER));
}

#[test]
fn an_indexer_sees_all_keys_and_the_core_the_best() {
    // Two heads of 4 + 2 and 5; the indexer's three of 4 read a query latent of 7.
    let attention = LatentAttention::new(2, 3, 4, 2, 5).query_rank(7);
    let dense = ledger(attention);
    let sparse = ledger(attention.indexer(3, 4, 2));
    // 7·12 queries, 6·4 keys, 6·3 weights; a LayerNorm of 4.
    assert_eq!((held(&sparse, Group::Indexer), held(&sparse, Group::Norms)), (84 + 24 + 18, 3 + 7 + 8));
    assert_eq!(held(&sparse, Group::Attention), held(&dense, Group::Attention));
    // Of five queries each sees all before it, 15 pairs of 2·3·4 + 2·3; the core 1 + 2·4 = 9 pairs of 2·2·6 and 2·2·5.
    assert_eq!(work(&sparse, Component::IndexerScores, 5), 15 * 30);
    assert_eq!(work(&sparse, Component::AttentionScores, 5), 9 * 24);
    assert_eq!(work(&sparse, Component::AttentionValues, 5), 9 * 20);
    assert_eq!(work(&dense, Component::AttentionScores, 5), 15 * 24);
    // A layer that uses an earlier one's choice has no indexer, and the same core.
    let shared = ledger(attention.top_k(2));
    assert_eq!((held(&shared, Group::Indexer), work(&shared, Component::AttentionScores, 5)), (0, 9 * 24));
    // 6·2 for a gate on every head.
    assert_eq!(held(&ledger(attention.gated_per_head()), Group::Attention), held(&dense, Group::Attention) + 12);
}

#[test]
fn compressed_keys() {
    // Two heads of 4, a query latent of 7, two groups of outputs through 3 each, a window of 2.
    let attention = CompressedAttention::new(2, 4, 7, 2, 3, 2);
    let window = ledger(attention);
    // 6·7 + 7·8 queries, 6·4 keys, 4·3 twice and 6·6 out, two sinks; norms of 7 and 4.
    let projections = 42 + 56 + 24 + 24 + 36;
    assert_eq!((held(&window, Group::Attention), held(&window, Group::Norms)), (projections + 2, 11));
    // Five queries see 1 + 2·4 = 9 keys, at 2·2·4 for scores and as much for values.
    assert_eq!(work(&window, Component::AttentionScores, 5), 9 * 16);

    // One key for every three tokens: twice 6·4, 3·4 biases, a norm of 4. Of them five queries see 0, 0, 1, 1, 1.
    let heavily = ledger(attention.compressed(3));
    assert_eq!(held(&heavily, Group::Attention), projections + 2 + 48 + 12);
    assert_eq!((held(&heavily, Group::Norms), held(&heavily, Group::Indexer)), (15, 0));
    assert_eq!(work(&heavily, Component::AttentionScores, 5), (9 + 3) * 16);

    // Overlapping ones for every two tokens: twice 6·8, 2·8 biases. The indexer's three heads of 5: twice 6·10, 2·10
    // biases, 7·15 queries, 6·3 weights. It sees 0, 1, 1, 2, 2 keys of 2·3·5, and chooses one: 0, 1, 1, 1, 1.
    let sparse = ledger(attention.indexed(2, 3, 5, 1));
    assert_eq!(held(&sparse, Group::Attention), projections + 2 + 96 + 16);
    assert_eq!((held(&sparse, Group::Indexer), held(&sparse, Group::Norms)), (120 + 20 + 105 + 18, 11 + 4 + 5));
    assert_eq!(work(&sparse, Component::IndexerScores, 5), 6 * 30);
    assert_eq!(work(&sparse, Component::AttentionValues, 5), (9 + 4) * 16);
}

#[test]
fn chosen_and_compressed_keys_by_every_measure() {
    let core = |ledger: &Ledger, convention, batch: Batch<'_>| {
        ledger.cost(convention).unwrap().count(batch).unwrap().attention_core().get() / 3
    };
    let measured = |core| Convention { core, ..Convention::EXACT };
    let seven = Batch::uniform(1, 7);

    // Three heads of 4 + 2 and 6, 72 a pair, choose three keys; two of an indexer, 9 wide, are 2·2·(9 + 1) = 40 a pair.
    // By the mask 1 + 2 + 5·3 = 18 of 28; by the area (7² − 4²)/2 of 7²/2; by the rectangle 7·3 of 7·7.
    let sparse = ledger(LatentAttention::new(3, 5, 4, 2, 6).query_rank(8).indexer(2, 9, 3));
    assert_eq!(core(&sparse, Convention::EXACT, seven), 18 * 72 + 28 * 40);
    assert_eq!(core(&sparse, measured(Core::Half), seven), 33 * 36 + 49 * 20);
    assert_eq!(core(&sparse, measured(Core::Full), seven), 21 * 72 + 49 * 40);
    assert_eq!(core(&sparse, Convention::TORCH_FLOP_COUNTER, seven), 49 * 72 + 49 * 40);
    assert_eq!(core(&sparse, measured(Core::Out), seven), 0);
    // The softmax, 3·3 a pair, is the core's and not the indexer's. One more token after seven sees 3 keys of 8.
    let softmax = Convention { softmax: Inclusion::In, ..Convention::EXACT };
    assert_eq!(core(&sparse, softmax, seven), 18 * (72 + 9) + 28 * 40);
    assert_eq!(core(&sparse, Convention::EXACT, Batch::uniform(1, 1).after(7)), 3 * 72 + 8 * 40);

    // Six heads of 5, 120 a pair, and a window of 3. One key for two tokens: seven queries see 0, 1, 1, 2, 2, 3 and 3
    // of them, and 18 in the window. A key is whole or not there by the area, too.
    let attention = CompressedAttention::new(6, 5, 4, 3, 2, 3);
    let heavily = ledger(attention.compressed(2));
    assert_eq!(core(&heavily, Convention::EXACT, seven), (18 + 12) * 120);
    assert_eq!(core(&heavily, measured(Core::Half), seven), (33 + 2 * 12) * 60);
    assert_eq!(core(&heavily, measured(Core::Full), seven), (21 + 7 * 3) * 120);
    let whole_window = Convention { windows: Windows::Ignored, ..measured(Core::Full) };
    assert_eq!(core(&heavily, whole_window, seven), (49 + 21) * 120);
    // Two tokens after five see 3 and 3, and in the window 3 and 3.
    assert_eq!(core(&heavily, Convention::EXACT, Batch::uniform(1, 2).after(5)), (6 + 6) * 120);

    // Two of them chosen, 0, 1, 1 and four times 2, by an indexer's three heads of 4 that see all: 2·3·4 a pair.
    let sparse = ledger(attention.indexed(2, 3, 4, 2));
    assert_eq!(core(&sparse, Convention::EXACT, seven), (18 + 10) * 120 + 12 * 24);
    assert_eq!(core(&sparse, measured(Core::Full), seven), (21 + 7 * 2) * 120 + 7 * 3 * 24);
    assert_eq!(core(&sparse, Convention::TORCH_FLOP_COUNTER, seven), (49 + 7 * 3) * 120 + 7 * 3 * 24);
}

#[test]
fn residual_streams() {
    // Three streams: 18·15 and 15 biases, 3 scales. The mix of 3·3 on each of 6 channels holds nothing.
    let layer = Layer::new().with(HyperConnection::new(3)).with(FeedForward::plain(5));
    let ledger = decoder().layer(layer).residual_streams(3).build().unwrap().ledger().unwrap();
    // Made one at the end: 18·3, 3 biases, 1 scale.
    assert_eq!(held(&ledger, Group::Other), (270 + 15 + 3) + (54 + 3 + 1));
    assert_eq!(work(&ledger, Component::HyperConnection, 1), 2 * 270 + 2 * 9 * 6 + 2 * 54);
}

#[test]
fn heads_of_experts() {
    // Four experts of three heads of 5, two per token: a router of 6·4; queries 6·15 and outputs 15·6 each, keys and
    // values once.
    let ledger = ledger(Attention::experts(4, 2, 3, 5));
    let parameters = ledger.parameters_of(Place::Trunk, Group::Attention);
    assert_eq!((parameters.held, parameters.active), (2 * 4 * 90 + 180, 2 * 2 * 90 + 180));
    assert_eq!(held(&ledger, Group::Router), 24);
    assert_eq!(work(&ledger, Component::QueryProjection, 1), 2 * 2 * 90);
    // Six heads of 5 in the core.
    assert_eq!(work(&ledger, Component::AttentionScores, 5), 15 * 2 * 6 * 5);
}

#[test]
fn keys_and_values_of_another_kind() {
    // Four heads and two of 3: 6·12 queries and outputs, 6·6 keys and values, a norm of 3 on either side.
    let attention = Attention::grouped(4, 2, 3).qk_norm();
    let both = |block: Attention| (held(&ledger(block), Group::Attention), held(&ledger(block), Group::Norms));
    assert_eq!(both(attention), (72 + 36 + 36 + 72, 6));
    assert_eq!(both(attention.keys_as_values()), (72 + 36 + 72, 6));
    assert_eq!(both(attention.earlier_keys_and_values()), (72 + 72, 3));
    // A weight for each channel of each head: queries alone; and a bias beside each weight of a head.
    assert_eq!(both(attention.qk_norm_whole_width().earlier_keys_and_values()), (144, 12));
    assert_eq!(both(attention.qk_layer_norm()), (216, 12));
    // A bias for each of seven buckets and four heads; a bias on a gate of 12 channels.
    assert_eq!(both(attention.position_bias(7)).0, 216 + 28);
    assert_eq!(both(attention.gated().gate_bias()).0, 216 + 72 + 12);
    assert_eq!(both(attention.gated_per_head().gate_bias()).0, 216 + 24 + 4);
    // The core is the same in all.
    for block in [attention, attention.keys_as_values(), attention.earlier_keys_and_values()] {
        assert_eq!(work(&ledger(block), Component::AttentionScores, 5), 15 * 24);
    }
}

#[test]
fn around_the_layers() {
    let layer = Layer::new().with(FeedForward::plain(5));
    let build = |builder: ArchitectureBuilder| builder.layers(3, layer.clone()).build().unwrap().ledger().unwrap();
    let plain = build(decoder());
    // Eleven tokens with 2 channels for each of three layers, 6·6 in the projection, a norm of 2.
    let per_layer = build(decoder().per_layer_embedding(11, 2));
    assert_eq!(held(&per_layer, Group::Embedding) - held(&plain, Group::Embedding), 11 * 6);
    assert_eq!((held(&per_layer, Group::Other), held(&per_layer, Group::Norms)), (36, 2));
    assert_eq!(work(&per_layer, Component::PerLayerProjection, 1), 72);
    // Two rows of 6; a matrix of 6·6 with a bias and a LayerNorm, which runs where the head does.
    let bert = build(decoder().token_types(2).head_transform(Norm::layer()));
    assert_eq!(held(&bert, Group::Embedding) - held(&plain, Group::Embedding), 12);
    assert_eq!((held(&bert, Group::LmHead), held(&bert, Group::Norms)), (78 + 42, 12));
    let positions = |logits| {
        let cost = bert.cost(Convention::EXACT).unwrap();
        cost.count(Batch::uniform(1, 5).logits(logits)).unwrap().forward.get()
    };
    assert_eq!(positions(5) - positions(1), 4 * (2 * 36 + 2 * 78));
}

#[test]
fn what_no_block_expresses() {
    let layer = Layer::new()
        .with(Linear::new(6, 5).part_of(Component::FeedForwardUp))
        .with(Linear::new(5, 6))
        .with(Weights::new(7, Component::Router));
    let ledger = decoder().layer(layer).build().unwrap().ledger().unwrap();
    assert_eq!(held(&ledger, Group::FeedForward), 30);
    assert_eq!(held(&ledger, Group::Other), 30);
    // Weights are held and do nothing.
    assert_eq!((held(&ledger, Group::Router), work(&ledger, Component::Router, 5)), (7, 0));
}
