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
        place: &dyn Fn(usize, usize) -> (usize, usize),
    ) -> Self {
        let cols = puzzle.cols();
        let mut to = vec![usize::MAX; puzzle.rows() * cols];
        for cell in white_cells(puzzle) {
            let (row, column) = place(cell / cols, cell % cols);
            to[cell] = row * shape.1 + column;
        }
        Self { shape, to, transposed }
    }

    /// The motion that takes each white cell, in ascending order, to another place.
    pub(super) fn of_white_cells(puzzle: &Puzzle, places: &[usize]) -> Self {
        let shape = (puzzle.rows(), puzzle.cols());
        let mut to = vec![usize::MAX; shape.0 * shape.1];
        for (cell, place) in white_cells(puzzle).iter().zip(places) {
            to[*cell] = *place;
        }
        Self { shape, to, transposed: false }
    }

    /// The puzzle with its cells, groups and solution in their new places; its id and meta stay.
    pub(super) fn image(&self, puzzle: &Puzzle) -> Puzzle {
        let white = white_cells(puzzle);
        let mut black = vec![true; self.shape.0 * self.shape.1];
        for cell in &white {
            black[self.to[*cell]] = false;
        }
        let mut groups = Vec::new();
        for group in puzzle.groups() {
            groups.push(self.group(group));
        }
        let image = Puzzle::new(puzzle.kind, self.shape, puzzle.digits().clone(), black, groups);
        let mut image = named_as(puzzle, image.expect("the groups of a puzzle in other white cells"));
        if let Some(solution) = &puzzle.solution {
            let mut moved = Grid::empty(self.shape.0, self.shape.1);
            for cell in white {
                moved.set(self.to[cell], solution.get(cell));
            }
            image.solution = Some(moved);
        }
        image
    }

    /// A group in its new place, its cells ascending.
    pub(super) fn group(&self, group: &Group) -> Group {
        let mut cells: Vec<usize> = group.cells.iter().map(|cell| self.to[*cell]).collect();
        // Cells are told in ascending order: a clue that depends on their order may have to be turned round.
        let in_order = cells.is_sorted();
        cells.sort_unstable();
        let clue = if in_order { group.clue } else { group.clue.map(reversed) };
        let role = match group.role {
            Role::Row if self.transposed => Role::Column,
            Role::Column if self.transposed => Role::Row,
            role => role,
        };
        Group { role, cells, distinct: group.distinct, clue }
    }
}

/// The white cells, ascending.
pub(super) fn white_cells(puzzle: &Puzzle) -> Vec<usize> {
    (0..puzzle.rows() * puzzle.cols()).filter(|cell| !puzzle.is_black(*cell)).collect()
}

/// For every cell, whether it is black.
pub(super) fn black_cells(puzzle: &Puzzle) -> Vec<bool> {
    let mut black = vec![true; puzzle.rows() * puzzle.cols()];
    for cell in white_cells(puzzle) {
        black[cell] = false;
    }
    black
}

/// What was made of a puzzle, with its id and meta.
pub(super) fn named_as(puzzle: &Puzzle, mut image: Puzzle) -> Puzzle {
    image.id.clone_from(&puzzle.id);
    image.meta.clone_from(&puzzle.meta);
    image
}

/// The puzzle with each row and column at its new place.
pub(super) fn moved(puzzle: &Puzzle, rows: &[usize], columns: &[usize]) -> Puzzle {
    let shape = (puzzle.rows(), puzzle.cols());
    Motion::new(puzzle, shape, false, &|row, column| (rows[row], columns[column])).image(puzzle)
}

/// The permutation that undoes another.
pub(super) fn inverse(order: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; order.len()];
    for place in 0..order.len() {
        inverse[order[place]] = place;
    }
    inverse
}
