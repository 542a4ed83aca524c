//! Claims against each other: what a step is worth, worked out by hand, and what is not the same basis.

use std::time::Duration;

use mfu::{
    Architecture, Attention, Axis, Batch, Change, Component, Convention, Device, FeedForward, Fleet, FlopRate, Layer,
    Pace, Peak, Precision, Recipe, Reconciliation, Run, Step, Utilization, Variant, catalog,
};

fn model(name: &str) -> Architecture {
    catalog::find(name).unwrap().architecture().unwrap()
}

/// The training run of DeepSeek-V3 as its report has it.
fn deepseek(architecture: &Architecture) -> Run<'_> {
    let h800 = Peak::declared("H800, BF16 dense", FlopRate::from_tflops(989.0).unwrap()).unwrap();
    Run::new(architecture, Batch::uniform(15_360, 4_096)).at(Duration::from_millis(19_926)).on(h800.times(2_048))
}

fn bf16(device: &str, devices: u64) -> Fleet {
    Device::find(device).unwrap().peak(Precision::Bf16).unwrap().times(devices)
}

fn percent_of(reconciliation: &Reconciliation) -> [String; 2] {
    [reconciliation.start(), reconciliation.end()].map(|standing| standing.mfu.unwrap().to_string())
}

fn points(step: &Step) -> String {
    format!("{:+.2}", step.percentage_points().unwrap())
}

#[test]
fn deepseek_v3_by_the_whole_square_and_by_half() {
    let architecture = model("deepseek-v3");
    let run = deepseek(&architecture);
    let (full, causal) = (Convention::DEEPSEEK_2025_FULL, Convention::DEEPSEEK_2025_CAUSAL);
    let difference = run.under(full).reconcile(&run.under(causal)).unwrap();
    assert_eq!(percent_of(&difference), ["43.73 %", "38.94 %"]);
    let [step] = difference.steps() else { panic!("{difference}") };
    let Change::Axis { axis, convention } = step.change else { panic!("{step:?}") };
    assert_eq!((axis, convention), (Axis::Core, causal));
    // Half of 6·L·H·(192 + 128)·s for each of 15,360 · 4,096 tokens: 192 for the scores, 128 for the values.
    let half = 3 * 61 * 128 * 4_096 * 62_914_560_i128;
    assert_eq!(step.parts, [(Component::AttentionScores, -192 * half), (Component::AttentionValues, -128 * half)]);
    assert_eq!(step.flops(), -320 * half);
    // 320 · 3 · 61 · 128 · 4,096 · 62,914,560 / 19.926 s / 2,048 / 989 TFLOP/s = 0.04786.
    assert_eq!(points(step), "-4.79");
}

#[test]
fn a_step_of_weights_names_what_a_basis_counted() {
    // By everything held, 6·N, a Mixtral has the norms and six idle experts of eight in each of 32 layers.
    let ledger = catalog::find("mixtral-8x7b").unwrap().ledger().unwrap();
    let steps = ledger.reconcile(Convention::HF_TRAINER, Convention::EXACT, Batch::uniform(1, 8_192)).unwrap();
    let is_weights = |step: &&Step| matches!(step.change, Change::Axis { axis: Axis::Weights, .. });
    let weights = steps.steps().iter().find(is_weights).unwrap();
    let six = 6 * 8_192_i128;
    let idle = six * 32 * 6 * 4_096 * 14_336;
    let norms = six * 65 * 4_096;
    let expected = [(Component::Norm, -norms), (Component::ExpertUp, -2 * idle), (Component::ExpertDown, -idle)];
    assert_eq!(weights.parts, expected);
    // In the table each is a line, per token.
    let table = steps.to_string();
    for line in ["  weights work  −202.939 GFLOP", "    norm  −1.597 MFLOP", "    expert up  −135.291 GFLOP"] {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(table.lines().any(|shown| words(shown) == words(line)), "{line} in\n{table}");
    }
}

