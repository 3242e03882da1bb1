//! Which genes a genome would have to change.

use crate::fitness::Tally;

use super::Space;

/// The genes of a genome that lie in a violated group: their digit stands elsewhere in a distinct group, or their clue
/// does not hold.
///
/// The evaluation of a genome finds every violated group, so that to read the conflicts of a genome that has been
/// evaluated is no further evaluation. Nobody asks for those of a genome that has not.
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

    /// A gene is in conflict.
    #[inline]
    pub fn holds(&self, gene: u16) -> bool {
        self.flags.get(usize::from(gene)).copied().unwrap_or(false)
    }

    /// The free genes in conflict, ascending.
    pub fn genes(&self) -> &[u16] {
        &self.genes
    }
}
