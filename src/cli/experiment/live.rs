//! What is shown while an experiment runs: a line for the whole and, on a terminal, one for each run in progress; or the
//! statistics of the original: generation, percent of the budget, and the largest, least and mean score, scaled and raw.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::ExecutionArgs;
use super::pace::Pace;
use crate::cli::io::exit::print_note;
use crate::cli::io::progress::{ProgressDisplay, passed};
use kenga_core::budget::{Budget, Clock, Spent};
use kenga_core::fitness::Scale;
use kenga_core::search::algorithms::Scores;
use kenga_core::search::{Census, Failure};
use kenga_lab::experiment::{Plan, RemainingRuns, RunId, RunRecord, Setting, Watch};
use kenga_report::{counted, duration, problem_value, rounded, several};

/// Generations between two updates of the display.
const UPDATE_EVERY: u64 = 16;

/// Shows an experiment until it is dropped.
pub(super) struct Live {
    shown: Option<(Arc<Mutex<LiveState>>, ProgressDisplay)>,
    /// The generations between two lines, and their writers, by setting.
    statistics: Option<(u64, Vec<SettingStatistics>)>,
}

struct LiveState {
    puzzles: Vec<String>,
    /// By setting and puzzle.
    scales: Vec<Vec<Option<Scale>>>,
    /// Some run may solve.
    can_be_solved: bool,
    /// By setting.
    budgets: Vec<Budget>,
    runs: u64,
    ended: u64,
    /// How long runs take, by setting.
    pace: Pace,
    solved: u64,
    failed: u64,
    clock: Clock,
    running: BTreeMap<u64, RunProgress>,
}

struct RunProgress {
    id: RunId,
    clock: Clock,
    spent: Spent,
    best: Option<u32>,
}

impl Live {
    /// Starts to show the runs of a share, of which `solved` that are done are solved, unless the arguments ask for quiet
    /// or for statistics in its place.
    pub(super) fn start(
        args: &ExecutionArgs,
        plan: &Plan,
        remaining: &RemainingRuns<'_>,
        solved: u64,
    ) -> Self {
        if let Some(every) = args.statistics {
            print_note(HEADING);
            let writers = plan.settings.all.iter().map(SettingStatistics::new).collect();
            return Self { shown: None, statistics: Some((every, writers)) };
        }
        if args.quiet {
            return Self { shown: None, statistics: None };
        }
        let state = Arc::new(Mutex::new(LiveState::new(plan, remaining, solved)));
        let seen = Arc::clone(&state);
        let display =
            ProgressDisplay::show(move || seen.lock().unwrap_or_else(PoisonError::into_inner).lines());
        Self { shown: Some((state, display)), statistics: None }
    }

