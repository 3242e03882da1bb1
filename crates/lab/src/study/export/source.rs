//! The data of an export: the runs of some folders, the values of every setting by column, and convergence.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::ExportError;
use super::columns::{SettingColumns, distinguishing, settings_by_column};
use crate::experiment::MEASURES;
use crate::results::{ConvergenceRow, ResultsError};
use crate::study::improvements::{Improvements, WORST};
use crate::study::{Study, StudyRun};
use kenga_core::sort::sort_by_key;

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

/// A run with its setting.
#[derive(Clone, Copy)]
pub(super) struct SettingRun<'a> {
    /// The index of the setting in the study.
    pub(super) setting: usize,
    pub(super) run: &'a StudyRun,
}

impl Export {
    /// Reads the finished runs of the folders.
    ///
    /// # Errors
    /// [`ExportError::NoRuns`], [`ExportError::NoneUsed`], and the errors of [`Study::read`].
    pub fn read(folders: &[PathBuf]) -> Result<Self, ExportError> {
        let study = Study::read(folders)?;
        // An empty table would look like one that was written.
        if study.settings.iter().all(|setting| setting.runs.is_empty()) {
            for folder in &study.folders {
                if folder.rows.note().is_some()
                    && let Some(note) = folder.partial()
                {
                    return Err(ExportError::NoneUsed { note });
                }
            }
            return Err(ExportError::NoRuns { path: folders.first().cloned().unwrap_or_default() });
        }
        let (swept, fixed) = settings_by_column(&study);
        let mut wall_s = BTreeMap::new();
        for (index, folder) in study.folders.iter().enumerate() {
            // Timing may be missing.
            for row in folder.rows.timing().unwrap_or_default().into_values() {
                wall_s.insert((index, row.run), row.wall_s);
            }
        }
        Ok(Self { distinguishing: distinguishing(&study), study, swept, fixed, wall_s })
    }

    /// Notes on the folders that hold only a part of their experiment.
    pub fn partial(&self) -> impl Iterator<Item = String> {
        self.study.partial()
    }

    /// Every run, in the order of folders and runs.
    pub(super) fn runs(&self) -> Vec<SettingRun<'_>> {
        let mut runs = Vec::new();
        for (index, setting) in self.study.settings.iter().enumerate() {
            for run in &setting.runs {
                runs.push(SettingRun { setting: index, run });
            }
        }
        sort_by_key(&mut runs, |of| (of.run.folder, of.run.row.run));
        runs
    }

    /// Refuses folders without convergence.
    ///
    /// # Errors
    /// [`ExportError::NoConvergence`].
    pub(super) fn needs_convergence(&self) -> Result<(), ExportError> {
        for folder in &self.study.folders {
            if folder.plan.config.record_every.is_never() {
                return Err(ExportError::NoConvergence { path: folder.path.clone() });
            }
        }
        Ok(())
    }

    /// Hands over the rows of convergence of the finished runs of a folder, in order.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`], and the errors of `take`.
    pub(super) fn each_sample<E: From<ResultsError>>(
        &self,
        folder: usize,
        mut take: impl FnMut(SettingRun<'_>, ConvergenceRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut runs = BTreeMap::new();
        for of in self.runs() {
            if of.run.folder == folder {
                runs.insert(of.run.row.run, of);
            }
        }
        self.study.folders[folder].rows.try_each(|row: ConvergenceRow| match runs.get(&row.run) {
            Some(of) => take(*of, row),
            None => Ok(()),
        })
    }

    /// The improvements of every run of a folder that has rows of convergence.
    ///
    /// # Errors
    /// [`ExportError::NoWorst`], and the errors of [`each_sample`](Self::each_sample).
    pub(super) fn improvements(&self, index: usize) -> Result<BTreeMap<u64, Improvements>, ExportError> {
        let folder = &self.study.folders[index];
        if !folder.plan.config.keeps(&MEASURES[WORST]) {
            return Err(ExportError::NoWorst { path: folder.path.clone() });
        }
        let mut all: BTreeMap<u64, Improvements> = BTreeMap::new();
        self.each_sample(index, |_, row| -> Result<(), ExportError> {
            all.entry(row.run).or_default().add(&row.sample);
            Ok(())
        })?;
        Ok(all)
    }
}
