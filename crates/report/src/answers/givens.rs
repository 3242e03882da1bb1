//! Givens added to a puzzle: `--with "A1=3,B2=5"`.

use std::str::FromStr;

use miette::Report;
use thiserror::Error;

use super::cells::digit_of;
use kenga_core::puzzle::{Group, Puzzle, Role, cell_name, parse_cell_name};

/// Digits for cells, each `(row, column, digit)`, no cell twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Givens(Vec<(usize, usize, u8)>);

/// Why a text is no list of givens.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GivensError {
    #[error(
        "`{0}` is not a cell and its digit; write `A1=3`: the row's letter, the column's number, `=`, the digit"
    )]
    Word(String),
    #[error("{cell} is given twice, as {first} and as {second}")]
    Twice { cell: String, first: u8, second: u8 },
    #[error("expected cells and their digits, such as `A1=3,B2=5`")]
    Nothing,
}

impl FromStr for Givens {
    type Err = GivensError;

    /// Reads `A1=3,B2=5`; commas, semicolons and blanks divide.
    fn from_str(text: &str) -> Result<Self, GivensError> {
        let mut givens: Vec<(usize, usize, u8)> = Vec::new();
        for word in text.split([',', ';', ' ']).filter(|word| !word.is_empty()) {
            let (row, column, digit) = given(word).ok_or_else(|| GivensError::Word(word.to_owned()))?;
            match givens.iter().find(|(r, c, _)| (*r, *c) == (row, column)) {
                Some(&(_, _, first)) if first != digit => {
                    return Err(GivensError::Twice { cell: cell_name(row, column), first, second: digit });
                }
                Some(_) => {}
                None => givens.push((row, column, digit)),
            }
        }
        if givens.is_empty() { Err(GivensError::Nothing) } else { Ok(Self(givens)) }
    }
}

impl Givens {
    /// The puzzle with these digits printed in its cells; what its rules say of them is left to the solver.
    ///
    /// # Errors
    /// A report that names the cell when it is outside or black, or when its digit is none of the puzzle's.
    pub fn add_to(&self, puzzle: Puzzle) -> Result<Puzzle, Report> {
        let given = |&(row, column, digit): &(usize, usize, u8)| {
            digit_of("--with", &puzzle, (row, column), u64::from(digit))
        };
        let givens = self.0.iter().map(given).collect::<Result<Vec<_>, _>>()?;
        Ok(puzzle.with_givens(&givens))
    }

    /// Says whether a group of the puzzle is one of these digits.
    pub(crate) fn holds(&self, puzzle: &Puzzle, group: &Group) -> bool {
        let is_it = |&(row, column, digit): &(usize, usize, u8)| {
            let target = group.clue.map(|clue| clue.target);
            group.cells == [row * puzzle.cols() + column] && target == Some(i64::from(digit))
        };
        group.role == Role::Given && self.0.iter().any(is_it)
    }
}

fn given(word: &str) -> Option<(usize, usize, u8)> {
    let (cell, digit) = word.split_once('=')?;
    let (row, column) = parse_cell_name(cell)?;
    Some((row, column, digit.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_digits_are_read_however_they_are_divided() {
        let expected = Ok(Givens(vec![(0, 0, 3), (1, 11, 5)]));
        for text in ["A1=3,B12=5", "a1=3 b12=5", "A1=3; B12=5, A1=3"] {
            assert_eq!(text.parse(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_given_is_named() {
        for word in ["A1", "A=3", "1=3", "A1=", "A1=x", "A1=300", "A0=1", "=3"] {
            assert_eq!(word.parse::<Givens>(), Err(GivensError::Word(word.to_owned())));
        }
        assert_eq!(" ,".parse::<Givens>(), Err(GivensError::Nothing));
        let twice = GivensError::Twice { cell: "A1".to_owned(), first: 3, second: 4 };
        assert_eq!("A1=3,A1=4".parse::<Givens>(), Err(twice));
    }
}
