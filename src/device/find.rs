//! Which device a name is: a whole name, or an error. Nothing is resolved by resemblance.

use super::row::Row;
use super::table::apart::{ABSENT, SHARED};
use super::table::rows;
use crate::error::{Cause, Class};
use crate::lookup::Registry;
use crate::{Error, Result};

const DEVICES: Registry = Registry {
    noun: "device",
    remedy: "`Device::all` lists every one; `Peak::declared` takes a peak of your own, `Device::declared` a device",
};

/// What NVIDIA's drivers put before a name, and older ones do not.
const PREFIX: &str = "NVIDIA ";

/// The row of that name, and the name as the table spells it.
pub(super) fn find(name: &str) -> Result<(&'static Row, &'static str)> {
    listed(name).ok_or_else(|| missing(name))
}

/// As [`find`], where a name that is none is no error.
pub(super) fn listed(name: &str) -> Option<(&'static Row, &'static str)> {
    rows().find_map(|row| {
        let given = std::iter::once(&row.name).chain(row.aliases).find(|known| same(known, name));
        given.or_else(|| row.drivers.iter().find(|known| reported(known, name))).map(|known| (row, *known))
    })
}

/// Names are one whatever the case of their letters.
pub(super) fn same(known: &str, name: &str) -> bool {
    known.eq_ignore_ascii_case(name)
}

/// Whether a driver reports this name, with its prefix or without.
fn reported(driver: &str, name: &str) -> bool {
    if driver.len() == name.len() {
        return same(driver, name);
    }
    driver.len() == name.len().saturating_add(PREFIX.len())
        && driver.strip_prefix(PREFIX).is_some_and(|bare| same(bare, name))
}

#[cold]
fn missing(name: &str) -> Error {
    if let Some((_, rows, apart)) = SHARED.iter().find(|(known, _, _)| reported(known, name)) {
        return Ambiguous { name: name.to_owned(), rows, apart }.into();
    }
    let absent = ABSENT.iter().find_map(|(known, reason)| reported(known, name).then_some(*reason));
    let known = rows().flat_map(|row| {
        let bare = row.drivers.iter().filter_map(|driver| driver.strip_prefix(PREFIX));
        let names = row.drivers.iter().chain(row.aliases).copied().chain(bare);
        std::iter::once(row.name).chain(names).map(|known| (known, row.name))
    });
    DEVICES.unknown(name, known, absent.or_else(|| part_of_one(name)))
}

/// What a name says that is a whole device's with something added.
fn part_of_one(name: &str) -> Option<&'static str> {
    let mut words = name.split([' ', '-']);
    let last = words.clone().next_back().unwrap_or_default();
    let profile = last.strip_suffix(['A', 'B', 'C', 'Q', 'a', 'b', 'c', 'q']);
    let profile = profile.is_some_and(|size| !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit()));
    if name.contains('-') && profile
        || words.any(|word| ["MIG", "GRID", "vGPU"].iter().any(|it| it.eq_ignore_ascii_case(word)))
    {
        return Some("it reads like a slice (vGPU, MIG), which has a share of its device's peak");
    }
    let laptop = name.split(' ').any(|word| ["Laptop", "Mobile"].iter().any(|it| it.eq_ignore_ascii_case(word)));
    laptop.then_some("a laptop's part shares a desktop part's name and not its peak")
}

/// A name that several devices share.
#[derive(Debug, thiserror::Error)]
#[error("the device `{name}` may be {}: {apart}; name one of them", listed_names(.rows))]
struct Ambiguous {
    name: String,
    rows: &'static [&'static str],
    apart: &'static str,
}

impl Cause for Ambiguous {
    const CLASS: Class = Class::AmbiguousName;
}

fn listed_names(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" or ")
}
