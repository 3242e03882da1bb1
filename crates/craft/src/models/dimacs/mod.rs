//! Clauses in DIMACS CNF, for SAT solvers.
//!
//! ```text
//! c cell A1 digit 1 = 1
//! c cell A1 digit 2 = 2
//! …
//! p cnf 16 60
//! 1 2 0
//! -1 -2 0
//! …
//! ```
//!
//! The direct encoding: a variable says that a cell holds a digit, and each cell holds exactly one. In a distinct group
//! a digit occurs at most once, and at least once where the group has as many cells as there are digits. A clue has a
//! variable for each of its tuples or, where they are too many, for each [state](chain) from cell to cell.

mod chain;

use kenga_core::problem::Tuples;
use kenga_core::puzzle::Clue;
use kenga_core::puzzle::formats::WriteError;

use super::{Instance, Model};

pub(super) const MODEL: Model = Model {
    name: "dimacs",
    about: "clauses (CNF) for SAT solvers; comments say which variable is which digit; written only",
    write,
};

/// The most tuples of a clue that have a variable each.
const MOST_TUPLES: usize = 4_000;

/// The most literals of all clauses, which are in memory before they are written.
const MOST_LITERALS: usize = 100_000_000;

fn write(instance: &Instance<'_>) -> Result<String, WriteError> {
    write_within(instance, MOST_LITERALS)
}

/// Writes the clauses of a puzzle, at most `most` literals.
fn write_within(instance: &Instance<'_>, most: usize) -> Result<String, WriteError> {
    // Measured after each part: a few wide cages would fill the memory before the whole could be refused.
    let mut encoder = CnfWriter::new(instance);
    for cell in instance.cells() {
        encoder.one_digit(cell);
        encoder.fits(most)?;
    }
    for group in 0..instance.problem.groups() {
        if instance.problem.rule(group).distinct {
            encoder.distinct(group);
            encoder.fits(most)?;
        }
    }
    for group in 0..instance.problem.groups() {
        if let Some(clue) = instance.problem.rule(group).clue {
            encoder.clue(group, clue)?;
            encoder.fits(most)?;
        }
    }
    Ok(encoder.text())
}

/// Collects the clauses of a puzzle.
struct CnfWriter<'a> {
    instance: &'a Instance<'a>,
    /// The number of digits.
    digits: usize,
    cnf: Cnf,
}

impl<'a> CnfWriter<'a> {
    fn new(instance: &'a Instance<'a>) -> Self {
        let digits = instance.digits().len();
        // The first variables are those of cells and digits: see `holds`.
        let variables = (instance.cells().len() * digits) as i32;
        Self { instance, digits, cnf: Cnf { variables, ..Cnf::default() } }
    }

    fn fits(&self, most: usize) -> Result<(), WriteError> {
        if self.cnf.literals() <= most {
            return Ok(());
        }
        let what = format!("a puzzle whose clauses have more than {most} literals");
        Err(WriteError { format: MODEL.name, what })
    }

    /// The variable that says that a cell holds the digit of this rank.
    fn holds(&self, cell: usize, rank: usize) -> i32 {
        (cell * self.digits + rank) as i32 + 1
    }

    fn one_digit(&mut self, cell: usize) {
        let all: Vec<i32> = (0..self.digits).map(|rank| self.holds(cell, rank)).collect();
        self.cnf.clause(&all);
        self.cnf.at_most_one(&all);
    }

    fn distinct(&mut self, group: usize) {
        let cells = self.instance.cells_of(group);
        // Some digit would stand twice.
        if cells.len() > self.digits {
            return self.cnf.contradiction();
        }
        for rank in 0..self.digits {
            let all: Vec<i32> = cells.iter().map(|cell| self.holds(*cell, rank)).collect();
            self.cnf.at_most_one(&all);
            // With as many cells as digits each digit has a place.
            if all.len() == self.digits {
                self.cnf.clause(&all);
            }
        }
    }

    fn clue(&mut self, group: usize, clue: Clue) -> Result<(), WriteError> {
        let cells = self.instance.cells_of(group);
        if self.instance.is_hopeless(clue, cells.len()) {
            self.cnf.contradiction();
            return Ok(());
        }
        match self.instance.problem.tuples(group, MOST_TUPLES) {
            Some(tuples) => self.tuples(&cells, &tuples),
            None => self.states(group, clue, &cells)?,
        }
        Ok(())
    }

    /// A variable for each tuple: it implies the tuple's digits, and each digit implies one of the tuples that have it.
    fn tuples(&mut self, cells: &[usize], tuples: &Tuples) {
        if tuples.is_empty() {
            return self.cnf.contradiction();
        }
        if let [cell] = cells {
            let mut held = Vec::new();
            for rank in tuples.ranks() {
                held.push(self.holds(*cell, usize::from(*rank)));
            }
            return self.cnf.clause(&held);
        }
        let mut supports = vec![vec![Vec::new(); self.digits]; cells.len()];
        let mut chosen = Vec::new();
        for tuple in tuples.iter() {
            let choice = self.cnf.variable();
            chosen.push(choice);
            for (position, rank) in tuple.iter().enumerate() {
                let rank = usize::from(*rank);
                self.cnf.clause(&[-choice, self.holds(cells[position], rank)]);
                // A digit without a tuple is denied by a clause of its own.
                supports[position][rank].push(choice);
            }
        }
        self.cnf.clause(&chosen);
        for (position, ranks) in supports.iter().enumerate() {
            for (rank, support) in ranks.iter().enumerate() {
                let denied = [-self.holds(cells[position], rank)];
                self.cnf.clause(&[&denied, support.as_slice()].concat());
            }
        }
    }

