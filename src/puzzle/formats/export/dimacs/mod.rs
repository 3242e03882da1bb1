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
//! a digit stands at most once, and at least once where the group has as many cells as there are digits. A clue is its
//! [tuples](super::tuples), or [states](chain) from cell to cell where they are many; further variables stand for these.

mod chain;
mod cnf;

use super::super::super::{Clue, Group, Puzzle};
use super::super::Format;
use super::super::error::WriteError;
use super::lines::Lines;
use super::tuples::tuples;
use super::{title, white};
use cnf::Cnf;

pub(in super::super) const FORMAT: Format = Format {
    name: "dimacs",
    about: "clauses (CNF) for SAT solvers; comments say which variable is which digit; written only",
    many: false,
    source: None,
    write: Some(write),
};

/// The most tuples of a clue that are written one by one.
const MOST_TUPLES: usize = 4_000;

/// The most literals of a formula: it stands in memory before it is written.
const MOST_LITERALS: usize = 100_000_000;

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    write_within(puzzle, MOST_LITERALS)
}

/// The clauses of a puzzle, refused when they have more than so many literals.
fn write_within(puzzle: &Puzzle, most: usize) -> Result<String, WriteError> {
    let mut encoder = Encoder::new(puzzle);
    for cell in white(puzzle) {
        encoder.one_digit(cell);
        encoder.fits(most)?;
    }
    for group in puzzle.groups().iter().filter(|group| group.distinct) {
        encoder.distinct(group);
        encoder.fits(most)?;
    }
    for group in puzzle.groups() {
        if let Some(clue) = group.clue {
            encoder.clue(group, clue)?;
            encoder.fits(most)?;
        }
    }
    Ok(encoder.text())
}

/// The clauses of a puzzle while they grow.
struct Encoder<'a> {
    puzzle: &'a Puzzle,
    digits: &'a [u8],
    lines: Lines,
    /// The variable of the least digit in every cell; those of the others follow. Black cells have 0.
    first: Vec<i32>,
    cnf: Cnf,
}

impl<'a> Encoder<'a> {
    fn new(puzzle: &'a Puzzle) -> Self {
        let digits = puzzle.digits().values();
        let mut cnf = Cnf::default();
        let mut first = vec![0; puzzle.rows() * puzzle.cols()];
        for cell in white(puzzle) {
            first[cell] = cnf.variable();
            (1..digits.len()).for_each(|_| {
                cnf.variable();
            });
        }
        Self { puzzle, digits, lines: Lines::new(puzzle), first, cnf }
    }

    fn fits(&self, most: usize) -> Result<(), WriteError> {
        if self.cnf.literals() <= most {
            return Ok(());
        }
        let what = format!("a puzzle whose clauses have more than {most} literals");
        Err(WriteError { format: FORMAT.name, what })
    }

    /// The variable that says that a cell holds the digit of this rank.
    fn holds(&self, cell: usize, rank: usize) -> i32 {
        self.first[cell] + rank as i32
    }

    fn one_digit(&mut self, cell: usize) {
        let all: Vec<i32> = (0..self.digits.len()).map(|rank| self.holds(cell, rank)).collect();
        self.cnf.clause(&all);
        self.cnf.at_most_one(&all);
    }

    fn distinct(&mut self, group: &Group) {
        if group.cells.len() > self.digits.len() {
            return self.cnf.contradiction();
        }
        for rank in 0..self.digits.len() {
            let all: Vec<i32> = group.cells.iter().map(|cell| self.holds(*cell, rank)).collect();
            self.cnf.at_most_one(&all);
            if all.len() == self.digits.len() {
                self.cnf.clause(&all);
            }
        }
    }

    fn clue(&mut self, group: &Group, clue: Clue) -> Result<(), WriteError> {
        let (low, high) = (self.digits[0], self.digits[self.digits.len() - 1]);
        if !clue.operator.may_hold(&[], group.cells.len(), low, high, clue.target) {
            self.cnf.contradiction();
            return Ok(());
        }
        match tuples(clue, &group.cells, self.digits, &self.lines, MOST_TUPLES) {
            Some(tuples) => self.tuples(&group.cells, &tuples),
            None => self.states(group, clue)?,
        }
        Ok(())
    }

