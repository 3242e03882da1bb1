//! The query and the shape that the arguments ask for, and the cage that `--puzzle` and `--cage` name.

use miette::{Report, miette};
use serde_json::{Value, json};

use super::{Args, FOLDS};
use crate::cli::io::puzzles::{Colors, one_puzzle};
use kenga_core::problem::Problem;
use kenga_core::puzzle::operators::Fold;
use kenga_core::puzzle::{Group, Puzzle, cell_name, parse_cell_name};
use kenga_core::text::joined;
use kenga_craft::partitions::{Query, QueryError, Shape, ShapeError};
use kenga_report::answers::cell_of;

/// The greatest digit of most puzzles.
const NINE: u64 = 9;

fn bad_shape(error: ShapeError) -> Report {
    miette!(help = "write the columns of each row as letters, rows divided by `/`: AB/AC", "{error}")
}

/// A query, and the shape that its multisets have to fit.
pub(super) struct Request {
    pub(super) query: Query,
    /// Cells of which some, but not all, must differ.
    pub(super) shape: Option<Shape>,
    operation: Fold,
    /// The cells, `[row, column]` from 0, where they are known.
    places: Option<Vec<(usize, usize)>>,
}

/// What the arguments ask for; none when the puzzle could not be read.
///
/// # Errors
/// A report when they make no sense together, or the puzzle has no such cage.
pub(super) fn of(args: &Args) -> Result<Option<Request>, Report> {
    let request = match (&args.puzzle, &args.cage) {
        (Some(file), Some(cell)) => match of_cage(args, file, cell)? {
            Some(request) => request,
            None => return Ok(None),
        },
        _ => of_cells(args)?,
    };
    if request.query.min > request.query.max
        && (args.min.is_some() && (args.max.is_some() || request.query.cells.is_some()))
    {
        let (min, max) = (request.query.min, request.query.max);
        let help = "with a number of cells digits go to 9 unless --max says otherwise";
        return Err(miette!(help = help, "the least digit {min} is above the greatest, {max}"));
    }
    Ok(Some(request))
}

fn of_cells(args: &Args) -> Result<Request, Report> {
    let operation = args.operation.expect("it is required without a puzzle");
    let number = args.number.expect("it is required without a puzzle");
    let places = args.shape.as_deref().map(Shape::parse).transpose().map_err(bad_shape)?;
    let shape = places.as_deref().map(Shape::in_lines).transpose().map_err(bad_shape)?;
    let cells = shape.as_ref().map(Shape::cells).or(args.cells);
    let query = Query::new(operation, number, cells);
    let max = args.max.unwrap_or(if cells.is_some() { NINE } else { query.max });
    let query = Query { min: args.min.unwrap_or(query.min), max, ..query };
    Ok(Request::new(args, query, operation, shape, places))
}

impl Request {
    fn new(
        args: &Args,
        mut query: Query,
        operation: Fold,
        shape: Option<Shape>,
        places: Option<Vec<(usize, usize)>>,
    ) -> Self {
        query.distinct = args.distinct || shape.as_ref().is_some_and(Shape::is_distinct);
        query.without.extend(&args.without);
        query.without.sort_unstable();
        query.without.dedup();
        // Different digits fit every shape.
        let shape = shape.filter(|_| !query.distinct);
        Self { query, shape, operation, places }
    }

    fn operation_name(&self) -> &'static str {
        FOLDS.into_iter().find(|(_, fold)| *fold == self.operation).map_or("", |(name, _)| name)
    }

    /// What is asked for, for people.
    pub(super) fn describe(&self) -> String {
        let query = &self.query;
        let different = if query.distinct { "different " } else { "" };
        let mut text = match query.cells {
            Some(1) => "one digit".to_owned(),
            Some(cells) => format!("{cells} {different}digits"),
            None => format!("{different}digits"),
        };
        text += &format!(" from {}", query.min);
        // Without a number of cells no digit above the number itself is of use.
        text += &if query.min <= query.max { format!(" to {}", query.max) } else { " up".to_owned() };
        if !query.without.is_empty() {
            text += &format!(" without {}", joined(&query.without, ","));
        }
        text += &format!(" with the {} {}", self.operation_name(), query.number);
        if self.shape.is_some() {
            text += " that fits the cage";
        }
        text
    }

    /// What is asked for, for programs.
    pub(super) fn json(&self) -> Value {
        let query = &self.query;
        json!({
            "operation": self.operation_name(),
            "number": query.number,
            "cells": query.cells,
            "min": query.min,
            "max": query.max,
            "distinct": query.distinct,
            "without": query.without,
            "shape": self.places,
        })
    }
}

