//! Names that resemble each other, and names in a sentence.

use crate::sort::sort_by_key;

/// Words with commas and `and` between them: `A1, A2 and B1`.
pub fn enumeration(mut words: Vec<String>) -> String {
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) }
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

/// The dotted path that a text means: one of whose ends, as `mutation.rate` of `algorithm.mutation.rate`, it resembles most;
/// none where it resembles no end.
pub fn nearest_path<'a>(wanted: &str, paths: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(f64, &str)> = None;
    for path in paths {
        let mut end = path;
        loop {
            let similarity = strsim::jaro_winkler(wanted, end);
            if similarity > best.map_or(RESEMBLANCE, |(most, _)| most) {
                best = Some((similarity, path));
            }
            let Some((_, rest)) = end.split_once('.') else { break };
            end = rest;
        }
    }
    best.map(|(_, path)| path)
}

/// The similarity above which one name may be a misspelling of another.
const RESEMBLANCE: f64 = 0.7;

/// Says whether one name may be a misspelling of the other.
pub fn resembles(name: &str, other: &str) -> bool {
    strsim::jaro_winkler(name, other) > RESEMBLANCE
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
        assert_eq!(nearest_path("mutation.rat", paths), Some("algorithm.mutation.rate"));
        assert_eq!(nearest_path("evalutions", paths), Some("budget.evaluations"));
        assert_eq!(nearest_path("foo", paths), None);
    }
}
