//! A setting in numbers: its share solved, median, expected time and PAR-10.
//!
//! The unit is the block. Where a side joins several settings, the runs of a block are not independent: a share and a PAR-10
//! are means over blocks, with the intervals of means of values from 0 to 1, and resamples draw blocks. In a single setting a
//! block is a run.
//!
//! Every puzzle has a random stream of its own for resamples, so that its numbers do not depend on what else is measured.
//!
//! Source: J. N. K. Rao, A. J. Scott 1992, A simple method for the analysis of clustered binary data,
//! doi:10.2307/2532311.

use std::cmp::Ordering;

use super::SideSample;
use super::sample::{Block, Reading};
use kenga_core::rng::StreamKey;
use kenga_core::sort::sort_by;
use kenga_stats::{
    Bootstrap, Estimate, Interval, Observed, OverPuzzles, PENALTY, Z_95, expected_time_interval,
    mean_of_strata, mean_over_puzzles, median, rank_values,
};

/// A setting, or several joined, in numbers. Numbers over several puzzles are means of those by puzzle, each counting
/// alike.
#[derive(Clone, Debug)]
pub struct Side {
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
    pub puzzles: Vec<OfPuzzle>,
}

/// The runs of a setting on one puzzle.
#[derive(Clone, Debug)]
pub struct OfPuzzle {
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

impl Side {
    /// Measures a side with at least one run.
    pub fn new(sample: &SideSample, is_time: bool) -> Self {
        let blocks: Vec<&[(Block, Vec<Reading>)]> = sample.by_puzzle().collect();
        let puzzles: Vec<OfPuzzle> = blocks.iter().map(|blocks| OfPuzzle::new(blocks, is_time)).collect();
        let mean_of =
            |part: &dyn Fn(&OfPuzzle) -> f64| puzzles.iter().map(part).sum::<f64>() / puzzles.len() as f64;
        let only = puzzles.first().filter(|_| puzzles.len() == 1);
        let share = shares(&blocks);
        let par10 = is_time.then(|| penalised(&blocks)).flatten();
        let par10s = || puzzles.iter().map(|part| part.par10).collect::<Option<Vec<_>>>();
        let several = only.is_none();
        Self {
            name: sample.name.clone(),
            spoken: sample.spoken.clone(),
            runs: puzzles.iter().map(|part| part.runs).sum(),
            solved: puzzles.iter().map(|part| part.solved).sum(),
            share: share.on_these(),
            share_next: several.then_some(share.next),
            median: only.map(|only| only.median),
            ert: only.and_then(|only| only.ert),
            // Without a bound a time is no share of a budget.
            par10: par10.map(|par10| par10.on_these()).or_else(|| mean_of_strata(&par10s()?)),
            par10_next: par10.filter(|_| several).map(|par10| par10.next),
            mean: mean_of(&|part| part.mean),
            fitness: mean_of(&|part| part.fitness),
            puzzles,
        }
    }

    /// The penalised average; infinite where there is none.
    pub fn par10_value(&self) -> f64 {
        self.par10.map_or(f64::INFINITY, |par10| par10.value)
    }

    /// The side on a puzzle.
    pub fn on(&self, puzzle: &str) -> Option<&OfPuzzle> {
        self.puzzles.iter().find(|part| part.id == puzzle)
    }
}

impl OfPuzzle {
    /// The penalised average; infinite where there is none.
    pub fn par10_value(&self) -> f64 {
        self.par10.map_or(f64::INFINITY, |par10| par10.value)
    }

