//! Which settings of many are shown in colour: all of a few, else the best and the worst.

use super::super::graphic::{Graphic, LegendEntry, NARROW, SERIES, legend};
use super::super::measurements::Measurements;

/// Of many settings that many of the best, and of the worst, are shown in colour.
const BEST: usize = 4;
const WORST: usize = 2;

/// Settings in the background of a narrow chart.
const FEW: usize = 60;

/// Settings in colour, each a series by its place, and the rest.
pub(super) struct Selection {
    pub(super) series: Vec<usize>,
    pub(super) others: Vec<usize>,
    names: Vec<String>,
    heading: String,
}

impl Selection {
    /// Chooses among the settings that have anything to show.
    pub(super) fn choose(material: &Measurements<'_>, has: impl Fn(usize) -> bool) -> Self {
        let able: Vec<usize> = material.order.iter().copied().filter(|setting| has(*setting)).collect();
        let few = able.len() <= SERIES;
        let mut series: Vec<usize> = match few {
            true => able.clone(),
            false => [&able[..BEST], &able[able.len() - WORST..]].concat(),
        };
        if few {
            // In the order of the study neighbours in the sweep are neighbours in the legend.
            series.sort_unstable();
        }
        let others = able.iter().copied().filter(|setting| !series.contains(setting)).collect();
        let place = |place: usize| match (few, place) {
            (true, _) => String::new(),
            (false, place) if place < BEST => format!("best {}: ", place + 1),
            (false, place) => format!("worst {}: ", BEST + WORST - place),
        };
        let names =
            series.iter().enumerate().map(|(at, one)| place(at) + &material.labels.name(*one)).collect();
        Self { series, others, names, heading: material.labels.heading() }
    }

    /// Every setting that has anything to show.
    pub(super) fn all(&self) -> impl Iterator<Item = usize> {
        self.series.iter().chain(&self.others).copied()
    }

    /// The settings in the background: on a narrow screen of many some that lie evenly between the best and the worst.
    pub(super) fn background(&self, width: f64) -> impl Iterator<Item = usize> {
        let step = if width > NARROW { 1 } else { self.others.len().div_ceil(FEW).max(1) };
        self.others.iter().copied().step_by(step)
    }

    /// Nothing is left to the background.
    fn is_all(&self) -> bool {
        self.others.is_empty()
    }

    /// What the legend shows.
    fn entries(&self) -> Vec<LegendEntry<'_>> {
        let series = self.names.iter().enumerate().map(|(series, name)| LegendEntry::Series(series, name));
        let others = (!self.is_all()).then_some(LegendEntry::Others("the other settings"));
        series.chain(others).collect()
    }

    /// There is more than one name to tell apart.
    pub(super) fn has_legend(&self) -> bool {
        self.series.len() > 1 || !self.is_all()
    }

    /// Draws the legend, where there is one, and gives where the chart begins below it.
    pub(super) fn legend(&self, graphic: &mut Graphic, width: f64) -> f64 {
        match self.has_legend() {
            true => {
                let left = if width > NARROW { 58.0 } else { 8.0 };
                legend(graphic, (left, 2.0), width - left - 14.0, &self.heading, &self.entries()) + 6.0
            }
            false => 8.0,
        }
    }

    /// A sentence about the choice; empty where there was none.
    pub(super) fn in_words(&self) -> String {
        match self.is_all() {
            true => String::new(),
            false => format!(
                " Of {} settings the {BEST} best and the {WORST} worst are in colour (a higher share solved, then a lower PAR-10, over all runs), the others in grey.",
                self.series.len() + self.others.len()
            ),
        }
    }
}
