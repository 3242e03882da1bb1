//! What is known of the candidates: their runs, block by block, and what these have cost.

use std::collections::BTreeMap;

use super::{Options, Outcome, RunRequest};

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
    /// Of a problem of the user's own: the instance of every block that was run, and what the runs on each came to.
    instances: Option<Instances>,
}

/// What runs on the instances of a problem came to.
#[derive(Clone, Debug, Default)]
struct Instances {
    /// The instance of a block.
    of: BTreeMap<usize, usize>,
    /// The best fitness of all runs that were not cut and have not failed, ascending, by instance.
    fitness: BTreeMap<usize, Vec<u32>>,
}

impl Instances {
    fn add(&mut self, block: usize, instance: usize, outcome: &Outcome) {
        self.of.insert(block, instance);
        // A run that was cut short might have gone on to a better fitness: it is no yardstick.
        if outcome.is_capped || outcome.has_failed() {
            return;
        }
        if let Some(fitness) = outcome.best_fitness {
            let sorted = self.fitness.entry(instance).or_default();
            let place = sorted.partition_point(|other| *other <= fitness);
            sorted.insert(place, fitness);
        }
    }

    /// The place of a run among those on its instance; 1, the last, of one that has no fitness.
    fn place(&self, block: usize, outcome: &Outcome) -> f64 {
        let sorted = self.of.get(&block).and_then(|instance| self.fitness.get(instance));
        match (outcome.best_fitness, sorted) {
            (Some(fitness), Some(sorted)) if !outcome.has_failed() => place_among(sorted, fitness),
            _ => 1.0,
        }
    }
}

/// The share of ascending numbers that lie below one, those equal to it counting half.
pub(super) fn place_among<T: PartialOrd>(sorted: &[T], own: T) -> f64 {
    let below = sorted.partition_point(|other| *other < own);
    let through = sorted.partition_point(|other| *other <= own);
    (below + through) as f64 / (2 * sorted.len()) as f64
}

/// A run that is known.
#[derive(Clone, Copy)]
pub(super) struct KnownRun<'a> {
    pub(super) candidate: usize,
    pub(super) block: usize,
    pub(super) outcome: &'a Outcome,
}

impl Results {
    /// Without runs; of a problem of the user's own fitness is compared within an instance alone.
    pub(super) fn new(has_own_problem: bool) -> Self {
        Self { instances: has_own_problem.then(Instances::default), ..Self::default() }
    }

    pub(super) fn add(&mut self, request: &RunRequest, outcome: Outcome) {
        let RunRequest { candidate, block, place: (puzzle, _), .. } = *request;
        self.used += outcome.calls();
        self.runs += 1;
        self.blocks = self.blocks.max(block + 1);
        if let Some(instances) = &mut self.instances {
            instances.add(block, puzzle, &outcome);
        }
        self.outcomes.insert((candidate, block), outcome);
    }

    /// The place of a run among all on its instance, from 0, the best; `None` on puzzles.
    pub(super) fn place(&self, block: usize, outcome: &Outcome) -> Option<f64> {
        self.instances.as_ref().map(|instances| instances.place(block, outcome))
    }

    fn cost_of(&self, options: &Options, block: usize, outcome: &Outcome) -> f64 {
        options.cost(outcome, || self.place(block, outcome).expect("only a problem compares places"))
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

    pub(super) fn has_failed(&self, candidate: usize, block: usize) -> bool {
        self.get(candidate, block).is_some_and(Outcome::has_failed)
    }

    /// What a known run cost.
    pub(super) fn cost(&self, options: &Options, candidate: usize, block: usize) -> Option<f64> {
        self.get(candidate, block).map(|outcome| self.cost_of(options, block, outcome))
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
        let costs = known.iter().map(|run| self.cost_of(options, run.block, run.outcome));
        costs.sum::<f64>() / known.len() as f64
    }

    /// The sum of the best fitness of a candidate's runs on blocks, or of its places on the instances of a problem.
    pub(super) fn fitness(&self, candidate: usize, blocks: &[usize]) -> f64 {
        let mut sum = 0.0;
        for KnownRun { block, outcome, .. } in self.known(candidate, blocks) {
            let fitness = outcome.best_fitness.filter(|_| !outcome.has_failed());
            sum += match self.place(block, outcome) {
                Some(place) if fitness.is_some() => place,
                _ => fitness.map_or(f64::INFINITY, f64::from),
            };
        }
        sum
    }

    /// How many of a candidate's runs on blocks have solved.
    pub(super) fn solved(&self, candidate: usize, blocks: &[usize]) -> usize {
        self.known(candidate, blocks).iter().filter(|run| run.outcome.solved).count()
    }

    /// A candidate's runs on blocks.
    pub(super) fn known(&self, candidate: usize, blocks: &[usize]) -> Vec<KnownRun<'_>> {
        let mut known = Vec::with_capacity(blocks.len());
        for block in blocks.iter().copied() {
            if let Some(outcome) = self.get(candidate, block) {
                known.push(KnownRun { candidate, block, outcome });
            }
        }
        known
    }

