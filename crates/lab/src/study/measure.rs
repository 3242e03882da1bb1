//! A setting in numbers: its share solved, median, expected time and PAR-10.
//!
//! The unit is the block. Where several settings are joined, the runs of a block are not independent: a share and a PAR-10
//! are means over blocks, with the intervals of means of values from 0 to 1, and resamples draw blocks. In a single setting a
//! block is a run.
//!
//! Every puzzle has a random stream of its own for resamples, so that its numbers do not depend on what else is measured.
//!
//! Source: J. N. K. Rao, A. J. Scott 1992, A simple method for the analysis of clustered binary data,
//! doi:10.2307/2532311.

use std::cmp::Ordering;

use super::sample::{BlockRuns, RunValue, SettingSample};
use kenga_core::rng::StreamKey;
use kenga_core::sort::sort_by;
use kenga_stats::{
    Bootstrap, Estimate, Interval, Observed, OverPuzzles, PENALTY, Z_95, expected_time_interval,
    mean_of_strata, mean_over_puzzles, median, rank_values,
};

/// A setting, or several joined, in numbers. Numbers over several puzzles are means of those by puzzle, each counting
/// alike.
#[derive(Clone, Debug)]
pub struct SettingStats {
    /// Its name in tables.
    pub name: String,
    /// Its name in sentences.
    pub spoken: String,
    /// Runs.
    pub runs: u64,
    /// Runs that solved.
    pub solved: u64,
    /// The share of solved runs with its 95 % interval on these puzzles.
    pub share: Estimate,
    /// The interval of the share on the next puzzle of this kind; only over several puzzles.
    pub share_next: Option<Interval>,
    /// The median with its 95 % interval, failed runs infinite; only on a single puzzle.
    pub median: Option<Estimate>,
    /// Expected running time with restarts after failure, and its 95 % interval; only of times on a single puzzle.
    pub ert: Option<Estimate>,
    /// Penalised average, a failed run counting ten budgets, with its 95 % interval on these puzzles; only of times.
    pub par10: Option<Estimate>,
    /// The interval of the penalised average on the next puzzle of this kind; only over several puzzles.
    pub par10_next: Option<Interval>,
    /// The mean of the metric.
    pub mean: f64,
    /// The mean of the best fitness.
    pub fitness: f64,
    /// The numbers by puzzle, in the order of ids.
    pub puzzles: Vec<PuzzleStats>,
}

/// The runs of a setting on one puzzle.
#[derive(Clone, Debug)]
pub struct PuzzleStats {
    /// The id of the puzzle.
    pub id: String,
    /// Runs.
    pub runs: u64,
    /// Runs that solved.
    pub solved: u64,
    /// The largest budget of a run; infinite without a bound.
    pub budget: f64,
    /// The share of solved runs with its 95 % interval: Wilson's.
    pub share: Estimate,
    /// The median with its 95 % interval, failed runs infinite.
    pub median: Estimate,
    /// Expected running time with restarts after failure; only of times.
    pub ert: Option<Estimate>,
    /// Penalised average; only of times.
    pub par10: Option<Estimate>,
    /// Its runs, in the order of blocks.
    pub observed: Vec<Observed>,
    mean: f64,
    fitness: f64,
}

impl SettingStats {
    /// Measures a setting with at least one run.
    pub fn new(sample: &SettingSample, is_time: bool) -> Self {
        let blocks: Vec<&[BlockRuns]> = sample.by_puzzle().collect();
        let puzzles: Vec<PuzzleStats> =
            blocks.iter().map(|blocks| PuzzleStats::new(blocks, is_time)).collect();
        let only = if let [only] = &puzzles[..] { Some(only) } else { None };
        let share = shares(&blocks);
        let penalised = if is_time { penalised(&blocks) } else { None };
        let par10 = match penalised {
            Some(penalised) => Some(penalised.on_these()),
            // Without a bound a time is no share of a budget.
            None => {
                let parts: Option<Vec<Estimate>> = puzzles.iter().map(|puzzle| puzzle.par10).collect();
                parts.and_then(|parts| mean_of_strata(&parts))
            }
        };
        let has_several_puzzles = only.is_none();
        let count = puzzles.len() as f64;
        Self {
            name: sample.name.clone(),
            spoken: sample.spoken.clone(),
            runs: puzzles.iter().map(|puzzle| puzzle.runs).sum(),
            solved: puzzles.iter().map(|puzzle| puzzle.solved).sum(),
            share: share.on_these(),
            share_next: has_several_puzzles.then_some(share.next),
            median: only.map(|only| only.median),
            ert: only.and_then(|only| only.ert),
            par10,
            par10_next: penalised.filter(|_| has_several_puzzles).map(|penalised| penalised.next),
            mean: puzzles.iter().map(|puzzle| puzzle.mean).sum::<f64>() / count,
            fitness: puzzles.iter().map(|puzzle| puzzle.fitness).sum::<f64>() / count,
            puzzles,
        }
    }

