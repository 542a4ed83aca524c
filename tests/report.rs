//! Utilizations: published runs recomputed from their inputs, what a report says, what it refuses, and how it is
//! recorded.
//!
//! A published figure is held against the interval that its own printed digits and those of its inputs allow, each ±
//! half its last.

use std::time::Duration;

use approx::assert_relative_eq;
use mfu::{
    Architecture, Attention, Batch, Convention, Core, Count, Device, FeedForward, Finding, Fleet, FlopRate, Hardware,
    Layer, Norm, Pace, Peak, Precision, Recipe, Recompute, Report, Windows, catalog,
};

/// The tolerance of an identity between floats.
const IDENTITY: f64 = 1e-12;

fn peak(label: &str, tflops: f64) -> Peak {
    Peak::declared(label, FlopRate::from_tflops(tflops).unwrap()).unwrap()
}

/// One step of DeepSeek-V3's pre-training: arXiv:2505.09343, Table 4.
fn deepseek_step(convention: Convention) -> Count {
    catalog::find("deepseek-v3").unwrap().cost(convention).unwrap().count(Batch::uniform(15_360, 4_096)).unwrap()
}

fn h800s(tflops: f64) -> Fleet {
    peak("H800, BF16 dense", tflops).with_source("arXiv:2505.09343, Table 4").times(2_048)
}

fn deepseek_report() -> Report {
    let step = deepseek_step(Convention::DEEPSEEK_2025_CAUSAL);
    step.utilization(Duration::from_millis(19_926), &h800s(989.0)).unwrap()
}

/// A step that recomputes every layer, so that its two utilizations differ.
fn recomputing_report() -> Report {
    let recipe = Recipe::recomputing(Recompute::Full);
    let ledger = catalog::find("llama-3-8b").unwrap().ledger().unwrap();
    let count = ledger.cost_with(Convention::EXACT, recipe).unwrap().count(Batch::uniform(512, 8_192)).unwrap();
    count.utilization(Duration::from_secs(10), &peak("H100, BF16 dense", 989.4).times(64)).unwrap()
}

mod published {
    use super::*;

    /// Whether anything between the two rounds to the printed figure.
    fn allows(printed: f64, half_its_last_digit: f64, ends: [f64; 2]) -> bool {
        let [low, high] = if ends[0] <= ends[1] { ends } else { [ends[1], ends[0]] };
        low <= printed + half_its_last_digit && printed - half_its_last_digit <= high
    }

    #[test]
    fn deepseek_v3() {
        // Two networks, each at the full square and at half of it. That the peak is 989.0 TFLOP/s is read off these
        // very figures; by the table's 989.4 they would be one or two hundredths lower.
        let (full, causal) = (Convention::DEEPSEEK_2025_FULL, Convention::DEEPSEEK_2025_CAUSAL);
        for (milliseconds, convention, peak, rate, mfu) in [
            (19_926, full, 989.0, "432 TFLOP/s", "43.73 %"),
            (19_926, causal, 989.0, "385 TFLOP/s", "38.94 %"),
            (19_946, full, 989.0, "432 TFLOP/s", "43.68 %"),
            (19_946, causal, 989.0, "385 TFLOP/s", "38.90 %"),
            (19_926, full, 989.4, "432 TFLOP/s", "43.71 %"),
            (19_926, causal, 989.4, "385 TFLOP/s", "38.93 %"),
        ] {
            let step = deepseek_step(convention);
            let report = step.utilization(Duration::from_millis(milliseconds), &h800s(peak)).unwrap();
            let shown = (format!("{:.0}", report.flops_per_second_per_device()), report.mfu().to_string());
            assert_eq!(shown, (rate.to_owned(), mfu.to_owned()), "{convention} at {milliseconds} ms");
        }
        // The same table: 272.8 B tokens a day.
        let tokens_per_day = deepseek_report().tokens_per_second() * 86_400.0;
        assert_eq!(format!("{:.1}", tokens_per_day / 1e9), "272.8");
    }

    #[test]
    fn mai_base_1() {
        // MAI-Thinking-1 report, June 2026, sections 2.8.4 and 6.2.1: 30 T tokens of length 16,384 in batches of 2²⁷ on
        // 8,192 GB200, a goodput of 90.0 % with 51 h of overhead, "about 20 %". Without the overhead: 51 h · 0.9/0.1 =
        // 459 h.
        let step = catalog::find("mai-base-1").unwrap().cost(Convention::EXACT).unwrap();
        let step = step.count(Batch::uniform(8_192, 16_384)).unwrap();
        let fleet = peak("GB200, BF16 dense", 2_500.0).times(8_192);
        let mfu = |goodput: f64, overhead_hours: f64| {
            let hours = overhead_hours * goodput / (1.0 - goodput);
            let report = step.utilization(Pace::tokens_per_second(30e12 / (hours * 3_600.0)).unwrap(), &fleet).unwrap();
            report.mfu()
        };
        // 225,074,588,544 · 30e12 / (459 · 3600 · 8192 · 2.5e15).
        assert_eq!(mfu(0.900, 51.0).to_string(), "19.95 %");
        // Half a digit of goodput and half an hour, both ways.
        let ends = [mfu(0.9005, 51.5), mfu(0.8995, 50.5)];
        assert_eq!(ends.map(|mfu| mfu.to_string()), ["19.65 %", "20.26 %"]);
        assert!(allows(20.0, 0.5, ends.map(mfu::Utilization::as_percent)));
    }

    #[test]
    fn mai_base_1_by_other_rules() {
        let count = |convention| {
            let cost = catalog::find("mai-base-1").unwrap().cost(convention).unwrap();
            cost.count(Batch::uniform(8_192, 16_384)).unwrap()
        };
        let pace = Pace::tokens_per_second(30e12 / (459.0 * 3_600.0)).unwrap();
        let of = |convention, tflops| count(convention).utilization(pace, &peak("GB200", tflops).times(8_192)).unwrap();
        // FLOP per token · 30e12 / (459 · 3600 · 8192 · peak), with 225.07 GFLOP as its masks have it; 207.97 of them
        // in weights; 224.28 without routers and diagonals; in the core, 6·78·80·256·16384/2 = 78.52 GFLOP if
        // every layer were causal, and twice that if full.
        let exact = Convention::EXACT;
        let ignored = Convention { windows: Windows::Ignored, ..exact };
        for (convention, tflops, shown) in [
            (Convention::DEEPSEEK_2025_CAUSAL, 2_500.0, "19.88 %"),
            (Convention { core: Core::Out, ..exact }, 2_500.0, "18.44 %"),
            (ignored, 2_500.0, "25.40 %"),
            (Convention { core: Core::Full, ..ignored }, 2_500.0, "32.36 %"),
            (exact, 5_000.0, "9.98 %"),
        ] {
            assert_eq!(of(convention, tflops).mfu().to_string(), shown, "{convention} of {tflops} TFLOP/s");
        }
        // Derived, and published nowhere: 7.39 s a step, 2,216 tokens/s and 499 TFLOP/s on each.
        let report = of(exact, 2_500.0);
        let derived = [report.seconds(), report.tokens_per_second_per_device()];
        assert_eq!(derived.map(|figure| format!("{figure:.2}")), ["7.39", "2216.24"]);
        assert_eq!(format!("{:.0}", report.flops_per_second_per_device()), "499 TFLOP/s");
    }

