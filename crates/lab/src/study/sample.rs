//! The runs of a setting as plain numbers, for measuring and comparing.
//!
//! A block is a puzzle, a seed and a replicate. All runs of a block have the same start, so that a block is the unit that
//! was sampled: where several settings are joined, their runs of a block count as one value.

use std::cmp::Ordering;

use super::{RunSubject, Study, StudyRun, StudySetting};
use kenga_core::sort::sort_by;
use kenga_stats::{Observed, Outcome};

/// A number of a run; lower is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Evaluations and moves until the solution.
    Calls,
    /// Evaluations until the solution.
    Evaluations,
    /// Moves until the solution.
    Moves,
    /// Seconds of CPU time until the solution. They come from a clock and cannot be reproduced.
    CpuS,
    /// The lowest fitness, solved or not.
    BestFitness,
    /// Cells in which the best differs from the nearest known solution.
    Distance,
    /// What the run has cost, as its program reports.
    Cost,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 7] = [
        Self::Calls,
        Self::Evaluations,
        Self::Moves,
        Self::CpuS,
        Self::BestFitness,
        Self::Distance,
        Self::Cost,
    ];

    /// The metric that tells the settings of a study apart: calls, or the best fitness where no run can be solved, because
    /// the best value of a problem of the user's own is unknown.
    pub fn usual(study: &Study) -> Self {
        if RunSubject::of(study).can_be_solved { Self::Calls } else { Self::BestFitness }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Evaluations => "evaluations",
            Self::Moves => "moves",
            Self::CpuS => "cpu_s",
            Self::BestFitness => "best_fitness",
            Self::Distance => "distance",
            Self::Cost => "cost",
        }
    }

    /// What it counts, for headings.
    pub fn about(self) -> &'static str {
        match self {
            Self::Calls => "calls to solve",
            Self::Evaluations => "evaluations to solve",
            Self::Moves => "moves to solve",
            Self::CpuS => "CPU seconds to solve",
            Self::BestFitness => "best fitness",
            Self::Distance => "cells from a solution",
            Self::Cost => "reported cost",
        }
    }

    /// Whether failed runs are censored at what they spent.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Calls | Self::Evaluations | Self::Moves | Self::CpuS)
    }

    /// The value of a run; `None` where it is unknown.
    pub fn observed(self, run: &StudyRun) -> Option<Observed> {
        let (row, solved) = (&run.row, run.row.solved);
        let spent = match self {
            Self::Calls => run.calls() as f64,
            Self::Evaluations if solved => row.evaluations_to_best? as f64,
            Self::Evaluations => row.evaluations as f64,
            Self::Moves if solved => row.moves_to_best? as f64,
            Self::Moves => row.moves as f64,
            Self::CpuS => run.cpu_s?,
            Self::BestFitness => f64::from(row.best_fitness?),
            Self::Distance => f64::from(row.distance?),
            Self::Cost => run.cost?,
        };
        Some(Observed { spent, solved: solved || !self.is_time() })
    }

    /// How much of it a run of a setting may spend: the bounds of its budget, or without any what its longest failed run
    /// spent; infinite where no run failed either.
    pub fn budget(self, setting: &StudySetting) -> f64 {
        if !self.is_time() {
            return f64::INFINITY;
        }
        let (evaluations, moves) =
            (setting.budget.evaluations.unwrap_or(0), setting.budget.moves.unwrap_or(0));
        let given = match self {
            Self::Calls => evaluations + moves,
            Self::Evaluations => evaluations,
            Self::Moves => moves,
            Self::CpuS | Self::BestFitness | Self::Distance | Self::Cost => 0,
        };
        // Where the budget bounds another kind alone, failed runs show how much of this one may be spent.
        let mut most = given as f64;
        for run in &setting.runs {
            if !run.row.solved
                && let Some(failed) = self.observed(run)
            {
                most = most.max(failed.spent);
            }
        }
        if most == 0.0 { f64::INFINITY } else { most }
    }
}

/// The key of the runs with one start.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block {
    /// The id of the puzzle.
    pub puzzle: String,
    /// The seed.
    pub seed: u64,
    /// The replicate.
    pub replicate: u64,
}

