//! The greatest digit.

use super::minimum::may_be_least;
use super::{ClueOperator, Relation};

pub(super) static MAXIMUM: ClueOperator = ClueOperator::new("max", holds, gap, may_hold)
    .about("the greatest of the digits is the target")
    .aliases(&["maximum", "greatest", "largest"])
    .stated_by(|_| &[Relation::Greatest]);

fn holds(digits: &[u8], target: i64) -> bool {
    digits.iter().max().is_some_and(|greatest| i64::from(*greatest) == target)
}

fn gap(digits: &[u8], target: i64) -> u64 {
    digits.iter().max().map_or(u64::MAX, |greatest| target.abs_diff(i64::from(*greatest)))
}

/// The greatest digit is minus the least of the negated digits.
fn may_hold(prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
    let negated = prefix.iter().map(|digit| -i64::from(*digit));
    may_be_least(negated, rest, -i64::from(high)..=-i64::from(low), -target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_greatest_digit_counts() {
        assert!(holds(&[3, 9, 2], 9) && !holds(&[3, 9, 2], 3));
        assert!(holds(&[0, 0], 0));
        assert_eq!(gap(&[3, 2, 9], 5), 4);
    }

    #[test]
    fn a_greater_digit_or_candidates_on_one_side_exclude_it() {
        assert!(!may_hold(&[7], 2, 1, 9, 6));
        assert!(!may_hold(&[5], 2, 1, 5, 6));
        assert!(!may_hold(&[5], 2, 6, 9, 5));
        assert!(may_hold(&[6], 2, 1, 5, 6));
    }
}
