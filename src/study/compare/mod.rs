//! Comparisons: every side in numbers with intervals, tests that fit the data, and what they show.
//!
//! Runs of the same puzzle, seed and replicate start alike, so that two sides are compared on the pairs that both have. A
//! run that fails is censored: it ranks behind every run that solves, and is never averaged in. Puzzles do not mix:
//! numbers over several are means of those by puzzle, and tests pair within them.

mod blocks;
mod metric;
mod order;
mod pair;
mod side;

use std::collections::BTreeSet;

use crate::stats::{Aim, RankLine, TestResult, friedman, holm_among, kruskal_wallis, rank_values};
use crate::study::{Arm, Study, StudySetting};
use blocks::Blocks;
use order::{Races, by_merit, by_survival, rank_line_of};

pub use metric::Metric;
pub use pair::Pair;
pub use side::{OfPuzzle, Side};

/// How many sides may be few enough to compare each with each.
const FEW: usize = 5;

/// What a comparison is to find out, and what of the study bears on the answer.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// What is compared.
    metric: Metric,
    /// The chance to claim a difference where there is none, over all that is tested together.
    alpha: f64,
    /// The side that all others are compared with; else each with each of few, or the best with all others.
    baseline: Option<&'a str>,
    /// What races have done to the sides.
    races: Races,
    /// The settings of the study do not all have the same budget.
    is_unequal: bool,
    /// They do not all measure fitness alike.
    is_measured_apart: bool,
}

