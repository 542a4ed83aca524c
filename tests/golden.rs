//! FLOPs per token against published figures, other tools' own output, and formulas worked out by hand. All with `==`.

use std::collections::BTreeSet;

use mfu::{
    Architecture, Attention, Basis, Batch, Component, Convention, Core, FeedForward, Inclusion, Layer, MtpParts, Place,
    Recipe, Recompute, Windows, Work, catalog,
};

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

/// What each preset says per token of an architecture at a length, worked out from the preset's formula and the
/// architecture's sizes; `None` where the preset was not written for it.
type Golden = &'static [(&'static str, Option<u128>)];

/// Llama-3-8B at 8,192.
mod llama {
    /// 32·(2·4096·4096 + 2·4096·1024 + 3·4096·14336).
    pub const LAYERS: u128 = 6_979_321_856;
    /// 128256·4096, the embedding as well.
    pub const HEAD: u128 = 525_336_576;
    /// 2·32 + 1 of 4096.
    pub const NORMS: u128 = 266_240;
    /// L·H·d·s.
    pub const SQUARE: u128 = 32 * 32 * 128 * 8_192;
}

const LLAMA_3_8B: Golden = {
    use llama::{HEAD, LAYERS, NORMS, SQUARE};
    let matmuls = 6 * (LAYERS + HEAD);
    let active = matmuls + 6 * NORMS;
    let all = active + 6 * HEAD;
    &[
        // Half of the square, and its diagonal: 6·L·H·d.
        ("EXACT", Some(matmuls + 6 * SQUARE + 6 * SQUARE / 8_192)),
        ("DEEPSEEK_2025_CAUSAL", Some(matmuls + 6 * SQUARE)),
        ("DEEPSEEK_2025_FULL", Some(matmuls + 12 * SQUARE)),
        ("MEGATRON_2024", Some(matmuls + 12 * SQUARE)),
        ("MEGATRON_2025_03", Some(matmuls + 6 * SQUARE)),
        ("MEGATRON_BRIDGE_2026", Some(matmuls + 6 * SQUARE)),
        ("MAXTEXT_2025", Some(matmuls + 6 * SQUARE)),
        ("TORCHTITAN_2026_08", Some(active + 12 * SQUARE)),
        ("TORCHTITAN_2026_08_25", Some(active + 12 * SQUARE)),
        ("PALM_2022", Some(all + 12 * SQUARE)),
        // Nothing that is held is idle, and 32·128 = 4096.
        ("LLM_FOUNDRY", Some(all + 12 * SQUARE)),
        ("KAPLAN_2020", Some(6 * LAYERS + 6 * SQUARE)),
        ("KAPLAN_6N", Some(6 * LAYERS)),
        // The embedding as a matmul, and 3·3·H·s a layer for the softmax.
        ("CHINCHILLA_2022", Some(matmuls + 6 * HEAD + 12 * SQUARE + 32 * 3 * 3 * 32 * 8_192)),
        // Grouped queries, a gate.
        ("NARAYANAN_2021", None),
        ("KORTHIKANTI_2022", None),
        ("NANOCHAT", Some(matmuls + 12 * SQUARE)),
        ("HF_TRAINER", Some(active)),
        ("OLMO_CORE", Some(active + 12 * SQUARE)),
        ("LINGUA", Some(active + 7 * SQUARE)),
        ("TORCH_FLOP_COUNTER", Some(matmuls + 12 * SQUARE)),
        ("NEMO_2024_12_LORA", Some(matmuls)),
        ("NEMO_2024_12_SFT", Some(matmuls)),
    ]
};

