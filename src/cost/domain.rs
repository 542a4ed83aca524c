//! Whether a model is one that a convention's formula was written for.

use crate::convention::{Convention, Domain};
use crate::error::{Cause, Class, Result};
use crate::ledger::{Component, Group, Ledger, Matmul, Work};

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
    let (written_for, fits): (_, fn(Component, Matmul, u64) -> bool) = match convention.domain {
        Domain::Any => return Ok(()),
        Domain::HeadsFillHidden => ("models whose heads fill the hidden size", heads_fill),
        Domain::GptLayers => ("multi-head attention and an ungated feed-forward of four hidden sizes", is_gpt),
    };
    match outside(ledger, convention.domain, fits) {
        Some(found) => Err(OutsideDomain { convention: convention.label(), written_for, found }.into()),
        None => Ok(()),
    }
}

/// What of a model a formula was not written for.
fn outside(ledger: &Ledger, domain: Domain, fits: fn(Component, Matmul, u64) -> bool) -> Option<String> {
    if ledger.reads_source() {
        return Some("an encoder that reads a source".to_owned());
    }
    let hidden = ledger.hidden();
    let unfit = ledger.lines().iter().find_map(|line| match line.work {
        Work::Matmul(matmul) if !fits(line.component, matmul, hidden) => {
            Some(format!("{} of {matmul} at hidden size {hidden}", line.component))
        }
        _ => None,
    });
    let layers_with = |component| -> u128 {
        let lines = ledger.lines().iter().filter(|line| line.component == component);
        lines.map(|line| u128::from(line.layers)).fold(0, u128::saturating_add)
    };
    let [attentions, feed_forwards] = [Component::QueryProjection, Component::FeedForwardUp].map(layers_with);
    let uneven = || format!("{attentions} layers of attention and {feed_forwards} of feed-forward");
    unfit.or_else(|| (domain == Domain::GptLayers && attentions != feed_forwards).then(uneven))
}

fn heads_fill(component: Component, matmul: Matmul, hidden: u64) -> bool {
    match component {
        Component::QueryProjection | Component::QueryUp => matmul.outputs == hidden,
        Component::OutputProjection => matmul.inputs == hidden,
        other => other.group() != Group::Mixer,
    }
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
