//! Every kind of block: small models against the counts of real implementations, and what none of those has against
//! values worked out by hand. Counts with `==`.

#[path = "common/measured.rs"]
mod measured;

use std::fmt::Display;
use std::iter;

use mfu::{
    Architecture, ArchitectureBuilder, Attention, Basis, Batch, Block, Component, Convention, Core, Experts,
    FeedForward, Group, HyperConnection, LatentAttention, Layer, Ledger, Linear, Mtp, MtpParts, Norm, Place, Weights,
    Windows,
};

/// A name of `data/blocks.csv`, and the model by hand from the configuration there.
type Model = (&'static str, fn() -> ArchitectureBuilder);

const MODELS: &[Model] = &[
    // LayerNorms, and one more on the embedding; a feed-forward of 4h; ALiBi holds nothing.
    ("bloom", || {
        let layer = Layer::pre_norm(Attention::multi_head(4, 16).bias(), FeedForward::plain(256).bias());
        decoder().layers(3, layer.with_norms(Norm::layer())).embedding_norm(Norm::layer()).tied()
    }),
    // One norm without a bias for both blocks; the norm on queries and keys has a weight for every channel.
    ("cohere", || {
        let layer = Layer::parallel(Attention::grouped(8, 2, 8).qk_norm_whole_width(), MLP);
        decoder().layers(3, layer.with_norms(Norm::layer_without_bias())).tied()
    }),
    // Latent attention without a low-rank query; two shared experts behind one dense layer.
    ("deepseek-v2-noq", || {
        let attention = LatentAttention::new(4, 20, 16, 8, 12);
        let experts = Experts::new(8, 2, NARROW).shared_experts(2, NARROW);
        decoder().layer(Layer::pre_norm(attention, MLP)).layers(3, Layer::pre_norm(attention, experts))
    }),
    // The same with a low-rank query and one shared expert. The configuration has a module of multi-token prediction,
    // which was not measured and must stay out of every figure.
    ("deepseek-v3", || {
        let attention = LatentAttention::new(4, 20, 16, 8, 12).query_rank(24);
        let sparse = Layer::pre_norm(attention, Experts::new(8, 2, NARROW).shared(NARROW));
        decoder().layer(Layer::pre_norm(attention, MLP)).layers(3, sparse.clone()).mtp(Mtp::new(1, sparse))
    }),
    // Sparse between two dense layers; the correction of the router is a parameter here, 8 a layer.
    ("ernie4.5-moe", || {
        let attention = Attention::grouped(8, 2, 8);
        let experts = Experts::new(8, 3, NARROW).shared_experts(2, NARROW).router_bias();
        let dense = Layer::pre_norm(attention, MLP);
        decoder().layer(dense.clone()).layers(3, Layer::pre_norm(attention, experts)).layer(dense).tied()
    }),
    // One key-value head, one norm for both blocks, a feed-forward of 4h.
    ("falcon-mqa", || {
        let layer = Layer::parallel(Attention::multi_query(8, 8), FeedForward::plain(256));
        decoder().layers(3, layer.with_norms(Norm::layer())).tied()
    }),
    // Heads that are together wider than the hidden size, four norms a layer, every other layer local.
    ("gemma2", || {
        let global = Attention::grouped(4, 2, 24);
        let [local, global] = [global.window(12), global].map(|attention| Layer::sandwich_norm(attention, MLP));
        decoder().repeat(3, [local, global]).tied()
    }),
    // Two local layers for each global one, and a norm on queries and keys.
    ("gemma3-text", || {
        let global = Attention::grouped(4, 2, 24).qk_norm();
        let [local, global] = [global.window(12), global].map(|attention| Layer::sandwich_norm(attention, MLP));
        decoder().repeat(2, [local.clone(), local, global]).tied()
    }),
    // Biases on queries, keys and values, none on the output. Multi-token prediction as for deepseek-v3.
    ("glm4-moe", || {
        let attention = Attention::grouped(8, 2, 24).qkv_bias().qk_norm();
        let sparse = Layer::pre_norm(attention, Experts::new(8, 2, NARROW).shared(NARROW));
        decoder().layer(Layer::pre_norm(attention, MLP)).layers(3, sparse.clone()).mtp(Mtp::new(1, sparse))
    }),
    // Both blocks side by side, each behind a norm of its own.
    ("gpt-neox", || {
        let layer = Layer::pre_norm(Attention::multi_head(8, 8).bias(), FeedForward::plain(176).bias());
        decoder().layers(3, layer.with_norms(Norm::layer()))
    }),
    // Every matrix has a bias, router and experts included, and every head a sink.
    ("gpt-oss", || {
        let global = Attention::grouped(8, 2, 16).bias().sinks();
        let experts = Experts::new(8, 2, FeedForward::gated(72).bias()).router_bias();
        let [local, global] = [global.window(12), global].map(|attention| Layer::pre_norm(attention, experts));
        decoder().repeat(2, [local, global])
    }),
    // 128 learned positions, and a head of its own.
    ("gpt2-untied", || {
        let layer = Layer::pre_norm(Attention::multi_head(4, 12).bias(), FeedForward::plain(192).bias());
        Architecture::decoder(48, 320).layers(2, layer.with_norms(Norm::layer())).positions(128)
    }),
    ("granitemoe", || {
        decoder().layers(3, Layer::pre_norm(Attention::grouped(8, 2, 8), Experts::new(8, 3, NARROW))).tied()
    }),
    // Heads of 12 where h/H is 8, one of keys and values; biases in the feed-forward alone.
    ("llama-mqa-headdim", || decoder().layers(3, Layer::pre_norm(Attention::multi_query(8, 12), MLP.bias()))),
    // Chunks of 12 in all but each fourth layer; dense and sparse in turn. The norm on queries and keys has no
    // weights.
    ("llama4-interleaved", || {
        let global = Attention::grouped(8, 2, 16);
        let expert = FeedForward::gated(48);
        let experts = Experts::new(6, 1, expert).shared(expert);
        decoder()
            .layer(Layer::pre_norm(global.chunk(12), MLP))
            .layer(Layer::pre_norm(global.chunk(12), experts))
            .layer(Layer::pre_norm(global.chunk(12), MLP))
            .layer(Layer::pre_norm(global, experts))
    }),
    ("llama4-sparse", || {
        let global = Attention::grouped(8, 2, 16);
        let expert = FeedForward::gated(48);
        let experts = Experts::new(4, 1, expert).shared(expert);
        let [local, global] = [global.chunk(12), global].map(|attention| Layer::pre_norm(attention, experts));
        decoder().layers(3, local.clone()).layer(global).layers(2, local)
    }),
    // Queries and keys of 24, values of 16; local layers have sinks and twice the key-value heads. The configuration
    // says 12, and this version of transformers lets a query see 12 keys beside its own: a window of 13.
    ("mimo-v2-flash", || {
        let global = Attention::grouped(8, 2, 24).value_dim(16);
        let local = Attention::grouped(8, 4, 24).value_dim(16).sinks().window(13);
        let [sparse_local, sparse_global] =
            [local, global].map(|attention| Layer::pre_norm(attention, Experts::new(8, 2, NARROW)));
        decoder()
            .layer(Layer::pre_norm(global, MLP))
            .layers(4, sparse_local.clone())
            .layer(sparse_global)
            .layer(sparse_local)
    }),
    ("minicpm3", || {
        decoder().layers(3, Layer::pre_norm(LatentAttention::new(4, 20, 16, 8, 16).query_rank(24), MLP)).tied()
    }),
    // A norm after each block; that on queries and keys has a weight for every channel.
    ("olmo2", || decoder().layers(3, Layer::post_norm(Attention::grouped(8, 4, 8).qk_norm_whole_width(), MLP))),
    ("olmoe", || {
        let attention = Attention::grouped(8, 4, 8).qk_norm_whole_width();
        decoder().layers(3, Layer::pre_norm(attention, Experts::new(8, 3, NARROW)))
    }),
    // An embedding of 40 with projections, 256 + 2 learned positions, norms after the blocks and so none at the end.
    ("opt-proj", || {
        let layer = Layer::post_norm(Attention::multi_head(4, 16).bias(), FeedForward::plain(176).bias());
        decoder()
            .embedding_width(40)
            .positions(258)
            .layers(3, layer.with_norms(Norm::layer()))
            .without_final_norm()
            .tied()
    }),
    // One norm for both blocks, and a bias on everything, the head included.
    ("phi", || {
        let layer = Layer::parallel(Attention::multi_head(8, 8).bias(), FeedForward::plain(176).bias());
        decoder().layers(3, layer.with_norms(Norm::layer())).head_bias()
    }),
    // The last two layers of four are local.
    ("qwen2-swa-mix", || {
        let global = Attention::grouped(8, 2, 8).qkv_bias();
        decoder().layers(2, Layer::pre_norm(global, MLP)).layers(2, Layer::pre_norm(global.window(12), MLP))
    }),
    // Every second layer is sparse, with a gate on a shared expert of its own width.
    ("qwen2moe-sparse2", || {
        let attention = Attention::grouped(8, 4, 8).qkv_bias();
        let experts = Experts::new(6, 2, NARROW).shared(FeedForward::gated(104)).shared_gate();
        let dense = Layer::pre_norm(attention, MLP);
        decoder().repeat(2, [dense.clone(), Layer::pre_norm(attention, experts)]).layer(dense)
    }),
    // Heads of 32 where h/H is 8, with a norm on each.
    ("qwen3", || decoder().layers(3, Layer::pre_norm(Attention::grouped(8, 2, 32).qk_norm(), MLP)).tied()),
    // Rotary positions in every other layer hold nothing.
    ("smollm3", || decoder().layers(4, Layer::pre_norm(Attention::grouped(8, 2, 8), MLP)).tied()),
    // Every layer is local.
    ("starcoder2", || {
        let attention = Attention::grouped(8, 2, 8).bias().window(12);
        let layer = Layer::pre_norm(attention, FeedForward::plain(176).bias());
        decoder().layers(3, layer.with_norms(Norm::layer())).tied()
    }),
];

fn decoder() -> ArchitectureBuilder {
    Architecture::decoder(64, 320)
}

/// The dense feed-forward that most of them have.
const MLP: FeedForward = FeedForward::gated(176);

/// The expert that most of them have.
const NARROW: FeedForward = FeedForward::gated(40);

const MEASURED: &str = include_str!("data/blocks.csv");

const PARTS: [(&str, Group); 10] = [
    ("embedding", Group::Embedding),
    ("norms", Group::Norms),
    ("attention", Group::Attention),
    ("attention_core", Group::AttentionCore),
    ("mlp", Group::FeedForward),
    ("router", Group::Router),
    ("experts", Group::Experts),
    ("shared_experts", Group::SharedExperts),
    ("other", Group::Other),
    ("lm_head", Group::LmHead),
];

/// What one implementation holds, or did with one batch.
struct Row {
    model: &'static str,
    counted: Counted,
    total: u128,
    parts: [u128; PARTS.len()],
}

enum Counted {
    Parameters { active: u128 },
    Forward(Run),
}

struct Run {
    sequences: u64,
    tokens: u64,
    /// Forward FLOPs of a query-key pair in one layer: 2·H·(d_qk + d_v).
    per_pair: u128,
    /// Of one sequence, layer by layer.
    pairs: Vec<u128>,
}

fn rows() -> Vec<Row> {
    let rows: Vec<Row> = measured::lines(MEASURED)
        .iter()
        .map(|line| {
            let counted = match line.text("counted").split_once('x') {
                None => Counted::Parameters { active: line.number("active") },
                Some((sequences, tokens)) => Counted::Forward(Run {
                    sequences: sequences.parse().unwrap(),
                    tokens: tokens.parse().unwrap(),
                    per_pair: 2 * line.number("heads") * line.number("widths"),
                    pairs: line.pairs(),
                }),
            };
            let parts = PARTS.map(|(name, _)| line.number(name));
            let row = Row { model: line.text("model"), counted, total: line.number("total"), parts };
            assert_eq!(row.parts.iter().sum::<u128>(), row.total, "{}: the parts are not the total", row.model);
            row
        })
        .collect();
    assert_eq!(rows.len(), 3 * MODELS.len(), "each model is held, and runs twice");
    rows
}

/// What the counter counts: every matmul that is performed, the whole square, no multi-token prediction.
const AS_MEASURED: Convention =
    Convention { core: Core::Full, windows: Windows::Ignored, mtp: MtpParts::NONE, ..Convention::EXACT };

/// Every pair that a mask lets through.
const AS_MASKED: Convention = Convention { mtp: MtpParts::NONE, ..Convention::EXACT };

/// Where the crate's count of one model is not the measured one.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn compare(&mut self, what: impl Display, counted: u128, measured: u128) {
        if counted != measured {
            self.0.push(format!("{what}: {counted} counted, {measured} measured"));
        }
    }

    fn in_parameters(&mut self, ledger: &Ledger, row: &Row, active: u128) {
        let parameters = ledger.parameters();
        self.compare("parameters", parameters.total(), row.total);
        self.compare("active parameters", parameters.active(), active);
        for ((name, group), measured) in iter::zip(PARTS, row.parts) {
            let part = ledger.parameters_of(Place::Trunk, group);
            self.compare(format!("{name} parameters"), part.held, measured);
            // Of the routed experts, so many as the total says.
            let idle = if group == Group::Experts { row.total - active } else { 0 };
            self.compare(format!("active {name} parameters"), part.active, measured - idle);
        }
    }

    fn in_forward_flops(&mut self, ledger: &Ledger, row: &Row, run: &Run) {
        let at = format!("{}x{}", run.sequences, run.tokens);
        let batch = Batch::uniform(run.sequences, run.tokens);
        let count = ledger.cost(AS_MEASURED).unwrap().count(batch).unwrap();
        self.compare(format!("forward at {at}"), count.forward.get(), row.total);
        for ((name, group), measured) in iter::zip(PARTS, row.parts) {
            // Every line runs three times in a step: forward, and twice backward.
            self.compare(format!("{name} at {at}"), training(ledger, AS_MEASURED, group, batch), 3 * measured);
        }
    }

    fn in_pairs(&mut self, architecture: &Architecture, run: &Run) {
        let at = format!("{}x{}", run.sequences, run.tokens);
        let core = |architecture: &Architecture, sequences| {
            let count = architecture.cost(AS_MASKED).unwrap().count(Batch::uniform(sequences, run.tokens)).unwrap();
            count.attention_core().get()
        };
        let layers = architecture.runs().flat_map(|(layer, count)| (0..count).map(move |_| layer));
        self.compare("layers", architecture.depth().into(), run.pairs.len() as u128);
        for (index, (layer, pairs)) in iter::zip(layers, &run.pairs).enumerate() {
            let alone = Architecture::decoder(architecture.hidden(), 1).layer(layer.clone()).build().unwrap();
            self.compare(format!("core of layer {index} at {at}"), core(&alone, 1), 3 * run.per_pair * pairs);
        }
        let sum: u128 = run.pairs.iter().sum();
        self.compare(format!("core of one sequence at {at}"), core(architecture, 1), 3 * run.per_pair * sum);
        let all = 3 * run.per_pair * sum * u128::from(run.sequences);
        self.compare(format!("core at {at}"), core(architecture, run.sequences), all);
    }
}

