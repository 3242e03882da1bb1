//! The best fitness of all runs at calls equally far apart on a logarithmic axis, read as a stream.

use std::collections::BTreeMap;

use super::Part;
use crate::results::{ConvergenceRow, Folder, ResultsError};
use crate::stats::logarithmic_axis;
use crate::study::{Arm, Study, StudyRun};

/// Times at which the runs are looked at.
const TIMES: usize = 121;

/// A run that has not begun.
const UNBEGUN: u32 = u32::MAX;

/// Why there is no convergence.
#[derive(Debug, thiserror::Error)]
pub(in crate::report) enum Unrecorded {
    /// The configuration asked for none.
    #[error("no convergence was recorded (`record.every` is 0, or no generation ended within the budget)")]
    NoRows,
    /// The file is gone or damaged.
    #[error("the convergence cannot be read: {0}")]
    Unreadable(#[from] ResultsError),
}

/// How the best fitness fell.
pub(in crate::report) struct Convergence {
    /// Calls, ascending.
    pub(in crate::report) times: Vec<f64>,
    /// For each part a band for each setting; of a run that has ended the last value is kept.
    pub(in crate::report) bands: Vec<Vec<Band>>,
}

/// Quartiles over the runs of a setting at some times.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) struct Band {
    /// The first of the times: from it on every run has begun.
    pub(in crate::report) first: usize,
    /// A quarter of the runs is at this fitness or below.
    pub(in crate::report) low: Vec<f64>,
    /// Half of the runs.
    pub(in crate::report) median: Vec<f64>,
    /// Three quarters.
    pub(in crate::report) high: Vec<f64>,
}

impl Convergence {
    /// Reads the convergence of the runs of some sides of a comparison; a part is a puzzle.
    pub(super) fn read(study: &Study, arms: &[Arm<'_>], parts: &[Part]) -> Result<Self, Unrecorded> {
        let all = || arms.iter().flat_map(|arm| &arm.runs).map(|one| one.run);
        let longest = all().map(|run| run.row.evaluations + run.row.moves).max().unwrap_or(0).max(1);
        let times = logarithmic_axis(1.0, longest as f64, TIMES);
        let mut curves: Vec<(&str, Vec<u32>)> = Vec::new();
        let mut of_setting: Vec<Vec<usize>> = vec![Vec::new(); study.settings.len()];
        for source in 0..study.sources.len() {
            let mut curve = Curves::new(study, source, &times);
            let read = Folder::each_sample(&study.sources[source].path, |row| {
                curve.take(&row);
                Ok::<_, ResultsError>(())
            });
            // What is torn behind the rows of every run that is there is left of one that was cut.
            if !(matches!(read, Err(ResultsError::Damaged { .. })) && curve.is_whole()) {
                read?;
            }
            curve.finish(&mut curves, &mut of_setting);
        }
        if curves.is_empty() {
            return Err(Unrecorded::NoRows);
        }
        let band = |part: &Part, arm: &Arm<'_>| {
            let curves: Vec<&[u32]> = arm
                .settings
                .iter()
                .flat_map(|setting| &of_setting[*setting])
                .map(|curve| &curves[*curve])
                .filter(|(puzzle, _)| *puzzle == part.puzzle)
                .map(|(_, curve)| &**curve)
                .collect();
            Band::of(&curves, times.len())
        };
        let bands = parts.iter().map(|part| arms.iter().map(|arm| band(part, arm)).collect());
        Ok(Self { bands: bands.collect(), times })
    }

    /// The setting has any rows in a part.
    pub(in crate::report) fn has(&self, part: usize, setting: usize) -> bool {
        !self.bands[part][setting].median.is_empty()
    }
}

/// The curves of the runs of one folder; rows of runs that are not known are passed over.
struct Curves<'a> {
    runs: BTreeMap<u64, (usize, &'a StudyRun)>,
    times: &'a [f64],
    begun: BTreeMap<u64, Curve>,
}

/// One run: the lowest fitness until each time that has passed.
struct Curve {
    best: Vec<u32>,
    lowest: u32,
}

impl<'a> Curves<'a> {
    fn new(study: &'a Study, source: usize, times: &'a [f64]) -> Self {
        let settings = study.settings.iter().enumerate().filter(|(_, setting)| setting.source == source);
        let runs = settings
            .flat_map(|(index, setting)| setting.runs.iter().map(move |run| (run.row.run, (index, run))));
        Self { runs: runs.collect(), times, begun: BTreeMap::new() }
    }

