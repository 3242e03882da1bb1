//! Grids that options name.

use miette::{Report, miette};

use super::input;
use kenga_core::puzzle::{Grid, Puzzle};
use kenga_report::answers::parse_grid;

/// What a file of a grid holds.
const GRID: &str = "a grid is text such as `1 2/2 1`";

/// Refuses to read both puzzles and a grid from standard input.
///
/// # Errors
/// A report when both are to come from there.
pub(in crate::cli) fn refuse_one_input(files: &[String], grid: Option<&str>) -> Result<(), Report> {
    if grid == Some("-") && files.iter().any(|file| file == "-") {
        let help = "name a file for one of them; `--grid @FILE` reads a grid from a file";
        return Err(miette!(help = help, "the puzzle and the grid cannot both come from standard input"));
    }
    Ok(())
}

/// Reads a grid in the puzzle's shape from the argument itself, from the file behind `@`, or from standard input.
///
/// # Errors
/// A report that shows the row at fault.
pub(in crate::cli) fn read_grid(argument: &str, puzzle: &Puzzle) -> Result<Grid, Report> {
    let (name, text) = match argument.strip_prefix('@') {
        Some(file) => input::read_text(file, GRID)?,
        None if argument == "-" => input::read_text(argument, GRID)?,
        None => ("--grid".to_owned(), argument.to_owned()),
    };
    parse_grid(&name, &text, puzzle)
}
