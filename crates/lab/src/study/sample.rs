//! The runs of a setting in numbers of one metric, for measuring and comparing.
//!
//! A block is a puzzle, a seed and a replicate. All runs of a block have the same start, so that a block is the unit that
//! was sampled: where several settings are joined, their runs of a block count as one value.

use std::cmp::Ordering;
use std::sync::Arc;

use kenga_core::sort::sort_by;
use kenga_stats::{Observed, Outcome};

/// The key of the runs with one start.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block {
    /// The id of the puzzle.
    pub puzzle: Arc<str>,
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

    /// The value as a time: a run whose program failed counts its whole budget.
    pub fn charged(&self) -> Observed {
        Observed { spent: self.spent(f64::INFINITY), ..self.observed }
    }

    /// The effort up to `limit`: to the solution or until the run gave up. A run whose program failed counts its whole budget.
    pub(super) fn spent(&self, limit: f64) -> f64 {
        let spent = if self.failed && self.budget.is_finite() { self.budget } else { self.observed.spent };
        spent.min(limit)
    }
}

/// The runs of a setting, or of several joined, in numbers of one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingSample {
    /// Its name in tables.
    pub name: String,
    /// Its name in sentences.
    pub spoken: String,
    /// Its blocks in order.
    blocks: Vec<Block>,
    /// Where the runs of each block end.
    ends: Vec<usize>,
    /// The runs, block by block and there by variant.
    runs: Vec<RunValue>,
}

/// The blocks of a setting on one puzzle, or all of them: a part of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    sample: &'a SettingSample,
    first: usize,
    end: usize,
}

/// The runs of a block, one or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockRuns<'a> {
    /// Their puzzle, seed and replicate.
    pub block: &'a Block,
    /// The runs, by variant.
    pub runs: &'a [RunValue],
}

impl BlockRuns<'_> {
    /// The value of the block, each run up to `limit`: the median. Unlike a mean it is known whenever it lies within the budget,
    /// and scales with the runs.
    pub(super) fn median(&self, limit: f64) -> Observed {
        median(self.runs, self.block.replicate, limit)
    }

    /// The share of its runs that solved.
    pub(super) fn share(&self) -> f64 {
        self.runs.iter().filter(|run| run.solved).count() as f64 / self.runs.len() as f64
    }
}

impl<'a> Blocks<'a> {
    /// The id of the puzzle of the first block.
    pub fn puzzle(&self) -> &'a Arc<str> {
        &self.sample.blocks[self.first].puzzle
    }

    /// Every block.
    pub fn iter(self) -> impl ExactSizeIterator<Item = BlockRuns<'a>> {
        (self.first..self.end).map(move |block| self.sample.block(block))
    }

    /// The runs of all blocks.
    pub fn runs(&self) -> &'a [RunValue] {
        &self.sample.runs[self.sample.start_of(self.first)..self.sample.start_of(self.end)]
    }
}

impl SettingSample {
    /// Groups runs by block.
    pub fn new(name: &str, spoken: &str, mut runs: Vec<(Block, RunValue)>) -> Self {
        sort_by(&mut runs, |a, b| a.0.cmp(&b.0).then(a.1.variant.cmp(&b.1.variant)));
        let mut sample = Self::empty(name, spoken, runs.len());
        for (block, run) in runs {
            sample.push(block, run);
        }
        sample
    }

    /// A sample of so many runs that are added later.
    pub(super) fn empty(name: &str, spoken: &str, runs: usize) -> Self {
        let (blocks, ends) = (Vec::with_capacity(runs), Vec::with_capacity(runs));
        let (name, spoken) = (name.to_owned(), spoken.to_owned());
        Self { name, spoken, blocks, ends, runs: Vec::with_capacity(runs) }
    }

    /// Adds the next run in the order of blocks and variants.
    pub(super) fn push(&mut self, block: Block, run: RunValue) {
        self.runs.push(run);
        if self.blocks.last() == Some(&block) {
            self.ends.pop();
        } else {
            self.blocks.push(block);
        }
        self.ends.push(self.runs.len());
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there is no run.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// A block by its place.
    pub fn block(&self, place: usize) -> BlockRuns<'_> {
        let runs = self.start_of(place)..self.ends[place];
        BlockRuns { block: &self.blocks[place], runs: &self.runs[runs] }
    }

    /// Every block, in order.
    pub fn blocks(&self) -> Blocks<'_> {
        Blocks { sample: self, first: 0, end: self.len() }
    }

    /// The blocks of each puzzle, in the order of their ids.
    pub fn by_puzzle(&self) -> impl Iterator<Item = Blocks<'_>> {
        let mut first = 0;
        self.blocks.chunk_by(|a, b| a.puzzle == b.puzzle).map(move |blocks| {
            let part = Blocks { sample: self, first, end: first + blocks.len() };
            first = part.end;
            part
        })
    }

    /// The blocks of a puzzle; `None` without any.
    pub fn on(&self, puzzle: &str) -> Option<Blocks<'_>> {
        let first = self.blocks.partition_point(|block| &*block.puzzle < puzzle);
        let end = self.blocks.partition_point(|block| &*block.puzzle <= puzzle);
        (first < end).then_some(Blocks { sample: self, first, end })
    }

    /// Every run.
    pub(super) fn runs(&self) -> &[RunValue] {
        &self.runs
    }

    /// The smallest budget of its runs.
    pub(super) fn budget(&self) -> f64 {
        self.runs.iter().fold(f64::INFINITY, |least, run| least.min(run.budget))
    }

    /// The place at which the runs of a block start.
    fn start_of(&self, block: usize) -> usize {
        if block == 0 { 0 } else { self.ends[block - 1] }
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
    let least = one.len().min(two.len());
    let mut pairs = Vec::with_capacity(least);
    let (mut a, mut b) = (0, 0);
    while a < one.len() && b < two.len() {
        // Both are in the order of blocks: one walk finds all pairs.
        match one.blocks[a].cmp(&two.blocks[b]) {
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
    for block in &first.blocks {
        let mut row = Vec::with_capacity(samples.len());
        for sample in samples {
            if let Ok(place) = sample.blocks.binary_search(block) {
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
        let block = |replicate| Block { puzzle: "p".into(), seed: 1, replicate };
        let value = |spent, variant| RunValue { variant, ..RunValue::new(Observed::solved(spent), 9.0) };
        let sample = SettingSample::new(
            "a",
            "a",
            vec![(block(1), value(3.0, 1)), (block(0), value(2.0, 0)), (block(1), value(1.0, 0))],
        );
        assert_eq!(sample.len(), 2);
        assert_eq!(sample.block(0), BlockRuns { block: &block(0), runs: &[value(2.0, 0)] });
        assert_eq!(sample.block(1), BlockRuns { block: &block(1), runs: &[value(1.0, 0), value(3.0, 1)] });
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
