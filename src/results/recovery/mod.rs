//! Which runs of a folder are complete, whatever killed the program that wrote it, and which bytes are theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::ResultsError;
use super::files::{CONVERGENCE, GROUPS, MIGRATIONS, OPERATORS, RUNS};
use super::rows::RunRow;
use super::run_files::{RunFile, run_files_of};
use super::run_reader::{RunReader, RunRows, number, records};
use crate::experiment::{Broken, Plan, Shard};
use crate::puzzle::Grid;

/// The complete runs of a folder.
pub(super) struct Recovered {
    /// The runs that are complete in all files, up to the first that is not.
    pub(super) runs: BTreeSet<u64>,
    /// For each file the bytes of its header and of these runs; 0 where the header itself is torn.
    pub(super) lengths: Vec<u64>,
    /// Some file ends with these runs or in the next one, as one does whose end was lost.
    pub(super) is_cut_short: bool,
}

/// Where a run ends in a growing file.
struct RunEnd {
    run: u64,
    /// Bytes of the file up to there.
    bytes: u64,
    /// Its rows.
    rows: usize,
    /// The calls of its first row, and the generation of its last, where rows have them.
    first_calls: u64,
    generation: u64,
}

/// Where the runs of a growing file end.
#[derive(Default)]
struct Ends {
    /// Bytes of the header.
    header: u64,
    runs: Vec<RunEnd>,
    is_torn: bool,
}

/// What `runs.csv` says of a run, and decides what it must have elsewhere.
struct ListedRun {
    run: u64,
    setting: u64,
    calls: u64,
    generations: u64,
    breaks_nothing: bool,
}

/// Finds the complete runs; a missing file holds nothing.
///
/// The row in `runs.csv` is written last, but a crash of the system may lose what was written first: the ends of the
/// other files are checked too. A run that may be incomplete is repeated.
///
/// # Errors
/// [`ResultsError::Damaged`] for another header, for a row of a run that cannot be read and for a duplicate one,
/// [`ResultsError::Io`].
pub(super) fn recover(folder: &Path, plan: &Plan, shard: Shard) -> Result<Recovered, ResultsError> {
    let mut told = Vec::new();
    let files: Vec<(&RunFile, Ends)> = run_files_of(&plan.config)
        .map(|file| Ok((file, Ends::of(folder, plan, file, &mut told)?)))
        .collect::<Result<_, ResultsError>>()?;
    let of = |name: &str| files.iter().find(|(file, _)| file.name == name).map(|(_, ends)| ends);
    let torn_from =
        files.iter().filter(|(file, _)| file.is_sparse()).filter_map(|(_, ends)| ends.torn_from());
    let torn_from = torn_from.min();
    let has_samples = has_samples(plan, of(CONVERGENCE).expect("it is kept"));
    let has_groups = of(GROUPS).map(|ends| has_groups(folder, plan, ends)).transpose()?;
    let has_operators = of(OPERATORS).map(|ends| has_operators(plan, ends));
    let has_migrants = of(MIGRATIONS).map(|ends| has_migrants(plan, ends));
    let is_whole = |told: &ListedRun| {
        has_samples(told)
            && has_groups.as_ref().is_none_or(|has| has(told))
            && has_operators.as_ref().is_none_or(|has| has(told))
            && has_migrants.as_ref().is_none_or(|has| has(told))
            && torn_from.is_none_or(|torn| told.run < torn)
    };
    // A race leaves runs out.
    let follows =
        |place: usize, run: u64| plan.settings.race.is_some() || run == shard.index + place as u64 * shard.of;
    let runs: BTreeSet<u64> = told
        .iter()
        .enumerate()
        .take_while(|(place, told)| follows(*place, told.run) && is_whole(told))
        .map(|(_, told)| told.run)
        .collect();
    let lengths = files.iter().map(|(_, ends)| ends.length(&runs)).collect();
    let is_cut_short = is_cut_short(plan, &files, runs.last().copied());
    Ok(Recovered { runs, lengths, is_cut_short })
}

