//! The hidden operator: `+` or `*`, and in two cells `-` or `/`, makes the target.

use std::ops::RangeInclusive;

use super::add::Add;
use super::divide::Divide;
use super::multiply::Multiply;
use super::subtract::Subtract;
use super::{ClueOperator, Relation};

pub(super) struct Any;

static TWO_CELLS: &[&dyn ClueOperator] = &[&Add, &Multiply, &Subtract, &Divide];

/// The operators that may be hidden over this many cells.
fn choices(cells: usize) -> &'static [&'static dyn ClueOperator] {
    if cells == 2 { TWO_CELLS } else { &TWO_CELLS[..2] }
}

impl ClueOperator for Any {
    fn symbol(&self) -> &'static str {
        "?"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["any", "hidden"]
    }

    fn about(&self) -> &'static str {
        "`+` or `*`, and over two cells `-` or `/`, makes the target"
    }

    fn cells(&self) -> RangeInclusive<usize> {
        1..=usize::MAX
    }

    fn relations(&self, cells: usize) -> &'static [Relation] {
        let all = &[Relation::Sum, Relation::Product, Relation::Difference, Relation::Quotient];
        if cells == 2 { all } else { &all[..2] }
    }

    fn holds(&self, digits: &[u8], target: i64) -> bool {
        choices(digits.len()).iter().any(|operator| operator.holds(digits, target))
    }

    fn gap(&self, digits: &[u8], target: i64) -> u64 {
        choices(digits.len()).iter().map(|operator| operator.gap(digits, target)).min().unwrap_or(u64::MAX)
    }

    fn may_hold(&self, prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
        choices(prefix.len() + rest).iter().any(|operator| operator.may_hold(prefix, rest, low, high, target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_and_quotient_count_only_over_two_cells() {
        assert!(Any.holds(&[6, 2], 3) && Any.holds(&[6, 2], 4));
        assert!(Any.holds(&[1, 2, 3], 6));
        assert!(!Any.holds(&[9, 3, 3], 1));
        assert!(!Any.holds(&[9, 3, 2], 4));
    }

    #[test]
    fn the_gap_is_the_least_of_all() {
        assert_eq!(Any.gap(&[6, 2], 5), 1);
    }
}
