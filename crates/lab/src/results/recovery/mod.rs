//! Recovery: which runs a folder holds.
//!
//! **Invariant**: every reader of a folder, `validate` and resuming too, uses the runs of the ledger up to the first whose rows are
//! not those of its line, and no others. A program that is killed at any change leaves a folder that holds, and that resuming ends
//! with the same bytes: `tests/killed.rs` kills one at every change.

mod beyond;
mod order;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;
use flate2::bufread::GzDecoder;

use super::ResultsError;
use super::files::{LEDGER, RUNS, TIMING};
use super::ledger::{Ledger, RunSize};
use super::retry::place_of;
use super::rows::RunRow;
use super::run_files::{RunFile, ledger_files, run_file};
use super::run_reader::{RunReader, as_stored, is_packed, records, run_of};
use crate::experiment::{Plan, Shard};
use beyond::{RowsBehind, rows_beyond, unused_behind};
use order::RunOrder;

/// The runs of a folder.
pub(super) struct CompleteRuns {
    /// The lines of the runs, up to the first that does not hold.
    pub(super) ledger: Ledger,
    /// How many runs the ledger lists.
    pub(super) listed: u64,
    /// Rows that are not of these runs.
    pub(super) unused: Option<UnusedRows>,
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
    pub(super) file: &'static str,
    /// The line in it, from 1; 0 when it is the whole file.
    pub(super) line: u64,
    pub(super) cause: UnusedCause,
}

/// Why rows are not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnusedCause {
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
    recover_in(folder, plan, RunOrder::new(plan, shard), proof)
}

/// [`recover`] of a folder with any runs of a plan.
///
/// # Errors
/// Those of [`recover`].
pub(super) fn recover_any(folder: &Path, plan: &Plan) -> Result<CompleteRuns, ResultsError> {
    recover_in(folder, plan, RunOrder::Any { next: 0 }, Proof::Rows)
}

fn recover_in(
    folder: &Path,
    plan: &Plan,
    mut order: RunOrder,
    proof: Proof,
) -> Result<CompleteRuns, ResultsError> {
    let mut names = Vec::new();
    for file in ledger_files(plan) {
        names.push(file.file(&plan.config));
    }
    let mut ledger = Ledger::read(&place_of(folder, LEDGER), names)?;
    let mut files = Vec::new();
    for file in ledger_files(plan) {
        files.push(StoredFile::new(folder, plan, file)?);
    }
    let listed = ledger.runs().len() as u64;
    let mut have_sizes = ledger.broken_line.is_none();
    for file in &files {
        let end = file.end(&ledger);
        have_sizes &= file.length == end && !file.has_lost_end(end)?;
    }
    let mut unused = None;
    if !order.is_race() {
        unused = cut_to_order(folder, plan, &mut order, &mut ledger)?;
    }
    let beyond = if have_sizes { None } else { rows_beyond(&files, &ledger, &order)? };
    if proof == Proof::Rows || !have_sizes {
        unused = cut_to_rows(&files, &mut ledger)?.or(unused);
    }
    // A race decides by the rows of its runs.
    if order.is_race() {
        unused = cut_to_order(folder, plan, &mut order, &mut ledger)?.or(unused);
    }
    Ok(CompleteRuns { ledger, listed, unused: unused.or(beyond), planned: order.runs() })
}

impl CompleteRuns {
    /// Whether a run is complete.
    pub(super) fn has(&self, run: u64) -> bool {
        self.ledger.place(run).is_some()
    }

    /// How many runs are complete.
    pub(super) fn len(&self) -> u64 {
        self.ledger.runs().len() as u64
    }

