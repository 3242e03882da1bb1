//! Comparisons: every side in numbers with intervals, tests that fit the data, and what they show.
//!
//! Runs of the same puzzle, seed and replicate start alike, so that they are compared in pairs where every side has
//! them all. A run that fails is censored: it ranks behind every run that solves, and is never averaged in.

mod metric;
mod pair;
mod words;

use std::collections::BTreeSet;

use crate::results::{Arm, Block};
use crate::rng::StreamKey;
use crate::stats::{
    Bootstrap, Estimate, Interval, Median, Observed, RankLine, TestResult, Z_95,
    expected_running_time_interval, friedman, holm, kruskal_wallis, median, penalised_average_interval,
    rank_line, rank_values, successes, wilson,
};

pub use metric::Metric;
pub use pair::Pair;
pub use words::{as_json, in_words, verdict};

/// How many sides may be few enough to compare each with each.
const FEW: usize = 5;

/// What a comparison has found.
pub struct Comparison {
    /// What is compared.
    pub metric: Metric,
    /// The chance to claim a difference where there is none, over all that is tested together.
    pub alpha: f64,
    /// Every side, in the order of the study.
    pub sides: Vec<Side>,
    /// How many pairs every two sides have; `None` when they are compared as independent runs.
    pub blocks: Option<usize>,
    /// The test whether any side differs: Friedman's in blocks, that of Kruskal and Wallis without.
    pub overall: TestResult,
    /// The line of average ranks, in blocks of three sides or more.
    pub ranks: Option<RankLine>,
    /// The sides from best to worst: by average rank, or by the median without blocks.
    pub order: Vec<usize>,
    /// The pairs that were tested: each with each of few sides, else the baseline or the best one with all others.
    pub pairs: Vec<Pair>,
    /// Puzzles of all runs.
    pub puzzles: usize,
}

/// One side in numbers.
pub struct Side {
    /// Its name.
    pub name: String,
    /// Runs.
    pub runs: u64,
    /// Those that solved.
    pub solved: u64,
    /// Wilson's 95 % interval of the share of solved runs.
    pub share: Interval,
    /// The median with its 95 % interval; failed runs are infinite.
    pub median: Option<Median>,
    /// Expected running time with restarts after failure, and its 95 % bootstrap interval; of times alone.
    pub ert: Option<Estimate>,
    /// Penalised average, a failed run counting ten times what the longest run of any side spent, likewise.
    pub par10: Option<Estimate>,
    /// What its runs show, in the order of their blocks.
    pub observed: Vec<Observed>,
}

/// Why sides cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// There are not two of them.
    #[error("there is one side only: {0}")]
    OneSide(String),
    /// A side has no run.
    #[error("{0} has no run")]
    NoRun(String),
    /// A run has no value of the metric.
    #[error("run {run} of {side} has no {metric}")]
    NoValue {
        /// The index of the run.
        run: u64,
        /// The side.
        side: String,
        /// The metric.
        metric: &'static str,
    },
    /// There is no side of this name.
    #[error("no side is named `{0}`")]
    NoBaseline(String),
}