    fn new(blocks: &[(Block, Vec<Reading>)], is_time: bool) -> Self {
        let id = blocks[0].0.puzzle.clone();
        let readings = || blocks.iter().flat_map(|(_, readings)| readings);
        let observed: Vec<Observed> = readings().map(|reading| reading.observed).collect();
        let runs = observed.len() as u64;
        let solved = readings().filter(|reading| reading.solved).count() as u64;
        let mean = |of: &dyn Fn(&Reading) -> f64| readings().map(of).sum::<f64>() / runs as f64;
        let costs: Vec<BlockCost> = blocks.iter().map(|(_, readings)| BlockCost::of(readings)).collect();
        let key = StreamKey::run(0, "measure", 0).child(&id);
        let budget = readings().map(|reading| reading.budget).fold(0.0, f64::max);
        let ert = is_time.then(|| match blocks.len() == observed.len() {
            true => expected_time_interval(&observed, budget, Z_95),
            false => resampled(&costs, &key.child("expected"), BlockCost::expected),
        });
        let par10 = is_time.then(|| match penalised(&[blocks]) {
            Some(par10) => par10.on_these(),
            None => resampled(&costs, &key.child("par10"), BlockCost::penalised),
        });
        Self {
            runs,
            solved,
            budget,
            share: shares(&[blocks]).on_these(),
            median: middle_of(&observed, blocks.len()),
            ert,
            par10,
            mean: mean(&|reading| reading.observed.spent),
            fitness: mean(&|reading| reading.fitness),
            observed,
            id,
        }
    }
}

/// The cost of the runs of a block.
#[derive(Clone, Copy, Debug, Default)]
struct BlockCost {
    spent: f64,
    penalised: f64,
    solved: f64,
    runs: f64,
}

impl BlockCost {
    fn of(readings: &[Reading]) -> Self {
        let one = |reading: &Reading| {
            let Observed { spent, solved } = reading.observed;
            let penalised = reading.observed.penalised(reading.budget);
            Self { spent, penalised, solved: f64::from(u8::from(solved)), runs: 1.0 }
        };
        readings.iter().map(one).fold(Self::default(), |sum, one| sum.plus(one, 1.0))
    }

    fn plus(self, other: Self, times: f64) -> Self {
        Self {
            spent: self.spent + times * other.spent,
            penalised: self.penalised + times * other.penalised,
            solved: self.solved + times * other.solved,
            runs: self.runs + times * other.runs,
        }
    }

    fn expected(self) -> f64 {
        if self.solved > 0.0 { self.spent / self.solved } else { f64::INFINITY }
    }

    fn penalised(self) -> f64 {
        self.penalised / self.runs
    }
}

/// A ratio of sums over blocks with its percentile interval over resampled blocks.
fn resampled(costs: &[BlockCost], key: &StreamKey, of: fn(BlockCost) -> f64) -> Estimate {
    let mut rng = key.rng();
    let total = |counts: &mut dyn Iterator<Item = f64>| {
        costs.iter().zip(counts).fold(BlockCost::default(), |sum, (cost, count)| match count {
            0.0 => sum,
            count => sum.plus(*cost, count),
        })
    };
    let value = of(total(&mut std::iter::repeat(1.0)));
    let interval = Bootstrap::default().interval(costs.len(), &mut |n| rng.below(n), |counts| {
        of(total(&mut counts.iter().map(|count| f64::from(*count))))
    });
    Estimate { value, interval }
}

/// The share of solved runs over puzzles: on each puzzle the mean over its blocks.
fn shares(puzzles: &[&[(Block, Vec<Reading>)]]) -> OverPuzzles {
    over(puzzles, &share_of).expect("a side has a run")
}

/// PAR-10 over puzzles, with intervals of its share of ten times the largest budget; `None` without a bound.
fn penalised(puzzles: &[&[(Block, Vec<Reading>)]]) -> Option<OverPuzzles> {
    let readings = puzzles.iter().copied().flatten().flat_map(|(_, readings)| readings);
    let most = PENALTY * readings.map(|reading| reading.budget).fold(0.0, f64::max);
    if !most.is_finite() {
        return None;
    }
    let OverPuzzles { these, next, .. } =
        over(puzzles, &|readings| BlockCost::of(readings).penalised() / most)?;
    let mean = |blocks: &&[(Block, Vec<Reading>)]| {
        blocks.iter().map(|(_, readings)| BlockCost::of(readings).penalised()).sum::<f64>()
            / blocks.len() as f64
    };
    let value = puzzles.iter().map(mean).sum::<f64>() / puzzles.len() as f64;
    let scaled = |ends: Interval| Interval { low: ends.low * most, high: ends.high * most };
    Some(OverPuzzles { value, these: scaled(these), next: scaled(next) })
}

/// The mean over puzzles of a value of every block, from 0 to 1.
fn over(puzzles: &[&[(Block, Vec<Reading>)]], of: &dyn Fn(&[Reading]) -> f64) -> Option<OverPuzzles> {
    let values: Vec<Vec<f64>> =
        puzzles.iter().map(|blocks| blocks.iter().map(|(_, readings)| of(readings)).collect()).collect();
    mean_over_puzzles(&values.iter().map(Vec::as_slice).collect::<Vec<_>>(), Z_95)
}

/// The share of solved runs of a block.
pub(super) fn share_of(readings: &[Reading]) -> f64 {
    readings.iter().filter(|reading| reading.solved).count() as f64 / readings.len() as f64
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
    let values = |(solved, runs): (u64, u64)| -> Vec<f64> {
        (0..runs).map(|run| if run < solved { 1.0 } else { 0.0 }).collect()
    };
    let puzzles: Vec<Vec<f64>> = solved_of.into_iter().map(values).collect();
    mean_over_puzzles(&puzzles.iter().map(Vec::as_slice).collect::<Vec<_>>(), Z_95)
}

/// The median of the runs of `blocks` blocks; the interval is that of `blocks` evenly spaced quantiles.
fn middle_of(observed: &[Observed], blocks: usize) -> Estimate {
    let mut values = rank_values(observed);
    let all = median(&values).expect("a side has a run");
    if values.len() == blocks {
        return all;
    }
    values.sort_unstable_by(f64::total_cmp);
    let spread: Vec<f64> =
        (0..blocks).map(|block| values[(2 * block + 1) * values.len() / (2 * blocks)]).collect();
    Estimate { value: all.value, interval: median(&spread).map_or(all.interval, |spread| spread.interval) }
}

/// The sides from best to worst. Times are ordered by a higher share solved, then a lower PAR-10, then a lower mean of the
/// best fitness; other metrics by a lower mean, then a higher share. `blocks` holds how many blocks a race gave each side:
/// sides with more come first.
pub fn order(sides: &[&Side], is_time: bool, blocks: Option<&[usize]>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sides.len()).collect();
    sort_by(&mut order, |&a, &b| {
        let by_survival = blocks.map_or(Ordering::Equal, |blocks| blocks[b].cmp(&blocks[a]));
        by_survival.then_with(|| by_merit(sides[a], sides[b], is_time))
    });
    order
}