/// Training FLOPs of one part of a model, trunk and modules together.
fn training(ledger: &Ledger, convention: Convention, group: Group, batch: Batch<'_>) -> u128 {
    let breakdown = ledger.breakdown(convention, batch).unwrap();
    let lines = breakdown.counted().iter().filter(|(line, _)| line.component.group() == group);
    lines.map(|(_, flops)| flops.get()).sum()
}

#[test]
fn small_models_are_counted_as_real_implementations_do() {
    let rows = rows();
    let mut inexact = Vec::new();
    for (model, builder) in MODELS {
        let architecture = builder().build().unwrap();
        let ledger = architecture.ledger().unwrap();
        let mut differences = Differences::default();
        let mut runs = 0;
        for row in rows.iter().filter(|row| row.model == *model) {
            match &row.counted {
                Counted::Parameters { active } => differences.in_parameters(&ledger, row, *active),
                Counted::Forward(run) => {
                    differences.in_forward_flops(&ledger, row, run);
                    differences.in_pairs(&architecture, run);
                    runs += 1;
                }
            }
        }
        assert_eq!(runs, 2, "{model} is not in the table");
        if !differences.0.is_empty() {
            inexact.push(format!("{model}\n  {}", differences.0.join("\n  ")));
        }
    }
    println!("{} of {} models are exact", MODELS.len() - inexact.len(), MODELS.len());
    assert!(inexact.is_empty(), "{}", inexact.join("\n"));
}

