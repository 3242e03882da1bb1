//! The rows of convergence of the runs that a folder holds, one at a time.

use std::collections::BTreeMap;
use std::fs::File;

use super::target::FileError;
use super::{Export, ExportError};
use crate::results::files::{CHECKSUMS, CONVERGENCE};
use crate::results::{ConvergenceRow, ResultsError, StudyRun};

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
        let has_ended = folder.join(CHECKSUMS).exists();
        let last = runs.keys().next_back().copied();
        let mut latest = None;
        let path = folder.join(CONVERGENCE);
        let file =
            File::open(&path).map_err(|error| ExportError::from(ResultsError::io("read", &path)(error)))?;
        for row in ::csv::Reader::from_reader(file).into_deserialize() {
            let row: ConvergenceRow = match row {
                Ok(row) => row,
                // The torn end of a run that has not ended.
                Err(_) if !has_ended && latest >= last => break,
                Err(error) => return Err(ExportError::from(damaged(path, &error)).into()),
            };
            latest = Some(row.run);
            if let Some(owner) = runs.get(&row.run) {
                take(*owner, row)?;
            }
        }
        Ok(())
    }
}

fn damaged(path: std::path::PathBuf, error: &::csv::Error) -> ResultsError {
    let at = error.position().map_or(String::new(), |at| format!(", line {}", at.line()));
    ResultsError::Damaged { path, at, problem: error.to_string() }
}
