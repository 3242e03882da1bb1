//! Grids of digits, and the names of cells.

use std::fmt;

use thiserror::Error;

/// Row and column, from 0.
pub(super) type Position = (usize, usize);

/// The row and column of a row-major index.
pub(super) fn position(cell: usize, cols: usize) -> Position {
    (cell / cols, cell % cols)
}

/// The rows and columns of row-major indices.
pub(super) fn positions(cells: &[usize], cols: usize) -> Vec<Position> {
    cells.iter().map(|cell| position(*cell, cols)).collect()
}

/// The row-major indices of rows and columns.
pub(super) fn indices(cells: &[Position], cols: usize) -> Vec<usize> {
    cells.iter().map(|(row, column)| row * cols + column).collect()
}

/// Says whether two cells share an edge.
pub(super) fn are_neighbours(one: Position, other: Position) -> bool {
    one.0.abs_diff(other.0) + one.1.abs_diff(other.1) == 1
}

/// A digit, or nothing, in every cell of a rectangle; row-major.
///
/// Its text is `4 1 2 3/1 4 3 2/…`: `/` separates rows, a space separates cells, `.` is a cell without a digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    rows: usize,
    cols: usize,
    cells: Vec<Option<u8>>,
}

/// Why a text is not a grid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GridError {
    /// A cell that is neither a number from 0 to 255 nor `.`.
    #[error("`{word}` in row {row}, column {column} is not a digit (a number up to 255, or `.` for none)")]
    Word {
        /// The text of the cell.
        word: String,
        /// The row, from 1.
        row: usize,
        /// The column, from 1.
        column: usize,
    },
    /// A row with another number of cells than the puzzle has columns.
    #[error("row {row} has {}, expected {expected}", cells_in_words(*found))]
    Ragged {
        /// The row, from 1.
        row: usize,
        /// Its cells.
        found: usize,
        /// The puzzle's columns.
        expected: usize,
    },
    /// Another number of rows than the puzzle has.
    #[error("expected {expected} rows, found {found}")]
    Rows {
        /// Its rows.
        found: usize,
        /// The puzzle's rows.
        expected: usize,
    },
}

impl Grid {
    /// A grid without digits.
    pub fn empty(rows: usize, cols: usize) -> Self {
        Self { rows, cols, cells: vec![None; rows * cols] }
    }

    /// A grid from `rows * cols` cells, row-major.
    ///
    /// # Panics
    /// When `cells` has another length.
    pub fn from_cells(rows: usize, cols: usize, cells: Vec<Option<u8>>) -> Self {
        assert_eq!(cells.len(), rows * cols, "a grid has rows * cols cells");
        Self { rows, cols, cells }
    }

    /// Reads a grid of the given shape. Rows end at `/` or a line break, cells at spaces, commas or `|`; rules such as
    /// `--+--` are skipped. A row without separators (`4123`) has one character per cell.
    ///
    /// # Errors
    /// [`GridError`] when the shape or a cell is not as expected.
    pub fn parse(text: &str, rows: usize, cols: usize) -> Result<Self, GridError> {
        let lines = Self::lines(text);
        // Rules are gone by now: what is left are rows.
        if lines.len() != rows {
            return Err(GridError::Rows { found: lines.len(), expected: rows });
        }
        let mut cells = Vec::with_capacity(rows * cols);
        for (row, line) in lines.iter().enumerate() {
            let words = split_row(line, cols);
            if words.len() != cols {
                return Err(GridError::Ragged { row: row + 1, found: words.len(), expected: cols });
            }
            for (column, word) in words.into_iter().enumerate() {
                match parse_cell(&word) {
                    Some(cell) => cells.push(cell),
                    None => return Err(GridError::Word { word, row: row + 1, column: column + 1 }),
                }
            }
        }
        Ok(Self { rows, cols, cells })
    }

