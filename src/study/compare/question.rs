//! What a comparison is to find out, and what of the study bears on the answer.

use std::collections::BTreeSet;

use crate::experiment::Race;
use crate::study::{Arm, Metric, Study, StudySetting};

/// What a comparison is to find out, and what of the study bears on the answer.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// What is compared.
    pub(super) metric: Metric,
    /// The chance to claim a difference where there is none, over all that is tested together.
    pub(super) alpha: f64,
    /// The side that all others are compared with; else the best.
    pub(super) baseline: Option<&'a str>,
    /// What races have done to the sides.
    pub(super) races: Races,
    /// The settings of the study do not all have the same budget.
    pub(super) is_unequal: bool,
    /// They do not all measure fitness alike.
    pub(super) is_measured_apart: bool,
    /// Puzzles of which not all solutions are known.
    pub(super) open: BTreeSet<String>,
}

impl<'a> Question<'a> {
    /// Asks for a difference in `metric` between samples of which nothing else is known.
    pub fn plain(metric: Metric, alpha: f64) -> Self {
        let races = Races::default();
        Self {
            metric,
            alpha,
            baseline: None,
            races,
            is_unequal: false,
            is_measured_apart: false,
            open: BTreeSet::new(),
        }
    }

    /// Asks for a difference in `metric` between sides of a study.
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
            ..Self::plain(metric, alpha)
        }
    }

    /// Asks for differences from the side of this name, if there is one.
    #[must_use]
    pub fn from_baseline(self, baseline: Option<&'a str>) -> Self {
        Self { baseline, ..self }
    }
}

/// Which sides a race has dropped, and whether it made them all.
#[derive(Clone, Debug, Default)]
pub(super) struct Races {
    /// The names of the sides of which settings were dropped: they have fewer runs, for what these showed.
    dropped: BTreeSet<String>,
    /// All sides are settings of one race, with all of their runs: the block of its first look.
    first_look: Option<u64>,
}

impl Races {
    /// Looks at what was dropped in the folders of a study.
    pub(super) fn of(study: &Study, arms: &[Arm<'_>]) -> Self {
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
        Self { dropped: dropped.collect(), first_look: rules.map(|rules| rules.first) }
    }

    /// A race has dropped settings of the side.
    pub(super) fn has_dropped(&self, name: &str) -> bool {
        self.dropped.contains(name)
    }

    /// The block after which the one race of all sides looked first.
    pub(super) fn first_look(&self) -> Option<u64> {
        self.first_look
    }
}