    #[test]
    fn palm_540b() {
        // arXiv:2204.02311, section 4.1 and Table 3: 238.3 thousand tokens/s on 6,144 TPU v4; 46.2 %, and 45.7 %
        // without attention.
        let fleet = peak("TPU v4, BF16", 275.0).times(6_144);
        let without_attention = Convention { core: Core::Out, ..Convention::PALM_2022 };
        for (convention, printed) in [(Convention::PALM_2022, "46.2 %"), (without_attention, "45.7 %")] {
            let cost = catalog::find("palm-540b").unwrap().cost(convention).unwrap();
            let count = cost.count(Batch::uniform(2_048, 2_048)).unwrap();
            let report = count.utilization(Pace::tokens_per_second(238_300.0).unwrap(), &fleet).unwrap();
            assert_eq!(format!("{:.1}", report.mfu()), printed);
        }
    }

    /// A model of Megatron's papers: multi-head attention, an ungated feed-forward of 4h, biases, learned positions,
    /// tied.
    struct Gpt {
        layers: u64,
        hidden: u64,
        heads: u64,
    }

    const VOCAB: u64 = 51_200;
    const LENGTH: u64 = 2_048;

    impl Gpt {
        fn architecture(&self) -> Architecture {
            let attention = Attention::multi_head(self.heads, self.hidden / self.heads).bias();
            let layer = Layer::pre_norm(attention, FeedForward::plain(4 * self.hidden).bias());
            Architecture::decoder(self.hidden, VOCAB)
                .layers(self.layers, layer.with_norms(Norm::layer()))
                .positions(LENGTH)
                .tied()
                .build()
                .unwrap()
        }

        fn count(&self, sequences: u64, recipe: Recipe) -> Count {
            let cost = self.architecture().ledger().unwrap().cost_with(Convention::MEGATRON_2024, recipe).unwrap();
            cost.count(Batch::uniform(sequences, LENGTH)).unwrap()
        }

        /// `B·L·s·h²`, `B·L·s²·h` and `B·s·h·V`, of which all formulas of these papers are made.
        fn terms(&self, sequences: u64) -> [u128; 3] {
            let [tokens, length, vocab] = [sequences * LENGTH, LENGTH, VOCAB].map(u128::from);
            let [layers, hidden] = [self.layers, self.hidden].map(u128::from);
            [tokens * layers * hidden * hidden, tokens * layers * length * hidden, tokens * hidden * vocab]
        }
    }

    fn a100s(devices: u64) -> Fleet {
        peak("A100, BF16 dense", 312.0).with_source("arXiv:2205.05198").times(devices)
    }

    #[test]
    fn megatron_without_full_recompute() {
        // arXiv:2205.05198, Tables 3 and 5: GPUs, sequences, seconds with half their last digit, and the MFU.
        for (layers, hidden, heads, gpus, sequences, [seconds, half], printed) in [
            (48, 6_144, 64, 8, 4, [1.10, 0.005], 41.5),
            (96, 12_288, 96, 64, 64, [13.75, 0.005], 51.4),
            (128, 25_600, 160, 512, 512, [71.49, 0.005], 56.3),
        ] {
            let model = Gpt { layers, hidden, heads };
            let count = model.count(sequences, Recipe::default());
            // 72·B·L·s·h²·(1 + s/6h + V/12hL), appendix A.
            let [matmuls, core, head] = model.terms(sequences);
            assert_eq!(count.training.get(), 72 * matmuls + 12 * core + 6 * head);
            assert_eq!(count.hardware, count.training, "nothing is recomputed");

            let mfu = |seconds: f64| {
                let report = count.utilization(Duration::from_secs_f64(seconds), &a100s(gpus)).unwrap();
                report.mfu().as_percent()
            };
            let ends = [mfu(seconds + half), mfu(seconds - half)];
            assert!(allows(printed, 0.05, ends), "{ends:?} against {printed}");
        }
    }

    #[test]
    fn megatron_with_full_recompute() {
        // arXiv:2205.05198, Table 5: the same 175B step takes 18.13 s when every layer is recomputed. By hand, of 64 ·
        // 312e12 FLOP/s in that time: 141,091,531,099,471,872 model FLOPs are 38.97 %, and 187,957,114,721,796,096
        // performed are 51.92 %.
        let model = Gpt { layers: 96, hidden: 12_288, heads: 96 };
        let count = model.count(64, Recipe::recomputing(Recompute::Full));
        let report = count.utilization(Duration::from_millis(18_130), &a100s(64)).unwrap();
        assert_eq!((report.mfu().to_string(), report.hfu().to_string()), ("38.97 %".to_owned(), "51.92 %".to_owned()));
    }

    #[test]
    fn megatron_counts_what_it_recomputes() {
        // arXiv:2104.04473, Table 1: parameters in billions, GPUs, sequences, TFLOP/s per GPU, percent of 312.
        for (layers, hidden, heads, billions, gpus, sequences, tflops, printed) in [
            (40, 6_144, 48, 18.4, 256, 1_024, 135.0, "43 %"),
            (48, 8_192, 64, 39.1, 512, 1_536, 138.0, "44 %"),
            (60, 10_240, 80, 76.1, 1_024, 1_792, 140.0, "45 %"),
            (96, 16_384, 128, 310.1, 1_920, 2_160, 155.0, "50 %"),
            (128, 25_600, 160, 1_008.0, 3_072, 3_072, 163.0, "52 %"),
        ] {
            let model = Gpt { layers, hidden, heads };
            // 12·L·h²·(1 + 13/12h + (V + s)/12Lh); the last norm's 2h are not in it.
            let [layers, hidden] = [layers, hidden].map(u128::from);
            let parameters = model.architecture().ledger().unwrap().parameters().total();
            let formula = hidden * (layers * (12 * hidden + 13) + u128::from(VOCAB + LENGTH));
            assert_eq!(parameters, formula + 2 * hidden);
            assert_eq!(format!("{:.1}", formula as f64 / 1e9), format!("{billions:.1}"));

            // 96·B·s·L·h²·(1 + s/6h + V/16Lh): every layer runs forward twice, the head once.
            let count = model.count(sequences, Recipe::recomputing(Recompute::Full));
            let [matmuls, core, head] = model.terms(sequences);
            assert_eq!(count.hardware.get(), 96 * matmuls + 16 * core + 6 * head);
            assert_eq!(count.training.get(), 72 * matmuls + 12 * core + 6 * head);

            // The paper's rate is one of hardware FLOPs; a pace is one of model FLOPs.
            let rate = FlopRate::from_tflops(tflops * count.training.as_f64() / count.hardware.as_f64()).unwrap();
            let report = count.utilization(Pace::flops_per_second_per_device(rate).unwrap(), &a100s(gpus)).unwrap();
            assert_eq!(format!("{:.0}", report.hfu()), printed);
            assert_relative_eq!(report.hfu().as_fraction(), tflops / 312.0, max_relative = IDENTITY);
        }
    }
}

