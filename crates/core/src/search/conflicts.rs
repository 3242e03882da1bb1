//! The conflicts of a genome.

use crate::fitness::Tally;

use super::Space;

/// The genes of a genome in conflict: their digit stands elsewhere in a distinct group, or their clue does not hold.
///
/// Reading the conflicts of a genome that has been evaluated costs no further evaluation, because the evaluation finds
/// every violated group. Those of other genomes are never read.
#[derive(Clone, Debug, Default)]
pub struct Conflicts {
    flags: Vec<bool>,
    genes: Vec<u16>,
}

impl Conflicts {
    /// Reads the conflicts of the genome at which a tally stands.
    pub fn read(&mut self, tally: &Tally, space: &Space) {
        self.flags.clear();
        self.flags.extend((0..space.genes()).map(|gene| tally.is_conflicted(gene)));
        self.genes.clear();
        self.genes.extend(space.free.iter().copied().filter(|gene| self.flags[usize::from(*gene)]));
    }

    /// The gene is in conflict.
    #[inline]
    pub fn holds(&self, gene: u16) -> bool {
        self.flags.get(usize::from(gene)).copied().unwrap_or(false)
    }

    /// The free genes in conflict, ascending.
    pub fn genes(&self) -> &[u16] {
        &self.genes
    }
}
