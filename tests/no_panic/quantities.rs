//! Quantities, devices, reports.

use super::architectures::{Tokens, counted, tokens};
use mfu::Finding;

use super::*;

/// The pace, or the least one where a float is none and says so.
fn rated(pace: Result<Pace, Error>) -> Pace {
    or_says(pace, Error::is_invalid_argument).unwrap_or(Pace::duration(Duration::from_nanos(1)))
}

fn pace() -> impl Strategy<Value = Pace> {
    let duration = (number(), 0..1_000_000_000_u32).prop_map(|(seconds, nanos)| Duration::new(seconds, nanos));
    prop_oneof![
        duration.prop_map(Pace::from),
        Just(Duration::MAX).prop_map(Pace::from),
        Just(Duration::ZERO).prop_map(Pace::from),
        float().prop_map(|rate| rated(Pace::tokens_per_second(rate))),
        float().prop_map(|rate| rated(Pace::tokens_per_second_per_device(rate))),
        float().prop_map(|rate| {
            let rate = FlopRate::from_flops_per_second(rate).unwrap_or_default();
            rated(Pace::flops_per_second_per_device(rate))
        }),
        float().prop_map(|seconds| rated(Pace::seconds(seconds))),
    ]
}

fn peak() -> impl Strategy<Value = Peak> {
    prop_oneof![3 => declared_peak(), 1 => listed_peak()]
}

/// Any peak of the table, those of devices that may exceed theirs more often.
fn listed_peak() -> impl Strategy<Value = Peak> {
    let peaks = |device: Device| device.precisions().map(|it| device.peak(it).unwrap()).collect::<Vec<_>>();
    let all: Vec<Peak> = Device::all().flat_map(peaks).collect();
    let boosting: Vec<Peak> =
        ["3090", "4090", "5090"].iter().flat_map(|name| peaks(Device::find(name).unwrap())).collect();
    prop_oneof![select(all), select(boosting)]
}

fn declared_peak() -> impl Strategy<Value = Peak> {
    (float(), any::<bool>()).prop_map(|(rate, sourced)| {
        let rate = FlopRate::from_flops_per_second(rate).ok().filter(|rate| rate.per_second() > 0.0);
        let peak = Peak::declared("a device", rate.unwrap_or(FlopRate::from_flops_per_second(1e15).unwrap())).unwrap();
        if sourced { peak.with_source("a source") } else { peak }
    })
}

fn fleet() -> impl Strategy<Value = Fleet> {
    let part = (peak(), prop_oneof![number(), extreme()]).prop_map(|(peak, devices)| peak.times(devices));
    vec(part, 1..5).prop_map(|parts| parts.into_iter().reduce(|left, right| left + right).unwrap())
}

/// Everything that can be asked about a report.
pub fn examine_report(report: &Report) {
    assert!(report.mfu() <= report.hfu());
    let above = |finding: &Finding| matches!(finding, Finding::AbovePublishedClock { .. });
    assert_eq!(report.hfu().as_fraction() > 1.0, report.findings().iter().any(above));
    assert!(report.findings().iter().all(|finding| !finding.to_string().is_empty()));
    assert!(report.seconds() > 0.0 && report.seconds().is_finite());
    assert!(report.devices() > 0 && report.count().tokens > 0);
    assert!(report.tokens_per_second() >= 0.0 && report.tokens_per_second_per_device() >= 0.0);
    assert!(report.flops_per_second_per_device().per_second().is_finite());
    assert_eq!(report.fleet().devices().unwrap(), report.devices());
    assert!(!report.to_string().is_empty());
    let _ = format!("{report:?} {:?}", report.pace());
}

/// A claim of any numbers: with or without a pace, peaks, a number of devices.
fn claimed<'a>(architecture: &'a Architecture, tokens: &'a Tokens, said: &Said, convention: Convention) -> Claim<'a> {
    let run = Run::new(architecture, tokens.fitting(architecture.encoder_runs().count() > 0));
    let run = said.pace.map_or(run.clone(), |pace| run.at(pace));
    let run = match &said.devices {
        Some(Ok(fleet)) => run.on(fleet.clone()),
        Some(Err(devices)) => run.on_devices(*devices),
        None => run,
    };
    run.under(convention)
}

#[derive(Clone, Debug)]
struct Said {
    pace: Option<Pace>,
    devices: Option<Result<Fleet, u64>>,
}

