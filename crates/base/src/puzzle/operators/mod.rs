//! Clue operators: one file and one line in [`TABLE`] each.
//!
//! A new operator is a file with a `static ClueOperator`, its name in [`TABLE`] and its rule in the referee
//! (`puzzle/check.rs`). **Invariant:** symbols stand in canonical texts, which key random streams: none is ever renamed.

mod add;
mod any;
mod apart;
mod divide;
mod gcd;
mod given;
mod lcm;
mod maximum;
mod mean;
mod minimum;
mod modulo;
mod multiply;
mod order;
mod power;
mod subtract;

use std::fmt;
use std::ops::RangeInclusive;

use crate::table::{Entry, Table};

/// The largest gap that a clue reports.
pub const GAP_CAP: u32 = 100;

/// How the digits of a group are combined and compared with a target.
///
/// Digits are values in the order of the group's cells, which only `<` and `>` depend on; targets are 0 or more. Equality is
/// by symbol.
pub struct ClueOperator {
    /// The symbol in canonical texts.
    pub symbol: &'static str,
    /// Other symbols that readers accept.
    pub aliases: &'static [&'static str],
    /// What it demands, in a sentence.
    pub about: &'static str,
    /// The numbers of cells that it is for.
    pub cells: RangeInclusive<usize>,
    /// The fold that computes the value in one pass, where there is one; hot loops use it in place of
    /// [`holds`](Self::holds).
    pub fold: Option<Fold>,
    relations: fn(usize) -> &'static [Relation],
    holds: fn(&[u8], i64) -> bool,
    gap: fn(&[u8], i64) -> u64,
    may_hold: MayHoldFn,
    complete: CompleteFn,
    /// The rule by its definition, for the referee, of an operator that is not kenga's own.
    rule: Option<fn(&[u8], i64) -> bool>,
}

/// See [`ClueOperator::may_hold`].
type MayHoldFn = fn(&[u8], usize, u8, u8, i64) -> bool;

/// See [`ClueOperator::complete`].
type CompleteFn = fn(&[u8], i64, &mut dyn FnMut(u64)) -> bool;

/// A member of [`TABLE`].
pub type Operator = &'static ClueOperator;

impl ClueOperator {
    /// An operator for any number of cells, without aliases, fold, relations and completion.
    const fn new(
        symbol: &'static str,
        holds: fn(&[u8], i64) -> bool,
        gap: fn(&[u8], i64) -> u64,
        may_hold: MayHoldFn,
    ) -> Self {
        Self {
            symbol,
            aliases: &[],
            about: "",
            cells: 1..=usize::MAX,
            fold: None,
            relations: |_| &[],
            holds,
            gap,
            may_hold,
            complete: |_, _, _| false,
            rule: None,
        }
    }

    /// An operator of a program's own, for two or more cells. `rule` says whether digits in any order make a target; it is
    /// what the referee goes by, so that it should be the definition in the plainest words. Until they are replaced,
    /// [`holds`](Self::holds) is the rule, every gap is 1, and every prefix may hold.
    pub const fn by_rule(symbol: &'static str, rule: fn(&[u8], i64) -> bool) -> Self {
        let operator = Self::new(symbol, rule, |_, _| 1, |_, _, _, _, _| true);
        Self { rule: Some(rule), cells: 2..=usize::MAX, ..operator }
    }

    /// Sets what it demands, a sentence.
    #[must_use]
    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Sets the other symbols that readers accept.
    #[must_use]
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// Sets the numbers of cells that it is for.
    #[must_use]
    pub const fn cells(self, cells: RangeInclusive<usize>) -> Self {
        Self { cells, ..self }
    }

    /// Sets a faster way to what the rule says: see [`holds`](Self::holds).
    #[must_use]
    pub const fn computed_by(self, holds: fn(&[u8], i64) -> bool) -> Self {
        Self { holds, ..self }
    }

    /// Sets how far digits are from a target: see [`gap`](Self::gap).
    #[must_use]
    pub const fn measured_by(self, gap: fn(&[u8], i64) -> u64) -> Self {
        Self { gap, ..self }
    }

