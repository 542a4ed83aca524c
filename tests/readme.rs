//! What the README shows is what the code says.

use std::fmt::Write;

use std::time::Duration;

use mfu::{
    Axis, Batch, Convention, Cost, Device, Figure, FlopRate, MtpParts, Pace, Peak, Precision, Recipe, Run, catalog,
};

#[expect(dead_code, reason = "the example's tables are compared; the rest is for a terminal")]
#[path = "../examples/devices.rs"]
mod devices;

const README: &str = include_str!("../README.md");
const COMPARE: &str = include_str!("../COMPARE.md");

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

/// Whether what a document has between the marks of that name is what the code says.
fn is_current(document: &str, name: &str, expected: &str) {
    let mark = document.find(&format!("<!-- {name}:")).unwrap();
    let begin = mark + document[mark..].find("-->").unwrap() + "-->".len();
    let end = document.find(&format!("<!-- /{name} -->")).unwrap();
    assert!(
        document[begin..end].trim() == expected,
        "what the document says of {name} is stale; it should be\n\n{expected}\n"
    );
}

#[test]
fn the_table_of_conventions_is_current() {
    is_current(README, "conventions", &table());
}

/// Who counts by each convention, in the order of the presets.
const TOOLS: &[(&str, &str)] = &[
    ("EXACT", "this crate: every matmul that is performed"),
    ("DEEPSEEK_2025_CAUSAL", "DeepSeek, *causal*"),
    ("DEEPSEEK_2025_FULL", "DeepSeek, *non-causal*"),
    ("MEGATRON_2024", "Megatron-LM before March 2025, NVIDIA's tables to 24.12"),
    ("MEGATRON_2025_03", "Megatron-LM, NVIDIA's tables of 26.02 to 26.04"),
    ("MEGATRON_BRIDGE_2026", "Megatron Bridge, NVIDIA's tables from 26.06"),
    ("MAXTEXT_2025", "MaxText"),
    ("TORCHTITAN_2026_08", "torchtitan before 25 August 2026"),
    ("TORCHTITAN_2026_08_25", "torchtitan"),
    ("PALM_2022", "PaLM's appendix, and whoever follows it"),
    ("LLM_FOUNDRY", "llm-foundry, Composer"),
    ("KAPLAN_2020", "Kaplan et al., with attention"),
    ("KAPLAN_6N", "Kaplan et al., 6N"),
    ("CHINCHILLA_2022", "Chinchilla's appendix"),
    ("NARAYANAN_2021", "Megatron-LM's paper of 2021"),
    ("KORTHIKANTI_2022", "Megatron-LM's paper of 2022"),
    ("NANOCHAT", "nanochat"),
    ("HF_TRAINER", "Hugging Face Trainer, `total_flos`"),
    ("OLMO_CORE", "OLMo-core"),
    ("LINGUA", "Meta lingua"),
    ("TORCH_FLOP_COUNTER", "torch's `FlopCounterMode`"),
    ("NEMO_2024_12_LORA", "NeMo 24.12, LoRA with frozen layers"),
    ("NEMO_2024_12_SFT", "NeMo 24.12, fine-tuning"),
];

fn tools() -> String {
    let models = [("gpt-3-175b", 2_048), ("llama-3-8b", 8_192), ("gpt-oss-20b", 4_096), ("deepseek-v3", 4_096)];
    let names = "GPT-3 at 2,048 | Llama-3-8B at 8,192 | gpt-oss-20b at 4,096 | DeepSeek-V3 at 4,096";
    let mut table = format!("| tool | constant | {names} |\n|---|---|--:|--:|--:|--:|");
    assert_eq!(TOOLS.len(), Convention::presets().len());
    for (&(name, tool), &(preset, convention)) in TOOLS.iter().zip(Convention::presets()) {
        assert_eq!(name, preset);
        let recipe = if tool.contains("frozen") { Recipe::frozen_layers() } else { Recipe::default() };
        let cells = models.map(|(model, length)| {
            let cost = catalog::find(model).unwrap().ledger().unwrap().cost_with(convention, recipe);
            let flops = |cost: Cost| cost.count(Batch::uniform(1, length)).unwrap().training_flops_per_token().unwrap();
            match cost {
                Ok(cost) => format!("{:.3}", flops(cost) / 1e9),
                Err(error) => {
                    assert!(error.is_not_applicable());
                    "–".to_owned()
                }
            }
        });
        write!(table, "\n| {tool} | `{name}` | {} |", cells.join(" | ")).unwrap();
    }
    table
}

#[test]
fn the_table_of_tools_is_current() {
    is_current(COMPARE, "tools", &tools());
    // Each of them has a section that says more than the table does.
    let (_, prose) = COMPARE.split_once("<!-- /tools -->").unwrap();
    for (name, _) in Convention::presets() {
        let said = |short: &str| prose.contains(&format!("`{short}`")) || prose.contains(&format!("::{short}`"));
        let follows = name.strip_prefix("DEEPSEEK_2025").is_some_and(said);
        assert!(said(name) || follows || *name == "EXACT", "{name} has no section");
    }
}

#[test]
fn the_peaks_that_others_are_held_against_are_those_of_the_table() {
    let (_, table) = COMPARE.split_once("| name | here | others |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut held = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let peak = Device::find(cells[1].trim_matches('`')).unwrap().peak(Precision::Bf16).unwrap();
        assert_eq!(cells[2], peak.rate().as_tflops().to_string(), "{row}");
        held += 1;
    }
    assert_eq!(held, 9);
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
