//! Recovery: which runs of a folder are complete, and where they end in each file. Every reader of a folder, and `validate`
//! and resuming too, use these runs and no others.

mod missing;
mod order;

use std::collections::BTreeSet;
use std::path::Path;

use super::ResultsError;
use super::files::{CONVERGENCE, FAILURES, MIGRATIONS, RUNS};
use super::rows::RunRow;
use super::run_files::{RunFile, run_files_of};
use super::run_reader::{RunReader, RunRows, number, records};
use crate::experiment::{Plan, Shard};
use missing::MissingRows;
use order::RunOrder;

/// The complete runs of a folder.
pub(super) struct CompleteRuns {
    /// The runs that are complete in all files, up to the first that is not.
    pub(super) runs: BTreeSet<u64>,
    /// Those of them that failed.
    pub(super) failed: BTreeSet<u64>,
    /// Where the runs of each file end.
    ends: Vec<RunEnds>,
    /// Some file ends with these runs or in the next one, as if its end were lost.
    pub(super) is_cut_short: bool,
    /// Rows of `runs.csv` that are not of these runs.
    pub(super) unused: Option<UnusedRows>,
}

/// Rows of `runs.csv` that no command uses: they follow a gap, or their runs are not complete in every file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedRows {
    /// How many.
    pub rows: u64,
    /// Why: which run is missing, or not what the plan says.
    pub reason: String,
    /// The run of the first of them; 0 of a line that is none of a run.
    pub(super) first: u64,
    /// The file that says so, and the line in it, from 1; 0 when it is the whole file.
    pub(super) at: (&'static str, u64),
    /// No kill and no crash leaves such a folder: it was edited, or damaged.
    pub(super) is_damage: bool,
    /// The first of them names a puzzle or a setting that the plan does not have there.
    pub(crate) is_foreign: bool,
}

impl UnusedRows {
    /// What a reader should know.
    pub fn note(&self) -> String {
        let (rows, are) = if self.rows == 1 { ("row", "is") } else { ("rows", "are") };
        format!("{} {rows} of runs.csv {are} not used: {}", self.rows, self.reason)
    }

    /// The error of a folder that cannot be resumed with these rows.
    pub(super) fn refusal(&self, folder: &Path) -> ResultsError {
        ResultsError::Gap { path: folder.to_owned(), note: self.note() }
    }
}

