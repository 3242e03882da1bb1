//! What is known of the candidates: their runs, block by block, and what these have cost.

use std::collections::BTreeMap;

use super::{Options, TuneRun};

/// The runs that are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    /// By candidate and block.
    known: BTreeMap<(usize, usize), TuneRun>,
    /// Calls of all runs.
    pub(super) used: u64,
    /// Runs.
    pub(super) runs: u64,
    /// One more than the last block that any candidate has run; 0 without runs.
    pub(super) blocks: usize,
    /// For a problem of the user's own: the best fitness of all runs that were not cut and have not failed, ascending, by
    /// instance.
    fitness: Option<BTreeMap<usize, Vec<u32>>>,
}

/// The share of ascending numbers that lie below one, those equal to it counting half.
pub(super) fn place_among<T: PartialOrd>(sorted: &[T], own: T) -> f64 {
    let below = sorted.partition_point(|other| *other < own);
    let through = sorted.partition_point(|other| *other <= own);
    (below + through) as f64 / (2 * sorted.len()) as f64
}

impl Results {
    /// Without runs; of a problem of the user's own fitness is compared within an instance alone.
    pub(super) fn new(has_own_problem: bool) -> Self {
        Self { fitness: has_own_problem.then(BTreeMap::new), ..Self::default() }
    }

    pub(super) fn add(&mut self, run: TuneRun) {
        self.used += run.calls();
        self.runs += 1;
        self.blocks = self.blocks.max(run.block + 1);
        // A run that was cut short might have gone on to a better fitness: it is no yardstick.
        if let Some(by_instance) = &mut self.fitness
            && let Some(fitness) = run.sound_fitness().filter(|_| !run.is_capped())
        {
            let sorted = by_instance.entry(run.puzzle).or_default();
            let place = sorted.partition_point(|other| *other <= fitness);
            sorted.insert(place, fitness);
        }
        self.known.insert((run.candidate, run.block), run);
    }

    /// The place of a run among all on its instance, from 0, the best, to 1, the last, also of one that has no fitness;
    /// `None` on puzzles.
    pub(super) fn place(&self, run: &TuneRun) -> Option<f64> {
        let sorted = self.fitness.as_ref()?.get(&run.puzzle);
        let place = run.sound_fitness().zip(sorted).map(|(fitness, sorted)| place_among(sorted, fitness));
        Some(place.unwrap_or(1.0))
    }

    fn cost_of(&self, options: &Options, run: &TuneRun) -> f64 {
        options.cost(run, || self.place(run).expect("only a problem compares places"))
    }

    fn get(&self, candidate: usize, block: usize) -> Option<&TuneRun> {
        self.known.get(&(candidate, block))
    }

    /// The run is known in full.
    pub(super) fn has(&self, candidate: usize, block: usize) -> bool {
        self.get(candidate, block).is_some_and(|run| !run.is_capped())
    }

    /// All of these runs are known in full.
    pub(super) fn has_all(&self, candidate: usize, blocks: &[usize]) -> bool {
        blocks.iter().all(|block| self.has(candidate, *block))
    }

    pub(super) fn is_capped(&self, candidate: usize, block: usize) -> bool {
        self.get(candidate, block).is_some_and(TuneRun::is_capped)
    }

    pub(super) fn has_failed(&self, candidate: usize, block: usize) -> bool {
        self.get(candidate, block).is_some_and(TuneRun::has_failed)
    }

    /// What a known run cost.
    pub(super) fn cost(&self, options: &Options, candidate: usize, block: usize) -> Option<f64> {
        self.get(candidate, block).map(|run| self.cost_of(options, run))
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
        let costs = known.iter().map(|run| self.cost_of(options, run));
        costs.sum::<f64>() / known.len() as f64
    }

    /// The sum of the best fitness of a candidate's runs on blocks, or of its places on the instances of a problem.
    pub(super) fn fitness(&self, candidate: usize, blocks: &[usize]) -> f64 {
        let mut sum = 0.0;
        for run in self.known(candidate, blocks) {
            let fitness = run.sound_fitness();
            sum += match self.place(run) {
                Some(place) if fitness.is_some() => place,
                _ => fitness.map_or(f64::INFINITY, f64::from),
            };
        }
        sum
    }

    /// How many of a candidate's runs on blocks have solved.
    pub(super) fn solved(&self, candidate: usize, blocks: &[usize]) -> usize {
        self.known(candidate, blocks).iter().filter(|run| run.solved).count()
    }

    /// A candidate's runs on blocks.
    pub(super) fn known(&self, candidate: usize, blocks: &[usize]) -> Vec<&TuneRun> {
        blocks.iter().filter_map(|block| self.get(candidate, *block)).collect()
    }

    /// All runs.
    pub(super) fn all(&self) -> impl Iterator<Item = &TuneRun> {
        self.known.values()
    }

    /// Mean calls of the runs of a candidate; `None` without any.
    pub(super) fn mean_calls(&self, candidate: usize) -> Option<f64> {
        let (mut runs, mut calls) = (0, 0);
        for (_, run) in self.known.range((candidate, 0)..(candidate + 1, 0)) {
            runs += 1;
            calls += run.calls();
        }
        if runs == 0 { None } else { Some(calls as f64 / f64::from(runs)) }
    }

    /// The blocks that a candidate has run.
    pub(super) fn blocks_of(&self, candidate: usize) -> Vec<usize> {
        self.known.range((candidate, 0)..(candidate + 1, 0)).map(|((_, block), _)| *block).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::ConfigDraft;
    use crate::tune::{Cost, KEYS, TUNE, TuneRunEnd};

    fn run(candidate: usize, block: usize, best_fitness: u32) -> TuneRun {
        let (puzzle, best_fitness) = (block, Some(best_fitness));
        TuneRun {
            candidate,
            block,
            puzzle,
            evaluations: 9,
            best_fitness,
            calls_to_best: 9,
            ..TuneRun::default()
        }
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
                results.add(run(candidate, block, value));
            }
        }
        let mean = |candidate| results.mean(&options, candidate, &[0, 1, 2]);
        assert_eq!((mean(0) * 12.0).round(), 5.0, "a quarter, a quarter and three quarters");
        assert!(mean(0) < mean(1) && results.fitness(0, &[0, 1]) < results.fitness(1, &[0, 1]));
    }

    #[test]
    fn equal_runs_share_their_place_and_nothing_is_worse_than_a_failure() {
        let (options, mut results) = (options(), Results::new(true));
        results.add(run(0, 0, 7));
        assert_eq!(results.cost(&options, 0, 0), Some(0.5));
        results.add(run(1, 0, 7));
        let failed = TuneRun { end: TuneRunEnd::Failed, ..run(2, 0, 0) };
        results.add(failed.clone());
        let costs = [0, 1, 2].map(|candidate| results.cost(&options, candidate, 0).expect("it was run"));
        assert_eq!(costs, [0.5, 0.5, f64::INFINITY]);
        // What failed takes no place from the others, and is the last for the surrogate.
        assert_eq!((results.place(&failed), results.fitness(2, &[0])), (Some(1.0), f64::INFINITY));
    }
}
