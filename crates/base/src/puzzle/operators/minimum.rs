//! The least digit.

use std::ops::RangeInclusive;

use super::{ClueOperator, Relation};

pub(super) static MINIMUM: ClueOperator = ClueOperator::new("min", holds, gap, may_hold)
    .about("the least of the digits is the target")
    .aliases(&["minimum", "least", "smallest"])
    .stated_by(|_| &[Relation::Least]);

fn holds(digits: &[u8], target: i64) -> bool {
    digits.iter().min().is_some_and(|least| i64::from(*least) == target)
}

fn gap(digits: &[u8], target: i64) -> u64 {
    digits.iter().min().map_or(u64::MAX, |least| target.abs_diff(i64::from(*least)))
}

fn may_hold(prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
    let digits = prefix.iter().map(|digit| i64::from(*digit));
    may_be_least(digits, rest, i64::from(low)..=i64::from(high), target)
}

/// Says whether the least of these digits and `rest` more within the bounds may be the target.
pub(super) fn may_be_least(
    mut digits: impl Iterator<Item = i64> + Clone,
    rest: usize,
    bounds: RangeInclusive<i64>,
    target: i64,
) -> bool {
    let reached = digits.clone().any(|digit| digit == target);
    let open = rest > 0 && *bounds.start() <= target;
    // No digit may lie below the target, and one must reach it.
    digits.all(|digit| digit >= target) && (reached || open) && (rest == 0 || *bounds.end() >= target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_least_digit_counts() {
        assert!(holds(&[3, 2, 9], 2) && !holds(&[3, 2, 9], 3));
        assert!(holds(&[0, 4], 0));
        assert_eq!(gap(&[3, 2, 9], 5), 3);
    }

    #[test]
    fn a_smaller_digit_or_candidates_on_one_side_exclude_it() {
        assert!(!may_hold(&[1], 2, 1, 9, 2));
        assert!(!may_hold(&[5], 2, 3, 9, 2));
        assert!(!may_hold(&[5], 2, 1, 4, 5));
        assert!(may_hold(&[2], 2, 3, 9, 2));
    }
}
