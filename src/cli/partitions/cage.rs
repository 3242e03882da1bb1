//! The cage of a puzzle that `--puzzle` and `--cage` name.

use miette::{Diagnostic, Report};
use thiserror::Error;

use super::super::{input, wanted};
use super::{Args, Operation};
use crate::partitions::{Shape, ShapeError};
use crate::problem::Problem;
use crate::puzzle::{Group, Puzzle, cell_name, parse_cell_name};

/// A cell that leads to no table.
#[derive(Debug, Error, Diagnostic)]
enum BadCage {
    #[error("`{0}` is not the name of a cell")]
    #[diagnostic(help("write the row's letter and the column's number: A1"))]
    Name(String),
    #[error("puzzle `{id}` has no cell {cell}")]
    #[diagnostic(help("its cells are A1 to {last}"))]
    Outside { id: String, cell: String, last: String },
    #[error("cell {cell} of puzzle `{id}` lies in no cage")]
    #[diagnostic(help("name a cell that a clue speaks of"))]
    Without { id: String, cell: String },
    #[error("cell {cell} of puzzle `{id}` lies in {}", groups.join(" and in "))]
    #[diagnostic(help("say which: `sum` and its number before --puzzle, or another cell"))]
    Several { id: String, cell: String, groups: Vec<String> },
    #[error("the {group} of puzzle `{id}` is neither a sum nor a product")]
    #[diagnostic(help("say what its digits make: `sum N` or `product N`"))]
    Operator { id: String, group: String },
}

/// What is known of a cage.
pub(super) struct Cage {
    pub(super) operation: Operation,
    pub(super) number: u64,
    /// Its cells, `(row, column)` from 0.
    pub(super) places: Vec<(usize, usize)>,
    pub(super) shape: Result<Shape, ShapeError>,
    /// The digits of the puzzle, ascending.
    pub(super) digits: Vec<u64>,
}

impl Cage {
    /// Reads the puzzle and finds the cage that holds the cell; none when the puzzle could not be read.
    ///
    /// # Errors
    /// A report when there is no such cage, or it does not say what its digits make and the arguments do not either.
    pub(super) fn read(
        file: &str,
        id: Option<&str>,
        cell: &str,
        args: &Args,
    ) -> Result<Option<Self>, Report> {
        let files = [file.to_owned()];
        let mut input = input::puzzles(&files);
        let Some(puzzle) = wanted::one(file, id, &mut input)? else { return Ok(None) };
        let cell = parse_cell_name(cell).ok_or_else(|| BadCage::Name(cell.to_owned()))?;
        Ok(Some(Self::find(&puzzle, cell, args)?))
    }

    fn find(puzzle: &Puzzle, (row, column): (usize, usize), args: &Args) -> Result<Self, BadCage> {
        let (id, cell) = (puzzle.id.clone(), cell_name(row, column));
        if row >= puzzle.rows() || column >= puzzle.cols() {
            let last = cell_name(puzzle.rows() - 1, puzzle.cols() - 1);
            return Err(BadCage::Outside { id, cell, last });
        }
        let place = row * puzzle.cols() + column;
        let speaks = |index: &usize| {
            let group = &puzzle.groups()[*index];
            group.clue.is_some() && group.cells.contains(&place)
        };
        let groups: Vec<usize> = (0..puzzle.groups().len()).filter(speaks).collect();
        let meant = |index: &&usize| is_meant(&puzzle.groups()[**index], args);
        let meant: Vec<usize> = groups.iter().filter(meant).copied().collect();
        let name = |index: &usize| format!("the {}", puzzle.group_name(&puzzle.groups()[*index]));
        match (&*groups, &*meant) {
            ([], _) => Err(BadCage::Without { id, cell }),
            (&[group], _) | (_, &[group]) => Self::of(puzzle, group, args),
            _ => Err(BadCage::Several { id, cell, groups: groups.iter().map(name).collect() }),
        }
    }

    fn of(puzzle: &Puzzle, index: usize, args: &Args) -> Result<Self, BadCage> {
        let group = &puzzle.groups()[index];
        let clue = group.clue.expect("the group was chosen for its clue");
        let unknown = || BadCage::Operator { id: puzzle.id.clone(), group: puzzle.group_name(group) };
        let own = match &*group.cells {
            // A given is a sum of one digit, and a product.
            [_] => Some(args.operation.unwrap_or(Operation::Sum)),
            _ => clue.operator.fold().map(Operation::of),
        };
        let operation = args.operation.or(own).ok_or_else(unknown)?;
        let says = own == Some(operation) || clue.operator.symbol() == HIDDEN;
        let number = args.number.or(says.then_some(clue.target.unsigned_abs())).ok_or_else(unknown)?;
        Ok(Self {
            operation,
            number,
            places: group.cells.iter().map(|cell| (cell / puzzle.cols(), cell % puzzle.cols())).collect(),
            shape: Shape::of_group(&Problem::compile(puzzle), index),
            digits: puzzle.digits().values().iter().map(|digit| u64::from(*digit)).collect(),
        })
    }
}

/// The operator that does not say what it is.
const HIDDEN: &str = "?";

/// Of several clues over a cell: one of several cells, and such as the arguments say.
fn is_meant(group: &Group, args: &Args) -> bool {
    let Some(clue) = group.clue else { return false };
    let same = |operation: Operation| clue.operator.fold() == Some(operation.fold());
    let makes = |number| clue.target.unsigned_abs() == number;
    group.cells.len() > 1 && args.operation.is_none_or(same) && args.number.is_none_or(makes)
}
