//! The mixture-of-experts block: a router, experts of which each token visits a few, and what every token visits.

use super::{FeedForward, Invalid};

/// A mixture-of-experts block: `count` experts, of which each token visits `top_k`.
///
/// # Formula
///
/// Held: `E·e·w·f_m` in the experts; touched and multiplied by one token: `k·e·w·f_m`. Router: `h·n`. Shared expert:
/// `e·h·f_s`, always. With a latent width `ℓ` (`LatentMoE`), the experts work at `w = ℓ` between a projection `h·ℓ`
/// down and one up, while router and shared expert read `h`; otherwise `w = h`.
///
/// `E` experts, `k` top-k, `f_m` expert width, `e` 3 when gated and 2 when not, `h` hidden size, `n` the router's
/// width, which is `E` unless told otherwise.
///
/// ```
/// use mfu::{Experts, FeedForward};
///
/// // DeepSeek-V3: 256 experts, 8 per token, one shared.
/// let experts = Experts::new(256, 8, FeedForward::gated(2_048)).shared(FeedForward::gated(2_048));
/// # let _ = experts;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Experts {
    pub(crate) count: u64,
    pub(crate) top_k: u64,
    pub(crate) expert: FeedForward,
    pub(crate) shared: Option<Shared>,
    pub(crate) shared_gate: bool,
    pub(crate) latent: Option<u64>,
    pub(crate) router_width: u64,
    pub(crate) router_bias: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Shared {
    pub(crate) expert: FeedForward,
    pub(crate) count: u64,
}

impl Experts {
    /// `count` experts of the given shape, `top_k` of them per token.
    #[must_use]
    pub const fn new(count: u64, top_k: u64, expert: FeedForward) -> Self {
        Self {
            count,
            top_k,
            expert,
            shared: None,
            shared_gate: false,
            latent: None,
            router_width: count,
            router_bias: false,
        }
    }

    /// One expert that every token visits, beside the routed ones.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn shared(self, expert: FeedForward) -> Self {
        self.shared_experts(1, expert)
    }

    /// Several equal experts that every token visits. Implementations that fuse `n` experts of width `f` into one of
    /// `n·f` hold and do the same, but for a bias on the down projection, of which they then have one.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn shared_experts(self, count: u64, expert: FeedForward) -> Self {
        Self { shared: Some(Shared { expert, count }), ..self }
    }

    /// The output of the shared experts is scaled by a gate (`hidden` → 1), as in Qwen2-MoE.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn shared_gate(self) -> Self {
        Self { shared_gate: true, ..self }
    }

    /// The experts work at this width, between a projection down and one up (`LatentMoE`).
    #[must_use = "the block is returned, not changed in place"]
    pub const fn latent(self, width: u64) -> Self {
        Self { latent: Some(width), ..self }
    }

    /// The router has a bias that is a parameter. A load-balancing correction kept in a buffer is none.
    #[must_use = "the block is returned, not changed in place"]
    pub const fn router_bias(self) -> Self {
        Self { router_bias: true, ..self }
    }

    /// How many choices the router scores, where these are more than the experts (experts that do nothing).
    #[must_use = "the block is returned, not changed in place"]
    pub const fn router_width(self, choices: u64) -> Self {
        Self { router_width: choices, ..self }
    }

    pub(super) fn check(&self) -> Result<(), Invalid> {
        if self.top_k > self.count {
            return Err(Invalid::Above {
                field: "top_k",
                value: self.top_k,
                limit: "the number of experts",
                most: self.count,
            });
        }
        if self.router_width < self.count {
            return Err(Invalid::Above {
                field: "the number of experts",
                value: self.count,
                limit: "router_width",
                most: self.router_width,
            });
        }
        if self.shared_gate && self.shared.is_none() {
            return Err(Invalid::GateWithoutSharedExpert);
        }
        Ok(())
    }

    pub(crate) const fn widths(&self) -> [(&'static str, Option<u64>); 7] {
        let (shared_width, shared_count) = match self.shared {
            Some(shared) => (Some(shared.expert.width), Some(shared.count)),
            None => (None, None),
        };
        [
            ("the number of experts", Some(self.count)),
            ("top_k", Some(self.top_k)),
            ("expert width", Some(self.expert.width)),
            ("shared expert width", shared_width),
            ("the number of shared experts", shared_count),
            ("latent width", self.latent),
            ("router_width", Some(self.router_width)),
        ]
    }
}
