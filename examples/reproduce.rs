//! Two published utilizations of the same kind of run, 39 to 44 % and about 20 %, recomputed from the catalog and from
//! published inputs, and why they differ. What is derived says so.
//!
//! `cargo run --release --example reproduce`

use std::time::Duration;

use mfu::{Basis, Batch, Convention, Core, Count, FlopRate, MtpParts, Pace, Peak, Report, Windows, catalog};

type Outcome<T = ()> = Result<T, mfu::Error>;

/// A peak as this example declares it: of what, in TFLOP/s, and where it was found.
type Declared = (&'static str, f64, &'static str);

fn peak((label, tflops, source): Declared) -> Outcome<Peak> {
    Ok(Peak::declared(label, FlopRate::from_tflops(tflops)?)?.with_source(source))
}

/// DeepSeek-V3's pre-training: arXiv:2505.09343, Table 4.
mod deepseek {
    pub const SOURCE: &str = "arXiv:2505.09343, Table 4";
    pub const DEVICES: u64 = 2_048;
    pub const SEQUENCES: u64 = 15_360;
    pub const LENGTH: u64 = 4_096;
    /// The network (multi-plane and multi-rail fat tree), the step in milliseconds, and what is printed for it: TFLOP/s
    /// per GPU and MFU in percent, by the full and by the causal rule.
    pub const STEPS: [(&str, u64, [&str; 4]); 2] =
        [("MPFT", 19_926, ["432", "385", "43.73", "38.94"]), ("MRFT", 19_946, ["432", "385", "43.68", "38.90"])];
    /// The BF16 peak that the printed figures imply, and the H800's by the datasheets: BF16 and FP8.
    pub const PEAK: super::Declared = ("H800, BF16 dense", 989.0, "implied by arXiv:2505.09343, Table 4");
    pub const DATASHEET: super::Declared = ("H800, BF16 dense", 989.4, "H800 SXM datasheets");
    pub const DATASHEET_FP8: super::Declared = ("H800, FP8 dense", 1_978.9, "H800 SXM datasheets");
}

/// MAI-Base-1's pre-training: MAI-Thinking-1 report, June 2026, sections 2.8.4 and 6.2.1.
mod mai {
    pub const SOURCE: &str = "MAI-Thinking-1 report, June 2026, sections 2.8.4 and 6.2.1";
    pub const DEVICES: u64 = 8_192;
    pub const LENGTH: u64 = 16_384;
    /// 2²⁷ tokens a batch.
    pub const SEQUENCES: u64 = (1 << 27) / LENGTH;
    /// In units of 10¹² tokens, hours, and as a fraction; each with the half of its last printed digit.
    pub const TERA_TOKENS: (f64, f64) = (30.0, 0.5);
    pub const OVERHEAD_HOURS: (f64, f64) = (51.0, 0.5);
    pub const GOODPUT: (f64, f64) = (0.900, 0.0005);
    pub const PRINTED: &str = "about 20 %";
    pub const PEAK: super::Declared = ("GB200, BF16 dense", 2_500.0, "GB200 NVL72 page, per GPU");
    pub const PEAK_FP8: super::Declared = ("GB200, FP8 dense", 5_000.0, "GB200 NVL72 page, per GPU");
}

/// EXACT, as far as both models are concerned: DeepSeek's figures leave multi-token prediction out, and MAI-Base-1 has
/// none.
const EXACT_WITHOUT_MTP: Convention = Convention { mtp: MtpParts::NONE, ..Convention::EXACT };

fn main() -> Outcome {
    deepseek_v3()?;
    mai_base_1()?;
    why_they_differ()?;
    parameters()
}

/// The step of DeepSeek-V3 that took so long, over a peak.
fn deepseek_report(convention: Convention, milliseconds: u64, declared: Declared) -> Outcome<Report> {
    let batch = Batch::uniform(deepseek::SEQUENCES, deepseek::LENGTH);
    let step: Count = catalog::find("deepseek-v3")?.cost(convention)?.count(batch)?;
    step.utilization(Duration::from_millis(milliseconds), &peak(declared)?.times(deepseek::DEVICES))
}

/// A step of MAI-Base-1 at the pace of so many tokens in so many hours, over a peak.
fn mai_report(convention: Convention, tera_tokens: f64, hours: f64, declared: Declared) -> Outcome<Report> {
    let step: Count =
        catalog::find("mai-base-1")?.cost(convention)?.count(Batch::uniform(mai::SEQUENCES, mai::LENGTH))?;
    let pace = Pace::tokens_per_second(tera_tokens * 1e12 / (hours * 3_600.0))?;
    step.utilization(pace, &peak(declared)?.times(mai::DEVICES))
}

/// The hours that the tokens would have taken without the overhead: overhead · goodput / (1 − goodput).
fn ideal_hours(goodput: f64, overhead_hours: f64) -> f64 {
    overhead_hours * goodput / (1.0 - goodput)
}

