//! The greatest common divisor. That of 0 and a digit is the digit, that of zeros is 0.

use super::{ClueOperator, Relation, common_divisor};

pub(super) static GCD: ClueOperator = ClueOperator::new("gcd", holds, gap, may_hold)
    .about("the greatest common divisor of the digits is the target")
    .aliases(&["gcf", "hcf"])
    .stated_by(|_| &[Relation::CommonDivisor]);

fn holds(digits: &[u8], target: i64) -> bool {
    u64::try_from(target) == Ok(divisor(digits))
}

fn gap(digits: &[u8], target: i64) -> u64 {
    divisor(digits).abs_diff(target.unsigned_abs())
}

fn may_hold(prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
    let (have, target) = (divisor(prefix), target.unsigned_abs());
    let (low, high) = (u64::from(low), u64::from(high));
    match (rest, target) {
        (0, _) => have == target,
        (_, 0) => have == 0 && low == 0,
        // Every digit is a multiple of the target, those to come too.
        _ => have.is_multiple_of(target) && low.next_multiple_of(target) <= high,
    }
}

fn divisor(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |divisor, digit| common_divisor(divisor, u64::from(*digit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_are_those_of_all_digits() {
        for (digits, gcd) in
            [(&[6, 9][..], 3), (&[8, 4, 6], 2), (&[7, 5], 1), (&[0, 6], 6), (&[0, 0], 0), (&[5], 5)]
        {
            assert!(holds(digits, gcd), "{digits:?}");
            assert!((0..20).filter(|target| *target != gcd).all(|target| !holds(digits, target)));
        }
        assert_eq!(gap(&[8, 4, 6], 5), 3);
    }

    #[test]
    fn digits_that_the_target_does_not_divide_exclude_it() {
        assert!(!may_hold(&[4], 1, 1, 9, 3));
        assert!(!may_hold(&[6], 1, 4, 5, 3));
        assert!(!may_hold(&[6], 1, 0, 9, i64::MAX));
        assert!(!may_hold(&[6], 1, 0, 9, 0) && may_hold(&[0], 1, 0, 9, 0));
    }
}
