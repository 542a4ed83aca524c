//! What an architecture and a batch refuse: each message names the field or the index, the value, and what it was held
//! against.

use std::iter;

use mfu::{
    Architecture, ArchitectureBuilder, Attention, Batch, Block, Component, CompressedAttention, Convention, Error,
    Experts, FeedForward, GatedDeltaNet, HyperConnection, KimiDeltaAttention, LatentAttention, Layer,
    LightningAttention, Linear, Mamba, Mamba2, Mtp, Norm, ShortConvolution, Weights, catalog,
};

/// A decoder of 64 channels with one layer of these two blocks.
fn with(mixer: impl Into<Block>, feed_forward: impl Into<Block>) -> ArchitectureBuilder {
    Architecture::decoder(64, 256).layer(Layer::pre_norm(mixer, feed_forward))
}

const ATTENTION: Attention = Attention::grouped(8, 2, 8);
const LATENT: LatentAttention = LatentAttention::new(8, 16, 8, 4, 8);
const DENSE: FeedForward = FeedForward::gated(128);
const SPARSE: Experts = Experts::new(8, 2, FeedForward::gated(32));

fn layer() -> Layer {
    Layer::pre_norm(ATTENTION, DENSE)
}

fn with_width(width: u64) -> Layer {
    Layer::pre_norm(ATTENTION, FeedForward::gated(width))
}

fn refused(builder: ArchitectureBuilder) -> Error {
    let error = builder.build().unwrap_err();
    assert!(error.is_invalid_architecture(), "{error}");
    error
}

#[test]
fn a_size_of_zero_is_named() {
    let linear = |linear: Linear| Architecture::decoder(64, 256).layer(Layer::new().with(linear));
    for (field, builder) in [
        ("hidden", Architecture::decoder(0, 256).layer(layer())),
        ("vocab", Architecture::decoder(64, 0).layer(layer())),
        ("embedding_width", with(ATTENTION, DENSE).embedding_width(0)),
        ("heads", with(Attention::grouped(0, 2, 8), DENSE)),
        ("heads", with(Attention::multi_head(0, 8), DENSE)),
        ("kv_heads", with(Attention::grouped(8, 0, 8), DENSE)),
        ("head_dim", with(Attention::grouped(8, 2, 0), DENSE)),
        ("value_dim", with(ATTENTION.value_dim(0), DENSE)),
        ("attention input width", with(ATTENTION.input_width(0), DENSE)),
        ("the width of a window or chunk", with(ATTENTION.window(0), DENSE)),
        ("the width of a window or chunk", with(ATTENTION.chunk(0), DENSE)),
        ("heads", with(LatentAttention::new(0, 16, 8, 4, 8), DENSE)),
        ("query_rank", with(LATENT.query_rank(0), DENSE)),
        ("kv_rank", with(LatentAttention::new(8, 0, 8, 4, 8), DENSE)),
        ("nope_dim", with(LatentAttention::new(8, 16, 0, 4, 8), DENSE)),
        ("value_dim", with(LatentAttention::new(8, 16, 8, 4, 0), DENSE)),
        ("the width of a window or chunk", with(LATENT.window(0), DENSE)),
        ("feed-forward width", with(ATTENTION, FeedForward::gated(0))),
        ("feed-forward width", with(ATTENTION, FeedForward::plain(0))),
        ("the number of experts", with(ATTENTION, Experts::new(0, 0, DENSE))),
        ("top_k", with(ATTENTION, Experts::new(8, 0, DENSE))),
        ("expert width", with(ATTENTION, Experts::new(8, 2, FeedForward::gated(0)))),
        ("shared expert width", with(ATTENTION, SPARSE.shared(FeedForward::gated(0)))),
        ("the number of shared experts", with(ATTENTION, SPARSE.shared_experts(0, DENSE))),
        ("latent width", with(ATTENTION, SPARSE.latent(0))),
        ("router_width", with(ATTENTION, SPARSE.router_width(0))),
        ("linear inputs", linear(Linear::new(0, 8))),
        ("linear outputs", linear(Linear::new(8, 0))),
        ("norm width", Architecture::decoder(64, 256).layer(layer().with_norms(Norm::rms().width(0)))),
        ("norm width", with(ATTENTION, DENSE).embedding_norm(Norm::layer().width(0))),
        ("norm width", with(ATTENTION, DENSE).final_norm(Norm::layer().width(0))),
        ("MTP depth", with(ATTENTION, DENSE).mtp(Mtp::new(0, layer()))),
        ("feed-forward width", with(ATTENTION, DENSE).mtp(Mtp::new(1, with_width(0)))),
        ("feed-forward width", with(ATTENTION, Block::reused(FeedForward::gated(0)))),
    ] {
        let message = refused(builder).to_string();
        let expected = format!("{field} is 0 and must be at least 1");
        assert!(message.starts_with(&expected), "{message}: does not begin with {expected}");
    }
}