fn tflops(report: &Report) -> f64 {
    report.flops_per_second_per_device().as_tflops()
}

fn gflop_per_token(report: &Report) -> f64 {
    report.count().training_flops_per_token().unwrap_or_default() / 1e9
}

fn deepseek_v3() -> Outcome {
    use deepseek::{DATASHEET, DEVICES, LENGTH, PEAK, SEQUENCES, SOURCE, STEPS};

    println!("1. DeepSeek-V3 on {DEVICES} H800: one run, two rules ({SOURCE})\n");
    println!("   {SEQUENCES} sequences of {LENGTH} tokens a step");
    println!("   peak         {}", peak(PEAK)?);
    println!("   last column  {}\n", peak(DATASHEET)?);
    println!(
        "   {:<8}{:>8}   {:<22}{:>12}{:>18}{:>10}{:>12}{:>10}{:>12}",
        "network", "step", "rule", "GFLOP/token", "TFLOP/s per GPU", "printed", "MFU", "printed", DATASHEET.1
    );
    for (network, milliseconds, [full_rate, causal_rate, full_mfu, causal_mfu]) in STEPS {
        for (convention, printed_rate, printed_mfu) in [
            (Convention::DEEPSEEK_2025_FULL, full_rate, full_mfu),
            (Convention::DEEPSEEK_2025_CAUSAL, causal_rate, causal_mfu),
        ] {
            let report = deepseek_report(convention, milliseconds, PEAK)?;
            let datasheet = deepseek_report(convention, milliseconds, DATASHEET)?;
            println!(
                "   {network:<8}{:>7.3}s   {convention:<22}{:>12.3}{:>18.2}{printed_rate:>10}{:>12}{printed_mfu:>10}{:>12}",
                report.seconds(),
                gflop_per_token(&report),
                tflops(&report),
                report.mfu(),
                datasheet.mfu(),
            );
        }
    }
    println!();
    Ok(())
}

fn mai_base_1() -> Outcome {
    use mai::{DEVICES, GOODPUT, LENGTH, OVERHEAD_HOURS, PEAK, PRINTED, SEQUENCES, SOURCE, TERA_TOKENS};

    let hours = ideal_hours(GOODPUT.0, OVERHEAD_HOURS.0);
    let report = mai_report(Convention::EXACT, TERA_TOKENS.0, hours, PEAK)?;
    let slowest = ideal_hours(GOODPUT.0 + GOODPUT.1, OVERHEAD_HOURS.0 + OVERHEAD_HOURS.1);
    let fastest = ideal_hours(GOODPUT.0 - GOODPUT.1, OVERHEAD_HOURS.0 - OVERHEAD_HOURS.1);
    let range = |tokens: f64| -> Outcome<String> {
        let least = mai_report(Convention::EXACT, TERA_TOKENS.0 - tokens, slowest, PEAK)?;
        let most = mai_report(Convention::EXACT, TERA_TOKENS.0 + tokens, fastest, PEAK)?;
        Ok(format!("{} to {}", least.mfu(), most.mfu()))
    };

    println!("2. MAI-Base-1 on {DEVICES} GB200 ({SOURCE})\n");
    println!("   published   {:.0} T tokens in sequences of {LENGTH}, {} a batch", TERA_TOKENS.0, SEQUENCES * LENGTH);
    println!("   published   goodput {:.1} %, overhead {:.0} h, MFU {PRINTED}", GOODPUT.0 * 100.0, OVERHEAD_HOURS.0);
    println!("   peak        {}", peak(PEAK)?);
    println!("   derived     {hours:.0} h without the overhead: overhead × goodput / (1 − goodput)");
    println!(
        "   derived     {:.2} s a step, {:.0} tokens/s per GPU",
        report.seconds(),
        report.tokens_per_second_per_device()
    );
    println!("   computed    {:.3} GFLOP per token under {}", gflop_per_token(&report), Convention::EXACT);
    println!("   computed    {:.0} TFLOP/s per GPU: MFU {}", tflops(&report), report.mfu());
    println!("   allowed     {} by the rounding of goodput and overhead", range(0.0)?);
    println!("               {} if the tokens are rounded to a trillion, too\n", range(TERA_TOKENS.1)?);
    Ok(())
}

