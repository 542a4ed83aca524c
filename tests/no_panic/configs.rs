//! Config files.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use mfu::hf::{self, Config, Reader};
use serde_json::{Map, Value, json};

use super::*;

/// The config of every case.
fn references() -> Vec<Value> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/reference");
    let mut paths: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let config = |path| -> Value {
        let record: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        record["config"].clone()
    };
    paths.into_iter().map(config).collect()
}

/// Any JSON, a few levels deep.
fn json() -> impl Strategy<Value = Value> {
    let list = || vec(leaf(), 0..6).prop_map(Value::from);
    let object = || vec((key(), leaf()), 0..6).prop_map(|fields| Value::Object(fields.into_iter().collect()));
    prop_oneof![
        8 => leaf(),
        2 => list(),
        1 => object(),
        1 => vec(list(), 0..3).prop_map(Value::from),
    ]
}

fn leaf() -> impl Strategy<Value = Value> {
    const WORDS: [&str; 8] =
        ["full_attention", "sliding_attention", "linear_attention", "auto", "sparse", "M*-E", "LLLG", "0,1"];
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        4 => number().prop_map(Value::from),
        1 => float().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => select(&WORDS).prop_map(Value::from),
    ]
}

/// The name of a field, mostly one that some family knows.
fn key() -> impl Strategy<Value = String> {
    static KNOWN: LazyLock<Vec<String>> = LazyLock::new(|| {
        let references = references();
        let named = references.iter().flat_map(|config| config.as_object().unwrap().keys().cloned());
        let known: BTreeSet<String> = named.chain(["text_config".to_owned()]).collect();
        known.into_iter().collect()
    });
    prop_oneof![9 => select(&**KNOWN), 1 => ".{0,9}"]
}

/// One change of a file.
#[derive(Clone, Debug)]
enum Change {
    Set(String, Value),
    SetOwn(prop::sample::Index, Value),
    Drop(prop::sample::Index),
    Type(&'static str),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => (key(), json()).prop_map(|(key, value)| Change::Set(key, value)),
        4 => (any::<prop::sample::Index>(), json()).prop_map(|(at, value)| Change::SetOwn(at, value)),
        2 => any::<prop::sample::Index>().prop_map(Change::Drop),
        1 => select(hf::model_types().collect::<Vec<_>>()).prop_map(Change::Type),
    ]
}

fn change_to(object: &mut Map<String, Value>, change: Change) {
    let own = |object: &Map<String, Value>, at: prop::sample::Index| {
        let names: Vec<String> = object.keys().cloned().collect();
        (!names.is_empty()).then(|| at.get(&names).clone())
    };
    match change {
        Change::Set(name, value) => drop(object.insert(name, value)),
        Change::SetOwn(at, value) => {
            if let Some(name) = own(object, at) {
                object.insert(name, value);
            }
        }
        Change::Drop(at) => {
            if let Some(name) = own(object, at) {
                object.remove(&name);
            }
        }
        Change::Type(name) => drop(object.insert("model_type".to_owned(), json!(name))),
    }
}

/// What a read file is good for: a ledger and a cost, or an error that says why not.
fn use_it(config: &Config) {
    reads(config);
    let Some(ledger) = or_says(config.architecture().ledger(), Error::is_overflow) else { return };
    reads(&ledger);
    let cost = or_says(ledger.cost(Convention::EXACT), Error::is_overflow);
    let Some(cost) = cost else { return };
    for batch in [Batch::uniform(2, 300), Batch::uniform(1, 1).after(7), Batch::uniform(1, 9).source(5)] {
        or_says(cost.count(batch), |error| error.is_overflow() || error.is_invalid_batch());
    }
}

fn is_of_a_config(error: &Error) -> bool {
    error.is_invalid_config()
        || error.is_unsupported_config()
        || error.is_unknown_name()
        || error.is_invalid_architecture()
}

