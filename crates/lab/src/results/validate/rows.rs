//! Checks of rows: those of `runs.csv` against their grids and the budget, and those of `convergence.csv`, `migrations.csv`,
//! `groups.csv` and `operators.csv` against each other and the run's row. Only a replay can check the counts of operators.

use super::super::files::RUNS;
use super::super::rows::{
    ConvergenceRow, FailureRow, GroupRow, MigrationRow, OperatorRow, RunRow, solver_of,
};
use super::{Check, ResultsError};
use crate::experiment::{BrokenGroup, DeadRunPolicy, Race, RecordEvery, RunId, Sample, measure};
use kenga_core::budget::StopReason;
use kenga_core::fitness::Terms;
use kenga_core::puzzle::{Grid, check};
use kenga_core::search::OperatorUse;

// Measures that are judged.
const MEAN: usize = measure("mean");
const WORST: usize = measure("worst");
const DIVERSITY: usize = measure("diversity");
const ENTROPY: usize = measure("entropy");
const TERMS: [usize; 5] =
    [measure("count"), measure("row"), measure("column"), measure("region"), measure("cage")];
const GROUP: usize = measure("group");

/// What is true of the best grid of a run.
struct TrueBest {
    fitness: u32,
    verified: bool,
    distance: Option<u32>,
}

