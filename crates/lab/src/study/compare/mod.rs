//! Comparisons: every setting in numbers with intervals, and tests of their differences.
//!
//! Runs of the same puzzle, seed and replicate have the same start and form a block. One quantity orders the settings, names the
//! best and the reference, and is tested: what a solution costs with restarts. Where values are compared in place of times it is
//! their rank on each puzzle. Two settings are compared on the blocks that both have, by exchanging their labels there; joined runs
//! of a block count as one. A run whose program failed ranks behind all others, and as a time costs its whole budget. Two settings
//! with different budgets are compared up to the smaller one.
//!
//! The best setting, or the baseline, is compared with all others. The best was chosen on the same runs, so Holm's correction
//! counts every pair that it was chosen from.
//!
//! **Invariant**: the same runs give the same numbers, whatever their order and the number of threads; `benches/calibration`
//! measures how often they are wrong, and `docs/statistics.md` says so.

mod level;
mod next_puzzle;
mod pair;
mod practical;
mod question;
mod shares;
mod stability;
mod strata;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::sample::common;
use super::{CompareError, JoinedSettings, Metric, SettingSample, SettingStats, Study};
use kenga_core::sort::sort_by;
use kenga_stats::{RankLine, TestResult, friedman, kruskal_wallis, rank_line};
use level::Level;
pub use next_puzzle::NextPuzzle;
use pair::{Evidence, PairLevels};
pub use pair::{NoVerdict, Pair};
pub use practical::{Practical, Region, practical};
pub use question::{Facts, Question, Smallest};
use stability::Costs;
pub use stability::{Leader, Stability};

/// The results of a comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The metric that is compared.
    pub metric: Metric,
    /// The family-wise error rate of all tests together.
    pub alpha: f64,
    /// The facts about the runs beside their numbers.
    pub facts: Facts,
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
    /// What the families of puzzles are called that are the sample of their kind, if not the puzzles.
    pub groups: Option<String>,
    /// Blocks that any setting has.
    pub blocks: usize,
    /// Blocks that every setting has: those of the overall test and the ranks.
    pub common: usize,
    /// The most runs of a block: above 1 where several settings are joined.
    pub runs_of_block: usize,
    /// The test whether any setting differs: Friedman's over puzzles, or over the starts of a single one, or for independent runs on
    /// a single puzzle that of Kruskal and Wallis. `None` where a race decided how many blocks there are, or settings have different
    /// numbers of runs in a block.
    pub overall: Option<TestResult>,
    /// Average ranks on the puzzles that all settings have, or over the starts of a single one; `None` as above, and without any.
    pub ranks: Option<RankLine>,
    /// How many puzzles, or starts of a single one, are ranked.
    pub ranked: usize,
    /// The smallest budget, up to which that test and the ranks compare; `None` where budgets are equal.
    pub overall_limit: Option<f64>,
    /// The settings that a race has dropped.
    pub dropped: Vec<usize>,
    /// Whether all are settings of one race, whose p-values account for its looks.
    pub is_race: bool,
    /// Whether a race looked at some of the results.
    pub has_looks: bool,
    /// How many puzzles the runs are of.
    pub puzzles: usize,
    /// Whether some settings have different puzzles.
    pub are_apart: bool,
    /// Whether two settings share no puzzle.
    pub share_none: bool,
    /// How many puzzles have unknown solutions, so that distances are upper bounds; 0 unless distances are compared.
    pub bounds: usize,
    /// Where another setting would rank first.
    pub stability: Stability,
}

