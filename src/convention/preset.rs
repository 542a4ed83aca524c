//! The rules that people quote, dated. A new one is a constant here, a row in [`ALL`], and a golden number in the
//! tests.

use super::{Basis, Convention, Core, Domain, Hardware, Inclusion, MtpParts, Windows};

macro_rules! all {
    ($($name:ident),+ $(,)?) => {
        pub(super) const ALL: &[(&str, Convention)] = &[$((stringify!($name), Convention::$name)),+];
    };
}

all! {
    EXACT,
    DEEPSEEK_2025_CAUSAL,
    DEEPSEEK_2025_FULL,
    MEGATRON_2024,
    MEGATRON_2025_03,
    PALM_2022,
    KAPLAN_2020,
    TORCHTITAN_2026_08,
    TORCHTITAN_2026_08_25,
    MAXTEXT_2025,
    CHINCHILLA_2022,
    HF_TRAINER,
    TORCH_FLOP_COUNTER,
}

impl Convention {
    /// Every matmul that the model performs, and every pair that its masks let through. The crate's own, and the one to
    /// compare others with.
    ///
    /// # Formula
    ///
    /// Per token, forward and backward: `6·(matmul parameters touched) + 6·H·(d_qk + d_v)·(pairs per token)`, summed
    /// over layers; the head and every part of multi-token prediction included, the input embedding a lookup.
    pub const EXACT: Self = Self {
        weights: Basis::Work,
        embedding: Basis::Work,
        head: Basis::Work,
        router: Basis::Work,
        latent_norms: Basis::Work,
        core: Core::Exact,
        windows: Windows::Honoured,
        softmax: Inclusion::Out,
        scan: Inclusion::In,
        scores_recomputed: Inclusion::Out,
        mtp: MtpParts::ALL,
        hardware: Hardware::Performed,
        domain: Domain::Any,
    };

