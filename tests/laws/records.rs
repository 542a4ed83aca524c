//! What was written is read back as it was.

use std::fmt::Debug;
use std::time::Duration;

use mfu::{Fleet, FlopCount, FlopRate, Mtp, Pace, Peak, Report, Utilization};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::common::preset;
use super::*;

/// What is written and read is what it was, by way of a text, of a text to read, and of a value.
fn returns<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Result<(), TestCaseError> {
    let text = serde_json::to_string(value).unwrap();
    prop_assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{}", text);
    let pretty = serde_json::to_vec_pretty(value).unwrap();
    prop_assert_eq!(&serde_json::from_slice::<T>(&pretty).unwrap(), value, "{}", text);
    let json = serde_json::to_value(value).unwrap();
    prop_assert_eq!(&serde_json::from_value::<T>(json).unwrap(), value, "{}", text);
    Ok(())
}

/// Finite, from zero up, of any magnitude.
fn not_negative() -> impl Strategy<Value = f64> {
    use proptest::num::f64::{NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![8 => POSITIVE | NORMAL, 1 => POSITIVE | SUBNORMAL, 1 => ZERO, 8 => 0.0..1e16]
}

fn positive() -> impl Strategy<Value = f64> {
    not_negative().prop_map(|rate| if rate == 0.0 { f64::MIN_POSITIVE } else { rate })
}

fn peak() -> impl Strategy<Value = Peak> {
    let peaks = |device: Device| device.precisions().map(|it| device.peak(it).unwrap()).collect::<Vec<_>>();
    prop_oneof![declared_peak(), select(Device::all().flat_map(peaks).collect::<Vec<_>>())]
}

fn declared_peak() -> impl Strategy<Value = Peak> {
    let label = any::<String>().prop_map(|label| if label.trim().is_empty() { "a device".to_owned() } else { label });
    (label, 1e6..1e18, proptest::option::of(any::<String>())).prop_map(|(label, rate, source)| {
        let peak = Peak::declared(label, FlopRate::from_flops_per_second(rate).unwrap()).unwrap();
        source.map_or(peak.clone(), |source| peak.with_source(source))
    })
}

fn fleet() -> impl Strategy<Value = Fleet> {
    let part = (peak(), 1..=100_000_u64).prop_map(|(peak, devices)| peak.times(devices));
    vec(part, 1..=4).prop_map(|parts| parts.into_iter().reduce(|left, right| left + right).unwrap())
}

fn duration() -> impl Strategy<Value = Duration> {
    (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(seconds, nanoseconds)| Duration::new(seconds, nanoseconds))
}

fn pace() -> impl Strategy<Value = Pace> {
    prop_oneof![
        duration().prop_map(Pace::duration),
        positive().prop_map(|rate| Pace::tokens_per_second(rate).unwrap()),
        positive().prop_map(|rate| Pace::tokens_per_second_per_device(rate).unwrap()),
        positive().prop_map(|rate| {
            Pace::flops_per_second_per_device(FlopRate::from_flops_per_second(rate).unwrap()).unwrap()
        }),
    ]
}

/// A report of this count whose MFU is at most the given one, by each kind of pace.
fn reports(count: &Count, fleet: &Fleet, utilization: f64) -> Vec<Report> {
    let devices = fleet.devices().unwrap() as f64;
    // Longer than the hardware figure allows, and never so short as to be nothing.
    let seconds = (count.hardware.as_f64() / fleet.peak().per_second() / utilization).max(1e-3);
    let tokens = count.tokens as f64;
    let mut paces = vec![
        Pace::duration(Duration::from_secs_f64(seconds * 1.001)),
        Pace::tokens_per_second(tokens / seconds * 0.999).unwrap(),
        Pace::tokens_per_second_per_device(tokens / seconds / devices * 0.999).unwrap(),
    ];
    if count.training.get() > 0 {
        let rate = FlopRate::from_flops_per_second(count.training.as_f64() / seconds / devices * 0.999).unwrap();
        paces.push(Pace::flops_per_second_per_device(rate).unwrap());
    }
    paces.into_iter().map(|pace| count.utilization(pace, fleet).unwrap()).collect()
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn of_quantities(count in any::<u128>(), small in any::<u64>(), float in not_negative()) {
        returns(&FlopCount::new(count))?;
        returns(&FlopRate::from_flops_per_second(float).unwrap())?;
        returns(&Utilization::from_fraction(float).unwrap())?;
        // A count is a string of digits, or a number where another program wrote one.
        prop_assert_eq!(serde_json::to_value(FlopCount::new(count)).unwrap(), serde_json::json!(count.to_string()));
        prop_assert_eq!(
            serde_json::from_str::<FlopCount>(&small.to_string()).unwrap(), FlopCount::new(small.into())
        );
        let float = serde_json::from_str::<FlopCount>(&format!("{small}.0"));
        prop_assert!(float.is_err());
    }

    #[test]
    fn of_conventions(convention in convention(), recompute in any::<bool>()) {
        returns(&convention)?;
        returns(&convention.mtp)?;
        returns(&convention.domain)?;
        returns(&Recipe::recomputing(if recompute { Recompute::Full } else { Recompute::None }))?;
        returns(&Recipe::frozen_layers())?;
    }

    #[test]
    fn of_architectures(draft in draft(), pair in pair()) {
        returns(&pair.build())?;
        let architecture = draft.build();
        returns(&architecture)?;
        for (layer, _) in architecture.runs().chain(pair.build().encoder_runs()) {
            returns(layer)?;
            for block in layer.blocks() {
                returns(block)?;
                match block {
                    Block::Norm(block) => returns(block)?,
                    Block::Attention(block) => returns(block)?,
                    Block::LatentAttention(block) => returns(block)?,
                    Block::CompressedAttention(block) => returns(block)?,
                    Block::Mamba(block) => returns(block)?,
                    Block::Mamba2(block) => returns(block)?,
                    Block::GatedDeltaNet(block) => returns(block)?,
                    Block::KimiDeltaAttention(block) => returns(block)?,
                    Block::LightningAttention(block) => returns(block)?,
                    Block::ShortConvolution(block) => returns(block)?,
                    Block::HyperConnection(block) => returns(block)?,
                    Block::Weights(block) => returns(block)?,
                    Block::FeedForward(block) => returns(block)?,
                    Block::Experts(block) => returns(block)?,
                    Block::Linear(block) => returns(block)?,
                    Block::Reused(block) => returns(block)?,
                    block => panic!("no test knows {block:?}"),
                }
            }
        }
        if let Some(mtp) = architecture.mtp() {
            returns(mtp)?;
        }
        for span in draft.spans {
            returns(&span)?;
        }
    }

    #[test]
    fn of_fleets_and_paces(peak in peak(), fleet in fleet(), pace in pace()) {
        returns(&peak)?;
        returns(&fleet)?;
        returns(&pace)?;
    }

    #[test]
    fn of_counts_and_reports(
        draft in draft(), convention in universal(), preset in preset(),
        recompute in any::<bool>(), lengths in lengths(), cached in length(), fleet in fleet(),
        utilization in 1e-6..1.0,
    ) {
        let ledger = draft.ledger();
        let recipe = Recipe::recomputing(if recompute { Recompute::Full } else { Recompute::None });
        for convention in [convention, preset] {
            let cost = ledger.cost_with(convention, recipe).unwrap();
            let count = cost.count(Batch::packed(&lengths).after(cached)).unwrap();
            returns(&count)?;
            if count.tokens == 0 {
                continue;
            }
            for report in reports(&count, &fleet, utilization) {
                returns(&report)?;
            }
        }
    }

    #[test]
    fn of_counts_beyond_64_bits(tokens in any::<u128>(), flops in any::<[u128; 3]>(), convention in universal()) {
        let mut count = count(&mfu::catalog::find("mixtral-8x7b").unwrap().ledger().unwrap(), convention, &[0]);
        count.tokens = tokens;
        // A count whose parts exceed the whole would be refused.
        let mut flops = flops;
        flops.sort_unstable();
        [count.forward, count.training, _] = flops.map(FlopCount::new);
            count.hardware = count.training;
        returns(&count)?;
    }
}

#[test]
fn of_everything_named() {
    for (_, preset) in Convention::presets() {
        returns(preset).unwrap();
    }
    for axis in Axis::ALL {
        returns(axis).unwrap();
    }
    for component in Component::ALL {
        returns(component).unwrap();
        returns(&component.group()).unwrap();
    }
    let compressed = |top_k| Span::Compressed { ratio: 4, top_k };
    for span in [Span::TopK(7), Span::Cross, compressed(None), compressed(Some(7))] {
        returns(&span).unwrap();
    }
    for place in [Place::Trunk, Place::Encoder, Place::Mtp] {
        returns(&place).unwrap();
    }
    for basis in [Basis::Out, Basis::Work, Basis::Active, Basis::Stored] {
        returns(&basis).unwrap();
    }
    for core in [Core::Out, Core::Full, Core::Half, Core::Exact] {
        returns(&core).unwrap();
    }
    for windows in [Windows::Ignored, Windows::Honoured, Windows::Exact] {
        returns(&windows).unwrap();
    }
    for hardware in [Hardware::Performed, Hardware::WholeStep, Hardware::CoreTwice] {
        returns(&hardware).unwrap();
    }
    for domain in [Domain::Any, Domain::HeadsFillHidden, Domain::GptLayers] {
        returns(&domain).unwrap();
    }
    for inclusion in [Inclusion::In, Inclusion::Out] {
        returns(&inclusion).unwrap();
    }
    for mtp in [MtpParts::ALL, MtpParts::NONE] {
        returns(&mtp).unwrap();
    }
    for recompute in [Recompute::None, Recompute::Full] {
        returns(&recompute).unwrap();
    }
    for model in mfu::catalog::all() {
        returns(&model.architecture().unwrap()).unwrap();
    }
}

/// An architecture that was stored in another way than it is written is the one that it would be had it been built.
mod canonical {
    use serde_json::{Value, json};

    use super::*;

    fn model() -> Architecture {
        let layer = Layer::pre_norm(Attention::multi_head(2, 4), FeedForward::gated(8));
        Architecture::decoder(8, 16).layers(3, layer).build().unwrap()
    }

    fn read(change: impl FnOnce(&mut Value)) -> Architecture {
        let mut stored = serde_json::to_value(model()).unwrap();
        change(&mut stored);
        let architecture: Architecture = serde_json::from_value(stored).unwrap();
        returns(&architecture).unwrap();
        architecture
    }

    #[test]
    fn runs_of_one_kind_are_one() {
        let split = json!([{"kind": 0, "layers": 1}, {"kind": 0, "layers": 2}]);
        assert_eq!(read(|stored| stored["runs"] = split), model());
    }

    #[test]
    fn equal_kinds_are_one() {
        let twice = read(|stored| {
            let kind = stored["kinds"][0].clone();
            stored["kinds"] = json!([kind.clone(), kind]);
            stored["runs"] = json!([{"kind": 0, "layers": 1}, {"kind": 1, "layers": 2}]);
        });
        assert_eq!(twice, model());
    }

    #[test]
    fn a_kind_without_a_run_is_none() {
        let spare = read(|stored| {
            let kind = stored["kinds"][0].clone();
            stored["kinds"] = json!([[{"norm": {"kind": "layer", "width": null}}], kind]);
            stored["runs"] = json!([{"kind": 1, "layers": 3}]);
        });
        assert_eq!(spare, model());
    }

    #[test]
    fn a_run_without_layers_is_none() {
        let empty = read(|stored| {
            let kind = stored["kinds"][0].clone();
            stored["kinds"] = json!([[{"norm": {"kind": "layer", "width": null}}], kind]);
            stored["runs"] = json!([{"kind": 0, "layers": 0}, {"kind": 1, "layers": 3}]);
        });
        assert_eq!(empty, model());
        assert_eq!(empty.ledger().unwrap(), model().ledger().unwrap());
    }

    /// An encoder of two layers, and three of a decoder that read what it made.
    fn pair() -> Architecture {
        let attention = Attention::multi_head(2, 4);
        let decoder = Layer::pre_norm(attention.cross(), FeedForward::gated(8));
        let encoder = Layer::pre_norm(attention, FeedForward::gated(8)).with_norms(Norm::layer());
        Architecture::decoder(8, 16).encoder_layers(2, encoder).layers(3, decoder).build().unwrap()
    }

    fn read_pair(change: impl FnOnce(&mut Value)) -> serde_json::Result<Architecture> {
        let mut stored = serde_json::to_value(pair()).unwrap();
        change(&mut stored);
        let architecture = serde_json::from_value(stored)?;
        returns(&architecture).unwrap();
        Ok(architecture)
    }

    #[test]
    fn kinds_of_two_stacks_are_in_one_order() {
        returns(&pair()).unwrap();
        let turned = read_pair(|stored| {
            stored["kinds"].as_array_mut().unwrap().reverse();
            stored["runs"] = json!([{"kind": 1, "layers": 3}]);
            stored["source_runs"] = json!([{"kind": 0, "layers": 1}, {"kind": 0, "layers": 1}]);
        });
        assert_eq!(turned.unwrap(), pair());
    }

    #[test]
    fn a_stored_encoder_sees_the_whole_sequence() {
        // What says nothing of what it sees, sees everything; what hides a key is no encoder's.
        let with_span = |span: Value| read_pair(|stored| stored["kinds"][1][1]["attention"]["span"] = span);
        assert_eq!(with_span(json!("causal")).unwrap(), pair());
        let sees_all = "an encoder's attention sees the whole sequence";
        for (span, why) in
            [(json!({"window": 4}), sees_all), (json!({"top_k": 4}), sees_all), (json!("cross"), "not in an encoder's")]
        {
            let error = with_span(span.clone()).unwrap_err().to_string();
            assert!(error.contains(why), "{span}: {error}");
        }
        // One kind in both stacks is two, if the decoder's is causal.
        let shared = read_pair(|stored| {
            stored["kinds"][1][1]["attention"]["span"] = json!("causal");
            stored["runs"] = json!([{"kind": 0, "layers": 3}, {"kind": 1, "layers": 1}]);
        });
        let spans = |layer: &Layer| {
            let model = Architecture::decoder(8, 16).layer(layer.clone()).build().unwrap().ledger().unwrap();
            let spans = model.lines().iter().filter_map(|line| match line.work {
                Work::PerPair { span, .. } => Some(span),
                _ => None,
            });
            spans.collect::<BTreeSet<Span>>().into_iter().collect::<Vec<_>>()
        };
        let shared = shared.unwrap();
        assert_eq!(spans(shared.runs().last().unwrap().0), [Span::Causal]);
        assert_eq!(spans(shared.encoder_runs().last().unwrap().0), [Span::Bidirectional]);
    }

    #[test]
    fn the_last_norm_of_an_encoder_is_what_is_stored() {
        let norms = |architecture: &Architecture| {
            architecture.ledger().unwrap().parameters_of(Place::Encoder, Group::Norms).held
        };
        // LayerNorms of 2·8, two a layer, and one at the end.
        assert_eq!(norms(&pair()), 4 * 16 + 16);
        for none in [json!("none"), Value::Null] {
            let read = read_pair(|stored| {
                if none.is_null() {
                    stored.as_object_mut().unwrap().remove("source_norm");
                } else {
                    stored["source_norm"] = none;
                }
            });
            assert_eq!(norms(&read.unwrap()), 4 * 16);
        }
        assert_eq!(read_pair(|stored| stored["source_norm"] = json!("as_in_layers")).unwrap(), pair());
        let of_nothing = json!({"given": {"kind": "rms", "width": 0}});
        let error = read_pair(|stored| stored["source_norm"] = of_nothing).unwrap_err().to_string();
        assert!(error.contains("norm width is 0"), "{error}");
        // Beside no encoder it is none.
        let given = json!({"given": {"kind": "rms", "width": null}});
        assert_eq!(read(|stored| stored["source_norm"] = given), model());
    }

    #[test]
    fn a_latent_that_attends_to_a_source_needs_one() {
        let layer = Layer::new().with(LatentAttention::new(2, 4, 4, 0, 4));
        let mut stored = serde_json::to_value(Architecture::decoder(8, 16).layer(layer).build().unwrap()).unwrap();
        stored["kinds"][0][0]["latent_attention"]["span"] = json!("cross");
        let error = serde_json::from_value::<Architecture>(stored).unwrap_err().to_string();
        assert!(error.contains("no encoder that makes one"), "{error}");
    }

    #[test]
    fn a_block_reused_twice_is_a_block_reused() {
        let linear = Linear::new(4, 4);
        let once = Block::reused(linear);
        let stored = json!({"reused": {"reused": serde_json::to_value(Block::from(linear)).unwrap()}});
        assert_eq!(serde_json::from_value::<Block>(stored).unwrap(), once);
        assert_eq!(Block::reused(once.clone()), once);
    }
}

/// A record of the first version, with every block and option, is read as what it says, and written as it is.
#[test]
fn the_first_version_of_an_architecture() {
    let dense = Layer::new()
        .with(Norm::rms())
        .with(
            Attention::grouped(8, 2, 16)
                .value_dim(12)
                .input_width(128)
                .query_bias()
                .value_bias()
                .qk_norm()
                .gated()
                .sinks()
                .window(128),
        )
        .with(Norm::layer_without_bias().width(48))
        .with(FeedForward::gated(176).down_bias())
        .with(Linear::new(64, 32).bias())
        .with(Block::reused(FeedForward::plain(96).up_bias()));
    let experts = Experts::new(8, 2, FeedForward::gated(40).bias())
        .shared_experts(2, FeedForward::gated(56))
        .shared_gate()
        .latent(32)
        .router_width(12)
        .router_bias();
    let sparse = Layer::new().with(LatentAttention::new(4, 20, 16, 8, 12).query_rank(24).bias()).with(experts);
    let spans = Layer::new()
        .with(Attention::multi_query(4, 8).output_bias().qk_norm_whole_width().gated_per_head().chunk(64))
        .with(Attention::multi_head(4, 8).bidirectional());
    let built = Architecture::decoder(64, 250)
        .padded_vocab(8)
        .positions(32)
        .embedding_norm(Norm::layer())
        .layers(3, dense.clone())
        .layers(2, sparse)
        .layer(spans)
        .layer(dense)
        .final_norm(Norm::unweighted())
        .tied()
        .head_bias()
        .mtp(Mtp::new(2, Layer::new().with(Norm::rms())).own_head())
        .build()
        .unwrap();

    let recorded = include_str!("../data/architecture-v1.json");
    assert_eq!(serde_json::from_str::<Architecture>(recorded).unwrap(), built);
    let recorded: serde_json::Value = serde_json::from_str(recorded).unwrap();
    assert_eq!(serde_json::to_value(&built).unwrap(), recorded);

    // A pace of each kind.
    let rate = FlopRate::from_tflops(400.0).unwrap();
    for (pace, recorded) in [
        (Pace::duration(Duration::from_millis(19_926)), r#"{"duration_nanoseconds":"19926000000"}"#),
        (Pace::tokens_per_second(0.5).unwrap(), r#"{"tokens_per_second":0.5}"#),
        (Pace::tokens_per_second_per_device(0.5).unwrap(), r#"{"tokens_per_second_per_device":0.5}"#),
        (Pace::flops_per_second_per_device(rate).unwrap(), r#"{"flops_per_second_per_device":400000000000000.0}"#),
    ] {
        assert_eq!(serde_json::to_string(&pace).unwrap(), recorded);
        assert_eq!(serde_json::from_str::<Pace>(recorded).unwrap(), pace);
    }
}
