//! Convergence: the state of all runs at calls equally far apart on a logarithmic axis, read as a stream.

use std::collections::BTreeMap;

use super::super::graphic::SERIES;
use kenga_lab::experiment::measure;
use kenga_lab::results::{ConvergenceRow, ResultsError};
use kenga_lab::study::{SettingRuns, Study, StudyRun};
use kenga_stats::logarithmic_axis;

const MEAN: usize = measure("mean");
const DIVERSITY: usize = measure("diversity");
const ENTROPY: usize = measure("entropy");

/// The number of times at which the runs are sampled.
const TIMES: usize = 121;

/// The value of a run before its first record, or without records.
const UNKNOWN: f32 = f32::NAN;

/// The most settings whose populations are followed; with more, only the best fitness is.
const FOLLOWED: usize = SERIES;

/// A quantity that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// The lowest fitness so far.
    Best,
    /// The mean fitness of the population.
    Mean,
    /// Mean over cells of the share of pairs of individuals that differ.
    Diversity,
    /// Mean over cells of the entropy of digits.
    Entropy,
}

impl Quantity {
    const ALL: [Self; 4] = [Self::Best, Self::Mean, Self::Diversity, Self::Entropy];

    /// The value of a row.
    fn of(self, row: &ConvergenceRow) -> f32 {
        let known = |value: Option<f64>| value.map_or(UNKNOWN, |value| value as f32);
        match self {
            Self::Best => row.sample.best as f32,
            Self::Mean => known(row.sample.value(MEAN)),
            Self::Diversity => known(row.sample.value(DIVERSITY)),
            Self::Entropy => known(row.sample.value(ENTROPY)),
        }
    }
}

/// Why there is no convergence.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unrecorded {
    /// The configuration asked for none.
    #[error("no convergence was recorded (`record.every` is 0, or no generation ended within the budget)")]
    NoRows,
    /// The file is missing or damaged.
    #[error("the convergence cannot be read: {0}")]
    Unreadable(#[from] ResultsError),
}

/// The convergence of all runs.
pub(crate) struct Convergence {
    /// Calls, ascending.
    pub(crate) times: Vec<f64>,
    /// By quantity that is followed, for each part a band for each setting.
    bands: Vec<Vec<Vec<Band>>>,
}

/// Quartiles over the runs of a setting, at times when all of them are known; a run that has ended keeps its last value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Band {
    /// The index of the first time, from which on every run has a value.
    pub(crate) first: usize,
    /// A quarter of the runs is at this value or below.
    pub(crate) low: Vec<f64>,
    /// Half of the runs.
    pub(crate) median: Vec<f64>,
    /// Three quarters.
    pub(crate) high: Vec<f64>,
}

impl Convergence {
    /// Reads the convergence of the runs of some settings; a part is a puzzle.
    pub(super) fn read(
        study: &Study,
        settings: &[SettingRuns<'_>],
        parts: &[String],
    ) -> Result<Self, Unrecorded> {
        let mut longest = 1;
        for setting in settings {
            for one in &setting.runs {
                longest = longest.max(one.row.calls());
            }
        }
        let times = logarithmic_axis(1.0, longest as f64, TIMES);
        let measures = if settings.len() > FOLLOWED { 1 } else { Quantity::ALL.len() };
        let mut curves: Vec<RunCurves<'_>> = Vec::new();
        let mut of_setting: Vec<Vec<usize>> = vec![Vec::new(); study.settings.len()];
        for folder in 0..study.folders.len() {
            let mut curve = FolderCurves::new(study, folder, &times, measures);
            study.folders[folder].rows.each(|row| curve.take(&row))?;
            curve.finish(&mut curves, &mut of_setting);
        }
        if curves.is_empty() {
            return Err(Unrecorded::NoRows);
        }
        let mut bands = vec![Vec::new(); measures];
        for part in parts {
            let mut of_part = vec![Vec::new(); measures];
            for joined in settings {
                // Rounding may put the last time beyond the longest run.
                let end = joined.known_until(study, Some(part)) * (1.0 + 1e-9);
                let end = times.partition_point(|time| *time <= end);
                let mut values_of = Vec::new();
                for setting in &joined.settings {
                    for curve in &of_setting[*setting] {
                        let (puzzle, values) = &curves[*curve];
                        if *puzzle == *part {
                            values_of.push(values);
                        }
                    }
                }
                for (measure, of_part) in of_part.iter_mut().enumerate() {
                    let values: Vec<&[f32]> = values_of.iter().map(|values| &*values[measure]).collect();
                    of_part.push(Band::of(&values, end));
                }
            }
            for (bands, of_part) in bands.iter_mut().zip(of_part) {
                bands.push(of_part);
            }
        }
        Ok(Self { bands, times })
    }

    /// The bands of all settings in a part; empty where the quantity is not followed.
    pub(crate) fn bands(&self, measure: Quantity, part: usize) -> &[Band] {
        self.bands.get(measure as usize).map_or(&[], |parts| &parts[part])
    }
}

/// The puzzle of a run, and its values by quantity.
type RunCurves<'a> = (&'a str, Vec<Vec<f32>>);

/// The curves of the runs of one folder; rows of unfinished and of failed runs are skipped.
struct FolderCurves<'a> {
    runs: BTreeMap<u64, (usize, &'a StudyRun)>,
    times: &'a [f64],
    measures: usize,
    begun: BTreeMap<u64, RunCurve>,
}

