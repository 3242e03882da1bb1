//! Addition.

use std::ops::RangeInclusive;

use super::{ClueOperator, Fold, Relation, sum};

pub(super) struct Add;

impl ClueOperator for Add {
    fn symbol(&self) -> &'static str {
        "+"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["add", "sum", "plus"]
    }

    fn about(&self) -> &'static str {
        "the sum of the digits is the target"
    }

    fn cells(&self) -> RangeInclusive<usize> {
        1..=usize::MAX
    }

    fn relations(&self, _: usize) -> &'static [Relation] {
        &[Relation::Sum]
    }

    fn holds(&self, digits: &[u8], target: i64) -> bool {
        sum(digits) == target
    }

    fn gap(&self, digits: &[u8], target: i64) -> u64 {
        sum(digits).abs_diff(target)
    }

    fn fold(&self) -> Option<Fold> {
        Some(Fold::Sum)
    }

    fn may_hold(&self, prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
        let (have, rest) = (sum(prefix), rest as i64);
        (have + rest * i64::from(low)..=have + rest * i64::from(high)).contains(&target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact() {
        assert!(Add.holds(&[1, 2, 3], 6));
        assert!(!Add.holds(&[1, 2, 3], 7));
        assert_eq!(Add.gap(&[1, 2, 3], 10), 4);
    }
}
