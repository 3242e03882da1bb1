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

use kenga_core::problem::Tuples;
use kenga_core::puzzle::formats::WriteError;

use super::formula::{Exponents, Formula, digit_exponent};
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
    for cell in instance.cells() {
        program.remark(&format!("cell {}", instance.name(cell)));
        program.row(program.any_digit(cell), "=", 1);
        program.fits(most_terms)?;
    }
    for group in 0..instance.problem.groups() {
        program.remark(&instance.group_name(group));
        if instance.problem.rule(group).distinct {
            program.distinct(&instance.cells_of(group));
        }
        program.clue(group, most_tuples)?;
        program.fits(most_terms)?;
    }
    Ok(program.text())
}

/// A variable of the program.
#[derive(Clone, Copy)]
enum ProgramVariable {
    /// The cell holds the digit of this rank.
    Holds(usize, usize),
    /// The tuple with this number is chosen.
    Tuple(usize),
    /// The alternative with this number holds.
    Alternative(usize),
}

/// A variable times a number.
#[derive(Clone, Copy)]
struct LinearTerm {
    factor: i64,
    variable: ProgramVariable,
}

/// Variables times numbers, added up.
type LinearTerms = Vec<LinearTerm>;

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
        self.rows += &format!("\\ {about}\n");
    }

    fn fits(&self, most_terms: usize) -> Result<(), WriteError> {
        if self.terms <= most_terms {
            return Ok(());
        }
        let what = format!("a puzzle whose program has more than {most_terms} terms");
        Err(WriteError { format: MODEL.name, what })
    }

    fn name(&self, variable: ProgramVariable) -> String {
        match variable {
            ProgramVariable::Holds(cell, rank) => {
                format!("x_{}_{}", self.instance.name(cell), self.instance.digits()[rank])
            }
            ProgramVariable::Tuple(number) => format!("t_{number}"),
            ProgramVariable::Alternative(number) => format!("s_{number}"),
        }
    }

    fn row(&mut self, terms: LinearTerms, sense: &str, right: i64) {
        let mut width = 0;
        self.terms += terms.len();
        for (index, LinearTerm { factor, variable }) in terms.into_iter().enumerate() {
            let sign = match factor {
                ..0 => "- ",
                _ if index > 0 => "+ ",
                _ => "",
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
        self.rows += &format!(" {sense} {right}\n");
    }

    fn ranks(&self) -> std::ops::Range<usize> {
        0..self.instance.digits().len()
    }

    fn any_digit(&self, cell: usize) -> LinearTerms {
        self.weighed(cell, &|_| 1)
    }

    /// The terms whose sum is the worth of the cell's digit.
    fn weighed(&self, cell: usize, worth: &dyn Fn(u8) -> i64) -> LinearTerms {
        let mut terms = LinearTerms::new();
        for (rank, digit) in self.instance.digits().iter().enumerate() {
            let factor = worth(*digit);
            if factor != 0 {
                terms.push(LinearTerm { factor, variable: ProgramVariable::Holds(cell, rank) });
            }
        }
        terms
    }

    fn distinct(&mut self, cells: &[usize]) {
        let sense = if cells.len() == self.ranks().len() { "=" } else { "<=" };
        for rank in self.ranks() {
            let mut all = LinearTerms::new();
            for cell in cells {
                all.push(LinearTerm { factor: 1, variable: ProgramVariable::Holds(*cell, rank) });
            }
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
        // For every cell and rank the tuples that have it there, to be subtracted from it.
        let mut with = vec![LinearTerms::new(); cells.len() * self.ranks().len()];
        let mut all = LinearTerms::new();
        for tuple in tuples.iter() {
            let variable = ProgramVariable::Tuple(self.tuples);
            self.tuples += 1;
            all.push(LinearTerm { factor: 1, variable });
            for (position, rank) in tuple.iter().enumerate() {
                let place = position * self.ranks().len() + usize::from(*rank);
                with[place].push(LinearTerm { factor: -1, variable });
            }
        }
        self.at_least_one(all, None);
        for (place, mut terms) in with.into_iter().enumerate() {
            let (position, rank) = (place / self.ranks().len(), place % self.ranks().len());
            terms
                .insert(0, LinearTerm { factor: 1, variable: ProgramVariable::Holds(cells[position], rank) });
            self.row(terms, "=", 0);
        }
    }

    /// States that a [basic](Formula::basic) formula holds where `when` is 1, or always.
    fn formula(&mut self, formula: Formula, when: Option<ProgramVariable>) {
        match formula {
            Formula::All(parts) => {
                for part in parts {
                    self.formula(part, when);
                }
            }
            Formula::Any(parts) => self.any(parts, when),
            Formula::In(cell, digits) => self.at_least_one(self.held(cell, &digits), when),
            Formula::Sum(cells, target) => {
                let digits = cells.iter().map(|cell| self.weighed(*cell, &i64::from)).collect();
                self.equal(digits, target, when);
            }
            Formula::Excess(first, others, target) => {
                let mut digits = vec![self.weighed(first, &i64::from)];
                for cell in others {
                    digits.push(self.weighed(cell, &|digit| -i64::from(digit)));
                }
                self.equal(digits, target, when);
            }
            Formula::Exponents(exponents) => self.prime(&exponents, when),
            longer => self.formula(longer.basic(self.instance.digits()), when),
        }
    }

    /// The terms whose sum is 1 where the cell holds one of the digits, else 0.
    fn held(&self, cell: usize, digits: &[u8]) -> LinearTerms {
        self.weighed(cell, &|digit| i64::from(digits.contains(&digit)))
    }

    fn any(&mut self, parts: Vec<Formula>, when: Option<ProgramVariable>) {
        let mut choices = LinearTerms::new();
        for part in parts {
            if let Formula::In(cell, digits) = part {
                choices.extend(self.held(cell, &digits));
                continue;
            }
            let holds = ProgramVariable::Alternative(self.alternatives);
            self.alternatives += 1;
            choices.push(LinearTerm { factor: 1, variable: holds });
            self.formula(part, Some(holds));
        }
        self.at_least_one(choices, when);
    }

    fn at_least_one(&mut self, mut choices: LinearTerms, when: Option<ProgramVariable>) {
        match when {
            Some(when) => {
                choices.push(LinearTerm { factor: -1, variable: when });
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

    fn prime(&mut self, exponents: &Exponents, when: Option<ProgramVariable>) {
        let prime = exponents.prime;
        let mut cells = Vec::new();
        if let Some(whole) = exponents.whole {
            cells.push(self.weighed(whole, &|digit| digit_exponent(prime, digit)));
        }
        let sign = if exponents.whole.is_some() { -1 } else { 1 };
        for cell in &exponents.parts {
            cells.push(self.weighed(*cell, &|digit| sign * digit_exponent(prime, digit)));
        }
        self.equal(cells, exponents.constant, when);
    }

    /// States that the terms of some cells add up to the target where `when` is 1, or always.
    fn equal(&mut self, cells: Vec<LinearTerms>, target: i64, when: Option<ProgramVariable>) {
        let (mut least, mut greatest) = (0, 0);
        for terms in &cells {
            let mut worth: Vec<i64> = terms.iter().map(|term| term.factor).collect();
            if worth.len() < self.ranks().len() {
                // A digit that is worth nothing has no term.
                worth.push(0);
            }
            least += worth.iter().min().expect("a cell has digits");
            greatest += worth.iter().max().expect("a cell has digits");
        }
        let terms = cells.concat();
        match when {
            _ if !(least..=greatest).contains(&target) => self.at_least_one(LinearTerms::new(), when),
            _ if terms.is_empty() => {}
            None => self.row(terms, "=", target),
            // Where `when` is 0, the rows allow whatever the terms can be: the smallest possible big M.
            Some(when) => {
                self.row(with_slack(&terms, greatest - target, when), "<=", greatest);
                self.row(with_slack(&terms, least - target, when), ">=", least);
            }
        }
    }

    fn text(&self) -> String {
        let mut variables = Vec::new();
        for cell in self.instance.cells() {
            variables.extend(self.ranks().map(|rank| ProgramVariable::Holds(cell, rank)));
        }
        variables.extend((0..self.tuples).map(ProgramVariable::Tuple));
        variables.extend((0..self.alternatives).map(ProgramVariable::Alternative));
        // An objective must have a term.
        let goal = match variables.first() {
            Some(first) => format!(" 0 {}", self.name(*first)),
            None => String::new(),
        };
        let title = self.instance.title();
        let mut text = format!("\\ {title}\nMinimize\n obj:{goal}\nSubject To\n{}Binaries\n", self.rows);
        for variable in variables {
            text += &format!(" {}\n", self.name(variable));
        }
        text + "End\n"
    }
}

/// Terms, and a number times a variable that turns their row on.
fn with_slack(terms: &LinearTerms, slack: i64, when: ProgramVariable) -> LinearTerms {
    let mut row = terms.clone();
    if slack != 0 {
        row.push(LinearTerm { factor: slack, variable: when });
    }
    row
}

#[cfg(test)]
mod tests;