fn check(text: impl AsRef<[u8]>) {
    let text = text.as_ref();
    let read = or_says(hf::read(text), is_of_a_config);
    let strictly = or_says(Reader::new().strict().read(text), is_of_a_config);
    match read {
        Some(config) => {
            assert_eq!(strictly.is_some(), config.unread_fields().is_empty());
            use_it(&config);
        }
        None => assert!(strictly.is_none()),
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_text(text in any::<String>(), bytes in vec(any::<u8>(), 0..200)) {
        check(&text);
        check(&bytes);
    }

    #[test]
    fn any_json_as_any_family(
        fields in vec((key(), json()), 0..20),
        name in select(hf::model_types().collect::<Vec<_>>()),
    ) {
        let mut object: Map<String, Value> = fields.into_iter().collect();
        check(Value::from(object.clone()).to_string());
        object.insert("model_type".to_owned(), json!(name));
        let text = Value::from(object).to_string();
        check(&text);
        or_says(Reader::new().read_as("qwen3_next").read(&text), is_of_a_config);
    }

    #[test]
    fn changed_files(
        config in select(references()),
        changes in vec(change(), 1..5),
        inside in any::<bool>(),
    ) {
        let mut config = config;
        for change in changes {
            let inner = config.get_mut("text_config").and_then(Value::as_object_mut).filter(|_| inside);
            match inner {
                Some(inner) => change_to(inner, change),
                None => change_to(config.as_object_mut().unwrap(), change),
            }
        }
        check(config.to_string());
    }

    #[test]
    fn damaged_files(
        config in select(references()),
        at in any::<prop::sample::Index>(),
        replacement in prop_oneof![any::<char>().prop_map(String::from), Just(String::new()), Just("Infinity".to_owned())],
        cut in any::<bool>(),
    ) {
        let text = config.to_string();
        let letters: Vec<char> = text.chars().collect();
        let at = at.index(letters.len());
        let head: String = letters[..at].iter().collect();
        let tail: String = if cut { String::new() } else { letters[at + 1..].iter().collect() };
        check(format!("{head}{replacement}{tail}"));
    }
}

/// Files that are large for what they say cost what their size does.
#[test]
fn large_files() {
    let many = |entry: &str, times: usize| vec![entry; times].join(",");
    let listed = many("1", 1_000_000);
    for text in [
        "[".repeat(1_000_000),
        "{\"a\":".repeat(1_000_000),
        format!("{{\"model_type\": \"{}\"}}", "llama".repeat(200_000)),
        format!("{{\"model_type\": \"qwen3_moe\", \"num_hidden_layers\": 100000, \"mlp_only_layers\": [{listed}]}}"),
        format!("{{\"model_type\": \"bamba\", \"num_hidden_layers\": 100000, \"attn_layer_indices\": [{listed}]}}"),
        format!("{{\"model_type\": \"llama4_text\", \"num_hidden_layers\": 100000, \"moe_layers\": [{listed}]}}"),
        format!("{{\"model_type\": \"lfm2\", \"num_hidden_layers\": 100000, \"full_attn_idxs\": [{listed}]}}"),
        format!("{{\"model_type\": \"nemotron_h\", \"hybrid_override_pattern\": \"{}\"}}", "M*-E".repeat(20_000)),
        format!(
            "{{\"model_type\": \"hunyuan_v1_moe\", \"num_hidden_layers\": 100000, \"moe_topk\": [{}]}}",
            many("1", 100_000)
        ),
        format!(
            "{{\"model_type\": \"gpt_neo\", \"num_layers\": 100000, \"attention_types\": [[[\"global\", \"local\"], {}]]}}",
            u64::MAX
        ),
        "{\"model_type\": \"gemma3_text\", \"num_hidden_layers\": 100000, \"sliding_window_pattern\": 2}".to_owned(),
        format!(
            "{{{}, \"model_type\": \"llama\"}}",
            (0..100_000).map(|n| format!("\"head_{n}\": 1")).collect::<Vec<_>>().join(",")
        ),
        format!("{{{}}}", many("\"hidden_size\": [1, 2, 3]", 100_000)),
    ] {
        check(text);
    }
}
