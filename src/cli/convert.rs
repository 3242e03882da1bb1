//! `kenga convert`: puzzles in another format, or as models for other solvers.

use miette::{Diagnostic, Report, miette};
use thiserror::Error;

use super::io::exit::{CommandResult, Exit, print_error, print_note};
use super::io::input::one_of;
use super::io::output::{Destination, OutputArgs};
use super::io::progress::Counter;
use super::io::puzzles::{Colors, PuzzleArgs, Puzzles};
use super::io::signals::end_at_signal;
use kenga_core::puzzle::formats::WriteError;
use kenga_core::puzzle::{Puzzle, formats};
use kenga_report::answers::OutputFormat;
use kenga_report::{counted, several};

/// Write puzzles in another format
///
/// The format of a file is recognised by its content. Formats other than json hold the rules of a puzzle alone, not
/// its id, its solution or its notes. dimacs, lp and minizinc are models for other solvers; kenga only writes them.
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
#[error("puzzle `{id}`{place} cannot be written")]
#[diagnostic(help("json holds every puzzle"))]
struct RefusedPuzzle {
    id: String,
    /// Where it was read, in brackets; empty where that is not known.
    place: String,
    #[source]
    source: WriteError,
}

pub(super) fn run(args: &Args) -> CommandResult {
    end_at_signal()?;
    let mut input = args.puzzles.read(args.colors);
    let mut destination = args.output.open()?;
    let mut written =
        write_all(&mut input, |input: &&mut Puzzles<'_>| input.place(), args.to, &mut destination)?;
    written.refused += input.refused();
    let read = input.finish()?;
    written.finish(destination)?;
    Ok(written.exit().and(read))
}

/// How many puzzles were written and how many not.
#[derive(Default)]
pub(super) struct Written {
    written: u64,
    pub(super) refused: u64,
}

impl Written {
    pub(super) fn exit(&self) -> Exit {
        if self.refused > 0 { Exit::BadInput } else { Exit::Done }
    }

    /// Completes the file, and says how many of the puzzles are in it where some are not.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(super) fn finish(&self, destination: Destination) -> Result<(), Report> {
        destination.finish()?;
        if self.refused > 0 {
            let all = several(self.written + self.refused, "puzzle");
            print_note(&format!("{} of {all} written", counted(self.written)));
        }
        Ok(())
    }
}

/// Writes puzzles and counts them; more than one only in a format that holds many. `place` says where the last was read.
///
/// # Errors
/// Several puzzles for a format that holds one, and text that cannot be written.
pub(super) fn write_all<I: Iterator<Item = Puzzle>>(
    mut puzzles: I,
    place: impl Fn(&I) -> String,
    target: OutputFormat,
    destination: &mut Destination,
) -> Result<Written, Report> {
    let counter = Counter::unless(destination.is_terminal(), "puzzles");
    let mut written = Written::default();
    if target.is_many() {
        while let Some(puzzle) = puzzles.next() {
            counter.advance();
            convert(&puzzle, &place(&puzzles), target, destination, &mut written)?;
        }
        return Ok(written);
    }
    // The second is read before the first is written: half a file helps nobody.
    let first = puzzles.next();
    let at = place(&puzzles);
    match (first, puzzles.next()) {
        (Some(first), Some(second)) => return Err(several_puzzles(target, &first.id, &second.id)),
        (Some(only), None) => convert(&only, &at, target, destination, &mut written)?,
        (None, _) => {}
    }
    Ok(written)
}

/// Writes one puzzle; one that the format cannot hold is reported, and the rest goes on.
fn convert(
    puzzle: &Puzzle,
    place: &str,
    target: OutputFormat,
    destination: &mut Destination,
    written: &mut Written,
) -> Result<(), Report> {
    match target.write(puzzle) {
        Ok(text) => {
            destination.write(text)?;
            written.written += 1;
        }
        Err(source) => {
            let place = if place.is_empty() { String::new() } else { format!(" ({place})") };
            print_error(&RefusedPuzzle { id: puzzle.id.clone(), place, source }.into());
            written.refused += 1;
        }
    }
    Ok(())
}

/// The error of more puzzles than fit into one file.
fn several_puzzles(target: OutputFormat, first: &str, second: &str) -> Report {
    let many = formats::TABLE.iter().filter(|format| format.many && format.is_written());
    let many: Vec<&str> = many.map(|format| format.name).collect();
    let help = format!("choose one with --id, or a format that holds many: {}", many.join(", "));
    let format = target.name();
    miette!(help = help, "the format {format} holds one puzzle, not several: `{first}`, `{second}`")
}
