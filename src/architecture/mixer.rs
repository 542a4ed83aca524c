//! Mixers without softmax attention: recurrences over a state, and short convolutions.
//!
//! Their matmuls, convolutions and parameters are exact. What the recurrence itself costs depends on the kernel: one
//! that works in chunks multiplies more than one that goes token by token. The ledger posts the latter, the least that
//! any implementation performs and the rule that training frameworks print, and a convention's `scan` axis takes it or
//! leaves it.

mod delta_net;
mod lightning;
mod mamba;
mod short_convolution;

pub use delta_net::{GatedDeltaNet, KimiDeltaAttention};
pub use lightning::LightningAttention;
pub use mamba::{Mamba, Mamba2};
pub use short_convolution::ShortConvolution;
