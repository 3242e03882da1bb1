//! The rows that a validation reads: those of the runs that the ledger lists.

use std::fs;
use std::path::Path;

use super::replay::first_other;
use crate::experiment::Plan;
use crate::results::ResultsError;
use crate::results::files::{RUNS, TIMING, place_of};
use crate::results::recovery::CompleteRuns;
use crate::results::rows::{CsvRow, Numbered, RunRow};
use crate::results::run_files::run_files_of;
use crate::results::run_reader::{RunReader, RunRows};

/// The files that runs append to, as far as the ledger lists their runs.
pub(super) struct RunFiles<'a> {
    pub(super) folder: &'a Path,
    pub(super) plan: &'a Plan,
    pub(super) complete: &'a CompleteRuns,
}

/// The rows of `runs.csv`.
pub(super) struct ListedRows {
    pub(super) rows: Vec<Numbered<RunRow>>,
    /// The lines that kenga writes differently.
    pub(super) odd_lines: Vec<u64>,
}

impl RunFiles<'_> {
    /// A reader of a file; `None` where the configuration does not ask for it, or no run is complete yet. Times may be missing.
    pub(super) fn reader(&self, name: &str) -> Result<Option<RunReader>, ResultsError> {
        let Some(file) = run_files_of(self.plan).find(|file| file.name == name) else {
            return Ok(None);
        };
        let file = file.row_file(self.plan);
        let is_lost = || {
            let text = fs::read(place_of(self.folder, file.stored)).unwrap_or_default();
            file.header.starts_with(&text) && text != file.header
        };
        if self.complete.len() == 0 || name == TIMING && is_lost() {
            return Ok(None);
        }
        self.complete.reader(self.folder, &file, 1).map(Some)
    }

    pub(super) fn listed(&self) -> Result<ListedRows, ResultsError> {
        let mut listed = ListedRows { rows: Vec::new(), odd_lines: Vec::new() };
        if let Some(mut reader) = self.reader(RUNS)? {
            while reader.next()?.is_some() {
                let of_run = reader.rows()?;
                listed.odd_lines.extend(self.odd_line(reader.current(), &of_run));
                listed.rows.extend(of_run);
            }
        }
        Ok(listed)
    }

    /// The first line of a run's rows that kenga writes differently.
    pub(super) fn odd_line<T: CsvRow>(&self, run_rows: &RunRows, rows: &[Numbered<T>]) -> Option<u64> {
        let rows = rows.iter().map(|numbered| numbered.row.clone());
        first_other(run_rows.line, &run_rows.text, &T::text(rows, &self.plan.config)).map(|other| other.line)
    }
}
