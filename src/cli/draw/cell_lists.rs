//! Lists of cells, with digits or without, as options name them.

use std::str::FromStr;

use miette::Report;
use thiserror::Error;

use crate::cli::io::input::cell_of;
use crate::puzzle::{Puzzle, parse_cell_name};

/// What is wrong with a list.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum CellListError {
    #[error("`{0}` is no cell; expected names such as `A1,B2`, a row's letter and a column's number")]
    Cell(String),
    #[error("`{0}` is no cell with a digit; expected `A1=3,B2=5`")]
    Digit(String),
}

/// Cells, `(row, column)` from 0: `A1,B2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellList(Vec<(usize, usize)>);

/// Cells and digits: `A1=3,B2=5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DigitList(Vec<((usize, usize), u8)>);

/// The words of a list; commas, semicolons and blanks divide.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', ' ']).filter(|word| !word.is_empty())
}

impl FromStr for CellList {
    type Err = CellListError;

    fn from_str(text: &str) -> Result<Self, CellListError> {
        let cell = |word: &str| parse_cell_name(word).ok_or_else(|| CellListError::Cell(word.to_owned()));
        words(text).map(cell).collect::<Result<_, _>>().map(Self)
    }
}

impl FromStr for DigitList {
    type Err = CellListError;

    fn from_str(text: &str) -> Result<Self, CellListError> {
        let pair = |word: &str| {
            let (cell, digit) = word.split_once('=')?;
            Some((parse_cell_name(cell)?, digit.parse().ok()?))
        };
        let read = |word: &str| pair(word).ok_or_else(|| CellListError::Digit(word.to_owned()));
        words(text).map(read).collect::<Result<_, _>>().map(Self)
    }
}

impl CellList {
    /// The row-major indices in a puzzle.
    ///
    /// # Errors
    /// A report when the puzzle has no such cell.
    pub(super) fn of(&self, puzzle: &Puzzle) -> Result<Vec<usize>, Report> {
        self.0.iter().map(|cell| cell_of(puzzle, *cell)).collect()
    }
}

impl DigitList {
    /// The row-major indices in a puzzle, with the digits.
    ///
    /// # Errors
    /// A report when the puzzle has no such cell.
    pub(super) fn of(&self, puzzle: &Puzzle) -> Result<Vec<(usize, u8)>, Report> {
        self.0.iter().map(|(cell, digit)| Ok((cell_of(puzzle, *cell)?, *digit))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_digits_are_read_however_they_are_divided() {
        assert_eq!("A1, b12".parse(), Ok(CellList(vec![(0, 0), (1, 11)])));
        assert_eq!("A1=3;B2=10".parse(), Ok(DigitList(vec![((0, 0), 3), ((1, 1), 10)])));
    }

    #[test]
    fn what_is_no_cell_is_named() {
        assert_eq!("A1,7".parse::<CellList>(), Err(CellListError::Cell("7".to_owned())));
        assert_eq!("A1=3,A2".parse::<DigitList>(), Err(CellListError::Digit("A2".to_owned())));
    }
}
