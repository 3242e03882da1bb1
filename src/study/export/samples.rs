//! The rows of convergence of the runs that a folder holds, one at a time.

use std::collections::BTreeMap;

use super::target::FileError;
use super::{Export, ExportError};
use crate::results::{ConvergenceRow, Folder};
use crate::study::StudyRun;

/// A run as its rows need it: the index of its setting in the study, and its row.
pub(super) type Owner<'a> = (usize, &'a StudyRun);

impl Export {
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