    /// All runs.
    pub(super) fn all(&self) -> impl Iterator<Item = KnownRun<'_>> {
        self.outcomes.iter().map(|((candidate, block), outcome)| KnownRun {
            candidate: *candidate,
            block: *block,
            outcome,
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::ConfigDraft;
    use crate::tune::{Cost, KEYS, TUNE};
    use kenga_core::search::Failure;

    fn outcome(best_fitness: u32) -> Outcome {
        Outcome {
            solved: false,
            evaluations: 9,
            moves: 0,
            best_fitness: Some(best_fitness),
            calls_to_best: 9,
            is_capped: false,
            failure: None,
            cost: None,
        }
    }

    fn request(candidate: usize, block: usize) -> RunRequest {
        RunRequest { candidate, block, place: (block, 0), cap: None }
    }

    /// Options of a problem with three instances, no optimum of which is known.
    fn options() -> Options {
        let text = "
            budget = { evaluations = 99, moves = 1 }
            problem = { command = ['x'], genes = 2, values = [0, 1], instances = { a = {}, b = { x = 1 }, c = { x = 2 } } }
            tune = { budget = 9000 }";
        let mut draft = ConfigDraft::read("x.toml", text).expect("sound TOML");
        let spec = draft.take_section(TUNE, KEYS).expect("a sound table").expect("a table");
        Options::new(&spec, &draft.finish().expect("a sound configuration"), 1).expect("sound options")
    }

    #[test]
    fn an_instance_with_large_values_weighs_as_much_as_the_others() {
        let options = options();
        assert_eq!((options.cost, options.capping, options.can_solve), (Cost::Place, None, false));
        let mut results = Results::new(true);
        // The first candidate is better on two instances of three; by the mean of its values it would be far behind.
        for (candidate, values) in [[1, 10, 2_000_000], [2, 11, 1_000_000]].into_iter().enumerate() {
            for (block, value) in values.into_iter().enumerate() {
                results.add(&request(candidate, block), outcome(value));
            }
        }
        let mean = |candidate| results.mean(&options, candidate, &[0, 1, 2]);
        assert_eq!((mean(0) * 12.0).round(), 5.0, "a quarter, a quarter and three quarters");
        assert!(mean(0) < mean(1) && results.fitness(0, &[0, 1]) < results.fitness(1, &[0, 1]));
    }

    #[test]
    fn equal_runs_share_their_place_and_nothing_is_worse_than_a_failure() {
        let (options, mut results) = (options(), Results::new(true));
        results.add(&request(0, 0), outcome(7));
        assert_eq!(results.cost(&options, 0, 0), Some(0.5));
        results.add(&request(1, 0), outcome(7));
        let failed = Outcome { failure: Some(Failure::default()), ..outcome(0) };
        results.add(&request(2, 0), failed.clone());
        let costs = [0, 1, 2].map(|candidate| results.cost(&options, candidate, 0).expect("it was run"));
        assert_eq!(costs, [0.5, 0.5, f64::INFINITY]);
        // What failed takes no place from the others, and is the last for the surrogate.
        assert_eq!((results.place(0, &failed), results.fitness(2, &[0])), (Some(1.0), f64::INFINITY));
    }
}
