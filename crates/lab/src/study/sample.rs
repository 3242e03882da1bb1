//! The runs of one side of a comparison as plain numbers, for measuring and comparing.
//!
//! A block is a puzzle, a seed and a replicate. All runs of a block have the same start, so that a block is the unit that
//! was sampled: a side that joins several settings has several runs of a block, which count as one value.

use super::{StudyRun, StudySetting};
use kenga_core::sort::sort_by;
use kenga_stats::Observed;

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
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 6] =
        [Self::Calls, Self::Evaluations, Self::Moves, Self::CpuS, Self::BestFitness, Self::Distance];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Evaluations => "evaluations",
            Self::Moves => "moves",
            Self::CpuS => "cpu_s",
            Self::BestFitness => "best_fitness",
            Self::Distance => "distance",
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
        }
    }

    /// What a better side does: a verb and its object.
    pub fn better(self) -> (&'static str, &'static str) {
        match self {
            Self::Calls => ("takes", "fewer calls to solve"),
            Self::Evaluations => ("takes", "fewer evaluations to solve"),
            Self::Moves => ("takes", "fewer moves to solve"),
            Self::CpuS => ("takes", "less CPU time to solve"),
            Self::BestFitness => ("ends", "with a lower fitness"),
            Self::Distance => ("ends", "nearer to a solution"),
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
        };
        Some(Observed { spent, solved: solved || !self.is_time() })
    }

    /// How much of it a run of a setting may spend: the bounds of its budget, or without any what its longest failed run
    /// spent; infinite where no run failed either.
    pub fn budget(self, setting: &StudySetting) -> f64 {
        let bounds = |bounds: &[Option<u64>]| bounds.iter().flatten().sum::<u64>() as f64;
        let (evaluations, moves) = (setting.budget.evaluations, setting.budget.moves);
        let given = match self {
            Self::Calls => bounds(&[evaluations, moves]),
            Self::Evaluations => bounds(&[evaluations]),
            Self::Moves => bounds(&[moves]),
            Self::CpuS | Self::BestFitness | Self::Distance => 0.0,
        };
        let failed = setting.runs.iter().filter(|run| !run.row.solved);
        let longest = failed.filter_map(|run| self.observed(run)).map(|run| run.spent).fold(0.0, f64::max);
        match given.max(longest) {
            0.0 => f64::INFINITY,
            most if self.is_time() => most,
            _ => f64::INFINITY,
        }
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

/// One run in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The value that is compared; solved unless it is a time.
    pub observed: Observed,
    /// Whether the run solved, whatever is compared.
    pub solved: bool,
    /// What the run might have spent, in the unit of `observed`; infinite without a bound.
    pub budget: f64,
    /// Whether it ended before its budget was spent and counts as one that would not have solved with the rest: dead,
    /// stalled, or its program failed.
    pub gave_up: bool,
    /// The best fitness.
    pub fitness: f64,
    /// The number of its setting within the side; see [`ArmRun::variant`](super::ArmRun::variant).
    pub variant: u32,
}

impl Reading {
    /// A run of a side of one setting, with unknown fitness.
    pub fn new(observed: Observed, budget: f64) -> Self {
        let solved = observed.solved;
        Self { observed, solved, budget, gave_up: false, fitness: 0.0, variant: 0 }
    }

    /// The value up to `limit`; a run that gave up counts as failed at its budget.
    pub(super) fn until(&self, limit: f64) -> Observed {
        match self.observed {
            Observed { spent, .. } if spent > limit => Observed::failed(limit),
            Observed { solved: false, .. } if self.gave_up && self.budget.is_finite() => {
                Observed::failed(self.budget.min(limit))
            }
            observed => observed,
        }
    }
}

/// The runs of one side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct SideSample {
    /// Its name in tables.
    pub name: String,
    /// Its name in sentences.
    pub spoken: String,
    /// Its blocks in order, each with one run or more.
    pub blocks: Vec<(Block, Vec<Reading>)>,
}

impl SideSample {
    /// Groups runs by block.
    pub fn new(name: &str, spoken: &str, mut runs: Vec<(Block, Reading)>) -> Self {
        sort_by(&mut runs, |a, b| a.0.cmp(&b.0).then(a.1.variant.cmp(&b.1.variant)));
        let mut blocks: Vec<(Block, Vec<Reading>)> = Vec::with_capacity(runs.len());
        for (block, reading) in runs {
            match blocks.last_mut() {
                Some((last, readings)) if *last == block => readings.push(reading),
                _ => blocks.push((block, vec![reading])),
            }
        }
        Self { name: name.to_owned(), spoken: spoken.to_owned(), blocks }
    }