#[test]
fn sizes_that_do_not_go_together_are_named_with_their_values() {
    let bounded = |width| Experts::new(8, 2, FeedForward::gated(32)).router_width(width);
    for (builder, expected) in [
        (with(Attention::grouped(30, 8, 8), DENSE), "heads = 30 is not a multiple of kv_heads = 8"),
        (with(Attention::grouped(4, 8, 8), DENSE), "heads = 4 is not a multiple of kv_heads = 8"),
        (with(ATTENTION, Experts::new(8, 9, DENSE)), "top_k = 9 is above the number of experts = 8"),
        (with(ATTENTION, bounded(7)), "the number of experts = 8 is above router_width = 7"),
        (with(ATTENTION, DENSE).padded_vocab(0), "the multiple to pad to is 0 and must be at least 1"),
        (
            Architecture::decoder(64, u64::MAX).layer(layer()).padded_vocab(2),
            "vocab = 18446744073709551615 has no multiple of 2 above it that fits in 64 bits",
        ),
    ] {
        assert_eq!(refused(builder).to_string(), expected);
    }
    // Where there are several kinds of layer, the one at fault is told by its first place.
    let good = layer();
    let bad = Layer::pre_norm(Attention::grouped(30, 8, 8), DENSE);
    let mixed = Architecture::decoder(64, 256).layers(3, good.clone()).layers(2, bad.clone());
    let expected = "heads = 30 is not a multiple of kv_heads = 8 (in layer 3 and those like it, counted from 0)";
    assert_eq!(refused(mixed).to_string(), expected);
    let module = Architecture::decoder(64, 256).layer(good).mtp(Mtp::new(1, bad));
    let expected = "heads = 30 is not a multiple of kv_heads = 8 (in multi-token prediction)";
    assert_eq!(refused(module).to_string(), expected);
    // The bounds themselves are fine.
    for builder in [
        with(Attention::grouped(8, 8, 8), DENSE),
        with(ATTENTION, Experts::new(8, 8, DENSE)),
        with(ATTENTION, bounded(8)),
        with(ATTENTION, DENSE).padded_vocab(256),
        with(LatentAttention::new(8, 16, 8, 0, 8), DENSE),
    ] {
        builder.build().unwrap();
    }
}

const COMPRESSED: CompressedAttention = CompressedAttention::new(8, 8, 16, 2, 12, 128);

