//! What COMPARE.md says of other tools, as far as the code can know it.

#[path = "common/document.rs"]
mod document;

use std::collections::BTreeSet;
use std::fmt::Write;

use document::{between, is_current};
use mfu::{Axis, Basis, Batch, Convention, Core, Device, Inclusion, MtpParts, Precision, Recipe, catalog};

const COMPARE: &str = include_str!("../COMPARE.md");

/// Who counts by which preset, in the order of the page.
const TOOLS: &[(&str, &str)] = &[
    ("this crate", "EXACT"),
    ("DeepSeek-V3 report, causal", "DEEPSEEK_2025_CAUSAL"),
    ("DeepSeek-V3 report, non-causal", "DEEPSEEK_2025_FULL"),
    ("Megatron-LM before 6 March 2025; NVIDIA's tables up to 24.12", "MEGATRON_2024"),
    ("Megatron-LM since; NVIDIA's tables 26.02–26.04", "MEGATRON_2025_03"),
    ("NVIDIA's tables from 26.06 on (Megatron Bridge)", "MEGATRON_BRIDGE_2026"),
    ("NVIDIA's tables 24.12 (NeMo), fine-tuning", "NEMO_2024_12_SFT"),
    ("NVIDIA's tables 24.12 (NeMo), LoRA", "NEMO_2024_12_LORA"),
    ("MaxText since #1988", "MAXTEXT_2025"),
    ("torchtitan before #4300", "TORCHTITAN_2026_08"),
    ("torchtitan since #4300", "TORCHTITAN_2026_08_25"),
    ("OLMo-core", "OLMO_CORE"),
    ("Meta Lingua", "LINGUA"),
    ("nanochat", "NANOCHAT"),
    ("PaLM, appendix B", "PALM_2022"),
    ("llm-foundry", "LLM_FOUNDRY"),
    ("Hugging Face Trainer", "HF_TRAINER"),
    ("torch's `FlopCounterMode`", "TORCH_FLOP_COUNTER"),
    ("Kaplan et al., with the core", "KAPLAN_2020"),
    ("Kaplan et al., 6·N", "KAPLAN_6N"),
    ("Chinchilla, appendix F", "CHINCHILLA_2022"),
    ("Megatron-LM's paper of 2021", "NARAYANAN_2021"),
    ("Megatron-LM's paper of 2022", "KORTHIKANTI_2022"),
];

const MODELS: &[(&str, &str, u64)] = &[
    ("Llama-3-8B", "llama-3-8b", 8_192),
    ("gpt-oss-20b", "gpt-oss-20b", 4_096),
    ("DeepSeek-V3", "deepseek-v3", 4_096),
    ("GPT-3", "gpt-3-175b", 2_048),
];

/// What is trained: rows of LoRA say that the layers are frozen, which no convention does.
fn recipe(name: &str) -> Recipe {
    if name.ends_with("_LORA") { Recipe::frozen_layers() } else { Recipe::default() }
}

/// What of the model counts, in a phrase.
fn phrase(name: &str, convention: &Convention) -> String {
    let mut parts = vec![
        match convention.weights {
            Basis::Out => "no weights",
            Basis::Work => "matmuls",
            Basis::Active => "active parameters",
            Basis::Stored => "all parameters",
        }
        .to_owned(),
    ];
    let holds = convention.weights != Basis::Work;
    let outside = [
        ("embedding", holds && convention.embedding == Basis::Out),
        ("head", convention.head == Basis::Out),
        ("router", convention.router == Basis::Out),
    ];
    let outside: Vec<&str> = outside.iter().filter(|(_, out)| *out).map(|(part, _)| *part).collect();
    if !outside.is_empty() {
        write!(parts[0], " without {}", outside.join(" and ")).unwrap();
    }
    if !holds && convention.embedding == Basis::Stored {
        parts.push("the embedding as a matmul".to_owned());
    }
    let core = match convention.core {
        Core::Out => "no core",
        Core::Full => "s²",
        Core::Half => "s²/2",
        Core::Exact => "s(s + 1)/2",
    };
    parts.push(match convention.core {
        Core::Out => core.to_owned(),
        _ => format!("{core}, windows {}", Axis::Windows.value(convention)),
    });
    for (counted, part) in [
        (convention.scores_recomputed, "recomputed scores"),
        (convention.softmax, "softmax"),
        (convention.scan, "scans"),
    ] {
        if counted == Inclusion::In {
            parts.push(part.to_owned());
        }
    }
    if convention.mtp == MtpParts::ALL {
        parts.push("MTP".to_owned());
    } else if convention.mtp != MtpParts::NONE {
        assert_eq!(Axis::MtpLayer.value(convention), "in", "{name} counts a part of MTP that has no word yet");
        parts.push("MTP layer".to_owned());
    }
    if recipe(name) != Recipe::default() {
        parts.push("layers frozen".to_owned());
    }
    parts.join("; ")
}

