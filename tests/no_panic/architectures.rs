//! Architectures.

use super::*;

type Numbers = [u64; 8];

/// Every constructor of every block, with any numbers.
fn hostile_block() -> impl Strategy<Value = Block> {
    let numbers = prop::array::uniform8(number());
    (0..17_u16, numbers, any::<u16>(), norm(), select(Component::ALL)).prop_map(|(kind, numbers, flags, norm, part)| {
        match kind {
            0 => norm.width(numbers[0]).into(),
            1 => hostile_attention(numbers, flags).into(),
            2 => hostile_latent_attention(numbers, flags).into(),
            3 => hostile_feed_forward(numbers[0], flags).into(),
            4 => hostile_experts(numbers, flags).into(),
            5 => Linear::new(numbers[0], numbers[1]).bias().into(),
            6 => Linear::new(numbers[0], numbers[1]).part_of(part).into(),
            7 => Weights::new(numbers[0], part).into(),
            8 => HyperConnection::new(numbers[0]).into(),
            9..15 => hostile_mixer(kind - 9, numbers, flags),
            15 => hostile_compressed_attention(numbers, flags).into(),
            _ => Block::reused(Block::reused(hostile_attention(numbers, flags))),
        }
    })
}

fn hostile_attention(numbers: Numbers, flags: u16) -> Attention {
    let [heads, kv_heads, head_dim, value_dim, input_width, reach, buckets, _] = numbers;
    let flag = |bit: u16| flags & (1 << bit) != 0;
    let attention = match flags % 4 {
        _ if flag(10) => Attention::experts(heads, input_width.min(heads), kv_heads, head_dim),
        _ if flag(11) && flag(12) => Attention::experts(heads, input_width, kv_heads, head_dim),
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
    let attention = match flags >> 13 {
        0 | 1 => attention.keys_as_values(),
        2 | 3 => attention.earlier_keys_and_values(),
        4 => attention.value_dim(head_dim).keys_as_values(),
        _ => attention,
    };
    match flags >> 6 & 3 {
        _ if flag(9) && flag(11) => attention.cross(),
        0 => attention,
        1 => attention.window(reach),
        2 => attention.chunk(reach),
        _ => attention.bidirectional(),
    }
}

fn hostile_latent_attention(numbers: Numbers, flags: u16) -> LatentAttention {
    let [heads, kv_rank, nope_dim, rope_dim, value_dim, query_rank, reach, indexers] = numbers;
    let attention = LatentAttention::new(heads, kv_rank, nope_dim, rope_dim, value_dim);
    let attention = if flags & 8 == 0 { attention } else { attention.gated_per_head() };
    match flags % 8 {
        0 => attention,
        1 => attention.query_rank(query_rank).bias(),
        2 => attention.window(reach),
        3 => attention.top_k(reach),
        4 => attention.query_rank(query_rank).indexer(indexers, query_rank, reach),
        5 => attention.query_rank(query_rank).indexer(indexers, indexers, reach).window(reach),
        6 => attention.indexer(indexers, query_rank, reach),
        _ => attention.bidirectional(),
    }
}

fn hostile_compressed_attention(numbers: Numbers, flags: u16) -> CompressedAttention {
    let [heads, head_dim, query_rank, groups, output_rank, window, ratio, top_k] = numbers;
    let heads = if flags & 1 == 0 { heads } else { heads.saturating_mul(groups) };
    let attention = CompressedAttention::new(heads, head_dim, query_rank, groups, output_rank, window);
    match flags >> 1 & 3 {
        0 => attention,
        1 => attention.compressed(ratio),
        2 => attention.indexed(ratio, heads, head_dim, top_k),
        _ => attention.indexed(ratio, query_rank, output_rank, top_k),
    }
}

fn hostile_mixer(kind: u16, numbers: Numbers, flags: u16) -> Block {
    let [heads, head_dim, state, groups, kernel, rank, ..] = numbers;
    let flag = |bit: u16| flags & (1 << bit) != 0;
    let whole = if flag(0) { heads } else { heads.saturating_mul(groups) };
    match kind {
        0 if flag(1) => Mamba::new(heads, state, kernel, rank).bias().conv_bias().norms().into(),
        0 => Mamba::new(heads, state, kernel, rank).into(),
        1 if flag(1) => Mamba2::new(whole, head_dim, state, groups, kernel).bias().conv_bias().norm().into(),
        1 => Mamba2::new(whole, head_dim, state, groups, kernel).into(),
        2 => GatedDeltaNet::new(groups, head_dim, whole, state, kernel).into(),
        3 if flag(1) => KimiDeltaAttention::new(heads, head_dim, kernel).full_rank_gates().into(),
        3 => KimiDeltaAttention::new(heads, head_dim, kernel).into(),
        4 => LightningAttention::new(heads, head_dim).into(),
        _ if flag(1) => ShortConvolution::new(kernel).bias().into(),
        _ => ShortConvolution::new(kernel).into(),
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
    /// What reads a source, and an encoder that makes one: without both, neither is built.
    Pair(u64, Layer, Attention),
    Repeat(u64, Vec<Layer>),
    Mtp(u64, Layer, bool),
    EmbeddingWidth(u64),
    Positions(u64),
    PaddedVocab(u64),
    TokenTypes(u64),
    PerLayerEmbedding(u64, u64),
    ResidualStreams(u64),
    HeadTransform(Norm),
    Norms(Norm, bool),
    Flag(u8),
}

impl Call {
    fn on(self, builder: ArchitectureBuilder) -> ArchitectureBuilder {
        match self {
            Self::Layers(count, layer) => builder.layers(count, layer),
            Self::EncoderLayers(count, layer) => builder.encoder_layers(count, layer),
            Self::Pair(count, layer, attention) => {
                builder.encoder_layers(count, layer).layers(count, Layer::new().with(attention.cross()))
            }
            Self::Repeat(times, layers) => builder.repeat(times, layers),
            Self::Mtp(depth, layer, false) => builder.mtp(Mtp::new(depth, layer)),
            Self::Mtp(depth, layer, true) => builder.mtp(Mtp::new(depth, layer).own_embedding().own_head()),
            Self::EmbeddingWidth(width) => builder.embedding_width(width),
            Self::Positions(rows) => builder.positions(rows),
            Self::PaddedVocab(multiple) => builder.padded_vocab(multiple),
            Self::TokenTypes(rows) => builder.token_types(rows),
            Self::PerLayerEmbedding(vocab, width) => builder.per_layer_embedding(vocab, width),
            Self::ResidualStreams(streams) => builder.residual_streams(streams),
            Self::HeadTransform(norm) => builder.head_transform(norm),
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
        3 => (number(), vec(hostile_layer(), 0..3)).prop_map(|(times, layers)| Call::Repeat(times, layers)),
        1 => (number(), hostile_layer()).prop_map(|(count, layer)| Call::EncoderLayers(count, layer)),
        2 => (number(), prop_oneof![layer(), hostile_layer()], attention())
            .prop_map(|(count, layer, attention)| Call::Pair(count, layer, attention)),
        1 => (number(), hostile_layer(), any::<bool>()).prop_map(|(depth, layer, owns)| Call::Mtp(depth, layer, owns)),
        1 => number().prop_map(Call::EmbeddingWidth),
        1 => number().prop_map(Call::Positions),
        1 => number().prop_map(Call::PaddedVocab),
        1 => number().prop_map(Call::TokenTypes),
        1 => (number(), number()).prop_map(|(vocab, width)| Call::PerLayerEmbedding(vocab, width)),
        1 => number().prop_map(Call::ResidualStreams),
        1 => norm().prop_map(Call::HeadTransform),
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
    source: Option<Result<u64, Vec<u64>>>,
    cached: u64,
    logits: Option<u64>,
}

impl Tokens {
    /// The batch with its source, where it has one.
    pub fn batch(&self) -> Batch<'_> {
        let batch = self.without_source();
        match &self.source {
            Some(Ok(length)) => batch.source(*length),
            Some(Err(lengths)) => batch.sources(lengths),
            None => batch,
        }
    }

    /// The batch as it is for a model that reads a source, or for one that reads none.
    pub fn fitting(&self, reads_source: bool) -> Batch<'_> {
        match &self.source {
            _ if !reads_source => self.without_source(),
            Some(_) => self.batch(),
            None => self.without_source().source(self.length),
        }
    }

    fn without_source(&self) -> Batch<'_> {
        let batch = match &self.documents {
            Some(documents) => Batch::packed(documents),
            None => Batch::uniform(self.sequences, self.length),
        };
        let batch = batch.after(self.cached);
        self.logits.map_or(batch, |positions| batch.logits(positions))
    }
}

pub fn tokens() -> impl Strategy<Value = Tokens> {
    let documents = proptest::option::of(vec(number(), 0..4));
    let logits = proptest::option::weighted(0.2, number());
    let source = prop_oneof![4 => number().prop_map(Ok), 1 => vec(number(), 0..4).prop_map(Err)];
    let source = proptest::option::weighted(0.5, source);
    (number(), number(), documents, source, prop_oneof![Just(0), number()], logits).prop_map(
        |(sequences, length, documents, source, cached, logits)| Tokens {
            sequences,
            length,
            documents,
            source,
            cached,
            logits,
        },
    )
}

/// Everything that can be asked about an architecture.
pub fn examine(architecture: &Architecture, convention: Convention, tokens: &Tokens) {
    let _ = (architecture.hidden(), architecture.vocab(), architecture.padded_vocab(), architecture.is_tied());
    assert_eq!(architecture.runs().map(|(_, layers)| u128::from(layers)).sum::<u128>(), architecture.depth().into());
    let reads_source = architecture.encoder_runs().count() > 0;
    let Some(ledger) = or_says(architecture.ledger(), Error::is_overflow) else {
        return;
    };
    reads(&ledger);
    let parameters = ledger.parameters();
    assert!(parameters.active() <= parameters.total() && parameters.total() <= parameters.total_with_mtp());
    assert!(parameters.active_without_embeddings() <= parameters.active_without_embedding());
    for component in Component::ALL {
        let (total, mtp) = (parameters.total(), parameters.mtp());
        for (place, total) in [(Place::Trunk, total), (Place::Encoder, total), (Place::Mtp, mtp)] {
            let part = ledger.parameters_of(place, component.group());
            assert!(part.active <= part.held && part.held <= total);
        }
    }
    for convention in presets_and(convention) {
        for recompute in [Recompute::None, Recompute::Full] {
            let not_counted = |error: &Error| error.is_overflow() || error.is_not_applicable();
            let cost = or_says(ledger.cost_with(convention, Recipe::recomputing(recompute)), not_counted);
            let batch = tokens.fitting(reads_source);
            let count = cost.as_ref().and_then(|cost| counted(cost, batch));
            if recompute == Recompute::None {
                accounted(&ledger, convention, batch, count);
            }
            if let Some(cost) = cost.filter(|_| reads_source != tokens.source.is_some()) {
                let error = cost.count(tokens.batch()).unwrap_err();
                says(&error);
                assert!(error.is_invalid_batch() && error.to_string().contains("source"), "{error}");
            }
        }
    }
}

/// The count of a batch, or an error that names an overflow, too many logits, or source lengths of another number.
pub fn counted(cost: &Cost, batch: Batch<'_>) -> Option<Count> {
    let known = |error: &Error| error.is_overflow() || error.is_invalid_argument() || unlike_sources(error);
    let count = or_says(cost.count(batch), known)?;
    assert!(count.forward <= count.training && count.training <= count.hardware);
    assert!(count.attention_core() <= count.training);
    assert_eq!(count.training_flops_per_token().is_some(), count.tokens > 0);
    assert!(count.training_flops_per_token().is_none_or(f64::is_finite));
    reads(&count.training);
    or_says(count.checked_add(count), Error::is_overflow);
    Some(count)
}

fn unlike_sources(error: &Error) -> bool {
    error.is_invalid_batch() && error.to_string().contains("source lengths for")
}

/// The two accounts of a batch: possible wherever the count is.
fn accounted(ledger: &Ledger, convention: Convention, batch: Batch<'_>, count: Option<Count>) {
    let known = |error: &Error| {
        error.is_overflow() || error.is_not_applicable() || error.is_invalid_argument() || unlike_sources(error)
    };
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
    fn one_extreme_in_an_encoder_or_what_reads_it(
        block in hostile_block(), in_encoder in any::<bool>(), depth in extreme(), tokens in tokens(),
        (attention, convention) in (attention(), convention()),
    ) {
        let (hostile, cross) = (Layer::new().with(block), Layer::new().with(attention.cross()));
        let (encoder, decoder) = if in_encoder { (hostile, Layer::new()) } else { (Layer::new(), hostile) };
        let builder = Architecture::decoder(64, 100).encoder_layers(1, Layer::new()).encoder_layers(depth, encoder);
        let builder = builder.layers(depth, decoder).layer(cross);
        if let Some(architecture) = or_says(builder.build(), Error::is_invalid_architecture) {
            examine(&architecture, convention, &tokens);
        }
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

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn sources_of_any_numbers(pair in pair(), convention in convention(), tokens in tokens()) {
        examine(&pair.build(), convention, &tokens);
    }
}

#[test]
fn every_model_of_the_catalog_at_every_extreme() {
    let extremes = [0, 1, 1 << 32, 1 << 63, u64::MAX];
    for model in catalog::all() {
        let ledger = model.ledger().unwrap();
        for convention in presets() {
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
