//! A name in a registry: found whole, or an error that lists what resembles it. Nothing is ever resolved by
//! resemblance.

use crate::error::{Cause, Class, Error, Result};

/// A registry that names are looked up in.
pub(crate) struct Registry {
    /// What it holds, for the message: "model".
    pub(crate) noun: &'static str,
    /// What to do about a name that it does not hold.
    pub(crate) remedy: &'static str,
}

impl Registry {
    /// The value of that name. Each entry is a name that it is known by, the name to show for it, and the value.
    pub(crate) fn find<T>(
        &self,
        name: &str,
        entries: impl Iterator<Item = (&'static str, &'static str, T)> + Clone,
    ) -> Result<T> {
        let folded = fold(name);
        let found = entries.clone().find(|(known, _, _)| fold(known) == folded);
        found
            .map(|(_, _, value)| value)
            .ok_or_else(|| self.unknown(name, entries.map(|(known, shown, _)| (known, shown)), None))
    }

    /// The error for a name that it does not hold, with what is known about the name itself. Each entry is a name that
    /// it does hold, and the name to show for it.
    #[cold]
    pub(crate) fn unknown(
        &self,
        name: &str,
        entries: impl Iterator<Item = (&'static str, &'static str)>,
        about: Option<&'static str>,
    ) -> Error {
        let near = nearest(name, entries);
        Unknown { noun: self.noun, name: abridged(name), about, near, remedy: self.remedy }.into()
    }
}

/// A name that a registry of the crate does not hold.
#[derive(Debug, thiserror::Error)]
#[error("unknown {noun} `{name}`: {}{}; {remedy}", explained(*.about), suggested(.near))]
struct Unknown {
    noun: &'static str,
    name: String,
    about: Option<&'static str>,
    near: Vec<&'static str>,
    remedy: &'static str,
}

impl Cause for Unknown {
    const CLASS: Class = Class::UnknownName;
}

fn explained(about: Option<&'static str>) -> String {
    about.map_or_else(String::new, |about| format!("{about}; "))
}

pub(crate) fn suggested(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "no known name is close".to_owned(),
        [only] => format!("the closest known name is {only}"),
        several => format!("the closest known names are {}", several.join(", ")),
    }
}

/// So much of a name as a message should repeat, with what cannot be seen spelled out.
pub(crate) fn abridged(name: &str) -> String {
    const MOST: usize = 80;
    let mut letters = name.chars();
    let mut text = String::new();
    for letter in letters.by_ref().take(MOST) {
        if letter.is_control() || !letter.is_ascii() && !letter.is_alphanumeric() {
            text.extend(letter.escape_default());
        } else {
            text.push(letter);
        }
    }
    if letters.next().is_some() {
        text.push('…');
    }
    text
}

/// The known names closest to `name`, at most three, the closest first. Each candidate comes with the name to show for
/// it, and no name is shown twice.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<&'a str> {
    // A name longer than any real one resembles nothing, and must not cost more than its own length.
    const LONGEST: usize = 96;
    if name.len() > LONGEST {
        return Vec::new();
    }
    let wanted = fold(name);
    let mut close: Vec<(bool, usize, &str)> = known
        .filter_map(|(candidate, shown)| {
            let folded = fold(candidate);
            let edits = distance(&wanted, &folded);
            let begun = folded == wanted || begins(&wanted, &folded) || begins(&folded, &wanted);
            let contained = wanted.len() >= 3 && contains(&folded, &wanted);
            (begun || contained || edits <= wanted.len().max(3) / 3).then_some((!begun, edits, shown))
        })
        .collect();
    close.sort_unstable();
    let mut shown: Vec<&str> = Vec::new();
    for (_, _, name) in close {
        if shown.len() < 3 && !shown.contains(&name) {
            shown.push(name);
        }
    }
    shown
}

