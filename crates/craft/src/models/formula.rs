//! Formulas: clues stated by relations that every modelling language has. No number in them exceeds what the digits can
//! make.
//!
//! Products can be compared by the exponents of their primes, which are small sums whatever the target.

/// A condition on cells, by dense index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Formula {
    /// The digits of these cells, two or more, differ.
    Distinct(Vec<usize>),
    /// All of them hold; true when there are none.
    All(Vec<Formula>),
    /// One of them holds; false when there are none.
    Any(Vec<Formula>),
    /// The cell holds one of these digits.
    In(usize, Vec<u8>),
    /// The digits add up to the number, at most the greatest digit times their count.
    Sum(Vec<usize>, i64),
    /// The greatest digit less all the others is the number, at most the greatest digit.
    Difference(Vec<usize>, i64),
    /// The product is the number, 1 or more; the digits are not 0.
    Product(Vec<usize>, i64),
    /// The first cell is the number, 1 up to the greatest digit, times all the others; the digits are not 0.
    Quotient(usize, Vec<usize>, i64),
    /// The least digit is this.
    Least(Vec<usize>, i64),
    /// The greatest digit is this.
    Greatest(Vec<usize>, i64),
    /// The first cell is the number plus the sum of all the others.
    Excess(usize, Vec<usize>, i64),
    /// The digit of the first cell is less than that of the second.
    Less(usize, usize),
    /// The digits of two cells do not differ by the number, at most the greatest digit.
    Apart(usize, usize, i64),
    /// The exponents of a prime in the digits of some cells, none of them 0.
    Exponents(Exponents),
    /// The digits are one of these tuples.
    Tuples(Vec<usize>, Vec<Vec<u8>>),
}

/// `constant` is the sum of the exponents in `parts`; with a `whole`, its exponent is `constant` plus that sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exponents {
    pub(super) prime: u8,
    pub(super) whole: Option<usize>,
    pub(super) parts: Vec<usize>,
    pub(super) constant: i64,
}

impl Formula {
    /// An equivalent formula of nothing but [`Distinct`](Self::Distinct), [`All`](Self::All), [`Any`](Self::Any),
    /// [`In`](Self::In), [`Sum`](Self::Sum), [`Excess`](Self::Excess) and [`Exponents`](Self::Exponents).
    pub(super) fn basic(self, digits: &[u8]) -> Self {
        match self {
            Self::All(parts) => Self::All(all_basic(parts, digits)),
            Self::Any(parts) => Self::Any(all_basic(parts, digits)),
            Self::Difference(cells, target) => {
                let choices = firsts(&cells).into_iter();
                Self::Any(choices.map(|(first, others)| Self::Excess(first, others, target)).collect())
            }
            Self::Product(cells, target) => product(&cells, target, digits),
            Self::Quotient(whole, parts, target) => quotient(whole, &parts, target, digits),
            Self::Least(cells, target) => {
                extreme(&cells, digits, target, &|digit| i64::from(digit) >= target)
            }
            Self::Greatest(cells, target) => {
                extreme(&cells, digits, target, &|digit| i64::from(digit) <= target)
            }
            Self::Less(first, second) => less(first, second, digits),
            Self::Apart(first, second, target) => apart(first, second, target, digits),
            Self::Tuples(cells, tuples) => {
                let mut choices = Vec::new();
                for tuple in tuples {
                    let held = cells.iter().zip(tuple).map(|(cell, digit)| Self::In(*cell, vec![digit]));
                    choices.push(Self::All(held.collect()));
                }
                Self::Any(choices)
            }
            basic => basic,
        }
    }
}

fn all_basic(parts: Vec<Formula>, digits: &[u8]) -> Vec<Formula> {
    parts.into_iter().map(|part| part.basic(digits)).collect()
}

pub(super) fn never() -> Formula {
    Formula::Any(Vec::new())
}

pub(super) fn not_zero(digit: u8) -> bool {
    digit != 0
}

pub(super) fn held(cell: usize, digits: &[u8], allows: &dyn Fn(u8) -> bool) -> Formula {
    Formula::In(cell, digits.iter().copied().filter(|digit| allows(*digit)).collect())
}

pub(super) fn every(cells: &[usize], digits: &[u8], allows: &dyn Fn(u8) -> bool) -> Formula {
    Formula::All(cells.iter().map(|cell| held(*cell, digits, allows)).collect())
}

