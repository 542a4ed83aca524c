//! FLOPs per token against published figures, other tools' own output, and formulas worked out by hand. All with `==`.

use std::collections::BTreeSet;

use mfu::{Basis, Batch, Component, Convention, Core, Inclusion, MtpParts, Place, Windows, Work, catalog};

/// Training FLOPs per token of a sequence; the total must be a multiple of its length, so that nothing is rounded.
fn per_token(model: &str, convention: Convention, sequence: u64) -> u128 {
    let cost = catalog::find(model).unwrap().cost(convention).unwrap();
    let total = cost.count(Batch::uniform(1, sequence)).unwrap().training.get();
    assert_eq!(total % u128::from(sequence), 0, "{model} under {convention} at {sequence} has a fractional figure");
    total / u128::from(sequence)
}

fn without_mtp(convention: Convention) -> Convention {
    Convention { mtp: MtpParts::NONE, ..convention }
}

#[test]
fn deepseek_v3() {
    let at_4096 = |convention| per_token("deepseek-v3", convention, 4_096);

    // By hand. Attention per layer: 7168·1536 + 1536·128·192 + 7168·(512 + 64) + 512·128·(128 + 128) + 128·128·7168
    // = 187,105,280. Dense layers: 3·3·7168·18432 = 1,189,085,184. Experts: 58·(8 + 1)·3·7168·2048 = 22,988,980,224.
    // Layers: 61·187,105,280 + the two = 35,591,487,488. Head: 129280·7168 = 926,679,040.
    // 6·(35,591,487,488 + 926,679,040) + 6·61·128·(192 + 128)·4096/2 = 249,811,304,448; published as 250 GFLOP.
    assert_eq!(at_4096(Convention::DEEPSEEK_2025_CAUSAL), 249_811_304_448);
    assert_eq!(at_4096(Convention::DEEPSEEK_2025_FULL), 280_513_609_728);

    // The routers: 6·58·7168·256 = 638,582,784 more.
    let router_in = |convention| Convention { router: Basis::Work, ..convention };
    assert_eq!(at_4096(router_in(Convention::DEEPSEEK_2025_CAUSAL)), 250_449_887_232);
    assert_eq!(at_4096(router_in(Convention::DEEPSEEK_2025_FULL)), 281_152_192_512);

    // With the MTP module: one more sparse layer with its router, the head once more, and 6·2·7168² for the projection.
    let with_mtp = |core| Convention { core, ..Convention::EXACT };
    assert_eq!(at_4096(with_mtp(Core::Half)), 260_641_652_736);
    assert_eq!(at_4096(with_mtp(Core::Full)), 291_847_274_496);
    assert_eq!(at_4096(Convention::EXACT), 260_649_271_296);

    // Megatron adds the norms of the latents, 6·61·(1536 + 512), and for the module 6·(3·7168) beside 6·2·7168².
    assert_eq!(at_4096(without_mtp(Convention::MEGATRON_2025_03)), 249_812_054_016);
    assert_eq!(at_4096(Convention::MEGATRON_2025_03), 259_992_950_784);
    // Before March 2025: the full square, no latent norms.
    assert_eq!(at_4096(Convention::MEGATRON_2024), 280_513_609_728);
}

#[test]
fn the_parts_of_deepseek_v3() {
    // The multiplied parameters of one occurrence, by component, as they are summed in the test above.
    let ledger = catalog::find("deepseek-v3").unwrap().ledger().unwrap();
    let multiplied = |component: Component| -> u128 {
        let lines = ledger.lines().iter().filter(|line| line.place == Place::Trunk && line.component == component);
        let each = lines.map(|line| match line.work {
            Work::Matmul(matmul) => [matmul.inputs, matmul.outputs, matmul.used].map(u128::from).iter().product(),
            _ => 0_u128,
        });
        each.sum()
    };
    let sum = |components: &[Component]| components.iter().map(|&component| multiplied(component)).sum::<u128>();
    let attention = [
        Component::QueryDown,
        Component::QueryUp,
        Component::KeyValueDown,
        Component::KeyValueUp,
        Component::OutputProjection,
    ];
    let experts = [Component::ExpertUp, Component::ExpertDown, Component::SharedExpertUp, Component::SharedExpertDown];
    assert_eq!(sum(&attention), 187_105_280);
    assert_eq!(sum(&experts), 396_361_728);
    let dense = sum(&[Component::FeedForwardUp, Component::FeedForwardDown]);
    assert_eq!(61 * sum(&attention) + 3 * dense + 58 * sum(&experts), 35_591_487_488);
    assert_eq!(58 * multiplied(Component::Router), 106_430_464);
    assert_eq!(multiplied(Component::LmHead), 926_679_040);
}

