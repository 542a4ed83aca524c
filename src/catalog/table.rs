//! The catalog as data. A new model is a row here and a line in `tests/catalog.rs`.

use super::Active::{All, WithoutEmbedding};
use super::{Model, Published};
use crate::{Architecture, Attention, Experts, FeedForward, LatentAttention, Layer, Mtp, Norm, Result};

pub(super) const MODELS: &[Model] = &[
    Model {
        name: "deepseek-v2",
        aliases: &["deepseek-ai/DeepSeek-V2"],
        source: "config.json of deepseek-ai/DeepSeek-V2; arXiv:2405.04434, section 3.1.2",
        published: Published {
            total: "236B",
            active: Some(("21B", WithoutEmbedding)),
            source: "arXiv:2405.04434, abstract",
        },
        build: deepseek_v2,
    },
    Model {
        name: "deepseek-v3",
        aliases: &["deepseek-ai/DeepSeek-V3", "deepseek-ai/DeepSeek-R1", "deepseek-r1"],
        source: "config.json of deepseek-ai/DeepSeek-V3; arXiv:2412.19437, section 4.2",
        published: Published {
            total: "671B",
            active: Some(("37B", WithoutEmbedding)),
            source: "arXiv:2412.19437, abstract",
        },
        build: deepseek_v3,
    },
    Model {
        name: "gpt-3-175b",
        aliases: &["davinci"],
        source: "arXiv:2005.14165, Table 2.1; every second layer's banded sparsity is counted by no published figure and is left out",
        published: Published { total: "175.0B", active: None, source: "arXiv:2005.14165, Table 2.1" },
        build: gpt_3_175b,
    },
    Model {
        name: "gpt-oss-20b",
        aliases: &["openai/gpt-oss-20b"],
        source: "config.json of openai/gpt-oss-20b; gpt-oss model card, section 2",
        published: Published {
            total: "20.91B",
            active: Some(("3.61B", WithoutEmbedding)),
            source: "gpt-oss model card, Table 1",
        },
        build: gpt_oss_20b,
    },
    Model {
        name: "gpt-oss-120b",
        aliases: &["openai/gpt-oss-120b"],
        source: "config.json of openai/gpt-oss-120b; gpt-oss model card, section 2",
        published: Published {
            total: "116.83B",
            active: Some(("5.13B", WithoutEmbedding)),
            source: "gpt-oss model card, Table 1",
        },
        build: gpt_oss_120b,
    },
    Model {
        name: "kimi-k2",
        aliases: &["moonshotai/Kimi-K2-Base", "moonshotai/Kimi-K2-Instruct"],
        source: "config.json of moonshotai/Kimi-K2-Base",
        published: Published {
            total: "1T",
            active: Some(("32B", WithoutEmbedding)),
            source: "model page of moonshotai/Kimi-K2-Base",
        },
        build: kimi_k2,
    },
    Model {
        name: "llama-2-7b",
        aliases: &["meta-llama/Llama-2-7b-hf"],
        source: "config.json of meta-llama/Llama-2-7b-hf",
        published: Published { total: "6.74B", active: None, source: "model page of meta-llama/Llama-2-7b-hf" },
        build: llama_2_7b,
    },
    Model {
        name: "llama-2-70b",
        aliases: &["meta-llama/Llama-2-70b-hf"],
        source: "config.json of meta-llama/Llama-2-70b-hf",
        published: Published { total: "69B", active: None, source: "model page of meta-llama/Llama-2-70b-hf" },
        build: llama_2_70b,
    },
    Model {
        name: "llama-3-8b",
        aliases: &["meta-llama/Meta-Llama-3-8B", "meta-llama/Llama-3.1-8B", "llama-3.1-8b"],
        source: "config.json of meta-llama/Meta-Llama-3-8B; arXiv:2407.21783, Table 3",
        published: Published { total: "8.03B", active: None, source: "model page of meta-llama/Meta-Llama-3-8B" },
        build: llama_3_8b,
    },
    Model {
        name: "llama-3-70b",
        aliases: &["meta-llama/Meta-Llama-3-70B", "meta-llama/Llama-3.1-70B", "llama-3.1-70b"],
        source: "config.json of meta-llama/Meta-Llama-3-70B; arXiv:2407.21783, Table 3",
        published: Published { total: "70.6B", active: None, source: "model page of meta-llama/Meta-Llama-3-70B" },
        build: llama_3_70b,
    },
    Model {
        name: "llama-3.1-405b",
        aliases: &["meta-llama/Llama-3.1-405B", "llama-3-405b"],
        source: "config.json of meta-llama/Llama-3.1-405B; arXiv:2407.21783, Table 3",
        published: Published { total: "406B", active: None, source: "model page of meta-llama/Llama-3.1-405B" },
        build: llama_3_1_405b,
    },
    Model {
        name: "mai-base-1",
        aliases: &["mai-thinking-1"],
        source: "MAI-Thinking-1 report, June 2026, sections 2 and 6, by way of secondary readings; gate and up are printed fused there",
        published: Published {
            total: "962B",
            active: Some(("34.7B", All)),
            source: "MAI-Thinking-1 report, June 2026, Table 1",
        },
        build: mai_base_1,
    },
    Model {
        name: "mixtral-8x7b",
        aliases: &["mistralai/Mixtral-8x7B-v0.1"],
        source: "config.json of mistralai/Mixtral-8x7B-v0.1; arXiv:2401.04088, Table 1",
        published: Published {
            total: "46.7B",
            active: Some(("12.9B", All)),
            source: "announcement of Mixtral 8x7B, December 2023",
        },
        build: mixtral_8x7b,
    },
    Model {
        name: "mixtral-8x22b",
        aliases: &["mistralai/Mixtral-8x22B-v0.1"],
        source: "config.json of mistralai/Mixtral-8x22B-v0.1",
        published: Published {
            total: "141B",
            active: Some(("39B", All)),
            source: "announcement of Mixtral 8x22B, April 2024",
        },
        build: mixtral_8x22b,
    },
    Model {
        name: "palm-540b",
        aliases: &["palm"],
        source: "arXiv:2204.02311, sections 2 and 2.1",
        published: Published { total: "540.35B", active: None, source: "arXiv:2204.02311, Table 1" },
        build: palm_540b,
    },
    Model {
        name: "qwen3-30b-a3b",
        aliases: &["Qwen/Qwen3-30B-A3B"],
        source: "config.json of Qwen/Qwen3-30B-A3B",
        published: Published {
            total: "30.5B",
            active: Some(("3.3B", All)),
            source: "model page of Qwen/Qwen3-30B-A3B",
        },
        build: qwen3_30b_a3b,
    },
    Model {
        name: "qwen3-32b",
        aliases: &["Qwen/Qwen3-32B"],
        source: "config.json of Qwen/Qwen3-32B",
        published: Published { total: "32.8B", active: None, source: "model page of Qwen/Qwen3-32B" },
        build: qwen3_32b,
    },
    Model {
        name: "qwen3-235b-a22b",
        aliases: &["Qwen/Qwen3-235B-A22B"],
        source: "config.json of Qwen/Qwen3-235B-A22B",
        published: Published {
            total: "235B",
            active: Some(("22B", All)),
            source: "model page of Qwen/Qwen3-235B-A22B",
        },
        build: qwen3_235b_a22b,
    },
    Model {
        name: "yi-34b",
        aliases: &["01-ai/Yi-34B"],
        source: "config.json of 01-ai/Yi-34B",
        published: Published { total: "34.4B", active: None, source: "model page of 01-ai/Yi-34B" },
        build: yi_34b,
    },
];