/// Each cell with all the others.
pub(super) fn firsts(cells: &[usize]) -> Vec<(usize, Vec<usize>)> {
    let mut firsts = Vec::new();
    for (index, first) in cells.iter().enumerate() {
        firsts.push((*first, [&cells[..index], &cells[index + 1..]].concat()));
    }
    firsts
}

/// Every digit is allowed, and one is the target.
fn extreme(cells: &[usize], digits: &[u8], target: i64, allows: &dyn Fn(u8) -> bool) -> Formula {
    let reached = cells.iter().map(|cell| held(*cell, digits, &|digit| i64::from(digit) == target));
    Formula::All(vec![every(cells, digits, allows), Formula::Any(reached.collect())])
}

/// Whatever the digit, the first is less than it or the second greater.
fn less(first: usize, second: usize, digits: &[u8]) -> Formula {
    let mut clauses = Vec::new();
    for limit in digits {
        let below = held(first, digits, &|digit| digit < *limit);
        let above = held(second, digits, &|digit| digit > *limit);
        clauses.push(Formula::Any(vec![below, above]));
    }
    Formula::All(clauses)
}

/// Whatever the digit, the first is another or the second does not differ from it by the target.
fn apart(first: usize, second: usize, target: i64, digits: &[u8]) -> Formula {
    let mut clauses = Vec::new();
    for one in digits {
        let other = held(first, digits, &|digit| digit != *one);
        let far = held(second, digits, &|digit| i64::from(digit.abs_diff(*one)) != target);
        clauses.push(Formula::Any(vec![other, far]));
    }
    Formula::All(clauses)
}

fn product(cells: &[usize], target: i64, digits: &[u8]) -> Formula {
    let Some(powers) = factors(target) else { return never() };
    let mut parts = vec![every(cells, digits, &|digit| digit > 0 && target % i64::from(digit) == 0)];
    for PrimePower { prime, exponent } in powers {
        let exponents = Exponents { prime, whole: None, parts: cells.to_vec(), constant: exponent };
        parts.push(Formula::Exponents(exponents));
    }
    Formula::All(parts)
}

fn quotient(whole: usize, parts: &[usize], target: i64, digits: &[u8]) -> Formula {
    let mut exponents = Vec::new();
    for prime in primes() {
        // A prime with the exponent 0 in the target is in whole and parts alike.
        let constant = exponent(prime, target);
        // A prime that neither the digits nor the target have says nothing.
        if constant > 0 || digits.iter().any(|digit| digit_exponent(prime, *digit) > 0) {
            let parts = parts.to_vec();
            exponents.push(Formula::Exponents(Exponents { prime, whole: Some(whole), parts, constant }));
        }
    }
    Formula::All(exponents)
}

/// The primes up to the greatest possible digit, 255.
pub(super) fn primes() -> Vec<u8> {
    let mut primes: Vec<u8> = Vec::new();
    for number in 2..=u8::MAX {
        if !primes.iter().any(|prime| number.is_multiple_of(*prime)) {
            primes.push(number);
        }
    }
    primes
}

/// The exponent of a prime in a number from 1 up.
fn exponent(prime: u8, mut number: i64) -> i64 {
    let mut count = 0;
    while number % i64::from(prime) == 0 {
        number /= i64::from(prime);
        count += 1;
    }
    count
}

/// The exponent of a prime in a digit; of 0, which no product with a clue has, 0.
pub(super) fn digit_exponent(prime: u8, digit: u8) -> i64 {
    if digit == 0 { 0 } else { exponent(prime, i64::from(digit)) }
}

/// A prime factor.
pub(super) struct PrimePower {
    pub(super) prime: u8,
    pub(super) exponent: i64,
}

/// The prime factors of a number from 1 up; none where one of them is above 255.
pub(super) fn factors(target: i64) -> Option<Vec<PrimePower>> {
    let mut rest = target;
    let mut powers = Vec::new();
    for prime in primes() {
        let exponent = exponent(prime, target);
        if exponent > 0 {
            rest /= i64::from(prime).pow(exponent as u32);
            powers.push(PrimePower { prime, exponent });
        }
    }
    (rest == 1).then_some(powers)
}
