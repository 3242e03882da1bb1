//! Which sides stand before which, and which a race has dropped.

use std::collections::BTreeSet;

use super::Side;
use super::blocks::Blocks;
use crate::experiment::Race;
use crate::stats::{RankLine, rank_line};
use crate::study::{Arm, Study};

/// What races have done to the sides of a comparison.
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
    pub(super) fn has_dropped(&self, side: &Side) -> bool {
        self.dropped.contains(&side.name)
    }

    /// All sides are settings of one race.
    pub(super) fn are_one(&self) -> bool {
        self.are_one
    }
}

/// The values of some sides in blocks that all of them have, a row a block, and their ranks; `None` without such blocks.
pub(super) fn rank_line_of(
    values: &[Vec<f64>],
    sides: &[usize],
    common: &[Vec<usize>],
    alpha: f64,
) -> Option<(Vec<f64>, RankLine)> {
    let row = |runs: &Vec<usize>| sides.iter().zip(runs).map(|(side, run)| values[*side][*run]).collect();
    let rows: Vec<f64> = common.iter().flat_map(|runs| -> Vec<f64> { row(runs) }).collect();
    (!rows.is_empty()).then(|| (rows.clone(), rank_line(&rows, sides.len(), alpha)))
}

/// The sides of a race: those that stayed longer before those that were dropped, and by average rank those that stayed
/// alike.
pub(super) fn by_survival(values: &[Vec<f64>], blocks: &Blocks<'_>, alpha: f64) -> Vec<usize> {
    let lengths: BTreeSet<usize> = values.iter().map(Vec::len).collect();
    let alike = |length: usize| -> Vec<usize> {
        let sides: Vec<usize> = (0..values.len()).filter(|side| values[*side].len() == length).collect();
        let line = rank_line_of(values, &sides, &blocks.common(&sides), alpha);
        match line.filter(|_| sides.len() > 1) {
            Some((_, line)) => line.order.iter().map(|place| sides[*place]).collect(),
            None => sides,
        }
    };
    lengths.into_iter().rev().flat_map(alike).collect()
}

/// By the median, of several puzzles by the mean of theirs; times of several by the share solved; then by the penalised
/// average.
pub(super) fn by_merit(sides: &[Side], is_time: bool) -> Vec<usize> {
    let median = |side: &Side| match (side.median, is_time) {
        (Some(median), _) => median.value,
        (None, true) => -side.share.value,
        (None, false) => {
            side.puzzles.iter().map(|part| part.median.value).sum::<f64>() / side.puzzles.len() as f64
        }
    };
    let key = |side: usize| {
        let side = &sides[side];
        (median(side), -side.share.value, side.par10.map_or(0.0, |par10| par10.value))
    };
    let mut order: Vec<usize> = (0..sides.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2))
    });
    order
}
