//! Two published utilizations of the same kind of run, 39 to 44 % and 20 %, recomputed from the catalog and published inputs alone,
//! and why they differ.
//!
//! `cargo run --release --example reproduce`

use std::time::Duration;

use mfu::{Basis, Batch, Convention, Core, Count, FlopRate, MtpParts, Pace, Peak, Report, Windows, catalog};

/// DeepSeek-V3's pre-training, as published: arXiv:2505.09343, Table 4.
mod deepseek {
    pub const SOURCE: &str = "arXiv:2505.09343, Table 4";
    pub const DEVICES: u64 = 2_048;
    pub const SEQUENCES: u64 = 15_360;
    pub const LENGTH: u64 = 4_096;
    /// The multi-plane fat-tree network and the multi-rail one: step time in milliseconds, TFLOP/s per GPU and MFU in percent, both
    /// full and causal.
    pub const STEPS: [(&str, u64, [&str; 4]); 2] =
        [("MPFT", 19_926, ["432", "385", "43.73", "38.94"]), ("MRFT", 19_946, ["432", "385", "43.68", "38.90"])];
    pub const PEAK_TFLOPS: f64 = 989.0;
    pub const DATASHEET_TFLOPS: f64 = 989.4;
    pub const FP8_DATASHEET_TFLOPS: f64 = 1_978.9;
}

/// MAI-Base-1's pre-training, as published: MAI-Thinking-1 report, June 2026, sections 2.8.4 and 6.2.1.
mod mai {
    pub const SOURCE: &str = "GB200 NVL72 datasheet, per GPU, dense";
    pub const DEVICES: u64 = 8_192;
    pub const LENGTH: u64 = 16_384;
    /// 2²⁷ tokens per batch.
    pub const SEQUENCES: u64 = 8_192;
    pub const TOKENS: f64 = 30e12;
    /// Goodput of 90.0 % (the half of its last digit is 0.05 %) and 51 h of overhead (half an hour).
    pub const GOODPUT: (f64, f64) = (0.900, 0.0005);
    pub const OVERHEAD_HOURS: (f64, f64) = (51.0, 0.5);
    pub const PEAK_TFLOPS: f64 = 2_500.0;
    pub const FP8_PEAK_TFLOPS: f64 = 5_000.0;
}

type Outcome<T = ()> = Result<T, mfu::Error>;

fn main() -> Outcome {
    deepseek_v3()?;
    mai_base_1()?;
    why_they_differ()?;
    parameters()
}

fn peak(label: &str, tflops: f64, source: &str) -> Outcome<Peak> {
    Ok(Peak::declared(label, FlopRate::from_tflops(tflops)?)?.source(source))
}

fn deepseek_step(convention: Convention) -> Outcome<Count> {
    catalog::find("deepseek-v3")?.cost(convention)?.count(Batch::uniform(deepseek::SEQUENCES, deepseek::LENGTH))
}

fn deepseek_report(convention: Convention, milliseconds: u64, tflops: f64) -> Outcome<Report> {
    let fleet = peak("H800, BF16 dense", tflops, deepseek::SOURCE)?.times(deepseek::DEVICES);
    deepseek_step(convention)?.utilization(Duration::from_millis(milliseconds), &fleet)
}

fn deepseek_v3() -> Outcome {
    println!("1. DeepSeek-V3 on 2,048 H800: one run, two rules ({})", deepseek::SOURCE);
    println!(
        "   15,360 sequences of 4,096 tokens a step; BF16 peak as the paper has it, {:.1} TFLOP/s\n",
        deepseek::PEAK_TFLOPS
    );
    println!(
        "   {:<8}{:>10}  {:<22}{:>16}{:>20}{:>20}{:>12}",
        "network", "step", "rule", "GFLOP/token", "TFLOP/s per GPU", "MFU", "on 989.4"
    );
    for (network, milliseconds, published) in deepseek::STEPS {
        let [full_rate, causal_rate, full_mfu, causal_mfu] = published;
        for (convention, rate, mfu) in [
            (Convention::DEEPSEEK_2025_FULL, full_rate, full_mfu),
            (Convention::DEEPSEEK_2025_CAUSAL, causal_rate, causal_mfu),
        ] {
            let report = deepseek_report(convention, milliseconds, deepseek::PEAK_TFLOPS)?;
            let datasheet = deepseek_report(convention, milliseconds, deepseek::DATASHEET_TFLOPS)?;
            println!(
                "   {network:<8}{:>8.3} s  {convention:<22}{:>16.3}{:>8.2} (printed {rate}){:>9.2} (printed {mfu}){:>12}",
                report.seconds(),
                gflop_per_token(&report),
                report.flops_per_second_per_device().as_tflops(),
                report.mfu().as_percent(),
                datasheet.mfu().to_string(),
            );
        }
    }
    println!("\n   The published figures divide by 989.0; the datasheet's 989.4 is the last column.\n");
    Ok(())
}

