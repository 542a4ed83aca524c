//! From blocks to lines: what each kind of block holds and does.

mod attention;
mod mixer;

use super::{Component, Line, Matmul, Place, Work};
use crate::Result;
use crate::architecture::{
    Architecture, Block, Experts, FeedForward, FinalNorm, Head, HyperConnection, Layer, Norm, Plan, Run,
};
use crate::exact::Exact;

/// All lines of an architecture, equal ones merged, in the order of a forward pass.
pub(super) fn lines(architecture: &Architecture) -> Result<Vec<Line>> {
    let plan = architecture.plan();
    // The longest known layer is some twenty lines, and few models have more than two kinds.
    let mut posting =
        Posting { lines: Vec::with_capacity(48), place: Place::Trunk, layers: 1, shared: false, hidden: plan.hidden };

    let width = plan.embedding_width.unwrap_or(plan.hidden);
    posting.table(Component::Embedding, plan.padded_vocab, width)?;
    for (component, rows) in [(Component::Positions, plan.positions), (Component::TokenTypes, plan.token_types)] {
        if rows > 0 {
            posting.table(component, rows, plan.hidden)?;
        }
    }
    if let Some(per_layer) = plan.per_layer {
        let all = per_layer.width.times(architecture.depth(), Component::PerLayerEmbedding.name())?;
        posting.table(Component::PerLayerEmbedding, per_layer.vocab, all)?;
        posting.matmul(Component::PerLayerProjection, plan.hidden, all, Copies::ONE, false)?;
        posting.weights(Component::Norm, per_layer.width);
    }
    if plan.embedding_width.is_some() {
        posting.matmul(Component::EmbeddingProjection, width, plan.hidden, Copies::ONE, false)?;
    }
    if let Some(norm) = plan.embedding_norm {
        posting.norm(Component::Norm, norm, plan.hidden)?;
    }
    posting.stack(plan, &plan.runs, plan.final_norm)?;
    posting.place = Place::Encoder;
    posting.stack(plan, &plan.source_runs, plan.source_norm)?;
    posting.place = Place::Trunk;
    if let Some(streams) = plan.streams {
        posting.merge_streams(streams)?;
    }
    if plan.embedding_width.is_some() && plan.head != Head::None {
        posting.matmul(Component::EmbeddingProjection, plan.hidden, width, Copies::ONE, false)?;
    }
    if let Some(norm) = plan.head_transform {
        posting.matmul(Component::HeadTransform, plan.hidden, plan.hidden, Copies::ONE, true)?;
        posting.norm(Component::Norm, norm, plan.hidden)?;
    }
    let head = HeadShape { width, vocab: plan.padded_vocab, biased: plan.head == Head::Biased };
    if plan.head != Head::None {
        posting.head(head, plan.tied)?;
    }

    if let Some(mtp) = &plan.mtp {
        posting.place = Place::Mtp;
        posting.layers = mtp.depth;
        if mtp.owns_embedding {
            posting.table(Component::Embedding, plan.padded_vocab, width)?;
        }
        let two_streams = plan.hidden.times(2, "MTP projection")?;
        posting.matmul(Component::MtpProjection, two_streams, plan.hidden, Copies::ONE, false)?;
        let norm = mtp.layer.last_norm().unwrap_or(Norm::rms());
        posting.norm(Component::MtpNorm, norm, plan.hidden.times(3, "MTP norms")?)?;
        posting.layer(&mtp.layer)?;
        posting.head(head, !mtp.owns_head)?;
    }
    merged(posting.lines)
}

const OCCURRENCES: &str = "the occurrences of one operation";

fn merged(mut lines: Vec<Line>) -> Result<Vec<Line>> {
    lines.sort_unstable();
    let mut failed = Ok(());
    lines.dedup_by(|line, kept| {
        let like = line.is_like(kept);
        if like {
            match kept.layers.plus(line.layers, OCCURRENCES) {
                Ok(sum) => kept.layers = sum,
                Err(overflow) => failed = Err(overflow),
            }
        }
        like
    });
    failed.map(|()| lines)
}

