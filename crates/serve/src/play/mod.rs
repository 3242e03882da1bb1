//! Runs that are played for pages: how many there are, on which threads, and for how long.
//!
//! Every play has a thread of its own, of low priority, that prepares the plan and then plays what it is told to. A play that
//! nobody watches is closed after a minute.
//!
//! **Invariant**: what is played is what the runner of experiments makes; what streams and answers show of it is only read.
//! How many plays there are, and for how long, may change freely.

mod birth;
mod view;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::thread::Builder;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::time::sleep;

use super::lock;
use super::refusal::{Code, Refusal};
use kenga_core::budget::Interrupt;
use kenga_core::search::algorithms::Programs;
use kenga_lab::experiment::{Plan, RunRecord, Runner};
use kenga_lab::playback::{Frame, Player, Speed, View};
use kenga_lab::results::{RunRow, recorded_row, recorded_verdict};

pub(super) use birth::BirthView;
pub(super) use view::PlayStream;

/// The most plays that are open.
const PLAYS: usize = 8;

/// Seconds after which a play that nobody watches is closed.
const IDLE_TIMEOUT_S: u32 = 60;

/// How much lower the priority of a play is than that of everything else: short requests do not wait for it.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// The plays of a server.
#[derive(Default)]
pub(super) struct Plays {
    open: Mutex<Vec<Arc<Play>>>,
}

/// A run that is played, and what was found out about its plan.
pub(super) struct Play {
    /// 128 random bits: who knows it may look and give orders.
    pub(super) id: String,
    pub(super) player: Player,
    pub(super) plan: Plan,
    /// The results folder that the plan is from.
    folder: Option<PathBuf>,
    /// Where its programs are started, if they may be.
    programs: Option<Arc<Programs>>,
    /// Cuts what prepares the plan.
    interrupt: Interrupt,
    /// Exact facts of every puzzle, once they are known, or why there are none.
    facts: OnceLock<Result<Vec<Value>, Refusal>>,
    /// The run whose row was looked up, and its row.
    row: Mutex<(u64, Option<RunRow>)>,
    /// The moment that was told last, as JSON.
    moment: Mutex<Option<(Arc<Frame>, Arc<str>)>>,
    watchers: AtomicUsize,
    /// Seconds since somebody watched.
    idle_s: AtomicU32,
}

/// Somebody who watches a play.
pub(super) struct Viewer(pub(super) Arc<Play>);

/// What is to be played.
pub(super) struct PlayRequest {
    pub(super) plan: Plan,
    /// The results folder that the plan is from.
    pub(super) folder: Option<PathBuf>,
    /// Where its programs are started, if they may be.
    pub(super) programs: Option<Arc<Programs>>,
    /// The run to begin with.
    pub(super) run: u64,
    pub(super) speed: Speed,
    pub(super) is_paused: bool,
}

impl Plays {
    /// No plays yet. Those that nobody watches are closed as time goes by.
    pub(super) fn start(runtime: &Handle) -> Arc<Self> {
        let plays = Arc::new(Self::default());
        let weak = Arc::downgrade(&plays);
        runtime.spawn(async move {
            while let Some(plays) = Weak::upgrade(&weak) {
                plays.sweep();
                drop(plays);
                sleep(Duration::from_secs(1)).await;
            }
        });
        plays
    }

