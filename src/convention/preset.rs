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
    MEGATRON_BRIDGE_2026,
    MAXTEXT_2025,
    TORCHTITAN_2026_08,
    TORCHTITAN_2026_08_25,
    PALM_2022,
    LLM_FOUNDRY,
    KAPLAN_2020,
    KAPLAN_6N,
    CHINCHILLA_2022,
    NARAYANAN_2021,
    KORTHIKANTI_2022,
    NANOCHAT,
    HF_TRAINER,
    OLMO_CORE,
    LINGUA,
    TORCH_FLOP_COUNTER,
    NEMO_2024_12_LORA,
    NEMO_2024_12_SFT,
}

impl Convention {
    /// Every matmul that the model performs, and every pair that its masks let through. The crate's own, and the one to
    /// compare others with.
    ///
    /// # Formula
    ///
    /// Per token, forward and backward: `6·(matmul parameters touched) + 6·H·(d_qk + d_v)·(pairs per token)`, summed
    /// over layers; for causal attention `(s + 1)/2` pairs.
    ///
    /// Counts the head, routers, scans and every part of multi-token prediction. Leaves out the embedding (a lookup),
    /// norms, biases, softmax.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("deepseek-v3")?.cost(Convention::EXACT)?;
    /// assert_eq!(cost.count(&[4_096])?.training.get(), 4_096 * 260_649_271_296);
    /// # Ok(())
    /// # }
    /// ```
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