/// Compares samples.
///
/// # Errors
/// [`CompareError`].
pub fn compare(samples: &[SettingSample], question: &Question<'_>) -> Result<Comparison, CompareError> {
    let Question { metric, alpha, .. } = *question;
    let baseline = checked(samples, question)?;
    let is_time = metric.is_time();
    let settings: Vec<SettingStats> =
        samples.par_iter().map(|sample| SettingStats::new(sample, is_time, &question.groups)).collect();
    let costs = Costs::new(samples, is_time);
    let order = order(&settings, &costs, question.races.rules.is_some().then_some(samples));
    let reference = baseline.unwrap_or(order[0]);
    // The best is chosen from all pairs.
    let count = samples.len();
    let tests = if baseline.is_some() { count - 1 } else { count * (count - 1) / 2 };
    let pairs = compared(samples, &order, reference, tests, question);
    let rows = common(samples);
    let budgets: Vec<f64> = samples.iter().map(SettingSample::budget).collect();
    let least = budgets.iter().copied().fold(f64::INFINITY, f64::min);
    let limit = if is_time { least } else { f64::INFINITY };
    // Budgets that differ by less than a hundredth are one: the last step may exceed them.
    let is_cut = limit.is_finite() && budgets.iter().any(|budget| *budget > limit * pair::SAME);
    let dropped: Vec<usize> =
        (0..settings.len()).filter(|one| question.races.dropped.contains(&settings[*one].name)).collect();
    // Results decided how many blocks all settings have where a race dropped one of them.
    let overall =
        if dropped.is_empty() { Overall::new(samples, &rows, limit, question) } else { Overall::default() };
    let blocks: Vec<_> = samples.iter().flat_map(|sample| sample.blocks().iter()).collect();
    let all: BTreeSet<_> = blocks.iter().map(|block| block.block).collect();
    // Settings with the same puzzles have one set of them.
    let mut puzzle_sets: BTreeSet<BTreeSet<&str>> = BTreeSet::new();
    for setting in &settings {
        puzzle_sets.insert(setting.puzzles.iter().map(|puzzle| &*puzzle.id).collect());
    }
    let puzzles: BTreeSet<&str> = puzzle_sets.iter().flatten().copied().collect();
    let bounds = puzzles.iter().filter(|id| question.open.contains(**id)).count();
    let mut facts = question.facts.clone();
    facts.is_measured_apart &= metric == Metric::BestFitness;
    Ok(Comparison {
        metric,
        alpha,
        facts,
        order,
        reference,
        pairs,
        tests,
        groups: (!question.groups.name.is_empty()).then(|| question.groups.name.clone()),
        blocks: all.len(),
        common: rows.len(),
        runs_of_block: blocks.iter().map(|block| block.runs.len()).max().unwrap_or(0),
        overall: overall.test,
        ranks: overall.ranks,
        ranked: overall.ranked,
        overall_limit: is_cut.then_some(limit),
        dropped,
        is_race: question.races.rules.is_some(),
        has_looks: question.races.has_looks,
        are_apart: puzzle_sets.len() > 1,
        share_none: puzzle_sets.iter().any(|one| puzzle_sets.iter().any(|other| one.is_disjoint(other))),
        bounds: if metric == Metric::Distance { bounds } else { 0 },
        puzzles: puzzles.len(),
        stability: Stability::new(samples, &settings, &costs, is_time),
        settings,
    })
}

/// Compares settings of a study; where the question is about one puzzle, those with runs of it.
///
/// # Errors
/// [`CompareError`].
pub fn compare_settings(
    study: &Study,
    settings: &[JoinedSettings],
    question: &Question<'_>,
) -> Result<Comparison, CompareError> {
    let mut samples = Vec::with_capacity(settings.len());
    for setting in settings.iter().filter(|setting| question.is_about(study, setting)) {
        samples.push(setting.sample(study, question.metric, question.puzzle)?);
    }
    compare(&samples, question)
}

/// The index of the baseline, if one is asked for, of samples that can be compared.
fn checked(samples: &[SettingSample], question: &Question<'_>) -> Result<Option<usize>, CompareError> {
    if samples.is_empty() {
        return Err(CompareError::NoSetting);
    }
    if let [only] = samples {
        return Err(CompareError::OneSide(only.name.clone()));
    }
    if let Some(empty) = samples.iter().find(|sample| sample.is_empty()) {
        return Err(CompareError::NoRun(empty.name.clone()));
    }
    let mut runs = samples.iter().flat_map(|sample| sample.runs());
    if question.metric.is_time() && runs.all(|run| run.observed.spent == 0.0) {
        return Err(CompareError::NoneMade(question.metric.name()));
    }
    let Some(name) = question.baseline else { return Ok(None) };
    match samples.iter().position(|sample| sample.name == name) {
        Some(baseline) => Ok(Some(baseline)),
        None => Err(CompareError::NoBaseline(name.to_owned())),
    }
}

/// The settings from best to worst: by what a solution costs, or by the mean rank of values; then by a higher share solved and a
/// lower mean of the best fitness. Settings that a race gave more blocks come first, if `race` has its samples.
fn order(settings: &[SettingStats], costs: &Costs<'_>, race: Option<&[SettingSample]>) -> Vec<usize> {
    let cost: Vec<f64> = (0..settings.len()).map(|setting| costs.cost(setting)).collect();
    let blocks = |setting: usize| race.map_or(0, |samples| samples[setting].len());
    let mut order: Vec<usize> = (0..settings.len()).collect();
    sort_by(&mut order, |&a, &b| {
        blocks(b)
            .cmp(&blocks(a))
            .then(cost[a].total_cmp(&cost[b]))
            .then(settings[b].share.value.total_cmp(&settings[a].share.value))
            .then(settings[a].fitness.total_cmp(&settings[b].fitness))
    });
    order
}

/// The test over all settings, and their average ranks.
#[derive(Default)]
struct Overall {
    test: Option<TestResult>,
    ranks: Option<RankLine>,
    ranked: usize,
}

