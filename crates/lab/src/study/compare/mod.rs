//! Comparisons: every side in numbers with intervals, and tests of their differences.
//!
//! Runs of the same puzzle, seed and replicate have the same start and form a block. Two sides are compared on the blocks
//! that both have, with one value each. A failed run is censored: it ranks behind every run that solves, and its time is
//! never averaged. Numbers over several puzzles are means of those by puzzle, and tests compare within puzzles. Two sides
//! with different budgets are compared up to the smaller one.
//!
//! The best side, or the baseline, is compared with all others. The best was chosen on the same runs, so Holm's correction
//! counts every pair that it was chosen from.

mod next_puzzle;
mod pair;
mod practical;
mod shares;
mod strata;

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::measure::order;
use super::sample::common;
use super::{Arm, CompareError, Metric, Side, SideSample, Study, StudySetting};
use crate::experiment::{Race, RaceRules};
use kenga_stats::{
    Aim, RankLine, TestResult, Z_95, friedman, holm_among, kruskal_wallis, normal_quantile, rank_line,
};
pub use next_puzzle::NextPuzzle;
use pair::contrast;
pub use pair::{NoVerdict, Pair};
pub use practical::{Practical, Region, practical};

/// The results of a comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The metric that is compared.
    pub metric: Metric,
    /// The family-wise error rate of all tests together.
    pub alpha: f64,
    /// Every side, in the order of the study.
    pub sides: Vec<Side>,
    /// The sides from best to worst.
    pub order: Vec<usize>,
    /// The side that all others are compared with: the baseline, or without one the best.
    pub reference: usize,
    /// The others compared with it, from best to worst.
    pub pairs: Vec<Pair>,
    /// The tests that Holm's correction counts.
    pub tests: usize,
    /// The level of each interval of a difference: 0.95 unless the same runs chose the best of more than two.
    pub level: f64,
    /// Blocks that any side has.
    pub blocks: usize,
    /// Blocks that every side has: those of the overall test and the ranks.
    pub common: usize,
    /// The most runs of a block: above 1 where a side joins several settings.
    pub runs_of_block: usize,
    /// The test whether any side differs: Friedman's in blocks, or for independent runs on a single puzzle that of Kruskal
    /// and Wallis. `None` where a race decided how many blocks there are, or sides have different numbers of runs in a block.
    pub overall: Option<TestResult>,
    /// Average ranks in the blocks that all sides have; `None` as above, and without such blocks.
    pub ranks: Option<RankLine>,
    /// The smallest budget, up to which that test and the ranks compare; `None` where budgets are equal.
    pub overall_limit: Option<f64>,
    /// The sides that a race has dropped.
    pub dropped: Vec<usize>,
    /// Whether all sides are settings of one race, whose p-values account for its looks.
    pub is_race: bool,
    /// How many puzzles the runs are of.
    pub puzzles: usize,
    /// Whether some sides have different puzzles.
    pub are_apart: bool,
    /// Whether two sides share no puzzle.
    pub share_none: bool,
    /// Whether fitness is compared and some sides measure it differently.
    pub is_measured_apart: bool,
    /// Whether budgets differ.
    pub is_unequal: bool,
    /// How many runs failed.
    pub failed: u64,
    /// How many runs a program solved within their first hundred evaluations.
    pub solved_at_once: u64,
    /// How many puzzles have unknown solutions, so that distances are upper bounds; 0 unless distances are compared.
    pub bounds: usize,
}

/// What to compare, with the facts of the study that matter for it.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The metric that is compared.
    metric: Metric,
    /// The family-wise error rate of all tests together.
    alpha: f64,
    /// The name of the side that all others are compared with; `None` for the best.
    baseline: Option<&'a str>,
    /// The sides that races have dropped.
    races: Races,
    /// Whether the settings of the study have different budgets.
    is_unequal: bool,
    /// Whether they measure fitness differently.
    is_measured_apart: bool,
    /// How many of the runs failed.
    failed: u64,
    /// How many of the runs a program solved at once.
    solved_at_once: u64,
    /// The puzzles with unknown solutions.
    open: BTreeSet<String>,
}

