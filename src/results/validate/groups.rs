//! Rows of `groups.csv`, found anew from the grids.

use super::super::files::{GROUPS, RUNS};
use super::super::rows::{GroupRow, RunRow};
use super::{Check, ResultsError};
use crate::experiment::Broken;
use crate::puzzle::Grid;

impl Check<'_> {
    /// Checks that every run has the groups that its best breaks.
    pub(super) fn groups(&mut self, rows: &[(u64, RunRow)]) -> Result<(), ResultsError> {
        let shown = self.of_runs(GROUPS, |check: &Self, row, of_run: &[(u64, GroupRow)]| {
            let broken = check.broken(row)?;
            let differs = |index: &usize| of_run.get(*index).map(|(_, row)| row) != broken.get(*index);
            let index = (0..of_run.len().max(broken.len())).find(differs)?;
            let line = of_run.get(index).or(of_run.last()).map_or(0, |(line, _)| *line);
            Some((line, "the grid breaks other groups".to_owned()))
        })?;
        let asked = self.plan.config.record_groups;
        let silent =
            |row: &&(u64, RunRow)| asked && row.1.best_fitness > 0 && !shown.runs.contains(&row.1.run);
        for (line, row) in rows.iter().filter(silent) {
            if self.broken(row).is_some_and(|broken| !broken.is_empty()) {
                self.refute(RUNS, *line, format!("run {} has no broken groups", row.run));
            }
        }
        Ok(())
    }

    /// The rows of a run, unless its grid is none of its puzzle.
    fn broken(&self, row: &RunRow) -> Option<Vec<GroupRow>> {
        if row.run >= self.plan.runs() {
            return None;
        }
        let id = self.plan.id(row.run);
        let puzzle = &self.plan.puzzles[id.puzzle];
        let grid = Grid::parse(&row.grid, puzzle.rows(), puzzle.cols()).ok()?;
        let ranks = self.runner.problem(id.puzzle).ranks(&grid)?;
        let broken = Broken::of(self.runner.fitness(id), &ranks);
        Some(broken.iter().map(|broken| GroupRow::new(row.run, puzzle, broken)).collect())
    }
}
