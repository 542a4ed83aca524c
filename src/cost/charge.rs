//! What one line costs: the only place where ledger, convention and recipe meet.

use crate::batch::{Measure, Stream, View};
use crate::convention::{Basis, Convention, Core, Hardware, Inclusion, Windows};
use crate::exact::Exact;
use crate::ledger::{Component, Group, Line, Place, Work};
use crate::{Frozen, Recipe, Recompute, Result, Span};

/// FLOPs of one kind in the three senses that a step has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flops {
    pub(crate) forward: u128,
    pub(crate) training: u128,
    pub(crate) hardware: u128,
}

impl Flops {
    pub(crate) fn plus(self, other: Self) -> Result<Self> {
        Ok(Self {
            forward: self.forward.plus(other.forward, "forward FLOPs")?,
            training: self.training.plus(other.training, "training FLOPs")?,
            hardware: self.hardware.plus(other.hardware, "hardware FLOPs")?,
        })
    }

    pub(crate) fn times(self, factor: u128) -> Result<Self> {
        Ok(Self {
            forward: self.forward.times(factor, "forward FLOPs")?,
            training: self.training.times(factor, "training FLOPs")?,
            hardware: self.hardware.times(factor, "hardware FLOPs")?,
        })
    }

    /// Of FLOPs multiplied with doubled pairs: their halves. Every product of the two is even: work per pair is, except
    /// the softmax's, and that is never measured by an area.
    pub(crate) const fn halved(self) -> Self {
        Self { forward: self.forward / 2, training: self.training / 2, hardware: self.hardware / 2 }
    }
}

/// What a line is charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Every token.
    Token,
    /// Every token of the source that an encoder reads.
    Source,
    /// Every position with logits.
    Logit,
    /// Every pair of a query and a key, as the convention sees them.
    Pair(Pairs),
}

/// The pairs that a part of the attention core is charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pairs {
    /// As the convention sees them.
    pub(crate) view: View,
    /// As the mask has them, where the convention may see more.
    pub(crate) mask: Option<View>,
}

/// What a line costs per unit, all its occurrences together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charge {
    pub(crate) unit: Unit,
    pub(crate) flops: Flops,
    /// Of the training FLOPs, those charged for parameters that the token does not touch.
    pub(crate) idle: u128,
}

/// What the line costs, or `None` where it is not counted.
pub(crate) fn charge(line: &Line, convention: &Convention, recipe: Recipe) -> Result<Option<Charge>> {
    if !placed(line, convention) {
        return Ok(None);
    }
    let (unit, per_occurrence, idle) = if let Work::PerPair { flops, span } = line.work {
        let Some(pairs) = pairs(line, span, convention) else {
            return Ok(None);
        };
        (Unit::Pair(pairs), flops.into(), 0)
    } else {
        let basis = basis(line.component, convention);
        // A rule on parameters charges every token for all of them, wherever the head's matmul runs.
        let by_position = line.component.group() == Group::LmHead && basis == Basis::Work;
        let unit = match line.place {
            Place::Encoder => Unit::Source,
            Place::Trunk | Place::Mtp if by_position => Unit::Logit,
            Place::Trunk | Place::Mtp => Unit::Token,
        };
        (unit, per_token(line, basis, convention)?, idle_parameters(line, basis))
    };
    if per_occurrence == 0 {
        return Ok(None);
    }
    let what = line.component.name();
    let forward = per_occurrence.times(line.layers.into(), what)?;
    let idle = u128::from(idle).times(line.layers.into(), what)?.times(2, what)?.times(passes(line, recipe), what)?;
    Ok(Some(Charge { unit, flops: step(line, forward, convention, recipe)?, idle }))
}

/// A trained operation runs once forward and twice backward (for its input and for its weights, or for both sides of a
/// pair).
const STEP: u128 = 3;

/// One whose weights are frozen runs once backward, for its input.
const FROZEN_STEP: u128 = 2;

/// Whether the convention counts this place and part of the model.
fn placed(line: &Line, convention: &Convention) -> bool {
    let inclusion = match (line.place, line.component) {
        (Place::Trunk | Place::Encoder, _) => Inclusion::In,
        (Place::Mtp, Component::LmHead) => convention.mtp.head,
        (Place::Mtp, Component::MtpProjection | Component::MtpNorm) => convention.mtp.projection,
        (Place::Mtp, _) => convention.mtp.layer,
    };
    inclusion == Inclusion::In
}

/// The axis that a component with parameters is counted on.
const fn basis(component: Component, convention: &Convention) -> Basis {
    match component {
        Component::Embedding | Component::Positions | Component::TokenTypes | Component::PerLayerEmbedding => {
            convention.embedding
        }
        Component::LmHead | Component::HeadTransform => convention.head,
        Component::Router | Component::AttentionRouter => convention.router,
        Component::LatentNorm | Component::MtpNorm => convention.latent_norms,
        _ => convention.weights,
    }
}

/// Forward FLOPs per token of one occurrence.
fn per_token(line: &Line, basis: Basis, convention: &Convention) -> Result<u128> {
    let what = line.component.name();
    let scan = match (line.work, convention.scan) {
        (Work::PerToken(flops), Inclusion::In) => u128::from(flops),
        _ => 0,
    };
    let weights = match (basis, line.work) {
        (Basis::Work, Work::Matmul(matmul)) => u128::from(matmul.inputs)
            .times(matmul.outputs.into(), what)?
            .times(matmul.used.into(), what)?
            .times(2, what)?,
        (Basis::Out | Basis::Work, _) => 0,
        (Basis::Active, _) => u128::from(line.active_parameters).times(2, what)?,
        (Basis::Stored, _) => u128::from(line.parameters).times(2, what)?,
    };
    weights.plus(scan, what)
}

