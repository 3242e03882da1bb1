//! Formulas: clues stated by relations that every modelling language has. No number in them exceeds what the digits can
//! make.
//!
//! Products can be compared by the exponents of their primes, which are small sums whatever the target.

use kenga_core::puzzle::Clue;
use kenga_core::puzzle::operators::Relation;

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

/// A clue over some cells as a formula; `None` for an operator without relations.
pub(super) fn of(clue: Clue, cells: &[usize], digits: &[u8]) -> Option<Formula> {
    let (low, high) = (digits[0], digits[digits.len() - 1]);
    if let [cell] = cells {
        return Some(held(*cell, digits, &|digit| clue.holds(&[digit])));
    }
    if !clue.operator.may_hold(&[], cells.len(), low, high, clue.target) {
        return Some(never());
    }
    let writer = ClueWriter { cells, digits, target: clue.target };
    let mut choices = Vec::new();
    for relation in clue.operator.relations(cells.len()) {
        choices.push(writer.relation(*relation));
    }
    if choices.len() < 2 {
        return choices.pop();
    }
    // A hidden operator is one of several; those that cannot make the target are none of them.
    choices.retain(|choice| *choice != never());
    Some(Formula::Any(choices))
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

/// Writes the relations of one clue as formulas.
struct ClueWriter<'a> {
    cells: &'a [usize],
    digits: &'a [u8],
    target: i64,
}

impl ClueWriter<'_> {
    fn low(&self) -> i64 {
        i64::from(self.digits[0])
    }

    fn high(&self) -> i64 {
        i64::from(self.digits[self.digits.len() - 1])
    }

    fn relation(&self, relation: Relation) -> Formula {
        match relation {
            Relation::Sum => self.sum(self.target),
            Relation::Mean => match self.target.checked_mul(self.cells.len() as i64) {
                Some(sum) => self.sum(sum),
                None => never(),
            },
            Relation::Product => self.product(),
            Relation::Difference => self.difference(),
            Relation::Quotient => self.quotient(),
            Relation::Least => self.bounded(Formula::Least),
            Relation::Greatest => self.bounded(Formula::Greatest),
            Relation::CommonDivisor => self.common_divisor(),
            Relation::CommonMultiple => self.common_multiple(),
            Relation::Less => Formula::Less(self.cells[0], self.cells[1]),
            Relation::Greater => Formula::Less(self.cells[1], self.cells[0]),
            Relation::Apart if self.target > self.high() => Formula::All(Vec::new()),
            Relation::Apart => Formula::Apart(self.cells[0], self.cells[1], self.target),
        }
    }

    fn sum(&self, target: i64) -> Formula {
        let count = self.cells.len() as i64;
        let reachable = (count * self.low()..=count * self.high()).contains(&target);
        if reachable { Formula::Sum(self.cells.to_vec(), target) } else { never() }
    }

    fn product(&self) -> Formula {
        if self.target == 0 {
            return self.some(&|digit| digit == 0);
        }
        let most = self.high().saturating_pow(self.cells.len() as u32);
        if self.target > most {
            return never();
        }
        self.with_all(not_zero, Formula::Product(self.cells.to_vec(), self.target))
    }

    fn difference(&self) -> Formula {
        if self.target > self.high() {
            return never();
        }
        Formula::Difference(self.cells.to_vec(), self.target)
    }

    fn quotient(&self) -> Formula {
        if self.target > self.high() {
            return never();
        }
        let mut choices = Vec::new();
        for (first, others) in firsts(self.cells) {
            if self.target == 0 {
                let mut parts = vec![every(&others, self.digits, &not_zero)];
                parts.push(held(first, self.digits, &|digit| digit == 0));
                choices.push(Formula::All(parts));
            } else {
                choices.push(Formula::Quotient(first, others, self.target));
            }
        }
        let any = Formula::Any(choices);
        if self.target == 0 { any } else { self.with_all(not_zero, any) }
    }

    fn bounded(&self, make: fn(Vec<usize>, i64) -> Formula) -> Formula {
        let known = (self.low()..=self.high()).contains(&self.target);
        if known { make(self.cells.to_vec(), self.target) } else { never() }
    }

    /// Every digit is a multiple of the target, one is not 0, and no larger multiple divides them all.
    fn common_divisor(&self) -> Formula {
        if self.target == 0 {
            return self.every(&|digit| digit == 0);
        }
        let Ok(target) = u8::try_from(self.target) else { return never() };
        let mut clauses = vec![self.every(&|digit| digit % target == 0), self.some(&not_zero)];
        for prime in primes() {
            let larger = i64::from(prime) * self.target;
            // No digit is a multiple of what is larger still.
            if larger > self.high() {
                break;
            }
            clauses.push(self.some(&|digit| i64::from(digit) % larger != 0));
        }
        Formula::All(clauses)
    }

    /// Every digit divides the target, and every prime power in it divides a digit.
    fn common_multiple(&self) -> Formula {
        if self.target == 0 {
            return self.some(&|digit| digit == 0);
        }
        let Some(powers) = factors(self.target) else { return never() };
        let mut clauses = vec![self.every(&|digit| digit > 0 && self.target % i64::from(digit) == 0)];
        for PrimePower { prime, exponent } in powers {
            let power = i64::from(prime).saturating_pow(exponent as u32);
            // One digit alone must have the whole power: powers of several do not add up in a common multiple.
            clauses.push(self.some(&|digit| digit > 0 && i64::from(digit) % power == 0));
        }
        Formula::All(clauses)
    }

    fn some(&self, allows: &dyn Fn(u8) -> bool) -> Formula {
        Formula::Any(self.cells.iter().map(|cell| held(*cell, self.digits, allows)).collect())
    }

    fn every(&self, allows: &dyn Fn(u8) -> bool) -> Formula {
        every(self.cells, self.digits, allows)
    }

    /// The formula, and where not every digit is allowed, that every cell holds an allowed one.
    fn with_all(&self, allows: fn(u8) -> bool, formula: Formula) -> Formula {
        if self.digits.iter().copied().all(allows) {
            return formula;
        }
        Formula::All(vec![self.every(&allows), formula])
    }
}

