//! The axes one by one: what a label names, and what a walk from one rule to another steps along.

use std::fmt;

use super::{Basis, Convention, Core, Domain, Hardware, Inclusion, Windows};

macro_rules! axes {
    ($($(#[doc = $doc:literal])+ $variant:ident, $name:literal, $($field:ident).+;)+) => {
        /// One axis of a [`Convention`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
        #[non_exhaustive]
        pub enum Axis {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Axis {
            /// Every axis, in the order in which one rule is walked to another.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its name, as a label prints it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The value that a rule has on this axis, in words.
            #[must_use]
            pub const fn value(self, convention: &Convention) -> &'static str {
                match self {
                    $(Self::$variant => convention.$($field).+.word(),)+
                }
            }

            /// The rule with its value on this axis taken from another.
            pub(super) const fn set(self, mut convention: Convention, from: &Convention) -> Convention {
                match self {
                    $(Self::$variant => convention.$($field).+ = from.$($field).+,)+
                }
                convention
            }
        }
    };
}

axes! {
    /// [`Convention::weights`].
    Weights, "weights", weights;
    /// [`Convention::embedding`].
    Embedding, "embedding", embedding;
    /// [`Convention::head`].
    Head, "head", head;
    /// [`Convention::router`].
    Router, "router", router;
    /// [`Convention::latent_norms`].
    LatentNorms, "latent norms", latent_norms;
    /// [`MtpParts::layer`](super::MtpParts::layer).
    MtpLayer, "MTP layer", mtp.layer;
    /// [`MtpParts::projection`](super::MtpParts::projection).
    MtpProjection, "MTP projection", mtp.projection;
    /// [`MtpParts::head`](super::MtpParts::head).
    MtpHead, "MTP head", mtp.head;
    /// [`Convention::core`].
    Core, "core", core;
    /// [`Convention::windows`].
    Windows, "windows", windows;
    /// [`Convention::softmax`].
    Softmax, "softmax", softmax;
    /// [`Convention::scan`].
    Scan, "scan", scan;
    /// [`Convention::scores_recomputed`].
    ScoresRecomputed, "recomputed scores", scores_recomputed;
    /// [`Convention::hardware`].
    Hardware, "hardware", hardware;
    /// [`Convention::domain`].
    Domain, "domain", domain;
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

macro_rules! words {
    ($($axis:ident { $($variant:ident => $word:literal),+ })+) => {$(
        impl $axis {
            const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }
    )+};
}

words! {
    Basis { Out => "out", Work => "work", Active => "active", Stored => "stored" }
    Core { Out => "out", Full => "full", Half => "half", Exact => "exact" }
    Windows { Ignored => "ignored", Honoured => "honoured", Exact => "exact" }
    Inclusion { In => "in", Out => "out" }
    Hardware { Performed => "as performed", WholeStep => "whole step", CoreTwice => "core twice" }
    Domain { Any => "any", HeadsFillHidden => "heads fill hidden", GptLayers => "GPT layers" }
}
