//! A MiniZinc model: one variable per cell, one constraint per rule, the grid as output.
//!
//! ```text
//! include "alldifferent.mzn";
//! var 1..2: A1;
//! …
//! constraint alldifferent([A1, A2]); % row 1
//! constraint A1 + A2 = 3; % cage 3+ at A1
//! …
//! solve satisfy;
//! ```
//!
//! No number in it exceeds the 32 bits of most of its solvers: a product that could is compared prime by prime, and a
//! target that no digits can make is `false`.

use std::collections::BTreeSet;

use kenga_core::puzzle::formats::WriteError;

use super::formula::{Exponents, Formula, digit_exponent};
use super::{Constraint, Instance, Model};

pub(super) const MODEL: Model =
    Model { name: "minizinc", about: "a MiniZinc model for constraint solvers; written only", write };

/// The greatest value of a product in the model.
const GREATEST: i64 = i32::MAX as i64 - 1;

fn write(instance: &Instance<'_>) -> Result<String, WriteError> {
    let mut model = Constraints { instance, primes: BTreeSet::new() };
    // Constraints come first: they tell which arrays the model needs.
    let mut constraints = String::new();
    for Constraint { formula, about } in instance.constraints(MODEL.name)? {
        constraints += &format!("constraint {}; % {about}\n", model.formula(formula));
    }
    let mut text = format!("% {}\ninclude \"alldifferent.mzn\";\n\n", instance.title());
    for cell in instance.cells() {
        text += &format!("var {}: {};\n", set(instance.digits()), instance.name(cell));
    }
    text += &model.exponents();
    text += &format!("\n{constraints}\nsolve satisfy;\n\n");
    text += &model.output();
    Ok(text)
}

/// Writes constraints.
struct Constraints<'a> {
    instance: &'a Instance<'a>,
    /// The primes whose exponents a constraint needs.
    primes: BTreeSet<u8>,
}