#[test]
fn every_kind_of_pace_gives_the_same_report() {
    let mixed = peak("H100, BF16 dense", 989.4).times(8) + peak("A100, BF16 dense", 312.0).times(16);
    for report in [
        deepseek_report(),
        recomputing_report(),
        recomputing_report().count().utilization(Duration::from_secs(100), &mixed).unwrap(),
    ] {
        for pace in [
            Pace::duration(Duration::from_secs_f64(report.seconds())),
            Pace::tokens_per_second(report.tokens_per_second()).unwrap(),
            Pace::tokens_per_second_per_device(report.tokens_per_second_per_device()).unwrap(),
            Pace::flops_per_second_per_device(report.flops_per_second_per_device()).unwrap(),
        ] {
            let again = report.count().utilization(pace, report.fleet()).unwrap();
            assert_eq!(again.pace(), pace);
            for (left, right) in [
                (again.mfu().as_fraction(), report.mfu().as_fraction()),
                (again.hfu().as_fraction(), report.hfu().as_fraction()),
                (again.seconds(), report.seconds()),
                (again.tokens_per_second(), report.tokens_per_second()),
            ] {
                assert_relative_eq!(left, right, max_relative = IDENTITY);
            }
        }
    }
}

#[test]
fn accessors_follow_from_one_another() {
    for report in [deepseek_report(), recomputing_report()] {
        let Count { tokens, training, hardware, .. } = *report.count();
        let seconds_of_all = report.seconds() * report.devices() as f64;
        let available = report.seconds() * report.fleet().peak().per_second();
        for (left, right) in [
            (report.mfu().as_fraction() * available, training.as_f64()),
            (report.hfu().as_fraction() * available, hardware.as_f64()),
            (report.flops_per_second_per_device().per_second() * seconds_of_all, training.as_f64()),
            (report.tokens_per_second() * report.seconds(), tokens as f64),
            (report.tokens_per_second_per_device() * seconds_of_all, tokens as f64),
        ] {
            assert_relative_eq!(left, right, max_relative = IDENTITY);
        }
        assert_eq!(report.fleet().devices().ok(), Some(report.devices()));
    }
    assert_eq!(deepseek_report().devices(), 2_048);
    assert_eq!(deepseek_report().pace(), Duration::from_millis(19_926).into());
    assert_eq!(deepseek_report().count(), &deepseek_step(Convention::DEEPSEEK_2025_CAUSAL));
    assert_eq!(deepseek_report().mfu(), deepseek_report().hfu(), "nothing is recomputed");
    assert!(recomputing_report().hfu() > recomputing_report().mfu());
}

#[test]
fn a_report_reads_in_a_terminal() {
    // 62,914,560 tokens in 19.926 s: 3,157,410.4 a second, 1,541.7 on each of 2,048. 249,811,304,448 FLOP for each of
    // them: 15.717 EFLOP, 385.135 TFLOP/s per device.
    let text = deepseek_report().to_string();
    for expected in [
        "38.94 % under DEEPSEEK_2025_CAUSAL",
        "385.135 TFLOP/s per device",
        "15.717 EFLOP for 62,914,560 tokens, 249.811 GFLOP per token",
        "19.926 s",
        "3,157,410 tokens/s, 1,542 per device",
        "2,048 × H800, BF16 dense: 989.000 TFLOP/s, declared (arXiv:2505.09343, Table 4)",
    ] {
        assert!(text.contains(expected), "{text}\nwithout {expected}");
    }
    assert!(!text.contains("derived") && !text.contains("HFU"), "{text}");
    assert!(!text.ends_with('\n'), "whoever prints it ends the line");

    let rate = Pace::tokens_per_second(3_000_000.0).unwrap();
    let derived = deepseek_report().count().utilization(rate, &h800s(989.0)).unwrap().to_string();
    assert!(derived.contains("20.972 s (derived from a rate)"), "{derived}");

    let recomputing = recomputing_report();
    let text = recomputing.to_string();
    assert!(text.contains(&format!("HFU         {}, every layer recomputed", recomputing.hfu())), "{text}");
    assert!(text.contains(&format!("{} under EXACT", recomputing.mfu())), "{text}");
}

mod fleets {
    use super::*;

    #[test]
    fn unlike_devices_add_and_equal_ones_merge() {
        let (hopper, ampere) = (peak("H100, BF16 dense", 989.4), peak("A100, BF16 dense", 312.0));
        let fleet = hopper.times(8) + ampere.times(16) + hopper.times(4);
        assert_eq!(fleet.devices().ok(), Some(28));
        assert_eq!(fleet.parts().collect::<Vec<_>>(), [(&hopper, 12), (&ampere, 16)]);
        assert_relative_eq!(fleet.peak().as_tflops(), 12.0 * 989.4 + 16.0 * 312.0, max_relative = IDENTITY);
        assert_eq!(
            fleet.to_string(),
            "12 × H100, BF16 dense: 989.400 TFLOP/s, declared + 16 × A100, BF16 dense: 312.000 TFLOP/s, declared"
        );
        // The same rate under another name, or from another source, is another peak.
        let elsewhere = hopper.clone().with_source("a datasheet");
        assert_eq!((hopper.times(1) + elsewhere.times(1)).parts().count(), 2);
        assert_eq!((hopper.times(1) + peak("H200, BF16 dense", 989.4).times(1)).parts().count(), 2);
    }

    #[test]
    fn a_mixed_fleet_is_held_against_the_sum_of_its_peaks() {
        let count = *recomputing_report().count();
        let fleet = peak("H100, BF16 dense", 989.4).times(8) + peak("A100, BF16 dense", 312.0).times(16);
        let report = count.utilization(Duration::from_secs(30), &fleet).unwrap();
        let available = 30.0 * (8.0 * 989.4e12 + 16.0 * 312e12);
        assert_relative_eq!(report.mfu().as_fraction(), count.training.as_f64() / available, max_relative = IDENTITY);
        assert_eq!(report.devices(), 24);
    }

    #[test]
    fn more_devices_than_can_be_counted_are_an_overflow() {
        let hopper = peak("H100, BF16 dense", 989.4);
        let fleet = hopper.times(u64::MAX) + hopper.times(1);
        assert!(fleet.devices().is_err_and(|error| error.is_overflow()));
        let error = recomputing_report().count().utilization(Duration::from_secs(1), &fleet).unwrap_err();
        assert!(error.is_overflow() && error.to_string().contains("devices of the fleet"), "{error}");
    }
}

