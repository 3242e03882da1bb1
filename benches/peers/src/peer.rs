//! What every peer does: a fixed amount of the same work, its evaluations counted and its CPU time taken.

use crate::instance::Instance;

/// Individuals in a population.
pub const POPULATION: usize = 80;
/// Generations after the initial population in one run: the original's limit.
pub const GENERATIONS: usize = 5000;
/// Probability that a pair is crossed, else cloned.
pub const CROSSOVER_RATE: f64 = 0.9;
/// Probability that a gene is swapped with another.
pub const MUTATION_RATE: f64 = 0.02;

/// One measure: the whole loop, setting up included.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    /// Calls of the fitness, counted in the fitness itself.
    pub evaluations: u64,
    /// CPU seconds of the one thread that ran.
    pub cpu_s: f64,
}

impl Sample {
    /// Evaluations a CPU second.
    pub fn rate(&self) -> f64 {
        self.evaluations as f64 / self.cpu_s
    }
}

/// A library's genetic algorithm.
pub trait Peer {
    /// Its name in the table.
    fn name(&self) -> &str;

    /// Runs one measure on this thread, or in a process of its own.
    ///
    /// # Errors
    /// A sentence, when the peer could not run.
    fn measure(&self, instance: &Instance, seed: u64) -> Result<Sample, String>;
}

/// Genes that a mutation changes: the original flips a coin for every gene while `MUTATION_RATE * genes < 1`, and
/// makes a fixed number of swaps from there on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swaps {
    /// Every gene with probability [`MUTATION_RATE`].
    Coins,
    /// Exactly this number.
    Fixed(usize),
}

impl Swaps {
    /// The original's rule for this number of genes.
    pub fn of(genes: usize) -> Self {
        let expected = MUTATION_RATE * genes as f64;
        if expected < 1.0 { Self::Coins } else { Self::Fixed(expected.round() as usize) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_puzzles_flip_coins_and_9x9_makes_two_swaps() {
        assert_eq!(Swaps::of(16), Swaps::Coins);
        assert_eq!(Swaps::of(49), Swaps::Coins);
        assert_eq!(Swaps::of(64), Swaps::Fixed(1));
        assert_eq!(Swaps::of(81), Swaps::Fixed(2));
    }
}
