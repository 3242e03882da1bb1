//! What is said while an experiment runs: a line for the whole, and on a terminal a line for each run in progress.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::Making;
use super::statistics::{HEADING, Statistics};
use crate::budget::{Budget, Clock, Spent};
use crate::cli::exit::print_note;
use crate::cli::progress::Progress;
use crate::experiment::{Plan, RunId, RunRecord, Share, Watch};
use crate::report::{counted, duration, rounded, several};
use crate::search::Census;

/// Generations between two looks of a run at what is shown; runs are faster than eyes.
const GENERATIONS_A_LOOK: u64 = 16;

/// Shows an experiment until it is dropped.
pub(super) struct Live {
    shown: Option<(Arc<Mutex<State>>, Progress)>,
    statistics: Option<(u64, Statistics)>,
}

struct State {
    puzzles: Vec<String>,
    /// By setting.
    budgets: Vec<Budget>,
    runs: u64,
    ended: u64,
    ended_here: u64,
    solved: u64,
    clock: Clock,
    running: BTreeMap<u64, Running>,
}

struct Running {
    id: RunId,
    clock: Clock,
    spent: Spent,
    best: Option<u32>,
}

impl Live {
    /// Starts to show the runs of a share, of which `solved` that are done are solved, unless the arguments ask for quiet
    /// or for statistics in its place.
    pub(super) fn start(args: &Making, plan: &Plan, share: &Share<'_>, solved: u64) -> Self {
        let shown = (!args.quiet && args.statistics.is_none()).then(|| {
            let state = Arc::new(Mutex::new(State::new(plan, share, solved)));
            let seen = Arc::clone(&state);
            let lines = move || seen.lock().unwrap_or_else(PoisonError::into_inner).lines();
            (state, Progress::show(lines))
        });
        if args.statistics.is_some() {
            print_note(HEADING.trim_end());
        }
        Self { shown, statistics: args.statistics.map(|every| (every, Statistics::new(plan))) }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        if let Some((state, _)) = &self.shown {
            change(&mut state.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Watch for Live {
    fn passed(&self, id: RunId, spent: Spent, best: u32) {
        if self.shown.is_some() && spent.generations.is_multiple_of(GENERATIONS_A_LOOK) {
            self.change(|state| {
                if let Some(running) = state.running.get_mut(&id.run) {
                    (running.spent, running.best) = (spent, Some(best));
                }
            });
        }
    }

    fn wants(&self, generation: u64) -> bool {
        self.statistics.as_ref().is_some_and(|(every, _)| generation.is_multiple_of(*every))
    }

    fn census(&self, id: RunId, spent: Spent, census: &Census) {
        if let Some((_, statistics)) = &self.statistics {
            let line = statistics.line(id, spent, census);
            // Standard error that is gone is nobody's loss here.
            let _ = io::stderr().lock().write_all(line.as_bytes());
        }
    }

    fn begun(&self, id: RunId) {
        let running = Running { id, clock: Clock::start(), spent: Spent::default(), best: None };
        self.change(|state| {
            state.running.insert(id.run, running);
        });
    }

    fn ended(&self, record: &RunRecord) {
        self.change(|state| {
            state.running.remove(&record.id.run);
            state.ended += 1;
            state.ended_here += 1;
            state.solved += u64::from(record.solved);
        });
    }
}

impl State {
    fn new(plan: &Plan, share: &Share<'_>, solved: u64) -> Self {
        let runs = share.shard.count(plan.runs());
        Self {
            puzzles: plan.puzzles.iter().map(|puzzle| puzzle.id.clone()).collect(),
            budgets: plan.settings.all.iter().map(|setting| setting.config.budget).collect(),
            runs,
            ended: runs - share.count(plan.runs()),
            ended_here: 0,
            solved,
            clock: Clock::start(),
            running: BTreeMap::new(),
        }
    }

    fn lines(&self) -> Vec<String> {
        let whole = format!(
            "{} of {} ended, {} solved, {}{}",
            counted(self.ended),
            several(self.runs, "run"),
            counted(self.solved),
            duration(self.clock.wall_s()),
            self.time_left().map_or(String::new(), |left| format!(", about {left} left"))
        );
        [whole].into_iter().chain(self.running.values().map(|running| self.line(running))).collect()
    }

    fn time_left(&self) -> Option<String> {
        let left = self.runs.checked_sub(self.ended).filter(|_| self.ended_here > 0)?;
        Some(duration(self.clock.wall_s() / self.ended_here as f64 * left as f64))
    }

    fn line(&self, running: &Running) -> String {
        let (wall, progress) =
            (running.clock.wall_s(), self.budgets[running.id.setting as usize].progress(&running.spent));
        let calls = (running.spent.evaluations + running.spent.moves) as f64;
        let left = if progress > 0.0 { duration(wall / progress - wall) } else { "?".to_owned() };
        format!(
            "  run {}  {}  best {}  generation {}  {} calls/s  at most {left} left",
            running.id.run,
            self.puzzles[running.id.puzzle],
            running.best.map_or("?".to_owned(), |best| best.to_string()),
            running.spent.generations,
            rounded(calls / wall.max(1e-9)),
        )
    }
}
