//! What races have done to the sides of a comparison.

use std::collections::BTreeSet;

use crate::experiment::Race;
use crate::study::{Arm, Study};

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
