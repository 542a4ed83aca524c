//! What softmax attention of each kind holds and does.

use super::{Copies, Posting};
use crate::architecture::{
    Attention, CompressedAttention, Compression, Gate, Indexer, KeysAndValues, LatentAttention, QkNorm, RoutedHeads,
};
use crate::exact::Exact;
use crate::ledger::{Component, Place, Work};
use crate::{Result, Span};

/// The scores of an indexer: how many heads, how wide, and which keys they are of.
#[derive(Clone, Copy)]
struct Scores {
    heads: u64,
    head_dim: u64,
    span: Span,
    /// Whether the sum over heads is a matmul, too, instead of elementwise.
    summed_by_matmul: bool,
}

impl Posting {
    pub(super) fn attention(&mut self, attention: &Attention) -> Result<()> {
        use Component as C;
        let Attention { heads, qk_dim, value_dim, biases, span, .. } = *attention;
        let input = attention.input_width.unwrap_or(self.hidden);
        // Of heads that belong to experts, one expert's.
        let (copies, per_copy) = match attention.routed {
            Some(RoutedHeads { experts, top_k }) => {
                (Copies { held: experts, used: top_k }, heads.checked_div(top_k).unwrap_or(heads))
            }
            None => (Copies::ONE, heads),
        };
        if let Some(routed) = attention.routed {
            self.matmul(C::AttentionRouter, input, routed.experts, Copies::ONE, false)?;
        }
        let queries = per_copy.times(qk_dim, C::QueryProjection.name())?;
        self.matmul(C::QueryProjection, input, queries, copies, biases.query)?;
        if span == Span::Cross {
            self.once_per_source_token(|posting| posting.keys_and_values(attention, input))?;
        } else {
            self.keys_and_values(attention, input)?;
        }
        self.query_key_norm(attention)?;
        if let Some(buckets) = attention.position_buckets {
            self.weights(C::PositionBias, heads.times(buckets, C::PositionBias.name())?);
        }
        self.core([heads, qk_dim, value_dim], span)?;
        if attention.sinks {
            self.weights(C::AttentionSinks, heads);
        }
        match attention.gate {
            Gate::None => {}
            Gate::PerChannel => {
                let channels = heads.times(value_dim, C::AttentionGate.name())?;
                self.matmul(C::AttentionGate, input, channels, Copies::ONE, biases.gate)?;
            }
            Gate::PerHead => self.matmul(C::AttentionGate, input, heads, Copies::ONE, biases.gate)?,
        }
        let outputs = per_copy.times(value_dim, C::OutputProjection.name())?;
        self.matmul(C::OutputProjection, outputs, self.hidden, copies, biases.output)
    }

    fn keys_and_values(&mut self, attention: &Attention, input: u64) -> Result<()> {
        use Component as C;
        let Attention { kv_heads, qk_dim, value_dim, biases, keys_and_values, .. } = *attention;
        if keys_and_values != KeysAndValues::Earlier {
            let keys = kv_heads.times(qk_dim, C::KeyProjection.name())?;
            self.matmul(C::KeyProjection, input, keys, Copies::ONE, biases.key)?;
        }
        if keys_and_values == KeysAndValues::Projected {
            let values = kv_heads.times(value_dim, C::ValueProjection.name())?;
            self.matmul(C::ValueProjection, input, values, Copies::ONE, biases.value)?;
        }
        Ok(())
    }

    fn query_key_norm(&mut self, attention: &Attention) -> Result<()> {
        let component = Component::QueryKeyNorm;
        let what = component.name();
        let own_keys = attention.keys_and_values != KeysAndValues::Earlier;
        let kv_heads = if own_keys { attention.kv_heads } else { 0 };
        let sides = if own_keys { 2 } else { 1 };
        let heads = match attention.qk_norm {
            QkNorm::None => return Ok(()),
            QkNorm::PerHead => sides,
            QkNorm::PerHeadWithBias => sides.times(2, what)?,
            QkNorm::WholeWidth => attention.heads.plus(kv_heads, what)?,
        };
        self.weights(component, heads.times(attention.qk_dim, what)?);
        Ok(())
    }

    fn once_per_source_token(&mut self, post: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let outer = self.place;
        self.place = Place::Encoder;
        let posted = post(self);
        self.place = outer;
        posted
    }

