//! The exact solver: propagation to a fixpoint, and a search that counts solutions.
//!
//! It knows which groups are distinct and which carry a clue, but neither rows, columns nor kinds of puzzles. The same
//! problem under the same limits gives the same nodes and the same solutions in the same order, unless seconds or an
//! interrupt end the search.
//!
//! A new propagator is a variant of `engine::Propagator`, a file that says which consistency it reaches, and its explanation in
//! `learn/explain`. **Invariant.** The numbers of propagators decide the order in which they run, and with it nodes and
//! the order of solutions, which tests pin. What a propagator does inside may be changed freely while it removes the same.

mod build;
mod cliques;
mod combination;
mod crossing;
mod distinct;
mod engine;
mod event;
mod explain;
mod learn;
mod line_sum;
mod lines;
mod numbering;
mod observer;
mod pair;
mod probe;
mod product;
mod search;
mod space;
mod steps;
mod stop;
mod sum;
mod symmetry;
mod table;
#[cfg(test)]
mod tests;
mod trace;

use crate::budget::{Clock, Interrupt};
use crate::problem::{Domains, Problem};

use build::build;
use engine::Engine;
use observer::SearchObserver;
use search::Thresholds;
use space::NoFixpoint;
use stop::{CHECK_EVERY, SearchEnd, SearchStop};
use symmetry::Orbit;

// The program shows with these why a search went as it did; their names may change.
#[doc(hidden)]
pub use {
    event::{Event, Inference, Literal, Reason},
    explain::{Explanation, Proof, VertexConflict, explain, vertex_conflict},
    trace::{Replay, cause, trace, words},
};

/// When to stop before the search is exhausted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The most solutions to look for, at least 1.
    pub solutions: u64,
    /// The most solutions to report; those after them are only counted, which takes no time for those that differ in the
    /// names of digits alone.
    pub reported: u64,
    /// The most decisions.
    pub nodes: Option<u64>,
    /// The most seconds of wall time, compiling included; a search that they end is not reproducible.
    pub seconds: Option<f64>,
}

impl Default for Limits {
    /// Two solutions, so that the status says whether the first is the only one; no other limit.
    fn default() -> Self {
        Self { solutions: 2, reported: u64::MAX, nodes: None, seconds: None }
    }
}

/// What a search has established.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is one solution and no other.
    Unique,
    /// There are two solutions or more.
    Multiple,
    /// There is none.
    Unsolvable,
    /// There is a solution; a limit ended the search before it found or excluded another.
    Solved,
    /// A limit ended the search before it found or excluded a solution.
    Undecided,
}

impl Status {
    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unique => "unique",
            Self::Multiple => "multiple",
            Self::Unsolvable => "unsolvable",
            Self::Solved => "solved",
            Self::Undecided => "undecided",
        }
    }

    fn of(count: u64, exhausted: bool) -> Self {
        match (count, exhausted) {
            (0, true) => Self::Unsolvable,
            (1, true) => Self::Unique,
            (0, false) => Self::Undecided,
            (1, false) => Self::Solved,
            _ => Self::Multiple,
        }
    }
}

/// The result of [`solve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// What the search has established.
    pub status: Status,
    /// Solutions found.
    pub count: u64,
    /// There are no other solutions.
    pub count_is_exact: bool,
    /// Decisions taken.
    pub nodes: u64,
    /// Decisions, or their opposites, that propagation refuted.
    pub failures: u64,
    /// Clauses learned from conflicts; 0 where the plain search was enough.
    pub learned: u64,
    /// CPU seconds of this thread for compiling, tables and first fixpoint included.
    pub compile_s: f64,
    /// CPU seconds from the end of compiling to the first solution, where there is one.
    pub first_s: Option<f64>,
    /// CPU seconds from the end of compiling to the end.
    pub search_s: f64,
}

/// The candidates that propagation without search leaves: generalised arc consistency on every clue that fits a table
/// and on every distinct group, and the rules of their crossings. Every mask is 0 when propagation
/// refutes the problem.
#[doc(hidden)]
pub fn propagate(problem: &Problem) -> Domains {
    match build(problem, &|| false, &mut ()) {
        Ok(engine) => Domains(engine.masks()),
        Err(_) => Domains(vec![0; problem.cells()]),
    }
}

