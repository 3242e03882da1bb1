//! What a run may spend, why it stopped, and the only clock.
//!
//! Evaluations, moves and generations decide results; seconds are a guard against runs that never end.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Upper bounds of a run; `None` is no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// Full fitness computations.
    pub evaluations: Option<u64>,
    /// Differences of fitness computed, applied or not.
    pub moves: Option<u64>,
    /// Generations after the initial population.
    pub generations: Option<u64>,
    /// Seconds of wall time: a guard. A run that it ends is outside the promise of reproducibility.
    pub seconds: Option<f64>,
}

/// What a run has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Full fitness computations.
    pub evaluations: u64,
    /// Differences of fitness computed, applied or not.
    pub moves: u64,
    /// Generations after the initial population.
    pub generations: u64,
}

impl Spent {
    /// Evaluations and moves.
    pub fn calls(&self) -> u64 {
        self.evaluations + self.moves
    }

    /// What two searches that run in parallel have spent: the sum of evaluations and moves, the larger number of
    /// generations.
    #[must_use]
    pub fn beside(self, other: Self) -> Self {
        Self {
            evaluations: self.evaluations + other.evaluations,
            moves: self.moves + other.moves,
            generations: self.generations.max(other.generations),
        }
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Fitness 0 was reached, which solves a puzzle and is the optimum of a problem of the user's own.
    Solved,
    /// Fitness 0 was reached where it is only a bound of a problem of the user's own, not its optimum.
    Bound,
    /// The evaluations were spent.
    Evaluations,
    /// The moves were spent.
    Moves,
    /// The generations were spent.
    Generations,
    /// The guard of wall time ended the run.
    Seconds,
    /// The algorithm gave up: nothing improved for too long.
    Stalled,
    /// No solution can be reached any more.
    Dead,
    /// A program that stands in for the algorithm or the problem broke the protocol, fell silent or ended.
    Failed,
}

impl StopReason {
    /// Every reason.
    #[rustfmt::skip]
    pub const ALL: [Self; 9] = [
        Self::Solved, Self::Bound, Self::Evaluations, Self::Moves, Self::Generations, Self::Seconds, Self::Stalled,
        Self::Dead, Self::Failed,
    ];

    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Bound => "bound",
            Self::Evaluations => "evaluations",
            Self::Moves => "moves",
            Self::Generations => "generations",
            Self::Seconds => "seconds",
            Self::Stalled => "stalled",
            Self::Dead => "dead",
            Self::Failed => "failed",
        }
    }

    /// The reason with this name.
    #[doc(hidden)]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Budget {
    /// Which bound is reached, if any; [`Guard`] checks the seconds.
    pub fn reached(&self, spent: &Spent) -> Option<StopReason> {
        let full = |limit: Option<u64>, used: u64| limit.is_some_and(|limit| used >= limit);
        // In a fixed order: of bounds that are reached together the first is the reason.
        if full(self.evaluations, spent.evaluations) {
            Some(StopReason::Evaluations)
        } else if full(self.moves, spent.moves) {
            Some(StopReason::Moves)
        } else if full(self.generations, spent.generations) {
            Some(StopReason::Generations)
        } else {
            None
        }
    }

    /// The bound that would end a run for this reason is set.
    pub fn bounds(&self, reason: StopReason) -> bool {
        match reason {
            StopReason::Evaluations => self.evaluations.is_some(),
            StopReason::Moves => self.moves.is_some(),
            StopReason::Generations => self.generations.is_some(),
            _ => false,
        }
    }

    /// How many evaluations are left.
    pub fn evaluations_left(&self, spent: &Spent) -> u64 {
        self.evaluations.map_or(u64::MAX, |limit| limit.saturating_sub(spent.evaluations))
    }

    /// The share of the budget that is spent, 0 to 1: the largest over evaluations, moves and generations, 0 without a
    /// bound.
    pub fn progress(&self, spent: &Spent) -> f64 {
        let share = |limit: Option<u64>, used: u64| match limit {
            Some(limit) if limit > 0 => (used as f64 / limit as f64).min(1.0),
            Some(_) => 1.0,
            None => 0.0,
        };
        share(self.evaluations, spent.evaluations)
            .max(share(self.moves, spent.moves))
            .max(share(self.generations, spent.generations))
    }
}

