//! Models of a puzzle for other solvers, written and never read; one file and one line in [`TABLE`] each.
//!
//! Every model holds puzzles of every kind. They share the instance, which is the compiled problem with the names of
//! its cells and groups, and formulas, which state clues by relations that every modelling language has.
//!
//! **Invariant**: a model has the solutions of its puzzle and no others; the names of cells in it are those of the puzzle. How it
//! states a rule may change freely; the tests of each language have a naive reader solve what is written.

mod clue;
mod dimacs;
mod formula;
mod lp;
mod minizinc;

use kenga_core::problem::Problem;
use kenga_core::puzzle::formats::WriteError;
use kenga_core::puzzle::{Clue, Puzzle};

use formula::Formula;

/// A modelling language.
#[derive(Debug)]
pub struct Model {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is and what reads it, in a sentence.
    pub about: &'static str,
    write: fn(&Instance<'_>) -> Result<String, WriteError>,
}

/// Every modelling language, by name.
pub static TABLE: &[Model] = &[dimacs::MODEL, lp::MODEL, minizinc::MODEL];

/// Finds a modelling language by its name.
pub fn find(name: &str) -> Option<&'static Model> {
    TABLE.iter().find(|model| model.name == name)
}

impl Model {
    /// Writes a puzzle, with a line break at the end.
    ///
    /// # Errors
    /// [`WriteError`] when the model would be too large; it names the cage where one cage is the cause.
    pub fn write(&self, puzzle: &Puzzle) -> Result<String, WriteError> {
        (self.write)(&Instance::new(puzzle)).map(|text| text.trim_end().to_owned() + "\n")
    }
}

/// The most tuples of a clue whose operator has no relations.
const MOST_TUPLES: usize = 20_000;

/// A puzzle for its models: the compiled problem with the names of cells and groups. Cells are the dense cells of the
/// [`Problem`].
struct Instance<'a> {
    puzzle: &'a Puzzle,
    problem: Problem,
}

/// A rule, and the name of its group.
struct Constraint {
    formula: Formula,
    about: String,
}

impl<'a> Instance<'a> {
    fn new(puzzle: &'a Puzzle) -> Self {
        Self { puzzle, problem: Problem::compile(puzzle) }
    }

    /// The puzzle's kind and id on one line, whatever the id contains.
    fn title(&self) -> String {
        let id = self.puzzle.id.replace(char::is_control, " ");
        let kind = self.puzzle.kind.name();
        if id.is_empty() { kind.to_owned() } else { format!("{kind} {id}") }
    }

    /// The digits by rank, ascending.
    fn digits(&self) -> &[u8] {
        self.problem.values()
    }

    fn cells(&self) -> std::ops::Range<usize> {
        0..self.problem.cells()
    }

    /// The name of a cell, such as `A1`.
    fn name(&self, cell: usize) -> String {
        self.puzzle.cell_name(self.problem.place(cell))
    }

    fn names(&self, cells: &[usize]) -> Vec<String> {
        cells.iter().map(|cell| self.name(*cell)).collect()
    }

    /// The name of a group, such as `cage 3+ at A1`.
    fn group_name(&self, group: usize) -> String {
        self.puzzle.group_key(&self.puzzle.groups()[group])
    }

    fn cells_of(&self, group: usize) -> Vec<usize> {
        self.problem.cells_of(group).iter().map(|cell| usize::from(*cell)).collect()
    }

    /// Says whether the operator's bounds exclude a clue over so many cells.
    fn is_hopeless(&self, clue: Clue, cells: usize) -> bool {
        let digits = self.digits();
        !clue.operator.may_hold(&[], cells, digits[0], digits[digits.len() - 1], clue.target)
    }

    /// The clue of a group as a formula.
    ///
    /// # Errors
    /// [`WriteError`] when its operator has no formula and the clue has too many tuples.
    fn formula(&self, group: usize, clue: Clue, model: &'static str) -> Result<Formula, WriteError> {
        let cells = self.cells_of(group);
        if let Some(formula) = clue::of(clue, &cells, self.digits()) {
            return Ok(formula);
        }
        // An operator of a program that uses kenga has no relations, but every clue has tuples.
        let Some(tuples) = self.problem.tuples(group, MOST_TUPLES) else {
            let what = format!("{}: it has too many tuples", self.group_name(group));
            return Err(WriteError { format: model, what });
        };
        let mut digits = Vec::new();
        for tuple in tuples.iter() {
            digits.push(tuple.iter().map(|rank| self.digits()[usize::from(*rank)]).collect());
        }
        Ok(Formula::Tuples(cells, digits))
    }

    /// Every constraint, group by group.
    ///
    /// # Errors
    /// [`WriteError`] when a clue has no [formula](Self::formula).
    fn constraints(&self, model: &'static str) -> Result<Vec<Constraint>, WriteError> {
        let mut constraints = Vec::new();
        for group in 0..self.problem.groups() {
            let (rule, cells) = (self.problem.rule(group), self.cells_of(group));
            if rule.distinct && cells.len() > 1 {
                let about = self.group_name(group);
                constraints.push(Constraint { formula: Formula::Distinct(cells), about });
            }
            if let Some(clue) = rule.clue {
                let formula = self.formula(group, clue, model)?;
                constraints.push(Constraint { formula, about: self.group_name(group) });
            }
        }
        Ok(constraints)
    }
}
