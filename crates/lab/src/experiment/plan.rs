//! The plan: the runs, their order, and their division into shards.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::json::text_without;
use super::sweep::COMMON;
use super::{Config, Race, RunCosts, Setting, Settings, Shard, Share};
use kenga_core::puzzle::{Puzzle, Role};
use kenga_stats::median;

/// Every run of an experiment. Runs are ordered replicate, puzzle, setting, so that more replicates append.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The configuration of the first setting; seed, replicates, record and exact are those of all.
    pub config: Config,
    /// The settings: points of a sweep, or one.
    pub settings: Settings,
    /// The puzzles, each with an id of its own.
    pub puzzles: Vec<Puzzle>,
    /// The costs by which runs are dealt to shards; without them the shards have equally many runs.
    pub costs: Option<Arc<RunCosts>>,
}

/// One run's place in the plan; all from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunId {
    /// The index of the run.
    pub run: u64,
    /// The replicate.
    pub replicate: u64,
    /// The index of the puzzle.
    pub puzzle: usize,
    /// The setting.
    pub setting: u64,
}

impl Plan {
    /// A plan of the settings on the puzzles; a configuration alone is one setting.
    pub fn new(settings: impl Into<Settings>, puzzles: Vec<Puzzle>) -> Self {
        let mut settings = settings.into();
        let mut shows = false;
        for puzzle in &puzzles {
            shows |= puzzle.groups_with(Role::Group).any(|group| group.distinct);
        }
        for setting in &mut settings.all {
            setting.config.shows_group_term = shows;
        }
        Self { config: settings.all[0].config.clone(), settings, puzzles, costs: None }
    }

    /// The number of runs.
    pub fn runs(&self) -> u64 {
        self.config.replicates * self.puzzles.len() as u64 * self.settings.all.len() as u64
    }

    /// The place of a run.
    pub fn id(&self, run: u64) -> RunId {
        let (puzzles, settings) = (self.puzzles.len() as u64, self.settings.all.len() as u64);
        let (rest, setting) = (run / settings, run % settings);
        RunId { run, replicate: rest / puzzles, puzzle: (rest % puzzles) as usize, setting }
    }

    /// The runs of a shard.
    pub fn share(&self, shard: Shard) -> Share {
        let (settings, puzzles) = (self.settings.all.len() as u64, self.puzzles.len() as u64);
        let share = Share::new(shard, settings, puzzles, self.config.replicates);
        match &self.costs {
            Some(costs) if shard.of > 1 => share.with_deal(costs.deal(shard.of)),
            _ => share,
        }
    }

    /// The costs of the runs, from the seconds of CPU time that runs of an earlier plan took. Settings and puzzles are
    /// recognised by what they are, not by their place. Where a setting has no run on a puzzle, its cost is what the setting
    /// costs elsewhere times what the puzzle costs others, both in relation to the mean. `None` if no run is of both plans.
    pub(crate) fn costs_by_earlier(&self, earlier: &Self, cpu_s: &BTreeMap<u64, f64>) -> Option<RunCosts> {
        let configuration = |setting: &Setting| text_without(&setting.config.resolved, &COMMON);
        let settings = places(&earlier.settings.all, &self.settings.all, configuration);
        let puzzles = places(&earlier.puzzles, &self.puzzles, Puzzle::canonical_text);
        let mut times: BTreeMap<[usize; 2], Vec<f64>> = BTreeMap::new();
        for (run, cpu_s) in cpu_s {
            let id = earlier.id(*run);
            if let (Some(puzzle), Some(setting)) = (puzzles[id.puzzle], settings[id.setting as usize]) {
                times.entry([puzzle, setting]).or_default().push(*cpu_s);
            }
        }
        // Sum and number by puzzle and setting; `None` stands for any.
        let mut sums: BTreeMap<[Option<usize>; 2], (f64, f64)> = BTreeMap::new();
        for ([puzzle, setting], times) in times {
            // One run may have started a program that the others used, too: the median leaves that out.
            let (puzzle, setting, cost) = (Some(puzzle), Some(setting), median(&times)?.value);
            for key in [[puzzle, setting], [puzzle, None], [None, setting], [None, None]] {
                let (sum, number) = sums.entry(key).or_default();
                (*sum, *number) = (*sum + cost, *number + 1.0);
            }
        }
        let mean = |key| sums.get(&key).map(|(sum, number)| sum / number);
        let all = mean([None, None])?;
        let mut costs = Vec::new();
        for puzzle in (0..self.puzzles.len()).map(Some) {
            for setting in (0..self.settings.all.len()).map(Some) {
                let [of_puzzle, of_setting] =
                    [[puzzle, None], [None, setting]].map(|key| mean(key).unwrap_or(all));
                costs.push(mean([puzzle, setting]).unwrap_or(of_puzzle / all.max(1e-6) * of_setting));
            }
        }
        Some(RunCosts::new(self.config.replicates, &costs))
    }

    /// The runs of some setting can fail.
    pub fn can_fail(&self) -> bool {
        self.settings.all.iter().any(|setting| setting.config.can_fail)
    }

    /// The problem of some setting has names for the terms of its values.
    pub fn has_terms(&self) -> bool {
        self.settings.all.iter().any(|setting| !setting.config.terms.is_empty())
    }

    /// The runs of some setting report what they cost.
    pub fn reports_cost(&self) -> bool {
        self.settings.all.iter().any(|setting| setting.config.reports_cost)
    }

    /// The runs of some setting start programs of the user's.
    pub fn starts_programs(&self) -> bool {
        self.settings.all.iter().any(|setting| setting.config.starts_programs)
    }

    /// One of the settings.
    pub fn setting(&self, setting: u64) -> &Setting {
        &self.settings.all[setting as usize]
    }

    /// The race of the plan at its beginning; `None` where it is none.
    pub fn race(&self) -> Option<Race> {
        let rules = self.settings.race?;
        let settings = self.settings.all.len();
        Some(Race::new(rules, settings, self.runs() / settings as u64))
    }

    /// The runs of a shard are a part of those of a race, which it makes in rounds.
    pub fn is_part_of_race(&self, shard: Shard) -> bool {
        self.settings.race.is_some() && shard != Shard::WHOLE
    }
}

/// For each of the earlier things the place of the same one among those of a plan.
fn places<T>(earlier: &[T], plan: &[T], text: impl Fn(&T) -> String) -> Vec<Option<usize>> {
    let place_of: BTreeMap<String, usize> =
        plan.iter().enumerate().map(|(place, thing)| (text(thing), place)).collect();
    earlier.iter().map(|thing| place_of.get(&text(thing)).copied()).collect()
}