    /// Sets which prefixes cannot hold, so that the tuples of a clue are found sooner: see [`may_hold`](Self::may_hold).
    #[must_use]
    pub const fn bounded_by(self, may_hold: fn(&[u8], usize, u8, u8, i64) -> bool) -> Self {
        Self { may_hold, ..self }
    }

    const fn fold(self, fold: Fold) -> Self {
        Self { fold: Some(fold), ..self }
    }

    /// Sets the relations for models: see [`relations`](Self::relations).
    #[must_use]
    pub const fn stated_by(self, relations: fn(usize) -> &'static [Relation]) -> Self {
        Self { relations, ..self }
    }

    /// See [`complete`](Self::complete).
    const fn completed_by(self, complete: CompleteFn) -> Self {
        Self { complete, ..self }
    }

    /// The relations of a clue over so many cells, two or more: it holds when one of these does. Without any, a model
    /// can only list the tuples.
    pub fn relations(&self, cells: usize) -> &'static [Relation] {
        (self.relations)(cells)
    }

    /// Says whether the digits make the target in some order that the operator allows.
    pub fn holds(&self, digits: &[u8], target: i64) -> bool {
        (self.holds)(digits, target)
    }

    /// Measures how far the digits are from the target, without a cap. Meant for digits that do not
    /// [hold](Self::holds).
    pub fn gap(&self, digits: &[u8], target: i64) -> u64 {
        (self.gap)(digits, target)
    }

    /// Says whether `rest` further digits, each from `low` to `high`, could complete `prefix`. It may say yes wrongly,
    /// never no.
    pub fn may_hold(&self, prefix: &[u8], rest: usize, low: u8, high: u8, target: i64) -> bool {
        (self.may_hold)(prefix, rest, low, high, target)
    }

    /// Passes to `found` every value of one further digit that makes `prefix` hold, in any order; values may repeat,
    /// and some may be no digit. False means that it passed none and the caller must try every digit.
    pub fn complete(&self, prefix: &[u8], target: i64, found: &mut dyn FnMut(u64)) -> bool {
        (self.complete)(prefix, target, found)
    }

    /// Says by the rule whether digits make the target, for the referee; `None` of kenga's own, which it knows itself.
    pub fn is_ruled(&self, digits: &[u8], target: i64) -> Option<bool> {
        self.rule.map(|rule| rule(digits, target))
    }

    /// Says whether this is the operator of one-cell cages.
    pub fn is_given(&self) -> bool {
        *self == given::GIVEN
    }

    /// Says whether this is the hidden operator, `?`.
    #[doc(hidden)]
    pub fn is_hidden(&self) -> bool {
        *self == any::ANY
    }

    /// Says whether the target has a meaning: `<` and `>` compare two digits with each other.
    pub fn has_target(&self) -> bool {
        // Only the order of two digits says nothing of a number.
        !matches!(self.relations(2), [Relation::Less | Relation::Greater])
    }

    /// The numbers of cells that it is for, in words.
    pub(super) fn cells_in_words(&self) -> String {
        match (*self.cells.start(), *self.cells.end()) {
            (1, 1) => "one cell".to_owned(),
            (low, usize::MAX) => format!("{low} or more cells"),
            (low, high) if low == high => format!("{low} cells"),
            (low, high) => format!("{low} to {high} cells"),
        }
    }
}

impl Entry for ClueOperator {
    const EXPECTED: &'static str =
        "of up to 12 lower-case letters and signs, without digits, brackets and commas";

    fn name(&self) -> &'static str {
        self.symbol
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    fn is_sound(name: &str) -> bool {
        let other =
            name.trim_start_matches(|c: char| c.is_ascii_lowercase() || "+-*/%^=!&|~<>$_".contains(c));
        (1..=12).contains(&name.len()) && other.is_empty()
    }
}

impl PartialEq for ClueOperator {
    fn eq(&self, other: &Self) -> bool {
        self.symbol == other.symbol
    }
}

impl Eq for ClueOperator {}

impl fmt::Debug for ClueOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol)
    }
}

