//! The data of an export: the runs of some folders, the values of every setting by column, and convergence.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::ExportError;
use super::columns::{SettingColumns, distinguishing, settings_by_column};
use crate::experiment::{MEASURES, Sample, measure};
use crate::results::{ConvergenceRow, Folder, ResultsError, RunRow};
use crate::study::{Study, StudyRun};

/// The runs of some folders, ready to be written in any format.
pub struct Export {
    /// The runs by setting.
    pub(super) study: Study,
    /// The keys that any folder sweeps, with a value for every setting.
    pub(super) swept: SettingColumns,
    /// The other keys of the configurations.
    pub(super) fixed: SettingColumns,
    /// The keys that distinguish the settings: the swept keys of one folder, or the keys in which several differ.
    pub(super) distinguishing: SettingColumns,
    /// Seconds of wall time by folder and run.
    pub(super) wall_s: BTreeMap<(usize, u64), f64>,
}

/// The measure that bounds the fitness at the first call.
const WORST: usize = measure("worst");

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
    fn add(&mut self, row: &Sample) {
        self.worst_at_first = self.worst_at_first.or(row.value(WORST).map(|worst| worst as u32));
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
        let (found, end) = (row.calls_to_best().unwrap_or(0).max(1), row.calls().max(1));
        let least = row.best_fitness.unwrap_or(u32::MAX);
        let worst = self.worst_at_first.unwrap_or(least).max(least);
        let mut curve = vec![(1, worst)];
        let before = |step: &&(u64, u32)| step.0 < found && step.1 > least;
        let steps = self.steps.iter().filter(before).copied();
        for (calls, best) in steps.chain([(found, least), (end, least)]) {
            match curve.last_mut() {
                Some(last) if last.0 >= calls => last.1 = last.1.min(best),
                Some(last) if last.1 == best && calls < end => {}
                _ => curve.push((calls, best)),
            }
        }
        curve
    }
}

/// The index of a setting in the study, and one of its runs.
pub(super) type Owner<'a> = (usize, &'a StudyRun);

impl Export {
    /// Reads the finished runs of the folders.
    ///
    /// # Errors
    /// [`ExportError::NoRuns`], and the errors of [`Study::read`].
    pub fn read(folders: &[PathBuf]) -> Result<Self, ExportError> {
        let study = Study::read(folders)?;
        if study.settings.iter().all(|setting| setting.runs.is_empty()) {
            return Err(ExportError::NoRuns { path: folders.first().cloned().unwrap_or_default() });
        }
        let (swept, fixed) = settings_by_column(&study);
        let mut wall_s = BTreeMap::new();
        for (source, folder) in folders.iter().enumerate() {
            // Timing may be missing.
            let timing = Folder::timing(folder).unwrap_or_default();
            wall_s.extend(timing.into_values().map(|row| ((source, row.run), row.wall_s)));
        }
        Ok(Self { distinguishing: distinguishing(&study), study, swept, fixed, wall_s })
    }

    /// Notes on the folders that hold only a part of their experiment.
    pub fn partial(&self) -> impl Iterator<Item = String> {
        self.study.partial()
    }

    /// Every run with the index of its setting in the study, in the order of folders and runs.
    pub(super) fn runs(&self) -> Vec<Owner<'_>> {
        let settings = self.study.settings.iter().enumerate();
        let mut runs: Vec<Owner<'_>> =
            settings.flat_map(|(index, setting)| setting.runs.iter().map(move |run| (index, run))).collect();
        runs.sort_by_key(|(setting, run)| (self.study.settings[*setting].source, run.row.run));
        runs
    }

    /// Refuses folders without convergence.
    ///
    /// # Errors
    /// [`ExportError::NoConvergence`].
    pub(super) fn needs_convergence(&self) -> Result<(), ExportError> {
        let mut sources = self.study.sources.iter();
        match sources.find(|source| source.plan.config.record_every.is_never()) {
            Some(source) => Err(ExportError::NoConvergence { path: source.path.clone() }),
            None => Ok(()),
        }
    }

    /// Hands over the rows of convergence of the finished runs of a folder, in order.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`], and the errors of `take`.
    pub(super) fn each_sample<E: From<ResultsError>>(
        &self,
        source: usize,
        mut take: impl FnMut(Owner<'_>, ConvergenceRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let folder = &self.study.sources[source].path;
        let here = |(setting, _): &Owner<'_>| self.study.settings[*setting].source == source;
        let runs: BTreeMap<u64, Owner<'_>> =
            self.runs().into_iter().filter(here).map(|owner| (owner.1.row.run, owner)).collect();
        Folder::try_each(folder, |row: ConvergenceRow| match runs.get(&row.run) {
            Some(owner) => take(*owner, row),
            None => Ok(()),
        })
    }

    /// The improvements of every run of a folder that has rows of convergence.
    ///
    /// # Errors
    /// [`ExportError::NoWorst`], and the errors of [`each_sample`](Self::each_sample).
    pub(super) fn improvements(&self, source: usize) -> Result<BTreeMap<u64, Improvements>, ExportError> {
        let folder = &self.study.sources[source];
        if !folder.plan.config.keeps(&MEASURES[WORST]) {
            return Err(ExportError::NoWorst { path: folder.path.clone() });
        }
        let mut all: BTreeMap<u64, Improvements> = BTreeMap::new();
        self.each_sample(source, |_, row| -> Result<(), ExportError> {
            all.entry(row.run).or_default().add(&row.sample);
            Ok(())
        })?;
        Ok(all)
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
}
