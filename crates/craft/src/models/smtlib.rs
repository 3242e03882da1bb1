//! An SMT-LIB 2 script in `QF_BV`: one bit vector per cell, one assertion per rule.
//!
//! ```text
//! (set-logic QF_BV)
//! (declare-const A1 (_ BitVec 3))
//! (assert (or (= A1 (_ bv1 3)) (= A1 (_ bv2 3))))
//! …
//! (assert (distinct A1 A2)) ; row 1
//! (assert (= (bvadd A1 A2) (_ bv3 3))) ; cage 3+ at A1
//! …
//! (check-sat)
//! (get-value (A1 A2 B1 B2))
//! ```
//!
//! Solvers turn bit vectors into clauses directly. All have one width, wide enough for every sum in the script;
//! products are compared prime by prime, so that nothing is multiplied and nothing overflows.

use std::collections::BTreeSet;

use kenga_core::puzzle::formats::WriteError;

use super::formula::{Exponents, Formula, digit_exponent};
use super::{Constraint, Instance, Model};

pub(super) const MODEL: Model =
    Model { name: "smtlib", about: "an SMT-LIB 2 script (QF_BV) for SMT solvers; written only", write };

fn write(instance: &Instance<'_>) -> Result<String, WriteError> {
    let mut script = Script { instance, width: width(instance), primes: BTreeSet::new() };
    // Assertions come first: they tell which functions the script needs.
    let mut assertions = String::new();
    for Constraint { formula, about } in instance.constraints(MODEL.name)? {
        assertions += &format!("(assert {}) ; {about}\n", script.formula(formula));
    }
    let mut text = format!("; {}\n(set-logic QF_BV)\n(set-option :produce-models true)\n", instance.title());
    let names: Vec<String> = instance.cells().map(|cell| instance.name(cell)).collect();
    for name in &names {
        text += &format!("(declare-const {name} (_ BitVec {}))\n", script.width);
    }
    for cell in instance.cells() {
        text += &format!("(assert {})\n", script.held(cell, instance.digits()));
    }
    text += &script.exponents();
    text += &assertions;
    text += "(check-sat)\n";
    if !names.is_empty() {
        text += &format!("(get-value ({}))\n", names.join(" "));
    }
    Ok(text)
}

/// The bits for every sum: of the digits of a group and a target, which is at most the greatest digit; exponents are
/// less.
fn width(instance: &Instance<'_>) -> u32 {
    let high = instance.digits().last().copied().map_or(1, usize::from).max(1);
    let mut widest = 1;
    for group in 0..instance.problem.groups() {
        widest = widest.max(instance.problem.cells_of(group).len());
    }
    usize::BITS - ((widest + 1) * high).leading_zeros()
}

/// Writes assertions.
struct Script<'a> {
    instance: &'a Instance<'a>,
    width: u32,
    /// The primes whose exponents an assertion needs.
    primes: BTreeSet<u8>,
}

impl Script<'_> {
    fn name(&self, cell: usize) -> String {
        self.instance.name(cell)
    }

    fn number(&self, number: i64) -> String {
        format!("(_ bv{number} {})", self.width)
    }

    fn formula(&mut self, formula: Formula) -> String {
        match formula {
            Formula::Distinct(cells) => format!("(distinct {})", self.instance.names(&cells).join(" ")),
            Formula::All(parts) => self.join("and", parts, "true"),
            Formula::Any(parts) => self.join("or", parts, "false"),
            Formula::In(cell, digits) => self.held(cell, &digits),
            Formula::Sum(cells, target) => format!("(= {} {})", self.sum(&cells), self.number(target)),
            Formula::Excess(first, others, target) => {
                let others = self.sum(&others);
                format!("(= {} (bvadd {} {others}))", self.name(first), self.number(target))
            }
            Formula::Less(first, second) => format!("(bvult {} {})", self.name(first), self.name(second)),
            Formula::Exponents(exponents) => self.prime(&exponents),
            other => {
                let basic = other.basic(self.instance.digits());
                self.formula(basic)
            }
        }
    }

    fn join(&mut self, word: &str, parts: Vec<Formula>, none: &str) -> String {
        let mut texts = Vec::new();
        for part in parts {
            texts.push(self.formula(part));
        }
        join(word, texts, none)
    }

    fn held(&self, cell: usize, digits: &[u8]) -> String {
        let mut texts = Vec::new();
        for digit in digits {
            texts.push(format!("(= {} {})", self.name(cell), self.number(i64::from(*digit))));
        }
        join("or", texts, "false")
    }

    fn sum(&self, cells: &[usize]) -> String {
        sum(&self.instance.names(cells))
    }

    fn prime(&mut self, exponents: &Exponents) -> String {
        let prime = exponents.prime;
        self.primes.insert(prime);
        let mut parts = Vec::new();
        for cell in &exponents.parts {
            parts.push(format!("(exponent-of-{prime} {})", self.name(*cell)));
        }
        let (parts, constant) = (sum(&parts), self.number(exponents.constant));
        match exponents.whole {
            None => format!("(= {parts} {constant})"),
            Some(whole) => {
                format!("(= (exponent-of-{prime} {}) (bvadd {constant} {parts}))", self.name(whole))
            }
        }
    }

    /// For every prime that an assertion needs, the function of its exponent in a digit.
    fn exponents(&self) -> String {
        let sort = format!("(_ BitVec {})", self.width);
        let mut text = String::new();
        for prime in &self.primes {
            let mut body = self.number(0);
            for digit in self.instance.digits() {
                let exponent = digit_exponent(*prime, *digit);
                if exponent > 0 {
                    let (digit, exponent) = (self.number(i64::from(*digit)), self.number(exponent));
                    body = format!("(ite (= digit {digit}) {exponent} {body})");
                }
            }
            text += &format!("(define-fun exponent-of-{prime} ((digit {sort})) {sort} {body})\n");
        }
        text
    }
}

fn join(word: &str, mut texts: Vec<String>, none: &str) -> String {
    match texts.len() {
        0 => none.to_owned(),
        1 => texts.remove(0),
        _ => format!("({word} {})", texts.join(" ")),
    }
}

/// A sum of one term or more, as a balanced tree so that its nesting is not deep.
fn sum(terms: &[String]) -> String {
    match terms {
        [] => unreachable!("a clue has cells"),
        [term] => term.clone(),
        _ => {
            let (left, right) = terms.split_at(terms.len().div_ceil(2));
            format!("(bvadd {} {})", sum(left), sum(right))
        }
    }
}
