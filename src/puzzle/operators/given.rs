//! A given: one cell that holds the target itself.

use std::ops::RangeInclusive;

use super::ClueOperator;

pub(super) struct Given;

impl ClueOperator for Given {
    fn symbol(&self) -> &'static str {
        "="
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["!"]
    }

    fn about(&self) -> &'static str {
        "the one cell holds the target"
    }

    fn cells(&self) -> RangeInclusive<usize> {
        1..=1
    }

    fn holds(&self, digits: &[u8], target: i64) -> bool {
        matches!(digits, [digit] if i64::from(*digit) == target)
    }

    fn gap(&self, digits: &[u8], target: i64) -> u64 {
        super::sum(digits).abs_diff(target)
    }

    fn may_hold(&self, prefix: &[u8], _rest: usize, low: u8, high: u8, target: i64) -> bool {
        match prefix {
            [] => (i64::from(low)..=i64::from(high)).contains(&target),
            digits => self.holds(digits, target),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_target_itself_holds() {
        assert!(Given.holds(&[3], 3));
        assert!(!Given.holds(&[2], 3));
        assert!(!Given.holds(&[3, 3], 3));
        assert_eq!(Given.gap(&[1], 4), 3);
    }
}
