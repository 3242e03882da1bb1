//! What is exported: the runs of some folders, and the values of every setting by column.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::ExportError;
use super::columns::{SettingColumns, distinguishing, settings_by_column};
use super::error::FileError;
use crate::results::{ConvergenceRow, Folder};
use crate::study::{Study, StudyRun};

/// The runs of some folders, ready to be written in any format.
pub struct Export {
    /// The runs by setting.
    pub(super) study: Study,
    /// The keys that any folder sweeps, with a value for every setting.
    pub(super) swept: SettingColumns,
    /// The other keys of the configurations.
    pub(super) fixed: SettingColumns,
    /// The keys that tell the settings apart: of one folder those that it sweeps, of several those in which they differ.
    pub(super) distinguishing: SettingColumns,
    /// Seconds of wall time by folder and run.
    pub(super) wall_s: BTreeMap<(usize, u64), f64>,
}

/// A run as its rows need it: the index of its setting in the study, and its row.
pub(super) type Owner<'a> = (usize, &'a StudyRun);

impl Export {
    /// Reads the runs that folders hold; of an experiment that has not ended those that are there.
    ///
    /// # Errors
    /// [`ExportError::NoRuns`], and what [`Study::read`] refuses.
    pub fn read(folders: &[PathBuf]) -> Result<Self, ExportError> {
        let study = Study::read(folders)?;
        if study.settings.iter().all(|setting| setting.runs.is_empty()) {
            return Err(ExportError::NoRuns { path: folders.first().cloned().unwrap_or_default() });
        }
        let (swept, fixed) = settings_by_column(&study);
        let mut wall_s = BTreeMap::new();
        for (source, folder) in folders.iter().enumerate() {
            // Like those of CPU time they may be gone.
            let timing = Folder::timing(folder).unwrap_or_default();
            wall_s.extend(timing.into_values().map(|row| ((source, row.run), row.wall_s)));
        }
        Ok(Self { distinguishing: distinguishing(&study), study, swept, fixed, wall_s })
    }

    /// What people should know of folders that hold a part of their experiment.
    pub fn partial(&self) -> impl Iterator<Item = String> {
        self.study.partial()
    }

    /// Every run with the index of its setting in the study, in the order of folders and runs.
    pub(super) fn runs(&self) -> Vec<(usize, &StudyRun)> {
        let settings = self.study.settings.iter().enumerate();
        let mut runs: Vec<(usize, &StudyRun)> =
            settings.flat_map(|(index, setting)| setting.runs.iter().map(move |run| (index, run))).collect();
        runs.sort_by_key(|(setting, run)| (self.study.settings[*setting].source, run.row.run));
        runs
    }

    /// Refuses folders that keep no convergence.
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

    /// Hands over the rows of convergence of a folder, in order. What an experiment that has not ended has written of a
    /// run that is not there yet is left out.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`], and what `take` says.
    pub(super) fn each_sample(
        &self,
        source: usize,
        take: &mut dyn FnMut(Owner<'_>, ConvergenceRow) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let folder = &self.study.sources[source].path;
        let here = |(setting, _): &Owner<'_>| self.study.settings[*setting].source == source;
        let runs: BTreeMap<u64, Owner<'_>> =
            self.runs().into_iter().filter(here).map(|owner| (owner.1.row.run, owner)).collect();
        Folder::each_sample(folder, |row| match runs.get(&row.run) {
            Some(owner) => take(*owner, row),
            None => Ok(()),
        })
    }
}