impl<'a> Question<'a> {
    /// Asks for differences in `metric` between samples without a study.
    pub fn plain(metric: Metric, alpha: f64) -> Self {
        let races = Races::default();
        Self {
            metric,
            alpha,
            baseline: None,
            races,
            is_unequal: false,
            is_measured_apart: false,
            failed: 0,
            solved_at_once: 0,
            open: BTreeSet::new(),
        }
    }

    /// Asks for differences in `metric` between sides of a study.
    pub fn new(study: &Study, arms: &[Arm<'_>], metric: Metric, alpha: f64) -> Self {
        let fitness = |setting: &StudySetting| -> BTreeSet<(String, String)> {
            let own = setting.values.iter().filter(|(key, _)| key.starts_with("fitness."));
            own.map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        let pairs = || study.settings.windows(2);
        Self {
            races: Races::of(study, arms),
            open: study.sources.iter().flat_map(|source| source.open.iter().cloned()).collect(),
            is_unequal: pairs().any(|pair| pair[0].budget != pair[1].budget),
            is_measured_apart: pairs().any(|pair| fitness(&pair[0]) != fitness(&pair[1])),
            failed: arms.iter().map(Arm::failed).sum(),
            solved_at_once: arms.iter().map(|arm| arm.solved_at_once(study)).sum(),
            ..Self::plain(metric, alpha)
        }
    }

    /// Asks for differences from the side of this name, if there is one.
    #[must_use]
    pub fn from_baseline(self, baseline: Option<&'a str>) -> Self {
        Self { baseline, ..self }
    }
}

/// The races behind the sides.
#[derive(Clone, Debug, Default)]
struct Races {
    /// The names of the sides with settings that a race dropped: their results decided how many runs they have.
    dropped: BTreeSet<String>,
    /// The rules of the race, where all sides are settings of one race with all of its runs.
    rules: Option<RaceRules>,
}

impl Races {
    /// The races of a study.
    fn of(study: &Study, arms: &[Arm<'_>]) -> Self {
        let races: Vec<Option<&Race>> = (0..study.sources.len()).map(|source| study.race(source)).collect();
        let is_dropped = |setting: &usize| {
            let setting = &study.settings[*setting];
            races[setting.source].is_some_and(|race| !race.left().contains(&(setting.setting as usize)))
        };
        let dropped =
            arms.iter().filter(|arm| arm.settings.iter().any(is_dropped)).map(|arm| arm.name.clone());
        let is_whole = !study.is_part() && arms.iter().all(|arm| arm.settings.len() == 1);
        let rules = match &races[..] {
            [Some(_)] if is_whole => study.sources[0].plan.settings.race,
            _ => None,
        };
        Self { dropped: dropped.collect(), rules }
    }
}

/// Compares samples.
///
/// # Errors
/// [`CompareError`].
pub fn compare(samples: &[SideSample], question: &Question<'_>) -> Result<Comparison, CompareError> {
    let Question { metric, alpha, .. } = *question;
    if let [only] = samples {
        return Err(CompareError::OneSide(only.name.clone()));
    }
    if let Some(empty) = samples.iter().find(|sample| sample.blocks.is_empty()) {
        return Err(CompareError::NoRun(empty.name.clone()));
    }
    let mut readings = samples.iter().flat_map(SideSample::readings);
    if metric.is_time() && readings.all(|reading| reading.observed.spent == 0.0) {
        return Err(CompareError::NoneMade(metric.name()));
    }
    let found = |name: &str| samples.iter().position(|sample| sample.name == name);
    let baseline = question
        .baseline
        .map(|name| found(name).ok_or_else(|| CompareError::NoBaseline(name.to_owned())))
        .transpose()?;
    let sides: Vec<Side> = samples.par_iter().map(|sample| Side::new(sample, metric.is_time())).collect();
    let lengths: Vec<usize> = samples.iter().map(|sample| sample.blocks.len()).collect();
    let survived = question.races.rules.map(|_| &*lengths);
    let order = order(&sides.iter().collect::<Vec<_>>(), metric.is_time(), survived);
    let reference = baseline.unwrap_or(order[0]);
    let tests = if baseline.is_some() { samples.len() - 1 } else { samples.len() * (samples.len() - 1) / 2 };
    let level = if baseline.is_some() { 0.95 } else { level_of_chosen(samples.len()) };
    let pairs = compared(samples, &order, reference, (tests, level), question);
    let rows = common(samples);
    let budgets = || samples.iter().map(SideSample::budget);
    let (least, most) = (budgets().fold(f64::INFINITY, f64::min), budgets().fold(0.0, f64::max));
    let limit = if metric.is_time() { least } else { f64::INFINITY };
    let dropped: Vec<usize> =
        (0..sides.len()).filter(|side| question.races.dropped.contains(&sides[*side].name)).collect();
    // Results decided how many blocks all sides have where a race dropped one of them.
    let (overall, ranks) =
        if dropped.is_empty() { ranked(samples, &rows, limit, alpha) } else { (None, None) };
    let all: BTreeSet<_> = samples.iter().flat_map(|one| &one.blocks).map(|(block, _)| block).collect();
    let of_sides: BTreeSet<BTreeSet<&str>> =
        sides.iter().map(|side| side.puzzles.iter().map(|part| part.id.as_str()).collect()).collect();
    let puzzles: BTreeSet<&str> = of_sides.iter().flatten().copied().collect();
    let runs_of_block = samples.iter().flat_map(|one| &one.blocks).map(|(_, readings)| readings.len()).max();
    Ok(Comparison {
        metric,
        alpha,
        order,
        reference,
        pairs,
        tests,
        level,
        blocks: all.len(),
        common: rows.len(),
        runs_of_block: runs_of_block.unwrap_or(0),
        overall,
        ranks,
        overall_limit: (limit.is_finite() && most > limit * pair::SAME).then_some(limit),
        dropped,
        is_race: question.races.rules.is_some(),
        are_apart: of_sides.len() > 1,
        share_none: of_sides.iter().any(|one| of_sides.iter().any(|other| one.is_disjoint(other))),
        is_measured_apart: question.is_measured_apart && metric == Metric::BestFitness,
        is_unequal: question.is_unequal,
        failed: question.failed,
        solved_at_once: question.solved_at_once,
        bounds: match metric {
            Metric::Distance => puzzles.iter().filter(|id| question.open.contains(**id)).count(),
            _ => 0,
        },
        puzzles: puzzles.len(),
        sides,
    })
}

/// Compares sides of a study.
///
/// # Errors
/// [`CompareError`].
pub fn compare_arms(
    study: &Study,
    arms: &[Arm<'_>],
    question: &Question<'_>,
) -> Result<Comparison, CompareError> {
    let samples = arms.iter().map(|arm| arm.sample(study, question.metric)).collect::<Result<Vec<_>, _>>()?;
    compare(&samples, question)
}

/// The test over all sides and their average ranks, in the blocks that all of them have, up to the smallest budget.
fn ranked(
    samples: &[SideSample],
    rows: &[Vec<usize>],
    limit: f64,
    alpha: f64,
) -> (Option<TestResult>, Option<RankLine>) {
    let value = |(sample, block): (&SideSample, &usize)| {
        let readings = sample.blocks[*block].1.iter().map(|reading| reading.until(limit));
        super::sample::middle(readings.collect()).rank_value()
    };
    let is_even = |row: &Vec<usize>| {
        let runs = |(sample, block): (&SideSample, &usize)| sample.blocks[*block].1.len();
        let mut lengths = samples.iter().zip(row).map(runs);
        let first = lengths.next();
        lengths.all(|length| Some(length) == first)
    };
    if samples.len() < 2 {
        return (None, None);
    }
    if !rows.is_empty() {
        if !rows.iter().all(is_even) {
            return (None, None);
        }
        let values: Vec<f64> = rows.iter().flat_map(|row| samples.iter().zip(row).map(value)).collect();
        let (test, line) = (friedman(&values, samples.len()), rank_line(&values, samples.len(), alpha));
        return (Some(test), Some(line));
    }
    let puzzles: BTreeSet<&str> =
        samples.iter().flat_map(|one| &one.blocks).map(|(block, _)| block.puzzle.as_str()).collect();
    let all = |sample: &SideSample| -> Vec<f64> {
        (0..sample.blocks.len()).map(|block| value((sample, &block))).collect()
    };
    let values: Vec<Vec<f64>> = samples.iter().map(all).collect();
    let overall = || kruskal_wallis(&values.iter().map(Vec::as_slice).collect::<Vec<_>>());
    ((puzzles.len() == 1).then(overall), None)
}

/// The level of intervals of differences from the best of `sides` sides. It makes 95 % of them hold although the same runs
/// chose the best: of all pairs one less than there are sides are selected.
///
/// Source: Y. Benjamini, D. Yekutieli 2005, False discovery rate-adjusted multiple confidence intervals for selected
/// parameters, doi:10.1198/016214504000001907.
fn level_of_chosen(sides: usize) -> f64 {
    1.0 - 0.05 * 2.0 / sides as f64
}

/// The reference compared with all others, in `tests` tests, with intervals of this level.
fn compared(
    samples: &[SideSample],
    order: &[usize],
    reference: usize,
    (tests, level): (usize, f64),
    question: &Question<'_>,
) -> Vec<Pair> {
    let z = if level == 0.95 { Z_95 } else { -normal_quantile((1.0 - level) / 2.0) };
    let aim = Aim { alpha: question.alpha / tests as f64, ..Aim::default() };
    let others: Vec<usize> = order.iter().copied().filter(|side| *side != reference).collect();
    let has_dropped = |side: usize| question.races.dropped.contains(&samples[side].name);
    let with = |other: usize| {
        let pair = contrast(&samples[reference], &samples[other], question.metric.is_time(), aim, z);
        let pair = Pair { first: reference, second: other, ..pair };
        match question.races.rules {
            Some(rules) => pair.over_looks(rules),
            None if has_dropped(reference) || has_dropped(other) => pair.selected(),
            None => pair,
        }
    };
    let mut pairs: Vec<Pair> = others.into_par_iter().map(with).collect();
    correct(&mut pairs, tests);
    pairs
}

/// Holm's correction over `tests` tests, separately for each kind; untested pairs count as not significant.
fn correct(pairs: &mut [Pair], tests: usize) {
    let metric = corrected(pairs, tests, |pair| pair.p);
    let share = corrected(pairs, tests, |pair| pair.share_p);
    let log_rank = corrected(pairs, tests, |pair| pair.log_rank_p);
    let next = corrected(pairs, tests, |pair| pair.next.map(|next| next.p));
    let next_share = corrected(pairs, tests, |pair| pair.next.map(|next| next.share_p));
    for (index, pair) in pairs.iter_mut().enumerate() {
        (pair.holm, pair.share_holm, pair.log_rank_holm) = (metric[index], share[index], log_rank[index]);
        if let (Some(found), Some(p), Some(share_p)) = (&mut pair.next, next[index], next_share[index]) {
            (found.holm, found.share_holm) = (p, share_p);
        }
    }
}

/// The corrected p-values of the pairs; `None` where there is none.
fn corrected(pairs: &[Pair], tests: usize, p_of: fn(&Pair) -> Option<f64>) -> Vec<Option<f64>> {
    let known: Vec<f64> = pairs.iter().filter_map(p_of).collect();
    let mut holm = holm_among(&known, tests).into_iter();
    pairs.iter().map(|pair| p_of(pair).and_then(|_| holm.next())).collect()
}
