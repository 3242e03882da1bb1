//! Recovery: which runs of a folder are complete, and where they end in each file.
//!
//! **Invariant**: every reader of a folder, `validate` and resuming too, uses these runs and no others. A program that is
//! killed at any change leaves a folder that holds, and that resuming ends with the same bytes: `killed.rs` kills one at
//! every change.

mod missing;
mod order;

use std::collections::BTreeSet;
use std::path::Path;

use super::ResultsError;
use super::files::{CONVERGENCE, FAILURES, MIGRATIONS, POPULATIONS, RUNS};
use super::rows::RunRow;
use super::run_files::{RunFile, run_file, run_files_of};
use super::run_reader::{RunRows, number, records};
use crate::experiment::{Plan, Shard};
use missing::MissingRows;
use order::RunOrder;

/// The complete runs of a folder.
pub(super) struct CompleteRuns {
    /// The runs that are complete in all files, up to the first that is not.
    pub(super) runs: BTreeSet<u64>,
    /// Those of them that failed.
    pub(super) failed: BTreeSet<u64>,
    /// Where the runs of each file end, in the order of the table of files.
    files: Vec<FileEnds>,
    /// Some file ends with these runs or in the next one, as if its end were lost.
    pub(super) is_cut_short: bool,
    /// Rows that are not of these runs.
    pub(super) unused: Option<UnusedRows>,
    /// How many runs the folder is for; of a race that is not over, as many as are known.
    pub(super) planned: u64,
}

/// Rows that no command uses: they follow a gap, their runs are not complete in every file, or they are of no run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedRows {
    /// How many.
    pub rows: u64,
    /// The file that has them.
    pub(super) rows_of: &'static str,
    /// Which run is missing, or not what the plan says.
    pub reason: String,
    /// The run of the first of them; 0 of a line that is none of a run.
    pub(super) first: u64,
    /// The file that says so.
    pub(super) file: &'static str,
    /// The line in it, from 1; 0 when it is the whole file.
    pub(super) line: u64,
    /// No kill and no crash leaves such a folder: it was edited, or damaged.
    pub(super) is_damage: bool,
    /// The first of them names a puzzle or a setting that the plan does not have there.
    pub(crate) is_foreign: bool,
}

impl UnusedRows {
    /// What a reader should know.
    pub fn note(&self) -> String {
        let (rows, are) = if self.rows == 1 { ("row", "is") } else { ("rows", "are") };
        format!("{} {rows} of {} {are} not used: {}", self.rows, self.rows_of, self.reason)
    }

    /// The error of a folder that cannot be resumed with these rows.
    pub(super) fn refusal(&self, folder: &Path) -> ResultsError {
        ResultsError::Gap { path: folder.to_owned(), note: self.note() }
    }
}

impl CompleteRuns {
    /// For each file the bytes of its header and of these runs; 0 where the header itself is torn.
    pub(super) fn lengths(&self) -> Vec<u64> {
        self.files.iter().map(|file| file.length(&self.runs)).collect()
    }

    /// Forgets the first run that failed and all behind it.
    pub(super) fn end_before_failures(&mut self) {
        if let Some(first) = self.failed.pop_first() {
            self.runs.split_off(&first);
            self.failed.clear();
        }
    }
}

/// The end of a run in a file.
struct RunEnd {
    run: u64,
    /// Bytes of the file up to the end of the run.
    bytes: u64,
    rows: usize,
    /// The calls of its first row and the generation of its last; 0 in files without them.
    first_calls: u64,
    generation: u64,
}

/// The ends of all runs in a file.
struct FileEnds {
    file: &'static RunFile,
    /// Bytes of the header.
    header: u64,
    runs: Vec<RunEnd>,
    is_torn: bool,
    /// The line of a row that no run has there, and that is not a torn end; and the rows from there on.
    broken_at: Option<u64>,
    rows_behind: u64,
}

/// The fields of `runs.csv` that decide which rows a run must have in other files.
struct ListedRun {
    run: u64,
    line: u64,
    setting: u64,
    /// The number that a race compares.
    race_calls: f64,
    /// What differs from the plan, in words.
    foreign: Option<String>,
    calls: u64,
    generations: u64,
    breaks_nothing: bool,
    has_failed: bool,
}

/// Finds the complete runs; a missing file holds nothing.
///
/// The row in `runs.csv` is written last, but a crash of the system may lose earlier writes, so the ends of the other files
/// are checked too. A run that may be incomplete is repeated.
///
/// # Errors
/// [`ResultsError::Damaged`] for another header, for a row of a run that cannot be read and for a duplicate one,
/// [`ResultsError::Io`].
pub(super) fn recover(folder: &Path, plan: &Plan, shard: Shard) -> Result<CompleteRuns, ResultsError> {
    recover_in(folder, plan, RunOrder::of(plan, shard), false)
}

