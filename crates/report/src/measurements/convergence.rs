//! Convergence: the state of all runs at calls equally far apart on a logarithmic axis, read as a stream.

use std::sync::Arc;

use super::super::graphic::SERIES;
use kenga_lab::experiment::{Sample, measure};
use kenga_lab::results::ResultsError;
use kenga_lab::study::{JoinedSettings, Steps, Study};
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

    /// The value of a recorded generation.
    fn of(self, sample: &Sample) -> f32 {
        let known = |value: Option<f64>| value.map_or(UNKNOWN, |value| value as f32);
        match self {
            Self::Best => sample.best as f32,
            Self::Mean => known(sample.value(MEAN)),
            Self::Diversity => known(sample.value(DIVERSITY)),
            Self::Entropy => known(sample.value(ENTROPY)),
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
    /// Reads the convergence of the runs of some settings, and their steps; a part is a puzzle.
    pub(super) fn read(
        study: &Study,
        settings: &[JoinedSettings],
        parts: &[String],
    ) -> (Result<Self, Unrecorded>, Option<Arc<Steps>>) {
        let longest = study.counted_runs().map(|run| study.runs.spent(run)).max().unwrap_or(0).max(1);
        let times = logarithmic_axis(1.0, longest as f64, TIMES);
        let measures = if settings.len() > FOLLOWED { 1 } else { Quantity::ALL.len() };
        let mut curves = RunCurves::new(study, &times, measures);
        let steps = match Steps::read(study, |run, sample| curves.take(run, sample)) {
            Ok(steps) => Some(Arc::new(steps)),
            Err(error) => return (Err(error.into()), None),
        };
        curves.end_run();
        if curves.changes.is_empty() {
            return (Err(Unrecorded::NoRows), steps);
        }
        let mut bands = vec![Vec::new(); measures];
        for part in parts {
            let mut of_part = vec![Vec::new(); measures];
            for joined in settings {
                // Rounding may put the last time beyond the longest run.
                let end = joined.known_until(study, Some(part)) * (1.0 + 1e-9);
                let end = times.partition_point(|time| *time <= end);
                for (measure, of_part) in of_part.iter_mut().enumerate() {
                    let runs = joined.runs_on(study, Some(part));
                    let values: Vec<Vec<f32>> =
                        runs.filter_map(|run| curves.values(run, measure, end)).collect();
                    of_part.push(Band::of(&values, end));
                }
            }
            for (bands, of_part) in bands.iter_mut().zip(of_part) {
                bands.push(of_part);
            }
        }
        drop(curves);
        (Ok(Self { bands, times }), steps)
    }

    /// The bands of all settings in a part; empty where the quantity is not followed.
    pub(crate) fn bands(&self, measure: Quantity, part: usize) -> &[Band] {
        self.bands.get(measure as usize).map_or(&[], |parts| &parts[part])
    }
}

/// The curves of all runs: the times from which on a quantity has another value, with that value. Runs without records and
/// those that failed have none.
struct RunCurves<'a> {
    study: &'a Study,
    times: &'a [f64],
    measures: usize,
    /// The index of a time and the value from then on, ascending within a curve.
    changes: Vec<(u16, f32)>,
    /// Where the curve of each quantity of each run begins and ends.
    places: Vec<(u32, u32)>,
    /// The run whose records are read, its curves so far, and the first time behind its last record.
    present: Option<usize>,
    curves: Vec<Vec<(u16, f32)>>,
    reached: u16,
}

impl<'a> RunCurves<'a> {
    fn new(study: &'a Study, times: &'a [f64], measures: usize) -> Self {
        let places = vec![(0, 0); study.runs.run.len() * measures];
        let curves = vec![Vec::new(); measures];
        Self { study, times, measures, changes: Vec::new(), places, present: None, curves, reached: 0 }
    }