    /// The penalised average; infinite where there is none.
    pub fn par10_value(&self) -> f64 {
        self.par10.map_or(f64::INFINITY, |par10| par10.value)
    }

    /// The setting on a puzzle.
    pub fn on(&self, puzzle: &str) -> Option<&PuzzleStats> {
        self.puzzles.iter().find(|part| part.id == puzzle)
    }
}

impl PuzzleStats {
    /// The penalised average; infinite where there is none.
    pub fn par10_value(&self) -> f64 {
        self.par10.map_or(f64::INFINITY, |par10| par10.value)
    }

    fn new(blocks: &[BlockRuns], is_time: bool) -> Self {
        let id = blocks[0].block.puzzle.clone();
        let mut observed = Vec::new();
        let (mut solved, mut budget, mut fitness) = (0, 0.0, 0.0);
        for run in blocks.iter().flat_map(|block| &block.runs) {
            observed.push(run.observed);
            solved += u64::from(run.solved);
            budget = f64::max(budget, run.budget);
            fitness += run.fitness;
        }
        let (mut ert, mut par10) = (None, None);
        if is_time {
            let costs: Vec<BlockCost> = blocks.iter().map(|block| BlockCost::of(&block.runs)).collect();
            let key = StreamKey::run(0, "measure", 0).child(&id);
            // Runs of a block depend on each other: where it has several, resamples draw whole blocks.
            ert = Some(if blocks.len() == observed.len() {
                expected_time_interval(&observed, budget, Z_95)
            } else {
                resampled(&costs, &key.child("expected"), BlockCost::expected)
            });
            par10 = Some(match penalised(&[blocks]) {
                Some(penalised) => penalised.on_these(),
                None => resampled(&costs, &key.child("par10"), BlockCost::penalised),
            });
        }
        let count = observed.len() as f64;
        Self {
            runs: observed.len() as u64,
            solved,
            budget,
            share: shares(&[blocks]).on_these(),
            median: median_of(&observed, blocks.len()),
            ert,
            par10,
            mean: observed.iter().map(|run| run.spent).sum::<f64>() / count,
            fitness: fitness / count,
            observed,
            id,
        }
    }
}

/// The cost of the runs of a block, or of several blocks together.
#[derive(Clone, Copy, Debug, Default)]
struct BlockCost {
    spent: f64,
    penalised: f64,
    solved: f64,
    runs: f64,
}

impl BlockCost {
    fn of(runs: &[RunValue]) -> Self {
        let mut cost = Self::default();
        for run in runs {
            cost.spent += run.observed.spent;
            cost.penalised += run.observed.penalised(run.budget);
            cost.solved += f64::from(u8::from(run.observed.solved));
            cost.runs += 1.0;
        }
        cost
    }

    /// Adds the cost of a block so many times.
    fn add(&mut self, other: Self, times: f64) {
        self.spent += times * other.spent;
        self.penalised += times * other.penalised;
        self.solved += times * other.solved;
        self.runs += times * other.runs;
    }

    fn expected(self) -> f64 {
        if self.solved > 0.0 { self.spent / self.solved } else { f64::INFINITY }
    }

    fn penalised(self) -> f64 {
        self.penalised / self.runs
    }
}

