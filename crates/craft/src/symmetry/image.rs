//! A puzzle with its cells in other places.

use super::clue::reversed;
use kenga_core::puzzle::{Grid, Group, Puzzle, Role};

/// Where each white cell of a puzzle goes. Black cells go nowhere: whatever no white cell goes to is black.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    /// Rows and columns of the image.
    pub(super) shape: (usize, usize),
    /// The row-major index in the image of every cell.
    pub(super) to: Vec<usize>,
    /// Rows become columns.
    pub(super) transposed: bool,
}

impl Motion {
    /// The motion that takes the cell in a row and column to another.
    pub(super) fn new(
        puzzle: &Puzzle,
        shape: (usize, usize),
        transposed: bool,
        place: impl Fn(usize, usize) -> (usize, usize),
    ) -> Self {
        let cols = puzzle.cols();
        let to = |cell: usize| {
            let (row, column) = place(cell / cols, cell % cols);
            row * shape.1 + column
        };
        let white = |cell: usize| if puzzle.is_black(cell) { usize::MAX } else { to(cell) };
        Self { shape, to: (0..puzzle.rows() * cols).map(white).collect(), transposed }
    }

    /// The puzzle with its cells, groups and solution in their new places; its id and meta stay.
    pub(super) fn image(&self, puzzle: &Puzzle) -> Puzzle {
        let mut black = vec![true; self.shape.0 * self.shape.1];
        let white = || (0..self.to.len()).filter(|cell| !puzzle.is_black(*cell));
        white().for_each(|cell| black[self.to[cell]] = false);
        let groups = puzzle.groups().iter().map(|group| self.group(group)).collect();
        let digits = puzzle.digits().clone();
        let image = Puzzle::new(puzzle.kind, self.shape, digits, black, groups);
        let mut image = image.expect("the groups of a puzzle in other white cells");
        image.id.clone_from(&puzzle.id);
        image.meta.clone_from(&puzzle.meta);
        image.solution = puzzle.solution.as_ref().map(|solution| {
            let mut moved = Grid::empty(self.shape.0, self.shape.1);
            white().for_each(|cell| moved.set(self.to[cell], solution.get(cell)));
            moved
        });
        image
    }

    /// A group in its new place, its cells ascending.
    pub(super) fn group(&self, group: &Group) -> Group {
        let mut cells: Vec<usize> = group.cells.iter().map(|cell| self.to[*cell]).collect();
        let in_order = cells.is_sorted();
        cells.sort_unstable();
        let clue = group.clue.map(|clue| if in_order { clue } else { reversed(clue) });
        let role = match group.role {
            Role::Row if self.transposed => Role::Column,
            Role::Column if self.transposed => Role::Row,
            role => role,
        };
        Group { role, cells, distinct: group.distinct, clue }
    }
}
