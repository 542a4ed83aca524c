//! Published figures and what they follow from: each case with its rate and its divisor worked out by hand.

use std::time::Duration;

use mfu::{
    Architecture, Batch, Convention, Device, Diagnosis, Explanation, Figure, Fleet, FlopRate, Headline, Origin, Pace,
    Peak, Precision, Printed, Recipe, Run, Variant, catalog,
};

fn model(name: &str) -> Architecture {
    catalog::find(name).unwrap().architecture().unwrap()
}

fn bf16(device: &str, devices: u64) -> Fleet {
    Device::find(device).unwrap().peak(Precision::Bf16).unwrap().times(devices)
}

fn printed(text: &str) -> Printed {
    text.parse().unwrap()
}

fn percent(run: &Run<'_>, text: &str) -> Diagnosis {
    run.diagnose(&Figure::MfuPercent(printed(text))).unwrap()
}

/// Llama-3-8B at 8,192, so many tokens per second on each of eight.
fn llama(architecture: &Architecture, tokens_per_second: f64, fleet: Fleet) -> Run<'_> {
    let pace = Pace::tokens_per_second_per_device(tokens_per_second).unwrap();
    Run::new(architecture, Batch::uniform(1, 8_192)).at(pace).on(fleet)
}

fn deepseek(architecture: &Architecture) -> Run<'_> {
    Run::new(architecture, Batch::uniform(15_360, 4_096)).at(Duration::from_millis(19_926))
}

/// The one explanation by this convention.
fn by(diagnosis: &Diagnosis, convention: Convention) -> &Explanation {
    let mut found = diagnosis.explanations().iter().filter(|it| it.conventions.contains(&convention));
    match (found.next(), found.next()) {
        (Some(only), None) => only,
        _ => panic!("{diagnosis}"),
    }
}

/// Whether this convention explains it as the architecture is, with a divisor of that origin and one assumption.
fn divides(diagnosis: &Diagnosis, convention: Convention, is_it: impl Fn(&Origin) -> bool) -> bool {
    let found =
        diagnosis.explanations().iter().filter(|it| it.conventions.contains(&convention) && it.variant.is_none());
    found.filter(|it| it.assumptions == 1).any(|it| origins(it).iter().any(&is_it))
}

fn origins(explanation: &Explanation) -> &[Origin] {
    &explanation.divisor.as_ref().unwrap().origins
}

#[test]
fn deepseek_v3_divides_by_989() {
    // 432.469 and 385.135 TFLOP/s are 43.71 and 38.93 % of the table's 989.4, and 43.73 and 38.94 % of 989.
    let architecture = model("deepseek-v3");
    let run = deepseek(&architecture).on(bf16("NVIDIA H800", 2_048));
    for (text, convention) in [("43.73", Convention::DEEPSEEK_2025_FULL), ("38.94", Convention::DEEPSEEK_2025_CAUSAL)] {
        let diagnosis = percent(&run, text);
        let [only] = diagnosis.explanations() else { panic!("{diagnosis}") };
        assert_eq!((only.conventions[0], only.variant, only.assumptions), (convention, None, 1));
        assert_eq!(origins(only), [Origin::Rounded { precision: Precision::Bf16 }]);
        approx::assert_relative_eq!(only.divisor.as_ref().unwrap().rate.as_tflops(), 989.0);
    }

    // Said so, it needs no assumption.
    let h800 = Peak::declared("H800, BF16 dense", FlopRate::from_tflops(989.0).unwrap()).unwrap();
    let diagnosis = percent(&run.on(h800.times(2_048)), "38.94");
    assert_eq!(origins(by(&diagnosis, Convention::DEEPSEEK_2025_CAUSAL)), [Origin::Own]);
    assert_eq!(diagnosis.explanations()[0].assumptions, 0);
}

#[test]
fn palm_by_its_own_formula() {
    let architecture = model("palm-540b");
    let pace = Pace::tokens_per_second(238_300.0).unwrap();
    let run = Run::new(&architecture, Batch::uniform(2_048, 2_048)).at(pace).on(bf16("TPU v4", 6_144));
    let diagnosis = percent(&run, "46.2");
    assert_eq!(by(&diagnosis, Convention::PALM_2022).assumptions, 0);
}

