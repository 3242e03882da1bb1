//! `kenga check`.

mod completion;
mod grid;
mod verdict;

use miette::Diagnostic;
use thiserror::Error;

use super::exit::{CommandResult, Exit};
use super::number::whole;
use super::output::Output;
use super::{input, wanted};
use crate::puzzle::check;
use completion::Completion;

/// Say whether a grid solves a puzzle, and if not, which groups fail and why
///
/// Of a partial grid that breaks no rule it says whether it can still be completed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The puzzle, in any known format, or many of which --id chooses one; `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The grid, or `@` and a file that holds it, or `-` for standard input
    ///
    /// Rows end at `/` or at the end of a line, cells at blanks; `.` is an empty cell. Rows of one-digit cells need
    /// no blanks. A JSON list of rows is read as well.
    #[arg(long, value_name = "GRID|@FILE|-", allow_hyphen_values = true)]
    grid: String,
    /// The puzzle with this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
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
  kenga check corpus.jsonl --id nine --grid @grid.txt
  kenga solve 4.txt --json | jq -c .solutions[0] | kenga check 4.txt --grid -

Exit code: 0 the grid is a solution, 1 it is none (or not yet), 2 bad usage or
bad input.";

/// Puzzle and grid cannot both be read from one place.
#[derive(Debug, Error, Diagnostic)]
#[error("the puzzle and the grid cannot both come from standard input")]
#[diagnostic(help("name a file for one of them; `--grid @FILE` reads a grid from a file"))]
struct OneInput;

pub(super) fn run(args: &Args) -> CommandResult {
    if args.file == "-" && args.grid == "-" {
        return Err(OneInput.into());
    }
    let files = [args.file.clone()];
    let mut input = input::puzzles(&files);
    let Some(puzzle) = wanted::one(&args.file, args.id.as_deref(), &mut input)? else {
        return Ok(input.exit());
    };
    let grid = grid::read(&args.grid, &puzzle)?;
    let verdict = check(&puzzle, &grid);
    let completion = Completion::of(&puzzle, &grid, &verdict, args.node_limit)?;
    let mut output = Output::lock();
    output.write(&match args.json {
        true => verdict::json(&puzzle, &verdict, completion),
        false => verdict::text(&puzzle, &grid, &verdict, completion),
    })?;
    output.flush()?;
    let answer = if verdict.is_solution() { Exit::Done } else { Exit::No };
    Ok(answer.and(input.exit()))
}