impl Overall {
    /// Over the puzzles that all samples have, or the starts of a single one, up to the smallest budget.
    fn new(samples: &[SettingSample], rows: &[Vec<usize>], limit: f64, question: &Question<'_>) -> Self {
        if samples.len() < 2 {
            return Self::default();
        }
        let mut puzzles: BTreeSet<&str> = BTreeSet::new();
        for sample in samples {
            puzzles.extend(sample.by_puzzle().map(|blocks| &**blocks.puzzle()));
        }
        let is_time = question.metric.is_time();
        let values = if puzzles.len() > 1 {
            puzzle_values(samples, &puzzles, is_time, limit)
        } else if rows.is_empty() {
            return Self { test: independent_test(samples, limit), ..Self::default() };
        } else {
            let Some(values) = start_values(samples, rows, limit) else { return Self::default() };
            values
        };
        let ranked = values.len() / samples.len();
        if ranked == 0 {
            return Self::default();
        }
        let ranks = Some(rank_line(&values, samples.len(), question.alpha));
        Self { test: Some(friedman(&values, samples.len())), ranks, ranked }
    }
}

/// What a solution costs, or the mean value, by puzzle and setting; without the puzzles that a setting lacks.
fn puzzle_values(samples: &[SettingSample], puzzles: &BTreeSet<&str>, is_time: bool, limit: f64) -> Vec<f64> {
    let costs: Vec<BTreeMap<&str, f64>> =
        samples.iter().map(|sample| stability::by_puzzle(sample, is_time, limit)).collect();
    let mut values = Vec::with_capacity(puzzles.len() * samples.len());
    for puzzle in puzzles {
        let row: Vec<f64> = costs.iter().filter_map(|costs| costs.get(puzzle).copied()).collect();
        if row.len() == samples.len() {
            values.extend(row);
        }
    }
    values
}

/// The median of each start that all settings have, by start and setting; `None` if they have different numbers of runs of one: a
/// median of more runs varies less, so that their ranks would not be exchangeable.
fn start_values(samples: &[SettingSample], rows: &[Vec<usize>], limit: f64) -> Option<Vec<f64>> {
    let mut values = Vec::with_capacity(rows.len() * samples.len());
    for row in rows {
        let runs = samples[0].block(row[0]).runs.len();
        for (sample, block) in samples.iter().zip(row) {
            let block = sample.block(*block);
            if block.runs.len() != runs {
                return None;
            }
            values.push(block.median(limit).rank_value());
        }
    }
    Some(values)
}

/// The test over independent runs on a single puzzle.
fn independent_test(samples: &[SettingSample], limit: f64) -> Option<TestResult> {
    let mut values: Vec<Vec<f64>> = Vec::with_capacity(samples.len());
    for sample in samples {
        values.push(sample.blocks().iter().map(|block| block.median(limit).rank_value()).collect());
    }
    let values: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
    Some(kruskal_wallis(&values))
}

/// The reference compared with all others.
fn compared(
    samples: &[SettingSample],
    order: &[usize],
    reference: usize,
    tests: usize,
    question: &Question<'_>,
) -> Vec<Pair> {
    let others: Vec<usize> = order.iter().copied().filter(|setting| *setting != reference).collect();
    let evidence: Vec<Evidence<'_>> = others
        .into_par_iter()
        .map(|other| Evidence::new(&samples[reference], (other, &samples[other]), question))
        .collect();
    // Only now: Holm's correction needs every p-value.
    let is_time = question.metric.is_time();
    let levels = |p_of: &dyn Fn(&Evidence<'_>) -> f64| {
        let p_values: Vec<f64> = evidence.iter().map(p_of).collect();
        Level::of_each(&p_values, tests, question.alpha)
    };
    let next_p = |pair: &Evidence<'_>, claim: usize| {
        pair.next.as_ref().map_or(1.0, |next| next.p_values(is_time)[claim])
    };
    let any = levels(&|pair| pair.any_p());
    let share = levels(&|pair| pair.share_p());
    let log_rank = levels(&|pair| pair.over_looks(pair.log_rank_p));
    let next = levels(&|pair| next_p(pair, 0));
    let next_share = levels(&|pair| next_p(pair, 1));
    let equivalence = levels(&|pair| pair.equivalence_p(&question.facts.smallest));
    let mut pairs = Vec::with_capacity(evidence.len());
    for (place, pair) in evidence.iter().enumerate() {
        let levels = PairLevels {
            any: any[place],
            share: share[place],
            log_rank: log_rank[place],
            next: next[place],
            next_share: next_share[place],
            equivalence: equivalence[place],
            least: question.alpha / tests as f64,
            tests: tests as f64,
        };
        pairs.push(pair.at_levels(reference, &levels, &question.facts.smallest));
    }
    pairs
}
