//! What the README shows is what the code says.

use std::fmt::Write;

use std::time::Duration;

use mfu::{Axis, Batch, Convention, FlopRate, MtpParts, Peak, catalog};

const README: &str = include_str!("../README.md");

const SHOWN: &[(&str, Axis)] = &[
    ("weights", Axis::Weights),
    ("embedding", Axis::Embedding),
    ("head", Axis::Head),
    ("router", Axis::Router),
    ("attention core", Axis::Core),
    ("windows", Axis::Windows),
    ("softmax", Axis::Softmax),
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
    let readme = include_str!("../README.md");
    let begin =
        readme.find("<!-- conventions:").and_then(|at| Some(at + readme[at..].find("-->")? + "-->".len())).unwrap();
    let end = readme.find("<!-- /conventions -->").unwrap();
    let expected = table();
    assert!(readme[begin..end].trim() == expected, "the README's table is stale; it should be\n\n{expected}\n");
}

#[test]
fn the_report_prints_what_the_readme_shows() {
    let cost = catalog::find("deepseek-v3").unwrap().cost(Convention::DEEPSEEK_2025_CAUSAL).unwrap();
    let peak = Peak::declared("H800, BF16 dense", FlopRate::from_tflops(989.0).unwrap()).unwrap();
    let fleet = peak.source("arXiv:2505.09343").times(2_048);
    let step = cost.count(Batch::uniform(15_360, 4_096)).unwrap();
    let report = step.utilization(Duration::from_millis(19_926), &fleet).unwrap();
    assert!(README.contains(&format!("```text\n{report}\n```")), "the README should show\n\n{report}\n");
}
