//! An experiment that a server runs, and how far it is.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

use super::folders::{ExperimentFacts, ExperimentStatus};
use crate::lock;
use kenga_core::budget::{Clock, Interrupt, Spent};
use kenga_lab::experiment::{Halt, Plan, RemainingRuns, RunId, RunRecord, Shard, Watch};
use kenga_lab::results::RunTally;

/// Generations between two looks at a run.
const UPDATE_EVERY: u64 = 16;

/// An experiment that a server runs.
pub(crate) struct Experiment {
    /// The name of its folder.
    pub(crate) name: String,
    /// What does not change.
    pub(super) facts: ExperimentFacts,
    pub(super) interrupt: Interrupt,
    progress: Mutex<ExperimentProgress>,
}

/// What a server does with an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Others come first.
    Waiting,
    /// The puzzles are solved exactly.
    Preparing,
    /// Runs are made.
    Running,
    /// It was told to stop.
    Stopping,
    /// Every run has ended.
    Finished,
    /// It was stopped, by somebody or by an error.
    Interrupted,
}

/// How far an experiment is.
struct ExperimentProgress {
    phase: Phase,
    problem: Option<String>,
    puzzles: Arc<[String]>,
    /// The runs that have ended.
    tally: RunTally,
    /// Evaluations and moves of the runs that ended here.
    calls: u64,
    clock: Clock,
    /// Seconds that it took, once it has ended.
    seconds: Option<f64>,
    under_way: BTreeMap<u64, RunUnderWay>,
}

/// A run that is being made.
struct RunUnderWay {
    id: RunId,
    spent: Spent,
    best: Option<u32>,
}

/// Follows the runs of an experiment.
pub(super) struct Follower<'a>(&'a Experiment);

impl Experiment {
    /// An experiment that waits, of which some runs have ended.
    pub(super) fn new(name: String, plan: &Plan, shard: Shard, ended: RunTally) -> Self {
        let progress = ExperimentProgress {
            phase: Phase::Waiting,
            problem: None,
            puzzles: plan.puzzles.iter().map(|puzzle| puzzle.id.clone()).collect(),
            tally: ended,
            calls: 0,
            clock: Clock::start(),
            seconds: None,
            under_way: BTreeMap::new(),
        };
        let (facts, interrupt) = (ExperimentFacts::new(plan, shard), Interrupt::default());
        Self { name, facts, interrupt, progress: Mutex::new(progress) }
    }

    fn progress(&self) -> MutexGuard<'_, ExperimentProgress> {
        lock(&self.progress)
    }

    /// Tells its runs to stop.
    pub(super) fn stop(&self) {
        self.interrupt.raise(Interrupt::ABANDONED);
        self.progress().phase = Phase::Stopping;
    }

    /// A phase begins, unless it is to stop.
    pub(super) fn enter(&self, phase: Phase) {
        // Told to stop while it prepares, it must not seem to run again.
        let mut progress = self.progress();
        if progress.phase != Phase::Stopping {
            progress.phase = phase;
        }
    }

    /// Begins to follow its runs.
    pub(super) fn follow(&self, remaining: &RemainingRuns<'_>, ended: RunTally) -> Follower<'_> {
        self.enter(Phase::Running);
        let mut progress = self.progress();
        let runs = remaining.share.count();
        // Of a folder that had failures, some that have ended are made again.
        progress.tally = RunTally { done: runs - remaining.count(), ..ended };
        // The rate is that of runs: the exact solver before them is no part of it.
        progress.clock = Clock::start();
        Follower(self)
    }

    /// It has ended.
    pub(super) fn ended(&self, halt: Halt) {
        let mut progress = self.progress();
        progress.phase = if halt == Halt::Complete { Phase::Finished } else { Phase::Interrupted };
        progress.end();
    }

    /// It was stopped by an error.
    pub(super) fn failed(&self, problem: &str) {
        let mut progress = self.progress();
        (progress.phase, progress.problem) = (Phase::Interrupted, Some(problem.to_owned()));
        progress.end();
    }

    /// How far it is; `before` others are to end first.
    pub(super) fn status(&self, before: usize) -> ExperimentStatus {
        let progress = self.progress();
        let RunTally { done, solved, failed, mut best, .. } = progress.tally;
        let mut calls = progress.calls;
        let mut under_way = Vec::new();
        for run in progress.under_way.values() {
            calls += run.spent.calls();
            best = lower(best, run.best);
            under_way.push(run.json(&progress.puzzles));
        }
        let seconds = progress.seconds.unwrap_or_else(|| progress.clock.wall_s());
        // Of the first moment no rate can be told.
        let rate = if seconds > 0.1 { Some((calls as f64 / seconds).round()) } else { None };
        ExperimentStatus {
            state: progress.phase.name(),
            problem: progress.problem.clone(),
            before: if progress.phase == Phase::Waiting { Some(before) } else { None },
            done,
            solved,
            failed,
            best_fitness: best,
            note: None,
            calls: Some(calls),
            calls_per_s: rate,
            under_way,
        }
    }
}

/// The lower of two fitnesses that are known.
fn lower(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    one.into_iter().chain(other).min()
}

impl Phase {
    /// The word for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Preparing => "preparing",
            Self::Running => "running",
            Self::Stopping => "stopping",
            Self::Finished => "finished",
            Self::Interrupted => "interrupted",
        }
    }
}

impl ExperimentProgress {
    fn end(&mut self) {
        self.seconds = Some(self.clock.wall_s());
        self.under_way.clear();
    }
}

impl RunUnderWay {
    fn json(&self, puzzles: &[String]) -> Value {
        let RunId { run, replicate, puzzle, setting } = self.id;
        json!({
            "run": run,
            "puzzle": puzzles[puzzle],
            "setting": setting,
            "replicate": replicate,
            "generations": self.spent.generations,
            "calls": self.spent.calls(),
            "best_fitness": self.best,
        })
    }
}

impl Watch for Follower<'_> {
    fn passed(&self, id: RunId, spent: Spent, best: u32) {
        // Every thread comes by here after each generation: a lock each time would be felt.
        if spent.generations.is_multiple_of(UPDATE_EVERY)
            && let Some(run) = self.0.progress().under_way.get_mut(&id.run)
        {
            (run.spent, run.best) = (spent, Some(best));
        }
    }

    fn begun(&self, id: RunId) {
        let run = RunUnderWay { id, spent: Spent::default(), best: None };
        self.0.progress().under_way.insert(id.run, run);
    }

    fn ended(&self, record: &RunRecord) {
        let mut progress = self.0.progress();
        progress.under_way.remove(&record.id.run);
        progress.tally.done += 1;
        progress.calls += record.spent.calls();
        progress.tally.solved += u64::from(record.is_success());
        progress.tally.failed += u64::from(record.failure.is_some());
        let best = record.best.as_ref().map(|best| best.fitness);
        progress.tally.best = lower(progress.tally.best, best);
    }
}
