//! Which rows a run must have in the files beside `runs.csv`, and which file lacks some of them.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::ResultsError;
use super::super::files::{CONVERGENCE, FAILURES, GROUPS, MIGRATIONS, OPERATORS, RUNS};
use super::super::rows::RunRow;
use super::super::run_files::{RunFile, run_files_of};
use super::super::run_reader::RunReader;
use super::{ListedRun, RunEnds};
use crate::experiment::{BrokenGroup, Plan};
use kenga_core::puzzle::Grid;

/// Tells which file lacks rows of a run.
pub(super) struct MissingRows<'a> {
    files: &'a [(&'static RunFile, RunEnds)],
    checks: Vec<(usize, Has<'a>)>,
}

/// Whether a run has all its rows in a file.
type Has<'a> = Box<dyn Fn(&ListedRun) -> bool + 'a>;

impl<'a> MissingRows<'a> {
    pub(super) fn new(
        folder: &Path,
        plan: &'a Plan,
        files: &'a [(&'static RunFile, RunEnds)],
    ) -> Result<Self, ResultsError> {
        let mut checks: Vec<(usize, Has<'a>)> = Vec::new();
        for (place, (file, ends)) in files.iter().enumerate() {
            if let Some(torn) = ends.torn_from().filter(|_| file.is_sparse()) {
                checks.push((place, Box::new(move |listed| listed.run < torn)));
            }
            match file.name {
                CONVERGENCE => checks.push((place, Box::new(has_samples(plan, ends)))),
                GROUPS => checks.push((place, Box::new(has_groups(folder, plan, ends)?))),
                OPERATORS => checks.push((place, Box::new(has_operators(plan, ends)))),
                MIGRATIONS => checks.push((place, Box::new(has_migrants(plan, ends)))),
                FAILURES => checks.push((place, Box::new(has_failure(ends)))),
                _ => {}
            }
        }
        Ok(Self { files, checks })
    }

    /// The first file that lacks rows of a run.
    pub(super) fn of(&self, listed: &ListedRun) -> Option<&(&'static RunFile, RunEnds)> {
        let (place, _) = self.checks.iter().find(|(_, has)| !has(listed))?;
        Some(&self.files[*place])
    }
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

/// Whether a run has all its rows of convergence: it reaches the generation that `runs.csv` names, or ended before the first
/// one. A program may show no generation at all.
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
        Some(end) => end.generation == listed.generations,
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
fn has_operators<'a>(plan: &Plan, ends: &'a RunEnds) -> impl Fn(&ListedRun) -> bool + use<'a> {
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
fn has_migrants<'a>(plan: &Plan, ends: &'a RunEnds) -> impl Fn(&ListedRun) -> bool + use<'a> {
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
