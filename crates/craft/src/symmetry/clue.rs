//! What becomes of a clue when its cells change places or its digits become their complements.

use kenga_core::puzzle::Clue;
use kenga_core::puzzle::operators::{self, Operator, Relation};

/// The clue for the same digits in reverse order: only `<` and `>` depend on it.
pub(super) fn reversed(clue: Clue) -> Clue {
    match clue.operator.relations(2) {
        [Relation::Less] => Clue { operator: stating(Relation::Greater), ..clue },
        [Relation::Greater] => Clue { operator: stating(Relation::Less), ..clue },
        _ => clue,
    }
}

/// The clue that the digits `ends - d` meet exactly when the digits `d` of so many cells, two or more, meet this one; `None`
/// where there is none.
///
/// A sum becomes what is left of `cells * ends`, the least digit the greatest; a difference of two digits stays. A product
/// becomes nothing that a clue can say.
pub(super) fn complement(clue: Clue, cells: usize, ends: i64) -> Option<Clue> {
    let (operator, whole) = match clue.operator.relations(cells) {
        [Relation::Sum] => (clue.operator, ends.checked_mul(cells as i64)?),
        [Relation::Mean] => (clue.operator, ends),
        [Relation::Least] => (stating(Relation::Greatest), ends),
        [Relation::Greatest] => (stating(Relation::Least), ends),
        [Relation::Difference] if cells == 2 => return Some(clue),
        [Relation::Apart] => return Some(clue),
        [Relation::Less | Relation::Greater] => return Some(reversed(clue)),
        _ => return None,
    };
    let target = whole.checked_sub(clue.target)?;
    (target >= 0).then_some(Clue { operator, target })
}

/// The operator that states a relation and nothing else.
fn stating(relation: Relation) -> Operator {
    let mut operators = operators::TABLE.iter();
    operators.find(|operator| operator.relations(2) == [relation]).expect("an operator states every relation")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::samples::tuples;

    #[test]
    fn a_complement_holds_exactly_when_the_clue_does() {
        let mut kept = Vec::new();
        for operator in operators::TABLE.iter() {
            for cells in (2..=3).filter(|cells| operator.cells.contains(cells)) {
                for target in 0..=20 {
                    let clue = Clue { operator, target };
                    let Some(other) = complement(clue, cells, 4) else { continue };
                    for tuple in tuples(cells as u32) {
                        let image: Vec<u8> = tuple.iter().map(|digit| 4 - digit).collect();
                        assert_eq!(clue.holds(&tuple), other.holds(&image), "{clue} {tuple:?}");
                    }
                    kept.push((operator.symbol, cells));
                }
            }
        }
        kept.dedup();
        let expected = [
            ("+", 2),
            ("+", 3),
            ("-", 2),
            ("min", 2),
            ("min", 3),
            ("max", 2),
            ("max", 3),
            ("mean", 2),
            ("mean", 3),
            ("<", 2),
            (">", 2),
            ("!-", 2),
        ];
        assert_eq!(kept, expected);
    }

    #[test]
    fn a_reversed_clue_holds_for_the_digits_in_reverse() {
        for operator in operators::TABLE.iter().filter(|operator| operator.cells.contains(&2)) {
            let clue = Clue { operator, target: 2 };
            for tuple in tuples(2) {
                let other = [tuple[1], tuple[0]];
                assert_eq!(clue.holds(&tuple), reversed(clue).holds(&other), "{clue} {tuple:?}");
            }
        }
    }

    #[test]
    fn a_sum_beyond_all_digits_has_no_complement() {
        let plus = operators::find("+").expect("the table has the sum");
        assert_eq!(complement(Clue { operator: plus, target: 21 }, 2, 10), None);
        assert_eq!(complement(Clue { operator: plus, target: i64::MAX }, usize::MAX, 10), None);
    }
}