/// What one run came to, in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunValue {
    /// The value that is compared; `observed.solved` is true unless it is a time.
    pub observed: Observed,
    /// Whether the run solved, whatever is compared.
    pub solved: bool,
    /// What the run might have spent, in the unit of `observed`; infinite without a bound.
    pub budget: f64,
    /// Whether it ended before its budget was spent and counts as one that would not have solved with the rest: dead,
    /// stalled, or its program failed.
    pub gave_up: bool,
    /// Whether its program failed, or it evaluated nothing where the best fitness is compared: it ranks behind all others and
    /// is in no mean or median. Unless times are compared its value is infinite.
    pub failed: bool,
    /// The best fitness.
    pub fitness: f64,
    /// The number of its setting among those that are joined. Settings that agree in all other keys have the same number,
    /// whatever they are joined to.
    pub variant: u32,
}

impl RunValue {
    /// A run of a single setting, with unknown fitness.
    pub fn new(observed: Observed, budget: f64) -> Self {
        let solved = observed.solved;
        Self { observed, solved, budget, gave_up: false, failed: false, fitness: 0.0, variant: 0 }
    }

    /// The value up to `limit`; a run that gave up counts as failed at its budget.
    pub(super) fn until(&self, limit: f64) -> Observed {
        if self.observed.spent > limit {
            return Observed::failed(limit);
        }
        // It would not have solved with the rest of its budget either.
        if !self.observed.solved && self.gave_up && self.budget.is_finite() {
            return Observed::failed(self.budget.min(limit));
        }
        self.observed
    }

    /// The effort up to `limit`: to the solution or until the run gave up. A run whose program failed counts its whole budget.
    pub(super) fn spent(&self, limit: f64) -> f64 {
        let spent = if self.failed && self.budget.is_finite() { self.budget } else { self.observed.spent };
        spent.min(limit)
    }
}

/// The runs of a setting, or of several joined, in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingSample {
    /// Its name in tables.
    pub name: String,
    /// Its name in sentences.
    pub spoken: String,
    /// Its blocks in order.
    pub blocks: Vec<BlockRuns>,
}

/// The runs of a block, one or more.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockRuns {
    /// Their puzzle, seed and replicate.
    pub block: Block,
    /// The runs, by variant.
    pub runs: Vec<RunValue>,
}

impl BlockRuns {
    /// The value of the block, each run up to `limit`: the median. Unlike a mean it is known whenever it lies within the budget,
    /// and scales with the runs.
    pub(super) fn median(&self, limit: f64) -> Observed {
        median(&self.runs, self.block.replicate, limit)
    }

    /// The block without the runs that failed; `None` where all did.
    pub(super) fn finished(&self) -> Option<Self> {
        let mut block = self.clone();
        block.runs.retain(|run| !run.failed);
        if block.runs.is_empty() { None } else { Some(block) }
    }

    /// The share of its runs that solved.
    pub(super) fn share(&self) -> f64 {
        self.runs.iter().filter(|run| run.solved).count() as f64 / self.runs.len() as f64
    }
}

impl SettingSample {
    /// Groups runs by block.
    pub fn new(name: &str, spoken: &str, mut runs: Vec<(Block, RunValue)>) -> Self {
        sort_by(&mut runs, |a, b| a.0.cmp(&b.0).then(a.1.variant.cmp(&b.1.variant)));
        let mut blocks: Vec<BlockRuns> = Vec::with_capacity(runs.len());
        for (block, run) in runs {
            match blocks.last_mut() {
                Some(last) if last.block == block => last.runs.push(run),
                _ => blocks.push(BlockRuns { block, runs: vec![run] }),
            }
        }
        Self { name: name.to_owned(), spoken: spoken.to_owned(), blocks }
    }

    /// The blocks of each puzzle, in the order of their ids.
    pub(super) fn by_puzzle(&self) -> impl Iterator<Item = &[BlockRuns]> {
        self.blocks.chunk_by(|a, b| a.block.puzzle == b.block.puzzle)
    }

    /// Every run.
    pub(super) fn runs(&self) -> impl Iterator<Item = &RunValue> {
        self.blocks.iter().flat_map(|block| &block.runs)
    }

    /// The smallest budget of its runs.
    pub(super) fn budget(&self) -> f64 {
        self.runs().fold(f64::INFINITY, |least, run| least.min(run.budget))
    }
}

/// The means of what runs spent and solved, each up to `limit`.
pub(super) fn mean_outcome(runs: &[&RunValue], limit: f64) -> Outcome {
    let count = runs.len() as f64;
    let solved = runs.iter().filter(|run| run.solved && run.observed.spent <= limit).count();
    Outcome {
        spent: runs.iter().map(|run| run.spent(limit)).sum::<f64>() / count,
        solved: solved as f64 / count,
    }
}

