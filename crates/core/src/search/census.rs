//! A population in numbers: its fitness, how far its individuals differ, and its best.

use std::sync::Arc;

use super::occurrences::count_digits;
use super::population::hash;
use super::{Population, Snapshot};

/// A population in numbers; censuses of several populations can be merged.
#[derive(Debug, PartialEq)]
pub struct Census {
    digits: usize,
    /// The fitness of every individual.
    fitness: Vec<u32>,
    best: u32,
    best_ranks: Vec<u8>,
    worst: u32,
    sum: u64,
    squares: u128,
    /// How often each digit stands in each cell, `cells * digits`.
    occurrences: Vec<u32>,
    /// A hash of every genome, where distinct ones are counted.
    hashes: Vec<u64>,
    has_hashes: bool,
    /// The individuals themselves, where they are kept.
    snapshot: Option<Snapshot>,
    /// `k ln k` for every k up to at least the number of individuals; copies share it.
    weights: Arc<Vec<f64>>,
}

impl Clone for Census {
    fn clone(&self) -> Self {
        let mut clone = Self::new(0, self.digits);
        clone.clone_from(self);
        clone
    }

    /// Reuses this one's memory where it is large enough.
    fn clone_from(&mut self, other: &Self) {
        self.digits = other.digits;
        self.fitness.clone_from(&other.fitness);
        self.best_ranks.clone_from(&other.best_ranks);
        self.occurrences.clone_from(&other.occurrences);
        self.hashes.clone_from(&other.hashes);
        self.weights = Arc::clone(&other.weights);
        (self.best, self.worst, self.sum, self.squares) = (other.best, other.worst, other.sum, other.squares);
        self.has_hashes = other.has_hashes;
        self.snapshot.clone_from(&other.snapshot);
    }
}

impl Census {
    /// Notes that so many populations have been added, the missing ones without individuals.
    pub(super) fn fill_up(&mut self, populations: usize) {
        if let Some(snapshot) = &mut self.snapshot {
            snapshot.fill_up(populations);
        }
    }

    fn weigh(&mut self) {
        // Logarithms are dear, and every generation needs the same.
        let missing = self.weights.len()..self.fitness.len() + 1;
        if !missing.is_empty() {
            Arc::make_mut(&mut self.weights).extend(missing.map(|k| k as f64 * (k as f64).ln()));
        }
    }

    /// How many individuals were counted.
    pub fn individuals(&self) -> u64 {
        self.fitness.len() as u64
    }

    /// The fitness of every individual, in any order.
    pub fn fitness(&self) -> &[u32] {
        &self.fitness
    }

    /// The lowest fitness.
    pub fn best(&self) -> u32 {
        self.best
    }

    /// The highest fitness.
    pub fn worst(&self) -> u32 {
        self.worst
    }

    /// The mean fitness.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.individuals() as f64
    }

    /// The standard deviation of fitness, of the population itself (divided by its size).
    pub fn std(&self) -> f64 {
        let n = u128::from(self.individuals());
        // In integers: the difference of two large numbers would lose all its digits in floating point.
        let spread = n * self.squares - u128::from(self.sum) * u128::from(self.sum);
        (spread as f64).sqrt() / self.individuals() as f64
    }

    /// The mean over cells of the share of pairs of individuals that differ there, 0 to 1.
    pub fn diversity(&self) -> f64 {
        let n = self.individuals();
        if n < 2 || self.best_ranks.is_empty() {
            return 0.0;
        }
        let cells = self.best_ranks.len();
        // Pairs that agree, each twice: sum c (c - 1), where the c of a cell add up to n.
        let squares: u64 = self.occurrences.iter().map(|count| u64::from(*count).pow(2)).sum();
        let equal = squares - n * cells as u64;
        1.0 - equal as f64 / ((n * (n - 1)) as f64 * cells as f64)
    }

    /// The mean over cells of the Shannon entropy of the digits there, as a share of the largest possible: 0 where all
    /// individuals are equal, 1 where every digit is equally frequent in every cell.
    pub fn entropy(&self) -> f64 {
        let (n, cells) = (self.fitness.len(), self.best_ranks.len());
        if n < 2 || cells == 0 || self.digits < 2 {
            return 0.0;
        }
        // -sum p ln p = ln n - (sum k ln k) / n, cell by cell.
        let (eights, rest) = self.occurrences.as_chunks::<8>();
        let weight = |count: &u32| self.weights[*count as usize];
        let mut sums = [0.0; 8];
        // Eight independent sums, so that no addition waits for the one before.
        for counts in eights {
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += weight(count);
            }
        }
        let sum = sums.iter().sum::<f64>() + rest.iter().map(weight).sum::<f64>();
        let mean = (self.weights[n] - sum / cells as f64) / n as f64;
        (mean / (self.digits as f64).ln()).clamp(0.0, 1.0)
    }
}

