//! Division: one cell divided by all the others, exactly, in whichever order makes the target.
//!
//! 3/2 is not 1, and a divisor of 0 makes no target.

use super::{ClueOperator, Relation, product};

pub(super) static DIVIDE: ClueOperator = ClueOperator::new("/", holds, gap, may_hold)
    .about("one digit divided by all the others, exactly, is the target")
    .aliases(&["÷", ":", "∕", "div", "divide", "quotient", "division"])
    .cells(2..=usize::MAX)
    .stated_by(|_| &[Relation::Quotient])
    .completed_by(complete);

fn holds(digits: &[u8], target: i64) -> bool {
    let target = target.unsigned_abs();
    (0..digits.len()).any(|first| {
        let divisor = divisor_of(digits, first);
        divisor != 0 && divisor.saturating_mul(target) == u64::from(digits[first])
    })
}

fn gap(digits: &[u8], target: i64) -> u64 {
    // Digits are whole: only the largest can be the dividend of a quotient from 1 up.
    let Some(largest) = (0..digits.len()).max_by_key(|&index| digits[index]) else { return u64::MAX };
    let wanted = divisor_of(digits, largest).saturating_mul(target.unsigned_abs());
    u64::from(digits[largest]).abs_diff(wanted)
}

fn may_hold(prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
    let zeros = prefix.iter().filter(|digit| **digit == 0).count();
    if target == 0 {
        // The dividend alone is 0.
        return zeros == 1 || (zeros == 0 && rest > 0 && low == 0);
    }
    // No digit is 0. The dividend is at most the largest possible digit, the divisor at least the least possible
    // product of the others.
    let largest = prefix.iter().copied().max().unwrap_or(0);
    let dividend = if rest > 0 { largest.max(high) } else { largest };
    let least = u64::from(low.max(1)).saturating_pow(rest as u32).saturating_mul(product(prefix));
    let bound = u64::from(dividend).saturating_mul(u64::from(dividend));
    zeros == 0 && dividend > 0 && least.saturating_mul(target.unsigned_abs()) <= bound
}

fn complete(prefix: &[u8], target: i64, found: &mut dyn FnMut(u64)) -> bool {
    let target = target.unsigned_abs();
    if target == 0 {
        // Any divisor makes 0.
        return false;
    }
    for dividend in 0..prefix.len() {
        let (value, wanted) =
            (u64::from(prefix[dividend]), divisor_of(prefix, dividend).saturating_mul(target));
        if value > 0 && wanted > 0 && value.is_multiple_of(wanted) {
            found(value / wanted);
        }
    }
    let divisor = product(prefix);
    if divisor > 0 {
        found(divisor.saturating_mul(target));
    }
    true
}

/// The product of all digits but one.
fn divisor_of(digits: &[u8], dividend: usize) -> u64 {
    product(&digits[..dividend]).saturating_mul(product(&digits[dividend + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_exact() {
        assert!(holds(&[2, 6], 3));
        assert!(!holds(&[2, 3], 1));
        assert!(holds(&[8, 2, 2], 2));
        assert!(holds(&[4, 4], 1));
    }

    #[test]
    fn a_divisor_of_zero_makes_no_target() {
        assert!(!holds(&[0, 0], 0));
        assert!(holds(&[0, 3], 0));
    }

    #[test]
    fn a_prefix_with_a_zero_goes_on_only_to_a_quotient_of_zero() {
        assert!(!may_hold(&[0], 20, 0, 5, 1) && !may_hold(&[2, 0], 20, 0, 5, 1));
        assert!(may_hold(&[0], 20, 0, 5, 0) && !may_hold(&[0, 0], 20, 0, 5, 0));
        assert!(!may_hold(&[1], 20, 1, 5, 0) && !may_hold(&[4, 4, 4], 20, 0, 5, 1));
    }

    #[test]
    fn no_prefix_that_can_go_on_is_refused() {
        let digits_of = |code: usize, len: usize| -> Vec<u8> {
            (0..len).map(|place| (code / 4usize.pow(place as u32) % 4) as u8).collect()
        };
        for len in 2..=5 {
            for digits in (0..4usize.pow(len as u32)).map(|code| digits_of(code, len)) {
                for target in (0..=3).filter(|target| holds(&digits, *target)) {
                    for cut in 1..=len {
                        let (prefix, rest) = digits.split_at(cut);
                        let low = rest.iter().copied().min().unwrap_or(u8::MAX);
                        let high = rest.iter().copied().max().unwrap_or(0);
                        assert!(may_hold(prefix, rest.len(), low, high, target), "{prefix:?} {rest:?}");
                        assert!(may_hold(prefix, rest.len(), 0, 3, target) || rest.is_empty());
                    }
                }
            }
        }
    }

    #[test]
    fn the_gap_compares_the_largest_with_target_times_the_rest() {
        assert_eq!(gap(&[3, 2], 1), 1);
        assert_eq!(gap(&[2, 9, 3], 1), 3);
    }
}
