//! `kenga generate`: puzzles made to order, one JSON object a line.
//!
//! **Invariant**: the same options give the same bytes for any number of threads, and a longer series begins with a shorter
//! one; after a signal the output ends after a whole puzzle.

mod adversary;
mod parameters;

use clap::builder::TypedValueParser;
use miette::{Report, miette};

use adversary::{AdversaryArgs, Duel};
use parameters::Parameters;

use super::experiment::{AHEAD, Jobs};
use super::io::exit::{CommandResult, Exit, print_note};
use super::io::input::{one_of, whole};
use super::io::output::{Destination, OutputArgs};
use super::io::progress::Counter;
use super::io::signals;
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::{Puzzle, formats};
use kenga_core::spec::{Catalog, Member, Spec, SpecError};
use kenga_core::text::joined;
use kenga_craft::{GENERATORS, Series, Shortfall};
use kenga_lab::experiment::{Threads, in_order};
use kenga_report::several;

/// Make puzzles
///
/// Writes JSON lines: puzzles with an id, and in their meta how to make them again. The same options give the same bytes, and
/// a larger --count begins with the puzzles of a smaller one, whatever the number of threads. `kenga list generator` shows the
/// options of every kind.
///
/// A puzzle that is not found with the effort that is made for each (`kenga guide craft`) is left out, and a line on standard error says
/// what was nearest; three in a row end the command.
///
/// With --hard-for, puzzles are evolved: as ordered, with one solution, and costly for the algorithm that it names, cheap for that of
/// --easy-for. A puzzle that fresh runs do not confirm counts as not found. The meta holds what it costs in further runs of each.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// What to make
    #[arg(long, value_name = "KIND", value_parser = kinds())]
    kind: &'static Member,
    /// How many puzzles
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1_000_000_usize))]
    count: usize,
    /// The seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    against: AdversaryArgs,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    parameters: Parameters,
}

const EXAMPLES: &str = "\
Examples:
  kenga generate --kind kenken --size 6 --count 100 -o six.jsonl
  kenga generate --kind kenken --size 9 --cages 2:5,3:4,4:2 --operators +3*2-/
  kenga generate --kind kenken --size 9 --difficulty extreme --count 20
  kenga generate --kind kenken --size 8 --operators ? --symmetry rotate
  kenga generate --kind killer --symmetry mirror | kenga solve -
  kenga generate --kind sudoku --symmetry rotate --minimal --count 10
  kenga generate --kind kakuro --rows 12 --cols 10 --difficulty easy..normal
  kenga generate --kind quasigroup --size 25 --holes 0.42 --count 100
  kenga generate --kind quasigroup --size 9 --holes 0.5 --balanced -o nine.jsonl
  kenga generate --kind quasigroup --size 7 --holes 0.6 | kenga solve -
  kenga generate --kind futoshiki --size 9 --count 20 -o futoshiki.jsonl
  kenga generate --kind queens-graph --size 6 --colors 7 | kenga solve -
  kenga generate --kind mycielski --size 4 --colors 4 | kenga solve -
  kenga generate --kind random-graph --size 100 --edges 0.1 --colors 5
  kenga generate --kind kenken --size 6 --hard-for ga.toml --easy-for tabu.toml
  kenga generate --kind kenken --size 9 --hard-for exact --effort 500

Exit code: 0 all made; 1 some were not found; 2 bad usage; 130 or 143 after a
signal: the output then ends after a whole puzzle.";

/// Puzzles in a row that are not found, after which no more are looked for.
const HOPELESS: usize = 3;

fn kinds() -> impl TypedValueParser<Value = &'static Member> {
    one_of(GENERATORS.members(), |member| [member.name, member.about])
}