    pub(super) fn latent_attention(&mut self, attention: &LatentAttention) -> Result<()> {
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
        if let (Some(indexer), Some(rank)) = (attention.indexer, attention.query_rank) {
            self.matmul(C::IndexerKey, self.hidden, indexer.head_dim, Copies::ONE, false)?;
            // A LayerNorm with a bias.
            self.weights(C::IndexerNorm, indexer.head_dim.times(2, C::IndexerNorm.name())?);
            let Indexer { heads, head_dim } = indexer;
            self.indexer(rank, Scores { heads, head_dim, span: Span::Causal, summed_by_matmul: true })?;
        }
        self.core([heads, qk_dim, value_dim], span)?;
        if attention.gated {
            self.matmul(C::AttentionGate, self.hidden, heads, Copies::ONE, false)?;
        }
        let outputs = heads.times(value_dim, C::OutputProjection.name())?;
        self.matmul(C::OutputProjection, outputs, self.hidden, Copies::ONE, bias)
    }

    /// What an indexer has beside its keys: queries from the query latent, a weight per head, and the scores of every
    /// key that it chooses from, 2·d for each head, and 2 for its part of their weighted sum where that is a
    /// matmul.
    fn indexer(&mut self, query_rank: u64, scores: Scores) -> Result<()> {
        use Component as C;
        let Scores { heads, head_dim, span, summed_by_matmul } = scores;
        let queries = heads.times(head_dim, C::IndexerQuery.name())?;
        self.matmul(C::IndexerQuery, query_rank, queries, Copies::ONE, false)?;
        self.matmul(C::IndexerWeights, self.hidden, heads, Copies::ONE, false)?;
        let what = C::IndexerScores.name();
        let per_head = head_dim.plus(u64::from(summed_by_matmul), what)?;
        let flops = heads.times(per_head, what)?.times(2, what)?;
        self.line(C::IndexerScores, Work::PerPair { flops, span }, 0, 0);
        Ok(())
    }

    pub(super) fn compressed_attention(&mut self, attention: CompressedAttention) -> Result<()> {
        use Component as C;
        let CompressedAttention { heads, head_dim, query_rank, groups, output_rank, window, compression } = attention;
        let queries = heads.times(head_dim, C::QueryUp.name())?;
        self.matmul(C::QueryDown, self.hidden, query_rank, Copies::ONE, false)?;
        self.weights(C::LatentNorm, query_rank);
        self.matmul(C::QueryUp, query_rank, queries, Copies::ONE, false)?;
        self.matmul(C::KeyProjection, self.hidden, head_dim, Copies::ONE, false)?;
        self.weights(C::QueryKeyNorm, head_dim);
        self.core([heads, head_dim, head_dim], Span::Window(window))?;
        match compression {
            Compression::None => {}
            Compression::All { ratio } => {
                self.compressor([C::Compressor, C::QueryKeyNorm], ratio, head_dim, 1)?;
                self.core([heads, head_dim, head_dim], Span::Compressed { ratio, top_k: None })?;
            }
            Compression::Indexed { ratio, heads: indexers, head_dim: width, top_k } => {
                self.compressor([C::Compressor, C::QueryKeyNorm], ratio, head_dim, 2)?;
                self.compressor([C::IndexerKey, C::IndexerNorm], ratio, width, 2)?;
                let span = Span::Compressed { ratio, top_k: None };
                self.indexer(query_rank, Scores { heads: indexers, head_dim: width, span, summed_by_matmul: false })?;
                self.core([heads, head_dim, head_dim], Span::Compressed { ratio, top_k: Some(top_k) })?;
            }
        }
        self.weights(C::AttentionSinks, heads);
        let per_group = queries.checked_div(groups).unwrap_or(queries);
        self.matmul(C::OutputDown, per_group, output_rank, Copies::all(groups), false)?;
        let latents = groups.times(output_rank, C::OutputProjection.name())?;
        self.matmul(C::OutputProjection, latents, self.hidden, Copies::ONE, false)
    }

    /// Compressed keys of `ratio` tokens each, overlapping if there are two `copies`: projections of the keys and of
    /// their weights, a bias for every position within a key, a norm.
    fn compressor(&mut self, [keys, norm]: [Component; 2], ratio: u64, dim: u64, copies: u64) -> Result<()> {
        let what = keys.name();
        let width = dim.times(copies, what)?;
        self.matmul(keys, self.hidden, width, Copies::all(2), false)?;
        self.weights(keys, ratio.times(width, what)?);
        self.weights(norm, dim);
        Ok(())
    }

    /// The attention core: 2·H·d_qk per pair for scores, 3·H for the softmax, 2·H·d_v for values.
    fn core(&mut self, [heads, qk_dim, value_dim]: [u64; 3], span: Span) -> Result<()> {
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
}