/// The time in which the tokens would have been trained without the overhead: overhead · goodput / (1 − goodput).
fn ideal_hours(goodput: f64, overhead_hours: f64) -> f64 {
    overhead_hours * goodput / (1.0 - goodput)
}

/// MAI-Base-1 at the pace of `tokens` in so many hours.
fn mai_report(convention: Convention, tokens: f64, hours: f64, tflops: f64) -> Outcome<Report> {
    let fleet = peak("GB200, dense", tflops, mai::SOURCE)?.times(mai::DEVICES);
    let step = catalog::find("mai-base-1")?.cost(convention)?.count(Batch::uniform(mai::SEQUENCES, mai::LENGTH))?;
    step.utilization(Pace::tokens_per_second(tokens / (hours * 3_600.0))?, &fleet)
}

fn mai_base_1() -> Outcome {
    let (goodput, goodput_half) = mai::GOODPUT;
    let (overhead, overhead_half) = mai::OVERHEAD_HOURS;
    let hours = ideal_hours(goodput, overhead);
    let report = mai_report(Convention::EXACT, mai::TOKENS, hours, mai::PEAK_TFLOPS)?;
    let slowest = ideal_hours(goodput + goodput_half, overhead + overhead_half);
    let fastest = ideal_hours(goodput - goodput_half, overhead - overhead_half);
    let range = |half: f64| -> Outcome<String> {
        let least = mai_report(Convention::EXACT, mai::TOKENS - half, slowest, mai::PEAK_TFLOPS)?;
        let most = mai_report(Convention::EXACT, mai::TOKENS + half, fastest, mai::PEAK_TFLOPS)?;
        Ok(format!("{} to {}", least.mfu(), most.mfu()))
    };

    println!("2. MAI-Base-1 on 8,192 GB200 (MAI-Thinking-1 report, June 2026, sections 2.8.4 and 6.2.1)\n");
    println!(
        "   published   30 T tokens of length 16,384; goodput 90.0 %; 51 h of overhead; batch of 2^27 tokens; \"about 20 %\""
    );
    println!("   derived     {hours:.0} h of ideal time = 51 h × 0.900 / (1 − 0.900)");
    println!(
        "   derived     {:.2} s per step, {:.0} tokens/s per GPU",
        report.seconds(),
        report.tokens_per_second_per_device()
    );
    println!("   computed    {:.3} GFLOP per token under {}", gflop_per_token(&report), Convention::EXACT);
    println!(
        "   computed    {:.0} TFLOP/s per GPU; of {:.0}: MFU {}",
        report.flops_per_second_per_device().as_tflops(),
        mai::PEAK_TFLOPS,
        report.mfu()
    );
    println!("   range       {} as goodput and overhead are rounded", range(0.0)?);
    println!("               {} if the 30 T are rounded to a whole trillion, too\n", range(0.5e12)?);
    Ok(())
}

