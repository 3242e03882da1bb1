//! `kenga canonical`: the form that a puzzle shares with all that symmetries make of it.

use std::collections::BTreeSet;

use miette::miette;
use sha2::{Digest, Sha256};

use super::io::exit::{CommandResult, Exit, print_error, print_note};
use super::io::input::seconds;
use super::io::output::OutputArgs;
use super::io::progress::Counter;
use super::io::puzzles::{Colors, PuzzleArgs};
use super::io::signals::{end_at_signal, within};
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::{Puzzle, formats};
use kenga_craft::symmetry::canonical_unless;

/// Write puzzles in one form for all that are the same
///
/// Two puzzles are the same but for the places and names of things exactly when their forms have equal rules; ids, notes and
/// the order of cages do not count. `kenga guide craft` says which symmetries a puzzle has.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Print a name of 16 characters for the form, and the id
    #[arg(long)]
    hash: bool,
    /// Only the first of puzzles with one form, as it is; says how many others there are
    #[arg(long, conflicts_with = "hash")]
    drop_duplicates: bool,
    /// Give up on a puzzle after S seconds of wall time
    #[arg(long, value_name = "S", value_parser = seconds)]
    time_limit: Option<f64>,
    #[command(flatten)]
    puzzles: PuzzleArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  kenga canonical puzzle.txt
  kenga canonical book.jsonl --hash                     a name and an id a line
  kenga canonical book.jsonl more.jsonl --drop-duplicates -o all.jsonl

Exit code: 0 all written; 2 bad usage, or a puzzle that cannot be read; 3 no
form was found for a puzzle, while the others are written: it is very regular,
or the time limit was over.";

pub(super) fn run(args: &Args) -> CommandResult {
    end_at_signal()?;
    let mut input = args.puzzles.read(Colors::AS_STATED);
    let mut destination = args.output.open()?;
    let counter = Counter::unless(destination.is_terminal(), "puzzles");
    let mut corpus = Corpus::default();
    for puzzle in &mut input {
        counter.advance();
        if let Some(line) = corpus.line(&puzzle, args) {
            destination.write(line + "\n")?;
        }
    }
    drop(counter);
    let read = input.finish()?;
    destination.finish()?;
    if args.drop_duplicates {
        print_note(&format!("{} kept, {} dropped", corpus.seen.len() + corpus.formless, corpus.dropped));
    }
    Ok(corpus.exit.and(read))
}

/// What has been seen of a corpus.
#[derive(Default)]
struct Corpus {
    seen: BTreeSet<[u8; 32]>,
    /// Those without a form, which are kept.
    formless: usize,
    dropped: usize,
    exit: Exit,
}

impl Corpus {
    /// What is written of a puzzle; nothing of a duplicate that is dropped. A puzzle without a form is reported, and kept
    /// where duplicates are dropped.
    fn line(&mut self, puzzle: &Puzzle, args: &Args) -> Option<String> {
        let found = within(args.time_limit, &Interrupt::default(), |limited| {
            let form = canonical_unless(puzzle, &|| limited.is_raised());
            form.map_err(|error| {
                if limited.is_raised() { "the time limit is over".to_owned() } else { error.to_string() }
            })
        });
        let form = match found {
            Ok(form) => form,
            Err(error) => {
                print_error(&miette!("puzzle `{}`: {error}", puzzle.id));
                self.exit = self.exit.and(Exit::Undecided);
                self.formless += 1;
                return args.drop_duplicates.then(|| formats::canonical(puzzle));
            }
        };
        // A digest in place of the form: a corpus may be long.
        let digest: [u8; 32] = Sha256::digest(form.canonical_text()).into();
        if args.drop_duplicates && !self.seen.insert(digest) {
            self.dropped += 1;
            return None;
        }
        Some(match args {
            Args { hash: true, .. } => format!("{} {}", name(&digest), puzzle.id),
            Args { drop_duplicates: true, .. } => formats::canonical(puzzle),
            _ => formats::canonical(&form),
        })
    }
}

/// The first 64 bits of a digest in hexadecimal.
fn name(digest: &[u8; 32]) -> String {
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
