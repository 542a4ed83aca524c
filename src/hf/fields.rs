//! The fields of a config as a family reads them: typed, checked, and remembered as read.

use std::cell::RefCell;
use std::fmt;

use super::invalid::{Invalid, Unsupported};
use super::unread::smells_of_geometry;
use super::value::{Object, Value};
use crate::Result;
use crate::lookup::abridged;

/// The fields of one config.
///
/// A field may be known by several names, written `"n_embd|hidden_size"`. A file that gives more than one has to give
/// them the same value. An absent field takes the default that the family hands in; `null` is absent, but for
/// [`optional`](Self::optional) ones, where it says that there is none.
pub(super) struct Fields<'a> {
    object: &'a Object,
    /// The config around this one, which may hold what concerns both.
    outer: Option<&'a Object>,
    /// What stands before a name in a message: `text_config.`.
    path: String,
    family: &'static str,
    read: RefCell<Vec<&'a str>>,
    /// What the objects inside left unread.
    inner: RefCell<Vec<String>>,
}

/// One field that is there.
#[derive(Clone, Copy)]
struct Found<'a> {
    name: &'a str,
    value: &'a Value,
}

impl<'a> Fields<'a> {
    pub(super) fn new(object: &'a Object, outer: Option<&'a Object>, path: &str, family: &'static str) -> Self {
        let (read, inner) = (RefCell::default(), RefCell::default());
        Self { object, outer, path: path.to_owned(), family, read, inner }
    }

