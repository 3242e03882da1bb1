//! `kenga convert`: puzzles in another format, or as models for other solvers.

use miette::{Diagnostic, Report, miette};
use thiserror::Error;

use super::io::exit::{CommandResult, Exit, print_error};
use super::io::input::one_of;
use super::io::output::{Destination, OutputArgs};
use super::io::progress::{Counter, end_at_signal};
use super::io::puzzles::{Colors, PuzzleArgs};
use kenga_core::puzzle::formats::WriteError;
use kenga_core::puzzle::{Puzzle, formats};
use kenga_report::answers::OutputFormat;

/// Write puzzles in another format
///
/// The format of a file is recognised by its content. Formats other than json hold the rules of a puzzle alone, not
/// its id, its solution or its notes. dimacs, lp, minizinc and smtlib are models for other solvers; kenga only
/// writes them.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = one_of(OutputFormat::all(), |format| [format.name(), format.about()]))]
    to: OutputFormat,
    #[command(flatten)]
    puzzles: PuzzleArgs,
    #[command(flatten)]
    colors: Colors,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  kenga convert puzzle.txt --to json                       id, solution, notes
  kenga convert book.jsonl --to keen                       one game ID per line
  kenga convert book.jsonl --id kenken-4-easy-000 --to cage_list
  kenga convert a.txt b.txt c.txt --to json -o abc.jsonl   a corpus of three
  kenga convert killer.json --to fpuzzles_link             to open in a browser
  kenga convert puzzle.txt --to dimacs -o puzzle.cnf       for a SAT solver
  kenga convert puzzle.txt --to lp -o puzzle.lp            for a MIP solver
  echo 4:b_a4_a_6aa,m8s1a6s1m4a3d2 | kenga convert - --to cage_ids

Exit code: 0 all written; 2 bad usage, or a puzzle that cannot be read or
written, while the others are.";

/// A puzzle that the format cannot hold.
#[derive(Debug, Error, Diagnostic)]
#[error("puzzle `{id}` cannot be written")]
#[diagnostic(help("json holds every puzzle"))]
struct RefusedPuzzle {
    id: String,
    #[source]
    source: WriteError,
}

pub(super) fn run(args: &Args) -> CommandResult {
    end_at_signal()?;
    let mut input = args.puzzles.read(args.colors);
    let mut destination = args.output.open()?;
    let exit = write_all(&mut input, args.to, &mut destination)?;
    let read = input.finish()?;
    destination.finish()?;
    Ok(exit.and(read))
}

/// Writes puzzles and counts them; more than one only in a format that holds many.
///
/// # Errors
/// Several puzzles for a format that holds one, and text that cannot be written.
pub(super) fn write_all(
    mut puzzles: impl Iterator<Item = Puzzle>,
    target: OutputFormat,
    destination: &mut Destination,
) -> CommandResult {
    let counter = Counter::unless(destination.is_terminal(), "puzzles");
    if target.is_many() {
        let mut exit = Exit::Done;
        for puzzle in puzzles {
            counter.advance();
            exit = exit.and(convert(&puzzle, target, destination)?);
        }
        return Ok(exit);
    }
    // The second is read before the first is written: half a file helps nobody.
    match (puzzles.next(), puzzles.next()) {
        (Some(first), Some(second)) => Err(several(target, &first.id, &second.id)),
        (Some(only), None) => convert(&only, target, destination),
        (None, _) => Ok(Exit::Done),
    }
}

/// Writes one puzzle; one that the format cannot hold is reported, and the rest goes on.
fn convert(puzzle: &Puzzle, target: OutputFormat, destination: &mut Destination) -> CommandResult {
    match target.write(puzzle) {
        Ok(text) => destination.write(text).map(|()| Exit::Done),
        Err(source) => {
            print_error(&RefusedPuzzle { id: puzzle.id.clone(), source }.into());
            Ok(Exit::BadInput)
        }
    }
}

/// The error of more puzzles than fit into one file.
fn several(target: OutputFormat, first: &str, second: &str) -> Report {
    let many = formats::TABLE.iter().filter(|format| format.many && format.is_written());
    let many: Vec<&str> = many.map(|format| format.name).collect();
    let help = format!("choose one with --id, or a format that holds many: {}", many.join(", "));
    let format = target.name();
    miette!(help = help, "the format {format} holds one puzzle, not several: `{first}`, `{second}`")
}