/// A ratio of sums over blocks with its percentile interval over resampled blocks.
fn resampled(costs: &[BlockCost], key: &StreamKey, ratio: fn(BlockCost) -> f64) -> Estimate {
    let mut all = BlockCost::default();
    for cost in costs {
        all.add(*cost, 1.0);
    }
    let mut rng = key.rng();
    let interval = Bootstrap::default().interval(costs.len(), &mut |n| rng.below(n), |counts| {
        let mut drawn = BlockCost::default();
        for (cost, count) in costs.iter().zip(counts) {
            // Zero times an infinite cost would be no number.
            if *count > 0 {
                drawn.add(*cost, f64::from(*count));
            }
        }
        ratio(drawn)
    });
    Estimate { value: ratio(all), interval }
}

/// The share of solved runs over puzzles: on each puzzle the mean over its blocks.
fn shares(puzzles: &[&[BlockRuns]]) -> OverPuzzles {
    let mut values: Vec<Vec<f64>> = Vec::with_capacity(puzzles.len());
    for blocks in puzzles {
        values.push(blocks.iter().map(BlockRuns::share).collect());
    }
    over(&values).expect("a setting has a run")
}

/// PAR-10 over puzzles, with intervals of its share of ten times the largest budget; `None` without a bound.
fn penalised(puzzles: &[&[BlockRuns]]) -> Option<OverPuzzles> {
    let mut budget: f64 = 0.0;
    for run in puzzles.iter().copied().flatten().flat_map(|block| &block.runs) {
        budget = budget.max(run.budget);
    }
    // Intervals of means are those of values from 0 to 1, and no run counts more than this.
    let most = PENALTY * budget;
    if !most.is_finite() {
        return None;
    }
    let mut shares: Vec<Vec<f64>> = Vec::with_capacity(puzzles.len());
    let mut sum_of_means = 0.0;
    for blocks in puzzles {
        let costs: Vec<f64> = blocks.iter().map(|block| BlockCost::of(&block.runs).penalised()).collect();
        sum_of_means += costs.iter().sum::<f64>() / costs.len() as f64;
        shares.push(costs.into_iter().map(|cost| cost / most).collect());
    }
    let OverPuzzles { these, next, .. } = over(&shares)?;
    Some(OverPuzzles {
        value: sum_of_means / puzzles.len() as f64,
        these: Interval { low: these.low * most, high: these.high * most },
        next: Interval { low: next.low * most, high: next.high * most },
    })
}

/// The mean over puzzles of values from 0 to 1, one for each block of each puzzle.
fn over(values: &[Vec<f64>]) -> Option<OverPuzzles> {
    let values: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
    mean_over_puzzles(&values, Z_95)
}

/// The effective number of runs: the number of independent runs whose share has the variance of the mean of these shares. It
/// lies between the number of shares and that of all runs.
pub(super) fn effective(shares: &[f64], runs: usize) -> f64 {
    let count = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / count;
    let squares = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>();
    let variance = squares / (count - 1.0).max(1.0) / count;
    if runs == shares.len() || variance <= 0.0 {
        return count;
    }
    (mean * (1.0 - mean) / variance).clamp(count, runs as f64)
}

/// The mean share over puzzles, each counting alike and given as (solved runs, runs). `None` without a run.
pub fn mean_share(solved_of: impl IntoIterator<Item = (u64, u64)>) -> Option<OverPuzzles> {
    let mut values: Vec<Vec<f64>> = Vec::new();
    for (solved, runs) in solved_of {
        values.push((0..runs).map(|run| if run < solved { 1.0 } else { 0.0 }).collect());
    }
    over(&values)
}

/// The median of the runs of `blocks` blocks; the interval is that of `blocks` evenly spaced quantiles.
fn median_of(observed: &[Observed], blocks: usize) -> Estimate {
    let mut values = rank_values(observed);
    let all = median(&values).expect("a setting has a run");
    if values.len() == blocks {
        return all;
    }
    values.sort_unstable_by(f64::total_cmp);
    let spread: Vec<f64> =
        (0..blocks).map(|block| values[(2 * block + 1) * values.len() / (2 * blocks)]).collect();
    Estimate { value: all.value, interval: median(&spread).map_or(all.interval, |spread| spread.interval) }
}

