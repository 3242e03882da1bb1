//! Order: the first of two digits, in the order of the cells in the grid, is less or greater than the second. Nothing is
//! made of the digits, so that the target has no meaning and is 0.

use super::{ClueOperator, Relation, pair_may_hold};

pub(super) static LESS: ClueOperator = ClueOperator::new("<", is_less, lead, may_be_less)
    .about("over two cells, the first digit is less than the second; the target has no meaning")
    .aliases(&["less"])
    .cells(2..=2)
    .stated_by(|_| &[Relation::Less]);

pub(super) static GREATER: ClueOperator = ClueOperator::new(">", is_greater, lag, may_be_greater)
    .about("over two cells, the first digit is greater than the second; the target has no meaning")
    .aliases(&["greater"])
    .cells(2..=2)
    .stated_by(|_| &[Relation::Greater]);

fn is_less(digits: &[u8], _target: i64) -> bool {
    matches!(digits, [first, second] if first < second)
}

fn is_greater(digits: &[u8], _target: i64) -> bool {
    matches!(digits, [first, second] if first > second)
}

/// By how much the first digit must shrink to be less.
fn lead(digits: &[u8], _target: i64) -> u64 {
    match *digits {
        [first, second] => u64::from(first.saturating_sub(second)) + 1,
        _ => u64::MAX,
    }
}

/// By how much the first digit must grow to be greater.
fn lag(digits: &[u8], target: i64) -> u64 {
    match *digits {
        [first, second] => lead(&[second, first], target),
        _ => u64::MAX,
    }
}

fn may_be_less(prefix: &[u8], _rest: usize, low: u8, high: u8, target: i64) -> bool {
    pair_may_hold(is_less, prefix, low..=high, target, low < high)
}

fn may_be_greater(prefix: &[u8], _rest: usize, low: u8, high: u8, target: i64) -> bool {
    pair_may_hold(is_greater, prefix, low..=high, target, low < high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_cells_counts_and_the_target_does_not() {
        for target in [0, 7] {
            assert!(is_less(&[1, 3], target) && !is_less(&[3, 1], target) && !is_less(&[2, 2], target));
            assert!(
                is_greater(&[3, 1], target) && !is_greater(&[1, 3], target) && !is_greater(&[2, 2], target)
            );
        }
    }

    #[test]
    fn the_gap_is_what_the_first_digit_is_off_by() {
        assert_eq!([lead(&[2, 2], 0), lead(&[5, 2], 0), lag(&[2, 2], 0), lag(&[2, 5], 0)], [1, 4, 1, 4]);
    }
}
