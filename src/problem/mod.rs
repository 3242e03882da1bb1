//! The puzzle compiled for search: cells, groups and candidates in flat arrays.
//!
//! Here a cell is a dense index over the cells that hold digits (row-major, black cells left out), a digit is its
//! *rank* in the puzzle's digit set, and a set of digits is a 32-bit mask of ranks. Solver, fitness and search see
//! nothing else of a puzzle.

mod compile;
mod factors;
mod multisets;
mod shape;
mod tables;

pub use compile::{Problem, Rule};
pub use multisets::{MOST_PARTS, Multisets, Query, QueryError};
pub use shape::{MOST_SHAPE_CELLS, Shape, ShapeError};
pub use tables::Tuples;
pub(crate) use tables::{bits, enumerate};

/// The digits that every cell may still hold: a mask of ranks a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domains(pub Vec<u32>);

impl Domains {
    /// How many candidates there are over all cells.
    pub fn candidates(&self) -> u32 {
        self.0.iter().map(|mask| mask.count_ones()).sum()
    }

    /// Some cell has no candidate left.
    pub fn is_empty(&self) -> bool {
        self.0.contains(&0)
    }
}
