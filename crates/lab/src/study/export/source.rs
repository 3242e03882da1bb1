//! The data of an export: the runs of some folders, the values of every setting by column, and convergence.

use std::path::PathBuf;

use super::ExportError;
use super::columns::{KeyColumns, distinguishing, settings_by_column};
use crate::experiment::MEASURES;
use crate::study::Study;
use crate::study::improvements::{Improvements, WORST};

/// The runs of some folders, ready to be written in any format.
pub struct Export {
    /// The runs by setting.
    pub(super) study: Study,
    /// The keys that any folder sweeps, with a value for every setting.
    pub(super) swept: KeyColumns,
    /// The other keys of the configurations.
    pub(super) fixed: KeyColumns,
    /// The keys that distinguish the settings: the swept keys of one folder, or the keys in which several differ.
    pub(super) distinguishing: KeyColumns,
}

impl Export {
    /// Reads the finished runs of the folders.
    ///
    /// # Errors
    /// [`ExportError::NoRuns`], [`ExportError::NoneUsed`], and the errors of [`Study::read`].
    pub fn read(folders: &[PathBuf]) -> Result<Self, ExportError> {
        let study = Study::read_with_grids(folders, true)?;
        // An empty table would look like one that was written.
        if study.counted_runs().next().is_none() {
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
        Ok(Self { distinguishing: distinguishing(&study), study, swept, fixed })
    }

    /// Notes on the folders that hold only a part of their experiment.
    pub fn partial(&self) -> impl Iterator<Item = String> {
        self.study.partial()
    }

    /// Every run, in the order of folders and runs.
    pub(super) fn runs(&self) -> impl Iterator<Item = usize> {
        (0..self.study.runs.len()).filter(|run| self.study.runs.counts(*run))
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

    /// Adds the improvements of the runs of a folder to those of all runs.
    ///
    /// # Errors
    /// [`ExportError::NoWorst`], and the errors of [`Study::each_sample`].
    pub(super) fn read_improvements(
        &self,
        index: usize,
        all: &mut [Improvements],
    ) -> Result<(), ExportError> {
        let folder = &self.study.folders[index];
        if !folder.plan.config.keeps(&MEASURES[WORST]) {
            return Err(ExportError::NoWorst { path: folder.path.clone() });
        }
        self.study.each_sample(index, |run, sample| {
            all[run].add(sample);
            Ok(())
        })
    }
}