/// How many equal matrices there are, and how many of them one token is multiplied with.
#[derive(Clone, Copy)]
struct Copies {
    held: u64,
    used: u64,
}

impl Copies {
    const ONE: Self = Self::all(1);

    const fn all(count: u64) -> Self {
        Self { held: count, used: count }
    }
}

#[derive(Clone, Copy)]
struct HeadShape {
    width: u64,
    vocab: u64,
    biased: bool,
}

struct Posting {
    lines: Vec<Line>,
    place: Place,
    layers: u64,
    shared: bool,
    hidden: u64,
}

impl Posting {
    fn line(&mut self, component: Component, work: Work, parameters: u64, active_parameters: u64) {
        let (place, layers, shared) = (self.place, self.layers, self.shared);
        let (parameters, active_parameters) = if shared { (0, 0) } else { (parameters, active_parameters) };
        self.lines.push(Line { place, component, work, parameters, active_parameters, shared, layers });
    }

    fn table(&mut self, component: Component, rows: u64, width: u64) -> Result<()> {
        let parameters = rows.times(width, component.name())?;
        self.line(component, Work::None, parameters, parameters);
        Ok(())
    }

    /// Parameters that take part in no matmul.
    fn weights(&mut self, component: Component, parameters: u64) {
        self.line(component, Work::None, parameters, parameters);
    }

    fn norm(&mut self, component: Component, norm: Norm, width: u64) -> Result<()> {
        let parameters = norm.parameters(width)?;
        self.weights(component, parameters);
        Ok(())
    }

    fn matmul(&mut self, component: Component, inputs: u64, outputs: u64, copies: Copies, biased: bool) -> Result<()> {
        let what = component.name();
        let bias = if biased { outputs } else { 0 };
        let each = inputs.times(outputs, what)?.plus(bias, what)?;
        let (held, active) = (each.times(copies.held, what)?, each.times(copies.used, what)?);
        let work = Matmul { inputs, outputs, held: copies.held, used: copies.used };
        self.line(component, Work::Matmul(work), held, active);
        Ok(())
    }

    fn head(&mut self, head: HeadShape, shared: bool) -> Result<()> {
        let HeadShape { width, vocab, biased } = head;
        if shared && biased && self.place == Place::Trunk {
            // A tied head still has its own bias.
            self.matmul_with_own_bias(width, vocab)
        } else {
            self.sharing(shared, |posting| posting.matmul(Component::LmHead, width, vocab, Copies::ONE, biased))
        }
    }

    fn matmul_with_own_bias(&mut self, width: u64, vocab: u64) -> Result<()> {
        self.sharing(true, |posting| posting.matmul(Component::LmHead, width, vocab, Copies::ONE, false))?;
        self.weights(Component::LmHead, vocab);
        Ok(())
    }

    fn sharing(&mut self, shared: bool, post: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let outer = self.shared;
        self.shared |= shared;
        let posted = post(self);
        self.shared = outer;
        posted
    }

    /// The layers of one stack, each kind once, and the norm that ends it.
    fn stack(&mut self, plan: &Plan, runs: &[Run], norm: FinalNorm) -> Result<()> {
        let mut occurrences = vec![0_u64; plan.kinds.len()];
        for run in runs {
            if let Some(count) = occurrences.get_mut(run.kind) {
                *count = count.plus(run.layers, OCCURRENCES)?;
            }
        }
        for (layer, layers) in plan.kinds.iter().zip(occurrences) {
            if layers > 0 {
                self.layers = layers;
                self.layer(layer)?;
            }
        }
        self.layers = 1;
        match norm {
            FinalNorm::Given(norm) if !runs.is_empty() => self.norm(Component::Norm, norm, plan.hidden),
            _ => Ok(()),
        }
    }

    fn layer(&mut self, layer: &Layer) -> Result<()> {
        layer.blocks().iter().try_for_each(|block| self.block(block))
    }

