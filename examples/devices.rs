//! The table of devices, for a person.
//!
//! ```text
//! cargo run --example devices                                       all devices
//! cargo run --example devices -- --vendor amd --precision fp8       of one vendor, at one precision
//! cargo run --example devices -- "NVIDIA H100 80GB HBM3"            one device, by any of its names
//! cargo run --example devices -- --markdown                         the table of DEVICES.md
//! cargo run --example devices -- --summary                          the table of the README
//! ```

use std::collections::BTreeSet;
use std::process::ExitCode;

use mfu::{Device, FlopRate, Precision};

/// The precisions that models are trained and served at.
const SHOWN: [Precision; 7] = [
    Precision::Tf32,
    Precision::Fp16,
    Precision::Bf16,
    Precision::Fp8,
    Precision::Int8,
    Precision::Fp6,
    Precision::Fp4,
];

const LEGEND: &str = "Dense TFLOP/s of one device as frameworks show it. –: no units; ?: no figure to be trusted; \
                      *: uncertain.";

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<String, String> {
    let (mut vendor, mut precision, mut devices) = (None, None, Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--vendor" => vendor = Some(known_vendor(value()?)?),
            "--precision" => precision = Some(value()?.parse::<Precision>().map_err(|error| error.to_string())?),
            "--markdown" => return Ok(markdown()),
            "--summary" => return Ok(summary()),
            option if option.starts_with("--") => {
                return Err(format!("{option} is none of --vendor, --precision, --markdown, --summary"));
            }
            name => devices.push(Device::find(name).map_err(|error| error.to_string())?),
        }
    }
    if devices.is_empty() {
        let wanted = |device: &Device| vendor.is_none_or(|vendor| device.vendor() == Some(vendor));
        devices = Device::all().filter(wanted).collect();
    } else if precision.is_none() {
        return Ok(devices.iter().map(card).collect::<Vec<_>>().join("\n\n"));
    }
    Ok(precision.map_or_else(|| overview(&devices), |precision| at_precision(&devices, precision)))
}

/// The vendor of that name, whatever its case.
fn known_vendor(name: &str) -> Result<&'static str, String> {
    let vendors: BTreeSet<&str> = Device::all().filter_map(|device| device.vendor()).collect();
    let found = vendors.iter().copied().find(|vendor| vendor.eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let vendors: Vec<&str> = vendors.into_iter().collect();
        format!("no device of the table is made by `{name}`, but by {}", vendors.join(", "))
    })
}

/// The dense rate in TFLOP/s, or the mark of the legend.
fn cell(device: &Device, precision: Precision) -> String {
    match device.peak(precision) {
        Ok(peak) => {
            let mark = if peak.is_uncertain() { "*" } else { "" };
            // Shares of a unit have up to four digits after the point that sheets do not have.
            format!("{}{mark}", (peak.rate().as_tflops() * 1e6).round() / 1e6)
        }
        Err(error) if error.is_unsupported_precision() => "–".to_owned(),
        Err(_) => "?".to_owned(),
    }
}

/// What a framework shows as one device, where that is not the whole of what is sold.
fn share(device: &Device) -> String {
    match (device.part(), device.unit(), device.devices_per_unit()) {
        (Some(part), Some(unit), devices @ 2..) => format!("{part}, {devices} to a {unit}"),
        _ => String::new(),
    }
}

/// The memory and the power of a device, marked where they are uncertain.
fn size(device: &Device) -> [String; 2] {
    [("memory", device.memory_gb()), ("TDP", device.tdp_watts())].map(|(name, figure)| {
        let mark = if device.uncertain().any(|uncertain| uncertain == name) { "*" } else { "" };
        figure.map_or_else(String::new, |figure| format!("{figure}{mark}"))
    })
}

// ------------------------------------------------------------------------------------------------------- in a terminal

/// Everything about one device.
fn card(device: &Device) -> String {
    let headlines = Precision::ALL.into_iter().flat_map(|precision| {
        device.headlines(precision).map(move |(headline, rate)| format!("{precision} {rate}, the {headline}"))
    });
    let measured = Precision::ALL.into_iter().filter_map(|precision| {
        device.measured_matmul(precision).map(|rate| format!("{precision} {rate} in a large matrix product"))
    });
    let link = device.link_bytes_per_second().map(|rate| format!("{} GB/s each way", rate / 1e9));
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let rows = [
        ("not dense", headlines.collect::<Vec<_>>().join("; ")),
        ("measured", measured.collect::<Vec<_>>().join("; ")),
        ("link", device.link().map(str::to_owned).into_iter().chain(link).collect::<Vec<_>>().join(", ")),
        ("uncertain", device.uncertain().collect::<Vec<_>>().join(", ")),
        ("names", quoted(device.driver_names())),
        ("aliases", quoted(device.aliases())),
        ("confidence", device.confidence().map_or_else(String::new, |confidence| confidence.to_string())),
        ("sources", device.sources().join("\n              ")),
    ];
    let rows = rows.into_iter().filter(|(_, text)| !text.is_empty());
    let rows = rows.map(|(what, text)| format!("  {what:<11} {text}"));
    std::iter::once(device.to_string()).chain(rows).collect::<Vec<_>>().join("\n")
}