    fn open(&self) -> MutexGuard<'_, Vec<Arc<Play>>> {
        lock(&self.open)
    }

    /// Begins a play. One that nobody watches makes room for it where there is none.
    ///
    /// # Errors
    /// There is no such run; too many plays are watched; the system starts no thread.
    pub(super) fn begin(&self, request: PlayRequest) -> Result<Arc<Play>, Refusal> {
        // Looked up before another play is closed for it: a request that is refused costs nobody their run.
        let play = Arc::new(Play::new(request)?);
        self.add(Arc::clone(&play))?;
        // Not one of the threads for work: a play lasts as long as somebody looks at it.
        let worker = Arc::clone(&play);
        let spawned = Builder::new().name("play".to_owned()).spawn(move || worker.work());
        if spawned.is_err() {
            self.close(&play);
            return Err(Refusal::new(Code::Busy, "the system starts no thread", "try again later"));
        }
        Ok(play)
    }

    /// Adds a play; where there is no room, in the place of the one that nobody has watched for longest.
    fn add(&self, play: Arc<Play>) -> Result<(), Refusal> {
        let mut open = self.open();
        if open.len() >= PLAYS {
            let unwatched = (0..open.len()).filter(|index| !open[*index].is_watched());
            // Of several the first, which is the oldest: the last of them backwards.
            let Some(idlest) = unwatched.rev().max_by_key(|index| open[*index].idle_s()) else {
                let message = format!("{PLAYS} runs are played already");
                return Err(Refusal::new(Code::TooManyPlays, message, "close a page that plays one"));
            };
            open.remove(idlest).close();
        }
        open.push(play);
        Ok(())
    }

    /// The play of an id.
    pub(super) fn find(&self, id: &str) -> Result<Arc<Play>, Refusal> {
        let found = self.open().iter().find(|play| play.id == id).cloned();
        found.ok_or_else(|| {
            let help = format!("one that nobody watches is closed after {IDLE_TIMEOUT_S} s: begin it again");
            Refusal::new(Code::NoPlay, "no run is played under this id", help)
        })
    }

    /// Closes a play.
    pub(super) fn close(&self, play: &Arc<Play>) {
        self.open().retain(|other| !Arc::ptr_eq(other, play));
        play.close();
    }

    /// Closes the plays that nobody has watched for a while; called every second.
    fn sweep(&self) {
        self.open().retain(|play| {
            let idle_s = if play.is_watched() { 0 } else { play.idle_s() + 1 };
            play.idle_s.store(idle_s, Ordering::Relaxed);
            if idle_s > IDLE_TIMEOUT_S {
                play.close();
                return false;
            }
            true
        });
    }
}

impl Play {
    fn new(request: PlayRequest) -> Result<Self, Refusal> {
        let PlayRequest { plan, folder, programs, run, speed, is_paused } = request;
        let Ok(id) = super::token() else {
            return Err(Refusal::new(Code::Busy, "the system gives no random numbers", ""));
        };
        let play = Self {
            id,
            player: Player::following_births(run, speed, !is_paused),
            plan,
            folder,
            programs,
            interrupt: Interrupt::default(),
            facts: OnceLock::new(),
            row: Mutex::new((run, None)),
            moment: Mutex::new(None),
            watchers: AtomicUsize::new(0),
            idle_s: AtomicU32::new(0),
        };
        play.look_up(run)?;
        Ok(play)
    }

    /// Looks for the row of a run in the folder, if there is one.
    ///
    /// # Errors
    /// There is no such run; the folder cannot be read.
    fn look_up(&self, run: u64) -> Result<(), Refusal> {
        let runs = self.plan.runs();
        if run >= runs {
            let help = format!("name one from 0 to {}", runs - 1);
            return Err(Refusal::new(Code::BadConfig, format!("there is no run {run} among {runs}"), help));
        }
        // The row is read now and kept: the folder may be resumed, or removed, while the run is played.
        if let Some(folder) = &self.folder {
            *lock(&self.row) = (run, recorded_row(folder, run)?);
        }
        Ok(())
    }

    /// Goes to another run.
    ///
    /// # Errors
    /// There is no such run; the folder cannot be read.
    pub(super) fn go_to(&self, run: u64) -> Result<(), Refusal> {
        self.look_up(run)?;
        self.player.run(run);
        Ok(())
    }

    /// A moment as JSON, which is made once for all who watch.
    fn moment(&self, frame: &Arc<Frame>, make: impl FnOnce() -> String) -> Arc<str> {
        let mut last = lock(&self.moment);
        if let Some((told, text)) = &*last
            && Arc::ptr_eq(told, frame)
        {
            return Arc::clone(text);
        }
        let text = Arc::from(make());
        *last = Some((Arc::clone(frame), Arc::clone(&text)));
        text
    }