#[test]
fn a_misread_model_is_a_step_of_its_own() {
    // gpt-oss-120b in NVIDIA's tables of releases 26.04 and 26.06, at equal speed: 433 and 520 TFLOP/s, a fifth more.
    let real = model("gpt-oss-120b");
    let misread = real.as_read(Variant::GatesLeftOut).unwrap();
    let run = |architecture| {
        Run::new(architecture, Batch::uniform(1, 4_096)).at(Pace::tokens_per_second_per_device(15_938.0).unwrap())
    };
    let before = run(&misread).under(Convention::MEGATRON_2025_03);
    let difference = before.reconcile(&run(&real).under(Convention::MEGATRON_BRIDGE_2026)).unwrap();
    let [windows, architecture] = difference.steps() else { panic!("{difference}") };
    assert!(matches!(windows.change, Change::Axis { axis: Axis::Windows, .. }));
    assert_eq!(architecture.change, Change::Architecture);
    // One matrix of 4 experts in 36 layers.
    let gates = 6 * 36 * 4 * 2_880 * 2_880 * 4_096_i128;
    assert_eq!(architecture.parts, [(Component::ExpertUp, gates)]);
    let rate = |standing: mfu::Standing| standing.flops_per_second_per_device.unwrap().as_tflops();
    let (start, end) = (rate(difference.start()), rate(difference.end()));
    assert_eq!(format!("{start:.0} {end:.0} {:+.0} %", 100.0 * (end / start - 1.0)), "433 520 +20 %");
    assert_eq!(difference.start().mfu, None);
}

#[test]
fn frozen_layers_are_a_step() {
    // Of Llama-3-8B, 6,979,321,856 parameters of the layers are charged 4 FLOPs instead of 6.
    let architecture = model("llama-3-8b");
    let run = || Run::new(&architecture, Batch::uniform(1, 8_192));
    let trained = run().under(Convention::NEMO_2024_12_SFT);
    let frozen = run().with_recipe(Recipe::frozen_layers()).under(Convention::NEMO_2024_12_LORA);
    let difference = trained.reconcile(&frozen).unwrap();
    let [step] = difference.steps() else { panic!("{difference}") };
    assert_eq!(step.change, Change::Recipe { from: Recipe::default(), to: Recipe::frozen_layers() });
    assert_eq!(step.flops(), -2 * 6_979_321_856 * 8_192);
}

#[test]
fn every_input_is_a_step_in_its_turn() {
    let (deepseek_v3, mai) = (model("deepseek-v3"), model("mai-base-1"));
    let other = Run::new(&mai, Batch::uniform(8_192, 16_384))
        .at(Pace::tokens_per_second(30e12 / (459.0 * 3_600.0)).unwrap())
        .on(bf16("NVIDIA GB200", 8_192))
        .under(Convention::EXACT);
    let one = deepseek(&deepseek_v3).under(Convention::DEEPSEEK_2025_CAUSAL);
    let difference = one.reconcile(&other).unwrap();
    assert_eq!(percent_of(&difference), ["38.94 %", "19.95 %"]);
    let changes: Vec<Change> = difference.steps().iter().map(|step| step.change).collect();
    let (axes, inputs) = changes.split_at(changes.len() - 5);
    assert!(axes.iter().all(|change| matches!(change, Change::Axis { .. })));
    let [Change::Architecture, tokens, Change::Time { from, to }, devices, peak] = inputs else {
        panic!("{changes:?}")
    };
    assert_eq!(*tokens, Change::Tokens { from: 15_360 * 4_096, to: 8_192 * 16_384 });
    assert_eq!(*devices, Change::Devices { from: 2_048, to: 8_192 });
    let dense = FlopRate::from_tflops(2_500.0).unwrap();
    assert_eq!(*peak, Change::Peak { from: FlopRate::from_tflops(989.0).unwrap(), to: dense });
    // 62,914,560 tokens in 19.926 s on 2,048, and 30 T in 459 h on 8,192.
    assert_eq!(from.to_string(), "1,542 tokens/s per device");
    assert_eq!(to.to_string(), "2,216 tokens/s per device");
    // 225.075 GFLOP · 2,216.24 tokens/s is 50.44 % of 989 TFLOP/s and 19.95 % of 2,500.
    assert_eq!(difference.steps().last().map(points).unwrap(), "-30.48");
}

