//! The crate `genetic_algorithm`: with its own operators, in the fastest of their configurations, and with the
//! original's operators written against its traits. Its own operators run with two fitness functions.

use genetic_algorithm::genotype::{Genotype, RangeGenotype, SupportsPointCrossover};
use genetic_algorithm::strategy::evolve::prelude::*;
use kenga::budget::Clock;
use kenga::puzzle::Puzzle;
use rand::Rng;
use std::marker::PhantomData;

use crate::fitness::{Evaluate, FlatFitness};
use crate::instance::Instance;
use crate::original;
use crate::peer::{CROSSOVER_RATE, GENERATIONS, MUTATION_RATE, POPULATION, Peer, Sample, Swaps};
use crate::plain::PlainFitness;

/// The crate with the original's operators.
pub struct OriginalOperators;

/// The crate with its own operators.
#[derive(Clone, Debug)]
pub struct OwnOperators {
    /// Its name in the table.
    pub name: &'static str,
    /// What holds the digits.
    pub genotype: GenotypeKind,
    /// Who survives.
    pub selection: Selection,
    /// The share of the next population that is offspring.
    pub replacement_rate: f32,
    /// Genes that are drawn anew in a child that mutates.
    pub redraw: Redraw,
    /// The crate keeps a hash of every individual's genes.
    pub hashing: bool,
    /// The crate uses the memory of dropped individuals again.
    pub recycling: bool,
    /// Clones of parents are evaluated again, as the original does.
    pub evaluate_all: bool,
    /// What evaluates.
    pub written: Written,
}

/// The two fitness functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// [`FlatFitness`].
    Tuned,
    /// [`PlainFitness`].
    Plain,
}

/// The crate's two encodings of cells with one digit set.
#[derive(Clone, Copy, Debug)]
pub enum GenotypeKind {
    /// `ListGenotype<u8>`.
    List,
    /// `RangeGenotype<u8>`.
    Range,
}

/// The crate's two selections.
#[derive(Clone, Copy, Debug)]
pub enum Selection {
    /// The best, by sorting.
    Elite,
    /// Winners of tournaments of this size, without replacement.
    Tournament(usize),
}

/// The crate's mutations that are nearest to a swap.
#[derive(Clone, Copy, Debug)]
pub enum Redraw {
    /// One gene: half of a swap.
    One,
    /// Two genes for every swap that the original would make.
    Two,
}

impl Peer for OriginalOperators {
    fn name(&self) -> &str {
        "genetic_algorithm, original's operators, tuned fitness"
    }

    fn measure(&self, instance: &Instance, seed: u64) -> Result<Sample, String> {
        match instance.puzzle.rows() {
            4 => self.runs::<4>(instance, seed),
            6 => self.runs::<6>(instance, seed),
            9 => self.runs::<9>(instance, seed),
            n => Err(format!("the fitness is not compiled for size {n}")),
        }
    }
}

impl OriginalOperators {
    fn runs<const N: usize>(&self, instance: &Instance, seed: u64) -> Result<Sample, String> {
        timed(instance, seed, |seed| Self::run::<N>(&instance.puzzle, seed).map(|(calls, _)| calls))
    }

    /// One run: calls of the fitness, and the best fitness.
    fn run<const N: usize>(puzzle: &Puzzle, seed: u64) -> Result<(u64, Option<FitnessValue>), String> {
        let evolve = Evolve::builder()
            .with_genotype(list(N, false, true)?)
            .with_select(original::Replace)
            .with_crossover(original::RouletteSinglePoint::default())
            .with_mutate(original::Swap::new(N * N))
            .with_fitness(Counted::new(FlatFitness::<N>::new(puzzle)))
            .with_fitness_ordering(FitnessOrdering::Minimize)
            .with_target_population_size(POPULATION)
            .with_max_generations(GENERATIONS)
            .with_rng_seed_from_u64(seed)
            .call()
            .map_err(|error| error.0.to_string())?;
        Ok((evolve.fitness.calls, evolve.best_fitness_score()))
    }
}

impl Default for OwnOperators {
    /// The fastest that `peers --tune` finds among those that select at all.
    fn default() -> Self {
        Self {
            name: "genetic_algorithm, own operators, tuned fitness",
            genotype: GenotypeKind::List,
            selection: Selection::Elite,
            replacement_rate: 0.5,
            redraw: Redraw::One,
            hashing: false,
            recycling: true,
            evaluate_all: true,
            written: Written::Tuned,
        }
    }
}

