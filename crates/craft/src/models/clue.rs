//! Clues as formulas: each relation that an operator states, where the digits can make the target at all.

use kenga_core::puzzle::Clue;
use kenga_core::puzzle::operators::Relation;

use super::formula::{Formula, PrimePower, every, factors, firsts, held, never, not_zero, primes};

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
                // A target of 0: the first is 0 and the others divide it, whatever they are but 0.
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

#[cfg(test)]
mod tests {
    use super::super::formula::digit_exponent;
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
                let of = |cell: &usize| digit_exponent(exponents.prime, digits[*cell]);
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
