//! Why a config cannot be read.

use super::unread::Listed;
use crate::error::{Cause, Class};

/// A file that is no config, or one that contradicts itself or its family.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum Invalid {
    #[error("not JSON, and nothing that hub files hold beside it: {error}")]
    NotJson { error: String },
    #[error("a config is a JSON object, and this is {found}")]
    NotAnObject { found: String },
    #[error(
        "no `model_type`: say which family to read it as with `Reader::read_as`{}",
        hinted(.architecture.as_deref())
    )]
    NoModelType { architecture: Option<String> },
    #[error("`{model_type}` keeps its language model in `text_config`, and there is none")]
    NoTextConfig { model_type: String },
    #[error("{field} = {value} is not {expected}")]
    Kind { field: String, value: String, expected: &'static str },
    #[error("{field} = {value} and {alias} = {other} are one and the same in this family, and differ")]
    Aliases { field: String, value: String, alias: String, other: String },
    #[error("{field} = {value} is above {limit}")]
    Above { field: String, value: u64, limit: String },
    #[error("{value} is not a multiple of {divisor}")]
    NotMultiple { value: String, divisor: String },
    #[error("a file of `{outer}` whose text_config is a `{inner}`: say which to read it as with `Reader::read_as`")]
    TwoTypes { outer: &'static str, inner: &'static str },
    #[error("a field is there twice: {error}")]
    Twice { error: String },
    #[error("{field} = {value} times {by} = {factor} is not the inner width, {of} = {inner}")]
    NotFilled { field: String, value: u64, by: String, factor: u64, of: &'static str, inner: u64 },
    #[error("{field} has {length} entries for {layers} layers")]
    Length { field: String, length: usize, layers: u64 },
    #[error("{field}[{index}] = {value} is not {expected}")]
    Entry { field: String, index: usize, value: String, expected: &'static str },
    #[error("{field} is missing, and {family} has no default for it")]
    Missing { field: String, family: &'static str },
    #[error("{field} = {value}: {why}")]
    Contradiction { field: String, value: String, why: &'static str },
    #[error("{found}; {remedy}")]
    Unread { found: Listed, remedy: &'static str },
}

impl Cause for Invalid {
    const CLASS: Class = Class::InvalidConfig;
}

fn hinted(architectures: Option<&str>) -> String {
    architectures.map_or_else(String::new, |name| format!(" (its first architecture is {name})"))
}

/// Something that the reference implementation knows and this reader does not.
#[derive(Debug, thiserror::Error)]
#[error("{field} = {value}: {what} is not supported; {remedy}")]
pub(super) struct Unsupported {
    pub(super) field: String,
    pub(super) value: String,
    pub(super) what: &'static str,
    pub(super) remedy: &'static str,
}

impl Cause for Unsupported {
    const CLASS: Class = Class::UnsupportedConfig;
}

/// A family that is not known.
#[derive(Debug, thiserror::Error)]
#[error(
    "unknown model_type `{name}`{place}: {near}; `Reader::read_as` reads it as one of these, if it is the same architecture: {known}"
)]
pub(super) struct UnknownModelType {
    pub(super) place: &'static str,
    pub(super) name: String,
    pub(super) near: String,
    pub(super) known: String,
}

impl Cause for UnknownModelType {
    const CLASS: Class = Class::UnknownName;
}