    /// DeepSeek's *causal* figures (arXiv 2505.09343, Table 4): routers and multi-token prediction left out, the core
    /// at half the square. Windows are honoured, which is this crate's extension: the models it was written for
    /// have none.
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, LM head in, router out) + 6·L·H·(d_qk + d_v)·s/2`. DeepSeek divides it by a BF16
    /// peak of 989.0 TFLOP/s, although its GEMMs run in FP8.
    pub const DEEPSEEK_2025_CAUSAL: Self =
        Self { router: Basis::Out, core: Core::Half, mtp: MtpParts::NONE, ..Self::EXACT };

    /// DeepSeek's *non-causal* figures (arXiv 2505.09343, Table 4): the core at the full square.
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, LM head in, router out) + 6·L·H·(d_qk + d_v)·s`.
    pub const DEEPSEEK_2025_FULL: Self = Self { core: Core::Full, ..Self::DEEPSEEK_2025_CAUSAL };

    /// Megatron-LM's throughput (`num_floating_point_operations` in its `training.py`) before 6 March 2025: the full
    /// square; windows ignored; routers and multi-token prediction left out.
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, LM head in, router out) + 12·L·H·d·s`.
    pub const MEGATRON_2024: Self = Self { windows: Windows::Ignored, ..Self::DEEPSEEK_2025_FULL };

    /// Megatron-LM's throughput (`num_floating_point_operations` in its `training.py`) from 6 March 2025 on: half the
    /// square; since 3 April 2025 latent attention and multi-token prediction.
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, LM head in, router out) + 6·L·H·d·s`, the norms of attention latents among the
    /// parameters, and `6·(3h + 2h²)` for each module of multi-token prediction (with RMSNorm) beside its layer and
    /// head.
    pub const MEGATRON_2025_03: Self =
        Self { latent_norms: Basis::Active, core: Core::Half, mtp: MtpParts::ALL, ..Self::MEGATRON_2024 };

    /// PaLM, appendix B (arXiv 2204.02311).
    ///
    /// # Formula
    ///
    /// `6·N + 12·L·H·Q·T`, with `N` all parameters, embeddings included. On a mixture of experts that counts every
    /// expert for every token: absurd there, and what the formula says.
    pub const PALM_2022: Self = Self {
        weights: Basis::Stored,
        embedding: Basis::Stored,
        head: Basis::Stored,
        router: Basis::Stored,
        latent_norms: Basis::Stored,
        core: Core::Full,
        windows: Windows::Ignored,
        scan: Inclusion::Out,
        mtp: MtpParts::NONE,
        ..Self::EXACT
    };

    /// Kaplan et al. (arXiv 2001.08361, Table 1), with the mask's half.
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, without embeddings and head) + 6·L·H·d·s`.
    pub const KAPLAN_2020: Self = Self {
        head: Basis::Out,
        core: Core::Half,
        windows: Windows::Ignored,
        scan: Inclusion::Out,
        mtp: MtpParts::NONE,
        ..Self::EXACT
    };

    /// torchtitan in August 2026 (`get_nparams_and_flops`), before its change #4300.
    ///
    /// # Formula
    ///
    /// `6·(active parameters without embedding) + 12·L·H·d·s`; norms, biases, sinks and routers are among the
    /// parameters. The head counts by its matmul: tied or not, and without a bias of its own.
    pub const TORCHTITAN_2026_08: Self = Self {
        weights: Basis::Active,
        embedding: Basis::Out,
        head: Basis::Work,
        router: Basis::Active,
        latent_norms: Basis::Active,
        ..Self::PALM_2022
    };

    /// torchtitan from its change #4300 of 25 August 2026 on: windows are seen, and multi-token prediction counts.
    ///
    /// # Formula
    ///
    /// `6·(active parameters without embedding) + 12·H·d·min(s, W)`, summed over layers.
    pub const TORCHTITAN_2026_08_25: Self =
        Self { windows: Windows::Honoured, mtp: MtpParts::ALL, ..Self::TORCHTITAN_2026_08 };

    /// MaxText (`calculate_tflops_training_per_device`) since its change #1988: all matmuls, routers included, half the
    /// square; of multi-token prediction the layer alone.
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, head and router in) + 6·L·H·d·s`.
    pub const MAXTEXT_2025: Self = Self {
        core: Core::Half,
        mtp: MtpParts { projection: Inclusion::Out, head: Inclusion::Out, ..MtpParts::ALL },
        ..Self::EXACT
    };

    /// Chinchilla, appendix F (arXiv 2203.15556).
    ///
    /// # Formula
    ///
    /// Per layer and token, forward: QKV and output projections, the full square of scores and values, `3·H` per pair
    /// for the softmax, the feed-forward; and the embedding as a matmul of the table's own size, `2·V·h`, beside
    /// the head's; all ×3.
    pub const CHINCHILLA_2022: Self = Self {
        embedding: Basis::Stored,
        router: Basis::Out,
        core: Core::Full,
        windows: Windows::Ignored,
        softmax: Inclusion::In,
        scan: Inclusion::Out,
        mtp: MtpParts::NONE,
        ..Self::EXACT
    };

    /// The `total_flos` of the Hugging Face Trainer (`floating_point_ops` of `transformers`).
    ///
    /// # Formula
    ///
    /// `6·(all parameters without embeddings)`, no attention core. A tied head is an embedding, and drops out.
    pub const HF_TRAINER: Self = Self { embedding: Basis::Out, core: Core::Out, ..Self::PALM_2022 };

    /// What `torch.utils.flop_counter.FlopCounterMode` counts while an implementation runs: every matmul that is
    /// executed, the whole square of scores, whatever the masks hide. Read the *forward* figure
    /// ([`Count::forward`](crate::Count::forward)): it is an independent witness of the others. Scans are out, since
    /// what a counter sees of them depends on the kernel.
    ///
    /// # Formula
    ///
    /// Forward: `2·(matmul parameters touched, head and router in) + 4·L·H·d·s`, windows, chunks and top-k ignored.
    pub const TORCH_FLOP_COUNTER: Self =
        Self { core: Core::Full, windows: Windows::Ignored, scan: Inclusion::Out, ..Self::EXACT };
}
