//! Checks of the rows of `migrations.csv`, `groups.csv`, `operators.csv` and `failures.csv` against each other and the run's row.
//! Only a replay can check the counts of operators.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::files::RUNS;
use super::super::rows::{
    CostRow, FailureRow, GroupRow, MigrationRow, Numbered, OperatorRow, RowProblem, RunRow, TermRow,
};
use super::{Check, RowCounts, first_problem, problem_at};
use crate::experiment::BrokenGroup;
use kenga_core::puzzle::Grid;
use kenga_core::search::OperatorUse;

impl Check<'_> {
    pub(super) fn lacks_groups(&self, row: &RunRow) -> Option<&'static str> {
        // A solution breaks no group, and a run without a best has no grid.
        let breaks = row.best_fitness > Some(0) && self.broken(row).is_some_and(|broken| !broken.is_empty());
        breaks.then_some("no broken groups")
    }

    /// The first line of a run's groups that its grid does not break, or the last one where it breaks more.
    pub(super) fn problem_of_groups(
        &self,
        row: &RunRow,
        groups: &[Numbered<GroupRow>],
    ) -> Option<RowProblem> {
        let broken = self.broken(row)?;
        for (index, group) in groups.iter().enumerate() {
            if broken.get(index) != Some(&group.row) {
                return problem_at(group.line, "the grid breaks different groups");
            }
        }
        if broken.len() == groups.len() {
            return None;
        }
        problem_at(groups.last().map_or(0, |last| last.line), "the grid breaks different groups")
    }

    /// The rows that a run must have; `None` where its grid does not fit its puzzle.
    fn broken(&self, row: &RunRow) -> Option<Vec<GroupRow>> {
        if row.run >= self.plan.runs() {
            return None;
        }
        let id = self.plan.id(row.run);
        let puzzle = &self.plan.puzzles[id.puzzle];
        let grid = Grid::parse(&row.grid, puzzle.rows(), puzzle.cols()).ok()?;
        let ranks = self.runner.problem(id.puzzle).ranks(&grid)?;
        let broken = BrokenGroup::of(self.runner.fitness(id), &ranks);
        Some(broken.iter().map(|broken| GroupRow::new(row.run, puzzle, broken)).collect())
    }

    /// The first line of a run's migrants that does not hold, and why.
    pub(super) fn problem_of_migrants(
        &self,
        row: &RunRow,
        migrants: &[Numbered<MigrationRow>],
    ) -> Option<RowProblem> {
        let islands = self.runner.islands(self.plan.id(row.run));
        first_problem(migrants, |before, migrant| problem_of_migrant(row, islands, migrant, before))
    }

    /// Reports runs with fewer operators than others of their setting. Which operators a run has is left to a replay: a
    /// portfolio that solves early does not reach all of its stages, and several operators may have one name.
    pub(super) fn lacking_operators(&mut self, counts: &RowCounts) {
        if !self.plan.config.record_operators {
            return;
        }
        let mut most: BTreeMap<u64, u64> = BTreeMap::new();
        for Numbered { row, .. } in self.rows {
            let of_setting = most.entry(row.setting).or_default();
            *of_setting = counts.get(&row.run).copied().unwrap_or(0).max(*of_setting);
        }
        for Numbered { line, row } in self.rows {
            let count = counts.get(&row.run).copied().unwrap_or(0);
            // A run that ended in its first generation may not have come to all of them.
            let has_bred = row.generations > 0 && !row.has_failed();
            let is_planned = row.run < self.plan.runs();
            if is_planned && has_bred && count < most[&row.setting] && !self.has_stages(row) {
                self.refute(RUNS, *line, format!("run {} lacks rows in operators.csv", row.run));
            }
        }
    }

    /// Whether a run may reach some of its operators late or never, as the stages of a portfolio are.
    fn has_stages(&self, row: &RunRow) -> bool {
        self.config_text(row).contains("\"name\":\"portfolio\"")
    }

    /// The configuration of a run's setting as JSON.
    fn config_text(&self, row: &RunRow) -> String {
        Value::Object(self.config(self.plan.id(row.run)).resolved.as_json()).to_string()
    }

    pub(super) fn problem_of_operators(
        &self,
        row: &RunRow,
        operators: &[Numbered<OperatorRow>],
    ) -> Option<RowProblem> {
        first_problem(operators, |_, used| problem_of_operator(row, used))
            .or_else(|| self.doubled_operator(row, operators))
    }

    /// The first operator of a run that has more rows than its configuration can name operators.
    fn doubled_operator(&self, row: &RunRow, of_run: &[Numbered<OperatorRow>]) -> Option<RowProblem> {
        let mut seen: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for Numbered { line, row: used } in of_run {
            let rows = seen.entry((&used.family, &used.operator)).or_default();
            *rows += 1;
            if *rows > 1 {
                let config = self.config_text(row);
                // A name may be the key of something else too: `row` is a crossover and a weight.
                if *rows > config.matches(&format!("\"name\":\"{}\"", used.operator)).count() {
                    return problem_at(*line, format!("{} has a row too many", used.operator));
                }
            }
        }
        None
    }

    pub(super) fn lacks_terms(&self, row: &RunRow) -> Option<&'static str> {
        let has_terms = !self.config(self.plan.id(row.run)).terms.is_empty();
        has_terms.then_some("no row in terms.csv")
    }

    pub(super) fn problem_of_terms(&self, row: &RunRow, terms: &[Numbered<TermRow>]) -> Option<RowProblem> {
        let names = &self.config(self.plan.id(row.run)).terms;
        let last = terms.last()?;
        if !terms.iter().map(|term| &term.row.term).eq(names) {
            return problem_at(last.line, format!("its terms are not {}", names.join(", ")));
        }
        let known = terms.iter().filter(|term| term.row.value.is_some()).count();
        if known != 0 && known != names.len() {
            return problem_at(last.line, "some of its terms are missing");
        }
        if known > 0 && row.has_failed() {
            return problem_at(last.line, "it failed, and has terms");
        }
        let is_wrong = |term: &&Numbered<TermRow>| term.row.value.is_some_and(|value| !value.is_finite());
        let wrong = terms.iter().find(is_wrong)?;
        problem_at(wrong.line, "it is no finite number")
    }

    pub(super) fn problem_of_cost(&self, row: &RunRow, costs: &[Numbered<CostRow>]) -> Option<RowProblem> {
        let Numbered { line, row: CostRow { cost, .. } } = costs.last()?;
        if costs.len() > 1 {
            return problem_at(*line, "it is listed twice");
        }
        let reports = self.config(self.plan.id(row.run)).reports_cost;
        let has_cost = reports && !row.has_failed() && !row.was_cut_by_the_clock();
        match cost {
            Some(_) if !has_cost => problem_at(*line, "it has reported no cost"),
            None if has_cost => problem_at(*line, "its cost is missing"),
            Some(cost) if !cost.is_finite() => problem_at(*line, format!("{cost} is no cost")),
            _ => None,
        }
    }

    pub(super) fn lacks_reason(&self, row: &RunRow) -> Option<&'static str> {
        row.has_failed().then_some("no reason in failures.csv")
    }

    /// What is wrong with the reason of a run's failure.
    pub(super) fn problem_of_failure(
        &self,
        row: &RunRow,
        failures: &[Numbered<FailureRow>],
    ) -> Option<RowProblem> {
        let Numbered { line, row: failure } = failures.last()?;
        if failures.len() > 1 {
            return problem_at(*line, "it is listed twice");
        }
        if !row.has_failed() {
            return problem_at(*line, "it did not fail");
        }
        let is_of_run = failure.puzzle == row.puzzle
            && failure.setting == row.setting
            && failure.replicate == row.replicate;
        if is_of_run {
            return None;
        }
        problem_at(*line, "puzzle, setting or replicate differs from runs.csv")
    }
}