    /// The blocks of each puzzle, in the order of their ids.
    pub(super) fn by_puzzle(&self) -> impl Iterator<Item = &[(Block, Vec<Reading>)]> {
        self.blocks.chunk_by(|a, b| a.0.puzzle == b.0.puzzle)
    }

    /// Every run.
    pub(super) fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.blocks.iter().flat_map(|(_, readings)| readings)
    }

    /// The smallest budget of its runs.
    pub(super) fn budget(&self) -> f64 {
        self.readings().map(|reading| reading.budget).fold(f64::INFINITY, f64::min)
    }
}

/// The value of a block: the median of its runs, the lower one of two. Unlike a mean it is known whenever it lies within the
/// budget, and scales with the runs.
pub(super) fn middle(mut runs: Vec<Observed>) -> Observed {
    let key = |run: &Observed| (run.rank_value(), run.spent);
    sort_by(&mut runs, |a, b| key(a).0.total_cmp(&key(b).0).then(a.spent.total_cmp(&b.spent)));
    runs[(runs.len() - 1) / 2]
}

/// The least share of the blocks of the smaller side that must have a partner for paired tests.
const PARTNERS: f64 = 0.5;

/// The blocks that two sides have in common, by their indices; `None` where they are too few for paired tests.
pub(super) fn matched(one: &SideSample, two: &SideSample) -> Option<Vec<(usize, usize)>> {
    let least = one.blocks.len().min(two.blocks.len());
    let mut pairs = Vec::with_capacity(least);
    let (mut a, mut b) = (0, 0);
    while a < one.blocks.len() && b < two.blocks.len() {
        match one.blocks[a].0.cmp(&two.blocks[b].0) {
            std::cmp::Ordering::Less => a += 1,
            std::cmp::Ordering::Greater => b += 1,
            std::cmp::Ordering::Equal => {
                pairs.push((a, b));
                (a, b) = (a + 1, b + 1);
            }
        }
    }
    (!pairs.is_empty() && pairs.len() as f64 >= PARTNERS * least as f64).then_some(pairs)
}

/// The blocks that all sides have: a row for each, with its index at every side.
pub(super) fn common(samples: &[SideSample]) -> Vec<Vec<usize>> {
    let place =
        |sample: &SideSample, block: &Block| sample.blocks.binary_search_by(|one| one.0.cmp(block)).ok();
    let row = |(block, _): &(Block, _)| samples.iter().map(|sample| place(sample, block)).collect();
    samples.first().map_or_else(Vec::new, |first| first.blocks.iter().filter_map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_block_stand_together_whatever_their_order() {
        let block = |replicate| Block { puzzle: "p".to_owned(), seed: 1, replicate };
        let reading = |spent, variant| Reading { variant, ..Reading::new(Observed::solved(spent), 9.0) };
        let sample = SideSample::new(
            "a",
            "a",
            vec![(block(1), reading(3.0, 1)), (block(0), reading(2.0, 0)), (block(1), reading(1.0, 0))],
        );
        assert_eq!(
            sample.blocks,
            [(block(0), vec![reading(2.0, 0)]), (block(1), vec![reading(1.0, 0), reading(3.0, 1)])]
        );
    }

    #[test]
    fn the_middle_of_a_block_is_censored_only_where_half_of_its_runs_fail() {
        let (solved, failed) = (Observed::solved, Observed::failed);
        assert_eq!(middle(vec![failed(9.0), solved(4.0), solved(2.0)]), solved(4.0));
        assert_eq!(middle(vec![failed(9.0), solved(4.0)]), solved(4.0));
        assert_eq!(middle(vec![failed(9.0), failed(8.0), solved(4.0)]), failed(8.0));
        assert_eq!(middle(vec![solved(4.0); 4]), solved(4.0));
    }

    #[test]
    fn a_run_is_cut_at_the_limit_and_one_that_gave_up_has_failed_by_then() {
        let run = Reading::new(Observed::solved(50.0), 100.0);
        assert_eq!([run.until(60.0), run.until(40.0)], [Observed::solved(50.0), Observed::failed(40.0)]);
        let dead = Reading { gave_up: true, ..Reading::new(Observed::failed(7.0), 100.0) };
        assert_eq!([dead.until(60.0), dead.until(400.0)], [Observed::failed(60.0), Observed::failed(100.0)]);
    }
}