#[test]
fn rules_on_parameters_count_the_norms_of_latents() {
    // 6·N and the full square, 6·61·128·(192 + 128)·4096: PaLM with all 671,026,404,352 parameters, torchtitan with the
    // 36,625,603,584 that a token touches beside the embedding; the 61·(1536 + 512) weights of latent norms are among
    // both.
    let square = 6 * 61 * 128 * 320 * 4_096;
    assert_eq!(per_token("deepseek-v3", Convention::PALM_2022, 4_096), 6 * 671_026_404_352 + square);
    assert_eq!(per_token("deepseek-v3", Convention::TORCHTITAN_2026_08, 4_096), 6 * 36_625_603_584 + square);
}

#[test]
fn deepseek_v2() {
    // Published as 155 GFLOP per token (arXiv 2505.09343, Table 2).
    assert_eq!(per_token("deepseek-v2", Convention::DEEPSEEK_2025_CAUSAL, 4_096), 155_013_611_520);
}

#[test]
fn mai_base_1() {
    let at_16384 = |convention| per_token("mai-base-1", convention, 16_384);
    assert_eq!(at_16384(Convention::EXACT), 225_074_588_544);
    assert_eq!(at_16384(Convention::DEEPSEEK_2025_CAUSAL), 224_276_222_976);

    // Between the two: the routers, 6·39·6656·512 = 797,442,048, and the diagonal that the area halves, 3·2·80·256
    // FLOPs for each half pair: per token 13·122,880/2 in the global layers, and 65·122,880·(512/16384)/2 in the
    // local ones.
    let diagonal = 13 * 122_880 / 2 + 65 * 122_880 / 32 / 2;
    assert_eq!(225_074_588_544_u128 - 224_276_222_976, 797_442_048 + diagonal);
    let half_with_router = Convention { core: Core::Half, ..Convention::EXACT };
    assert_eq!(at_16384(half_with_router) - at_16384(Convention::DEEPSEEK_2025_CAUSAL), 797_442_048);
}

/// What each preset says of Llama-3-8B at 8,192, by hand. Layers: 32·(4096·4096·2 + 2·4096·1024 + 3·4096·14336) =
/// 6,979,321,856; head and embedding 128256·4096 = 525,336,576 each; core, half: 6·32·32·128·8192 = 6,442,450,944.
const LLAMA_3_8B: &[(&str, u128)] = &[
    // Half, and its diagonal: 6·32·32·128 more.
    ("EXACT", 51_471_187_968),
    ("DEEPSEEK_2025_CAUSAL", 51_470_401_536),
    ("DEEPSEEK_2025_FULL", 57_912_852_480),
    ("MEGATRON_2024", 57_912_852_480),
    ("MEGATRON_2025_03", 51_470_401_536),
    // 6·8,030,261,248 parameters and the full square.
    ("PALM_2022", 61_066_469_376),
    // Without head.
    ("KAPLAN_2020", 48_318_382_080),
    // 6·(65·4096) for the norms.
    ("TORCHTITAN_2026_08", 57_914_449_920),
    ("TORCHTITAN_2026_08_25", 57_914_449_920),
    ("MAXTEXT_2025", 51_470_401_536),
    // The full square, 6·525,336,576 for the embedding as a matmul, and 3·3·32·8192 a layer for the softmax.
    ("CHINCHILLA_2022", 57_912_852_480 + 3_152_019_456 + 75_497_472),
    // 6·(8,030,261,248 − 525,336,576).
    ("HF_TRAINER", 45_029_548_032),
    // The full square, forward and backward.
    ("TORCH_FLOP_COUNTER", 57_912_852_480),
];

#[test]
fn every_preset_on_llama_3_8b() {
    let presets: Vec<&str> = Convention::presets().iter().map(|&(name, _)| name).collect();
    let golden: Vec<&str> = LLAMA_3_8B.iter().map(|&(name, _)| name).collect();
    assert_eq!(presets, golden, "every preset has a golden number here");
    for &(name, flops) in LLAMA_3_8B {
        assert_eq!(per_token("llama-3-8b", Convention::find(name).unwrap(), 8_192), flops, "{name}");
    }
}