fn by_merit(a: &Side, b: &Side, is_time: bool) -> Ordering {
    let by_share = b.share.value.total_cmp(&a.share.value);
    let by_fitness = || a.fitness.total_cmp(&b.fitness);
    match is_time {
        true => by_share.then(a.par10_value().total_cmp(&b.par10_value())).then_with(by_fitness),
        false => a.mean.total_cmp(&b.mean).then(by_share),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(puzzle: &str, replicate: u64) -> Block {
        Block { puzzle: puzzle.to_owned(), seed: 1, replicate }
    }

    /// Ten runs of a puzzle, of which those with an odd index fail at a budget of 100; `copies` of each.
    fn sample(copies: u32) -> SideSample {
        let run = |at: u64| match at % 2 {
            0 => Observed::solved(at as f64 + 1.0),
            _ => Observed::failed(100.0),
        };
        let readings = (0..10).flat_map(|at| {
            (0..copies)
                .map(move |variant| (block("p", at), Reading { variant, ..Reading::new(run(at), 100.0) }))
        });
        SideSample::new("a", "a", readings.collect())
    }

    #[test]
    fn a_failed_run_counts_ten_budgets_whatever_others_spend() {
        let side = Side::new(&sample(1), true);
        let par10 = side.par10.expect("times").value;
        assert_eq!(par10, (1.0 + 3.0 + 5.0 + 7.0 + 9.0 + 5.0 * 1000.0) / 10.0);
        assert_eq!(side.ert.expect("times").value, (25.0 + 500.0) / 5.0);
        assert_eq!((side.runs, side.solved, side.share.value), (10, 5, 0.5));
    }

    #[test]
    fn runs_that_go_alike_in_a_block_narrow_no_interval() {
        let (once, four) = (Side::new(&sample(1), true), Side::new(&sample(4), true));
        assert_eq!((four.runs, four.share.value), (40, 0.5));
        let width = |side: &Side| side.share.interval.high - side.share.interval.low;
        assert!((width(&four) - width(&once)).abs() < 1e-12, "{} {}", width(&once), width(&four));
        assert_eq!((four.par10, four.median), (once.par10, once.median));
        let expected = |side: &Side| side.ert.map(|ert| ert.value);
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
            (0..10)
                .map(move |run| (block(&format!("p{puzzle}"), run), Reading::new(Observed::solved(5.0), 9.0)))
        });
        let side = Side::new(&SideSample::new("a", "a", runs.collect()), true);
        let (these, next) = (side.share.interval.low, side.share_next.expect("several puzzles").low);
        assert!(these > 0.996 && (0.963..0.965).contains(&next), "{these} {next}");
    }
}