/// What is worked out by hand: the ledger of a decoder.
fn ledger(builder: ArchitectureBuilder) -> Ledger {
    builder.build().unwrap().ledger().unwrap()
}

/// What one part of the model itself holds, what of it one token touches, and its forward FLOPs for a token alone,
/// which is one query-key pair.
fn part(ledger: &Ledger, group: Group) -> (u128, u128, u128) {
    let parameters = ledger.parameters_of(Place::Trunk, group);
    let training = training(ledger, AS_MASKED, group, TOKEN);
    assert_eq!(training % 3, 0, "{group:?}");
    (parameters.held, parameters.active, training / 3)
}

/// The forward FLOPs of a batch under a convention.
fn forward(ledger: &Ledger, convention: Convention, batch: Batch<'_>) -> u128 {
    ledger.cost(convention).unwrap().count(batch).unwrap().forward.get()
}

const TOKEN: Batch<'static> = Batch::uniform(1, 1);

#[test]
fn experts_at_a_latent_width_beside_a_shared_one() {
    // h = 10, a vocabulary of 13, no norms. Six experts at a latent width of 4, two of them per token, each 3·4·7 and
    // biases of 2·7 on gate and up: 98 held, 84 multiplied.
    let experts = Experts::new(6, 2, FeedForward::gated(7).up_bias()).latent(4);
    let routed = (6 * 98, 2 * 98, 2 * 2 * 84);
    // Two projections of 10·4, whatever the number of experts.
    let latent = (80, 80, 2 * 80);
    let model = |experts: Experts| ledger(Architecture::decoder(10, 13).layer(Layer::new().with(experts)));

    // The router reads h, not the latent width.
    let plain = model(experts);
    assert_eq!(part(&plain, Group::Router), (60, 60, 120));
    assert_eq!(part(&plain, Group::Experts), routed);
    assert_eq!(part(&plain, Group::Other), latent);
    assert_eq!(part(&plain, Group::SharedExperts), (0, 0, 0));

    // Nine choices with a bias: 10·9 + 9. The shared expert reads h: 3·10·5, with biases of 2·5 + 10, and a gate of 10.
    let shared = experts.shared(FeedForward::gated(5).bias()).shared_gate();
    let full = model(shared.router_width(9).router_bias());
    assert_eq!(part(&full, Group::Router), (99, 99, 2 * 90));
    assert_eq!(part(&full, Group::Experts), routed);
    assert_eq!(part(&full, Group::Other), latent);
    assert_eq!(part(&full, Group::SharedExperts), (180, 180, 2 * 160));
    assert_eq!(part(&full, Group::FeedForward), (0, 0, 0));

    // With 10·13 in the embedding and as many in the head: 260 + 99 + 588 + 80 + 180, and 196 for 588.
    let parameters = full.parameters();
    assert_eq!((parameters.total(), parameters.active()), (1_207, 815));
    // Rules on parameters: all of them; those touched without the embedding, the head by its work.
    assert_eq!(forward(&full, Convention::PALM_2022, TOKEN), 2 * 1_207);
    assert_eq!(forward(&full, Convention::TORCHTITAN_2026_08, TOKEN), 2 * (815 - 130));
    // Work: 2·(90 + 168 + 80 + 160 + 130); without the router 180 less.
    assert_eq!(forward(&full, Convention::EXACT, TOKEN), 1_256);
    assert_eq!(forward(&full, Convention::DEEPSEEK_2025_CAUSAL, TOKEN), 1_076);
}