#[test]
fn a_sparse_headline() {
    // 10,000 tokens/s of 51,471,187,968 FLOP are 514.71 TFLOP/s: 52.02 % of 989.4, and 26.01 % of the 1,979 that is
    // printed large.
    let architecture = model("llama-3-8b");
    let diagnosis = percent(&llama(&architecture, 10_000.0, bf16("NVIDIA H100 80GB HBM3", 8)), "26.01");
    let is_sparse = |origin: &Origin| {
        matches!(origin, Origin::Listed { precision: Precision::Bf16, reading }
            if (reading.headline, reading.devices) == (Some(Headline::Sparse), 1))
    };
    assert!(divides(&diagnosis, Convention::EXACT, is_sparse), "{diagnosis}");
}

#[test]
fn another_precision() {
    // 225.075 GFLOP · 2,216.24 tokens/s are 498.8 TFLOP/s: 19.95 % of a GB200 at BF16, 9.98 % at FP8.
    let architecture = model("mai-base-1");
    let pace = Pace::tokens_per_second(30e12 / (459.0 * 3_600.0)).unwrap();
    let run = Run::new(&architecture, Batch::uniform(8_192, 16_384)).at(pace).on(bf16("NVIDIA GB200", 8_192));
    assert_eq!(by(&percent(&run, "19.95"), Convention::EXACT).assumptions, 0);
    let diagnosis = percent(&run, "9.98");
    let is_fp8 = |origin: &Origin| {
        matches!(origin, Origin::Listed { precision: Precision::Fp8, reading }
            if (reading.headline, reading.devices) == (None, 1))
    };
    assert!(divides(&diagnosis, Convention::EXACT, is_fp8), "{diagnosis}");
}

#[test]
fn a_package_for_one_of_its_dies() {
    // 1,000 tokens/s of 51.471 GFLOP: 26.88 % of a die of 191.5 TFLOP/s, 13.44 % of the MI250X's 383.
    let architecture = model("llama-3-8b");
    let run = llama(&architecture, 1_000.0, bf16("AMD Instinct MI250X", 8));
    assert_eq!(by(&percent(&run, "26.88"), Convention::EXACT).assumptions, 0);
    let diagnosis = percent(&run, "13.44");
    let is_package = |origin: &Origin| {
        matches!(origin, Origin::Listed { precision: Precision::Bf16, reading }
            if (reading.headline, reading.group) == (None, Some("package")))
    };
    assert!(divides(&diagnosis, Convention::EXACT, is_package), "{diagnosis}");
}

#[test]
fn an_a100_for_an_unknown_device() {
    // torchtitan on an L40S, at 2,000 tokens/s of 57,914,449,920 FLOP: 115.83 TFLOP/s, 37.12 % of 312 and 31.99 % of
    // the L40S's 362.05.
    let architecture = model("llama-3-8b");
    let run = llama(&architecture, 2_000.0, bf16("NVIDIA L40S", 8));
    let best = percent(&run, "37.12");
    assert_eq!(origins(by(&best, Convention::TORCHTITAN_2026_08)), [Origin::Fallback]);
    assert_eq!(origins(by(&percent(&run, "31.99"), Convention::TORCHTITAN_2026_08)), [Origin::Own]);
    // Of a peak that the table does not have as well.
    let own = Peak::declared("chip-1, BF16", FlopRate::from_tflops(500.0).unwrap()).unwrap().times(8);
    let diagnosis = percent(&run.on(own), "37.12");
    assert_eq!(origins(by(&diagnosis, Convention::TORCHTITAN_2026_08)), [Origin::Fallback]);
}

