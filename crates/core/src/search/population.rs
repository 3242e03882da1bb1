//! A population: genomes one after the other, with the fitness and the guide of each; and an index of the genomes of
//! two populations, a hash table that is never iterated, so that its order decides nothing.

use crate::fitness::Terms;

/// Genomes made or read between two looks at the guard.
pub(super) const CHECK_EVERY: usize = 1024;

/// The least of some values; `u32::MAX` if there is none. A minimum of references is found one by one, this in lanes.
pub(super) fn least(values: &[u32]) -> u32 {
    values.iter().fold(u32::MAX, |least, value| least.min(*value))
}

/// `len` genomes of `width` ranks in one flat buffer, and the fitness of each.
///
/// Selection and replacement compare the *guide*: the fitness itself, or the weighted violation where weights adapt. It
/// is 0 exactly where the fitness is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Population {
    width: usize,
    genes: Vec<u8>,
    fitness: Vec<u32>,
    guide: Vec<u32>,
    parents: Vec<[u32; 2]>,
    /// For every individual where terms are followed, else empty.
    terms: Vec<Option<Terms>>,
}

impl Population {
    /// Room for `len` individuals; genes 0, fitness `u32::MAX` until evaluated.
    pub fn new(len: usize, width: usize) -> Self {
        let (fitness, guide) = (vec![u32::MAX; len], vec![u32::MAX; len]);
        let (genes, parents) = (vec![0; len * width], vec![[0; 2]; len]);
        Self { width, genes, fitness, guide, parents, terms: Vec::new() }
    }

    /// The number of individuals.
    pub fn len(&self) -> usize {
        self.fitness.len()
    }

    /// There is no individual.
    pub fn is_empty(&self) -> bool {
        self.fitness.is_empty()
    }

    /// The genes of one genome.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The fitness of every individual.
    pub fn fitness(&self) -> &[u32] {
        &self.fitness
    }

    /// What guides the search, of every individual; lower is better.
    pub fn guide(&self) -> &[u32] {
        &self.guide
    }

    /// The indices of an individual's parents in their population, first the one that it takes after.
    pub fn parents(&self, index: usize) -> [usize; 2] {
        self.parents[index].map(|parent| parent as usize)
    }

    /// The terms of an individual's fitness, where they have been noted.
    pub fn terms(&self, index: usize) -> Option<Terms> {
        self.terms.get(index).copied().flatten()
    }

    /// The genomes of all individuals, one after the other.
    pub fn genes(&self) -> &[u8] {
        &self.genes
    }

    /// The genome of every individual.
    pub fn genomes(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.genome(index))
    }

    /// The genome of an individual.
    #[inline]
    pub fn genome(&self, index: usize) -> &[u8] {
        &self.genes[index * self.width..(index + 1) * self.width]
    }

    /// The genome of an individual, to be written.
    #[inline]
    pub fn genome_mut(&mut self, index: usize) -> &mut [u8] {
        &mut self.genes[index * self.width..(index + 1) * self.width]
    }

    /// Lets the fitness of the first `count` individuals guide the search.
    pub fn follow_fitness(&mut self, count: usize) {
        self.guide[..count].copy_from_slice(&self.fitness[..count]);
    }

    /// Notes the fitness of an individual, which then guides the search.
    #[inline]
    pub fn set_fitness(&mut self, index: usize, fitness: u32) {
        (self.fitness[index], self.guide[index]) = (fitness, fitness);
    }

    /// Notes what guides the search in place of the fitness.
    #[inline]
    pub fn set_guide(&mut self, index: usize, guide: u32) {
        self.guide[index] = guide;
    }

    /// Notes whose child an individual is, first the parent that it takes after.
    #[inline]
    pub fn set_parents(&mut self, index: usize, parents: [usize; 2]) {
        self.parents[index] = parents.map(|parent| parent as u32);
    }

    /// One of the first `count` individuals has this genome.
    pub fn holds(&self, genome: &[u8], count: usize) -> bool {
        self.genomes().take(count).any(|other| other == genome)
    }

    /// The number of genes in which a genome differs from an individual's.
    pub fn distance(&self, index: usize, genome: &[u8]) -> usize {
        self.genome(index).iter().zip(genome).filter(|(a, b)| a != b).count()
    }

    /// Copies an individual over another one.
    pub fn copy_within(&mut self, index: usize, from: usize) {
        self.genes.copy_within(from * self.width..(from + 1) * self.width, index * self.width);
        self.fitness[index] = self.fitness[from];
        self.guide[index] = self.guide[from];
        if !self.terms.is_empty() {
            self.terms[index] = self.terms[from];
        }
    }

    /// The individual with the lowest guide; the first of equals.
    pub fn best(&self) -> usize {
        // First the value, in lanes, then its place.
        let least = least(&self.guide);
        self.guide.iter().position(|guide| *guide == least).expect("a population is never empty")
    }

    /// The individual with the highest guide; the last of equals.
    pub fn worst(&self) -> usize {
        let most = self.guide.iter().fold(0, |most, guide| most.max(*guide));
        self.guide.iter().rposition(|guide| *guide == most).expect("a population is never empty")
    }

    /// Writes the indices of the individuals into `order`, lowest guide first, equals by index.
    pub fn order_into(&self, order: &mut Vec<u32>) {
        order.clear();
        order.extend(0..self.len() as u32);
        order.sort_unstable_by_key(|index| (self.guide[*index as usize], *index));
    }
}

