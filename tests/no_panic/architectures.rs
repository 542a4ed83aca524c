//! Architectures.

use super::*;

type Numbers = [u64; 8];

/// Every constructor of every block, with any numbers.
fn hostile_block() -> impl Strategy<Value = Block> {
    let numbers = prop::array::uniform8(number());
    (0..16, numbers, any::<u16>(), norm()).prop_map(|(kind, numbers, flags, norm)| match kind {
        0 => norm.width(numbers[0]).into(),
        1 => hostile_attention(numbers, flags).into(),
        2 => hostile_latent_attention(numbers, flags).into(),
        3 => hostile_feed_forward(numbers[0], flags).into(),
        4 => hostile_experts(numbers, flags).into(),
        5 => Linear::new(numbers[0], numbers[1]).bias().part_of(Component::Router).into(),
        6..=14 => hostile_mixer(kind, numbers, flags),
        _ => Block::reused(Block::reused(hostile_attention(numbers, flags))),
    })
}

fn hostile_mixer(kind: i32, numbers: Numbers, flags: u16) -> Block {
    let [heads, dim, state, groups, kernel, window, ratio, _] = numbers;
    let flag = |bit: u16| flags & (1 << bit) != 0;
    match kind {
        6 if flag(0) => Mamba::new(heads, dim, state, groups).bias().conv_bias().norms().into(),
        6 => Mamba::new(heads, dim, state, groups).into(),
        7 if flag(0) => Mamba2::new(heads, dim, state, groups, kernel).bias().conv_bias().norm().into(),
        7 => Mamba2::new(heads.saturating_mul(groups), dim, state, groups, kernel).into(),
        8 => GatedDeltaNet::new(heads, dim, heads.saturating_mul(state), groups, kernel).into(),
        9 if flag(0) => KimiDeltaAttention::new(heads, dim, state).full_rank_gates().into(),
        9 => KimiDeltaAttention::new(heads, dim, state).into(),
        10 => LightningAttention::new(heads, dim).into(),
        11 => ShortConvolution::new(heads).bias().into(),
        12 => HyperConnection::new(heads).into(),
        13 => Weights::new(heads, Component::ExpertUp).into(),
        _ => {
            let attention = CompressedAttention::new(heads.saturating_mul(groups), dim, state, groups, kernel, window);
            match flags % 3 {
                0 => attention,
                1 => attention.compressed(ratio),
                _ => attention.indexed(ratio, heads, dim, state),
            }
            .into()
        }
    }
}

fn hostile_attention(numbers: Numbers, flags: u16) -> Attention {
    let [heads, kv_heads, head_dim, value_dim, input_width, reach, experts, buckets] = numbers;
    let flag = |bit: u16| flags & (1 << bit) != 0;
    let attention = match flags % 4 {
        _ if flag(11) => Attention::experts(experts, heads, kv_heads, head_dim),
        0 => Attention::multi_head(heads, head_dim),
        1 => Attention::multi_query(heads, head_dim),
        2 => Attention::grouped(heads.saturating_mul(kv_heads), kv_heads, head_dim),
        _ => Attention::grouped(heads, kv_heads, head_dim),
    };
    let attention = if flag(2) { attention.value_dim(value_dim) } else { attention };
    let attention = if flag(3) { attention.input_width(input_width) } else { attention };
    let attention = if flag(4) { attention.bias().sinks().gated().qk_norm_whole_width() } else { attention };
    let attention = if flag(5) { attention.qkv_bias().gated_per_head().qk_norm() } else { attention };
    let attention = if flag(8) { attention.position_bias(buckets).gate_bias().qk_layer_norm() } else { attention };
    let attention = if flag(9) { attention.keys_as_values() } else { attention };
    let attention = if flag(10) { attention.earlier_keys_and_values() } else { attention };
    match flags >> 6 & 3 {
        0 => attention,
        1 => attention.window(reach),
        2 => attention.chunk(reach),
        _ if flag(12) => attention.cross(),
        _ => attention.bidirectional(),
    }
}

fn hostile_latent_attention(numbers: Numbers, flags: u16) -> LatentAttention {
    let [heads, kv_rank, nope_dim, rope_dim, value_dim, query_rank, reach, further] = numbers;
    let attention = LatentAttention::new(heads, kv_rank, nope_dim, rope_dim, value_dim);
    match flags % 7 {
        0 => attention,
        4 => attention.query_rank(query_rank).indexer(further, reach, heads).gated_per_head(),
        5 => attention.indexer(further, reach, heads),
        6 => attention.top_k(reach),
        1 => attention.query_rank(query_rank).bias(),
        2 => attention.window(reach),
        _ => attention.bidirectional(),
    }
}

