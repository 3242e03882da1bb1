//! A run under way: begun, advanced in steps, finished. The runner and the player make every run with it.

use std::sync::Arc;

use super::prepared::{Evaluator, PreparedPuzzle};
use super::{
    BrokenGroup, Config, DeadRunPolicy, LiveView, Recorder, RunBest, RunId, RunRecord, Sample, Truth,
};
use kenga_core::budget::{Clock, Interrupt, Spent, StopReason};
use kenga_core::fitness::{Fitness, Halted};
use kenga_core::puzzle::{Puzzle, check};
use kenga_core::search::{Algorithm, Best, Births, Census, Failure, Ledger, Observer, Population, Task};

/// What a run is made of.
pub(super) struct RunParts<'a> {
    pub(super) config: &'a Config,
    pub(super) puzzle: &'a Puzzle,
    pub(super) truth: &'a Truth,
    pub(super) evaluator: &'a Evaluator,
    /// That of the run: of a problem of the user's own it has an objective of its own.
    pub(super) fitness: Arc<Fitness>,
    /// Ready to start.
    pub(super) algorithm: Box<dyn Algorithm>,
    pub(super) interrupt: Interrupt,
}

impl<'a> RunParts<'a> {
    /// The parts of a run of an algorithm that was tried on the puzzle when this was made ready.
    pub(super) fn new(
        config: &'a Config,
        puzzle: &'a Puzzle,
        prepared: &'a PreparedPuzzle,
        evaluator: usize,
        mut task: Task,
        interrupt: &Interrupt,
    ) -> Self {
        if let Some(objective) = config.objective(puzzle, task.guard.clone(), Arc::clone(&task.programs)) {
            task.fitness = Arc::new(task.fitness.with_objective(objective));
        }
        Self {
            config,
            puzzle,
            truth: &prepared.truth,
            evaluator: &prepared.evaluators[evaluator],
            algorithm: config.recipe.start(&task).expect("it was tried when the puzzle was made ready"),
            fitness: task.fitness,
            interrupt: interrupt.clone(),
        }
    }
}

/// A run under way.
pub struct Execution<'a> {
    id: RunId,
    parts: RunParts<'a>,
    recorder: Recorder<'a>,
    clock: Clock,
    stop: Option<StopReason>,
}

impl<'a> Execution<'a> {
    /// Makes the initial population.
    pub(super) fn begin(id: RunId, parts: RunParts<'a>, recorder: Recorder<'a>, clock: Clock) -> Self {
        let closure = match parts.config.dead {
            DeadRunPolicy::Off => None,
            _ => parts.algorithm.details().closure(),
        };
        let recorder = recorder.with_closure(closure.as_ref());
        let mut execution = Self { id, parts, recorder, clock, stop: None };
        execution.parts.algorithm.start(&mut execution.recorder);
        execution
    }

    /// Makes a step of the algorithm; returns the stop reason when the run has ended.
    pub fn step(&mut self) -> Option<StopReason> {
        let stop = self.stop.or_else(|| self.parts.algorithm.step(&mut self.recorder));
        self.stop = self.checked(stop);
        self.stop
    }

    /// Makes at most a generation of every population; returns the stop reason when the run has ended.
    pub fn step_one_generation(&mut self) -> Option<StopReason> {
        let stop = self.stop.or_else(|| self.parts.algorithm.step_one_generation(&mut self.recorder));
        self.stop = self.checked(stop);
        self.stop
    }

    /// The stop reason of a run that has ended, once its objective has checked its values. A solution is checked by asking
    /// for its value again.
    fn checked(&self, stop: Option<StopReason>) -> Option<StopReason> {
        if stop.is_none() || stop == Some(StopReason::Solved) {
            return stop;
        }
        self.parts.fitness.finish();
        match self.parts.fitness.halted() {
            Some(Halted::Failed(_)) => Some(StopReason::Failed),
            _ => stop,
        }
    }

    /// Why the run has ended, if it has.
    pub fn stop(&self) -> Option<StopReason> {
        self.stop
    }

    /// What has been spent.
    pub fn spent(&self) -> Spent {
        self.parts.algorithm.spent()
    }

    /// The best individual so far, if anything has been evaluated.
    pub fn leader(&self) -> Option<&Best> {
        let best = self.parts.algorithm.leader();
        if best.is_none() { None } else { Some(best) }
    }

    /// Shows the population of the last complete generation, of islands each.
    pub fn populations(&self, see: &mut dyn FnMut(&Population)) {
        self.parts.algorithm.populations(see);
    }

    /// Usage and gain of its operators, where they are counted.
    pub fn ledger(&self) -> Ledger {
        self.parts.algorithm.details().ledger()
    }