#[test]
fn a_size_of_zero_in_a_mixer_is_named() {
    let sparse = LATENT.query_rank(24);
    for (field, mixer) in [
        ("the number of position buckets", Block::from(ATTENTION.position_bias(0))),
        ("the number of experts", Attention::experts(0, 0, 2, 8).into()),
        ("top_k", Attention::experts(8, 0, 2, 8).into()),
        ("kv_heads", Attention::experts(8, 2, 0, 8).into()),
        ("head_dim", Attention::experts(8, 2, 2, 0).into()),
        ("indexer heads", sparse.indexer(0, 8, 4).into()),
        ("indexer head_dim", sparse.indexer(2, 0, 4).into()),
        ("indexer top_k", sparse.indexer(2, 8, 0).into()),
        ("indexer top_k", LATENT.top_k(0).into()),
        ("heads", CompressedAttention::new(0, 8, 16, 2, 12, 128).into()),
        ("head_dim", CompressedAttention::new(8, 0, 16, 2, 12, 128).into()),
        ("query_rank", CompressedAttention::new(8, 8, 0, 2, 12, 128).into()),
        ("output groups", CompressedAttention::new(8, 8, 16, 0, 12, 128).into()),
        ("output_rank", CompressedAttention::new(8, 8, 16, 2, 0, 128).into()),
        ("the width of a window or chunk", CompressedAttention::new(8, 8, 16, 2, 12, 0).into()),
        ("compression ratio", COMPRESSED.compressed(0).into()),
        ("compression ratio", COMPRESSED.indexed(0, 2, 8, 4).into()),
        ("indexer heads", COMPRESSED.indexed(4, 0, 8, 4).into()),
        ("indexer head_dim", COMPRESSED.indexed(4, 2, 0, 4).into()),
        ("indexer top_k", COMPRESSED.indexed(4, 2, 8, 0).into()),
        ("inner width", Mamba::new(0, 8, 4, 2).into()),
        ("state", Mamba::new(16, 0, 4, 2).into()),
        ("convolution kernel", Mamba::new(16, 8, 0, 2).into()),
        ("time_step_rank", Mamba::new(16, 8, 4, 0).into()),
        ("heads", Mamba2::new(0, 8, 8, 2, 4).into()),
        ("head_dim", Mamba2::new(8, 0, 8, 2, 4).into()),
        ("state", Mamba2::new(8, 8, 0, 2, 4).into()),
        ("groups", Mamba2::new(8, 8, 8, 0, 4).into()),
        ("convolution kernel", Mamba2::new(8, 8, 8, 2, 0).into()),
        ("key_heads", GatedDeltaNet::new(0, 8, 8, 8, 4).into()),
        ("key_dim", GatedDeltaNet::new(4, 0, 8, 8, 4).into()),
        ("value_heads", GatedDeltaNet::new(4, 8, 0, 8, 4).into()),
        ("value_dim", GatedDeltaNet::new(4, 8, 8, 0, 4).into()),
        ("convolution kernel", GatedDeltaNet::new(4, 8, 8, 8, 0).into()),
        ("heads", KimiDeltaAttention::new(0, 8, 4).into()),
        ("head_dim", KimiDeltaAttention::new(8, 0, 4).into()),
        ("convolution kernel", KimiDeltaAttention::new(8, 8, 0).into()),
        ("heads", LightningAttention::new(0, 8).into()),
        ("head_dim", LightningAttention::new(8, 0).into()),
        ("convolution kernel", ShortConvolution::new(0).into()),
        ("residual streams", HyperConnection::new(0).into()),
        ("the number of weights", Weights::new(0, Component::Linear).into()),
        ("linear inputs", Linear::new(0, 8).part_of(Component::FeedForwardUp).into()),
    ] {
        let expected = format!("{field} is 0 and must be at least 1");
        assert_eq!(refused(with(mixer.clone(), DENSE)).to_string(), expected, "{mixer:?}");
        assert_eq!(refused(with(Block::reused(mixer.clone()), DENSE)).to_string(), expected, "{mixer:?}");
    }
    for part in [Component::Embedding, Component::PerLayerEmbedding, Component::LmHead, Component::HeadTransform]
        .into_iter()
        .chain([Component::MtpProjection, Component::MtpNorm])
        .chain([Component::AttentionScores, Component::IndexerScores])
    {
        // A table is tied to a head, and pairs are counted by a mask: neither is a layer's matrix.
        let expected = format!(
            "a matrix or weights in a layer cannot be part of the {part}: it is no part of a layer, or done per pair"
        );
        for block in [Block::from(Linear::new(8, 8).part_of(part)), Weights::new(8, part).into()] {
            assert_eq!(refused(with(block.clone(), DENSE)).to_string(), expected);
            assert_eq!(refused(with(Block::reused(block), DENSE)).to_string(), expected);
        }
    }
    for (field, builder) in [
        ("residual streams", with(ATTENTION, DENSE).residual_streams(0)),
        ("per-layer vocab", with(ATTENTION, DENSE).per_layer_embedding(0, 8)),
        ("per-layer embedding width", with(ATTENTION, DENSE).per_layer_embedding(8, 0)),
        ("norm width", with(ATTENTION, DENSE).head_transform(Norm::layer().width(0))),
    ] {
        assert_eq!(refused(builder).to_string(), format!("{field} is 0 and must be at least 1"));
    }
    // No token types are none, as no positions are.
    with(ATTENTION, DENSE).token_types(0).positions(0).build().unwrap();
}

