//! Published results, recomputed from the inputs that their sources print.
//!
//! `../data/published.json` has a row for each: facts with a source. A row has
//!
//! - the `model`: a name of the catalog, or its layers, each some blocks behind a norm; or the printed number of
//!   `parameters`, of which the layers are a part;
//! - the `run`: sequences and their length, devices, and the pace in whichever way the source prints it;
//! - the `peak` of a device that the source divides by;
//! - the `convention`: a preset, with the axes on which the source differs; of the architecture as a tool misreads it,
//!   if there is a `variant`;
//! - a `caveat`, where the row is weaker evidence than its digits: most often, something was chosen after seeing the
//!   figures;
//! - the `figures` that the source prints, as it prints them, with their status and, unless they are reproduced, the
//!   residual (computed less printed) and the reason.
//!
//! A printed input stands for all numbers that it may have been rounded from, and so does a printed figure. A figure is
//! `reproduced` if what its inputs allow and what its digits allow have a number in common, `near` if they miss by less
//! than 1 % of it, and a `mismatch` beyond. It is `fitted` if an input was solved from it: that holds the formula to
//! it, and predicts nothing. A figure whose status or residual changes fails.
//!
//! Rows of other kinds hold their facts under `later`.
//!
//! `cargo test --test published -- --nocapture` prints the table.

mod rows;

use std::collections::{BTreeMap, BTreeSet};

use mfu::{
    Architecture, Batch, Claim, Convention, Core, FlopRate, Group, Ledger, Pace, Peak, Place, Printed, Run, Variant,
};
use rows::{Built, Divisor, Figure, Inputs, Misreading, Model, Name, Row, Speed, Status, rows};

impl Row {
    fn model(&self) -> &Model {
        self.model.as_ref().unwrap_or_else(|| panic!("{} has no model", self.id))
    }

    fn run(&self) -> &Inputs {
        self.run.as_ref().unwrap_or_else(|| panic!("{} has no run", self.id))
    }

    fn pace<'a>(&'a self, figure: &'a Figure) -> Option<&'a Speed> {
        figure.pace.as_ref().or_else(|| self.run.as_ref()?.pace.as_ref())
    }

    /// The inputs that were printed, and stand for all numbers that they may have been rounded from.
    fn printed_inputs(&self, figure: &Figure) -> Vec<Printed> {
        let parameters = match self.model() {
            Model::Built(Built { parameters: Some(parameters), .. }) => Some(parameters),
            _ => None,
        };
        let pace = self.pace(figure).map(Speed::digits).unwrap_or_default();
        parameters.into_iter().chain(pace).map(|digits| digits.parse().unwrap()).collect()
    }

    /// The figure for these values of the printed inputs.
    fn compute(&self, figure: &Figure, inputs: &[f64]) -> f64 {
        let mut inputs = inputs.iter().copied();
        let architecture = self.model().build(&mut inputs);
        let architecture = match self.variant {
            Some(Misreading::GatesLeftOut) => architecture.as_read(Variant::GatesLeftOut).unwrap(),
            Some(Misreading::MambaTwiceHidden) => architecture.as_read(Variant::MambaTwiceHidden).unwrap(),
            None => architecture,
        };
        if let Some(parameters) = figure.name.parameters(&architecture.ledger().unwrap()) {
            return parameters as f64;
        }
        let rule = figure.convention.as_ref().or(self.convention.as_ref()).unwrap().convention();
        let claim = self.claim(&architecture, rule, self.pace(figure), &mut inputs);
        let count = claim.count().unwrap();
        let per_token = count.training_flops_per_token().unwrap();
        let rate = || claim.flops_per_second_per_device().unwrap().per_second();
        let devices = || figure.devices.or(self.run().devices).unwrap() as f64;
        let tokens = || figure.tokens.as_ref().unwrap().parse::<Printed>().unwrap().value();
        let core = || 100.0 * count.attention_core().as_f64() / count.training.as_f64();
        match figure.name {
            Name::MfuPercent => claim.report().unwrap().mfu().as_percent(),
            Name::TflopsPerDevice => rate() / 1e12,
            Name::GflopsPerToken => per_token / 1e9,
            Name::TflopPerDevice => count.training.as_f64() / devices() / 1e12,
            Name::LearnablePercent => 100.0 - core(),
            Name::AttentionPercent => core(),
            Name::TokensPerSecond => rate() / per_token * devices(),
            Name::TokensPerSecondPerDevice => rate() / per_token,
            Name::TokensPerDay => rate() / per_token * devices() * 86_400.0,
            Name::Days => tokens() / (rate() / per_token * devices()) / 86_400.0,
            _ => unreachable!("parameters"),
        }
    }