impl Peer for OwnOperators {
    fn name(&self) -> &str {
        self.name
    }

    fn measure(&self, instance: &Instance, seed: u64) -> Result<Sample, String> {
        match instance.puzzle.rows() {
            4 => self.runs::<4>(instance, seed),
            6 => self.runs::<6>(instance, seed),
            9 => self.runs::<9>(instance, seed),
            n => Err(format!("the fitness is not compiled for size {n}")),
        }
    }
}

impl OwnOperators {
    /// The default with the plain fitness.
    pub fn plain() -> Self {
        let name = "genetic_algorithm, own operators, plain fitness";
        Self { name, written: Written::Plain, ..Self::default() }
    }

    /// The default and what it was chosen from: each is named after its difference from the default.
    pub fn candidates() -> Vec<Self> {
        let fastest = Self::default;
        let (two, four) = (Selection::Tournament(2), Selection::Tournament(4));
        vec![
            Self { name: "fastest: list, elite, replacement 0.5, one gene", ..fastest() },
            Self { name: "range in place of list", genotype: GenotypeKind::Range, ..fastest() },
            Self { name: "tournaments of 2", selection: two, ..fastest() },
            Self { name: "tournaments of 4", selection: four, ..fastest() },
            Self { name: "replacement 1", replacement_rate: 1.0, ..fastest() },
            Self {
                name: "tournaments of 2, replacement 1",
                selection: two,
                replacement_rate: 1.0,
                ..fastest()
            },
            Self { name: "two genes a swap", redraw: Redraw::Two, ..fastest() },
            Self { name: "genes hashed", hashing: true, ..fastest() },
            Self { name: "memory not recycled", recycling: false, ..fastest() },
            Self { name: "clones not evaluated again", evaluate_all: false, ..fastest() },
        ]
    }

    fn runs<const N: usize>(&self, instance: &Instance, seed: u64) -> Result<Sample, String> {
        timed(instance, seed, |seed| match self.genotype {
            GenotypeKind::List => {
                self.run::<_, N>(list(N, self.hashing, self.recycling)?, &instance.puzzle, seed)
            }
            GenotypeKind::Range => {
                let genotype = RangeGenotype::builder()
                    .with_genes_size(N * N)
                    .with_allele_range(1..=N as u8)
                    .with_genes_hashing(self.hashing)
                    .with_chromosome_recycling(self.recycling)
                    .build()
                    .map_err(|error| error.0.to_string())?;
                self.run::<_, N>(genotype, &instance.puzzle, seed)
            }
        })
    }

    fn run<G, const N: usize>(&self, genotype: G, puzzle: &Puzzle, seed: u64) -> Result<u64, String>
    where
        G: EvolveGenotype + Genotype<Allele = u8> + SupportsPointCrossover,
    {
        match self.written {
            Written::Tuned => self.run_with(genotype, FlatFitness::<N>::new(puzzle), seed),
            Written::Plain => self.run_with(genotype, PlainFitness::new(puzzle), seed),
        }
    }

    fn run_with<G, F>(&self, genotype: G, fitness: F, seed: u64) -> Result<u64, String>
    where
        G: EvolveGenotype + Genotype<Allele = u8> + SupportsPointCrossover,
        F: Evaluate,
    {
        let genes = genotype.genes_size();
        let evolve = Evolve::builder()
            .with_genotype(genotype)
            .with_select(self.select())
            .with_crossover(CrossoverSinglePoint::new(1.0, CROSSOVER_RATE as f32))
            .with_mutate(self.mutate(genes))
            .with_extension(EvaluateAll { enabled: self.evaluate_all, genotype: PhantomData })
            .with_fitness(Counted::new(fitness))
            .with_fitness_ordering(FitnessOrdering::Minimize)
            .with_target_population_size(POPULATION)
            .with_max_generations(GENERATIONS)
            .with_rng_seed_from_u64(seed)
            .call()
            .map_err(|error| error.0.to_string())?;
        Ok(evolve.fitness.calls)
    }

    /// The elite is one of the 160 parents and offspring: the crate rounds its rate up.
    fn select<G: EvolveGenotype>(&self) -> SelectWrapper<G> {
        let elitism_rate = 0.5 / (2 * POPULATION) as f32;
        match self.selection {
            Selection::Elite => SelectElite::new(self.replacement_rate, elitism_rate).into(),
            Selection::Tournament(size) => {
                SelectTournament::new(self.replacement_rate, elitism_rate, size).into()
            }
        }
    }

