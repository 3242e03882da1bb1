//! Random Sudoku grids: Latin squares whose boxes, too, hold every digit.
//!
//! ```text
//! until the grid is full
//!     the cell with the fewest digits left gets one of them at random; where none is left, go back
//! begin anew after too many steps; at last shuffle a grid that is known
//! ```
//!
//! The grids are not uniform draws. A grid that is known is one whose rows are shifted; rows within bands, columns within
//! stacks, bands, stacks and digits are shuffled.

use crate::problem::bits;
use crate::rng::RunRng;

/// Steps for each cell before a grid is begun anew.
const STEPS: usize = 4;

/// How often a grid is begun.
const BEGINNINGS: usize = 100;

/// Draws a random grid of `size * size` digits, row-major, with boxes of so many rows and columns.
pub(super) fn region_square(size: usize, boxes: (usize, usize), rng: &mut RunRng) -> Vec<u8> {
    let filled = |rng: &mut RunRng| {
        let mut square = RegionSquare::empty(size, boxes);
        let mut steps = STEPS * size * size;
        square.fill(rng, &mut steps).then_some(square.digits)
    };
    (0..BEGINNINGS).find_map(|_| filled(rng)).unwrap_or_else(|| shuffled(size, boxes, rng))
}

/// A grid under way; 0 stands for no digit.
struct RegionSquare {
    size: usize,
    boxes: (usize, usize),
    digits: Vec<u8>,
    /// For rows, then columns, then boxes, the digits in them; bit 0 for digit 1.
    used: Vec<u32>,
}

impl RegionSquare {
    fn empty(size: usize, boxes: (usize, usize)) -> Self {
        Self { size, boxes, digits: vec![0; size * size], used: vec![0; 3 * size] }
    }

    /// The places in `used` of the lines of a cell.
    fn lines(&self, cell: usize) -> [usize; 3] {
        let (row, column, (rows, cols)) = (cell / self.size, cell % self.size, self.boxes);
        [row, self.size + column, 2 * self.size + row / rows * rows + column / cols]
    }

    fn left(&self, cell: usize) -> u32 {
        let used = self.lines(cell).into_iter().fold(0, |used, line| used | self.used[line]);
        !used & (u32::MAX >> (32 - self.size))
    }

    /// Fills the rest; false where that fails within the steps.
    fn fill(&mut self, rng: &mut RunRng, steps: &mut usize) -> bool {
        let open = (0..self.digits.len()).filter(|cell| self.digits[*cell] == 0);
        let Some(cell) = open.min_by_key(|cell| self.left(*cell).count_ones()) else { return true };
        let mut choices: Vec<u32> = bits(self.left(cell)).collect();
        rng.shuffle(&mut choices);
        for rank in choices {
            if *steps == 0 {
                return false;
            }
            *steps -= 1;
            self.flip(cell, rank);
            if self.fill(rng, steps) {
                return true;
            }
            self.flip(cell, rank);
        }
        false
    }

    /// Puts a digit in an open cell, or takes it out again.
    fn flip(&mut self, cell: usize, rank: u32) {
        self.lines(cell).into_iter().for_each(|line| self.used[line] ^= 1 << rank);
        self.digits[cell] = if self.digits[cell] == 0 { rank as u8 + 1 } else { 0 };
    }
}

/// A grid whose rows are shifted, shuffled.
fn shuffled(size: usize, (rows, cols): (usize, usize), rng: &mut RunRng) -> Vec<u8> {
    let mut lines = |width: usize| -> Vec<usize> {
        let mut blocks: Vec<usize> = (0..size / width).collect();
        rng.shuffle(&mut blocks);
        let block = |block: usize| {
            let mut lines: Vec<usize> = (block * width..(block + 1) * width).collect();
            rng.shuffle(&mut lines);
            lines
        };
        blocks.into_iter().flat_map(block).collect()
    };
    let (row_order, column_order, digits) = (lines(rows), lines(cols), lines(1));
    let digit =
        |row: usize, column: usize| digits[(row % rows * cols + row / rows + column) % size] as u8 + 1;
    row_order.iter().flat_map(|row| column_order.iter().map(|column| digit(*row, *column))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Grid, Square, check};
    use crate::rng::StreamKey;

    #[test]
    fn grids_of_every_size_and_those_that_are_shuffled_are_sound() {
        let mut rng = StreamKey::run(1, "regions", 0).rng();
        for (size, boxes) in [(4, (2, 2)), (6, (2, 3)), (9, (3, 3)), (12, (3, 4)), (16, (4, 4)), (25, (5, 5))]
        {
            for square in [region_square(size, boxes, &mut rng), shuffled(size, boxes, &mut rng)] {
                let puzzle = Square::sudoku(size, boxes).build().expect("a sound Sudoku");
                let grid = Grid::from_cells(size, size, square.into_iter().map(Some).collect());
                assert!(check(&puzzle, &grid).is_solution(), "{size}");
            }
        }
    }
}
