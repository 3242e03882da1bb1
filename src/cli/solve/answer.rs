//! One puzzle solved, with what the printing needs.

use signal_hook::consts::SIGTERM;

use super::super::exit::Exit;
use super::super::givens::Givens;
use super::why::Why;
use crate::budget::{Clock, Interrupt};
use crate::problem::Problem;
use crate::puzzle::{Failure, Grid, Puzzle, check};
use crate::solver::{Limits, Outcome, Status, solve};

/// How many solutions an answer keeps.
const KEPT: usize = 2;

/// How puzzles are to be solved.
pub(super) struct Solver<'a> {
    pub(super) limits: Limits,
    /// The number of solutions was asked for.
    pub(super) counting: bool,
    /// Why there is no solution was asked for.
    pub(super) why: bool,
    /// A clue that cannot be satisfied by itself is to be named.
    pub(super) naming: bool,
    /// Digits that were laid over the puzzles.
    pub(super) with: Option<&'a Givens>,
    pub(super) interrupt: &'a Interrupt,
}

/// What was found about one puzzle.
pub(super) struct Answer {
    pub(super) puzzle: Puzzle,
    pub(super) outcome: Outcome,
    /// The first solutions, at most two.
    pub(super) solutions: Vec<Grid>,
    /// The group whose clue alone cannot be satisfied, where the puzzle has no solution for that reason.
    pub(super) impossible: Option<usize>,
    /// What the givens alone break, where the puzzle has no solution.
    pub(super) conflicts: Vec<Failure>,
    /// Which clues conflict, where that was asked for.
    pub(super) why: Option<Why>,
    pub(super) counting: bool,
}

impl Solver<'_> {
    /// Solves a puzzle and keeps its first solutions.
    pub(super) fn answer(&self, puzzle: Puzzle) -> Answer {
        let mut solutions = Vec::new();
        self.search(puzzle, &mut |grid| {
            if solutions.len() < KEPT {
                solutions.push(grid());
            }
        })
        .with(solutions)
    }

    /// Ends the search under way, and every later one: nobody can be told of more.
    pub(super) fn stop(&self) {
        self.interrupt.raise(SIGTERM as usize);
    }

    /// Solves a puzzle and hands every solution to `on_solution`, as a grid that is made when asked for.
    pub(super) fn search(&self, puzzle: Puzzle, on_solution: &mut dyn FnMut(&dyn Fn() -> Grid)) -> Answer {
        let clock = Clock::start();
        let problem = Problem::compile(&puzzle);
        let compile_s = clock.cpu_s();
        let report = &mut |ranks: &[u8]| on_solution(&|| problem.grid(ranks));
        let mut outcome = solve(&problem, &self.limits, self.interrupt, report);
        outcome.compile_s += compile_s;
        let (mut impossible, mut conflicts) = (None, Vec::new());
        if outcome.status == Status::Unsolvable {
            impossible = self.naming.then(|| self.impossible(&problem, &clock)).flatten();
            conflicts = check(&puzzle, &puzzle.given_grid()).failures;
        }
        let left = Limits {
            solutions: 1,
            nodes: self.limits.nodes.map(|nodes| nodes.saturating_sub(outcome.nodes)),
            seconds: self.limits.seconds.map(|seconds| (seconds - clock.wall_s()).max(0.0)),
        };
        let why = || Why::of((&puzzle, &problem), outcome.status, &left, self.with, self.interrupt);
        let why = self.why.then(why);
        let (solutions, counting) = (Vec::new(), self.counting);
        Answer { puzzle, outcome, solutions, impossible, conflicts, why, counting }
    }

    /// The first group whose clue alone cannot be satisfied, as far as time allows to look.
    fn impossible(&self, problem: &Problem, clock: &Clock) -> Option<usize> {
        let goes_on = |_: &usize| !self.interrupt.is_raised() && !clock.past(self.limits.seconds);
        let mut groups = (0..problem.groups()).take_while(goes_on);
        groups.find(|group| problem.is_satisfiable(*group) == Some(false))
    }
}

impl Answer {
    fn with(self, solutions: Vec<Grid>) -> Self {
        Self { solutions, ..self }
    }

    /// What the answer means for the exit code.
    pub(super) fn exit(&self) -> Exit {
        match self.outcome.status {
            Status::Unique | Status::Multiple | Status::Solved => Exit::Done,
            Status::Unsolvable => Exit::No,
            Status::Undecided => Exit::Undecided,
        }
    }

    /// Milliseconds of CPU, compiling and search.
    pub(super) fn ms(&self) -> f64 {
        (self.outcome.compile_s + self.outcome.search_s) * 1e3
    }
}
