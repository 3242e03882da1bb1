//! `kenga check`: what the referee says of a grid, and whether a partial one can still become a solution.

use std::slice::from_ref;

use super::io::cells::{read_grid, refuse_one_input};
use super::io::exit::{CommandResult, Exit};
use super::io::input::whole;
use super::io::output::{print, print_words};
use super::io::progress::Counter;
use super::io::puzzles::{Colors, OnePuzzleArgs};
use super::io::signals;
use kenga_core::puzzle::{Failure, Grid, Puzzle, Verdict, check};
use kenga_core::solver::Limits;
use kenga_report::answers::{Completion, cell_names, verdict_json};
use kenga_report::plural;

/// Say whether a grid solves a puzzle, and if not, what fails
///
/// If a partial grid breaks no rule, says whether it can still be completed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The grid, or `@` and a file that holds it, or `-` for standard input
    ///
    /// Separate rows by `/` or line breaks, cells by spaces; `.` is an empty cell. Rows of one-digit cells need no
    /// spaces. A JSON list of rows is read as well.
    #[arg(long, value_name = "GRID|@FILE|-", allow_hyphen_values = true)]
    grid: String,
    #[command(flatten)]
    puzzle: OnePuzzleArgs,
    #[command(flatten)]
    colors: Colors,
    /// Give up on completing a partial grid after N decisions of the search
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = whole(0..=u64::MAX))]
    node_limit: u64,
    /// Print a JSON object; cells are [row, column] from 0
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  kenga check puzzle.txt --grid '4 1 2 3/1 4 3 2/2 3 1 4/3 2 4 1'
  kenga check puzzle.txt --grid 4123/1432/2314/32..    can it be completed?
  kenga check book.jsonl --id kenken-4-easy-000 --grid @grid.txt
  kenga solve 4.txt --json | jq -c .solutions[0] | kenga check 4.txt --grid -

Exit code: 0 the grid is a solution, 1 it is not (yet), 2 bad usage or bad
input.";

pub(super) fn run(args: &Args) -> CommandResult {
    refuse_one_input(from_ref(&args.puzzle.file), Some(&args.grid))?;
    let (puzzle, read) = args.puzzle.read(args.colors)?;
    let Some(puzzle) = puzzle else { return Ok(read) };
    let grid = read_grid(&args.grid, &puzzle)?;
    let verdict = check(&puzzle, &grid);
    let limits = Limits { nodes: Some(args.node_limit), ..Limits::default() };
    let completion = {
        let _progress = Counter::start("searching", None);
        Completion::of(&puzzle, &grid, &verdict, &limits, &signals::interrupt()?)
    };
    let done = if args.json {
        print(&format!("{}\n", verdict_json(&puzzle, &verdict, completion)))
    } else {
        print_words(&describe(&puzzle, &grid, &verdict, completion))
    }?;
    // A grid that can still be completed is no solution yet.
    let answer = if verdict.is_solution() { done } else { Exit::No };
    Ok(answer.and(read))
}

/// Whether a grid that breaks no rule can be completed, for people.
fn completion_in_words(completion: Completion) -> String {
    match completion.is_possible {
        Some(true) => "it can be completed".to_owned(),
        Some(false) => "no rule is broken so far, but it cannot be completed".to_owned(),
        None => {
            let nodes = format!("{} {}", completion.nodes, plural(completion.nodes, "node"));
            format!("no rule is broken so far; whether it can be completed is not known within {nodes}")
        }
    }
}

/// What the referee found, for people.
fn describe(puzzle: &Puzzle, grid: &Grid, verdict: &Verdict, completion: Completion) -> String {
    let mut text = format!("{}: {}\n", puzzle.id, summary(puzzle, verdict, completion));
    for &cell in &verdict.foreign {
        let digit = grid.get(cell).map_or_else(String::new, |digit| digit.to_string());
        let why = if puzzle.is_black(cell) { "but is black" } else { "which is not a digit of this puzzle" };
        text += &format!("  {} holds {digit}, {why}\n", puzzle.cell_name(cell));
    }
    for Failure { group, reason } in &verdict.failures {
        text += &format!("  {}: {reason}\n", puzzle.group_name(&puzzle.groups()[*group]));
    }
    text
}

fn summary(puzzle: &Puzzle, verdict: &Verdict, completion: Completion) -> String {
    let broken = verdict.foreign.len() + verdict.failures.len();
    let broken = format!("{broken} {}", if broken == 1 { "rule is broken" } else { "rules are broken" });
    match (verdict.missing.len(), verdict.is_consistent()) {
        (0, true) => "the grid is a solution".to_owned(),
        (0, false) => format!("the grid is not a solution: {broken}"),
        (_, true) => {
            format!(
                "the grid is not a solution yet: {}; {}",
                empty(puzzle, verdict),
                completion_in_words(completion)
            )
        }
        (_, false) => format!("the grid is not a solution: {}, and {broken} already", empty(puzzle, verdict)),
    }
}

/// `2 cells are empty (A1 B3)`.
fn empty(puzzle: &Puzzle, verdict: &Verdict) -> String {
    let count = verdict.missing.len();
    let verb = if count == 1 { "cell is" } else { "cells are" };
    format!("{count} {verb} empty ({})", cell_names(puzzle, &verdict.missing))
}