fn deepseek_v2() -> Result<Architecture> {
    let attention = LatentAttention::new(128, 512, 128, 64, 128).query_rank(1_536);
    let experts = Experts::new(160, 6, FeedForward::gated(1_536)).shared_experts(2, FeedForward::gated(1_536));
    Architecture::decoder(5_120, 102_400)
        .layer(Layer::pre_norm(attention, FeedForward::gated(12_288)))
        .layers(59, Layer::pre_norm(attention, experts))
        .build()
}

fn deepseek_v3() -> Result<Architecture> {
    let attention = LatentAttention::new(128, 512, 128, 64, 128).query_rank(1_536);
    let experts = Experts::new(256, 8, FeedForward::gated(2_048)).shared(FeedForward::gated(2_048));
    let sparse = Layer::pre_norm(attention, experts);
    Architecture::decoder(7_168, 129_280)
        .layers(3, Layer::pre_norm(attention, FeedForward::gated(18_432)))
        .layers(58, sparse.clone())
        .mtp(Mtp::new(1, sparse))
        .build()
}

fn gpt_3_175b() -> Result<Architecture> {
    let layer = Layer::pre_norm(Attention::multi_head(96, 128).bias(), FeedForward::plain(49_152).bias());
    Architecture::decoder(12_288, 50_257).layers(96, layer.with_norms(Norm::layer())).positions(2_048).tied().build()
}

/// Both sizes differ in depth and in the number of experts alone.
fn gpt_oss(pairs: u64, experts: u64) -> Result<Architecture> {
    let attention = Attention::grouped(64, 8, 64).bias().sinks();
    let experts = Experts::new(experts, 4, FeedForward::gated(2_880).bias()).router_bias();
    let [local, global] = [attention.window(128), attention].map(|attention| Layer::pre_norm(attention, experts));
    Architecture::decoder(2_880, 201_088).repeat(pairs, [local, global]).build()
}

