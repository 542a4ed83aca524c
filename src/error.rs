//! The one error of the crate: opaque, cheap to clone, with a predicate for every question a caller can act on.

use crate::{architecture, batch, utilization};

/// The result of everything in this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, and what would be right.
///
/// The message names the culprit (the field, its value, the index) and the remedy. To act on an error, ask it:
///
/// ```
/// let error = mfu::catalog::find("deepseek-v33").unwrap_err();
/// assert!(error.is_unknown_name());
/// assert!(error.to_string().contains("deepseek-v3"));
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Kind>);

#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Kind {
    #[error(transparent)]
    Architecture(architecture::Invalid),
    #[error(transparent)]
    Batch(batch::Invalid),
    #[error(transparent)]
    Argument(#[from] Argument),
    #[error(transparent)]
    Unknown(#[from] Unknown),
    #[error(transparent)]
    NotApplicable(#[from] NotApplicable),
    #[error(transparent)]
    Impossible(utilization::Impossible),
    #[error("overflow in {what}: it does not fit in {bits} bits; is a size or a length off by orders of magnitude?")]
    Overflow { what: &'static str, bits: u32 },
}

/// A single value handed in that can never be right.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{name} = {value} is not {expected}")]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    pub(crate) expected: &'static str,
}

/// A name that a registry of the crate does not hold.
#[derive(Clone, Debug, thiserror::Error)]
#[error("unknown {noun} `{name}`: {}; {remedy}", suggested(.near))]
pub(crate) struct Unknown {
    pub(crate) noun: &'static str,
    pub(crate) name: String,
    pub(crate) near: Vec<&'static str>,
    pub(crate) remedy: &'static str,
}

/// A question that has no answer for this input.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum NotApplicable {
    #[error("{convention} is a formula for {written_for}; this architecture has {found}")]
    OutsideDomain { convention: String, written_for: &'static str, found: String },
    #[error("counts under {left} and under {right} do not add: count both batches under one convention and recipe")]
    UnlikeCounts { left: String, right: String },
    #[cfg(feature = "serde")]
    #[error("schema_version = {value}: this version of the crate reads reports of version {supported}")]
    SchemaVersion { value: u64, supported: u32 },
    #[cfg(feature = "serde")]
    #[error("the recorded {field} = {recorded} does not follow from the recorded inputs, which give {computed}")]
    Inconsistent { field: &'static str, recorded: f64, computed: f64 },
}

fn suggested(names: &[&'static str]) -> String {
    if names.is_empty() {
        return "nothing known is close to it".to_owned();
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("did you mean {}?", quoted.join(" or "))
}

impl Error {
    /// The architecture contradicts itself or holds a size that cannot be; the message names the field.
    #[must_use]
    pub fn is_invalid_architecture(&self) -> bool {
        matches!(*self.0, Kind::Architecture(_))
    }

    /// The batch holds a length that cannot be (negative, or cumulative lengths that fall); the message names its index.
    #[must_use]
    pub fn is_invalid_batch(&self) -> bool {
        matches!(*self.0, Kind::Batch(_))
    }

    /// A single argument is outside its range: a time, a rate, a peak, a number of devices or tokens.
    #[must_use]
    pub fn is_invalid_argument(&self) -> bool {
        matches!(*self.0, Kind::Argument(_))
    }

    /// A name that no registry of this crate holds; the message lists the near ones.
    #[must_use]
    pub fn is_unknown_name(&self) -> bool {
        matches!(*self.0, Kind::Unknown(_))
    }

    /// The question has no answer here: a convention outside its domain, counts that do not add, a report of another version.
    #[must_use]
    pub fn is_not_applicable(&self) -> bool {
        matches!(*self.0, Kind::NotApplicable(_))
    }

    /// A utilization above 1; the message ranks the inputs to suspect.
    #[must_use]
    pub fn is_impossible(&self) -> bool {
        matches!(*self.0, Kind::Impossible(_))
    }

    /// An exact count left the range of its integer; the message says which.
    #[must_use]
    pub fn is_overflow(&self) -> bool {
        matches!(*self.0, Kind::Overflow { .. })
    }
}

impl<T: Into<Kind>> From<T> for Error {
    #[cold]
    fn from(kind: T) -> Self {
        Self(Box::new(kind.into()))
    }
}
