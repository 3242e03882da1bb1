//! `kenga hint`: the next step in a partly filled grid.

use std::slice::from_ref;

use super::io::cells::{read_grid, refuse_one_input};
use super::io::exit::{CommandResult, Exit};
use super::io::output::{print, print_words};
use super::io::progress::Counter;
use super::io::puzzles::{Colors, OnePuzzleArgs};
use super::io::signals;
use kenga_core::problem::Problem;
use kenga_craft::ladder::{Hint, hint};
use kenga_report::answers::{empty_grid, hint_json, hint_words, own_digits};

/// Give a hint for a partly filled grid
///
/// Names the first mistake, if there is one. Else says where to look and what for; --more says all of it: every step up to the
/// next digit, with its reason.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The grid so far, or `@` and a file that holds it, or `-` for standard input
    ///
    /// Separate rows by `/` or line breaks, cells by spaces; `.` is an empty cell. Without it, the empty grid.
    #[arg(long, value_name = "GRID|@FILE|-", allow_hyphen_values = true)]
    grid: Option<String>,
    /// The whole hint: the steps and the digit
    #[arg(long)]
    more: bool,
    #[command(flatten)]
    puzzle: OnePuzzleArgs,
    #[command(flatten)]
    colors: Colors,
    /// Print a JSON object; cells are [row, column] from 0
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  kenga hint puzzle.txt --grid '4 . . ./. . . ./. . . ./. . . .'
  kenga hint puzzle.txt --grid @mine.txt --more

Exit code: 0 a hint, or the grid is solved; 1 a mistake, or no technique leads
on; 2 bad usage or bad input.";

pub(super) fn run(args: &Args) -> CommandResult {
    refuse_one_input(from_ref(&args.puzzle.file), args.grid.as_deref())?;
    let (puzzle, read) = args.puzzle.read(args.colors)?;
    let Some(puzzle) = puzzle else { return Ok(read) };
    let grid = read_grid(args.grid.as_deref().unwrap_or(&empty_grid(&puzzle)), &puzzle)?;
    own_digits(&puzzle, &grid)?;
    let problem = Problem::compile(&puzzle);
    let interrupt = signals::interrupt()?;
    let found = {
        let _progress = Counter::start("solving", None);
        hint(&puzzle, &problem, &grid, &interrupt)
    };
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    let done = if args.json {
        print(&format!("{}\n", hint_json(&puzzle, &found, args.more)))
    } else {
        print_words(&format!("{}\n", hint_words(&puzzle, &found, args.more)))
    }?;
    let answer = if matches!(found, Hint::Solved | Hint::Steps(_)) { done } else { Exit::No };
    Ok(answer.and(read))
}
