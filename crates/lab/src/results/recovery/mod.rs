//! Recovery: which runs a folder holds.
//!
//! **Invariant**: every reader of a folder, `validate` and resuming too, uses the runs of the ledger up to the first whose rows are
//! not those of its line, and no others. A program that is killed at any change leaves a folder that holds, and that resuming ends
//! with the same bytes: `tests/killed.rs` kills one at every change.

mod beyond;
mod order;
mod stored_file;

use std::io::{self, BufRead};
use std::path::Path;

use crc32fast::Hasher;

use super::ResultsError;
use super::files::{LEDGER, MISSING, RUNS, TIMING, place_of};
use super::ledger::{Ledger, RunSize};
use super::rows::RunRow;
use super::run_files::{RowFile, ledger_files};
use super::run_reader::{RunReader, records, run_of};
use crate::experiment::{Plan, Shard};
use beyond::{RowsBehind, rows_beyond, unused_behind};
use order::RunOrder;
use stored_file::StoredFile;

/// The runs of a folder.
pub(crate) struct CompleteRuns {
    /// The lines of the runs, up to the first that does not hold.
    pub(crate) ledger: Ledger,
    /// How many runs the ledger lists.
    pub(crate) listed: u64,
    /// The first file that is missing, though a program creates each before the first run.
    pub(crate) missing: Option<&'static str>,
    /// The first file that does not end with the rows of the ledger.
    pub(crate) longer: Option<&'static str>,
    /// Rows that are not of these runs.
    pub(crate) unused: Option<UnusedRows>,
    /// How many runs the folder is for; of a race that is not over, as many as are known.
    pub(super) planned: u64,
}

/// Rows that no command uses: the ledger does not list their run, or lists other rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedRows {
    /// How many.
    pub rows: u64,
    /// The file that has them.
    pub(super) rows_of: &'static str,
    /// The run that is missing, or the line that does not hold.
    pub reason: String,
    /// The file that shows it.
    pub(crate) file: &'static str,
    /// The line in it, from 1; 0 when it is the whole file.
    pub(crate) line: u64,
    pub(crate) cause: UnusedCause,
}

/// Why rows are not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnusedCause {
    /// A crash of the system has lost the end of a file.
    Crash,
    /// The ledger ends before the rows of several runs: a crash of the system, or a hand, has cut it.
    LedgerEnd,
    /// No kill and no crash leaves such a folder: it was edited, or damaged.
    Damage,
}

impl UnusedRows {
    /// The note for readers.
    pub fn note(&self) -> String {
        let (rows, are) = if self.rows == 1 { ("row", "is") } else { ("rows", "are") };
        format!("{} {rows} of {} {are} not used: {}", self.rows, self.rows_of, self.reason)
    }
}

/// How far a reader compares a folder with its ledger.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// The sizes of the files; the rows are read only if the sizes are others.
    Sizes,
    /// As [`Sizes`](Self::Sizes); the rows are read also if a file differs from its checksums.
    Checksums,
    /// The rows of every run.
    Rows,
}

/// Finds the runs of a folder; a missing file holds nothing.
///
/// # Errors
/// [`ResultsError::Damaged`] for another header, [`ResultsError::Io`].
pub(super) fn recover(
    folder: &Path,
    plan: &Plan,
    shard: Shard,
    proof: Proof,
) -> Result<CompleteRuns, ResultsError> {
    recover_in(folder, &listed_files(plan), RunOrder::new(plan, shard), proof)
}

/// [`recover`] of a folder with any runs of a plan.
///
/// # Errors
/// Those of [`recover`].
pub(super) fn recover_any(folder: &Path, plan: &Plan) -> Result<CompleteRuns, ResultsError> {
    recover_in(folder, &listed_files(plan), RunOrder::Any { next: 0 }, Proof::Rows)
}

/// [`recover`] of the folder of a tuning, or of a shard of one, which makes every `of`-th run from its index on.
///
/// # Errors
/// Those of [`recover`].
pub(crate) fn recover_tuning(
    folder: &Path,
    files: &[RowFile],
    shard: Shard,
) -> Result<CompleteRuns, ResultsError> {
    recover_in(folder, files, RunOrder::Every { step: shard.of, next: shard.index }, Proof::Rows)
}

/// The files of a plan that have a column in the ledger.
fn listed_files(plan: &Plan) -> Vec<RowFile> {
    ledger_files(plan).map(|file| file.row_file(plan)).collect()
}