/// gpt-oss-20b at 4,096: experts, and windows of 128 in every second layer.
const GPT_OSS_20B: Golden = {
    // 24·(2880·(4096 + 2·512) + 4096·2880) and, for the 4 experts visited, 24·4·3·2880·2880.
    let layers = 24 * (2_880 * 5_120 + 4_096 * 2_880 + 4 * 3 * 2_880 * 2_880);
    let router = 24 * 2_880 * 32;
    let head = 201_088 * 2_880;
    // All that a token touches, and all there is, with biases, sinks and norms; the model card prints 3.61 B and
    // 20.91 B.
    let active = 3_608_307_264;
    let all = 20_914_757_184;
    // Of the 12 layers of a kind: H·d·s; the window in the square, in the area, 128·(1 − 128/(2·4096)), and in the
    // mask, 128 − 128·127/(2·4096) keys.
    let square = 12 * 64 * 64 * 4_096;
    let (window, area, mask) = (12 * 4_096 * 128, 12 * 4_096 * 126, 12 * 4_096 * (128 * 4_096 - 128 * 127 / 2) / 4_096);
    &[
        ("EXACT", Some(6 * (layers + router + head) + 6 * square + 6 * 12 * 4_096 + 12 * mask)),
        ("DEEPSEEK_2025_CAUSAL", Some(6 * (layers + head) + 6 * square + 12 * area)),
        ("DEEPSEEK_2025_FULL", Some(6 * (layers + head) + 12 * square + 12 * window)),
        ("MEGATRON_2024", Some(6 * (layers + head) + 24 * square)),
        ("MEGATRON_2025_03", Some(6 * (layers + head) + 12 * square)),
        ("MEGATRON_BRIDGE_2026", Some(6 * (layers + head) + 6 * square + 12 * mask)),
        ("MAXTEXT_2025", Some(6 * (layers + router + head) + 6 * square + 12 * area)),
        ("TORCHTITAN_2026_08", Some(6 * active + 24 * square)),
        ("TORCHTITAN_2026_08_25", Some(6 * active + 12 * square + 12 * window)),
        ("PALM_2022", Some(6 * all + 24 * square)),
        // 64·64 is not 2880.
        ("LLM_FOUNDRY", None),
        ("KAPLAN_2020", Some(6 * (layers + router) + 12 * square)),
        ("KAPLAN_6N", Some(6 * (layers + router))),
        ("CHINCHILLA_2022", Some(6 * (layers + 2 * head) + 24 * square + 24 * 3 * 3 * 64 * 4_096)),
        ("NARAYANAN_2021", None),
        ("KORTHIKANTI_2022", None),
        ("NANOCHAT", Some(6 * (layers + router + head) + 12 * square + 12 * window)),
        ("HF_TRAINER", Some(6 * (all - head))),
        ("OLMO_CORE", Some(6 * active + 12 * square + 12 * window)),
        ("LINGUA", None),
        ("TORCH_FLOP_COUNTER", Some(6 * (layers + router + head) + 24 * square)),
        ("NEMO_2024_12_LORA", Some(6 * (layers + head))),
        ("NEMO_2024_12_SFT", Some(6 * (layers + head))),
    ]
};

/// DeepSeek-V3 at 4,096: latent attention, experts, a module of multi-token prediction.
const DEEPSEEK_V3: Golden = {
    // As in the test of its own, above.
    let (attention, experts) = (187_105_280, 396_361_728);
    let layers = 35_591_487_488;
    let (router, head) = (58 * 7_168 * 256, 129_280 * 7_168);
    let latent_norms = 61 * (1_536 + 512);
    // Beside those, 2h a layer and h at the end.
    let norms = (2 * 61 + 1) * 7_168;
    let active = layers + router + head + latent_norms + norms;
    let all = 671_026_404_352;
    // L·H·(d_qk + d_v)/2·s, and the module's share.
    let square = 61 * 128 * 160 * 4_096;
    let one = 128 * 160 * 4_096;
    // The module: its layer, with and without what is no matmul; its projection of 2h to h, and three norms of h.
    let module = attention + experts;
    let module_router = 7_168 * 256;
    let module_norms = 1_536 + 512 + 2 * 7_168;
    let (projection, projection_norms) = (2 * 7_168 * 7_168, 3 * 7_168);
    &[
        (
            "EXACT",
            Some(
                6 * (layers + router + head + module + module_router + projection + head)
                    + 6 * (square + one) / 4_096 * 4_097,
            ),
        ),
        ("DEEPSEEK_2025_CAUSAL", Some(6 * (layers + head) + 6 * square)),
        ("DEEPSEEK_2025_FULL", Some(6 * (layers + head) + 12 * square)),
        ("MEGATRON_2024", Some(6 * (layers + head) + 12 * square)),
        (
            "MEGATRON_2025_03",
            Some(
                6 * (layers + latent_norms + head)
                    + 6 * (module + 1_536 + 512 + projection + projection_norms + head)
                    + 6 * (square + one),
            ),
        ),
        ("MEGATRON_BRIDGE_2026", Some(259_992_950_784)),
        // The module's layer alone, with its router.
        ("MAXTEXT_2025", Some(6 * (layers + router + head + module + module_router) + 6 * (square + one))),
        ("TORCHTITAN_2026_08", Some(6 * active + 12 * square)),
        (
            "TORCHTITAN_2026_08_25",
            Some(
                6 * (active + module + module_router + module_norms + projection + projection_norms + head)
                    + 12 * (square + one),
            ),
        ),
        ("PALM_2022", Some(6 * all + 12 * square)),
        // 128·192 is not 7168.
        ("LLM_FOUNDRY", None),
        ("KAPLAN_2020", Some(6 * (layers + router) + 6 * square)),
        ("KAPLAN_6N", Some(6 * (layers + router))),
        ("CHINCHILLA_2022", Some(6 * (layers + 2 * head) + 12 * square + 61 * 3 * 3 * 128 * 4_096)),
        ("NARAYANAN_2021", None),
        ("KORTHIKANTI_2022", None),
        ("NANOCHAT", Some(6 * (layers + router + head) + 12 * square)),
        ("HF_TRAINER", Some(6 * (all - head))),
        ("OLMO_CORE", Some(6 * active + 12 * square)),
        ("LINGUA", None),
        (
            "TORCH_FLOP_COUNTER",
            Some(6 * (layers + router + head + module + module_router + projection + head) + 12 * (square + one)),
        ),
        ("NEMO_2024_12_LORA", Some(6 * (layers + head))),
        ("NEMO_2024_12_SFT", Some(6 * (layers + head))),
    ]
};

