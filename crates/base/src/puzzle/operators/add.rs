//! Addition.

use super::{ClueOperator, Fold, Relation, sum};

pub(super) static ADD: ClueOperator = ClueOperator::new("+", holds, gap, may_hold)
    .about("the sum of the digits is the target")
    .aliases(&["add", "sum", "plus", "addition"])
    .stated_by(|_| &[Relation::Sum])
    .fold(Fold::Sum);

fn holds(digits: &[u8], target: i64) -> bool {
    sum(digits) == target
}

fn gap(digits: &[u8], target: i64) -> u64 {
    sum(digits).abs_diff(target)
}

fn may_hold(prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
    let (have, rest) = (sum(prefix), rest as i64);
    // Digits between the bounds make every sum between the least and the greatest.
    (have + rest * i64::from(low)..=have + rest * i64::from(high)).contains(&target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact() {
        assert!(holds(&[1, 2, 3], 6));
        assert!(!holds(&[1, 2, 3], 7));
        assert_eq!(gap(&[1, 2, 3], 10), 4);
    }
}