    fn block(&mut self, block: &Block) -> Result<()> {
        match block {
            Block::Norm(norm) => self.norm(Component::Norm, *norm, self.hidden),
            Block::Attention(attention) => self.attention(attention),
            Block::LatentAttention(attention) => self.latent_attention(attention),
            Block::CompressedAttention(attention) => self.compressed_attention(*attention),
            Block::Mamba(mixer) => self.mamba(*mixer),
            Block::Mamba2(mixer) => self.mamba2(*mixer),
            Block::GatedDeltaNet(mixer) => self.gated_delta_net(*mixer),
            Block::KimiDeltaAttention(mixer) => self.kimi_delta_attention(*mixer),
            Block::LightningAttention(mixer) => self.lightning_attention(*mixer),
            Block::ShortConvolution(mixer) => self.short_convolution(*mixer),
            Block::FeedForward(block) => {
                let [up, down] = [Component::FeedForwardUp, Component::FeedForwardDown];
                self.feed_forward([up, down], *block, self.hidden, Copies::ONE)
            }
            Block::Experts(experts) => self.experts(experts),
            Block::HyperConnection(connection) => self.hyper_connection(*connection),
            Block::Linear(linear) => {
                let component = linear.component.unwrap_or(Component::Linear);
                self.matmul(component, linear.inputs, linear.outputs, Copies::ONE, linear.bias)
            }
            Block::Weights(weights) => {
                self.weights(weights.component, weights.count);
                Ok(())
            }
            Block::Reused(reused) => self.sharing(true, |posting| posting.block(reused.block())),
        }
    }

    /// How a block reads and writes `n` streams: a matrix of `n·h` to `n² + 2n` with biases and three scales, and the
    /// `n·n` mix that it makes for this token, applied to every channel.
    fn hyper_connection(&mut self, connection: HyperConnection) -> Result<()> {
        let (component, streams) = (Component::HyperConnection, connection.streams);
        let what = component.name();
        let inputs = streams.times(self.hidden, what)?;
        let outputs = streams.times(streams, what)?.plus(streams.times(2, what)?, what)?;
        self.matmul(component, inputs, outputs, Copies::ONE, true)?;
        self.weights(component, 3);
        let work = Matmul { inputs: streams, outputs: streams, held: 0, used: self.hidden };
        self.line(component, Work::Matmul(work), 0, 0);
        Ok(())
    }

    /// The mix that makes the residual streams one.
    fn merge_streams(&mut self, streams: u64) -> Result<()> {
        let component = Component::HyperConnection;
        let inputs = streams.times(self.hidden, component.name())?;
        self.matmul(component, inputs, streams, Copies::ONE, true)?;
        self.weights(component, 1);
        Ok(())
    }

    fn feed_forward(
        &mut self,
        [up, down]: [Component; 2],
        block: FeedForward,
        input: u64,
        copies: Copies,
    ) -> Result<()> {
        let matrices = block.up_matrices();
        let ups =
            Copies { held: copies.held.times(matrices, up.name())?, used: copies.used.times(matrices, up.name())? };
        self.matmul(up, input, block.width, ups, block.up_bias)?;
        self.matmul(down, block.width, input, copies, block.down_bias)
    }

    fn experts(&mut self, experts: &Experts) -> Result<()> {
        use Component as C;
        let hidden = self.hidden;
        self.matmul(C::Router, hidden, experts.router_width, Copies::ONE, experts.router_bias)?;
        if let Some(latent) = experts.latent {
            self.matmul(C::LatentDown, hidden, latent, Copies::ONE, false)?;
            self.matmul(C::LatentUp, latent, hidden, Copies::ONE, false)?;
        }
        let copies = Copies { held: experts.count, used: experts.top_k };
        let width = experts.latent.unwrap_or(hidden);
        self.feed_forward([C::ExpertUp, C::ExpertDown], experts.expert, width, copies)?;
        if let Some(shared) = experts.shared {
            let copies = Copies::all(shared.count);
            self.feed_forward([C::SharedExpertUp, C::SharedExpertDown], shared.expert, hidden, copies)?;
        }
        if experts.shared_gate {
            self.matmul(C::SharedExpertGate, hidden, 1, Copies::ONE, false)?;
        }
        Ok(())
    }
}
