//! The size of a puzzle, and what is given.

use super::column;
use crate::features::FeatureKind::{Count, Share, Word};
use crate::features::{FeatureColumn, FeatureFamily, FeatureOrder, FeatureValue, Subject};

pub(in crate::features) const FAMILY: FeatureFamily =
    FeatureFamily { name: "shape", about: "its size, and what is given", is_slow: false, columns, values };

fn columns(_: &FeatureOrder) -> Vec<FeatureColumn> {
    vec![
        column("kind", Word, "its kind: kenken, kakuro, sudoku, …").shown(),
        column("rows", Count, "rows of the grid"),
        column("cols", Count, "columns of the grid"),
        column("cells", Count, "cells that hold a digit").shown(),
        column("digits", Count, "digits that a cell may hold"),
        column("givens", Share, "cells whose digit is given, of all cells"),
        column("candidates_given", Share, "candidates that givens leave, of all digits of all cells"),
    ]
}

fn values(of: &Subject<'_>) -> Vec<FeatureValue> {
    let (cells, digits) = (of.problem.cells(), of.problem.digits());
    let givens = (0..cells).filter(|cell| of.problem.given(*cell).is_some()).count();
    vec![
        FeatureValue::Word(of.puzzle.kind.name().to_owned()),
        FeatureValue::count(of.puzzle.rows()),
        FeatureValue::count(of.puzzle.cols()),
        FeatureValue::count(cells),
        FeatureValue::count(digits),
        FeatureValue::share(givens, cells),
        FeatureValue::share(givens + (cells - givens) * digits, cells * digits),
    ]
}
