//! Rows of `runs.csv`, judged by their grids and the budget.

use super::super::files::RUNS;
use super::super::rows::{RunRow, solver_of};
use super::Check;
use crate::budget::StopReason;
use crate::experiment::{Dead, Race};
use crate::puzzle::{Grid, check};

impl Check<'_> {
    pub(super) fn rows(&mut self, rows: &[(u64, RunRow)]) {
        let mut last = None;
        for (line, row) in rows {
            self.found.runs += 1;
            self.found.solved += u64::from(row.solved);
            self.found.not_replayable += u64::from(row.was_cut_by_the_clock());
            if last.is_some_and(|last| row.run <= last) {
                let how = if last == Some(row.run) { "there twice" } else { "out of order" };
                self.refute(RUNS, *line, format!("run {} is {how}", row.run));
            }
            last = Some(row.run);
            for problem in self.problems_of(row) {
                self.refute(RUNS, *line, format!("run {}: {problem}", row.run));
            }
        }
        let calls = rows.iter().map(|(_, row)| (row.run, row.race_calls())).collect();
        let race = Race::replay(self.plan, &calls);
        let runs = race.as_ref().map_or_else(|| self.shard.count(self.plan.runs()), Race::runs);
        if race.is_some_and(|race| race.next().is_none()) && self.found.runs > runs {
            self.refute(RUNS, 0, format!("the race is over after {runs} runs"));
        }
        self.found.missing = runs.saturating_sub(self.found.runs);
        if self.found.checksums && self.found.missing > 0 {
            let problem = format!("missing: {} of {runs} runs", self.found.missing);
            self.refute(RUNS, 0, problem);
        }
    }

    /// What does not hold of a row, judged by its grid alone.
    fn problems_of(&self, row: &RunRow) -> Vec<String> {
        if row.run >= self.plan.runs() || !self.shard.has(row.run) {
            return vec!["the plan has no such run here".to_owned()];
        }
        let id = self.plan.id(row.run);
        let (puzzle, problem) = (&self.plan.puzzles[id.puzzle], self.runner.problem(id.puzzle));
        let Some((grid, ranks)) = Grid::parse(&row.grid, puzzle.rows(), puzzle.cols())
            .ok()
            .and_then(|grid| problem.ranks(&grid).map(|ranks| (grid, ranks)))
        else {
            return vec!["the grid does not fit this puzzle".to_owned()];
        };
        let fitness = self.runner.fitness(id).evaluate(&ranks);
        let distance = self.runner.truth(id.puzzle).distance(&ranks);
        let verified = check(puzzle, &grid).is_solution();
        let config = self.config(id);
        let budget = &config.budget;
        let within = |limit: Option<u64>, spent: u64| limit.is_none_or(|limit| spent <= limit);
        let mut problems = Vec::new();
        let mut claim = |holds: bool, problem: String| {
            if !holds {
                problems.push(problem);
            }
        };
        claim(row.puzzle == puzzle.id, format!("puzzle is {}, not {}", puzzle.id, row.puzzle));
        claim(
            (row.replicate, row.setting) == (id.replicate, id.setting),
            "replicate or setting is another".to_owned(),
        );
        claim(row.swept == self.plan.setting(id.setting).labels, "a swept key has another value".to_owned());
        claim(row.best_fitness == fitness, format!("best_fitness is {fitness}, not {}", row.best_fitness));
        claim(row.solved == (fitness == 0), format!("solved is {}, not {}", fitness == 0, row.solved));
        claim(row.verified == verified, format!("verified is {verified}, not {}", row.verified));
        let by = row.solved_by.as_deref();
        claim(
            by == row.solved.then(|| solver_of(self.runner.by_propagation(id))),
            "solved_by contradicts solved".to_owned(),
        );
        claim(
            row.dead_at.is_none_or(|dead_at| dead_at <= row.evaluations),
            "dead_at exceeds evaluations".to_owned(),
        );
        claim(row.dead_at.is_none() || !row.solved, "it is dead and solved".to_owned());
        claim(
            row.dead_at.is_none() || self.runner.can_die(id),
            "dead_at is claimed, but nothing proves it: not all solutions are known, or every genome may come up"
                .to_owned(),
        );
        claim(
            (row.stop_reason == "dead") == (config.dead == Dead::Stop && row.dead_at.is_some()),
            "stop_reason contradicts dead_at".to_owned(),
        );
        claim(
            row.stop_reason != "dead" || row.dead_at == Some(row.evaluations),
            "it stopped as dead, but not at dead_at".to_owned(),
        );
        let shown = |distance: Option<u32>| distance.map_or("unknown".to_owned(), |cells| cells.to_string());
        let problem = format!("distance is {}, not {}", shown(distance), shown(row.distance));
        claim(row.distance == distance, problem);
        claim(
            StopReason::from_name(&row.stop_reason).is_some(),
            format!("no stop_reason {}", row.stop_reason),
        );
        claim((row.stop_reason == "solved") == row.solved, "stop_reason contradicts solved".to_owned());
        claim(
            budget.seconds.is_some() || !row.was_cut_by_the_clock(),
            "stop_reason is seconds, which the budget does not bound".to_owned(),
        );
        claim(
            within(budget.evaluations, row.evaluations),
            format!("{} evaluations exceed the budget", row.evaluations),
        );
        claim(within(budget.moves, row.moves), format!("{} moves exceed the budget", row.moves));
        claim(
            within(budget.generations, row.generations),
            format!("{} generations exceed the budget", row.generations),
        );
        claim(
            row.evaluations_to_best <= row.evaluations,
            "evaluations_to_best exceeds evaluations".to_owned(),
        );
        claim(
            row.stop_reason != "generations" || budget.generations == Some(row.generations),
            format!("it stopped for generations at {}", row.generations),
        );
        // Islands share evaluations and moves, and one may stop for its share while another gives up or has spent what
        // else bounds it: less than all may have been spent.
        let bounds = [("evaluations", budget.evaluations), ("moves", budget.moves)];
        for (bound, _) in bounds.iter().filter(|(_, limit)| limit.is_none()) {
            claim(
                row.stop_reason != *bound,
                format!("stop_reason is {bound}, which the budget does not bound"),
            );
        }
        claim(row.moves_to_best <= row.moves, "moves_to_best exceeds moves".to_owned());
        problems
    }
}