fn hostile_feed_forward(width: u64, flags: u16) -> FeedForward {
    let block = if flags & 1 == 0 { FeedForward::gated(width) } else { FeedForward::plain(width) };
    if flags & 2 == 0 { block } else { block.bias() }
}

fn hostile_experts(numbers: Numbers, flags: u16) -> Experts {
    let [count, top_k, width, shared, shared_width, latent, choices, _] = numbers;
    let block = Experts::new(count, top_k.min(count), hostile_feed_forward(width, flags));
    let block = if flags & 4 == 0 { block } else { Experts::new(count, top_k, FeedForward::plain(width)) };
    let block = if flags & 8 == 0 { block.shared_experts(shared, FeedForward::gated(shared_width)) } else { block };
    let block = if flags & 16 == 0 { block.latent(latent) } else { block };
    let block = if flags & 32 == 0 { block.router_width(choices) } else { block };
    if flags & 64 == 0 { block.shared_gate() } else { block.router_bias() }
}

fn hostile_layer() -> impl Strategy<Value = Layer> {
    (vec(hostile_block(), 0..4), any::<bool>(), norm()).prop_map(|(blocks, renormed, norm)| {
        let layer = blocks.into_iter().fold(Layer::new(), Layer::with);
        if renormed { layer.with_norms(norm) } else { layer }
    })
}

/// One call on a builder.
#[derive(Clone, Debug)]
enum Call {
    Layers(u64, Layer),
    EncoderLayers(u64, Layer),
    PerLayer(u64, u64),
    Streams(u64),
    TokenTypes(u64),
    HeadTransform(Norm),
    Repeat(u64, Vec<Layer>),
    Mtp(u64, Layer, bool),
    EmbeddingWidth(u64),
    Positions(u64),
    PaddedVocab(u64),
    Norms(Norm, bool),
    Flag(u8),
}

impl Call {
    fn on(self, builder: ArchitectureBuilder) -> ArchitectureBuilder {
        match self {
            Self::Layers(count, layer) => builder.layers(count, layer),
            Self::EncoderLayers(count, layer) => builder.encoder_layers(count, layer),
            Self::PerLayer(vocab, width) => builder.per_layer_embedding(vocab, width),
            Self::Streams(streams) => builder.residual_streams(streams),
            Self::TokenTypes(rows) => builder.token_types(rows),
            Self::HeadTransform(norm) => builder.head_transform(norm),
            Self::Repeat(times, layers) => builder.repeat(times, layers),
            Self::Mtp(depth, layer, false) => builder.mtp(Mtp::new(depth, layer)),
            Self::Mtp(depth, layer, true) => builder.mtp(Mtp::new(depth, layer).own_embedding().own_head()),
            Self::EmbeddingWidth(width) => builder.embedding_width(width),
            Self::Positions(rows) => builder.positions(rows),
            Self::PaddedVocab(multiple) => builder.padded_vocab(multiple),
            Self::Norms(norm, false) => builder.embedding_norm(norm),
            Self::Norms(norm, true) => builder.final_norm(norm),
            Self::Flag(0) => builder.tied(),
            Self::Flag(1) => builder.without_final_norm(),
            Self::Flag(2) => builder.head_bias(),
            Self::Flag(_) => builder.without_head(),
        }
    }
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        3 => (number(), hostile_layer()).prop_map(|(count, layer)| Call::Layers(count, layer)),
        1 => (number(), hostile_layer()).prop_map(|(count, layer)| Call::EncoderLayers(count, layer)),
        1 => (number(), number()).prop_map(|(vocab, width)| Call::PerLayer(vocab, width)),
        1 => number().prop_map(Call::Streams),
        1 => number().prop_map(Call::TokenTypes),
        1 => norm().prop_map(Call::HeadTransform),
        3 => (number(), vec(hostile_layer(), 0..3)).prop_map(|(times, layers)| Call::Repeat(times, layers)),
        1 => (number(), hostile_layer(), any::<bool>()).prop_map(|(depth, layer, owns)| Call::Mtp(depth, layer, owns)),
        1 => number().prop_map(Call::EmbeddingWidth),
        1 => number().prop_map(Call::Positions),
        1 => number().prop_map(Call::PaddedVocab),
        1 => (norm(), any::<bool>()).prop_map(|(norm, last)| Call::Norms(norm, last)),
        2 => (0..4_u8).prop_map(Call::Flag),
    ]
}

