//! Multiplication.

use super::{ClueOperator, Fold, Relation, product};

pub(super) static MULTIPLY: ClueOperator = ClueOperator::new("*", holds, gap, may_hold)
    .about("the product of the digits is the target")
    .aliases(&["x", "×", "·", "⋅", "∙", "mul", "mult", "multiply", "product", "times", "multiplication"])
    .stated_by(|_| &[Relation::Product])
    .fold(Fold::Product);

fn holds(digits: &[u8], target: i64) -> bool {
    u64::try_from(target) == Ok(product(digits))
}

fn gap(digits: &[u8], target: i64) -> u64 {
    product(digits).abs_diff(target.unsigned_abs())
}

fn may_hold(prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
    let (have, target) = (product(prefix), target.unsigned_abs());
    if have == 0 || !target.is_multiple_of(have) {
        return have == 0 && target == 0;
    }
    // The digits to come lie between the bounds, and so does their product.
    let least = have.saturating_mul(u64::from(low).saturating_pow(rest as u32));
    let most = have.saturating_mul(u64::from(high).saturating_pow(rest as u32));
    (least..=most).contains(&target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_saturate_and_never_meet_a_target_by_overflow() {
        assert!(holds(&[2, 3, 4], 24));
        assert!(!holds(&[32; 40], i64::MAX));
        assert!(holds(&[0, 9], 0));
        assert_eq!(gap(&[2, 3], 10), 4);
    }
}
