//! What is asked for: the query and the shape, from the arguments.

use miette::{Diagnostic, Report};
use serde_json::{Value, json};
use thiserror::Error;

use super::cage::Cage;
use super::{Args, Operation};
use crate::partitions::{Query, QueryError, Shape, ShapeError};

/// The greatest digit of most puzzles.
const NINE: u64 = 9;

/// Arguments that ask for nothing sensible.
#[derive(Debug, Error, Diagnostic)]
enum BadWish {
    #[error("the least digit {min} is above the greatest, {max}")]
    #[diagnostic(help("with a number of cells digits go to 9 unless --max says otherwise"))]
    Range { min: u64, max: u64 },
    #[error(transparent)]
    #[diagnostic(help("write the columns of each row as letters, rows divided by `/`: AB/AC"))]
    Shape(ShapeError),
    #[error(transparent)]
    #[diagnostic(help("give --cells, or a greater --min"))]
    Long(QueryError),
    #[error(transparent)]
    #[diagnostic(help("give --cells, or a smaller --max"))]
    Great(QueryError),
    #[error(transparent)]
    #[diagnostic(help("a cage has at least one cell"))]
    Cells(QueryError),
}

/// A query, and the shape that its multisets have to fit.
pub(super) struct Wish {
    pub(super) query: Query,
    /// Cells of which some, but not all, must differ.
    pub(super) shape: Option<Shape>,
    operation: Operation,
    /// The cells, `[row, column]` from 0, where they are known.
    places: Option<Vec<(usize, usize)>>,
}

/// What the arguments ask for; none when the puzzle could not be read.
///
/// # Errors
/// A report when they make no sense together, or the puzzle has no such cage.
pub(super) fn of(args: &Args) -> Result<Option<Wish>, Report> {
    let wish = match (&args.puzzle, &args.cage) {
        (Some(file), Some(cell)) => match Cage::read(file, args.id.as_deref(), cell, args)? {
            Some(cage) => of_cage(args, cage)?,
            None => return Ok(None),
        },
        _ => of_cells(args)?,
    };
    if wish.query.min > wish.query.max
        && (args.min.is_some() && (args.max.is_some() || wish.query.cells.is_some()))
    {
        return Err(BadWish::Range { min: wish.query.min, max: wish.query.max }.into());
    }
    Ok(Some(wish))
}

fn of_cells(args: &Args) -> Result<Wish, Report> {
    let operation = args.operation.expect("it is required without a puzzle");
    let number = args.number.expect("it is required without a puzzle");
    let places = args.shape.as_deref().map(Shape::parse).transpose().map_err(BadWish::Shape)?;
    let shape = places.as_deref().map(Shape::in_lines).transpose().map_err(BadWish::Shape)?;
    let cells = shape.as_ref().map(Shape::cells).or(args.cells);
    let query = Query::new(operation.fold(), number, cells);
    let max = args.max.unwrap_or(if cells.is_some() { NINE } else { query.max });
    let query = Query { min: args.min.unwrap_or(query.min), max, ..query };
    Ok(Wish::new(args, query, operation, shape, places))
}

fn of_cage(args: &Args, cage: Cage) -> Result<Wish, Report> {
    let (Some(&first), Some(&last)) = (cage.digits.first(), cage.digits.last()) else {
        unreachable!("a puzzle has digits");
    };
    let min = args.min.map_or(first, |min| min.max(first));
    let max = args.max.map_or(last, |max| max.min(last));
    let without = (first..=last).filter(|digit| !cage.digits.contains(digit)).collect();
    let shape = cage.shape.map_err(BadWish::Shape)?;
    let query = Query::new(cage.operation.fold(), cage.number, Some(shape.cells()));
    let query = Query { min, max, without, ..query };
    Ok(Wish::new(args, query, cage.operation, Some(shape), Some(cage.places)))
}

impl Wish {
    fn new(
        args: &Args,
        mut query: Query,
        operation: Operation,
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

    /// What is asked for, for people.
    pub(super) fn in_words(&self) -> String {
        let query = &self.query;
        let cells = match query.cells {
            Some(1) => "one digit".to_owned(),
            Some(cells) => format!("{cells} digits"),
            None => "digits".to_owned(),
        };
        let different = if query.distinct { "different " } else { "" };
        let cells = cells.replace("digits", &format!("{different}digits"));
        let without: Vec<String> = query.without.iter().map(u64::to_string).collect();
        let without =
            if without.is_empty() { String::new() } else { format!(" without {}", without.join(",")) };
        let fitting = if self.shape.is_some() { " that fits the cage" } else { "" };
        format!(
            "{cells} from {} to {}{without} with the {} {}{fitting}",
            query.min,
            query.max,
            self.operation.name(),
            query.number
        )
    }

    /// What is asked for, for programs.
    pub(super) fn json(&self) -> Value {
        let query = &self.query;
        json!({
            "operation": self.operation.name(),
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
pub(super) fn refused(error: QueryError) -> Report {
    match error {
        QueryError::Endless { .. } | QueryError::Long { .. } => BadWish::Long(error).into(),
        QueryError::Cells { .. } => BadWish::Cells(error).into(),
        QueryError::Table { .. } | QueryError::Overflow => BadWish::Great(error).into(),
    }
}
