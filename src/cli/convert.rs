//! `kenga convert`.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use miette::{Diagnostic, Report};
use thiserror::Error;

use super::exit::{CommandResult, Exit, print_error};
use super::input;
use super::sink::Sink;
use super::wanted::Wanted;
use crate::puzzle::Puzzle;
use crate::puzzle::formats::{self, Format, WriteError};

/// Write puzzles in another format
///
/// The format of a file is recognised by its content. Formats other than json hold the rules of a puzzle alone, not
/// its id, its solution or its notes. dimacs, minizinc and smtlib are models for other solvers, which are not read.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Puzzles: one in any known format, or many as JSON lines, Keen game IDs, Sudoku lines; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = FormatParser)]
    to: &'static Format,
    /// Only the puzzle with this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE", alias = "output")]
    out: Option<PathBuf>,
    /// Overwrite FILE when it is there already
    #[arg(long, requires = "out")]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  kenga convert puzzle.txt --to json                       all there is to know
  kenga convert corpus.jsonl --to keen                     a game ID a line
  kenga convert corpus.jsonl --id nine --to cage_list      one puzzle of many
  kenga convert a.txt b.txt c.txt --to json -o abc.jsonl   a corpus of three
  kenga convert puzzle.json --to dimacs -o puzzle.cnf      for a SAT solver
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

/// More puzzles than fit into one file.
#[derive(Debug, Error, Diagnostic)]
#[error("the format {format} holds one puzzle a file, and here are several: `{first}`, `{second}`")]
#[diagnostic(help("choose one with --id, or a format that holds many: {many}"))]
struct Several {
    format: &'static str,
    first: String,
    second: String,
    many: String,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let mut input = input::puzzles(&args.files);
    let mut wanted = Wanted::new(args.id.as_deref());
    let mut puzzles = (&mut input).filter(|puzzle| wanted.accepts(puzzle));
    let mut sink = Sink::new(args.out.as_deref(), args.force)?;
    let exit = if args.to.many {
        let convert = |exit: Exit, puzzle| convert(&puzzle, args.to, &mut sink).map(|next| exit.and(next));
        puzzles.try_fold(Exit::Done, convert)?
    } else {
        match (puzzles.next(), puzzles.next()) {
            (Some(first), Some(second)) => return Err(several(args.to, first, second)),
            (Some(only), None) => convert(&only, args.to, &mut sink)?,
            (None, _) => Exit::Done,
        }
    };
    wanted.found()?;
    sink.finish()?;
    Ok(exit.and(input.exit()))
}

/// Writes one puzzle; one that the format cannot hold is reported, and the rest goes on.
fn convert(puzzle: &Puzzle, format: &Format, sink: &mut Sink) -> CommandResult {
    match formats::write(puzzle, format) {
        Ok(text) => sink.write(&text).map(|()| Exit::Done),
        Err(source) => {
            print_error(&Refused { id: puzzle.id.clone(), source }.into());
            Ok(Exit::BadInput)
        }
    }
}

fn several(format: &Format, first: Puzzle, second: Puzzle) -> Report {
    let many = formats::TABLE.iter().filter(|format| format.many).map(|format| format.name);
    let many = many.collect::<Vec<_>>().join(", ");
    Several { format: format.name, first: first.id, second: second.id, many }.into()
}

/// The formats that can be written.
fn written() -> impl Iterator<Item = &'static Format> {
    formats::TABLE.iter().filter(|format| format.is_written())
}

/// Format names, from the table.
#[derive(Clone)]
struct FormatParser;

impl TypedValueParser for FormatParser {
    type Value = &'static Format;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        let names = PossibleValuesParser::new(written().map(|format| format.name));
        let name = names.parse_ref(command, arg, value)?;
        Ok(formats::find(&name).expect("the name is one of the table's"))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(written().map(|format| PossibleValue::new(format.name).help(format.about))))
    }
}
