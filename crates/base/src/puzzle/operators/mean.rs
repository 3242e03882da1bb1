//! The mean, exactly: the sum is the target times the number of cells.

use super::{ClueOperator, Relation, sum};

pub(super) static MEAN: ClueOperator = ClueOperator::new("mean", holds, gap, may_hold)
    .about("the mean of the digits is the target, exactly")
    .aliases(&["avg", "average"])
    .stated_by(|_| &[Relation::Mean]);

fn holds(digits: &[u8], target: i64) -> bool {
    target.checked_mul(digits.len() as i64) == Some(sum(digits))
}

/// The difference of mean and target, rounded up.
fn gap(digits: &[u8], target: i64) -> u64 {
    let wanted = target.saturating_mul(digits.len() as i64);
    sum(digits).abs_diff(wanted).div_ceil(digits.len().max(1) as u64)
}

fn may_hold(prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
    let (have, open) = (sum(prefix), rest as i64);
    let wanted = target.saturating_mul(prefix.len() as i64 + open);
    (have + open * i64::from(low)..=have + open * i64::from(high)).contains(&wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_exact() {
        assert!(holds(&[1, 3], 2) && holds(&[0, 4, 5], 3) && holds(&[0, 0], 0));
        assert!(!holds(&[1, 2], 1) && !holds(&[1, 2], 2));
        assert!(!holds(&[1, 2], i64::MAX));
    }

    #[test]
    fn the_gap_of_a_fraction_is_rounded_up() {
        assert_eq!(gap(&[1, 2], 1), 1);
        assert_eq!(gap(&[2, 6], 1), 3);
    }
}
