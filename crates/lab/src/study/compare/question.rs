//! What a comparison is asked for, and the facts of the study that matter for it.

use std::collections::{BTreeMap, BTreeSet};

use crate::experiment::RaceRules;
use crate::study::groups::FEW;
use crate::study::{Groups, JoinedSettings, Metric, RunSubject, Study, StudyFolder, StudySetting};
use kenga_core::fitness::Scale;

/// What to compare, with the facts of the study that matter for it.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The metric that is compared.
    pub(super) metric: Metric,
    /// The family-wise error rate of all tests together.
    pub(super) alpha: f64,
    /// The only puzzle that counts; `None` for all.
    pub(super) puzzle: Option<&'a str>,
    /// The name of the setting that all others are compared with; `None` for the best.
    pub(super) baseline: Option<&'a str>,
    /// The settings that races have dropped.
    pub(super) races: Races,
    /// The puzzles with unknown solutions.
    pub(super) open: BTreeSet<String>,
    /// The families of puzzles.
    pub(super) groups: Groups,
    /// The facts about the runs beside their numbers.
    pub(super) facts: Facts,
}

/// The facts about the runs, beside their numbers, that a comparison states.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The subject of the runs.
    pub subject: RunSubject,
    /// The smallest difference that matters.
    pub smallest: Smallest,
    /// Whether budgets differ.
    pub is_unequal: bool,
    /// Whether fitness is compared and some settings measure it differently.
    pub is_measured_apart: bool,
    /// By setting, the mean of the calls of its runs that spent their budget; `None` without one. Empty without a study.
    pub calls: Vec<Option<f64>>,
    /// How many runs failed.
    pub failed: u64,
    /// How many runs a program solved within their first hundred evaluations.
    pub solved_at_once: u64,
    /// How values became fitness, by instance.
    pub scales: BTreeMap<String, Scale>,
    /// How many puzzles repeat another one under another id; they and that one count once as a sample of their kind.
    pub repeated: usize,
    /// A column by which the puzzles may be families, with the number of these; `None` if families were named.
    pub possible_groups: Option<(String, usize)>,
    /// The combinations of the other keys of joined settings, by their numbers.
    pub variants: Vec<String>,
}

/// The smallest difference that matters.
#[derive(Clone, Copy, Debug)]
pub struct Smallest {
    /// The ratio of two costs, above 1.
    pub ratio: f64,
}

impl Default for Smallest {
    fn default() -> Self {
        Self { ratio: 1.25 }
    }
}

/// The races behind the settings.
#[derive(Clone, Debug, Default)]
pub(super) struct Races {
    /// The names of those that join a setting that a race dropped: its results decided how many runs they have.
    pub(super) dropped: BTreeSet<String>,
    /// The rules of the race, where all are settings of one race with all of its runs.
    pub(super) rules: Option<RaceRules>,
    /// Whether any of the folders holds a race.
    pub(super) has_looks: bool,
}

impl<'a> Question<'a> {
    /// Asks for differences in `metric` between samples.
    pub fn plain(metric: Metric, alpha: f64) -> Self {
        Self {
            metric,
            alpha,
            puzzle: None,
            baseline: None,
            races: Races::default(),
            open: BTreeSet::new(),
            groups: Groups::default(),
            facts: Facts::default(),
        }
    }

    /// The same of settings of a study: on all puzzles, or on one by the settings with runs of it, where the values of an instance
    /// count from its own optimum.
    #[must_use]
    pub fn about(mut self, study: &Study, settings: &[JoinedSettings], puzzle: Option<&'a str>) -> Self {
        self.facts.subject = RunSubject::of(study).with_scale(study.scale_on(puzzle));
        self.facts.variants = settings.first().map_or_else(Vec::new, |first| first.variant_names.to_vec());
        self.puzzle = puzzle;
        let mut chosen: Vec<&JoinedSettings> = settings.iter().collect();
        chosen.retain(|setting| self.is_about(study, setting));
        self.races = Races::of(study, &chosen);
        for folder in &study.folders {
            self.open.extend(folder.open.iter().cloned());
        }
        for pair in study.settings.windows(2) {
            self.facts.is_unequal |= pair[0].budget != pair[1].budget;
            self.facts.is_measured_apart |= fitness(&pair[0]) != fitness(&pair[1]);
        }
        let puzzles = study.puzzles();
        for puzzle in &puzzles {
            if let Some(scale) = study.scale_on(Some(&puzzle.id)) {
                self.facts.scales.insert(puzzle.id.clone(), scale);
            }
        }
        self.groups = Groups::of_repeated(&puzzles);
        self.facts.repeated = self.groups.families.len();
        for column in ["kind", "size"] {
            let sizes: BTreeSet<String> =
                Groups::by(study, column).unwrap_or_default().families.into_values().collect();
            if (2..FEW).contains(&sizes.len()) && puzzles.len() > sizes.len() {
                self.facts.possible_groups = Some((column.to_owned(), sizes.len()));
            }
        }
        for setting in chosen {
            self.facts.calls.push(setting.calls_spent(study, puzzle));
            self.facts.failed += setting.failed(study, puzzle);
            self.facts.solved_at_once += setting.solved_at_once(study, puzzle);
        }
        self
    }

    /// Whether the question is about a setting.
    pub(super) fn is_about(&self, study: &Study, setting: &JoinedSettings) -> bool {
        self.puzzle.is_none() || setting.runs_on(study, self.puzzle).len() > 0
    }

    /// Asks for differences from the setting of this name, if there is one.
    #[must_use]
    pub fn from_baseline(self, baseline: Option<&'a str>) -> Self {
        Self { baseline, ..self }
    }

    /// Asks with families of puzzles as the sample of their kind.
    #[must_use]
    pub fn in_groups(self, groups: Groups) -> Self {
        let facts = Facts { possible_groups: None, repeated: 0, ..self.facts };
        Self { groups, facts, ..self }
    }

    /// Asks for a smallest difference that matters.
    #[must_use]
    pub fn with_smallest(self, smallest: Smallest) -> Self {
        Self { facts: Facts { smallest, ..self.facts }, ..self }
    }
}

/// How a setting measures fitness.
fn fitness(setting: &StudySetting) -> BTreeMap<&String, &String> {
    setting.values.iter().filter(|(key, _)| key.starts_with("fitness.")).collect()
}

impl Races {
    /// The races of a study.
    fn of(study: &Study, settings: &[&JoinedSettings]) -> Self {
        let has_looks = study.folders.iter().any(|folder| folder.plan.settings.race.is_some());
        let mut races = Self { has_looks, ..Self::default() };
        for runs in settings {
            if runs.settings.iter().any(|setting| is_dropped(study, &study.settings[*setting])) {
                races.dropped.insert(runs.name.clone());
            }
        }
        // The correction for looks counts those of the race, which saw all of its runs.
        let is_whole = !study.is_part() && settings.iter().all(|runs| runs.settings.len() == 1);
        if let [only] = &study.folders[..]
            && is_whole
            && !only.plan.is_part_of_race(only.shard)
        {
            races.rules = only.plan.settings.race;
        }
        races
    }
}

/// Whether a race has dropped a setting. A shard of one does not say: it may have dropped any.
fn is_dropped(study: &Study, setting: &StudySetting) -> bool {
    let StudyFolder { plan, shard, .. } = &study.folders[setting.folder];
    if plan.is_part_of_race(*shard) {
        return true;
    }
    study.race(setting.folder).is_some_and(|race| !race.left().contains(&(setting.setting as usize)))
}
