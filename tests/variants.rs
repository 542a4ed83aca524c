//! Architectures as tools misread them, against figures that those tools print.

use mfu::{
    Architecture, Attention, Convention, Experts, FeedForward, Layer, Mamba2, Mtp, MtpParts, Norm, Variant, catalog,
};

fn per_token(architecture: &Architecture, convention: Convention, sequence: u64) -> u128 {
    let count = architecture.cost(convention).unwrap().count(&[sequence]).unwrap();
    assert_eq!(count.training.get() % u128::from(sequence), 0);
    count.training.get() / u128::from(sequence)
}

/// FLOPs per token at so many tokens per second, as tables print them.
fn tflops(per_token: u128, tokens_per_second: u128) -> String {
    format!("{:.0}", (per_token * tokens_per_second) as f64 / 1e12)
}

#[test]
fn gates_left_out() {
    // gpt-oss-120b at 4,096, by hand: 36·(2880·(4096 + 2·512) + 4096·2880) in attention, 4 experts of two matrices
    // instead of three in each of 36 layers, the head, and half the square. With it NVIDIA's table of release 26.04
    // prints 433 TFLOP/s at 15,938 tokens/s per GPU.
    let real = catalog::find("gpt-oss-120b").unwrap().architecture().unwrap();
    let misread = real.as_read(Variant::GatesLeftOut).unwrap();
    let by_hand =
        6 * (36 * (2_880 * 5_120 + 4_096 * 2_880 + 4 * 2 * 2_880 * 2_880) + 201_088 * 2_880) + 6 * 36 * 64 * 64 * 4_096;
    assert_eq!(per_token(&misread, Convention::MEGATRON_2025_03, 4_096), by_hand);
    assert_eq!(tflops(by_hand, 15_938), "433");

    // Shared experts and dense layers lose theirs as well: of DeepSeek-V3 a third of 3·7168·18432 a dense layer and of
    // 9·3·7168·2048 a sparse one, the module's among them.
    let real = catalog::find("deepseek-v3").unwrap().architecture().unwrap();
    let misread = real.as_read(Variant::GatesLeftOut).unwrap();
    let gates = 3 * 7_168 * 18_432 + 59 * 9 * 7_168 * 2_048;
    let lost = per_token(&real, Convention::EXACT, 4_096) - per_token(&misread, Convention::EXACT, 4_096);
    assert_eq!(lost, 6 * gates);

    // Layers that differed in their gates alone are one kind, as when they are built.
    let layer = |block| Layer::pre_norm(Attention::multi_head(4, 16), block);
    let layers = [layer(FeedForward::gated(256)), layer(FeedForward::plain(256))];
    let misread = Architecture::decoder(64, 100).repeat(3, layers.clone()).build().unwrap();
    let misread = misread.as_read(Variant::GatesLeftOut).unwrap();
    assert_eq!(misread, Architecture::decoder(64, 100).layers(6, layers[1].clone()).build().unwrap());
}

/// 23 Mamba-2 layers of 64 heads of 64 with a state of 128 in 8 groups, 23 of experts, 6 of attention.
fn nemotron_3_nano() -> Architecture {
    let one = |block: mfu::Block| Layer::new().with(Norm::rms()).with(block);
    let experts = Experts::new(128, 6, FeedForward::plain(1_856)).shared(FeedForward::plain(3_712));
    Architecture::decoder(2_688, 131_072)
        .layers(23, one(Mamba2::new(64, 64, 128, 8, 4).norm().into()))
        .layers(23, one(experts.into()))
        .layers(6, one(Attention::grouped(32, 2, 128).into()))
        .build()
        .unwrap()
}