#[test]
fn a_misread_model() {
    // NVIDIA's table of release 26.04 for gpt-oss-120b: two matrices of an expert for three.
    let architecture = model("gpt-oss-120b");
    let pace = Pace::tokens_per_second_per_device(15_938.0).unwrap();
    let run = Run::new(&architecture, Batch::uniform(1, 4_096)).at(pace);
    let diagnosis = run.diagnose(&Figure::TflopsPerDevice(printed("433"))).unwrap();
    let best = by(&diagnosis, Convention::MEGATRON_2025_03);
    assert_eq!((best.variant, best.assumptions, &best.divisor), (Some(Variant::GatesLeftOut), 1, &None));
    assert_eq!(format!("{:.0}", best.value), "433");
}

#[test]
fn frozen_layers() {
    // NeMo's table of release 24.12 prints 663 TFLOP/s for LoRA of Llama-2-7B at 24,824 tokens/s: 32 layers of
    // 4·4096² + 3·4096·11008 parameters at 4 FLOPs, and the head, 32000·4096, at 6, are 26.69 GFLOP.
    let architecture = model("llama-2-7b");
    let pace = Pace::tokens_per_second_per_device(24_824.0).unwrap();
    let run = Run::new(&architecture, Batch::uniform(1, 4_096)).at(pace);
    let figure = Figure::TflopsPerDevice(printed("663"));
    let all_trained = run.diagnose(&figure).unwrap();
    assert_eq!(all_trained.explanations(), [], "{all_trained}");
    let diagnosis = run.with_recipe(Recipe::frozen_layers()).diagnose(&figure).unwrap();
    assert_eq!(by(&diagnosis, Convention::NEMO_2024_12_LORA).assumptions, 0);
}

#[test]
fn flops_per_token_need_no_pace() {
    // Table 2 of arXiv:2505.09343 has 155 GFLOP for DeepSeek-V2 at 4,096.
    let architecture = model("deepseek-v2");
    let run = Run::new(&architecture, Batch::uniform(1, 4_096));
    let diagnosis = run.diagnose(&Figure::GflopsPerToken(printed("155"))).unwrap();
    let best = by(&diagnosis, Convention::DEEPSEEK_2025_CAUSAL);
    // 155,013,611,520.
    assert!((best.digits_off - 0.013_611_52).abs() < 1e-9);
}

#[test]
fn what_nothing_explains_has_no_explanation() {
    // The same run at a third more than any rule counts.
    let architecture = model("deepseek-v3");
    let run = deepseek(&architecture).on_devices(2_048);
    let diagnosis = run.diagnose(&Figure::TflopsPerDevice(printed("601.3"))).unwrap();
    assert_eq!(diagnosis.explanations(), []);
    let nearest = diagnosis.nearest().unwrap();
    assert!(nearest.digits_off.abs() > 0.5, "{diagnosis}");
    assert!(diagnosis.to_string().contains("none fits; the nearest"), "{diagnosis}");
}

#[test]
fn the_digits_decide() {
    // 51,471,187,968 FLOP per token: 51.5, not 51.4; cut off, 51.4 and not 51.5.
    let architecture = model("llama-3-8b");
    let run = Run::new(&architecture, Batch::uniform(1, 8_192));
    let fits = |figure: Printed| {
        let diagnosis = run.diagnose(&Figure::GflopsPerToken(figure)).unwrap();
        diagnosis.explanations().iter().any(|it| it.conventions.contains(&Convention::EXACT))
    };
    assert!(fits(printed("51.5")) && !fits(printed("51.4")));
    assert!(fits(printed("51.4").truncated()) && !fits(printed("51.5").truncated()));
    assert!(fits(printed("51")) && fits(printed("51.47")) && !fits(printed("51.48")));
}

#[test]
fn a_formula_for_other_models_explains_nothing() {
    let gpt = Convention::NARAYANAN_2021;
    for (name, defined) in [("gpt-3-175b", true), ("llama-3-8b", false)] {
        let architecture = model(name);
        let cost = architecture.cost(Convention { domain: mfu::Domain::Any, ..gpt }).unwrap();
        let flops = cost.count(Batch::uniform(1, 2_048)).unwrap().training_flops_per_token().unwrap();
        let figure = Figure::GflopsPerToken(printed(&format!("{:.3}", flops / 1e9)));
        let diagnosis = Run::new(&architecture, Batch::uniform(1, 2_048)).diagnose(&figure).unwrap();
        let found = diagnosis.explanations().iter().any(|it| it.conventions.contains(&gpt));
        assert_eq!(found, defined, "{diagnosis}");
    }
}