#[test]
fn several_shared_experts_hold_a_bias_each() {
    // Three of 2·10·5 with a bias of 10 on the way down; fused into one of 15 they have one such bias, and do the same.
    let experts = Experts::new(4, 1, NARROW);
    let shared = |experts| {
        let model = ledger(Architecture::decoder(10, 13).layer(Layer::new().with(experts)));
        part(&model, Group::SharedExperts)
    };
    assert_eq!(shared(experts.shared_experts(3, FeedForward::plain(5).down_bias())), (330, 330, 600));
    assert_eq!(shared(experts.shared(FeedForward::plain(15).down_bias())), (310, 310, 600));
    // Biases of 5 on the way up are 15 either way.
    assert_eq!(shared(experts.shared_experts(3, FeedForward::plain(5).bias())), (345, 345, 600));
    assert_eq!(shared(experts.shared(FeedForward::plain(15).bias())), (325, 325, 600));
}

/// Six query heads and two key-value heads of 5, values of 4.
const UNEVEN: Attention = Attention::grouped(6, 2, 5).value_dim(4);

#[test]
fn attention_that_reads_another_width_and_gates_its_output() {
    // h = 7, read from a stream of 11: 11·30 in queries, 11·10 in keys, 11·8 in values, 24·7 in the output, 696 in all.
    let wide = UNEVEN.input_width(11);
    let model = |attention: Attention| ledger(Architecture::decoder(7, 13).layer(Layer::new().with(attention)));
    let projections = |attention| part(&model(attention), Group::Attention);
    assert_eq!(projections(wide), (696, 696, 2 * 696));
    // From h itself: 7·(30 + 10 + 8) + 24·7.
    assert_eq!(projections(UNEVEN), (504, 504, 2 * 504));

    // A gate on every channel, 11·6·4, or on every head, 11·6; neither has a bias.
    assert_eq!(projections(wide.gated()), (960, 960, 2 * 960));
    assert_eq!(projections(wide.gated_per_head()), (762, 762, 2 * 762));
    // Biases of 30 + 10 + 8 + 7 and six sinks are held and do nothing.
    assert_eq!(projections(wide.gated().bias()), (1_015, 1_015, 2 * 960));
    assert_eq!(projections(wide.gated_per_head().bias().sinks()), (823, 823, 2 * 762));
    for (attention, bias) in [
        (wide.query_bias(), 30),
        (wide.key_bias(), 10),
        (wide.value_bias(), 8),
        (wide.qkv_bias(), 48),
        (wide.output_bias(), 7),
    ] {
        assert_eq!(projections(attention), (696 + bias, 696 + bias, 2 * 696));
    }

    // A norm on queries and keys: 2·5, or (6 + 2)·5 over the whole width. Here it is the only one.
    assert_eq!(part(&model(wide.qk_norm()), Group::Norms), (10, 10, 0));
    assert_eq!(part(&model(wide.qk_norm_whole_width()), Group::Norms), (40, 40, 0));

    // The core is 2·6·(5 + 4) a pair, however wide the stream and whatever the gate.
    for attention in [UNEVEN, wide.gated(), wide.gated_per_head().sinks()] {
        let model = model(attention);
        assert_eq!(part(&model, Group::AttentionCore), (0, 0, 108));
        // Seven tokens have 28 pairs.
        let core = training(&model, AS_MASKED, Group::AttentionCore, Batch::uniform(1, 7));
        assert_eq!(core, 3 * 108 * 28);
    }
}

/// What this component holds, and its forward FLOPs for a batch.
fn component(ledger: &Ledger, component: Component, batch: Batch<'_>) -> (u64, u128) {
    let lines = ledger.lines().iter().filter(|line| line.component == component);
    let held = lines.map(|line| line.parameters * line.layers).sum();
    let breakdown = ledger.breakdown(AS_MASKED, batch).unwrap();
    let counted = breakdown.counted().iter().filter(|(line, _)| line.component == component);
    (held, counted.map(|(_, flops)| flops.get()).sum::<u128>() / 3)
}

#[test]
fn keys_and_values_that_are_not_projected_or_serve_twice() {
    let model = |attention: Attention| ledger(Architecture::decoder(7, 13).layer(Layer::new().with(attention)));
    let of = |attention| {
        let model = model(attention);
        let core = training(&model, AS_MASKED, Group::AttentionCore, Batch::uniform(1, 7)) / 3;
        (part(&model, Group::Attention), part(&model, Group::Norms).0, core)
    };
    // An earlier layer's: 7·6·5 in queries and 24·7 in the output, and the core of 28 pairs is that of 108 each.
    let earlier = UNEVEN.earlier_keys_and_values();
    assert_eq!(of(earlier), ((378, 378, 2 * 378), 0, 28 * 108));
    // Biases of 30 and 7; a norm of queries alone, 5, with a bias 10, or over the whole width 6·5.
    assert_eq!(of(earlier.bias()), ((415, 415, 2 * 378), 0, 28 * 108));
    assert_eq!(of(earlier.qk_norm()), ((378, 378, 2 * 378), 5, 28 * 108));
    assert_eq!(of(earlier.qk_layer_norm()), ((378, 378, 2 * 378), 10, 28 * 108));
    assert_eq!(of(earlier.qk_norm_whole_width()), ((378, 378, 2 * 378), 30, 28 * 108));

    // Keys that are values, both of 5: 7·(30 + 10) + 30·7, biases of 30 + 10 + 7, and 4·6·5 a pair.
    let both = Attention::grouped(6, 2, 5).keys_as_values();
    assert_eq!(of(both), ((490, 490, 2 * 490), 0, 28 * 120));
    assert_eq!(of(both.bias()), ((537, 537, 2 * 490), 0, 28 * 120));
    assert_eq!(of(both.qk_norm_whole_width()), ((490, 490, 2 * 490), 40, 28 * 120));

    // A LayerNorm on queries and keys has a weight and a bias for each of 5, twice.
    assert_eq!(of(UNEVEN.qk_layer_norm()), ((504, 504, 2 * 504), 20, 28 * 108));
    // A bias for each of 11 distances and six heads does nothing that is counted.
    assert_eq!(of(UNEVEN.position_bias(11)), ((570, 570, 2 * 504), 0, 28 * 108));
    assert_eq!(component(&model(UNEVEN.position_bias(11)), Component::PositionBias, TOKEN), (66, 0));
}