pub(super) fn run(args: &Args) -> CommandResult {
    let mut order = Spec::named(args.kind.name);
    for named in &args.parameters.0 {
        order.set(named.clone());
    }
    let series = Series::new(&order, args.seed, args.count).map_err(|error| refusal(args.kind, &error))?;
    let interrupt = signals::interrupt()?;
    let duel = args.against.duel(&interrupt)?;
    if let Some(duel) = &duel {
        duel.check(&series)?;
    }
    let destination = args.output.open()?;
    let counter = (!destination.is_terminal()).then(|| counter(&series, duel.as_ref()));
    let advance = || {
        if let Some(counter) = &counter {
            counter.advance();
        }
    };
    let mut output = SeriesOutput { destination, exit: Exit::Done, made: 0, missed: 0 };
    let ended = in_order(
        0..series.len(),
        Threads { jobs: args.jobs.count(), ahead: AHEAD },
        |number| {
            let made = match &duel {
                Some(duel) => duel.evolve(&series, number, &advance),
                None => series.make(number, &interrupt),
            };
            // What an interrupt has cut short is not what was ordered.
            (!interrupt.is_raised()).then_some(made)
        },
        |made| {
            let made = made.ok_or(SeriesEnd::Interrupted)?;
            // A series that is evolved counts the puzzles that it measures.
            if duel.is_none() {
                advance();
            }
            // After a failure the puzzles that others have begun need not be finished.
            output.take(made).inspect_err(|_| interrupt.raise(Interrupt::ABANDONED))
        },
    );
    drop(counter);
    if let Err(SeriesEnd::Failed(report)) = ended {
        return Err(report);
    }
    output.destination.finish_with(&several(output.made, "puzzle"))?;
    Ok(match ended {
        Err(SeriesEnd::Interrupted) => Exit::Signal(interrupt.signal()),
        _ => output.exit,
    })
}

/// What ends a series early.
enum SeriesEnd {
    /// A signal.
    Interrupted,
    /// Too many puzzles in a row were not found.
    Hopeless,
    /// The output cannot be written.
    Failed(Report),
}

/// Where the puzzles of a series go.
struct SeriesOutput {
    destination: Destination,
    /// [`Exit::No`] when a puzzle was not found.
    exit: Exit,
    /// Puzzles that were written.
    made: u64,
    /// Puzzles in a row that were not found.
    missed: usize,
}

impl SeriesOutput {
    /// Writes the next puzzle, or says why it was not found.
    ///
    /// # Errors
    /// What ends the series.
    fn take(&mut self, made: Result<Puzzle, Shortfall>) -> Result<(), SeriesEnd> {
        match made {
            Ok(puzzle) => {
                self.missed = 0;
                self.made += 1;
                self.destination.write(formats::canonical(&puzzle) + "\n").map_err(SeriesEnd::Failed)
            }
            Err(shortfall) => {
                self.missed += 1;
                self.exit = Exit::No;
                print_note(&shortfall.to_string());
                if self.missed < HOPELESS { Ok(()) } else { Err(SeriesEnd::Hopeless) }
            }
        }
    }
}

/// Counts puzzles that are made, or of those that are evolved the ones that are measured.
fn counter(series: &Series, duel: Option<&Duel>) -> Counter {
    let count = series.len() as u64;
    match duel {
        Some(duel) => Counter::start("puzzles measured", Some(count * u64::from(duel.effort))),
        None => Counter::start("puzzles", Some(count)),
    }
}

/// What is wrong with the options, in the words of the command line.
fn refusal(kind: &Member, error: &SpecError) -> Report {
    let name = kind.name;
    let options = joined(kind.params.iter().map(|param| option(param.name)), ", ");
    let help = format!("{name} takes {options}");
    match error {
        SpecError::UnknownKey { key, .. } => miette!(help = help, "{name} takes no {}", option(key)),
        SpecError::Missing { key, expected, .. } => {
            miette!(help = help, "{name} needs {}, {expected}", option(key))
        }
        SpecError::Value { key, expected, found, .. } => {
            miette!(help = help, "{} takes {expected}, not {found}", option(key))
        }
        other => miette!(help = other.help(), "{other}"),
    }
}

fn option(key: &str) -> String {
    format!("--{}", key.replace('_', "-"))
}