mod arguments {
    use super::*;

    const NO_RATE: [f64; 5] = [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

    /// The message of an invalid argument, which names it first.
    fn named<T: std::fmt::Debug>(name: &str, result: Result<T, mfu::Error>) {
        let error = result.unwrap_err();
        assert!(error.is_invalid_argument(), "{error}");
        assert!(error.to_string().starts_with(&format!("{name} is ")), "{error}: does not begin with {name}");
    }

    #[test]
    fn no_time_and_no_rate() {
        let count = *deepseek_report().count();
        named("duration in nanoseconds", count.utilization(Duration::ZERO, &h800s(989.0)));
        for rate in NO_RATE {
            named("time in seconds", Pace::seconds(rate));
            named("tokens per second", Pace::tokens_per_second(rate));
            named("tokens per second per device", Pace::tokens_per_second_per_device(rate));
        }
        named("FLOP/s per device", Pace::flops_per_second_per_device(FlopRate::default()));
        // Too short for the nanoseconds that a time is kept in, and too long for them.
        named("time in seconds", Pace::seconds(1e-10));
        named("time in seconds", Pace::seconds(1e300));
    }

    #[test]
    fn no_devices_and_no_tokens() {
        let count = *deepseek_report().count();
        let second = Duration::from_secs(1);
        let hopper = peak("H100, BF16 dense", 989.4);
        named("devices", count.utilization(second, &hopper.times(0)));
        named("devices", count.utilization(second, &(hopper.times(0) + peak("A100, BF16 dense", 312.0).times(0))));
        let cost = catalog::find("deepseek-v3").unwrap().cost(Convention::EXACT).unwrap();
        for empty in [Batch::uniform(0, 4_096), Batch::uniform(15_360, 0), Batch::packed::<u64>(&[])] {
            let count = cost.count(empty).unwrap();
            assert_eq!(count.training_flops_per_token(), None);
            named("tokens", count.utilization(second, &h800s(989.0)));
        }
    }

    #[test]
    fn no_peak() {
        for rate in NO_RATE.into_iter().filter(|rate| *rate != 0.0) {
            let error = FlopRate::from_tflops(rate).unwrap_err();
            assert!(error.is_invalid_argument() && error.to_string().starts_with("rate in FLOP/s is "), "{error}");
        }
        let error = Peak::declared("H100, BF16 dense", FlopRate::default()).unwrap_err();
        assert!(error.is_invalid_argument() && error.to_string().starts_with("peak in FLOP/s is 0 "), "{error}");
        let error = Peak::declared(" ", FlopRate::from_tflops(989.4).unwrap()).unwrap_err();
        assert!(error.is_invalid_argument() && error.to_string().starts_with("peak label is "), "{error}");
    }

    #[test]
    fn extreme_rates_are_an_error_or_finite() {
        let count = *deepseek_report().count();
        for rate in [f64::from_bits(1), f64::MIN_POSITIVE, 1e-300, 1e300, f64::MAX] {
            let flops = FlopRate::from_flops_per_second(rate).unwrap();
            for pace in [
                Pace::tokens_per_second(rate).unwrap(),
                Pace::tokens_per_second_per_device(rate).unwrap(),
                Pace::flops_per_second_per_device(flops).unwrap(),
            ] {
                if let Ok(report) = count.utilization(pace, &h800s(989.0)) {
                    let figures = [report.seconds(), report.tokens_per_second(), report.tokens_per_second_per_device()];
                    assert!(figures.iter().all(|figure| figure.is_finite() && *figure > 0.0), "{report}");
                }
            }
        }
        let slowest = count.utilization(Duration::MAX, &h800s(989.0)).unwrap();
        assert!(slowest.mfu().as_fraction() > 0.0);
        let error = count.utilization(Duration::from_nanos(1), &h800s(989.0)).unwrap_err();
        assert!(error.is_impossible(), "{error}");
    }

    #[test]
    fn counts_under_unlike_rules_do_not_add() {
        let left = deepseek_step(Convention::DEEPSEEK_2025_CAUSAL);
        let error = left.checked_add(deepseek_step(Convention::DEEPSEEK_2025_FULL)).unwrap_err();
        assert!(error.is_not_applicable(), "{error}");
        for label in ["DEEPSEEK_2025_CAUSAL", "DEEPSEEK_2025_FULL"] {
            assert!(error.to_string().contains(label), "{error}");
        }

        let ledger = catalog::find("deepseek-v3").unwrap().ledger().unwrap();
        let recipe = Recipe::recomputing(Recompute::Full);
        let cost = ledger.cost_with(Convention::DEEPSEEK_2025_CAUSAL, recipe).unwrap();
        let error = left.checked_add(cost.count(Batch::uniform(1, 4_096)).unwrap()).unwrap_err();
        assert!(error.is_not_applicable(), "{error}");
        for recompute in ["nothing recomputed", "every layer recomputed"] {
            assert!(error.to_string().contains(recompute), "{error}");
        }
        assert_eq!(left.checked_add(left).unwrap().training.get(), 2 * left.training.get());
    }
}

mod above_one {
    use super::*;

    /// The causes that an impossible utilization's message ranks, the likeliest first.
    fn causes(error: &mfu::Error) -> Vec<String> {
        assert!(error.is_impossible(), "{error}");
        let message = error.to_string();
        let (_, causes) = message.split_once("suspect, likeliest first:\n  1. ").unwrap();
        let mut rest = causes;
        let mut ranked = Vec::new();
        for next in 2.. {
            let Some((cause, others)) = rest.split_once(&format!("\n  {next}. ")) else {
                break;
            };
            ranked.push(cause.to_owned());
            rest = others;
        }
        ranked.push(rest.to_owned());
        ranked
    }

    const MATRIX: &str = "counts the full attention matrix";
    const EXPERTS: &str = "counts all experts";
    const PEAK: &str = "the peak is a wrong one";
    const MICROBATCH: &str = "the time is that of a microbatch";

    fn deepseek_in(convention: Convention, milliseconds: u64) -> mfu::Error {
        let step = deepseek_step(convention);
        step.utilization(Duration::from_millis(milliseconds), &h800s(989.0)).unwrap_err()
    }

    #[test]
    fn the_full_matrix_comes_first_where_halving_it_suffices() {
        // 43.7279 % and 38.9419 % in 19.926 s are 105.0 % and 93.5 % in 8.3 s.
        let error = deepseek_in(Convention::DEEPSEEK_2025_FULL, 8_300);
        assert!(error.to_string().starts_with("MFU of 105.0 % is impossible: "), "{error}");
        let ranked = causes(&error);
        assert!(ranked[0].starts_with(&format!("DEEPSEEK_2025_FULL {MATRIX}")), "{error}");
        assert!(ranked[0].ends_with("without those, 93.5 %"), "{error}");
        assert!(ranked[1].contains(PEAK), "{error}");
    }