// The rooms of kenga use these; their names may change.
#[doc(hidden)]
impl Population {
    /// Notes the terms of the first individuals' fitness; copies of an individual take them along.
    pub fn set_terms(&mut self, terms: &[Terms]) {
        self.terms.resize(self.fitness.len(), None);
        for (noted, terms) in self.terms.iter_mut().zip(terms) {
            *noted = Some(*terms);
        }
    }

    /// The genomes of an individual and the next one, to be written.
    #[inline]
    pub fn two_genomes_mut(&mut self, index: usize) -> [&mut [u8]; 2] {
        let pair = &mut self.genes[index * self.width..(index + 2) * self.width];
        let (first, second) = pair.split_at_mut(self.width);
        [first, second]
    }

    /// The genomes of the first `count` individuals, and their fitness to be written.
    pub fn first_mut(&mut self, count: usize) -> (&[u8], &mut [u32]) {
        (&self.genes[..count * self.width], &mut self.fitness[..count])
    }

    /// Copies an individual of another population of the same width over one of this.
    pub fn copy_from(&mut self, index: usize, other: &Self, from: usize) {
        self.genome_mut(index).copy_from_slice(other.genome(from));
        self.fitness[index] = other.fitness[from];
        self.guide[index] = other.guide[from];
        // Where terms are followed, those of the place would else stay behind.
        if let Some(terms) = self.terms.get_mut(index) {
            *terms = other.terms(from);
        }
    }
}

#[cfg(test)]
impl Population {
    /// Individuals with these genomes, one or more of equal length, and fitness.
    pub(super) fn of<G: AsRef<[u8]>>(individuals: impl IntoIterator<Item = (G, u32)>) -> Self {
        let individuals: Vec<(G, u32)> = individuals.into_iter().collect();
        let mut population = Self::new(individuals.len(), individuals[0].0.as_ref().len());
        for (index, (genome, fitness)) in individuals.iter().enumerate() {
            population.genome_mut(index).copy_from_slice(genome.as_ref());
            population.set_fitness(index, *fitness);
        }
        population
    }

    /// Individuals with this fitness, whose genomes are one gene, the fitness.
    pub(super) fn of_fitness(fitness: &[u32]) -> Self {
        Self::of(fitness.iter().map(|fitness| ([*fitness as u8], *fitness)))
    }
}

/// Marks an empty slot.
const EMPTY: u32 = u32::MAX;

/// Genomes by their content: a hash table with linear probing, at most half full.
#[derive(Debug, Default)]
pub(super) struct GenomeIndex {
    /// Places in `members`, or [`EMPTY`]; a power of two of them.
    slots: Vec<u32>,
    /// The population, 0 or 1, of each genome that was added, and its index there.
    members: Vec<(u8, u32)>,
}

impl GenomeIndex {
    /// Empties the index and makes room for this many genomes.
    pub(super) fn clear(&mut self, room: usize) {
        self.members.clear();
        self.slots.clear();
        // At most half full, so that a search ends after two slots or so.
        self.slots.resize((2 * room).next_power_of_two().max(2), EMPTY);
    }

    /// Adds an individual of one of the populations.
    pub(super) fn add(&mut self, of: u8, index: usize, populations: [&Population; 2]) {
        let mut slot = self.first_slot(populations[usize::from(of)].genome(index));
        // Equal genomes may stand twice; finding one of them is enough.
        while self.slots[slot] != EMPTY {
            slot = self.next_slot(slot);
        }
        self.slots[slot] = self.members.len() as u32;
        self.members.push((of, index as u32));
    }

    /// An individual that was added has this genome.
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

/// Mixes a word into a hash, with the odd constant and the shift of a multiplicative hash (D. E. Knuth 1998, The Art
/// of Computer Programming 3, section 6.4).
fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(GOLDEN);
    mixed ^ (mixed >> 29)
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash of a genome, eight genes at a time.
pub(super) fn hash(genome: &[u8]) -> u64 {
    let (words, rest) = genome.as_chunks::<8>();
    let mut hash = GOLDEN;
    for word in words {
        hash = mix(hash, u64::from_le_bytes(*word));
    }
    for gene in rest {
        hash = mix(hash, u64::from(*gene));
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn terms_go_with_copies_and_are_forgotten_where_the_copy_has_none() {
        let (mut population, mut other) = (Population::new(2, 1), Population::new(1, 1));
        let terms = [1, 2].map(|cage| Terms { cage, ..Terms::default() });
        population.copy_from(0, &other, 0);
        assert_eq!(population.terms(0), None);
        population.set_terms(&terms);
        population.copy_within(0, 1);
        assert_eq!(population.terms(0), Some(terms[1]));
        population.copy_from(0, &other, 0);
        assert_eq!((population.terms(0), population.terms(1)), (None, Some(terms[1])));
        other.copy_from(0, &population, 1);
        assert_eq!(other.terms(0), None);
    }

    #[test]
    fn equals_are_ordered_by_index() {
        let mut population = Population::new(4, 2);
        for (index, fitness) in [5, 3, 5, 3].into_iter().enumerate() {
            population.set_fitness(index, fitness);
        }
        assert_eq!((population.best(), population.worst()), (1, 2));
        let mut order = Vec::new();
        population.order_into(&mut order);
        assert_eq!(order, [1, 3, 0, 2]);
    }

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