/// GFLOP per token, training.
fn figure(name: &str, model: &str, sequence: u64) -> String {
    let ledger = catalog::find(model).unwrap().ledger().unwrap();
    match ledger.cost_with(Convention::find(name).unwrap(), recipe(name)) {
        Ok(cost) => {
            let count = cost.count(Batch::uniform(1, sequence)).unwrap();
            let gflop = format!("{:.3}", count.training_flops_per_token().unwrap() / 1e9);
            match gflop.len() {
                8.. => format!("{},{}", &gflop[..gflop.len() - 7], &gflop[gflop.len() - 7..]),
                _ => gflop,
            }
        }
        Err(error) if error.is_not_applicable() => "not defined".to_owned(),
        Err(error) => panic!("{name} on {model}: {error}"),
    }
}

fn table() -> String {
    let mut lines = vec!["| who | constant | counts |".to_owned(), "|---|---|---|".to_owned()];
    for (title, _, sequence) in MODELS {
        let (thousands, rest) = (sequence / 1_000, sequence % 1_000);
        write!(lines[0], " {title}, {thousands},{rest:03} |").unwrap();
        lines[1] += "--:|";
    }
    for &(who, name) in TOOLS {
        let figures: Vec<String> = MODELS.iter().map(|(_, model, sequence)| figure(name, model, *sequence)).collect();
        let counts = phrase(name, &Convention::find(name).unwrap());
        lines.push(format!("| {who} | `{name}` | {counts} | {} |", figures.join(" | ")));
    }
    lines.join("\n")
}

#[test]
fn the_table_of_tools_is_current() {
    is_current(COMPARE, "tools", &table());
}

#[test]
fn every_preset_has_a_row_and_a_section() {
    let presets: BTreeSet<&str> = Convention::presets().iter().map(|&(name, _)| name).collect();
    let rows: Vec<&str> = TOOLS.iter().map(|&(_, name)| name).collect();
    assert_eq!(rows.len(), presets.len(), "a preset has one row");
    assert_eq!(rows.iter().copied().collect::<BTreeSet<_>>(), presets);
    let (_, sections) = COMPARE.split_once("<!-- /tools -->").unwrap();
    for name in presets {
        assert!(sections.contains(&format!("`{name}`")), "COMPARE.md says nothing of `{name}` beyond the table");
    }
}

/// The cells of a table, row by row.
fn rows(name: &str) -> Vec<Vec<&'static str>> {
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect();
    let rows: Vec<_> = between(COMPARE, name).lines().skip(2).map(cells).collect();
    assert!(!rows.is_empty(), "{name}");
    rows
}

#[test]
fn what_this_crate_says_of_a_name_is_current() {
    for row in rows("peaks by name") {
        let name = row[0].trim_matches('`');
        let here = match Device::find(name).and_then(|device| device.peak(Precision::Bf16)) {
            Ok(peak) => peak.rate().as_tflops().to_string(),
            Err(error) if error.is_ambiguous_name() => "ambiguous".to_owned(),
            Err(error) if error.is_unknown_name() => "unknown".to_owned(),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(row[1], here, "{name}");
        // A figure is shown for a tool where it is another one; where it is not, the page says "same".
        for cell in &row[2..] {
            match (cell.parse::<f64>(), here.parse::<f64>()) {
                (Ok(theirs), Ok(ours)) => assert!((theirs / ours - 1.0).abs() > 0.012, "{name}: {theirs}"),
                (Ok(_), Err(_)) => {}
                (Err(_), ours) => assert!(*cell == "–" || *cell == "same" && ours.is_ok(), "{name}: {cell}"),
            }
        }
    }
}

#[test]
fn every_name_is_counted_once() {
    for row in rows("peaks by tool") {
        let counts: u32 = row[3..].iter().map(|cell| cell.parse::<u32>().unwrap()).sum();
        assert_eq!(counts, 61, "{}", row[0]);
    }
}
