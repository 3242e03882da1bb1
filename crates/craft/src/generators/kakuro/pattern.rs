//! The black cells of a Kakuro, at random.
//!
//! ```text
//! the first row and column are black, the rest is white
//! blacken a cell and its images, at random, unless that leaves an entry of one cell or parts the white cells
//!     first within entries that are too long, then anywhere until the share is reached
//! ```

use kenga_core::rng::RunRng;

use super::{DIGITS, KakuroRules};

/// Tries to blacken a cell, for each cell of the grid.
const TRIES: usize = 8;

/// A rectangle of white and black cells, row-major.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) is_black: Vec<bool>,
}

impl Pattern {
    /// Draws a pattern with entries of 2 to 9 cells, and about the share of black cells that was ordered; none where entries stay too
    /// long.
    pub(super) fn draw(rules: &KakuroRules, rng: &mut RunRng) -> Option<Self> {
        let KakuroRules { rows, cols, black, ref orbits } = *rules;
        let is_black = (0..rows * cols).map(|cell| cell < cols || cell % cols == 0).collect();
        let mut pattern = Self { rows, cols, is_black };
        let edge = rows + cols - 1;
        let wanted = (black * orbits.len() as f64) as usize;
        for _ in 0..TRIES * rows * cols {
            let long = pattern.long_entries();
            let cell = if !long.is_empty() {
                let entry = &long[rng.below(long.len())];
                entry[rng.below(entry.len())]
            } else if pattern.is_black.iter().filter(|black| **black).count() < edge + wanted {
                pattern.outer(rng.below(orbits.len()))
            } else {
                break;
            };
            // Orbits are numbered without the first row and column.
            let inner = (cell / cols - 1) * (cols - 1) + cell % cols - 1;
            let mut next = pattern.clone();
            for image in &orbits[inner] {
                next.is_black[pattern.outer(usize::from(*image))] = true;
            }
            if next.is_sound() {
                pattern = next;
            }
        }
        pattern.long_entries().is_empty().then_some(pattern)
    }

    /// The place of a cell that is numbered without the first row and column.
    fn outer(&self, inner: usize) -> usize {
        (inner / (self.cols - 1) + 1) * self.cols + inner % (self.cols - 1) + 1
    }

    /// The entries in which a digit would stand twice.
    fn long_entries(&self) -> Vec<Vec<usize>> {
        let mut entries = self.entries();
        entries.retain(|entry| entry.len() > DIGITS as usize);
        entries
    }

    /// The white cells side by side: those across, row by row, then those down, column by column.
    pub(super) fn entries(&self) -> Vec<Vec<usize>> {
        let mut lines: Vec<Vec<usize>> = Vec::new();
        for row in 0..self.rows {
            lines.push((row * self.cols..(row + 1) * self.cols).collect());
        }
        for column in 0..self.cols {
            lines.push((column..self.rows * self.cols).step_by(self.cols).collect());
        }
        let mut entries = Vec::new();
        for line in lines {
            for part in line.split(|cell| self.is_black[*cell]) {
                if !part.is_empty() {
                    entries.push(part.to_vec());
                }
            }
        }
        entries
    }

    /// No entry has one cell, and paths of white cells join all white cells, one at least.
    fn is_sound(&self) -> bool {
        let entries = self.entries();
        if entries.iter().any(|entry| entry.len() < 2) {
            return false;
        }
        let white = self.is_black.iter().filter(|black| !**black).count();
        let Some(first) = self.is_black.iter().position(|black| !black) else { return false };
        let (mut reached, mut seen) = (vec![first], self.is_black.clone());
        seen[first] = true;
        let mut next = 0;
        while next < reached.len() {
            let cell = reached[next];
            // The first row and column are black: no white cell is at the edge of those two.
            for other in [cell - 1, cell + 1, cell - self.cols, cell + self.cols] {
                let wraps = other == cell + 1 && other.is_multiple_of(self.cols);
                if !wraps && other < seen.len() && !seen[other] {
                    seen[other] = true;
                    reached.push(other);
                }
            }
            next += 1;
        }
        reached.len() == white
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::outlines::Symmetry;
    use super::*;
    use kenga_core::rng::StreamKey;

    #[test]
    fn patterns_are_symmetric_and_joined_with_entries_of_two_to_nine_cells() {
        let mut rng = StreamKey::run(1, "pattern", 0).rng();
        for (rows, cols) in [(3, 3), (6, 8), (12, 12), (25, 25)] {
            let orbits = Symmetry::named("rotate").orbits(rows - 1, cols - 1);
            let rules = KakuroRules { rows, cols, black: 0.25, orbits };
            let pattern = (0..50).find_map(|_| Pattern::draw(&rules, &mut rng));
            let pattern = pattern.expect("a pattern");
            assert!(
                pattern.is_sound() && pattern.entries().iter().all(|entry| (2..=9).contains(&entry.len()))
            );
            for (row, column) in (1..rows).flat_map(|row| (1..cols).map(move |column| (row, column))) {
                let image = (rows - row) * cols + cols - column;
                assert_eq!(pattern.is_black[row * cols + column], pattern.is_black[image]);
            }
        }
    }
}