    /// As many children mutate as in the original: all, or those for which one coin at least falls.
    fn mutate<G: EvolveGenotype>(&self, genes: usize) -> MutateWrapper<G> {
        let (probability, swaps) = match Swaps::of(genes) {
            Swaps::Coins => (1.0 - (1.0 - MUTATION_RATE).powi(genes as i32), 1),
            Swaps::Fixed(swaps) => (1.0, swaps),
        };
        match self.redraw {
            Redraw::One => MutateSingleGene::new(probability as f32).into(),
            Redraw::Two => MutateMultiGene::new(2 * swaps, probability as f32).into(),
        }
    }
}

/// The fitness, counting its calls.
#[derive(Clone, Debug)]
struct Counted<G, F> {
    fitness: F,
    calls: u64,
    genotype: PhantomData<G>,
}

impl<G, F> Counted<G, F> {
    fn new(fitness: F) -> Self {
        Self { fitness, calls: 0, genotype: PhantomData }
    }
}

impl<G: EvolveGenotype + Genotype<Allele = u8>, F: Evaluate> Fitness for Counted<G, F> {
    type Genotype = G;

    fn calculate_for_chromosome(
        &mut self,
        chromosome: &Chromosome<u8>,
        _genotype: &G,
    ) -> Option<FitnessValue> {
        self.calls += 1;
        Some(self.fitness.evaluate(&chromosome.genes) as FitnessValue)
    }
}

/// Forgets what offspring inherited: the crate does not evaluate a clone of a parent again, and skips one child in
/// ten at most; the original evaluates it. With this every generation is 80 calls, and a call costs less overhead.
#[derive(Clone, Debug)]
struct EvaluateAll<G> {
    enabled: bool,
    genotype: PhantomData<G>,
}

impl<G: EvolveGenotype> Extension for EvaluateAll<G> {
    type Genotype = G;

    fn after_mutation_complete<R: Rng, SR: StrategyReporter<Genotype = G>>(
        &mut self,
        _genotype: &mut G,
        state: &mut EvolveState<G>,
        _config: &EvolveConfig,
        _reporter: &mut SR,
        _rng: &mut R,
    ) {
        if self.enabled {
            let offspring =
                state.population.chromosomes.iter_mut().filter(|chromosome| chromosome.is_offspring());
            offspring.for_each(|chromosome| chromosome.set_fitness_score(None));
        }
    }
}

fn list(n: usize, hashing: bool, recycling: bool) -> Result<ListGenotype<u8>, String> {
    ListGenotype::builder()
        .with_genes_size(n * n)
        .with_allele_list((1..=n as u8).collect())
        .with_genes_hashing(hashing)
        .with_chromosome_recycling(recycling)
        .build()
        .map_err(|error| error.0.to_string())
}

/// Times the instance's number of runs, each from a start of its own.
fn timed(
    instance: &Instance,
    seed: u64,
    mut run: impl FnMut(u64) -> Result<u64, String>,
) -> Result<Sample, String> {
    let clock = Clock::start();
    let mut evaluations = 0;
    for index in 0..instance.runs {
        evaluations += run(seed * instance.runs + index)?;
    }
    Ok(Sample { evaluations, cpu_s: clock.cpu_s() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALLS: u64 = (POPULATION * (GENERATIONS + 1)) as u64;

    #[test]
    fn the_original_solves_the_4x4_nine_times_in_ten() {
        let instances = Instance::all().expect("the puzzles stand beside the manifest");
        let best = |seed| {
            let (calls, best) = OriginalOperators::run::<4>(&instances[0].puzzle, seed).expect("it runs");
            assert_eq!(calls, CALLS);
            best
        };
        let solved = (0..100).filter(|&seed| best(seed) == Some(0)).count();
        assert!((82..=98).contains(&solved), "{solved}");
    }

    #[test]
    fn own_operators_evaluate_eighty_a_generation() {
        let instances = Instance::all().expect("the puzzles stand beside the manifest");
        for peer in OwnOperators::candidates() {
            let genotype = list(4, peer.hashing, peer.recycling).expect("a sound genotype");
            let calls = peer.run::<_, 4>(genotype, &instances[0].puzzle, 1).expect("it runs");
            assert!(if peer.evaluate_all { calls == CALLS } else { calls < CALLS }, "{} {calls}", peer.name);
        }
    }
}
