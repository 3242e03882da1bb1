//! `kenga generate`: puzzles made to order, one JSON object a line.

mod adversary;

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use miette::{Report, miette};

use adversary::{AdversaryArgs, Duel};

use super::experiment::Jobs;
use super::io::exit::{CommandResult, Exit, print_note};
use super::io::input::{one_of, whole};
use super::io::output::Destination;
use super::io::progress::{self, Counter};
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::{Puzzle, formats};
use kenga_core::spec::{Catalog, Member, Named, Place, Spec, SpecError, Value};
use kenga_craft::{GENERATORS, Series, Shortfall};
use kenga_lab::experiment::in_order;

/// Make puzzles
///
/// Writes JSON lines: puzzles with an id, and in their meta how to make them again. The same options give the same bytes, and
/// a larger --count begins with the puzzles of a smaller one, whatever the number of threads. `kenga list generator` shows the
/// options of every kind.
///
/// A puzzle that is not found with the effort that is made for each (docs/craft.md) is left out, and a line on standard error says
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
    #[command(flatten)]
    parameters: Parameters,
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
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE", alias = "output")]
    out: Option<PathBuf>,
    /// Overwrite FILE if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

/// What only some kinds take; the table of generators says which, and what is allowed.
#[derive(clap::Args)]
struct Parameters {
    /// The size: rows and columns, the vertices of a random graph, the number of a Mycielski graph
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX))]
    size: Option<u32>,
    /// Rows of a Kakuro, the first of them black
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX))]
    rows: Option<u32>,
    /// Columns of a Kakuro, the first of them black
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX))]
    cols: Option<u32>,
    /// Share of black cells of a Kakuro, off its first row and column
    #[arg(long, value_name = "SHARE")]
    black: Option<f64>,
    /// How hard: easy, normal, hard, extreme, unreasonable, or a range of them or of scores: hard..extreme, 2.0..3.5
    #[arg(long, value_name = "TIER|A..B")]
    difficulty: Option<String>,
    /// Techniques that solving takes, with commas between them
    #[arg(long, value_name = "TECHNIQUES")]
    require: Option<String>,
    /// Techniques that solving does without, with commas between them
    #[arg(long, value_name = "TECHNIQUES")]
    avoid: Option<String>,
    /// The most digits given in a Sudoku
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX))]
    givens: Option<u32>,
    /// Sizes of cages, with weights: 1..5, or 2:5,3:4,4:1
    #[arg(long, value_name = "SIZES")]
    cages: Option<String>,
    /// Most one-cell cages, as a share of all cages, 0 to 1
    #[arg(long, value_name = "SHARE")]
    singles: Option<f64>,
    /// Operators of cages, with weights, `?` for a hidden one: +-*/, or +3*2-/
    #[arg(long, value_name = "SIGNS", allow_hyphen_values = true)]
    operators: Option<String>,
    /// What leaves the outlines as they are: none, rotate (half a turn), rotate4 (a quarter), mirror or diagonal
    #[arg(long, value_name = "SYMMETRY")]
    symmetry: Option<String>,
    /// How many solutions a puzzle may have
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX))]
    max_solutions: Option<u32>,
    /// No clue can be left out: without any of them there are more solutions
    #[arg(long)]
    minimal: bool,
    /// How many colours there are
    #[arg(long, value_name = "K", value_parser = whole(0..=u32::MAX))]
    colors: Option<u32>,
    /// Probability that two vertices are joined, 0 to 1
    #[arg(long, value_name = "P")]
    edges: Option<f64>,
    /// Share of the cells that are open, 0 to 1
    #[arg(long, value_name = "SHARE")]
    holes: Option<f64>,
    /// Share of the neighbours that may have a sign between them, 0 to 1
    #[arg(long, value_name = "SHARE")]
    signs: Option<f64>,
    /// How many givens and signs to leave at least
    #[arg(long, value_name = "N", value_parser = whole(0..=u32::MAX))]
    clues: Option<u32>,
    /// As many holes in every row and column as in any other
    #[arg(long)]
    balanced: bool,
}

