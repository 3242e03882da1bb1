//! Comparisons: every setting in numbers with intervals, and tests of their differences.
//!
//! Runs of the same puzzle, seed and replicate have the same start and form a block. Two settings are compared on the blocks
//! that both have, with one value each. A failed run is censored: it ranks behind every run that solves, and its time is
//! never averaged. Numbers over several puzzles are means of those by puzzle, and tests compare within puzzles. Two settings
//! with different budgets are compared up to the smaller one.
//!
//! The best setting, or the baseline, is compared with all others. The best was chosen on the same runs, so Holm's correction
//! counts every pair that it was chosen from.
//!
//! **Invariant**: the same runs give the same numbers, whatever their order and the number of threads; `benches/calibration`
//! measures how often they are wrong, and `docs/statistics.md` says so.

mod next_puzzle;
mod pair;
mod practical;
mod question;
mod shares;
mod strata;

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::measure::order;
use super::sample::common;
use super::{CompareError, Metric, RunSubject, SettingRuns, SettingSample, SettingStats, Study};
use kenga_stats::{
    Aim, RankLine, TestResult, Z_95, friedman, holm_among, kruskal_wallis, normal_quantile, rank_line,
};
pub use next_puzzle::NextPuzzle;
use pair::contrast;
pub use pair::{NoVerdict, Pair};
pub use practical::{Practical, Region, practical};
pub use question::Question;

/// The results of a comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The metric that is compared.
    pub metric: Metric,
    /// What the runs are about.
    pub subject: RunSubject,
    /// The family-wise error rate of all tests together.
    pub alpha: f64,
    /// Every setting, in the order of the study.
    pub settings: Vec<SettingStats>,
    /// The settings from best to worst.
    pub order: Vec<usize>,
    /// The setting that all others are compared with: the baseline, or without one the best.
    pub reference: usize,
    /// The others compared with it, from best to worst.
    pub pairs: Vec<Pair>,
    /// The tests that Holm's correction counts.
    pub tests: usize,
    /// The level of each interval of a difference: 0.95 unless the same runs chose the best of more than two.
    pub level: f64,
    /// Blocks that any setting has.
    pub blocks: usize,
    /// Blocks that every setting has: those of the overall test and the ranks.
    pub common: usize,
    /// The most runs of a block: above 1 where several settings are joined.
    pub runs_of_block: usize,
    /// The test whether any setting differs: Friedman's in blocks, or for independent runs on a single puzzle that of Kruskal
    /// and Wallis. `None` where a race decided how many blocks there are, or settings have different numbers of runs in a
    /// block.
    pub overall: Option<TestResult>,
    /// Average ranks in the blocks that all settings have; `None` as above, and without such blocks.
    pub ranks: Option<RankLine>,
    /// The smallest budget, up to which that test and the ranks compare; `None` where budgets are equal.
    pub overall_limit: Option<f64>,
    /// The settings that a race has dropped.
    pub dropped: Vec<usize>,
    /// Whether all are settings of one race, whose p-values account for its looks.
    pub is_race: bool,
    /// How many puzzles the runs are of.
    pub puzzles: usize,
    /// Whether some settings have different puzzles.
    pub are_apart: bool,
    /// Whether two settings share no puzzle.
    pub share_none: bool,
    /// Whether fitness is compared and some settings measure it differently.
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