/// A line for each device, with its peaks.
fn overview(devices: &[Device]) -> String {
    let line = |name: &str, peaks: [String; SHOWN.len()], [gb, watts, from, one]: [String; 4]| {
        let peaks = peaks.map(|peak| format!("{peak:>9}")).concat();
        format!("{name:<20}{peaks}{gb:>8}{watts:>7}  {from:<24}{one}").trim_end().to_owned()
    };
    let head = ["GB", "W", "BF16 figure from", "one device"].map(str::to_owned);
    let head = line("device", SHOWN.map(|precision| precision.to_string()), head);
    let lines = devices.iter().map(|device| {
        let confidence = device.confidence().map_or_else(String::new, |confidence| confidence.to_string());
        let [memory, tdp] = size(device);
        let rest = [memory, tdp, confidence, share(device)];
        line(device.name(), SHOWN.map(|precision| cell(device, precision)), rest)
    });
    [LEGEND.to_owned(), String::new(), head].into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}

/// A line for each device, with its peak at one precision and what else is known of it.
fn at_precision(devices: &[Device], precision: Precision) -> String {
    let line = |name: &str, [peak, headline, measured, source]: [String; 4]| {
        format!("{name:<20}{peak:>11}{headline:>11}{measured:>11}  {source}").trim_end().to_owned()
    };
    let head = line("device", [precision.to_string(), "headline".into(), "measured".into(), "source".into()]);
    let tflops = |rate: Option<FlopRate>| rate.map_or_else(String::new, |rate| rate.as_tflops().to_string());
    let lines = devices.iter().map(|device| {
        let headline = device.headlines(precision).next().map(|(_, rate)| rate);
        let source = device.peak(precision).ok().and_then(|peak| peak.source().map(str::to_owned));
        let measured = tflops(device.measured_matmul(precision));
        line(device.name(), [cell(device, precision), tflops(headline), measured, source.unwrap_or_default()])
    });
    [LEGEND.to_owned(), String::new(), head].into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}

// ---------------------------------------------------------------------------------------------------------- in the
// docs

/// The whole table: names, peaks, memory, power.
#[must_use]
pub fn markdown() -> String {
    let head = ["device".to_owned()].into_iter().chain(SHOWN.map(|precision| precision.to_string()));
    let head = head.chain(["GB", "W", "BF16 figure from", "one device", "names"].map(str::to_owned));
    let lines = Device::all().map(|device| {
        let names = device.driver_names().iter().chain(device.aliases()).map(|name| format!("`{name}`"));
        let names = names.collect::<Vec<_>>().join(", ");
        let confidence = device.confidence().map_or_else(String::new, |confidence| confidence.to_string());
        let peaks = SHOWN.map(|precision| cell(&device, precision));
        let [memory, tdp] = size(&device);
        let rest = [memory, tdp, confidence, share(&device), names];
        [format!("`{}`", device.name())].into_iter().chain(peaks).chain(rest).collect()
    });
    table(head.collect(), lines)
}

/// The peaks that most people ask for, a vendor's devices of the same ones in one line.
#[must_use]
pub fn summary() -> String {
    const COLUMNS: [Precision; 4] = [Precision::Fp16, Precision::Bf16, Precision::Fp8, Precision::Fp4];
    let mut lines: Vec<(Option<&str>, Vec<String>, Vec<String>)> = Vec::new();
    for device in Device::all() {
        let (vendor, peaks) = (device.vendor(), COLUMNS.map(|precision| cell(&device, precision)).to_vec());
        let name = format!("`{}`", device.name());
        match lines.iter_mut().find(|(made_by, known, _)| *made_by == vendor && *known == peaks) {
            Some((_, _, names)) => names.push(name),
            None => lines.push((vendor, peaks, vec![name])),
        }
    }
    let head = ["devices".to_owned()].into_iter().chain(COLUMNS.map(|precision| precision.to_string())).collect();
    table(head, lines.into_iter().map(|(_, peaks, names)| [names.join(", ")].into_iter().chain(peaks).collect()))
}

fn table(head: Vec<String>, lines: impl Iterator<Item = Vec<String>>) -> String {
    let rule = vec!["---".to_owned(); head.len()];
    let written = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    [head, rule].into_iter().chain(lines).map(written).collect::<Vec<_>>().join("\n")
}
