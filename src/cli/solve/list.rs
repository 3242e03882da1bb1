//! `--all`: every solution of every puzzle, written as it is found.
//!
//! Puzzles are solved one after the other, so that nothing waits in memory however many solutions there are.

use miette::Report;

use super::super::exit::{CommandResult, Exit};
use super::super::output::Output;
use super::super::progress::Counter;
use super::answer::{Answer, Solver};
use super::{json, text};
use crate::puzzle::{Grid, Puzzle};

/// Lists the solutions of puzzles.
pub(super) fn run(
    solver: &Solver<'_>,
    puzzles: impl Iterator<Item = Puzzle>,
    as_json: bool,
    output: &mut Output,
    progress: &Counter,
) -> CommandResult {
    let mut exit = Exit::Done;
    for puzzle in puzzles {
        let answer = list(solver, puzzle, as_json, output)?;
        exit = exit.and(answer.exit());
        progress.advance();
    }
    Ok(exit)
}

/// An output that fails ends the search through the interrupt, and the command with its error.
fn list(solver: &Solver<'_>, puzzle: Puzzle, as_json: bool, output: &mut Output) -> Result<Answer, Report> {
    output.write(&if as_json { json::open(&puzzle.id) } else { text::open(&puzzle.id) })?;
    let (mut count, mut failure) = (0u64, None);
    let answer = solver.search(puzzle, &mut |grid| {
        if failure.is_some() {
            return;
        }
        if let Err(report) = output.write(&one(&grid(), count, as_json)) {
            failure = Some(report);
            solver.stop();
        }
        count += 1;
    });
    if let Some(report) = failure {
        return Err(report);
    }
    output.write(&if as_json { json::close(&answer) } else { text::close(&answer) })?;
    Ok(answer)
}

fn one(grid: &Grid, before: u64, as_json: bool) -> String {
    match (as_json, before) {
        (true, 0) => json::rows(grid).to_string(),
        (true, _) => format!(",{}", json::rows(grid)),
        (false, _) => format!("{grid}\n"),
    }
}
