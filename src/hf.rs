//! Hugging Face `config.json` files, read exactly or refused.
//!
//! ```
//! # fn main() -> Result<(), mfu::Error> {
//! let config = mfu::hf::read(
//!     r#"{"model_type": "qwen3", "hidden_size": 1024, "intermediate_size": 3072, "num_hidden_layers": 28,
//!         "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936,
//!         "tie_word_embeddings": true}"#,
//! )?;
//! assert_eq!(config.architecture().ledger()?.parameters().total(), 596_049_920);
//! # Ok(())
//! # }
//! ```
//!
//! Spellings and defaults are those of the reference implementation, per family: a `head_dim` that is absent is 128 in
//! Qwen3, and `hidden_size / num_attention_heads` in Llama. `null` is absent, unless the family means none by it. A
//! value that the family cannot have is an error that names the field, experts in a dense family among them; any other
//! field that looks as if it mattered and was not read is [listed](Config::unread_fields), or an error when
//! [strict](Reader::strict). Vision and audio towers beside a `text_config` are [reported](Config::not_counted) and
//! never merged in.
//!
//! What is read is the language model with its head, which is what `architectures` usually names. A file that names
//! another class of its family (an encoder alone, a classifier) is refused; [`Reader::read_as`] reads its language
//! model all the same.
//!
//! Multi-token prediction is read where the file declares it, and kept in a place of its own. (ERNIE-4.5 and
//! DeepSeek-V4 aside, whose modules no source describes: there the field is listed as unread.)
//!
//! # How a family is added
//!
//! A family is a function from fields to an architecture, in the file of its group under `src/hf/`:
//!
//! ```text
//! fn arcee(f: &Fields<'_>) -> Result<ArchitectureBuilder> {
//!     let frame = f.frame(2_560, 32_000, 32)?.tied(f, false)?;    // the family's defaults, each used where a field is absent
//!     let attention = f.heads(frame.hidden, 32, Kv::LikeQueries, Dim::Divided)?.attention();
//!     let attention = f.biased(attention)?;
//!     let mlp = FeedForward::plain(f.size("intermediate_size", 18_432)?);
//!     let mlp = when(f.flag("mlp_bias", false)?, mlp, FeedForward::bias);
//!     Ok(frame.all(Layer::pre_norm(attention, mlp)))
//! }
//! ```
//!
//! and a row in the list at the head of that file. Its test is a file in `tests/data/reference/`: a config with the
//! parameters and FLOPs that the reference implementation holds and executes for it.

mod encoders;
mod fields;
mod gemma;
mod glm;
mod gpt;
mod granite;
mod hybrids;
mod invalid;
mod latent;
mod llama;
mod moe;
mod olmo;
mod phi;
mod qwen;
mod shared;
mod state_spaces;
mod unread;
mod value;

use std::fmt;

use fields::Fields;
use invalid::{Invalid, UnknownModelType, Unsupported};
use unread::Listed;
use value::{Object, Value};

use crate::lookup::{abridged, nearest, suggested};
use crate::{Architecture, ArchitectureBuilder, Result};

/// A kind of model that the reference implementation has a class for.
struct Family {
    /// Its `model_type`.
    name: &'static str,
    /// Others under which files of the same architecture come.
    also: &'static [&'static str],
    read: fn(&Fields<'_>) -> Result<ArchitectureBuilder>,
}

impl Family {
    const fn new(name: &'static str, read: fn(&Fields<'_>) -> Result<ArchitectureBuilder>) -> Self {
        Self { name, also: &[], read }
    }

    const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }
}

/// Every family, by group.
fn families() -> impl Iterator<Item = &'static Family> + Clone {
    [
        llama::FAMILIES,
        olmo::FAMILIES,
        phi::FAMILIES,
        glm::FAMILIES,
        qwen::FAMILIES,
        gemma::FAMILIES,
        gpt::FAMILIES,
        granite::FAMILIES,
        moe::FAMILIES,
        latent::FAMILIES,
        state_spaces::FAMILIES,
        hybrids::FAMILIES,
        encoders::FAMILIES,
    ]
    .into_iter()
    .flatten()
}

/// Types whose language model is in `text_config`, and what that is where it does not say.
const OUTER: [(&str, &str); 9] = [
    ("gemma3", "gemma3_text"),
    ("gemma4", "gemma4_text"),
    ("kimi_k25", "kimi_k2"),
    ("llama4", "llama4_text"),
    ("mistral3", "mistral"),
    ("qwen3_5", "qwen3_5_text"),
    ("qwen3_5_moe", "qwen3_5_moe_text"),
    ("qwen3_vl_moe", "qwen3_vl_moe_text"),
    ("step3p7", "step3p5"),
];