    fn states(&mut self, group: usize, clue: Clue, cells: &[usize]) -> Result<(), WriteError> {
        let Some(chains) = chain::chains(clue, cells.len(), self.instance.digits()) else {
            let what = format!("{}: it has too many states", self.instance.group_name(group));
            return Err(WriteError { format: MODEL.name, what });
        };
        let mut starts = Vec::new();
        for chain in &chains {
            starts.push(self.chain(cells, chain));
        }
        if starts.is_empty() {
            self.cnf.contradiction();
        } else {
            self.cnf.clause(&starts);
        }
        Ok(())
    }

    /// Adds the clauses of states from cell to cell; returns the variable of the first state, which turns them on.
    ///
    /// A state and a digit imply the next state, or exclude each other. Conversely, a state and the digit before it
    /// imply one of the states that lead there.
    fn chain(&mut self, cells: &[usize], chain: &chain::Layers) -> i32 {
        let start = self.cnf.variable();
        let mut before = vec![start];
        for (layer, &cell) in chain.iter().zip(cells) {
            let mut after = Vec::new();
            for _ in 0..layer.after {
                after.push(self.cnf.variable());
            }
            for rank in 0..self.digits {
                let digit = self.holds(cell, rank);
                let mut sources = vec![Vec::new(); after.len()];
                // Where the chain is off, its states may be anything.
                let mut alive = vec![-start, -digit];
                for (state, arcs) in layer.arcs.iter().enumerate() {
                    match arcs[rank] {
                        Some(next) => {
                            self.cnf.clause(&[-before[state], -digit, after[next]]);
                            sources[next].push(before[state]);
                            alive.push(before[state]);
                        }
                        None => self.cnf.clause(&[-before[state], -digit]),
                    }
                }
                self.cnf.clause(&alive);
                for (next, sources) in sources.iter().enumerate() {
                    self.cnf.clause(&[&[-after[next], -digit], sources.as_slice()].concat());
                }
            }
            before = after;
        }
        start
    }

    fn text(&self) -> String {
        let mut text = format!("c {}\n", self.instance.title());
        for cell in self.instance.cells() {
            let name = self.instance.name(cell);
            for (rank, digit) in self.instance.digits().iter().enumerate() {
                text += &format!("c cell {name} digit {digit} = {}\n", self.holds(cell, rank));
            }
        }
        self.cnf.write(&mut text);
        text
    }
}

/// Clauses. Variables count from 1; a literal is a variable or its negation.
#[derive(Default)]
struct Cnf {
    variables: i32,
    clauses: usize,
    /// The literals of every clause, with a 0 at its end.
    literals: Vec<i32>,
}

impl Cnf {
    /// A new variable.
    fn variable(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    /// Adds a clause of one literal or more: one of them is true.
    fn clause(&mut self, literals: &[i32]) {
        debug_assert!(!literals.is_empty(), "solvers differ in how they read an empty clause");
        self.literals.extend(literals);
        self.literals.push(0);
        self.clauses += 1;
    }

    /// Adds that no two of the literals are true.
    fn at_most_one(&mut self, literals: &[i32]) {
        for (index, a) in literals.iter().enumerate() {
            for b in &literals[..index] {
                self.clause(&[-b, -a]);
            }
        }
    }

    /// Makes the clauses unsatisfiable.
    fn contradiction(&mut self) {
        let variable = self.variable();
        self.clause(&[variable]);
        self.clause(&[-variable]);
    }

    /// The number of literals, with the 0 at the end of every clause.
    fn literals(&self) -> usize {
        self.literals.len()
    }

    /// Appends the header and one line for each clause.
    fn write(&self, text: &mut String) {
        *text += &format!("p cnf {} {}\n", self.variables, self.clauses);
        for literal in &self.literals {
            *text += &literal.to_string();
            text.push(if *literal == 0 { '\n' } else { ' ' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::{Cage, Square, operators};

    #[test]
    fn a_formula_of_too_many_literals_is_refused_wherever_they_come_from() {
        let sum = operators::find("+").expect("a known operator");
        let cells = (0..9).map(|cell| (cell / 3, cell % 3)).collect();
        let puzzle = Square::kenken(3, vec![Cage::new(sum, 18, cells)]).build().expect("a sound puzzle");
        let instance = Instance::new(&puzzle);
        let text = write_within(&instance, MOST_LITERALS).expect("a small formula");
        let clauses = text.lines().skip_while(|line| !line.starts_with('p')).skip(1);
        let literals: usize = clauses.map(|line| line.split(' ').count()).sum();
        assert_eq!(write_within(&instance, literals).as_deref(), Ok(text.as_str()));
        for most in [0, 150, literals - 1] {
            let error = write_within(&instance, most).expect_err("too many");
            assert!(error.what.ends_with(&format!("more than {most} literals")), "{error}");
        }
    }
}
