//! The least common multiple. With a 0 among the digits it is 0.

use super::{ClueOperator, Relation, common_divisor};

pub(super) static LCM: ClueOperator = ClueOperator::new("lcm", holds, gap, may_hold)
    .about("the least common multiple of the digits is the target")
    .aliases(&["lcd"])
    .stated_by(|_| &[Relation::CommonMultiple]);

fn holds(digits: &[u8], target: i64) -> bool {
    u64::try_from(target) == Ok(multiple(digits))
}

fn gap(digits: &[u8], target: i64) -> u64 {
    multiple(digits).abs_diff(target.unsigned_abs())
}

fn may_hold(prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
    let (have, target) = (multiple(prefix), target.unsigned_abs());
    let (low, high) = (u64::from(low), u64::from(high));
    match (rest, target) {
        (0, _) => have == target,
        (_, 0) => have == 0 || low == 0,
        // Every digit divides the target, those to come too.
        _ => {
            let most = have.saturating_mul(high.saturating_pow(rest as u32));
            have != 0 && target.is_multiple_of(have) && low <= target && target <= most
        }
    }
}

/// The least common multiple, saturating at `u64::MAX`, beyond every target.
fn multiple(digits: &[u8]) -> u64 {
    digits.iter().map(|digit| u64::from(*digit)).fold(1, |multiple, digit| match digit {
        0 => 0,
        digit => (multiple / common_divisor(multiple, digit)).saturating_mul(digit),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_are_those_of_all_digits() {
        for (digits, lcm) in
            [(&[6, 4][..], 12), (&[8, 4, 6], 24), (&[7, 5], 35), (&[0, 6], 0), (&[1, 1], 1), (&[5], 5)]
        {
            assert!(holds(digits, lcm), "{digits:?}");
            assert!((0..40).filter(|target| *target != lcm).all(|target| !holds(digits, target)));
        }
        assert_eq!(gap(&[6, 4], 10), 2);
    }

    #[test]
    fn multiples_saturate_and_never_meet_a_target_by_overflow() {
        let digits: Vec<u8> = (1..=255).collect();
        assert!(!holds(&digits, i64::MAX));
    }

    #[test]
    fn digits_that_do_not_divide_the_target_exclude_it() {
        assert!(!may_hold(&[5], 1, 1, 9, 12));
        assert!(!may_hold(&[4], 1, 1, 2, 12));
        assert!(!may_hold(&[0], 1, 1, 9, 12) && may_hold(&[0], 1, 1, 9, 0));
    }
}