#[test]
fn a_precision_is_a_step_before_the_device() {
    let architecture = model("deepseek-v3");
    let h800 = |precision| Device::find("NVIDIA H800").unwrap().peak(precision).unwrap().times(2_048);
    let claim = |fleet| deepseek(&architecture).on(fleet).under(Convention::DEEPSEEK_2025_CAUSAL);
    let difference = claim(h800(Precision::Fp8)).reconcile(&claim(h800(Precision::Bf16))).unwrap();
    let [step] = difference.steps() else { panic!("{difference}") };
    assert_eq!(step.change, Change::Precision { from: Precision::Fp8, to: Precision::Bf16 });
    // 385.135 TFLOP/s of 1,978.9 and of 989.4.
    assert_eq!([percent_of(&difference)[0].as_str(), &points(step)], ["19.46 %", "+19.46"]);

    // Of another device as well: 2,500 TFLOP/s dense.
    let difference = claim(h800(Precision::Fp8)).reconcile(&claim(bf16("NVIDIA GB200", 2_048))).unwrap();
    let [precision, peak] = difference.steps() else { panic!("{difference}") };
    assert!(matches!(precision.change, Change::Precision { .. }));
    assert!(matches!(peak.change, Change::Peak { .. }));
    assert_eq!(percent_of(&difference), ["19.46 %", "15.41 %"]);
}

#[test]
fn a_printed_rate_is_compared_by_the_tokens_that_it_stands_for() {
    // NVIDIA prints 1,639 tokens/s for Llama-3-70B and, by half the square, 736 TFLOP/s: the same run.
    let architecture = model("llama-3-70b");
    let run = || Run::new(&architecture, Batch::uniform(1, 8_192));
    let flops = Pace::flops_per_second_per_device(FlopRate::from_tflops(736.0).unwrap()).unwrap();
    let by_flops = run().at(flops).under(Convention::MEGATRON_2025_03);
    let by_tokens = run().at(Pace::tokens_per_second_per_device(1_639.0).unwrap()).under(Convention::MEGATRON_2024);
    let difference = by_flops.reconcile(&by_tokens).unwrap();
    let [.., core, time] = difference.steps() else { panic!("{difference}") };
    assert!(matches!(core.change, Change::Axis { axis: Axis::Core, .. }));
    let Change::Time { from, to } = time.change else { panic!("{time:?}") };
    // 736 TFLOP/s by 449.223 GFLOP for a token.
    assert_eq!([from.to_string(), to.to_string()], ["1,638 tokens/s per device", "1,639 tokens/s per device"]);
}

#[test]
fn the_same_tokens_in_other_sequences_are_a_step() {
    let architecture = model("llama-3-8b");
    let of = |batch| Run::new(&architecture, batch).under(Convention::DEEPSEEK_2025_FULL);
    let difference = of(Batch::uniform(8, 1_024)).reconcile(&of(Batch::uniform(1, 8_192))).unwrap();
    let [step] = difference.steps() else { panic!("{difference}") };
    assert_eq!(step.change, Change::Tokens { from: 8_192, to: 8_192 });
    // Each of 8,192 tokens has 7,168 keys more: 6 · 2 · 32 · 32 · 128 each.
    assert_eq!(step.flops(), 12 * 32 * 32 * 128 * 8_192 * 7_168);
    assert!(difference.to_string().contains("tokens in sequences of other lengths"));
}

#[test]
fn claims_of_different_kinds_are_not_the_same_basis() {
    let architecture = model("deepseek-v3");
    let paced = deepseek(&architecture).under(Convention::EXACT);
    let unpaced = Run::new(&architecture, Batch::uniform(1, 4_096)).under(Convention::EXACT);
    for (one, other) in [(&paced, &unpaced), (&unpaced, &paced)] {
        let error = one.reconcile(other).unwrap_err();
        assert!(error.is_not_applicable());
        assert!(error.to_string().starts_with("not the same basis: "), "{error}");
    }

    let attention = Attention::multi_head(4, 16);
    let reader = Layer::new().with(attention).with(attention.cross()).with(FeedForward::gated(256));
    let encoder = Layer::pre_norm(attention, FeedForward::gated(256));
    let translator = Architecture::decoder(64, 100).encoder_layers(2, encoder).layers(2, reader).build().unwrap();
    let translates = Run::new(&translator, Batch::uniform(1, 16).source(8)).under(Convention::EXACT);
    let error = translates.reconcile(&unpaced).unwrap_err();
    assert!(error.is_not_applicable());
    assert!(error.to_string().starts_with("not the same basis: "), "{error}");
}

