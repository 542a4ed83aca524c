//! The table of devices: every name, every kind of missing peak, and what is known of the figures apart from the table.

#[path = "common/measured.rs"]
mod measured;

use std::collections::{BTreeMap, BTreeSet};

use measured::{Line, lines};
use mfu::{Confidence, Device, FlopRate, Headline, Peak, Precision};

const BF16: Precision = Precision::Bf16;

fn names() -> Vec<Line> {
    lines(include_str!("data/device-names.csv"))
}

fn device(name: &str) -> Device {
    Device::find(name).unwrap_or_else(|error| panic!("{error}"))
}

fn tflops(name: &str, precision: Precision) -> f64 {
    device(name).peak(precision).unwrap_or_else(|error| panic!("{error}")).rate().as_tflops()
}

/// One figure, but for the last bit that scaling may cost.
fn is(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-12 * expected
}

fn declared(label: &str, tflops: f64) -> Peak {
    Peak::declared(label, FlopRate::from_tflops(tflops).unwrap()).unwrap()
}

// --------------------------------------------------------------------------------------------------------------- names

#[test]
fn every_name_that_a_driver_reports_is_its_one_row() {
    for line in names() {
        let (name, row) = (line.text("name"), line.text("row"));
        for written in [name.to_owned(), name.to_lowercase(), name.to_uppercase()] {
            assert_eq!(device(&written).name(), row, "{written}");
        }
        if let Some(unprefixed) = name.strip_prefix("NVIDIA ") {
            assert_eq!(device(unprefixed).name(), row, "{unprefixed}");
        }
        let peak = device(name).peak(BF16);
        match line.text("bf16") {
            "unsupported" => assert!(peak.unwrap_err().is_unsupported_precision(), "{name}"),
            "unpublished" => assert!(peak.unwrap_err().is_unpublished_peak(), "{name}"),
            tflops => assert!(is(peak.unwrap().rate().as_tflops(), tflops.parse().unwrap()), "{name}"),
        }
    }
}

#[test]
fn the_table_has_no_other_driver_names() {
    let listed: BTreeSet<&str> = names().iter().map(|line| line.text("name")).collect();
    let table: BTreeSet<&str> = Device::all().flat_map(|device| device.driver_names()).copied().collect();
    let other: Vec<_> = table.symmetric_difference(&listed).collect();
    assert!(other.is_empty(), "either the table or tests/data/device-names.csv lacks {other:?}");
}

/// Of which published tables get between 2 and 46 wrong.
#[test]
fn all_nvidia_and_amd_names_with_a_bf16_peak_are_right() {
    let of = |line: &&Line| matches!(device(line.text("name")).vendor(), Some("NVIDIA" | "AMD"));
    let lines = names();
    let right: Vec<&Line> = lines.iter().filter(of).filter(|line| line.text("bf16") != "unsupported").collect();
    assert!(right.len() >= 61);
    for line in right {
        let expected: f64 = line.text("bf16").parse().unwrap();
        assert!(is(tflops(line.text("name"), BF16), expected), "{}", line.text("name"));
    }
}

#[test]
fn no_two_rows_share_a_name() {
    let mut rows: BTreeMap<String, String> = BTreeMap::new();
    for device in Device::all() {
        let names = device.driver_names().iter().chain(device.aliases()).copied().chain([device.name()]);
        for name in names.flat_map(|name| [Some(name), name.strip_prefix("NVIDIA ")]).flatten() {
            let row = rows.entry(name.to_lowercase()).or_insert_with(|| device.name().to_owned());
            assert_eq!(row, device.name(), "{name}");
        }
    }
}