/// A name as it is compared: lower case, a dash for every space and underscore within. Nothing that tells two names
/// apart is left out.
fn fold(name: &str) -> Vec<char> {
    name.trim().chars().map(|c| if matches!(c, ' ' | '_') { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

/// Whether a name begins with the whole words of another.
fn begins(name: &[char], words: &[char]) -> bool {
    words.len() >= 3 && name.strip_prefix(words).is_some_and(|rest| rest.first() == Some(&'-'))
}

fn contains(whole: &[char], part: &[char]) -> bool {
    whole.windows(part.len()).any(|window| window == part)
}

/// Levenshtein's edit distance, one row at a time.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i.saturating_add(1);
        for (y, cell) in b.iter().zip(row.iter_mut().skip(1)) {
            let substituted = diagonal.saturating_add(usize::from(x != y));
            diagonal = *cell;
            *cell = substituted.min(left.saturating_add(1)).min(diagonal.saturating_add(1));
            left = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = i.saturating_add(1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_distances() {
        // kitten → sitting is the textbook's 3; an insertion is 1; nothing is 0.
        for (a, b, edits) in [("kitten", "sitting", 3), ("h100", "h1000", 1), ("", "abc", 3), ("same", "same", 0)] {
            assert_eq!(distance(&fold(a), &fold(b)), edits, "{a} → {b}");
        }
    }

    #[test]
    fn far_names_and_endless_ones_resemble_nothing() {
        assert!(nearest("zebra", same(["deepseek-v3", "gpt-oss-20b"])).is_empty());
        assert!(nearest(&"a".repeat(1 << 20), same(["a"])).is_empty());
    }

    #[test]
    fn the_closest_comes_first() {
        let known = ["llama-3-8b", "llama-3-70b", "llama-2-7b", "mixtral-8x7b"];
        // One edit for each of the first two, in alphabetical order; three for the last.
        assert_eq!(nearest("Llama 3 80b", same(known)), ["llama-3-70b", "llama-3-8b", "llama-2-7b"]);
        assert_eq!(nearest("llama-3-8", same(known)).first(), Some(&"llama-3-8b"));
        assert_eq!(nearest("mixtral", same(known)), ["mixtral-8x7b"]);
    }

    #[test]
    fn at_most_three_are_named_and_a_part_will_do() {
        let known = ["card-a", "card-b", "card-c", "card-d"];
        assert_eq!(nearest("card-x", same(known)), ["card-a", "card-b", "card-c"]);
        // Far by edits, and within the name.
        assert_eq!(nearest("hbm3", same(["nvidia-h100-80gb-hbm3x"])), ["nvidia-h100-80gb-hbm3x"]);
        assert!(nearest("hb", same(["nvidia-h100-80gb-hbm3x"])).is_empty());
        let longest = "a".repeat(96);
        assert_eq!(nearest(&longest, same([longest.as_str()])).len(), 1);
    }

    #[test]
    fn whole_words_in_common_come_before_edits() {
        // One edit leads to the first and third, but the second has every word of it.
        let known = ["nvidia-gb200", "nvidia-gh200-480gb", "nvidia-h200"];
        assert_eq!(nearest("NVIDIA GH200", same(known)).first(), Some(&"nvidia-gh200-480gb"));
        assert_eq!(nearest("NVIDIA H200 141GB HBM3e", same(known)).first(), Some(&"nvidia-h200"));
    }

    #[test]
    fn what_cannot_be_seen_is_spelled_out() {
        assert_eq!(abridged("h100\n"), "h100\\n");
        assert_eq!(abridged("NVIDIA\u{a0}H\u{200b}100"), "NVIDIA\\u{a0}H\\u{200b}100");
        assert_eq!(abridged(&"ä".repeat(81)), format!("{}…", "ä".repeat(80)));
    }

    #[test]
    fn aliases_show_the_name_they_stand_for_once() {
        let known = [("qwen3-32b", "qwen3-32b"), ("qwen/qwen3-32b", "qwen3-32b"), ("qwen3-30b", "qwen3-30b")];
        assert_eq!(nearest("qwen3-32", known.into_iter()), ["qwen3-32b", "qwen3-30b"]);
    }

    #[test]
    fn what_tells_names_apart_is_kept() {
        assert_eq!(fold("DeepSeek V3"), fold("deepseek_v3"));
        assert_ne!(fold("llama-3.1-8b"), fold("llama-318b"));
    }

    fn same<const N: usize>(names: [&str; N]) -> impl Iterator<Item = (&str, &str)> {
        names.into_iter().map(|name| (name, name))
    }
}
