//! Many puzzles: a line each, solved in parallel, in the order in which they were read.

use super::super::exit::{CommandResult, Exit};
use super::super::ordered::in_order;
use super::super::output::Output;
use super::super::progress::Counter;
use super::answer::Solver;
use super::text::Summary;
use super::{json, text};
use crate::puzzle::Puzzle;

/// Solves puzzles on `jobs` threads and writes a line for each; for people, a summary after the last.
pub(super) fn run(
    solver: &Solver<'_>,
    puzzles: impl Iterator<Item = Puzzle> + Send,
    (as_json, jobs): (bool, usize),
    output: &mut Output,
    progress: &Counter,
) -> CommandResult {
    let mut exit = Exit::Done;
    let mut summary = Summary::default();
    in_order(
        puzzles,
        jobs,
        |puzzle| solver.answer(puzzle),
        |answer| {
            exit = exit.and(answer.exit());
            summary.add(&answer);
            progress.advance();
            output.write(&if as_json { json::line(&answer) } else { text::line(&answer) })
        },
    )?;
    if !as_json {
        output.write(&summary.text(solver.interrupt.is_raised()))?;
    }
    Ok(exit)
}
