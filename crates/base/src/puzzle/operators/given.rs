//! A given: one cell that holds the target itself.

use super::ClueOperator;

pub(super) static GIVEN: ClueOperator = ClueOperator::new("=", holds, gap, may_hold)
    .about("the one cell holds the target")
    .aliases(&["!"])
    .cells(1..=1);

fn holds(digits: &[u8], target: i64) -> bool {
    matches!(digits, [digit] if i64::from(*digit) == target)
}

fn gap(digits: &[u8], target: i64) -> u64 {
    super::sum(digits).abs_diff(target)
}

fn may_hold(prefix: &[u8], _rest: usize, low: u8, high: u8, target: i64) -> bool {
    match prefix {
        [] => (i64::from(low)..=i64::from(high)).contains(&target),
        digits => holds(digits, target),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_target_itself_holds() {
        assert!(holds(&[3], 3));
        assert!(!holds(&[2], 3));
        assert!(!holds(&[3, 3], 3));
        assert_eq!(gap(&[1], 4), 3);
    }
}
