//! The hidden operator: `+` or `*`, and in two cells `-` or `/`, makes the target.

use super::add::ADD;
use super::divide::DIVIDE;
use super::multiply::MULTIPLY;
use super::subtract::SUBTRACT;
use super::{ClueOperator, Operator, Relation};

pub(super) static ANY: ClueOperator = ClueOperator::new("?", holds, gap, may_hold)
    .about("`+` or `*`, and over two cells `-` or `/`, makes the target")
    .aliases(&["any", "hidden"])
    .stated_by(relations);

/// The operators that may be hidden over this many cells.
fn choices(cells: usize) -> &'static [Operator] {
    static ALL: [Operator; 4] = [&ADD, &MULTIPLY, &SUBTRACT, &DIVIDE];
    if cells == 2 { &ALL } else { &ALL[..2] }
}

fn relations(cells: usize) -> &'static [Relation] {
    let all = &[Relation::Sum, Relation::Product, Relation::Difference, Relation::Quotient];
    if cells == 2 { all } else { &all[..2] }
}

fn holds(digits: &[u8], target: i64) -> bool {
    choices(digits.len()).iter().any(|operator| operator.holds(digits, target))
}

fn gap(digits: &[u8], target: i64) -> u64 {
    // The least: which operator is hidden is not known.
    choices(digits.len()).iter().map(|operator| operator.gap(digits, target)).min().unwrap_or(u64::MAX)
}

fn may_hold(prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
    choices(prefix.len() + rest).iter().any(|operator| operator.may_hold(prefix, rest, low, high, target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_and_quotient_count_only_over_two_cells() {
        assert!(holds(&[6, 2], 3) && holds(&[6, 2], 4));
        assert!(holds(&[1, 2, 3], 6));
        assert!(!holds(&[9, 3, 3], 1));
        assert!(!holds(&[9, 3, 2], 4));
    }

    #[test]
    fn the_gap_is_the_least_of_all() {
        assert_eq!(gap(&[6, 2], 5), 1);
    }
}
