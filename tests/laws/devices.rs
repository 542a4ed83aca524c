//! A name is a device's own, whole, or no device's.

use proptest::sample::Index;

use super::*;

/// Every name that a device is found by.
fn names() -> Vec<&'static str> {
    let rows = ["b100", "vr200", "mi250", "mi250-gcd", "mi250x", "ascend-910c", "wse-3", "h100-sxm5", "gb200"];
    Device::all().flat_map(|device| device.driver_names().iter().chain(device.aliases())).copied().chain(rows).collect()
}

/// Whether this is one of the device's own names, but for case and the prefix that older drivers leave out.
fn is_own(device: &Device, name: &str) -> bool {
    let own = device.driver_names().iter().chain(device.aliases()).copied().chain([device.name()]);
    own.flat_map(|own| [Some(own), own.strip_prefix("NVIDIA ")]).flatten().any(|own| own.eq_ignore_ascii_case(name))
}

/// A name after one edit: a letter more, less or other, two swapped, a piece of another name put in, an end cut off.
fn edited(name: &str, other: &str, at: Index, letter: char, edit: u8) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let place = at.index(letters.len());
    match edit {
        0 => letters.insert(place, letter),
        1 => _ = letters.remove(place),
        2 => letters[place] = letter,
        3 => letters.swap(place, (place + 1) % name.chars().count()),
        4 => letters.truncate(place),
        5 => letters = letters.split_off(place),
        6 => letters.extend(other.chars().take(place)),
        _ => letters = letters.into_iter().take(place).chain(other.chars().skip(at.index(other.len()))).collect(),
    }
    letters.into_iter().collect()
}

proptest! {
    #![proptest_config(cases(2_048))]

    #[test]
    fn an_edited_name_is_no_other_device(
        (name, other) in (select(names()), select(names())),
        at in any::<Index>(),
        letter in prop_oneof![any::<char>(), select("0123456789 ABCDEGHLSXabx-_/".chars().collect::<Vec<_>>())],
        edits in vec(0..8_u8, 1..4),
    ) {
        let mut edited_name = name.to_owned();
        for edit in edits {
            if !edited_name.is_empty() {
                edited_name = edited(&edited_name, other, at, letter, edit);
            }
        }
        match Device::find(&edited_name) {
            Ok(device) => prop_assert!(is_own(&device, &edited_name), "{} is {}", edited_name, device.name()),
            Err(error) => prop_assert!(error.is_unknown_name() || error.is_ambiguous_name(), "{}", error),
        }
    }

    /// A vGPU has a profile, a MIG instance a size, a laptop's part a suffix.
    #[test]
    fn a_part_of_a_device_is_unknown(
        device in select(Device::all().filter(|device| !device.driver_names().is_empty()).collect::<Vec<_>>()),
        which in any::<Index>(),
        gigabytes in 1..=288_u32,
        slices in 1..=7_u32,
        kind in 0..8_usize,
        profile in select(vec!['A', 'B', 'C', 'Q']),
    ) {
        let driver = device.driver_names()[which.index(device.driver_names().len())];
        let name = match kind {
            0 => format!("{driver}-{gigabytes}{profile}"),
            1 => format!("{driver}-{slices}-{gigabytes}{profile}"),
            2 => format!("GRID {}-{gigabytes}{profile}", driver.trim_start_matches("NVIDIA ")),
            3 => format!("{driver}X-{slices}-{gigabytes}{profile}"),
            4 => format!("{driver} MIG {slices}g.{gigabytes}gb"),
            5 => format!("{driver} Laptop GPU"),
            6 => format!("{driver} with Max-Q Design"),
            _ => format!("{driver} Mobile"),
        };
        let error = Device::find(&name).unwrap_err();
        prop_assert!(error.is_unknown_name(), "{}", error);
        prop_assert!(Device::find(&name.to_lowercase()).unwrap_err().is_unknown_name(), "{}", name);
        if kind < 5 {
            prop_assert!(error.to_string().contains("slice"), "{}", error);
        }
    }

    #[test]
    fn a_share_of_any_headline_is_no_dense_peak(device in select(Device::all().collect::<Vec<_>>())) {
        use mfu::{Peak, Precision};
        for precision in Precision::ALL {
            let dense = device.peak(precision).ok();
            for (headline, rate) in device.headlines(precision) {
                let peak = Peak::declared(format!("{}, {precision}", device.name()), rate).unwrap();
                let misread = peak.misread();
                let misread = misread.unwrap_or_else(|| panic!("{peak} is the {headline}"));
                prop_assert!(misread.readings().iter().any(|reading| reading.headline == Some(headline)));
                prop_assert_eq!(misread.dense().cloned(), dense.clone());
            }
        }
    }
}