fn recover_in(
    folder: &Path,
    row_files: &[RowFile],
    mut order: RunOrder,
    proof: Proof,
) -> Result<CompleteRuns, ResultsError> {
    let names = row_files.iter().map(|file| file.stored).collect();
    let mut ledger = Ledger::read(&place_of(folder, LEDGER), names)?;
    let mut files = Vec::new();
    for file in row_files {
        files.push(StoredFile::new(folder, file)?);
    }
    let listed = ledger.runs().len() as u64;
    let mut have_sizes = ledger.broken_line.is_none();
    let (mut missing, mut longer) = (None, None);
    for file in &files {
        let end = file.end(&ledger);
        have_sizes &= file.length == end && !file.has_lost_end(end)?;
        if !file.is_there && listed > 0 {
            missing.get_or_insert(file.file.stored);
        }
        if file.length > end {
            longer.get_or_insert(file.file.stored);
        }
    }
    let mut unused = None;
    if !order.is_race() {
        unused = cut_to_order(&files, &mut order, &mut ledger)?;
    }
    let beyond = if have_sizes { None } else { rows_beyond(&files, &ledger, &order)? };
    if proof == Proof::Rows || !have_sizes {
        unused = cut_to_rows(&files, &mut ledger)?.or(unused);
    }
    // A race decides by the rows of its runs.
    if order.is_race() {
        unused = cut_to_order(&files, &mut order, &mut ledger)?.or(unused);
    }
    let unused = unused.or(beyond);
    Ok(CompleteRuns { ledger, listed, missing, longer, unused, planned: order.runs() })
}

impl CompleteRuns {
    /// Whether a run is complete.
    pub(super) fn has(&self, run: u64) -> bool {
        self.ledger.place(run).is_some()
    }

    /// How many runs are complete.
    pub(crate) fn len(&self) -> u64 {
        self.ledger.runs().len() as u64
    }

    /// The complete runs whose rows are others than their line of the ledger says, each with that line.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] for another header, [`ResultsError::Io`].
    pub(super) fn other_rows(&self, folder: &Path, plan: &Plan) -> Result<Vec<(u64, u64)>, ResultsError> {
        let mut files = Vec::new();
        for file in &listed_files(plan) {
            files.push(StoredFile::new(folder, file)?);
        }
        let mut others = Vec::new();
        for place in other_runs(&files, &self.ledger, usize::MAX)? {
            others.push((self.ledger.runs()[place], place as u64 + 2));
        }
        Ok(others)
    }

    /// Refuses a folder that no kill and no crash leaves. An end that only the ledger has lost is made again.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] for a missing file, [`ResultsError::Gap`].
    pub(crate) fn check(&self, folder: &Path) -> Result<(), ResultsError> {
        if let Some(missing) = self.missing {
            return Err(ResultsError::damaged(&folder.join(missing), MISSING.to_owned()));
        }
        match &self.unused {
            Some(unused) if unused.cause == UnusedCause::Damage => {
                Err(ResultsError::Gap { path: folder.to_owned(), note: unused.note() })
            }
            _ => Ok(()),
        }
    }

    /// A reader of the rows of a file, one of so many that are read in turns.
    ///
    /// # Errors
    /// Those of [`RunReader::open`].
    pub(crate) fn reader(
        &self,
        folder: &Path,
        file: &RowFile,
        files: usize,
    ) -> Result<RunReader, ResultsError> {
        let path = place_of(folder, file.stored);
        RunReader::open(&path, &file.header, self.sizes_in(&path, file)?, files)
    }

    /// The runs that have rows in a file. Times stand in no ledger: their rows are found by their runs, as far as those are in order.
    fn sizes_in(&self, path: &Path, file: &RowFile) -> Result<Vec<RunSize>, ResultsError> {
        if file.name != TIMING {
            return Ok(self.ledger.sizes_in(file.stored));
        }
        let text = std::fs::read(path).map_err(ResultsError::io("read", path))?;
        let mut sizes: Vec<RunSize> = Vec::new();
        for row in records(text.strip_prefix(&*file.header).unwrap_or_default()) {
            let is_whole = row.ends_with(b"\n");
            let Some(run) = run_of(row).filter(|run| is_whole && self.has(*run)) else { break };
            match sizes.last_mut() {
                Some(last) if last.run == run => last.bytes += row.len() as u64,
                Some(last) if last.run > run => break,
                _ => sizes.push(RunSize { run, bytes: row.len() as u64 }),
            }
        }
        Ok(sizes)
    }

    /// The bytes of a file that its header and the complete runs take; 0 if the header is not whole.
    pub(super) fn length(&self, folder: &Path, file: &RowFile) -> Result<u64, ResultsError> {
        let stored = StoredFile::new(folder, file)?;
        if !stored.has_header() {
            return Ok(0);
        }
        if file.name != TIMING {
            return Ok(stored.end(&self.ledger));
        }
        let sizes = self.sizes_in(&stored.path, file)?;
        Ok(stored.header + sizes.iter().map(|size| size.bytes).sum::<u64>())
    }
}