/// Every `model_type` that can be read.
///
/// ```
/// assert!(mfu::hf::model_types().any(|name| name == "deepseek_v3"));
/// ```
pub fn model_types() -> impl Iterator<Item = &'static str> + Clone {
    let families = families().flat_map(|family| [family.name].into_iter().chain(family.also.iter().copied()));
    families.chain(OUTER.iter().map(|&(outer, _)| outer))
}

/// Reads a `config.json`: [`Reader::read`] with nothing asked of it.
///
/// # Errors
///
/// As [`Reader::read`].
pub fn read(config: impl AsRef<[u8]>) -> Result<Config> {
    Reader::new().read(config)
}

/// How to read a `config.json`.
#[derive(Clone, Debug, Default)]
#[must_use = "a reader does nothing until it reads"]
pub struct Reader {
    read_as: Option<String>,
    strict: bool,
}

impl Reader {
    /// As files come.
    pub const fn new() -> Self {
        Self { read_as: None, strict: false }
    }

    /// Whatever `model_type` the file names, it is read as one of this family: the way to read a model that is of a
    /// known architecture under a new name, or the language model of a file whose `architectures` name another class.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// let config = r#"{"model_type": "my_llama", "hidden_size": 2048}"#;
    /// assert!(mfu::hf::read(config).unwrap_err().is_unknown_name());
    /// let read = mfu::hf::Reader::new().read_as("llama").read(config)?;
    /// assert_eq!((read.model_type(), read.architecture().hidden()), ("llama", 2_048));
    /// # Ok(())
    /// # }
    /// ```
    pub fn read_as(mut self, model_type: &str) -> Self {
        self.read_as = Some(model_type.to_owned());
        self
    }

    /// A field that looks as if it mattered and was not read is an error instead of an entry in
    /// [`Config::unread_fields`].
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Reads a file, as text or as bytes.
    ///
    /// # Errors
    ///
    /// If it is not JSON (a byte-order mark, `Infinity` and `NaN` are accepted), if its `model_type` is unknown, or if
    /// a field holds what its family cannot have; the message names the field and its value.
    pub fn read(&self, config: impl AsRef<[u8]>) -> Result<Config> {
        let value = Value::read(config.as_ref())?;
        let Value::Object(whole) = &value else {
            return Err(Invalid::NotAnObject { found: value.to_string() }.into());
        };
        let outer = Fields::new(whole, None, "", "a config");
        let named = outer.text("model_type")?;
        let (object, around, path) = match whole.get("text_config") {
            Some(Value::Object(inner)) => (inner, Some(whole), "text_config."),
            None | Some(Value::Null) => (whole, None, ""),
            Some(value) => {
                let (field, value) = ("text_config".to_owned(), value.to_string());
                return Err(Invalid::Kind { field, value, expected: "an object" }.into());
            }
        };
        let family = self.family(whole, named, object, around.is_some())?;
        if self.read_as.is_none() {
            is_a_language_model(whole)?;
        }
        let fields = Fields::new(object, around, path, family.name);
        let builder = (family.read)(&fields)?;
        fields.refuse_experts()?;
        let architecture = builder.build()?;
        let mut unread_fields = fields.unread();
        if around.is_some() {
            unread_fields.extend(outer.unread());
        }
        if self.strict && !unread_fields.is_empty() {
            let remedy = "read it without `strict` if they do not matter";
            return Err(Invalid::Unread { found: Listed(unread_fields), remedy }.into());
        }
        Ok(Config {
            model_type: family.name,
            architecture,
            unread_fields,
            not_counted: if around.is_some() { towers(whole) } else { Vec::new() },
        })
    }

    /// The family to read a file as: the one asked for, that of its text model, or its own.
    fn family(&self, whole: &Object, named: Option<&str>, object: &Object, nested: bool) -> Result<&'static Family> {
        if let Some(name) = &self.read_as {
            let name = OUTER.iter().find(|(outer, _)| outer == name).map_or(name.as_str(), |&(_, text)| text);
            return find(name).ok_or_else(|| unknown(name, None));
        }
        let Some(named) = named else {
            let architecture = match whole.get("architectures") {
                Some(Value::List(list)) => list.first().map(ToString::to_string),
                _ => None,
            };
            return Err(Invalid::NoModelType { architecture }.into());
        };
        match (OUTER.iter().find(|(outer, _)| *outer == named), nested) {
            (Some(&(_, text)), true) => match object.get("model_type") {
                Some(Value::Text(inner)) => find(inner).ok_or_else(|| unknown_text(inner)),
                _ => find(text).ok_or_else(|| unknown(text, None)),
            },
            (Some((outer, _)), false) => Err(Invalid::NoTextConfig { model_type: (*outer).to_owned() }.into()),
            (None, _) => {
                let inner = match object.get("model_type") {
                    Some(Value::Text(inner)) if nested => find(inner),
                    _ => None,
                };
                let family = find(named).ok_or_else(|| unknown(named, inner))?;
                match inner {
                    Some(inner) if inner.name != family.name => {
                        Err(Invalid::TwoTypes { outer: family.name, inner: inner.name }.into())
                    }
                    _ => Ok(family),
                }
            }
        }
    }
}

