//! What mixers without softmax attention hold and do.

use super::{Copies, Posting};
use crate::Result;
use crate::architecture::{GatedDeltaNet, KimiDeltaAttention, LightningAttention, Mamba, Mamba2, ShortConvolution};
use crate::exact::Exact;
use crate::ledger::Component as C;
use crate::ledger::Work;

impl Posting {
    pub(super) fn mamba(&mut self, mixer: Mamba) -> Result<()> {
        let Mamba { inner, state, kernel, time_step_rank, bias, conv_bias, norms } = mixer;
        self.matmul(C::MixerInput, self.hidden, inner.times(2, C::MixerInput.name())?, Copies::ONE, bias)?;
        self.convolution(kernel, inner, conv_bias)?;
        let [b_and_c, driven] = {
            let b_and_c = state.times(2, C::StateProjection.name())?;
            [b_and_c, b_and_c.plus(time_step_rank, C::StateProjection.name())?]
        };
        self.matmul(C::StateProjection, inner, driven, Copies::ONE, false)?;
        if norms {
            self.weights(C::MixerNorm, b_and_c.plus(time_step_rank, C::MixerNorm.name())?);
        }
        self.matmul(C::TimeStep, time_step_rank, inner, Copies::ONE, true)?;
        let entries = inner.times(state, C::StateParameters.name())?;
        self.weights(C::StateParameters, entries.plus(inner, C::StateParameters.name())?);
        self.scan(7, entries)?;
        self.matmul(C::MixerOutput, inner, self.hidden, Copies::ONE, bias)
    }

    pub(super) fn mamba2(&mut self, mixer: Mamba2) -> Result<()> {
        let Mamba2 { heads, head_dim, state, groups, kernel, input_bias, output_bias, conv_bias, norm } = mixer;
        let what = C::MixerInput.name();
        let inner = heads.times(head_dim, what)?;
        let channels = inner.plus(groups.times(state, what)?.times(2, what)?, what)?;
        let projected = inner.plus(channels, what)?.plus(heads, what)?;
        self.matmul(C::MixerInput, self.hidden, projected, Copies::ONE, input_bias)?;
        if let Some(kernel) = kernel {
            self.convolution(kernel, channels, conv_bias)?;
        }
        self.weights(C::StateParameters, heads.times(3, C::StateParameters.name())?);
        self.scan(7, inner.times(state, C::Scan.name())?)?;
        if norm {
            self.weights(C::MixerNorm, inner);
        }
        self.matmul(C::MixerOutput, inner, self.hidden, Copies::ONE, output_bias)
    }

    pub(super) fn gated_delta_net(&mut self, mixer: GatedDeltaNet) -> Result<()> {
        let GatedDeltaNet { key_heads, key_dim, value_heads, value_dim, kernel } = mixer;
        let what = C::MixerInput.name();
        let (keys, values) = (key_heads.times(key_dim, what)?, value_heads.times(value_dim, what)?);
        let queries_and_keys = keys.times(2, what)?;
        let channels = queries_and_keys.plus(values, what)?;
        let gates = value_heads.times(2, C::StateProjection.name())?;
        self.matmul(C::MixerInput, self.hidden, channels, Copies::ONE, false)?;
        self.matmul(C::StateProjection, self.hidden, gates, Copies::ONE, false)?;
        self.convolution(kernel, channels, false)?;
        self.weights(C::StateParameters, gates);
        self.scan(8, value_heads.times(key_dim, C::Scan.name())?.times(value_dim, C::Scan.name())?)?;
        self.matmul(C::MixerGate, self.hidden, values, Copies::ONE, false)?;
        self.weights(C::MixerNorm, value_dim);
        self.matmul(C::MixerOutput, values, self.hidden, Copies::ONE, false)
    }

    pub(super) fn kimi_delta_attention(&mut self, mixer: KimiDeltaAttention) -> Result<()> {
        let KimiDeltaAttention { heads, head_dim, kernel, full_rank_gates } = mixer;
        let what = C::MixerInput.name();
        let width = heads.times(head_dim, what)?;
        let channels = width.times(3, what)?;
        self.matmul(C::MixerInput, self.hidden, channels, Copies::ONE, false)?;
        self.convolution(kernel, channels, false)?;
        for gate in [C::StateProjection, C::MixerGate] {
            if full_rank_gates {
                self.matmul(gate, self.hidden, width, Copies::ONE, false)?;
            } else {
                self.matmul(gate, self.hidden, head_dim, Copies::ONE, false)?;
                self.matmul(gate, head_dim, width, Copies::ONE, false)?;
            }
        }
        self.matmul(C::StateProjection, self.hidden, heads, Copies::ONE, false)?;
        self.weights(C::StateParameters, heads.plus(width, C::StateParameters.name())?);
        self.scan(8, width.times(head_dim, C::Scan.name())?)?;
        self.weights(C::MixerNorm, head_dim);
        self.matmul(C::MixerOutput, width, self.hidden, Copies::ONE, false)
    }

    pub(super) fn lightning_attention(&mut self, mixer: LightningAttention) -> Result<()> {
        let LightningAttention { heads, head_dim } = mixer;
        let width = heads.times(head_dim, C::MixerInput.name())?;
        self.matmul(C::MixerInput, self.hidden, width.times(3, C::MixerInput.name())?, Copies::ONE, false)?;
        self.scan(5, width.times(head_dim, C::Scan.name())?)?;
        self.matmul(C::MixerGate, self.hidden, width, Copies::ONE, false)?;
        self.weights(C::MixerNorm, width);
        self.matmul(C::MixerOutput, width, self.hidden, Copies::ONE, false)
    }

    pub(super) fn short_convolution(&mut self, mixer: ShortConvolution) -> Result<()> {
        let ShortConvolution { kernel, bias } = mixer;
        self.matmul(C::MixerInput, self.hidden, self.hidden.times(3, C::MixerInput.name())?, Copies::ONE, bias)?;
        self.convolution(kernel, self.hidden, bias)?;
        self.matmul(C::MixerOutput, self.hidden, self.hidden, Copies::ONE, bias)
    }

    /// Each channel is multiplied with a kernel of its own: so many matrices of `kernel`·1.
    fn convolution(&mut self, kernel: u64, channels: u64, biased: bool) -> Result<()> {
        self.matmul(C::Convolution, kernel, 1, Copies::all(channels), biased)
    }

    /// So many FLOPs per token for every entry of the state.
    fn scan(&mut self, flops: u64, entries: u64) -> Result<()> {
        let flops = flops.times(entries, C::Scan.name())?;
        self.line(C::Scan, Work::PerToken(flops), 0, 0);
        Ok(())
    }
}
