//! An integer program in the CPLEX LP format: a binary variable for every cell and digit.
//!
//! ```text
//! \ kenken tiny
//! Minimize
//!  obj: 0 x_A1_1
//! Subject To
//! \ cell A1
//!  x_A1_1 + x_A1_2 = 1
//! …
//! \ row 1
//!  x_A1_1 + x_A2_1 = 1
//! …
//! \ cage 3+ at A1
//!  x_A1_1 + 2 x_A1_2 + x_A2_1 + 2 x_A2_2 = 3
//! Binaries
//!  x_A1_1
//! …
//! End
//! ```
//!
//! `x_A1_2` is 1 where A1 holds a 2. A cell holds one digit; in a distinct group a digit occurs at most once, and
//! exactly once where there are as many cells as digits. A sum is one row. Any other clue has a variable `t` for each
//! of its tuples, one of which is chosen: with a row for each cell and digit, the relaxation of a single clue has no
//! fractional vertex. With too many tuples it is a [formula](super::formula): a product is stated by the exponents of
//! its primes, and each of several alternatives has a variable `s` that turns its rows on (with the smallest possible
//! big M).

use std::fmt::Write;

use kenga_core::problem::Tuples;
use kenga_core::puzzle::formats::WriteError;

use super::formula::{Exponents, Formula, exponent};
use super::{Instance, Model};

pub(super) const MODEL: Model =
    Model { name: "lp", about: "an integer program (CPLEX LP format) for MIP solvers; written only", write };

/// The most tuples of a clue that have a variable each.
const MOST_TUPLES: usize = 4_000;

/// The most terms of a program, whose text is in memory.
const MOST_TERMS: usize = 20_000_000;

/// The most bytes of a line, after which a row continues in the next; solvers refuse lines of more than 510.
const WIDEST_LINE: usize = 100;

fn write(instance: &Instance<'_>) -> Result<String, WriteError> {
    write_within(instance, MOST_TUPLES, MOST_TERMS)
}

/// Writes the program: a clue has up to `most_tuples` variables for tuples, all rows have up to `most_terms` terms.
fn write_within(
    instance: &Instance<'_>,
    most_tuples: usize,
    most_terms: usize,
) -> Result<String, WriteError> {
    let mut program = Program { instance, rows: String::new(), terms: 0, tuples: 0, alternatives: 0 };
    let fits = |program: &Program<'_>| {
        let what = || format!("a puzzle whose program has more than {most_terms} terms");
        let refused = || WriteError { format: MODEL.name, what: what() };
        (program.terms <= most_terms).then_some(()).ok_or_else(refused)
    };
    for cell in instance.cells() {
        program.remark(&format!("cell {}", instance.name(cell)));
        program.row(program.any_digit(cell), "=", 1);
        fits(&program)?;
    }
    for group in 0..instance.problem.groups() {
        program.remark(&instance.group_name(group));
        if instance.problem.rule(group).distinct {
            program.distinct(&instance.cells_of(group));
        }
        program.clue(group, most_tuples)?;
        fits(&program)?;
    }
    Ok(program.text())
}

/// A variable of the program.
#[derive(Clone, Copy)]
enum Variable {
    /// The cell holds the digit of this rank.
    Holds(usize, usize),
    /// The tuple with this number is chosen.
    Tuple(usize),
    /// The alternative with this number holds.
    Alternative(usize),
}

/// Variables times numbers, added up.
type LinearTerms = Vec<(i64, Variable)>;

/// Collects the rows of a program.
struct Program<'a> {
    instance: &'a Instance<'a>,
    rows: String,
    /// The numbers of terms, tuples and alternatives so far.
    terms: usize,
    tuples: usize,
    alternatives: usize,
}

