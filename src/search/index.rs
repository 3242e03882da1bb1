//! Which genomes of two populations are known: a table that is asked, never walked, so that no order of a hash decides.

use super::Population;

/// A mark of an empty slot.
const EMPTY: u32 = u32::MAX;

/// Genomes by their content, in an open table at most half full.
#[derive(Debug, Default)]
pub(super) struct GenomeIndex {
    /// Places in `members`, or [`EMPTY`]; a power of two of them.
    slots: Vec<u32>,
    /// Of each genome that was added, its population, 0 or 1, and its index there.
    members: Vec<(u8, u32)>,
}

impl GenomeIndex {
    /// Forgets everything and makes room for so many genomes.
    pub(super) fn clear(&mut self, room: usize) {
        self.members.clear();
        self.slots.clear();
        self.slots.resize((2 * room).next_power_of_two().max(2), EMPTY);
    }

    /// Adds an individual of one of the populations.
    pub(super) fn add(&mut self, of: u8, index: usize, populations: [&Population; 2]) {
        let mut slot = self.first_slot(populations[usize::from(of)].genome(index));
        while self.slots[slot] != EMPTY {
            slot = self.next_slot(slot);
        }
        self.slots[slot] = self.members.len() as u32;
        self.members.push((of, index as u32));
    }

    /// One of those that were added has this genome.
    pub(super) fn holds(&self, genome: &[u8], populations: [&Population; 2]) -> bool {
        let mut slot = self.first_slot(genome);
        while let Some((of, index)) = self.members.get(self.slots[slot] as usize) {
            if populations[usize::from(*of)].genome(*index as usize) == genome {
                return true;
            }
            slot = self.next_slot(slot);
        }
        false
    }

    fn first_slot(&self, genome: &[u8]) -> usize {
        hash(genome) as usize & (self.slots.len() - 1)
    }

    fn next_slot(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }
}

/// Mixes eight genes at a time, with the odd constant and the shift of a multiplicative hash (D. E. Knuth 1998, The Art of
/// Computer Programming 3, section 6.4).
fn hash(genome: &[u8]) -> u64 {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, word: u64| {
        let mixed = (hash ^ word).wrapping_mul(GOLDEN);
        mixed ^ (mixed >> 29)
    };
    let (words, rest) = genome.as_chunks::<8>();
    let hash = words.iter().fold(GOLDEN, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(hash, |hash, gene| mix(hash, u64::from(*gene)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn it_knows_exactly_what_was_added() {
        let mut rng = StreamKey::run(1, "index", 0).rng();
        let mut populations = [Population::new(60, 11), Population::new(40, 11)];
        for population in &mut populations {
            for index in 0..population.len() {
                population.genome_mut(index).iter_mut().take(3).for_each(|gene| *gene = rng.below(4) as u8);
            }
        }
        let [parents, children] = &populations;
        let both = [parents, children];
        let mut index = GenomeIndex::default();
        index.clear(100);
        (0..60).for_each(|member| index.add(0, member, both));
        for child in 0..40 {
            let genome = children.genome(child);
            assert_eq!(index.holds(genome, both), parents.holds(genome, 60) || children.holds(genome, child));
            index.add(1, child, both);
        }
        index.clear(0);
        assert!(!index.holds(parents.genome(0), both));
    }

    #[test]
    fn like_genomes_fall_far_apart() {
        // Genomes that differ in one gene: as many slots as there are genomes, nearly.
        let mut slots = std::collections::BTreeSet::new();
        for gene in 0..81 {
            for digit in 0..9 {
                let mut genome = [4; 81];
                genome[gene] = digit;
                slots.insert(hash(&genome) & 0xffff);
            }
        }
        assert!(slots.len() > 600, "{}", slots.len());
    }
}
