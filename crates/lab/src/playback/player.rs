//! A thread that plays runs as a viewer commands, and what it tells the viewer.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Frame, HISTORY_BYTES, Playback};
use crate::experiment::{RunRecord, Runner, Sample};
use kenga_core::budget::{Clock, Interrupt};
use kenga_core::fitness::Fitness;

/// How fast a run is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// So many generations a second, above 0.
    Generations(f64),
    /// As fast as it can be made.
    Unlimited,
}

/// A viewer's command. A later one takes the place of one that is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerCommand {
    /// On by so many generations from the moment that is shown.
    Forward(u64),
    /// On to a best that is better than the one shown, or to the end.
    Improvement,
    /// To a generation, or to the end where the run has fewer.
    Seek(u64),
    /// To the end.
    End,
    /// Count usage and gain of the operators, or do not: the run is replayed up to the moment that is shown.
    CountOperators(bool),
    /// Find out how the individuals that are shown came to be, where that was not noted.
    FindOrigins,
}

/// What a viewer sees: the moment that was shown last, and the state of the player.
#[derive(Clone, Debug)]
pub struct View {
    /// The run.
    pub run: u64,
    /// The moment; `None` until there is one.
    pub frame: Option<Arc<Frame>>,
    /// Samples of the generations that were passed, by generation; at most about a thousand.
    pub curve: Arc<Vec<Sample>>,
    /// What the run came to, once it has been played to its end.
    pub record: Option<Arc<RunRecord>>,
    /// The last generation, once it is known.
    pub last: Option<u64>,
    /// How fast it is played.
    pub speed: Speed,
    /// It is played, not paused.
    pub plays: bool,
    /// The generation that a replay is at, while one is under way.
    pub replays: Option<u64>,
    /// Usage and gain of operators are counted.
    pub counts_operators: bool,
    /// The measure of the run, once it is prepared.
    pub fitness: Option<Arc<Fitness>>,
}

/// The handle of a thread that plays runs; copies are handles of the same.
#[derive(Clone)]
pub struct Player(Arc<SharedState>);

struct SharedState {
    follows_births: bool,
    state: Mutex<PlayerState>,
    /// There is a new command, or one is done.
    changed: Condvar,
}

struct PlayerState {
    view: View,
    command: Option<PlayerCommand>,
    /// The run that is to be played instead.
    next: Option<u64>,
    /// The viewer wants a frame.
    looks: bool,
    quits: bool,
    /// Nothing is left to do.
    is_idle: bool,
    /// Cuts the generation under way.
    interrupt: Interrupt,
}

/// What the thread does next.
enum PlayerTask {
    Obey(PlayerCommand),
    Advance { looks: bool },
    Leave,
}

impl Player {
    /// A player of a run, from its start on.
    pub fn new(run: u64, speed: Speed, plays: bool) -> Self {
        Self::with(run, speed, plays, false)
    }

    /// A player that notes how the individuals that are shown came to be.
    pub fn following_births(run: u64, speed: Speed, plays: bool) -> Self {
        Self::with(run, speed, plays, true)
    }

    fn with(run: u64, speed: Speed, plays: bool, follows_births: bool) -> Self {
        let view = View {
            run,
            frame: None,
            curve: Arc::default(),
            record: None,
            last: None,
            speed,
            plays,
            replays: None,
            counts_operators: false,
            fitness: None,
        };
        let state = PlayerState {
            view,
            command: None,
            next: Some(run),
            looks: true,
            quits: false,
            is_idle: false,
            interrupt: Interrupt::default(),
        };
        Self(Arc::new(SharedState { follows_births, state: Mutex::new(state), changed: Condvar::new() }))
    }

