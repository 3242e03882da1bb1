//! The exact solver: propagation to a fixpoint, and a search that counts solutions.
//!
//! It knows which groups are distinct and which carry a clue, but neither rows, columns nor kinds of puzzles. The same
//! problem under the same limits gives the same nodes, solutions and order of solutions, unless seconds or an
//! interrupt end it.

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
use search::{Found, Patience, Stop};
use space::NoFixpoint;

pub use explain::{Explanation, Proof, explain};

/// When to stop before the search is exhausted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The most solutions to look for, at least 1.
    pub solutions: u64,
    /// The most decisions.
    pub nodes: Option<u64>,
    /// The most seconds of wall time, compiling included; what they end is not reproducible.
    pub seconds: Option<f64>,
}

impl Default for Limits {
    /// A solution, and whether it is the only one; however long it takes.
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
    /// There is one; a limit ended the search before another was found or excluded.
    Solved,
    /// A limit ended the search before a solution was found or excluded.
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
    /// What is established.
    pub status: Status,
    /// Solutions found and reported.
    pub count: u64,
    /// There are no others.
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

/// Cuts the candidates of a problem to what propagation leaves, without search: generalised arc consistency on every
/// clue that fits a table and on every distinct group, and the interplay of the two. When that alone refutes the
/// problem, every mask is 0.
pub fn propagate(problem: &Problem) -> Domains {
    match build(problem, &|| false) {
        Ok(engine) => Domains(engine.masks()),
        Err(_) => Domains(vec![0; problem.cells()]),
    }
}

/// Searches for solutions, calling `on_solution` with the ranks of every one found, in a fixed order, until the search
/// is exhausted or a limit or the interrupt ends it.
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
            search::search(engine, stop, Patience::default(), on_solution)
        }
        Err(halt) => Found { exhausted: halt == NoFixpoint::Conflict, ..Found::default() },
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
