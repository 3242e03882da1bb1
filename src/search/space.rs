//! The search space as operators see it.

use crate::problem::Blocks;

/// What operators may do to a genome of `genes()` ranks.
#[derive(Clone, Debug)]
pub struct Space {
    /// The number of digits; every gene is below it.
    pub digits: usize,
    /// The digits that each gene may take, a mask a gene, never empty.
    pub candidates: Vec<u32>,
    /// The genes that may change, ascending.
    pub free: Vec<u16>,
    /// The genes that may change, in lists within which an operator may exchange digits: one list on `cells`, one a
    /// line on `rows`, where every list holds different digits.
    pub segments: Blocks,
    /// The index in `segments` of each gene's list; unused where a gene is fixed.
    pub segment_of: Vec<u16>,
    /// All genes by row (on `rows`: by line).
    pub rows: Blocks,
    /// All genes that have a cage, by cage; the others one by one.
    pub cages: Blocks,
}

impl Space {
    /// The number of genes, fixed ones included.
    pub fn genes(&self) -> usize {
        self.candidates.len()
    }

    /// The segment of a free gene.
    pub fn segment(&self, gene: u16) -> &[u16] {
        self.segments.get(usize::from(self.segment_of[usize::from(gene)]))
    }
}
