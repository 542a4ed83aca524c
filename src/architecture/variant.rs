//! An architecture as a tool misreads it.

use super::{Architecture, Block, Experts, FeedForward, Layer, Mamba2};
use crate::Result;
use crate::error::{Cause, Class};

/// An architecture as a tool misreads it.
///
/// A convention says how lines count, and has no axis for a tool's mistakes: where a tool counts lines that are not
/// there, or misses some that are, what it prints is the convention over another architecture.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::{Convention, Variant, catalog};
///
/// // gpt-oss-120b in NVIDIA's tables: 433 TFLOP/s at 15,938 tokens/s per GB200 in release 26.04.
/// let real = catalog::find("gpt-oss-120b")?.architecture()?;
/// let read = real.as_read(Variant::GatesLeftOut)?;
/// let flops = read.cost(Convention::MEGATRON_2025_03)?.count(&[4_096])?.training_flops_per_token().unwrap();
/// assert_eq!(format!("{:.0}", flops * 15_938.0 / 1e12), "433");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Variant {
    /// Gated feed-forwards and experts count without their gate: two matrices for three.
    ///
    /// NVIDIA's tables of performance (Megatron Bridge) of releases 26.02 to 26.04 read units other than SiLU so,
    /// gpt-oss among them; from 26.06 on they have the gate.
    GatesLeftOut,
    /// Mamba-2 has `2h` channels whatever the model says, in as many heads, and no convolution.
    ///
    /// Megatron-LM's rule for hybrid models: `2h(2I + 2GN + H) + 7·I·N + 2·I·h` forward, with `I = 2h`.
    MambaTwiceHidden,
}

/// A misreading that gives no architecture.
#[derive(Debug, thiserror::Error)]
#[error("2 × hidden = 2 × {hidden} channels are not a multiple of {heads} heads of Mamba-2")]
struct NotInHeads {
    hidden: u64,
    heads: u64,
}

impl Cause for NotInHeads {
    const CLASS: Class = Class::NotApplicable;
}

impl Architecture {
    /// This architecture as a tool misreads it; equal to it where there is nothing to misread.
    ///
    /// # Errors
    ///
    /// If the misreading gives no architecture ([`is_not_applicable`](crate::Error::is_not_applicable)).
    pub fn as_read(&self, variant: Variant) -> Result<Self> {
        let mut plan = self.0.clone();
        let layers = plan.kinds.iter_mut().chain(plan.mtp.as_mut().map(|mtp| &mut mtp.layer));
        for block in layers.flat_map(Layer::blocks_mut).map(Block::itself_mut) {
            variant.misread(block, self.hidden())?;
        }
        plan.rebuilt()
    }
}

impl Variant {
    /// Every misreading.
    pub const ALL: &[Self] = &[Self::GatesLeftOut, Self::MambaTwiceHidden];

    fn misread(self, block: &mut Block, hidden: u64) -> Result<()> {
        match (self, block) {
            (Self::GatesLeftOut, Block::FeedForward(block)) => *block = ungated(*block),
            (Self::GatesLeftOut, Block::Experts(experts)) => {
                let shared =
                    experts.shared.map(|shared| super::experts::Shared { expert: ungated(shared.expert), ..shared });
                *experts = Experts { expert: ungated(experts.expert), shared, ..*experts };
            }
            (Self::MambaTwiceHidden, Block::Mamba2(mixer)) => {
                let heads = mixer.heads;
                let channels = hidden.checked_mul(2).filter(|channels| channels.checked_rem(heads) == Some(0));
                let head_dim = channels.and_then(|channels| channels.checked_div(heads));
                let head_dim = head_dim.ok_or(NotInHeads { hidden, heads })?;
                *mixer = Mamba2 { head_dim, ..*mixer }.without_convolution();
            }
            _ => {}
        }
        Ok(())
    }
}

const fn ungated(block: FeedForward) -> FeedForward {
    FeedForward { gated: false, ..block }
}

impl std::fmt::Display for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::GatesLeftOut => "gates left out",
            Self::MambaTwiceHidden => "Mamba-2 of twice the hidden size",
        })
    }
}
