//! Power: one cell raised to the other, in whichever order makes the target. 0 to the power of 0 is 1.

use super::{ClueOperator, orders, pair_may_hold};

pub(super) static POWER: ClueOperator = ClueOperator::new("^", holds, gap, may_hold)
    .about("over two cells, one digit to the power of the other is the target")
    .aliases(&["**", "pow", "power"])
    .cells(2..=2);

fn holds(digits: &[u8], target: i64) -> bool {
    powers(digits).any(|power| u64::try_from(target) == Ok(power))
}

fn gap(digits: &[u8], target: i64) -> u64 {
    powers(digits).map(|power| power.abs_diff(target.unsigned_abs())).min().unwrap_or(u64::MAX)
}

fn may_hold(prefix: &[u8], _rest: usize, low: u8, high: u8, target: i64) -> bool {
    // From 1 on, powers grow with base and exponent; a low digit of 0 makes the least power 0.
    let least = if low == 0 { 0 } else { power(low, low) };
    let reachable = (least..=power(high, high)).contains(&target.unsigned_abs());
    pair_may_hold(holds, prefix, low..=high, target, reachable || low == 0 && target == 1)
}

/// A power, saturating at `u64::MAX`, beyond every target.
fn power(base: u8, exponent: u8) -> u64 {
    u64::from(base).saturating_pow(u32::from(exponent))
}

fn powers(digits: &[u8]) -> impl Iterator<Item = u64> {
    orders(digits).into_iter().flatten().map(|(base, exponent)| power(base, exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_order_makes_the_target() {
        for (digits, made) in [([2, 3], [8, 9]), ([3, 2], [8, 9]), ([0, 4], [0, 1]), ([0, 0], [1, 1])] {
            let holding: Vec<i64> = (0..100).filter(|target| holds(&digits, *target)).collect();
            assert!(holding.iter().all(|target| made.contains(target)), "{digits:?} {holding:?}");
            assert!(made.iter().all(|target| holding.contains(target)), "{digits:?} {holding:?}");
        }
    }

    #[test]
    fn powers_saturate_and_never_meet_a_target_by_overflow() {
        assert!(!holds(&[32, 31], i64::MAX));
        assert!(holds(&[2, 62], 1 << 62));
    }

    #[test]
    fn the_gap_is_over_the_better_order() {
        assert_eq!(gap(&[2, 5], 30), 2);
        assert_eq!(gap(&[2, 5], 24), 1);
    }
}