#[test]
fn sizes_of_mixers_that_do_not_go_together() {
    for (mixer, expected) in [
        (
            Block::from(ATTENTION.value_dim(12).keys_as_values()),
            "value_dim = 12 is not that of the keys that serve as values, head_dim = 8",
        ),
        (Attention::experts(8, 9, 2, 8).into(), "top_k = 9 is above the number of experts = 8"),
        (Mamba2::new(30, 8, 8, 8, 4).into(), "heads = 30 is not a multiple of groups = 8"),
        (
            Mamba2::new(8, 8, 8, 8, 4).without_convolution().conv_bias().into(),
            "a bias on the convolution of a mixer that has none",
        ),
        (Mamba2::new(4, 8, 8, 8, 4).into(), "heads = 4 is not a multiple of groups = 8"),
        (GatedDeltaNet::new(4, 8, 6, 8, 4).into(), "value_heads = 6 is not a multiple of key_heads = 4"),
        (CompressedAttention::new(9, 8, 16, 2, 12, 128).into(), "heads = 9 is not a multiple of output groups = 2"),
        (
            LATENT.indexer(2, 8, 4).into(),
            "an indexer reads the query latent, and this attention has none: give it with `query_rank`",
        ),
    ] {
        assert_eq!(refused(with(mixer, DENSE)).to_string(), expected);
    }
    // The bounds themselves are fine, and what an earlier layer chose needs no query latent.
    for mixer in [
        Block::from(ATTENTION.keys_as_values()),
        ATTENTION.value_dim(12).earlier_keys_and_values().into(),
        Attention::experts(8, 8, 2, 8).into(),
        Mamba2::new(8, 8, 8, 8, 4).into(),
        GatedDeltaNet::new(4, 8, 4, 8, 4).into(),
        CompressedAttention::new(2, 8, 16, 2, 12, 128).into(),
        LATENT.indexer(2, 8, 4).query_rank(24).into(),
        LATENT.top_k(4).into(),
    ] {
        with(mixer, DENSE).build().unwrap();
    }
}

/// A decoder of 64 channels with layers that attend to a source.
fn reader(encoder: Layer) -> ArchitectureBuilder {
    let layer = layer().with(ATTENTION.cross());
    Architecture::decoder(64, 256).layers(3, layer).encoder_layers(2, encoder)
}

#[test]
fn an_encoder_and_what_reads_it_come_together() {
    let cross = || Layer::pre_norm(ATTENTION.cross(), DENSE);
    let alone = "attention to a source, and no encoder that makes one: add its layers with `encoder_layers`";
    for builder in [
        with(ATTENTION.cross(), DENSE),
        with(Block::reused(ATTENTION.cross()), DENSE),
        with(ATTENTION, DENSE).layer(cross()).encoder_layers(0, layer()),
    ] {
        assert_eq!(refused(builder).to_string(), alone);
    }
    let unread = "an encoder, and no layer that attends to what it makes: give one `Attention::cross`";
    for builder in [
        with(ATTENTION, DENSE).encoder_layers(1, layer()),
        with(ATTENTION, DENSE).layers(0, cross()).encoder_layers(1, layer()),
        Architecture::encoder(64, 256).layer(layer()).encoder_layers(1, layer()),
    ] {
        assert_eq!(refused(builder).to_string(), unread);
    }
    let module = "multi-token prediction that attends to a source: ";
    for builder in [reader(layer()).mtp(Mtp::new(1, cross())), with(ATTENTION, DENSE).mtp(Mtp::new(1, cross()))] {
        assert!(refused(builder).to_string().starts_with(module));
    }
    // A layer that reads the source is the decoder's.
    assert!(refused(reader(cross())).to_string().contains("not in an encoder's"));
    reader(layer()).mtp(Mtp::new(1, layer())).build().unwrap();
    reader(Layer::new()).build().unwrap();
}

#[test]
fn a_fault_in_an_encoder_is_placed_there() {
    let bad = Layer::pre_norm(Attention::grouped(30, 8, 8), DENSE);
    let fault = "heads = 30 is not a multiple of kv_heads = 8";
    let expected = format!("{fault} (in layer 2 of the encoder and those like it, counted from 0)");
    assert_eq!(refused(reader(layer()).encoder_layers(3, bad.clone())).to_string(), expected);
    // In both stacks, it is told by its place in the decoder.
    let seen_whole = Layer::pre_norm(Attention::grouped(30, 8, 8).bidirectional(), DENSE);
    let expected = format!("{fault} (in layer 3 and those like it, counted from 0)");
    assert_eq!(refused(reader(bad).layer(seen_whole)).to_string(), expected);
    for (layers, what) in [(u64::MAX, "the number of layers exceeds 64 bits"), (u64::MAX - 2, "")] {
        match reader(layer()).encoder_layers(layers, layer()).build() {
            Ok(model) => assert_eq!(model.encoder_runs().map(|(_, layers)| layers).collect::<Vec<_>>(), [u64::MAX]),
            Err(error) => assert_eq!(error.to_string(), what),
        }
    }
}

