//! Counts in serde formats: written as a decimal string, read from a string or an integer up to `u64`, never from a
//! float.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;

pub(crate) fn serialize<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
    struct Decimal;

    impl Visitor<'_> for Decimal {
        type Value = u128;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a count as a decimal string or an integer")
        }

        fn visit_u64<E: Error>(self, value: u64) -> Result<u128, E> {
            Ok(value.into())
        }

        /// Some formats have signed integers alone.
        fn visit_i64<E: Error>(self, value: i64) -> Result<u128, E> {
            value.try_into().map_err(|_| E::invalid_value(serde::de::Unexpected::Signed(value), &self))
        }

        fn visit_str<E: Error>(self, value: &str) -> Result<u128, E> {
            // `parse` would also take a leading plus, which nothing writes.
            let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            digits
                .then(|| value.parse().ok())
                .flatten()
                .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(value), &self))
        }
    }

    if deserializer.is_human_readable() {
        deserializer.deserialize_any(Decimal)
    } else {
        // Binary formats cannot say what comes next; they hold what `serialize` writes.
        deserializer.deserialize_str(Decimal)
    }
}