/// Ends a ledger before the first run whose rows are others than its line says, and names those that are left.
fn cut_to_rows(files: &[StoredFile], ledger: &mut Ledger) -> Result<Option<UnusedRows>, ResultsError> {
    let Some(place) = other_runs(files, ledger, 1)?.pop() else { return Ok(None) };
    let run = ledger.runs()[place];
    let sizes = ledger.sizes(place).to_vec();
    ledger.truncate(place);
    let mut unused = UnusedRows {
        rows: 0,
        rows_of: RUNS,
        reason: format!("the rows of run {run} are not those that {LEDGER} lists"),
        file: LEDGER,
        line: place as u64 + 2,
        cause: UnusedCause::Damage,
    };
    // The rows of `runs.csv`, the last file, say most.
    for (file, size) in files.iter().zip(sizes).rev() {
        let begin = file.end(ledger);
        let text = file.behind(begin)?;
        if file.file.name == RUNS {
            unused.rows = records(&text).count() as u64;
        }
        let lack = file.lack_of(run, size, &text);
        let is_named = unused.file != LEDGER;
        if !is_named && let Some(lack) = &lack {
            (unused.reason, unused.file, unused.line) = (lack.reason.clone(), file.file.name, 0);
        }
        let behind = RowsBehind::read(file, ledger)?;
        if !file.is_there {
            // A program creates every file before it writes the first line of the ledger.
            unused.reason = format!("{} is missing", file.file.stored);
            (unused.file, unused.cause) = (file.file.name, UnusedCause::Damage);
            return Ok(Some(unused));
        }
        if let Some(broken) = behind.broken
            && lack.as_ref().is_none_or(|lack| !lack.is_gap)
        {
            return unused_behind(file, begin, &behind, broken).map(Some);
        }
        let is_lost = lack.as_ref().is_none_or(|lack| !lack.is_gap && !lack.is_other_row);
        if is_lost && file.has_lost_end(begin + size)? {
            unused.cause = UnusedCause::Crash;
        }
    }
    let is_damage = unused.cause == UnusedCause::Damage;
    Ok(Some(unused).filter(|unused| unused.rows > 0 || is_damage))
}

/// The places of the first runs, at most so many, whose rows are others than their lines of a ledger say.
fn other_runs(files: &[StoredFile], ledger: &Ledger, most: usize) -> Result<Vec<usize>, ResultsError> {
    let mut readers = Vec::new();
    for file in files {
        readers.push(file.rows()?);
    }
    let mut others = Vec::new();
    for place in 0..ledger.runs().len() {
        if others.len() == most {
            break;
        }
        let mut hash = Hasher::new();
        let mut are_whole = true;
        for ((file, reader), size) in files.iter().zip(&mut readers).zip(ledger.sizes(place)) {
            let is_whole =
                hash_rows(reader, *size, &mut hash).map_err(ResultsError::io("read", &file.path))?;
            are_whole &= is_whole;
        }
        if !are_whole || hash.finalize() != ledger.sum(place) {
            others.push(place);
        }
    }
    Ok(others)
}

/// Hashes so many bytes; `false` if the file ends before.
fn hash_rows(reader: &mut dyn BufRead, mut bytes: u64, hash: &mut Hasher) -> io::Result<bool> {
    while bytes > 0 {
        let part = reader.fill_buf()?;
        if part.is_empty() {
            return Ok(false);
        }
        let length = part.len().min(usize::try_from(bytes).unwrap_or(usize::MAX));
        hash.update(&part[..length]);
        reader.consume(length);
        bytes -= length as u64;
    }
    Ok(true)
}

/// Ends a ledger before the first run that the plan does not have there.
fn cut_to_order(
    files: &[StoredFile],
    order: &mut RunOrder,
    ledger: &mut Ledger,
) -> Result<Option<UnusedRows>, ResultsError> {
    let mut reader = None;
    if order.is_race() && !ledger.runs().is_empty() {
        let runs = files.last().expect("every folder has `runs.csv`, the last file");
        reader = Some(RunReader::open(&runs.path, &runs.file.header, ledger.sizes_in(RUNS), 1)?);
    }
    for (place, run) in ledger.runs().iter().enumerate() {
        if !order.takes(*run) {
            let reason = match order.next() {
                Some(missing) if *run > missing => format!("run {missing} is missing"),
                Some(missing) => format!("run {run} stands where run {missing} should"),
                None => format!("run {run} is not one of the plan's, or its race is over"),
            };
            let unused = UnusedRows {
                rows: (ledger.runs().len() - place) as u64,
                rows_of: RUNS,
                reason,
                file: LEDGER,
                line: place as u64 + 2,
                cause: UnusedCause::Damage,
            };
            ledger.truncate(place);
            return Ok(Some(unused));
        }
        let mut calls = 0.0;
        if let Some(reader) = &mut reader
            && reader.next()?.is_some()
            && let Some(numbered) = reader.rows::<RunRow>()?.first()
        {
            calls = numbered.row.race_calls();
        }
        order.take(*run, calls);
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
