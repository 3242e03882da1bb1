//! What a verdict rests on: the setting that ranks first without each puzzle, at half the budget, and where the other keys have
//! another value, and the puzzles on which a difference is reversed. These are descriptions; none is tested.

use std::collections::{BTreeMap, BTreeSet};

use crate::study::SettingStats;
use crate::study::sample::{BlockRuns, RunValue, SettingSample};
use kenga_stats::mid_ranks;

/// Where another setting would rank first.
#[derive(Clone, Debug, Default)]
pub struct Stability {
    /// The setting that ranks first; `None` if two do, or none has solved.
    pub leader: Option<usize>,
    /// Without each of these puzzles; empty if the same setting ranks first without any one of them.
    pub without: Vec<Leader>,
    /// With half the budget, if another one ranks first there; only of times.
    pub at_half: Option<usize>,
    /// The setting that ranks first for each combination of the other keys, by its number; empty if one does in all of them.
    pub by_variant: Vec<(u32, usize)>,
    /// By setting, the puzzles on which it is better than the one that ranks first.
    pub better_on: Vec<Vec<String>>,
}

/// A setting that ranks first if something is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// The puzzle that is left out.
    pub puzzle: String,
    /// The setting that ranks first then.
    pub setting: usize,
}

/// What was spent on a puzzle, and the share of runs that solved; of values the mean rank, and 1.
#[derive(Clone, Copy, Default)]
struct Part {
    spent: f64,
    solved: f64,
}

/// What a solution costs on each puzzle, by setting.
pub(super) struct Costs<'a> {
    settings: Vec<BTreeMap<&'a str, Part>>,
}

impl<'a> Costs<'a> {
    pub(super) fn new(samples: &'a [SettingSample], is_time: bool) -> Self {
        Self::with_runs(samples, is_time, f64::INFINITY, |_| true)
    }

    /// The same of some runs, up to `limit`.
    fn with_runs(
        samples: &'a [SettingSample],
        is_time: bool,
        limit: f64,
        is_used: impl Fn(&RunValue) -> bool,
    ) -> Self {
        let mut settings: Vec<BTreeMap<&str, Part>> = vec![BTreeMap::new(); samples.len()];
        if is_time {
            for (costs, sample) in settings.iter_mut().zip(samples) {
                for blocks in sample.by_puzzle() {
                    if let Some(part) = spent_on(blocks, limit, &is_used) {
                        costs.insert(&blocks[0].block.puzzle, part);
                    }
                }
            }
            return Self { settings };
        }
        // Values of different puzzles may have different scales: their ranks among all runs of a puzzle have one.
        let mut values: BTreeMap<&str, Vec<(usize, f64)>> = BTreeMap::new();
        for (setting, sample) in samples.iter().enumerate() {
            for block in &sample.blocks {
                for run in block.runs.iter().filter(|run| is_used(run)) {
                    values.entry(&block.block.puzzle).or_default().push((setting, run.observed.rank_value()));
                }
            }
        }
        for (puzzle, runs) in values {
            let numbers: Vec<f64> = runs.iter().map(|run| run.1).collect();
            let mut counts = vec![0.0; samples.len()];
            for ((setting, _), rank) in runs.iter().zip(mid_ranks(&numbers)) {
                let part = settings[*setting].entry(puzzle).or_default();
                part.spent += rank / numbers.len() as f64;
                counts[*setting] += 1.0;
            }
            for (parts, count) in settings.iter_mut().zip(counts) {
                if let Some(part) = parts.get_mut(puzzle) {
                    *part = Part { spent: part.spent / count, solved: 1.0 };
                }
            }
        }
        Self { settings }
    }

    /// The cost of a solution under a setting, each puzzle counting alike; infinite without a solution.
    pub(super) fn cost(&self, setting: usize) -> f64 {
        self.without(setting, None)
    }

    fn without(&self, setting: usize, puzzle: Option<&str>) -> f64 {
        let mut sum = Part::default();
        for (id, part) in &self.settings[setting] {
            if Some(*id) != puzzle {
                sum.spent += part.spent;
                sum.solved += part.solved;
            }
        }
        if sum.solved > 0.0 { sum.spent / sum.solved } else { f64::INFINITY }
    }

    /// The setting with the least cost without a puzzle; `None` if two have the least, or none is known.
    fn leader(&self, puzzle: Option<&str>) -> Option<usize> {
        let costs: Vec<f64> = (0..self.settings.len()).map(|setting| self.without(setting, puzzle)).collect();
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let mut leaders = (0..costs.len()).filter(|setting| costs[*setting] == least);
        let leader = leaders.next().filter(|_| least.is_finite());
        if leaders.next().is_some() { None } else { leader }
    }
}

