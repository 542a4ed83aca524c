//! The shape of the crate: what every public type is able to do, and how conventions are named, found and walked
//! between.

use std::collections::BTreeSet;
use std::fmt::Debug;

#[cfg(feature = "hf")]
use mfu::hf;
use mfu::{Axis, Basis, Batch, Convention, Core, Domain, Error, Hardware, Inclusion, MtpParts, Windows, catalog};

fn is_plain<T: Send + Sync + Clone + Debug>() {}

fn is_copy<T: Copy>() {}

macro_rules! plain_types {
    ($list:ident: $($module:ident { $($name:ident $(<$lifetime:lifetime>)?),+ $(,)? })+) => {
        /// Every public type, by module and name. Compiling it asserts what each of them is.
        const $list: &[(&str, &str)] = &[$($({
            let _ = is_plain::<$module::$name $(<$lifetime>)?>;
            (stringify!($module), stringify!($name))
        }),+),+];
    };
}

plain_types! {
    TYPES:
    mfu {
        Architecture,
        ArchitectureBuilder,
        Attention,
        Axis,
        Basis,
        Batch<'static>,
        Block,
        Breakdown,
        Change,
        Claim<'static>,
        Component,
        CompressedAttention,
        Confidence,
        Convention,
        Core,
        Cost,
        Count,
        Device,
        Diagnosis,
        Divisor,
        Domain,
        Error,
        Experts,
        Explanation,
        FeedForward,
        Figure,
        Finding,
        Fleet,
        FlopCount,
        FlopRate,
        Frozen,
        GatedDeltaNet,
        Group,
        Hardware,
        Headline,
        Held,
        HyperConnection,
        Inclusion,
        KimiDeltaAttention,
        LatentAttention,
        Layer,
        Ledger,
        LightningAttention,
        Line,
        Linear,
        Mamba,
        Mamba2,
        Matmul,
        Misread,
        Mtp,
        MtpParts,
        Norm,
        Origin,
        Pace,
        Parameters,
        Peak,
        Place,
        Precision,
        Printed,
        Reading,
        Recipe,
        Recompute,
        Reconciliation,
        Report,
        Reused,
        Run<'static>,
        ShortConvolution,
        Span,
        Standing,
        Step,
        Utilization,
        Variant,
        Weights,
        Windows,
        Work,
    }
    catalog {
        Active,
        Model,
        Published,
    }
}

#[cfg(feature = "hf")]
plain_types! {
    HF_TYPES:
    hf {
        Config,
        Reader,
    }
}

#[cfg(not(feature = "hf"))]
const HF_TYPES: &[(&str, &str)] = &[];

/// What is exported and is no type to be had by value: a sealed trait and an alias.
const NO_TYPES: [&str; 2] = ["Length", "Result"];

