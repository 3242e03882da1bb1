//! Lists of cells, with digits or without, as options name them.

use std::str::FromStr;

use miette::Report;
use thiserror::Error;

use kenga_core::puzzle::{Puzzle, cell_name, parse_cell_name};
use kenga_report::answers::{cell_of, digit_of};

/// What is wrong with a list.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum CellListError {
    #[error("`{0}` is no cell; expected names such as `A1,B2`, a row's letter and a column's number")]
    Cell(String),
    #[error("`{0}` is no cell with a digit; expected `A1=3,B2=5`")]
    Digit(String),
    #[error("expected a cell before and after each comma")]
    Empty,
    #[error("{0} is named twice")]
    Twice(String),
}

/// A cell, `(row, column)` from 0.
type NamedPlace = (usize, usize);

/// Cells, each once: `A1,B2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellList(Vec<NamedPlace>);

/// Cells and digits, each pair once: `A1=3,B2=5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DigitList(Vec<(NamedPlace, u64)>);

impl FromStr for CellList {
    type Err = CellListError;

    fn from_str(text: &str) -> Result<Self, CellListError> {
        let cell = |word: &str| parse_cell_name(word).ok_or_else(|| CellListError::Cell(word.to_owned()));
        items(text, cell, |(row, column)| cell_name(*row, *column)).map(Self)
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
        items(text, read, |((row, column), digit)| format!("{}={digit}", cell_name(*row, *column))).map(Self)
    }
}

/// The items of a list, none twice; commas, semicolons and blanks divide.
fn items<T: PartialEq>(
    text: &str,
    read: impl Fn(&str) -> Result<T, CellListError>,
    name: impl Fn(&T) -> String,
) -> Result<Vec<T>, CellListError> {
    let mut items = Vec::new();
    for part in text.split([',', ';']) {
        if part.trim().is_empty() {
            return Err(CellListError::Empty);
        }
        for word in part.split_whitespace() {
            let item = read(word)?;
            if items.contains(&item) {
                return Err(CellListError::Twice(name(&item)));
            }
            items.push(item);
        }
    }
    Ok(items)
}

impl CellList {
    /// The row-major indices in a puzzle.
    ///
    /// # Errors
    /// A report that names the option when the puzzle has no such cell.
    pub(super) fn of(&self, option: &str, puzzle: &Puzzle) -> Result<Vec<usize>, Report> {
        self.0.iter().map(|place| cell_of(option, puzzle, *place)).collect()
    }
}

impl DigitList {
    /// The row-major indices in a puzzle, with the digits.
    ///
    /// # Errors
    /// A report that names the option when the puzzle has no such cell or digit.
    pub(super) fn of(&self, option: &str, puzzle: &Puzzle) -> Result<Vec<(usize, u8)>, Report> {
        self.0.iter().map(|(place, digit)| digit_of(option, puzzle, *place, *digit)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_digits_are_read_however_they_are_divided() {
        assert_eq!("A1, b12".parse(), Ok(CellList(vec![(0, 0), (1, 11)])));
        assert_eq!("A1 B2".parse(), Ok(CellList(vec![(0, 0), (1, 1)])));
        assert_eq!("A1=3;A1=10".parse(), Ok(DigitList(vec![((0, 0), 3), ((0, 0), 10)])));
    }

    #[test]
    fn what_is_no_cell_is_named() {
        assert_eq!("A1,7".parse::<CellList>(), Err(CellListError::Cell("7".to_owned())));
        assert_eq!("A1=3,A2".parse::<DigitList>(), Err(CellListError::Digit("A2".to_owned())));
    }

    #[test]
    fn nothing_stands_between_commas_and_nothing_twice() {
        for text in ["", "A1,,B2", "A1,", ";A1"] {
            assert_eq!(text.parse::<CellList>(), Err(CellListError::Empty), "{text}");
        }
        assert_eq!("A1,B2,a1".parse::<CellList>(), Err(CellListError::Twice("A1".to_owned())));
        assert_eq!("A1=3,A1=3".parse::<DigitList>(), Err(CellListError::Twice("A1=3".to_owned())));
    }
}