    /// Takes the next recorded generation of a run.
    fn take(&mut self, run: usize, sample: &Sample) {
        if self.study.runs.has_failed(run) {
            return;
        }
        if self.present != Some(run) {
            self.end_run();
            (self.present, self.reached) = (Some(run), 0);
            self.curves.iter_mut().for_each(|curve| curve.push((0, UNKNOWN)));
        }
        self.reach(sample.calls());
        for (curve, quantity) in self.curves.iter_mut().zip(Quantity::ALL) {
            let mut value = quantity.of(sample);
            if quantity == Quantity::Best {
                // A population may lose its best; the best so far stays.
                value = last(curve).1.min(value);
            }
            change(curve, self.reached, value);
        }
    }

    /// Ends a run at its best, which an unrecorded generation may have found.
    fn end_run(&mut self) {
        let Some(run) = self.present.take() else { return };
        let runs = &self.study.runs;
        if let (Some(calls), Some(best)) = (runs.calls_to_best(run), runs.best_fitness[run]) {
            self.reach(calls);
            let best = last(&self.curves[0]).1.min(best as f32);
            change(&mut self.curves[0], self.reached, best);
        }
        for (measure, curve) in self.curves.iter_mut().enumerate() {
            let start = self.changes.len() as u32;
            self.changes.append(curve);
            self.places[run * self.measures + measure] = (start, self.changes.len() as u32);
        }
    }

    /// Goes on to the first time at which these calls have been made.
    fn reach(&mut self, calls: u64) {
        let first = self.times.partition_point(|time| *time < calls as f64) as u16;
        self.reached = self.reached.max(first);
    }

    /// The values of a quantity of a run at the first `end` times; `None` of a run without a curve.
    fn values(&self, run: usize, measure: usize, end: usize) -> Option<Vec<f32>> {
        let (start, stop) = self.places[run * self.measures + measure];
        let changes = &self.changes[start as usize..stop as usize];
        let mut values = Vec::with_capacity(end);
        for (place, (_, value)) in changes.iter().enumerate() {
            let until = changes.get(place + 1).map_or(end, |next| end.min(next.0 as usize));
            values.resize(until.max(values.len()), *value);
        }
        (!changes.is_empty()).then_some(values)
    }
}

/// The last change of a curve that has begun.
fn last(curve: &[(u16, f32)]) -> (u16, f32) {
    *curve.last().expect("a curve begins with an unknown value")
}

/// Gives a curve another value from a time on, which is not before that of its last change.
fn change(curve: &mut Vec<(u16, f32)>, first: u16, value: f32) {
    let (time, before) = last(curve);
    if first == time {
        curve.pop();
    } else if before.to_bits() == value.to_bits() {
        return;
    }
    curve.push((first, value));
}

impl Band {
    /// The quartiles of some curves at the first `times` times; empty without any.
    fn of(curves: &[Vec<f32>], times: usize) -> Self {
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
        let mut curve = vec![(0, UNKNOWN)];
        for (first, value) in [(1, 40.0), (2, 40.0), (3, 9.0), (3, 7.0)] {
            change(&mut curve, first, value);
        }
        assert!(curve[0].1.is_nan());
        assert_eq!(curve[1..], [(1, 40.0), (3, 7.0)]);
        change(&mut curve, 3, 40.0);
        assert_eq!(last(&curve), (3, 40.0));
    }

    #[test]
    fn a_band_begins_where_every_run_has_begun_and_ends_where_it_is_told() {
        let curves = [[UNKNOWN, 8.0, 4.0, 1.0], [9.0, 6.0, 6.0, 1.0], [UNKNOWN, 7.0, 5.0, 1.0]];
        let curves = curves.map(Vec::from);
        let band = Band::of(&curves, 3);
        assert_eq!(
            (band.first, &*band.median, &*band.low, &*band.high),
            (1, &[7.0, 5.0][..], &[6.0, 4.0][..], &[8.0, 6.0][..])
        );
        assert!(Band::of(&[], 3).is_empty() && Band::of(&[vec![UNKNOWN; 2]], 2).is_empty());
    }

    #[test]
    fn quartiles_are_those_of_the_runs() {
        assert_eq!([1, 2, 3].map(|quarters| quartile(&[1.0, 2.0, 3.0, 4.0], quarters)), [1.5, 2.5, 3.5]);
        assert_eq!([1, 2, 3].map(|quarters| quartile(&[5.0], quarters)), [5.0; 3]);
    }
}
