//! Subtraction: one cell minus all the others, in whichever order makes the target.

use super::{ClueOperator, Relation, sum};

pub(super) static SUBTRACT: ClueOperator = ClueOperator::new("-", holds, gap, may_hold)
    .about("one digit minus all the others is the target")
    .aliases(&["−", "–", "—", "sub", "subtract", "minus", "subtraction"])
    .cells(2..=usize::MAX)
    .stated_by(|_| &[Relation::Difference])
    .completed_by(complete);

fn holds(digits: &[u8], target: i64) -> bool {
    let total = sum(digits);
    digits.iter().any(|&first| 2 * i64::from(first) - total == target)
}

fn gap(digits: &[u8], target: i64) -> u64 {
    let total = sum(digits);
    digits.iter().map(|&first| (2 * i64::from(first) - total).abs_diff(target)).min().unwrap_or(u64::MAX)
}

fn may_hold(prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
    // The first, from which all others are subtracted, is a digit of the prefix or one to come.
    let (have, rest) = (sum(prefix), rest as i64);
    let (low, high) = (i64::from(low), i64::from(high));
    for &first in prefix {
        let now = 2 * i64::from(first) - have;
        if (now - rest * high..=now - rest * low).contains(&target) {
            return true;
        }
    }
    rest > 0 && (low - have - (rest - 1) * high..=high - have - (rest - 1) * low).contains(&target)
}

fn complete(prefix: &[u8], target: i64, found: &mut dyn FnMut(u64)) -> bool {
    let have = sum(prefix);
    for &first in prefix {
        if let Ok(last) = u64::try_from(2 * i64::from(first) - have - target) {
            found(last);
        }
    }
    // The digit to come may itself be the first.
    if let Some(Ok(last)) = target.checked_add(have).map(u64::try_from) {
        found(last);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_digit_may_be_the_first() {
        assert!(holds(&[1, 4], 3));
        assert!(holds(&[2, 9, 3], 4));
        assert!(holds(&[5, 5], 0));
        assert!(!holds(&[2, 2, 2], 0));
    }

    #[test]
    fn the_gap_is_over_the_best_order() {
        assert_eq!(gap(&[1, 4], 1), 2);
        assert_eq!(gap(&[2, 2, 2], 0), 2);
    }
}
