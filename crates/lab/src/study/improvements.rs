//! The best fitness of every run over its calls, read from the convergence of a folder.

use super::{Runs, Study};
use crate::experiment::{Sample, measure};
use crate::results::ResultsError;

/// The measure that bounds the fitness at the first call.
pub(super) const WORST: usize = measure("worst");

/// The improvements of a run: calls (evaluations and moves), and the best so far by then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Improvements {
    /// The highest fitness of the first record.
    worst_at_first: Option<u32>,
    /// Calls, and the best so far, falling.
    steps: Vec<(u64, u32)>,
}

impl Improvements {
    /// Takes the next row of the run's convergence.
    pub(super) fn add(&mut self, row: &Sample) {
        if self.worst_at_first.is_none() {
            self.worst_at_first = row.value(WORST).map(|worst| worst as u32);
        }
        if self.steps.last().is_none_or(|(_, best)| row.best < *best) {
            self.steps.push((row.calls(), row.best));
        }
    }

    /// Calls and the best so far, from call 1 to the last: calls rise, the best never does, and is never better than it was
    /// at that call.
    ///
    /// The point at call 1 is the worst of the first record, which the first individual cannot exceed. The call of the best
    /// of the run is exact; other improvements are at the call where they were recorded. A run without an evaluation is at
    /// the largest number.
    pub(super) fn curve(&self, runs: &Runs, run: usize) -> Vec<(u64, u32)> {
        // Curves begin at call 1: axes of calls are logarithmic.
        let (found, end) = (runs.calls_to_best(run).unwrap_or(0).max(1), runs.spent(run).max(1));
        let least = runs.best_fitness[run].unwrap_or(u32::MAX);
        let worst = self.worst_at_first.unwrap_or(least).max(least);
        // Records are made at the ends of generations: the best was found before the record that shows it.
        let mut points: Vec<(u64, u32)> = self.before(found, least).collect();
        points.extend([(found, least), (end, least)]);
        let mut curve = vec![(1, worst)];
        for (calls, best) in points {
            match curve.last_mut() {
                Some(last) if last.0 >= calls => last.1 = last.1.min(best),
                Some(last) if last.1 == best && calls < end => {}
                _ => curve.push((calls, best)),
            }
        }
        curve
    }

    /// The recorded steps before the best of the run.
    fn before(&self, found: u64, least: u32) -> impl Iterator<Item = (u64, u32)> {
        self.steps.iter().copied().filter(move |(calls, best)| *calls < found && *best > least)
    }
}

/// Calls, and the best fitness from then on; see [`area_over_curve`](kenga_stats::area_over_curve).
pub(super) type Step = (f64, f64);

/// The steps of every run of a study from its first record to its best, whose call is exact. A run without records has the last
/// one alone, one without an evaluation none.
#[derive(Default)]
pub struct Steps {
    steps: Vec<Step>,
    /// Where those of each run begin and end.
    places: Vec<(u32, u32)>,
}

impl Steps {
    /// Reads the steps of all runs. `also` is given every recorded generation with its run, so that a file is read once.
    ///
    /// # Errors
    /// Those of [`Study::each_sample`].
    pub fn read(study: &Study, mut also: impl FnMut(usize, &Sample)) -> Result<Self, ResultsError> {
        let mut all = Self { steps: Vec::new(), places: vec![(0, 0); study.runs.len()] };
        let mut is_recorded = vec![false; study.runs.len()];
        for folder in 0..study.folders.len() {
            let (mut last, mut improvements) = (None, Improvements::default());
            study.each_sample(folder, |run, sample| -> Result<(), ResultsError> {
                if last != Some(run) {
                    let ended = std::mem::take(&mut improvements);
                    if let Some(last) = last.replace(run) {
                        all.add(&study.runs, last, &ended);
                    }
                    is_recorded[run] = true;
                }
                improvements.add(sample);
                also(run, sample);
                Ok(())
            })?;
            if let Some(last) = last {
                all.add(&study.runs, last, &improvements);
            }
        }
        for run in (0..is_recorded.len()).filter(|run| !is_recorded[*run]) {
            all.add(&study.runs, run, &Improvements::default());
        }
        Ok(all)
    }

