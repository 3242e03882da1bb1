//! Checks of the rows of `runs.csv` against the plan, their grids and the budget.

use super::super::files::RUNS;
use super::super::rows::{Numbered, RunRow, solver_of};
use super::Check;
use crate::experiment::{DeadRunPolicy, RunId};
use kenga_core::budget::StopReason;
use kenga_core::puzzle::{Grid, check};

/// What is true of the best grid of a run.
struct TrueBest {
    fitness: u32,
    verified: bool,
    distance: Option<u32>,
}

impl Check<'_> {
    /// Checks the rows of `runs.csv`.
    pub(super) fn rows(&mut self, rows: &[Numbered<RunRow>]) {
        let mut last = None;
        for Numbered { line, row } in rows {
            self.found.runs += 1;
            self.found.solved += u64::from(row.is_success());
            self.found.not_replayable += u64::from(row.was_cut_by_the_clock());
            self.found.failed += u64::from(row.has_failed());
            if last.is_some_and(|last| row.run <= last) {
                let how = if last == Some(row.run) { "listed twice" } else { "out of order" };
                self.refute(RUNS, *line, format!("run {} is {how}", row.run));
            }
            last = Some(row.run);
            for problem in self.problems_of(row) {
                self.refute(RUNS, *line, format!("run {}: {problem}", row.run));
            }
        }
        let mut runs = self.plan.share(self.shard).count();
        if self.plan.is_part_of_race(self.shard) {
            // What it lacks only all shards together say.
            runs = self.found.runs;
        } else if let Some(race) = self.plan.race() {
            let calls = rows.iter().map(|numbered| (numbered.row.run, numbered.row.race_calls())).collect();
            let race = race.replay(&calls);
            runs = race.runs();
            if race.next().is_none() && self.found.runs > runs {
                self.refute(RUNS, 0, format!("the race is over after {runs} runs"));
            }
        }
        self.found.missing = runs.saturating_sub(self.found.runs);
        // Without checksums the experiment goes on, and what is missing is still to come.
        if self.found.checksums && self.found.missing > 0 {
            let problem = format!("missing: {} of {runs} runs", self.found.missing);
            self.refute(RUNS, 0, problem);
        }
    }

    /// The problems of a row, judged by its grid and its budget.
    fn problems_of(&self, row: &RunRow) -> Vec<String> {
        if !self.plan.share(self.shard).has(row.run) {
            return vec!["the plan has no such run for this folder".to_owned()];
        }
        let id = self.plan.id(row.run);
        let puzzle = &self.plan.puzzles[id.puzzle];
        let best = self.best(id, row);
        if best.is_none() && !row.grid.is_empty() {
            return vec!["the grid does not fit this puzzle".to_owned()];
        }
        let Some(stop) = StopReason::from_name(&row.stop_reason) else {
            return vec![format!("unknown stop_reason {}", row.stop_reason)];
        };
        let config = self.config(id);
        let budget = &config.budget;
        let fitness = best.as_ref().map(|best| best.fitness);
        let zero_is_solved = self.runner.fitness(id).zero_is_solved();
        let solved = fitness == Some(0) && zero_is_solved;
        let verified = best.as_ref().is_some_and(|best| best.verified) && zero_is_solved;
        let distance = best.as_ref().and_then(|best| best.distance);
        let mut problems = Vec::new();
        for (column, is, was) in [
            ("puzzle", puzzle.id.clone(), row.puzzle.clone()),
            ("best_fitness", shown(fitness), shown(row.best_fitness)),
            ("solved", solved.to_string(), row.solved.to_string()),
            ("verified", verified.to_string(), row.verified.to_string()),
            ("distance", shown(distance), shown(row.distance)),
        ] {
            if is != was {
                problems.push(format!("{column} is {is}, not {was}"));
            }
        }
        for (limit, spent, what) in [
            (budget.evaluations, row.evaluations, "evaluations"),
            (budget.moves, row.moves, "moves"),
            (budget.generations, row.generations, "generations"),
        ] {
            if limit.is_some_and(|limit| spent > limit) {
                problems.push(format!("{spent} {what} exceed the budget"));
            }
        }
        // Islands share evaluations and moves. One may stop at its share while another gives up or reaches another bound, so
        // that less than the whole budget may have been spent.
        let is_bound = match stop {
            StopReason::Seconds => budget.seconds.is_some(),
            StopReason::Evaluations | StopReason::Moves => budget.bounds(stop),
            _ => true,
        };
        if !is_bound {
            problems.push(format!("stop_reason is {stop}, which the budget does not bound"));
        }
        if stop == StopReason::Generations && budget.generations != Some(row.generations) {
            problems.push(format!("it stopped for generations at {}", row.generations));
        }
        for (holds, problem) in self.claims(id, row, stop, best.is_some()) {
            if !holds {
                problems.push(problem.to_owned());
            }
        }
        problems
    }

    /// What must hold between the columns of a row, and the problem where it does not.
    fn claims(&self, id: RunId, row: &RunRow, stop: StopReason, has_best: bool) -> Vec<(bool, &'static str)> {
        let config = self.config(id);
        let is_dead = stop == StopReason::Dead;
        let solver = if row.solved { Some(solver_of(self.runner.by_propagation(id))) } else { None };
        vec![
            (
                row.replicate == id.replicate && row.setting == id.setting,
                "replicate or setting differs from the plan",
            ),
            (row.swept == self.plan.setting(id.setting).labels, "a swept key has another value"),
            (row.solved_by.as_deref() == solver, "solved_by contradicts solved"),
            (row.dead_at <= Some(row.evaluations), "dead_at exceeds evaluations"),
            (row.dead_at.is_none() || !row.solved, "it is both dead and solved"),
            (
                row.dead_at.is_none() || self.runner.can_die(id),
                "dead_at is claimed, but cannot be proved: not all solutions are known, or every genome can be reached",
            ),
            (
                is_dead == (config.dead == DeadRunPolicy::Stop && row.dead_at.is_some()),
                "stop_reason contradicts dead_at",
            ),
            (!is_dead || row.dead_at == Some(row.evaluations), "it stopped as dead, but not at dead_at"),
            ((stop == StopReason::Solved) == row.solved, "stop_reason contradicts solved"),
            (
                // A program may fail after the bound was reached, by an answer that nobody asked for.
                row.has_failed()
                    || (stop == StopReason::Bound) == (row.best_fitness == Some(0) && !row.solved),
                "stop_reason contradicts best_fitness",
            ),
            (row.evaluations_to_best <= Some(row.evaluations), "evaluations_to_best exceeds evaluations"),
            (row.moves_to_best <= Some(row.moves), "moves_to_best exceeds moves"),
            (
                has_best == row.calls_to_best().is_some(),
                "the grid contradicts evaluations_to_best and moves_to_best",
            ),
            (
                has_best
                    || row.evaluations == 0 && (stop == StopReason::Failed || stop == StopReason::Seconds),
                "the grid is missing",
            ),
            (stop != StopReason::Failed || config.can_fail, "its algorithm cannot fail"),
        ]
    }

    /// What is true of the grid of a row; `None` where it is none of the run's puzzle. What a problem of the user's own is worth
    /// only a replay can tell.
    fn best(&self, id: RunId, row: &RunRow) -> Option<TrueBest> {
        let puzzle = &self.plan.puzzles[id.puzzle];
        let grid = Grid::parse(&row.grid, puzzle.rows(), puzzle.cols()).ok()?;
        let ranks = self.runner.problem(id.puzzle).ranks(&grid)?;
        if puzzle.genome().is_some() {
            return Some(TrueBest { fitness: row.best_fitness?, verified: row.verified, distance: None });
        }
        Some(TrueBest {
            fitness: self.runner.fitness(id).evaluate(&ranks),
            verified: check(puzzle, &grid).is_solution(),
            distance: self.runner.truth(id.puzzle).distance(&ranks),
        })
    }
}

fn shown(number: Option<u32>) -> String {
    number.map_or("unknown".to_owned(), |number| number.to_string())
}