/// A batch of any numbers.
#[derive(Clone, Debug)]
pub struct Tokens {
    sequences: u64,
    length: u64,
    documents: Option<Vec<u64>>,
    cached: u64,
    source: Option<u64>,
    sources: Option<Vec<i32>>,
    logits: Option<u64>,
}

impl Tokens {
    pub fn batch(&self) -> Batch<'_> {
        let batch = match &self.documents {
            Some(documents) => Batch::packed(documents),
            None => Batch::uniform(self.sequences, self.length),
        };
        let batch = batch.after(self.cached);
        let batch = self.source.map_or(batch, |length| batch.source(length));
        let batch = self.sources.as_ref().map_or(batch, |lengths| batch.sources(lengths));
        self.logits.map_or(batch, |positions| batch.logits(positions))
    }
}

pub fn tokens() -> impl Strategy<Value = Tokens> {
    let documents = proptest::option::of(vec(number(), 0..4));
    let logits = proptest::option::weighted(0.2, number());
    let source = (proptest::option::weighted(0.3, number()), proptest::option::weighted(0.1, vec(any::<i32>(), 0..4)));
    (number(), number(), documents, prop_oneof![Just(0), number()], source, logits).prop_map(
        |(sequences, length, documents, cached, (source, sources), logits)| Tokens {
            sequences,
            length,
            documents,
            cached,
            source,
            sources,
            logits,
        },
    )
}

/// Everything that can be asked about an architecture.
pub fn examine(architecture: &Architecture, convention: Convention, tokens: &Tokens) {
    let _ = (architecture.hidden(), architecture.vocab(), architecture.padded_vocab(), architecture.is_tied());
    assert_eq!(architecture.runs().map(|(_, layers)| u128::from(layers)).sum::<u128>(), architecture.depth().into());
    let Some(ledger) = or_says(architecture.ledger(), Error::is_overflow) else {
        return;
    };
    reads(&ledger);
    let parameters = ledger.parameters();
    assert!(parameters.active() <= parameters.total() && parameters.total() <= parameters.total_with_mtp());
    assert!(parameters.active_without_embeddings() <= parameters.active_without_embedding());
    for component in Component::ALL {
        for (place, total) in [(Place::Trunk, parameters.total()), (Place::Mtp, parameters.mtp())] {
            let part = ledger.parameters_of(place, component.group());
            assert!(part.active <= part.held && part.held <= total);
        }
    }
    for convention in presets_and(convention) {
        for recompute in [Recompute::None, Recompute::Full] {
            let not_counted = |error: &Error| error.is_overflow() || error.is_not_applicable();
            let cost = or_says(ledger.cost_with(convention, Recipe::recomputing(recompute)), not_counted);
            let count = cost.as_ref().and_then(|cost| counted(cost, tokens.batch()));
            if recompute == Recompute::None {
                accounted(&ledger, convention, tokens.batch(), count);
            }
        }
    }
}

/// An overflow, too many logits, or a source where there is no encoder.
fn is_of_a_batch(error: &Error) -> bool {
    error.is_overflow() || error.is_invalid_argument() || error.is_invalid_batch()
}

/// The count of a batch, or an error that says why there is none.
pub fn counted(cost: &Cost, batch: Batch<'_>) -> Option<Count> {
    let count = or_says(cost.count(batch), is_of_a_batch)?;
    assert!(count.forward <= count.training && count.training <= count.hardware);
    assert!(count.attention_core() <= count.training);
    assert_eq!(count.training_flops_per_token().is_some(), count.tokens > 0);
    assert!(count.training_flops_per_token().is_none_or(f64::is_finite));
    reads(&count.training);
    or_says(count.checked_add(count), Error::is_overflow);
    Some(count)
}