/// Compares samples.
///
/// # Errors
/// [`CompareError`].
pub fn compare(samples: &[SettingSample], question: &Question<'_>) -> Result<Comparison, CompareError> {
    let Question { metric, alpha, .. } = *question;
    let baseline = checked(samples, question)?;
    let settings: Vec<SettingStats> =
        samples.par_iter().map(|sample| SettingStats::new(sample, metric.is_time())).collect();
    let lengths: Vec<usize> = samples.iter().map(|sample| sample.blocks.len()).collect();
    let survived = question.races.rules.map(|_| &*lengths);
    let order = order(&settings.iter().collect::<Vec<_>>(), metric.is_time(), survived);
    let reference = baseline.unwrap_or(order[0]);
    let tests = Tests::of(samples.len(), baseline.is_some());
    let pairs = compared(samples, &order, reference, tests, question);
    let rows = common(samples);
    let budgets: Vec<f64> = samples.iter().map(SettingSample::budget).collect();
    let least = budgets.iter().copied().fold(f64::INFINITY, f64::min);
    let limit = if metric.is_time() { least } else { f64::INFINITY };
    // Budgets that differ by less than a hundredth are one: the last step may exceed them.
    let is_cut = limit.is_finite() && budgets.iter().any(|budget| *budget > limit * pair::SAME);
    let dropped: Vec<usize> =
        (0..settings.len()).filter(|one| question.races.dropped.contains(&settings[*one].name)).collect();
    // Results decided how many blocks all settings have where a race dropped one of them.
    let overall =
        if dropped.is_empty() { Overall::of(samples, &rows, limit, alpha) } else { Overall::default() };
    let blocks: Vec<_> = samples.iter().flat_map(|sample| &sample.blocks).collect();
    let all: BTreeSet<_> = blocks.iter().map(|block| &block.block).collect();
    // Settings with the same puzzles have one set of them.
    let mut puzzle_sets: BTreeSet<BTreeSet<&str>> = BTreeSet::new();
    for setting in &settings {
        puzzle_sets.insert(setting.puzzles.iter().map(|puzzle| &*puzzle.id).collect());
    }
    let puzzles: BTreeSet<&str> = puzzle_sets.iter().flatten().copied().collect();
    let bounds = puzzles.iter().filter(|id| question.open.contains(**id)).count();
    Ok(Comparison {
        metric,
        subject: question.subject,
        alpha,
        order,
        reference,
        pairs,
        tests: tests.count,
        level: tests.level,
        blocks: all.len(),
        common: rows.len(),
        runs_of_block: blocks.iter().map(|block| block.runs.len()).max().unwrap_or(0),
        overall: overall.test,
        ranks: overall.ranks,
        overall_limit: is_cut.then_some(limit),
        dropped,
        is_race: question.races.rules.is_some(),
        are_apart: puzzle_sets.len() > 1,
        share_none: puzzle_sets.iter().any(|one| puzzle_sets.iter().any(|other| one.is_disjoint(other))),
        is_measured_apart: question.is_measured_apart && metric == Metric::BestFitness,
        is_unequal: question.is_unequal,
        failed: question.failed,
        solved_at_once: question.solved_at_once,
        bounds: if metric == Metric::Distance { bounds } else { 0 },
        puzzles: puzzles.len(),
        settings,
    })
}

