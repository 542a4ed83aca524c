//! Whatever is read: records of every type, changed at random, and JSON of any kind.

use std::fmt::Debug;

use mfu::{Axis, Basis, Domain, Group, Hardware, Inclusion, Linear, MtpParts, Place, Reused, Utilization, Windows};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::architectures::{Tokens, examine, tokens};
use super::quantities::examine_report;
use super::*;

/// What is read is written as it will be read again; what is not read, says why.
fn read<T: DeserializeOwned + Serialize + PartialEq + Debug>(text: &[u8]) -> Option<T> {
    match serde_json::from_slice::<T>(text) {
        Ok(value) => {
            let again = serde_json::to_vec(&value).unwrap();
            assert_eq!(serde_json::from_slice::<T>(&again).unwrap(), value, "{}", String::from_utf8_lossy(&again));
            Some(value)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

/// Reads the text as everything that can be read, and does with it what can be done.
fn read_as_everything(text: &[u8], convention: Convention, tokens: &Tokens) {
    if let Some(architecture) = read::<Architecture>(text) {
        examine(&architecture, convention, tokens);
    }
    let layer = read::<Block>(text).map(|block| Layer::new().with(block));
    let layers = [
        layer,
        read::<Layer>(text),
        read::<Mtp>(text).map(|mtp| mtp.layer().clone()),
        read::<Attention>(text).map(|block| Layer::new().with(block)),
        read::<LatentAttention>(text).map(|block| Layer::new().with(block)),
        read::<CompressedAttention>(text).map(|block| Layer::new().with(block)),
        read::<Mamba>(text).map(|block| Layer::new().with(block)),
        read::<Mamba2>(text).map(|block| Layer::new().with(block)),
        read::<GatedDeltaNet>(text).map(|block| Layer::new().with(block)),
        read::<KimiDeltaAttention>(text).map(|block| Layer::new().with(block)),
        read::<LightningAttention>(text).map(|block| Layer::new().with(block)),
        read::<ShortConvolution>(text).map(|block| Layer::new().with(block)),
        read::<HyperConnection>(text).map(|block| Layer::new().with(block)),
        read::<Weights>(text).map(|block| Layer::new().with(block)),
        read::<FeedForward>(text).map(|block| Layer::new().with(block)),
        read::<Experts>(text).map(|block| Layer::new().with(block)),
        read::<Linear>(text).map(|block| Layer::new().with(block)),
        read::<Norm>(text).map(|block| Layer::new().with(block)),
        read::<Reused>(text).map(|block| Layer::new().with(block)),
    ];
    for layer in layers.into_iter().flatten() {
        let builder = Architecture::decoder(8, 8).layer(layer);
        if let Some(architecture) = or_says(builder.build(), Error::is_invalid_architecture) {
            examine(&architecture, convention, tokens);
        }
    }
    if let Some(convention) = read::<Convention>(text) {
        assert!(!convention.label().is_empty());
    }
    let fleet = read::<Fleet>(text).or_else(|| read::<Peak>(text).map(|peak| peak.times(3)));
    if let Some(fleet) = &fleet {
        or_says(fleet.devices(), |error| error.is_overflow() || error.is_invalid_argument());
        assert!(fleet.peak().per_second().is_finite());
        let _ = fleet.to_string();
    }
    let pace = read::<Pace>(text);
    let count = read::<Count>(text);
    if fleet.is_some() || pace.is_some() || count.is_some() {
        let cost = catalog::find("llama-3-8b").unwrap().cost(Convention::EXACT).unwrap();
        let count = count.unwrap_or_else(|| cost.count(&[4_096]).unwrap());
        let fleet = fleet.unwrap_or_else(|| {
            Peak::declared("a device", FlopRate::from_flops_per_second(1e15).unwrap()).unwrap().times(8)
        });
        let known = |error: &Error| error.is_invalid_argument() || error.is_impossible() || error.is_overflow();
        if let Some(report) = or_says(count.utilization(pace.unwrap_or(Duration::MAX.into()), &fleet), known) {
            let _ = report.to_string();
        }
    }
    if let Some(report) = read::<Report>(text) {
        examine_report(&report);
    }
    read::<Axis>(text);
    read::<Basis>(text);
    read::<Component>(text);
    read::<Core>(text);
    read::<Domain>(text);
    read::<FlopCount>(text);
    read::<FlopRate>(text);
    read::<Group>(text);
    read::<Hardware>(text);
    read::<Inclusion>(text);
    read::<MtpParts>(text);
    read::<Place>(text);
    read::<Precision>(text);
    read::<Recipe>(text);
    read::<Recompute>(text);
    read::<Span>(text);
    read::<Utilization>(text);
    read::<Windows>(text);
}

/// Words that occur in what this crate writes.
fn word() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "hidden",
        "vocab",
        "kinds",
        "runs",
        "kind",
        "layers",
        "norm",
        "attention",
        "reused",
        "linear",
        "inputs",
        "outputs",
        "bias",
        "width",
        "rms",
        "causal",
        "window",
        "chunk",
        "top_k",
        "cross",
        "compressed",
        "ratio",
        "source_runs",
        "source_norm",
        "as_in_layers",
        "component",
        "in",
        "out",
        "work",
        "full",
        "layer",
        "head",
        "rate",
        "label",
        "devices",
        "peak",
        "declared",
        "source",
        "recompute",
        "none",
        "duration_nanoseconds",
        "tokens_per_second",
        "0",
        "1",
        "340282366920938463463374607431768211455",
        "340282366920938463463374607431768211456",
        "+1",
        "-1",
        "1.0",
        "١",
        "",
    ];
    prop_oneof![6 => select(WORDS).prop_map(str::to_owned), 1 => any::<String>()]
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        float().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((word(), inner), 0..4).prop_map(|pairs| Value::from(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Puts this in place of the `index`-th value, counted in depth.
fn replace(value: &mut Value, index: &mut usize, with: &Value) {
    if *index == 0 {
        *value = with.clone();
    }
    let Some(next) = index.checked_sub(1) else {
        *index = usize::MAX;
        return;
    };
    *index = next;
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| replace(value, index, with)),
        Value::Object(pairs) => pairs.values_mut().for_each(|value| replace(value, index, with)),
        _ => {}
    }
}

fn values(value: &Value) -> usize {
    1 + match value {
        Value::Array(inner) => inner.iter().map(values).sum(),
        Value::Object(pairs) => pairs.values().map(values).sum(),
        _ => 0,
    }
}

/// Something that this crate writes.
fn written() -> impl Strategy<Value = Value> {
    let of = |value: &dyn Fn() -> serde_json::Result<Value>| value().unwrap();
    let report = |count: &Count, peak: &Peak, seconds: u64| {
        count.utilization(Duration::from_secs(seconds), &peak.times(512)).unwrap()
    };
    (draft(), pair(), convention(), preset(), 0..8, 1..1_000_000_u64).prop_map(
        move |(draft, pair, convention, preset, which, seconds)| {
            let peak =
                Peak::declared("a device", FlopRate::from_tflops(989.0).unwrap()).unwrap().with_source("a source");
            let count = draft.ledger().cost(preset).unwrap().count(&[17, 4]).unwrap();
            match which {
                0 | 1 => of(&|| serde_json::to_value(draft.build())),
                6 | 7 => of(&|| serde_json::to_value(pair.build())),
                2 => of(&|| serde_json::to_value(convention)),
                3 => of(&|| serde_json::to_value(count)),
                4 => of(&|| serde_json::to_value(peak.times(seconds) + peak.clone().with_source("another").times(3))),
                _ => of(&|| serde_json::to_value(report(&count, &peak, seconds))),
            }
        },
    )
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn any_json(json in json(), convention in convention(), tokens in tokens()) {
        read_as_everything(&serde_json::to_vec(&json).unwrap(), convention, &tokens);
    }

    #[test]
    fn what_was_written_with_a_value_changed(
        mut json in written(), changes in vec((any::<prop::sample::Index>(), json()), 1..3),
        convention in convention(), tokens in tokens(),
    ) {
        for (index, with) in changes {
            let mut index = index.index(values(&json));
            replace(&mut json, &mut index, &with);
        }
        read_as_everything(&serde_json::to_vec(&json).unwrap(), convention, &tokens);
    }

    #[test]
    fn what_was_written_with_a_number_changed(
        mut json in written(), changes in vec((any::<prop::sample::Index>(), extreme(), any::<bool>()), 1..3),
        convention in convention(), tokens in tokens(),
    ) {
        fn numbers(value: &mut Value) -> Vec<&mut Value> {
            match value {
                Value::Number(_) => vec![value],
                Value::Array(inner) => inner.iter_mut().flat_map(numbers).collect(),
                Value::Object(pairs) => pairs.values_mut().flat_map(numbers).collect(),
                _ => Vec::new(),
            }
        }
        let mut numbers = numbers(&mut json);
        for (index, extreme, text) in changes {
            if !numbers.is_empty() {
                let index = index.index(numbers.len());
                *numbers[index] = if text { extreme.to_string().into() } else { extreme.into() };
            }
        }
        read_as_everything(&serde_json::to_vec(&json).unwrap(), convention, &tokens);
    }

    #[test]
    fn what_was_written_with_bytes_changed(
        json in written(), changes in vec((any::<prop::sample::Index>(), any::<u8>(), 0..4), 1..4),
        convention in convention(), tokens in tokens(),
    ) {
        let mut text = serde_json::to_vec(&json).unwrap();
        for (index, byte, change) in changes {
            // There is always a place at the end, of a text without bytes too.
            let at = index.index(text.len() + 1);
            match change {
                0 => text.iter_mut().skip(at).take(1).for_each(|old| *old = byte),
                1 => text.insert(at, byte),
                2 => drop(text.drain(at..text.len().min(at + 1))),
                _ => text.truncate(at),
            }
        }
        read_as_everything(&text, convention, &tokens);
    }
}

#[test]
fn what_is_refused_says_why() {
    let architecture = |change: fn(&mut Value)| {
        let layer = Layer::pre_norm(Attention::multi_head(2, 4), FeedForward::gated(8));
        let model = Architecture::decoder(8, 16).layers(3, layer).build().unwrap();
        let mut stored = serde_json::to_value(model).unwrap();
        change(&mut stored);
        serde_json::from_value::<Architecture>(stored).unwrap_err().to_string()
    };
    for (change, why) in [
        ((|stored| stored["hidden"] = json!(0)) as fn(&mut Value), "hidden is 0"),
        (|stored| stored["padded_vocab"] = json!(15), "vocab = 16 is above padded_vocab = 15"),
        (|stored| stored["runs"] = json!([]), "no layers"),
        (|stored| stored["runs"] = json!([{"kind": 0, "layers": 0}]), "no layers"),
        (|stored| stored["runs"] = json!([{"kind": 1, "layers": 1}]), "kind of layer 1"),
        (|stored| stored["runs"] = json!([{"kind": 1, "layers": 0}]), "kind of layer 1"),
        (|stored| stored["kinds"][0][1]["attention"]["kv_heads"] = json!(3), "heads = 2 is not a multiple"),
        (|stored| stored["kinds"][0][3]["feed_forward"]["width"] = json!(0), "feed-forward width is 0"),
        (|stored| stored["kinds"][0][0]["norm"]["width"] = json!(0), "norm width is 0"),
        (|stored| stored["hiden"] = json!(8), "unknown field `hiden`"),
    ] {
        let error = architecture(change);
        assert!(error.contains(why), "{error} does not say {why}");
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let linear = r#"{"linear":{"inputs":1,"outputs":1,"bias":false}}"#;
    let nested = |depth: usize| format!("{}{linear}{}", "{\"reused\":".repeat(depth), "}".repeat(depth));
    assert_eq!(serde_json::from_str::<Block>(&nested(10)).unwrap(), Block::reused(Linear::new(1, 1)));
    for depth in [1_000, 100_000] {
        assert!(serde_json::from_str::<Block>(&nested(depth)).is_err());
        assert!(serde_json::from_str::<Architecture>(&"[".repeat(depth)).is_err());
    }
}

#[test]
fn many_stored_kinds_and_runs_are_read_in_time() {
    let mut stored = serde_json::to_value(Architecture::decoder(8, 16).layer(Layer::new()).build().unwrap()).unwrap();
    let kinds = |count: u64| (1..=count).map(|width| json!([{"norm": {"kind": "rms", "width": width}}]));
    let run = |kind: u64| json!({"kind": kind, "layers": 1});
    stored["kinds"] = kinds(100_000).collect();
    stored["runs"] = (0..100_000).map(run).collect();
    let error = serde_json::from_value::<Architecture>(stored.clone()).unwrap_err();
    assert!(error.to_string().contains("kinds of layer"), "{error}");
    // A kind that no run names is no part of the model, however many there are.
    stored["runs"] = (0..1_000).map(run).collect();
    assert_eq!(serde_json::from_value::<Architecture>(stored.clone()).unwrap().runs().count(), 1_000);
    stored["kinds"] = kinds(2).collect();
    stored["runs"] = (0..100_001).map(|run| json!({"kind": run % 2, "layers": 1})).collect();
    let error = serde_json::from_value::<Architecture>(stored).unwrap_err();
    assert!(error.to_string().contains("runs of layers"), "{error}");
}
