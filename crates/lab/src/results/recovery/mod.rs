//! Recovery: which runs of a folder are complete after its program was killed, and where they end in each file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::ResultsError;
use super::files::{CONVERGENCE, FAILURES, GROUPS, MIGRATIONS, OPERATORS, RUNS};
use super::rows::RunRow;
use super::run_files::{RunFile, run_files_of};
use super::run_reader::{RunReader, RunRows, number, records};
use crate::experiment::{BrokenGroup, Plan, Shard};
use kenga_core::puzzle::Grid;

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
}

/// The fields of `runs.csv` that decide which rows a run must have in other files.
struct ListedRun {
    run: u64,
    setting: u64,
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
    // A race leaves runs out.
    let is_race = plan.settings.race.is_some();
    recover_some(folder, plan, |place, run| is_race || run == shard.index + place as u64 * shard.of)
}

/// [`recover`] of a folder whose runs, each with its place among them, are those that `follows` expects.
pub(super) fn recover_some(
    folder: &Path,
    plan: &Plan,
    follows: impl Fn(usize, u64) -> bool,
) -> Result<CompleteRuns, ResultsError> {
    let mut listed = Vec::new();
    let files: Vec<(&RunFile, RunEnds)> = run_files_of(plan)
        .map(|file| Ok((file, RunEnds::of(folder, plan, file, &mut listed)?)))
        .collect::<Result<_, ResultsError>>()?;
    let whole = whole_runs(folder, plan, &files, &listed, follows)?;
    let is_cut_short = is_cut_short(plan, &files, whole.last().map(|last| last.run));
    let runs = whole.iter().map(|listed| listed.run).collect();
    let failed = whole.iter().filter(|listed| listed.has_failed).map(|listed| listed.run).collect();
    let ends = files.into_iter().map(|(_, ends)| ends).collect();
    Ok(CompleteRuns { runs, failed, ends, is_cut_short })
}

/// Those of the listed runs that are complete in all files, up to the first that is not.
fn whole_runs<'l>(
    folder: &Path,
    plan: &Plan,
    files: &[(&RunFile, RunEnds)],
    listed: &'l [ListedRun],
    follows: impl Fn(usize, u64) -> bool,
) -> Result<Vec<&'l ListedRun>, ResultsError> {
    let of = |name: &str| files.iter().find(|(file, _)| file.name == name).map(|(_, ends)| ends);
    let torn_from =
        files.iter().filter(|(file, _)| file.is_sparse()).filter_map(|(_, ends)| ends.torn_from());
    let torn_from = torn_from.min();
    let has_samples = has_samples(plan, of(CONVERGENCE).expect("every folder has it"));
    let has_groups = of(GROUPS).map(|ends| has_groups(folder, plan, ends)).transpose()?;
    let has_operators = of(OPERATORS).map(|ends| has_operators(plan, ends));
    let has_migrants = of(MIGRATIONS).map(|ends| has_migrants(plan, ends));
    let has_failure = of(FAILURES).map(has_failure);
    let is_whole = |listed: &ListedRun| {
        has_samples(listed)
            && has_groups.as_ref().is_none_or(|has| has(listed))
            && has_operators.as_ref().is_none_or(|has| has(listed))
            && has_migrants.as_ref().is_none_or(|has| has(listed))
            && has_failure.as_ref().is_none_or(|has| has(listed))
            && torn_from.is_none_or(|torn| listed.run < torn)
    };
    let are_whole = |(place, listed): &(usize, &ListedRun)| follows(*place, listed.run) && is_whole(listed);
    Ok(listed.iter().enumerate().take_while(are_whole).map(|(_, listed)| listed).collect())
}

/// Whether a run ended before the first row of any run of its setting, judged by calls.
fn ends_early(plan: &Plan, ends: &RunEnds) -> impl Fn(&ListedRun) -> bool + use<> {
    let mut least = BTreeMap::new();
    for end in &ends.runs {
        let calls = least.entry(plan.id(end.run).setting).or_insert(end.first_calls);
        *calls = end.first_calls.min(*calls);
    }
    move |listed| least.get(&listed.setting).is_none_or(|least| listed.calls < *least)
}