/// Compares settings of a study.
///
/// # Errors
/// [`CompareError`].
pub fn compare_settings(
    study: &Study,
    settings: &[SettingRuns<'_>],
    question: &Question<'_>,
) -> Result<Comparison, CompareError> {
    let mut samples = Vec::with_capacity(settings.len());
    for setting in settings {
        samples.push(setting.sample(study, question.metric)?);
    }
    compare(&samples, question)
}

/// The index of the baseline, if one is asked for, of samples that can be compared.
fn checked(samples: &[SettingSample], question: &Question<'_>) -> Result<Option<usize>, CompareError> {
    if let [only] = samples {
        return Err(CompareError::OneSide(only.name.clone()));
    }
    if let Some(empty) = samples.iter().find(|sample| sample.blocks.is_empty()) {
        return Err(CompareError::NoRun(empty.name.clone()));
    }
    let mut runs = samples.iter().flat_map(SettingSample::runs);
    if question.metric.is_time() && runs.all(|run| run.observed.spent == 0.0) {
        return Err(CompareError::NoneMade(question.metric.name()));
    }
    let Some(name) = question.baseline else { return Ok(None) };
    match samples.iter().position(|sample| sample.name == name) {
        Some(baseline) => Ok(Some(baseline)),
        None => Err(CompareError::NoBaseline(name.to_owned())),
    }
}

/// The tests that a comparison makes or chooses from.
#[derive(Clone, Copy)]
struct Tests {
    /// How many Holm's correction counts.
    count: usize,
    /// The level of the intervals.
    level: f64,
}

impl Tests {
    /// Of differences from a baseline, or from the best of `settings` settings.
    ///
    /// The level of the latter makes 95 % of the intervals hold although the same runs chose the best: of all pairs one less
    /// than there are settings are selected.
    ///
    /// Source: Y. Benjamini, D. Yekutieli 2005, False discovery rate-adjusted multiple confidence intervals for selected
    /// parameters, doi:10.1198/016214504000001907.
    fn of(settings: usize, has_baseline: bool) -> Self {
        if has_baseline {
            return Self { count: settings - 1, level: 0.95 };
        }
        Self { count: settings * (settings - 1) / 2, level: 1.0 - 0.05 * 2.0 / settings as f64 }
    }
}

/// The test over all settings, and their average ranks.
#[derive(Default)]
struct Overall {
    test: Option<TestResult>,
    ranks: Option<RankLine>,
}

impl Overall {
    /// In the blocks that all samples have, up to the smallest budget.
    fn of(samples: &[SettingSample], rows: &[Vec<usize>], limit: f64, alpha: f64) -> Self {
        if samples.len() < 2 {
            return Self::default();
        }
        if rows.is_empty() {
            return Self { test: independent_test(samples, limit), ranks: None };
        }
        let mut values = Vec::with_capacity(rows.len() * samples.len());
        for row in rows {
            let runs = samples[0].blocks[row[0]].runs.len();
            for (sample, block) in samples.iter().zip(row) {
                let block = &sample.blocks[*block];
                // A median of more runs varies less, so that the ranks of a block would not be exchangeable.
                if block.runs.len() != runs {
                    return Self::default();
                }
                values.push(block.median(limit).rank_value());
            }
        }
        let test = friedman(&values, samples.len());
        Self { test: Some(test), ranks: Some(rank_line(&values, samples.len(), alpha)) }
    }
}

/// The test over independent runs on a single puzzle; `None` over several.
fn independent_test(samples: &[SettingSample], limit: f64) -> Option<TestResult> {
    let mut puzzles: BTreeSet<&str> = BTreeSet::new();
    let mut values: Vec<Vec<f64>> = Vec::with_capacity(samples.len());
    for sample in samples {
        puzzles.extend(sample.blocks.iter().map(|block| &*block.block.puzzle));
        values.push(sample.blocks.iter().map(|block| block.median(limit).rank_value()).collect());
    }
    let values: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
    if puzzles.len() == 1 { Some(kruskal_wallis(&values)) } else { None }
}

/// The reference compared with all others.
fn compared(
    samples: &[SettingSample],
    order: &[usize],
    reference: usize,
    tests: Tests,
    question: &Question<'_>,
) -> Vec<Pair> {
    let z = if tests.level == 0.95 { Z_95 } else { -normal_quantile((1.0 - tests.level) / 2.0) };
    let aim = Aim { alpha: question.alpha / tests.count as f64, ..Aim::default() };
    let compare_with = |other: usize| {
        let (one, two) = (&samples[reference], &samples[other]);
        let pair = contrast(one, two, question.metric.is_time(), aim, z);
        let pair = Pair { first: reference, second: other, ..pair };
        let dropped = &question.races.dropped;
        match question.races.rules {
            Some(rules) => pair.over_looks(rules),
            None if dropped.contains(&one.name) || dropped.contains(&two.name) => pair.selected(),
            None => pair,
        }
    };
    let others: Vec<usize> = order.iter().copied().filter(|setting| *setting != reference).collect();
    let mut pairs: Vec<Pair> = others.into_par_iter().map(compare_with).collect();
    // Only now: Holm's correction needs all of them.
    correct(&mut pairs, tests.count);
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
