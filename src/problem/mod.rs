//! The puzzle compiled for search: cells, groups and candidates in flat arrays.
//!
//! Here a cell is a dense index over the cells that hold digits (row-major, black cells left out), a digit is its
//! *rank* in the puzzle's digit set, and a set of digits is a 32-bit mask of ranks. Solver, fitness and search see
//! nothing else of a puzzle.

mod compile;
mod tables;
mod walk;

pub use compile::{Problem, Rule};
pub use tables::Tuples;
pub(crate) use walk::enumerate;

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

/// The indices of the bits of a mask, ascending.
pub(crate) fn bits(mask: u32) -> impl Iterator<Item = u32> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let rank = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(rank)
    })
}

/// The mask of so many digits, 1 to 32.
pub(crate) fn full_mask(digits: usize) -> u32 {
    u32::MAX >> (32 - digits)
}

/// Lists of indices, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    ends: Vec<usize>,
    items: Vec<u16>,
}

impl Blocks {
    /// Appends a list.
    pub fn push(&mut self, items: impl IntoIterator<Item = u16>) {
        self.items.extend(items);
        self.ends.push(self.items.len());
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// There is no list.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One list.
    pub fn get(&self, index: usize) -> &[u16] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.items[start..self.ends[index]]
    }

    /// All lists in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.len()).map(|index| self.get(index))
    }
}