/// Tells runs that ended before the first row of any run of their setting, by their calls.
fn ends_early(plan: &Plan, ends: &Ends) -> impl Fn(&ListedRun) -> bool + use<> {
    let mut least = BTreeMap::new();
    for end in &ends.runs {
        let calls = least.entry(plan.id(end.run).setting).or_insert(end.first_calls);
        *calls = end.first_calls.min(*calls);
    }
    move |told| least.get(&told.setting).is_none_or(|least| told.calls < *least)
}

/// Tells runs that have all their rows of convergence: those before the last that has any, and those that reach the
/// generation that `runs.csv` names, or ended before a first one.
fn has_samples(plan: &Plan, ends: &Ends) -> impl Fn(&ListedRun) -> bool {
    let (ends_early, is_never) = (ends_early(plan, ends), plan.config.record_every.is_never());
    move |told| match ends.find(told.run) {
        None => is_never || told.generations == 0 && !ends.is_torn && ends_early(told),
        Some(end) => Some(told.run) < ends.last() || end.generation == told.generations,
    }
}

/// Tells runs that have all the groups that they break: those before the last that has any, and that one where it has as
/// many as its grid breaks.
fn has_groups<'a>(
    folder: &Path,
    plan: &Plan,
    ends: &'a Ends,
) -> Result<impl Fn(&ListedRun) -> bool + use<'a>, ResultsError> {
    let row = ends.last().map(|run| row_of(folder, plan, run)).transpose()?.flatten();
    let broken = row.and_then(|row| {
        let id = plan.id(row.run);
        let puzzle = &plan.puzzles[id.puzzle];
        let grid = Grid::parse(&row.grid, puzzle.rows(), puzzle.cols()).ok()?;
        Broken::of_grid(puzzle, &plan.setting(id.setting).config, &grid)
    });
    let has = ends.runs.last().map(|end| end.rows);
    let lacks_rows = broken.is_some_and(|broken| Some(broken.len()) > has);
    Ok(move |told: &ListedRun| {
        let is_last = Some(told.run) == ends.last();
        told.breaks_nothing || ends.find(told.run).is_some() && !(is_last && lacks_rows)
    })
}

/// Tells runs that have all their operators: those before the last that has any, and those that have as many as any run of
/// their setting.
fn has_operators(plan: &Plan, ends: &Ends) -> impl Fn(&ListedRun) -> bool {
    let mut most = BTreeMap::new();
    for end in &ends.runs {
        let rows = most.entry(plan.id(end.run).setting).or_insert(0);
        *rows = end.rows.max(*rows);
    }
    move |told| {
        let rows = ends.find(told.run).map_or(0, |end| end.rows);
        Some(told.run) < ends.last() || most.get(&told.setting).is_none_or(|most| rows >= *most)
    }
}

/// Tells runs that have their migrants: those up to the last that has any, and those that ended before the first migration
/// of their setting.
fn has_migrants(plan: &Plan, ends: &Ends) -> impl Fn(&ListedRun) -> bool {
    let ends_early = ends_early(plan, ends);
    move |told| Some(told.run) <= ends.last() || ends_early(told)
}

/// The row of a run.
fn row_of(folder: &Path, plan: &Plan, run: u64) -> Result<Option<RunRow>, ResultsError> {
    let file = run_files_of(&plan.config).find(|file| file.name == RUNS).expect("it is kept");
    let path = folder.join(file.name);
    if !path.exists() {
        return Ok(None);
    }
    let mut pieces = RunReader::open(&path, Some(&(file.header)(plan)))?;
    while let Some(piece) = pieces.next()? {
        if piece.run == run {
            return Ok(pieces.rows()?.pop().map(|(_, row)| row));
        }
    }
    Ok(None)
}