fn never() -> Formula {
    Formula::Any(Vec::new())
}

fn not_zero(digit: u8) -> bool {
    digit != 0
}

fn held(cell: usize, digits: &[u8], allows: &dyn Fn(u8) -> bool) -> Formula {
    Formula::In(cell, digits.iter().copied().filter(|digit| allows(*digit)).collect())
}

fn every(cells: &[usize], digits: &[u8], allows: &dyn Fn(u8) -> bool) -> Formula {
    Formula::All(cells.iter().map(|cell| held(*cell, digits, allows)).collect())
}

/// Each cell with all the others.
fn firsts(cells: &[usize]) -> Vec<(usize, Vec<usize>)> {
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
fn primes() -> Vec<u8> {
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

struct PrimePower {
    prime: u8,
    exponent: i64,
}

/// The prime factors of a number from 1 up; none where one of them is above 255.
fn factors(target: i64) -> Option<Vec<PrimePower>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::operators;

    /// The formula by the definitions of its variants; cell `i` holds `digits[i]`.
    fn holds(formula: &Formula, digits: &[u8]) -> bool {
        let digit = |cell: &usize| i128::from(digits[*cell]);
        let all = |cells: &[usize]| cells.iter().map(digit).collect::<Vec<i128>>();
        let sum = |cells: &[usize]| all(cells).iter().sum::<i128>();
        let product = |cells: &[usize]| all(cells).iter().product::<i128>();
        match formula {
            Formula::All(parts) => parts.iter().all(|part| holds(part, digits)),
            Formula::Any(parts) => parts.iter().any(|part| holds(part, digits)),
            Formula::Distinct(cells) => {
                (1..cells.len()).all(|at| !all(&cells[..at]).contains(&digit(&cells[at])))
            }
            Formula::In(cell, allowed) => allowed.contains(&digits[*cell]),
            Formula::Sum(cells, target) => sum(cells) == i128::from(*target),
            Formula::Difference(cells, target) => {
                2 * all(cells).iter().max().expect("a cell") - sum(cells) == i128::from(*target)
            }
            Formula::Product(cells, target) => product(cells) == i128::from(*target),
            Formula::Quotient(whole, parts, target) => digit(whole) == i128::from(*target) * product(parts),
            Formula::Least(cells, target) => all(cells).iter().min() == Some(&i128::from(*target)),
            Formula::Greatest(cells, target) => all(cells).iter().max() == Some(&i128::from(*target)),
            Formula::Excess(first, others, target) => digit(first) == i128::from(*target) + sum(others),
            Formula::Less(first, second) => digit(first) < digit(second),
            Formula::Apart(first, second, target) => {
                (digit(first) - digit(second)).abs() != i128::from(*target)
            }
            Formula::Exponents(exponents) => {
                let of = |cell: &usize| match digits[*cell] {
                    0 => 0,
                    digit => exponent(exponents.prime, i64::from(digit)),
                };
                let parts = exponents.parts.iter().map(of).sum::<i64>();
                match &exponents.whole {
                    None => exponents.constant == parts,
                    Some(whole) => of(whole) == exponents.constant + parts,
                }
            }
            Formula::Tuples(cells, tuples) => tuples
                .iter()
                .any(|tuple| cells.iter().zip(tuple).all(|(cell, digit)| digits[*cell] == *digit)),
        }
    }

    fn tuples<'a>(digits: &'a [u8], width: usize) -> impl Iterator<Item = Vec<u8>> + 'a {
        let base = digits.len();
        (0..base.pow(width as u32))
            .map(move |code| (0..width).map(|place| digits[code / base.pow(place as u32) % base]).collect())
    }

    #[test]
    fn formulas_say_what_operators_say() {
        let sets: [&[u8]; 4] = [&[1, 2, 3, 4, 5, 6], &[0, 1, 2, 3, 4], &[2, 3, 5, 7], &[0, 6, 9, 12]];
        for (operator, digits) in operators::TABLE.iter().flat_map(|op| sets.map(|set| (op, set))) {
            for width in (1..=4).filter(|width| operator.cells.contains(width)) {
                let cells: Vec<usize> = (0..width).collect();
                let small = (0..130).step_by(kenga_testing::size(7, 1));
                for target in small.chain([144, 216, 343, 625, 1296, 20736, 100_003, i64::MAX]) {
                    let clue = Clue { operator, target };
                    let Some(formula) = of(clue, &cells, digits) else {
                        assert!(*operator.cells.end() <= 2, "{operator:?} has no formula");
                        continue;
                    };
                    let basic = formula.clone().basic(digits);
                    for tuple in tuples(digits, width) {
                        let expected = clue.holds(&tuple);
                        assert_eq!(holds(&formula, &tuple), expected, "{clue} of {tuple:?}: {formula:?}");
                        assert_eq!(holds(&basic, &tuple), expected, "{clue} of {tuple:?}: {basic:?}");
                    }
                }
            }
        }
    }
}
