//! The least digit.

use std::ops::RangeInclusive;

use super::{ClueOperator, Relation};

pub(super) struct Minimum;

impl ClueOperator for Minimum {
    fn symbol(&self) -> &'static str {
        "min"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["minimum", "least", "smallest"]
    }

    fn about(&self) -> &'static str {
        "the least of the digits is the target"
    }

    fn cells(&self) -> RangeInclusive<usize> {
        1..=usize::MAX
    }

    fn relations(&self, _: usize) -> &'static [Relation] {
        &[Relation::Least]
    }

    fn holds(&self, digits: &[u8], target: i64) -> bool {
        digits.iter().min().is_some_and(|least| i64::from(*least) == target)
    }

    fn gap(&self, digits: &[u8], target: i64) -> u64 {
        digits.iter().min().map_or(u64::MAX, |least| target.abs_diff(i64::from(*least)))
    }

    fn may_hold(&self, prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
        let reached = prefix.iter().any(|digit| i64::from(*digit) == target);
        let open = rest > 0 && i64::from(low) <= target;
        let kept = prefix.iter().all(|digit| i64::from(*digit) >= target);
        kept && (reached || open) && (rest == 0 || i64::from(high) >= target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_least_digit_counts() {
        assert!(Minimum.holds(&[3, 2, 9], 2) && !Minimum.holds(&[3, 2, 9], 3));
        assert!(Minimum.holds(&[0, 4], 0));
        assert_eq!(Minimum.gap(&[3, 2, 9], 5), 3);
    }

    #[test]
    fn a_smaller_digit_or_candidates_on_one_side_exclude_it() {
        assert!(!Minimum.may_hold(&[1], 2, 1, 9, 2));
        assert!(!Minimum.may_hold(&[5], 2, 3, 9, 2));
        assert!(!Minimum.may_hold(&[5], 2, 1, 4, 5));
        assert!(Minimum.may_hold(&[2], 2, 3, 9, 2));
    }
}