fn gpt_oss_20b() -> Result<Architecture> {
    gpt_oss(12, 32)
}

fn gpt_oss_120b() -> Result<Architecture> {
    gpt_oss(18, 128)
}

fn kimi_k2() -> Result<Architecture> {
    let attention = LatentAttention::new(64, 512, 128, 64, 128).query_rank(1_536);
    let experts = Experts::new(384, 8, FeedForward::gated(2_048)).shared(FeedForward::gated(2_048));
    Architecture::decoder(7_168, 163_840)
        .layer(Layer::pre_norm(attention, FeedForward::gated(18_432)))
        .layers(60, Layer::pre_norm(attention, experts))
        .build()
}

fn llama(hidden: u64, vocab: u64, layers: u64, attention: Attention, width: u64) -> Result<Architecture> {
    let layer = Layer::pre_norm(attention, FeedForward::gated(width));
    Architecture::decoder(hidden, vocab).layers(layers, layer).build()
}

fn llama_2_7b() -> Result<Architecture> {
    llama(4_096, 32_000, 32, Attention::multi_head(32, 128), 11_008)
}

fn llama_2_70b() -> Result<Architecture> {
    llama(8_192, 32_000, 80, Attention::grouped(64, 8, 128), 28_672)
}

fn llama_3_8b() -> Result<Architecture> {
    llama(4_096, 128_256, 32, Attention::grouped(32, 8, 128), 14_336)
}

fn llama_3_70b() -> Result<Architecture> {
    llama(8_192, 128_256, 80, Attention::grouped(64, 8, 128), 28_672)
}

fn llama_3_1_405b() -> Result<Architecture> {
    llama(16_384, 128_256, 126, Attention::grouped(128, 8, 128), 53_248)
}

fn mai_base_1() -> Result<Architecture> {
    let global = Attention::grouped(80, 8, 128).qk_norm();
    let local = global.window(512);
    let dense = FeedForward::gated(6_656);
    let sparse = Experts::new(512, 8, FeedForward::gated(5_120)).latent(3_072);
    // Five local layers for each global one, dense and sparse in turn. Where the global one stands among the six is not
    // published, and no count depends on it.
    let dense_local = Layer::pre_norm(local, dense);
    let sparse_local = Layer::pre_norm(local, sparse);
    let sparse_global = Layer::pre_norm(global, sparse);
    let six = [&dense_local, &sparse_local, &dense_local, &sparse_local, &dense_local, &sparse_global];
    Architecture::decoder(6_656, 200_019).repeat(13, six.map(Clone::clone)).tied().build()
}

fn mixtral(hidden: u64, layers: u64, attention: Attention, width: u64) -> Result<Architecture> {
    let layer = Layer::pre_norm(attention, Experts::new(8, 2, FeedForward::gated(width)));
    Architecture::decoder(hidden, 32_000).layers(layers, layer).build()
}

fn mixtral_8x7b() -> Result<Architecture> {
    mixtral(4_096, 32, Attention::grouped(32, 8, 128), 14_336)
}

fn mixtral_8x22b() -> Result<Architecture> {
    mixtral(6_144, 56, Attention::grouped(48, 8, 128), 16_384)
}

fn palm_540b() -> Result<Architecture> {
    let layer = Layer::parallel(Attention::multi_query(48, 256), FeedForward::gated(73_728));
    Architecture::decoder(18_432, 256_000).layers(118, layer.with_norms(Norm::layer_without_bias())).tied().build()
}

fn qwen3(hidden: u64, layers: u64, attention: Attention, experts: Experts) -> Result<Architecture> {
    Architecture::decoder(hidden, 151_936).layers(layers, Layer::pre_norm(attention.qk_norm(), experts)).build()
}

fn qwen3_30b_a3b() -> Result<Architecture> {
    qwen3(2_048, 48, Attention::grouped(32, 4, 128), Experts::new(128, 8, FeedForward::gated(768)))
}

fn qwen3_32b() -> Result<Architecture> {
    let layer = Layer::pre_norm(Attention::grouped(64, 8, 128).qk_norm(), FeedForward::gated(25_600));
    Architecture::decoder(5_120, 151_936).layers(64, layer).build()
}

fn qwen3_235b_a22b() -> Result<Architecture> {
    qwen3(4_096, 94, Attention::grouped(64, 4, 128), Experts::new(128, 8, FeedForward::gated(1_536)))
}

fn yi_34b() -> Result<Architecture> {
    llama(7_168, 64_000, 60, Attention::grouped(56, 8, 128), 20_480)
}