    fn claim<'a>(
        &self,
        architecture: &'a Architecture,
        rule: Convention,
        pace: Option<&Speed>,
        inputs: &mut impl Iterator<Item = f64>,
    ) -> Claim<'a> {
        let Inputs { length, sequences, devices, .. } = self.run();
        let run = Run::new(architecture, Batch::uniform(sequences.unwrap_or(1), *length));
        let run = match pace {
            Some(pace) => run.clone().at(pace.pace(&run, rule, inputs)),
            None => run,
        };
        let run = match (&self.peak, devices) {
            (Some(Divisor { label, tflops }), Some(devices)) => {
                let peak = Peak::declared(label, FlopRate::from_tflops(*tflops).unwrap()).unwrap();
                run.on(peak.times(*devices))
            }
            (None, Some(devices)) => run.on_devices(*devices),
            (_, None) => run,
        };
        run.under(rule)
    }

    /// The least and the most that the printed inputs allow.
    fn range(&self, figure: &Figure) -> (f64, f64) {
        let inputs = self.printed_inputs(figure);
        let corners = (0..1_u32 << inputs.len()).map(|corner| {
            let at = |(place, printed): (usize, &Printed)| {
                if corner >> place & 1 == 0 { printed.least() } else { printed.most() }
            };
            self.compute(figure, &inputs.iter().enumerate().map(at).collect::<Vec<_>>())
        });
        corners.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)))
    }

    fn nominal(&self, figure: &Figure) -> f64 {
        let inputs: Vec<f64> = self.printed_inputs(figure).iter().map(Printed::value).collect();
        self.compute(figure, &inputs)
    }
}

impl Speed {
    /// What was printed, in the order in which [`pace`](Self::pace) takes its values.
    fn digits(&self) -> Vec<&String> {
        match self {
            Self::Seconds(only)
            | Self::StepsPerSecond(only)
            | Self::TokensPerSecond(only)
            | Self::TokensPerSecondPerDevice(only)
            | Self::TflopsPerDevice(only)
            | Self::TflopsPerDeviceWithoutCore(only) => vec![only],
            Self::Goodput { tokens, overhead_hours, percent } => vec![tokens, overhead_hours, percent],
        }
    }

    fn pace(&self, run: &Run<'_>, rule: Convention, values: &mut impl Iterator<Item = f64>) -> Pace {
        let mut next = || values.next().unwrap();
        let of_flops = |tflops| Pace::flops_per_second_per_device(FlopRate::from_tflops(tflops).unwrap()).unwrap();
        let pace = match self {
            Self::Seconds(_) => Pace::seconds(next()),
            Self::StepsPerSecond(_) => Pace::seconds(1.0 / next()),
            Self::TokensPerSecond(_) => Pace::tokens_per_second(next()),
            Self::TokensPerSecondPerDevice(_) => Pace::tokens_per_second_per_device(next()),
            Self::TflopsPerDevice(_) => Ok(of_flops(next())),
            Self::TflopsPerDeviceWithoutCore(_) => {
                let claim = run.clone().at(of_flops(next())).under(Convention { core: Core::Out, ..rule });
                let per_token = claim.count().unwrap().training_flops_per_token().unwrap();
                Pace::tokens_per_second_per_device(
                    claim.flops_per_second_per_device().unwrap().per_second() / per_token,
                )
            }
            Self::Goodput { .. } => {
                let (tokens, overhead, goodput) = (next(), next() * 3_600.0, next() / 100.0);
                Pace::tokens_per_second(tokens / (overhead * goodput / (1.0 - goodput)))
            }
        };
        pace.unwrap()
    }
}

impl Name {
    /// The figure, if it is one of parameters.
    fn parameters(self, ledger: &Ledger) -> Option<u128> {
        let parameters = ledger.parameters();
        let held = |group| ledger.parameters_of(Place::Trunk, group).held;
        match self {
            Self::TotalParameters => Some(parameters.total()),
            Self::ActiveParameters => Some(parameters.active_without_embedding()),
            Self::ActiveParametersWithEmbedding => Some(parameters.active()),
            Self::MlpParameters => Some([Group::FeedForward, Group::Experts, Group::Router].map(held).iter().sum()),
            Self::AttentionParameters => Some(held(Group::Attention)),
            Self::EmbeddingParameters => Some(held(Group::Embedding) + held(Group::LmHead)),
            _ => None,
        }
    }
}