/// What the runs of blocks of a puzzle spent and solved on average; `None` without a run.
fn spent_on(blocks: &[BlockRuns], limit: f64, is_used: &impl Fn(&RunValue) -> bool) -> Option<Part> {
    let (mut sum, mut count) = (Part::default(), 0.0);
    for block in blocks {
        let runs: Vec<&RunValue> = block.runs.iter().filter(|run| is_used(run)).collect();
        if runs.is_empty() {
            continue;
        }
        let n = runs.len() as f64;
        sum.spent += runs.iter().map(|run| run.spent(limit)).sum::<f64>() / n;
        sum.solved += runs.iter().filter(|run| run.solved && run.observed.spent <= limit).count() as f64 / n;
        count += 1.0;
    }
    (count > 0.0).then(|| Part { spent: sum.spent / count, solved: sum.solved / count })
}

/// What a solution costs on each puzzle up to `limit`, infinite without one; of values their mean.
pub(super) fn by_puzzle(sample: &SettingSample, is_time: bool, limit: f64) -> BTreeMap<&str, f64> {
    let mut costs = BTreeMap::new();
    for blocks in sample.by_puzzle() {
        // A program that failed has no value; one that never ended well ranks behind all others.
        let Some(part) = spent_on(blocks, limit, &|run| is_time || !run.failed) else {
            costs.insert(&*blocks[0].block.puzzle, f64::INFINITY);
            continue;
        };
        let cost = if !is_time {
            part.spent
        } else if part.solved > 0.0 {
            part.spent / part.solved
        } else {
            f64::INFINITY
        };
        costs.insert(&*blocks[0].block.puzzle, cost);
    }
    costs
}

impl Stability {
    pub(super) fn new(
        samples: &[SettingSample],
        settings: &[SettingStats],
        costs: &Costs<'_>,
        is_time: bool,
    ) -> Self {
        let Some(leader) = costs.leader(None) else { return Self::default() };
        let puzzles: BTreeSet<&str> = costs.settings.iter().flat_map(|parts| parts.keys().copied()).collect();
        let mut stability =
            Self { leader: Some(leader), better_on: vec![Vec::new(); settings.len()], ..Self::default() };
        if puzzles.len() > 1 {
            for puzzle in puzzles {
                match costs.leader(Some(puzzle)) {
                    Some(setting) if setting != leader => {
                        stability.without.push(Leader { puzzle: puzzle.to_owned(), setting });
                    }
                    Some(_) => {}
                    // Of a tie nothing is said.
                    None => stability.leader = None,
                }
                for (setting, better_on) in stability.better_on.iter_mut().enumerate() {
                    let on = |setting: usize| {
                        let part = costs.settings[setting].get(puzzle)?;
                        Some(if part.solved > 0.0 { part.spent / part.solved } else { f64::INFINITY })
                    };
                    if on(setting).zip(on(leader)).is_some_and(|(cost, least)| cost < least) {
                        better_on.push(puzzle.to_owned());
                    }
                }
            }
        }
        let budget = samples.iter().map(SettingSample::budget).fold(f64::INFINITY, f64::min);
        if is_time && budget.is_finite() {
            let half = Costs::with_runs(samples, is_time, budget / 2.0, |_| true);
            stability.at_half = half.leader(None).filter(|setting| *setting != leader);
        }
        stability.by_variant = leaders_by_variant(samples, is_time);
        stability
    }
}

/// The setting that ranks first for each combination of the other keys; empty if one does in all of them, or some settings lack a
/// combination.
fn leaders_by_variant(samples: &[SettingSample], is_time: bool) -> Vec<(u32, usize)> {
    let variants: BTreeSet<u32> =
        samples.iter().flat_map(SettingSample::runs).map(|run| run.variant).collect();
    let mut leaders = Vec::new();
    for variant in variants {
        let costs = Costs::with_runs(samples, is_time, f64::INFINITY, |run| run.variant == variant);
        if costs.settings.iter().any(BTreeMap::is_empty) {
            return Vec::new();
        }
        leaders.extend(costs.leader(None).map(|leader| (variant, leader)));
    }
    if leaders.windows(2).all(|two| two[0].1 == two[1].1) { Vec::new() } else { leaders }
}
