//! The best fitness of every run over its calls, read from the convergence of a folder.

use std::collections::BTreeMap;

use super::Study;
use crate::experiment::{Sample, measure};
use crate::results::{ConvergenceRow, ResultsError, RunRow};

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
    pub(super) fn curve(&self, row: &RunRow) -> Vec<(u64, u32)> {
        // Curves begin at call 1: axes of calls are logarithmic.
        let (found, end) = (row.calls_to_best().unwrap_or(0).max(1), row.calls().max(1));
        let least = row.best_fitness.unwrap_or(u32::MAX);
        let worst = self.worst_at_first.unwrap_or(least).max(least);
        // Records are made at the ends of generations: the best was found before the record that shows it.
        let mut points = self.before(found, least);
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
    fn before(&self, found: u64, least: u32) -> Vec<(u64, u32)> {
        let mut steps = self.steps.clone();
        steps.retain(|(calls, best)| *calls < found && *best > least);
        steps
    }

    /// The steps from the first record to the best of the run, whose call is exact. Empty for a run without an evaluation.
    fn attained(&self, row: &RunRow) -> Vec<Step> {
        let (Some(found), Some(least)) = (row.calls_to_best(), row.best_fitness) else { return Vec::new() };
        let mut steps = self.before(found, least);
        steps.push((found, least));
        steps.into_iter().map(|(calls, best)| (calls as f64, f64::from(best))).collect()
    }
}

/// Calls, and the best fitness from then on; see [`area_over_curve`](kenga_stats::area_over_curve).
pub(super) type Step = (f64, f64);

/// The steps of the finished runs of a folder, by run.
pub(super) type Steps = BTreeMap<u64, Vec<Step>>;

impl Study {
    /// The steps of every finished run of a folder. A run without records has the step to its best alone.
    ///
    /// # Errors
    /// Those of [`FolderRows::each`](crate::results::FolderRows::each).
    pub(super) fn steps(&self, folder: usize) -> Result<Steps, ResultsError> {
        let mut runs: BTreeMap<u64, (&RunRow, Improvements)> = BTreeMap::new();
        for setting in self.settings.iter().filter(|setting| setting.folder == folder) {
            for run in &setting.runs {
                runs.insert(run.row.run, (&run.row, Improvements::default()));
            }
        }
        self.folders[folder].rows.each(|row: ConvergenceRow| {
            if let Some((_, improvements)) = runs.get_mut(&row.run) {
                improvements.add(&row.sample);
            }
        })?;
        let mut steps = Steps::new();
        for (run, (row, improvements)) in runs {
            steps.insert(run, improvements.attained(row));
        }
        Ok(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(calls: u64, found: u64, best_fitness: u32) -> RunRow {
        RunRow {
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
            stop_reason: String::new(),
            dead_at: None,
            distance: None,
            grid: String::new(),
        }
    }

    fn recorded(worst: u32, steps: &[(u64, u32)]) -> Improvements {
        Improvements { worst_at_first: Some(worst), steps: steps.to_vec() }
    }

    #[test]
    fn a_curve_goes_from_call_one_to_the_last_and_never_rises() {
        let steps = recorded(30, &[(10, 13), (20, 11), (40, 7)]);
        assert_eq!(steps.curve(&run(50, 33, 7)), [(1, 30), (10, 13), (20, 11), (33, 7), (50, 7)]);
        assert_eq!(steps.curve(&run(33, 33, 7)), [(1, 30), (10, 13), (20, 11), (33, 7)]);
    }

    #[test]
    fn a_best_that_was_found_before_the_first_record_stands_where_it_was_found() {
        assert_eq!(recorded(30, &[(10, 13)]).curve(&run(50, 4, 13)), [(1, 30), (4, 13), (50, 13)]);
        assert_eq!(recorded(30, &[(10, 13)]).curve(&run(50, 1, 13)), [(1, 13), (50, 13)]);
    }

    #[test]
    fn a_run_without_an_evaluation_comes_near_to_nothing() {
        let nothing =
            RunRow { best_fitness: None, evaluations_to_best: None, moves_to_best: None, ..run(0, 0, 1) };
        assert_eq!(Improvements::default().curve(&nothing), [(1, u32::MAX)]);
    }

    #[test]
    fn a_run_without_records_is_known_by_its_end() {
        assert_eq!(Improvements::default().curve(&run(0, 0, 0)), [(1, 0)]);
        assert_eq!(Improvements::default().curve(&run(1, 1, 9)), [(1, 9)]);
        assert_eq!(Improvements::default().curve(&run(9, 5, 3)), [(1, 3), (9, 3)]);
    }

    #[test]
    fn what_a_run_attained_begins_with_its_first_record() {
        let steps = recorded(30, &[(10, 13), (20, 11), (40, 7)]);
        assert_eq!(steps.attained(&run(50, 33, 7)), [(10.0, 13.0), (20.0, 11.0), (33.0, 7.0)]);
        assert_eq!(Improvements::default().attained(&run(9, 5, 3)), [(5.0, 3.0)]);
        let nothing = RunRow { best_fitness: None, ..run(0, 0, 1) };
        assert_eq!(Improvements::default().attained(&nothing), []);
    }
}