/// [`recover`] of a folder with checksums, for readers: only a row that is missing for certain is missed.
pub(super) fn recover_finished(
    folder: &Path,
    plan: &Plan,
    shard: Shard,
) -> Result<CompleteRuns, ResultsError> {
    recover_in(folder, plan, RunOrder::of(plan, shard), true)
}

/// [`recover`] of a folder with any runs of a plan.
pub(super) fn recover_any(folder: &Path, plan: &Plan) -> Result<CompleteRuns, ResultsError> {
    let found = recover_in(folder, plan, RunOrder::Any { next: 0 }, false)?;
    if let Some(unused) = &found.unused
        && unused.is_damage
    {
        return Err(unused.refusal(folder));
    }
    Ok(found)
}

fn recover_in(
    folder: &Path,
    plan: &Plan,
    mut order: RunOrder,
    has_checksums: bool,
) -> Result<CompleteRuns, ResultsError> {
    // `runs.csv` is read first: the rows that its runs have in the other files were written before.
    let (mut files, mut listed) = (Vec::new(), Vec::new());
    let runs = FileEnds::read(folder, plan, run_file(RUNS).expect("every folder has it"), &mut listed)?;
    for file in run_files_of(plan).filter(|file| file.name != RUNS) {
        files.push(FileEnds::read(folder, plan, file, &mut listed)?);
    }
    files.push(runs);
    let missing_rows = MissingRows::new(folder, plan, &files)?;
    let (mut runs, mut failed, mut unused) = (BTreeSet::new(), BTreeSet::new(), None);
    for (index, run) in listed.iter().enumerate() {
        unused = unused_from(run, (listed.len() - index) as u64, &order, &missing_rows, has_checksums);
        if unused.is_some() {
            break;
        }
        order.take(run);
        runs.insert(run.run);
        if run.has_failed {
            failed.insert(run.run);
        }
    }
    let is_cut_short = is_cut_short(plan, &files, runs.last().copied());
    let unused = unused.or_else(|| files.iter().rev().find_map(unused_behind));
    Ok(CompleteRuns { runs, failed, files, is_cut_short, unused, planned: order.runs() })
}

/// The `rows` rows of `runs.csv` from this run on, where it does not come in its order or is not complete in all files.
fn unused_from(
    run: &ListedRun,
    rows: u64,
    order: &RunOrder,
    missing_rows: &MissingRows<'_>,
    has_checksums: bool,
) -> Option<UnusedRows> {
    let mut unused = UnusedRows {
        rows,
        rows_of: RUNS,
        reason: String::new(),
        first: run.run,
        file: RUNS,
        line: run.line,
        is_damage: true,
        is_foreign: run.foreign.is_some(),
    };
    if !order.takes(run.run) {
        unused.reason = match order.next() {
            Some(missing) if run.run > missing => format!("run {missing} is missing"),
            Some(missing) => format!("run {} stands where run {missing} should", run.run),
            None => format!("run {} is not one of the plan's, or its race is over", run.run),
        };
        return Some(unused);
    }
    if let Some(foreign) = &run.foreign {
        unused.reason = format!("run {} {foreign}", run.run);
        return Some(unused);
    }
    let ends = missing_rows.of(run)?;
    // A crash may lose the end of a file, but nothing before its end.
    unused.is_damage = ends.rows_behind > 0 || ends.last() > Some(run.run);
    // At the end of a file a run may have fewer rows than those before it. To be safe, it is repeated then; where all runs
    // have ended, it counts.
    let is_sure = unused.is_damage || ends.file.name == CONVERGENCE && run.generations > 0;
    if !is_sure && has_checksums {
        return None;
    }
    unused.reason = format!("run {} is not complete in {}", run.run, ends.file.name);
    unused.file = ends.file.name;
    unused.line = ends.broken_at.unwrap_or(0);
    Some(unused)
}

/// The rows of a file from a line on that is no row of the next run.
fn unused_behind(ends: &FileEnds) -> Option<UnusedRows> {
    let line = ends.broken_at?;
    Some(UnusedRows {
        rows: ends.rows_behind,
        rows_of: ends.file.name,
        reason: format!("line {line} is not a row of the next run"),
        first: 0,
        file: ends.file.name,
        line,
        is_damage: true,
        is_foreign: false,
    })
}

/// Whether some file ends with the last complete run or in the one after it.
fn is_cut_short(plan: &Plan, files: &[FileEnds], last: Option<u64>) -> bool {
    let has_samples = !plan.config.record_every.is_never();
    // The files in which every run has rows.
    let mut full = Vec::new();
    let mut next = None;
    for ends in files {
        if ends.file.name != RUNS && !(ends.file.name == CONVERGENCE && has_samples) {
            continue;
        }
        full.push(ends);
        if let Some(end) = ends.runs.iter().find(|end| Some(end.run) > last) {
            next = Some(next.map_or(end.run, |next| end.run.min(next)));
        }
    }
    if full.iter().any(|ends| ends.is_torn || next.is_none() || ends.last() <= next) {
        return true;
    }
    files.iter().any(|ends| {
        let may_lack = ends.file.is_sparse() || ends.file.name == FAILURES;
        may_lack && (ends.is_torn || ends.last().is_some_and(|run| Some(run) <= next))
    })
}