/// The parameters of one occurrence that are counted although the token does not touch them.
const fn idle_parameters(line: &Line, basis: Basis) -> u64 {
    match basis {
        Basis::Stored => line.parameters.saturating_sub(line.active_parameters),
        Basis::Out | Basis::Work | Basis::Active => 0,
    }
}

/// How the convention sees the pairs of a part of the attention core, if it counts them.
fn pairs(line: &Line, span: Span, convention: &Convention) -> Option<Pairs> {
    let softmax = line.component == Component::AttentionSoftmax;
    if softmax && convention.softmax == Inclusion::Out {
        return None;
    }
    let whole = match convention.core {
        Core::Out => return None,
        Core::Full => Measure::Rectangle,
        // No elementwise operation runs on half a pair.
        Core::Half if softmax => Measure::Mask,
        Core::Half => Measure::Area,
        Core::Exact => Measure::Mask,
    };
    let stream = if line.place == Place::Encoder { Stream::Source } else { Stream::Target };
    // What the span would be if it chose no keys: as it is, where it does not choose.
    let unbounded = match span {
        Span::Window(_) | Span::Chunk(_) | Span::TopK(_) => Span::Causal,
        Span::Compressed { ratio, .. } => Span::Compressed { ratio, top_k: None },
        Span::Causal | Span::Bidirectional | Span::Cross => span,
    };
    let view = match convention.windows {
        Windows::Ignored => View { stream, span: unbounded, whole, cut: whole },
        Windows::Honoured => View { stream, span, whole, cut: whole },
        Windows::Exact => View { stream, span, whole, cut: if unbounded == span { whole } else { Measure::Mask } },
    };
    let mask = View { stream, span, whole: Measure::Mask, cut: Measure::Mask };
    let may_see_more = view.span != span || whole == Measure::Rectangle;
    Some(Pairs { view, mask: may_see_more.then_some(mask) })
}

/// How many forward passes a line costs in a training step.
const fn passes(line: &Line, recipe: Recipe) -> u128 {
    let frozen = matches!(recipe.frozen, Frozen::Layers) && in_a_layer(line.component);
    if frozen && matches!(line.work, Work::Matmul(_) | Work::None) { FROZEN_STEP } else { STEP }
}

/// From a forward pass to a training step, and to what the hardware performs in it.
fn step(line: &Line, forward: u128, convention: &Convention, recipe: Recipe) -> Result<Flops> {
    let what = line.component.name();
    let scores = line.component == Component::AttentionScores && convention.scores_recomputed == Inclusion::In;
    let training = forward.times(if scores { STEP + 1 } else { passes(line, recipe) }, what)?;
    let recomputed = match (recipe.recompute, convention.hardware) {
        (Recompute::None, _) => 0,
        (Recompute::Full, Hardware::WholeStep) => forward,
        (Recompute::Full, _) if !in_a_layer(line.component) => 0,
        (Recompute::Full, Hardware::CoreTwice) if line.component.group() == Group::AttentionCore => training,
        (Recompute::Full, Hardware::Performed | Hardware::CoreTwice) => forward,
    };
    Ok(Flops { forward, training, hardware: training.plus(recomputed, what)? })
}

/// Embedding, head and what leads to them stand outside the layers whose activations a recompute throws away. A norm
/// outside the layers is not told apart from one inside.
const fn in_a_layer(component: Component) -> bool {
    !matches!(
        component,
        Component::Embedding
            | Component::Positions
            | Component::TokenTypes
            | Component::PerLayerEmbedding
            | Component::PerLayerProjection
            | Component::EmbeddingProjection
            | Component::HeadTransform
            | Component::LmHead
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A scan of 1,000 FLOPs per token with 10 parameters, in 3 layers.
    const SCAN: Line = Line {
        place: Place::Trunk,
        component: Component::Scan,
        work: Work::PerToken(1_000),
        parameters: 10,
        active_parameters: 10,
        shared: false,
        layers: 3,
    };

    fn training(convention: Convention) -> u128 {
        charge(&SCAN, &convention, Recipe::default()).unwrap().map_or(0, |charge| charge.flops.training)
    }

    #[test]
    fn a_scan_counts_by_its_own_axis_beside_its_parameters() {
        let scan_out = Convention { scan: Inclusion::Out, ..Convention::EXACT };
        let active = Convention { weights: Basis::Active, ..Convention::EXACT };
        // 3 passes × 3 layers × 1,000; with the parameters, 2·10 more each.
        assert_eq!(training(Convention::EXACT), 9_000);
        assert_eq!(training(scan_out), 0);
        assert_eq!(training(active), 9_000 + 180);
        assert_eq!(training(Convention { weights: Basis::Active, ..scan_out }), 180);
    }

    #[test]
    fn presets_that_count_a_scan() {
        // 180 for the parameters, where the rule is on those.
        for &(name, preset) in Convention::presets() {
            let parameters = if preset.weights == Basis::Work { 0 } else { 180 };
            let counted =
                ["EXACT", "DEEPSEEK", "MEGATRON", "MAXTEXT", "OLMO_CORE"].iter().any(|tool| name.starts_with(tool));
            assert_eq!(training(preset), parameters + if counted { 9_000 } else { 0 }, "{name}");
        }
    }

    #[test]
    fn an_overflow_names_the_component() {
        let line = Line { layers: u64::MAX, work: Work::PerToken(u64::MAX), ..SCAN };
        let error = charge(&line, &Convention::EXACT, Recipe::default()).unwrap_err();
        assert!(error.is_overflow() && error.to_string().starts_with("overflow in scan:"), "{error}");
    }
}
