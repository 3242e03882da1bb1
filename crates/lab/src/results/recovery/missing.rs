//! Which rows a run must have in the files beside `runs.csv`, and which file lacks some of them.
//!
//! A new file that runs append to says here how a lost row shows; without that, a run counts without its rows there.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::ResultsError;
use super::super::files::{
    CONVERGENCE, COSTS, FAILURES, GROUPS, MIGRATIONS, OPERATORS, POPULATIONS, RUNS, TERMS,
};
use super::super::rows::RunRow;
use super::super::run_files::run_file;
use super::{FileEnds, ListedRun};
use crate::experiment::{BrokenGroup, Plan};
use kenga_core::puzzle::Grid;

/// Tells which file lacks rows of a run, from what the other runs of its setting have there.
pub(super) struct MissingRows<'a> {
    plan: &'a Plan,
    files: &'a [FileEnds],
    /// By setting, the fewest calls before the first row of a run in `convergence.csv`.
    calls_to_sample: BTreeMap<u64, u64>,
    /// The same in `migrations.csv`.
    calls_to_migration: BTreeMap<u64, u64>,
    /// By setting, the most rows of a run in `operators.csv`.
    operators: BTreeMap<u64, usize>,
    /// The last run in `groups.csv` has fewer rows than its grid breaks groups.
    last_lacks_groups: bool,
}

impl<'a> MissingRows<'a> {
    pub(super) fn new(folder: &Path, plan: &'a Plan, files: &'a [FileEnds]) -> Result<Self, ResultsError> {
        let mut missing = Self {
            plan,
            files,
            calls_to_sample: BTreeMap::new(),
            calls_to_migration: BTreeMap::new(),
            operators: BTreeMap::new(),
            last_lacks_groups: false,
        };
        // Files that the folder has not been asked to keep are not among them: a run lacks no row there.
        for ends in files {
            match ends.file.name {
                CONVERGENCE => missing.calls_to_sample = fewest_calls(plan, ends),
                MIGRATIONS => missing.calls_to_migration = fewest_calls(plan, ends),
                OPERATORS => missing.operators = most_rows(plan, ends),
                GROUPS => missing.last_lacks_groups = lacks_groups(folder, plan, ends)?,
                _ => {}
            }
        }
        Ok(missing)
    }

    /// The first file that lacks rows of a run.
    pub(super) fn of(&self, listed: &ListedRun) -> Option<&FileEnds> {
        self.files.iter().find(|ends| !self.is_complete(ends, listed))
    }

    /// Whether a run has all its rows in a file.
    fn is_complete(&self, ends: &FileEnds, listed: &ListedRun) -> bool {
        // The torn end may belong to the last run that has rows or to any behind it.
        if ends.file.is_sparse() && ends.is_torn && listed.run >= ends.last().unwrap_or(0) {
            return false;
        }
        let run = Some(listed.run);
        match ends.file.name {
            CONVERGENCE => self.has_samples(ends, listed),
            // It comes before the last run that has any, or is that run and has as many as its grid breaks.
            GROUPS => {
                listed.breaks_nothing
                    || ends.find(listed.run).is_some() && !(run == ends.last() && self.last_lacks_groups)
            }
            // It comes before the last run that has any, or has as many as any run of its setting.
            OPERATORS => {
                let rows = ends.find(listed.run).map_or(0, |end| end.rows);
                run < ends.last() || self.operators.get(&listed.setting).is_none_or(|most| rows >= *most)
            }
            // It is not behind the last run that has any, or ended before the first migration of its setting.
            MIGRATIONS => run <= ends.last() || ends_before(&self.calls_to_migration, listed),
            POPULATIONS => self.has_populations(ends, listed),
            COSTS => ends.find(listed.run).is_some(),
            TERMS => {
                let rows = ends.find(listed.run).map_or(0, |end| end.rows);
                let setting = self.plan.settings.all.get(listed.setting as usize);
                setting.is_none_or(|setting| rows == setting.config.terms.len())
            }
            FAILURES => !listed.has_failed || ends.find(listed.run).is_some(),
            _ => true,
        }
    }

    /// Whether a run has whole populations up to its last generation, or ended before it had completed any.
    fn has_populations(&self, ends: &FileEnds, listed: &ListedRun) -> bool {
        if let Some(end) = ends.find(listed.run) {
            return end.generation == listed.generations;
        }
        if Some(listed.run) < ends.last() {
            return true;
        }
        // Generations that have rows of convergence have individuals.
        let convergence = self.files.iter().find(|ends| ends.file.name == CONVERGENCE);
        let has_rows = convergence.is_some_and(|ends| ends.find(listed.run).is_some());
        listed.generations == 0 && !has_rows
    }

    /// Whether a run has all its rows of convergence: it reaches the generation that `runs.csv` names, or ended before the first
    /// one.
    fn has_samples(&self, ends: &FileEnds, listed: &ListedRun) -> bool {
        if let Some(end) = ends.find(listed.run) {
            return end.generation == listed.generations;
        }
        if self.plan.config.record_every.is_never() {
            return true;
        }
        if listed.generations > 0 {
            return false;
        }
        let setting = self.plan.settings.all.get(listed.setting as usize);
        // A program may show no generation at all.
        if setting.is_some_and(|setting| setting.config.can_fail) {
            return Some(listed.run) < ends.last() || !ends.is_torn;
        }
        !ends.is_torn && ends_before(&self.calls_to_sample, listed)
    }
}

/// Whether a run ended before the first row of any run of its setting, judged by calls.
fn ends_before(calls: &BTreeMap<u64, u64>, listed: &ListedRun) -> bool {
    calls.get(&listed.setting).is_none_or(|least| listed.calls < *least)
}

fn fewest_calls(plan: &Plan, ends: &FileEnds) -> BTreeMap<u64, u64> {
    let mut fewest = BTreeMap::new();
    for end in &ends.runs {
        let calls = fewest.entry(plan.id(end.run).setting).or_insert(end.first_calls);
        *calls = end.first_calls.min(*calls);
    }
    fewest
}

fn most_rows(plan: &Plan, ends: &FileEnds) -> BTreeMap<u64, usize> {
    let mut most = BTreeMap::new();
    for end in &ends.runs {
        let rows = most.entry(plan.id(end.run).setting).or_insert(0);
        *rows = end.rows.max(*rows);
    }
    most
}

/// Whether the last run has fewer rows than its grid breaks groups.
fn lacks_groups(folder: &Path, plan: &Plan, ends: &FileEnds) -> Result<bool, ResultsError> {
    let Some(last) = ends.runs.last() else { return Ok(false) };
    let Some(row) = row_of(folder, plan, last.run)? else { return Ok(false) };
    let id = plan.id(row.run);
    let puzzle = &plan.puzzles[id.puzzle];
    let Ok(grid) = Grid::parse(&row.grid, puzzle.rows(), puzzle.cols()) else { return Ok(false) };
    let broken = BrokenGroup::of_grid(puzzle, &plan.setting(id.setting).config, &grid);
    Ok(broken.is_some_and(|broken| broken.len() > last.rows))
}

/// The row of a run in `runs.csv`.
fn row_of(folder: &Path, plan: &Plan, run: u64) -> Result<Option<RunRow>, ResultsError> {
    let file = run_file(RUNS).expect("every folder has it");
    let Some(mut reader) = file.reader_if_there(folder, plan)? else { return Ok(None) };
    while let Some(run_rows) = reader.next()? {
        if run_rows.run == run {
            return Ok(reader.rows()?.pop().map(|numbered| numbered.row));
        }
    }
    Ok(None)
}
