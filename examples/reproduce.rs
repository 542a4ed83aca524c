//! Two published utilizations of the same kind of run, 39 to 44 % and about 20 %, recomputed from the catalog and from
//! published inputs, and why they differ. What is derived says so.
//!
//! `cargo run --release --example reproduce`

use std::time::Duration;

use mfu::{
    Basis, Batch, Convention, Core, Count, Device, FlopRate, MtpParts, Pace, Peak, Precision, Report, Windows, catalog,
};

type Outcome<T = ()> = Result<T, mfu::Error>;

/// A peak of the table of devices.
fn listed(device: &str, precision: Precision) -> Outcome<Peak> {
    Device::find(device)?.peak(precision)
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
    pub const DEVICE: &str = "NVIDIA H800";
    /// The BF16 peak in TFLOP/s that all four printed percentages imply. The table's is another one.
    pub const PEAK: f64 = 989.0;

    pub fn peak() -> super::Outcome<super::Peak> {
        let peak = super::Peak::declared("H800, BF16 dense", super::FlopRate::from_tflops(PEAK)?)?;
        Ok(peak.with_source("implied by arXiv:2505.09343, Table 4"))
    }
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
    pub const DEVICE: &str = "NVIDIA GB200";
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
fn deepseek_report(convention: Convention, milliseconds: u64, peak: &Peak) -> Outcome<Report> {
    let batch = Batch::uniform(deepseek::SEQUENCES, deepseek::LENGTH);
    let step: Count = catalog::find("deepseek-v3")?.cost(convention)?.count(batch)?;
    step.utilization(Duration::from_millis(milliseconds), &peak.times(deepseek::DEVICES))
}

/// A step of MAI-Base-1 at the pace of so many tokens in so many hours, over a peak.
fn mai_report(convention: Convention, tera_tokens: f64, hours: f64, peak: &Peak) -> Outcome<Report> {
    let step: Count =
        catalog::find("mai-base-1")?.cost(convention)?.count(Batch::uniform(mai::SEQUENCES, mai::LENGTH))?;
    let pace = Pace::tokens_per_second(tera_tokens * 1e12 / (hours * 3_600.0))?;
    step.utilization(pace, &peak.times(mai::DEVICES))
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
    use deepseek::{DEVICE, DEVICES, LENGTH, SEQUENCES, SOURCE, STEPS};

    let (published, table) = (deepseek::peak()?, listed(DEVICE, Precision::Bf16)?);

    println!("1. DeepSeek-V3 on {DEVICES} H800: one run, two rules ({SOURCE})\n");
    println!("   {SEQUENCES} sequences of {LENGTH} tokens a step");
    println!("   peak         {published}");
    println!("   last column  {table}; the report does not divide by it\n");
    println!(
        "   {:<8}{:>8}   {:<22}{:>12}{:>18}{:>10}{:>12}{:>10}{:>12}",
        "network",
        "step",
        "rule",
        "GFLOP/token",
        "TFLOP/s per GPU",
        "printed",
        "MFU",
        "printed",
        table.rate().as_tflops()
    );
    for (network, milliseconds, [full_rate, causal_rate, full_mfu, causal_mfu]) in STEPS {
        for (convention, printed_rate, printed_mfu) in [
            (Convention::DEEPSEEK_2025_FULL, full_rate, full_mfu),
            (Convention::DEEPSEEK_2025_CAUSAL, causal_rate, causal_mfu),
        ] {
            let report = deepseek_report(convention, milliseconds, &published)?;
            let by_table = deepseek_report(convention, milliseconds, &table)?;
            println!(
                "   {network:<8}{:>7.3}s   {convention:<22}{:>12.3}{:>18.2}{printed_rate:>10}{:>12}{printed_mfu:>10}{:>12}",
                report.seconds(),
                gflop_per_token(&report),
                tflops(&report),
                report.mfu(),
                by_table.mfu(),
            );
        }
    }
    println!();
    Ok(())
}

fn mai_base_1() -> Outcome {
    use mai::{DEVICE, DEVICES, GOODPUT, LENGTH, OVERHEAD_HOURS, PRINTED, SEQUENCES, SOURCE, TERA_TOKENS};

    let peak = listed(DEVICE, Precision::Bf16)?;
    let hours = ideal_hours(GOODPUT.0, OVERHEAD_HOURS.0);
    let report = mai_report(Convention::EXACT, TERA_TOKENS.0, hours, &peak)?;
    let slowest = ideal_hours(GOODPUT.0 + GOODPUT.1, OVERHEAD_HOURS.0 + OVERHEAD_HOURS.1);
    let fastest = ideal_hours(GOODPUT.0 - GOODPUT.1, OVERHEAD_HOURS.0 - OVERHEAD_HOURS.1);
    let range = |tokens: f64| -> Outcome<String> {
        let least = mai_report(Convention::EXACT, TERA_TOKENS.0 - tokens, slowest, &peak)?;
        let most = mai_report(Convention::EXACT, TERA_TOKENS.0 + tokens, fastest, &peak)?;
        Ok(format!("{} to {}", least.mfu(), most.mfu()))
    };

    println!("2. MAI-Base-1 on {DEVICES} GB200 ({SOURCE})\n");
    println!("   published   {:.0} T tokens in sequences of {LENGTH}, {} a batch", TERA_TOKENS.0, SEQUENCES * LENGTH);
    println!("   published   goodput {:.1} %, overhead {:.0} h, MFU {PRINTED}", GOODPUT.0 * 100.0, OVERHEAD_HOURS.0);
    println!("   peak        {peak}");
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
    let mai = |rule, peak: &Peak| mai_report(rule, mai::TERA_TOKENS.0, hours, peak);
    let deepseek = |rule, peak: &Peak| deepseek_report(rule, deepseek::STEPS[0].1, peak);
    let (gb200, gb200_fp8) = (listed(mai::DEVICE, Precision::Bf16)?, listed(mai::DEVICE, Precision::Fp8)?);
    let (h800, h800_fp8) = (deepseek::peak()?, listed(deepseek::DEVICE, Precision::Fp8)?);
    let row = |what: &str, left: String, right: String| println!("   {what:<44}{left:>14}{right:>14}");

    println!("3. Why about 20 % and about 39 %: it is not the counting\n");
    row("", "MAI-Base-1".to_owned(), "DeepSeek-V3".to_owned());
    for rule in [EXACT_WITHOUT_MTP, Convention::DEEPSEEK_2025_CAUSAL] {
        let (left, right) = (mai(rule, &gb200)?, deepseek(rule, &h800)?);
        row(&format!("MFU under {rule}"), left.mfu().to_string(), right.mfu().to_string());
    }
    let (left, right) = (mai(EXACT_WITHOUT_MTP, &gb200)?, deepseek(Convention::DEEPSEEK_2025_CAUSAL, &h800)?);
    let numbers = |what, left: f64, right: f64| row(what, format!("{left:.0}"), format!("{right:.0}"));
    numbers("TFLOP/s per GPU, by EXACT and by DeepSeek's", tflops(&left), tflops(&right));
    let rates = |what, left: &Peak, right: &Peak| numbers(what, left.rate().as_tflops(), right.rate().as_tflops());
    rates("BF16 peak that it is divided by, TFLOP/s", &gb200, &h800);
    rates("FP8 peak, TFLOP/s", &gb200_fp8, &h800_fp8);
    let (left_fp8, right_fp8) =
        (mai(EXACT_WITHOUT_MTP, &gb200_fp8)?, deepseek(Convention::DEEPSEEK_2025_CAUSAL, &h800_fp8)?);
    row("the same work over the FP8 peak", left_fp8.mfu().to_string(), right_fp8.mfu().to_string());
    println!("\n   {gb200_fp8}\n   {h800_fp8}");
    println!(
        "\n   The lower utilization is the higher throughput: a GB200 does {:.2} times the work of an H800, of {:.2} times the peak.\n",
        tflops(&left) / tflops(&right),
        gb200.rate().per_second() / h800.rate().per_second()
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
        println!("   {what:<44}{:>14}", mai(rule, &gb200)?.mfu());
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