    /// A variable a tuple: it implies its digits, and each digit implies one of the tuples that have it.
    fn tuples(&mut self, cells: &[usize], tuples: &[Vec<u8>]) {
        if tuples.is_empty() {
            return self.cnf.contradiction();
        }
        let rank = |digit: u8| self.digits.iter().position(|d| *d == digit).expect("a digit of the puzzle");
        if let [cell] = cells {
            let held: Vec<i32> = tuples.iter().map(|tuple| self.holds(*cell, rank(tuple[0]))).collect();
            return self.cnf.clause(&held);
        }
        let mut supports = vec![vec![Vec::new(); self.digits.len()]; cells.len()];
        let mut chosen = Vec::new();
        for tuple in tuples {
            let choice = self.cnf.variable();
            chosen.push(choice);
            for (position, digit) in tuple.iter().enumerate() {
                let rank = self.digits.iter().position(|d| d == digit).expect("a digit of the puzzle");
                self.cnf.clause(&[-choice, self.holds(cells[position], rank)]);
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

    fn states(&mut self, group: &Group, clue: Clue) -> Result<(), WriteError> {
        let refused = || {
            let what = format!("{}: it has too many states", self.puzzle.group_name(group));
            WriteError { format: FORMAT.name, what }
        };
        let chains = chain::chains(clue, group.cells.len(), self.digits).ok_or_else(refused)?;
        let starts: Vec<i32> = chains.iter().map(|chain| self.chain(&group.cells, chain)).collect();
        if starts.is_empty() {
            self.cnf.contradiction();
        } else {
            self.cnf.clause(&starts);
        }
        Ok(())
    }

    /// The clauses of states from cell to cell; the variable of the first state, which turns them on.
    ///
    /// A state and a digit imply the next state, or may not stand together; and the other way round, a state and the
    /// digit before it imply one of the states that lead there.
    fn chain(&mut self, cells: &[usize], chain: &chain::Layers) -> i32 {
        let start = self.cnf.variable();
        let mut before = vec![start];
        for (layer, &cell) in chain.iter().zip(cells) {
            let after: Vec<i32> = (0..layer.after).map(|_| self.cnf.variable()).collect();
            for rank in 0..self.digits.len() {
                let digit = self.holds(cell, rank);
                let mut sources = vec![Vec::new(); after.len()];
                let mut alive = vec![-start, -digit];
                for (state, next) in layer.arcs.iter().map(|arcs| arcs[rank]).enumerate() {
                    match next {
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
        let mut text = format!("c {}\n", title(self.puzzle));
        for cell in white(self.puzzle) {
            let name = self.puzzle.cell_name(cell);
            for (rank, digit) in self.digits.iter().enumerate() {
                text += &format!("c cell {name} digit {digit} = {}\n", self.holds(cell, rank));
            }
        }
        self.cnf.write(&mut text);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Cage, KenKen, operators};

    #[test]
    fn a_formula_of_too_many_literals_is_refused_wherever_they_come_from() {
        let sum = operators::find("+").expect("a known operator");
        let cells = (0..9).map(|cell| (cell / 3, cell % 3)).collect();
        let puzzle = KenKen::new(3, vec![Cage::new(sum, 18, cells)]).build().expect("a sound puzzle");
        let text = write_within(&puzzle, MOST_LITERALS).expect("a small formula");
        let clauses = text.lines().skip_while(|line| !line.starts_with('p')).skip(1);
        let literals: usize = clauses.map(|line| line.split(' ').count()).sum();
        assert_eq!(write_within(&puzzle, literals).as_deref(), Ok(text.as_str()));
        for most in [0, 150, literals - 1] {
            let error = write_within(&puzzle, most).expect_err("too many");
            assert!(error.what.ends_with(&format!("more than {most} literals")), "{error}");
        }
    }
}