/// GPT-3 at 2,048, which every preset was written for: 72·L·h²·(1 + s/6h + V/12Lh) and its relatives.
const GPT_3: Golden = {
    // 24·L·h² forward is 12·L·h² parameters.
    let layers = 12 * 96 * 12_288 * 12_288;
    let head = 50_257 * 12_288;
    // With biases (h for each of four in attention, 4h and h in the feed-forward), LayerNorms of 2h, positions; the
    // head is the embedding.
    let biases = 96 * 9 * 12_288;
    let norms = (96 * 2 + 1) * 2 * 12_288;
    let positions = 2_048 * 12_288;
    let active = layers + biases + norms + head;
    let square = 96 * 12_288 * 2_048;
    let narayanan = 72 * 96 * 12_288 * 12_288 + 12 * square + 6 * head;
    &[
        ("EXACT", Some(6 * (layers + head) + 6 * square / 2_048 * 2_049)),
        ("DEEPSEEK_2025_CAUSAL", Some(6 * (layers + head) + 6 * square)),
        ("DEEPSEEK_2025_FULL", Some(narayanan)),
        ("MEGATRON_2024", Some(narayanan)),
        ("MEGATRON_2025_03", Some(6 * (layers + head) + 6 * square)),
        ("MEGATRON_BRIDGE_2026", Some(6 * (layers + head) + 6 * square)),
        ("MAXTEXT_2025", Some(6 * (layers + head) + 6 * square)),
        ("TORCHTITAN_2026_08", Some(6 * active + 12 * square)),
        ("TORCHTITAN_2026_08_25", Some(6 * active + 12 * square)),
        ("PALM_2022", Some(6 * (active + positions) + 12 * square)),
        ("LLM_FOUNDRY", Some(6 * (active + positions) + 12 * square)),
        ("KAPLAN_2020", Some(6 * layers + 6 * square)),
        ("KAPLAN_6N", Some(6 * layers)),
        // The tables of tokens and positions as matmuls, the head once more.
        ("CHINCHILLA_2022", Some(6 * (layers + 2 * head + positions) + 12 * square + 96 * 3 * 3 * 96 * 2_048)),
        ("NARAYANAN_2021", Some(narayanan)),
        ("KORTHIKANTI_2022", Some(narayanan)),
        ("NANOCHAT", Some(narayanan)),
        // Without the tied head.
        ("HF_TRAINER", Some(6 * (active - head))),
        ("OLMO_CORE", Some(6 * active + 12 * square)),
        ("LINGUA", Some(6 * active + 7 * square)),
        ("TORCH_FLOP_COUNTER", Some(narayanan)),
        ("NEMO_2024_12_LORA", Some(6 * (layers + head))),
        ("NEMO_2024_12_SFT", Some(6 * (layers + head))),
    ]
};

fn holds(model: &str, sequence: u64, golden: Golden) {
    let presets: Vec<&str> = Convention::presets().iter().map(|&(name, _)| name).collect();
    let listed: Vec<&str> = golden.iter().map(|&(name, _)| name).collect();
    assert_eq!(presets, listed, "every preset has a golden number for {model}");
    for &(name, flops) in golden {
        let convention = Convention::find(name).unwrap();
        match flops {
            Some(flops) => assert_eq!(per_token(model, convention, sequence), flops, "{name} on {model}"),
            None => assert!(catalog::find(model).unwrap().cost(convention).unwrap_err().is_not_applicable(), "{name}"),
        }
    }
}

#[test]
fn every_preset_on_llama_3_8b() {
    holds("llama-3-8b", 8_192, LLAMA_3_8B);
}

#[test]
fn every_preset_on_gpt_oss_20b() {
    holds("gpt-oss-20b", 4_096, GPT_OSS_20B);
}

#[test]
fn every_preset_on_deepseek_v3() {
    holds("deepseek-v3", 4_096, DEEPSEEK_V3);
}

#[test]
fn every_preset_on_gpt_3() {
    holds("gpt-3-175b", 2_048, GPT_3);
}