    #[test]
    fn the_full_matrix_comes_last_where_halving_it_does_not_suffice() {
        // 145.2 % and 129.3 % in 6 s.
        let error = deepseek_in(Convention::DEEPSEEK_2025_FULL, 6_000);
        let ranked = causes(&error);
        assert!(ranked[0].contains(PEAK), "{error}");
        assert!(ranked.last().unwrap().contains(MATRIX), "{error}");
        assert!(ranked.last().unwrap().ends_with("without those, 129.3 %"), "{error}");
        // Half the square holds no such excess.
        let error = deepseek_in(Convention::DEEPSEEK_2025_CAUSAL, 6_000);
        assert!(!error.to_string().contains(MATRIX), "{error}");
    }

    #[test]
    fn all_experts_come_first_where_they_are_counted() {
        // PaLM's formula on Mixtral at 4,096: 286,659,207,168 FLOP per token, of which 6·6/8·45,097,156,608 =
        // 202,937,204,736 are for experts that the token does not visit. At 1,000 tokens/s of 150 TFLOP/s: 191.1 %, and
        // 55.8 % without them.
        let cost = catalog::find("mixtral-8x7b").unwrap().cost(Convention::PALM_2022).unwrap();
        let count = cost.count(Batch::uniform(1, 4_096)).unwrap();
        let ranked = |tflops: f64| {
            let pace = Pace::tokens_per_second_per_device(1_000.0).unwrap();
            causes(&count.utilization(pace, &peak("a device", tflops).times(8)).unwrap_err())
        };
        let unvisited = ranked(150.0);
        assert!(unvisited[0].contains(EXPERTS) && unvisited[0].ends_with("without those, 55.8 %"), "{unvisited:?}");
        assert!(unvisited.last().unwrap().contains(MATRIX), "{unvisited:?}");
        // Of 285 TFLOP/s it is 100.6 %, and half the square, 3,221,225,472 FLOP, suffices, too: the larger excess comes
        // first. Of 50 it is 573.3 %, and neither suffices.
        let both_suffice = ranked(285.0);
        assert!(both_suffice[0].contains(EXPERTS) && both_suffice[1].contains(MATRIX), "{both_suffice:?}");
        let neither = ranked(50.0);
        assert!(neither[3].contains(EXPERTS) && neither[4].contains(MATRIX), "{neither:?}");
    }

    #[test]
    fn what_a_mask_really_computes_is_not_blamed() {
        let layer = |attention: Attention| Layer::pre_norm(attention, FeedForward::gated(256));
        let attention = Attention::multi_head(8, 16);
        let encoder = Architecture::encoder(128, 1_000).layers(4, layer(attention)).build().unwrap();
        let windowed = Architecture::decoder(128, 1_000).layers(4, layer(attention.window(64))).build().unwrap();
        let ranked = |model: &Architecture, convention, excess: f64| {
            let count = model.cost(convention).unwrap().count(Batch::uniform(1, 100_000)).unwrap();
            let tflops = count.training.as_f64() / excess / 1e12;
            causes(&count.utilization(Duration::from_secs(1), &peak("a device", tflops).times(1)).unwrap_err())
        };
        // A bidirectional mask is a square, and a window's rectangle is what its mask lets through but for a corner.
        for (model, convention) in
            [(&encoder, Convention::DEEPSEEK_2025_FULL), (&windowed, Convention::TORCHTITAN_2026_08_25)]
        {
            let ranked = ranked(model, convention, 1.5);
            assert!(ranked.iter().all(|cause| !cause.contains(MATRIX) && !cause.contains("window")), "{ranked:?}");
        }
        // Where windows are not looked at, they are, and what is left is what they let through. Forward FLOPs per
        // token: 2·(4·(4·128² + 3·128·256) + 128·1000) = 1,566,720 in matmuls, and 4·4·8·16 = 2,048 for each
        // pair, of which the rule sees 50,000 and the window 64: 150 % · (1,566,720 + 131,072)/(1,566,720 +
        // 102,400,000) = 2.4 %.
        let blamed = ranked(&windowed, Convention::MEGATRON_2025_03, 1.5);
        assert!(blamed[0].starts_with("MEGATRON_2025_03 looks at no window"), "{blamed:?}");
        assert!(blamed[0].ends_with("without those, 2.4 %"), "{blamed:?}");
        // A window that hides nothing is none, and one that hides little does not suffice.
        for (width, named) in [(1_000_000, false), (90_000, false), (60_000, true)] {
            let layers = layer(attention.window(width));
            let model = Architecture::decoder(128, 1_000).layers(4, layers).build().unwrap();
            let ranked = ranked(&model, Convention::MEGATRON_2025_03, 1.5);
            assert!(!ranked[0].contains("no window"), "{width}: {ranked:?}");
            assert_eq!(ranked.iter().any(|cause| cause.contains("no window")), named, "{width}: {ranked:?}");
        }
        // A chunk's rectangle is nearly twice its mask.
        let layers = layer(attention.chunk(10_000));
        let chunked = Architecture::decoder(128, 1_000).layers(4, layers).build().unwrap();
        assert!(ranked(&chunked, Convention::DEEPSEEK_2025_FULL, 1.5)[0].contains(MATRIX));
        // One query after many cached keys sees them all.
        let cost = catalog::find("llama-3-8b").unwrap().cost(Convention::DEEPSEEK_2025_FULL).unwrap();
        let decode = cost.count(Batch::uniform(1, 1).after(1_000_000)).unwrap();
        let tflops = decode.training.as_f64() / 1.3 / 1e12;
        let fleet = peak("a device", tflops).times(1);
        let ranked = causes(&decode.utilization(Duration::from_secs(1), &fleet).unwrap_err());
        assert!(ranked.iter().all(|cause| !cause.contains(MATRIX)), "{ranked:?}");
    }

    #[test]
    fn small_excesses_are_the_peaks_and_large_ones_the_microbatches() {
        // 129.3 % in 6 s, 623.3 % in 1.245 s.
        let ranked = causes(&deepseek_in(Convention::DEEPSEEK_2025_CAUSAL, 6_000));
        assert!(ranked[0].contains(PEAK), "{ranked:?}");
        let ranked = causes(&deepseek_in(Convention::DEEPSEEK_2025_CAUSAL, 1_245));
        assert!(ranked[0].contains(MICROBATCH), "{ranked:?}");
        assert!(ranked.last().unwrap().contains(PEAK), "{ranked:?}");
        assert!(ranked.iter().any(|cause| cause.contains("2,048 devices")), "{ranked:?}");
        // A hundred times too much is a unit: 38,801 % in 20 ms.
        let ranked = causes(&deepseek_in(Convention::DEEPSEEK_2025_CAUSAL, 20));
        assert!(ranked[0].contains("milliseconds for seconds") && ranked[1].contains(MICROBATCH), "{ranked:?}");
    }