    fn change(&self, change: impl FnOnce(&mut LiveState)) {
        if let Some((state, _)) = &self.shown {
            change(&mut state.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Watch for Live {
    fn passed(&self, id: RunId, spent: Spent, best: u32) {
        // A lock for every generation would slow small populations down.
        if self.shown.is_some() && spent.generations.is_multiple_of(UPDATE_EVERY) {
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
            let line = statistics[id.setting as usize].text(id, spent, census);
            // A closed standard error does not end the runs.
            let _ = io::stderr().lock().write_all(line.as_bytes());
        }
    }

    fn begun(&self, id: RunId) {
        let running = RunProgress { id, clock: Clock::start(), spent: Spent::default(), best: None };
        self.change(|state| {
            state.running.insert(id.run, running);
        });
    }

    fn failed_once(&self, id: RunId, failure: &Failure, left: u64) {
        if self.shown.is_some() {
            let left = several(left, "attempt");
            print_note(&format!(
                "note: run {} failed and begins again ({left} left): {}",
                id.run, failure.reason
            ));
        }
    }

    fn ended(&self, record: &RunRecord) {
        self.change(|state| {
            state.running.remove(&record.id.run);
            state.ended += 1;
            state.pace.ended(record.id.setting as usize, record.wall_s);
            state.solved += u64::from(record.is_success());
            state.failed += u64::from(record.failure.is_some());
        });
    }
}

impl LiveState {
    fn new(plan: &Plan, remaining: &RemainingRuns<'_>, solved: u64) -> Self {
        let runs = remaining.share.count();
        Self {
            puzzles: plan.puzzles.iter().map(|puzzle| puzzle.id.clone()).collect(),
            scales: plan
                .settings
                .all
                .iter()
                .map(|setting| plan.puzzles.iter().map(|puzzle| setting.config.scale(puzzle)).collect())
                .collect(),
            can_be_solved: plan.can_be_solved(),
            budgets: plan.settings.all.iter().map(|setting| setting.config.budget).collect(),
            runs,
            ended: runs - remaining.count(),
            pace: Pace::new(plan, remaining),
            solved,
            failed: 0,
            clock: Clock::start(),
            running: BTreeMap::new(),
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut whole = format!("{} of {} ended, ", counted(self.ended), several(self.runs, "run"),);
        if self.can_be_solved {
            whole += &format!("{} solved, ", counted(self.solved));
        }
        if self.failed > 0 {
            whole += &format!("{} failed, ", counted(self.failed));
        }
        whole += &passed(self.clock.wall_s());
        if let Some(left) = self.time_left() {
            whole += &format!(", about {left} left");
        }
        let mut lines = vec![whole];
        lines.extend(self.running.values().map(|running| self.line(running)));
        lines
    }

    fn time_left(&self) -> Option<String> {
        let running = self.running.values();
        let running = running.map(|run| (run.id.setting as usize, run.clock.wall_s()));
        let running: Vec<(usize, f64)> = running.collect();
        self.pace.seconds_left(&running, self.clock.wall_s()).map(duration)
    }

    fn line(&self, running: &RunProgress) -> String {
        let (wall, progress) =
            (running.clock.wall_s(), self.budgets[running.id.setting as usize].progress(&running.spent));
        let calls = (running.spent.evaluations + running.spent.moves) as f64;
        let scale = self.scales[running.id.setting as usize][running.id.puzzle];
        let best = running
            .best
            .map(|best| scale.map_or(best.to_string(), |scale| problem_value(scale.value(f64::from(best)))));
        let left = if progress > 0.0 { duration(wall / progress - wall) } else { "?".to_owned() };
        format!(
            "  run {}  {}  best {}  generation {}  {} calls/s  at most {left} left",
            running.id.run,
            self.puzzles[running.id.puzzle],
            best.unwrap_or("?".to_owned()),
            running.spent.generations,
            rounded(calls / wall.max(1e-9)),
        )
    }
}

/// The heading: scores rise as fitness falls.
const HEADING: &str = "# Scores, scaled (raw): higher is better. A raw score is the offset minus the fitness, of which 0 is best.";

/// Writes the lines of a setting.
struct SettingStatistics {
    budget: Budget,
    scores: Scores,
}

impl SettingStatistics {
    fn new(setting: &Setting) -> Self {
        let config = &setting.config;
        Self { budget: config.budget, scores: config.recipe.scores() }
    }

    fn text(&self, id: RunId, spent: Spent, census: &Census) -> String {
        let (generation, progress) = (spent.generations, self.budget.progress(&spent));
        let offset = self.scores.offset.unwrap_or_else(|| census.worst().saturating_add(1));
        let raw: Vec<f64> =
            census.fitness().iter().map(|fitness| f64::from(offset.saturating_sub(*fitness))).collect();
        let mut scaled = raw.clone();
        if let Some(scaling) = &self.scores.scaling {
            scaling.scale(&raw, progress, &mut scaled);
        }
        let (raw, scaled) = (extent(&raw), extent(&scaled));
        let [max, min, mean] = [0, 1, 2].map(|index| format!("{:.2}({:.2})", scaled[index], raw[index]));
        format!(
            "run {}  Gen. {generation} ({:.2}%): Max/Min/Avg Fitness(Raw) [{max}/{min}/{mean}]\n",
            id.run,
            progress * 100.0,
        )
    }
}

/// The largest, the least and the mean of some scores.
fn extent(scores: &[f64]) -> [f64; 3] {
    let (mut largest, mut least) = (f64::MIN, f64::MAX);
    for score in scores {
        (largest, least) = (largest.max(*score), least.min(*score));
    }
    [largest, least, scores.iter().sum::<f64>() / scores.len() as f64]
}
