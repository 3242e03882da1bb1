//! `kenga convert`: puzzles in another format, or as models for other solvers.

use std::path::PathBuf;

use miette::{Diagnostic, Report, miette};
use thiserror::Error;

use super::io::exit::{CommandResult, Exit, print_error};
use super::io::input::{self, Colors, PuzzleId, one_of};
use super::io::output::Destination;
use super::io::progress::{Counter, end_at_signal};
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
    /// Puzzles: one in any known format, or many as JSON lines, Keen game IDs, Sudoku lines; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = one_of(OutputFormat::all(), |format| [format.name(), format.about()]))]
    to: OutputFormat,
    /// Only the puzzle with this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    #[command(flatten)]
    colors: Colors,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE", alias = "output")]
    out: Option<PathBuf>,
    /// Overwrite FILE if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  kenga convert puzzle.txt --to json                       id, solution, notes
  kenga convert corpus.jsonl --to keen                     one game ID per line
  kenga convert corpus.jsonl --id nine --to cage_list      one puzzle of many
  kenga convert a.txt b.txt c.txt --to json -o abc.jsonl   a corpus of three
  kenga convert killer.json --to fpuzzles_link             to open in a browser
  kenga convert puzzle.json --to dimacs -o puzzle.cnf      for a SAT solver
  kenga convert puzzle.json --to lp -o puzzle.lp           for a MIP solver
  echo 4:b_a4_a_6aa,m8s1a6s1m4a3d2 | kenga convert - --to cage_ids

Exit code: 0 all written; 2 bad usage, or a puzzle that cannot be read or
written, while the others are.";

/// A puzzle that the format cannot hold.
#[derive(Debug, Error, Diagnostic)]
#[error("puzzle `{id}` cannot be written")]
#[diagnostic(help("json holds every puzzle"))]
struct Refused {
    id: String,
    #[source]
    source: WriteError,
}

pub(super) fn run(args: &Args) -> CommandResult {
    end_at_signal()?;
    let mut input = input::puzzles(&args.files).with(args.colors, args.id.as_deref());
    let mut wanted = PuzzleId::new(args.id.as_deref());
    let puzzles = (&mut input).filter(|puzzle| wanted.accepts(puzzle));
    let mut destination = Destination::new(args.out.as_deref(), args.force)?;
    let exit = write_all(puzzles, args.to, &mut destination)?;
    wanted.found(&input)?;
    destination.finish()?;
    Ok(exit.and(input.exit()))
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
        return puzzles.try_fold(Exit::Done, |exit: Exit, puzzle| {
            counter.advance();
            convert(&puzzle, target, destination).map(|next| exit.and(next))
        });
    }
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
            print_error(&Refused { id: puzzle.id.clone(), source }.into());
            Ok(Exit::BadInput)
        }
    }
}

/// The error of more puzzles than fit into one file.
fn several(target: OutputFormat, first: &str, second: &str) -> Report {
    let many =
        formats::TABLE.iter().filter(|format| format.many && format.is_written()).map(|format| format.name);
    let many = many.collect::<Vec<_>>().join(", ");
    let help = format!("choose one with --id, or a format that holds many: {many}");
    let format = target.name();
    miette!(help = help, "the format {format} holds one puzzle, not several: `{first}`, `{second}`")
}
