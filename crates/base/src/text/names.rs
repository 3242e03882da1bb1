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

/// Says whether one name may be a misspelling of the other.
pub fn resembles(name: &str, other: &str) -> bool {
    strsim::jaro_winkler(name, other) > 0.7
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
}