/// Some file ends with the last complete run or in the one behind it.
fn is_cut_short(plan: &Plan, files: &[(&RunFile, Ends)], last: Option<u64>) -> bool {
    let has_every_run = |file: &RunFile| {
        file.name == RUNS || file.name == CONVERGENCE && !plan.config.record_every.is_never()
    };
    let full = || files.iter().filter(|(file, _)| has_every_run(file)).map(|(_, ends)| ends);
    let behind = |ends: &Ends| ends.runs.iter().map(|end| end.run).find(|run| Some(*run) > last);
    let next = full().filter_map(behind).min();
    let ends_there = |ends: &Ends| next.is_none() || ends.last() <= next;
    let asked = files.iter().filter(|(file, _)| file.is_sparse()).map(|(_, ends)| ends);
    full().any(|ends| ends.is_torn || ends_there(ends))
        || asked.into_iter().any(|ends| !ends.is_whole_to(next))
}

impl Ends {
    /// Reads a file; of `runs.csv`, what it tells too.
    fn of(
        folder: &Path,
        plan: &Plan,
        file: &RunFile,
        told: &mut Vec<ListedRun>,
    ) -> Result<Self, ResultsError> {
        let path = folder.join(file.file(&plan.config));
        if !path.exists() {
            return Ok(Self { is_torn: true, ..Self::default() });
        }
        let mut pieces = RunReader::open(&path, Some(&(file.header)(plan)))?;
        let mut ends = Self { header: pieces.header(), ..Self::default() };
        while let Some(piece) = pieces.next()? {
            ends.runs.push(RunEnd::of(piece, file.name));
            if file.has_one_row() && ends.runs.last().is_some_and(|end| end.rows > 1) {
                return Err(pieces.damaged_here("this run is listed twice".to_owned()));
            }
            if file.name == RUNS {
                let row: Option<(u64, RunRow)> = pieces.rows()?.pop();
                told.extend(row.map(|(_, row)| ListedRun::of(&row)));
            }
        }
        ends.is_torn = pieces.is_torn();
        Ok(ends)
    }

    /// The last run that has rows.
    fn last(&self) -> Option<u64> {
        self.runs.last().map(|end| end.run)
    }

    /// Where the rows of a run end, if it has any.
    fn find(&self, run: u64) -> Option<&RunEnd> {
        self.runs.binary_search_by_key(&run, |end| end.run).ok().map(|place| &self.runs[place])
    }

    /// The file goes on beyond the run, or may: nothing says that it was cut there.
    fn is_whole_to(&self, next: Option<u64>) -> bool {
        !self.is_torn && self.last().is_none_or(|run| Some(run) > next)
    }

    /// The first run that a torn end of the file may belong to.
    fn torn_from(&self) -> Option<u64> {
        self.is_torn.then(|| self.last().unwrap_or(0))
    }

    /// The bytes of the header and of the runs up to the first that is not among these.
    fn length(&self, whole: &BTreeSet<u64>) -> u64 {
        let kept = self.runs.iter().take_while(|end| whole.contains(&end.run));
        kept.last().map_or(self.header, |end| end.bytes)
    }
}

impl RunEnd {
    fn of(piece: &RunRows, file: &str) -> Self {
        let field = |row: Option<&[u8]>, field| row.and_then(|row| number(row, field)).unwrap_or(0);
        let first = || records(&piece.text).next();
        let (first_calls, generation) = match file {
            // run, generation or barrier, evaluations, moves
            CONVERGENCE | MIGRATIONS => {
                (field(first(), 2) + field(first(), 3), field(records(&piece.text).last(), 1))
            }
            _ => (0, 0),
        };
        let (run, bytes, rows) = (piece.run, piece.end, records(&piece.text).count());
        Self { run, bytes, rows, first_calls, generation }
    }
}

impl ListedRun {
    fn of(row: &RunRow) -> Self {
        Self {
            run: row.run,
            setting: row.setting,
            calls: row.evaluations.saturating_add(row.moves),
            generations: row.generations,
            breaks_nothing: row.best_fitness == 0,
        }
    }
}

#[cfg(test)]
mod tests;