#[test]
fn what_is_wrong_with_either_claim_is_said() {
    let architecture = model("llama-3-8b");
    let run = || Run::new(&architecture, Batch::uniform(4, 8_192));
    // A formula that was not written for this model, at either end.
    let gpt = run().under(Convention::NARAYANAN_2021);
    let exact = run().under(Convention::EXACT);
    assert!(gpt.reconcile(&exact).unwrap_err().is_not_applicable());
    assert!(exact.reconcile(&gpt).unwrap_err().is_not_applicable());

    // The time of a step on nobody knows how many devices, against a rate of each.
    let step = run().at(Duration::from_secs(2)).under(Convention::EXACT);
    let rate = run().at(Pace::tokens_per_second_per_device(2_048.0).unwrap()).under(Convention::EXACT);
    let error = step.reconcile(&rate).unwrap_err();
    assert!(error.is_invalid_argument() && error.to_string().contains("devices"), "{error}");
    let step = run().at(Duration::from_secs(2)).on_devices(8).under(Convention::EXACT);
    assert!(step.reconcile(&rate).unwrap().steps().iter().all(|step| step.before == step.after));
    let nowhere = run().at(Duration::from_secs(2)).on_devices(0).under(Convention::EXACT);
    assert!(nowhere.reconcile(&rate).unwrap_err().is_invalid_argument());
}

#[test]
fn a_claim_above_one_is_explained() {
    // 51,471,187,968 FLOP · 32,768 tokens in 0.2 s on 8 of 989.4 TFLOP/s are 106.54 %, in 0.4 s half of it.
    let architecture = model("llama-3-8b");
    let run = || Run::new(&architecture, Batch::uniform(4, 8_192)).on(bf16("NVIDIA H100 80GB HBM3", 8));
    let claim = |milliseconds| run().at(Duration::from_millis(milliseconds)).under(Convention::EXACT);
    assert!(claim(200).report().unwrap_err().is_impossible());
    assert_eq!(percent_of(&claim(200).reconcile(&claim(400)).unwrap()), ["106.54 %", "53.27 %"]);
}

#[test]
fn a_report_asks_for_pace_and_peaks() {
    let architecture = model("llama-3-8b");
    let run = || Run::new(&architecture, Batch::uniform(4, 8_192));
    for (run, missing) in [(run(), "pace"), (run().at(Duration::from_secs(2)).on_devices(8), "peak")] {
        let error = run.under(Convention::EXACT).report().unwrap_err();
        assert!(error.is_invalid_argument() && error.to_string().contains(missing), "{error}");
    }
}

#[test]
fn a_published_figure_under_another_rule() {
    // 40 % of Llama-3-8B at 8,192 under PaLM's formula: 6 · (N + 2·4096·s·L) with all 8,030,261,248 parameters, against
    // 6 · (7,504,658,432 of matmuls, and 4096·(s + 1)·L of half the square with its diagonal).
    let ledger = catalog::find("llama-3-8b").unwrap().ledger().unwrap();
    let published = Utilization::from_percent(40.0).unwrap();
    let (palm, exact) = (Convention::PALM_2022, Convention::EXACT);
    let converted = ledger.convert(published, palm, exact, Batch::uniform(1, 8_192)).unwrap();
    let by_hand =
        40.0 * (7_504_658_432.0 + 4_096.0 * 8_193.0 * 32.0) / (8_030_261_248.0 + 2.0 * 4_096.0 * 8_192.0 * 32.0);
    assert!((converted.as_percent() - by_hand).abs() < 1e-12 * by_hand);

    // What counts nothing converts to nothing.
    let error = ledger.convert(published, palm, exact, Batch::uniform(0, 8_192)).unwrap_err();
    assert!(error.is_not_applicable(), "{error}");
    assert!(ledger.convert(published, palm, Convention::NARAYANAN_2021, Batch::uniform(1, 8_192)).is_err());
}
