//! Names.

use super::*;

/// Anything at all, names that exist, and names that nearly do.
fn name() -> impl Strategy<Value = String> {
    let presets = Convention::presets().iter().map(|(name, _)| *name);
    let devices = Device::all().flat_map(|device| device.driver_names().iter().chain(device.aliases())).copied();
    let formats = ["torch.float8_e4m3fn", "bf16", "H100, BF16 dense", "H100 (BF16)", ", bf16", "NVIDIA "];
    let known: Vec<&str> =
        catalog::all().iter().map(catalog::Model::name).chain(presets).chain(devices).chain(formats).collect();
    prop_oneof![
        any::<String>(),
        vec(any::<char>(), 0..80).prop_map(String::from_iter),
        vec(select(vec!['-', '_', '.', ' ', 'İ', 'ß', 'l', '3', '\u{0}', '\u{301}', '𝕏']), 0..70)
            .prop_map(String::from_iter),
        (any::<char>(), 0..200_000_usize).prop_map(|(letter, times)| letter.to_string().repeat(times)),
        (select(known), any::<prop::sample::Index>(), any::<char>(), any::<bool>()).prop_map(
            |(name, at, letter, replace)| {
                let at = at.index(name.len());
                let rest = if replace { &name[at + 1..] } else { &name[at..] };
                format!("{}{letter}{rest}", &name[..at])
            },
        ),
    ]
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn figures_of_any_digits(digits in "[-+]?[0-9,._]{0,30}([eE][-+]?[0-9]{0,20})?", number in any::<f64>()) {
        if let Some(printed) = or_says(digits.parse::<Printed>(), Error::is_invalid_argument) {
            prop_assert!(printed.value().is_finite() && printed.last_digit() > 0.0);
            prop_assert!(printed.allows(printed.value()) && printed.clone().truncated().allows(printed.value()));
            prop_assert_eq!(printed.allows(number) && printed.digits_off(number).abs() > 0.6, false);
        }
    }

    #[test]
    fn names_of_any_kind(name in name()) {
        if let Some(model) = or_says(catalog::find(&name), Error::is_unknown_name) {
            prop_assert!(model.architecture().is_ok());
        }
        or_says(Convention::find(&name), Error::is_unknown_name);
        or_says(name.parse::<Precision>(), Error::is_unknown_name);
        if let Some(device) = or_says(Device::find(&name), |error| error.is_unknown_name() || error.is_ambiguous_name()) {
            prop_assert!(device.to_string().contains(device.name()));
        }
        if let Some(printed) = or_says(name.parse::<Printed>(), Error::is_invalid_argument) {
            prop_assert!(printed.allows(printed.value()) && printed.least() <= printed.most());
        }
        // A label may be a name, or begin with one.
        let rate = FlopRate::from_tflops(1_979.0).unwrap();
        for label in [name.clone(), format!("{name}, BF16 dense"), format!("H100 BF16 {name}")] {
            if let Some(peak) = or_says(Peak::declared(label, rate), Error::is_invalid_argument) {
                prop_assert!(peak.misread().is_none_or(|misread| !misread.to_string().is_empty()));
            }
        }
        if let Some(device) = or_says(Device::declared(name.clone()), Error::is_invalid_argument) {
            prop_assert_eq!(Device::find_among(&name, std::slice::from_ref(&device)).unwrap(), device);
        }
    }
}

#[test]
fn known_names_however_they_are_written() {
    for model in catalog::all() {
        for name in [model.name()].iter().chain(model.aliases()) {
            for written in [name.to_uppercase(), name.replace('-', "_"), name.replace('-', " ")] {
                assert_eq!(catalog::find(&written).unwrap().name(), model.name(), "{written}");
            }
        }
    }
    for &(name, preset) in Convention::presets() {
        for written in [name.to_lowercase(), name.replace('_', "-"), name.replace('_', " ")] {
            assert_eq!(Convention::find(&written).unwrap(), preset, "{written}");
        }
    }
}