    /// The field under any of its names, `null` or not.
    fn find(&self, names: &str) -> Result<Option<Found<'a>>> {
        let mut found: Option<Found<'a>> = None;
        for wanted in names.split('|') {
            let Some((name, value)) = self.object.get_key_value(wanted) else {
                continue;
            };
            self.read.borrow_mut().push(name);
            match found {
                Some(first) if first.value != value && *first.value != Value::Null && *value != Value::Null => {
                    return Err(Invalid::Aliases {
                        field: self.named(first.name),
                        value: first.value.to_string(),
                        alias: self.named(name),
                        other: value.to_string(),
                    }
                    .into());
                }
                Some(first) if *first.value != Value::Null => {}
                _ => found = Some(Found { name, value }),
            }
        }
        Ok(found)
    }

    /// The field under any of its names, unless it is absent or `null`.
    fn present(&self, names: &str) -> Result<Option<Found<'a>>> {
        Ok(self.find(names)?.filter(|found| *found.value != Value::Null))
    }

    /// The name of a field as a message shows it: the one that the file has, or else the family's own.
    pub(super) fn named(&self, names: &str) -> String {
        let said = |name: &&str| self.object.get(*name).is_some_and(|value| *value != Value::Null);
        let name = names.split('|').find(said).or_else(|| names.split('|').next());
        format!("{}{}", self.path, name.unwrap_or(names))
    }

    fn kind(&self, found: Found<'_>, expected: &'static str) -> Invalid {
        Invalid::Kind { field: self.named(found.name), value: found.value.to_string(), expected }
    }

    /// Whether the file says anything under any of these names but `null`.
    pub(super) fn has(&self, names: &str) -> Result<bool> {
        Ok(self.present(names)?.is_some())
    }

    /// A size as a message shows it: with its name, and whether the file has it.
    pub(super) fn shown(&self, names: &str, value: u64) -> String {
        let said = names.split('|').any(|name| self.object.get(name).is_some_and(|value| *value != Value::Null));
        let whose = if said || !names.split('|').all(|name| name.bytes().all(|byte| byte.is_ascii_graphic())) {
            ""
        } else {
            " (the family's default)"
        };
        format!("{} = {value}{whose}", self.named(names))
    }

    /// Refuses `null` where it may mean none or the family's default.
    pub(super) fn refuse_null(&self, names: &str, why: &'static str) -> Result<()> {
        if !self.has(names)? && names.split('|').any(|name| self.is_null(name)) {
            return Err(self.contradiction(names, &"null", why).into());
        }
        Ok(())
    }

    /// Whether the file says `null`, and not nothing.
    pub(super) fn is_null(&self, name: &str) -> bool {
        self.object.get(name) == Some(&Value::Null)
    }

    /// Fields that this family knows and that change nothing.
    pub(super) fn ignore(&self, names: &str) {
        for wanted in names.split('|') {
            if let Some((name, _)) = self.object.get_key_value(wanted) {
                self.read.borrow_mut().push(name);
            }
        }
    }

    /// An integer, 0 included.
    pub(super) fn count(&self, names: &str, default: u64) -> Result<u64> {
        match self.present(names)? {
            Some(found) => Ok(integer(found.value).map_err(|expected| self.kind(found, expected))?),
            None => Ok(default),
        }
    }

    /// A size: an integer of at least 1.
    pub(super) fn size(&self, names: &str, default: u64) -> Result<u64> {
        match self.present(names)? {
            Some(found) => self.at_least_one(found),
            None => Ok(default),
        }
    }

    /// A size that the family has no default for.
    pub(super) fn needed(&self, names: &str) -> Result<u64> {
        match self.present(names)? {
            Some(found) => self.at_least_one(found),
            None => Err(Invalid::Missing { field: self.named(names), family: self.family }.into()),
        }
    }

    /// A size that may be none: where it is `null`, and where it is absent unless there is a default.
    pub(super) fn optional(&self, names: &str, default: Option<u64>) -> Result<Option<u64>> {
        match self.find(names)? {
            Some(Found { value: Value::Null, .. }) => Ok(None),
            Some(found) => self.at_least_one(found).map(Some),
            None => Ok(default),
        }
    }

    /// A size whose `null` means its default, too.
    pub(super) fn given(&self, names: &str) -> Result<Option<u64>> {
        self.present(names)?.map(|found| self.at_least_one(found)).transpose()
    }

    fn at_least_one(&self, found: Found<'_>) -> Result<u64> {
        match integer(found.value) {
            Ok(0) => Err(self.kind(found, "at least 1").into()),
            Ok(size) => Ok(size),
            Err(expected) => Err(self.kind(found, expected).into()),
        }
    }

    /// A number of layers, which is not larger than any model's.
    pub(super) fn layers(&self, names: &str, default: u64) -> Result<u64> {
        self.no_more_than_any(names, self.size(names, default)?)
    }

    /// A number of modules of multi-token prediction, none unless the file declares some.
    pub(super) fn depth(&self, names: &str) -> Result<u64> {
        self.no_more_than_any(names, self.count(names, 0)?)
    }

    fn no_more_than_any(&self, names: &str, layers: u64) -> Result<u64> {
        const MOST: u64 = 100_000;
        if layers > MOST {
            let limit = format!("{MOST}, and no known model has nearly as many");
            return Err(Invalid::Above { field: self.named(names), value: layers, limit }.into());
        }
        Ok(layers)
    }

    pub(super) fn flag(&self, names: &str, default: bool) -> Result<bool> {
        match self.present(names)? {
            Some(Found { value: Value::Bool(value), .. }) => Ok(*value),
            Some(found) => Err(self.kind(found, "true or false").into()),
            None => Ok(default),
        }
    }

    /// A flag that the config around this one may hold instead; both may, if they agree.
    pub(super) fn flag_here_or_outside(&self, name: &str, default: bool) -> Result<bool> {
        let outside = match self.outer.and_then(|outer| outer.get(name)) {
            Some(Value::Bool(value)) => Some(*value),
            Some(Value::Null) | None => None,
            Some(value) => {
                let (field, value) = (name.to_owned(), value.to_string());
                return Err(Invalid::Kind { field, value, expected: "true or false" }.into());
            }
        };
        let here = self.has(name)?.then(|| self.flag(name, default)).transpose()?;
        match (here, outside) {
            (Some(here), Some(outside)) if here != outside => Err(Invalid::Aliases {
                field: self.named(name),
                value: here.to_string(),
                alias: name.to_owned(),
                other: outside.to_string(),
            }
            .into()),
            (here, outside) => Ok(here.or(outside).unwrap_or(default)),
        }
    }

    pub(super) fn text(&self, names: &str) -> Result<Option<&'a str>> {
        match self.present(names)? {
            Some(Found { value: Value::Text(text), .. }) => Ok(Some(text)),
            Some(found) => Err(self.kind(found, "text").into()),
            None => Ok(None),
        }
    }

    /// Whether the field is a number.
    pub(super) fn is_number(&self, names: &str) -> Result<bool> {
        let number = |value: &Value| matches!(value, Value::Integer(_) | Value::Float(_));
        Ok(self.present(names)?.is_some_and(|found| number(found.value)))
    }

    /// Whether the field is −1, which some families write for the last of something.
    pub(super) fn is_minus_one(&self, names: &str) -> Result<bool> {
        let minus_one = Value::Float(-1.0);
        Ok(self.present(names)?.is_some_and(|found| *found.value == minus_one))
    }

    /// An integer for every layer: a list of them, or one for all.
    pub(super) fn one_or_each(&self, names: &str, layers: u64) -> Result<Option<Vec<u64>>> {
        let size = |value: &Value| integer(value).ok().filter(|size| *size > 0);
        if self.is_list(names)? {
            return self.each_layer(names, layers, "an integer of at least 1", size);
        }
        let Some(all) = self.given(names)? else {
            return Ok(None);
        };
        Ok(Some(vec![all; usize::try_from(layers).unwrap_or(usize::MAX)]))
    }

    /// Whether the field is this word.
    pub(super) fn is_text(&self, names: &str, word: &str) -> Result<bool> {
        Ok(self.present(names)?.is_some_and(|found| matches!(found.value, Value::Text(text) if text == word)))
    }

    /// The text of a field that may be a flag instead: none where it is false, `true` where it is true.
    pub(super) fn text_or_flag(&self, names: &str) -> Result<Option<&'a str>> {
        match self.present(names)? {
            Some(Found { value: Value::Bool(flag), .. }) => Ok(flag.then_some("true")),
            _ => self.text(names),
        }
    }

    /// A list of any length.
    pub(super) fn list(&self, names: &str) -> Result<Option<&'a [Value]>> {
        match self.present(names)? {
            Some(Found { value: Value::List(list), .. }) => Ok(Some(list)),
            Some(found) => Err(self.kind(found, "a list").into()),
            None => Ok(None),
        }
    }

    /// Whether the field is a list.
    pub(super) fn is_list(&self, names: &str) -> Result<bool> {
        Ok(self.present(names)?.is_some_and(|found| matches!(found.value, Value::List(_))))
    }

    /// A list of integers of any length: layers, experts.
    pub(super) fn numbers(&self, names: &str) -> Result<Option<Vec<u64>>> {
        let Some(list) = self.list(names)? else {
            return Ok(None);
        };
        let number = |(index, value)| match integer(value) {
            Ok(number) => Ok(number),
            Err(expected) => Err(self.entry(names, index, value, expected).into()),
        };
        list.iter().enumerate().map(number).collect::<Result<_>>().map(Some)
    }

    /// Which layers a list of their numbers names, counted from 0.
    pub(super) fn listed(&self, names: &str, layers: u64) -> Result<Option<Vec<bool>>> {
        let Some(list) = self.list(names)? else {
            return Ok(None);
        };
        let mut listed = vec![false; usize::try_from(layers).unwrap_or(usize::MAX)];
        for (index, value) in list.iter().enumerate() {
            let number = integer(value).ok().and_then(|number| usize::try_from(number).ok());
            match number.and_then(|number| listed.get_mut(number)) {
                Some(entry) => *entry = true,
                None => return Err(self.entry(names, index, value, "a layer, counted from 0").into()),
            }
        }
        Ok(Some(listed))
    }

    /// A list with an entry for every layer, each of which `entry` understands or not.
    pub(super) fn each_layer<T>(
        &self,
        names: &str,
        layers: u64,
        expected: &'static str,
        entry: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<Vec<T>>> {
        let Some(list) = self.list(names)? else {
            return Ok(None);
        };
        if u64::try_from(list.len()) != Ok(layers) {
            return Err(Invalid::Length { field: self.named(names), length: list.len(), layers }.into());
        }
        let understood = |(index, value)| entry(value).ok_or_else(|| self.entry(names, index, value, expected).into());
        list.iter().enumerate().map(understood).collect::<Result<_>>().map(Some)
    }

    /// A list with 0 or 1 for every layer.
    pub(super) fn bits(&self, names: &str, layers: u64) -> Result<Option<Vec<bool>>> {
        self.each_layer(names, layers, "0 or 1", |value| match integer(value) {
            Ok(0) => Some(false),
            Ok(1) => Some(true),
            _ => None,
        })
    }

    /// The error for one entry of a list.
    pub(super) fn entry(&self, names: &str, index: usize, value: &Value, expected: &'static str) -> Invalid {
        Invalid::Entry { field: self.named(names), index, value: value.to_string(), expected }
    }

    /// The fields of an object inside, read by `read`; of an empty one where there is none.
    pub(super) fn within<T>(&self, name: &str, read: impl FnOnce(&Fields<'a>) -> Result<T>) -> Result<T> {
        static NOTHING: Object = Object::new();
        let object = match self.present(name)? {
            Some(Found { value: Value::Object(object), .. }) => object,
            Some(found) => return Err(self.kind(found, "an object").into()),
            None => &NOTHING,
        };
        let fields = Fields::new(object, None, &format!("{}.", self.named(name)), self.family);
        let result = read(&fields)?;
        self.inner.borrow_mut().extend(fields.unread());
        Ok(result)
    }

    /// The error for a value that this family cannot have.
    pub(super) fn contradiction(&self, names: &str, value: &dyn fmt::Display, why: &'static str) -> Invalid {
        Invalid::Contradiction { field: self.named(names), value: abridged(&value.to_string()), why }
    }

    /// The error for a value that is not supported.
    pub(super) fn unsupported(
        &self,
        names: &str,
        value: &dyn fmt::Display,
        what: &'static str,
        remedy: &'static str,
    ) -> Unsupported {
        Unsupported { field: self.named(names), value: abridged(&value.to_string()), what, remedy }
    }

    /// Refuses experts that nobody read: the family has none, and the file says that there are some.
    pub(super) fn refuse_experts(&self) -> Result<()> {
        const NAMES: [&str; 4] = ["num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"];
        for name in NAMES {
            match self.object.get(name) {
                None | Some(Value::Null) => {}
                Some(value) if integer(value) == Ok(0) || self.read.borrow().contains(&name) => {}
                Some(value) => {
                    let why = "this family has no experts under this name; is the model_type right?";
                    return Err(self.contradiction(name, &value, why).into());
                }
            }
        }
        Ok(())
    }

    /// The fields that look as if they mattered, and that nobody read.
    pub(super) fn unread(&self) -> Vec<String> {
        let read = self.read.borrow();
        let own = self
            .object
            .iter()
            .filter(|(name, value)| !says_no(value) && smells_of_geometry(name) && !read.contains(&name.as_str()));
        let mut unread: Vec<String> = own.map(|(name, _)| format!("{}{name}", self.path)).collect();
        unread.extend(self.inner.borrow().iter().cloned());
        unread
    }
}

/// Whether a value says that there is nothing of what its field is about.
fn says_no(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::List(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
        value => integer(value) == Ok(0),
    }
}

/// The integer that a value is, or what it would have to be.
fn integer(value: &Value) -> Result<u64, &'static str> {
    /// Up to here every integer is a float, and every float with a fraction of 0 an integer.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
    match value {
        Value::Integer(integer) => Ok(*integer),
        Value::Float(float) if *float < 0.0 => Err("a size: it is negative"),
        Value::Float(float) if *float >= TWO_TO_64 => Err("a size: it exceeds 64 bits"),
        Value::Float(float) if float.fract() == 0.0 && *float <= EXACT =>
        {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a non-negative integer that a float holds exactly"
            )]
            Ok(*float as u64)
        }
        _ => Err("an integer"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_as_files_write_them() {
        let float = |value| integer(&Value::Float(value));
        assert_eq!((float(4096.0), float(-0.0)), (Ok(4096), Ok(0)));
        assert_eq!(float(4096.5), Err("an integer"));
        assert_eq!(float(-1.0), Err("a size: it is negative"));
        assert_eq!(float(1e30), Err("a size: it exceeds 64 bits"));
        assert_eq!(float(f64::NAN), Err("an integer"));
        // 2^53 is exact, and the next float that is one is 2 further.
        assert_eq!(float(9_007_199_254_740_992.0), Ok(1 << 53));
        assert_eq!(float(9_007_199_254_740_994.0), Err("an integer"));
        assert_eq!(integer(&Value::Text("4096".to_owned())), Err("an integer"));
    }
}
