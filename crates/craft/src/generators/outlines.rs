//! Symmetries of the outlines of a puzzle: where they take its cells.

use super::conflict;
use crate::symmetry::Turn;
use kenga_core::spec::{Param, SpecError};

/// The words for the symmetries, in the order of [`Symmetry::ALL`].
const WORDS: [&str; 5] = ["none", "rotate", "rotate4", "mirror", "diagonal"];

/// The parameter of every kind whose puzzles may be symmetric.
pub(super) const SYMMETRY: Param = Param::choice("symmetry", &WORDS, WORDS[0])
    .about("what leaves the outlines the same: half a turn is rotate, a quarter turn rotate4");

/// What leaves the outlines of a puzzle as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    /// Nothing.
    None,
    /// Half a turn.
    Rotate,
    /// A quarter turn.
    Rotate4,
    /// The exchange of left and right.
    Mirror,
    /// The exchange of rows and columns.
    Diagonal,
}

impl Symmetry {
    const ALL: [Self; 5] = [Self::None, Self::Rotate, Self::Rotate4, Self::Mirror, Self::Diagonal];

    /// The symmetry with this word.
    pub(super) fn named(word: &str) -> Self {
        let place = WORDS.iter().position(|known| *known == word);
        Self::ALL[place.expect("the word was checked")]
    }

    /// For an id: nothing without a symmetry.
    pub(super) fn stem(self) -> String {
        match self {
            Self::None => String::new(),
            other => format!("-{}", WORDS[other as usize]),
        }
    }

    /// Refuses a symmetry that exchanges rows and columns where their numbers differ.
    ///
    /// # Errors
    /// What to ask for instead.
    pub(super) fn check(self, rows: usize, cols: usize) -> Result<(), SpecError> {
        if rows == cols || !matches!(self, Self::Rotate4 | Self::Diagonal) {
            return Ok(());
        }
        let word = WORDS[self as usize];
        Err(conflict(
            format!("a grid of {rows} x {cols} is no square: it has no symmetry `{word}`"),
            "ask for as many rows as columns, or for the symmetry none, rotate or mirror",
        ))
    }

    /// For every cell of a grid, row-major, the cells that its maps take it to, itself included; ascending.
    pub(super) fn orbits(self, rows: usize, cols: usize) -> Vec<Vec<u16>> {
        let maps = self.maps(rows, cols);
        let mut orbits = Vec::new();
        for cell in 0..rows * cols {
            let mut orbit = vec![cell as u16];
            for map in &maps {
                orbit.push(map[cell]);
            }
            orbit.sort_unstable();
            // A cell on an axis is its own image.
            orbit.dedup();
            orbits.push(orbit);
        }
        orbits
    }

    /// For each of its maps but the identity, where it takes every cell of a grid; row-major.
    pub(super) fn maps(self, rows: usize, cols: usize) -> Vec<Vec<u16>> {
        let turns: &[Turn] = match self {
            Self::None => &[],
            Self::Rotate => &[Turn::HALF],
            Self::Rotate4 => &[Turn::QUARTER, Turn::HALF, Turn::QUARTER_BACK],
            Self::Mirror => &[Turn::MIRROR_COLUMNS],
            Self::Diagonal => &[Turn::TRANSPOSE],
        };
        let mut maps = Vec::new();
        for turn in turns {
            let mut map = Vec::new();
            for cell in 0..rows * cols {
                let (row, column) = turn.place((rows, cols), (cell / cols, cell % cols));
                map.push((row * cols + column) as u16);
            }
            maps.push(map);
        }
        maps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_take_corners_where_their_names_say() {
        // The corners of a 3x3: 0 2 8 6, clockwise.
        let first = |symmetry: Symmetry| -> Vec<[u16; 4]> {
            symmetry.maps(3, 3).iter().map(|map| [0, 2, 8, 6].map(|cell: usize| map[cell])).collect()
        };
        assert_eq!(first(Symmetry::None), [[0; 4]; 0]);
        assert_eq!(first(Symmetry::Rotate), [[8, 6, 0, 2]]);
        assert_eq!(first(Symmetry::Rotate4), [[2, 8, 6, 0], [8, 6, 0, 2], [6, 0, 2, 8]]);
        assert_eq!(first(Symmetry::Mirror), [[2, 0, 6, 8]]);
        assert_eq!(first(Symmetry::Diagonal), [[0, 6, 8, 2]]);
    }

    #[test]
    fn every_map_is_a_permutation_and_the_words_are_in_order() {
        for (word, symmetry) in WORDS.iter().zip(Symmetry::ALL) {
            assert_eq!(Symmetry::named(word), symmetry);
            let shape = if symmetry.check(3, 5).is_ok() { (3, 5) } else { (5, 5) };
            for mut map in symmetry.maps(shape.0, shape.1) {
                map.sort_unstable();
                assert!(map.into_iter().eq(0..(shape.0 * shape.1) as u16));
            }
        }
        assert!(Symmetry::Rotate4.check(3, 5).is_err() && Symmetry::Diagonal.check(5, 5).is_ok());
    }
}