/// The two accounts of a batch: possible wherever the count is.
fn accounted(ledger: &Ledger, convention: Convention, batch: Batch<'_>, count: Option<Count>) {
    let known = |error: &Error| error.is_not_applicable() || is_of_a_batch(error);
    let breakdown = or_says(ledger.breakdown(convention, batch), known);
    if let Some(breakdown) = &breakdown {
        reads(breakdown);
    }
    if let Some(count) = count {
        assert_eq!(breakdown.map(|breakdown| breakdown.total()), Some(count.training));
    }
    for (from, to) in [(Convention::EXACT, convention), (convention, Convention::PALM_2022)] {
        if let Some(reconciliation) = or_says(ledger.reconcile(from, to, batch), known) {
            reads(&reconciliation);
        }
    }
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn architectures_of_any_numbers(
        (hidden, vocab, encoder) in (number(), number(), prop::bool::weighted(0.2)), calls in vec(call(), 0..6),
        convention in convention(), tokens in tokens(),
    ) {
        let begin = if encoder { Architecture::encoder } else { Architecture::decoder };
        let builder = calls.into_iter().fold(begin(hidden, vocab), |builder, call| call.on(builder));
        let _ = format!("{builder:?}");
        if let Some(architecture) = or_says(builder.build(), Error::is_invalid_architecture) {
            examine(&architecture, convention, &tokens);
        }
    }

    #[test]
    fn batches_of_any_numbers(draft in draft(), convention in convention(), tokens in tokens()) {
        examine(&draft.build(), convention, &tokens);
    }

    #[test]
    fn one_extreme_in_a_model_that_is_fine_otherwise(
        block in hostile_block(), depth in extreme(), tokens in tokens(), convention in convention(),
    ) {
        let builder = Architecture::decoder(64, 100).layers(depth, Layer::new().with(block));
        if let Some(architecture) = or_says(builder.build(), Error::is_invalid_architecture) {
            examine(&architecture, convention, &tokens);
        }
    }
}

#[test]
fn every_model_of_the_catalog_at_every_extreme() {
    let extremes = [0, 1, 1 << 32, 1 << 63, u64::MAX];
    for model in catalog::all() {
        let ledger = model.ledger().unwrap();
        for &(_, convention) in Convention::presets() {
            let cost = ledger.cost(convention).unwrap();
            for (sequences, length) in extremes.into_iter().flat_map(|n| extremes.map(|length| (n, length))) {
                let batch = Batch::uniform(sequences, length);
                let counted = counted(&cost, batch);
                let after = [0, 1, u64::MAX].map(|cached| self::counted(&cost, batch.after(cached)));
                // What follows a prefix is never less than what follows none.
                assert!(counted.is_some() || after.iter().all(Option::is_none));
                // A step of 2³² tokens, or as many sequences of one, fits.
                assert!(counted.is_some() || u128::from(sequences) * u128::from(length) > 1 << 32);
            }
        }
    }
}

#[test]
fn an_overflow_is_named() {
    let most = u64::MAX;
    let layer = || Layer::pre_norm(Attention::multi_head(1, 1), FeedForward::plain(1));
    let overflows = |builder: ArchitectureBuilder| {
        let error = builder.build().unwrap().ledger().unwrap_err();
        says(&error);
        error.is_overflow()
    };
    assert!(overflows(Architecture::decoder(most, most).layer(layer())));
    assert!(overflows(Architecture::decoder(1, 1).layers(1 << 63, layer())), "its norms occur 2·2^63 times");
    assert!(overflows(Architecture::decoder(1 << 33, 1).layer(Layer::new().with(FeedForward::plain(1 << 33)))));
    // 2^64 − 1 layers, each of one line of one parameter, fit.
    let thin = Architecture::decoder(1, 1).layers(most, Layer::new().with(Norm::rms())).without_final_norm();
    let thin = thin.build().unwrap().ledger().unwrap();
    assert_eq!(thin.parameters().total(), u128::from(most) + 2);

    // One more layer does not.
    for builder in [
        Architecture::decoder(1, 1).layers(most, layer()).layer(layer()),
        Architecture::decoder(1, 1).layers(most, layer()).layer(Layer::new()),
        Architecture::decoder(1, 1).repeat(most, [layer(), layer()]),
    ] {
        let error = builder.build().unwrap_err();
        says(&error);
        assert!(error.is_invalid_architecture() && error.to_string().contains("layers"), "{error}");
    }

    let cost = thin.cost(Convention::PALM_2022).unwrap();
    let error = cost.count(Batch::uniform(most, most)).unwrap_err();
    says(&error);
    assert!(error.is_overflow());
    let step = Architecture::decoder(1, 1).layer(Layer::new()).build().unwrap().cost(Convention::EXACT).unwrap();
    // 6·(2^64 − 1)² for the head is more than 2^128; a fifth of the sequences is less.
    assert!(step.count(Batch::uniform(most, most)).unwrap_err().is_overflow());
    let many = step.count(Batch::uniform(most / 8, most)).unwrap();
    assert_eq!(many.training.get(), 6 * u128::from(most / 8) * u128::from(most));
    assert!(sum_overflows(many));
}

/// Whether doubling the count often enough overflows, as it must.
fn sum_overflows(mut count: Count) -> bool {
    for _ in 0..128 {
        match count.checked_add(count) {
            Ok(sum) => count = sum,
            Err(error) => {
                says(&error);
                return error.is_overflow();
            }
        }
    }
    false
}