#[test]
fn every_preset_is_in_the_list() {
    let source = include_str!("../src/convention/preset.rs");
    let constants = source.lines().filter_map(|line| line.trim().strip_prefix("pub const ")?.split_once(": Self"));
    let constants: BTreeSet<&str> = constants.map(|(name, _)| name).collect();
    let listed: BTreeSet<&str> = Convention::presets().iter().map(|&(name, _)| name).collect();
    assert_eq!(constants, listed);
}

#[test]
fn torchtitan_on_experts_and_windows() {
    // torchtitan #4300.
    assert_eq!(per_token("qwen3-30b-a3b", Convention::TORCHTITAN_2026_08, 8_192), 37_578_559_488);
    assert_eq!(per_token("qwen3-30b-a3b", Convention::TORCHTITAN_2026_08_25, 8_192), 37_578_559_488);
    assert_eq!(per_token("gpt-oss-20b", Convention::TORCHTITAN_2026_08, 4_096), 26_481_681_792);
    assert_eq!(per_token("gpt-oss-20b", Convention::TORCHTITAN_2026_08_25, 4_096), 24_141_260_160);
}

#[test]
fn maxtext_step() {
    // MaxText's log of Llama-2-7B, four sequences of 8,192 per device: 1,510.11 TFLOP, of which 1,299.00 in weights and
    // 211.11 in the core; before its #1988 the core was 422.21.
    let cost = catalog::find("llama-2-7b").unwrap().cost(Convention::MAXTEXT_2025).unwrap();
    let step = cost.count(Batch::uniform(4, 8_192)).unwrap();
    assert_eq!(step.training.get(), 1_510_110_501_273_600);
    assert_eq!(format!("{:.2}", step.attention_core().as_f64() / 1e12), "211.11");

    let before = Convention { core: Core::Full, windows: Windows::Ignored, ..Convention::MAXTEXT_2025 };
    let cost = catalog::find("llama-2-7b").unwrap().cost(before).unwrap();
    let step = cost.count(Batch::uniform(4, 8_192)).unwrap();
    assert_eq!(format!("{:.2}", step.training.as_f64() / 1e12), "1721.22");
    assert_eq!(format!("{:.2}", step.attention_core().as_f64() / 1e12), "422.21");
}

#[test]
fn palm_counts_all_experts() {
    // 6·46,702,792,704 + 12·32·32·128·4096: what the formula says on Mixtral, absurd as it is.
    assert_eq!(
        per_token("mixtral-8x7b", Convention::PALM_2022, 4_096),
        6 * 46_702_792_704 + 12 * 32 * 32 * 128 * 4_096
    );
}

#[test]
fn a_tied_head_drops_out_of_the_trainer_alone() {
    // GPT-3: 6·(174,604,259,328 parameters − 50257·12288 tokens − 2048·12288 positions).
    let stored = 174_604_259_328_u128 - (50_257 + 2_048) * 12_288;
    assert_eq!(per_token("gpt-3-175b", Convention::HF_TRAINER, 2_048), 6 * stored);
    // The head's matmul is performed all the same: 6·50257·12288 between torchtitan's rule and one without a head.
    let headless = Convention { head: Basis::Out, ..Convention::TORCHTITAN_2026_08 };
    assert_eq!(
        per_token("gpt-3-175b", Convention::TORCHTITAN_2026_08, 2_048) - per_token("gpt-3-175b", headless, 2_048),
        6 * 50_257 * 12_288
    );
}

#[test]
fn recomputed_scores_are_a_sixth_more_of_the_core() {
    // 7·H·d·s instead of 6 where d_qk = d_v; for DeepSeek-V3 (4·192 + 3·128)/(3·(192 + 128)) = 1.2.
    let again = Convention { scores_recomputed: Inclusion::In, ..Convention::DEEPSEEK_2025_CAUSAL };
    let core = |model: &str, convention| {
        let cost = catalog::find(model).unwrap().cost(convention).unwrap();
        cost.count(Batch::uniform(1, 4_096)).unwrap().attention_core().get()
    };
    assert_eq!(core("llama-3-8b", again) * 6, core("llama-3-8b", Convention::DEEPSEEK_2025_CAUSAL) * 7);
    assert_eq!(core("deepseek-v3", again) * 10, core("deepseek-v3", Convention::DEEPSEEK_2025_CAUSAL) * 12);
}
