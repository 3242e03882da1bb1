//! Random Sudoku grids: Latin squares whose boxes, too, hold every digit.
//!
//! ```text
//! fill an empty grid (`fill.rs`); begin anew after too many steps
//! at last shuffle a grid that is known
//! ```
//!
//! The grids are not uniform draws. A grid that is known is one whose rows are shifted; rows within bands, columns within
//! stacks, bands, stacks and digits are shuffled.

use kenga_core::puzzle::box_of;
use kenga_core::rng::RunRng;

use super::fill::Fill;

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
        let lines = lines_of(self.size, self.boxes, cell);
        let used = lines.into_iter().fold(0, |used, line| used | self.used[line]);
        !used & (u32::MAX >> (32 - self.size))
    }

    fn put(&mut self, cell: usize, digit: u8) {
        let bit = |digit: u8| if digit == 0 { 0 } else { 1 << (digit - 1) };
        let change = bit(digit) ^ bit(std::mem::replace(&mut self.digits[cell], digit));
        lines_of(self.size, self.boxes, cell).into_iter().for_each(|line| self.used[line] ^= change);
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
    use kenga_core::puzzle::{Grid, Square, check};
    use kenga_core::rng::StreamKey;

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
