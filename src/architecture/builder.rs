//! From parts to a validated architecture.

use std::collections::HashMap;

use super::plan::{FinalNorm, Head, PerLayer, Plan, Run};
use super::{Architecture, Block, Invalid, Layer, Mtp, Norm};
use crate::Result;

/// The parts of an [`Architecture`], in any order; [`build`](Self::build) validates them.
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct ArchitectureBuilder {
    plan: Plan,
    /// The index of each kind of layer, kept once there are more than a few.
    indices: HashMap<Layer, usize>,
    refused: Option<Invalid>,
}

/// No model has nearly as many; the limits keep hostile input from costing more than its own size.
const MOST_RUNS: usize = 100_000;
const MOST_KINDS: usize = 1_024;
/// As many kinds are compared one by one; looking for more, in layers of any length, takes their hash.
const FEW_KINDS: usize = 8;

impl ArchitectureBuilder {
    pub(super) fn new(hidden: u64, vocab: u64, encoder: bool) -> Self {
        Self::of(Plan::new(hidden, vocab, encoder))
    }

    fn of(plan: Plan) -> Self {
        Self { plan, indices: HashMap::new(), refused: None }
    }

    /// One more layer.
    pub fn layer(self, layer: Layer) -> Self {
        self.layers(1, layer)
    }

    /// So many more equal layers. Their number costs nothing.
    pub fn layers(mut self, count: u64, layer: Layer) -> Self {
        if count > 0 {
            let kind = self.kind(layer);
            self.run(kind, count);
        }
        self
    }

    /// So many more equal layers of an encoder that reads a source: the model is an encoder–decoder, whose other layers
    /// are the decoder's, and those among them that attend to the source are given an
    /// [`Attention::cross`](super::Attention::cross).
    ///
    /// The encoder ends in a norm of the kind that its last layer has. Its embedding is the decoder's.
    pub fn encoder_layers(mut self, count: u64, layer: Layer) -> Self {
        if count > 0 {
            let kind = self.encoder_kind(layer);
            self.extend(Stack::Encoder, kind, count);
        }
        self
    }

    /// These layers in turn, so many times: `repeat(13, [local, local, local, local, local, global])`.
    pub fn repeat(mut self, times: u64, layers: impl IntoIterator<Item = Layer>) -> Self {
        if times == 0 {
            return self;
        }
        let mut pattern: Vec<Run> = Vec::new();
        for (index, layer) in layers.into_iter().enumerate() {
            if index == MOST_RUNS {
                // The iterator may have no end.
                let remedy = "`layers` takes any number of equal ones";
                self.refuse(Invalid::TooMany { what: "layers in a pattern", most: MOST_RUNS, remedy });
                return self;
            }
            let kind = self.kind(layer);
            match pattern.last_mut() {
                Some(last) if last.kind == kind => last.layers = last.layers.saturating_add(1),
                _ => pattern.push(Run { kind, layers: 1 }),
            }
        }
        if let [only] = pattern.as_slice() {
            match only.layers.checked_mul(times) {
                Some(layers) => self.run(only.kind, layers),
                None => self.refuse(Invalid::TooManyLayers),
            }
            return self;
        }
        for _ in 0..times {
            if pattern.is_empty() || self.refused.is_some() {
                break;
            }
            for run in &pattern {
                self.run(run.kind, run.layers);
            }
        }
        self
    }

    /// Embedding and head are one tensor.
    pub fn tied(mut self) -> Self {
        self.plan.tied = true;
        self
    }

    /// Multi-token prediction modules after the trunk.
    pub fn mtp(mut self, mtp: Mtp) -> Self {
        self.plan.mtp = Some(mtp);
        self
    }

    /// The embedding is this wide, and projections lead from it to the hidden size and back to the head, as in
    /// OPT-350M.
    pub fn embedding_width(mut self, width: u64) -> Self {
        self.plan.embedding_width = Some(width);
        self
    }

    /// A table of so many learned positions, each of the hidden size. Rotary positions hold nothing and need not be
    /// given.
    pub fn positions(mut self, rows: u64) -> Self {
        self.plan.positions = rows;
        self
    }

