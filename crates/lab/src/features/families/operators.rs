//! How common each operator is.

use super::column;
use crate::features::FeatureKind::Share;
use crate::features::{FeatureColumn, FeatureFamily, FeatureOrder, FeatureValue, Subject};
use kenga_core::puzzle::operators::{Operator, TABLE};

pub(in crate::features) const FAMILY: FeatureFamily = FeatureFamily {
    name: "operators",
    about: "the operators of its cages of two or more cells",
    is_slow: false,
    columns,
    values,
};

/// The operators of cages of two or more cells with a word for each; one of a program's own that has no word is left out.
fn operators() -> impl Iterator<Item = (Operator, &'static str)> {
    TABLE
        .iter()
        .filter(|operator| !operator.is_given())
        .filter_map(|operator| Some((operator, word(operator)?)))
}

/// The first of its names that is a word of three letters or more.
fn word(operator: Operator) -> Option<&'static str> {
    let names = [operator.symbol].into_iter().chain(operator.aliases.iter().copied());
    let is_word = |name: &&str| name.len() > 2 && name.bytes().all(|letter| letter.is_ascii_lowercase());
    names.into_iter().find(is_word)
}

fn columns(_: &FeatureOrder) -> Vec<FeatureColumn> {
    let one = |(operator, word): (Operator, &str)| {
        let about = format!("cages with `{}`, of those of two or more cells", operator.symbol);
        column(&format!("operator_{word}"), Share, &about)
    };
    operators().map(one).collect()
}

fn values(of: &Subject<'_>) -> Vec<FeatureValue> {
    let used: Vec<Operator> =
        of.cages().filter(|cage| cage.cells.len() > 1).map(|cage| cage.clue.operator).collect();
    let share = |(operator, _): (Operator, &str)| {
        FeatureValue::share(used.iter().filter(|one| **one == operator).count(), used.len())
    };
    operators().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_has_a_column() {
        let (words, all): (Vec<&str>, usize) =
            (operators().map(|(_, word)| word).collect(), TABLE.iter().count());
        assert_eq!(words.len(), all - 1, "all but the given: {words:?}");
    }
}