    /// The complete runs whose rows are others than their line of the ledger says, each with that line.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] for another header, [`ResultsError::Io`].
    pub(super) fn other_rows(&self, folder: &Path, plan: &Plan) -> Result<Vec<(u64, u64)>, ResultsError> {
        let mut files = Vec::new();
        for file in ledger_files(plan) {
            files.push(StoredFile::new(folder, plan, file)?);
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
    /// [`ResultsError::Gap`].
    pub(super) fn check(&self, folder: &Path) -> Result<(), ResultsError> {
        match &self.unused {
            Some(unused) if unused.cause == UnusedCause::Damage => {
                Err(ResultsError::Gap { path: folder.to_owned(), note: unused.note() })
            }
            _ => Ok(()),
        }
    }

    /// A reader of the rows of a file with this header, one of so many that are read in turns.
    ///
    /// # Errors
    /// Those of [`RunReader::open`].
    pub(super) fn reader(
        &self,
        path: &Path,
        header: &[u8],
        file: &RunFile,
        files: usize,
    ) -> Result<RunReader, ResultsError> {
        RunReader::open(path, header, self.sizes_in(path, header, file)?, files)
    }

    /// The runs that have rows in a file. Times stand in no ledger: their rows are found by their runs, as far as those are in order.
    fn sizes_in(&self, path: &Path, header: &[u8], file: &RunFile) -> Result<Vec<RunSize>, ResultsError> {
        if file.name != TIMING {
            let name = path.file_name().unwrap_or_default();
            return Ok(self.ledger.sizes_in(&name.to_string_lossy()));
        }
        let text = std::fs::read(path).map_err(ResultsError::io("read", path))?;
        let mut sizes: Vec<RunSize> = Vec::new();
        for row in records(text.strip_prefix(header).unwrap_or_default()) {
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
    pub(super) fn length(&self, folder: &Path, plan: &Plan, file: &RunFile) -> Result<u64, ResultsError> {
        let stored = StoredFile::new(folder, plan, file)?;
        if !stored.has_header() {
            return Ok(0);
        }
        if file.name != TIMING {
            return Ok(stored.end(&self.ledger));
        }
        let header = (file.header)(plan);
        let sizes = self.sizes_in(&stored.path, &header, file)?;
        Ok(stored.header + sizes.iter().map(|size| size.bytes).sum::<u64>())
    }
}

/// The rows that a file lacks of a run.
struct Lack {
    reason: String,
    /// The row of a later run stands there.
    is_gap: bool,
    /// A whole row of the run stands there, which is another one.
    is_other_row: bool,
}

/// The most bytes behind the rows of the ledger that are looked at.
const MOST_BEHIND: u64 = 1 << 26;

/// A file that runs append to, as it lies in a folder.
struct StoredFile {
    file: &'static RunFile,
    /// Its name in the folder.
    name: &'static str,
    path: PathBuf,
    /// The bytes of its header.
    header: u64,
    /// The bytes of the file; 0 where it is missing.
    length: u64,
}

impl StoredFile {
    /// Looks at a file, and refuses one with another header.
    fn new(folder: &Path, plan: &Plan, file: &RunFile) -> Result<Self, ResultsError> {
        let file = run_file(file.name).expect("it is in the table");
        let name = file.file(&plan.config);
        let path = place_of(folder, name);
        let header = as_stored(&path, (file.header)(plan));
        let mut there = Vec::new();
        let length = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            opened => {
                super::files::is_file(&path).map_err(ResultsError::io("read", &path))?;
                let opened = opened.map_err(ResultsError::io("read", &path))?;
                let length = opened.metadata().map_err(ResultsError::io("read", &path))?.len();
                let mut begin = opened.take(header.len() as u64);
                begin.read_to_end(&mut there).map_err(ResultsError::io("read", &path))?;
                length
            }
        };
        // A kill or a crash leaves the beginning of a header, or zeros.
        let is_ours = header.starts_with(&there) || there.iter().all(|byte| *byte == 0);
        if !is_ours {
            let expected = (file.header)(plan);
            return Err(ResultsError::other_header(&path, &there, &String::from_utf8_lossy(&expected)));
        }
        let length = if there == header { length } else { length.min(header.len() as u64 - 1) };
        Ok(Self { file, name, path, header: header.len() as u64, length })
    }

    fn has_header(&self) -> bool {
        self.length >= self.header
    }

    /// The bytes of the header and of the runs of a ledger.
    fn end(&self, ledger: &Ledger) -> u64 {
        self.header + ledger.sizes_in(self.name).iter().map(|size| size.bytes).sum::<u64>()
    }

    /// The rows behind a place; none if the file is shorter.
    fn behind(&self, place: u64) -> Result<Vec<u8>, ResultsError> {
        let mut text = Vec::new();
        if self.length > place {
            let mut read = || {
                let mut file = File::open(&self.path)?;
                file.seek(io::SeekFrom::Start(place))?;
                file.take(MOST_BEHIND).read_to_end(&mut text)
            };
            read().map_err(ResultsError::io("read", &self.path))?;
        }
        Ok(text)
    }

    /// A reader of the rows; of a missing file an empty one.
    fn rows(&self) -> Result<Box<dyn BufRead>, ResultsError> {
        if !self.has_header() {
            return Ok(Box::new(io::empty()));
        }
        let mut reader = File::open(&self.path).map_err(ResultsError::io("read", &self.path))?;
        reader.seek(io::SeekFrom::Start(self.header)).map_err(ResultsError::io("read", &self.path))?;
        Ok(Box::new(BufReader::with_capacity(1 << 16, reader)))
    }

    /// The rows that a file lacks of a run, whose rows take so many bytes, if `text` is that of the file from there on.
    fn lack_of(&self, run: u64, bytes: u64, text: &[u8]) -> Option<Lack> {
        let mut lack = Lack {
            reason: format!("run {run} is not complete in {}", self.file.name),
            is_gap: false,
            is_other_row: false,
        };
        if is_packed(&self.path) {
            let mut unpacked = Vec::new();
            let member = &text[..text.len().min(usize::try_from(bytes).unwrap_or(usize::MAX))];
            let is_member = GzDecoder::new(member).take(1 << 16).read_to_end(&mut unpacked).is_ok();
            let is_of_run = is_member && run_of(&unpacked) == Some(run);
            return if bytes == 0 || is_of_run { None } else { Some(lack) };
        }
        let mut there = 0;
        for row in records(text) {
            if run_of(row) != Some(run) || !row.ends_with(b"\n") {
                break;
            }
            there += row.len() as u64;
        }
        if there == bytes {
            return None;
        }
        if self.file.name == RUNS {
            // A crash does not leave another row, but a part of this one or none.
            lack.is_other_row = there > 0;
            if run_of(text).is_some_and(|other| other > run) {
                lack.is_gap = true;
                lack.reason = format!("run {run} is missing");
            }
        }
        Some(lack)
    }

    /// Whether the file has lost its end as a crash of the system loses it: it is too short, or ends with zeros.
    fn has_lost_end(&self, end: u64) -> Result<bool, ResultsError> {
        if self.length < end {
            return Ok(true);
        }
        // The last bytes of a gzip member may be zero, a text has no zero.
        let zeros = if is_packed(&self.path) { 8 } else { 1 };
        let tail = self.behind(end.saturating_sub(zeros).max(self.header))?;
        Ok(!tail.is_empty() && tail.iter().all(|byte| *byte == 0))
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
    folder: &Path,
    plan: &Plan,
    order: &mut RunOrder,
    ledger: &mut Ledger,
) -> Result<Option<UnusedRows>, ResultsError> {
    let file = run_file(RUNS).expect("every folder has it");
    let mut reader = None;
    if order.is_race() && !ledger.runs().is_empty() {
        let path = place_of(folder, RUNS);
        reader = Some(RunReader::open(&path, &(file.header)(plan), ledger.sizes_in(RUNS), 1)?);
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
