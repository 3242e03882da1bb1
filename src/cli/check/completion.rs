//! Whether a partial grid can still become a solution: a question to the solver.

use miette::Report;

use super::super::signals;
use crate::problem::{Domains, Problem};
use crate::puzzle::{Grid, Puzzle, Verdict};
use crate::solver::{Limits, Status, solve};

/// What is known of the solutions that hold the digits of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completion {
    /// There is one.
    Possible,
    /// There is none.
    Impossible,
    /// The search gave up after this many decisions.
    Unknown(u64),
}

impl Completion {
    /// Asks the solver, unless the verdict says it already; Ctrl-C ends the search.
    ///
    /// # Errors
    /// A report when the system refuses to watch for signals.
    pub(super) fn of(puzzle: &Puzzle, grid: &Grid, verdict: &Verdict, nodes: u64) -> Result<Self, Report> {
        if verdict.is_solution() {
            return Ok(Self::Possible);
        }
        if !verdict.is_consistent() {
            return Ok(Self::Impossible);
        }
        let problem = Problem::compile(puzzle);
        let problem = problem.restrict(&domains(&problem, puzzle, grid));
        let limits = Limits { solutions: 1, nodes: Some(nodes), seconds: None };
        let outcome = solve(&problem, &limits, &signals::interrupt()?, &mut |_| {});
        Ok(match outcome.status {
            Status::Unsolvable => Self::Impossible,
            Status::Undecided => Self::Unknown(outcome.nodes),
            Status::Unique | Status::Multiple | Status::Solved => Self::Possible,
        })
    }

    /// For people, of a grid that breaks no rule.
    pub(super) fn words(self) -> String {
        match self {
            Self::Possible => "it can be completed".to_owned(),
            Self::Impossible => "no rule is broken so far, but it cannot be completed".to_owned(),
            Self::Unknown(nodes) => {
                let nodes = format!("{nodes} {}", if nodes == 1 { "node" } else { "nodes" });
                format!("no rule is broken so far; whether it can be completed is not known within {nodes}")
            }
        }
    }

    /// Yes, no, or nothing when it is not known.
    pub(super) fn known(self) -> Option<bool> {
        match self {
            Self::Possible => Some(true),
            Self::Impossible => Some(false),
            Self::Unknown(_) => None,
        }
    }
}

/// One candidate where the grid holds a digit, all where it is empty.
fn domains(problem: &Problem, puzzle: &Puzzle, grid: &Grid) -> Domains {
    let mask = |cell| match grid.get(problem.place(cell)).and_then(|digit| puzzle.digits().rank(digit)) {
        Some(rank) => 1 << rank,
        None => problem.all_digits(),
    };
    Domains((0..problem.cells()).map(mask).collect())
}