    /// A table of so many token types (segments), each of the hidden size, as in BERT.
    pub fn token_types(mut self, rows: u64) -> Self {
        self.plan.token_types = rows;
        self
    }

    /// A second embedding, `width` wide, of every token for each layer, with a projection of the hidden stream that is
    /// added to it and a norm of that width, as in Gemma 4.
    ///
    /// It holds `vocab·L·w` parameters, `h·L·w` in the projection and `w` in the norm, `L` being the depth of the
    /// trunk. What each layer does with its embedding are blocks of that layer.
    pub fn per_layer_embedding(mut self, vocab: u64, width: u64) -> Self {
        self.plan.per_layer = Some(PerLayer { vocab, width });
        self
    }

    /// So many residual streams, which a learned mix (`n·h·n + n + 1` parameters) makes one in front of the final norm.
    /// Each block reads and writes them by a [`HyperConnection`](super::HyperConnection).
    pub fn residual_streams(mut self, streams: u64) -> Self {
        self.plan.streams = Some(streams);
        self
    }

    /// In front of the head a matrix of the hidden size with a bias, and this norm, as in BERT.
    pub fn head_transform(mut self, norm: Norm) -> Self {
        self.plan.head_transform = Some(norm);
        self
    }

    /// Embedding and head are padded to a multiple of so many rows, as frameworks do for tensor parallelism.
    pub fn padded_vocab(mut self, multiple: u64) -> Self {
        let vocab = self.plan.vocab;
        match vocab.checked_next_multiple_of(multiple) {
            Some(padded) => self.plan.padded_vocab = padded,
            None if multiple == 0 => self.refuse(Invalid::Zero { field: "the multiple to pad to" }),
            None => self.refuse(Invalid::Padding { vocab, multiple }),
        }
        self
    }

    /// A norm right after the embedding, as in BERT and BLOOM.
    pub fn embedding_norm(mut self, norm: Norm) -> Self {
        self.plan.embedding_norm = Some(norm);
        self
    }

    /// This norm between the last layer and the head. Unless said, it is of the kind of the last norm of the last
    /// layer.
    pub fn final_norm(mut self, norm: Norm) -> Self {
        self.plan.final_norm = FinalNorm::Given(norm);
        self
    }

    /// No norm between the last layer and the head, as in BERT.
    pub fn without_final_norm(mut self) -> Self {
        self.plan.final_norm = FinalNorm::None;
        self
    }

    /// The LM head has a bias.
    pub fn head_bias(mut self) -> Self {
        self.plan.head = Head::Biased;
        self
    }

    /// No LM head: a body whose hidden states are the output.
    pub fn without_head(mut self) -> Self {
        self.plan.head = Head::None;
        self
    }

    /// Validates the whole and gives the architecture.
    ///
    /// # Errors
    ///
    /// Names the size that is zero, does not divide or exceeds another, with what it was held against.
    pub fn build(self) -> Result<Architecture> {
        if let Some(refused) = self.refused {
            return Err(refused.into());
        }
        let mut plan = self.plan;
        if let Some(mtp) = plan.mtp.as_mut().filter(|_| plan.encoder) {
            see_whole_sequence(&mut mtp.layer)?;
        }
        plan.check()?;
        if plan.source_runs.is_empty() {
            plan.source_norm = FinalNorm::None;
        } else {
            plan.number_by_first_use();
        }
        if plan.final_norm == FinalNorm::AsInLayers {
            plan.final_norm = plan.last_norm(&plan.runs);
        }
        if plan.source_norm == FinalNorm::AsInLayers {
            plan.source_norm = plan.last_norm(&plan.source_runs);
        }
        Ok(Architecture(plan))
    }

    fn refuse(&mut self, invalid: Invalid) {
        self.refused.get_or_insert(invalid);
    }

    /// The index of this kind of layer; equal layers are one kind.
    fn kind(&mut self, mut layer: Layer) -> usize {
        if self.plan.encoder {
            if let Err(invalid) = see_whole_sequence(&mut layer) {
                self.refuse(invalid);
            }
        }
        if let Some(known) = self.known(&layer) {
            return known;
        }
        let index = self.plan.kinds.len();
        if index == MOST_KINDS {
            let remedy = "layers that are equal share a kind";
            self.refuse(Invalid::TooMany { what: "kinds of layer", most: MOST_KINDS, remedy });
            return index;
        }
        self.plan.kinds.push(layer);
        if self.plan.kinds.len() > FEW_KINDS {
            let unknown = self.plan.kinds.iter().enumerate().skip(self.indices.len());
            self.indices.extend(unknown.map(|(index, layer)| (layer.clone(), index)));
        }
        index
    }

