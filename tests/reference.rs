//! Every config of `data/reference/` against what the reference implementation holds and executes for it, with `==`.
//!
//! Each file has a config, the parameters that `transformers` holds for it, by part, and the FLOPs of a forward pass
//! that torch's `FlopCounterMode` counted, by part: `2·m·n·k` for each matmul, the whole square of scores whatever the
//! mask hides, the head on every position. `pairs` are the open entries of each layer's mask, for one sequence and one
//! head, as runs of `[pairs, layers]`.
#![cfg(feature = "hf")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use mfu::hf;
use mfu::{Architecture, Batch, Block, Component, Convention, Group, Layer, Ledger, MtpParts, Place, Windows, catalog};
use serde_json::Value;

/// One file.
struct Case {
    name: String,
    config: String,
    record: Value,
}

fn cases() -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reference");
    let mut paths: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let record: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            Case { name, config: record["config"].to_string(), record }
        })
        .collect()
}

/// What is not compared, and why.
const EXEMPT: &[(&str, &str)] = &[
    ("ssm_conv", "the reference also convolves K − 1 positions that it throws away"),
    ("ssm_core", "how much a scan multiplies depends on its kernel"),
    ("pairs of mimo_v2_flash", "the reference takes W + 1 keys; W = 128 is the publisher's"),
    ("core and pairs of top-k layers beyond k", "the reference multiplies all keys and masks; compared with all keys"),
    ("core of deepseek_v4", "the reference multiplies the whole square of compressed keys"),
];

/// Fields that are there and not read: what multi-token prediction does with several residual streams is not known.
const UNREAD: &[(&str, &str)] = &[("deepseek_v4", "num_nextn_predict_layers")];

/// What the counter sees of the model, multi-token prediction left out, which the reference does not build.
const COUNTED: Convention = Convention { mtp: MtpParts::NONE, ..Convention::TORCH_FLOP_COUNTER };

/// The part that a component is of, as the records name them, of its parameters.
fn held_in(component: Component) -> &'static str {
    match component.group() {
        Group::Embedding => "embedding",
        Group::Attention => "attention",
        Group::Indexer => "indexer",
        Group::Mixer => "ssm",
        Group::FeedForward => "mlp",
        Group::Router => "router",
        Group::Experts => "experts",
        Group::SharedExperts => "shared_experts",
        Group::Norms => "norms",
        Group::Other => "other",
        Group::LmHead => "lm_head",
        group => panic!("{group:?} holds nothing"),
    }
}

/// The part that a component is of, as the records name them, of its work.
fn counted_in(component: Component) -> &'static str {
    match component {
        Component::IndexerScores => "indexer_core",
        Component::Convolution => "ssm_conv",
        // Where the reference multiplies the time step, the counter finds it within the scan.
        Component::Scan | Component::TimeStep => "ssm_core",
        component => match component.group() {
            Group::AttentionCore => "attention_core",
            Group::Attention => "attention_proj",
            Group::Indexer => "indexer_proj",
            Group::Mixer => "ssm_proj",
            _ => held_in(component),
        },
    }
}

fn parameters(ledger: &Ledger) -> BTreeMap<&'static str, u128> {
    let mut groups = BTreeMap::new();
    for line in ledger.lines().iter().filter(|line| line.place != Place::Mtp && line.parameters > 0) {
        *groups.entry(held_in(line.component)).or_default() += u128::from(line.parameters) * u128::from(line.layers);
    }
    groups
}

/// Forward FLOPs by part.
fn flops(ledger: &Ledger, batch: Batch<'_>, convention: Convention) -> BTreeMap<&'static str, u128> {
    let mut groups = BTreeMap::new();
    for (line, flops) in ledger.breakdown(convention, batch).unwrap().counted() {
        // A step is three forwards.
        *groups.entry(counted_in(line.component)).or_default() += flops.get() / 3;
    }
    groups
}

/// The pairs of one block's mask, if it attends.
fn pairs(block: &Block, sequence: u64, convention: Convention) -> Option<u128> {
    let layer = Layer::new().with(block.clone());
    let ledger = Architecture::decoder(1, 1).layer(layer).build().unwrap().ledger().unwrap();
    let breakdown = ledger.breakdown(convention, Batch::uniform(1, sequence)).unwrap();
    let (line, flops) = breakdown.counted().iter().find(|(line, _)| line.component == Component::AttentionScores)?;
    match line.work {
        mfu::Work::PerPair { flops: each, .. } => Some(flops.get() / 3 / u128::from(each)),
        work => panic!("scores do {work}"),
    }
}

fn integer(value: &Value) -> u128 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is an integer")).into()
}

/// What a record says of each part, the parts that hold or do nothing left out.
fn recorded(parts: &Value) -> BTreeMap<&str, u128> {
    let parts = parts.as_object().unwrap().iter();
    parts.map(|(name, value)| (name.as_str(), integer(value))).filter(|(_, value)| *value > 0).collect()
}