    #[test]
    fn exactly_one_is_possible() {
        // 8,192 tokens of 51,471,187,968 FLOP: below 2⁵³, so that time, peak and quotient are exact.
        let flops = 8_192 * 51_471_187_968_u64;
        assert!(flops < 1 << 53);
        let count = catalog::find("llama-3-8b").unwrap().cost(Convention::EXACT).unwrap();
        let count = count.count(Batch::uniform(1, 8_192)).unwrap();
        let fleet = |flops: u64| {
            let rate = FlopRate::from_flops_per_second(flops as f64).unwrap();
            Peak::declared("a device", rate).unwrap().times(1)
        };
        let second = Duration::from_secs(1);
        let report = count.utilization(second, &fleet(flops)).unwrap();
        assert_eq!(report.mfu().as_fraction().to_bits(), 1.0_f64.to_bits());
        // One in 10¹⁰ more is too much; what the rounding of three floats may add is not, and reads 1.
        assert!(count.utilization(second, &fleet(flops - flops / 10_000_000_000)).is_err_and(|e| e.is_impossible()));
        let report = count.utilization(second, &fleet(flops - 1)).unwrap();
        assert_eq!(report.mfu().as_fraction().to_bits(), 1.0_f64.to_bits());

        let rate = FlopRate::from_tflops(312.0).unwrap();
        let ampere = peak("A100, BF16 dense", 312.0);
        assert_eq!(ampere.utilization(rate).unwrap().as_fraction().to_bits(), 1.0_f64.to_bits());
    }

    #[test]
    fn a_rate_above_its_peak() {
        let ampere = peak("A100, BF16 dense", 312.0);
        let error = ampere.utilization(FlopRate::from_tflops(390.0).unwrap()).unwrap_err();
        let message = error.to_string();
        // 390/312 = 1.25.
        assert!(message.starts_with("utilization of 125.0 % is impossible: 390.000 TFLOP/s per device"), "{message}");
        assert!(message.contains("A100, BF16 dense: 312.000 TFLOP/s, declared"), "{message}");
        assert_eq!(causes(&error).len(), 2);
    }

    #[test]
    fn hardware_flops_above_one_are_named_as_such() {
        // Megatron's 175B with every layer recomputed is 38.97 % and 51.92 % in 18.13 s; in 9.065 s, 77.95 % and 103.8
        // %.
        let layer = Layer::pre_norm(Attention::multi_head(96, 128), FeedForward::plain(49_152));
        let model = Architecture::decoder(12_288, 51_200).layers(96, layer).build().unwrap();
        let recipe = Recipe::recomputing(Recompute::Full);
        let cost = model.ledger().unwrap().cost_with(Convention::MEGATRON_2024, recipe).unwrap();
        let count = cost.count(Batch::uniform(64, 2_048)).unwrap();
        let fleet = peak("A100, BF16 dense", 312.0).times(64);
        let error = count.utilization(Duration::from_millis(9_065), &fleet).unwrap_err();
        assert!(error.is_impossible(), "{error}");
        assert!(error.to_string().starts_with("HFU of 103.8 % is impossible: "), "{error}");
        // The model FLOPs are possible, so it is the recompute that is doubted, and the rule if it charges more than is
        // done.
        // Beside what both figures hold too much of.
        assert!(causes(&error)[0].contains(MATRIX), "{error}");
        assert_eq!(causes(&error)[1], "less was recomputed than the recipe says");
        let whole_step = Convention { hardware: Hardware::WholeStep, ..Convention::MEGATRON_2024 };
        let cost = model.ledger().unwrap().cost_with(whole_step, recipe).unwrap();
        let count = cost.count(Batch::uniform(64, 2_048)).unwrap();
        let error = count.utilization(Duration::from_millis(9_065), &fleet).unwrap_err();
        let expected = "MEGATRON_2024 except hardware whole step charges a recompute by a rule";
        assert!(causes(&error)[1].starts_with(expected), "{error}");
        // Where both are above 1, model FLOPs alone are too many: 129.9 % in 5.439 s.
        let error = count.utilization(Duration::from_millis(5_439), &fleet).unwrap_err();
        assert!(error.to_string().starts_with("MFU of 129.9 % is impossible: "), "{error}");
    }
}

mod findings {
    use super::*;

    fn listed(name: &str) -> Peak {
        Device::find(name).unwrap().peak(Precision::Bf16).unwrap()
    }

    /// Llama-3-8B at so many TFLOP/s on each device.
    fn at(tflops: f64, fleet: &Fleet) -> mfu::Result<Report> {
        let count = catalog::find("llama-3-8b").unwrap().cost(Convention::EXACT).unwrap().count(&[8_192]).unwrap();
        count.utilization(Pace::flops_per_second_per_device(FlopRate::from_tflops(tflops).unwrap())?, fleet)
    }

    #[test]
    fn nothing_is_found_about_a_peak_of_the_table() {
        assert_eq!(at(400.0, &listed("NVIDIA H100 80GB HBM3").times(8)).unwrap().findings(), []);
        assert_eq!(deepseek_report().findings(), []);
    }

    #[test]
    fn a_sparse_peak_is_named_with_the_dense_one() {
        // 400 of 1,979 TFLOP/s; 40.4 % of the dense 989.4.
        let report = at(400.0, &peak("H100, BF16", 1_979.0).times(8)).unwrap();
        assert_eq!(report.mfu().to_string(), "20.21 %");
        let [Finding::MisreadPeak(misread)] = &report.findings()[..] else { panic!("{report}") };
        let text = "H100, BF16 is declared as 1.979 PFLOP/s, the sparse headline; the dense peak of one device is 989.400 TFLOP/s";
        assert_eq!(misread.to_string(), text);
        assert!(report.to_string().ends_with(&format!("\nfinding     {text}")), "{report}");
        // The remedy is in the finding.
        assert_eq!(at(400.0, &misread.dense().unwrap().times(8)).unwrap().mfu().to_string(), "40.43 %");
    }

    #[test]
    fn a_superchip_is_named_among_others() {
        let fleet = listed("NVIDIA H100 80GB HBM3").times(4) + peak("TPU v3, BF16", 123.0).times(8);
        let [Finding::MisreadPeak(misread)] = &at(50.0, &fleet).unwrap().findings()[..] else { panic!() };
        assert!(misread.to_string().contains("the dense figure of one chip (2 devices)"), "{misread}");
    }