#[test]
fn an_encoder_hides_nothing() {
    for (mixer, span) in [
        (Block::from(ATTENTION.window(128)), "window 128"),
        (ATTENTION.chunk(16).into(), "chunk 16"),
        (LATENT.window(7).into(), "window 7"),
        (LATENT.top_k(7).into(), "top 7"),
        (LATENT.query_rank(24).indexer(2, 8, 9).into(), "top 9"),
        (COMPRESSED.into(), "window 128"),
        (COMPRESSED.indexed(4, 2, 8, 4).into(), "window 128"),
        (Block::reused(ATTENTION.window(128)), "window 128"),
    ] {
        let sees_less = Layer::pre_norm(mixer, DENSE);
        for builder in [
            Architecture::encoder(64, 256).layer(sees_less.clone()),
            Architecture::encoder(64, 256).layer(layer()).mtp(Mtp::new(1, sees_less.clone())),
            reader(layer()).encoder_layers(1, sees_less),
        ] {
            let message = refused(builder).to_string();
            assert!(message.contains(span) && message.contains("build it as a decoder"), "{message}");
        }
    }
    for encoder in [
        Architecture::encoder(64, 256).layer(Layer::pre_norm(ATTENTION.cross(), DENSE)),
        Architecture::encoder(64, 256).layer(layer()).mtp(Mtp::new(1, Layer::pre_norm(ATTENTION.cross(), DENSE))),
        reader(layer()).encoder_layers(1, Layer::pre_norm(ATTENTION.cross(), DENSE)),
    ] {
        assert!(refused(encoder).to_string().contains("in the layers of a decoder, not in an encoder's"));
    }
    Architecture::encoder(64, 256).layer(Layer::pre_norm(ATTENTION.bidirectional(), DENSE)).build().unwrap();
}

#[test]
fn what_needs_a_head_says_so() {
    let headless = || with(ATTENTION, DENSE).without_head();
    for (builder, what) in [
        (headless().tied(), "a tied embedding"),
        (headless().mtp(Mtp::new(1, layer())), "multi-token prediction"),
        (headless().head_transform(Norm::layer()), "a head transform"),
    ] {
        let message = refused(builder).to_string();
        assert!(message.starts_with(what) && message.contains("`without_head`"), "{message}");
    }
    headless().build().unwrap();
}

#[test]
fn a_gate_needs_shared_experts() {
    let gated = SPARSE.shared_gate();
    for builder in [
        with(ATTENTION, gated),
        with(ATTENTION, gated.latent(16).router_bias()),
        with(ATTENTION, Block::reused(gated)),
        with(ATTENTION, DENSE).mtp(Mtp::new(1, Layer::pre_norm(ATTENTION, gated))),
    ] {
        let message = refused(builder).to_string();
        assert!(message.starts_with("a gate on shared experts, and none of those"), "{message}");
        assert!(message.contains("`shared`") && message.contains("`shared_experts`"), "{message}");
    }
    // In either order it has some.
    let shared = FeedForward::gated(16);
    for experts in [gated.shared(shared), SPARSE.shared(shared).shared_gate(), gated.shared_experts(2, shared)] {
        with(ATTENTION, experts).build().unwrap();
    }
}

#[test]
fn multi_token_prediction_beside_an_embedding_width() {
    let mtp = || Mtp::new(1, layer());
    for builder in [
        with(ATTENTION, DENSE).mtp(mtp()).embedding_width(32),
        with(ATTENTION, DENSE).embedding_width(32).mtp(mtp().own_head().own_embedding()),
        // Of the hidden size it still has projections.
        with(ATTENTION, DENSE).embedding_width(64).mtp(mtp()).tied(),
    ] {
        let message = refused(builder).to_string();
        assert!(message.starts_with("multi-token prediction beside an embedding width: "), "{message}");
    }
    with(ATTENTION, DENSE).embedding_width(32).build().unwrap();
    with(ATTENTION, DENSE).mtp(mtp()).build().unwrap();
}