impl Constraints<'_> {
    fn name(&self, cell: usize) -> String {
        self.instance.name(cell)
    }

    fn names(&self, cells: &[usize]) -> Vec<String> {
        self.instance.names(cells)
    }

    fn formula(&mut self, formula: Formula) -> String {
        match formula {
            Formula::Distinct(cells) => format!("alldifferent({})", list(&self.names(&cells))),
            Formula::All(parts) => self.join(parts, " /\\ ", "true"),
            Formula::Any(parts) => self.join(parts, " \\/ ", "false"),
            Formula::In(cell, digits) => match digits.as_slice() {
                [] => "false".to_owned(),
                [digit] => format!("{} = {digit}", self.name(cell)),
                digits => format!("{} in {}", self.name(cell), set(digits)),
            },
            Formula::Sum(cells, target) => format!("{} = {target}", sum(&self.names(&cells))),
            Formula::Difference(cells, target) => self.difference(&cells, target),
            Formula::Product(cells, target) if self.fits(cells.len(), 1) => {
                format!("{} = {target}", self.names(&cells).join(" * "))
            }
            Formula::Quotient(whole, parts, target) if self.fits(parts.len(), target) => {
                format!("{} = {target} * {}", self.name(whole), self.names(&parts).join(" * "))
            }
            Formula::Least(cells, target) => format!("min({}) = {target}", list(&self.names(&cells))),
            Formula::Greatest(cells, target) => format!("max({}) = {target}", list(&self.names(&cells))),
            Formula::Excess(first, others, target) => {
                format!("{} = {target} + {}", self.name(first), sum(&self.names(&others)))
            }
            Formula::Less(first, second) => format!("{} < {}", self.name(first), self.name(second)),
            Formula::Apart(first, second, target) => {
                format!("abs({} - {}) != {target}", self.name(first), self.name(second))
            }
            Formula::Exponents(exponents) => self.prime(&exponents),
            // Products that a solver's integers may not hold are stated by the exponents of their primes, and
            // lists of tuples as choices.
            long @ (Formula::Product(..) | Formula::Quotient(..) | Formula::Tuples(..)) => {
                let basic = long.basic(self.instance.digits());
                self.formula(basic)
            }
        }
    }

    fn join(&mut self, mut parts: Vec<Formula>, word: &str, none: &str) -> String {
        if parts.len() == 1 {
            return self.formula(parts.remove(0));
        }
        let mut texts = Vec::new();
        for part in parts {
            // A part of several parts needs brackets: `/\` binds closer than `\/`.
            let several = matches!(&part, Formula::All(parts) | Formula::Any(parts) if parts.len() > 1);
            let text = self.formula(part);
            texts.push(if several { format!("({text})") } else { text });
        }
        if texts.is_empty() { none.to_owned() } else { texts.join(word) }
    }

    fn difference(&self, cells: &[usize], target: i64) -> String {
        let names = self.names(cells);
        match names.as_slice() {
            [a, b] => format!("abs({a} - {b}) = {target}"),
            _ => format!("2 * max({}) = {target} + {}", list(&names), sum(&names)),
        }
    }

    /// Says whether the product of so many digits and a number is at most [`GREATEST`].
    fn fits(&self, count: usize, times: i64) -> bool {
        let high = i64::from(self.instance.digits()[self.instance.digits().len() - 1]);
        high.saturating_pow(count as u32).saturating_mul(times) <= GREATEST
    }

    fn prime(&mut self, exponents: &Exponents) -> String {
        let prime = exponents.prime;
        self.primes.insert(prime);
        let mut parts = Vec::new();
        for cell in &exponents.parts {
            parts.push(format!("exponent_of_{prime}[{}]", self.name(*cell)));
        }
        let (parts, constant) = (sum(&parts), exponents.constant);
        match exponents.whole {
            None => format!("{parts} = {constant}"),
            Some(whole) => format!("exponent_of_{prime}[{}] = {constant} + {parts}", self.name(whole)),
        }
    }

    /// For every prime that a constraint needs, the array of its exponents by digit.
    fn exponents(&self) -> String {
        let digits = self.instance.digits();
        let (low, high) = (digits[0], digits[digits.len() - 1]);
        let mut text = String::new();
        for prime in &self.primes {
            let all: Vec<String> =
                (low..=high).map(|digit| digit_exponent(*prime, digit).to_string()).collect();
            text += &format!("\narray[{low}..{high}] of int: exponent_of_{prime} = ");
            text += &format!("array1d({low}..{high}, {});", list(&all));
        }
        if text.is_empty() { text } else { text + "\n" }
    }

    /// The grid, one line per row, as `kenga check` reads it.
    fn output(&self) -> String {
        let puzzle = self.instance.puzzle;
        let mut rows = Vec::new();
        for row in 0..puzzle.rows() {
            let mut cells = Vec::new();
            for place in row * puzzle.cols()..(row + 1) * puzzle.cols() {
                cells.push(match self.instance.problem.cell_at(place) {
                    Some(cell) => format!("\\({})", self.name(cell)),
                    None => ".".to_owned(),
                });
            }
            rows.push(format!("  \"{}\\n\"", cells.join(" ")));
        }
        format!("output [\n{}\n];\n", rows.join(",\n"))
    }
}

/// A set of digits, as a range where it is one.
fn set(digits: &[u8]) -> String {
    let (low, high) = (digits[0], digits[digits.len() - 1]);
    if usize::from(high - low) + 1 == digits.len() {
        return format!("{low}..{high}");
    }
    let all: Vec<String> = digits.iter().map(u8::to_string).collect();
    format!("{{{}}}", all.join(", "))
}

fn list(names: &[String]) -> String {
    format!("[{}]", names.join(", "))
}

/// A sum; a long one as a call, because parsers nest operators.
fn sum(terms: &[String]) -> String {
    if terms.len() > 16 { format!("sum({})", list(terms)) } else { terms.join(" + ") }
}
