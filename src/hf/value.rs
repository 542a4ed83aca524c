//! A config file as text: JSON as it is found, read without losing what two spellings of a key or a large integer say.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use super::Invalid;
use crate::Result;
use crate::lookup::abridged;

/// The keys and values of an object.
pub(super) type Object = BTreeMap<String, Value>;

/// A JSON value. Integers are exact; a number above 64 bits is a float, and refused where an integer belongs.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Integer(u64),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    Object(Object),
}

impl Value {
    /// Reads a file: JSON, with what hub files hold beside it (a byte-order mark, `Infinity`, `NaN`).
    pub(super) fn read(text: &[u8]) -> Result<Self> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let text = text.strip_prefix(MARK).unwrap_or(text);
        let parse = |text: &[u8]| serde_json::from_slice(text);
        // Few files hold anything that is not JSON, so the others do not pay for looking.
        let read = parse(text).or_else(|error| match spelled_out(text) {
            Some(text) => parse(&text),
            None => Err(error),
        });
        Ok(read.map_err(|error| match error.classify() {
            serde_json::error::Category::Data => Invalid::Twice { error: error.to_string() },
            _ => Invalid::NotJson { error: error.to_string() },
        })?)
    }
}

/// As a message repeats it: short, and without what cannot be seen.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Text(text) => write!(f, "\"{}\"", abridged(text)),
            Self::List(list) => write!(f, "a list of {}", list.len()),
            Self::Object(object) => write!(f, "an object of {}", object.len()),
        }
    }
}

/// The text with `Infinity`, `-Infinity` and `NaN` in quotes where they stand outside strings, or `None` if they do
/// not. A size that is written so is then refused as text, under its own name.
fn spelled_out(text: &[u8]) -> Option<Vec<u8>> {
    const NAMES: [&[u8]; 3] = [b"-Infinity", b"Infinity", b"NaN"];
    let mut spelled = Vec::with_capacity(text.len());
    let (mut rest, mut inside, mut found) = (text, false, false);
    while let Some((&byte, after)) = rest.split_first() {
        let name = NAMES.iter().find(|name| !inside && rest.starts_with(name));
        if let Some(name) = name {
            spelled.push(b'"');
            spelled.extend_from_slice(name);
            spelled.push(b'"');
            found = true;
            rest = rest.get(name.len()..).unwrap_or_default();
            continue;
        }
        spelled.push(byte);
        rest = after;
        match byte {
            b'"' => inside = !inside,
            b'\\' if inside => {
                if let Some((&escaped, after)) = rest.split_first() {
                    spelled.push(escaped);
                    rest = after;
                }
            }
            _ => {}
        }
    }
    found.then_some(spelled)
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Whole)
    }
}

struct Whole;

impl<'de> Visitor<'de> for Whole {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    /// Negative, or it would be a `u64`: no size is, and as a float it shows what it is.
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Float(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Value::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Object::new();
        while let Some((key, value)) = map.next_entry::<String, Value>()? {
            // A key that says the same thing twice says it once.
            if let Some(earlier) = object.get(&key).filter(|earlier| **earlier != value) {
                return Err(A::Error::custom(format_args!(
                    "`{}` is {earlier} and then {value}: leave out the wrong one",
                    abridged(&key)
                )));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
        Value::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    #[test]
    fn what_python_writes_beside_json() {
        let text = br#"{"limit": [0.0, Infinity, -Infinity], "rate": NaN, "note": "Infinity \" NaN"}"#;
        let word = |word: &str| Value::Text(word.to_owned());
        let limit = Value::List(vec![Value::Float(0.0), word("Infinity"), word("-Infinity")]);
        let note = word("Infinity \" NaN");
        let read = Value::read(text).unwrap();
        assert_eq!(read, object([("limit", limit), ("rate", word("NaN")), ("note", note)]));
        assert_eq!(Value::read(b"\xef\xbb\xbf{}").unwrap(), object([]));
    }

    #[test]
    fn a_key_twice() {
        let same = Value::read(br#"{"a": 4096, "a": 4096}"#).unwrap();
        assert_eq!(same, object([("a", Value::Integer(4096))]));
        let error = Value::read(br#"{"a": 4096, "a": 2048}"#).unwrap_err();
        assert!(
            error.is_invalid_config()
                && error.to_string().starts_with("a field is there twice: `a` is 4096 and then 2048"),
            "{error}"
        );
        // One object in two orders is one value.
        assert!(Value::read(br#"{"a": {"b": 1, "c": 2}, "a": {"c": 2, "b": 1}}"#).is_ok());
    }

    #[test]
    fn what_is_not_json() {
        for text in [&b""[..], b"{", b"{'a': 1}", b"{\"a\": Infinite}", b"\xff\xfe{\0}\0", b"{} {}"] {
            let error = Value::read(text).unwrap_err();
            assert!(error.is_invalid_config(), "{error}");
        }
        // No deeper than the parser's own limit.
        assert!(Value::read("[".repeat(100_000).as_bytes()).unwrap_err().is_invalid_config());
    }

    #[test]
    fn integers_are_exact_and_larger_ones_are_not_integers() {
        assert_eq!(Value::read(b"18446744073709551615").unwrap(), Value::Integer(u64::MAX));
        assert!(matches!(Value::read(b"18446744073709551616").unwrap(), Value::Float(_)));
        assert!(matches!(Value::read(b"-1").unwrap(), Value::Float(value) if value < 0.0));
    }
}