/// Where one real name is part of another.
#[test]
fn a_name_within_a_name_is_another_device() {
    for (part, whole) in [
        ("NVIDIA A10", "NVIDIA A100-SXM4-40GB"),
        ("NVIDIA A10", "NVIDIA A10G"),
        ("NVIDIA L4", "NVIDIA L40"),
        ("NVIDIA L4", "NVIDIA L40S"),
        ("NVIDIA L40", "NVIDIA L40S"),
        ("NVIDIA H20", "NVIDIA H200"),
        ("NVIDIA H20", "NVIDIA H20-3e"),
        ("NVIDIA H200", "NVIDIA GH200 480GB"),
        ("NVIDIA B200", "NVIDIA GB200"),
        ("B300", "NVIDIA GB300"),
        ("NVIDIA H100", "NVIDIA H100 PCIe"),
        ("NVIDIA H100", "NVIDIA H100 NVL"),
        ("NVIDIA RTX 6000 Ada Generation", "NVIDIA RTX PRO 6000 Blackwell Server Edition"),
        ("NVIDIA RTX A6000", "NVIDIA RTX 6000 Ada Generation"),
        ("TPU v5", "TPU v5 lite"),
        ("AMD Instinct MI250X", "AMD Instinct MI210"),
        ("Ascend910B2", "Ascend910B3"),
    ] {
        assert_ne!(device(part).name(), device(whole).name(), "{part} and {whole}");
    }
    // The other halves of two such pairs are no rows at all.
    for unknown in ["NVIDIA RTX A4000", "NVIDIA T400", "NVIDIA RTX A400", "Quadro RTX 6000"] {
        assert!(Device::find(unknown).unwrap_err().is_unknown_name(), "{unknown}");
    }
    // The bare name of a TPU v5 is the larger chip; two editions of one name, and three of another, have their own
    // peaks.
    for (name, peak) in [
        ("TPU v5", 459.0),
        ("TPU v5 lite", 197.0),
        ("NVIDIA H800", 989.4),
        ("NVIDIA H800 PCIe", 756.0),
        ("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 503.8),
        ("NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", 438.9),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition", 479.9),
    ] {
        assert!(is(tflops(name, BF16), peak), "{name}");
    }
}

#[test]
fn what_is_not_a_whole_name_is_unknown() {
    for unknown in [
        // Slices of a device.
        "NVIDIA H100-20C",
        "NVIDIA A40-24Q",
        "GRID A100D-80C",
        "NVIDIA B200X-2-45C",
        "NVIDIA H100 80GB HBM3 MIG 1g.10gb",
        "NVIDIA A100-SXM4-40GB MIG 3g.20gb",
        // Other parts that share the beginning of a name.
        "NVIDIA GeForce RTX 4090 Laptop GPU",
        "NVIDIA GeForce RTX 4090 D",
        "NVIDIA GeForce RTX 5090 D v2",
        "NVIDIA RTX 6000D",
        "NVIDIA H20 NVL16",
        "NVIDIA A10M",
        "NVIDIA A100-SXM-64GB",
        "TPU v4 lite",
        // What drivers say of parts that they have no name for.
        "NVIDIA Graphics Device",
        "AMD Radeon Graphics",
        // Devices whose peak is not known, and whose name is not.
        "AMD Instinct MI308X",
        "AMD Instinct MI308X HF",
        "NVIDIA B100",
        // Names that published tables have, and no driver reports.
        "NVIDIA A100-PCIE-80GB",
        "NVIDIA RTX A6000 ADA",
        "NVIDIA GB300 NVL",
        "AMD MI300X",
        "MI210X",
        "h200 sxm1",
        // More or less than a whole name.
        "",
        " ",
        "NVIDIA",
        "NVIDIA ",
        "NVIDIA H100 ",
        " NVIDIA H100",
        "NVIDIA  H100",
        "NVIDIA NVIDIA H100",
        "NVIDIA-H100-80GB-HBM3",
        "NVIDIA_H100",
        "NVIDIA A100",
        "Instinct MI300X",
    ] {
        let error = Device::find(unknown).unwrap_err();
        assert!(error.is_unknown_name(), "{unknown}: {error}");
        assert!(error.to_string().contains("`Peak::declared`"), "{error}");
    }
}

#[test]
fn an_unknown_name_says_what_is_near_and_what_it_looks_like() {
    for (unknown, parts) in [
        ("NVIDIA H100-20C", ["slice", "`h100-"]),
        ("NVIDIA A40-24Q", ["slice", "`a40`"]),
        ("nvidia h100-20c", ["slice", "`h100-"]),
        ("nvidia geforce rtx 4090 laptop gpu", ["laptop", "`rtx-4090`"]),
        ("NVIDIA GeForce RTX 4090 Laptop GPU", ["laptop", "unknown device"]),
        ("NVIDIA GeForce RTX 5090 D", ["another part", "`rtx-5090`"]),
        ("A100-SXM-64GB", ["custom part", "`a100-sxm4-"]),
        ("NVIDIA Graphics Device", ["no name for", "`Device::declared`"]),
        ("AMD Instinct MI308X", ["cap the rate", "`mi3"]),
        ("MI210X", ["`mi210`", "unknown device"]),
        ("h100\n", ["`h100\\n`", "`h100-sxm5`"]),
        ("NVIDIA GH200", ["`gh200-96gb`", "`gh200-144gb`"]),
        ("NVIDIA H200 141GB HBM3e", ["are `h200-sxm`", "unknown device"]),
        ("NVIDIA A100-SXM4-40GB MIG 1g.5gb", ["slice", "`a100-sxm4-40gb`"]),
        ("NVIDIA H100 PCI", ["`h100-pcie`", "unknown device"]),
    ] {
        let message = Device::find(unknown).unwrap_err().to_string();
        for part in parts {
            assert!(message.contains(part), "{message}: {part}");
        }
    }
}

#[test]
fn a_hint_is_given_for_what_looks_like_one_alone() {
    for name in ["Zeta 20C", "Zeta-C", "Zeta-20", "Zeta-20Z", "Zeta-20c-x", "Zeta MIGRATION", "Zeta Laptops"] {
        let message = Device::find(name).unwrap_err().to_string();
        assert!(!message.contains("slice") && !message.contains("laptop"), "{message}");
    }
}

#[test]
fn a_name_of_several_devices_names_them() {
    for (name, rows) in [
        ("AMD Instinct MI250X / MI250", vec!["mi250x-gcd", "mi250-gcd"]),
        ("v100", vec!["v100-sxm2", "v100-pcie", "v100s-pcie"]),
        ("RTX PRO 6000", vec!["rtx-pro-6000-ws", "rtx-pro-6000-maxq", "rtx-pro-6000-server"]),
        ("MI300", vec!["mi300x", "mi300a"]),
        ("910b", vec!["ascend-910b1", "ascend-910b2", "ascend-910b3", "ascend-910b4"]),
        ("hpu", vec!["gaudi2", "gaudi3"]),
        ("Trainium", vec!["trn1", "trn2", "trn3"]),
    ] {
        let error = Device::find(name).unwrap_err();
        assert!(error.is_ambiguous_name() && !error.is_unknown_name(), "{name}: {error}");
        let peaks: BTreeSet<String> =
            rows.iter().map(|row| format!("{:?}", device(row).peak(Precision::Fp16))).collect();
        assert!(peaks.len() > 1 || rows.len() == 2, "{name} need not be told apart");
        for row in rows {
            assert!(error.to_string().contains(&format!("`{row}`")), "{error}");
        }
    }
}

#[test]
fn rows_without_a_driver_name_are_found_by_their_own() {
    let nameless: Vec<String> = Device::all()
        .filter(|device| device.driver_names().is_empty())
        .map(|device| device.name().to_owned())
        .collect();
    assert_eq!(nameless, ["b100", "vr200", "mi250", "mi250-gcd", "mi250x", "ascend-910c", "wse-3"]);
    for name in &nameless {
        assert_eq!(device(name).name(), name);
    }
}

#[test]
fn finding_a_device_allocates_nothing() {
    let all: Vec<String> = names().iter().map(|line| line.text("name").to_lowercase()).collect();
    let info = allocation_counter::measure(|| {
        for name in &all {
            assert!(Device::find(name).is_ok_and(|device| device.memory_gb().is_none_or(|gb| gb > 0.0)));
        }
    });
    assert_eq!(info.count_total, 0);
}

// --------------------------------------------------------------------------------------------------------------- peaks

#[test]
fn no_units_and_no_figure_are_different_errors() {
    use Precision::{Fp4, Fp6, Fp8, Fp32, Fp64, Int8, Tf32};
    for (name, precision) in [
        ("Tesla T4", BF16),
        ("Tesla V100-SXM2-32GB", BF16),
        ("Tesla V100-SXM2-32GB", Int8),
        ("NVIDIA A100-SXM4-80GB", Fp8),
        ("NVIDIA H100 80GB HBM3", Fp4),
        ("NVIDIA H200", Fp6),
        ("AMD Instinct MI355X", Tf32),
        ("AMD Instinct MI250X", Fp8),
        ("TPU v5 lite", Precision::Fp16),
        ("trn2", Int8),
    ] {
        let error = device(name).peak(precision).unwrap_err();
        assert!(error.is_unsupported_precision() && !error.is_unpublished_peak(), "{name}: {error}");
        assert!(!device(name).supports(precision));
        assert!(error.to_string().contains("it has peaks at"), "{error}");
    }
    for (name, precision) in [
        ("NVIDIA GB10", Fp8),
        ("NVIDIA H800 NVL", Fp64),
        ("wse-3", BF16),
        ("TPU v4", Fp32),
        ("GAUDI3", Int8),
        ("vr200", Int8),
        ("Tesla T4", Fp64),
    ] {
        let error = device(name).peak(precision).unwrap_err();
        assert!(error.is_unpublished_peak() && !error.is_unsupported_precision(), "{name}: {error}");
        assert!(device(name).supports(precision));
        assert!(error.to_string().contains("none is inferred"), "{error}");
    }
}

/// From one precision to another there is no rule: ratios to BF16, as the vendors' sheets have them.
#[test]
fn no_precision_follows_from_another() {
    use Precision::{Fp4, Fp8, Fp16, Int8, Tf32};
    for (name, precision, ratio) in [
        ("h100-sxm5", Fp8, 2.0),
        ("b200", Fp8, 2.0),
        ("b200", Fp4, 4.0),
        ("gb200", Fp4, 4.0),
        ("b300", Fp4, 6.0),
        ("gb300", Fp4, 6.0),
        ("vr200", Fp8, 4.375),
        ("vr200", Fp4, 8.75),
        ("mi300x", Fp8, 2.0),
        ("mi355x", Fp8, 2.0),
        ("mi455x", Fp8, 4.0),
        ("mi250x", Int8, 1.0),
        ("tpu-v6e", Fp8, 1.0),
        ("tpu-v6e", Int8, 2.0),
        ("tpu-v7x", Fp8, 2.0),
        ("tpu-8t", Fp8, 6.0),
        ("tpu-8i", Fp8, 8.0),
        ("trn2", Fp8, 1.95),
        ("trn3", Fp8, 3.75),
        ("gaudi3", Fp8, 1.0),
        ("gaudi3", Fp16, 0.2735),
        ("mi300x", Tf32, 0.5),
        // A B300 lost most of its INT8 units: 153.5 of a B200's 4,500.
        ("b300", Int8, 0.0682),
    ] {
        let found = tflops(name, precision) / tflops(name, BF16);
        assert!((found / ratio - 1.0).abs() < 0.007, "{name} at {precision}: {found} and not {ratio}");
    }
}

/// Units × FLOP per clock × clock. 0.6 % is what datasheets round by; three rows are known to be further off.
#[test]
fn peaks_are_what_units_and_clock_give() {
    let lines = lines(include_str!("data/clocks.csv"));
    assert!(lines.len() >= 65);
    for line in lines {
        let row = line.text("row");
        let number = |column| line.text(column).parse::<f64>().unwrap();
        // To the tenth of a TFLOP/s, as such products are printed.
        let computed = (number("units") * number("flops_per_clock") * number("ghz") / 100.0).round() / 10.0;
        let of_device = device(row);
        let devices = of_device.devices_per_unit();
        let of_unit = tflops(row, line.text("precision").parse().unwrap()) * f64::from(devices);
        let residual = (computed / of_unit - 1.0).abs();
        // The datasheets of both V100 PCIe cards round down, the sheet of the L40S disagrees with itself (362.05 here,
        // 366.5 as half of its sparse figure).
        let expected = match row {
            "v100-pcie" => 0.0089..0.0090,
            "v100s-pcie" => 0.0061..0.0062,
            "l40s" => 0.0120..0.0121,
            _ => 0.0..0.006,
        };
        assert!(expected.contains(&residual), "{row}: {of_unit} and {computed}, {residual:.4} apart");
    }
}

/// A framework's device is a share of what its vendor sells.
#[test]
fn a_unit_is_shared_out_once() {
    for (name, unit, devices, of_unit) in [
        ("TPU v2", "chip", 2, 46.0),
        ("TPU v3", "chip", 2, 123.0),
        ("TPU7x", "chip", 2, 2_307.0),
        ("TPU8i", "chip", 2, 1_101.0),
        ("TPU v4", "chip", 1, 275.0),
        ("trn1", "chip", 2, 190.0),
        ("trn2", "chip", 4, 667.0),
        ("trn3", "chip", 4, 671.0),
        ("Intel(R) Data Center GPU Max 1550", "package", 2, 839.0),
        ("mi250", "package", 2, 362.1),
        ("mi250x", "package", 2, 383.0),
        ("910c", "package", 2, 707.8),
    ] {
        assert_eq!((device(name).unit(), device(name).devices_per_unit()), (Some(unit), devices), "{name}");
        assert!(is(tflops(name, BF16) * f64::from(devices), of_unit), "{name}");
    }
    // A package's row and its half's own row say the same of a device.
    for (package, half) in [("mi250", "mi250-gcd"), ("mi250x", "mi250x-gcd"), ("910c", "910c die")] {
        assert!(is(tflops(package, BF16), tflops(half, BF16)));
        assert_eq!(device(package).memory_gb(), device(half).memory_gb());
        assert_eq!(device(package).link_bytes_per_second(), device(half).link_bytes_per_second());
    }
    assert_eq!(device("mi250").peak(BF16).unwrap().label(), "mi250, BF16 dense per GCD");
}

/// Every figure of every row, against a list of them apart from the table.
#[test]
fn every_figure_is_its_sources() {
    let lines = lines(include_str!("data/device-figures.csv"));
    let listed: BTreeSet<String> = lines.iter().map(|line| line.text("row").to_owned()).collect();
    let table: BTreeSet<String> = Device::all().map(|device| device.name().to_owned()).collect();
    let other: Vec<_> = table.symmetric_difference(&listed).collect();
    assert!(other.is_empty(), "either the table or tests/data/device-figures.csv lacks {other:?}");
    for line in lines {
        let (row, device) = (line.text("row"), device(line.text("row")));
        let devices: f64 = line.text("devices").parse().unwrap();
        assert!(is(f64::from(device.devices_per_unit()), devices), "{row}");
        for precision in Precision::ALL {
            let (listed, peak) = (line.text(&precision.to_string().to_lowercase()), device.peak(precision));
            match listed {
                "no" => assert!(peak.unwrap_err().is_unsupported_precision(), "{row} {precision}"),
                "?" => assert!(peak.unwrap_err().is_unpublished_peak(), "{row} {precision}"),
                figure => {
                    let (peak, of_unit) = (peak.unwrap(), figure.trim_end_matches('*').parse().unwrap());
                    assert!(is(peak.rate().as_tflops() * devices, of_unit), "{row} {peak}");
                    assert_eq!(peak.is_uncertain(), figure.ends_with('*'), "{row} {peak}");
                }
            }
        }
        for headline in line.text("sparse").split_whitespace() {
            let (precision, of_unit) = headline.split_once(':').unwrap();
            let mut headlines = device.headlines(precision.parse().unwrap());
            let found = headlines.find(|(kind, _)| *kind == Headline::Sparse).unwrap().1.as_tflops();
            assert!(is(found * devices, of_unit.parse().unwrap()), "{row} {headline}");
        }
        for (column, found, unit) in [
            ("memory", device.memory_gb().map(|gb| gb * devices), 1.0),
            ("bandwidth", device.memory_bytes_per_second().map(|rate| rate * devices), 1e12),
            ("tdp", device.tdp_watts().map(|watts| watts * devices), 1.0),
            ("link", device.link_bytes_per_second().map(|rate| rate * devices), 1e9),
            ("pcie", device.pcie_bytes_per_second(), 1e9),
        ] {
            match (line.text(column), found) {
                ("", None) => {}
                (listed, Some(found)) if !listed.is_empty() => {
                    assert!(is(found, listed.parse::<f64>().unwrap() * unit), "{row} {column}: {found}");
                }
                (listed, found) => panic!("{row} {column}: {found:?}, and not {listed:?}"),
            }
        }
    }
}

#[test]
fn memory_is_the_named_parts() {
    for (name, gb) in [
        ("Tesla V100-SXM2-16GB", Some(16.0)),
        ("Tesla V100-SXM2-32GB", Some(32.0)),
        ("Tesla V100-PCIE-16GB", Some(16.0)),
        ("v100-sxm2", None),
        ("NVIDIA A800 40GB Active", Some(40.0)),
        ("A800 40GB Active", Some(40.0)),
        ("NVIDIA A800-SXM4-40GB", Some(40.0)),
        ("NVIDIA A800-SXM4-80GB", Some(80.0)),
        ("NVIDIA H100 80GB HBM3", Some(80.0)),
        // An H100 of some other size.
        ("NVIDIA H100", None),
        ("H100", None),
        ("h100-sxm5", Some(80.0)),
        ("a800-pcie", None),
        ("Ascend910B4", Some(32.0)),
        ("Ascend910B4-1", None),
        ("Tesla V100-SXM3-32GB", Some(32.0)),
        // The 480 GB are the CPU's.
        ("NVIDIA GH200 480GB", Some(96.0)),
        ("NVIDIA GH200 144G HBM3e", Some(144.0)),
        ("gh200", None),
        ("a100", None),
        ("a100-80gb", Some(80.0)),
        ("NVIDIA A100-SXM4-40GB", Some(40.0)),
        // A core of a chip with 192 GB.
        ("TPU7x", Some(96.0)),
    ] {
        assert_eq!(device(name).memory_gb(), gb, "{name}");
    }
    // One direction: NVLink4 is printed as 900 GB/s, and cut to 400 in an H800.
    assert_eq!(device("h100-sxm5").link_bytes_per_second(), Some(450e9));
    assert_eq!(device("h800-sxm5").link_bytes_per_second(), Some(200e9));
}

#[test]
fn every_row_says_where_it_is_from() {
    for device in Device::all() {
        let name = device.name().to_owned();
        assert!(device.source().is_some_and(|source| source.len() > 8), "{name}");
        assert!(device.sources().len() < 8 && device.confidence().is_some(), "{name}");
        assert!(device.vendor().is_some_and(|vendor| !vendor.is_empty()), "{name}");
        assert!(device.architecture().is_some_and(|architecture| !architecture.is_empty()), "{name}");
        assert!(device.form_factor().is_some_and(|form| !form.is_empty()), "{name}");
        assert!(!device.is_declared() && !device.driver_names().iter().any(|name| device.aliases().contains(name)));
        for precision in device.precisions() {
            let peak = device.peak(precision).unwrap();
            assert!(peak.rate().as_tflops() > 0.1 && !peak.is_declared(), "{peak}");
            assert!(peak.source().is_some() && peak.misread().is_none(), "{peak}");
        }
        for (headline, rate) in Precision::ALL.into_iter().flat_map(|precision| device.headlines(precision)) {
            assert!(rate.as_tflops() > 0.1, "{name}: {headline} {rate}");
        }
    }
}

#[test]
fn a_row_says_what_it_is() {
    let h100 = device("NVIDIA H100 80GB HBM3");
    assert_eq!((h100.vendor(), h100.architecture()), (Some("NVIDIA"), Some("Hopper GH100")));
    assert_eq!((h100.form_factor(), h100.link()), (Some("SXM5"), Some("NVLink4")));
    assert_eq!((h100.unit(), h100.part(), h100.confidence()), (Some("GPU"), Some("GPU"), Some(Confidence::Datasheet)));
    assert_eq!(h100.source(), Some("NVIDIA H100 datasheet 24306"));
    assert!(h100.sources().iter().any(|source| source.starts_with("NVIDIA GH100 whitepaper, Table 1 <https://")));
    assert!(h100.note().is_some_and(|note| note.contains("989.5")));
    // No link and nothing to note.
    assert_eq!((device("v100s").link(), device("v100s").note()), (None, None));

    for device in Device::all() {
        assert!(device.to_string().starts_with(&format!("{} ", device.name())), "{device}");
    }
    let v3 = device("TPU v3").with_tdp_watts(200.0).unwrap().to_string();
    let card = "tpu-v3      Google TPU v3, board, changed by declaration; per core, 2 to a chip
  BF16        61.500 TFLOP/s dense, uncertain
  memory      16 GB
  bandwidth   0.45 TB/s
  TDP         200 W
  source      Google Cloud TPU docs
  note        A device is a core. JAX has 140 for a chip, where Google Cloud has 123.";
    assert_eq!(v3, card);
    let chip = Device::declared("chip-1").unwrap().with_peak(BF16, FlopRate::from_tflops(4.0).unwrap()).unwrap();
    assert_eq!(chip.to_string(), "chip-1      declared\n  BF16        4.000 TFLOP/s dense, declared");
}

/// Large matrix products as they were measured, in TFLOP/s: zzc0721/torch-performance-test-data, stas00/ml-engineering.
#[test]
fn what_was_measured_is_there() {
    for (name, precision, measured) in [
        ("a10g", BF16, 69.5),
        ("a10g", Precision::Tf32, 34.7),
        ("rtx-a6000", BF16, 123.3),
        ("l20", BF16, 114.1),
        ("l20", Precision::Tf32, 58.2),
        ("l4", BF16, 70.9),
        ("l40s", BF16, 269.0),
        ("rtx-pro-6000-ws", BF16, 418.0),
        ("rtx-pro-6000-server", BF16, 409.0),
        ("rtx-3090", BF16, 76.7),
        ("rtx-4090", BF16, 173.0),
        ("rtx-5090", BF16, 242.0),
        ("h20", BF16, 142.0),
        ("h20", Precision::Tf32, 71.8),
        ("h100-pcie", BF16, 496.0),
        ("h800-pcie", BF16, 504.0),
        ("ascend-910b2", BF16, 315.0),
        ("b200", BF16, 1_745.0),
        ("gb200", BF16, 1_822.0),
        ("b300", BF16, 1_769.0),
        ("mi355x", BF16, 1_565.0),
    ] {
        let found = device(name).measured_matmul(precision).unwrap().as_tflops();
        assert!(is(found, measured), "{name} {precision}: {found}");
        // Only cards whose clock exceeds the published one exceed their peak.
        assert_eq!(found > tflops(name, precision), ["rtx-3090", "rtx-4090", "rtx-5090"].contains(&name), "{name}");
    }
    assert_eq!(device("h100-sxm5").measured_matmul(BF16), None);
}

/// Of one row, figures may come from different places.
#[test]
fn a_peak_has_the_source_of_its_own_figure() {
    use Precision::{Fp4, Fp8, Tf32};
    for (name, precision, source) in [
        ("b300", BF16, "NVIDIA Blackwell Ultra datasheet"),
        ("b300", Fp4, "NVIDIA HGX page: 108 PFLOP/s for 8"),
        ("b200", Tf32, "derived: half of BF16; the HGX page prints 2,200 sparse"),
        ("vr200", Fp8, "NVIDIA DGX Rubin NVL8: 140 PFLOP/s for 8"),
        ("tpu-8t", Fp4, "Google, announcement of the eighth TPU generation"),
        ("tpu-8t", Fp8, "jax cec06d1, jax/_src/tpu_info.py"),
        ("TPU v5 lite", BF16, "Google Cloud TPU docs"),
    ] {
        assert_eq!(device(name).peak(precision).unwrap().source(), Some(source), "{name} {precision}");
    }
}

#[test]
fn an_uncertain_figure_says_so() {
    let peak = device("NVIDIA B300 SXM6 AC").peak(Precision::Fp4).unwrap();
    assert!(peak.is_uncertain() && peak.to_string().contains("13.500 PFLOP/s, uncertain"), "{peak}");
    assert!(!device("NVIDIA B300 SXM6 AC").peak(BF16).unwrap().is_uncertain());
    let uncertain: Vec<String> = device("gb10").uncertain().collect();
    assert_eq!(uncertain, ["FP32", "FP16", "BF16"]);
}

// ------------------------------------------------------------------------------------------------------------ misreads

/// What vendors print large, typed in as a dense peak.
#[test]
fn a_sparse_headline_is_recognized() {
    use Precision::{Fp4, Fp8, Fp16, Int8};
    for (name, precision, headline, dense) in [
        ("NVIDIA H100 80GB HBM3", BF16, 1_979.0, 989.4),
        ("NVIDIA H100 80GB HBM3", Fp8, 3_958.0, 1_978.9),
        ("h100", Fp16, 1_978.9, 989.4),
        ("NVIDIA H100 PCIe", BF16, 1_513.0, 756.0),
        ("NVIDIA B300 SXM6 AC", Fp16, 4_500.0, 2_250.0),
        ("NVIDIA H20", Fp16, 296.0, 148.0),
        ("NVIDIA GeForce RTX 4090", Fp8, 1_321.2, 330.3),
        ("NVIDIA L4", BF16, 242.0, 121.0),
        ("NVIDIA B200", BF16, 4_500.0, 2_250.0),
        ("NVIDIA RTX 6000 Ada Generation", BF16, 728.5, 364.2),
        ("NVIDIA GeForce RTX 4090", Int8, 1_321.2, 660.6),
        ("NVIDIA GB10", Fp4, 1_000.0, 500.0),
        // Not always twice the dense figure.
        ("NVIDIA B300 SXM6 AC", Fp4, 18_000.0, 13_500.0),
        ("trn2", BF16, 640.75, 166.75),
        ("AMD Instinct MI355X", Fp8, 10_066.3, 5_033.2),
    ] {
        let label = format!("{name}, {precision} dense");
        let misread = declared(&label, headline).misread().unwrap_or_else(|| panic!("{label}: {headline}"));
        assert!(misread.readings().iter().any(|reading| reading.headline == Some(Headline::Sparse)), "{misread}");
        assert!(is(misread.dense().unwrap().rate().as_tflops(), dense), "{misread}");
        assert_eq!(misread.declared().label(), label);
        assert!(declared(&label, dense).misread().is_none(), "{label}: {dense}");
    }
    // No dense figure to name.
    let misread = declared("CS-3, FP16", 125_000.0).misread().unwrap();
    assert!(misread.dense().is_none() && misread.to_string().contains("no dense peak is published"), "{misread}");
}

#[test]
fn rates_of_other_kinds_are_recognized() {
    // GeForce: accumulating in FP16 doubles the rate, and so does sparsity.
    assert!(declared("RTX 4090 D, FP16", 330.3).misread().is_none(), "no such device");
    assert!(declared("RTX 4090, FP16", 330.3).misread().is_some());
    let misread = declared("NVIDIA GeForce RTX 3090 fp16", 142.3).misread().unwrap();
    assert_eq!(
        misread.readings().iter().map(|reading| reading.headline).collect::<Vec<_>>(),
        [Some(Headline::Fp16Accumulate)]
    );
    // Rubin's 50 PFLOP/s are for inference with compression; 35 are dense.
    let misread = declared("VR200 NVFP4", 50_000.0).misread().unwrap();
    assert_eq!(misread.readings()[0].headline, Some(Headline::Compressed));
    assert!(is(misread.dense().unwrap().rate().as_tflops(), 35_000.0));
}

/// The figure of a superchip, a package, a chip or a rack, typed in as one device's.
#[test]
fn several_devices_are_recognized() {
    for (label, tflops, devices, dense) in [
        ("NVIDIA GB200, BF16", 5_000.0, 2, 2_500.0),
        ("NVIDIA GH200 480GB, BF16", 1_978.8, 2, 989.4),
        ("vr200, BF16", 8_000.0, 2, 4_000.0),
        ("GB200 NVL72, BF16", 180_000.0, 72, 2_500.0),
        ("GB300, FP4", 1_080_000.0, 72, 15_000.0),
        ("HGX H100, BF16", 7_915.2, 8, 989.4),
        ("NVIDIA H100 NVL, BF16", 1_671.0, 2, 835.5),
        ("mi250x, BF16", 383.0, 2, 191.5),
        ("AMD Instinct MI250X, BF16", 383.0, 2, 191.5),
        ("TPU v3, BF16", 123.0, 2, 61.5),
        ("TPU7x, bfloat16", 2_307.0, 2, 1_153.5),
        ("trn2, BF16", 667.0, 4, 166.75),
        ("910c, BF16", 707.8, 2, 353.9),
    ] {
        let misread = declared(label, tflops).misread().unwrap_or_else(|| panic!("{label}: {tflops}"));
        assert!(misread.readings().iter().any(|reading| reading.devices == devices), "{misread}");
        assert!(is(misread.dense().unwrap().rate().as_tflops(), dense), "{misread}");
    }
    // 5,000 is two figures of a GB200 at once, and 360 PFLOP/s the sparse one of a rack.
    let text = declared("NVIDIA GB200, BF16", 5_000.0).misread().unwrap().to_string();
    assert!(text.contains("the sparse headline or the dense figure of one superchip (2 devices)"), "{text}");
    let text = declared("NVIDIA GB200, BF16", 360_000.0).misread().unwrap().to_string();
    assert!(text.contains("the sparse headline of one NVL72 rack (72 devices)"), "{text}");
}

#[test]
fn a_label_separates_device_and_precision_in_many_ways() {
    for label in [
        "H100 SXM, BF16",
        "H100 SXM5 bf16",
        "H100 - BF16",
        "H100; BF16",
        "H100/BF16",
        "H100 [BF16]",
        "H100 @ BF16",
        "H100 dense BF16",
        "H100, bf16/fp16",
        " h100\tbf16",
    ] {
        assert!(declared(label, 1_979.0).misread().is_some(), "{label}");
    }
}

#[test]
fn other_declared_peaks_are_left_alone() {
    for (label, tflops) in [
        // FP64 on the matrix units is twice that on the vector units, and a figure of its own.
        ("AMD Instinct MI250X, FP64 matrix", 47.9),
        ("H100 NVL, FP64 Tensor Core", 60.0),
        ("NVIDIA GH200 480GB FP64-tensor", 66.9),
        // As one report divides, and as others round.
        ("H800, BF16 dense", 989.0),
        ("H100, BF16", 989.5),
        ("H100, BF16", 990.0),
        // A clock of one's own, another precision's sparse figure, a device without a row, a label without a
        // precision.
        ("H100, BF16", 1_070.5),
        ("H100, FP8", 1_979.0),
        ("NVIDIA H100-20C, BF16", 1_979.0),
        ("H100", 1_979.0),
        ("BF16 of an H100", 1_979.0),
        ("my H100, BF16", 1_979.0),
    ] {
        assert_eq!(declared(label, tflops).misread(), None, "{label}: {tflops}");
    }
}

// ------------------------------------------------------------------------------------------------------------ your own

#[test]
fn a_declared_device_is_first_class() {
    let rate = |tflops| FlopRate::from_tflops(tflops).unwrap();
    let chip = Device::declared("Chip 1").unwrap().with_peak(BF16, rate(400.0)).unwrap().with_source("its maker");
    assert_eq!(chip.peak(BF16).unwrap().to_string(), "Chip 1, BF16 dense: 400.000 TFLOP/s, declared (its maker)");
    assert!(chip.peak(Precision::Fp8).unwrap_err().is_unpublished_peak());
    assert_eq!(chip.precisions().collect::<Vec<_>>(), [BF16]);
    assert_eq!((chip.vendor(), chip.unit(), chip.devices_per_unit(), chip.driver_names().len()), (None, None, 1, 0));

    let chip = chip.with_memory_gb(64.0).unwrap().with_memory_bytes_per_second(2e12).unwrap();
    let chip = chip.with_tdp_watts(500.0).unwrap().with_link_bytes_per_second(1e11).unwrap();
    assert_eq!((chip.memory_gb(), chip.memory_bytes_per_second()), (Some(64.0), Some(2e12)));
    assert_eq!((chip.tdp_watts(), chip.link_bytes_per_second()), (Some(500.0), Some(1e11)));

    // Yours come first, under their whole names; the table follows.
    let custom = Device::declared("NVIDIA A100-SXM-64GB").unwrap().with_peak(BF16, rate(359.0)).unwrap();
    let ours = [chip, custom];
    assert!(Device::find_among("nvidia a100-sxm-64gb", &ours).unwrap().is_declared());
    assert_eq!(Device::find_among("NVIDIA A100-SXM4-80GB", &ours).unwrap().name(), "a100-sxm4-80gb");
    assert!(Device::find_among("A100-SXM-64", &ours).unwrap_err().is_unknown_name());
}

#[test]
fn a_changed_device_is_declared() {
    let capped = device("NVIDIA H100 PCIe").with_tdp_watts(310.0).unwrap();
    let peak = capped.peak(BF16).unwrap();
    assert!(capped.is_declared() && !peak.is_declared());
    assert_eq!(peak, device("h100-pcie").peak(BF16).unwrap());
    let slower = capped.clone().with_peak(BF16, FlopRate::from_tflops(700.0).unwrap()).unwrap();
    let peak = slower.peak(BF16).unwrap();
    assert_eq!(peak.to_string(), "h100-pcie, BF16 dense: 700.000 TFLOP/s, declared");
    assert!(!slower.peak(Precision::Fp8).unwrap().is_declared());
    // A source is that of your figures; what is the table's stays so.
    let sourced = slower.with_source("our own measurement");
    assert_eq!(sourced.peak(BF16).unwrap().source(), Some("our own measurement"));
    assert_eq!(sourced.peak(Precision::Fp8).unwrap(), device("h100-pcie").peak(Precision::Fp8).unwrap());
    assert_eq!((sourced.confidence(), capped.confidence()), (None, Some(Confidence::Datasheet)));
    // It is found by whatever a driver calls it.
    for name in ["NVIDIA H100 PCIe", "H100 PCIe", "h100-pcie"] {
        let found = Device::find_among(name, std::slice::from_ref(&sourced)).unwrap();
        assert!(is(found.peak(BF16).unwrap().rate().as_tflops(), 700.0), "{name}");
    }
    let other = Device::find_among("NVIDIA H100 NVL", std::slice::from_ref(&sourced)).unwrap();
    assert!(!other.is_declared());
    // And a headline typed in that way is recognized, too.
    let sparse = device("h100").with_peak(BF16, FlopRate::from_tflops(1_979.0).unwrap()).unwrap();
    assert!(sparse.peak(BF16).unwrap().misread().is_some());
}

#[test]
fn what_a_device_cannot_have_is_refused() {
    let chip = || Device::declared("chip").unwrap();
    for error in [
        Device::declared(" ").unwrap_err(),
        chip().with_peak(BF16, FlopRate::default()).unwrap_err(),
        chip().with_memory_gb(0.0).unwrap_err(),
        chip().with_memory_bytes_per_second(f64::NAN).unwrap_err(),
        chip().with_tdp_watts(-1.0).unwrap_err(),
        chip().with_link_bytes_per_second(f64::INFINITY).unwrap_err(),
    ] {
        assert!(error.is_invalid_argument(), "{error}");
    }
}

// ---------------------------------------------------------------------------------------------------------- precisions

#[test]
fn precisions_go_by_the_names_that_people_use() {
    use Precision::{Bf16, Fp4, Fp6, Fp8, Fp16, Fp32, Fp64, Fp64Tensor, Int8, Tf32};
    for (precision, names) in [
        (Fp64, &["fp64", "float64", "torch.float64", "double", "torch.double", "f64"][..]),
        (Fp64Tensor, &["fp64-tensor", "FP64_TENSOR"]),
        (Fp32, &["fp32", "float32", "torch.float32", "jnp.float32", "f32"]),
        (Tf32, &["tf32", "TF32"]),
        (Fp16, &["fp16", "float16", "torch.float16", "half", "torch.half", "16-mixed"]),
        (Bf16, &["bf16", "BF16", "bfloat16", "torch.bfloat16", "jnp.bfloat16", "bf16-mixed", "bf16_true"]),
        (Fp8, &["fp8", "fp8_e4m3", "fp8_e5m2", "torch.float8_e4m3fn", "float8_e4m3fnuz", "e4m3", "mxfp8"]),
        (Int8, &["int8", "torch.int8", "i8"]),
        (Fp6, &["fp6", "mxfp6", "float6_e3m2fn"]),
        (Fp4, &["fp4", "nvfp4", "mxfp4", "torch.float4_e2m1fn_x2"]),
    ] {
        for name in names {
            assert_eq!(name.parse::<Precision>().unwrap(), precision, "{name}");
        }
        assert_eq!(precision.to_string().parse::<Precision>().unwrap(), precision);
    }
    assert_eq!(Precision::ALL.map(|precision| precision.to_string()).len(), 10);
    // Names of two formats, of none here, and no names.
    for name in ["float", "int4", "fp12", "16", "mixed", "", "torch.", "torch.torch.bfloat16", "bf 16"] {
        assert!(name.parse::<Precision>().unwrap_err().is_unknown_name(), "{name}");
    }
    let message = "bf166".parse::<Precision>().unwrap_err().to_string();
    assert!(message.contains("`bf16`") && message.contains("`Precision::ALL`"), "{message}");
}
