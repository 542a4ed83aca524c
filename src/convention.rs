//! Which lines of the ledger count, and how.

mod axis;
mod preset;

use std::fmt;

pub use axis::Axis;

use crate::Result;
use crate::lookup::Registry;

/// A rule for what counts as a model FLOP: a point in a space of a few axes, every point of which is legal.
///
/// The presets are the rules of the tools and papers that people quote. A rule nobody has named is a struct update
/// away, and its [`label`](Self::label) says so:
///
/// ```
/// use mfu::{Basis, Convention};
///
/// let mine = Convention { router: Basis::Out, ..Convention::EXACT };
/// assert_eq!(mine.label(), "EXACT except router out");
/// assert_eq!(Convention::EXACT.label(), "EXACT");
/// ```
///
/// The same architecture, tokens and step under each convention:
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{Batch, Convention, catalog};
///
/// let llama = catalog::find("llama-3-8b")?.architecture()?;
/// let per_token = |convention| -> Result<u128, mfu::Error> {
///     Ok(llama.cost(convention)?.count(Batch::uniform(1, 8_192))?.training.get() / 8_192)
/// };
/// assert_eq!(per_token(Convention::KAPLAN_2020)?, 48_318_382_080);
/// assert_eq!(per_token(Convention::EXACT)?, 51_471_187_968);
/// assert_eq!(per_token(Convention::TORCHTITAN_2026_08)?, 57_914_449_920);
/// assert_eq!(per_token(Convention::PALM_2022)?, 61_066_469_376);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Convention {
    /// Everything that no other axis names: projections, feed-forwards, experts, norms.
    pub weights: Basis,
    /// Token embeddings and learned positions.
    pub embedding: Basis,
    /// The LM head.
    pub head: Basis,
    /// The routers.
    pub router: Basis,
    /// The norms of attention latents and of multi-token prediction.
    pub latent_norms: Basis,
    /// The measure of the attention core.
    pub core: Core,
    /// Whether windows and chunks are seen.
    pub windows: Windows,
    /// The softmax: `3·H` per pair. Being elementwise, it is never counted on half a pair: where the core is an area,
    /// on the mask.
    pub softmax: Inclusion,
    /// The scan of recurrent mixers.
    pub scan: Inclusion,
    /// FlashAttention's recompute of the scores in the backward pass, as model work: 7 instead of 6.
    pub scores_recomputed: Inclusion,
    /// The parts of multi-token prediction.
    pub mtp: MtpParts,
    /// What a recompute is charged; concerns the hardware figure alone.
    pub hardware: Hardware,
    /// The models that the formula was written for.
    pub domain: Domain,
}

/// How an operation that holds parameters counts, per token and forward pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Basis {
    /// Not at all.
    Out,
    /// The matmul performed: `2·inputs·outputs·used`. A lookup, a norm or a bias is 0.
    Work,
    /// 2 × the parameters held here that the token touches, biases and norms included.
    Active,
    /// 2 × all parameters held here, those of experts that the token does not visit included.
    Stored,
}

/// The measure of the attention core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Core {
    /// Not counted.
    Out,
    /// The rectangle, `s²` per sequence, whatever the mask hides.
    Full,
    /// The area of the mask, `s²/2` when causal.
    Half,
    /// The pairs of the mask, `s(s + 1)/2` when causal.
    Exact,
}

/// Whether windows and chunks are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Windows {
    /// They count as if they were causal.
    Ignored,
    /// They count by the core's own measure.
    Honoured,
    /// They count by the mask, whatever the core's measure. A sequence of which they hide nothing keeps that measure,
    /// so under another core a sequence changes its measure as it outgrows a window.
    Exact,
}

/// In or out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Inclusion {
    /// Counted.
    In,
    /// Not counted.
    Out,
}

/// The parts of multi-token prediction, each counted or not; those that are, are subject to the other axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct MtpParts {
    /// The module's layer (and embedding, if it has one of its own).
    pub layer: Inclusion,
    /// The projection of two streams to one, with the norms around it.
    pub projection: Inclusion,
    /// The head, once more per module.
    pub head: Inclusion,
}

impl MtpParts {
    /// Every part counts.
    pub const ALL: Self = Self { layer: Inclusion::In, projection: Inclusion::In, head: Inclusion::In };

