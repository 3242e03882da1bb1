//! A setting in numbers: its share solved, median, cost of a solution with restarts, and PAR-10.
//!
//! The unit is the block. If several settings are joined, the runs of a block are not independent: a share and a PAR-10
//! are means over blocks, with the intervals of means of values from 0 to 1, and the cost of a solution has the spread of blocks.
//! In a single setting a block is a run.
//!
//! Source: J. N. K. Rao, A. J. Scott 1992, A simple method for the analysis of clustered binary data,
//! doi:10.2307/2532311.

use super::Groups;
use super::sample::{BlockRuns, Blocks, RunValue, SettingSample};
use kenga_stats::{
    Effort, Estimate, Interval, Observed, OverPuzzles, PENALTY, Z_95, expected_time_over_puzzles,
    mean_over_puzzles, median, rank_values, student_over_puzzles,
};
use std::collections::BTreeMap;

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
    /// The median with its 95 % interval, unsolved runs infinite and failed ones left out; only on a single puzzle.
    pub median: Option<Estimate>,
    /// The cost of a solution with restarts after failure, and its 95 % interval: all that was spent over the solutions, each
    /// puzzle counting alike; infinite without a solution. Only of times.
    pub ert: Option<Estimate>,
    /// Penalised average, a failed run counting ten budgets, with its 95 % interval on these puzzles; only of times.
    pub par10: Option<Estimate>,
    /// The interval of the penalised average on the next puzzle of this kind; only over several puzzles.
    pub par10_next: Option<Interval>,
    /// The mean of the metric over runs that did not fail; infinite where all runs on a puzzle failed.
    pub mean: f64,
    /// The same of the best fitness.
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
    /// The median with its 95 % interval, unsolved runs infinite and failed ones left out.
    pub median: Estimate,
    /// Expected running time with restarts after failure; only of times.
    pub ert: Option<Estimate>,
    /// Penalised average; only of times.
    pub par10: Option<Estimate>,
    mean: f64,
    fitness: f64,
}

impl SettingStats {
    /// Measures a setting with at least one run; `groups` are the families of puzzles that are a sample of their kind.
    pub fn new(sample: &SettingSample, is_time: bool, groups: &Groups) -> Self {
        let blocks: Vec<Blocks<'_>> = sample.by_puzzle().collect();
        let puzzles: Vec<PuzzleStats> =
            blocks.iter().map(|blocks| PuzzleStats::new(*blocks, is_time)).collect();
        let only = if let [only] = &puzzles[..] { Some(only) } else { None };
        let share = shares(&blocks);
        let penalised = if is_time { penalised(&blocks, groups) } else { None };
        let has_several_puzzles = only.is_none();
        let shares_of: Vec<(&str, f64)> =
            puzzles.iter().map(|puzzle| (puzzle.id.as_str(), puzzle.share.value)).collect();
        let count = puzzles.len() as f64;
        Self {
            name: sample.name.clone(),
            spoken: sample.spoken.clone(),
            runs: puzzles.iter().map(|puzzle| puzzle.runs).sum(),
            solved: puzzles.iter().map(|puzzle| puzzle.solved).sum(),
            share: share.on_these(),
            share_next: has_several_puzzles.then(|| over_families(&shares_of, groups).unwrap_or(share).next),
            median: only.map(|only| only.median),
            ert: is_time.then(|| expected(&blocks, share.these)),
            par10: penalised.map(|penalised| penalised.on_these()),
            par10_next: penalised.filter(|_| has_several_puzzles).map(|penalised| penalised.next),
            mean: puzzles.iter().map(|puzzle| puzzle.mean).sum::<f64>() / count,
            fitness: puzzles.iter().map(|puzzle| puzzle.fitness).sum::<f64>() / count,
            puzzles,
        }
    }

    /// The cost of a solution; infinite without one.
    pub fn cost(&self) -> f64 {
        self.ert.map_or(f64::INFINITY, |ert| ert.value)
    }

    /// The setting on a puzzle.
    pub fn on(&self, puzzle: &str) -> Option<&PuzzleStats> {
        self.puzzles.iter().find(|part| part.id == puzzle)
    }
}

impl PuzzleStats {
    /// The cost of a solution; infinite without one.
    pub fn cost(&self) -> f64 {
        self.ert.map_or(f64::INFINITY, |ert| ert.value)
    }

    fn new(blocks: Blocks<'_>, is_time: bool) -> Self {
        let (mut solved, mut budget) = (0, 0.0);
        let mut finished: Vec<&RunValue> = Vec::new();
        for run in blocks.runs() {
            solved += u64::from(run.solved);
            budget = f64::max(budget, run.budget);
            if !run.failed {
                finished.push(run);
            }
        }
        let blocks_finished = blocks.iter().filter(|block| block.runs.iter().any(|run| !run.failed)).count();
        let values: Vec<Observed> = finished.iter().map(|run| run.observed).collect();
        let share = shares(&[blocks]).on_these();
        let penalised = if is_time { penalised(&[blocks], &Groups::default()) } else { None };
        Self {
            id: (**blocks.puzzle()).to_owned(),
            runs: blocks.runs().len() as u64,
            solved,
            budget,
            share,
            median: median_of(&values, blocks_finished),
            ert: is_time.then(|| expected(&[blocks], share.interval)),
            par10: penalised.map(|penalised| penalised.on_these()),
            mean: mean(values.iter().map(|run| run.spent)),
            fitness: mean(finished.iter().map(|run| run.fitness)),
        }
    }
}

/// The mean of some numbers; infinite without any.
fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len() as f64;
    if count > 0.0 { numbers.sum::<f64>() / count } else { f64::INFINITY }
}

