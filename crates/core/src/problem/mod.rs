//! The puzzle compiled for search: cells, groups and candidates in flat arrays.
//!
//! Here a cell is a dense index over the white cells (row-major), a digit is its *rank* in the puzzle's digit set, and
//! a set of digits is a 32-bit mask of ranks. Solver, fitness and search see nothing else of a puzzle.
//!
//! **Invariant.** Cells are row-major, groups in the order of the puzzle, tuples in lexical order: searches depend on it.

mod compile;
mod tuples;

pub use crate::puzzle::GenomeShape;
pub use compile::{Problem, Rule};
#[doc(hidden)]
pub use tuples::TupleWalk;

/// The candidates of every cell, a mask of ranks each.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domains(pub Vec<u32>);

impl Domains {
    /// The number of candidates over all cells.
    pub fn candidates(&self) -> u32 {
        self.0.iter().map(|mask| mask.count_ones()).sum()
    }

    /// Says whether some cell has no candidate.
    pub fn is_empty(&self) -> bool {
        self.0.contains(&0)
    }
}

/// Candidates that a cell loses.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostCandidates {
    /// The cell.
    pub cell: u16,
    /// The mask of the ranks that go.
    pub ranks: u32,
}

/// The indices of the bits of a mask, ascending.
pub fn bits(mask: u32) -> impl Iterator<Item = u32> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let rank = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(rank)
    })
}

/// The mask with the bits of some ranks.
pub fn mask_of(ranks: impl IntoIterator<Item = u32>) -> u32 {
    ranks.into_iter().fold(0, |mask, rank| mask | 1 << rank)
}

/// The mask of the first `digits` ranks, 1 to 32 of them.
pub(crate) fn full_mask(digits: usize) -> u32 {
    u32::MAX >> (32 - digits)
}

/// The tuples of one group, flat: `width` ranks per tuple, in lexical order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuples {
    width: usize,
    ranks: Vec<u8>,
}

impl Tuples {
    /// The number of tuples.
    pub fn len(&self) -> usize {
        self.ranks.len() / self.width
    }

    /// The tuple with this index.
    ///
    /// # Panics
    /// When there is none.
    pub fn get(&self, index: usize) -> &[u8] {
        &self.ranks[index * self.width..][..self.width]
    }

    /// Says whether there is no tuple, so that nothing satisfies the clue.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// The ranks of all tuples, one tuple after the other.
    #[inline]
    pub fn ranks(&self) -> &[u8] {
        &self.ranks
    }

    /// The tuples, each `width` ranks in the order of the group's cells.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.ranks.chunks_exact(self.width)
    }
}

/// Lists of indices, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The start of every list among the items, and the end of the last.
    start: Vec<u32>,
    items: Vec<u16>,
}

impl Default for Blocks {
    /// No list.
    fn default() -> Self {
        Self { start: vec![0], items: Vec::new() }
    }
}

impl Blocks {
    /// No list, with room for so many and their items.
    pub(crate) fn with_capacity(lists: usize, items: usize) -> Self {
        let mut start = Vec::with_capacity(lists + 1);
        start.push(0);
        Self { start, items: Vec::with_capacity(items) }
    }

    /// These lists.
    pub fn of<'a>(lists: impl IntoIterator<Item = &'a [u16]>) -> Self {
        let mut blocks = Self::default();
        for list in lists {
            blocks.push(list.iter().copied());
        }
        blocks
    }

    /// Appends a list.
    pub fn push(&mut self, items: impl IntoIterator<Item = u16>) {
        self.items.extend(items);
        self.start.push(self.items.len() as u32);
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// Says whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The list with this index.
    #[inline]
    pub fn get(&self, index: usize) -> &[u16] {
        &self.items[self.start[index] as usize..self.start[index + 1] as usize]
    }

    /// For each of the items below `count`, the indices of the lists that hold it, ascending.
    #[doc(hidden)]
    pub fn inverse(&self, count: usize) -> Self {
        let mut start = vec![0; count + 1];
        for item in &self.items {
            start[usize::from(*item) + 1] += 1;
        }
        for index in 0..count {
            start[index + 1] += start[index];
        }
        // A counting sort: the lists are visited in their order, so that each result ascends.
        let mut next = start.clone();
        let mut items = vec![0; self.items.len()];
        for (list, held) in self.iter().enumerate() {
            for item in held {
                let place = &mut next[usize::from(*item)];
                items[*place as usize] = list as u16;
                *place += 1;
            }
        }
        Self { start, items }
    }

    /// All lists in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.len()).map(|index| self.get(index))
    }
}
