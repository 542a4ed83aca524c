//! The version that a record carries.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The version that an architecture's and a report's record carry, and what they hold with them; a change to a field's
/// name or meaning raises it. It stands first in a record, so that one of another version is refused for its version,
/// and not for the first field that is new to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SchemaVersion;

const VERSION: u64 = 1;

impl Serialize for SchemaVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(VERSION)
    }
}

impl<'de> Deserialize<'de> for SchemaVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let version = u64::deserialize(deserializer)?;
        if version == VERSION {
            return Ok(Self);
        }
        Err(D::Error::custom(format!(
            "schema_version is {version}, and this release of mfu reads records of version {VERSION}"
        )))
    }
}
