//! The original's own operators, written against the traits of the crate `genetic_algorithm`: what a user of that
//! crate writes who wants exactly the original algorithm.

use genetic_algorithm::strategy::evolve::prelude::*;
use rand::Rng;

use crate::peer::{CROSSOVER_RATE, MUTATION_RATE, POPULATION, Swaps};

/// A list of digits.
pub type Genotype = ListGenotype<u8>;

/// The original's linear scaling: the best gets `FACTOR` times the mean.
const FACTOR: f64 = 1.2;
/// What raw scores are counted down from.
const OFFSET: f64 = 1000.0;

/// Replaces the parents by their offspring; the best parent takes the place of the worst of the offspring when it
/// is better than all of them. The two halves of the population change places and no memory moves: what was the
/// parents is written over by the next offspring.
#[derive(Clone, Debug)]
pub struct Replace;

/// Draws both parents of every pair by roulette on scaled fitness and crosses them at one point.
#[derive(Clone, Debug, Default)]
pub struct RouletteSinglePoint {
    wheel: Vec<f64>,
}

/// Swaps genes of every child, and has every child evaluated, changed or not.
#[derive(Clone, Debug)]
pub struct Swap {
    swaps: Swaps,
    log_keep: f64,
}

impl Swap {
    /// The mutation for this number of genes.
    pub fn new(genes: usize) -> Self {
        Self { swaps: Swaps::of(genes), log_keep: (1.0 - MUTATION_RATE).ln() }
    }

    /// Genes until the next coin that falls: the coins of all the genes between are one draw.
    fn gap<R: Rng>(&self, rng: &mut R) -> usize {
        let unit: f64 = rng.r#gen();
        ((1.0 - unit).ln() / self.log_keep) as usize
    }

    fn mutate<R: Rng>(&self, genes: &mut [u8], rng: &mut R) {
        let length = genes.len();
        match self.swaps {
            Swaps::Coins => {
                let mut position = self.gap(rng);
                while position < length {
                    genes.swap(position, rng.gen_range(0..length));
                    position += 1 + self.gap(rng);
                }
            }
            Swaps::Fixed(swaps) => {
                for _ in 0..swaps {
                    genes.swap(rng.gen_range(0..length), rng.gen_range(0..length));
                }
            }
        }
    }
}

impl Select for Replace {
    type Genotype = Genotype;

    fn call<R: Rng, SR: StrategyReporter<Genotype = Genotype>>(
        &mut self,
        _genotype: &Genotype,
        state: &mut EvolveState<Genotype>,
        _config: &EvolveConfig,
        _reporter: &mut SR,
        _rng: &mut R,
    ) {
        let (parents, offspring) = state.population.chromosomes.split_at_mut(POPULATION);
        if offspring.is_empty() {
            return;
        }
        let key = |chromosome: &Chromosome<u8>| chromosome.fitness_score;
        let best = parents.iter_mut().min_by_key(|chromosome| key(chromosome)).expect("eighty parents");
        let best_child = offspring.iter().map(key).min().expect("eighty offspring");
        if key(best) < best_child {
            let worst =
                offspring.iter_mut().max_by_key(|chromosome| key(chromosome)).expect("eighty offspring");
            std::mem::swap(best, worst);
        }
        parents.swap_with_slice(offspring);
    }

    /// The crate estimates the population's cardinality here, for reports that nobody reads.
    fn after(&mut self, _genotype: &Genotype, _state: &mut EvolveState<Genotype>, _config: &EvolveConfig) {}
}

impl Crossover for RouletteSinglePoint {
    type Genotype = Genotype;