    /// No part counts.
    pub const NONE: Self = Self { layer: Inclusion::Out, projection: Inclusion::Out, head: Inclusion::Out };
}

/// What a recompute is charged in the hardware figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Hardware {
    /// The forward passes that are really repeated.
    Performed,
    /// One more forward of everything counted, once anything is recomputed: 4/3 of a step of three.
    WholeStep,
    /// A recomputed attention core counts twice over (`s/3h` instead of `s/6h`; arXiv 2205.05198); all else as
    /// performed.
    CoreTwice,
}

/// The models that a formula was written for. Elsewhere the convention is an error, not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Domain {
    /// Any model.
    Any,
    /// Models that mix tokens by attention alone, with heads that are together as wide as the hidden size, `H·d = h`, and
    /// without a source.
    HeadsFillHidden,
    /// In each layer multi-head attention with `H·d = h` and an ungated feed-forward of `4h`; no experts, no source.
    GptLayers,
}

impl Convention {
    /// Every preset with its name, in the order in which a label prefers them.
    #[must_use]
    pub fn presets() -> &'static [(&'static str, Self)] {
        preset::ALL
    }

    /// The preset of that name; case does not matter, and a dash or space is an underscore.
    ///
    /// ```
    /// use mfu::Convention;
    ///
    /// assert_eq!(Convention::find("deepseek-2025-causal").ok(), Some(Convention::DEEPSEEK_2025_CAUSAL));
    /// let error = Convention::find("PALM_2023").unwrap_err();
    /// assert!(error.to_string().contains("PALM_2022"));
    /// ```
    ///
    /// # Errors
    ///
    /// An unknown name is an error that lists the near ones.
    pub fn find(name: &str) -> Result<Self> {
        const PRESETS: Registry = Registry {
            noun: "convention",
            remedy: "`Convention::presets` lists all, and `Convention { .. }` makes your own",
        };
        PRESETS.find(name, preset::ALL.iter().map(|&(known, convention)| (known, known, convention)))
    }

    /// What to call this rule: the preset's name (all of them, where one rule has several), or the nearest preset and
    /// every axis on which this rule differs from it.
    #[must_use]
    pub fn label(&self) -> String {
        let named: Vec<&str> = preset::ALL.iter().filter(|(_, preset)| preset == self).map(|&(name, _)| name).collect();
        if !named.is_empty() {
            return named.join(" = ");
        }
        let changes = preset::ALL.iter().map(|(name, preset)| (name, self.changes_from(preset)));
        let Some((name, changes)) = changes.min_by_key(|(_, changes)| changes.len()) else {
            return "unnamed".to_owned();
        };
        format!("{name} except {}", changes.join(", "))
    }

    /// What this rule changes of another, in words; the parts of multi-token prediction in one, where they change
    /// alike.
    fn changes_from(&self, other: &Self) -> Vec<String> {
        const MTP: [Axis; 3] = [Axis::MtpLayer, Axis::MtpProjection, Axis::MtpHead];
        let alike = MTP.iter().all(|axis| axis.value(self) == Axis::MtpLayer.value(self))
            && self.differences(other).any(|axis| MTP.contains(&axis));
        let mut changes: Vec<String> = self
            .differences(other)
            .filter(|axis| !(alike && MTP.contains(axis)))
            .map(|axis| format!("{axis} {}", axis.value(self)))
            .collect();
        if alike {
            changes.push(format!("MTP {}", Axis::MtpLayer.value(self)));
        }
        changes
    }

    /// The axes on which the two rules differ, in the order of [`Axis::ALL`].
    pub fn differences(&self, other: &Self) -> impl Iterator<Item = Axis> + use<> {
        let (left, right) = (*self, *other);
        Axis::ALL.iter().copied().filter(move |axis| axis.set(left, &right) != left)
    }

    /// The way from this rule to another: one axis per step, in the order of [`Axis::ALL`], each with the rule it leads
    /// to.
    pub fn walk(&self, to: &Self) -> impl Iterator<Item = (Axis, Self)> + use<> {
        let to = *to;
        let mut at = *self;
        self.differences(&to).map(move |axis| {
            at = axis.set(at, &to);
            (axis, at)
        })
    }
}

/// [`Convention::EXACT`].
impl Default for Convention {
    fn default() -> Self {
        Self::EXACT
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.label())
    }
}