impl Program<'_> {
    fn remark(&mut self, about: &str) {
        writeln!(self.rows, "\\ {about}").expect("texts take all");
    }

    fn name(&self, variable: Variable) -> String {
        match variable {
            Variable::Holds(cell, rank) => {
                format!("x_{}_{}", self.instance.name(cell), self.instance.digits()[rank])
            }
            Variable::Tuple(number) => format!("t_{number}"),
            Variable::Alternative(number) => format!("s_{number}"),
        }
    }

    fn row(&mut self, terms: LinearTerms, sense: &str, right: i64) {
        let mut width = 0;
        self.terms += terms.len();
        for (index, (factor, variable)) in terms.into_iter().enumerate() {
            let sign = if factor < 0 {
                "- "
            } else if index > 0 {
                "+ "
            } else {
                ""
            };
            let times = if factor.abs() == 1 { String::new() } else { format!("{} ", factor.abs()) };
            let term = format!(" {sign}{times}{}", self.name(variable));
            if width + term.len() > WIDEST_LINE {
                self.rows.push_str("\n ");
                width = 0;
            }
            width += term.len();
            self.rows.push_str(&term);
        }
        writeln!(self.rows, " {sense} {right}").expect("texts take all");
    }

    fn ranks(&self) -> std::ops::Range<usize> {
        0..self.instance.digits().len()
    }

    fn any_digit(&self, cell: usize) -> LinearTerms {
        self.ranks().map(|rank| (1, Variable::Holds(cell, rank))).collect()
    }

    /// The terms whose sum is the worth of the cell's digit.
    fn weighed(&self, cell: usize, worth: impl Fn(u8) -> i64) -> LinearTerms {
        let all = self.instance.digits().iter().map(|digit| worth(*digit)).enumerate();
        all.filter(|(_, worth)| *worth != 0)
            .map(|(rank, worth)| (worth, Variable::Holds(cell, rank)))
            .collect()
    }

    fn distinct(&mut self, cells: &[usize]) {
        let sense = if cells.len() == self.ranks().len() { "=" } else { "<=" };
        for rank in self.ranks() {
            let all: LinearTerms = cells.iter().map(|cell| (1, Variable::Holds(*cell, rank))).collect();
            self.row(all, sense, 1);
        }
    }

    fn clue(&mut self, group: usize, most_tuples: usize) -> Result<(), WriteError> {
        let Some(clue) = self.instance.problem.rule(group).clue else { return Ok(()) };
        let formula = self.instance.formula(group, clue, MODEL.name)?;
        match self.instance.problem.tuples(group, most_tuples) {
            _ if matches!(formula, Formula::Sum(..) | Formula::In(..)) => self.formula(formula, None),
            Some(tuples) => self.one_of(&self.instance.cells_of(group), &tuples),
            None => self.formula(formula.basic(self.instance.digits()), None),
        }
        Ok(())
    }

    /// States that one tuple is chosen and the cells hold its digits.
    fn one_of(&mut self, cells: &[usize], tuples: &Tuples) {
        let mut with = vec![LinearTerms::new(); cells.len() * self.ranks().len()];
        let mut all = LinearTerms::new();
        for tuple in tuples.iter() {
            let chosen = (-1, Variable::Tuple(self.tuples));
            self.tuples += 1;
            all.push((1, chosen.1));
            for (position, rank) in tuple.iter().enumerate() {
                with[position * self.ranks().len() + usize::from(*rank)].push(chosen);
            }
        }
        self.at_least_one(all, None);
        for (index, mut terms) in with.into_iter().enumerate() {
            let (position, rank) = (index / self.ranks().len(), index % self.ranks().len());
            terms.insert(0, (1, Variable::Holds(cells[position], rank)));
            self.row(terms, "=", 0);
        }
    }

    /// States that a [basic](Formula::basic) formula holds where `when` is 1, or always.
    fn formula(&mut self, formula: Formula, when: Option<Variable>) {
        match formula {
            Formula::All(parts) => parts.into_iter().for_each(|part| self.formula(part, when)),
            Formula::Any(parts) => self.any(parts, when),
            Formula::In(cell, digits) => {
                let held = self.weighed(cell, |digit| i64::from(digits.contains(&digit)));
                self.at_least_one(held, when);
            }
            Formula::Sum(cells, target) => {
                let digits = cells.iter().map(|cell| self.weighed(*cell, i64::from)).collect();
                self.equal(digits, target, when);
            }
            Formula::Excess(first, others, target) => {
                let others = others.iter().map(|cell| self.weighed(*cell, |digit| -i64::from(digit)));
                let digits = std::iter::once(self.weighed(first, i64::from)).chain(others).collect();
                self.equal(digits, target, when);
            }
            Formula::Exponents(exponents) => self.prime(&exponents, when),
            longer => self.formula(longer.basic(self.instance.digits()), when),
        }
    }

    fn any(&mut self, parts: Vec<Formula>, when: Option<Variable>) {
        let mut choices = LinearTerms::new();
        for part in parts {
            match part {
                Formula::In(cell, digits) => {
                    choices.extend(self.weighed(cell, |digit| i64::from(digits.contains(&digit))));
                }
                part => {
                    let holds = Variable::Alternative(self.alternatives);
                    self.alternatives += 1;
                    choices.push((1, holds));
                    self.formula(part, Some(holds));
                }
            }
        }
        self.at_least_one(choices, when);
    }

    fn at_least_one(&mut self, mut choices: LinearTerms, when: Option<Variable>) {
        match when {
            Some(when) => {
                choices.push((-1, when));
                self.row(choices, ">=", 0);
            }
            None if choices.is_empty() => self.contradiction(),
            None => self.row(choices, ">=", 1),
        }
    }

    /// States that a cell holds no digit, because a row must have a term.
    fn contradiction(&mut self) {
        self.row(self.any_digit(0), "=", 0);
    }

    fn prime(&mut self, exponents: &Exponents, when: Option<Variable>) {
        let of = |sign: i64| {
            move |digit: u8| match digit {
                0 => 0,
                digit => sign * exponent(exponents.prime, i64::from(digit)),
            }
        };
        let part = if exponents.whole.is_some() { -1 } else { 1 };
        let parts = exponents.parts.iter().map(|cell| self.weighed(*cell, of(part)));
        let whole = exponents.whole.iter().map(|cell| self.weighed(*cell, of(1)));
        self.equal(whole.chain(parts).collect(), exponents.constant, when);
    }

    /// States that the terms of some cells add up to the target where `when` is 1, or always.
    fn equal(&mut self, cells: Vec<LinearTerms>, target: i64, when: Option<Variable>) {
        let (least, greatest) = cells.iter().fold((0, 0), |(least, greatest), terms| {
            // A digit that is worth nothing has no term.
            let worth = || terms.iter().map(|term| term.0);
            let none = (terms.len() < self.ranks().len()).then_some(0);
            let low = worth().chain(none).min().unwrap_or(0);
            (least + low, greatest + worth().chain(none).max().unwrap_or(0))
        });
        let terms: LinearTerms = cells.into_iter().flatten().collect();
        match when {
            _ if !(least..=greatest).contains(&target) => self.at_least_one(LinearTerms::new(), when),
            _ if terms.is_empty() => {}
            None => self.row(terms, "=", target),
            Some(when) => {
                let with = |slack: i64| {
                    let mut row = terms.clone();
                    row.extend((slack != 0).then_some((slack, when)));
                    row
                };
                self.row(with(greatest - target), "<=", greatest);
                self.row(with(least - target), ">=", least);
            }
        }
    }

    fn text(&self) -> String {
        let cells = self.instance.cells().flat_map(|cell| self.any_digit(cell)).map(|term| term.1);
        let tuples = (0..self.tuples).map(Variable::Tuple);
        let alternatives = (0..self.alternatives).map(Variable::Alternative);
        let names: Vec<String> =
            cells.chain(tuples).chain(alternatives).map(|variable| self.name(variable)).collect();
        let goal = names.first().map_or_else(String::new, |name| format!(" 0 {name}"));
        let title = self.instance.title();
        let mut text = format!("\\ {title}\nMinimize\n obj:{goal}\nSubject To\n{}Binaries\n", self.rows);
        for name in names {
            writeln!(text, " {name}").expect("texts take all");
        }
        text + "End\n"
    }
}

#[cfg(test)]
mod tests;
