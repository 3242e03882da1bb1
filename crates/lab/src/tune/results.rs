//! What is known of the candidates: their runs, block by block, and what these have cost.

use std::collections::BTreeMap;

use super::{Options, Outcome};

/// The runs that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    /// By candidate and block.
    outcomes: BTreeMap<(usize, usize), Outcome>,
    /// Calls of all runs.
    pub(super) used: u64,
    /// Runs.
    pub(super) runs: u64,
    /// One more than the last block that any candidate has run; 0 without runs.
    pub(super) blocks: usize,
}

impl Results {
    pub(super) fn add(&mut self, candidate: usize, block: usize, outcome: Outcome) {
        self.used += outcome.calls();
        self.runs += 1;
        self.blocks = self.blocks.max(block + 1);
        self.outcomes.insert((candidate, block), outcome);
    }

    fn get(&self, candidate: usize, block: usize) -> Option<&Outcome> {
        self.outcomes.get(&(candidate, block))
    }

    /// The run is known in full.
    pub(super) fn has(&self, candidate: usize, block: usize) -> bool {
        self.get(candidate, block).is_some_and(|outcome| !outcome.is_capped)
    }

    /// All of these runs are known in full.
    pub(super) fn has_all(&self, candidate: usize, blocks: &[usize]) -> bool {
        blocks.iter().all(|block| self.has(candidate, *block))
    }

    pub(super) fn is_capped(&self, candidate: usize, block: usize) -> bool {
        self.get(candidate, block).is_some_and(|outcome| outcome.is_capped)
    }

    /// What a known run cost.
    pub(super) fn cost(&self, options: &Options, candidate: usize, block: usize) -> Option<f64> {
        self.get(candidate, block).map(|outcome| options.cost(outcome))
    }

    /// The sum of the costs of a candidate on blocks; `None` where one is not known.
    pub(super) fn sum(&self, options: &Options, candidate: usize, blocks: &[usize]) -> Option<f64> {
        blocks.iter().map(|block| self.cost(options, candidate, *block)).sum()
    }

    /// The mean cost of a candidate over blocks that it knows; infinite without any.
    pub(super) fn mean(&self, options: &Options, candidate: usize, blocks: &[usize]) -> f64 {
        let known = self.known(candidate, blocks);
        if known.is_empty() {
            return f64::INFINITY;
        }
        known.iter().map(|outcome| options.cost(outcome)).sum::<f64>() / known.len() as f64
    }

    /// The sum of the best fitness of a candidate's runs on blocks.
    pub(super) fn fitness(&self, candidate: usize, blocks: &[usize]) -> f64 {
        let mut sum = 0.0;
        for outcome in self.known(candidate, blocks) {
            sum += outcome.best_fitness.map_or(f64::INFINITY, f64::from);
        }
        sum
    }

    /// How many of a candidate's runs on blocks have solved.
    pub(super) fn solved(&self, candidate: usize, blocks: &[usize]) -> usize {
        self.known(candidate, blocks).iter().filter(|outcome| outcome.solved).count()
    }

    /// A candidate's runs on blocks.
    pub(super) fn known(&self, candidate: usize, blocks: &[usize]) -> Vec<&Outcome> {
        blocks.iter().filter_map(|block| self.get(candidate, *block)).collect()
    }

    /// All runs with their candidates.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, &Outcome)> {
        self.outcomes.iter().map(|((candidate, _), outcome)| (*candidate, outcome))
    }

    /// Mean calls of the runs of a candidate; `None` without any.
    pub(super) fn mean_calls(&self, candidate: usize) -> Option<f64> {
        let (mut runs, mut calls) = (0, 0);
        for outcome in self.outcomes.range((candidate, 0)..(candidate + 1, 0)).map(|(_, outcome)| outcome) {
            runs += 1;
            calls += outcome.calls();
        }
        if runs == 0 { None } else { Some(calls as f64 / f64::from(runs)) }
    }

    /// The blocks that a candidate has run.
    pub(super) fn blocks_of(&self, candidate: usize) -> Vec<usize> {
        self.outcomes.range((candidate, 0)..(candidate + 1, 0)).map(|((_, block), _)| *block).collect()
    }
}