fn source(file: &str) -> String {
    std::fs::read_to_string(format!("{}/src/{file}.rs", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The types that a module of the crate declares or exports.
fn exports(source: &str) -> impl Iterator<Item = &str> {
    let declared = source.lines().filter_map(|line| {
        let item = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "))?;
        item.split([' ', '(', '<', ';']).next()
    });
    let exported = source.split("\npub use ").skip(1).flat_map(|export| {
        let (path, _) = export.split_once(';').unwrap();
        let (_, names) = path.split_once("::").unwrap();
        names.trim_matches(['{', '}']).split(',').map(str::trim)
    });
    declared.chain(exported).filter(|name| !name.is_empty() && !NO_TYPES.contains(name))
}

#[test]
fn every_public_type_is_in_the_list() {
    let listed: BTreeSet<(&str, &str)> = TYPES.iter().chain(HF_TYPES).copied().collect();
    assert_eq!(listed.len(), TYPES.len() + HF_TYPES.len(), "a type is listed twice");

    let root = source("lib");
    let modules = root.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let modules = modules.filter(|module| cfg!(feature = "hf") || *module != "hf");
    let sources: Vec<(&str, String)> = modules.map(|module| (module, source(module))).collect();
    let mut public: BTreeSet<(&str, &str)> = exports(&root).map(|name| ("mfu", name)).collect();
    for (module, source) in &sources {
        public.extend(exports(source).map(|name| (*module, name)));
    }
    assert_eq!(listed, public);
}

#[test]
fn an_error_travels() {
    fn is_error<T: std::error::Error + Clone + Send + Sync + 'static>() {}
    is_error::<Error>();
    // An error is the rare case and must not widen the common one.
    assert_eq!(size_of::<Error>(), size_of::<usize>());

    let error = catalog::find("no such model").unwrap_err();
    assert_eq!(format!("{error:?}"), error.to_string(), "what a program prints whose `main` returns it");
    let boxed: Box<dyn std::error::Error + Send + Sync> = error.clone().into();
    assert_eq!(boxed.to_string(), error.to_string());
    assert!(boxed.downcast_ref::<Error>().is_some_and(Error::is_unknown_name));
}

#[test]
fn small_values_are_copied() {
    is_copy::<Batch<'static>>();
    is_copy::<Convention>();
    is_copy::<mfu::Count>();
    is_copy::<mfu::Pace>();
    // A batch is handed over every step: two slices of some integer, and what else it says, in ten words.
    assert!(size_of::<Batch<'static>>() <= 10 * size_of::<u64>());
}

#[test]
fn presets_are_told_apart_by_name_and_found_by_it() {
    let folded = |name: &str| name.replace(['_', ' '], "-").to_lowercase();
    let names: BTreeSet<String> = Convention::presets().iter().map(|(name, _)| folded(name)).collect();
    assert_eq!(names.len(), Convention::presets().len(), "two presets have one name");

    for &(name, preset) in Convention::presets() {
        for spelling in [name.to_owned(), name.to_lowercase(), name.replace('_', "-"), folded(name)] {
            assert_eq!(Convention::find(&spelling).ok(), Some(preset), "{spelling}");
        }
        let error = Convention::find(&format!("{name}0")).unwrap_err();
        assert!(error.is_unknown_name() && error.to_string().contains(&format!("`{name}`")), "{error}");
        assert!(error.to_string().contains("`Convention::presets`"), "{error}");
    }
}

/// The names by which a label calls the preset it starts from, and the changes to it.
fn read(label: &str) -> (Vec<&str>, Vec<&str>) {
    let (names, changes) = label.split_once(" except ").unwrap_or((label, ""));
    let changes = changes.split(", ").filter(|change| !change.is_empty()).collect();
    (names.split(" = ").collect(), changes)
}

#[test]
fn a_preset_is_labelled_with_every_name_it_has() {
    for &(_, preset) in Convention::presets() {
        let label = preset.label();
        let (names, changes) = read(&label);
        let equal = Convention::presets().iter().filter(|(_, other)| *other == preset).map(|&(name, _)| name);
        assert_eq!(names, equal.collect::<Vec<_>>());
        assert!(changes.is_empty(), "{label}");
    }
}

#[test]
fn a_changed_axis_is_named() {
    let exact = Convention::EXACT;
    for (convention, label) in [
        (Convention { router: Basis::Out, ..exact }, "EXACT except router out"),
        (Convention { embedding: Basis::Stored, ..exact }, "EXACT except embedding stored"),
        (Convention { latent_norms: Basis::Active, ..exact }, "EXACT except latent norms active"),
        (Convention { windows: Windows::Ignored, ..exact }, "EXACT except windows ignored"),
        (Convention { hardware: Hardware::WholeStep, ..exact }, "EXACT except hardware whole step"),
        (
            Convention { softmax: Inclusion::In, scores_recomputed: Inclusion::In, ..exact },
            "EXACT except softmax in, recomputed scores in",
        ),
        (
            Convention { head: Basis::Out, core: Core::Exact, ..Convention::PALM_2022 },
            "PALM_2022 except head out, core exact",
        ),
        // Three axes that change alike are one change.
        (Convention { mtp: MtpParts::NONE, ..exact }, "EXACT except MTP out"),
        (Convention { mtp: MtpParts { head: Inclusion::Out, ..MtpParts::ALL }, ..exact }, "EXACT except MTP head out"),
        (Convention { mtp: MtpParts::ALL, ..Convention::MAXTEXT_2025 }, "EXACT except core half"),
    ] {
        assert_eq!(convention.label(), label);
        assert_eq!(convention.to_string(), label);
    }
    assert_eq!(format!("{exact:<8}|{exact:>8}"), "EXACT   |   EXACT");
}

/// Every pair of presets.
fn pairs() -> impl Iterator<Item = (Convention, Convention)> {
    let presets = Convention::presets();
    presets.iter().flat_map(move |&(_, from)| presets.iter().map(move |&(_, to)| (from, to)))
}

#[test]
fn a_walk_changes_one_axis_a_step_and_ends_at_its_target() {
    for (from, to) in pairs() {
        let steps: Vec<(Axis, Convention)> = from.walk(&to).collect();
        assert_eq!(steps.last().map_or(from, |&(_, end)| end), to);
        assert!(steps.iter().map(|(axis, _)| *axis).eq(from.differences(&to)));
        assert!(steps.windows(2).all(|pair| pair[0].0 < pair[1].0), "the order is that of `Axis::ALL`");
        let mut before = from;
        for (axis, at) in steps {
            assert_eq!(before.differences(&at).collect::<Vec<_>>(), [axis]);
            assert_eq!(axis.value(&at), axis.value(&to));
            before = at;
        }
        assert_eq!(from.differences(&to).count(), to.differences(&from).count());
    }
}

#[test]
fn every_axis_is_walked_under_a_name_of_its_own() {
    let names: BTreeSet<&str> = Axis::ALL.iter().map(|axis| axis.name()).collect();
    assert_eq!(names.len(), Axis::ALL.len());
    // Two rules that agree on nothing.
    let all_in = Convention {
        weights: Basis::Work,
        embedding: Basis::Work,
        head: Basis::Work,
        router: Basis::Work,
        latent_norms: Basis::Work,
        core: Core::Exact,
        windows: Windows::Exact,
        softmax: Inclusion::In,
        scan: Inclusion::In,
        scores_recomputed: Inclusion::In,
        mtp: MtpParts::ALL,
        hardware: Hardware::Performed,
        domain: Domain::Any,
    };
    let all_out = Convention {
        weights: Basis::Out,
        embedding: Basis::Out,
        head: Basis::Out,
        router: Basis::Out,
        latent_norms: Basis::Out,
        core: Core::Out,
        windows: Windows::Ignored,
        softmax: Inclusion::Out,
        scan: Inclusion::Out,
        scores_recomputed: Inclusion::Out,
        mtp: MtpParts::NONE,
        hardware: Hardware::CoreTwice,
        domain: Domain::GptLayers,
    };
    assert!(all_in.differences(&all_out).eq(Axis::ALL.iter().copied()));
    assert_eq!(all_in.walk(&all_out).last().map(|(_, end)| end), Some(all_out));
}

/// The axes on which a rule differs from another, in words. The parts of multi-token prediction are one where all are
/// alike.
fn changed(convention: &Convention, from: &Convention) -> Vec<String> {
    let differing: Vec<Axis> = convention.differences(from).collect();
    let words = |axis: &Axis| format!("{axis} {}", axis.value(convention));
    let alike = [MtpParts::ALL, MtpParts::NONE].contains(&convention.mtp);
    if !alike || convention.mtp == from.mtp {
        return differing.iter().map(words).collect();
    }
    let of_mtp = |axis: &&Axis| axis.name().starts_with("MTP");
    let others = differing.iter().filter(|axis| !of_mtp(axis)).map(words);
    others.chain([format!("MTP {}", Axis::MtpLayer.value(convention))]).collect()
}

#[test]
fn a_label_says_everything_about_a_rule() {
    // The rules on every way from one preset to another: read back from its label, a rule is the preset named with the
    // axes named set to the words named, and no preset is nearer.
    for (from, to) in pairs() {
        for (_, convention) in from.walk(&to) {
            let label = convention.label();
            let (names, changes) = read(&label);
            let preset = Convention::find(names[0]).unwrap();
            assert_eq!(changed(&convention, &preset), changes, "{label}");
            let nearest = Convention::presets().iter().map(|(_, preset)| changed(&convention, preset).len()).min();
            assert_eq!(nearest, Some(changes.len()), "{label}");
        }
    }
}