impl CompleteRuns {
    /// For each file the bytes of its header and of these runs; 0 where the header itself is torn.
    pub(super) fn lengths(&self) -> impl Iterator<Item = u64> {
        self.ends.iter().map(|ends| ends.length(&self.runs))
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
    /// Its rows.
    rows: usize,
    /// The calls of its first row and the generation of its last; 0 in files without them.
    first_calls: u64,
    generation: u64,
}

/// The ends of all runs in a file.
#[derive(Default)]
struct RunEnds {
    /// Bytes of the header.
    header: u64,
    runs: Vec<RunEnd>,
    is_torn: bool,
    /// The line of a row that no run has there, and that is not a torn end.
    broken_at: Option<u64>,
    /// Rows behind it.
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

/// [`recover`] of a folder that has ended, for readers: only a row that is missing for certain is missed.
pub(super) fn recover_ended(folder: &Path, plan: &Plan, shard: Shard) -> Result<CompleteRuns, ResultsError> {
    recover_in(folder, plan, RunOrder::of(plan, shard), true)
}

/// [`recover`] of a folder with any runs of a plan.
pub(super) fn recover_any(folder: &Path, plan: &Plan) -> Result<CompleteRuns, ResultsError> {
    let found = recover_in(folder, plan, RunOrder::Any { next: 0 }, false)?;
    match found.unused.as_ref().filter(|unused| unused.is_damage) {
        Some(unused) => Err(unused.refusal(folder)),
        None => Ok(found),
    }
}

fn recover_in(
    folder: &Path,
    plan: &Plan,
    order: RunOrder,
    has_ended: bool,
) -> Result<CompleteRuns, ResultsError> {
    let mut listed = Vec::new();
    let mut files: Vec<(&'static RunFile, RunEnds)> =
        run_files_of(plan).map(|file| (file, RunEnds::default())).collect();
    // `runs.csv` is read first: the rows that its runs have in the other files were written before.
    for reads_runs in [true, false] {
        for (file, ends) in files.iter_mut().filter(|(file, _)| (file.name == RUNS) == reads_runs) {
            *ends = RunEnds::of(folder, plan, file, &mut listed)?;
        }
    }
    let (whole, unused) =
        whole_runs(MissingRows::new(folder, plan, &files)?, &files, &listed, order, has_ended);
    let whole = &listed[..whole];
    let is_cut_short = is_cut_short(plan, &files, whole.last().map(|last| last.run));
    let runs = whole.iter().map(|listed| listed.run).collect();
    let failed = whole.iter().filter(|listed| listed.has_failed).map(|listed| listed.run).collect();
    let ends = files.into_iter().map(|(_, ends)| ends).collect();
    Ok(CompleteRuns { runs, failed, ends, is_cut_short, unused })
}

/// How many of the listed runs, from the first, come in their order and are complete in all files; and the rows behind.
fn whole_runs(
    missing_rows: MissingRows<'_>,
    files: &[(&'static RunFile, RunEnds)],
    listed: &[ListedRun],
    mut order: RunOrder,
    has_ended: bool,
) -> (usize, Option<UnusedRows>) {
    let mut whole = 0;
    for run in listed {
        let expected = order.next();
        let rows = (listed.len() - whole) as u64;
        let unused = |reason, at, is_damage| {
            let is_foreign = run.foreign.is_some();
            (whole, Some(UnusedRows { rows, reason, first: run.run, at, is_damage, is_foreign }))
        };
        if !order.takes(run.run) {
            let reason = match expected {
                Some(missing) if run.run > missing => format!("run {missing} is missing"),
                Some(missing) => format!("run {} stands where run {missing} should", run.run),
                None => format!("run {} is not one of the plan's, or its race is over", run.run),
            };
            return unused(reason, (RUNS, run.line), true);
        }
        if let Some(foreign) = &run.foreign {
            return unused(format!("run {} {foreign}", run.run), (RUNS, run.line), true);
        }
        if let Some((file, ends)) = missing_rows.of(run) {
            // A crash may lose the end of a file, but nothing before its end.
            let is_damage = ends.rows_behind > 0 || ends.last() > Some(run.run);
            // At the end of a file a run may have fewer rows than those before it. To be safe, it is repeated then; where
            // all runs have ended, it counts.
            let is_sure = is_damage || file.name == CONVERGENCE && run.generations > 0;
            if is_sure || !has_ended {
                let reason = format!("run {} is not complete in {}", run.run, file.name);
                return unused(reason, (file.name, ends.broken_at.unwrap_or(0)), is_damage);
            }
        }
        order.take(run);
        whole += 1;
    }
    let (_, runs) = files.iter().find(|(file, _)| file.name == RUNS).expect("every folder has it");
    let unused = runs.broken_at.map(|line| UnusedRows {
        rows: runs.rows_behind,
        reason: format!("line {line} is not a row of the next run"),
        first: 0,
        at: (RUNS, line),
        is_damage: true,
        is_foreign: false,
    });
    (whole, unused)
}

/// Whether some file ends with the last complete run or in the one after it.
fn is_cut_short(plan: &Plan, files: &[(&RunFile, RunEnds)], last: Option<u64>) -> bool {
    let has_every_run = |file: &RunFile| {
        file.name == RUNS || file.name == CONVERGENCE && !plan.config.record_every.is_never()
    };
    let full = || files.iter().filter(|(file, _)| has_every_run(file)).map(|(_, ends)| ends);
    let behind = |ends: &RunEnds| ends.runs.iter().map(|end| end.run).find(|run| Some(*run) > last);
    let next = full().filter_map(behind).min();
    let ends_there = |ends: &RunEnds| next.is_none() || ends.last() <= next;
    let may_lack = |file: &RunFile| file.is_sparse() || file.name == FAILURES;
    let asked = files.iter().filter(|(file, _)| may_lack(file)).map(|(_, ends)| ends);
    full().any(|ends| ends.is_torn || ends_there(ends))
        || asked.into_iter().any(|ends| !ends.is_whole_to(next))
}

impl RunEnds {
    /// Reads a file; lists the runs of `runs.csv` too.
    fn of(
        folder: &Path,
        plan: &Plan,
        file: &RunFile,
        listed: &mut Vec<ListedRun>,
    ) -> Result<Self, ResultsError> {
        let path = folder.join(file.file(&plan.config));
        if !path.exists() {
            return Ok(Self { is_torn: true, ..Self::default() });
        }
        let mut reader = RunReader::open(&path, Some(&(file.header)(plan)))?;
        let mut ends = Self { header: reader.header(), ..Self::default() };
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
                let rows: Vec<(u64, RunRow)> = reader.rows()?;
                listed.extend(rows.iter().map(|(line, row)| ListedRun::of(row, *line, plan)));
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
        self.runs.binary_search_by_key(&run, |end| end.run).ok().map(|place| &self.runs[place])
    }

    /// Whether the file shows no sign that it was cut at this run.
    fn is_whole_to(&self, next: Option<u64>) -> bool {
        !self.is_torn && self.last().is_none_or(|run| Some(run) > next)
    }

    /// The first run that a torn end of the file may belong to.
    fn torn_from(&self) -> Option<u64> {
        self.is_torn.then(|| self.last().unwrap_or(0))
    }

    /// The bytes of the header and of the complete runs.
    fn length(&self, whole: &BTreeSet<u64>) -> u64 {
        let kept = self.runs.iter().take_while(|end| whole.contains(&end.run));
        kept.last().map_or(self.header, |end| end.bytes)
    }
}

impl RunEnd {
    fn of(run_rows: &RunRows, file: &str) -> Self {
        let field = |row: Option<&[u8]>, field| row.and_then(|row| number(row, field)).unwrap_or(0);
        let first = || records(&run_rows.text).next();
        let (first_calls, generation) = match file {
            // run, generation or barrier, evaluations, moves
            CONVERGENCE | MIGRATIONS => {
                (field(first(), 2) + field(first(), 3), field(records(&run_rows.text).last(), 1))
            }
            _ => (0, 0),
        };
        let (run, bytes, rows) = (run_rows.run, run_rows.end, records(&run_rows.text).count());
        Self { run, bytes, rows, first_calls, generation }
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
    let id = plan.id(row.run);
    if !plan.puzzles.iter().any(|puzzle| puzzle.id == row.puzzle) {
        return Some(format!("is of `{}`, which is not among the folder's puzzles", row.puzzle));
    }
    if row.setting >= plan.settings.all.len() as u64 {
        return Some(format!("is of setting {}, which is not among the folder's settings", row.setting));
    }
    let is_its_place = (row.puzzle == plan.puzzles[id.puzzle].id)
        && (row.setting, row.replicate) == (id.setting, id.replicate);
    (!is_its_place).then(|| "has another puzzle, setting or replicate than the plan says".to_owned())
}

#[cfg(test)]
mod killed;
#[cfg(test)]
mod tests;
