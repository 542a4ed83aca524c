//! A reconciliation as a table.

use std::fmt::{self, Display, Formatter};

use super::{Change, Reconciliation, Standing, Step};
use crate::convention::Axis;
use crate::quantity::{Si, grouped};

/// What it changed, from what to what; an axis to what alone.
impl Display for Change {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Axis { axis, convention } => write!(f, "{axis} {}", axis.value(convention)),
            Self::Recipe { from, to } => write!(f, "recipe {from} → {to}"),
            Self::Architecture => f.write_str("architecture"),
            Self::Tokens { from, to } if from == to => f.write_str("tokens in sequences of other lengths"),
            Self::Tokens { from, to } => write!(f, "tokens {} → {}", grouped(*from), grouped(*to)),
            Self::Time { from, to } => {
                let (before, after) = (from.to_string(), to.to_string());
                // The unit once, where both have it.
                let before = match (before.split_once(' '), after.split_once(' ')) {
                    (Some((number, unit)), Some((_, same))) if unit == same => number.to_owned(),
                    _ => before,
                };
                write!(f, "{} {before} → {after}", to.noun())
            }
            Self::Devices { from, to } => {
                write!(f, "devices {} → {}", grouped(u128::from(*from)), grouped(u128::from(*to)))
            }
            Self::Precision { from, to } => write!(f, "precision {from} → {to}"),
            Self::Peak { from, to } => write!(f, "peak {from} → {to}"),
        }
    }
}

impl Step {
    /// Whether no figure of the table changes.
    fn is_idle(&self) -> bool {
        self.before.training_flops_per_token() == self.after.training_flops_per_token()
            && self.before.flops_per_second_per_device == self.after.flops_per_second_per_device
            && self.before.mfu == self.after.mfu
    }

    /// Whether its parts are worth a line each: where a rule changes what it goes by, or the model changes.
    fn shows_parts(&self) -> bool {
        matches!(self.change, Change::Axis { axis: Axis::Weights, .. } | Change::Architecture)
    }
}

impl Display for Reconciliation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names = self.steps.iter().map(|step| step.change.to_string());
        let names: Vec<String> = names.map(|name| format!("  {name}")).collect();
        let (from, to) = (self.from.label(), self.to.label());
        let widest = names.iter().chain([&from, &to]).map(|name| name.chars().count()).max().unwrap_or_default();
        let width = widest.saturating_add(2).max(44);

        let (Standing { tokens: first, .. }, Standing { tokens: last, .. }) = (self.start, self.end());
        let over = if first == last { grouped(first) } else { format!("{} and {}", grouped(first), grouped(last)) };
        write!(f, "training FLOPs per token, over {over} tokens")?;
        let has = (self.start.flops_per_second_per_device.is_some(), self.start.mfu.is_some());
        f.write_str(match has {
            (_, true) => "; FLOP/s per device; MFU\n",
            (true, false) => "; FLOP/s per device\n",
            (false, false) => "\n",
        })?;
        row(f, &from, width, Cells::of(&self.start))?;
        let mut unchanged = Vec::new();
        for (step, name) in self.steps.iter().zip(&names) {
            if step.is_idle() {
                unchanged.push(match step.change {
                    Change::Axis { axis, .. } => axis.name().to_owned(),
                    change => change.to_string(),
                });
                continue;
            }
            f.write_str("\n")?;
            row(f, name, width, Cells::between(step))?;
            if step.shows_parts() {
                for (component, flops) in &step.parts {
                    f.write_str("\n")?;
                    let per_token = *flops as f64 / step.after.tokens as f64;
                    let cells = Cells { per_token: signed(per_token, "FLOP"), rate: None, mfu: None };
                    row(f, &format!("    {component}"), width, cells)?;
                }
            }
        }
        if !unchanged.is_empty() {
            write!(f, "\n  no difference here: {}", unchanged.join(", "))?;
        }
        f.write_str("\n")?;
        row(f, &to, width, Cells::of(&self.end()))
    }
}

/// The figures of a row, each in its column.
struct Cells {
    per_token: String,
    rate: Option<String>,
    mfu: Option<String>,
}

impl Cells {
    fn of(standing: &Standing) -> Self {
        let per_token = standing.training_flops_per_token();
        Self {
            per_token: per_token.map_or_else(|| "–".to_owned(), |value| Si { value, unit: "FLOP" }.to_string()),
            rate: standing.flops_per_second_per_device.map(|rate| rate.to_string()),
            mfu: standing.mfu.map(|mfu| mfu.to_string()),
        }
    }

    fn between(step: &Step) -> Self {
        let per_token = step.after.training_flops_per_token().zip(step.before.training_flops_per_token());
        let rates = step.after.flops_per_second_per_device.zip(step.before.flops_per_second_per_device);
        Self {
            per_token: per_token.map_or_else(|| "–".to_owned(), |(after, before)| signed(after - before, "FLOP")),
            rate: rates.map(|(after, before)| signed(after.per_second() - before.per_second(), "FLOP/s")),
            mfu: step.percentage_points().map(|points| format!("{}{:.2} pp", sign(points), points.abs())),
        }
    }
}

fn row(f: &mut Formatter<'_>, name: &str, width: usize, cells: Cells) -> fmt::Result {
    let rate = cells.rate.map(|rate| format!("  {rate:>16}")).unwrap_or_default();
    let mfu = cells.mfu.map(|mfu| format!("  {mfu:>10}")).unwrap_or_default();
    f.write_str(format!("{name:<width$}{:>16}{rate}{mfu}", cells.per_token).trim_end())
}

/// A change with its sign and unit; nothing, where nothing changed.
fn signed(value: f64, unit: &'static str) -> String {
    if value == 0.0 { String::new() } else { format!("{}{}", sign(value), Si { value: value.abs(), unit }) }
}

const fn sign(value: f64) -> &'static str {
    if value < 0.0 { "−" } else { "+" }
}