    /// Every run that is there has rows.
    fn is_whole(&self) -> bool {
        !self.begun.is_empty() && self.begun.len() == self.runs.len()
    }

    fn take(&mut self, row: &ConvergenceRow) {
        if self.runs.contains_key(&row.run) {
            let empty = || Curve { best: Vec::with_capacity(TIMES), lowest: UNBEGUN };
            let calls = (row.evaluations + row.moves) as f64;
            self.begun.entry(row.run).or_insert_with(empty).reach(calls, row.best, self.times);
        }
    }

    /// Ends every run at its best, which a generation cut short may have found.
    fn finish(self, curves: &mut Vec<(&'a str, Vec<u32>)>, of_setting: &mut [Vec<usize>]) {
        for (run, mut curve) in self.begun {
            let (setting, run) = self.runs[&run];
            let found = (run.row.evaluations_to_best + run.row.moves_to_best) as f64;
            curve.reach(found, run.row.best_fitness, self.times);
            curve.best.resize(self.times.len(), curve.lowest);
            of_setting[setting].push(curves.len());
            curves.push((&run.row.puzzle, curve.best));
        }
    }
}

impl Curve {
    /// The run has come to `calls` with a fitness of `best`.
    fn reach(&mut self, calls: f64, best: u32, times: &[f64]) {
        while self.best.len() < times.len() && times[self.best.len()] < calls {
            self.best.push(self.lowest);
        }
        self.lowest = self.lowest.min(best);
    }
}

impl Band {
    /// The quartiles of some curves of `times` values; empty without any.
    fn of(curves: &[&[u32]], times: usize) -> Self {
        let begun = |time: &usize| curves.iter().all(|curve| curve[*time] != UNBEGUN);
        let first = (0..times).find(begun).filter(|_| !curves.is_empty()).unwrap_or(times);
        let mut band = Self { first, low: Vec::new(), median: Vec::new(), high: Vec::new() };
        let mut values: Vec<u32> = Vec::with_capacity(curves.len());
        for time in first..times {
            values.clear();
            values.extend(curves.iter().map(|curve| curve[time]));
            values.sort_unstable();
            band.low.push(quartile(&values, 1));
            band.median.push(quartile(&values, 2));
            band.high.push(quartile(&values, 3));
        }
        band
    }
}

/// The least value that a number of quarters do not exceed; the mean of two where it falls between them.
fn quartile(sorted: &[u32], quarters: usize) -> f64 {
    let (whole, rest) = (sorted.len() * quarters / 4, sorted.len() * quarters % 4);
    match (rest, whole) {
        (0, whole) if whole < sorted.len() => {
            f64::midpoint(f64::from(sorted[whole - 1]), f64::from(sorted[whole]))
        }
        (_, whole) => f64::from(sorted[whole.min(sorted.len() - 1)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_holds_its_lowest_value_until_the_next() {
        let times = [1.0, 10.0, 100.0, 1000.0];
        let mut curve = Curve { best: Vec::new(), lowest: UNBEGUN };
        curve.reach(5.0, 40, &times);
        curve.reach(100.0, 7, &times);
        curve.reach(200.0, 9, &times);
        assert_eq!((&*curve.best, curve.lowest), (&[UNBEGUN, 40, 7][..], 7));
    }

    #[test]
    fn a_band_begins_where_every_run_has_begun() {
        let band = Band::of(&[&[UNBEGUN, 8, 4], &[9, 6, 6], &[UNBEGUN, 7, 5]], 3);
        assert_eq!(
            (band.first, &*band.median, &*band.low, &*band.high),
            (1, &[7.0, 5.0][..], &[6.0, 4.0][..], &[8.0, 6.0][..])
        );
        assert!(Band::of(&[], 3).median.is_empty());
    }

    #[test]
    fn quartiles_are_those_of_the_runs() {
        assert_eq!([1, 2, 3].map(|quarters| quartile(&[1, 2, 3, 4], quarters)), [1.5, 2.5, 3.5]);
        assert_eq!([1, 2, 3].map(|quarters| quartile(&[5], quarters)), [5.0; 3]);
    }
}