/// A refusal of the query, with advice.
pub(super) fn query_report(error: QueryError) -> Report {
    let help = match error {
        QueryError::Endless { .. } | QueryError::Long { .. } => "give --cells, or a greater --min",
        QueryError::Cells { .. } => "a cage has at least one cell",
        QueryError::Table { .. } | QueryError::Overflow => "give --cells, or a smaller --max",
    };
    miette!(help = help, "{error}")
}

/// The query of the cage that holds a cell of a puzzle; none when the puzzle could not be read.
///
/// # Errors
/// A report when there is no such cage, or neither it nor the arguments say what its digits make.
fn of_cage(args: &Args, file: &str, cell: &str) -> Result<Option<Request>, Report> {
    let (puzzle, _) = one_puzzle(file, args.id.as_deref(), Colors::AS_STATED)?;
    let Some(puzzle) = puzzle else { return Ok(None) };
    let help = "write the row's letter and the column's number: A1";
    let Some(cell) = parse_cell_name(cell) else {
        return Err(miette!(help = help, "`{cell}` is not the name of a cell"));
    };
    let group = group_at(args, &puzzle, cell)?;
    of_group(args, &puzzle, group).map(Some)
}

/// The index of the group with a clue that holds a cell.
fn group_at(args: &Args, puzzle: &Puzzle, cell: (usize, usize)) -> Result<usize, Report> {
    let place = cell_of("--cage", puzzle, cell)?;
    let (id, cell) = (&puzzle.id, cell_name(cell.0, cell.1));
    let (mut groups, mut meant) = (Vec::new(), Vec::new());
    for (index, group) in puzzle.groups().iter().enumerate() {
        if group.clue.is_none() || !group.cells.contains(&place) {
            continue;
        }
        groups.push(index);
        if is_meant(group, args) {
            meant.push(index);
        }
    }
    match (&*groups, &*meant) {
        ([], _) => {
            let help = "name a cell that belongs to a clue";
            Err(miette!(help = help, "cell {cell} of puzzle `{id}` lies in no cage"))
        }
        (&[group], _) | (_, &[group]) => Ok(group),
        _ => {
            let mut names = Vec::new();
            for index in &groups {
                names.push(format!("the {}", puzzle.group_name(&puzzle.groups()[*index])));
            }
            let help = "say which: `sum` and its number before --puzzle, or another cell";
            Err(miette!(help = help, "cell {cell} of puzzle `{id}` lies in {}", names.join(" and in ")))
        }
    }
}

fn of_group(args: &Args, puzzle: &Puzzle, index: usize) -> Result<Request, Report> {
    let group = &puzzle.groups()[index];
    let clue = group.clue.expect("the group was chosen for its clue");
    let own = match &*group.cells {
        // A given is a sum of one digit, and a product.
        [_] => Some(args.operation.unwrap_or(Fold::Sum)),
        _ => clue.operator.fold,
    };
    let operation = args.operation.or(own);
    let is_said = operation.is_some() && operation == own || clue.operator.is_hidden();
    let number = args.number.or(is_said.then_some(clue.target.unsigned_abs()));
    let (Some(operation), Some(number)) = (operation, number) else {
        let (id, group) = (&puzzle.id, puzzle.group_name(group));
        let help = "say what its digits make: `sum N` or `product N`";
        return Err(miette!(help = help, "the {group} of puzzle `{id}` is neither a sum nor a product"));
    };
    let digits: Vec<u64> = puzzle.digits().values().iter().map(|digit| u64::from(*digit)).collect();
    let (first, last) = (digits[0], digits[digits.len() - 1]);
    let min = args.min.map_or(first, |min| min.max(first));
    let max = args.max.map_or(last, |max| max.min(last));
    let without = (first..=last).filter(|digit| !digits.contains(digit)).collect();
    // A cage may bend over rows and columns that its digits must not repeat in.
    let shape = Shape::of_group(&Problem::compile(puzzle), index).map_err(bad_shape)?;
    let query = Query { min, max, without, ..Query::new(operation, number, Some(shape.cells())) };
    let places = group.cells.iter().map(|cell| (cell / puzzle.cols(), cell % puzzle.cols())).collect();
    Ok(Request::new(args, query, operation, Some(shape), Some(places)))
}

/// Of several clues over a cell: one of several cells, and such as the arguments say.
fn is_meant(group: &Group, args: &Args) -> bool {
    let Some(clue) = group.clue else { return false };
    group.cells.len() > 1
        && (args.operation.is_none() || args.operation == clue.operator.fold)
        && (args.number.is_none() || args.number == Some(clue.target.unsigned_abs()))
}
