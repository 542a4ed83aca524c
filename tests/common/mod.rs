//! What the property tests draw from: architectures, conventions and batches of every shape, small enough that nothing
//! overflows.
#![allow(dead_code, reason = "each test binary draws from a part of this")]

use mfu::{
    Architecture, ArchitectureBuilder, Attention, Basis, Batch, Block, Component, CompressedAttention, Convention,
    Core, Count, Domain, Experts, FeedForward, FlopCount, GatedDeltaNet, Group, Hardware, HyperConnection, Inclusion,
    KimiDeltaAttention, LatentAttention, Layer, Ledger, LightningAttention, Linear, Mamba, Mamba2, Mtp, MtpParts, Norm,
    ShortConvolution, Span, Weights, Windows, Work,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// So many cases, and no file that remembers the failing ones.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A width, a rank, a number of rows.
pub fn size() -> impl Strategy<Value = u64> {
    1..=40_u64
}

/// The width of a window or chunk, on either side of most lengths.
pub fn reach() -> impl Strategy<Value = u64> {
    prop_oneof![1..=8_u64, 1..=96_u64]
}

/// The number of tokens of a sequence, none included.
pub fn length() -> impl Strategy<Value = u64> {
    0..=64_u64
}

/// Documents, possibly none, possibly empty ones.
pub fn lengths() -> impl Strategy<Value = Vec<u64>> {
    vec(length(), 0..=6)
}

/// A change, and whether it is made.
type Change<T> = (bool, fn(T) -> T);

fn changed<T, const N: usize>(value: T, changes: [Change<T>; N]) -> T {
    changes.into_iter().filter(|(wanted, _)| *wanted).fold(value, |value, (_, change)| change(value))
}

// ------------------------------------------------------------------------------------------------------- architectures

pub fn norm() -> impl Strategy<Value = Norm> {
    let kinds = [Norm::rms(), Norm::layer(), Norm::layer_without_bias(), Norm::unweighted()];
    (select(kinds.to_vec()), option::of(size()))
        .prop_map(|(norm, width)| width.map_or(norm, |channels| norm.width(channels)))
}

/// Causal attention with every other option.
pub fn attention() -> impl Strategy<Value = Attention> {
    let heads = (1..=4_u64, 1..=4_u64, 1..=16_u64, option::weighted(0.2, 0..=3_u64));
    let widths = (option::of(size()), option::of(size()), option::weighted(0.2, size()));
    (heads, widths, any::<[bool; 5]>(), 0..4, 0..3, any::<bool>(), 0..5).prop_map(
        |(heads, widths, [query, key, value, output, gate_bias], norm, gate, sinks, keys)| {
            let ((groups, kv_heads, head_dim, idle), (value_dim, input_width, buckets)) = (heads, widths);
            let attention = match (groups, idle) {
                (_, Some(idle)) => Attention::experts(groups + idle, groups, kv_heads, head_dim),
                (1, None) => Attention::multi_head(kv_heads, head_dim),
                _ if kv_heads == 1 => Attention::multi_query(groups, head_dim),
                _ => Attention::grouped(groups * kv_heads, kv_heads, head_dim),
            };
            // Keys that serve as values are as wide.
            let value_dim = value_dim.filter(|_| keys != 1);
            let attention = value_dim.map_or(attention, |width| attention.value_dim(width));
            let attention = input_width.map_or(attention, |width| attention.input_width(width));
            let attention = buckets.map_or(attention, |buckets| attention.position_bias(buckets));
            changed(
                attention,
                [
                    (query, Attention::query_bias),
                    (key, Attention::key_bias),
                    (value, Attention::value_bias),
                    (output, Attention::output_bias),
                    (gate_bias, Attention::gate_bias),
                    (norm == 1, Attention::qk_norm),
                    (norm == 2, Attention::qk_norm_whole_width),
                    (norm == 3, Attention::qk_layer_norm),
                    (gate == 1, Attention::gated),
                    (gate == 2, Attention::gated_per_head),
                    (sinks, Attention::sinks),
                    (keys == 1, Attention::keys_as_values),
                    (keys == 2, Attention::earlier_keys_and_values),
                ],
            )
        },
    )
}

/// Causal latent attention with every other option.
pub fn latent_attention() -> impl Strategy<Value = LatentAttention> {
    let dims = (1..=8_u64, size(), 1..=16_u64, 0..=8_u64, 1..=16_u64);
    (dims, option::of(size()), any::<[bool; 2]>()).prop_map(
        |((heads, kv_rank, nope, rope, value), query_rank, [bias, gated])| {
            let attention = LatentAttention::new(heads, kv_rank, nope, rope, value);
            let attention = query_rank.map_or(attention, |rank| attention.query_rank(rank));
            changed(attention, [(bias, LatentAttention::bias), (gated, LatentAttention::gated_per_head)])
        },
    )
}

/// Attention whose mask is its own: an indexer's choice of keys, or compressed ones beside a window.
pub fn selective_attention() -> impl Strategy<Value = Block> {
    let latent = (latent_attention(), size(), (1..=4_u64, 1..=8_u64, reach()), any::<bool>()).prop_map(
        |(attention, rank, (heads, head_dim, top_k), has_indexer)| {
            let indexed = attention.query_rank(rank).indexer(heads, head_dim, top_k);
            Block::from(if has_indexer { indexed } else { attention.top_k(top_k) })
        },
    );
    let indexer = (1..=4_u64, 1..=8_u64, reach());
    let compressed = (compressed_attention(), 0..3, reach(), indexer).prop_map(
        |(attention, kind, ratio, (heads, head_dim, top_k))| match kind {
            0 => attention.into(),
            1 => attention.compressed(ratio).into(),
            _ => attention.indexed(ratio, heads, head_dim, top_k).into(),
        },
    );
    prop_oneof![latent, compressed]
}

/// Attention to a window alone, with an output in groups.
pub fn compressed_attention() -> impl Strategy<Value = CompressedAttention> {
    (1..=3_u64, 1..=3_u64, 1..=8_u64, size(), size(), reach()).prop_map(
        |(groups, heads, head_dim, query_rank, output_rank, window)| {
            CompressedAttention::new(groups * heads, head_dim, query_rank, groups, output_rank, window)
        },
    )
}

/// Every mixer without softmax attention, with every option.
pub fn mixer() -> impl Strategy<Value = Block> {
    let sizes = (1..=4_u64, 1..=4_u64, 1..=8_u64, 1..=8_u64, 1..=5_u64);
    (0..6, sizes, any::<[bool; 4]>()).prop_map(
        |(kind, (groups, heads, dim, state, kernel), [one, two, three, four])| match kind {
            0 => changed(
                Mamba::new(heads * dim, state, kernel, groups),
                [(one, Mamba::bias), (two, Mamba::conv_bias), (three, Mamba::norms)],
            )
            .into(),
            1 => changed(
                Mamba2::new(groups * heads, dim, state, groups, kernel),
                [
                    (one, Mamba2::input_bias),
                    (two, Mamba2::output_bias),
                    (three, Mamba2::conv_bias),
                    (four, Mamba2::norm),
                    (one && four, Mamba2::without_convolution),
                ],
            )
            .into(),
            2 => GatedDeltaNet::new(groups, dim, groups * heads, state, kernel).into(),
            3 => {
                let mixer = KimiDeltaAttention::new(heads, dim, kernel);
                changed(mixer, [(one, KimiDeltaAttention::full_rank_gates)]).into()
            }
            4 => LightningAttention::new(heads, dim).into(),
            _ => changed(ShortConvolution::new(kernel), [(one, ShortConvolution::bias)]).into(),
        },
    )
}

/// What a matrix or weights of a layer may be part of: not what stands around the layers, nor what has pairs.
pub fn part_of_a_layer() -> impl Strategy<Value = Component> {
    const ELSEWHERE: [Group; 4] = [Group::Embedding, Group::AttentionCore, Group::Mtp, Group::LmHead];
    let parts = Component::ALL.iter().copied().filter(|component| {
        !ELSEWHERE.contains(&component.group()) && ![Component::MtpNorm, Component::IndexerScores].contains(component)
    });
    select(parts.collect::<Vec<_>>())
}

pub fn feed_forward() -> impl Strategy<Value = FeedForward> {
    (size(), any::<[bool; 3]>()).prop_map(|(width, [gated, up_bias, down_bias])| {
        let block = if gated { FeedForward::gated(width) } else { FeedForward::plain(width) };
        changed(block, [(up_bias, FeedForward::up_bias), (down_bias, FeedForward::down_bias)])
    })
}

pub fn experts() -> impl Strategy<Value = Experts> {
    let counts = (1..=6_u64, 0..=4_u64, option::of(0..=3_u64));
    let shared = option::of((1..=3_u64, feed_forward(), any::<bool>()));
    (counts, feed_forward(), shared, option::of(size()), any::<bool>()).prop_map(
        |((top_k, idle, empty), expert, shared, latent, router_bias)| {
            let count = top_k + idle;
            let block = Experts::new(count, top_k, expert);
            let block = match shared {
                Some((several, expert, gated)) => {
                    let block = if several == 1 { block.shared(expert) } else { block.shared_experts(several, expert) };
                    changed(block, [(gated, Experts::shared_gate)])
                }
                None => block,
            };
            let block = latent.map_or(block, |width| block.latent(width));
            let block = empty.map_or(block, |empty| block.router_width(count + empty));
            changed(block, [(router_bias, Experts::router_bias)])
        },
    )
}

pub fn linear() -> impl Strategy<Value = Linear> {
    (size(), size(), any::<bool>(), option::of(part_of_a_layer())).prop_map(|(inputs, outputs, bias, part)| {
        let linear = changed(Linear::new(inputs, outputs), [(bias, Linear::bias)]);
        part.map_or(linear, |part| linear.part_of(part))
    })
}

/// Any kind of block, its attention causal; one in a while with the parameters of another.
pub fn block() -> impl Strategy<Value = Block> {
    let held = prop_oneof![
        2 => norm().prop_map(Block::from),
        4 => attention().prop_map(Block::from),
        3 => latent_attention().prop_map(Block::from),
        3 => mixer(),
        2 => feed_forward().prop_map(Block::from),
        3 => experts().prop_map(Block::from),
        1 => (1..=4_u64).prop_map(|streams| HyperConnection::new(streams).into()),
        1 => linear().prop_map(Block::from),
        1 => (size(), part_of_a_layer()).prop_map(|(count, part)| Weights::new(count, part).into()),
    ];
    held_or_reused(held)
}

fn held_or_reused(held: impl Strategy<Value = Block>) -> impl Strategy<Value = Block> {
    (held, prop::bool::weighted(0.15)).prop_map(|(block, reused)| if reused { Block::reused(block) } else { block })
}

/// A layer of a few blocks, none included.
pub fn layer() -> impl Strategy<Value = Layer> {
    vec(block(), 0..=5).prop_map(|blocks| blocks.into_iter().fold(Layer::new(), Layer::with))
}

/// A layer of a decoder, of which some attention has a mask of its own.
fn decoder_layer() -> impl Strategy<Value = Layer> {
    let block = prop_oneof![6 => block(), 1 => held_or_reused(selective_attention())];
    vec(block, 0..=5).prop_map(|blocks| blocks.into_iter().fold(Layer::new(), Layer::with))
}

pub fn span() -> impl Strategy<Value = Span> {
    prop_oneof![
        Just(Span::Causal),
        Just(Span::Bidirectional),
        reach().prop_map(Span::Window),
        reach().prop_map(Span::Chunk),
        reach().prop_map(Span::TopK),
    ]
}

/// An architecture before it is built. Its blocks are causal until [`spans`](Self::spans) say otherwise, so that one
/// draft may be built with other spans.
#[derive(Clone, Debug)]
pub struct Draft {
    pub frame: Frame,
    /// Layers in turn, so many times.
    pub patterns: Vec<(u64, Vec<Layer>)>,
    /// Dealt out in turn to the attention blocks.
    pub spans: Vec<Span>,
    /// The number of modules, the layer of each, and whether each owns a head and an embedding.
    pub mtp: Option<(u64, Layer, [bool; 2])>,
}

/// Everything around the layers.
#[derive(Clone, Debug)]
pub struct Frame {
    pub encoder: bool,
    pub hidden: u64,
    pub vocab: u64,
    pub padded_to: Option<u64>,
    pub embedding_width: Option<u64>,
    pub positions: u64,
    pub embedding_norm: Option<Norm>,
    pub final_norm: FinalNorm,
    pub head: Head,
    pub tied: bool,
    pub token_types: u64,
    /// The rows and channels of an embedding for each layer.
    pub per_layer: Option<(u64, u64)>,
    pub streams: Option<u64>,
    pub head_transform: Option<Norm>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalNorm {
    AsInLayers,
    Given(Norm),
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    Plain,
    Biased,
    None,
}

impl Frame {
    /// The rows and columns of the embedding and of the head, in one number.
    pub fn table(&self) -> u64 {
        let rows = self.padded_to.map_or(self.vocab, |multiple| self.vocab.next_multiple_of(multiple));
        rows * self.embedding_width.unwrap_or(self.hidden)
    }

    /// The builder with everything but layers.
    pub fn builder(&self) -> ArchitectureBuilder {
        let begin = if self.encoder { Architecture::encoder } else { Architecture::decoder };
        let mut builder = begin(self.hidden, self.vocab);
        if let Some(multiple) = self.padded_to {
            builder = builder.padded_vocab(multiple);
        }
        if let Some(width) = self.embedding_width {
            builder = builder.embedding_width(width);
        }
        if let Some(norm) = self.embedding_norm {
            builder = builder.embedding_norm(norm);
        }
        builder = match self.final_norm {
            FinalNorm::AsInLayers => builder,
            FinalNorm::Given(norm) => builder.final_norm(norm),
            FinalNorm::None => builder.without_final_norm(),
        };
        builder = match self.head {
            Head::Plain => builder,
            Head::Biased => builder.head_bias(),
            Head::None => builder.without_head(),
        };
        if self.tied {
            builder = builder.tied();
        }
        if let Some((vocab, width)) = self.per_layer {
            builder = builder.per_layer_embedding(vocab, width);
        }
        if let Some(streams) = self.streams {
            builder = builder.residual_streams(streams);
        }
        if let Some(norm) = self.head_transform {
            builder = builder.head_transform(norm);
        }
        builder.positions(self.positions).token_types(self.token_types)
    }

    /// The same without what the trunk has and a module of multi-token prediction has not.
    pub fn bare(self) -> Self {
        Self { per_layer: None, streams: None, head_transform: None, ..self }
    }
}

impl Draft {
    /// The builder with everything but layers.
    pub fn builder(&self) -> ArchitectureBuilder {
        let builder = self.frame.builder();
        let Some((depth, layer, [head, embedding])) = &self.mtp else {
            return builder;
        };
        let mtp = Mtp::new(*depth, spanned(layer, &mut self.deal()));
        builder.mtp(changed(mtp, [(*head, Mtp::own_head), (*embedding, Mtp::own_embedding)]))
    }

    /// The patterns with spans dealt out.
    pub fn patterns(&self) -> Vec<(u64, Vec<Layer>)> {
        let mut deal = self.deal();
        let mut spanned = |layers: &[Layer]| layers.iter().map(|layer| spanned(layer, &mut deal)).collect();
        self.patterns.iter().map(|(times, layers)| (*times, spanned(layers))).collect()
    }

    /// Every layer of the trunk by itself.
    pub fn layers(&self) -> Vec<Layer> {
        let turns = |(times, layers): (u64, Vec<Layer>)| (0..times).flat_map(move |_| layers.clone());
        self.patterns().into_iter().flat_map(turns).collect()
    }

    pub fn build(&self) -> Architecture {
        let repeat = |builder: ArchitectureBuilder, (times, layers)| builder.repeat(times, layers);
        self.patterns().into_iter().fold(self.builder(), repeat).build().unwrap()
    }

    pub fn ledger(&self) -> Ledger {
        self.build().ledger().unwrap()
    }

    /// The same with this span for every attention block, and without those whose mask is their own.
    pub fn with_span(&self, span: Span) -> Self {
        self.without_own_masks().with_spans(&[span])
    }

    /// The same without attention whose mask is its own.
    pub fn without_own_masks(&self) -> Self {
        let without = |layer: &Layer| {
            layer.blocks().iter().filter(|block| !has_own_mask(block)).cloned().fold(Layer::new(), Layer::with)
        };
        let patterns = self.patterns.iter().map(|(times, layers)| (*times, layers.iter().map(without).collect()));
        let mtp = self.mtp.as_ref().map(|(depth, layer, owns)| (*depth, without(layer), *owns));
        Self { patterns: patterns.collect(), mtp, ..self.clone() }
    }

    /// The same with these spans, dealt out in turn.
    pub fn with_spans(&self, spans: &[Span]) -> Self {
        Self { spans: spans.to_vec(), ..self.clone() }
    }

    fn deal(&self) -> impl Iterator<Item = Span> + use<'_> {
        self.spans.iter().copied().cycle()
    }
}

/// The layer with the next span for each attention block.
fn spanned(layer: &Layer, spans: &mut impl Iterator<Item = Span>) -> Layer {
    let mut next = || spans.next().unwrap();
    layer.blocks().iter().fold(Layer::new(), |layer, block| layer.with(with_span(block, &mut next)))
}

/// Whether the block is attention whose mask is not a causal one that may be exchanged.
fn has_own_mask(block: &Block) -> bool {
    match block {
        Block::CompressedAttention(_) => true,
        Block::LatentAttention(attention) => {
            let model = Architecture::decoder(1, 1).layer(Layer::new().with(*attention)).build().unwrap();
            let lines = model.ledger().unwrap();
            lines.lines().iter().any(|line| matches!(line.work, Work::PerPair { span: Span::TopK(_), .. }))
        }
        Block::Reused(reused) => has_own_mask(reused.block()),
        _ => false,
    }
}

/// The causal block with the next span. Latent attention has no chunks, and takes a window of that width; attention of
/// the other kind chooses no keys, and sees as many of the last ones.
fn with_span(block: &Block, next: &mut impl FnMut() -> Span) -> Block {
    match block {
        block if has_own_mask(block) => block.clone(),
        Block::Attention(attention) => match next() {
            Span::Causal => *attention,
            Span::Bidirectional => attention.bidirectional(),
            Span::Window(width) | Span::TopK(width) => attention.window(width),
            Span::Chunk(width) => attention.chunk(width),
            span => panic!("no attention is built with a {span}"),
        }
        .into(),
        Block::LatentAttention(attention) => match next() {
            Span::Causal => *attention,
            Span::Bidirectional => attention.bidirectional(),
            Span::Window(width) | Span::Chunk(width) => attention.window(width),
            Span::TopK(top_k) => attention.top_k(top_k),
            span => panic!("no latent attention is built with a {span}"),
        }
        .into(),
        Block::Reused(reused) => Block::reused(with_span(reused.block(), next)),
        block => block.clone(),
    }
}

pub fn frame() -> impl Strategy<Value = Frame> {
    let sizes = (size(), 1..=200_u64, option::of(1..=64_u64), option::of(size()), 0..=32_u64);
    let final_norm = prop_oneof![Just(FinalNorm::AsInLayers), norm().prop_map(FinalNorm::Given), Just(FinalNorm::None)];
    let head = prop_oneof![3 => Just(Head::Plain), 2 => Just(Head::Biased), 1 => Just(Head::None)];
    let more = (
        prop_oneof![2 => Just(0), 1 => 1..=3_u64],
        option::weighted(0.3, (1..=50_u64, 1..=8_u64)),
        option::weighted(0.3, 1..=4_u64),
        option::weighted(0.3, norm()),
    );
    (prop::bool::weighted(0.2), sizes, option::of(norm()), final_norm, head, any::<bool>(), more).prop_map(
        |(encoder, sizes, embedding_norm, final_norm, head, tied, more)| {
            let (hidden, vocab, padded_to, embedding_width, positions) = sizes;
            let (token_types, per_layer, streams, head_transform) = more;
            Frame {
                encoder,
                hidden,
                vocab,
                padded_to,
                embedding_width,
                positions,
                embedding_norm,
                final_norm,
                head,
                tied: tied && head != Head::None,
                token_types,
                per_layer,
                streams,
                head_transform: head_transform.filter(|_| head != Head::None),
            }
        },
    )
}

/// Any architecture.
pub fn draft() -> impl Strategy<Value = Draft> {
    let patterns = vec((1..=4_u64, vec(decoder_layer(), 1..=3)), 1..=3);
    let mtp = option::of((1..=3_u64, decoder_layer(), any::<[bool; 2]>()));
    (frame(), patterns, vec(span(), 1..=4), mtp).prop_map(|(frame, patterns, spans, mtp)| {
        // Modules need a head, and stand beside no embedding width.
        let mtp = mtp.filter(|_| frame.head != Head::None && frame.embedding_width.is_none());
        let draft = Draft { frame, patterns, spans, mtp };
        // An encoder hides no keys.
        if draft.frame.encoder {
            draft.without_own_masks().with_spans(&[Span::Causal, Span::Bidirectional])
        } else {
            draft
        }
    })
}

/// Any decoder.
pub fn decoder() -> impl Strategy<Value = Draft> {
    (draft(), vec(span(), 1..=4)).prop_map(|(draft, spans)| Draft {
        frame: Frame { encoder: false, ..draft.frame },
        spans,
        ..draft
    })
}

/// An encoder–decoder before it is built: a decoder, and what makes and reads a source.
#[derive(Clone, Debug)]
pub struct Pair {
    pub draft: Draft,
    /// So many equal layers of the encoder in turn.
    pub encoder: Vec<(u64, Layer)>,
    /// The attention to the source, in a layer of its own at the end.
    pub cross: Block,
}

impl Pair {
    pub fn encoder_on(&self, builder: ArchitectureBuilder) -> ArchitectureBuilder {
        let layers = self.encoder.iter().cloned();
        layers.fold(builder, |builder, (times, layer)| builder.encoder_layers(times, layer))
    }

    pub fn decoder_on(&self, builder: ArchitectureBuilder) -> ArchitectureBuilder {
        let patterns = self.draft.patterns().into_iter();
        let builder = patterns.fold(builder, |builder, (times, layers)| builder.repeat(times, layers));
        builder.layer(Layer::new().with(self.cross.clone()))
    }

    pub fn build(&self) -> Architecture {
        self.decoder_on(self.encoder_on(self.draft.builder())).build().unwrap()
    }

    pub fn ledger(&self) -> Ledger {
        self.build().ledger().unwrap()
    }
}

/// Any encoder–decoder.
pub fn pair() -> impl Strategy<Value = Pair> {
    let cross = held_or_reused(attention().prop_map(|attention| attention.cross().into()));
    let encoder = vec((1..=3_u64, layer()), 1..=3);
    (decoder(), encoder, cross).prop_map(|(draft, encoder, cross)| Pair { draft, encoder, cross })
}

// --------------------------------------------------------------------------------------------------------- conventions

pub fn basis() -> impl Strategy<Value = Basis> {
    select(&[Basis::Out, Basis::Work, Basis::Active, Basis::Stored])
}

pub fn core() -> impl Strategy<Value = Core> {
    select(&[Core::Out, Core::Full, Core::Half, Core::Exact])
}

pub fn windows() -> impl Strategy<Value = Windows> {
    select(&[Windows::Ignored, Windows::Honoured, Windows::Exact])
}

fn inclusion() -> impl Strategy<Value = Inclusion> {
    select(&[Inclusion::In, Inclusion::Out])
}

/// Every axis at random.
pub fn convention() -> impl Strategy<Value = Convention> {
    let bases = (basis(), basis(), basis(), basis(), basis());
    let core = (core(), windows(), inclusion(), inclusion(), inclusion());
    let mtp = (inclusion(), inclusion(), inclusion()).prop_map(|(layer, projection, head)| MtpParts {
        layer,
        projection,
        head,
    });
    let hardware = select(&[Hardware::Performed, Hardware::WholeStep, Hardware::CoreTwice]);
    let domain = select(&[Domain::Any, Domain::HeadsFillHidden, Domain::GptLayers]);
    (bases, core, mtp, hardware, domain).prop_map(|(bases, core, mtp, hardware, domain)| {
        let (weights, embedding, head, router, latent_norms) = bases;
        let (core, windows, softmax, scan, scores_recomputed) = core;
        Convention {
            weights,
            embedding,
            head,
            router,
            latent_norms,
            core,
            windows,
            softmax,
            scan,
            scores_recomputed,
            mtp,
            hardware,
            domain,
        }
    })
}

/// Every axis at random but the domain: a rule for any model.
pub fn universal() -> impl Strategy<Value = Convention> {
    convention().prop_map(|convention| Convention { domain: Domain::Any, ..convention })
}

/// Every preset, taken to any model: what a formula was written for is held by tests of its own.
pub fn presets() -> impl Iterator<Item = Convention> {
    Convention::presets().iter().map(|&(_, preset)| Convention { domain: Domain::Any, ..preset })
}

/// One of them.
pub fn preset() -> impl Strategy<Value = Convention> {
    select(presets().collect::<Vec<_>>())
}

/// Every preset, and this rule.
pub fn presets_and(convention: Convention) -> impl Iterator<Item = Convention> {
    presets().chain([convention])
}

// -------------------------------------------------------------------------------------------------------------- counts

/// What the batch costs under the convention.
pub fn count<'b>(ledger: &Ledger, convention: Convention, batch: impl Into<Batch<'b>>) -> Count {
    ledger.cost(convention).unwrap().count(batch).unwrap()
}

/// The figures of a count, without what it says of how they came about.
pub fn figures(count: &Count) -> [u128; 5] {
    let [forward, training, hardware, core] =
        [count.forward, count.training, count.hardware, count.attention_core()].map(FlopCount::get);
    [count.tokens, forward, training, hardware, core]
}

/// The training FLOPs of the batch's attention core.
pub fn core_of<'b>(ledger: &Ledger, convention: Convention, batch: impl Into<Batch<'b>>) -> u128 {
    count(ledger, convention, batch).attention_core().get()
}

/// The sum of at least one count.
pub fn sum(counts: impl IntoIterator<Item = Count>) -> Count {
    counts.into_iter().reduce(|left, right| left.checked_add(right).unwrap()).unwrap()
}