fn said() -> impl Strategy<Value = Said> {
    let devices = prop_oneof![4 => fleet().prop_map(Ok), 1 => number().prop_map(Err)];
    let pace = proptest::option::weighted(0.8, pace());
    (pace, proptest::option::weighted(0.8, devices)).prop_map(|(pace, devices)| Said { pace, devices })
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn claims_of_any_numbers(
        drafts in (draft(), draft()), tokens in (tokens(), tokens()), said in (said(), said()),
        rules in (convention(), convention()), mfu in float(), printed in "[0-9]{1,3}([.][0-9]{1,3})?(e[0-9])?",
    ) {
        let known = |error: &Error| {
            error.is_overflow() || error.is_not_applicable() || error.is_invalid_argument() || error.is_impossible()
                || error.is_invalid_batch()
        };
        let architectures = (drafts.0.build(), drafts.1.build());
        let one = claimed(&architectures.0, &tokens.0, &said.0, rules.0);
        let other = claimed(&architectures.1, &tokens.1, &said.1, rules.1);
        if let Some(report) = or_says(one.report(), known) {
            examine_report(&report);
        }
        for (one, other) in [(&one, &other), (&other, &one), (&one, &one)] {
            if let Some(reconciliation) = or_says(one.reconcile(other), known) {
                reads(&reconciliation);
            }
        }
        let printed = printed.parse::<Printed>().unwrap();
        for figure in [Figure::MfuPercent, Figure::TflopsPerDevice, Figure::GflopsPerToken] {
            if let Some(diagnosis) = or_says(one.run().diagnose(&figure(printed.clone())), known) {
                reads(&diagnosis);
            }
        }
        if let Ok(mfu) = Utilization::from_fraction(mfu) {
            let (ledger, batch) = (architectures.0.ledger().unwrap(), tokens.0.fitting(false));
            or_says(ledger.convert(mfu, rules.0, rules.1, batch), known);
        }
    }
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn rates_and_utilizations_of_any_float(value in float(), peak in peak(), places in 0..400_usize) {
        let good = value.is_finite() && value >= 0.0;
        let quantities = [
            (FlopRate::from_flops_per_second(value).map(f64::from), good),
            (FlopRate::try_from(value).map(f64::from), good),
            (FlopRate::from_tflops(value).map(f64::from), good && (value * 1e12).is_finite()),
            (Utilization::from_fraction(value).map(f64::from), good),
            (Utilization::from_percent(value).map(f64::from), good),
            (Utilization::try_from(value).map(f64::from), good),
        ];
        for (quantity, good) in quantities {
            prop_assert_eq!(quantity.is_ok(), good);
            if let Some(held) = or_says(quantity, Error::is_invalid_argument) {
                prop_assert!(held.is_finite() && held.is_sign_positive());
            }
        }
        if let Ok(rate) = FlopRate::from_flops_per_second(value) {
            reads(&rate);
            let _ = format!("{rate:.places$} {rate:>30} {rate:<3.0} {}", rate.as_tflops());
            if let Some(utilization) = or_says(peak.utilization(rate), Error::is_impossible) {
                prop_assert!(utilization.as_fraction() <= 1.0);
            }
        }
        if let Ok(utilization) = Utilization::from_fraction(value) {
            let _ = format!("{utilization} {utilization:.places$} {utilization:^20} {}", utilization.as_percent());
        }
    }

    #[test]
    fn counts_of_any_size(left in any::<u128>(), right in any::<u128>(), places in 0..400_usize) {
        let (left, right) = (FlopCount::new(left), FlopCount::new(right));
        prop_assert_eq!(left.checked_add(right).is_ok(), left.get().checked_add(right.get()).is_some());
        or_says(left.checked_add(right), Error::is_overflow);
        reads(&left);
        let _ = format!("{left:.places$} {left:>40} {right:<.0}");
    }

    #[test]
    fn peaks_of_any_label_and_rate(label in any::<String>(), rate in float(), source in any::<String>()) {
        let Ok(rate) = FlopRate::from_flops_per_second(rate) else { return Ok(()) };
        let peak = Peak::declared(label.clone(), rate);
        prop_assert_eq!(peak.is_ok(), rate.per_second() > 0.0 && !label.trim().is_empty());
        if let Some(peak) = or_says(peak, Error::is_invalid_argument) {
            let peak = peak.with_source(source.clone());
            prop_assert!(peak.to_string().starts_with(&label));
            prop_assert_eq!((peak.label(), peak.source()), (label.as_str(), Some(source.as_str())));
            prop_assert!(peak.is_declared());
        }
    }

    #[test]
    fn fleets_of_any_number(fleet in fleet()) {
        let devices: u128 = fleet.parts().map(|(_, devices)| u128::from(devices)).sum();
        match or_says(fleet.devices(), |error| error.is_overflow() || error.is_invalid_argument()) {
            Some(sum) => prop_assert_eq!(u128::from(sum), devices),
            None => prop_assert!(fleet.parts().any(|(_, devices)| devices == 0) || devices > u64::MAX.into()),
        }
        prop_assert!(fleet.peak().per_second().is_finite());
        reads(&fleet);
    }

    #[test]
    fn reports_of_any_pace_and_fleet(
        draft in draft(), convention in convention(), preset in preset(), tokens in tokens(),
        pace in pace(), fleet in fleet(), recompute in any::<bool>(),
    ) {
        let recipe = Recipe::recomputing(if recompute { Recompute::Full } else { Recompute::None });
        for convention in [convention, preset] {
            let Ok(cost) = draft.ledger().cost_with(convention, recipe) else { continue };
            let Some(count) = counted(&cost, tokens.fitting(false)) else { continue };
            let known =
                |error: &Error| error.is_invalid_argument() || error.is_impossible() || error.is_overflow();
            if let Some(report) = or_says(count.utilization(pace, &fleet), known) {
                examine_report(&report);
            }
        }
    }

    #[test]
    fn reports_of_counts_of_any_size(
        tokens in any::<u128>(), flops in any::<[u128; 3]>(), shift in 0..128_u32, convention in convention(),
        pace in pace(), fleet in fleet(),
    ) {
        let convention = Convention { domain: mfu::Domain::Any, ..convention };
        let mut count = catalog::find("mixtral-8x7b").unwrap().cost(convention).unwrap().count(&[1]).unwrap();
        count.tokens = tokens >> shift;
        // A caller may write into a count what it likes; sorted, it is as if counted.
        let mut flops = flops.map(|flops| FlopCount::new(flops >> shift));
        flops.sort_unstable();
        [count.forward, count.training, count.hardware] = flops;
        let known = |error: &Error| error.is_invalid_argument() || error.is_impossible() || error.is_overflow();
        if let Some(report) = or_says(count.utilization(pace, &fleet), known) {
            examine_report(&report);
        }
        [count.hardware, count.forward, count.training] = flops;
        if let Some(report) = or_says(count.utilization(pace, &fleet), known) {
            let _ = (report.to_string(), report.flops_per_second_per_device());
        }
    }
}