/// The cost of a solution on some puzzles, given the interval of the share solved.
fn expected(puzzles: &[Blocks<'_>], share: Interval) -> Estimate {
    let (mut starts, mut budget) = (Vec::with_capacity(puzzles.len()), 0.0_f64);
    for blocks in puzzles {
        starts.push(blocks.iter().map(|block| effort(block.runs)).collect());
        for run in blocks.runs() {
            budget = budget.max(run.budget);
        }
    }
    expected_time_over_puzzles(&starts, share, budget, Z_95)
}

/// The effort of the runs of a block, by how they ended.
fn effort(runs: &[RunValue]) -> Effort {
    let mut effort = Effort::default();
    let count = runs.len() as f64;
    for run in runs {
        if run.observed.solved {
            effort.solving += run.spent(f64::INFINITY) / count;
            effort.solved += 1.0 / count;
        } else {
            effort.failing += run.spent(f64::INFINITY) / count;
        }
    }
    effort
}

/// The mean penalised time of the runs of a block.
fn penalised_mean(runs: &[RunValue]) -> f64 {
    runs.iter().map(|run| run.observed.penalised(run.budget)).sum::<f64>() / runs.len() as f64
}

/// The mean over families of puzzles of a number of each, from 0 to 1; `None` without families.
fn over_families(numbers: &[(&str, f64)], groups: &Groups) -> Option<OverPuzzles> {
    if groups.families.is_empty() {
        return None;
    }
    let mut families: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (puzzle, number) in numbers {
        families.entry(groups.family(puzzle)).or_default().push(*number);
    }
    mean_over_puzzles(&families.into_values().collect::<Vec<_>>(), Z_95)
}

/// The share of solved runs over puzzles: on each puzzle the mean over its blocks.
fn shares(puzzles: &[Blocks<'_>]) -> OverPuzzles {
    let mut values: Vec<Vec<f64>> = Vec::with_capacity(puzzles.len());
    for blocks in puzzles {
        values.push(blocks.iter().map(|block| BlockRuns::share(&block)).collect());
    }
    mean_over_puzzles(&values, Z_95).expect("a setting has a run")
}

/// PAR-10 over puzzles, with intervals of its share of ten times the largest budget; `None` without a bound.
fn penalised(puzzles: &[Blocks<'_>], groups: &Groups) -> Option<OverPuzzles> {
    let mut budget: f64 = 0.0;
    for run in puzzles.iter().flat_map(Blocks::runs) {
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
        let costs: Vec<f64> = blocks.iter().map(|block| penalised_mean(block.runs)).collect();
        sum_of_means += costs.iter().sum::<f64>() / costs.len() as f64;
        shares.push(costs.into_iter().map(|cost| cost / most).collect());
    }
    let OverPuzzles { these, next, .. } = mean_over_puzzles(&shares, Z_95)?;
    let mean = |costs: &Vec<f64>| costs.iter().sum::<f64>() / costs.len() as f64;
    let by_puzzle: Vec<(&str, f64)> =
        puzzles.iter().zip(&shares).map(|(blocks, costs)| (&**blocks.puzzle(), mean(costs))).collect();
    let next = over_families(&by_puzzle, groups).map_or(next, |families| families.next);
    // Times far below ten budgets: Wilson's interval would end too near the mean on that side.
    let student = student_over_puzzles(&shares, Z_95);
    let with_student = |interval: Interval| Interval {
        low: interval.low.min(student.low).max(0.0),
        high: interval.high.max(student.high).min(1.0),
    };
    let (these, next) = (with_student(these), with_student(next));
    Some(OverPuzzles {
        value: sum_of_means / puzzles.len() as f64,
        these: Interval { low: these.low * most, high: these.high * most },
        next: Interval { low: next.low * most, high: next.high * most },
    })
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
    mean_over_puzzles(&values, Z_95)
}

/// The median of the runs of `blocks` blocks, infinite without any; the interval is that of `blocks` evenly spaced quantiles.
fn median_of(observed: &[Observed], blocks: usize) -> Estimate {
    let mut values = rank_values(observed);
    if values.is_empty() {
        values.push(f64::INFINITY);
    }
    let all = median(&values).expect("there is a value");
    if values.len() == blocks {
        return all;
    }
    values.sort_unstable_by(f64::total_cmp);
    let spread: Vec<f64> =
        (0..blocks).map(|block| values[(2 * block + 1) * values.len() / (2 * blocks)]).collect();
    Estimate { value: all.value, interval: median(&spread).map_or(all.interval, |spread| spread.interval) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::sample::Block;

    fn block(puzzle: &str, replicate: u64) -> Block {
        Block { puzzle: puzzle.into(), seed: 1, replicate }
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
        let side = SettingStats::new(&sample(1), true, &Groups::default());
        let par10 = side.par10.expect("times").value;
        assert_eq!(par10, (1.0 + 3.0 + 5.0 + 7.0 + 9.0 + 5.0 * 1000.0) / 10.0);
        assert_eq!(side.ert.expect("times").value, (25.0 + 500.0) / 5.0);
        assert_eq!((side.runs, side.solved, side.share.value), (10, 5, 0.5));
    }

    #[test]
    fn runs_that_go_alike_in_a_block_narrow_no_interval() {
        let (once, four) = (
            SettingStats::new(&sample(1), true, &Groups::default()),
            SettingStats::new(&sample(4), true, &Groups::default()),
        );
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
        let side = SettingStats::new(&SettingSample::new("a", "a", runs.collect()), true, &Groups::default());
        let (these, next) = (side.share.interval.low, side.share_next.expect("several puzzles").low);
        assert!(these > 0.996 && (0.963..0.965).contains(&next), "{these} {next}");
    }
}