    fn state(&self) -> MutexGuard<'_, PlayerState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut PlayerState)) {
        change(&mut self.state());
        self.0.changed.notify_all();
    }

    /// What there is to see now. Asks for a frame of a run that is played: look again later.
    pub fn view(&self) -> View {
        let mut state = self.state();
        state.looks = true;
        state.view.clone()
    }

    /// Gives a command, which ends the playing.
    pub fn command(&self, command: PlayerCommand) {
        self.change(|state| {
            state.command = Some(command);
            state.is_idle = false;
            state.view.plays = false;
        });
    }

    /// Plays from the moment that is shown, or pauses.
    pub fn play(&self, plays: bool) {
        self.change(|state| {
            state.view.plays = plays;
            state.is_idle = false;
        });
    }

    /// Sets the speed.
    pub fn set_speed(&self, speed: Speed) {
        self.change(|state| state.view.speed = speed);
    }

    /// Goes to the start of another run.
    pub fn run(&self, run: u64) {
        self.change(|state| {
            // A command was for the run that is shown.
            state.next = Some(run);
            state.command = None;
            state.is_idle = false;
            state.interrupt.raise(Interrupt::ABANDONED);
        });
    }

    /// Lets the thread leave.
    pub fn quit(&self) {
        self.change(|state| {
            state.quits = true;
            state.interrupt.raise(Interrupt::ABANDONED);
        });
    }

    /// Waits until every command is done: a run that is played has ended.
    pub fn wait(&self) {
        drop(self.0.changed.wait_while(self.state(), |state| !state.is_idle && !state.quits));
    }

    /// Plays the runs of a plan, on this thread, until the player is told to quit.
    pub fn work(&self, runner: &Runner<'_>) {
        while let Some((run, interrupt)) = self.next_run() {
            let id = runner.plan().id(run);
            self.state().view.fitness = Some(runner.shared_fitness(id));
            let mut playback = Playback::new(runner, id, HISTORY_BYTES, &interrupt);
            if self.0.follows_births {
                playback = playback.following_births();
            }
            // The first moment is shown at once, also of a run that begins paused.
            self.seek(&mut playback, 0);
            let clock = Clock::start();
            let mut due = 0.0;
            loop {
                match self.next_task(&playback, &clock, &mut due) {
                    PlayerTask::Obey(command) => self.obey(&mut playback, command),
                    PlayerTask::Advance { looks } => self.advance(&mut playback, looks),
                    PlayerTask::Leave => break,
                }
            }
        }
        self.change(|state| state.is_idle = true);
    }

    /// The run that is to be played; `None` where the thread is to leave.
    fn next_run(&self) -> Option<(u64, Interrupt)> {
        let mut state = self.state();
        if state.quits {
            return None;
        }
        let run = state.next.take()?;
        state.interrupt = Interrupt::default();
        state.view.run = run;
        state.view.frame = None;
        state.view.record = None;
        state.view.last = None;
        state.view.curve = Arc::default();
        Some((run, state.interrupt.clone()))
    }

    /// Waits until there is something to do; `due` is the time, on the clock, of the next generation.
    fn next_task(&self, playback: &Playback<'_>, clock: &Clock, due: &mut f64) -> PlayerTask {
        // Beyond the end there is nothing to play.
        let is_over = playback.shown().is_some_and(|frame| frame.stop.is_some());
        let mut state = self.state();
        loop {
            if state.quits || state.next.is_some() {
                return PlayerTask::Leave;
            }
            if let Some(command) = state.command.take() {
                return PlayerTask::Obey(command);
            }
            state.view.plays &= !is_over;
            if !state.view.plays {
                state.is_idle = true;
                self.0.changed.notify_all();
                state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            if let Speed::Generations(rate) = state.view.speed {
                let now = clock.wall_s();
                // A clock that runs away from a slow run does not make it hurry later.
                *due = due.clamp(now - 0.1, now + 1.0 / rate);
                if *due > now {
                    let wait = Duration::from_secs_f64(*due - now);
                    let waited = self.0.changed.wait_timeout(state, wait);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                    continue;
                }
                *due += 1.0 / rate;
            }
            return PlayerTask::Advance { looks: std::mem::take(&mut state.looks) };
        }
    }

    fn obey(&self, playback: &mut Playback<'_>, command: PlayerCommand) {
        let at = playback.shown().map_or(0, |frame| frame.generation);
        match command {
            PlayerCommand::Forward(by) => self.seek(playback, at.saturating_add(by)),
            PlayerCommand::Seek(generation) => self.seek(playback, generation),
            PlayerCommand::End => self.seek(playback, u64::MAX),
            PlayerCommand::Improvement => self.improve(playback),
            // Asked for at its start, a run counts from there on: the moment that is shown is played again.
            PlayerCommand::CountOperators(counts) => {
                playback.count_operators(counts);
                self.seek(playback, at);
            }
            PlayerCommand::FindOrigins => {
                playback.find_origins(&mut |at| self.goes_on(Some(at)));
                self.show(playback);
            }
        }
    }

    /// Makes one generation more than is shown, and shows it where somebody looks.
    fn advance(&self, playback: &mut Playback<'_>, looks: bool) {
        if !self.catch_up(playback) {
            return;
        }
        let goes_on = playback.advance(looks);
        if looks || !goes_on {
            playback.look();
            self.show(playback);
        }
    }

    fn improve(&self, playback: &mut Playback<'_>) {
        let before = playback.shown().and_then(|frame| frame.best.as_ref()).map(|best| best.fitness);
        if !self.catch_up(playback) {
            return;
        }
        while playback.advance(true) {
            let is_better = playback.best().is_some_and(|best| before.is_none_or(|before| best < before));
            if is_better || !self.goes_on(playback.generation()) {
                break;
            }
        }
        playback.look();
        self.show(playback);
    }

    /// Goes to a generation; until it is there, one that was kept nearby is shown.
    fn seek(&self, playback: &mut Playback<'_>, generation: u64) {
        if let Some(near) = playback.near(generation).cloned() {
            self.state().view.frame = Some(near);
        }
        playback.seek(generation, &mut |at| self.goes_on(Some(at)));
        self.show(playback);
    }

    fn catch_up(&self, playback: &mut Playback<'_>) -> bool {
        playback.catch_up(&mut |at| self.goes_on(Some(at)))
    }

    /// Tells the viewer where a replay is, and says whether there is no other command.
    fn goes_on(&self, at: Option<u64>) -> bool {
        let mut state = self.state();
        state.view.replays = at;
        state.command.is_none() && state.next.is_none() && !state.quits
    }

    /// Tells the viewer what is shown now.
    fn show(&self, playback: &Playback<'_>) {
        // Made before the lock: a viewer does not wait for it.
        let curve = Arc::new(playback.curve());
        let mut state = self.state();
        if let Some(frame) = playback.shown() {
            state.view.frame = Some(Arc::clone(frame));
        }
        state.view.curve = curve;
        state.view.record = playback.record().cloned();
        state.view.last = playback.end().map(|end| end.generation);
        state.view.replays = None;
        state.view.counts_operators = playback.counts_operators();
    }
}
