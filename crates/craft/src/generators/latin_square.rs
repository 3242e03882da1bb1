//! Random Latin squares, every one as likely as any other.
//!
//! A Latin square is a cube of zeros and ones: the cell (row, column, digit) is 1 where the digit stands there, and
//! every line of the cube sums to 1. A move adds a small pattern that keeps all sums:
//!
//! ```text
//! start at a 0, or at the -1 if there is one: (r, c, d)
//! find a 1 in each of its three lines: (r', c, d), (r, c', d), (r, c, d')
//! add 1 to     (r, c, d), (r, c', d'), (r', c, d'), (r', c', d)
//! subtract 1 from (r', c', d'), (r, c', d), (r', c, d), (r, c, d')
//! ```
//!
//! The cell (r', c', d') may become -1: the cube is then improper, and the next move starts there. The proper cubes of
//! this walk are uniform in the long run. The walk ends at a fixed number of proper cubes: ending at the first proper one
//! after a number of moves would prefer squares from which more moves lead to improper cubes. How long is long enough is not
//! known; `n^2` proper cubes are about `n^3` moves, which is usual. The walk begins at a cyclic square with its rows,
//! columns and digits shuffled.
//!
//! Source: M. T. Jacobson, P. Matthews, "Generating uniformly distributed random Latin squares", Journal of Combinatorial
//! Designs 4, 1996, doi:10.1002/(SICI)1520-6610(1996)4:6<405::AID-JCD3>3.0.CO;2-J.

use kenga_core::rng::RunRng;

use super::shuffled;

/// Draws a random Latin square of the digits 1 to `size`: `size * size` cells, row-major. Time O(`size`^4).
///
/// # Panics
/// When `size` is 0 or above 255.
pub fn latin_square(size: usize, rng: &mut RunRng) -> Vec<u8> {
    assert!((1..=255).contains(&size), "a digit is a byte");
    let mut cube = Cube::cyclic(size, rng);
    // The cube of size 1 has no cell that is 0.
    let rounds = if size > 1 { size * size } else { 0 };
    for _ in 0..rounds {
        let mut start = Some(cube.zero(rng));
        while let Some(cell) = start {
            let coins = [rng.coin(0.5), rng.coin(0.5), rng.coin(0.5)];
            start = cube.step(cell, coins);
        }
    }
    (0..size * size).map(|cell| cube.digit(cell / size, cell % size) as u8 + 1).collect()
}

/// A cell: row, column, digit, each from 0.
type Cell = [usize; 3];

/// The cube of a Latin square; at most one cell is -1.
#[derive(Clone, Debug)]
struct Cube {
    size: usize,
    cells: Vec<i8>,
}

impl Cube {
    /// The square whose rows are shifted by one each, with rows, columns and digits in random order.
    fn cyclic(size: usize, rng: &mut RunRng) -> Self {
        let rows = shuffled(0..size, rng);
        let columns = shuffled(0..size, rng);
        let digits = shuffled(0..size, rng);
        let mut cube = Self { size, cells: vec![0; size.pow(3)] };
        for row in 0..size {
            for column in 0..size {
                *cube.cell([row, column, digits[(rows[row] + columns[column]) % size]]) = 1;
            }
        }
        cube
    }

    fn place(&self, [row, column, digit]: Cell) -> usize {
        (row * self.size + column) * self.size + digit
    }

    fn cell(&mut self, cell: Cell) -> &mut i8 {
        let place = self.place(cell);
        &mut self.cells[place]
    }

    /// The digit of a cell of a proper cube.
    fn digit(&self, row: usize, column: usize) -> usize {
        self.one([row, column, 0], 2, false)
    }

    /// A cell of a proper cube that is 0, each as likely as any other.
    fn zero(&self, rng: &mut RunRng) -> Cell {
        let (row, column) = (rng.below(self.size), rng.below(self.size));
        // Any digit but the one that stands there.
        let other = 1 + rng.below(self.size - 1);
        [row, column, (self.digit(row, column) + other) % self.size]
    }