#[test]
fn heads_that_belong_to_experts() {
    // h = 7. Five experts of three heads, 4 wide, two for each token; keys and values of three heads for all of them.
    let experts = Attention::experts(5, 2, 3, 4);
    let model = |attention: Attention| ledger(Architecture::decoder(7, 13).layer(Layer::new().with(attention)));
    let plain = model(experts);
    // 7·5.
    assert_eq!(part(&plain, Group::Router), (35, 35, 70));
    // Queries and output of 7·12 five times, of which twice; keys and values of 7·12.
    assert_eq!(part(&plain, Group::Attention), (2 * 420 + 2 * 84, 2 * 168 + 2 * 84, 2 * (2 * 168 + 2 * 84)));
    for (of, held) in [(Component::QueryProjection, 420), (Component::OutputProjection, 420)] {
        assert_eq!(component(&plain, of, TOKEN), (held, 2 * 168), "{of}");
    }
    for of in [Component::KeyProjection, Component::ValueProjection] {
        assert_eq!(component(&plain, of, TOKEN), (84, 2 * 84), "{of}");
    }
    // The core is that of 2·3 heads: 4·6·4 a pair.
    assert_eq!(part(&plain, Group::AttentionCore), (0, 0, 96));
    // Each expert has biases of its own, 12 on queries and 7 on the output; keys and values of 12 once.
    let biased = model(experts.bias());
    assert_eq!(part(&biased, Group::Attention), (1_008 + 60 + 35 + 24, 504 + 24 + 14 + 24, 2 * 504));
    // A gate of every channel, 7·6·4, is that of the heads a token visits, as sinks are.
    assert_eq!(part(&model(experts.gated().sinks()), Group::Attention), (1_008 + 168 + 6, 504 + 168 + 6, 2 * 672));

    // Its router is counted as routers are: 6·35 less a token without them.
    let work = |convention| forward(&plain, convention, TOKEN);
    assert_eq!(work(AS_MASKED), 70 + 2 * 504 + 96 + 2 * 91);
    assert_eq!(work(Convention { router: Basis::Out, ..AS_MASKED }), 2 * 504 + 96 + 2 * 91);
    // By what is held: 35 + 1008 + 91 + 91. By what is touched, without the embedding: 35 + 504 + 91.
    assert_eq!(work(Convention::PALM_2022), 2 * 1_225 + 96);
    assert_eq!(work(Convention::TORCHTITAN_2026_08), 2 * 630 + 96);
    // All experts at once are multi-head attention of as many heads, with three of keys and values, and a router.
    let (all, dense) = (model(Attention::experts(5, 5, 3, 4)), model(Attention::grouped(15, 3, 4)));
    assert_eq!(part(&all, Group::Attention), part(&dense, Group::Attention));
    assert_eq!(part(&all, Group::AttentionCore), part(&dense, Group::AttentionCore));
}

#[test]
fn matrices_and_weights_that_are_part_of_something() {
    // h = 7. A matrix of 5·3 with a bias, and 17 weights, each as what it is said to be.
    let model = |block: Block| ledger(Architecture::decoder(7, 13).layers(2, Layer::new().with(block)));
    for (of, group) in [
        (Component::Linear, Group::Other),
        (Component::FeedForwardUp, Group::FeedForward),
        (Component::AttentionGate, Group::Attention),
        (Component::Router, Group::Router),
        (Component::MixerInput, Group::Mixer),
        (Component::IndexerKey, Group::Indexer),
    ] {
        let matrix = model(Linear::new(5, 3).bias().part_of(of).into());
        assert_eq!(part(&matrix, group), (36, 36, 60), "{of}");
        assert_eq!(component(&matrix, of, TOKEN), (36, 60));
        let weights = model(Weights::new(17, of).into());
        assert_eq!(part(&weights, group), (34, 34, 0), "{of}");
        // Conventions count it as that.
        let head = 2 * 91;
        let without_routers = if group == Group::Router { head } else { head + 60 };
        assert_eq!(forward(&matrix, Convention { router: Basis::Out, ..AS_MASKED }, TOKEN), without_routers, "{of}");
        assert_eq!(forward(&weights, Convention::HF_TRAINER, TOKEN), head + 68, "{of}");
        assert_eq!(forward(&weights, AS_MASKED, TOKEN), head, "{of}");
    }
    // A matrix that says nothing is a matrix of no other kind.
    assert_eq!(model(Linear::new(5, 3).into()), model(Linear::new(5, 3).part_of(Component::Linear).into()));
    // Used again, weights are nothing.
    assert_eq!(model(Block::reused(Weights::new(17, Component::Linear))).parameters().total(), 182);
}

#[test]
fn blocks_between_several_residual_streams() {
    // h = 7, three streams: 21·(9 + 6) with biases of 15 and three scales, and the mixing of 3·3 for each channel.
    let layer = Layer::new().with(HyperConnection::new(3)).with(Linear::new(7, 7));
    let builder = || Architecture::decoder(7, 13).layers(2, layer.clone());
    let streams = ledger(builder());
    assert_eq!(component(&streams, Component::HyperConnection, TOKEN), (2 * 333, 2 * (2 * 315 + 2 * 63)));
    assert_eq!(part(&streams, Group::Other).0, 2 * (333 + 49));
    // Made one in front of the last norm: 21·3 + 3 + 1.
    let merged = ledger(builder().residual_streams(3));
    assert_eq!(component(&merged, Component::HyperConnection, TOKEN), (2 * 333 + 67, 2 * 756 + 2 * 63));
    assert_eq!(merged.parameters().total(), streams.parameters().total() + 67);
    // A rule on parameters sees those, and not the mixing.
    let by_parameters = forward(&merged, Convention::HF_TRAINER, TOKEN);
    assert_eq!(by_parameters, 2 * (2 * (333 + 49) + 67 + 91));
    // Again without parameters: all work, the mixing included.
    let again = Layer::new().with(Block::reused(HyperConnection::new(3)));
    let again = ledger(Architecture::decoder(7, 13).layer(again));
    assert_eq!(component(&again, Component::HyperConnection, TOKEN), (0, 756));
}