impl<'a> Question<'a> {
    /// Asks for a difference in `metric` between sides of the study, each with each of few, or the best with all others.
    pub fn new(study: &Study, arms: &[Arm<'_>], metric: Metric, alpha: f64) -> Self {
        let fitness = |setting: &StudySetting| -> Vec<(String, String)> {
            let own = setting.values.iter().filter(|(key, _)| key.starts_with("fitness."));
            own.map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        let pairs = || study.settings.windows(2);
        Self {
            metric,
            alpha,
            baseline: None,
            races: Races::of(study, arms),
            is_unequal: pairs().any(|pair| pair[0].budget != pair[1].budget),
            is_measured_apart: pairs().any(|pair| fitness(&pair[0]) != fitness(&pair[1])),
        }
    }

    /// Asks for differences from the side of this name alone, if there is one.
    #[must_use]
    pub fn from_baseline(self, baseline: Option<&'a str>) -> Self {
        Self { baseline, ..self }
    }
}

/// What a comparison has found.
pub struct Comparison {
    /// What is compared.
    pub metric: Metric,
    /// The chance to claim a difference where there is none, over all that is tested together.
    pub alpha: f64,
    /// Every side, in the order of the study.
    pub sides: Vec<Side>,
    /// The blocks that any side has; `None` when sides are compared as independent runs.
    pub blocks: Option<usize>,
    /// Those of them that every side has: what the overall test and the ranks rest on.
    pub common: usize,
    /// The sides that a race has dropped.
    pub dropped: Vec<usize>,
    /// The test whether any side differs: Friedman's in blocks, that of Kruskal and Wallis without.
    pub overall: TestResult,
    /// The line of average ranks, where three sides or more all have every block.
    pub ranks: Option<RankLine>,
    /// The sides from best to worst: by average rank, or by the median without blocks; of one race those that it has dropped
    /// stand behind those that stayed longer.
    pub order: Vec<usize>,
    /// The pairs that were tested, the better first: each with each of few sides, else the baseline or the best one with all
    /// others.
    pub pairs: Vec<Pair>,
    /// The tests that Holm's correction counts.
    pub tests: usize,
    /// Puzzles of all runs.
    pub puzzles: usize,
    /// Some sides do not have the same puzzles; two may even share none.
    pub are_apart: bool,
    /// Two sides share no puzzle.
    pub share_none: bool,
    /// Fitness means other things to some sides.
    pub is_measured_apart: bool,
    /// The sides may not spend alike.
    pub is_unequal: bool,
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
    /// Nothing of the metric was spent.
    #[error("no run has spent any {0}")]
    NoneMade(&'static str),
    /// There is no side of this name.
    #[error("no side is named `{0}`")]
    NoBaseline(String),
}

/// Compares the sides.
///
/// # Errors
/// [`CompareError`].
pub fn compare(arms: &[Arm<'_>], question: Question<'_>) -> Result<Comparison, CompareError> {
    if let [only] = arms {
        return Err(CompareError::OneSide(only.name.clone()));
    }
    let Question { metric, alpha, .. } = question;
    let found = |name: &str| arms.iter().position(|arm| arm.name == name);
    let baseline = question
        .baseline
        .map(|name| found(name).ok_or_else(|| CompareError::NoBaseline(name.to_owned())))
        .transpose()?;
    let (sides, puzzles) = measured(arms, metric)?;
    let blocks = Blocks::of(arms);
    let Ranked { overall, order, ranks, common } = ranked(&sides, blocks.as_ref(), &question);
    let (pairs, tests) = compared(&sides, blocks.as_ref(), &order, baseline, &question);
    let of_side = |side: &Side| side.puzzles.iter().map(|part| part.id.clone()).collect::<BTreeSet<_>>();
    let of_sides: BTreeSet<BTreeSet<String>> = sides.iter().map(of_side).collect();
    Ok(Comparison {
        metric,
        alpha,
        blocks: blocks.as_ref().map(Blocks::count),
        common,
        dropped: (0..sides.len()).filter(|side| question.races.has_dropped(&sides[*side])).collect(),
        overall,
        ranks,
        order,
        pairs,
        tests,
        puzzles,
        are_apart: of_sides.len() > 1,
        share_none: of_sides.iter().any(|one| of_sides.iter().any(|other| one.is_disjoint(other))),
        is_measured_apart: question.is_measured_apart && metric == Metric::BestFitness,
        is_unequal: question.is_unequal,
        sides,
    })
}

/// The sides in numbers, and how many puzzles they have together.
fn measured(arms: &[Arm<'_>], metric: Metric) -> Result<(Vec<Side>, usize), CompareError> {
    let observed = arms.iter().map(|arm| side::observed(arm, metric)).collect::<Result<Vec<_>, _>>()?;
    let longest = observed.iter().flatten().map(|run| run.spent).fold(0.0, f64::max);
    if metric.is_time() && longest == 0.0 {
        return Err(CompareError::NoneMade(metric.name()));
    }
    let blocks = arms.iter().flat_map(|arm| &arm.runs).map(|(block, _)| block);
    let puzzles: BTreeSet<&str> = blocks.map(|block| block.puzzle.as_str()).collect();
    let puzzles: Vec<&str> = puzzles.into_iter().collect();
    let sides = arms.iter().zip(observed);
    let sides = sides.map(|(arm, observed)| Side::new(arm, observed, metric, &puzzles, longest));
    Ok((sides.collect(), puzzles.len()))
}

/// What all sides together show.
struct Ranked {
    overall: TestResult,
    order: Vec<usize>,
    ranks: Option<RankLine>,
    /// Blocks that every side has.
    common: usize,
}

fn ranked(sides: &[Side], blocks: Option<&Blocks<'_>>, question: &Question<'_>) -> Ranked {
    let values: Vec<Vec<f64>> = sides.iter().map(|side| rank_values(&side.observed)).collect();
    let all: Vec<usize> = (0..sides.len()).collect();
    let common = blocks.map_or_else(Vec::new, |blocks| blocks.common(&all));
    let line = rank_line_of(&values, &all, &common, question.alpha);
    let (overall, order) = match (blocks, &line) {
        (Some(blocks), Some((rows, line))) => {
            let order = match question.races.are_one() {
                true => by_survival(&values, blocks, question.alpha),
                false => line.order.clone(),
            };
            (friedman(rows, sides.len()), order)
        }
        _ => {
            let values: Vec<&[f64]> = values.iter().map(Vec::as_slice).collect();
            (kruskal_wallis(&values), by_merit(sides, question.metric.is_time()))
        }
    };
    let is_whole = blocks.is_some_and(Blocks::are_whole);
    let ranks = line.filter(|_| is_whole && sides.len() > 2).map(|(_, line)| line);
    Ranked { overall, order, ranks, common: common.len() }
}

/// The pairs that are tested, and how many tests the correction counts.
fn compared(
    sides: &[Side],
    blocks: Option<&Blocks<'_>>,
    order: &[usize],
    baseline: Option<usize>,
    question: &Question<'_>,
) -> (Vec<Pair>, usize) {
    let tested = tested(order, baseline);
    // Where the best side is chosen by the same runs, all pairs count that it was chosen from.
    let tests = if baseline.is_some() { tested.len() } else { sides.len() * (sides.len() - 1) / 2 };
    let aim = Aim { alpha: question.alpha / tests as f64, ..Aim::default() };
    let compare = |first, second| {
        let matched = blocks.map(|blocks| blocks.pairs(first, second));
        pair::compare(first, second, sides, question.metric, matched.as_deref(), aim)
    };
    // Who is better of two the test of these two says, not how they rank among all.
    let by_test = |(first, second)| {
        let pair = compare(first, second);
        if pair.larger > 0.5 { compare(second, first) } else { pair }
    };
    let mut pairs: Vec<Pair> = tested.into_iter().map(by_test).collect();
    correct(&mut pairs, tests);
    (pairs, tests)
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

/// Holm's correction over so many tests, by the metric and by the shares apart; pairs that are not tested count as if they
/// had shown nothing.
fn correct(pairs: &mut [Pair], tests: usize) {
    let by_metric = holm_among(&pairs.iter().map(|pair| pair.p).collect::<Vec<_>>(), tests);
    let by_share = holm_among(&pairs.iter().map(|pair| pair.share_p).collect::<Vec<_>>(), tests);
    for (index, pair) in pairs.iter_mut().enumerate() {
        (pair.holm, pair.share_holm) = (by_metric[index], by_share[index]);
    }
}
