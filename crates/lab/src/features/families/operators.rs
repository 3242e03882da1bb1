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
fn operators() -> Vec<NamedOperator> {
    let mut named = Vec::new();
    for operator in TABLE.iter() {
        if let Some(word) = word(operator)
            && !operator.is_given()
        {
            named.push(NamedOperator { operator, word });
        }
    }
    named
}

/// An operator with the word in the name of its column.
struct NamedOperator {
    operator: Operator,
    word: &'static str,
}

/// The first of its names that is a word of three letters or more.
fn word(operator: Operator) -> Option<&'static str> {
    let is_word = |name: &str| name.len() > 2 && name.bytes().all(|letter| letter.is_ascii_lowercase());
    if is_word(operator.symbol) {
        return Some(operator.symbol);
    }
    operator.aliases.iter().copied().find(|name| is_word(name))
}

fn columns(_: &FeatureOrder) -> Vec<FeatureColumn> {
    let mut columns = Vec::new();
    for NamedOperator { operator, word } in operators() {
        let about = format!("cages with `{}`, of those of two or more cells", operator.symbol);
        columns.push(column(&format!("operator_{word}"), Share, &about));
    }
    columns
}

fn values(of: &Subject<'_>) -> Vec<FeatureValue> {
    let mut cages = of.cages();
    cages.retain(|cage| cage.cells.len() > 1);
    let mut values = Vec::new();
    for NamedOperator { operator, .. } in operators() {
        let used = cages.iter().filter(|cage| cage.clue.operator == operator).count();
        values.push(FeatureValue::share(used, cages.len()));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_has_a_column() {
        let words: Vec<&str> = operators().iter().map(|named| named.word).collect();
        assert_eq!(words.len(), TABLE.iter().count() - 1, "all but the given: {words:?}");
    }
}