#[test]
fn too_few_and_too_many_layers() {
    let local = || Layer::pre_norm(ATTENTION.window(16), DENSE);
    let decoder = || Architecture::decoder(64, 256);
    for builder in [decoder(), decoder().layers(0, layer()), decoder().repeat(0, [layer()]), decoder().repeat(9, [])] {
        assert!(refused(builder).to_string().starts_with("no layers: "));
    }
    for builder in [
        decoder().layers(u64::MAX, layer()).layer(layer()),
        decoder().layers(u64::MAX, layer()).layer(local()),
        decoder().repeat(u64::MAX, [layer(), layer()]),
    ] {
        assert_eq!(refused(builder).to_string(), "the number of layers exceeds 64 bits");
    }
    // A run of equal layers may have any length, a pattern of unlike ones 100,000 runs, of 1,024 kinds.
    let deep = decoder().layers(u64::MAX, layer()).build().unwrap();
    assert_eq!((deep.depth(), deep.runs().count()), (u64::MAX, 1));
    assert_eq!(decoder().repeat(50_000, [layer(), local()]).build().unwrap().runs().count(), 100_000);
    for times in [50_001, u64::MAX] {
        let message = refused(decoder().repeat(times, [layer(), local()])).to_string();
        assert!(message.starts_with("more than 100000 runs of layers: "), "{message}");
    }
    let kinds = |count: u64| (1..=count).fold(decoder(), |builder, width| builder.layer(with_width(width)));
    kinds(1_024).build().unwrap();
    let message = refused(kinds(1_025)).to_string();
    assert!(message.starts_with("more than 1024 kinds of layer: "), "{message}");
}

#[test]
fn a_pattern_without_end_is_refused() {
    let decoder = || Architecture::decoder(64, 256);
    let local = || Layer::pre_norm(ATTENTION.window(16), DENSE);
    for times in [1, 2, u64::MAX] {
        let alike = decoder().repeat(times, iter::repeat(layer()));
        let in_turn = decoder().repeat(times, iter::repeat([layer(), local()]).flatten());
        for builder in [alike, in_turn] {
            let message = refused(builder).to_string();
            assert!(
                message.starts_with("more than 100000 layers in a pattern: `layers` takes any number"),
                "{message}"
            );
        }
    }
    let unlike = refused(decoder().repeat(1, (1..).map(with_width))).to_string();
    assert!(unlike.starts_with("more than 1024 kinds of layer: "), "{unlike}");
    // What came before does not make up for it, nor what comes after.
    let between = decoder().layer(layer()).repeat(1, iter::repeat(layer())).layer(layer());
    assert!(refused(between).to_string().starts_with("more than 100000 layers in a pattern: "));
    // Never is never, and 100,000 have an end.
    assert!(refused(decoder().repeat(0, iter::repeat(layer()))).to_string().starts_with("no layers: "));
    let longest = |layers| decoder().repeat(3, iter::repeat_n(layer(), layers));
    assert_eq!(longest(100_000).build().unwrap().depth(), 300_000);
    assert!(refused(longest(100_001)).to_string().starts_with("more than 100000 layers in a pattern: "));
}

#[test]
fn a_kind_that_comes_back_is_the_same_kind_however_many_there_are() {
    let widths = 1..=20;
    let builder = widths
        .clone()
        .chain(widths)
        .fold(Architecture::decoder(64, 256), |builder, width| builder.layer(with_width(width)));
    let model = builder.build().unwrap();
    let layers: Vec<&Layer> = model.runs().map(|(layer, _)| layer).collect();
    assert_eq!(layers.len(), 40);
    for (first, again) in layers.iter().zip(&layers[20..]) {
        assert!(std::ptr::eq(*first, *again), "one kind is held twice");
    }
    let in_turn = Architecture::decoder(64, 256).repeat(2, (1..=20).map(with_width)).build().unwrap();
    assert_eq!(model, in_turn);
}