    fn add(&mut self, runs: &Runs, run: usize, improvements: &Improvements) {
        let start = self.steps.len() as u32;
        if let (Some(found), Some(least)) = (runs.calls_to_best(run), runs.best_fitness[run]) {
            let steps = improvements.before(found, least).chain([(found, least)]);
            self.steps.extend(steps.map(|(calls, best)| (calls as f64, f64::from(best))));
        }
        self.places[run] = (start, self.steps.len() as u32);
    }

    /// The steps of a run.
    pub(super) fn of_run(&self, run: usize) -> &[Step] {
        let (start, end) = self.places[run];
        &self.steps[start as usize..end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::RunRow;

    /// The only run of some.
    fn run(calls: u64, found: u64, best_fitness: u32) -> Runs {
        let mut runs = Runs::default();
        runs.push(&RunRow {
            run: 0,
            puzzle: String::new(),
            setting: 0,
            replicate: 0,
            swept: Vec::new(),
            solved: best_fitness == 0,
            verified: best_fitness == 0,
            solved_by: None,
            evaluations: calls,
            moves: 0,
            generations: 0,
            best_fitness: Some(best_fitness),
            evaluations_to_best: Some(found),
            moves_to_best: Some(0),
            stop_reason: "evaluations".to_owned(),
            dead_at: None,
            distance: None,
            grid: String::new(),
        })
        .expect("a known stop reason");
        runs
    }

    /// The same without an evaluation.
    fn nothing() -> Runs {
        Runs {
            best_fitness: vec![None],
            evaluations_to_best: vec![None],
            moves_to_best: vec![None],
            ..run(0, 0, 1)
        }
    }

    fn attained(improvements: &Improvements, runs: &Runs) -> Vec<Step> {
        let mut all = Steps { steps: Vec::new(), places: vec![(0, 0)] };
        all.add(runs, 0, improvements);
        all.of_run(0).to_vec()
    }

    fn recorded(worst: u32, steps: &[(u64, u32)]) -> Improvements {
        Improvements { worst_at_first: Some(worst), steps: steps.to_vec() }
    }

    #[test]
    fn a_curve_goes_from_call_one_to_the_last_and_never_rises() {
        let steps = recorded(30, &[(10, 13), (20, 11), (40, 7)]);
        assert_eq!(steps.curve(&run(50, 33, 7), 0), [(1, 30), (10, 13), (20, 11), (33, 7), (50, 7)]);
        assert_eq!(steps.curve(&run(33, 33, 7), 0), [(1, 30), (10, 13), (20, 11), (33, 7)]);
    }

    #[test]
    fn a_best_that_was_found_before_the_first_record_stands_where_it_was_found() {
        assert_eq!(recorded(30, &[(10, 13)]).curve(&run(50, 4, 13), 0), [(1, 30), (4, 13), (50, 13)]);
        assert_eq!(recorded(30, &[(10, 13)]).curve(&run(50, 1, 13), 0), [(1, 13), (50, 13)]);
    }

    #[test]
    fn a_run_without_an_evaluation_comes_near_to_nothing() {
        assert_eq!(Improvements::default().curve(&nothing(), 0), [(1, u32::MAX)]);
    }

    #[test]
    fn a_run_without_records_is_known_by_its_end() {
        assert_eq!(Improvements::default().curve(&run(0, 0, 0), 0), [(1, 0)]);
        assert_eq!(Improvements::default().curve(&run(1, 1, 9), 0), [(1, 9)]);
        assert_eq!(Improvements::default().curve(&run(9, 5, 3), 0), [(1, 3), (9, 3)]);
    }

    #[test]
    fn what_a_run_attained_begins_with_its_first_record() {
        let steps = recorded(30, &[(10, 13), (20, 11), (40, 7)]);
        assert_eq!(attained(&steps, &run(50, 33, 7)), [(10.0, 13.0), (20.0, 11.0), (33.0, 7.0)]);
        assert_eq!(attained(&Improvements::default(), &run(9, 5, 3)), [(5.0, 3.0)]);
        assert_eq!(attained(&Improvements::default(), &nothing()), []);
    }
}
