//! The axes that no preset moves: what a recompute is charged, and the models that a formula was written for.

use mfu::{
    Architecture, Attention, Batch, Block, Convention, Count, Domain, FeedForward, Hardware, Layer, Mamba2, Norm,
    Recipe, Recompute, catalog,
};

const SEQUENCE: u64 = 2_048;

/// Megatron's 175 B model (arXiv 2205.05198, Table 3): GPT layers, 96 of them, hidden size 12,288, a vocabulary of
/// 51,200.
fn megatron_175b() -> Architecture {
    let layer = Layer::pre_norm(Attention::multi_head(96, 128).bias(), FeedForward::plain(49_152).bias());
    let layer = layer.with_norms(Norm::layer());
    Architecture::decoder(12_288, 51_200).layers(96, layer).positions(SEQUENCE).tied().build().unwrap()
}

fn recomputed(hardware: Hardware) -> Count {
    let convention = Convention { hardware, ..Convention::MEGATRON_2024 };
    let cost = megatron_175b().ledger().unwrap().cost_with(convention, Recipe::recomputing(Recompute::Full));
    cost.unwrap().count(Batch::uniform(1, SEQUENCE)).unwrap()
}

#[test]
fn what_a_recompute_is_charged() {
    let (layers, hidden, sequence, vocab) = (96_u128, 12_288_u128, 2_048_u128, 51_200_u128);
    // Forward FLOPs of a sequence. Matmuls of a layer: 24·s·h²; its core: 4·s²·h; the head: 2·s·h·V.
    let matmuls = layers * 24 * sequence * hidden * hidden;
    let core = layers * 4 * sequence * sequence * hidden;
    let head = 2 * sequence * hidden * vocab;

    for (hardware, recomputed_flops) in [
        (Hardware::Performed, matmuls + core),
        (Hardware::WholeStep, matmuls + core + head),
        (Hardware::CoreTwice, matmuls + 3 * core),
    ] {
        let count = recomputed(hardware);
        assert_eq!(count.training.get(), 3 * (matmuls + core + head), "model FLOPs do not depend on {hardware:?}");
        assert_eq!(count.hardware.get(), count.training.get() + recomputed_flops, "{hardware:?}");
    }
    // 4/3 of the step.
    let whole = recomputed(Hardware::WholeStep);
    assert_eq!(3 * whole.hardware.get(), 4 * whole.training.get());
}

#[test]
fn nothing_recomputed_is_nothing_charged() {
    for hardware in [Hardware::Performed, Hardware::WholeStep, Hardware::CoreTwice] {
        let cost = megatron_175b().cost(Convention { hardware, ..Convention::EXACT }).unwrap();
        let count = cost.count(Batch::uniform(3, SEQUENCE)).unwrap();
        assert_eq!(count.hardware, count.training);
    }
}

#[test]
fn a_formula_is_an_error_outside_its_domain() {
    let within = |architecture: &Architecture, domain| {
        let convention = Convention { domain, ..Convention::MEGATRON_2024 };
        let batch = Batch::uniform(1, SEQUENCE);
        let batch = if architecture.encoder_runs().count() > 0 { batch.source(SEQUENCE) } else { batch };
        match (architecture.cost(convention), architecture.ledger().unwrap().breakdown(convention, batch)) {
            (Ok(_), Ok(_)) => true,
            (Err(cost), Err(breakdown)) => {
                assert!(cost.is_not_applicable() && breakdown.is_not_applicable());
                assert!(cost.to_string().starts_with("MEGATRON_2024 except domain "), "{cost}");
                false
            }
            (cost, breakdown) => panic!("one admits what the other refuses: {cost:?}, {breakdown:?}"),
        }
    };
    let named = |name| catalog::find(name).unwrap().architecture().unwrap();

    let layer = Layer::pre_norm(Attention::multi_head(4, 16), FeedForward::plain(256));
    let with = |block: Block| Architecture::decoder(64, 100).layers(2, layer.clone().with(block)).build().unwrap();
    let reader = Layer::new().with(Attention::multi_head(4, 16)).with(Attention::multi_head(4, 16).cross());
    let translator = Architecture::decoder(64, 100).encoder_layers(2, layer.clone()).layers(2, reader).build().unwrap();

    // Megatron's GPT is what both were written for. Llama-2-7B has 32·128 = 4,096 but gates; gpt-oss has 64·64 = 4,096
    // beside a hidden size of 2,880; DeepSeek-V3 128·192 = 24,576 beside 7,168.
    for (architecture, heads_fill, gpt) in [
        (megatron_175b(), true, true),
        (named("gpt-3-175b"), true, true),
        (named("llama-2-7b"), true, false),
        (named("llama-3-8b"), true, false),
        (named("gpt-oss-20b"), false, false),
        (named("deepseek-v3"), false, false),
        // Layers of GPT, and what its formula has no term for: a second attention, a scan, values of another width, an
        // encoder.
        (with(Norm::rms().into()), true, true),
        (with(Attention::multi_head(4, 16).into()), true, false),
        (with(Mamba2::new(4, 16, 8, 1, 4).into()), false, false),
        (with(Attention::multi_head(4, 16).value_dim(8).into()), false, false),
        (translator, false, false),
    ] {
        assert!(within(&architecture, Domain::Any));
        assert_eq!(within(&architecture, Domain::HeadsFillHidden), heads_fill);
        assert_eq!(within(&architecture, Domain::GptLayers), gpt);
    }

    let error =
        named("gpt-oss-20b").cost(Convention { domain: Domain::HeadsFillHidden, ..Convention::EXACT }).unwrap_err();
    assert!(error.to_string().contains("query projection of 2·2,880·4,096 at hidden size 2880"), "{error}");
}
