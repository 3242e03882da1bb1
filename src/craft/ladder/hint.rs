//! The next thing to see in a puzzle that is partly filled in.

use super::{Candidates, Climb, End, Frame, MOST_WITHOUT_TRIALS, Score, Step};
use crate::budget::Interrupt;
use crate::problem::Problem;
use crate::puzzle::{Grid, Puzzle};
use crate::solver::{Limits, Status, solve};

/// What helps with a partly filled grid.
#[derive(Debug)]
pub(crate) enum Hint {
    /// This cell, a row-major index, holds a digit that the only solution does not have there; the first such cell.
    Mistake(usize),
    /// The digits contradict each other or a clue.
    Contradiction,
    /// The puzzle has no solution.
    Unsolvable,
    /// Every cell is filled in, rightly.
    Solved,
    /// The steps to the next digit, without those that it does not rest on; the last fills a cell.
    Steps(Vec<Step>),
    /// No technique leads on: there are several solutions, the puzzle is beyond the ladder, or the interrupt was raised.
    Beyond,
}

/// Decisions of the solver for the question whether there is one solution.
const NODES: u64 = 1_000_000;

/// The next hint for a grid of the puzzle's shape.
///
/// Digits of the grid that the puzzle does not have, and digits in black cells, are left to the caller: they are no part of
/// any solution.
pub(crate) fn hint(puzzle: &Puzzle, problem: &Problem, grid: &Grid, interrupt: &Interrupt) -> Hint {
    let mut solutions = Vec::new();
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut keep = |ranks: &[u8]| solutions.push(problem.grid(ranks));
    let status = solve(problem, &limits, interrupt, &mut keep).status;
    if status == Status::Unsolvable {
        return Hint::Unsolvable;
    }
    // Trials would not end where there is a second solution.
    let ceiling = if status == Status::Unique { Score(u16::MAX) } else { MOST_WITHOUT_TRIALS };
    let only = solutions.first().filter(|_| status == Status::Unique);
    if let Some(cell) = only.and_then(|solution| mistake(solution, grid)) {
        return Hint::Mistake(cell);
    }
    let frame = Frame::new(puzzle, problem).interruptible(interrupt);
    let candidates = filled(&frame, grid);
    let mut steps: Vec<Step> = Vec::new();
    let mut climb = Climb::new(candidates, ceiling).speaking();
    loop {
        match climb.advance(&mut |_, step| steps.push(step.clone())) {
            Some(End::Solved) if steps.is_empty() => return Hint::Solved,
            Some(End::Refuted) => return Hint::Contradiction,
            Some(End::Stuck) => return Hint::Beyond,
            _ => {}
        }
        if let Some(last) = steps.iter().position(|step| step.fills.is_some()) {
            steps.truncate(last + 1);
            return Hint::Steps(needed(steps));
        }
    }
}

/// The candidates with the digits of a grid filled in.
pub(super) fn filled<'a>(frame: &'a Frame<'a>, grid: &Grid) -> Candidates<'a> {
    let mut candidates = Candidates::new(frame);
    for cell in 0..frame.problem.cells() {
        let digit = grid.get(frame.problem.place(cell));
        let rank = digit.and_then(|digit| frame.puzzle.digits().rank(digit));
        rank.into_iter().for_each(|rank| candidates.fill(cell as u16, u32::from(rank)));
    }
    candidates.refresh();
    candidates
}

/// The first cell whose digit differs from a solution.
fn mistake(solution: &Grid, grid: &Grid) -> Option<usize> {
    (0..solution.cells().len())
        .find(|cell| grid.get(*cell).is_some_and(|digit| solution.get(*cell) != Some(digit)))
}

/// The steps that the last one rests on, going back: those that took a candidate from a cell that a later one rests on. What tries
/// something out may rest on any candidate, and so on all steps before.
fn needed(steps: Vec<Step>) -> Vec<Step> {
    let mut cells: Vec<u16> = Vec::new();
    let mut rests_on_all = false;
    let mut needed: Vec<Step> = Vec::new();
    for step in steps.into_iter().rev() {
        let touches = step.removes.iter().any(|(cell, _)| cells.contains(cell));
        if needed.is_empty() || touches || rests_on_all {
            rests_on_all |= step.score() > MOST_WITHOUT_TRIALS;
            cells.extend(&step.cells);
            cells.extend(step.fills.iter().map(|(cell, _)| *cell));
            needed.push(step);
        }
    }
    needed.reverse();
    needed
}