// The rooms of kenga use these; their names may change.
#[doc(hidden)]
impl Census {
    /// An empty census for genomes of `cells` ranks below `digits`.
    pub fn new(cells: usize, digits: usize) -> Self {
        Self {
            digits,
            fitness: Vec::new(),
            best: u32::MAX,
            best_ranks: vec![0; cells],
            worst: 0,
            sum: 0,
            squares: 0,
            occurrences: vec![0; cells * digits],
            hashes: Vec::new(),
            has_hashes: false,
            snapshot: None,
            weights: Arc::new(vec![0.0]),
        }
    }

    /// Empties the census; `counts_unique` says whether it counts distinct genomes from now on. It keeps no individuals.
    pub fn clear(&mut self, counts_unique: bool) {
        self.has_hashes = counts_unique;
        self.snapshot = None;
        self.hashes.clear();
        self.fitness.clear();
        (self.best, self.worst, self.sum, self.squares) = (u32::MAX, 0, 0, 0);
        self.occurrences.fill(0);
    }

    /// Keeps the individuals that are added from now on, if asked to.
    pub fn keep_individuals(&mut self, keeps: bool) {
        self.snapshot = keeps.then(|| Snapshot::new(self.best_ranks.len()));
    }

    /// The individuals, where they are kept.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_ref()
    }

    /// Adds a whole population.
    pub fn add(&mut self, population: &Population) {
        for (index, &fitness) in population.fitness().iter().enumerate() {
            if fitness < self.best {
                self.best = fitness;
                self.best_ranks.copy_from_slice(population.genome(index));
            }
            self.worst = self.worst.max(fitness);
            self.sum += u64::from(fitness);
            self.squares += u128::from(fitness) * u128::from(fitness);
        }
        count_digits(population, self.digits, &mut self.occurrences);
        if self.has_hashes {
            self.hashes.extend(population.genomes().map(hash));
        }
        self.fitness.extend_from_slice(population.fitness());
        if let Some(snapshot) = &mut self.snapshot {
            snapshot.add(population);
        }
        self.weigh();
    }

    /// Adds another census; of equally good individuals the best of this one stays.
    pub fn merge(&mut self, other: &Self) {
        if other.best < self.best {
            self.best = other.best;
            self.best_ranks.copy_from_slice(&other.best_ranks);
        }
        self.worst = self.worst.max(other.worst);
        self.sum += other.sum;
        self.squares += other.squares;
        self.fitness.extend_from_slice(&other.fitness);
        self.hashes.extend_from_slice(&other.hashes);
        if let (Some(snapshot), Some(more)) = (&mut self.snapshot, &other.snapshot) {
            snapshot.append(more);
        }
        for (count, more) in self.occurrences.iter_mut().zip(&other.occurrences) {
            *count += more;
        }
        self.weigh();
    }

    /// The number of distinct genomes, where they are counted; sorts hashes of 64 bits in `buffer`.
    pub fn unique(&self, buffer: &mut Vec<u64>) -> Option<u32> {
        buffer.clone_from(&self.hashes);
        buffer.sort_unstable();
        buffer.dedup();
        self.has_hashes.then_some(buffer.len() as u32)
    }

    /// The genome with the lowest fitness; the first of equals.
    pub fn best_ranks(&self) -> &[u8] {
        &self.best_ranks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn census(populations: &[&Population]) -> Census {
        let mut census = Census::new(2, 3);
        populations.iter().for_each(|population| census.add(population));
        census
    }

    #[test]
    fn numbers_match_their_definitions() {
        let census = census(&[&Population::of([([0, 1], 4), ([0, 2], 2), ([1, 1], 6)])]);
        assert_eq!((census.best(), census.worst(), census.best_ranks()), (2, 6, &[0u8, 2][..]));
        assert!((census.mean() - 4.0).abs() < 1e-12);
        assert!((census.std() - (8.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!((census.diversity() - 2.0 / 3.0).abs() < 1e-12);
        // Both cells hold one digit twice and another once.
        let entropy = -(2.0 / 3.0 * (2.0f64 / 3.0).ln() + 1.0 / 3.0 * (1.0f64 / 3.0).ln());
        assert!((census.entropy() - entropy / 3.0f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn entropy_is_0_where_all_agree_and_1_where_all_differ() {
        let agreed = census(&[&Population::of([([0, 1], 4), ([0, 1], 2)])]);
        let divided = census(&[&Population::of([([0, 1], 4), ([1, 2], 2), ([2, 0], 6)])]);
        assert!(agreed.entropy().abs() < 1e-12 && (divided.entropy() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn merging_is_adding() {
        let (a, b) = (Population::of([([0, 1], 4), ([0, 2], 2)]), Population::of([([1, 1], 2)]));
        let mut merged = census(&[&a]);
        merged.merge(&census(&[&b]));
        assert_eq!(merged, census(&[&a, &b]));
    }

    #[test]
    fn equal_genomes_count_once_over_all_populations() {
        let a = Population::of([([0, 1], 4), ([0, 2], 2), ([0, 1], 4)]);
        let mut census = Census::new(2, 3);
        assert_eq!(census.unique(&mut Vec::new()), None);
        census.clear(true);
        census.add(&a);
        assert_eq!(census.unique(&mut Vec::new()), Some(2));
        let other = census.clone();
        census.merge(&other);
        census.add(&Population::of([([2, 2], 7)]));
        assert_eq!(census.unique(&mut vec![9; 3]), Some(3));
    }

    #[test]
    fn individuals_are_kept_by_population_where_they_are_asked_for() {
        let (a, b) = (Population::of([([0, 1], 4), ([0, 2], 2)]), Population::of([([1, 1], 3)]));
        let mut census = census(&[&a]);
        assert!(census.snapshot().is_none());
        census.clear(false);
        census.keep_individuals(true);
        census.add(&a);
        let mut other = Census::new(0, 1);
        other.clone_from(&census);
        census.fill_up(2);
        census.merge(&other);
        census.add(&b);
        census.fill_up(1);
        let snapshot = census.snapshot().expect("they are kept");
        let listed: Vec<(usize, u32, &[u8])> =
            snapshot.individuals().map(|one| (one.population, one.fitness, one.genome)).collect();
        let (first, second): (&[u8], &[u8]) = (&[0, 1], &[0, 2]);
        let both = |place| [(place, 4, first), (place, 2, second)];
        assert_eq!(listed, [both(0).as_slice(), &both(2), &[(3, 3, &[1, 1])]].concat());
        census.clear(true);
        assert!(census.snapshot().is_none());
    }

    #[test]
    fn one_individual_has_no_diversity_and_no_spread() {
        let census = census(&[&Population::of([([0, 1], 4)])]);
        assert_eq!((census.diversity(), census.entropy(), census.std()), (0.0, 0.0, 0.0));
    }
}
