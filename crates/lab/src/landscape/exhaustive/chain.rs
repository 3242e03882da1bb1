//! A walk over the genomes of a small space as a Markov chain that ends at the solutions.
//!
//! A step draws a neighbour and goes there, or stays: the chain of annealing at a fixed temperature, and of a (1+1)
//! algorithm. A row of the chain is a genome with all from which a step leads to it, so that a distribution is stepped by
//! sums over rows, in the same order whatever the number of threads.

use rayon::prelude::*;

use super::Surface;
use kenga_core::budget::Interrupt;

/// The probabilities of steps between genomes that are no solutions, and from them to solutions.
pub(super) struct Chain {
    /// Where the row of each genome begins; one more than there are genomes.
    starts: Vec<u32>,
    /// The genomes from which a step leads to the row's, ascending.
    from: Vec<u32>,
    chance: Vec<f64>,
    /// The probability to leave each genome.
    leave: Vec<f64>,
    solutions: Vec<bool>,
}

/// A step to another genome with its probability.
#[derive(Clone, Copy)]
struct ChainStep {
    to: u32,
    chance: f64,
}

/// Rows that one thread sums at a time.
const CHUNK: usize = 4096;

/// How a step is drawn: a neighbour by its probability.
pub(super) trait Proposal: Sync {
    /// Calls `see` with genomes and the probability that a step from `genome` is drawn to each; a genome may come several
    /// times, and `genome` itself may come.
    fn each(&self, genome: usize, see: &mut dyn FnMut(usize, f64));
}

impl Chain {
    /// The chain that draws by a proposal and goes to a neighbour with the probability that `accepts` gives for the level of
    /// the genome and that of the neighbour; `None` where it was interrupted.
    pub(super) fn new(
        surface: &Surface,
        proposal: &dyn Proposal,
        accepts: impl Fn(usize, usize) -> f64 + Sync,
        interrupt: &Interrupt,
    ) -> Option<Self> {
        let genomes = surface.numbering().genomes();
        let steps_from = |genome: usize| {
            let mut steps = Vec::new();
            // A run ends at a solution.
            if surface.is_solution(genome) || interrupt.is_raised() {
                return steps;
            }
            proposal.each(genome, &mut |target, chance| {
                let chance = chance * accepts(surface.level(genome), surface.level(target));
                if target != genome && chance > 0.0 {
                    steps.push(ChainStep { to: target as u32, chance });
                }
            });
            merged(steps)
        };
        let steps: Vec<Vec<ChainStep>> = (0..genomes).into_par_iter().map(steps_from).collect();
        if interrupt.is_raised() {
            return None;
        }
        let solutions = (0..genomes).map(|genome| surface.is_solution(genome)).collect();
        Some(Self::transposed(&steps, solutions))
    }

    /// Turns the steps from each genome into rows of the steps to each, by counting.
    fn transposed(steps: &[Vec<ChainStep>], solutions: Vec<bool>) -> Self {
        let genomes = steps.len();
        let mut leave = Vec::with_capacity(genomes);
        let mut starts = vec![0; genomes + 1];
        for steps in steps {
            leave.push(steps.iter().map(|step| step.chance).sum());
            for step in steps {
                starts[step.to as usize + 1] += 1;
            }
        }
        for genome in 0..genomes {
            starts[genome + 1] += starts[genome];
        }
        // Genomes are gone through in order, so that the rows are ascending.
        let mut next = starts.clone();
        let mut from = vec![0; starts[genomes] as usize];
        let mut chance = vec![0.0; from.len()];
        for (genome, steps) in steps.iter().enumerate() {
            for step in steps {
                let place = next[step.to as usize] as usize;
                next[step.to as usize] += 1;
                from[place] = genome as u32;
                chance[place] = step.chance;
            }
        }
        Self { starts, from, chance, leave, solutions }
    }

    /// How many genomes there are.
    pub(super) fn genomes(&self) -> usize {
        self.leave.len()
    }

    /// A genome is a solution.
    #[inline]
    pub(super) fn is_solution(&self, genome: usize) -> bool {
        self.solutions[genome]
    }

    /// The genomes from which a step leads to one, with its probability.
    #[inline]
    pub(super) fn row(&self, genome: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let row = self.starts[genome] as usize..self.starts[genome + 1] as usize;
        self.from[row.clone()].iter().copied().zip(self.chance[row].iter().copied())
    }

    /// The probability that flows into a genome in one step, from a distribution over all.
    #[inline]
    pub(super) fn inflow(&self, genome: usize, mass: &[f64]) -> f64 {
        let row = self.starts[genome] as usize..self.starts[genome + 1] as usize;
        let mut sum = 0.0;
        for (from, chance) in self.from[row.clone()].iter().zip(&self.chance[row]) {
            sum += mass[*from as usize] * chance;
        }
        sum
    }

    /// The probability to leave a genome.
    #[inline]
    pub(super) fn leave(&self, genome: usize) -> f64 {
        self.leave[genome]
    }

    /// Writes the distribution after a step: what stays and what flows in where `keeps` holds, and nothing elsewhere.
    pub(super) fn step(&self, mass: &[f64], next: &mut [f64], keeps: impl Fn(usize) -> bool + Sync) {
        next.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, next)| {
            for (offset, next) in next.iter_mut().enumerate() {
                let genome = chunk * CHUNK + offset;
                *next = if keeps(genome) {
                    mass[genome] * (1.0 - self.leave[genome]) + self.inflow(genome, mass)
                } else {
                    0.0
                };
            }
        });
    }
}

/// Steps by target, each target once.
fn merged(mut steps: Vec<ChainStep>) -> Vec<ChainStep> {
    // The sort is stable: probabilities of one target are added in the order in which they were drawn.
    steps.sort_by_key(|step| step.to);
    steps.dedup_by(|later, first| {
        if later.to != first.to {
            return false;
        }
        first.chance += later.chance;
        true
    });
    steps
}
