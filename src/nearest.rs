//! Which known names does an unknown one resemble? For messages only: nothing is ever resolved by resemblance.

/// The names of `known` closest to `name`, at most three, the closest first.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    // A name longer than any real one resembles nothing, and must not cost more than its own length.
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return Vec::new();
    }
    let wanted = fold(name);
    let mut close: Vec<(usize, &str)> = known
        .filter_map(|candidate| {
            let folded = fold(candidate);
            let edits = distance(&wanted, &folded);
            let contained = wanted.len() >= 3 && contains(&folded, &wanted);
            (contained || edits <= wanted.len().max(3) / 3).then_some((edits, candidate))
        })
        .collect();
    close.sort_unstable();
    close.into_iter().map(|(_, candidate)| candidate).take(3).collect()
}

/// Lower case, without what people write differently: spaces, dashes, underscores, dots.
pub(crate) fn fold(name: &str) -> Vec<char> {
    name.chars().filter(|c| !matches!(c, ' ' | '-' | '_' | '.')).flat_map(char::to_lowercase).collect()
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
        assert!(nearest("zebra", ["deepseek-v3", "gpt-oss-20b"].into_iter()).is_empty());
        assert!(nearest(&"a".repeat(1 << 20), ["a"].into_iter()).is_empty());
    }

    #[test]
    fn the_closest_comes_first() {
        let known = ["llama-3-8b", "llama-3-70b", "llama-2-7b", "mixtral-8x7b"];
        // One edit for each of the first two, in alphabetical order; three for the last.
        assert_eq!(nearest("Llama 3 80b", known.into_iter()), ["llama-3-70b", "llama-3-8b", "llama-2-7b"]);
        assert_eq!(nearest("llama-3-8", known.into_iter()).first(), Some(&"llama-3-8b"));
        assert_eq!(nearest("mixtral", known.into_iter()), ["mixtral-8x7b"]);
    }
}