    fn is_watched(&self) -> bool {
        self.watchers.load(Ordering::Relaxed) > 0
    }

    fn idle_s(&self) -> u32 {
        self.idle_s.load(Ordering::Relaxed)
    }

    fn close(&self) {
        self.interrupt.raise(Interrupt::ABANDONED);
        self.player.quit();
    }

    /// What the thread does: prepares the plan, and plays. A bug takes down neither another play nor the server.
    fn work(&self) {
        #[cfg(target_os = "linux")]
        // Of this thread alone, on Linux. Where it is refused the play is only less polite.
        let _ = rustix::process::setpriority_process(None, NICE);
        if catch_unwind(AssertUnwindSafe(|| self.prepare_and_play())).is_err() {
            _ = self.facts.set(Err(Refusal::bug()));
            self.close();
        }
    }

    fn prepare_and_play(&self) {
        let runner = match Runner::prepare(&self.plan, 1, &self.interrupt) {
            Ok(runner) => runner,
            Err(error) => {
                let help = "choose an encoding and weights that fit the puzzle";
                _ = self.facts.set(Err(Refusal::new(Code::BadConfig, error.to_string(), help)));
                return;
            }
        };
        let runner = match &self.programs {
            Some(programs) => runner.with_programs(Arc::clone(programs)),
            None => runner,
        };
        let mut all = Vec::new();
        for puzzle in 0..self.plan.puzzles.len() {
            all.push(facts(&runner, puzzle));
        }
        _ = self.facts.set(Ok(all));
        self.player.work(&runner);
    }

    /// Whether a run that has ended is as the folder has it, in words; none where there is no folder.
    fn verdict(&self, record: &RunRecord) -> Option<String> {
        // Another run may have been asked for meanwhile: its row says nothing of this one.
        let row = lock(&self.row);
        if self.folder.is_none() || row.0 != record.id.run {
            return None;
        }
        Some(recorded_verdict(row.1.as_ref(), record, &self.plan))
    }

    /// The moment that is shown, where there is one.
    ///
    /// # Errors
    /// The plan cannot be run, or is still being prepared.
    pub(super) fn view(&self) -> Result<View, Refusal> {
        match self.facts.get() {
            Some(Ok(_)) => Ok(self.player.view()),
            Some(Err(refusal)) => Err(refusal.clone()),
            None => {
                Err(Refusal::new(Code::Busy, "the puzzles are still being solved", "ask again in a second"))
            }
        }
    }
}

impl Viewer {
    /// Somebody watches from now on.
    pub(super) fn new(play: Arc<Play>) -> Self {
        play.watchers.fetch_add(1, Ordering::Relaxed);
        Self(play)
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.0.watchers.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for Plays {
    fn drop(&mut self) {
        for play in self.open().iter() {
            play.close();
        }
    }
}

/// What is known exactly of a puzzle, and where its genes stand.
fn facts(runner: &Runner<'_>, puzzle: usize) -> Value {
    let (problem, truth) = (runner.problem(puzzle), runner.truth(puzzle));
    let genes: Vec<[usize; 2]> = (0..problem.cells()).map(|cell| problem.row_and_column(cell)).collect();
    let nodes = runner.plan().config.exact.nodes;
    let scale = runner.fitness_of(puzzle).scale().map(|scale| {
        json!({"reference": scale.reference, "resolution": scale.resolution, "maximise": scale.maximise})
    });
    json!({
        "genes": genes,
        "scale": scale,
        "digits": problem.values(),
        "solutions": (nodes > 0 && scale.is_none()).then_some(truth.solutions.len()),
        "solutions_exact": truth.all_known,
        "backbone": truth.backbone(),
        "nodes": truth.nodes,
        "candidates": truth.candidates,
    })
}
