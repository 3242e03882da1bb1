//! What races have done to the sides of a comparison.

use std::collections::BTreeSet;

use crate::experiment::Race;
use crate::study::{Arm, Study};

/// Which sides a race has dropped, and whether it made them all.
#[derive(Clone, Debug, Default)]
pub(super) struct Races {
    /// The names of the sides of which settings were dropped: they have fewer runs, for what these showed.
    dropped: BTreeSet<String>,
    /// All sides are settings of one race, which orders them by how long they stayed.
    are_one: bool,
}

impl Races {
    /// Looks at what was dropped in the folders of a study.
    pub(super) fn of(study: &Study, arms: &[Arm<'_>]) -> Self {
        let races: Vec<Option<Race>> = (0..study.sources.len()).map(|source| study.race(source)).collect();
        let is_dropped = |setting: &usize| {
            let setting = &study.settings[*setting];
            let race = races[setting.source].as_ref();
            race.is_some_and(|race| !race.left().contains(&(setting.setting as usize)))
        };
        let dropped =
            arms.iter().filter(|arm| arm.settings.iter().any(is_dropped)).map(|arm| arm.name.clone());
        let are_one = matches!(&races[..], [Some(_)]) && arms.iter().all(|arm| arm.settings.len() == 1);
        Self { dropped: dropped.collect(), are_one }
    }

    /// A race has dropped settings of the side.
    pub(super) fn has_dropped(&self, name: &str) -> bool {
        self.dropped.contains(name)
    }

    /// All sides are settings of one race.
    pub(super) fn are_one(&self) -> bool {
        self.are_one
    }
}