/// A running clock: wall time and CPU time of the calling thread since its start.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    wall: Instant,
    cpu: Duration,
}

impl Clock {
    /// Starts a clock on this thread.
    #[expect(clippy::disallowed_methods, reason = "the only clock")]
    pub fn start() -> Self {
        Self { wall: Instant::now(), cpu: thread_cpu() }
    }

    /// Seconds of wall time since the start.
    pub fn wall_s(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }

    /// Seconds of CPU time that this thread has used since the start; call it on the thread that started the clock.
    pub fn cpu_s(&self) -> f64 {
        thread_cpu().saturating_sub(self.cpu).as_secs_f64()
    }

    /// This many seconds of wall time have passed.
    pub fn past(&self, seconds: Option<f64>) -> bool {
        seconds.is_some_and(|limit| self.wall_s() >= limit)
    }
}

/// More threads than any run uses, on however many machines.
const MOST_THREADS: f64 = 65536.0;

/// Seconds by which clocks of different kinds may disagree on a run.
pub(crate) const SLACK_S: f64 = 1.0;

/// Says whether a run that a folder tells of can have used `cpu_s` seconds of CPU time in `wall_s` seconds of wall time.
#[doc(hidden)]
pub fn is_possible_cpu_s(cpu_s: f64, wall_s: f64) -> bool {
    (0.0..=(wall_s + SLACK_S) * MOST_THREADS).contains(&cpu_s)
}

