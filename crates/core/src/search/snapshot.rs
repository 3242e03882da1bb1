//! The individuals of populations, as they stood at one moment: genomes and fitness.

use super::Population;

/// The individuals of some populations, population by population, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    width: usize,
    /// The genomes, one after the other.
    genes: Vec<u8>,
    fitness: Vec<u32>,
    /// Of each population, how many individuals it and those before it have.
    ends: Vec<usize>,
}

/// An individual of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotIndividual<'a> {
    /// The number of its population, from 0: of islands the number of its island.
    pub population: usize,
    /// Its fitness.
    pub fitness: u32,
    /// Its genome: a rank a cell.
    pub genome: &'a [u8],
}

impl Snapshot {
    /// No population yet, of genomes of `width` ranks.
    pub(super) fn new(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// Adds the next population.
    pub(super) fn add(&mut self, population: &Population) {
        self.genes.extend_from_slice(population.genes());
        self.fitness.extend_from_slice(population.fitness());
        self.ends.push(self.fitness.len());
    }

    /// Adds the populations of another one.
    pub(super) fn append(&mut self, other: &Self) {
        let before = self.fitness.len();
        self.genes.extend_from_slice(&other.genes);
        self.fitness.extend_from_slice(&other.fitness);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }

    /// Adds populations without individuals until there are so many.
    pub(super) fn fill_up(&mut self, populations: usize) {
        if self.ends.len() < populations {
            self.ends.resize(populations, self.fitness.len());
        }
    }

    /// How many individuals there are.
    pub fn len(&self) -> usize {
        self.fitness.len()
    }

    /// There is no individual.
    pub fn is_empty(&self) -> bool {
        self.fitness.is_empty()
    }

    /// The individuals, population by population.
    pub fn individuals(&self) -> impl Iterator<Item = SnapshotIndividual<'_>> {
        let mut population = 0;
        self.fitness.iter().enumerate().map(move |(index, &fitness)| {
            // A population without individuals ends where the one before it does.
            while self.ends[population] <= index {
                population += 1;
            }
            let genome = &self.genes[index * self.width..(index + 1) * self.width];
            SnapshotIndividual { population, fitness, genome }
        })
    }
}
