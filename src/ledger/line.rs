//! One operation, as the ledger holds it.

use std::fmt;

use super::Component;
use crate::Span;
use crate::quantity::grouped;

/// One operation of the model: what it is, how often it occurs, what it holds and what it does.
///
/// Equal operations are one line, so a ledger is short and does not depend on how layers were grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Line {
    /// Where in the model it stands.
    pub place: Place,
    /// What it is part of.
    pub component: Component,
    /// What it does for one token.
    pub work: Work,
    /// Parameters held by one occurrence, biases included.
    pub parameters: u64,
    /// Of those, the ones that one token touches: all of them, except in routed experts.
    pub active_parameters: u64,
    /// It is used here and held by another line (a tied head, the head of a multi-token prediction module, a reused
    /// block): it does its full work and holds nothing.
    pub shared: bool,
    /// How many times it occurs.
    pub layers: u64,
}

impl Line {
    /// Whether the two are the same operation, and differ in how often it occurs at most.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        Self { layers: 0, ..*self } == Self { layers: 0, ..*other }
    }
}

/// Where in the model an operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Place {
    /// The model itself; of an encoder–decoder, the decoder.
    Trunk,
    /// What is done once for every token of the source: the encoder, and the decoder's keys and values of it.
    Encoder,
    /// Its multi-token prediction modules.
    Mtp,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Trunk => "trunk",
            Self::Encoder => "encoder",
            Self::Mtp => "multi-token prediction",
        })
    }
}

/// What one occurrence of a line does in a forward pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Work {
    /// Nothing that is counted: a lookup, a norm, a bias.
    None,
    /// Each token is multiplied with matrices.
    Matmul(Matmul),
    /// So many FLOPs per token that no matmul performs: the scan of a recurrent mixer.
    PerToken(u64),
    /// So many FLOPs for every pair of a query and a key that it sees.
    PerPair {
        /// FLOPs per pair.
        flops: u64,
        /// Which pairs there are.
        span: Span,
    },
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("–"),
            Self::Matmul(matmul) => matmul.fmt(f),
            Self::PerToken(flops) => write!(f, "{} per token", grouped(u128::from(*flops))),
            Self::PerPair { flops, span } => write!(f, "{} per pair, {span}", grouped(u128::from(*flops))),
        }
    }
}

/// Equal matrices, of which one token is multiplied with some.
///
/// # Formula
///
/// Forward FLOPs per token: `2·inputs·outputs·used`. A gated up-projection is held 2 and used 2; that of `E` experts
/// with top-`k` is held `2E` and used `2k`. A convolution of `C` channels, each with a kernel of `K` of its own, is `C`
/// matrices of `K·1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Matmul {
    /// Channels in.
    pub inputs: u64,
    /// Channels out.
    pub outputs: u64,
    /// How many such matrices there are.
    pub held: u64,
    /// How many of them one token is multiplied with.
    pub used: u64,
}

impl fmt::Display for Matmul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "2·{}·{}", grouped(u128::from(self.inputs)), grouped(u128::from(self.outputs)))?;
        if self.used != 1 {
            write!(f, "·{}", self.used)?;
        }
        if self.held != self.used {
            write!(f, " of {}", self.held)?;
        }
        Ok(())
    }
}