    /// Of the GeForce RTX 5090, 242 TFLOP/s have been measured at BF16, and 209.5 are published: 115.5 %.
    #[test]
    fn a_geforce_may_read_above_one_up_to_what_was_measured() {
        for (name, published, measured) in
            [("rtx-3090", 71.2, 76.7), ("rtx-4090", 165.2, 173.0), ("rtx-5090", 209.5, 242.0)]
        {
            let fleet = listed(name).times(8);
            let report = at(published * 1.02, &fleet).unwrap();
            assert_eq!(report.mfu().to_string(), "102.00 %");
            let [Finding::AbovePublishedClock { measured: most, .. }] = report.findings()[..] else {
                panic!("{report}")
            };
            assert_relative_eq!(most.as_fraction(), measured / published, max_relative = IDENTITY);
            assert_eq!(at(published, &fleet).unwrap().findings(), []);

            let rate = |tflops| FlopRate::from_tflops(tflops).unwrap();
            assert!(at(measured, &fleet).is_ok() && listed(name).utilization(rate(measured)).is_ok());
            for error in [
                at(measured * 1.001, &fleet).unwrap_err(),
                listed(name).utilization(rate(measured * 1.001)).unwrap_err(),
            ] {
                assert!(error.is_impossible() && error.to_string().contains("as measured"), "{error}");
            }
            // It is the device that is known for it, not its figure.
            assert!(at(published * 1.02, &peak(name, published).times(8)).unwrap_err().is_impossible());
            assert!(at(published * 1.02, &peak(&format!("{name}, BF16"), published).times(8)).is_ok());
        }
        // As sheets round it, it is still the published figure; and a device that cannot exceed its own stays below it.
        assert!(at(241.9, &peak("RTX 5090, BF16", 209.51).times(8)).is_ok());
        assert!(at(242.1, &peak("RTX 5090, BF16", 209.51).times(8)).unwrap_err().is_impossible());
        assert!(at(989.2, &peak("H800, BF16", 989.0).times(8)).unwrap_err().is_impossible());
        // What explains an excess explains it up to what was measured: 117 % by the full square, 104 % by the mask.
        let count = catalog::find("llama-3-8b").unwrap().cost(Convention::PALM_2022).unwrap().count(&[8_192]).unwrap();
        let rate = Pace::flops_per_second_per_device(FlopRate::from_tflops(245.1).unwrap()).unwrap();
        let error = count.utilization(rate, &listed("rtx-5090").times(8)).unwrap_err().to_string();
        assert!(error.contains("1. PALM_2022 counts the full attention matrix"), "{error}");
        let text = at(230.0, &listed("rtx-5090").times(1)).unwrap().to_string();
        let expected = "\nfinding     109.79 % of the published peak: these devices clock higher than it is published for, up to 115.5 % as measured at BF16";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn the_clock_of_one_device_does_not_excuse_another() {
        // 8 × 989.4 and 8 × 242 of 8 × 989.4 and 8 × 209.5: 1.0271.
        let mixed = listed("h100").times(8) + listed("rtx-5090").times(8);
        let average = f64::midpoint(989.4, 209.5);
        assert!(at(average * 1.027, &mixed).is_ok());
        assert!(at(average * 1.028, &mixed).unwrap_err().is_impossible());
        // Whatever else was measured on a data-centre part, its peak is its peak.
        for name in ["NVIDIA H100 80GB HBM3", "NVIDIA A10G", "NVIDIA RTX 6000 Ada Generation", "AMD Instinct MI300X"] {
            let tflops = listed(name).rate().as_tflops();
            assert!(at(tflops * 1.001, &listed(name).times(8)).unwrap_err().is_impossible(), "{name}");
        }
    }
}

#[cfg(feature = "serde")]
mod record {
    use serde_json::{Value, json};

    use super::*;

    const V1: &str = include_str!("data/report-v1.json");

    /// The fields that are figures derived from the others.
    const FIGURES: [&str; 6] = [
        "mfu",
        "hfu",
        "model_tflops_per_second_per_device",
        "tokens_per_second",
        "tokens_per_second_per_device",
        "step_time_seconds",
    ];

    fn written(report: &Report) -> Value {
        serde_json::to_value(report).unwrap()
    }

    fn read(record: &Value) -> Result<Report, String> {
        serde_json::from_str(&record.to_string()).map_err(|error| error.to_string())
    }

    /// Why this record, with one of its parts replaced, cannot be read.
    fn refused(pointer: &str, part: Value) -> String {
        let mut record = written(&deepseek_report());
        *record.pointer_mut(pointer).unwrap() = part;
        read(&record).expect_err(pointer)
    }

    #[test]
    fn the_first_version_is_read_and_written() {
        // Worked out by hand from arXiv:2505.09343, Table 4, and the golden 249,811,304,448 FLOP per token.
        let report: Report = serde_json::from_str(V1).unwrap();
        assert_eq!(report, deepseek_report());

        let mut recorded: Value = serde_json::from_str(V1).unwrap();
        let mut written = written(&deepseek_report());
        for figure in FIGURES {
            let [left, right] = [&recorded, &written].map(|record| record[figure].as_f64().unwrap());
            assert_relative_eq!(left, right, max_relative = IDENTITY);
            recorded[figure] = Value::Null;
            written[figure] = Value::Null;
        }
        assert_eq!(recorded, written);
    }

    #[test]
    fn a_peak_of_the_table_is_held_against_it() {
        let listed = Device::find("NVIDIA H800").unwrap().peak(Precision::Bf16).unwrap();
        let report =
            deepseek_step(Convention::EXACT).utilization(Duration::from_secs(20), &listed.times(2_048)).unwrap();
        let record = written(&report);
        assert_eq!(record["fleet"][0]["peak"]["declared"], false);
        assert_eq!(read(&record).unwrap(), report);
        for (field, part) in [("label", json!("H800, BF16 dense")), ("rate", json!(989.0e12)), ("label", json!("x"))] {
            let mut peak = record["fleet"][0]["peak"].clone();
            peak[field] = part;
            let error = serde_json::from_value::<Peak>(peak.clone()).unwrap_err().to_string();
            assert!(error.contains("is not in the table of devices"), "{error}");
            // As a declared one it is a peak like any other.
            peak["declared"] = json!(true);
            assert!(serde_json::from_value::<Peak>(peak).unwrap().is_declared());
        }
        // A format that prints floats short of their last bit is tolerated, and a digit off is not.
        for (off, read) in [(1e-15, true), (-1e-15, true), (1e-9, false), (-1e-9, false)] {
            let mut peak = record["fleet"][0]["peak"].clone();
            peak["rate"] = json!(989.4e12 * (1.0 + off));
            let peak = serde_json::from_value::<Peak>(peak);
            assert_eq!(peak.is_ok(), read, "{off}");
            assert!(peak.is_err() || peak.is_ok_and(|peak| peak == listed));
        }
        // Whoever names another source for it has declared it.
        assert!(listed.with_source("a colleague").is_declared());
    }

    #[test]
    fn findings_are_recorded_for_people() {
        let fleet = peak("H800, BF16", 1_979.0).times(2_048);
        let report = deepseek_step(Convention::EXACT).utilization(Duration::from_secs(20), &fleet).unwrap();
        let mut record = written(&report);
        assert!(record["findings"][0].as_str().unwrap().contains("sparse headline"));
        record["findings"] = json!(["a later release says it better"]);
        assert_eq!(read(&record).unwrap(), report);
    }

