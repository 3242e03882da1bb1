//! The names that a misspelt one may stand for; and names in a sentence.

use std::fmt::{Display, Write};

use crate::sort::sort_by_key;

/// Words with commas and `and` between them: `A1, A2 and B1`.
pub fn enumeration(mut words: Vec<String>) -> String {
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) }
}

/// The texts of items with the same text between every two.
pub fn joined(items: impl IntoIterator<Item = impl Display>, between: &str) -> String {
    let (mut text, mut before) = (String::new(), "");
    for item in items {
        let _ = write!(text, "{before}{item}");
        before = between;
    }
    text
}

/// Orders names by similarity to `wanted`, the most similar first, equals in their order.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    // A name may be as long as a file: it is compared once with each.
    let mut known: Vec<(i64, &str)> = Vec::new();
    for name in names {
        // Whole numbers have a total order, which floats have not.
        known.push(((strsim::jaro_winkler(wanted, name) * 1e6) as i64, name));
    }
    sort_by_key(&mut known, |(similarity, _)| -similarity);
    known.into_iter().map(|(_, name)| name.to_owned()).collect()
}

/// The name that a text may be a misspelling of: that with the fewest slips of the fingers (letters left out, added,
/// replaced, or exchanged with the next), where these are at most a third of the letters typed; else the first that begins with
/// the text. Of a dotted path an end may be meant, as `mutation.rate` of `algorithm.mutation.rate`. None where no name is near.
pub fn meant<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = typed.chars().count();
    let mut fewest = letters.div_ceil(3) + 1;
    let (mut near, mut begun) = (None, None);
    for name in names {
        let mut end = name;
        loop {
            // A name may be as long as a file.
            if end.chars().count().abs_diff(letters) < fewest {
                let slips = strsim::osa_distance(typed, end);
                if slips < fewest {
                    (fewest, near) = (slips, Some(name));
                }
            }
            if begun.is_none() && letters > 1 && end.starts_with(typed) {
                begun = Some(name);
            }
            let Some((_, rest)) = end.split_once('.') else { break };
            end = rest;
        }
    }
    near.or(begun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_comes_first() {
        assert_eq!(nearest("tornament", ["rank", "tournament", "roulette"])[0], "tournament");
        assert_eq!(nearest("elitsm", ["rate", "elitism"])[0], "elitism");
        assert_eq!(nearest("cage", ["cells", "cages", "id"])[0], "cages");
    }

    #[test]
    fn a_path_is_meant_by_its_end() {
        let paths = ["budget.evaluations", "algorithm.mutation.rate", "algorithm.crossover.rate"];
        assert_eq!(meant("mutation.rat", paths), Some("algorithm.mutation.rate"));
        assert_eq!(meant("evalutions", paths), Some("budget.evaluations"));
        assert_eq!(meant("foo", paths), None);
        assert_eq!(meant("nosuch", paths), None);
    }

    #[test]
    fn only_a_near_name_is_meant() {
        let names = ["run", "solve", "search", "statistics"];
        let expected = [
            ("rnu", Some("run")),
            ("ruin", Some("run")),
            ("sovle", Some("solve")),
            ("stat", Some("statistics")),
            ("nosuch", None),
            ("zzz", None),
            ("", None),
        ];
        for (typed, name) in expected {
            assert_eq!(meant(typed, names), name, "{typed}");
        }
    }

    #[test]
    fn letters_that_are_exchanged_are_one_slip() {
        assert_eq!(meant("rnu", ["rank", "run"]), Some("run"));
        assert_eq!(meant("sovle", ["sole", "solve"]), Some("sole"), "the first of two that are as near");
    }
}