#[test]
fn better_fits_come_first_and_fewer_assumptions_among_equals() {
    let architecture = model("deepseek-v3");
    let diagnosis = percent(&deepseek(&architecture).on(bf16("NVIDIA H800", 2_048)), "44");
    assert!(diagnosis.explanations().len() > 2, "{diagnosis}");
    let rank = |it: &Explanation| ((10.0 * it.digits_off.abs()).round(), it.assumptions);
    assert!(diagnosis.explanations().iter().map(rank).is_sorted(), "{diagnosis}");
    assert!(diagnosis.explanations().iter().all(|it| it.digits_off.abs() <= 0.5 + 1e-9));
    assert!(diagnosis.explanations().len() <= diagnosis.tried());
}

#[test]
fn a_rounding_of_a_peak_that_fits_is_no_other_explanation() {
    // 385.135 TFLOP/s are 39 % of 989.4 as of 989, 989.5 and 990.
    let architecture = model("deepseek-v3");
    let diagnosis = percent(&deepseek(&architecture).on(bf16("NVIDIA H800", 2_048)), "39");
    assert_eq!(origins(by(&diagnosis, Convention::DEEPSEEK_2025_CAUSAL)), [Origin::Own]);
}

#[test]
fn what_is_said_in_flops_is_divided_alone() {
    // 400 TFLOP/s are 40.43 % of 989.4, and 20.21 % of the 1,979 that is printed large, whatever counted them.
    let architecture = model("llama-3-8b");
    let pace = Pace::flops_per_second_per_device(FlopRate::from_tflops(400.0).unwrap()).unwrap();
    let run = Run::new(&architecture, Batch::uniform(1, 8_192)).at(pace).on(bf16("NVIDIA H100 80GB HBM3", 8));
    for (text, assumptions) in [("40.43", 0), ("20.21", 1)] {
        let diagnosis = percent(&run, text);
        let best = &diagnosis.explanations()[0];
        assert_eq!((best.conventions.as_slice(), best.variant, best.assumptions), ([].as_slice(), None, assumptions));
        assert!(diagnosis.to_string().contains("any convention"), "{diagnosis}");
    }
    // FLOPs per token are counted all the same.
    let diagnosis = run.diagnose(&Figure::GflopsPerToken(printed("51.471"))).unwrap();
    assert_eq!(by(&diagnosis, Convention::EXACT).assumptions, 0);
}

#[test]
fn what_the_run_does_not_say_is_asked_for() {
    let architecture = model("llama-3-8b");
    let batch = Batch::uniform(4, 8_192);
    let (mfu, rate) = (Figure::MfuPercent(printed("40")), Figure::TflopsPerDevice(printed("400")));
    let whole = Duration::from_secs(2);
    for (run, figure, missing) in [
        (Run::new(&architecture, batch), &rate, "pace"),
        (Run::new(&architecture, batch).at(whole), &rate, "devices"),
        (Run::new(&architecture, batch).at(whole).on_devices(0), &rate, "devices"),
        (Run::new(&architecture, batch).at(whole).on_devices(8), &mfu, "peak"),
        (Run::new(&architecture, batch).on(bf16("NVIDIA L4", 8)), &mfu, "pace"),
        (Run::new(&architecture, Batch::uniform(0, 8)).at(whole).on_devices(8), &rate, "tokens"),
        (Run::new(&architecture, Batch::uniform(0, 8)), &Figure::GflopsPerToken(printed("51")), "tokens"),
    ] {
        let error = run.diagnose(figure).unwrap_err();
        assert!(error.is_invalid_argument() && error.to_string().contains(missing), "{error}");
    }
}
