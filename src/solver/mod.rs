//! The exact solver: propagation to a fixpoint, and a search that counts solutions.
//!
//! It knows which groups are distinct and which carry a clue, but neither rows, columns nor kinds of puzzles. The same
//! problem under the same limits gives the same nodes and the same solutions in the same order, unless seconds or an
//! interrupt end the search.

mod build;
mod combination;
mod crossing;
mod distinct;
mod engine;
mod explain;
mod learn;
mod probe;
mod product;
mod search;
mod space;
mod sum;
mod table;
#[cfg(test)]
mod tests;

use crate::budget::{Clock, Interrupt};
use crate::problem::{Domains, Problem};

use build::build;
use search::{Found, Stop, Thresholds};
use space::NoFixpoint;

pub use explain::{Explanation, Proof, explain};

/// When to stop before the search is exhausted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The most solutions to look for, at least 1.
    pub solutions: u64,
    /// The most decisions.
    pub nodes: Option<u64>,
    /// The most seconds of wall time, compiling included; a search that they end is not reproducible.
    pub seconds: Option<f64>,
}

impl Default for Limits {
    /// Two solutions, so that the status says whether the first is the only one; no other limit.
    fn default() -> Self {
        Self { solutions: 2, nodes: None, seconds: None }
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
    /// Solutions found and reported.
    pub count: u64,
    /// There are no other solutions.
    pub count_is_exact: bool,
    /// Decisions taken.
    pub nodes: u64,
    /// Decisions, or their opposites, that propagation refuted.
    pub failures: u64,
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
pub fn propagate(problem: &Problem) -> Domains {
    match build(problem, &|| false) {
        Ok(engine) => Domains(engine.masks()),
        Err(_) => Domains(vec![0; problem.cells()]),
    }
}

/// Searches for solutions in a fixed order, until the search is exhausted or a limit or the interrupt ends it, and
/// calls `on_solution` with the ranks of each.
pub fn solve(
    problem: &Problem,
    limits: &Limits,
    interrupt: &Interrupt,
    on_solution: &mut dyn FnMut(&[u8]),
) -> Outcome {
    let clock = Clock::start();
    let engine = build(problem, &|| interrupt.is_raised() || clock.past(limits.seconds));
    let compile_s = clock.cpu_s();
    let found = match engine {
        Ok(engine) => {
            let stop = Stop { limits, interrupt, clock: &clock };
            search::search(engine, stop, Thresholds::default(), on_solution)
        }
        Err(reason) => Found { exhausted: reason == NoFixpoint::Conflict, ..Found::default() },
    };
    Outcome {
        status: Status::of(found.count, found.exhausted),
        count: found.count,
        count_is_exact: found.exhausted,
        nodes: found.nodes,
        failures: found.failures,
        compile_s,
        first_s: found.first_s.map(|first_s| first_s - compile_s),
        search_s: clock.cpu_s() - compile_s,
    }
}
