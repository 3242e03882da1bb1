//! The greatest digit.

use std::ops::RangeInclusive;

use super::{ClueOperator, Relation};

pub(super) struct Maximum;

impl ClueOperator for Maximum {
    fn symbol(&self) -> &'static str {
        "max"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["maximum", "greatest", "largest"]
    }

    fn about(&self) -> &'static str {
        "the greatest of the digits is the target"
    }

    fn cells(&self) -> RangeInclusive<usize> {
        1..=usize::MAX
    }

    fn relations(&self, _: usize) -> &'static [Relation] {
        &[Relation::Greatest]
    }

    fn holds(&self, digits: &[u8], target: i64) -> bool {
        digits.iter().max().is_some_and(|greatest| i64::from(*greatest) == target)
    }

    fn gap(&self, digits: &[u8], target: i64) -> u64 {
        digits.iter().max().map_or(u64::MAX, |greatest| target.abs_diff(i64::from(*greatest)))
    }

    fn may_hold(&self, prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
        let reached = prefix.iter().any(|digit| i64::from(*digit) == target);
        let open = rest > 0 && i64::from(high) >= target;
        let kept = prefix.iter().all(|digit| i64::from(*digit) <= target);
        kept && (reached || open) && (rest == 0 || i64::from(low) <= target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_greatest_digit_counts() {
        assert!(Maximum.holds(&[3, 9, 2], 9) && !Maximum.holds(&[3, 9, 2], 3));
        assert!(Maximum.holds(&[0, 0], 0));
        assert_eq!(Maximum.gap(&[3, 2, 9], 5), 4);
    }

    #[test]
    fn a_greater_digit_or_candidates_on_one_side_exclude_it() {
        assert!(!Maximum.may_hold(&[7], 2, 1, 9, 6));
        assert!(!Maximum.may_hold(&[5], 2, 1, 5, 6));
        assert!(!Maximum.may_hold(&[5], 2, 6, 9, 5));
        assert!(Maximum.may_hold(&[6], 2, 1, 5, 6));
    }
}