/// Compares the sides by a metric, all with `baseline` if one is named.
///
/// # Errors
/// [`CompareError`].
pub fn compare(
    arms: &[Arm<'_>],
    metric: Metric,
    alpha: f64,
    baseline: Option<&str>,
) -> Result<Comparison, CompareError> {
    if let [only] = arms {
        return Err(CompareError::OneSide(only.name.clone()));
    }
    let baseline = baseline
        .map(|name| {
            let found = arms.iter().position(|arm| arm.name == name);
            found.ok_or_else(|| CompareError::NoBaseline(name.to_owned()))
        })
        .transpose()?;
    let observed = arms.iter().map(|arm| observed(arm, metric)).collect::<Result<Vec<_>, _>>()?;
    let longest = observed.iter().flatten().map(|run| run.spent).fold(0.0, f64::max);
    let sides: Vec<Side> =
        arms.iter().zip(observed).map(|(arm, observed)| side(arm, observed, metric, longest)).collect();
    let blocks = are_paired(arms).then(|| arms[0].runs.len());
    let values: Vec<Vec<f64>> = sides.iter().map(|side| rank_values(&side.observed)).collect();
    let (overall, ranks, order) = match blocks {
        Some(blocks) => in_blocks(&values, blocks, alpha),
        None => {
            (kruskal_wallis(&values.iter().map(Vec::as_slice).collect::<Vec<_>>()), None, by_median(&sides))
        }
    };
    let mut pairs: Vec<Pair> = tested(&order, baseline)
        .into_iter()
        .map(|(first, second)| pair::compare(first, second, &sides, metric, blocks.is_some()))
        .collect();
    correct(&mut pairs, sides.len(), baseline.is_some());
    let puzzles: BTreeSet<&str> =
        arms.iter().flat_map(|arm| arm.runs.iter().map(|(block, _)| block.puzzle.as_str())).collect();
    let puzzles = puzzles.len();
    Ok(Comparison { metric, alpha, sides, blocks, overall, ranks, order, pairs, puzzles })
}

fn observed(arm: &Arm<'_>, metric: Metric) -> Result<Vec<Observed>, CompareError> {
    if arm.runs.is_empty() {
        return Err(CompareError::NoRun(arm.name.clone()));
    }
    let observe = |(_, run): &(Block, &crate::results::StudyRun)| {
        metric.observed(run).ok_or_else(|| CompareError::NoValue {
            run: run.row.run,
            side: arm.name.clone(),
            metric: metric.name(),
        })
    };
    arm.runs.iter().map(observe).collect()
}

fn side(arm: &Arm<'_>, observed: Vec<Observed>, metric: Metric, longest: f64) -> Side {
    let mut rng = StreamKey::run(0, &arm.name, 0).child("bootstrap").rng();
    let mut draw = |n: usize| rng.below(n);
    let bootstrap = Bootstrap::default();
    let is_time = metric.is_time();
    let ert = is_time.then(|| expected_running_time_interval(&observed, bootstrap, &mut draw));
    let par10 = is_time.then(|| penalised_average_interval(&observed, longest, 10.0, bootstrap, &mut draw));
    let runs = observed.len() as u64;
    let solved = arm.runs.iter().filter(|(_, run)| run.row.solved).count() as u64;
    debug_assert!(!is_time || solved == successes(&observed) as u64);
    Side {
        name: arm.name.clone(),
        runs,
        solved,
        share: wilson(solved, runs, Z_95),
        median: median(&rank_values(&observed)),
        ert,
        par10,
        observed,
    }
}

/// All sides have runs of the same blocks, and one of each.
fn are_paired(arms: &[Arm<'_>]) -> bool {
    let distinct = |arm: &Arm<'_>| arm.runs.windows(2).all(|pair| pair[0].0 != pair[1].0);
    let same = |arm: &Arm<'_>| {
        let pairs = arm.runs.iter().zip(&arms[0].runs);
        arm.runs.len() == arms[0].runs.len() && pairs.into_iter().all(|(a, b)| a.0 == b.0)
    };
    arms.iter().all(|arm| distinct(arm) && same(arm))
}

/// Friedman's test, the line of ranks, and the order of the sides.
fn in_blocks(values: &[Vec<f64>], blocks: usize, alpha: f64) -> (TestResult, Option<RankLine>, Vec<usize>) {
    let rows: Vec<f64> = (0..blocks).flat_map(|block| values.iter().map(move |side| side[block])).collect();
    let line = rank_line(&rows, values.len(), alpha);
    let order = line.order.clone();
    (friedman(&rows, values.len()), Some(line).filter(|_| values.len() > 2), order)
}

fn by_median(sides: &[Side]) -> Vec<usize> {
    let key = |side: &usize| sides[*side].median.map_or(f64::INFINITY, |median| median.value);
    let mut order: Vec<usize> = (0..sides.len()).collect();
    order.sort_by(|a, b| {
        let shares = sides[*b].share.low.total_cmp(&sides[*a].share.low);
        key(a).total_cmp(&key(b)).then(shares)
    });
    order
}

/// The pairs that are tested, the better side by `order` first.
fn tested(order: &[usize], baseline: Option<usize>) -> Vec<(usize, usize)> {
    let pairs = (0..order.len()).flat_map(|a| (a + 1..order.len()).map(move |b| (order[a], order[b])));
    match baseline {
        Some(base) => pairs.filter(|(a, b)| *a == base || *b == base).collect(),
        None if order.len() <= FEW => pairs.collect(),
        None => pairs.filter(|(a, _)| *a == order[0]).collect(),
    }
}

/// Holm's correction, by the metric and by the shares apart. Where the best side is chosen by the same runs, all pairs
/// count that it was chosen from: those not tested as if they had shown nothing.
fn correct(pairs: &mut [Pair], sides: usize, has_baseline: bool) {
    let all = if has_baseline { pairs.len() } else { sides * (sides - 1) / 2 };
    let corrected = |p_values: Vec<f64>| {
        let others = std::iter::repeat_n(1.0, all - p_values.len());
        holm(&p_values.into_iter().chain(others).collect::<Vec<_>>())
    };
    let by_metric = corrected(pairs.iter().map(|pair| pair.p).collect());
    let by_share = corrected(pairs.iter().map(|pair| pair.share_p).collect());
    for (index, pair) in pairs.iter_mut().enumerate() {
        (pair.holm, pair.share_holm) = (by_metric[index], by_share[index]);
    }
}
