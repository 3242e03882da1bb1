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

/// Rows that are summed together.
const CHUNK: usize = 4096;

/// How a step is drawn: a neighbour by its probability.
pub(super) trait Proposal: Sync {
    /// Calls `see` with genomes and the probability that a step from `genome` is drawn to each; a genome may come several
    /// times, and `genome` itself may come.
    fn each(&self, genome: usize, see: &mut dyn FnMut(usize, f64));
}

impl Chain {
    /// The chain that draws by a proposal and goes to a neighbour with the probability that `accepts` gives for its level and
    /// that of the genome; `None` where it was interrupted.
    pub(super) fn new(
        surface: &Surface,
        proposal: &dyn Proposal,
        accepts: impl Fn(usize, usize) -> f64 + Sync,
        interrupt: &Interrupt,
    ) -> Option<Self> {
        let genomes = surface.numbering().genomes();
        let solutions: Vec<bool> = (0..genomes).map(|genome| surface.is_solution(genome)).collect();
        let steps = |genome: usize| -> Vec<(u32, f64)> {
            if solutions[genome] || interrupt.is_raised() {
                return Vec::new();
            }
            let mut steps = Vec::new();
            proposal.each(genome, &mut |target, chance| {
                let chance = chance * accepts(surface.level(genome), surface.level(target));
                if target != genome && chance > 0.0 {
                    steps.push((target as u32, chance));
                }
            });
            merged(steps)
        };
        let steps: Vec<Vec<(u32, f64)>> = (0..genomes).into_par_iter().map(steps).collect();
        if interrupt.is_raised() {
            return None;
        }
        let leaves = |steps: &Vec<(u32, f64)>| steps.iter().map(|(_, chance)| chance).sum::<f64>();
        let leave = steps.iter().map(leaves).collect();
        let mut starts = vec![0; genomes + 1];
        steps.iter().flatten().for_each(|(target, _)| starts[*target as usize + 1] += 1);
        (0..genomes).for_each(|genome| starts[genome + 1] += starts[genome]);
        let mut next = starts.clone();
        let mut from = vec![0; starts[genomes] as usize];
        let mut chance = vec![0.0; from.len()];
        for (genome, steps) in steps.iter().enumerate() {
            for (target, probability) in steps {
                let place = next[*target as usize] as usize;
                next[*target as usize] += 1;
                (from[place], chance[place]) = (genome as u32, *probability);
            }
        }
        Some(Self { starts, from, chance, leave, solutions })
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

    /// What comes to a genome from others, of what lies on them.
    #[inline]
    pub(super) fn arrivals(&self, genome: usize, mass: &[f64]) -> f64 {
        let row = self.starts[genome] as usize..self.starts[genome + 1] as usize;
        self.from[row.clone()]
            .iter()
            .zip(&self.chance[row])
            .map(|(from, chance)| mass[*from as usize] * chance)
            .sum()
    }

    /// The probability to leave a genome.
    #[inline]
    pub(super) fn leave(&self, genome: usize) -> f64 {
        self.leave[genome]
    }

    /// Writes what lies on every genome after a step: what `rule` makes of the genome, of what stays, and of what arrives.
    pub(super) fn step(&self, mass: &[f64], next: &mut [f64], rule: impl Fn(usize) -> bool + Sync) {
        next.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, next)| {
            for (offset, next) in next.iter_mut().enumerate() {
                let genome = chunk * CHUNK + offset;
                *next = match rule(genome) {
                    true => mass[genome] * (1.0 - self.leave[genome]) + self.arrivals(genome, mass),
                    false => 0.0,
                };
            }
        });
    }
}

/// Steps by target, each target once.
fn merged(mut steps: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    steps.sort_by_key(|(target, _)| *target);
    steps.dedup_by(|(target, more), (kept, chance)| {
        let is_same = target == kept;
        if is_same {
            *chance += *more;
        }
        is_same
    });
    steps
}