/// The median of the runs of a replicate, each up to `limit`. With an even number it is the lower middle one in even replicates and
/// the upper one in odd ones: always the lower one would favour settings whose runs vary much.
pub(super) fn median<'a>(
    runs: impl IntoIterator<Item = &'a RunValue>,
    replicate: u64,
    limit: f64,
) -> Observed {
    let mut values: Vec<Observed> = runs.into_iter().map(|run| run.until(limit)).collect();
    sort_by(&mut values, |a, b| a.rank_value().total_cmp(&b.rank_value()).then(a.spent.total_cmp(&b.spent)));
    // A mean would be unknown as soon as one run is censored.
    let upper = usize::from(values.len().is_multiple_of(2) && !replicate.is_multiple_of(2));
    values[(values.len() - 1) / 2 + upper]
}

/// The least share of the blocks of the smaller sample that must have a partner for paired tests.
const PARTNERS: f64 = 0.5;

/// The blocks that two samples have in common, by their indices; `None` where they are too few for paired tests.
pub(super) fn matched(one: &SettingSample, two: &SettingSample) -> Option<Vec<[usize; 2]>> {
    let least = one.blocks.len().min(two.blocks.len());
    let mut pairs = Vec::with_capacity(least);
    let (mut a, mut b) = (0, 0);
    while a < one.blocks.len() && b < two.blocks.len() {
        // Both are in the order of blocks: one walk finds all pairs.
        match one.blocks[a].block.cmp(&two.blocks[b].block) {
            Ordering::Less => a += 1,
            Ordering::Greater => b += 1,
            Ordering::Equal => {
                pairs.push([a, b]);
                (a, b) = (a + 1, b + 1);
            }
        }
    }
    let are_enough = !pairs.is_empty() && pairs.len() as f64 >= PARTNERS * least as f64;
    are_enough.then_some(pairs)
}

/// The blocks that all samples have: a row for each, with its index in every sample.
pub(super) fn common(samples: &[SettingSample]) -> Vec<Vec<usize>> {
    let Some(first) = samples.first() else { return Vec::new() };
    let mut rows = Vec::new();
    for BlockRuns { block, .. } in &first.blocks {
        let mut row = Vec::with_capacity(samples.len());
        for sample in samples {
            if let Ok(place) = sample.blocks.binary_search_by(|other| other.block.cmp(block)) {
                row.push(place);
            }
        }
        if row.len() == samples.len() {
            rows.push(row);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_block_stand_together_whatever_their_order() {
        let block = |replicate| Block { puzzle: "p".to_owned(), seed: 1, replicate };
        let value = |spent, variant| RunValue { variant, ..RunValue::new(Observed::solved(spent), 9.0) };
        let sample = SettingSample::new(
            "a",
            "a",
            vec![(block(1), value(3.0, 1)), (block(0), value(2.0, 0)), (block(1), value(1.0, 0))],
        );
        assert_eq!(
            sample.blocks,
            [
                BlockRuns { block: block(0), runs: vec![value(2.0, 0)] },
                BlockRuns { block: block(1), runs: vec![value(1.0, 0), value(3.0, 1)] },
            ]
        );
    }

    #[test]
    fn the_middle_of_a_block_is_censored_only_where_half_of_its_runs_fail() {
        let (solved, failed) = (Observed::solved, Observed::failed);
        let middle = |runs: &[Observed]| {
            let runs: Vec<RunValue> = runs.iter().map(|run| RunValue::new(*run, 9.0)).collect();
            median(&runs, 0, f64::INFINITY)
        };
        assert_eq!(middle(&[failed(9.0), solved(4.0), solved(2.0)]), solved(4.0));
        assert_eq!(middle(&[failed(9.0), solved(4.0)]), solved(4.0));
        assert_eq!(middle(&[failed(9.0), failed(8.0), solved(4.0)]), failed(8.0));
        assert_eq!(middle(&[solved(4.0); 4]), solved(4.0));
    }

    #[test]
    fn a_run_is_cut_at_the_limit_and_one_that_gave_up_has_failed_by_then() {
        let run = RunValue::new(Observed::solved(50.0), 100.0);
        assert_eq!([run.until(60.0), run.until(40.0)], [Observed::solved(50.0), Observed::failed(40.0)]);
        let dead = RunValue { gave_up: true, ..RunValue::new(Observed::failed(7.0), 100.0) };
        assert_eq!([dead.until(60.0), dead.until(400.0)], [Observed::failed(60.0), Observed::failed(100.0)]);
    }
}