/// The settings from best to worst. Times are ordered by a higher share solved, then a lower PAR-10, then a lower mean of the
/// best fitness; other metrics by a lower mean, then a higher share. `blocks` holds how many blocks a race gave each setting:
/// those with more come first.
pub fn order(settings: &[&SettingStats], is_time: bool, blocks: Option<&[usize]>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..settings.len()).collect();
    sort_by(&mut order, |&a, &b| {
        let by_survival = blocks.map_or(Ordering::Equal, |blocks| blocks[b].cmp(&blocks[a]));
        by_survival.then(by_merit(settings[a], settings[b], is_time))
    });
    order
}

fn by_merit(a: &SettingStats, b: &SettingStats, is_time: bool) -> Ordering {
    let by_share = b.share.value.total_cmp(&a.share.value);
    if !is_time {
        return a.mean.total_cmp(&b.mean).then(by_share);
    }
    by_share.then(a.par10_value().total_cmp(&b.par10_value())).then(a.fitness.total_cmp(&b.fitness))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::sample::Block;

    fn block(puzzle: &str, replicate: u64) -> Block {
        Block { puzzle: puzzle.to_owned(), seed: 1, replicate }
    }

    /// Ten runs of a puzzle, of which those with an odd index fail at a budget of 100; `copies` of each.
    fn sample(copies: u32) -> SettingSample {
        let run = |at: u64| match at % 2 {
            0 => Observed::solved(at as f64 + 1.0),
            _ => Observed::failed(100.0),
        };
        let runs = (0..10).flat_map(|at| {
            (0..copies)
                .map(move |variant| (block("p", at), RunValue { variant, ..RunValue::new(run(at), 100.0) }))
        });
        SettingSample::new("a", "a", runs.collect())
    }

    #[test]
    fn a_failed_run_counts_ten_budgets_whatever_others_spend() {
        let side = SettingStats::new(&sample(1), true);
        let par10 = side.par10.expect("times").value;
        assert_eq!(par10, (1.0 + 3.0 + 5.0 + 7.0 + 9.0 + 5.0 * 1000.0) / 10.0);
        assert_eq!(side.ert.expect("times").value, (25.0 + 500.0) / 5.0);
        assert_eq!((side.runs, side.solved, side.share.value), (10, 5, 0.5));
    }

    #[test]
    fn runs_that_go_alike_in_a_block_narrow_no_interval() {
        let (once, four) = (SettingStats::new(&sample(1), true), SettingStats::new(&sample(4), true));
        assert_eq!((four.runs, four.share.value), (40, 0.5));
        let width = |side: &SettingStats| side.share.interval.high - side.share.interval.low;
        assert!((width(&four) - width(&once)).abs() < 1e-12, "{} {}", width(&once), width(&four));
        assert_eq!((four.par10, four.median), (once.par10, once.median));
        let expected = |side: &SettingStats| side.ert.map(|ert| ert.value);
        assert_eq!(expected(&four), expected(&once));
    }

    #[test]
    fn runs_of_a_block_that_go_their_own_way_count_more() {
        // Of every block one run of two solves: the share is known better than from ten runs.
        assert_eq!(effective(&[0.5; 10], 20), 10.0);
        assert_eq!(effective(&[0.0, 1.0, 0.0, 1.0], 8), 4.0);
        assert!(effective(&[0.25, 0.5, 0.5, 0.75], 8) > 7.9);
    }

    #[test]
    fn all_of_many_puzzles_solved_says_little_of_the_next_one() {
        let runs = (0..102).flat_map(|puzzle| {
            (0..10).map(move |run| {
                (block(&format!("p{puzzle}"), run), RunValue::new(Observed::solved(5.0), 9.0))
            })
        });
        let side = SettingStats::new(&SettingSample::new("a", "a", runs.collect()), true);
        let (these, next) = (side.share.interval.low, side.share_next.expect("several puzzles").low);
        assert!(these > 0.996 && (0.963..0.965).contains(&next), "{these} {next}");
    }
}