fn problem_of_migrant(
    row: &RunRow,
    islands: Option<usize>,
    migrant: &MigrationRow,
    before: Option<&MigrationRow>,
) -> Option<String> {
    let MigrationRow { barrier, evaluations, moves, from, to, fitness, .. } = *migrant;
    let are_there = islands.is_none_or(|islands| from < islands && to < islands);
    if from == to || !are_there {
        return Some(format!("no migrant can go from island {from} to island {to}"));
    }
    if let Some(best) = row.best_fitness
        && fitness < best
    {
        return Some(format!("fitness {fitness} is below best_fitness {best}"));
    }
    if evaluations > row.evaluations || moves > row.moves {
        return Some("it lies beyond the end of the run".to_owned());
    }
    // Several migrants settle at one barrier, when nothing more has been spent.
    let follows = before.is_none_or(|before| before.evaluations <= evaluations && before.moves <= moves);
    if barrier > 0 && follows {
        return None;
    }
    Some("barriers, evaluations and moves do not grow from barrier 1".to_owned())
}

fn problem_of_operator(row: &RunRow, used: &OperatorRow) -> Option<String> {
    let makes_moves = used.family == OperatorUse::MOVE;
    if !OperatorUse::FAMILIES.contains(&used.family.as_str()) {
        return Some(format!("there is no family {}", used.family));
    }
    if makes_moves && used.applied > row.moves {
        return Some(format!("{} was applied to more moves than were computed", used.operator));
    }
    if !makes_moves && used.applied > row.evaluations {
        return Some(format!("{} was applied to more children than were evaluated", used.operator));
    }
    if used.best <= used.better && used.better <= used.applied && used.better <= used.gain {
        return None;
    }
    Some("applied, better, best and gain contradict each other".to_owned())
}
