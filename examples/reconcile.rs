//! Why two published figures differ, step by step: the rule, the model, the tokens, the time, the devices.
//!
//! `cargo run --release --example reconcile`

use std::time::Duration;

use mfu::{
    Batch, Claim, Convention, Device, FlopRate, Pace, Peak, Precision, Reconciliation, Run, Standing, Variant, catalog,
};

type Outcome<T = ()> = Result<T, mfu::Error>;

fn main() -> Outcome {
    the_square_halved()?;
    gates_and_windows()?;
    full_and_causal()?;
    two_reports()
}

/// NVIDIA's tables of Llama-3-70B on H100: that of release 24.12 counts the whole square of the attention core, that of
/// 26.02 half of it.
fn the_square_halved() -> Outcome {
    let llama = catalog::find("llama-3-70b")?.architecture()?;
    // The row of release 26.02.01, FP8 on H100.
    let run = Run::new(&llama, Batch::uniform(1, 8_192)).at(Pace::tokens_per_second_per_device(1_639.0)?);
    let steps = run.under(Convention::MEGATRON_2024).reconcile(&run.under(Convention::MEGATRON_2025_03))?;
    show("Llama-3-70B at 1,639 tokens/s per H100, as NVIDIA's tables of 24.12 and of 26.02 count it", &steps);
    Ok(())
}

/// NVIDIA's tables of gpt-oss-120b on GB200: up to release 26.04 without windows and without the experts' gate.
fn gates_and_windows() -> Outcome {
    let gpt_oss = catalog::find("gpt-oss-120b")?.architecture()?;
    let misread = gpt_oss.as_read(Variant::GatesLeftOut)?;
    // The row of release 26.04, BF16 on GB200.
    let pace = Pace::tokens_per_second_per_device(15_938.0)?;
    let before = Run::new(&misread, Batch::uniform(1, 4_096)).at(pace).under(Convention::MEGATRON_2025_03);
    let after = Run::new(&gpt_oss, Batch::uniform(1, 4_096)).at(pace).under(Convention::MEGATRON_BRIDGE_2026);
    let steps = before.reconcile(&after)?;
    show("gpt-oss-120b at 15,938 tokens/s per GB200, as NVIDIA's tables of 26.04 and of 26.06 count it", &steps);
    Ok(())
}

/// DeepSeek-V3's report prints both figures of one run: arXiv:2505.09343, Table 4.
fn full_and_causal() -> Outcome {
    let deepseek = catalog::find("deepseek-v3")?.architecture()?;
    let run = pre_training(Run::new(&deepseek, Batch::uniform(15_360, 4_096)))?;
    let steps = run.under(Convention::DEEPSEEK_2025_FULL).reconcile(&run.under(Convention::DEEPSEEK_2025_CAUSAL))?;
    show("DeepSeek-V3, 43.73 % against 38.94 %: one run, the square and half of it", &steps);
    Ok(())
}

/// 39 % of an H800 and 20 % of a GB200: the lower figure is the higher throughput.
fn two_reports() -> Outcome {
    let (deepseek, mai) = (catalog::find("deepseek-v3")?.architecture()?, catalog::find("mai-base-1")?.architecture()?);
    let one = pre_training(Run::new(&deepseek, Batch::uniform(15_360, 4_096)))?;
    // 30 T tokens in the 459 h that follow from 51 h of overhead at a goodput of 90.0 %: derived, not published.
    let other = Run::new(&mai, Batch::uniform(8_192, 16_384))
        .at(Pace::tokens_per_second(30e12 / (459.0 * 3_600.0))?)
        .on(Device::find("NVIDIA GB200")?.peak(Precision::Bf16)?.times(8_192));
    let (one, other): (Claim<'_>, Claim<'_>) =
        (one.under(Convention::DEEPSEEK_2025_CAUSAL), other.under(Convention::EXACT));
    show("DeepSeek-V3 on H800, 38.94 %, against MAI-Base-1 on GB200, about 20 %", &one.reconcile(&other)?);
    Ok(())
}

/// The step, the devices and the peak of arXiv:2505.09343, Table 4; its percentages are of 989.0 TFLOP/s.
fn pre_training(run: Run<'_>) -> Outcome<Run<'_>> {
    let h800 = Peak::declared("H800, BF16 dense", FlopRate::from_tflops(989.0)?)?;
    Ok(run.at(Duration::from_millis(19_926)).on(h800.times(2_048)))
}

fn show(title: &str, steps: &Reconciliation) {
    println!("{title}\n\n{steps}");
    let rate = |standing: Standing| standing.flops_per_second_per_device;
    if let (Some(before), Some(after)) = (rate(steps.start()), rate(steps.end())) {
        let change = 100.0 * (after.per_second() / before.per_second() - 1.0);
        println!("\n{change:+.1} % FLOP/s per device\n");
    }
}
