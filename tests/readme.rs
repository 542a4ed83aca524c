//! What the README shows is what the code says.

use std::fmt::Write;

use std::time::Duration;

use mfu::{Axis, Batch, Convention, Device, Figure, FlopRate, MtpParts, Pace, Peak, Precision, Run, catalog};

#[expect(dead_code, reason = "the example's tables are compared; the rest is for a terminal")]
#[path = "../examples/devices.rs"]
mod devices;
#[path = "common/document.rs"]
mod document;

use document::is_current;

const README: &str = include_str!("../README.md");

const SHOWN: &[(&str, Axis)] = &[
    ("weights", Axis::Weights),
    ("embedding", Axis::Embedding),
    ("head", Axis::Head),
    ("router", Axis::Router),
    ("attention core", Axis::Core),
    ("windows", Axis::Windows),
    ("softmax", Axis::Softmax),
    ("scan", Axis::Scan),
    ("models", Axis::Domain),
];

fn table() -> String {
    let mut table = String::from("| convention |");
    for (name, _) in SHOWN {
        write!(table, " {name} |").unwrap();
    }
    table.push_str(" multi-token prediction |\n|---|");
    table.push_str(&"---|".repeat(SHOWN.len() + 1));
    for (name, convention) in Convention::presets() {
        write!(table, "\n| `{name}` |").unwrap();
        for (_, axis) in SHOWN {
            write!(table, " {} |", axis.value(convention)).unwrap();
        }
        write!(table, " {} |", mtp(convention)).unwrap();
    }
    table
}

fn mtp(convention: &Convention) -> String {
    if convention.mtp == MtpParts::NONE {
        return "out".to_owned();
    }
    let parts = [("layer", Axis::MtpLayer), ("projection", Axis::MtpProjection), ("head", Axis::MtpHead)];
    let counted: Vec<&str> =
        parts.iter().filter(|(_, axis)| axis.value(convention) == "in").map(|&(name, _)| name).collect();
    counted.join(", ")
}

#[test]
fn the_table_of_conventions_is_current() {
    is_current(README, "conventions", &table());
}

#[test]
fn the_tables_of_devices_are_current() {
    is_current(README, "devices", &devices::summary());
    is_current(include_str!("../DEVICES.md"), "devices", &devices::markdown());
}

/// Whether the README shows this output, as a block of its own.
fn shows(output: &str) {
    assert!(README.contains(&format!("```text\n{output}\n```")), "the README should show\n\n{output}\n");
}

#[test]
fn the_report_prints_what_the_readme_shows() {
    let cost = catalog::find("deepseek-v3").unwrap().cost(Convention::DEEPSEEK_2025_CAUSAL).unwrap();
    let fleet = Device::find("NVIDIA H800").unwrap().peak(Precision::Bf16).unwrap().times(2_048);
    let step = cost.count(Batch::uniform(15_360, 4_096)).unwrap();
    shows(&step.utilization(Duration::from_millis(19_926), &fleet).unwrap().to_string());
}

#[test]
fn a_misread_peak_prints_what_the_readme_shows() {
    let peak = Peak::declared("H800, BF16", FlopRate::from_tflops(1_979.0).unwrap()).unwrap();
    shows(&peak.misread().unwrap().to_string());
}

#[test]
fn the_steps_print_what_the_readme_shows() {
    let llama = catalog::find("llama-3-8b").unwrap().architecture().unwrap();
    let pace = Pace::tokens_per_second_per_device(8_000.0).unwrap();
    let on = |device: &str, devices| {
        let fleet = Device::find(device).unwrap().peak(Precision::Bf16).unwrap().times(devices);
        Run::new(&llama, Batch::uniform(1, 8_192)).at(pace).on(fleet)
    };
    let theirs = on("NVIDIA H100 80GB HBM3", 64).under(Convention::PALM_2022);
    let ours = on("NVIDIA H100 NVL", 8).under(Convention::EXACT);
    shows(&theirs.reconcile(&ours).unwrap().to_string());
}

#[test]
fn the_diagnosis_prints_what_the_readme_shows() {
    let deepseek = catalog::find("deepseek-v3").unwrap().architecture().unwrap();
    let h800 = Device::find("NVIDIA H800").unwrap().peak(Precision::Bf16).unwrap().times(2_048);
    let run = Run::new(&deepseek, Batch::uniform(15_360, 4_096)).at(Duration::from_millis(19_926)).on(h800);
    shows(&run.diagnose(&Figure::MfuPercent("43.73".parse().unwrap())).unwrap().to_string());
}

#[test]
fn the_range_of_the_first_lines_is_that_of_the_presets() {
    let ledger = catalog::find("llama-3-8b").unwrap().ledger().unwrap();
    let count = |convention| ledger.cost(convention).ok()?.count(Batch::uniform(1, 8_192)).ok();
    let flops =
        Convention::presets().iter().filter_map(|&(_, convention)| count(convention)?.training_flops_per_token());
    let (least, most) = flops.fold((f64::MAX, 0.0_f64), |(least, most), flops| (least.min(flops), most.max(flops)));
    let range = format!("costs anything from {:.1} to {:.1} GFLOP by the rules below", least / 1e9, most / 1e9);
    assert!(README.contains(&range), "the README should say: {range}");
}

#[test]
fn every_model_of_the_catalog_is_listed() {
    let names: Vec<String> = catalog::all().iter().map(|model| format!("`{}`", model.name())).collect();
    let listed = format!("The catalog: {}.", names.join(", "));
    assert!(README.replace('\n', " ").contains(&listed), "the README should say\n\n{listed}\n");
}

#[test]
fn the_packed_example_prints_what_its_comment_says() {
    let cost = catalog::find("qwen3-30b-a3b").unwrap().cost(Convention::EXACT).unwrap();
    let training = cost.count(&[8_192_i32, 513, 1_024]).unwrap().training;
    assert!(README.contains(&format!("?.training); // {training}\n")), "{training}");
}

/// The types that can be read, in alphabetical order, as prose wraps them.
#[cfg(feature = "hf")]
#[test]
fn the_list_of_model_types_is_current() {
    const WIDTH: usize = 120;
    let mut names: Vec<&str> = mfu::hf::model_types().collect();
    names.sort_unstable();
    let (mut list, mut line) = (String::new(), 0);
    for (index, name) in names.iter().enumerate() {
        let end = if index + 1 == names.len() { "." } else { "," };
        let word = format!("`{name}`{end}");
        if line + 1 + word.len() > WIDTH {
            list.push('\n');
            line = 0;
        } else if line > 0 {
            list.push(' ');
            line += 1;
        }
        line += word.len();
        list.push_str(&word);
    }
    is_current(README, "model types", &list);
}