    fn call<R: Rng, SR: StrategyReporter<Genotype = Genotype>>(
        &mut self,
        _genotype: &Genotype,
        state: &mut EvolveState<Genotype>,
        _config: &EvolveConfig,
        _reporter: &mut SR,
        rng: &mut R,
    ) {
        let population = &mut state.population;
        if population.size() == POPULATION {
            population.extend_from_within(POPULATION);
        }
        self.fill_wheel(&population.chromosomes[..POPULATION]);
        let (parents, offspring) = population.chromosomes.split_at_mut(POPULATION);
        for pair in offspring.chunks_exact_mut(2) {
            let (a, b) = (&parents[self.turn(rng)].genes, &parents[self.turn(rng)].genes);
            let cut = if rng.gen_bool(CROSSOVER_RATE) { rng.gen_range(1..a.len()) } else { a.len() };
            for (child, head, tail) in [(0, a, b), (1, b, a)] {
                pair[child].genes[..cut].copy_from_slice(&head[..cut]);
                pair[child].genes[cut..].copy_from_slice(&tail[cut..]);
                pair[child].reset_age();
            }
        }
    }
}

impl RouletteSinglePoint {
    fn fill_wheel(&mut self, parents: &[Chromosome<u8>]) {
        let score = |chromosome: &Chromosome<u8>| OFFSET - chromosome.fitness_score.unwrap_or(0) as f64;
        let (mut min, mut max, mut total) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for raw in parents.iter().map(score) {
            (min, max, total) = (raw.min(min), raw.max(max), total + raw);
        }
        let (slope, shift) = scaling(total / parents.len() as f64, max, min);
        self.wheel.clear();
        let mut sum = 0.0;
        self.wheel.extend(parents.iter().map(|parent| {
            sum += (slope * score(parent) + shift).max(0.0);
            sum
        }));
    }

    fn turn<R: Rng>(&self, rng: &mut R) -> usize {
        let end = self.wheel[self.wheel.len() - 1];
        let ball = rng.r#gen::<f64>() * end;
        self.wheel.partition_point(|&sum| sum <= ball).min(self.wheel.len() - 1)
    }
}

impl Mutate for Swap {
    type Genotype = Genotype;

    fn call<R: Rng, SR: StrategyReporter<Genotype = Genotype>>(
        &mut self,
        _genotype: &Genotype,
        state: &mut EvolveState<Genotype>,
        _config: &EvolveConfig,
        _reporter: &mut SR,
        rng: &mut R,
    ) {
        for child in &mut state.population.chromosomes[POPULATION..] {
            self.mutate(&mut child.genes, rng);
            child.reset_metadata(false);
        }
    }
}

/// Slope and shift of the original's linear scaling; its guard has lost its parentheses, as in the original.
fn scaling(mean: f64, max: f64, min: f64) -> (f64, f64) {
    if mean == max {
        (1.0, 0.0)
    } else if min > FACTOR * mean - max / FACTOR - 1.0 {
        let spread = max - mean;
        ((FACTOR - 1.0) * mean / spread, mean * (max - FACTOR * mean) / spread)
    } else {
        let spread = mean - min;
        (mean / spread, -min * mean / spread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test of this package seeds for itself")]
    fn swaps_keep_the_digits_and_happen_at_the_rate() {
        let mut rng = SmallRng::seed_from_u64(1);
        let swap = Swap::new(36);
        let mut moved = 0;
        for _ in 0..20_000 {
            let mut genes: Vec<u8> = (0..36).collect();
            swap.mutate(&mut genes, &mut rng);
            moved += (0..36).filter(|&gene| genes[usize::from(gene)] != gene).count();
            genes.sort_unstable();
            assert!(genes.iter().copied().eq(0..36));
        }
        // 36 coins at 0.02 are 0.72 swaps, each of two genes, but for the swaps with itself and the undone.
        let mean = moved as f64 / 20_000.0;
        assert!((1.3..1.44).contains(&mean), "{mean}");
    }

    #[test]
    fn scaling_keeps_the_mean() {
        let (slope, shift) = scaling(900.0, 950.0, 880.0);
        assert!((slope * 900.0 + shift - 900.0).abs() < 1e-9);
        assert_eq!(scaling(900.0, 900.0, 900.0), (1.0, 0.0));
    }
}