#[test]
fn latent_attention_with_biases_or_without_rotary_position() {
    // h = 7. Queries 7·3·(4 + 2), down to the latent 7·(5 + 2), up from it 5·3·(4 + 6), output 3·6·7: 451.
    let latent = LatentAttention::new(3, 5, 4, 2, 6);
    let model = |attention| ledger(Architecture::decoder(7, 13).layer(Layer::new().with(attention)));
    for (attention, held, multiplied, norms, core) in [
        (latent, 451, 451, 5, 72),
        // Biases of 5 + 2 on the way down and of 7 on the output, none on queries that have no latent.
        (latent.bias(), 465, 451, 5, 72),
        // Queries by way of 8: 7·8 + 8·18 for 126. The way down to them has a bias of 8, too.
        (latent.query_rank(8), 525, 525, 13, 72),
        (latent.query_rank(8).bias(), 547, 525, 13, 72),
        // 7·3·4 + 7·5 + 150 + 126 without a rotary part, and 2·3·(4 + 6) a pair.
        (LatentAttention::new(3, 5, 4, 0, 6), 395, 395, 5, 60),
    ] {
        let model = model(attention);
        assert_eq!(part(&model, Group::Attention), (held, held, 2 * multiplied), "{attention:?}");
        assert_eq!(part(&model, Group::Norms), (norms, norms, 0), "{attention:?}");
        assert_eq!(part(&model, Group::AttentionCore), (0, 0, core), "{attention:?}");
    }
}

#[test]
fn a_reused_block_does_its_work_and_holds_nothing() {
    // h = 7. Attention holds 504; a plain feed-forward 2·7·11 + 11 + 7 = 172, of which 154 are multiplied.
    let feed_forward = FeedForward::plain(11).bias();
    let once = Layer::pre_norm(UNEVEN, feed_forward);
    let twice = once.clone().with(Block::reused(UNEVEN.window(2))).with(Block::reused(Block::reused(feed_forward)));
    let model = |layer: Layer| ledger(Architecture::decoder(7, 13).layers(3, layer));
    let (once, twice) = (model(once), model(twice));

    assert_eq!(part(&once, Group::Attention), (1_512, 1_512, 3_024));
    assert_eq!(part(&twice, Group::Attention), (1_512, 1_512, 6_048));
    assert_eq!(part(&once, Group::FeedForward), (516, 516, 924));
    assert_eq!(part(&twice, Group::FeedForward), (516, 516, 1_848));
    // Two norms a layer and the last one.
    assert_eq!(part(&twice, Group::Norms), (49, 49, 0));
    // 91 in the embedding and as many in the head.
    for model in [&once, &twice] {
        let parameters = model.parameters();
        assert_eq!((parameters.total(), parameters.active()), (2_259, 2_259));
    }

    // Five tokens: 15 pairs of the causal mask, 9 of the window, in each of three layers at 108 a pair.
    let core = |ledger| training(ledger, AS_MASKED, Group::AttentionCore, Batch::uniform(1, 5));
    assert_eq!(core(&once), 3 * 3 * 108 * 15);
    assert_eq!(core(&twice), 3 * 3 * 108 * (15 + 9));

    // Rules on parameters see it once: 2·(2259 − 91) without the embedding, and no core.
    for model in [&once, &twice] {
        assert_eq!(forward(model, Convention::HF_TRAINER, TOKEN), 2 * 2_168);
    }

    // Reused experts: the router and top-k of the experts work again. 7·4 + 4·3·7·5, of which 7·4 + 2·3·7·5.
    let experts = Experts::new(4, 2, FeedForward::gated(5));
    let model = model(Layer::new().with(experts).with(Block::reused(experts)));
    assert_eq!(part(&model, Group::Router), (84, 84, 2 * 2 * 84));
    assert_eq!(part(&model, Group::Experts), (1_260, 630, 2 * 2 * 630));
}

/// A layer that is one matrix of 6·5 with a bias, and no norm.
fn matrix() -> Layer {
    Layer::new().with(Linear::new(6, 5).bias())
}

#[test]
fn a_tied_and_padded_head_with_a_bias() {
    // 13 tokens padded to 16: 6·16 in the one table, 16 in the bias of the head, 35 in the layer.
    let builder = || Architecture::decoder(6, 13).layer(matrix()).padded_vocab(8).head_bias();
    let architecture = builder().tied().build().unwrap();
    assert_eq!((architecture.vocab(), architecture.padded_vocab(), architecture.is_tied()), (13, 16, true));

    let tied = ledger(builder().tied());
    assert_eq!(part(&tied, Group::Embedding), (96, 96, 0));
    assert_eq!(part(&tied, Group::LmHead), (16, 16, 2 * 96));
    assert_eq!(part(&tied, Group::Other), (35, 35, 2 * 30));
    let parameters = tied.parameters();
    assert_eq!((parameters.total(), parameters.active()), (147, 147));
    // Without the input embedding the table stays, as the head; without both there is the layer.
    assert_eq!(parameters.active_without_embedding(), 147);
    assert_eq!(parameters.active_without_embeddings(), 35);

    let untied = ledger(builder());
    assert_eq!(part(&untied, Group::Embedding), (96, 96, 0));
    assert_eq!(part(&untied, Group::LmHead), (112, 112, 2 * 96));
    let parameters = untied.parameters();
    assert_eq!((parameters.total(), parameters.active_without_embedding()), (243, 147));
    assert_eq!(parameters.active_without_embeddings(), 35);

    // The Trainer leaves the tied table out and the bias in; torchtitan takes the head by its work; Chinchilla counts
    // the table once as a matmul beside the head's.
    for (convention, of_tied, of_untied) in [
        (Convention::EXACT, 2 * (30 + 96), 2 * (30 + 96)),
        (Convention::HF_TRAINER, 2 * (35 + 16), 2 * (35 + 112)),
        (Convention::TORCHTITAN_2026_08, 2 * (35 + 96), 2 * (35 + 96)),
        (Convention::CHINCHILLA_2022, 2 * (30 + 96 + 96), 2 * (30 + 96 + 96)),
        (Convention::PALM_2022, 2 * 147, 2 * 243),
    ] {
        assert_eq!(forward(&tied, convention, TOKEN), of_tied, "{convention}");
        assert_eq!(forward(&untied, convention, TOKEN), of_untied, "{convention}");
    }
}