#[test]
fn a_product_that_overflows_names_its_component() {
    for (builder, component) in [
        (with(Attention::multi_head(1 << 40, 1 << 40), DENSE), "query projection"),
        (with(ATTENTION, FeedForward::gated(1 << 60)), "feed-forward up"),
        (with(ATTENTION, Experts::new(1 << 50, 1, FeedForward::gated(1 << 20))), "expert up"),
        (with(Attention::experts(1 << 50, 1, 1 << 10, 8), DENSE), "query projection"),
        (with(LATENT.query_rank(1 << 40).indexer(1 << 20, 1 << 20, 4), DENSE), "indexer query"),
        (with(COMPRESSED.compressed(1 << 62), DENSE), "compressor"),
        (with(Mamba::new(1 << 40, 1 << 30, 4, 2), DENSE), "state projection"),
        (with(Mamba::new(1 << 33, 1 << 30, 4, 2), DENSE), "state projection"),
        (with(Mamba2::new(1 << 20, 1 << 20, 1 << 24, 1, 4), DENSE), "scan"),
        (with(GatedDeltaNet::new(1, 1 << 30, 1 << 20, 1 << 20, 4), DENSE), "scan"),
        (with(KimiDeltaAttention::new(1 << 20, 1 << 30, 4), DENSE), "state projection"),
        (with(LightningAttention::new(1 << 2, 1 << 31), DENSE), "scan"),
        (with(ShortConvolution::new(1 << 60), DENSE), "convolution"),
        (with(HyperConnection::new(1 << 32), DENSE), "hyper-connection"),
        (with(ATTENTION, DENSE).residual_streams(1 << 60), "hyper-connection"),
        (with(ATTENTION, DENSE).per_layer_embedding(1 << 40, 1 << 40), "per-layer embedding"),
        (with(ATTENTION, DENSE).token_types(1 << 60), "token types"),
        (Architecture::decoder(1 << 40, 1 << 40).layer(layer()), "embedding"),
    ] {
        let error = builder.build().unwrap().ledger().unwrap_err();
        assert!(error.is_overflow(), "{error}");
        assert!(error.to_string().starts_with(&format!("overflow in {component}: ")), "{error}: is not of {component}");
    }
}

/// What counting this batch on Llama-3-8B says.
fn counted<'a>(batch: impl Into<Batch<'a>>) -> Result<u128, Error> {
    let cost = catalog::find("llama-3-8b")?.cost(Convention::EXACT)?;
    Ok(cost.count(batch)?.tokens)
}

fn refused_batch(batch: Batch<'_>) -> String {
    let error = counted(batch).unwrap_err();
    assert!(error.is_invalid_batch(), "{error}");
    error.to_string()
}

#[test]
fn a_negative_length_is_named_with_its_index() {
    assert!(refused_batch(Batch::packed(&[4_i32, 0, -3, -5])).starts_with("lengths[2] is -3, "));
    assert!(refused_batch(Batch::packed(&[-1_i8])).starts_with("lengths[0] is -1, "));
    assert!(refused_batch(Batch::packed(&[1, i64::MIN])).starts_with("lengths[1] is -9223372036854775808, "));
    let message = refused_batch(Batch::packed(&[i128::MIN]));
    assert!(message.starts_with("lengths[0] is -170141183460469231731687303715884105728, "), "{message}");
    assert!(refused_batch(Batch::cumulative(&[0_i32, 4, -8])).starts_with("cumulative lengths[2] is -8, "));
}

#[test]
fn a_length_beyond_64_bits_is_named_with_its_index() {
    let message = refused_batch(Batch::packed(&[1, 1_u128 << 64]));
    assert!(message.starts_with("lengths[1] is 18446744073709551616, "), "{message}");
    assert!(message.ends_with("above the 18446744073709551615 that are possible"), "{message}");
    let message = refused_batch(Batch::packed(&[i128::MAX]));
    assert!(message.starts_with("lengths[0] is 170141183460469231731687303715884105727, "), "{message}");
}

#[test]
fn cumulative_lengths_begin_with_zero_and_never_fall() {
    let message = refused_batch(Batch::cumulative(&[3_u32, 8]));
    assert!(message.contains("begin with 0, and these with 3") && message.contains("`Batch::packed`"), "{message}");
    let message = refused_batch(Batch::cumulative(&[0_u32, 8, 5]));
    assert_eq!(message, "cumulative lengths[2] is 5, below the one before it, 8");

    // Standing still is a document without tokens; nothing at all, and a lone zero, are no documents.
    assert_eq!(counted(Batch::cumulative(&[0_i64, 3, 3, 8])).ok(), Some(8));
    assert_eq!(counted(Batch::cumulative(&[0_u8])).ok(), Some(0));
    assert_eq!(counted(Batch::cumulative::<u8>(&[])).ok(), Some(0));
}

#[test]
fn more_logits_than_tokens_and_more_of_anything_than_fits() {
    let error = counted(Batch::packed(&[3, 1]).logits(5)).unwrap_err();
    assert!(error.is_invalid_argument(), "{error}");
    assert_eq!(error.to_string(), "logits is 5 of 4 tokens and must be at most one per token");
    assert_eq!(counted(Batch::packed(&[3, 1]).logits(4)).ok(), Some(4));

    for batch in [Batch::uniform(u64::MAX, u64::MAX), Batch::uniform(1, u64::MAX).after(u64::MAX)] {
        let error = counted(batch).unwrap_err();
        assert!(error.is_overflow(), "{error}");
    }
}

