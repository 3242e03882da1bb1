//! Multiplication.

use std::ops::RangeInclusive;

use super::{ClueOperator, Fold, Relation, product};

pub(super) struct Multiply;

impl ClueOperator for Multiply {
    fn symbol(&self) -> &'static str {
        "*"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["x", "×", "·", "⋅", "∙", "mul", "multiply", "product", "times"]
    }

    fn about(&self) -> &'static str {
        "the product of the digits is the target"
    }

    fn cells(&self) -> RangeInclusive<usize> {
        1..=usize::MAX
    }

    fn relations(&self, _: usize) -> &'static [Relation] {
        &[Relation::Product]
    }

    fn holds(&self, digits: &[u8], target: i64) -> bool {
        u64::try_from(target) == Ok(product(digits))
    }

    fn gap(&self, digits: &[u8], target: i64) -> u64 {
        product(digits).abs_diff(target.unsigned_abs())
    }

    fn fold(&self) -> Option<Fold> {
        Some(Fold::Product)
    }

    fn may_hold(&self, prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
        let (have, target) = (product(prefix), target.unsigned_abs());
        let power = |base: u8| u64::from(base).saturating_pow(rest as u32);
        if have == 0 {
            return target == 0;
        }
        have.saturating_mul(power(low)) <= target
            && target <= have.saturating_mul(power(high))
            && target.is_multiple_of(have)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_saturate_and_never_meet_a_target_by_overflow() {
        assert!(Multiply.holds(&[2, 3, 4], 24));
        assert!(!Multiply.holds(&[32; 40], i64::MAX));
        assert!(Multiply.holds(&[0, 9], 0));
        assert_eq!(Multiply.gap(&[2, 3], 10), 4);
    }
}