fn why_they_differ() -> Outcome {
    let hours = ideal_hours(mai::GOODPUT.0, mai::OVERHEAD_HOURS.0);
    let mai = |rule, declared| mai_report(rule, mai::TERA_TOKENS.0, hours, declared);
    let deepseek = |rule, declared| deepseek_report(rule, deepseek::STEPS[0].1, declared);
    let row = |what: &str, left: String, right: String| println!("   {what:<44}{left:>14}{right:>14}");

    println!("3. Why about 20 % and about 39 %: it is not the counting\n");
    row("", "MAI-Base-1".to_owned(), "DeepSeek-V3".to_owned());
    for rule in [EXACT_WITHOUT_MTP, Convention::DEEPSEEK_2025_CAUSAL] {
        let (left, right) = (mai(rule, mai::PEAK)?, deepseek(rule, deepseek::PEAK)?);
        row(&format!("MFU under {rule}"), left.mfu().to_string(), right.mfu().to_string());
    }
    let (left, right) =
        (mai(EXACT_WITHOUT_MTP, mai::PEAK)?, deepseek(Convention::DEEPSEEK_2025_CAUSAL, deepseek::PEAK)?);
    let numbers = |what, left: f64, right: f64| row(what, format!("{left:.0}"), format!("{right:.0}"));
    numbers("TFLOP/s per GPU, by EXACT and by DeepSeek's", tflops(&left), tflops(&right));
    numbers("BF16 peak that it is divided by, TFLOP/s", mai::PEAK.1, deepseek::PEAK.1);
    numbers("FP8 peak, TFLOP/s", mai::PEAK_FP8.1, deepseek::DATASHEET_FP8.1);
    let (left_fp8, right_fp8) =
        (mai(EXACT_WITHOUT_MTP, mai::PEAK_FP8)?, deepseek(Convention::DEEPSEEK_2025_CAUSAL, deepseek::DATASHEET_FP8)?);
    row("the same work over the FP8 peak", left_fp8.mfu().to_string(), right_fp8.mfu().to_string());
    println!("\n   {}\n   {}", peak(mai::PEAK_FP8)?, peak(deepseek::DATASHEET_FP8)?);
    println!(
        "\n   The lower utilization is the higher throughput: a GB200 does {:.2} times the work of an H800, of {:.2} times the peak.\n",
        tflops(&left) / tflops(&right),
        mai::PEAK.1 / deepseek::PEAK.1
    );

    println!("   What the rule alone does to MAI-Base-1:\n");
    let exact = EXACT_WITHOUT_MTP;
    for (what, rule) in [
        ("every pair that its masks let through", exact),
        ("no attention core: 6·N", Convention { core: Core::Out, ..exact }),
        ("windows ignored", Convention { windows: Windows::Ignored, ..exact }),
        ("windows ignored, the full square", Convention { windows: Windows::Ignored, core: Core::Full, ..exact }),
        ("routers out, half the square (DeepSeek's)", Convention { router: Basis::Out, core: Core::Half, ..exact }),
    ] {
        println!("   {what:<44}{:>14}", mai(rule, mai::PEAK)?.mfu());
    }

    println!("\n   And to DeepSeek-V3, axis by axis:\n");
    let ledger = catalog::find("deepseek-v3")?.ledger()?;
    for (from, to) in [
        (Convention::DEEPSEEK_2025_FULL, Convention::DEEPSEEK_2025_CAUSAL),
        (Convention::DEEPSEEK_2025_CAUSAL, Convention::EXACT),
    ] {
        let way = ledger.reconcile(from, to, Batch::uniform(1, deepseek::LENGTH))?.to_string();
        println!("{}\n", way.lines().map(|line| format!("   {line}")).collect::<Vec<_>>().join("\n"));
    }
    Ok(())
}

fn parameters() -> Outcome {
    println!("4. Parameters of the catalog, and as their publishers print them\n");
    println!("   {:<18}{:>18}{:>26}{:>18}{:>24}", "model", "held", "printed", "active", "printed");
    for model in catalog::all() {
        let parameters = model.ledger()?.parameters();
        let published = model.published();
        let total = parameters.total();
        let held = format!("{:>18}{:>26}", grouped(total), printed(published.total, total));
        let active = published.active.map_or_else(String::new, |(figure, meaning)| {
            let active = meaning.of(&parameters);
            format!("{:>18}{:>24}", grouped(active), printed(figure, active))
        });
        println!("   {:<18}{held}{active}", model.name());
    }
    println!(
        "\n   Multi-token prediction is left out. What a publisher calls active differs: each is beside its own count."
    );
    Ok(())
}

/// A printed figure, and whether the computed one rounds to it.
fn printed(figure: &str, computed: u128) -> String {
    let (digits, unit) = figure.split_at(figure.len().saturating_sub(1));
    let scale = if unit == "T" { 1e12 } else { 1e9 };
    let places = digits.split_once('.').map_or(0, |(_, places)| places.len());
    let rounded = format!("{:.places$}{unit}", computed as f64 / scale);
    if rounded == figure { figure.to_owned() } else { format!("{figure}, computed {rounded}") }
}

/// A number with its thousands set apart.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let (head, tail) = digits.split_at(first);
    let groups = tail.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    let head = (!head.is_empty()).then(|| head.to_owned());
    head.into_iter().chain(groups).collect::<Vec<_>>().join(",")
}