    /// The births of the last complete generation, where the view asked for them; see [`RunDetails::births`](kenga_core::search::RunDetails::births).
    pub fn births(&self) -> Vec<Option<Arc<Births>>> {
        self.parts.algorithm.details().births()
    }

    /// What went wrong, where it failed.
    pub fn failure(&self) -> Option<&Failure> {
        match self.parts.fitness.halted() {
            Some(Halted::Failed(failure)) => Some(failure),
            _ => self.parts.algorithm.details().failure(),
        }
    }

    /// What it has cost, where its algorithm reports that.
    pub fn cost(&self) -> Option<f64> {
        self.parts.algorithm.details().cost()
    }

    /// The terms of the best, where the problem has names for them and they are known.
    fn terms(&self) -> Vec<f64> {
        let best = self.parts.algorithm.best();
        if self.config().terms.is_empty() || best.is_none() || self.failure().is_some() {
            return Vec::new();
        }
        self.parts.fitness.objective_terms(&best.ranks).unwrap_or_default()
    }

    /// A best of fitness 0 is the solution that it claims to be: the referee confirms it, or of a problem of the user's own
    /// the objective, asked again.
    fn is_verified(&self, best: &Best) -> bool {
        if best.fitness > 0 || !self.fitness().zero_is_solved() {
            return false;
        }
        if self.parts.puzzle.genome().is_some() {
            return self.parts.fitness.evaluate(&best.ranks) == 0;
        }
        check(self.parts.puzzle, &self.fitness().problem().grid(&best.ranks)).is_solution()
    }

    /// Evaluations spent when it had lost every solution, where that is known.
    pub fn dead_at(&self) -> Option<u64> {
        self.recorder.dead_at()
    }

    /// The configuration of its setting.
    pub fn config(&self) -> &'a Config {
        self.parts.config
    }

    /// Its problem and measure.
    pub fn fitness(&self) -> &'a Fitness {
        &self.parts.evaluator.fitness
    }

    /// The ground truth of its puzzle.
    pub fn truth(&self) -> &'a Truth {
        self.parts.truth
    }

    /// What a viewer has seen of it; `None` without a viewer.
    pub fn live_view(&mut self) -> Option<&mut LiveView> {
        self.recorder.live_view()
    }

    /// A sample of the last complete generation, as it stands.
    pub fn sample(&mut self) -> Option<Sample> {
        let (complete, census) = self.complete();
        if census.individuals() == 0 {
            return None;
        }
        Some(self.recorder.sample(complete, &census))
    }

    fn complete(&self) -> (Spent, Census) {
        let problem = self.fitness().problem();
        let mut census = Census::new(problem.cells(), problem.digits());
        census.clear(self.recorder.counts_unique());
        census.keep_individuals(self.recorder.records_populations());
        let complete = self.parts.algorithm.census(&mut census);
        (complete, census)
    }

    /// The record of a run that has ended; `None` when it was cut.
    pub fn finish(self) -> Option<RunRecord> {
        let stop = self.stop.filter(|_| !self.parts.interrupt.is_raised())?;
        let (complete, census) = self.complete();
        let verified = self.is_verified(self.parts.algorithm.best());
        let (failure, cost, terms) = (self.failure().cloned(), self.cost(), self.terms());
        let helpers_cpu_s =
            self.parts.algorithm.details().helpers_cpu_s() + self.parts.fitness.helpers_cpu_s();
        let Self { id, parts, mut recorder, clock, .. } = self;
        recorder.finish(complete, &census);
        let Evaluator { fitness, by_propagation } = parts.evaluator;
        let problem = fitness.problem();
        let found = Some(parts.algorithm.best()).filter(|best| !best.is_none());
        let best = found.map(|best| RunBest {
            fitness: best.fitness,
            at: best.at,
            distance: parts.truth.distance(&best.ranks),
            grid: problem.grid(&best.ranks),
        });
        let solved = best.as_ref().is_some_and(|best| best.fitness == 0) && fitness.zero_is_solved();
        Some(RunRecord {
            id,
            solved,
            by_propagation: solved && *by_propagation,
            verified,
            spent: parts.algorithm.spent(),
            stop,
            failure,
            // A promise that a program broke: what was solved was in reach.
            dead_at: recorder.dead_at().filter(|_| !solved),
            samples: recorder.samples,
            migrations: recorder.migrations.unwrap_or_default(),
            populations: recorder.populations,
            broken: match found {
                Some(best) if parts.config.record_groups => BrokenGroup::of(fitness, &best.ranks),
                _ => Vec::new(),
            },
            best,
            operators: parts.algorithm.details().ledger(),
            cost,
            terms,
            cpu_s: clock.cpu_s() + helpers_cpu_s,
            wall_s: clock.wall_s(),
        })
    }
}