#[test]
fn llm_foundry_and_lingua_on_experts_and_windows() {
    // Mixtral-8x7B: 32·128 = 4096. Of 12,879,925,248 active parameters all count, embedding included; 12·L·h·s. Lingua
    // leaves out the embedding, 32000·4096, and has 7·L·h·s.
    assert_eq!(per_token("mixtral-8x7b", Convention::LLM_FOUNDRY, 4_096), 6 * 12_879_925_248 + 12 * 32 * 4_096 * 4_096);
    let without_embedding = 12_879_925_248 - 32_000 * 4_096;
    assert_eq!(per_token("mixtral-8x7b", Convention::LINGUA, 4_096), 6 * without_embedding + 7 * 32 * 4_096 * 4_096);
    // One layer of Mistral's shape with a window of 1,024, which is not seen: 2·4096·4096 + 2·4096·1024 in attention,
    // 3·4096·14336, 3 norms of 4096, and 32000·4096 twice.
    let layer = Layer::pre_norm(Attention::grouped(32, 8, 128).window(1_024), FeedForward::gated(14_336));
    let model = Architecture::decoder(4_096, 32_000).layer(layer).build().unwrap();
    let parameters = 10 * 4_096 * 1_024 + 3 * 4_096 * 14_336 + 3 * 4_096 + 2 * 32_000 * 4_096;
    let training = |rule| model.cost(rule).unwrap().count(&[4_096]).unwrap().training.get();
    assert_eq!(training(Convention::LLM_FOUNDRY), 4_096 * (6 * parameters + 12 * 4_096 * 4_096));
    assert_eq!(training(Convention::LINGUA), 4_096 * (6 * (parameters - 32_000 * 4_096) + 7 * 4_096 * 4_096));
}

#[test]
fn scores_counted_once_more_are_as_wide_as_the_keys() {
    // DeepSeek-V3, whose queries and keys are 192 wide and values 128: a fourth forward of the scores alone, 2·H·d_qk a
    // pair, over half of 4,096 for each token.
    let once = per_token("deepseek-v3", Convention::DEEPSEEK_2025_CAUSAL, 4_096);
    let again = Convention { scores_recomputed: Inclusion::In, ..Convention::DEEPSEEK_2025_CAUSAL };
    assert_eq!(per_token("deepseek-v3", again, 4_096) - once, 61 * 128 * 192 * 4_096);
}

#[test]
fn megatrons_formula_on_a_window() {
    // A GPT of two layers of h = 1024, of which one has a window: it is not seen. 72·L·h²·(1 + s/6h + V/12Lh).
    let layer = |attention| Layer::pre_norm(attention, FeedForward::plain(4_096));
    let attention = Attention::multi_head(16, 64);
    let model = Architecture::decoder(1_024, 50_304).repeat(1, [layer(attention.window(256)), layer(attention)]);
    let model = model.build().unwrap();
    for convention in [Convention::NARAYANAN_2021, Convention::KORTHIKANTI_2022] {
        let count = model.cost(convention).unwrap().count(&[2_048]).unwrap();
        let formula = 72 * 2 * 1_024 * 1_024 + 12 * 2 * 1_024 * 2_048 + 6 * 1_024 * 50_304;
        assert_eq!(count.training.get(), 2_048 * formula);
    }
}

#[test]
fn what_the_two_papers_charge_for_a_recompute() {
    // arXiv:2104.04473: 96·L·h²·(1 + s/6h + V/16Lh). arXiv:2205.05198: with s/3h instead of s/6h in what is recomputed,
    // so 96·L·h² + 12·L·h·s + 12·L·h·s + 6·h·V.
    let ledger = catalog::find("gpt-3-175b").unwrap().ledger().unwrap();
    let recomputed = |convention| {
        let cost = ledger.cost_with(convention, Recipe::recomputing(Recompute::Full)).unwrap();
        cost.count(&[2_048]).unwrap().hardware.get()
    };
    let weights: u128 = 96 * 96 * 12_288 * 12_288 + 6 * 12_288 * 50_257;
    let square = 96 * 12_288 * 2_048;
    assert_eq!(recomputed(Convention::NARAYANAN_2021), 2_048 * (weights + 16 * square));
    assert_eq!(recomputed(Convention::KORTHIKANTI_2022), 2_048 * (weights + 24 * square));
}

#[test]
fn frozen_layers_cost_two_forwards_and_their_core_three() {
    // Llama-3-8B: 4 for a parameter of the layers, 6 for one of the head; the core holds nothing that could be frozen.
    let ledger = catalog::find("llama-3-8b").unwrap().ledger().unwrap();
    let training = |convention| {
        let cost = ledger.cost_with(convention, Recipe::frozen_layers()).unwrap();
        cost.count(&[8_192]).unwrap().training.get() / 8_192
    };
    let weights = 4 * llama::LAYERS + 6 * llama::HEAD;
    assert_eq!(training(Convention::NEMO_2024_12_LORA), weights);
    assert_eq!(training(Convention::MEGATRON_2024), weights + 12 * llama::SQUARE);
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