    /// The index of this kind of layer in the encoder that reads a source.
    fn encoder_kind(&mut self, mut layer: Layer) -> usize {
        if let Err(invalid) = see_whole_sequence(&mut layer) {
            self.refuse(invalid);
        }
        self.kind(layer)
    }

    fn known(&self, layer: &Layer) -> Option<usize> {
        let kinds = &self.plan.kinds;
        if kinds.len() > FEW_KINDS {
            self.indices.get(layer).copied()
        } else {
            kinds.iter().position(|kind| kind == layer)
        }
    }

    fn run(&mut self, kind: usize, layers: u64) {
        self.extend(Stack::Trunk, kind, layers);
    }

    fn extend(&mut self, stack: Stack, kind: usize, layers: u64) {
        let runs = match stack {
            Stack::Trunk => &mut self.plan.runs,
            Stack::Encoder => &mut self.plan.source_runs,
        };
        if layers == 0 {
            return;
        }
        if let Some(last) = runs.last_mut().filter(|last| last.kind == kind) {
            match last.layers.checked_add(layers) {
                Some(sum) => last.layers = sum,
                None => self.refuse(Invalid::TooManyLayers),
            }
        } else if runs.len() < MOST_RUNS {
            runs.push(Run { kind, layers });
        } else {
            let remedy = "a run of equal layers may have any length, a pattern may not";
            self.refuse(Invalid::TooMany { what: "runs of layers", most: MOST_RUNS, remedy });
        }
    }
}

/// One of the two stacks that layers are added to.
#[derive(Clone, Copy)]
enum Stack {
    Trunk,
    Encoder,
}

fn see_whole_sequence(layer: &mut Layer) -> Result<(), Invalid> {
    layer.blocks_mut().iter_mut().try_for_each(Block::see_whole_sequence)
}

impl Plan {
    /// Validated and brought into canonical form like what is built: whatever the plan says of kinds and runs, equal
    /// layers are one kind.
    pub(super) fn rebuilt(mut self) -> Result<Architecture> {
        let kinds = std::mem::take(&mut self.kinds);
        let stacks =
            [(Stack::Trunk, std::mem::take(&mut self.runs)), (Stack::Encoder, std::mem::take(&mut self.source_runs))];
        let mut builder = ArchitectureBuilder::of(self);
        // Old index → new ones, one for each stack, or none while no run has named it: a kind without a run is no part
        // of the model.
        let mut kinds: Vec<(Layer, [Option<usize>; 2])> = kinds.into_iter().map(|layer| (layer, [None; 2])).collect();
        for (stack, run) in stacks.into_iter().flat_map(|(stack, runs)| runs.into_iter().map(move |run| (stack, run))) {
            let Some((layer, [in_trunk, in_encoder])) = kinds.get_mut(run.kind) else {
                return Err(Invalid::NoSuchKind { kind: run.kind }.into());
            };
            // As when it is built, a run of no layers says nothing, and its kind may be no part of the model either.
            if run.layers == 0 {
                continue;
            }
            let kind = match stack {
                Stack::Trunk => *in_trunk.get_or_insert_with(|| builder.kind(layer.clone())),
                Stack::Encoder => *in_encoder.get_or_insert_with(|| builder.encoder_kind(layer.clone())),
            };
            builder.extend(stack, kind, run.layers);
        }
        builder.build()
    }
}

#[cfg(feature = "serde")]
mod stored {
    use super::{Architecture, Plan};

    impl From<Architecture> for Plan {
        fn from(architecture: Architecture) -> Self {
            architecture.0
        }
    }

    impl TryFrom<Plan> for Architecture {
        type Error = crate::Error;

        fn try_from(plan: Plan) -> crate::Result<Self> {
            plan.rebuilt()
        }
    }
}