    /// The place of a 1 in the line through a cell along an axis: the first, or the `second` where there are two.
    fn one(&self, mut cell: Cell, axis: usize, second: bool) -> usize {
        let mut first = None;
        for place in 0..self.size {
            cell[axis] = place;
            if self.cells[self.place(cell)] == 1 {
                if !second || first.is_some() {
                    return place;
                }
                first = Some(place);
            }
        }
        first.expect("every line sums to 1")
    }

    /// Makes a move from a cell that is 0 or -1; `coins` choose where a line has two ones. Returns the cell that is then
    /// -1, if there is one.
    fn step(&mut self, start: Cell, coins: [bool; 3]) -> Option<Cell> {
        let mut end = start;
        for axis in 0..3 {
            end[axis] = self.one(start, axis, coins[axis]);
        }
        // The eight corners of a box: those an even number of axes away from the start gain 1, the others lose 1.
        for corner in 0..8_u32 {
            let mut cell = start;
            for axis in 0..3 {
                if corner >> axis & 1 == 1 {
                    cell[axis] = end[axis];
                }
            }
            *self.cell(cell) += if corner.count_ones() % 2 == 0 { 1 } else { -1 };
        }
        // Only the far corner can fall below 0: all others that lose 1 had it.
        (*self.cell(end) == -1).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use kenga_core::rng::StreamKey;

    fn is_latin(square: &[u8], size: usize) -> bool {
        let all = |cells: Vec<u8>| (1..=size as u8).all(|digit| cells.contains(&digit));
        let row = |row: usize| square[row * size..][..size].to_vec();
        let column = |column: usize| square.iter().skip(column).step_by(size).copied().collect();
        (0..size).all(|line| all(row(line)) && all(column(line)))
    }

    #[test]
    fn squares_of_every_size_are_latin() {
        let mut rng = StreamKey::run(1, "latin", 0).rng();
        for size in 1..=32 {
            assert!(is_latin(&latin_square(size, &mut rng), size), "{size}");
        }
    }

    #[test]
    fn all_lines_keep_their_sum_and_one_cell_at_most_is_improper() {
        let mut rng = StreamKey::run(2, "latin", 0).rng();
        let mut cube = Cube::cyclic(5, &mut rng);
        let mut improper = None;
        for _ in 0..500 {
            let start = improper.unwrap_or_else(|| cube.zero(&mut rng));
            improper = cube.step(start, [(); 3].map(|()| rng.coin(0.5)));
            let negative: Vec<Cell> = all_cells(5).filter(|cell| *cube.clone().cell(*cell) < 0).collect();
            assert_eq!(negative, Vec::from_iter(improper));
            for axis in 0..3 {
                for line in all_cells(5).filter(|cell| cell[axis] == 0) {
                    let along = |place| {
                        let mut cell = line;
                        cell[axis] = place;
                        i32::from(*cube.clone().cell(cell))
                    };
                    assert_eq!((0..5).map(along).sum::<i32>(), 1);
                }
            }
        }
    }

    fn all_cells(size: usize) -> impl Iterator<Item = Cell> {
        (0..size.pow(3)).map(move |index| [index / size / size, index / size % size, index % size])
    }

    #[test]
    fn every_square_of_order_4_is_as_likely_as_any_other() {
        let mut rng = StreamKey::run(3, "latin", 0).rng();
        let mut seen: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        for _ in 0..576 * 20 {
            *seen.entry(latin_square(4, &mut rng)).or_default() += 1;
        }
        assert_eq!(seen.len(), 576);
        let chi_square: f64 = seen.values().map(|count| (f64::from(*count) - 20.0).powi(2) / 20.0).sum();
        // 575 degrees of freedom: three standard deviations are 102.
        assert!((473.0..677.0).contains(&chi_square), "{chi_square}");
    }
}