#[test]
fn every_case() {
    let mut wrong = Vec::new();
    let cases = cases();
    for case in &cases {
        if let Err(found) = std::panic::catch_unwind(|| check(case)).unwrap_or_else(|_| Err("panicked".to_owned())) {
            wrong.push(format!("{}: {found}", case.name));
        }
    }
    println!("not compared:");
    for (what, why) in EXEMPT {
        println!("  {what}: {why}");
    }
    println!("{} of {} cases exact", cases.len() - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(case: &Case) -> Result<(), String> {
    let config = hf::read(&case.config).map_err(|error| error.to_string())?;
    let mut unread =
        config.unread_fields().iter().filter(|field| !UNREAD.contains(&(config.model_type(), field.as_str())));
    if let Some(field) = unread.next() {
        return Err(format!("{field} was not read"));
    }
    let ledger = config.architecture().ledger().map_err(|error| error.to_string())?;
    let family = config.model_type();

    let mut expected = recorded(&case.record["parameters"]);
    let (total, active) = (expected.remove("total").unwrap(), expected.remove("active").unwrap());
    let found = parameters(&ledger);
    if found != expected {
        return Err(format!("parameters: {}", differences(&found, &expected)));
    }
    let held = ledger.parameters();
    if (held.total(), held.active()) != (total, active) {
        return Err(format!("{} held and {} active are not {total} and {active}", held.total(), held.active()));
    }

    for run in case.record["runs"].as_array().unwrap() {
        let [batch, sequence] = ["batch", "seq"].map(|field| run[field].as_u64().unwrap());
        let tokens = Batch::uniform(batch, sequence);
        let source = run["source"].as_u64().unwrap_or(sequence);
        let tokens = if family == "t5" { tokens.source(source) } else { tokens };
        let mut expected = recorded(&run["flops"]);
        let mut found = flops(&ledger, tokens, COUNTED);
        for part in ["ssm_conv", "ssm_core"] {
            expected.remove(part);
            found.remove(part);
        }
        if family == "deepseek_v4" {
            for part in ["attention_core", "indexer_core"] {
                expected.remove(part);
                found.remove(part);
            }
        }
        if found != expected {
            return Err(format!("FLOPs of {batch} × {sequence}: {}", differences(&found, &expected)));
        }
        let Some(recorded) = run["pairs"].as_array() else {
            continue;
        };
        if ["mimo_v2_flash", "deepseek_v4"].contains(&family) {
            continue;
        }
        let recorded: Vec<u128> = recorded
            .iter()
            .flat_map(|run| vec![integer(&run[0]); usize::try_from(integer(&run[1])).unwrap()])
            .collect();
        // All keys where an indexer chooses.
        let top_k = ledger.lines().iter().any(|line| line.component == Component::IndexerScores);
        let convention =
            if top_k { Convention { windows: Windows::Ignored, ..Convention::EXACT } } else { Convention::EXACT };
        let layers = config.architecture().runs();
        let found: Vec<u128> = layers
            .flat_map(|(layer, count)| std::iter::repeat_n(layer, usize::try_from(count).unwrap()))
            .flat_map(Layer::blocks)
            .filter_map(|block| pairs(block, sequence, convention))
            .collect();
        if found != recorded {
            return Err(format!("pairs of {sequence}: {found:?} are not {recorded:?}"));
        }
    }
    Ok(())
}

fn differences(found: &BTreeMap<&str, u128>, expected: &BTreeMap<&str, u128>) -> String {
    let names = found.keys().chain(expected.keys()).collect::<std::collections::BTreeSet<_>>();
    let differing = names.into_iter().filter(|name| found.get(**name) != expected.get(**name));
    let shown: Vec<String> =
        differing.map(|name| format!("{name} {:?} is not {:?}", found.get(*name), expected.get(*name))).collect();
    shown.join(", ")
}

/// Models of the catalog whose file is in `data/reference/`.
const IN_REFERENCE: [&str; 7] =
    ["deepseek-v3", "gpt-oss-20b", "llama-2-7b", "llama-3.1-405b", "mixtral-8x7b", "qwen3-30b-a3b", "qwen3-235b-a22b"];

/// Models that were published without such a file.
const WITHOUT_CONFIG: [&str; 3] = ["gpt-3-175b", "mai-base-1", "palm-540b"];

#[test]
fn the_catalog_is_what_its_configs_say() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/catalog-configs.json");
    let others: BTreeMap<String, Value> = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let cases = cases();
    let mut configs: BTreeMap<&str, String> =
        others.iter().map(|(name, config)| (name.as_str(), config.to_string())).collect();
    for name in IN_REFERENCE {
        configs.insert(name, cases.iter().find(|case| case.name == name).unwrap().config.clone());
    }
    for model in catalog::all() {
        let Some(config) = configs.remove(model.name()) else {
            assert!(WITHOUT_CONFIG.contains(&model.name()), "{} has no config here", model.name());
            continue;
        };
        let read = hf::read(&config).unwrap();
        assert_eq!(*read.architecture(), model.architecture().unwrap(), "{}", model.name());
        assert!(read.unread_fields().is_empty(), "{}: {:?}", model.name(), read.unread_fields());
    }
    assert!(configs.is_empty(), "{:?} are not in the catalog", configs.keys());
}

#[cfg(feature = "serde")]
#[test]
fn every_architecture_returns_from_its_record() {
    for case in cases() {
        let architecture = hf::read(&case.config).unwrap().into_architecture();
        let record = serde_json::to_string(&architecture).unwrap();
        let returned: Architecture = serde_json::from_str(&record).unwrap();
        assert_eq!(returned, architecture, "{}", case.name);
        assert_eq!(serde_json::to_string(&returned).unwrap(), record, "{}", case.name);
    }
}
