//! The eight symmetries of the square: transposition, rotations, reflections.
//!
//! A Kakuro whose first row and column are black keeps them first: they hold the sums of the entries beside and below. Of
//! queens the board turns, whose rows are the digits.

use super::Refusal;
use super::digits::{Names, relabelled};
use super::image::{Motion, named_as, white_cells};
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
    pub(super) fn all() -> [Self; 8] {
        let mut all = [Self::default(); 8];
        for (number, turn) in all.iter_mut().enumerate() {
            turn.transposed = number & 1 != 0;
            turn.upside_down = number & 2 != 0;
            turn.reversed = number & 4 != 0;
        }
        all
    }

    /// This and then another.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        // A transposition makes of the last row first the last column first.
        let Self { mut upside_down, mut reversed, .. } = self;
        if next.transposed {
            std::mem::swap(&mut upside_down, &mut reversed);
        }
        Self {
            transposed: self.transposed != next.transposed,
            upside_down: upside_down != next.upside_down,
            reversed: reversed != next.reversed,
        }
    }

    /// Rows and columns of what becomes of such a rectangle.
    fn shape(self, shape: (usize, usize)) -> (usize, usize) {
        if self.transposed { (shape.1, shape.0) } else { shape }
    }

    /// Where a cell, row and column, of a rectangle of so many rows and columns goes.
    pub(crate) fn place(self, shape: (usize, usize), cell: (usize, usize)) -> (usize, usize) {
        let (rows, columns) = self.shape(shape);
        let (mut row, mut column) = if self.transposed { (cell.1, cell.0) } else { cell };
        if self.upside_down {
            row = rows - 1 - row;
        }
        if self.reversed {
            column = columns - 1 - column;
        }
        (row, column)
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
        let mut edge = (0..rows * columns).filter(|cell| *cell < columns || cell % columns == 0);
        let is_framed = rows > 1 && columns > 1 && edge.all(|cell| puzzle.is_black(cell));
        let frame = usize::from(is_framed);
        Self { from: (frame, frame), shape: (rows - frame, columns - frame), frame }
    }

    /// The least rectangle with all white cells; where it is not all there is, a black row and column before it.
    pub(super) fn trimmed(puzzle: &Puzzle) -> Self {
        let columns = puzzle.cols();
        let white = white_cells(puzzle);
        if white.is_empty() {
            return Self::of(puzzle);
        }
        let (mut top, mut left, mut bottom, mut right) = (usize::MAX, usize::MAX, 0, 0);
        for cell in &white {
            let (row, column) = (cell / columns, cell % columns);
            (top, bottom) = (top.min(row), bottom.max(row));
            (left, right) = (left.min(column), right.max(column));
        }
        let shape = (bottom + 1 - top, right + 1 - left);
        let frame = usize::from(white.len() < puzzle.rows() * columns);
        Self { from: (top, left), shape, frame }
    }

    /// The motion that turns it.
    pub(super) fn motion(&self, puzzle: &Puzzle, turn: Turn) -> Motion {
        let shape = turn.shape(self.shape);
        let shape = (shape.0 + self.frame, shape.1 + self.frame);
        Motion::new(puzzle, shape, turn.transposed, &|row, column| {
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
    let (mut same, mut others) = (Vec::new(), Vec::new());
    for group in puzzle.groups_with(Role::Given) {
        let row = group.clue.ok_or(Refusal::Board)?.target;
        same.push((0, group.cells[0], row as u8));
        others.extend(queen(size, group.cells[0], row));
    }
    // Only a board that its queens alone make, all of them on it, is one whose other groups turn with it.
    let is_board =
        others.len() == same.len() && board(size, same).is_some_and(|same| same.groups() == puzzle.groups());
    if !is_board {
        return Err(Refusal::Board);
    }
    let mut image = named_as(puzzle, board(size, others).ok_or(Refusal::Board)?);
    image.solution = puzzle.solution.as_ref().and_then(|solution| exchanged_queens(size, solution));
    Ok(image)
}

/// The board of some queens.
fn board(size: usize, givens: Vec<(usize, usize, u8)>) -> Option<Puzzle> {
    Queens { givens, ..Queens::new(size) }.build().ok()
}

/// The queen that a queen becomes where rows and columns are exchanged; none for one outside the board.
fn queen(size: usize, column: usize, row: i64) -> Option<(usize, usize, u8)> {
    let row = usize::try_from(row).ok()?;
    (1..=size).contains(&row).then(|| (0, row - 1, column as u8 + 1))
}

fn exchanged_queens(size: usize, solution: &Grid) -> Option<Grid> {
    let mut other = Grid::empty(1, size);
    for (column, row) in solution.cells().iter().enumerate() {
        let Some(row) = row else { continue };
        let (_, place, digit) = queen(size, column, i64::from(*row))?;
        if other.get(place).is_some() {
            return None;
        }
        other.set(place, Some(digit));
    }
    Some(other)
}