/// Whether a run has all its rows of convergence: it comes before the last run that has any, reaches the generation that
/// `runs.csv` names, or ended before the first one. A program may show no generation at all.
fn has_samples(plan: &Plan, ends: &RunEnds) -> impl Fn(&ListedRun) -> bool {
    let (ends_early, is_never) = (ends_early(plan, ends), plan.config.record_every.is_never());
    let of_program = |listed: &ListedRun| {
        plan.settings.all.get(listed.setting as usize).is_some_and(|setting| setting.config.can_fail)
    };
    let may_lack = move |listed: &ListedRun| match of_program(listed) {
        true => Some(listed.run) < ends.last() || !ends.is_torn,
        false => !ends.is_torn && ends_early(listed),
    };
    move |listed| match ends.find(listed.run) {
        None => is_never || listed.generations == 0 && may_lack(listed),
        Some(end) => Some(listed.run) < ends.last() || end.generation == listed.generations,
    }
}

/// Whether a run has a row for each group that it breaks: it comes before the last run that has any, or is that run and
/// has as many as its grid breaks.
fn has_groups<'a>(
    folder: &Path,
    plan: &Plan,
    ends: &'a RunEnds,
) -> Result<impl Fn(&ListedRun) -> bool + use<'a>, ResultsError> {
    let row = ends.last().map(|run| row_of(folder, plan, run)).transpose()?.flatten();
    let broken = row.and_then(|row| {
        let id = plan.id(row.run);
        let puzzle = &plan.puzzles[id.puzzle];
        let grid = Grid::parse(&row.grid, puzzle.rows(), puzzle.cols()).ok()?;
        BrokenGroup::of_grid(puzzle, &plan.setting(id.setting).config, &grid)
    });
    let has = ends.runs.last().map(|end| end.rows);
    let lacks_rows = broken.is_some_and(|broken| Some(broken.len()) > has);
    Ok(move |listed: &ListedRun| {
        let is_last = Some(listed.run) == ends.last();
        listed.breaks_nothing || ends.find(listed.run).is_some() && !(is_last && lacks_rows)
    })
}

/// Whether a run has all its operators: it comes before the last run that has any, or has as many as any run of its
/// setting.
fn has_operators(plan: &Plan, ends: &RunEnds) -> impl Fn(&ListedRun) -> bool {
    let mut most = BTreeMap::new();
    for end in &ends.runs {
        let rows = most.entry(plan.id(end.run).setting).or_insert(0);
        *rows = end.rows.max(*rows);
    }
    move |listed| {
        let rows = ends.find(listed.run).map_or(0, |end| end.rows);
        Some(listed.run) < ends.last() || most.get(&listed.setting).is_none_or(|most| rows >= *most)
    }
}

/// Whether a run has its migrants: it is not behind the last run that has any, or ended before the first migration of its
/// setting.
fn has_migrants(plan: &Plan, ends: &RunEnds) -> impl Fn(&ListedRun) -> bool {
    let ends_early = ends_early(plan, ends);
    move |listed| Some(listed.run) <= ends.last() || ends_early(listed)
}

/// Whether a run did not fail, or its reason is there.
fn has_failure(ends: &RunEnds) -> impl Fn(&ListedRun) -> bool {
    move |listed| !listed.has_failed || ends.find(listed.run).is_some()
}

/// The row of a run in `runs.csv`.
fn row_of(folder: &Path, plan: &Plan, run: u64) -> Result<Option<RunRow>, ResultsError> {
    let file = run_files_of(plan).find(|file| file.name == RUNS).expect("every folder has it");
    let path = folder.join(file.name);
    if !path.exists() {
        return Ok(None);
    }
    let mut reader = RunReader::open(&path, Some(&(file.header)(plan)))?;
    while let Some(run_rows) = reader.next()? {
        if run_rows.run == run {
            return Ok(reader.rows()?.pop().map(|(_, row)| row));
        }
    }
    Ok(None)
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
            ends.runs.push(RunEnd::of(run_rows, file.name));
            if file.has_one_row() && ends.runs.last().is_some_and(|end| end.rows > 1) {
                return Err(reader.damaged_here("this run is listed twice".to_owned()));
            }
            if file.name == RUNS {
                let row: Option<(u64, RunRow)> = reader.rows()?.pop();
                listed.extend(row.map(|(_, row)| ListedRun::of(&row)));
            }
        }
        ends.is_torn = reader.is_torn();
        Ok(ends)
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
    fn of(row: &RunRow) -> Self {
        Self {
            run: row.run,
            setting: row.setting,
            calls: row.calls(),
            generations: row.generations,
            has_failed: row.has_failed(),
            breaks_nothing: row.best_fitness.is_none_or(|fitness| fitness == 0),
        }
    }
}

#[cfg(test)]
mod killed;
#[cfg(test)]
mod tests;