impl Parameters {
    /// The parameters that are given, by their names in the table of generators.
    fn values(&self) -> impl Iterator<Item = (&'static str, Value)> {
        let whole = |number: Option<u32>| number.map(|number| Value::Integer(number.into()));
        let text = |text: &Option<String>| text.clone().map(Value::Text);
        let given = [
            ("size", whole(self.size)),
            ("rows", whole(self.rows)),
            ("cols", whole(self.cols)),
            ("black", self.black.map(Value::Real)),
            ("difficulty", text(&self.difficulty)),
            ("require", text(&self.require)),
            ("avoid", text(&self.avoid)),
            ("givens", whole(self.givens)),
            ("cages", text(&self.cages)),
            ("singles", self.singles.map(Value::Real)),
            ("operators", text(&self.operators)),
            ("symmetry", text(&self.symmetry)),
            ("max_solutions", whole(self.max_solutions)),
            ("minimal", self.minimal.then_some(Value::Flag(true))),
            ("colors", whole(self.colors)),
            ("edges", self.edges.map(Value::Real)),
            ("holes", self.holes.map(Value::Real)),
            ("signs", self.signs.map(Value::Real)),
            ("clues", whole(self.clues)),
            ("balanced", self.balanced.then_some(Value::Flag(true))),
        ];
        given.into_iter().filter_map(|(key, value)| Some((key, value?)))
    }
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

/// Puzzles that may wait, for each thread, for an earlier one.
const AHEAD: usize = 16;

/// Puzzles in a row that are not found, after which no more are looked for.
const HOPELESS: usize = 3;

fn kinds() -> impl TypedValueParser<Value = &'static Member> {
    one_of(GENERATORS.members(), |member| [member.name, member.about])
}

pub(super) fn run(args: &Args) -> CommandResult {
    let mut order = Spec::named(args.kind.name);
    args.parameters.values().for_each(|(key, value)| order.set(Named::new(key, value, Place::default())));
    let series = Series::new(&order, args.seed, args.count).map_err(|error| refusal(args.kind, &error))?;
    let interrupt = progress::interrupt()?;
    let duel = args.against.duel(&interrupt)?;
    duel.iter().try_for_each(|duel| duel.check(&series))?;
    let mut destination = Destination::new(args.out.as_deref(), args.force)?;
    let counter = (!destination.is_terminal()).then(|| counter(&series, duel.as_ref()));
    let advance = || counter.iter().for_each(Counter::advance);
    let make = |number: usize| match &duel {
        Some(duel) => duel.evolve(&series, number, &advance),
        None => series.make(number, &interrupt),
    };
    let mut missed = 0;
    let ended = make_all(series.len(), args.jobs.count(), &make, &interrupt, |made| {
        if duel.is_none() {
            advance();
        }
        match made {
            Ok(puzzle) => {
                missed = 0;
                destination
                    .write(formats::canonical(&puzzle) + "\n")
                    .map(|()| Exit::Done)
                    .map_err(End::Failed)
            }
            Err(shortfall) => {
                missed += 1;
                print_note(&shortfall.to_string());
                if missed < HOPELESS { Ok(Exit::No) } else { Err(End::Hopeless) }
            }
        }
    });
    drop(counter);
    if let Err(End::Failed(report)) = ended {
        return Err(report);
    }
    destination.finish()?;
    Ok(match ended {
        Ok(exit) => exit,
        Err(End::Interrupted) => Exit::Signal(interrupt.signal()),
        Err(_) => Exit::No,
    })
}

/// What ends a series early.
enum End {
    /// A signal.
    Interrupted,
    /// Too many puzzles in a row were not found.
    Hopeless,
    /// The output cannot be written.
    Failed(Report),
}

/// Counts puzzles that are made, or of those that are evolved the ones that are measured.
fn counter(series: &Series, duel: Option<&Duel>) -> Counter {
    let count = series.len() as u64;
    match duel {
        Some(duel) => Counter::start("puzzles measured", Some(count * u64::from(duel.effort))),
        None => Counter::start("puzzles", Some(count)),
    }
}

/// Makes so many puzzles, numbered from 0, on `jobs` threads and hands them over in order.
///
/// # Errors
/// What ended the work early.
fn make_all(
    count: usize,
    jobs: usize,
    make: &(dyn Fn(usize) -> Result<Puzzle, Shortfall> + Sync),
    interrupt: &Interrupt,
    mut keep: impl FnMut(Result<Puzzle, Shortfall>) -> Result<Exit, End>,
) -> Result<Exit, End> {
    let mut exit = Exit::Done;
    // What an interrupt has cut short is not what was ordered.
    let unless_cut = |number| {
        let made = make(number);
        (!interrupt.is_raised()).then_some(made)
    };
    in_order(0..count, (jobs, AHEAD), unless_cut, |made| {
        let made = made.ok_or(End::Interrupted)?;
        // Puzzles that are no longer wanted need not be finished.
        exit = exit.and(keep(made).inspect_err(|_| interrupt.raise(Interrupt::ABANDONED))?);
        Ok(())
    })?;
    Ok(exit)
}

/// What is wrong with the options, in the words of the command line.
fn refusal(kind: &Member, error: &SpecError) -> Report {
    let name = kind.name;
    let options: Vec<String> = kind.params.iter().map(|param| option(param.name)).collect();
    let help = format!("{name} takes {}", options.join(", "));
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