/// Searches for solutions in a fixed order, until the search is exhausted or a limit or the interrupt ends it, and
/// calls `on_solution` with the ranks of each.
///
/// Where no rule tells one digit from another, it searches for solutions with certain digits in a line, and adds what
/// exchanging digits makes of each (`symmetry.rs`).
pub fn solve(
    problem: &Problem,
    limits: &Limits,
    interrupt: &Interrupt,
    on_solution: &mut dyn FnMut(&[u8]),
) -> Outcome {
    solve_since(&Clock::start(), problem, limits, interrupt, on_solution)
}

/// [`solve`] with a clock that has been running on this thread: what the caller did since counts as compiling.
#[doc(hidden)]
pub fn solve_since(
    clock: &Clock,
    problem: &Problem,
    limits: &Limits,
    interrupt: &Interrupt,
    on_solution: &mut dyn FnMut(&[u8]),
) -> Outcome {
    solve_observed(problem, clock, limits, interrupt, on_solution, &mut ())
}

/// [`solve`], seen by an observer.
fn solve_observed(
    problem: &Problem,
    clock: &Clock,
    limits: &Limits,
    interrupt: &Interrupt,
    on_solution: &mut dyn FnMut(&[u8]),
    observer: &mut impl SearchObserver,
) -> Outcome {
    let engine = build(problem, &|| interrupt.is_raised() || clock.past(limits.seconds), observer);
    // Interchangeable digits are fixed after the first fixpoint: it shows the largest line.
    let fixed = engine.and_then(|mut engine| {
        observer.saw(|| Event::Fixpoint);
        Ok((Orbit::fix(&mut engine, problem, observer)?, engine))
    });
    let compile_s = clock.cpu_s();
    let found = match fixed {
        Ok((orbit, engine)) => {
            let stop = SearchStop { limits, interrupt, clock };
            search_orbits(engine, orbit.as_ref(), stop, on_solution, observer)
        }
        Err(reason) => SearchEnd { exhausted: reason == NoFixpoint::Conflict, ..SearchEnd::default() },
    };
    Outcome {
        status: Status::of(found.count, found.exhausted),
        count: found.count,
        count_is_exact: found.exhausted,
        nodes: found.nodes,
        failures: found.failures,
        learned: found.learned,
        compile_s,
        first_s: found.first_s.map(|first_s| first_s - compile_s),
        search_s: clock.cpu_s() - compile_s,
    }
}

/// Searches from an engine; every solution found stands for its orbit, where there is one.
fn search_orbits(
    engine: Engine,
    orbit: Option<&Orbit>,
    stop: SearchStop<'_>,
    on_solution: &mut dyn FnMut(&[u8]),
    observer: &mut impl SearchObserver,
) -> SearchEnd {
    let Limits { solutions, reported, seconds, .. } = *stop.limits;
    let size = orbit.map_or(Some(1), Orbit::size);
    let (mut handed, mut is_cut) = (0, false);
    let mut hand_over = |ranks: &[u8]| {
        // Further solutions are counted, not handed over.
        if handed >= reported.min(solutions) || is_cut {
            return false;
        }
        on_solution(ranks);
        handed += 1;
        let late = handed.is_multiple_of(CHECK_EVERY) && stop.clock.past(seconds);
        is_cut = orbit.is_some() && (late || stop.interrupt.is_raised());
        true
    };
    let mut report = |ranks: &[u8]| match orbit {
        Some(orbit) => orbit.unfold(ranks, &mut hand_over),
        None => _ = hand_over(ranks),
    };
    // As many orbits as it takes; one that 64 bits cannot count is enough for any limit.
    let limits = Limits { solutions: size.map_or(1, |size| solutions.div_ceil(size)), ..*stop.limits };
    let stop = SearchStop { limits: &limits, ..stop };
    let found = search::search(engine, stop, Thresholds::default(), &mut report, observer);
    if is_cut {
        return SearchEnd { count: handed, exhausted: false, ..found };
    }
    if found.count == 0 {
        return found;
    }
    match size.and_then(|size| found.count.checked_mul(size)) {
        Some(count) if count <= solutions => SearchEnd { count, ..found },
        // The last orbit has more solutions than were asked for.
        _ => SearchEnd { count: solutions, exhausted: false, ..found },
    }
}
