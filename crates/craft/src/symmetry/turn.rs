//! The eight symmetries of the square: transposition, rotations, reflections.
//!
//! A Kakuro whose first row and column are black keeps them first: they hold the sums of the entries beside and below. Of
//! queens the board turns, whose rows are the digits.

use super::Refusal;
use super::digits::{Names, relabelled};
use super::image::Motion;
use kenga_core::puzzle::{Grid, Kind, Puzzle, Queens, Role};

/// A symmetry of the square: transposed or not, then upside down or not, then with its columns in reverse or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    pub(super) transposed: bool,
    /// The last row first.
    pub(super) upside_down: bool,
    /// The last column first.
    pub(super) reversed: bool,
}

impl Turn {
    /// Rows become columns.
    pub const TRANSPOSE: Self = Self { transposed: true, upside_down: false, reversed: false };
    /// The last row first.
    pub const MIRROR_ROWS: Self = Self { transposed: false, upside_down: true, reversed: false };
    /// The last column first.
    pub const MIRROR_COLUMNS: Self = Self { transposed: false, upside_down: false, reversed: true };
    /// A quarter turn clockwise.
    pub const QUARTER: Self = Self { transposed: true, upside_down: false, reversed: true };

    /// Half a turn.
    pub(crate) const HALF: Self = Self { transposed: false, upside_down: true, reversed: true };
    /// A quarter turn the other way.
    pub(crate) const QUARTER_BACK: Self = Self { transposed: true, upside_down: true, reversed: false };

    /// All eight.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let bit = |number: u8, at: u8| number >> at & 1 == 1;
        (0..8).map(move |number| Self {
            transposed: bit(number, 0),
            upside_down: bit(number, 1),
            reversed: bit(number, 2),
        })
    }

    /// This and then another.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let (upside_down, reversed) = match next.transposed {
            true => (self.reversed, self.upside_down),
            false => (self.upside_down, self.reversed),
        };
        Self {
            transposed: self.transposed != next.transposed,
            upside_down: upside_down != next.upside_down,
            reversed: reversed != next.reversed,
        }
    }

    /// Rows and columns of what becomes of such a rectangle.
    fn shape(self, (rows, columns): (usize, usize)) -> (usize, usize) {
        if self.transposed { (columns, rows) } else { (rows, columns) }
    }

    /// Where a cell, row and column, of a rectangle of so many rows and columns goes.
    pub(crate) fn place(self, shape: (usize, usize), (row, column): (usize, usize)) -> (usize, usize) {
        let (rows, columns) = self.shape(shape);
        let (row, column) = if self.transposed { (column, row) } else { (row, column) };
        let row = if self.upside_down { rows - 1 - row } else { row };
        (row, if self.reversed { columns - 1 - column } else { column })
    }
}

/// The part of a grid that turns, and how many black rows and columns then stand before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// First row and column.
    from: (usize, usize),
    shape: (usize, usize),
    frame: usize,
}

impl Window {
    /// The whole grid, but for a first row and column that are both black.
    pub(super) fn of(puzzle: &Puzzle) -> Self {
        let (rows, columns) = (puzzle.rows(), puzzle.cols());
        let is_framed = rows > 1
            && columns > 1
            && (0..columns).all(|column| puzzle.is_black(column))
            && (0..rows).all(|row| puzzle.is_black(row * columns));
        let frame = usize::from(is_framed);
        Self { from: (frame, frame), shape: (rows - frame, columns - frame), frame }
    }

    /// The least rectangle with all white cells; where it is not all there is, a black row and column before it.
    pub(super) fn trimmed(puzzle: &Puzzle) -> Self {
        let columns = puzzle.cols();
        let white: Vec<(usize, usize)> = (0..puzzle.rows() * columns)
            .filter(|cell| !puzzle.is_black(*cell))
            .map(|cell| (cell / columns, cell % columns))
            .collect();
        let span = |of: fn(&(usize, usize)) -> usize| {
            Some((white.iter().map(of).min()?, white.iter().map(of).max()?))
        };
        let (Some((top, bottom)), Some((left, right))) = (span(|cell| cell.0), span(|cell| cell.1)) else {
            return Self::of(puzzle);
        };
        let shape = (bottom + 1 - top, right + 1 - left);
        let frame = usize::from(white.len() < puzzle.rows() * columns);
        Self { from: (top, left), shape, frame }
    }

    /// The motion that turns it.
    pub(super) fn motion(&self, puzzle: &Puzzle, turn: Turn) -> Motion {
        let shape = turn.shape(self.shape);
        let shape = (shape.0 + self.frame, shape.1 + self.frame);
        Motion::new(puzzle, shape, turn.transposed, |row, column| {
            let inside = (row - self.from.0, column - self.from.1);
            let (row, column) = turn.place(self.shape, inside);
            (row + self.frame, column + self.frame)
        })
    }
}

/// The puzzle turned.
///
/// # Errors
/// [`Refusal::Graph`] for a graph; [`Refusal::Board`] for queens that cannot change rows and columns.
pub fn turned(puzzle: &Puzzle, turn: Turn) -> Result<Puzzle, Refusal> {
    match puzzle.kind {
        Kind::Coloring => Err(Refusal::Graph),
        Kind::Queens => turned_board(puzzle, turn),
        _ => Ok(Window::of(puzzle).motion(puzzle, turn).image(puzzle)),
    }
}

/// Queens on the turned board: its rows are digits.
fn turned_board(puzzle: &Puzzle, turn: Turn) -> Result<Puzzle, Refusal> {
    let mut puzzle = if turn.transposed { exchanged(puzzle)? } else { puzzle.clone() };
    if turn.upside_down {
        puzzle = relabelled(&puzzle, &Names::Complement)?;
    }
    let across = Turn { reversed: turn.reversed, ..Turn::default() };
    Ok(Window::of(&puzzle).motion(&puzzle, across).image(&puzzle))
}

/// Queens whose columns are what their rows were, and the other way round. A solution in which two share a row is dropped.
fn exchanged(puzzle: &Puzzle) -> Result<Puzzle, Refusal> {
    let size = puzzle.cols();
    let queen = |column: usize, row: i64| {
        let row = usize::try_from(row).ok().filter(|row| (1..=size).contains(row))?;
        Some((0, row - 1, column as u8 + 1))
    };
    let board = |givens| Queens { givens, ..Queens::new(size) }.build().ok();
    let all: Option<Vec<(usize, i64)>> =
        puzzle.groups_with(Role::Given).map(|group| Some((group.cells[0], group.clue?.target))).collect();
    let all = all.ok_or(Refusal::Board)?;
    let same = all.iter().map(|(column, row)| (0, *column, *row as u8)).collect();
    if board(same).is_none_or(|same| same.groups() != puzzle.groups()) {
        return Err(Refusal::Board);
    }
    let others: Option<Vec<_>> = all.iter().map(|(column, row)| queen(*column, *row)).collect();
    let mut image = others.and_then(board).ok_or(Refusal::Board)?;
    image.id.clone_from(&puzzle.id);
    image.meta.clone_from(&puzzle.meta);
    image.solution = puzzle.solution.as_ref().and_then(|solution| {
        let mut other = Grid::empty(1, size);
        for (column, row) in solution.cells().iter().enumerate() {
            let Some(row) = row else { continue };
            let (_, place, digit) = queen(column, i64::from(*row))?;
            if other.get(place).is_some() {
                return None;
            }
            other.set(place, Some(digit));
        }
        Some(other)
    });
    Ok(image)
}
