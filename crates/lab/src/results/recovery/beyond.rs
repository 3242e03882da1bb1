//! Rows behind those of the ledger: a kill leaves those of one run, which had begun.

use std::io::Read;

use flate2::bufread::GzDecoder;

use super::order::RunOrder;
use super::stored_file::{MOST_BEHIND, StoredFile};
use super::{UnusedCause, UnusedRows};
use crate::results::ResultsError;
use crate::results::files::{LEDGER, RUNS};
use crate::results::ledger::Ledger;
use crate::results::run_reader::{is_packed, records, run_of};

/// The rows of a file behind those of the ledger.
pub(super) struct RowsBehind {
    /// Their runs, each once, ascending, as far as they are.
    runs: Vec<u64>,
    /// The first row, counted from 0, that is not the next run's, and does not end as a kill ends a file.
    pub(super) broken: Option<u64>,
    /// Rows.
    rows: u64,
}

/// The rows behind those of a ledger, if a kill does not explain them.
pub(super) fn rows_beyond(
    files: &[StoredFile],
    ledger: &Ledger,
    order: &RunOrder,
) -> Result<Option<UnusedRows>, ResultsError> {
    let mut unused = UnusedRows {
        rows: 0,
        rows_of: RUNS,
        reason: String::new(),
        file: LEDGER,
        line: 0,
        cause: UnusedCause::LedgerEnd,
    };
    let mut behind = Vec::new();
    for file in files {
        let rows = RowsBehind::read(file, ledger)?;
        if file.file.name == RUNS {
            unused.rows = rows.rows;
        }
        behind.push(rows);
    }
    if let Some(line) = ledger.broken_line {
        unused.reason = format!("line {line} of {LEDGER} is not that of the next run");
        (unused.line, unused.cause) = (line, UnusedCause::Damage);
        return Ok(Some(unused));
    }
    let next = behind.iter().find_map(|rows| rows.runs.first().copied());
    for (file, rows) in files.iter().zip(&behind) {
        // Which run of a race comes next, the rows of those before decide.
        let is_next = |run: u64| Some(run) == next && (order.is_race() || order.takes(run));
        let is_sound = rows.runs.first().is_none_or(|run| is_next(*run));
        let broken = if is_sound { rows.broken } else { Some(0) };
        if let Some(broken) = broken {
            return unused_behind(file, file.end(ledger), rows, broken).map(Some);
        }
    }
    let Some(rows) = behind.iter().find(|rows| rows.runs.len() > 1) else { return Ok(None) };
    let first = rows.runs[0];
    if !ledger.has_header {
        unused.reason = format!("{LEDGER} is missing, or has lost all its lines");
        unused.cause = UnusedCause::Damage;
    } else {
        unused.reason = format!("{LEDGER} ends before run {first}");
    }
    Ok(Some(unused))
}

/// The rows of a file behind a place, from the one on that no kill leaves.
pub(super) fn unused_behind(
    file: &StoredFile,
    place: u64,
    rows: &RowsBehind,
    broken: u64,
) -> Result<UnusedRows, ResultsError> {
    let line = file.lines_before(place)? + broken + 1;
    Ok(UnusedRows {
        rows: rows.rows - broken,
        rows_of: file.file.name,
        reason: format!("line {line} is not a row of the next run"),
        file: file.file.name,
        line,
        cause: UnusedCause::Damage,
    })
}

impl RowsBehind {
    /// Reads the rows of a file behind those of a ledger.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(super) fn read(file: &StoredFile, ledger: &Ledger) -> Result<Self, ResultsError> {
        let mut rows = Self { runs: Vec::new(), broken: None, rows: 0 };
        let mut last = ledger.runs().last().copied();
        let stored = file.behind(file.end(ledger))?;
        let mut rest = &stored[..];
        if !is_packed(&file.path) {
            for row in records(rest) {
                rows.add(row, &mut last);
            }
            return Ok(rows);
        }
        while !rest.is_empty() {
            let (mut member, mut text) = (GzDecoder::new(rest), Vec::new());
            if member.by_ref().take(MOST_BEHIND).read_to_end(&mut text).is_err() {
                // A torn member, or zeros.
                break;
            }
            for row in records(&text) {
                rows.add(row, &mut last);
            }
            rest = member.into_inner();
        }
        Ok(rows)
    }

    /// Adds a row behind the run `last`.
    fn add(&mut self, row: &[u8], last: &mut Option<u64>) {
        let run = run_of(row);
        let is_next = match self.runs.last() {
            Some(present) => run >= Some(*present),
            None => run.is_some() && run > *last,
        };
        let is_torn = !row.ends_with(b"\n");
        let may_be_torn = row.iter().all(|byte| byte.is_ascii_digit() || *byte == 0) || is_next;
        let is_sound = if is_torn { may_be_torn } else { is_next };
        if !is_sound {
            self.broken.get_or_insert(self.rows);
        }
        self.rows += 1;
        if is_sound
            && !is_torn
            && self.broken.is_none()
            && let Some(run) = run
            && self.runs.last() != Some(&run)
        {
            self.runs.push(run);
            *last = Some(run);
        }
    }
}