/// A figure held against its source.
struct Judged {
    nominal: f64,
    range: (f64, f64),
    digits_off: f64,
    status: Status,
    residual: String,
}

fn judge(row: &Row, figure: &Figure) -> Judged {
    let printed: Printed = figure.printed.parse().unwrap();
    let (nominal, (least, most)) = (row.nominal(figure), row.range(figure));
    // The number of the one range that is closest to the other.
    let closest = printed.value().clamp(least, most);
    let missed = if printed.allows(closest) {
        0.0
    } else {
        (closest - closest.clamp(printed.least(), printed.most())).abs() / printed.value()
    };
    let status = match missed {
        ..0.01 if figure.status == Status::Fitted => Status::Fitted,
        0.0 => Status::Reproduced,
        ..0.01 => Status::Near,
        _ => Status::Mismatch,
    };
    let residual = nominal - printed.value();
    let residual = if residual.abs() < 1e6 { format!("{residual:+.3}") } else { format!("{residual:+.3e}") };
    Judged { nominal, range: (least, most), digits_off: printed.digits_off(nominal), status, residual }
}

#[test]
fn every_figure_is_what_its_row_says() {
    let mut failures = Vec::new();
    let mut statuses: BTreeMap<Status, usize> = BTreeMap::new();
    println!(
        "{:<46}{:<29}{:>12}{:>14}  {:<27}{:>8}  {:<12}rule",
        "row", "figure", "printed", "computed", "inputs allow", "digits", "status"
    );
    for row in rows().iter().filter(|row| row.later.is_none()) {
        let mut worst = Status::Reproduced;
        for figure in &row.figures {
            let Judged { nominal, range: (least, most), digits_off, status, residual } = judge(row, figure);
            worst = worst.max(status);
            let shown = |value: f64| if value < 1e6 { format!("{value:.3}") } else { format!("{value:.5e}") };
            let rule = figure.convention.as_ref().or(row.convention.as_ref());
            let rule = rule.map(ToString::to_string).unwrap_or_default();
            println!(
                "{:<46}{:<29}{:>12}{:>14}  {:<27}{digits_off:>+8.2}  {:<12}{rule}",
                row.id,
                format!("{:?}", figure.name),
                figure.printed,
                shown(nominal),
                format!("{} – {}", shown(least), shown(most)),
                format!("{status:?}{}", if row.caveat.is_some() { "*" } else { "" }),
            );
            if let Some(reason) = &figure.reason {
                println!("{:<46}{residual}: {reason}", "");
            }
            let explained = status != Status::Reproduced;
            let written = (figure.status, figure.residual.as_deref(), figure.reason.is_some());
            if written != (status, explained.then_some(residual.as_str()), explained) {
                failures
                    .push(format!("{} {:?}: {status:?} {residual}, and the row says {written:?}", row.id, figure.name));
            }
        }
        *statuses.entry(worst).or_default() += 1;
    }
    println!("rows by their worst figure: {statuses:?}; *: the row has a caveat");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_row_is_complete() {
    let rows = rows();
    assert_eq!(rows.len(), 120);
    assert_eq!(rows.iter().map(|row| &row.id).collect::<BTreeSet<_>>().len(), 120);
    let of = |kind: &str| rows.iter().filter(|row| row.kind == kind && row.later.is_none()).count();
    let computed = [("training_mfu", 30), ("training_tflops", 29), ("params", 11), ("flops_per_token", 3)];
    for (kind, number) in computed {
        assert_eq!(of(kind), number, "{kind}");
    }
    assert_eq!(rows.iter().filter(|row| row.later.is_some()).count(), 120 - 30 - 29 - 11 - 3);
    for row in &rows {
        assert!(!row.source.is_empty() && !row.link.is_empty(), "{}", row.id);
        assert_eq!(row.figures.is_empty(), row.later.is_some(), "{}", row.id);
        assert_eq!(row.model.is_none(), row.later.is_some(), "{}", row.id);
    }
}