    #[test]
    fn keys_and_types() {
        let record = written(&deepseek_report());
        assert_eq!(record["schema_version"], 1);
        assert_eq!(record["devices"], 2_048);
        assert_eq!(record["convention_label"], "DEEPSEEK_2025_CAUSAL");
        for figure in FIGURES {
            assert!(record[figure].is_f64(), "{figure}: {}", record[figure]);
        }
        for (count, value) in [("tokens", "62914560"), ("training", "15716768302371962880")] {
            assert_eq!(record["count"][count], value, "{count}");
        }
        for count in ["forward", "hardware", "detail/attention_core", "detail/idle"] {
            let digits = record["count"].pointer(&format!("/{count}")).and_then(Value::as_str).unwrap();
            assert!(digits.parse::<u128>().is_ok(), "{count}: {digits}");
        }
    }

    #[test]
    fn a_report_comes_back_as_it_was() {
        let mixed = peak("H100, BF16 dense", 989.4).times(8) + peak("A100, BF16 dense", 312.0).times(16);
        let count = *recomputing_report().count();
        let rate = FlopRate::from_tflops(100.0).unwrap();
        let mut reports = vec![deepseek_report(), recomputing_report()];
        for pace in [
            Pace::duration(Duration::from_nanos(99_999_999_999)),
            Pace::tokens_per_second(12_345.678).unwrap(),
            Pace::tokens_per_second_per_device(512.3).unwrap(),
            Pace::flops_per_second_per_device(rate).unwrap(),
        ] {
            reports.push(count.utilization(pace, &mixed).unwrap());
        }
        for report in reports {
            assert_eq!(read(&written(&report)), Ok(report));
        }
    }

    #[test]
    fn a_count_is_digits_or_an_integer_and_never_a_float() {
        let mut record = written(&deepseek_report());
        record["count"]["tokens"] = json!(62_914_560);
        record["count"]["training"] = json!(15_716_768_302_371_962_880_u64);
        assert_eq!(read(&record), Ok(deepseek_report()));

        let beyond_128_bits = "340282366920938463463374607431768211456";
        for part in [
            json!(62_914_560.0),
            json!(-62_914_560),
            json!(null),
            json!([62_914_560]),
            json!(""),
            json!("+62914560"),
            json!("-62914560"),
            json!(" 62914560"),
            json!("62914560.0"),
            json!("6.2e7"),
            json!("0x3c00000"),
            json!(beyond_128_bits),
        ] {
            let error = refused("/count/tokens", part.clone());
            assert!(error.contains("a count as a decimal string or an integer"), "{part}: {error}");
        }
    }

    #[test]
    fn a_figure_that_does_not_follow_is_refused() {
        let record = written(&deepseek_report());
        for figure in FIGURES {
            let value = record[figure].as_f64().unwrap();
            let error = refused(&format!("/{figure}"), json!(value * (1.0 + 1e-9)));
            assert!(error.contains(&format!("the recorded {figure} = ")), "{error}");
            assert!(refused(&format!("/{figure}"), json!(-value)).contains(figure));
            assert!(!refused(&format!("/{figure}"), json!("a lot")).is_empty());
        }
        assert!(refused("/devices", json!(2_047)).contains("the recorded devices = 2047"));
        // The last bit is a format's to lose.
        let mut record = record;
        record["mfu"] = json!(record["mfu"].as_f64().unwrap() * (1.0 + 2.0 * f64::EPSILON));
        assert_eq!(read(&record), Ok(deepseek_report()));
    }

    #[test]
    fn an_input_that_was_changed_is_found_out() {
        for (pointer, part, figure) in [
            ("/count/training", json!("15716768302371962881000"), "contradicts itself"),
            ("/count/forward", json!("15716768302371962881"), "contradicts itself"),
            ("/count/detail/idle", json!("15716768302371962880"), "contradicts itself"),
            ("/count/training", json!("15716768302300000000"), "contradicts itself"),
            ("/count/hardware", json!("15716768302300000000"), "contradicts itself"),
            ("/count/hardware", json!("15716768302400000000"), "contradicts itself"),
            ("/count/tokens", json!("62914561"), "tokens_per_second"),
            ("/pace/duration_nanoseconds", json!("19926000100"), "mfu"),
            ("/fleet/0/devices", json!(2_049), "devices"),
            ("/fleet/0/peak/rate", json!(989.4e12), "mfu"),
        ] {
            let error = refused(pointer, part);
            assert!(error.contains(figure), "{pointer}: {error}");
        }
        assert!(refused("/fleet/0/peak/rate", json!(0.0)).contains("peak in FLOP/s"));
        assert!(refused("/fleet/0/peak/label", json!("")).contains("peak label"));
        assert!(refused("/fleet", json!([])).contains("devices is 0"));
        // A label is a name for the axes beside it, and names may be added.
        let mut record = written(&deepseek_report());
        record["convention_label"] = json!("another name");
        assert_eq!(read(&record), Ok(deepseek_report()));
    }

    #[test]
    fn an_unknown_version_is_refused() {
        for version in [0, 2, u64::MAX] {
            let error = refused("/schema_version", json!(version));
            assert!(error.contains(&format!("schema_version is {version}, ")), "{error}");
        }
        assert!(!refused("/schema_version", json!(1.0)).is_empty());
        assert!(!refused("/schema_version", json!("1")).is_empty());
    }

    /// Every object of the record, by where it stands.
    fn objects(value: &Value, pointer: &str, found: &mut Vec<(String, Vec<String>)>) {
        let children: Vec<(String, &Value)> = match value {
            Value::Object(fields) => {
                found.push((pointer.to_owned(), fields.keys().cloned().collect()));
                fields.iter().map(|(key, child)| (key.clone(), child)).collect()
            }
            Value::Array(items) => items.iter().enumerate().map(|(index, child)| (index.to_string(), child)).collect(),
            _ => return,
        };
        for (key, child) in children {
            objects(child, &format!("{pointer}/{key}"), found);
        }
    }

    #[test]
    fn a_field_too_many_or_too_few_is_refused() {
        let record = written(&deepseek_report());
        let mut found = Vec::new();
        objects(&record, "", &mut found);
        // The record, its count with convention, parts of multi-token prediction, recipe and detail, its pace, a part
        // of its fleet and a peak.
        assert_eq!(found.len(), 9);
        for (pointer, keys) in found {
            let mut more = record.clone();
            more.pointer_mut(&pointer).unwrap()["another"] = json!(1);
            assert!(read(&more).is_err(), "{pointer} takes another field");
            // Where a peak was found is the one thing that need not be said.
            for key in keys.iter().filter(|key| *key != "source") {
                let mut fewer = record.clone();
                fewer.pointer_mut(&pointer).unwrap().as_object_mut().unwrap().remove(key);
                let error = read(&fewer).expect_err(&format!("{pointer}/{key} may be missing"));
                // A pace is named by its only key; without it, it is none.
                assert!(error.contains(key) || pointer == "/pace", "{pointer}/{key}: {error}");
            }
        }
    }
}