/// One run: its values at each time so far.
struct RunCurve {
    values: Vec<Vec<f32>>,
    now: Vec<f32>,
}

impl<'a> FolderCurves<'a> {
    fn new(study: &'a Study, folder: usize, times: &'a [f64], measures: usize) -> Self {
        let mut runs = BTreeMap::new();
        for (index, setting) in study.settings.iter().enumerate() {
            if setting.folder == folder {
                let finished = setting.runs.iter().filter(|run| !run.row.has_failed());
                runs.extend(finished.map(|run| (run.row.run, (index, run))));
            }
        }
        Self { runs, times, measures, begun: BTreeMap::new() }
    }

    fn take(&mut self, row: &ConvergenceRow) {
        if !self.runs.contains_key(&row.run) {
            return;
        }
        let curve = self.begun.entry(row.run).or_insert_with(|| RunCurve::new(self.measures));
        curve.reach(row.sample.calls() as f64, self.times);
        let values = Quantity::ALL.map(|measure| measure.of(row));
        let best = curve.now[0].min(values[0]);
        curve.now.copy_from_slice(&values[..self.measures]);
        // A population may lose its best; the best so far stays.
        curve.now[0] = best;
    }

    /// Ends every run at its best, which an unrecorded generation may have found.
    fn finish(self, curves: &mut Vec<RunCurves<'a>>, of_setting: &mut [Vec<usize>]) {
        for (run, mut curve) in self.begun {
            let (setting, run) = self.runs[&run];
            if let (Some(calls), Some(best)) = (run.row.calls_to_best(), run.row.best_fitness) {
                curve.reach(calls as f64, self.times);
                curve.now[0] = curve.now[0].min(best as f32);
            }
            curve.reach(f64::INFINITY, self.times);
            of_setting[setting].push(curves.len());
            curves.push((&run.row.puzzle, curve.values));
        }
    }
}

impl RunCurve {
    fn new(measures: usize) -> Self {
        Self { values: vec![Vec::with_capacity(TIMES); measures], now: vec![UNKNOWN; measures] }
    }

    /// Holds the current values until `calls`.
    fn reach(&mut self, calls: f64, times: &[f64]) {
        let passed = times.partition_point(|time| *time < calls);
        for (values, now) in self.values.iter_mut().zip(&self.now) {
            values.resize(passed.max(values.len()), *now);
        }
    }
}

impl Band {
    /// The quartiles of some curves at the first `times` times; empty without any.
    fn of(curves: &[&[f32]], times: usize) -> Self {
        let mut first = 0;
        while first < times && (curves.is_empty() || curves.iter().any(|curve| curve[first].is_nan())) {
            first += 1;
        }
        let mut band = Self { first, low: Vec::new(), median: Vec::new(), high: Vec::new() };
        let mut values: Vec<f32> = Vec::with_capacity(curves.len());
        for time in first..times {
            values.clear();
            values.extend(curves.iter().map(|curve| curve[time]));
            values.sort_unstable_by(f32::total_cmp);
            band.low.push(quartile(&values, 1));
            band.median.push(quartile(&values, 2));
            band.high.push(quartile(&values, 3));
        }
        band
    }

    /// Whether there is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        self.median.is_empty()
    }
}

/// A quartile of sorted values: the mean of two where it falls between them.
fn quartile(sorted: &[f32], quarters: usize) -> f64 {
    let whole = sorted.len() * quarters / 4;
    if (sorted.len() * quarters).is_multiple_of(4) && whole < sorted.len() {
        return f64::midpoint(f64::from(sorted[whole - 1]), f64::from(sorted[whole]));
    }
    f64::from(sorted[whole.min(sorted.len() - 1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_holds_its_value_until_the_next() {
        let times = [1.0, 10.0, 100.0, 1000.0];
        let mut curve = RunCurve::new(1);
        curve.reach(5.0, &times);
        curve.now[0] = 40.0;
        curve.reach(100.0, &times);
        curve.now[0] = 7.0;
        curve.reach(100.0, &times);
        assert!(curve.values[0][0].is_nan());
        assert_eq!(curve.values[0][1..], [40.0]);
        curve.reach(f64::INFINITY, &times);
        assert_eq!(curve.values[0][1..], [40.0, 7.0, 7.0]);
    }

    #[test]
    fn a_band_begins_where_every_run_has_begun_and_ends_where_it_is_told() {
        let curves: [&[f32]; 3] =
            [&[UNKNOWN, 8.0, 4.0, 1.0], &[9.0, 6.0, 6.0, 1.0], &[UNKNOWN, 7.0, 5.0, 1.0]];
        let band = Band::of(&curves, 3);
        assert_eq!(
            (band.first, &*band.median, &*band.low, &*band.high),
            (1, &[7.0, 5.0][..], &[6.0, 4.0][..], &[8.0, 6.0][..])
        );
        assert!(Band::of(&[], 3).is_empty() && Band::of(&[&[UNKNOWN, UNKNOWN]], 2).is_empty());
    }

    #[test]
    fn quartiles_are_those_of_the_runs() {
        assert_eq!([1, 2, 3].map(|quarters| quartile(&[1.0, 2.0, 3.0, 4.0], quarters)), [1.5, 2.5, 3.5]);
        assert_eq!([1, 2, 3].map(|quarters| quartile(&[5.0], quarters)), [5.0; 3]);
    }
}