fn why_they_differ() -> Outcome {
    let hours = ideal_hours(mai::GOODPUT.0, mai::OVERHEAD_HOURS.0);
    let milliseconds = deepseek::STEPS[0].1;
    let row = |what: &str, mai: &Report, deepseek: &Report| {
        println!("   {what:<44}{:>14}{:>14}", mai.mfu().to_string(), deepseek.mfu().to_string());
    };
    println!("3. Why 20 % and 39 %: not for the counting\n");
    println!("   {:<44}{:>14}{:>14}", "", "MAI-Base-1", "DeepSeek-V3");

    // One rule on both. DeepSeek's figures leave multi-token prediction out.
    let exact = Convention { mtp: MtpParts::NONE, ..Convention::EXACT };
    for (name, rule) in [("EXACT, without MTP", exact), ("DEEPSEEK_2025_CAUSAL", Convention::DEEPSEEK_2025_CAUSAL)] {
        let mai = mai_report(rule, mai::TOKENS, hours, mai::PEAK_TFLOPS)?;
        let deepseek = deepseek_report(rule, milliseconds, deepseek::PEAK_TFLOPS)?;
        row(&format!("MFU under {name}"), &mai, &deepseek);
    }
    let mai = mai_report(exact, mai::TOKENS, hours, mai::PEAK_TFLOPS)?;
    let deepseek = deepseek_report(Convention::DEEPSEEK_2025_CAUSAL, milliseconds, deepseek::PEAK_TFLOPS)?;
    let tflops = |report: &Report| report.flops_per_second_per_device().as_tflops();
    println!("   {:<44}{:>14.0}{:>14.0}", "TFLOP/s per GPU, each by its own rule", tflops(&mai), tflops(&deepseek));
    println!(
        "   {:<44}{:>14.0}{:>14.0}",
        "BF16 peak that it is divided by, TFLOP/s",
        mai::PEAK_TFLOPS,
        deepseek::PEAK_TFLOPS
    );
    println!("   {:<44}{:>14.0}{:>14.1}", "FP8 peak, TFLOP/s", mai::FP8_PEAK_TFLOPS, deepseek::FP8_DATASHEET_TFLOPS);
    let mai_fp8 = mai_report(exact, mai::TOKENS, hours, mai::FP8_PEAK_TFLOPS)?;
    let deepseek_fp8 = deepseek_report(Convention::DEEPSEEK_2025_CAUSAL, milliseconds, deepseek::FP8_DATASHEET_TFLOPS)?;
    row("the same against the FP8 peak", &mai_fp8, &deepseek_fp8);
    println!(
        "\n   Each GB200 does {:.2} times the work of an H800, out of {:.2} times the peak.\n",
        tflops(&mai) / tflops(&deepseek),
        mai::PEAK_TFLOPS / deepseek::PEAK_TFLOPS
    );

    println!("   What the rule alone does to MAI-Base-1:");
    for (what, rule) in [
        ("EXACT", exact),
        ("no attention core, 6·N alone", Convention { core: Core::Out, ..exact }),
        ("windows ignored", Convention { windows: Windows::Ignored, ..exact }),
        ("windows ignored, full square", Convention { windows: Windows::Ignored, core: Core::Full, ..exact }),
        ("routers left out, half square (DeepSeek's)", Convention { router: Basis::Out, core: Core::Half, ..exact }),
    ] {
        let report = mai_report(rule, mai::TOKENS, hours, mai::PEAK_TFLOPS)?;
        println!("   {what:<44}{:>14}", report.mfu().to_string());
    }

    println!("\n   And to DeepSeek-V3, axis by axis, from its printed 43.73 % to 38.94 % and on to EXACT:\n");
    let ledger = catalog::find("deepseek-v3")?.ledger()?;
    let batch = Batch::uniform(1, deepseek::LENGTH);
    for (from, to) in [
        (Convention::DEEPSEEK_2025_FULL, Convention::DEEPSEEK_2025_CAUSAL),
        (Convention::DEEPSEEK_2025_CAUSAL, Convention::EXACT),
    ] {
        for line in ledger.reconcile(from, to, batch)?.to_string().lines() {
            println!("   {line}");
        }
        println!();
    }
    Ok(())
}

fn parameters() -> Outcome {
    println!("4. Parameters of the catalog, computed and as printed by their publishers\n");
    println!("   {:<18}{:>20}{:>10}{:>20}{:>9}", "model", "total", "printed", "active", "printed");
    for model in catalog::all() {
        let parameters = model.ledger()?.parameters();
        let published = model.published();
        let (active, printed) = published
            .active
            .map_or((parameters.active(), "–"), |(printed, meaning)| (meaning.of(&parameters), printed));
        println!("   {:<18}{:>20}{:>10}{active:>20}{printed:>9}", model.name(), parameters.total(), published.total);
    }
    println!(
        "\n   Multi-token prediction is left out; what a publisher counts as active differs, and each is set beside its own count."
    );
    Ok(())
}

fn gflop_per_token(report: &Report) -> f64 {
    report.count().training_flops_per_token().unwrap_or_default() / 1e9
}
