//! One model at one length, as every named convention counts it.
//!
//! `cargo run --release --example compare -- [MODEL] [LENGTH]`
//!
//! `MODEL` is a name of the catalog, deepseek-v3 unless given, and `LENGTH` the tokens of a sequence, 4,096 unless
//! given.

use std::error::Error;
use std::fmt::Write;
use std::process::ExitCode;

use mfu::{Batch, Convention, Count, FlopCount, Ledger, Utilization, catalog};

const USAGE: &str = "usage: compare [MODEL] [LENGTH]";

/// The utilization that is carried from each convention to every other, in percent.
const PERCENT: f64 = 40.0;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    match compare(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(arguments: &[String]) -> Outcome<String> {
    if arguments.len() > 2 || arguments.iter().any(|argument| argument.starts_with('-')) {
        return Err(USAGE.into());
    }
    let model = catalog::find(arguments.first().map_or("deepseek-v3", String::as_str))?;
    let length: u64 = match arguments.get(1) {
        None => 4_096,
        Some(given) => given.parse().map_err(|_| format!("LENGTH is `{given}` and must be a number; {USAGE}"))?,
    };
    let (ledger, batch) = (model.ledger()?, Batch::uniform(1, length));
    let mut text = format!("{} over sequences of {length} tokens, forward and backward\n\n", model.name());
    let unlike = counted(&mut text, &ledger, batch)?;
    converted(&mut text, &ledger, batch, &unlike)?;
    Ok(text)
}

/// What each convention counts. One of each of those that count alike, in the order of the presets.
fn counted(text: &mut String, ledger: &Ledger, batch: Batch<'_>) -> Outcome<Vec<Convention>> {
    let per_token = |count: Count| count.training_flops_per_token().ok_or("a sequence has at least one token");
    let exact = per_token(ledger.cost(Convention::EXACT)?.count(batch)?)?;
    writeln!(text, "{:<26}{:>18}{:>10}{:>8}", "convention", "GFLOP per token", "of EXACT", "row")?;
    let (mut unlike, mut undefined): (Vec<(FlopCount, Convention)>, Vec<String>) = (Vec::new(), Vec::new());
    for &(name, convention) in Convention::presets() {
        let cost = match ledger.cost(convention) {
            Err(error) if error.is_not_applicable() => {
                undefined.push(error.to_string());
                continue;
            }
            cost => cost?,
        };
        let count = cost.count(batch)?;
        let row = unlike.iter().position(|(training, _)| *training == count.training).unwrap_or_else(|| {
            unlike.push((count.training, convention));
            unlike.len() - 1
        });
        let flops = per_token(count)?;
        writeln!(text, "{name:<26}{:>18.3}{:>10.3}{:>8}", flops / 1e9, flops / exact, row + 1)?;
    }
    for reason in undefined {
        writeln!(text, "{reason}")?;
    }
    Ok(unlike.into_iter().map(|(_, convention)| convention).collect())
}

/// What a published utilization of each row reads under every other.
fn converted(text: &mut String, ledger: &Ledger, batch: Batch<'_>, conventions: &[Convention]) -> Outcome<()> {
    writeln!(text, "\n{PERCENT} % MFU under the rule of a row, in percent under that of a column\n")?;
    write!(text, "{:>4}", "")?;
    for column in 1..=conventions.len() {
        write!(text, "{column:>7}")?;
    }
    writeln!(text)?;
    let published = Utilization::from_percent(PERCENT)?;
    for (row, from) in conventions.iter().enumerate() {
        write!(text, "{:>4}", row + 1)?;
        for to in conventions {
            write!(text, "{:>7.1}", ledger.convert(published, *from, *to, batch)?.as_percent())?;
        }
        writeln!(text)?;
    }
    Ok(())
}
