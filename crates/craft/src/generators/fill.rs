//! Grids that are filled with digits at random, and random Sudoku grids: Latin squares whose boxes, too, hold every digit.
//!
//! ```text
//! until the grid is full
//!     the cell with the fewest digits left gets one of them at random; where none is left, go back
//! begin a Sudoku grid anew after too many steps; at last shuffle a grid that is known
//! ```
//!
//! The grids are not uniform draws. A grid that is known is one whose rows are shifted; rows within bands, columns within
//! stacks, bands, stacks and digits are shuffled.

use kenga_core::problem::bits;
use kenga_core::puzzle::box_of;
use kenga_core::rng::RunRng;

use super::shuffled;

/// A grid that is filled.
pub(super) trait Fill {
    /// The digit of every cell; 0 for none.
    fn digits(&self) -> &[u8];

    /// The digits that an empty cell may have beside those that stand; bit 0 for digit 1.
    fn left(&self, cell: usize) -> u32;

    /// Puts a digit in a cell, or takes it out with 0.
    fn put(&mut self, cell: usize, digit: u8);

    /// Fills the empty cells; false where that fails within the steps.
    fn fill(&mut self, rng: &mut RunRng, steps: &mut usize) -> bool {
        let open = (0..self.digits().len()).filter(|cell| self.digits()[*cell] == 0);
        // Of the cell with the fewest digits a contradiction shows soonest.
        let Some(cell) = open.min_by_key(|cell| self.left(*cell).count_ones()) else { return true };
        let mut choices: Vec<u32> = bits(self.left(cell)).collect();
        rng.shuffle(&mut choices);
        for rank in choices {
            // Steps bound the work: a grid that was begun badly may take for ever.
            if *steps == 0 {
                return false;
            }
            *steps -= 1;
            self.put(cell, rank as u8 + 1);
            if self.fill(rng, steps) {
                return true;
            }
        }
        self.put(cell, 0);
        false
    }
}

/// Steps for each cell before a grid is begun anew.
const STEPS: usize = 4;

/// How often a grid is begun.
const BEGINNINGS: usize = 100;

/// Draws a random grid of `size * size` digits, row-major, with boxes of so many rows and columns.
pub(super) fn region_square(size: usize, boxes: (usize, usize), rng: &mut RunRng) -> Vec<u8> {
    for _ in 0..BEGINNINGS {
        let (digits, used) = (vec![0; size * size], vec![0; 3 * size]);
        let mut square = RegionSquare { size, boxes, digits, used };
        let mut steps = STEPS * size * size;
        if square.fill(rng, &mut steps) {
            return square.digits;
        }
    }
    shifted(size, boxes, rng)
}

/// A grid under way; 0 stands for no digit.
struct RegionSquare {
    size: usize,
    boxes: (usize, usize),
    digits: Vec<u8>,
    /// For rows, then columns, then boxes, the digits in them; bit 0 for digit 1.
    used: Vec<u32>,
}

/// The numbers of the lines of a cell among rows, then columns, then boxes.
pub(super) fn lines_of(size: usize, boxes: (usize, usize), cell: usize) -> [usize; 3] {
    [cell / size, size + cell % size, 2 * size + box_of(size, boxes, cell)]
}

impl Fill for RegionSquare {
    fn digits(&self) -> &[u8] {
        &self.digits
    }

    fn left(&self, cell: usize) -> u32 {
        let [row, column, region] = lines_of(self.size, self.boxes, cell);
        let used = self.used[row] | self.used[column] | self.used[region];
        !used & (u32::MAX >> (32 - self.size))
    }

    fn put(&mut self, cell: usize, digit: u8) {
        let before = std::mem::replace(&mut self.digits[cell], digit);
        for line in lines_of(self.size, self.boxes, cell) {
            // The old digit goes and the new one comes; 0 has no bit.
            self.used[line] ^= bit(before) ^ bit(digit);
        }
    }
}

/// A grid whose rows are shifted, shuffled.
fn shifted(size: usize, boxes: (usize, usize), rng: &mut RunRng) -> Vec<u8> {
    let (rows, cols) = boxes;
    let row_order = shuffled_lines(size, rows, rng);
    let column_order = shuffled_lines(size, cols, rng);
    let digits = shuffled_lines(size, 1, rng);
    let mut square = Vec::with_capacity(size * size);
    for row in &row_order {
        for column in &column_order {
            // Rows of a band are shifted by whole boxes, bands by one: no row, column or box repeats a digit.
            square.push(digits[(row % rows * cols + row / rows + column) % size] as u8 + 1);
        }
    }
    square
}

/// The lines of a grid in random order: those of a block, so many, stay side by side.
fn shuffled_lines(size: usize, width: usize, rng: &mut RunRng) -> Vec<usize> {
    let mut lines = Vec::with_capacity(size);
    // Lines of a block stay together, so that boxes stay boxes.
    for block in shuffled(0..size / width, rng) {
        lines.extend(shuffled(block * width..(block + 1) * width, rng));
    }
    lines
}

/// The bit of a digit; none for 0.
fn bit(digit: u8) -> u32 {
    if digit == 0 { 0 } else { 1 << (digit - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::{Grid, Square, check};
    use kenga_core::rng::StreamKey;

    #[test]
    fn grids_of_every_size_and_those_that_are_shuffled_are_sound() {
        let mut rng = StreamKey::run(1, "regions", 0).rng();
        for (size, boxes) in [(4, (2, 2)), (6, (2, 3)), (9, (3, 3)), (12, (3, 4)), (16, (4, 4)), (25, (5, 5))]
        {
            for square in [region_square(size, boxes, &mut rng), shifted(size, boxes, &mut rng)] {
                let puzzle = Square::sudoku(size, boxes).build().expect("a sound Sudoku");
                let grid = Grid::from_cells(size, size, square.into_iter().map(Some).collect());
                assert!(check(&puzzle, &grid).is_solution(), "{size}");
            }
        }
    }
}
