//! Whether a model is one that a convention's formula was written for.

use crate::convention::{Convention, Domain};
use crate::error::{Cause, Class, Result};
use crate::ledger::{Component, Ledger, Matmul, Work};

/// A convention asked for a model that its formula was not written for.
#[derive(Debug, thiserror::Error)]
#[error("{convention} is a formula for {written_for}; this architecture has: {found}")]
struct OutsideDomain {
    convention: String,
    written_for: &'static str,
    found: String,
}

impl Cause for OutsideDomain {
    const CLASS: Class = Class::NotApplicable;
}

/// Refuses a model that the convention's formula was not written for.
pub(super) fn admit(ledger: &Ledger, convention: &Convention) -> Result<()> {
    let hidden = ledger.hidden();
    let (written_for, fits): (_, fn(Component, Matmul, u64) -> bool) = match convention.domain {
        Domain::Any => return Ok(()),
        Domain::HeadsFillHidden => ("models whose heads fill the hidden size", heads_fill),
        Domain::GptLayers => ("multi-head attention and an ungated feed-forward of four hidden sizes", is_gpt),
    };
    for line in ledger.lines() {
        if let Work::Matmul(matmul) = line.work {
            if !fits(line.component, matmul, hidden) {
                let found = format!("{} of {matmul} at hidden size {hidden}", line.component);
                return Err(OutsideDomain { convention: convention.label(), written_for, found }.into());
            }
        }
    }
    Ok(())
}

fn heads_fill(component: Component, matmul: Matmul, hidden: u64) -> bool {
    !matches!(component, Component::QueryProjection | Component::QueryUp) || matmul.outputs == hidden
}

fn is_gpt(component: Component, matmul: Matmul, hidden: u64) -> bool {
    match component {
        Component::QueryProjection | Component::KeyProjection | Component::ValueProjection => {
            (matmul.inputs, matmul.outputs) == (hidden, hidden)
        }
        Component::FeedForwardUp => matmul.used == 1 && hidden.checked_mul(4) == Some(matmul.outputs),
        Component::OutputProjection | Component::FeedForwardDown | Component::LmHead => true,
        _ => false,
    }
}
