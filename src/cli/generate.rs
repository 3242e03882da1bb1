//! `kenga generate`: puzzles made to order, one JSON object a line.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use miette::{Report, miette};

use super::io::exit::{CommandResult, Exit};
use super::io::input::{one_of, whole};
use super::io::output::TextSink;
use super::io::progress::{self, Counter};
use crate::craft::{GENERATORS, Series};
use crate::puzzle::formats;
use crate::spec::{Catalog, Member, Named, Place, Spec, SpecError, Value};

/// Make puzzles
///
/// Writes JSON lines: puzzles with an id, and in their meta how to make them again. The same options give the same bytes, and
/// a larger --count begins with the puzzles of a smaller one. `kenga list generator` shows the options of every kind.
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
        let given = [
            ("size", whole(self.size)),
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
  kenga generate --kind quasigroup --size 25 --holes 0.42 --count 100
  kenga generate --kind quasigroup --size 9 --holes 0.5 --balanced -o nine.jsonl
  kenga generate --kind quasigroup --size 7 --holes 0.6 | kenga solve -
  kenga generate --kind futoshiki --size 9 --count 20 -o futoshiki.jsonl
  kenga generate --kind queens-graph --size 6 --colors 7 | kenga solve -
  kenga generate --kind mycielski --size 4 --colors 4 | kenga solve -
  kenga generate --kind random-graph --size 100 --edges 0.1 --colors 5

Exit code: 0 all made; 2 bad usage; 130 or 143 after a signal, and then no FILE
is written.";

fn kinds() -> impl TypedValueParser<Value = &'static Member> {
    one_of(GENERATORS.members(), |member| [member.name, member.about])
}

pub(super) fn run(args: &Args) -> CommandResult {
    let mut order = Spec::named(args.kind.name);
    args.parameters.values().for_each(|(key, value)| order.set(Named::new(key, value, Place::default())));
    let series = Series::new(&order, args.seed, args.count).map_err(|error| refusal(args.kind, &error))?;
    let interrupt = progress::interrupt()?;
    let mut sink = TextSink::new(args.out.as_deref(), args.force)?;
    let counter = (!sink.is_terminal()).then(|| Counter::start("puzzles", Some(series.len() as u64)));
    for number in 0..series.len() {
        let puzzle = series.make(number, &interrupt);
        if interrupt.is_raised() {
            return Ok(Exit::Signal(interrupt.signal()));
        }
        sink.write(&(formats::canonical(&puzzle) + "\n"))?;
        counter.iter().for_each(Counter::advance);
    }
    drop(counter);
    sink.finish()?;
    Ok(Exit::Done)
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
