//! From blocks to lines: what each kind of block holds and does.

use super::{Component, Line, Matmul, Place, Work};
use crate::architecture::{
    Architecture, Attention, Block, Experts, FeedForward, FinalNorm, Gate, Head, LatentAttention, Layer, Norm, QkNorm,
};
use crate::exact::Exact;
use crate::{Result, Span};

/// All lines of an architecture, equal ones merged, in the order of a forward pass.
pub(super) fn lines(architecture: &Architecture) -> Result<Vec<Line>> {
    let plan = architecture.plan();
    // The longest known layer is some twenty lines, and few models have more than two kinds.
    let mut posting =
        Posting { lines: Vec::with_capacity(48), place: Place::Trunk, layers: 1, shared: false, hidden: plan.hidden };

    let width = plan.embedding_width.unwrap_or(plan.hidden);
    posting.table(Component::Embedding, plan.padded_vocab, width)?;
    if plan.positions > 0 {
        posting.table(Component::Positions, plan.positions, plan.hidden)?;
    }
    if plan.embedding_width.is_some() {
        posting.matmul(Component::EmbeddingProjection, width, plan.hidden, Copies::ONE, false)?;
    }
    if let Some(norm) = plan.embedding_norm {
        posting.norm(Component::Norm, norm, plan.hidden)?;
    }
    let mut occurrences = vec![0_u64; plan.kinds.len()];
    for run in &plan.runs {
        if let Some(count) = occurrences.get_mut(run.kind) {
            *count = count.plus(run.layers, OCCURRENCES)?;
        }
    }
    for (layer, layers) in plan.kinds.iter().zip(occurrences) {
        posting.layers = layers;
        posting.layer(layer)?;
    }
    posting.layers = 1;
    if let FinalNorm::Given(norm) = plan.final_norm {
        posting.norm(Component::Norm, norm, plan.hidden)?;
    }
    if plan.embedding_width.is_some() && plan.head != Head::None {
        posting.matmul(Component::EmbeddingProjection, plan.hidden, width, Copies::ONE, false)?;
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

    fn layer(&mut self, layer: &Layer) -> Result<()> {
        layer.blocks().iter().try_for_each(|block| self.block(block))
    }

    fn block(&mut self, block: &Block) -> Result<()> {
        match block {
            Block::Norm(norm) => self.norm(Component::Norm, *norm, self.hidden),
            Block::Attention(attention) => self.attention(attention),
            Block::LatentAttention(attention) => self.latent_attention(attention),
            Block::FeedForward(block) => {
                let [up, down] = [Component::FeedForwardUp, Component::FeedForwardDown];
                self.feed_forward([up, down], *block, self.hidden, Copies::ONE)
            }
            Block::Experts(experts) => self.experts(experts),
            Block::Linear(linear) => {
                self.matmul(Component::Linear, linear.inputs, linear.outputs, Copies::ONE, linear.bias)
            }
            Block::Reused(reused) => self.sharing(true, |posting| posting.block(reused.block())),
        }
    }

    fn attention(&mut self, attention: &Attention) -> Result<()> {
        use Component as C;
        let Attention { heads, kv_heads, qk_dim, value_dim, biases, span, .. } = *attention;
        let input = attention.input_width.unwrap_or(self.hidden);
        let queries = heads.times(qk_dim, C::QueryProjection.name())?;
        let keys = kv_heads.times(qk_dim, C::KeyProjection.name())?;
        let values = kv_heads.times(value_dim, C::ValueProjection.name())?;
        let outputs = heads.times(value_dim, C::OutputProjection.name())?;

        self.matmul(C::QueryProjection, input, queries, Copies::ONE, biases.query)?;
        self.matmul(C::KeyProjection, input, keys, Copies::ONE, biases.key)?;
        self.matmul(C::ValueProjection, input, values, Copies::ONE, biases.value)?;
        let norm = C::QueryKeyNorm;
        match attention.qk_norm {
            QkNorm::None => {}
            QkNorm::PerHead => self.weights(norm, qk_dim.times(2, norm.name())?),
            QkNorm::WholeWidth => self.weights(norm, queries.plus(keys, norm.name())?),
        }
        self.core(heads, qk_dim, value_dim, span)?;
        if attention.sinks {
            self.weights(C::AttentionSinks, heads);
        }
        match attention.gate {
            Gate::None => {}
            Gate::PerChannel => self.matmul(C::AttentionGate, input, outputs, Copies::ONE, false)?,
            Gate::PerHead => self.matmul(C::AttentionGate, input, heads, Copies::ONE, false)?,
        }
        self.matmul(C::OutputProjection, outputs, self.hidden, Copies::ONE, biases.output)
    }

    fn latent_attention(&mut self, attention: &LatentAttention) -> Result<()> {
        use Component as C;
        let LatentAttention { heads, kv_rank, nope_dim, rope_dim, value_dim, bias, span, .. } = *attention;
        let qk_dim = nope_dim.plus(rope_dim, C::QueryProjection.name())?;
        let queries = heads.times(qk_dim, C::QueryProjection.name())?;

        if let Some(rank) = attention.query_rank {
            self.matmul(C::QueryDown, self.hidden, rank, Copies::ONE, bias)?;
            self.weights(C::LatentNorm, rank);
            self.matmul(C::QueryUp, rank, queries, Copies::ONE, false)?;
        } else {
            self.matmul(C::QueryProjection, self.hidden, queries, Copies::ONE, false)?;
        }
        let latent = kv_rank.plus(rope_dim, C::KeyValueDown.name())?;
        self.matmul(C::KeyValueDown, self.hidden, latent, Copies::ONE, bias)?;
        self.weights(C::LatentNorm, kv_rank);
        let expanded = heads.times(nope_dim.plus(value_dim, C::KeyValueUp.name())?, C::KeyValueUp.name())?;
        self.matmul(C::KeyValueUp, kv_rank, expanded, Copies::ONE, false)?;
        self.core(heads, qk_dim, value_dim, span)?;
        let outputs = heads.times(value_dim, C::OutputProjection.name())?;
        self.matmul(C::OutputProjection, outputs, self.hidden, Copies::ONE, bias)
    }

    /// The attention core: 2·H·d_qk per pair for scores, 3·H for the softmax, 2·H·d_v for values.
    fn core(&mut self, heads: u64, qk_dim: u64, value_dim: u64, span: Span) -> Result<()> {
        let parts = [
            (Component::AttentionScores, 2, qk_dim),
            (Component::AttentionSoftmax, 3, 1),
            (Component::AttentionValues, 2, value_dim),
        ];
        for (component, flops, dim) in parts {
            let what = component.name();
            let flops = heads.times(dim, what)?.times(flops, what)?;
            self.line(component, Work::PerPair { flops, span }, 0, 0);
        }
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
