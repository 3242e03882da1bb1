//! Difference excluded: two digits do not differ by the target. Queens on columns that lie so far apart do not attack
//! each other on a diagonal.

use super::{ClueOperator, Relation, pair_may_hold};

pub(super) static APART: ClueOperator = ClueOperator::new("!-", holds, gap, may_hold)
    .about("over two cells, the digits do not differ by the target")
    .aliases(&["apart"])
    .cells(2..=2)
    .stated_by(|_| &[Relation::Apart]);

fn holds(digits: &[u8], target: i64) -> bool {
    matches!(*digits, [first, second] if i64::from(first.abs_diff(second)) != target)
}

/// One of the digits is off by one.
fn gap(_digits: &[u8], _target: i64) -> u64 {
    1
}

fn may_hold(prefix: &[u8], _rest: usize, low: u8, high: u8, target: i64) -> bool {
    // All pairs of digits can differ by the target only where there is one digit.
    pair_may_hold(holds, prefix, low..=high, target, target != 0 || low < high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_target_is_excluded_in_either_order() {
        assert!(!holds(&[1, 4], 3) && !holds(&[4, 1], 3) && !holds(&[2, 2], 0));
        assert!(holds(&[1, 4], 2) && holds(&[4, 1], 4) && holds(&[2, 2], 1));
    }
}
