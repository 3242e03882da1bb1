//! The stability of a verdict: the setting that ranks first without each puzzle, at half the budget, and for each combination of the
//! other keys, and the puzzles on which a difference is reversed. These are descriptions; none is tested.

use std::collections::{BTreeMap, BTreeSet};

use crate::study::SettingStats;
use crate::study::sample::{Blocks, RunValue, SettingSample, mean_outcome};
use kenga_stats::{Outcome, mid_ranks};

/// Where another setting would rank first.
#[derive(Clone, Debug, Default)]
pub struct Stability {
    /// The setting that ranks first; `None` if two do, or none has solved.
    pub leader: Option<usize>,
    /// The puzzles without which another setting ranks first.
    pub without: Vec<Leader>,
    /// The setting that ranks first at half the budget, if it is another one; only for times.
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

/// The outcome of a setting on each puzzle, by setting: the means of what was spent and solved, or of values the mean rank and 1.
pub(super) struct Costs<'a> {
    settings: Vec<BTreeMap<&'a str, Outcome>>,
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
        let mut settings: Vec<BTreeMap<&str, Outcome>> = vec![BTreeMap::new(); samples.len()];
        if is_time {
            for (costs, sample) in settings.iter_mut().zip(samples) {
                for blocks in sample.by_puzzle() {
                    if let Some(part) = spent_on(blocks, limit, &is_used) {
                        costs.insert(blocks.puzzle(), part);
                    }
                }
            }
            return Self { settings };
        }
        // Values of different puzzles may have different scales: their ranks among all runs of a puzzle have one.
        let mut values: BTreeMap<&str, Vec<(usize, f64)>> = BTreeMap::new();
        for (setting, sample) in samples.iter().enumerate() {
            for block in sample.blocks().iter() {
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
                    *part = Outcome { spent: part.spent / count, solved: 1.0 };
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
        let mut sum = Outcome::default();
        for (id, part) in &self.settings[setting] {
            if Some(*id) != puzzle {
                sum.spent += part.spent;
                sum.solved += part.solved;
            }
        }
        sum.cost()
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

/// The mean outcome of the blocks of a puzzle; `None` without a run.
fn spent_on(blocks: Blocks<'_>, limit: f64, is_used: &impl Fn(&RunValue) -> bool) -> Option<Outcome> {
    let (mut sum, mut count) = (Outcome::default(), 0.0);
    for block in blocks.iter() {
        let runs: Vec<&RunValue> = block.runs.iter().filter(|run| is_used(run)).collect();
        if runs.is_empty() {
            continue;
        }
        let block = mean_outcome(&runs, limit);
        sum.spent += block.spent;
        sum.solved += block.solved;
        count += 1.0;
    }
    (count > 0.0).then(|| Outcome { spent: sum.spent / count, solved: sum.solved / count })
}

/// The cost of a solution on each puzzle up to `limit`, infinite without one; for values their mean.
pub(super) fn by_puzzle(sample: &SettingSample, is_time: bool, limit: f64) -> BTreeMap<&str, f64> {
    let mut costs = BTreeMap::new();
    for blocks in sample.by_puzzle() {
        // A failed program has no value; a setting whose programs all failed ranks behind all others.
        let Some(part) = spent_on(blocks, limit, &|run| is_time || !run.failed) else {
            costs.insert(&**blocks.puzzle(), f64::INFINITY);
            continue;
        };
        costs.insert(&**blocks.puzzle(), if is_time { part.cost() } else { part.spent });
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
                    // A tie has no leader, so that nothing is claimed.
                    None => stability.leader = None,
                }
                for (setting, better_on) in stability.better_on.iter_mut().enumerate() {
                    let on = |setting: usize| costs.settings[setting].get(puzzle).map(Outcome::cost);
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
        samples.iter().flat_map(|sample| sample.runs()).map(|run| run.variant).collect();
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
