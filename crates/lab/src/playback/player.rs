//! A thread that plays runs as a face asks it to, and what it tells the face.

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

/// What a face asks for. A later order takes the place of one that is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
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

/// What a face sees: the moment that was shown last, and how the player stands.
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
pub struct Player(Arc<Shared>);

struct Shared {
    follows_births: bool,
    state: Mutex<State>,
    /// Something was asked for, or is done.
    changed: Condvar,
}

struct State {
    view: View,
    order: Option<Order>,
    /// The run that is to be played instead.
    next: Option<u64>,
    /// The face wants a frame.
    looks: bool,
    quits: bool,
    /// Nothing is left to do.
    is_idle: bool,
    /// Cuts the generation under way.
    interrupt: Interrupt,
}

/// What the thread does next.
enum Task {
    Obey(Order),
    Advance { looks: bool },
    Leave,
}

impl Player {
    /// A player of a run, from its start on.
    pub fn new(run: u64, speed: Speed, plays: bool) -> Self {
        Self::with(run, (speed, plays), false)
    }

    /// A player that notes how the individuals that are shown came to be.
    pub fn following_births(run: u64, speed: Speed, plays: bool) -> Self {
        Self::with(run, (speed, plays), true)
    }

    fn with(run: u64, (speed, plays): (Speed, bool), follows_births: bool) -> Self {
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
        let interrupt = Interrupt::default();
        let state = State {
            view,
            order: None,
            next: Some(run),
            looks: true,
            quits: false,
            is_idle: false,
            interrupt,
        };
        Self(Arc::new(Shared { follows_births, state: Mutex::new(state), changed: Condvar::new() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.0.changed.notify_all();
    }

    /// What there is to see now. Asks for a frame of a run that is played: look again later.
    pub fn view(&self) -> View {
        let mut state = self.state();
        state.looks = true;
        state.view.clone()
    }

    /// Asks for something.
    pub fn order(&self, order: Order) {
        self.change(|state| {
            (state.order, state.is_idle) = (Some(order), false);
            state.view.plays = false;
        });
    }

    /// Plays from the moment that is shown, or pauses.
    pub fn play(&self, plays: bool) {
        self.change(|state| (state.view.plays, state.is_idle) = (plays, false));
    }

    /// Sets the speed.
    pub fn set_speed(&self, speed: Speed) {
        self.change(|state| state.view.speed = speed);
    }

    /// Goes to the start of another run.
    pub fn run(&self, run: u64) {
        self.change(|state| {
            (state.next, state.order, state.is_idle) = (Some(run), None, false);
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

    /// Waits until all that was asked for is done: a run that is played has ended.
    pub fn wait(&self) {
        let done = |state: &mut State| !state.is_idle && !state.quits;
        drop(self.0.changed.wait_while(self.state(), done));
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
            self.seek(&mut playback, 0);
            let clock = Clock::start();
            let mut due = 0.0;
            loop {
                match self.next_task(&playback, &clock, &mut due) {
                    Task::Obey(order) => self.obey(&mut playback, order),
                    Task::Advance { looks } => self.advance(&mut playback, looks),
                    Task::Leave => break,
                }
            }
        }
        self.change(|state| state.is_idle = true);
    }

    /// The run that is to be played; `None` where the thread is to leave.
    fn next_run(&self) -> Option<(u64, Interrupt)> {
        let mut state = self.state();
        let run = state.next.take().filter(|_| !state.quits)?;
        state.interrupt = Interrupt::default();
        let View { speed, plays, .. } = state.view;
        state.view = View { run, speed, plays, ..state.view.clone() };
        (state.view.frame, state.view.record, state.view.last) = (None, None, None);
        state.view.curve = Arc::default();
        Some((run, state.interrupt.clone()))
    }

    /// Waits until there is something to do; `due` is when, on the clock, the next generation is.
    fn next_task(&self, playback: &Playback<'_>, clock: &Clock, due: &mut f64) -> Task {
        let is_over = playback.shown().is_some_and(|frame| frame.stop.is_some());
        let mut state = self.state();
        loop {
            if state.quits || state.next.is_some() {
                return Task::Leave;
            }
            if let Some(order) = state.order.take() {
                return Task::Obey(order);
            }
            state.view.plays &= !is_over;
            let now = clock.wall_s();
            let wait = match state.view.speed {
                _ if !state.view.plays => None,
                Speed::Unlimited => Some(0.0),
                Speed::Generations(rate) => {
                    // A clock that runs away from a slow run does not make it hurry later.
                    *due = due.clamp(now - 0.1, now + 1.0 / rate);
                    Some(*due - now)
                }
            };
            match wait {
                Some(wait) if wait <= 0.0 => {
                    if let Speed::Generations(rate) = state.view.speed {
                        *due += 1.0 / rate;
                    }
                    return Task::Advance { looks: std::mem::take(&mut state.looks) };
                }
                Some(wait) => {
                    let waited = self.0.changed.wait_timeout(state, Duration::from_secs_f64(wait));
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                None => {
                    state.is_idle = true;
                    self.0.changed.notify_all();
                    state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    fn obey(&self, playback: &mut Playback<'_>, order: Order) {
        let at = playback.shown().map_or(0, |frame| frame.generation);
        match order {
            Order::Forward(by) => self.seek(playback, at.saturating_add(by)),
            Order::Seek(generation) => self.seek(playback, generation),
            Order::End => self.seek(playback, u64::MAX),
            Order::Improvement => self.improve(playback),
            Order::CountOperators(counts) => {
                playback.count_operators(counts);
                self.seek(playback, at);
            }
            Order::FindOrigins => {
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
        let is_better =
            |best: Option<u32>| best.is_some_and(|best| before.is_none_or(|before| best < before));
        while playback.advance(true) && !is_better(playback.best()) && self.goes_on(playback.generation()) {}
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

    /// Tells the face where a replay is, and says whether nothing else was asked for.
    fn goes_on(&self, at: Option<u64>) -> bool {
        let mut state = self.state();
        state.view.replays = at;
        state.order.is_none() && state.next.is_none() && !state.quits
    }

    /// Tells the face what is shown now.
    fn show(&self, playback: &Playback<'_>) {
        let (frame, curve) = (playback.shown().cloned(), Arc::new(playback.curve()));
        let (record, last) = (playback.record().cloned(), playback.end().map(|end| end.generation));
        let mut state = self.state();
        if frame.is_some() {
            state.view.frame = frame;
        }
        (state.view.curve, state.view.record, state.view.last) = (curve, record, last);
        (state.view.replays, state.view.counts_operators) = (None, playback.counts_operators());
    }
}