/// A relation of digits to a target, for models that cannot call the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They add up to the target.
    Sum,
    /// They add up to the target times their number.
    Mean,
    /// Their product is the target.
    Product,
    /// One less all the others is the target.
    Difference,
    /// One is the target times all the others, none of which is 0.
    Quotient,
    /// The least is the target.
    Least,
    /// The greatest is the target.
    Greatest,
    /// Their greatest common divisor is the target.
    CommonDivisor,
    /// Their least common multiple is the target.
    CommonMultiple,
    /// The first of two is less than the second.
    Less,
    /// The first of two is greater than the second.
    Greater,
    /// Two of them do not differ by the target.
    Apart,
}

/// A value that digits make one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// The sum.
    Sum,
    /// The product, saturating at `u64::MAX`.
    Product,
}

/// Every operator.
pub static TABLE: Table<ClueOperator> = Table::new(
    "clue operator",
    &[
        GIVEN,
        &add::ADD,
        &multiply::MULTIPLY,
        &subtract::SUBTRACT,
        &divide::DIVIDE,
        &any::ANY,
        &modulo::MODULO,
        &power::POWER,
        &minimum::MINIMUM,
        &maximum::MAXIMUM,
        &gcd::GCD,
        &lcm::LCM,
        &mean::MEAN,
        &order::LESS,
        &order::GREATER,
        &apart::APART,
    ],
);

/// The operator of a one-cell cage.
#[doc(hidden)]
pub const GIVEN: Operator = &given::GIVEN;

// The operators that kinds and formats name.
pub(super) const ADD: Operator = &add::ADD;
pub(super) const MULTIPLY: Operator = &multiply::MULTIPLY;
pub(super) const HIDDEN: Operator = &any::ANY;
pub(super) const LESS: Operator = &order::LESS;
pub(super) const GREATER: Operator = &order::GREATER;
pub(super) const APART: Operator = &apart::APART;

/// Finds an operator by its symbol or one of its aliases, whatever the case.
pub fn find(symbol: &str) -> Option<Operator> {
    // People write `X` and `MOD` too.
    let symbol = symbol.to_lowercase();
    TABLE.iter().find(|operator| operator.symbol == symbol || operator.aliases.contains(&&*symbol))
}

/// The product of digits, saturating at `u64::MAX`, beyond every target.
fn product(digits: &[u8]) -> u64 {
    let mut product = 1_u64;
    for &digit in digits {
        product = product.saturating_mul(u64::from(digit));
    }
    product
}

/// The sum of digits.
fn sum(digits: &[u8]) -> i64 {
    digits.iter().map(|&digit| i64::from(digit)).sum()
}

/// The two orders of two digits; `None` for any other number of digits.
fn orders(digits: &[u8]) -> Option<[(u8, u8); 2]> {
    match *digits {
        [a, b] => Some([(a, b), (b, a)]),
        _ => None,
    }
}

/// [`may_hold`](ClueOperator::may_hold) of an operator for two cells: exact after a digit, else `unknown`.
fn pair_may_hold(
    holds: fn(&[u8], i64) -> bool,
    prefix: &[u8],
    bounds: RangeInclusive<u8>,
    target: i64,
    unknown: bool,
) -> bool {
    match *prefix {
        [] => unknown,
        // Two cells have few digits, so that all are tried.
        [first] => bounds.into_iter().any(|second| holds(&[first, second], target)),
        _ => holds(prefix, target),
    }
}

/// The greatest common divisor of two numbers by Euclid's algorithm; that of 0 and another number is the other.
#[doc(hidden)]
pub fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::samples::tuples;

    #[test]
    fn symbols_and_aliases_are_unique() {
        let mut words: Vec<&str> =
            TABLE.iter().flat_map(|op| op.aliases.iter().copied().chain([op.symbol])).collect();
        let all = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all);
    }

    #[test]
    fn may_hold_is_exact_when_no_digit_is_to_come() {
        for operator in TABLE.iter().filter(|operator| operator.cells.contains(&2)) {
            // A quotient, and so a hidden operator, may say yes wrongly; the others are exact.
            if matches!(operator.symbol, "/" | "?") {
                continue;
            }
            for tuple in tuples(2) {
                for target in 0..30 {
                    let holds = operator.holds(&tuple, target);
                    assert_eq!(operator.may_hold(&tuple, 0, 0, 4, target), holds, "{operator:?} {tuple:?}");
                }
            }
        }
    }
}