/// What counting this batch on an encoder–decoder says.
fn read(batch: Batch<'_>) -> Result<u128, Error> {
    Ok(reader(layer()).build()?.cost(Convention::EXACT)?.count(batch)?.tokens)
}

fn refused_source(batch: Batch<'_>) -> String {
    let error = read(batch).unwrap_err();
    assert!(error.is_invalid_batch(), "{error}");
    error.to_string()
}

#[test]
fn a_source_and_an_encoder_come_together() {
    let missing = "this model has an encoder, and the batch says nothing of what it reads: give the source's tokens \
                   with `source` or `sources`";
    let spare = "the batch has a source, and this model has no encoder that would read it";
    let (none, lengths) = ([0_u8; 0], [3, 1]);
    for batch in [Batch::uniform(2, 5), Batch::uniform(0, 5), Batch::packed(&lengths), Batch::cumulative(&none)] {
        assert_eq!(refused_source(batch), missing);
        assert_eq!(refused_batch(batch.source(7)), spare);
        assert_eq!(refused_batch(batch.source(0).after(3)), spare);
        assert_eq!(refused_batch(batch.sources(&[7, 2])), spare);
        assert!(read(batch.source(0)).is_ok(), "a source may be empty");
    }
    // The account line by line says so, too.
    let breakdown = reader(layer()).build().unwrap().ledger().unwrap().breakdown(Convention::EXACT, &[3]);
    assert_eq!(breakdown.unwrap_err().to_string(), missing);
    // Keys and values that an earlier layer made leave the encoder nothing to hold, and a source to see.
    let layer = Layer::new().with(ATTENTION.cross().earlier_keys_and_values());
    let bare = Architecture::decoder(64, 256).layer(layer).encoder_layers(1, Layer::new()).build().unwrap();
    let bare = bare.cost(Convention::EXACT).unwrap();
    assert_eq!(bare.count(&[3]).unwrap_err().to_string(), missing);
    // 2·8·(8 + 8) for each of 3·7 pairs, three times.
    assert_eq!(bare.count(Batch::uniform(1, 3).source(7)).unwrap().attention_core().get(), 3 * 256 * 21);
}

#[test]
fn each_sequence_has_a_source() {
    let (ends, lengths) = ([0, 3, 4], [3, 1]);
    for batch in [Batch::uniform(2, 5), Batch::packed(&lengths), Batch::cumulative(&ends)] {
        assert_eq!(refused_source(batch.sources(&[7])), "1 source lengths for 2 sequences: each has one");
        assert_eq!(refused_source(batch.sources(&[7, 7, 7])), "3 source lengths for 2 sequences: each has one");
        assert_eq!(refused_source(batch.sources::<u8>(&[])), "0 source lengths for 2 sequences: each has one");
        assert!(read(batch.sources(&[7, 0])).is_ok());
    }
    // None of no sequences, however they are given.
    for batch in [Batch::uniform(0, 5), Batch::packed::<u8>(&[]), Batch::cumulative(&[0])] {
        assert_eq!(refused_source(batch.sources(&[7])), "1 source lengths for 0 sequences: each has one");
        assert_eq!(read(batch.sources::<u8>(&[])).ok(), Some(0));
    }
    let most = refused_source(Batch::uniform(u64::MAX, 5).sources(&[7]));
    assert!(most.starts_with("1 source lengths for ") && most.ends_with(" sequences: each has one"), "{most}");
}

#[test]
fn a_source_length_that_cannot_be_is_named_with_its_index() {
    let (ends, lengths) = ([0, 3, 4, 9], [3, 1, 5]);
    for batch in [Batch::uniform(3, 5), Batch::packed(&lengths), Batch::cumulative(&ends)] {
        let negative = refused_source(batch.sources(&[7_i8, 0, -3]));
        assert!(negative.starts_with("source lengths[2] is -3, and no number of tokens is negative"), "{negative}");
        let long = refused_source(batch.sources(&[7, 1_u128 << 64, 0]));
        assert!(long.starts_with("source lengths[1] is 18446744073709551616, "), "{long}");
    }
    for batch in [Batch::uniform(u64::MAX, 1).source(u64::MAX), Batch::uniform(1, u64::MAX).source(u64::MAX)] {
        assert!(read(batch).is_err_and(|error| error.is_overflow()));
    }
}