fn find(name: &str) -> Option<&'static Family> {
    families().find(|family| family.name == name || family.also.contains(&name))
}

/// The error for a type that is not known, and the family of the text model within, if that is.
#[cold]
fn unknown(name: &str, inner: Option<&Family>) -> crate::Error {
    let known = || model_types().map(|name| (name, name));
    let near = match inner {
        Some(inner) => format!("its `text_config` is a `{}`", inner.name),
        None => suggested(&nearest(name, known())),
    };
    let mut names: Vec<&str> = model_types().collect();
    names.sort_unstable();
    UnknownModelType { place: "", name: abridged(name), near, known: names.join(", ") }.into()
}

/// The error for a type of the text model within that is not known.
#[cold]
fn unknown_text(name: &str) -> crate::Error {
    let near = suggested(&nearest(name, model_types().map(|name| (name, name))));
    let mut names: Vec<&str> = model_types().collect();
    names.sort_unstable();
    UnknownModelType { place: " in text_config", name: abridged(name), near, known: names.join(", ") }.into()
}

/// Refuses a file whose `architectures` name a class that is no language model: it has another head, or none.
fn is_a_language_model(whole: &Object) -> Result<()> {
    const CLASSES: [&str; 4] = ["ForCausalLM", "ForConditionalGeneration", "ForMaskedLM", "LMHead"];
    let Some(Value::List(names)) = whole.get("architectures") else {
        return Ok(());
    };
    match names.first() {
        Some(Value::Text(name)) if !CLASSES.iter().any(|class| name.contains(class)) => Err(Unsupported {
            field: "architectures".to_owned(),
            value: abridged(name),
            what: "a class other than its family's language model",
            remedy: "`Reader::read_as` reads it as that language model, head and all",
        }
        .into()),
        _ => Ok(()),
    }
}

/// What stands beside the language model: every other object that describes a model of its own.
fn towers(whole: &Object) -> Vec<String> {
    const NO_TOWERS: [&str; 2] = ["text_config", "quantization_config"];
    let describes_a_model = |name: &str, value: &Value| {
        let Value::Object(object) = value else {
            return false;
        };
        name.ends_with("_config")
            && !NO_TOWERS.contains(&name)
            && ["hidden_size", "num_hidden_layers", "depth", "embed_dim", "model_type", "width"]
                .iter()
                .any(|field| object.contains_key(*field))
    };
    whole.iter().filter(|(name, value)| describes_a_model(name, value)).map(|(name, _)| name.clone()).collect()
}

/// What a `config.json` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    model_type: &'static str,
    architecture: Architecture,
    unread_fields: Vec<String>,
    not_counted: Vec<String>,
}

impl Config {
    /// The family that it was read as.
    #[must_use]
    pub const fn model_type(&self) -> &'static str {
        self.model_type
    }

    /// What the model is made of.
    #[must_use]
    pub const fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// What the model is made of, without the rest.
    #[must_use]
    pub fn into_architecture(self) -> Architecture {
        self.architecture
    }

    /// Fields that look as if they said something of the model's shape and were not read: neither does the family know
    /// them, nor are they known to be irrelevant.
    #[must_use]
    pub fn unread_fields(&self) -> &[String] {
        &self.unread_fields
    }

    /// Parts of the file that describe models of their own, a vision tower for example, and are no part of the
    /// architecture.
    #[must_use]
    pub fn not_counted(&self) -> &[String] {
        &self.not_counted
    }
}

/// One line: the family, and what was left out.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} layers", self.model_type, self.architecture.depth())?;
        if !self.not_counted.is_empty() {
            write!(f, "; not counted: {}", self.not_counted.join(", "))?;
        }
        if !self.unread_fields.is_empty() {
            write!(f, "; {}", Listed(self.unread_fields.clone()))?;
        }
        Ok(())
    }
}