#[cfg(unix)]
fn thread_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Wall time since the first call, where the platform has no clock of CPU time for a thread.
#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "the only clock")]
fn thread_cpu() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Seconds of CPU time that another process and those of its children that have ended have used; `None` where the system
/// does not say.
#[cfg(target_os = "linux")]
pub(crate) fn process_cpu_s(id: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name, in brackets, may hold anything; the times are the 12th to the 15th field behind it.
    let ticks = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(4).map(str::parse::<u64>);
    let ticks: u64 = ticks.sum::<Result<_, _>>().ok()?;
    Some(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn process_cpu_s(_id: u32) -> Option<f64> {
    None
}

/// What can cut a run from outside: a request to stop, and the guard of wall time.
#[derive(Clone, Debug)]
pub struct Guard {
    interrupt: Interrupt,
    clock: Clock,
    seconds: Option<f64>,
    looks: u32,
    /// Once cut, always cut: work that was left half done is not resumed.
    has_cut: bool,
    /// In tests, the look at which it cuts.
    #[cfg(test)]
    last_look: Option<u32>,
}

/// Looks at the interrupt for each look at the clock, which costs more.
const LOOKS_A_CLOCK: u32 = 16;

impl Guard {
    /// Starts the guard of a run that may take this many seconds of wall time.
    pub fn start(interrupt: &Interrupt, seconds: Option<f64>) -> Self {
        Self {
            interrupt: interrupt.clone(),
            clock: Clock::start(),
            seconds,
            looks: 0,
            has_cut: false,
            #[cfg(test)]
            last_look: None,
        }
    }

    /// The run has to end; called in every generation, within long ones, and between chunks of moves.
    #[inline]
    pub fn cuts(&mut self) -> bool {
        self.looks = self.looks.wrapping_add(1);
        #[cfg(test)]
        {
            self.has_cut |= self.last_look.is_some_and(|last| self.looks >= last);
        }
        self.has_cut |= self.interrupt.is_raised()
            || (self.looks.is_multiple_of(LOOKS_A_CLOCK) && self.clock.past(self.seconds));
        self.has_cut
    }

    /// As [`cuts`](Self::cuts), for a loop over indices: looks once every `stride` of them.
    #[inline]
    pub fn cuts_at(&mut self, index: usize, stride: usize) -> bool {
        index % stride == stride - 1 && self.cuts()
    }

    /// It has cut; looks at neither the interrupt nor the clock.
    pub fn has_cut(&self) -> bool {
        self.has_cut
    }

    /// A guard that cuts at its `last`th look, so that tests need no clock.
    #[cfg(test)]
    pub(crate) fn until(last: u32) -> Self {
        Self { last_look: Some(last), ..Self::default() }
    }
}

impl Default for Guard {
    /// A guard that never cuts.
    fn default() -> Self {
        Self::start(&Interrupt::default(), None)
    }
}

/// A request to stop, shared by all threads; it holds the number of the signal that asked, 0 for none.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// In place of the number of a signal, when the program itself gives up.
    pub const ABANDONED: usize = usize::MAX;

    /// The shared cell, for a signal handler to write the signal's number into.
    pub fn cell(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.0)
    }

    /// Requests a stop.
    pub fn raise(&self, signal: usize) {
        self.0.store(signal, Ordering::Relaxed);
    }

    /// A stop was requested.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// The number of the signal that asked, 0 for none.
    pub fn signal(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// The length of a stretch of search between two restarts, in units, from `round` 1 on: 1 1 2 1 1 2 4 1 …, within a
/// logarithmic factor of the best lengths for any unknown distribution of run times (M. Luby, A. Sinclair, D.
/// Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993, doi:10.1016/0020-0190(93)90029-9).
#[doc(hidden)]
pub fn luby(round: u64) -> u64 {
    let mut round = round;
    loop {
        let size = (round + 1).next_power_of_two();
        if size == round + 1 {
            return size / 2;
        }
        round -= size / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_paper() {
        let lengths: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn a_bound_is_reached_exactly_when_it_is_spent() {
        let budget = Budget { evaluations: Some(10), generations: Some(3), ..Budget::default() };
        let spent = |evaluations, generations| Spent { evaluations, moves: 0, generations };
        assert_eq!(budget.reached(&spent(9, 2)), None);
        assert_eq!(budget.reached(&spent(10, 2)), Some(StopReason::Evaluations));
        assert_eq!(budget.reached(&spent(9, 3)), Some(StopReason::Generations));
        assert_eq!(budget.evaluations_left(&spent(7, 0)), 3);
    }

    #[test]
    fn progress_is_the_largest_share() {
        let budget = Budget { evaluations: Some(10), generations: Some(4), ..Budget::default() };
        let spent = Spent { evaluations: 2, moves: 0, generations: 3 };
        assert!((budget.progress(&spent) - 0.75).abs() < 1e-12);
        assert_eq!(Budget::default().progress(&spent), 0.0);
    }

    #[test]
    fn names_of_stop_reasons_round_trip() {
        for reason in StopReason::ALL {
            assert_eq!(StopReason::from_name(reason.name()), Some(reason));
        }
    }

    #[test]
    fn a_guard_cuts_at_an_interrupt_or_when_time_is_up() {
        let interrupt = Interrupt::default();
        let mut patient = Guard::start(&interrupt, None);
        assert!((0..100).all(|_| !patient.cuts()));
        let mut hurried = Guard::start(&interrupt, Some(0.0));
        assert!((0..LOOKS_A_CLOCK).any(|_| hurried.cuts()));
        assert!(hurried.cuts(), "it stays cut");
        interrupt.raise(2);
        assert!(patient.cuts());
    }

    #[test]
    fn cpu_time_grows_with_work() {
        let clock = Clock::start();
        let mut sum = 0u64;
        while clock.cpu_s() < 0.001 {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(sum > 0 && clock.cpu_s() > 0.0);
    }
}
