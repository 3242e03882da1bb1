//! Remainder: one cell modulo the other, in whichever order makes the target.
//!
//! A modulus of 0 makes no target.

use super::{ClueOperator, orders, pair_may_hold};

pub(super) static MODULO: ClueOperator = ClueOperator::new("%", holds, gap, may_hold)
    .about("over two cells, one digit modulo the other is the target")
    .aliases(&["mod", "modulo", "remainder"])
    .cells(2..=2);

fn holds(digits: &[u8], target: i64) -> bool {
    remainders(digits).any(|remainder| i64::from(remainder) == target)
}

fn gap(digits: &[u8], target: i64) -> u64 {
    remainders(digits).map(|remainder| target.abs_diff(i64::from(remainder))).min().unwrap_or(u64::MAX)
}

fn may_hold(prefix: &[u8], _rest: usize, low: u8, high: u8, target: i64) -> bool {
    // A remainder is less than its modulus.
    pair_may_hold(holds, prefix, low..=high, target, target < i64::from(high))
}

fn remainders(digits: &[u8]) -> impl Iterator<Item = u8> {
    orders(digits).into_iter().flatten().filter_map(|(value, modulus)| value.checked_rem(modulus))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_order_makes_the_target() {
        for (digits, targets) in [([7, 3], [1, 3]), ([3, 7], [1, 3]), ([6, 2], [0, 2]), ([5, 5], [0, 0])] {
            let made: Vec<i64> = (0..10).filter(|target| holds(&digits, *target)).collect();
            assert!(made.iter().all(|target| targets.contains(target)), "{digits:?} {made:?}");
            assert!(targets.iter().all(|target| made.contains(target)), "{digits:?} {made:?}");
        }
    }

    #[test]
    fn a_modulus_of_zero_makes_no_target() {
        assert!(holds(&[0, 4], 0) && !holds(&[0, 4], 4));
        assert!((0..9).all(|target| !holds(&[0, 0], target)));
        assert_eq!(gap(&[0, 0], 0), u64::MAX);
    }

    #[test]
    fn the_gap_is_over_the_better_order() {
        assert_eq!(gap(&[7, 3], 5), 2);
        assert_eq!(gap(&[9, 3], 1), 1);
    }
}