#[test]
fn an_embedding_of_another_width() {
    // h = 6, an embedding of 4: 4·11, and positions of h, 5·6. Projections of 4·6 and 6·4 beside the layer's 35.
    let builder = || Architecture::decoder(6, 11).layer(matrix()).embedding_width(4).positions(5);
    let untied = ledger(builder());
    assert_eq!(part(&untied, Group::Embedding), (74, 74, 0));
    assert_eq!(part(&untied, Group::Other), (35 + 48, 35 + 48, 2 * (30 + 48)));
    assert_eq!(part(&untied, Group::LmHead), (44, 44, 2 * 44));
    assert_eq!(untied.parameters().total(), 74 + 83 + 44);

    let tied = ledger(builder().tied());
    assert_eq!(part(&tied, Group::LmHead), (0, 0, 2 * 44));
    let parameters = tied.parameters();
    assert_eq!(parameters.total(), 74 + 83);
    // The positions are no head.
    assert_eq!(parameters.active_without_embedding(), 44 + 83);
    assert_eq!(parameters.active_without_embeddings(), 83);

    // No head, no way back to it.
    let body = ledger(builder().without_head());
    assert_eq!(part(&body, Group::Other), (35 + 24, 35 + 24, 2 * (30 + 24)));
    assert_eq!(part(&body, Group::LmHead), (0, 0, 0));

    // A norm on the embedding is as wide as the stream it is in.
    let normed = ledger(builder().embedding_norm(Norm::layer()));
    assert_eq!(part(&normed, Group::Norms), (12, 12, 0));
}

#[test]
fn an_embedding_for_each_layer() {
    // h = 6, a table of 5 tokens with 3 channels for each of four layers, and a projection 6·12 with a norm of 3.
    let builder =
        || Architecture::decoder(6, 11).layers(3, matrix()).layer(matrix().with(Weights::new(1, Component::Linear)));
    let model = ledger(builder().per_layer_embedding(5, 3));
    assert_eq!(part(&model, Group::Embedding), (66 + 60, 66 + 60, 0));
    assert_eq!(component(&model, Component::PerLayerEmbedding, TOKEN), (60, 0));
    assert_eq!(component(&model, Component::PerLayerProjection, TOKEN), (72, 2 * 72));
    assert_eq!(part(&model, Group::Norms), (3, 3, 0));
    assert_eq!(model.parameters().total(), ledger(builder()).parameters().total() + 60 + 72 + 3);
    // A table is no part of what is active without the embedding; the projection and its norm are.
    let parameters = model.parameters();
    assert_eq!(parameters.active_without_embedding(), parameters.total() - 126);
    assert_eq!(parameters.active_without_embeddings(), parameters.total() - 126 - 66);
    // Tied, the head is the table of tokens, and that of the layers goes.
    let tied = ledger(builder().per_layer_embedding(5, 3).tied()).parameters();
    assert_eq!(tied.active_without_embedding(), tied.total() - 60);
    // The rule for embeddings is for this one, too: 2·60.
    let embedding = |embedding| forward(&model, Convention { embedding, ..AS_MASKED }, TOKEN);
    assert_eq!(embedding(Basis::Stored) - embedding(Basis::Work), 2 * 126);
}

#[test]
fn the_tables_and_the_head_of_bert() {
    // h = 6, 11 tokens, 5 positions and 2 types; in front of the head 6·6 with a bias, and a LayerNorm of 12.
    let builder = || Architecture::encoder(6, 11).layer(matrix()).positions(5).token_types(2).tied().head_bias();
    let model = ledger(builder().head_transform(Norm::layer()));
    assert_eq!(part(&model, Group::Embedding), (66 + 30 + 12, 66 + 30 + 12, 0));
    assert_eq!(component(&model, Component::TokenTypes, TOKEN), (12, 0));
    assert_eq!(component(&model, Component::HeadTransform, TOKEN), (42, 2 * 36));
    assert_eq!(part(&model, Group::LmHead), (42 + 11, 42 + 11, 2 * (36 + 66)));
    assert_eq!(part(&model, Group::Norms), (12, 12, 0));
    let parameters = model.parameters();
    assert_eq!(parameters.total(), 108 + 35 + 53 + 12);
    assert_eq!(parameters.active_without_embedding(), 66 + 35 + 53 + 12);
    assert_eq!(parameters.active_without_embeddings(), 35 + 12);
    // It runs where the head does: on 3 of 20 tokens.
    let batch = Batch::uniform(2, 10).logits(3);
    assert_eq!(forward(&model, AS_MASKED, batch), 20 * 60 + 3 * 2 * (36 + 66));
    assert_eq!(forward(&model, Convention { head: Basis::Out, ..AS_MASKED }, batch), 20 * 60);
    // A rule on parameters charges every token for both, and for the types where it does for the embedding.
    assert_eq!(forward(&model, Convention::HF_TRAINER, batch), 20 * 2 * (35 + 12 + 53));
    assert_eq!(forward(&model, Convention::PALM_2022, batch), 20 * 2 * 208);
}

#[test]
fn two_modules_of_multi_token_prediction_with_their_own_tables() {
    // h = 6, a vocabulary of 13, LayerNorms of 2h. Attention: 6·12 + 2·6·6 + 12·6 = 216; feed-forward: 2·6·11 = 132.
    let layer = Layer::pre_norm(Attention::grouped(4, 2, 3), FeedForward::plain(11)).with_norms(Norm::layer());
    let builder = |mtp: Mtp| Architecture::decoder(6, 13).layers(3, layer.clone()).mtp(mtp);
    let own = ledger(builder(Mtp::new(2, layer.clone()).own_head().own_embedding()));
    let shared = ledger(builder(Mtp::new(2, layer.clone())));

    for (group, trunk, of_own, of_shared) in [
        (Group::Embedding, 78, 2 * 78, 0),
        // 12·6 from two streams to one.
        (Group::Mtp, 0, 2 * 72, 2 * 72),
        // Two a layer and one at the end; in a module those of its layer and three more, LayerNorms all: 2·3h.
        (Group::Norms, 3 * 24 + 12, 2 * (24 + 36), 2 * (24 + 36)),
        (Group::Attention, 3 * 216, 2 * 216, 2 * 216),
        (Group::FeedForward, 3 * 132, 2 * 132, 2 * 132),
        (Group::LmHead, 78, 2 * 78, 0),
        (Group::AttentionCore, 0, 0, 0),
        (Group::Other, 0, 0, 0),
    ] {
        for (ledger, of_modules) in [(&own, of_own), (&shared, of_shared)] {
            let held = |place| ledger.parameters_of(place, group).held;
            assert_eq!((held(Place::Trunk), held(Place::Mtp)), (trunk, of_modules), "{group:?}");
            assert_eq!(ledger.parameters_of(Place::Mtp, group).active, of_modules, "{group:?}");
        }
    }
    for (ledger, of_modules) in [(&own, 1_272), (&shared, 960)] {
        let parameters = ledger.parameters();
        assert_eq!((parameters.total(), parameters.active()), (1_284, 1_284));
        assert_eq!((parameters.mtp(), parameters.total_with_mtp()), (of_modules, 1_284 + of_modules));
    }

    // Of one token: trunk 3·2·(216 + 132) and 2·78, its core 3·2·4·6; a module 2·(216 + 132) with a core of 2·4·6, a
    // projection of 2·72, a head of 2·78. Whose the tables are makes no difference.
    let trunk = 3 * 696 + 156 + 3 * 48;
    for ledger in [&own, &shared] {
        for (convention, expected) in [
            (AS_MASKED, trunk),
            (Convention::EXACT, trunk + 2 * (696 + 48 + 144 + 156)),
            // Of a module its layer alone.
            (Convention { core: Core::Exact, ..Convention::MAXTEXT_2025 }, trunk + 2 * (696 + 48)),
            // Norms that count by their parameters: 2·36 more a module.
            (
                Convention { latent_norms: Basis::Active, ..Convention::EXACT },
                trunk + 2 * (696 + 48 + 144 + 156 + 2 * 36),
            ),
        ] {
            assert_eq!(forward(ledger, convention, TOKEN), expected, "{convention}");
        }
    }

    // A bias on the head is each module's own as the head is, and the trunk's where that is shared. 13 more.
    let module_head = |mtp: Mtp| ledger(builder(mtp).head_bias()).parameters_of(Place::Mtp, Group::LmHead).held;
    assert_eq!(module_head(Mtp::new(2, layer.clone()).own_head()), 2 * 91);
    assert_eq!(module_head(Mtp::new(2, layer.clone())), 0);
}

