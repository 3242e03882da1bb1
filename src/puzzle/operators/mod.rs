//! Clue operators: one file and one line in [`TABLE`] each.

mod add;
mod any;
mod divide;
mod given;
mod multiply;
mod subtract;

use std::fmt;
use std::ops::{Deref, RangeInclusive};

/// The largest gap that a clue reports.
pub const GAP_CAP: u32 = 100;

/// How the digits of a group are combined and compared with a target.
///
/// Digits are values in any order; targets are 0 or more.
pub trait ClueOperator: Sync {
    /// The symbol that canonical texts write.
    fn symbol(&self) -> &'static str;

    /// Other symbols that readers meet.
    fn aliases(&self) -> &'static [&'static str];

    /// What it asks, in a sentence.
    fn about(&self) -> &'static str;

    /// How many cells may carry it.
    fn cells(&self) -> RangeInclusive<usize>;

    /// Says whether the digits make the target in some order that the operator allows.
    fn holds(&self, digits: &[u8], target: i64) -> bool;

    /// Measures how far the digits are from the target; 0 or more, not capped. Only asked when [`holds`](Self::holds)
    /// says no.
    fn gap(&self, digits: &[u8], target: i64) -> u64;

    /// The fold that computes the value in one pass, where there is one; hot loops use it in place of
    /// [`holds`](Self::holds).
    fn fold(&self) -> Option<Fold> {
        None
    }

    /// Says whether `prefix` could still be completed by `rest` further digits, each from `low` to `high`. May say yes
    /// in doubt, never no wrongly.
    fn may_hold(&self, prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
        let _ = (prefix, rest, low, high, target);
        true
    }
}

/// A value computed digit by digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// The sum.
    Sum,
    /// The product, saturating at `u64::MAX`.
    Product,
}

/// A member of [`TABLE`]; copies are cheap, equality is by symbol.
#[derive(Clone, Copy)]
pub struct Operator(&'static dyn ClueOperator);

/// Every operator.
pub static TABLE: &[Operator] = &[
    GIVEN,
    Operator(&add::Add),
    Operator(&multiply::Multiply),
    Operator(&subtract::Subtract),
    Operator(&divide::Divide),
    Operator(&any::Any),
];

/// The operator of a one-cell cage.
pub const GIVEN: Operator = Operator(&given::Given);

/// Finds an operator by its symbol or one of its aliases, whatever the case.
pub fn find(symbol: &str) -> Option<Operator> {
    let symbol = symbol.to_lowercase();
    TABLE
        .iter()
        .copied()
        .find(|operator| operator.symbol() == symbol || operator.aliases().contains(&&*symbol))
}

impl Operator {
    /// This is the operator of one-cell cages.
    pub fn is_given(self) -> bool {
        self == GIVEN
    }

    /// How many cells it allows, in words.
    pub fn cells_in_words(self) -> String {
        let cells = self.cells();
        match (*cells.start(), *cells.end()) {
            (1, 1) => "one cell".to_owned(),
            (low, usize::MAX) => format!("{low} or more cells"),
            (low, high) if low == high => format!("{low} cells"),
            (low, high) => format!("{low} to {high} cells"),
        }
    }
}

impl Deref for Operator {
    type Target = dyn ClueOperator;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for Operator {
    fn eq(&self, other: &Self) -> bool {
        self.symbol() == other.symbol()
    }
}

impl Eq for Operator {}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

/// The product of digits, saturating at `u64::MAX`, which no target reaches.
fn product(digits: &[u8]) -> u64 {
    digits.iter().fold(1, |product: u64, &digit| product.saturating_mul(u64::from(digit)))
}

/// The sum of digits.
fn sum(digits: &[u8]) -> i64 {
    digits.iter().map(|&digit| i64::from(digit)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_and_aliases_are_unique() {
        let mut words: Vec<&str> =
            TABLE.iter().flat_map(|op| op.aliases().iter().copied().chain([op.symbol()])).collect();
        let all = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all);
    }

    #[test]
    fn may_hold_never_denies_a_tuple_that_holds() {
        for operator in TABLE.iter().filter(|operator| operator.cells().contains(&3)) {
            for code in 0..125u32 {
                let tuple = [code % 5, code / 5 % 5, code / 25].map(|digit| digit as u8);
                for target in 0..130 {
                    if operator.holds(&tuple, target) {
                        for cut in 0..=3 {
                            let possible = operator.may_hold(&tuple[..cut], 3 - cut, 0, 4, target);
                            assert!(possible, "{operator:?} {target} {tuple:?} cut {cut}");
                        }
                    }
                }
            }
        }
    }
}
