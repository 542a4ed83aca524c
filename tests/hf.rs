//! The reader of config files: defaults, what files hold, what it refuses and what it says.
#![cfg(feature = "hf")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use mfu::hf::{self, Config, Reader};
use mfu::{Error, Result};
use serde_json::{Map, Value, json};

fn data(name: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

fn reference(name: &str) -> Value {
    data(&format!("reference/{name}.json"))["config"].take()
}

fn read(config: &Value) -> Result<Config> {
    hf::read(config.to_string())
}

fn refused(config: &Value) -> Error {
    match read(config) {
        Ok(read) => panic!("{config} was read as {read}"),
        Err(error) => error,
    }
}

/// The config with a field changed.
fn with(config: &Value, field: &str, value: Value) -> Value {
    let mut config = config.clone();
    config[field] = value;
    config
}

fn without(config: &Value, field: &str) -> Value {
    let mut config = config.clone();
    config.as_object_mut().unwrap().remove(field);
    config
}

/// Families that a file without fields does not describe, and the field that an error names: one that it lacks, or a
/// hidden size that the family's own number of heads does not divide.
const NEEDED: [(&str, &str); 3] =
    [("deepseek_v2", "num_experts_per_tok"), ("dots1", "n_routed_experts"), ("glm4_moe", "hidden_size")];

/// Defaults of the reference that this reader does not have, and why.
fn is_exempt(family: &str, field: &str) -> bool {
    // Multi-token prediction is read where a file declares it: the reference builds none.
    ["num_nextn_predict_layers", "num_mtp_layers"].contains(&field)
        // The reference counts the keys before the query, and this crate the query's own too, as the publisher does.
        || (family, field) == ("mimo_v2_flash", "sliding_window")
}

#[test]
fn absent_fields_take_the_default_of_their_family() {
    let families = data("family-defaults.json")["families"].take();
    let families: BTreeMap<String, Map<String, Value>> = serde_json::from_value(families).unwrap();
    assert_eq!(families.len(), 86);
    for (family, defaults) in &families {
        let bare = json!({ "model_type": family });
        if let Some((_, field)) = NEEDED.iter().find(|(needing, _)| needing == family) {
            let error = refused(&bare);
            assert!(error.is_invalid_config() && error.to_string().starts_with(field), "{family}: {error}");
            continue;
        }
        let mut spelled_out = bare.clone();
        for (field, value) in defaults.iter().filter(|(field, _)| !is_exempt(family, field)) {
            spelled_out[field] = value.clone();
        }
        let (bare, spelled_out) = (read(&bare).unwrap(), read(&spelled_out).unwrap());
        assert_eq!(bare.architecture(), spelled_out.architecture(), "{family}");
        assert!(spelled_out.unread_fields().is_empty(), "{family}: {:?}", spelled_out.unread_fields());
    }
}

#[test]
fn every_family_has_defaults_or_a_case() {
    let families = data("family-defaults.json");
    let mut known: BTreeSet<String> = families["families"].as_object().unwrap().keys().cloned().collect();
    // Names of the same architecture, those of files around a text model, and two families more.
    for name in ["gemma3", "gemma4", "llama4", "qwen3_5", "qwen3_5_moe", "qwen3_vl_moe", "qwen3_vl_moe_text"]
        .into_iter()
        .chain(["kimi_k2", "kimi_k25", "mistral3", "dbrx", "step3p5", "step3p7"])
    {
        known.insert(name.to_owned());
    }
    let listed: Vec<&str> = hf::model_types().collect();
    assert_eq!(listed.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>(), known);
    assert_eq!(listed.len(), known.len(), "a type is listed twice");
}

#[test]
fn an_unknown_type_lists_the_near_ones_and_all_and_the_way_out() {
    let error = refused(&json!({ "model_type": "deepseek_v33" }));
    assert!(error.is_unknown_name() && !error.is_invalid_config());
    let message = error.to_string();
    assert!(message.contains("the closest known names are `deepseek_v3`, `deepseek_v32`"), "{message}");
    assert!(message.contains("read_as"), "{message}");
    for name in hf::model_types() {
        assert!(message.contains(name), "{name} is not in {message}");
    }

    // The way out, for a file of a type that is new and for one without any.
    let config = reference("llama-2-7b");
    let expected = read(&config).unwrap();
    for renamed in [with(&config, "model_type", json!("my_llama")), without(&config, "model_type")] {
        assert!(read(&renamed).is_err());
        let read = Reader::new().read_as("llama").read(renamed.to_string()).unwrap();
        assert_eq!(read, expected);
    }
    // One whose text model is of a known type says so, and is read as that.
    let whole = json!({ "model_type": "my_vlm", "text_config": config, "vision_config": { "hidden_size": 8 } });
    let error = refused(&whole);
    assert!(error.to_string().starts_with("unknown model_type `my_vlm`: its `text_config` is a `llama`; "), "{error}");
    let inner = Reader::new().read_as("llama").read(whole.to_string()).unwrap();
    assert_eq!(
        (inner.architecture(), inner.not_counted()),
        (expected.architecture(), &["vision_config".to_owned()][..])
    );
    let error = Reader::new().read_as("lama").read(config.to_string()).unwrap_err();
    assert!(error.is_unknown_name() && error.to_string().contains("`llama`"), "{error}");

    let error = refused(&without(&config, "model_type"));
    assert!(error.is_invalid_config());
    assert!(error.to_string().starts_with("no `model_type`: say which family to read it as"), "{error}");
    assert!(error.to_string().contains("LlamaForCausalLM"), "{error}");
}

/// Types whose language model is in `text_config`, and a case of it.
const OUTER: [(&str, &str); 9] = [
    ("gemma3", "tiny-gemma3-text"),
    ("gemma4", "tiny-gemma4"),
    ("kimi_k25", "deepseek-v3"),
    ("llama4", "tiny-llama4-text-interleave2"),
    ("mistral3", "mistral-small-24b"),
    ("qwen3_5", "tiny-qwen3.5"),
    ("qwen3_5_moe", "tiny-qwen3.5-moe"),
    ("qwen3_vl_moe", "qwen3-30b-a3b"),
    ("step3p7", "tiny-step3p5"),
];

#[test]
fn a_text_model_within_a_larger_one() {
    for (outer, inner) in OUTER {
        let inner = reference(inner);
        let expected = read(&inner).unwrap();
        let vision = json!({ "model_type": "a_tower", "hidden_size": 32, "num_hidden_layers": 2 });
        let whole = json!({ "model_type": outer, "text_config": inner, "vision_config": vision });
        let config = read(&whole).unwrap();
        assert_eq!(config.architecture(), expected.architecture(), "{outer}");
        assert_eq!(config.not_counted(), ["vision_config"], "{outer}");
        assert_eq!(config.model_type(), expected.model_type());

        // Whether embedding and head are one may be said around it, but for Llama 4, which reads nothing there.
        let inner = without(&inner, "tie_word_embeddings");
        let bare = read(&json!({ "model_type": outer, "text_config": inner })).unwrap().architecture().is_tied();
        for tied in [true, false] {
            let whole = json!({ "model_type": outer, "text_config": inner, "tie_word_embeddings": tied });
            let expected = if outer == "llama4" { bare } else { tied };
            assert_eq!(read(&whole).unwrap().architecture().is_tied(), expected, "{outer}");
        }
        // Said twice, it is the same or an error.
        let whole = |inner_tied, tied| {
            let text = with(&inner, "tie_word_embeddings", json!(inner_tied));
            read(&json!({ "model_type": outer, "text_config": text, "tie_word_embeddings": tied }))
        };
        assert!(whole(true, true).unwrap().architecture().is_tied(), "{outer}");
        if outer != "llama4" {
            let error = whole(false, true).unwrap_err().to_string();
            assert!(
                error.starts_with("text_config.tie_word_embeddings = false and tie_word_embeddings = true"),
                "{error}"
            );
        }

        let error = refused(&json!({ "model_type": outer }));
        assert!(error.is_invalid_config(), "{error}");
        assert!(error.to_string().starts_with(&format!("`{outer}` keeps its language model")), "{error}");
        let error = refused(&json!({ "model_type": outer, "text_config": 5 }));
        assert_eq!(error.to_string(), "text_config = 5 is not an object");
    }
    // Objects of a model's own config are no towers.
    assert!(read(&reference("tiny-dbrx")).unwrap().not_counted().is_empty());
    // A text model that does not name its type is of the one that the file around it implies.
    let text = without(&reference("tiny-gemma3-text"), "model_type");
    let whole = json!({ "model_type": "gemma3", "text_config": text });
    assert_eq!(read(&whole).unwrap().model_type(), "gemma3_text");
    // One that names another type than that is what it names.
    assert_eq!(read(&reference("tiny-mistral3-ministral3")).unwrap().model_type(), "ministral3");
    // A fault within is named with where it is.
    let text = with(&reference("tiny-gemma3-text"), "hidden_size", json!(0));
    let error = refused(&json!({ "model_type": "gemma3", "text_config": text }));
    assert_eq!(error.to_string(), "text_config.hidden_size = 0 is not at least 1");
}

#[test]
fn beside_a_text_model() {
    let text = reference("tiny-gemma3-text");
    // What looks as if it mattered is listed there as well.
    let whole = json!({ "model_type": "gemma3", "text_config": text, "hidden_size": 64, "num_experts": 8, "notes": 5 });
    assert_eq!(read(&whole).unwrap().unread_fields(), ["hidden_size", "num_experts"]);
    // Two families in one file.
    let error = refused(&json!({ "model_type": "llama", "text_config": text }));
    assert!(error.is_invalid_config());
    assert!(error.to_string().starts_with("a file of `llama` whose text_config is a `gemma3_text`"), "{error}");
    // A text model of a type that is not known.
    let unknown = with(&text, "model_type", json!("gemma3_texts"));
    let error = refused(&json!({ "model_type": "gemma3", "text_config": unknown }));
    assert!(error.to_string().starts_with("unknown model_type `gemma3_texts` in text_config: "), "{error}");
    // The name of the whole is a name to read it as.
    for outer in ["gemma3", "gemma3_text"] {
        let reader = Reader::new().read_as(outer);
        assert_eq!(reader.read(text.to_string()).unwrap(), read(&text).unwrap());
    }
}

#[test]
fn the_language_model_is_what_is_read() {
    for (name, class) in [
        ("t5-small", "T5EncoderModel"),
        ("qwen2.5-7b", "Qwen2ForSequenceClassification"),
        ("bert-base", "BertModel"),
        ("bert-base", "BertForPreTraining"),
    ] {
        let config = with(&reference(name), "architectures", json!([class]));
        let error = refused(&config);
        assert!(error.is_unsupported_config());
        assert!(error.to_string().starts_with(&format!("architectures = {class}: a class other than")), "{error}");
        let family = reference(name)["model_type"].as_str().unwrap().to_owned();
        let all_the_same = Reader::new().read_as(&family).read(config.to_string()).unwrap();
        assert_eq!(all_the_same, read(&reference(name)).unwrap());
    }
    for class in ["GPT2LMHeadModel", "MyForCausalLM"] {
        assert!(read(&with(&reference("gpt2"), "architectures", json!([class]))).is_ok());
    }
    assert!(read(&without(&reference("gpt2"), "architectures")).is_ok());
}

#[test]
fn files_as_they_are() {
    let config = reference("llama-2-7b");
    let expected = read(&config).unwrap();
    let text = config.to_string();
    // A mark in front, what is not JSON in a field that no one needs, integers with a fraction of 0.
    let marked = format!("\u{feff}{text}");
    assert_eq!(hf::read(marked).unwrap(), expected);
    for odd in ["Infinity", "-Infinity", "NaN", "[0.0, Infinity]"] {
        let odd = text.replacen('{', &format!("{{\"time_step_limit\": {odd},"), 1);
        assert_eq!(hf::read(odd.as_bytes()).unwrap(), expected);
    }
    let floats = text.replace("4096", "4096.0");
    assert_ne!(floats, text);
    assert_eq!(hf::read(floats).unwrap(), expected);
    // A size that is infinite is refused under its name.
    let infinite = text.replace("\"hidden_size\":4096", "\"hidden_size\":Infinity");
    let error = hf::read(infinite).unwrap_err();
    assert_eq!(error.to_string(), "hidden_size = \"Infinity\" is not an integer");
    // The same thing twice is said once; two things are an error.
    let twice = text.replacen('{', "{\"hidden_size\": 4096,", 1);
    assert_eq!(hf::read(twice).unwrap(), expected);
    let error = hf::read(text.replacen('{', "{\"hidden_size\": 2048,", 1)).unwrap_err();
    assert!(error.is_invalid_config() && error.to_string().contains("`hidden_size` is 2048 and then 4096"), "{error}");
    // `null` is absent.
    for field in ["head_dim", "mlp_bias", "attention_bias", "num_key_value_heads", "pretraining_tp"] {
        assert_eq!(read(&with(&config, field, Value::Null)).unwrap(), expected, "{field}");
    }
    for text in ["", "[]", "5", "{", "\"llama\"", "null"] {
        assert!(hf::read(text).unwrap_err().is_invalid_config(), "{text}");
    }
}

#[test]
fn a_name_and_its_alias() {
    let config = reference("tiny-mixtral");
    let expected = read(&config).unwrap();
    // `null` under one of two names says nothing, whichever it is; the same value twice says it once.
    for other in [Value::Null, config["num_local_experts"].clone()] {
        assert_eq!(read(&with(&config, "num_experts", other)).unwrap(), expected);
    }
    let renamed = with(&config, "num_experts", config["num_local_experts"].clone());
    assert_eq!(read(&without(&renamed, "num_local_experts")).unwrap(), expected);
    assert_eq!(read(&with(&renamed, "num_local_experts", Value::Null)).unwrap(), expected);
    let error = refused(&with(&config, "num_experts", json!(5)));
    assert!(error.to_string().contains("are one and the same in this family, and differ"), "{error}");
}

#[test]
fn null_where_it_means_none() {
    // A window of 4,096 unless the file says otherwise, and none where it says `null`.
    let mistral = json!({ "model_type": "mistral" });
    let [absent, none] = [&mistral, &with(&mistral, "sliding_window", Value::Null)].map(|config| read(config).unwrap());
    assert_ne!(absent.architecture(), none.architecture());
    assert_eq!(absent.architecture(), read(&with(&mistral, "sliding_window", json!(4_096))).unwrap().architecture());
    // As many key-value heads as query heads where it says `null`; eight where it says nothing.
    let none = read(&with(&mistral, "num_key_value_heads", Value::Null)).unwrap();
    assert_eq!(none.architecture(), read(&with(&mistral, "num_key_value_heads", json!(32))).unwrap().architecture());
    assert_eq!(absent.architecture(), read(&with(&mistral, "num_key_value_heads", json!(8))).unwrap().architecture());
}

#[test]
fn an_inner_width_of_its_own() {
    // 64 channels expand to 128 unless the file has another width.
    let mamba = reference("tiny-mamba");
    let held = |config: &Value| read(config).unwrap().architecture().ledger().unwrap().parameters().total();
    assert_eq!(held(&with(&mamba, "intermediate_size", json!(128))), held(&mamba));
    assert!(held(&with(&mamba, "intermediate_size", json!(256))) > held(&mamba));
}

#[test]
fn null_among_experts() {
    // It may mean none or the default, and is neither.
    for (name, field) in [("deepseek-v3", "n_routed_experts"), ("tiny-granitemoehybrid", "num_local_experts")] {
        let error = refused(&with(&reference(name), field, Value::Null));
        assert!(error.to_string().starts_with(&format!("{field} = null: it may mean none")), "{error}");
    }
    // Of shared ones it is none.
    let [null, none] =
        [Value::Null, json!(0)].map(|value| read(&with(&reference("deepseek-v3"), "n_shared_experts", value)));
    assert_eq!(null.unwrap(), none.unwrap());
    // 0 experts are a dense model, where the family says so.
    let dense = read(&with(&reference("tiny-qwen3-next"), "num_experts", json!(0))).unwrap();
    let mlp = with(&reference("tiny-qwen3-next"), "mlp_only_layers", json!([0, 1, 2, 3]));
    assert_eq!(dense.architecture().ledger().unwrap(), read(&mlp).unwrap().architecture().ledger().unwrap());
}

/// A config, a field, a value that cannot be, and what the error says.
type Wrong = (&'static str, &'static str, Value, &'static str);

fn wrong() -> Vec<Wrong> {
    vec![
        ("llama-2-7b", "hidden_size", json!(0), "hidden_size = 0 is not at least 1"),
        ("llama-2-7b", "hidden_size", json!(4096.5), "hidden_size = 4096.5 is not an integer"),
        ("llama-2-7b", "hidden_size", json!("4096"), "hidden_size = \"4096\" is not an integer"),
        ("llama-2-7b", "hidden_size", json!(-4096), "hidden_size = -4096 is not a size: it is negative"),
        ("llama-2-7b", "hidden_size", json!([4096]), "hidden_size = a list of 1 is not an integer"),
        (
            "llama-2-7b",
            "vocab_size",
            json!(1e30),
            "vocab_size = 1000000000000000000000000000000 is not a size: it exceeds",
        ),
        ("llama-2-7b", "num_hidden_layers", json!(100_001), "num_hidden_layers = 100001 is above 100000"),
        (
            "llama-2-7b",
            "num_attention_heads",
            json!(31),
            "hidden_size = 4096 is not a multiple of num_attention_heads = 31",
        ),
        ("llama-2-7b", "num_experts", json!(8), "num_experts = 8: this family has no experts under this name"),
        ("llama-2-7b", "tie_word_embeddings", json!(1), "tie_word_embeddings = 1 is not true or false"),
        (
            "llama-3.1-8b",
            "num_key_value_heads",
            json!(5),
            "num_attention_heads = 32 is not a multiple of num_key_value_heads = 5",
        ),
        ("deepseek-v3", "num_experts_per_tok", json!(257), "num_experts_per_tok = 257 is above n_routed_experts = 256"),
        (
            "deepseek-v3",
            "num_local_experts",
            json!(8),
            "n_routed_experts = 256 and num_local_experts = 8 are one and the same",
        ),
        (
            "deepseek-v3",
            "moe_layer_freq",
            json!(2),
            "moe_layer_freq = 2: a mixture of experts in every n-th layer only is not supported",
        ),
        ("gpt-oss-20b", "layer_types", json!(["full_attention"]), "layer_types has 1 entries for 24 layers"),
        ("gpt-oss-20b", "experts_per_token", json!(3), "num_experts_per_tok = 4 and experts_per_token = 3"),
        (
            "tiny-olmo3-types",
            "layer_types",
            json!(["full_attention", "chunked", "full_attention"]),
            "layer_types[1] = \"chunked\" is not full_attention or sliding_attention",
        ),
        (
            "tiny-qwen3moe-mlponly",
            "mlp_only_layers",
            json!([99]),
            "mlp_only_layers[0] = 99 is not a layer, counted from 0",
        ),
        (
            "tiny-kimi-linear",
            "linear_attn_config",
            json!({"full_attn_layers": [0], "kda_layers": []}),
            "linear_attn_config.full_attn_layers = 0: there is no such layer, counted from 1",
        ),
        (
            "tiny-nemotron-h-moe",
            "hybrid_override_pattern",
            json!("MEM*EX"),
            "hybrid_override_pattern = MEM*EX: its letters",
        ),
        ("tiny-gemma4", "num_kv_shared_layers", json!(8), "num_kv_shared_layers = 8: there are not that many layers"),
        (
            "tiny-gpt-neo-local",
            "attention_types",
            json!([[["global"], 3]]),
            "attention_types = a list of 1: its patterns do not cover",
        ),
        (
            "tiny-dbrx",
            "ffn_config",
            json!({"moe_num_experts": 2, "moe_top_k": 3}),
            "ffn_config.moe_top_k = 3 is above ffn_config.moe_num_experts = 2",
        ),
        (
            "tiny-mamba2",
            "num_heads",
            json!(7),
            "num_heads = 7 times head_dim = 16 is not the inner width, expand · hidden_size = 128",
        ),
        (
            "tiny-gemma3-text",
            "use_bidirectional_attention",
            json!(true),
            "use_bidirectional_attention = true: attention to the whole",
        ),
        (
            "tiny-exaone4",
            "sliding_window_pattern",
            json!("LGLG"),
            "sliding_window_pattern = LGLG: it is any number of L, and one G",
        ),
    ]
}

#[test]
fn a_value_that_cannot_be_is_named() {
    for (name, field, value, expected) in wrong() {
        let error = refused(&with(&reference(name), field, value.clone()));
        let message = error.to_string();
        assert!(message.starts_with(expected), "{name}, {field} = {value}:\n{message}\nis not\n{expected}");
        assert!(error.is_invalid_config() ^ error.is_unsupported_config(), "{message}");
        assert_eq!(error.is_unsupported_config(), message.contains("is not supported"), "{message}");
    }
}

#[test]
fn a_default_is_no_field() {
    let error = refused(&json!({ "model_type": "llama", "num_attention_heads": 33 }));
    let expected = "hidden_size = 4096 (the family's default) is not a multiple of num_attention_heads = 33";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn what_was_not_read_is_listed_or_refused() {
    let config = reference("llama-2-7b");
    let odd = with(&with(&config, "num_special_heads", json!(4)), "kv_lora_rank", json!(512));
    let read_loosely = read(&odd).unwrap();
    assert_eq!(read_loosely.unread_fields(), ["kv_lora_rank", "num_special_heads"]);
    assert_eq!(read_loosely.architecture(), read(&config).unwrap().architecture());
    let shown = read_loosely.to_string();
    assert_eq!(shown, "llama, 32 layers; not read: `kv_lora_rank`, `num_special_heads`");
    assert_eq!(read(&config).unwrap().to_string(), "llama, 32 layers");
    let whole =
        json!({ "model_type": "mistral3", "text_config": { "sliding_window": null }, "vision_config": { "width": 8 } });
    assert_eq!(read(&whole).unwrap().to_string(), "mistral, 32 layers; not counted: vision_config");
    let error = Reader::new().strict().read(odd.to_string()).unwrap_err();
    assert!(error.is_invalid_config());
    assert!(error.to_string().starts_with("not read: `kv_lora_rank`, `num_special_heads`"), "{error}");
    // Absent, irrelevant, or of no concern.
    let harmless = with(&with(&config, "pruned_heads", json!({})), "moe_latent_size", Value::Null);
    assert!(Reader::new().strict().read(with(&harmless, "rope_theta", json!(1)).to_string()).is_ok());
    // A size as another family spells it, and what says that there is none of it.
    let foreign = with(&with(&config, "d_model", json!(1_024)), "n_layer", json!(2));
    assert_eq!(read(&foreign).unwrap().unread_fields(), ["d_model", "n_layer"]);
    for none in [json!(0), json!(false), json!([]), json!({}), json!(0.0)] {
        assert!(read(&with(&config, "moe_latent_size", none)).unwrap().unread_fields().is_empty());
    }
    // Within objects, too.
    let dbrx = reference("tiny-dbrx");
    let odd = with(&dbrx["ffn_config"], "moe_window", json!(5));
    assert_eq!(read(&with(&dbrx, "ffn_config", odd)).unwrap().unread_fields(), ["ffn_config.moe_window"]);
}

#[test]
fn multi_token_prediction_is_kept_apart() {
    let config = reference("deepseek-v3");
    let depth = |config: &Value| read(config).unwrap().architecture().mtp().map_or(0, mfu::Mtp::depth);
    assert_eq!(depth(&config), 1);
    assert_eq!(depth(&with(&config, "num_nextn_predict_layers", json!(3))), 3);
    for none in [without(&config, "num_nextn_predict_layers"), with(&config, "num_nextn_predict_layers", json!(0))] {
        assert_eq!(depth(&none), 0);
    }
    let parameters = |config: &Value| read(config).unwrap().architecture().ledger().unwrap().parameters();
    // A module may have an embedding of its own: 320·64 more.
    let qwen = with(&reference("tiny-qwen3.5"), "mtp_num_hidden_layers", json!(1));
    let own = parameters(&with(&qwen, "mtp_use_dedicated_embeddings", json!(true)));
    assert_eq!(own.mtp() - parameters(&qwen).mtp(), 320 * 64);
    // The hub page's 685 B are 671 B and a module.
    let held = parameters(&config);
    assert_eq!(held.total(), parameters(&without(&config, "num_nextn_predict_layers")).total());
    assert!(held.mtp() > 11_000_000_000, "{held}");
}

/// Every field of every case, written twice.
#[test]
fn a_repeated_field_is_read_once_or_named() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reference");
    let mut done = BTreeSet::new();
    for entry in fs::read_dir(directory).unwrap() {
        let record: Value = serde_json::from_str(&fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap();
        let text = record["config"].to_string();
        let expected = hf::read(&text).unwrap();
        for (field, value) in record["config"].as_object().unwrap() {
            if !done.insert((expected.model_type(), field.clone())) {
                continue;
            }
            let same = text.replacen('{', &format!("{{\"{field}\":{value},"), 1);
            assert_eq!(hf::read(&same).unwrap(), expected, "{field}");
            let other = text.replacen('{', &format!("{{\"{field}\":\"another\","), 1);
            let error = hf::read(&other).unwrap_err();
            assert!(error.is_invalid_config() && error.to_string().contains(&format!("`{field}` is")), "{error}");
        }
    }
}

/// Every kind of value that a field may be changed to, and that no size can have.
fn mutations() -> Vec<(&'static str, Value)> {
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    vec![
        ("zero", json!(0)),
        ("negative", json!(-7)),
        ("a fraction", json!(3.5)),
        ("text", json!("seven")),
        ("a flag", json!(true)),
        ("the largest integer", json!(u64::MAX)),
        ("beyond integers", json!(1e300)),
        ("a list", json!([1, 2])),
        ("an object", json!({"a": 1})),
        ("deep", deep),
        ("null", Value::Null),
    ]
}

/// Every field of every case, changed in every way: read, or refused under its name.
#[test]
fn a_changed_field_is_read_or_named() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reference");
    let (mut done, mut refusals, mut unclear) = (BTreeSet::new(), 0, Vec::new());
    for entry in fs::read_dir(directory).unwrap() {
        let record: Value = serde_json::from_str(&fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap();
        let config = &record["config"];
        let family = config["model_type"].as_str().unwrap();
        let text = config.get("text_config");
        for field in text.unwrap_or(config).as_object().unwrap().keys().filter(|field| *field != "model_type") {
            for (kind, value) in mutations() {
                // One case of each family will do.
                if !done.insert((family.to_owned(), field.clone(), kind)) {
                    continue;
                }
                let changed = match text {
                    Some(text) => with(config, "text_config", with(text, field, value)),
                    None => with(config, field, value),
                };
                let ledger = read(&changed).map(|config| config.architecture().ledger());
                let Err(error) = ledger else { continue };
                refusals += 1;
                // Without a field, another may be wrong, and a list may no longer be as long as it should.
                let message = error.to_string();
                let named = kind == "null" || message.contains(field.as_str()) || message.contains(" entries for ");
                if !named || !(error.is_invalid_config() || error.is_unsupported_config()) {
                    unclear.push(format!("{family}, {field} is {kind}: {error}"));
                }
            }
        }
    }
    assert!(unclear.is_empty(), "{}", unclear.join("\n"));
    assert!(refusals > 1_000, "{refusals}");
}

#[test]
fn an_architecture_in_words() {
    let shown = |name| read(&reference(name)).unwrap().architecture().to_string();
    let attention = "latent attention 128 × 128 + 64 and 128, rank 512, query rank 1536";
    let experts = "experts 8 of 256 × 2048, gated, 1 shared × 2048";
    let expected = [
        "decoder, hidden 7168, vocabulary 129280".to_owned(),
        format!("  3 × norm · {attention} · norm · feed-forward 18432, gated"),
        format!("  58 × norm · {attention} · norm · {experts}"),
        format!("  1 × multi-token prediction: norm · {attention} · norm · {experts}"),
    ];
    assert_eq!(shown("deepseek-v3"), expected.join("\n"));
    let expected = [
        "encoder–decoder, hidden 512, vocabulary 32128, tied",
        "  1 × of the encoder: norm · attention 8 × 64, bidirectional · norm · feed-forward 2048",
        "  5 × of the encoder: norm · attention 8 × 64, bidirectional · norm · feed-forward 2048",
        "  1 × norm · attention 8 × 64 · norm · attention 8 × 64, cross · norm · feed-forward 2048",
        "  5 × norm · attention 8 × 64 · norm · attention 8 × 64, cross · norm · feed-forward 2048",
    ];
    assert_eq!(shown("t5-small"), expected.join("\n"));
    for (name, expected) in [
        (
            "tiny-zamba2",
            "1 × reused norm · reused attention 4 × 32 · reused norm · reused feed-forward 176, gated · linear",
        ),
        ("tiny-gemma4", "attention 8 × 40, 4 k as v"),
        ("tiny-gemma4", "attention 8 × 24, kv of an earlier layer, window 12"),
        ("tiny-jetmoe", "attention 6 × 20, 3 kv, 2 of 8 experts"),
        ("tiny-deepseek-v32", "indexer 4 × 16, top 12"),
        ("tiny-deepseek-v4", "hyper-connection of 3 · norm · attention 4 × 24, window 12 and the best 5 of 1 in 4"),
        ("tiny-qwen3-next", "gated delta net"),
        ("tiny-nemotron-h-moe", "mamba-2 8 × 16, state 12"),
        ("tiny-llama4-text-interleave2", "chunk 12"),
        ("mimo-v2-flash", "attention 64 × 192 and 128"),
    ] {
        assert!(shown(name).contains(expected), "{}\nhas no {expected}", shown(name));
    }
}