impl Check<'_> {
    pub(super) fn rows(&mut self, rows: &[(u64, RunRow)]) {
        let mut last = None;
        for (line, row) in rows {
            self.found.runs += 1;
            self.found.solved += u64::from(row.solved);
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
        let calls = rows.iter().map(|(_, row)| (row.run, row.race_calls())).collect();
        let race = self.plan.race().map(|race| race.replay(&calls));
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

    /// The problems of a row, judged by its grid and its budget.
    fn problems_of(&self, row: &RunRow) -> Vec<String> {
        if row.run >= self.plan.runs() || !self.shard.has(row.run) {
            return vec!["the plan has no such run for this folder".to_owned()];
        }
        let id = self.plan.id(row.run);
        let puzzle = &self.plan.puzzles[id.puzzle];
        let best = self.best(id, &row.grid);
        if best.is_none() && !row.grid.is_empty() {
            return vec!["the grid does not fit this puzzle".to_owned()];
        }
        let Some(stop) = StopReason::from_name(&row.stop_reason) else {
            return vec![format!("unknown stop_reason {}", row.stop_reason)];
        };
        let config = self.config(id);
        let budget = &config.budget;
        let fitness = best.as_ref().map(|best| best.fitness);
        let (solved, verified) = (fitness == Some(0), best.as_ref().is_some_and(|best| best.verified));
        let distance = best.as_ref().and_then(|best| best.distance);
        let shown = |number: Option<u32>| number.map_or("unknown".to_owned(), |number| number.to_string());
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
        let is_dead = stop == StopReason::Dead;
        let by = row.solved.then(|| solver_of(self.runner.by_propagation(id)));
        let labels = &self.plan.setting(id.setting).labels;
        let claims = [
            (
                (row.replicate, row.setting) == (id.replicate, id.setting),
                "replicate or setting differs from the plan",
            ),
            (row.swept == *labels, "a swept key has another value"),
            (row.solved_by.as_deref() == by, "solved_by contradicts solved"),
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
            (row.evaluations_to_best <= Some(row.evaluations), "evaluations_to_best exceeds evaluations"),
            (row.moves_to_best <= Some(row.moves), "moves_to_best exceeds moves"),
            (
                best.is_some() == row.calls_to_best().is_some(),
                "the grid contradicts evaluations_to_best and moves_to_best",
            ),
            (
                best.is_some()
                    || row.evaluations == 0 && (stop == StopReason::Failed || stop == StopReason::Seconds),
                "the grid is missing",
            ),
            (stop != StopReason::Failed || config.can_fail, "its algorithm cannot fail"),
        ];
        problems.extend(claims.iter().filter(|(holds, _)| !holds).map(|(_, problem)| (*problem).to_owned()));
        problems
    }

    /// What is true of a grid; `None` where it is none of the run's puzzle.
    fn best(&self, id: RunId, grid: &str) -> Option<TrueBest> {
        let puzzle = &self.plan.puzzles[id.puzzle];
        let grid = Grid::parse(grid, puzzle.rows(), puzzle.cols()).ok()?;
        let ranks = self.runner.problem(id.puzzle).ranks(&grid)?;
        Some(TrueBest {
            fitness: self.runner.fitness(id).evaluate(&ranks),
            verified: check(puzzle, &grid).is_solution(),
            distance: self.runner.truth(id.puzzle).distance(&ranks),
        })
    }

    /// Checks every run's rows.
    pub(super) fn convergence(&mut self, rows: &[(u64, RunRow)]) -> Result<(), ResultsError> {
        let shown = self.of_runs::<ConvergenceRow>(Self::problem_of_run)?;
        self.found.samples += shown.rows;
        let recorded = !self.plan.config.record_every.is_never();
        let silent = |row: &RunRow| row.generations > 0 && !shown.runs.contains(&row.run);
        for (line, row) in rows.iter().filter(|(_, row)| recorded && silent(row)) {
            self.refute(RUNS, *line, format!("run {} has no convergence", row.run));
        }
        Ok(())
    }

    /// The first line of a run's rows that does not hold, and why. The generations of islands are recorded together however
    /// long each took, so that their rows do not tell when the best was found and when the run died.
    fn problem_of_run(&self, row: &RunRow, samples: &[(u64, ConvergenceRow)]) -> Option<(u64, String)> {
        let mut before: Option<&Sample> = None;
        for (line, ConvergenceRow { sample, .. }) in samples {
            if let Some(problem) = self.problem_of_sample(row, sample, before) {
                return Some((*line, problem));
            }
            before = Some(sample);
        }
        let (line, ConvergenceRow { sample: last, .. }) = samples.last()?;
        if last.generation != row.generations {
            let problem =
                format!("it ends at generation {}, the run at {}", last.generation, row.generations);
            return Some((*line, problem));
        }
        if self.runner.islands(self.plan.id(row.run)).is_some() {
            return None;
        }
        self.problem_of_best(row, samples).or_else(|| self.problem_of_death(row, samples))
    }

    /// A run dies at the end of a generation, which is recorded where every one is.
    fn problem_of_death(&self, row: &RunRow, samples: &[(u64, ConvergenceRow)]) -> Option<(u64, String)> {
        let dead_at = row.dead_at.filter(|_| self.plan.config.record_every == RecordEvery::Generations(1))?;
        let (line, _) = samples.last()?;
        let dies = samples.iter().any(|(_, row)| row.sample.evaluations == dead_at);
        (!dies).then(|| (*line, format!("no generation ends at {dead_at} evaluations, where it is dead")))
    }

    /// The best is found no later than the first generation that shows it; it may have been found before, lost, and found
    /// again.
    fn problem_of_best(&self, row: &RunRow, samples: &[(u64, ConvergenceRow)]) -> Option<(u64, String)> {
        let mut samples = samples.iter().map(|(line, row)| (line, &row.sample));
        let (line, sample) = samples.find(|(_, sample)| Some(sample.best) == row.best_fitness)?;
        let is_late =
            row.evaluations_to_best > Some(sample.evaluations) || row.moves_to_best > Some(sample.moves);
        is_late.then(|| {
            let claimed = row.evaluations_to_best.unwrap_or(0);
            (*line, format!("this generation shows the best, evaluations_to_best says {claimed}"))
        })
    }

    fn problem_of_sample(&self, row: &RunRow, sample: &Sample, before: Option<&Sample>) -> Option<String> {
        let every = self.plan.config.record_every;
        let terms = terms(sample, self.plan.config.shows_group_term);
        let weighted = terms.map(|terms| terms.weighted(&self.config(self.plan.id(row.run)).weights));
        let best = f64::from(sample.best);
        // A column that was left out cannot be wrong.
        let mean = sample.value(MEAN).unwrap_or(best);
        let worst = sample.value(WORST).unwrap_or(mean);
        let shares = [sample.value(DIVERSITY), sample.value(ENTROPY)];
        let spread = mean + 1e-5 >= best
            && mean - 1e-5 <= worst
            && shares.iter().flatten().all(|share| (0.0..=1.0).contains(share));
        let grows = |before: &Sample| {
            before.generation < sample.generation && before.evaluations <= sample.evaluations
        };
        if let Some(weighted) = weighted.filter(|weighted| *weighted != sample.best) {
            return Some(format!("the terms weigh {weighted}, best says {}", sample.best));
        }
        if let Some(best) = row.best_fitness.filter(|best| sample.best < *best) {
            return Some(format!("best {} is below best_fitness {best}", sample.best));
        }
        if !spread {
            return Some("best, mean, worst, diversity and entropy contradict each other".to_owned());
        }
        if sample.evaluations > row.evaluations
            || sample.moves > row.moves
            || sample.generation > row.generations
        {
            return Some("it lies beyond the end of the run".to_owned());
        }
        if !every.may_record(sample.generation) && sample.generation != row.generations {
            return Some(format!("generation {} is not one that is recorded", sample.generation));
        }
        let follows = before.map_or(sample.generation == 0, grows);
        (!follows).then(|| "generations and evaluations do not grow from generation 0".to_owned())
    }

    /// Checks that every run has the groups that its best breaks.
    pub(super) fn groups(&mut self, rows: &[(u64, RunRow)]) -> Result<(), ResultsError> {
        let shown = self.of_runs(|check: &Self, row, of_run: &[(u64, GroupRow)]| {
            let broken = check.broken(row)?;
            let differs = |index: &usize| of_run.get(*index).map(|(_, row)| row) != broken.get(*index);
            let index = (0..of_run.len().max(broken.len())).find(differs)?;
            let line = of_run.get(index).or(of_run.last()).map_or(0, |(line, _)| *line);
            Some((line, "the grid breaks different groups".to_owned()))
        })?;
        let asked = self.plan.config.record_groups;
        let silent =
            |row: &&(u64, RunRow)| asked && row.1.best_fitness > Some(0) && !shown.runs.contains(&row.1.run);
        for (line, row) in rows.iter().filter(silent) {
            if self.broken(row).is_some_and(|broken| !broken.is_empty()) {
                self.refute(RUNS, *line, format!("run {} has no broken groups", row.run));
            }
        }
        Ok(())
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

    /// Checks every run's migrants.
    pub(super) fn migrations(&mut self) -> Result<(), ResultsError> {
        self.found.migrations += self.of_runs::<MigrationRow>(Self::problem_of_migrants)?.rows;
        Ok(())
    }

    /// The first line of a run's migrants that does not hold, and why.
    fn problem_of_migrants(&self, row: &RunRow, migrants: &[(u64, MigrationRow)]) -> Option<(u64, String)> {
        let islands = self.runner.islands(self.plan.id(row.run));
        let mut before: Option<&MigrationRow> = None;
        for (line, migrant) in migrants {
            if let Some(problem) = problem_of_migrant(row, islands, migrant, before) {
                return Some((*line, problem));
            }
            before = Some(migrant);
        }
        None
    }

    /// Checks every run's operators. Which operators a run has is left to a replay: a portfolio that solves early does not
    /// reach all of its stages, and several operators may have one name.
    pub(super) fn operators(&mut self) -> Result<(), ResultsError> {
        self.of_runs(|check: &Self, row, of_run: &[(u64, OperatorRow)]| {
            let found = of_run.iter().find_map(|(line, used)| Some((*line, problem_of(row, used)?)));
            found.or_else(|| check.doubled_operator(row, of_run))
        })?;
        Ok(())
    }

    /// Checks that the reason of every failed run is there, and no other.
    pub(super) fn failures(&mut self, rows: &[(u64, RunRow)]) -> Result<(), ResultsError> {
        let shown = self.of_runs(|_: &Self, row, of_run| problem_of_failure(row, of_run))?;
        let asked = self.plan.can_fail();
        let silent = |row: &&(u64, RunRow)| asked && row.1.has_failed() && !shown.runs.contains(&row.1.run);
        for (line, row) in rows.iter().filter(silent) {
            self.refute(RUNS, *line, format!("run {} has no reason in failures.csv", row.run));
        }
        Ok(())
    }
}

/// What is wrong with the reason of a run's failure, and in which line.
fn problem_of_failure(row: &RunRow, failures: &[(u64, FailureRow)]) -> Option<(u64, String)> {
    let (line, failure) = failures.last()?;
    let FailureRow { puzzle, setting, replicate, .. } = failure;
    let problem = if failures.len() > 1 {
        "it is listed twice"
    } else if !row.has_failed() {
        "it did not fail"
    } else if (puzzle, setting, replicate) != (&row.puzzle, &row.setting, &row.replicate) {
        "puzzle, setting or replicate differs from runs.csv"
    } else {
        return None;
    };
    Some((*line, problem.to_owned()))
}

/// The terms of the best; `None` where one of them was left out. That of groups is 0 where no puzzle `has_groups`.
fn terms(sample: &Sample, has_groups: bool) -> Option<Terms> {
    let term = |place| sample.value(place).map(|term| term as u32);
    let group = if has_groups { term(GROUP)? } else { 0 };
    let [count, row, column, region, cage] = TERMS.map(term);
    Some(Terms { count: count?, row: row?, column: column?, region: region?, cage: cage?, group })
}

fn problem_of_migrant(
    row: &RunRow,
    islands: Option<usize>,
    migrant: &MigrationRow,
    before: Option<&MigrationRow>,
) -> Option<String> {
    let MigrationRow { barrier, evaluations, moves, from, to, fitness, .. } = *migrant;
    let is_there = |island: usize| islands.is_none_or(|islands| island < islands);
    if from == to || !is_there(from) || !is_there(to) {
        return Some(format!("no migrant can go from island {from} to island {to}"));
    }
    if let Some(best) = row.best_fitness.filter(|best| fitness < *best) {
        return Some(format!("fitness {fitness} is below best_fitness {best}"));
    }
    if evaluations > row.evaluations || moves > row.moves {
        return Some("it lies beyond the end of the run".to_owned());
    }
    let follows = before.is_none_or(|before| before.evaluations <= evaluations && before.moves <= moves);
    (barrier == 0 || !follows)
        .then(|| "barriers, evaluations and moves do not grow from barrier 1".to_owned())
}

fn problem_of(row: &RunRow, used: &OperatorRow) -> Option<String> {
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
    let counts = used.best <= used.better && used.better <= used.applied && used.better <= used.gain;
    (!counts).then(|| "applied, better, best and gain contradict each other".to_owned())
}