#[test]
fn mamba_of_twice_the_hidden_size() {
    // Megatron-LM's forward for a layer of Mamba: 2h(2I + 2GN + H) + 7·I·N + 2·I·h, I = 2h = 5376 instead of 64·64.
    // With it NVIDIA's tables print 849 TFLOP/s at 38,102 tokens/s per GPU for Nemotron 3 Nano.
    let (h, n) = (2_688_u128, 128);
    let i = 2 * h;
    let mamba = 2 * h * (2 * i + 2 * 8 * n + 64) + 7 * i * n + 2 * i * h;
    let experts = 2 * 2 * h * (6 * 1_856 + 3_712);
    let attention = 2 * 2 * h * (32 * 128 + 2 * 128);
    let core = 2 * 32 * 128 * 8_192;
    let by_hand = 3 * (23 * mamba + 23 * experts + 6 * (attention + core) + 2 * h * 131_072);
    let misread = nemotron_3_nano().as_read(Variant::MambaTwiceHidden).unwrap();
    assert_eq!(per_token(&misread, Convention::MEGATRON_BRIDGE_2026, 8_192), by_hand);
    assert_eq!(tflops(by_hand, 38_102), "849");

    // As it is: I = 4096, and a convolution of 4 over 4096 + 2·8·128 channels.
    let i = 4_096;
    let mamba = 2 * h * (2 * i + 2 * 8 * n + 64) + 7 * i * n + 2 * i * h + 2 * 4 * (i + 2 * 8 * n);
    let by_hand = 3 * (23 * mamba + 23 * experts + 6 * (attention + core) + 2 * h * 131_072);
    assert_eq!(per_token(&nemotron_3_nano(), Convention::MEGATRON_BRIDGE_2026, 8_192), by_hand);
}

#[test]
fn modules_of_multi_token_prediction_without_their_projection() {
    // NVIDIA's tables for Nemotron 3 Super: 40 Mamba, 40 LatentMoE and 8 attention layers, and two modules of attention
    // and LatentMoE with a head and without a projection. 534 TFLOP/s at 6,302 tokens/s per GPU. Here I = 2h anyway.
    let one = |block: mfu::Block| Layer::new().with(Norm::rms()).with(block);
    let attention = Attention::grouped(32, 2, 128);
    let experts = Experts::new(512, 22, FeedForward::plain(2_688)).latent(1_024).shared(FeedForward::plain(5_376));
    let model = Architecture::decoder(4_096, 131_072)
        .layers(40, one(Mamba2::new(128, 64, 128, 8, 4).norm().into()))
        .layers(40, one(experts.into()))
        .layers(8, one(attention.into()))
        .mtp(Mtp::new(2, Layer::pre_norm(attention, experts)))
        .build()
        .unwrap()
        .as_read(Variant::MambaTwiceHidden)
        .unwrap();
    let projection = MtpParts { projection: mfu::Inclusion::Out, ..MtpParts::ALL };
    let convention = Convention { mtp: projection, ..Convention::MEGATRON_BRIDGE_2026 };

    let (h, i, n) = (4_096_u128, 8_192, 128);
    let mamba = 2 * h * (2 * i + 2 * 8 * n + 128) + 7 * i * n + 2 * i * h;
    let experts = 2 * 2 * (22 * 1_024 * 2_688 + h * 1_024 + h * 5_376);
    let attention = 2 * 2 * h * (32 * 128 + 2 * 128) + 2 * 32 * 128 * 8_192;
    let by_hand = 3 * (40 * mamba + 42 * experts + 10 * attention + 3 * 2 * h * 131_072);
    assert_eq!(per_token(&model, convention, 8_192), by_hand);
    assert_eq!(tflops(by_hand, 6_302), "534");
}

#[test]
fn what_is_not_misread_stays_as_it_is() {
    let llama = catalog::find("llama-3-8b").unwrap().architecture().unwrap();
    assert_eq!(llama.as_read(Variant::MambaTwiceHidden).unwrap(), llama);
    let gpt = catalog::find("gpt-3-175b").unwrap().architecture().unwrap();
    for variant in Variant::ALL {
        assert_eq!(gpt.as_read(*variant).unwrap(), gpt, "{variant}");
    }
}

#[test]
fn channels_that_are_no_heads_are_an_error() {
    // 2·100 channels in 3 heads.
    let layer = Layer::new().with(Mamba2::new(3, 16, 8, 1, 4));
    let model = Architecture::decoder(100, 100).layer(layer).build().unwrap();
    let error = model.as_read(Variant::MambaTwiceHidden).unwrap_err();
    assert!(error.is_not_applicable() && error.to_string().contains("2 × 100 channels"), "{error}");
}