#[test]
fn the_last_norm_is_of_the_last_layers_kind_and_whole() {
    // h = 6.
    let norms = |builder: ArchitectureBuilder| part(&ledger(builder), Group::Norms).0;
    let of = |norm: Norm| matrix().with(norm);
    let model = |layer: Layer| Architecture::decoder(6, 13).layers(2, layer);
    for (norm, in_layer, last) in [
        (Norm::rms(), 6, 6),
        (Norm::layer(), 12, 12),
        (Norm::layer_without_bias(), 6, 6),
        (Norm::unweighted(), 0, 0),
        // Over 8 channels of something else; what ends the model is over its hidden size.
        (Norm::rms().width(8), 8, 6),
        (Norm::layer().width(8), 16, 12),
        (Norm::unweighted().width(8), 0, 0),
    ] {
        assert_eq!(norms(model(of(norm))), 2 * in_layer + last, "{norm:?}");
        assert_eq!(norms(model(of(norm)).without_final_norm()), 2 * in_layer, "{norm:?}");
        assert_eq!(norms(model(of(norm)).final_norm(Norm::layer())), 2 * in_layer + 12, "{norm:?}");
        // One that is given is as wide as it is given.
        assert_eq!(norms(model(of(norm)).final_norm(Norm::layer().width(4))), 2 * in_layer + 8, "{norm:?}");
    }
    // The last norm of the last layer, not the first, and not that of the most layers.
    assert_eq!(norms(model(of(Norm::rms()).with(Norm::layer()))), 2 * 18 + 12);
    assert_eq!(norms(model(of(Norm::rms())).layer(of(Norm::layer()))), 2 * 6 + 12 + 12);
    assert_eq!(norms(model(of(Norm::rms())).layer(matrix())), 2 * 6, "the last layer has none");
    // In multi-token prediction likewise: 8 in the layer, 3h beside it; without a norm in the layer 3h in RMS norms.
    let mtp = |layer| ledger(model(of(Norm::layer())).mtp(Mtp::new(1, layer)));
    let of_module = |layer| mtp(layer).parameters_of(Place::Mtp, Group::Norms).held;
    assert_eq!(of_module(of(Norm::rms().width(8))), 8 + 18);
    assert_eq!(of_module(matrix()), 18);
    // A norm that is used again holds nothing, and tells the kind all the same: 12 in the first layer and 12 at the
    // end, and 2·3h beside a module's layer.
    let again = matrix().with(Block::reused(Norm::layer()));
    assert_eq!(norms(Architecture::decoder(6, 13).layer(of(Norm::layer())).layer(again.clone())), 12 + 12);
    assert_eq!(of_module(again.clone()), 36);
    assert_eq!(of_module(again.with_norms(Norm::rms())), 18);
}

#[test]
fn restricted_logits_are_for_rules_on_work() {
    // h = 6: 6·13 and a bias of 13 in the head, 35 in the layer, of which 30 are multiplied. 20 tokens, 3 with logits.
    let builder = || Architecture::decoder(6, 13).layer(matrix()).head_bias();
    let model = ledger(builder());
    let batch = Batch::uniform(2, 10);
    let head = |head: Basis| Convention { head, ..Convention::EXACT };
    for (convention, few, all) in [
        // By work, on every position with logits.
        (Convention::EXACT, 20 * 60 + 3 * 156, 20 * 60 + 20 * 156),
        (Convention::TORCHTITAN_2026_08, 20 * 70 + 3 * 156, 20 * 70 + 20 * 156),
        // By parameters, bias included, for every token.
        (head(Basis::Active), 20 * 60 + 20 * 182, 20 * 60 + 20 * 182),
        (head(Basis::Stored), 20 * 60 + 20 * 182, 20 * 60 + 20 * 182),
        (Convention::HF_TRAINER, 20 * (70 + 182), 20 * (70 + 182)),
        (Convention::PALM_2022, 20 * (70 + 182 + 156), 20 * (70 + 182 + 156)),
        (head(Basis::Out), 20 * 60, 20 * 60),
    ] {
        assert_eq!(forward(&model, convention, batch.logits(3)), few, "{convention}");
        assert_eq!(forward(&model, convention, batch), all, "{convention}");
        assert_eq!(forward(&model, convention, batch.logits(20)), all, "{convention}");
        // The account line by line says the same.
        assert_eq!(model.breakdown(convention, batch.logits(3)).unwrap().total().get(), 3 * few, "{convention}");
    }
    assert_eq!(forward(&model, Convention::EXACT, batch.logits(0)), 20 * 60);
    // Documents of a pack share them.
    assert_eq!(forward(&model, Convention::EXACT, Batch::packed(&[1, 19]).logits(3)), 20 * 60 + 3 * 156);

    // A tied head is still work at its positions; of parameters it has its bias alone.
    let tied = ledger(builder().tied());
    assert_eq!(forward(&tied, Convention::EXACT, batch.logits(3)), 20 * 60 + 3 * 156);
    assert_eq!(forward(&tied, head(Basis::Active), batch.logits(3)), 20 * 60 + 20 * 26);

    // Each head of two modules runs where the trunk's does; a layer of 60 and a projection of 144 are for every token.
    let mtp = ledger(builder().mtp(Mtp::new(2, matrix())));
    assert_eq!(forward(&mtp, Convention::EXACT, batch.logits(3)), 20 * (60 + 2 * (60 + 144)) + 3 * 3 * 156);
}