    /// The rows of a text that [`parse`](Self::parse) reads, as slices of the text.
    pub fn lines(text: &str) -> Vec<&str> {
        text.split(['/', '\n']).map(str::trim).filter(|line| !is_rule(line)).collect()
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The cells, row-major.
    pub fn cells(&self) -> &[Option<u8>] {
        &self.cells
    }

    /// The digit in the cell with this row-major index.
    ///
    /// # Panics
    /// When the grid has no such cell.
    pub fn get(&self, cell: usize) -> Option<u8> {
        self.cells[cell]
    }

    /// Writes a digit, or nothing, into a cell.
    ///
    /// # Panics
    /// When the grid has no such cell.
    pub fn set(&mut self, cell: usize, digit: Option<u8>) {
        self.cells[cell] = digit;
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, cell) in self.cells.iter().enumerate() {
            if index > 0 {
                f.write_str(if index.is_multiple_of(self.cols) { "/" } else { " " })?;
            }
            match cell {
                Some(digit) => write!(f, "{digit}")?,
                None => f.write_str(".")?,
            }
        }
        Ok(())
    }
}

/// The name of a cell: its row as letters (A to Z, then AA), its column from 1.
pub fn cell_name(row: usize, column: usize) -> String {
    let mut letters = String::new();
    let mut rest = row + 1;
    // Letters count like the columns of spreadsheets: there is no digit 0, so that AA follows Z.
    while rest > 0 {
        letters.insert(0, char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    format!("{letters}{}", column + 1)
}

/// Reads a cell's name such as `A1`, in either case, as `(row, column)` from 0.
pub fn parse_cell_name(name: &str) -> Option<(usize, usize)> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, number) = name.split_at(digits);
    // More letters name rows beyond every grid, and could overflow.
    if letters.is_empty() || letters.len() > 3 || !letters.bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let mut row = 0;
    for letter in letters.bytes() {
        row = row * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1;
    }
    let column: usize = number.parse().ok()?;
    Some((row - 1, column.checked_sub(1)?))
}

/// A number of cells: `1 cell`, `4 cells`.
pub(super) fn cells_in_words(count: usize) -> String {
    format!("{count} cell{}", if count == 1 { "" } else { "s" })
}

fn is_rule(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '-' | '+' | '=' | '|' | ' '))
}

fn split_row(line: &str, cols: usize) -> Vec<String> {
    let mut words = Vec::new();
    for word in line.split(|c: char| c.is_whitespace() || matches!(c, ',' | '|')) {
        if !word.is_empty() {
            words.push(word.to_owned());
        }
    }
    // A row without separators; in a single column `12` is one number.
    if words.len() == 1 && cols > 1 && words[0].chars().count() == cols {
        return words[0].chars().map(String::from).collect();
    }
    words
}

/// The digit in a cell, or nothing; `None` where the word is neither.
fn parse_cell(word: &str) -> Option<Option<u8>> {
    if matches!(word, "." | "_") {
        return Some(None);
    }
    let digit = word.parse().ok()?;
    Some(Some(digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let text = "4 1 . 3/1 12 3 2";
        let grid = Grid::parse(text, 2, 4).expect("a 2x4 grid");
        assert_eq!(grid.to_string(), text);
        assert_eq!(grid.get(5), Some(12));
    }

    #[test]
    fn lines_rules_and_packed_rows_are_read() {
        let ruled = Grid::parse("1 | 2\n--+--\n2 | 1\n", 2, 2).expect("two ruled rows");
        assert_eq!(ruled, Grid::parse("12/21", 2, 2).expect("two packed rows"));
    }

    #[test]
    fn a_wrong_shape_or_word_is_named() {
        assert_eq!(Grid::parse("1 2", 2, 2), Err(GridError::Rows { found: 1, expected: 2 }));
        let ragged = GridError::Ragged { row: 2, found: 1, expected: 2 };
        assert_eq!(ragged.to_string(), "row 2 has 1 cell, expected 2");
        assert_eq!(Grid::parse("1 2/1", 2, 2), Err(ragged));
        let word = GridError::Word { word: "x".to_owned(), row: 1, column: 2 };
        assert_eq!(Grid::parse("1 x/2 1", 2, 2), Err(word));
    }

    #[test]
    fn cell_names_round_trip_past_z() {
        for row in [0, 1, 25, 26, 149] {
            assert_eq!(parse_cell_name(&cell_name(row, 9)), Some((row, 9)));
        }
        assert_eq!(cell_name(26, 0), "AA1");
        assert_eq!(parse_cell_name("a0"), None);
        assert_eq!(parse_cell_name("7"), None);
    }
}
