//! How many parameters a model holds, and how many one token touches.

use std::fmt;

use super::{Component, Group, Line, Place};
use crate::Result;
use crate::catalog::Active;
use crate::exact::Exact;
use crate::quantity::grouped;

/// So many parameters held, and so many of them touched by one token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Held {
    /// Parameters held; what is shared is held elsewhere.
    pub held: u128,
    /// Of those, the ones that one token touches.
    pub active: u128,
}

/// What a model holds and what one token touches, exactly.
///
/// Totals are quoted without the multi-token prediction modules, which [`mtp`](Self::mtp) gives by themselves. *Active*
/// is quoted in three ways, and each has its own name here. A tied tensor counts once: the embedding holds it, and
/// where only the input embedding is left out it stays, as the head.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// let parameters = mfu::catalog::find("gpt-oss-20b")?.architecture()?.ledger()?.parameters();
/// assert_eq!(parameters.total(), 20_914_757_184);
/// // The model card's 3.61 B leave the input embedding out.
/// assert_eq!(parameters.active_without_embedding(), 3_608_307_264);
/// assert_eq!(parameters.active(), 4_187_440_704);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parameters {
    total: u128,
    mtp: u128,
    active: u128,
    /// Of the active ones: the tables of token embeddings and positions.
    tables: u128,
    /// Of the active ones: the LM head, which is the token embedding when tied.
    head: u128,
    tied: bool,
    token_table: u128,
}

impl Parameters {
    pub(super) fn of(lines: &[Line]) -> Result<Self> {
        let mut parameters = Self { total: 0, mtp: 0, active: 0, tables: 0, head: 0, tied: false, token_table: 0 };
        for line in lines {
            let held = occurring(line.parameters, line)?;
            if line.place == Place::Mtp {
                parameters.mtp = parameters.mtp.plus(held, WHAT)?;
                continue;
            }
            let active = occurring(line.active_parameters, line)?;
            parameters.total = parameters.total.plus(held, WHAT)?;
            parameters.active = parameters.active.plus(active, WHAT)?;
            let part = match line.component.group() {
                Group::Embedding => &mut parameters.tables,
                Group::LmHead => &mut parameters.head,
                _ => continue,
            };
            *part = part.plus(active, WHAT)?;
            match line.component {
                Component::Embedding => parameters.token_table = active,
                Component::LmHead => parameters.tied |= line.shared,
                _ => {}
            }
        }
        // The sum of all is checked here, so that no accessor can overflow.
        parameters.total.plus(parameters.mtp, WHAT)?;
        Ok(parameters)
    }

    /// All parameters of the model, multi-token prediction modules left out. A tied tensor counts once.
    #[must_use]
    pub const fn total(&self) -> u128 {
        self.total
    }

    /// The parameters of the multi-token prediction modules, what they share with the model left out.
    #[must_use]
    pub const fn mtp(&self) -> u128 {
        self.mtp
    }

    /// Everything held: the model and its multi-token prediction modules.
    #[must_use]
    pub const fn total_with_mtp(&self) -> u128 {
        self.total.saturating_add(self.mtp)
    }

    /// The parameters that one token touches, embedding and head included (Mixtral's 12.9 B, Qwen3's 22 B).
    #[must_use]
    pub const fn active(&self) -> u128 {
        self.active
    }

    /// [`active`](Self::active) without the tables of token embeddings and positions, the head included (gpt-oss,
    /// DeepSeek). A tied tensor is also the head, and stays.
    #[must_use]
    pub const fn active_without_embedding(&self) -> u128 {
        let kept = if self.tied { self.token_table } else { 0 };
        self.active.saturating_sub(self.tables).saturating_add(kept)
    }

    /// [`active`](Self::active) without embedding tables and head (GLM, MiniMax).
    #[must_use]
    pub const fn active_without_embeddings(&self) -> u128 {
        self.active.saturating_sub(self.tables).saturating_sub(self.head)
    }
}

impl Active {
    /// The active parameters in this sense.
    #[must_use]
    pub const fn of(self, parameters: &Parameters) -> u128 {
        match self {
            Self::All => parameters.active(),
            Self::WithoutEmbedding => parameters.active_without_embedding(),
            Self::WithoutEmbeddings => parameters.active_without_embeddings(),
        }
    }
}

const WHAT: &str = "the model's parameters";

pub(super) fn occurring(parameters: u64, line: &Line) -> Result<u128> {
    u128::from(parameters).times(u128::from(line.layers), WHAT)
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name, value| writeln!(f, "{name:<36}{:>24}", grouped(value));
        row("held", self.total)?;
        if self.mtp > 0 {
            row("held by multi-token prediction", self.mtp)?;
        }
        row("active", self.active)?;
        row("  without the input embedding", self.active_without_embedding())?;
        write!(f, "{:<36}{:>24}", "  without both embeddings", grouped(self.active_without_embeddings()))
    }
}