impl FileEnds {
    /// Reads a file; lists the runs of `runs.csv` too.
    fn read(
        folder: &Path,
        plan: &Plan,
        file: &'static RunFile,
        listed: &mut Vec<ListedRun>,
    ) -> Result<Self, ResultsError> {
        let mut ends =
            Self { file, header: 0, runs: Vec::new(), is_torn: false, broken_at: None, rows_behind: 0 };
        // A crash may lose a file that had just been created.
        let Some(mut reader) = file.reader_if_there(folder, plan)? else {
            ends.is_torn = true;
            return Ok(ends);
        };
        ends.header = reader.header();
        while let Some(run_rows) = reader.next()? {
            if file.name != RUNS && ends.last() >= Some(run_rows.run) {
                ends.break_at(run_rows.line);
            }
            if ends.broken_at.is_some() {
                ends.rows_behind += records(&run_rows.text).count() as u64;
                continue;
            }
            ends.runs.push(RunEnd::of(run_rows, file.name));
            if file.name == RUNS {
                for numbered in reader.rows::<RunRow>()? {
                    listed.push(ListedRun::of(&numbered.row, numbered.line, plan));
                }
            }
        }
        ends.is_torn |= reader.is_torn();
        if let Some(line) = reader.broken_line() {
            ends.break_at(line);
            ends.rows_behind += reader.rows_behind_tear()?;
        }
        Ok(ends)
    }

    /// Reads no further than this line.
    fn break_at(&mut self, line: u64) {
        self.broken_at.get_or_insert(line);
        self.is_torn = true;
    }

    /// The last run that has rows.
    fn last(&self) -> Option<u64> {
        self.runs.last().map(|end| end.run)
    }

    /// The end of a run, if it has rows.
    fn find(&self, run: u64) -> Option<&RunEnd> {
        let place = self.runs.binary_search_by_key(&run, |end| end.run).ok()?;
        Some(&self.runs[place])
    }

    /// The bytes of the header and of the complete runs.
    fn length(&self, complete: &BTreeSet<u64>) -> u64 {
        let mut length = self.header;
        for end in &self.runs {
            if !complete.contains(&end.run) {
                break;
            }
            length = end.bytes;
        }
        length
    }
}

impl RunEnd {
    fn of(run_rows: &RunRows, file: &str) -> Self {
        let (mut rows, mut first, mut last) = (0, &[][..], &[][..]);
        for row in records(&run_rows.text) {
            if rows == 0 {
                first = row;
            }
            last = row;
            rows += 1;
        }
        let mut end = Self { run: run_rows.run, bytes: run_rows.end, rows, first_calls: 0, generation: 0 };
        // Their columns are run, generation or barrier, evaluations, moves.
        if file == CONVERGENCE || file == MIGRATIONS {
            end.first_calls = number(first, 2).unwrap_or(0).saturating_add(number(first, 3).unwrap_or(0));
        }
        if [CONVERGENCE, MIGRATIONS, POPULATIONS].contains(&file) {
            end.generation = number(last, 1).unwrap_or(0);
        }
        end
    }
}

impl ListedRun {
    fn of(row: &RunRow, line: u64, plan: &Plan) -> Self {
        Self {
            run: row.run,
            line,
            setting: row.setting,
            race_calls: row.race_calls(),
            foreign: foreign(row, plan),
            calls: row.calls(),
            generations: row.generations,
            has_failed: row.has_failed(),
            breaks_nothing: row.best_fitness.is_none_or(|fitness| fitness == 0),
        }
    }
}

/// What puzzle, setting or replicate of a row the plan does not have there.
fn foreign(row: &RunRow, plan: &Plan) -> Option<String> {
    if row.run >= plan.runs() {
        return None;
    }
    // What the plan has nowhere is told first: it says more than that the row is out of place.
    let id = plan.id(row.run);
    if !plan.puzzles.iter().any(|puzzle| puzzle.id == row.puzzle) {
        return Some(format!("is of `{}`, which is not among the folder's puzzles", row.puzzle));
    }
    if row.setting >= plan.settings.all.len() as u64 {
        return Some(format!("is of setting {}, which is not among the folder's settings", row.setting));
    }
    let has_its_puzzle = row.puzzle == plan.puzzles[id.puzzle].id;
    if has_its_puzzle && row.setting == id.setting && row.replicate == id.replicate {
        return None;
    }
    Some("has another puzzle, setting or replicate than the plan says".to_owned())
}

#[cfg(test)]
mod tests;
