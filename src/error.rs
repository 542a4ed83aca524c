//! The one error of the crate: opaque, cheap to clone, with a predicate for every question a caller can act on.

use std::fmt;
use std::sync::Arc;

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
#[derive(Clone)]
pub struct Error(Arc<Inner>);

struct Inner {
    class: Class,
    cause: Box<dyn std::error::Error + Send + Sync>,
}

/// What a caller can tell errors apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Architecture,
    Batch,
    Argument,
    InvalidConfig,
    UnsupportedConfig,
    UnknownName,
    AmbiguousName,
    UnsupportedPrecision,
    UnpublishedPeak,
    NotApplicable,
    Impossible,
    Overflow,
}

/// A failure of one of the rooms, which keeps its own messages.
pub(crate) trait Cause: std::error::Error + Send + Sync + 'static {
    const CLASS: Class;
}

impl Error {
    /// The architecture contradicts itself or holds a size that cannot be; the message names the field.
    #[must_use]
    pub fn is_invalid_architecture(&self) -> bool {
        self.0.class == Class::Architecture
    }

    /// The batch holds a length that cannot be (negative, or cumulative lengths that fall); the message names its
    /// index.
    #[must_use]
    pub fn is_invalid_batch(&self) -> bool {
        self.0.class == Class::Batch
    }

    /// A single argument is outside its range: a time, a rate, a peak, a number of devices or tokens.
    #[must_use]
    pub fn is_invalid_argument(&self) -> bool {
        self.0.class == Class::Argument
    }

    /// A config file that is not JSON, contradicts its family or itself, or holds a value that cannot be; the message
    /// names the field and its value.
    #[must_use]
    pub fn is_invalid_config(&self) -> bool {
        self.0.class == Class::InvalidConfig
    }

    /// A config file that asks for something which its family knows and this crate does not; the message names the
    /// field.
    #[must_use]
    pub fn is_unsupported_config(&self) -> bool {
        self.0.class == Class::UnsupportedConfig
    }

    /// A name that no registry of this crate holds; the message lists the near ones.
    #[must_use]
    pub fn is_unknown_name(&self) -> bool {
        self.0.class == Class::UnknownName
    }

    /// A name that several devices share; the message lists them.
    #[must_use]
    pub fn is_ambiguous_name(&self) -> bool {
        self.0.class == Class::AmbiguousName
    }

    /// A device has no units for the precision that was asked for.
    #[must_use]
    pub fn is_unsupported_precision(&self) -> bool {
        self.0.class == Class::UnsupportedPrecision
    }

    /// A device has, or may have, units for the precision that was asked for, and no trustworthy dense figure of them
    /// is known.
    #[must_use]
    pub fn is_unpublished_peak(&self) -> bool {
        self.0.class == Class::UnpublishedPeak
    }

    /// The question has no answer here: a convention outside its domain, counts that do not add.
    #[must_use]
    pub fn is_not_applicable(&self) -> bool {
        self.0.class == Class::NotApplicable
    }

    /// A utilization above 1; the message ranks the inputs to suspect.
    #[must_use]
    pub fn is_impossible(&self) -> bool {
        self.0.class == Class::Impossible
    }

    /// An exact count left the range of its integer; the message says which.
    #[must_use]
    pub fn is_overflow(&self) -> bool {
        self.0.class == Class::Overflow
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.cause, f)
    }
}

/// As it displays: what a program prints whose `main` returns this error is the message.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.cause, f)
    }
}

impl std::error::Error for Error {}

#[doc(hidden)]
impl<C: Cause> From<C> for Error {
    #[cold]
    fn from(cause: C) -> Self {
        Self(Arc::new(Inner { class: C::CLASS, cause: Box::new(cause) }))
    }
}

/// A single value handed in that can never be right.
#[derive(Debug, thiserror::Error)]
#[error("{name} is {value} and must be {expected}")]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    pub(crate) expected: &'static str,
}

impl Cause for Argument {
    const CLASS: Class = Class::Argument;
}