    /// DeepSeek's *causal* figures (arXiv 2505.09343, Table 4).
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, LM head in, router out) + 6·L·H·(d_qk + d_v)·s/2`. DeepSeek divides it by a BF16
    /// peak of 989.0 TFLOP/s, although its GEMMs run in FP8.
    ///
    /// Counts the head. Leaves out routers and multi-token prediction. Windows are honoured, which is this crate's
    /// extension: the models it was written for have none.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("deepseek-v3")?.cost(Convention::DEEPSEEK_2025_CAUSAL)?;
    /// assert_eq!(cost.count(&[4_096])?.training.get(), 4_096 * 249_811_304_448);
    /// # Ok(())
    /// # }
    /// ```
    pub const DEEPSEEK_2025_CAUSAL: Self =
        Self { router: Basis::Out, core: Core::Half, mtp: MtpParts::NONE, ..Self::EXACT };

    /// DeepSeek's *non-causal* figures (arXiv 2505.09343, Table 4).
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, LM head in, router out) + 6·L·H·(d_qk + d_v)·s`.
    ///
    /// As [`DEEPSEEK_2025_CAUSAL`](Self::DEEPSEEK_2025_CAUSAL), with the core at the full square.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("deepseek-v3")?.cost(Convention::DEEPSEEK_2025_FULL)?;
    /// assert_eq!(cost.count(&[4_096])?.training.get(), 4_096 * 280_513_609_728);
    /// # Ok(())
    /// # }
    /// ```
    pub const DEEPSEEK_2025_FULL: Self = Self { core: Core::Full, ..Self::DEEPSEEK_2025_CAUSAL };

    /// Megatron-LM's throughput (`num_floating_point_operations` in its `training.py`) before 6 March 2025, and
    /// NVIDIA's tables of performance up to release 24.12.
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, LM head in, router out) + 12·L·H·d·s`.
    ///
    /// Counts the head and scans. Leaves out routers and multi-token prediction; sees no windows.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("llama-3-8b")?.cost(Convention::MEGATRON_2024)?;
    /// assert_eq!(cost.count(&[8_192])?.training.get(), 8_192 * 57_912_852_480);
    /// # Ok(())
    /// # }
    /// ```
    pub const MEGATRON_2024: Self = Self { windows: Windows::Ignored, ..Self::DEEPSEEK_2025_FULL };

    /// Megatron-LM's throughput (`num_floating_point_operations` in its `training.py`) from 6 March 2025 on, with
    /// latent attention and multi-token prediction since 3 April 2025. With a [variant](crate::Variant) of the
    /// architecture, NVIDIA's tables of performance of releases 26.02 to 26.04.
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, LM head in, router out) + 6·L·H·d·s`, the norms of attention latents among the
    /// parameters, and `6·(3h + 2h²)` for each module of multi-token prediction (with RMSNorm) beside its layer and
    /// head.
    ///
    /// Counts the head, scans and multi-token prediction. Leaves out routers; sees no windows.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("deepseek-v3")?.cost(Convention::MEGATRON_2025_03)?;
    /// assert_eq!(cost.count(&[4_096])?.training.get(), 4_096 * 259_992_950_784);
    /// # Ok(())
    /// # }
    /// ```
    pub const MEGATRON_2025_03: Self =
        Self { latent_norms: Basis::Active, core: Core::Half, mtp: MtpParts::ALL, ..Self::MEGATRON_2024 };

    /// NVIDIA's tables of performance (Megatron Bridge) from release 26.06 on: Megatron-LM's rule that sees windows.
    ///
    /// # Formula
    ///
    /// As [`MEGATRON_2025_03`](Self::MEGATRON_2025_03), and `12·H·d·(W − W(W − 1)/2s)` for the core of a layer with a
    /// window `W`: the pairs of its mask, while a layer without one is at half the square.
    ///
    /// Counts the head, scans and multi-token prediction. Leaves out routers.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("gpt-oss-120b")?.cost(Convention::MEGATRON_BRIDGE_2026)?;
    /// assert_eq!(cost.count(&[4_096])?.training.get(), 4_096 * 32_630_404_608);
    /// # Ok(())
    /// # }
    /// ```
    pub const MEGATRON_BRIDGE_2026: Self = Self { windows: Windows::Exact, ..Self::MEGATRON_2025_03 };

    /// MaxText (`calculate_tflops_training_per_device`) since its change #1988. Before, the core was full and windows
    /// ignored: `Convention { core: Core::Full, windows: Windows::Ignored, ..Convention::MAXTEXT_2025 }`.
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, head and router in) + 6·L·H·d·s`, layers with a window at the area of it.
    ///
    /// Counts the head, routers and scans; of multi-token prediction the layer alone.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("llama-2-7b")?.cost(Convention::MAXTEXT_2025)?;
    /// assert_eq!(cost.count(&[8_192])?.training.get(), 8_192 * 46_084_915_200);
    /// # Ok(())
    /// # }
    /// ```
    pub const MAXTEXT_2025: Self = Self {
        core: Core::Half,
        mtp: MtpParts { projection: Inclusion::Out, head: Inclusion::Out, ..MtpParts::ALL },
        ..Self::EXACT
    };

    /// torchtitan in August 2026 (`get_nparams_and_flops`), before its change #4300.
    ///
    /// # Formula
    ///
    /// `6·(active parameters without embedding) + 12·L·H·d·s`. The head counts by its matmul: tied or not, and without
    /// a bias of its own.
    ///
    /// Counts norms, biases, sinks and routers, as parameters. Leaves out the embedding, scans and multi-token
    /// prediction; sees no windows.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("gpt-oss-20b")?.cost(Convention::TORCHTITAN_2026_08)?;
    /// assert_eq!(cost.count(&[4_096])?.training.get(), 4_096 * 26_481_681_792);
    /// # Ok(())
    /// # }
    /// ```
    pub const TORCHTITAN_2026_08: Self = Self {
        weights: Basis::Active,
        embedding: Basis::Out,
        head: Basis::Work,
        router: Basis::Active,
        latent_norms: Basis::Active,
        ..Self::PALM_2022
    };

    /// torchtitan from its change #4300 of 25 August 2026 on.
    ///
    /// # Formula
    ///
    /// `6·(active parameters without embedding) + 12·H·d·min(s, W)`, summed over layers.
    ///
    /// As [`TORCHTITAN_2026_08`](Self::TORCHTITAN_2026_08); sees windows, and counts multi-token prediction.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("gpt-oss-20b")?.cost(Convention::TORCHTITAN_2026_08_25)?;
    /// assert_eq!(cost.count(&[4_096])?.training.get(), 4_096 * 24_141_260_160);
    /// # Ok(())
    /// # }
    /// ```
    pub const TORCHTITAN_2026_08_25: Self =
        Self { windows: Windows::Honoured, mtp: MtpParts::ALL, ..Self::TORCHTITAN_2026_08 };

    /// PaLM, appendix B (arXiv 2204.02311).
    ///
    /// # Formula
    ///
    /// `6·N + 12·L·H·Q·T`, with `N` all parameters.
    ///
    /// Counts embeddings, norms and biases, as parameters, and on a mixture of experts every expert for every token:
    /// absurd there, and what the formula says. Leaves out multi-token prediction; sees no windows.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("llama-3-8b")?.cost(Convention::PALM_2022)?;
    /// assert_eq!(cost.count(&[8_192])?.training.get(), 8_192 * 61_066_469_376);
    /// # Ok(())
    /// # }
    /// ```
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

    /// MosaicML's llm-foundry and its tables of throughput (`flops_per_batch`, as of August 2026).
    ///
    /// # Formula
    ///
    /// `6·N + 12·L·h·s`, with `N` the active parameters; a recompute is charged as 4/3 of the whole.
    ///
    /// Counts embeddings, norms and biases, as parameters. Leaves out multi-token prediction; sees no windows. Its core
    /// is that of heads which fill the hidden size, `H·d = h`; on other models it is an error.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("llama-3-8b")?.cost(Convention::LLM_FOUNDRY)?;
    /// assert_eq!(cost.count(&[8_192])?.training.get(), 8_192 * 61_066_469_376);
    /// # Ok(())
    /// # }
    /// ```
    pub const LLM_FOUNDRY: Self = Self {
        weights: Basis::Active,
        embedding: Basis::Active,
        head: Basis::Active,
        router: Basis::Active,
        latent_norms: Basis::Active,
        hardware: Hardware::WholeStep,
        domain: Domain::HeadsFillHidden,
        ..Self::PALM_2022
    };

    /// Kaplan et al. (arXiv 2001.08361, Table 1), with the mask's half.
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, without embeddings and head) + 6·L·H·d·s`.
    ///
    /// Counts routers. Leaves out embedding, head, norms, biases, scans and multi-token prediction; sees no windows.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("llama-3-8b")?.cost(Convention::KAPLAN_2020)?;
    /// assert_eq!(cost.count(&[8_192])?.training.get(), 8_192 * 48_318_382_080);
    /// # Ok(())
    /// # }
    /// ```
    pub const KAPLAN_2020: Self = Self {
        head: Basis::Out,
        core: Core::Half,
        windows: Windows::Ignored,
        scan: Inclusion::Out,
        mtp: MtpParts::NONE,
        ..Self::EXACT
    };

    /// The `6·N` of Kaplan et al. (arXiv 2001.08361, section 2.1), with `N` as they define it.
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, without embeddings and head)`.
    ///
    /// As [`KAPLAN_2020`](Self::KAPLAN_2020), without the attention core.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("llama-3-8b")?.cost(Convention::KAPLAN_6N)?;
    /// assert_eq!(cost.count(&[8_192])?.training.get(), 8_192 * 41_875_931_136);
    /// # Ok(())
    /// # }
    /// ```
    pub const KAPLAN_6N: Self = Self { core: Core::Out, ..Self::KAPLAN_2020 };

    /// Chinchilla, appendix F (arXiv 2203.15556).
    ///
    /// # Formula
    ///
    /// Per layer and token, forward: QKV and output projections, the full square of scores and values, `3·H` per pair
    /// for the softmax, the feed-forward; and the embedding as a matmul of the table's own size, `2·V·h`, beside
    /// the head's; all ×3.
    ///
    /// Counts the embedding and the softmax. Leaves out routers, scans and multi-token prediction; sees no windows.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("llama-3-8b")?.cost(Convention::CHINCHILLA_2022)?;
    /// assert_eq!(cost.count(&[8_192])?.training.get(), 8_192 * 61_140_369_408);
    /// # Ok(())
    /// # }
    /// ```
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

    /// Megatron-LM's paper of 2021 (arXiv 2104.04473, section 5.1).
    ///
    /// # Formula
    ///
    /// `72·L·h²·(1 + s/6h + V/12Lh)`; its `96·L·h²·(1 + s/6h + V/16Lh)` is this with every layer recomputed
    /// ([`Recompute::Full`](crate::Recompute::Full), the hardware figure).
    ///
    /// Counts the head. Leaves out embedding, norms and biases. Written for multi-head attention with `H·d = h` and an
    /// ungated feed-forward of `4h`; on other models it is an error.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("gpt-3-175b")?.cost(Convention::NARAYANAN_2021)?;
    /// assert_eq!(cost.count(&[2_048])?.training.get(), 2_048 * 1_076_373_430_272);
    /// # Ok(())
    /// # }
    /// ```
    pub const NARAYANAN_2021: Self = Self { scan: Inclusion::Out, domain: Domain::GptLayers, ..Self::MEGATRON_2024 };

    /// Megatron-LM's paper on recomputing activations (arXiv 2205.05198, appendix A).
    ///
    /// # Formula
    ///
    /// `72·L·h²·(1 + s/6h + V/12Lh)`; where the attention core is recomputed, the hardware figure has `s/3h` for
    /// `s/6h`.
    ///
    /// As [`NARAYANAN_2021`](Self::NARAYANAN_2021); the two differ in the hardware figure alone.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("gpt-3-175b")?.cost(Convention::KORTHIKANTI_2022)?;
    /// assert_eq!(cost.count(&[2_048])?.training.get(), 2_048 * 1_076_373_430_272);
    /// # Ok(())
    /// # }
    /// ```
    pub const KORTHIKANTI_2022: Self = Self { hardware: Hardware::CoreTwice, ..Self::NARAYANAN_2021 };

    /// nanochat (`estimate_flops`, as of August 2026).
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters touched, head and router in) + 12·H·d·min(s, W)`, summed over layers.
    ///
    /// Counts the head and routers; sees windows. Leaves out embeddings, norms, scans and multi-token prediction.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("llama-3-8b")?.cost(Convention::NANOCHAT)?;
    /// assert_eq!(cost.count(&[8_192])?.training.get(), 8_192 * 57_912_852_480);
    /// # Ok(())
    /// # }
    /// ```
    pub const NANOCHAT: Self = Self { core: Core::Full, scan: Inclusion::Out, mtp: MtpParts::NONE, ..Self::EXACT };

    /// The `total_flos` of the Hugging Face Trainer (`floating_point_ops` of `transformers`, as of August 2026).
    ///
    /// # Formula
    ///
    /// `6·(all parameters without embeddings)`.
    ///
    /// Counts norms and biases, as parameters, and every expert. Leaves out the attention core, embeddings and
    /// multi-token prediction. A tied head is an embedding, and drops out.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("llama-3-8b")?.cost(Convention::HF_TRAINER)?;
    /// assert_eq!(cost.count(&[8_192])?.training.get(), 8_192 * 45_029_548_032);
    /// # Ok(())
    /// # }
    /// ```
    pub const HF_TRAINER: Self = Self { embedding: Basis::Out, core: Core::Out, ..Self::PALM_2022 };

    /// OLMo-core (`num_flops_per_token`, as of August 2026).
    ///
    /// # Formula
    ///
    /// `6·(active parameters without embedding) + 12·H·d·min(s, W)`, summed over layers.
    ///
    /// Counts norms, biases, sinks and routers, as parameters, and scans; sees windows. Leaves out the embedding and
    /// multi-token prediction.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("gpt-oss-20b")?.cost(Convention::OLMO_CORE)?;
    /// assert_eq!(cost.count(&[4_096])?.training.get(), 4_096 * 24_141_260_160);
    /// # Ok(())
    /// # }
    /// ```
    pub const OLMO_CORE: Self = Self { windows: Windows::Honoured, scan: Inclusion::In, ..Self::TORCHTITAN_2026_08 };

    /// Meta's lingua (`get_num_flop_per_token`, as of August 2026): FlashAttention's recompute of the scores is model
    /// work.
    ///
    /// # Formula
    ///
    /// `6·(active parameters without embedding) + 7·L·h·s`.
    ///
    /// Counts norms, biases and routers, as parameters. Leaves out the embedding, scans and multi-token prediction;
    /// sees no windows. Its core is that of heads which fill the hidden size, `H·d = h`; on other models it is an error.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("llama-3-8b")?.cost(Convention::LINGUA)?;
    /// assert_eq!(cost.count(&[8_192])?.training.get(), 8_192 * 52_545_740_800);
    /// # Ok(())
    /// # }
    /// ```
    pub const LINGUA: Self = Self {
        core: Core::Half,
        scores_recomputed: Inclusion::In,
        domain: Domain::HeadsFillHidden,
        ..Self::TORCHTITAN_2026_08
    };

    /// What `torch.utils.flop_counter.FlopCounterMode` counts while an implementation runs: every matmul that is
    /// executed, the whole square of scores, whatever the masks hide. Read the *forward* figure
    /// ([`Count::forward`](crate::Count::forward)): it is an independent witness of the others.
    ///
    /// # Formula
    ///
    /// Forward: `2·(matmul parameters touched, head and router in) + 4·L·H·d·s`.
    ///
    /// Counts the head, routers and every part of multi-token prediction that is run. Leaves out scans, since what a
    /// counter sees of them depends on the kernel; sees no windows, chunks or top-k.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("llama-3-8b")?.cost(Convention::TORCH_FLOP_COUNTER)?;
    /// assert_eq!(cost.count(&[8_192])?.forward.get(), 8_192 * 19_304_284_160);
    /// # Ok(())
    /// # }
    /// ```
    pub const TORCH_FLOP_COUNTER: Self =
        Self { core: Core::Full, windows: Windows::Ignored, scan: Inclusion::Out, ..Self::EXACT };

    /// NVIDIA's NeMo tables of performance, release 24.12, rows of LoRA fine-tuning. What counts is as for
    /// [`NEMO_2024_12_SFT`](Self::NEMO_2024_12_SFT); that the layers are frozen is the recipe's to say
    /// ([`Recipe::frozen_layers`](crate::Recipe::frozen_layers)).
    ///
    /// # Formula
    ///
    /// `4·(matmul parameters of the layers) + 6·(LM head)`.
    ///
    /// Counts the head. Leaves out the attention core (packed samples are short), adapters, routers, embedding and
    /// multi-token prediction.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, Recipe, catalog};
    ///
    /// let ledger = catalog::find("llama-3-8b")?.ledger()?;
    /// let cost = ledger.cost_with(Convention::NEMO_2024_12_LORA, Recipe::frozen_layers())?;
    /// assert_eq!(cost.count(&[4_096])?.training.get(), 4_096 * (4 * 6_979_321_856 + 6 * 525_336_576));
    /// # Ok(())
    /// # }
    /// ```
    pub const NEMO_2024_12_LORA: Self = Self::NEMO_2024_12_SFT;

    /// NVIDIA's NeMo tables of performance, release 24.12, rows of supervised fine-tuning.
    ///
    /// # Formula
    ///
    /// `6·(matmul parameters of the layers + LM head)`.
    ///
    /// Counts the head. Leaves out the attention core (packed samples are short), routers, embedding and multi-token
    /// prediction.
    ///
    /// ```
    /// # fn main() -> Result<(), mfu::Error> {
    /// use mfu::{Convention, catalog};
    ///
    /// let cost = catalog::find("llama-3-8b")?.cost(Convention::NEMO_2024_12_SFT)?;
    /// assert_eq!(cost.count(&[4_096])?.training.get(), 4_096 * 45_027_950_592);
    /// # Ok(())
    /// # }
    /// ```
    pub const NEMO_2024_12_SFT: Self = Self { core: Core::Out, scan: Inclusion::Out, ..Self::MEGATRON_2024 };
}
