//! The runs that a tuning, or a shard of one, records in its folder: `runs.csv`, and why some failed in `failures.csv`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::manifest::{FAILURES, RUNS};
use super::recorded::{RecordedRun, run_columns};
use super::{Outcome, RunRequest};
use crate::results::{Appender, ResultsError, write_whole};
use kenga_core::search::Failure;
use kenga_core::text::{cell, from_cell};

const FAILURE_COLUMNS: &str = "run,candidate,puzzle,reason,stderr\n";

/// The recorded runs of a folder, open for more.
pub(super) struct RunLog {
    path: PathBuf,
    /// Locked while it is open.
    runs: Box<dyn Appender>,
    /// `runs.csv` has a column of costs.
    has_costs: bool,
}

impl RunLog {
    /// Opens the log of a folder, which is claimed, and reads its runs.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub(super) fn open(
        path: &Path,
        mut runs: Box<dyn Appender>,
        has_costs: bool,
    ) -> Result<(Self, Vec<RecordedRun>), ResultsError> {
        let at = path.join(RUNS);
        let text = fs::read_to_string(&at).map_err(ResultsError::io("read", &at))?;
        // A row that a killed program left unfinished is made again.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut recorded = Vec::new();
        if whole > 0 {
            recorded = read_rows(&at, without_columns(&at, &text[..whole], has_costs)?, 2, has_costs)?;
        }
        // Cut only now: a file that is not ours stays as it is.
        runs.cut(whole as u64).map_err(ResultsError::io("write", &at))?;
        if whole == 0 {
            runs.append(run_columns(has_costs).as_bytes()).map_err(ResultsError::io("write", &at))?;
        }
        cut_failures(path, &recorded)?;
        Ok((Self { path: path.to_owned(), runs, has_costs }, recorded))
    }

    /// Records a run.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(super) fn add(&mut self, recorded: &RecordedRun) -> Result<(), ResultsError> {
        let RecordedRun { run, request, outcome: Outcome { failure, .. }, .. } = recorded;
        if let Some(failure) = failure {
            // Before its run: whoever is killed in between leaves a row too many, which resuming takes out.
            append(&self.path.join(FAILURES), FAILURE_COLUMNS, &failure_row(*run, request, failure))?;
        }
        let at = self.path.join(RUNS);
        let row = recorded.row(self.has_costs);
        self.runs.append(row.as_bytes()).map_err(ResultsError::io("write", &at))
    }
}

/// The rows of a `runs.csv` from its text, which begins with the columns.
///
/// # Errors
/// [`ResultsError::Damaged`] where it has others.
pub(super) fn without_columns<'a>(
    at: &Path,
    text: &'a str,
    has_costs: bool,
) -> Result<&'a str, ResultsError> {
    let columns = run_columns(has_costs);
    text.strip_prefix(&columns)
        .ok_or_else(|| ResultsError::damaged(at, format!("its first line is not {}", columns.trim_end())))
}

/// The runs of whole rows of a `runs.csv`; `first` is the number of the first line.
///
/// # Errors
/// [`ResultsError::Damaged`].
pub(super) fn read_rows(
    at: &Path,
    text: &str,
    first: u64,
    has_costs: bool,
) -> Result<Vec<RecordedRun>, ResultsError> {
    let mut recorded = Vec::new();
    for (line, row) in (first..).zip(text.split_terminator('\n')) {
        match RecordedRun::read(row, has_costs) {
            Some(run) if run.row(has_costs).trim_end() == row => recorded.push(run),
            _ => {
                let problem = format!("line {line} is not a run as kenga writes it");
                return Err(ResultsError::damaged(at, problem));
            }
        }
    }
    Ok(recorded)
}

/// Why a run failed, as a row.
fn failure_row(run: u64, request: &RunRequest, failure: &Failure) -> String {
    let quoted = |text: &str| {
        let on_one_line = text.lines().collect::<Vec<_>>().join(" / ");
        format!("\"{}\"", cell(&on_one_line).replace('"', "\"\""))
    };
    let (candidate, puzzle) = (request.candidate, request.place.0);
    format!("{run},{candidate},{puzzle},{},{}\n", quoted(&failure.reason), quoted(&failure.stderr))
}

/// Why runs failed, by their index; nothing for a folder in which none did.
///
/// # Errors
/// [`ResultsError::Damaged`], [`ResultsError::Io`].
pub(super) fn read_failures(path: &Path) -> Result<BTreeMap<u64, Failure>, ResultsError> {
    let at = path.join(FAILURES);
    let mut failures = BTreeMap::new();
    if !at.exists() {
        return Ok(failures);
    }
    let text = fs::read(&at).map_err(ResultsError::io("read", &at))?;
    // A program that is killed or still writes leaves its last row torn.
    let end = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    for row in csv::Reader::from_reader(&text[..end]).into_deserialize::<FailureCells>() {
        let (run, _, _, reason, stderr) =
            row.map_err(|error| ResultsError::damaged(&at, error.to_string()))?;
        let (reason, stderr) = (from_cell(&reason).to_owned(), from_cell(&stderr).to_owned());
        failures.insert(run, Failure { reason, stderr });
    }
    Ok(failures)
}

/// The cells of a row of `failures.csv`.
type FailureCells = (u64, u64, u64, String, String);

/// Adds a row to a table, which begins with its columns.
fn append(at: &Path, columns: &str, row: &str) -> Result<(), ResultsError> {
    let mut text = if at.exists() { String::new() } else { columns.to_owned() };
    text += row;
    let file = fs::OpenOptions::new().append(true).create(true).open(at);
    let mut file = file.map_err(ResultsError::io("open", at))?;
    file.write_all(text.as_bytes()).map_err(ResultsError::io("write", at))
}

/// Takes out of the failures what is of no recorded run: a killed program has left it.
fn cut_failures(path: &Path, runs: &[RecordedRun]) -> Result<(), ResultsError> {
    let at = path.join(FAILURES);
    if !at.exists() {
        return Ok(());
    }
    let text = fs::read_to_string(&at).map_err(ResultsError::io("read", &at))?;
    let runs: BTreeSet<u64> = runs.iter().map(|recorded| recorded.run).collect();
    let mut kept = FAILURE_COLUMNS.to_owned();
    for row in text.split_inclusive('\n').skip(1) {
        let run = row.split(',').next().and_then(|cell| cell.parse::<u64>().ok());
        if row.ends_with('\n') && run.is_some_and(|run| runs.contains(&run)) {
            kept += row;
        }
    }
    if kept == text {
        return Ok(());
    }
    if kept == FAILURE_COLUMNS {
        return fs::remove_file(&at).map_err(ResultsError::io("remove", &at));
    }
    write_whole(path, FAILURES, kept.as_bytes())
}
