//! `kenga features`: what puzzles are like, in numbers.

use std::path::PathBuf;

use miette::miette;
use serde_json::{Map, Value};

use super::experiment::Jobs;
use super::io::exit::{CommandResult, Exit, print_error};
use super::io::input::{one_of, seconds, whole};
use super::io::output::Destination;
use super::io::progress::Counter;
use super::io::puzzles::{Colors, PuzzleArgs};
use super::io::signals::{self, within};
use super::io::terminal;
use super::landscape::{encoding_names, fitness_kinds};
use kenga_core::text;
use kenga_lab::experiment::ExactLimits;
use kenga_lab::features::{FAMILIES, FeatureColumn, FeatureFamily, FeatureKind, FeatureOrder, FeatureValue};
use kenga_lab::landscape::measures::Effort;
use kenga_lab::landscape::{FitnessKind, LandscapeSpec};
use kenga_report::{Cell, Column, Table, TableFormat, decimal};

/// Describe puzzles in numbers, a row each
///
/// Size, cages, operators, tuples, search spaces, how lines and cages cross, what the exact solver finds, and how hard the
/// puzzle is for a person; with --landscape also what its landscapes look like to a local search, which takes much longer.
/// A field is empty where a feature does not apply or was not found within --nodes and --solutions. `kenga guide features` says
/// what every column is; `kenga study hardness` says which of them predict running time.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    puzzles: PuzzleArgs,
    /// Only this family of columns: shape, cages, operators, tuples, space, graph, exact, grade; repeatable
    #[arg(long = "family", value_name = "NAME", value_parser = families(), hide_possible_values = true)]
    families: Vec<&'static FeatureFamily>,
    /// Also what landscapes look like
    #[arg(long)]
    landscape: bool,
    /// Only landscapes of this encoding; repeatable
    #[arg(long = "encoding", value_name = "NAME", value_parser = encoding_names(), hide_possible_values = true)]
    #[arg(requires = "landscape")]
    encodings: Vec<&'static str>,
    /// Landscapes of this fitness: binary, gap, weights; repeatable [default: binary]
    #[arg(long = "fitness", value_name = "NAME", value_parser = fitness_kinds(), hide_possible_values = true)]
    #[arg(requires = "landscape")]
    fitness: Vec<FitnessKind>,
    /// Random genomes of a landscape
    #[arg(long, value_name = "N", default_value = "1000", value_parser = whole(1..=1_000_000_usize))]
    samples: usize,
    /// Random walks, adaptive walks and descents, as many of each
    #[arg(long, value_name = "N", default_value = "200", value_parser = whole(1..=10_000_usize))]
    walks: usize,
    /// Decisions of the exact solver for each puzzle; 0 leaves out what it finds
    #[arg(long, value_name = "N", default_value = "1e6", value_parser = whole(0..=i64::MAX as u64))]
    nodes: u64,
    /// Solutions that are looked for, at most
    #[arg(long, value_name = "N", default_value = "1000", value_parser = whole(1..=1_000_000_u64))]
    solutions: u64,
    /// The seed that the samples of landscapes derive from
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole(0..=i64::MAX as u64))]
    seed: u64,
    /// Write to this file, as comma-separated values unless --json is given
    #[arg(short, long, value_name = "FILE", alias = "output")]
    out: Option<PathBuf>,
    /// Overwrite FILE
    #[arg(long)]
    force: bool,
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object per puzzle
    #[arg(long)]
    json: bool,
    /// Give up on a puzzle after S seconds of wall time, and leave out its row
    #[arg(long, value_name = "S", value_parser = seconds)]
    time_limit: Option<f64>,
    #[command(flatten)]
    colors: Colors,
    #[command(flatten)]
    jobs: Jobs,
}

const EXAMPLES: &str = "\
Examples:
  kenga features puzzle.txt                           what is known of one
  kenga features book.jsonl -o features.csv
  kenga features book.jsonl --family exact --json | jq .nodes
  kenga features book.jsonl --landscape --encoding rows -o features.csv
  kenga study hardness --features features.csv results/ga results/tabu

Exit code: 0 done; 2 bad input, with the rows of the other puzzles; 3 the time
limit was over for one, likewise; 130 after Ctrl-C, with the rows that were
finished.";

fn families() -> impl clap::builder::TypedValueParser<Value = &'static FeatureFamily> {
    one_of(FAMILIES.iter().copied().filter(|family| !family.is_slow), |family| [family.name, family.about])
}

impl Args {
    /// What is asked for.
    fn order(&self) -> FeatureOrder {
        let mut families = Vec::new();
        for family in FAMILIES.iter().copied() {
            let is_named =
                self.families.is_empty() || self.families.iter().any(|one| one.name == family.name);
            let is_wanted = if family.is_slow { self.landscape } else { is_named };
            if is_wanted {
                families.push(family);
            }
        }
        let kinds = if self.fitness.is_empty() { vec![FitnessKind::Binary] } else { self.fitness.clone() };
        let mut landscapes = LandscapeSpec::all(&kinds);
        if !self.encodings.is_empty() {
            landscapes.retain(|spec| self.encodings.contains(&&*spec.encoding));
        }
        FeatureOrder {
            families,
            limits: ExactLimits { nodes: self.nodes, solutions: self.solutions },
            landscapes,
            effort: Effort { samples: self.samples, walks: self.walks, ..Effort::default() },
            seed: self.seed,
        }
    }

    fn form(&self) -> RowForm {
        match (self.json, self.csv || self.out.is_some()) {
            (true, _) => RowForm::Json,
            (false, true) => RowForm::Csv,
            (false, false) => RowForm::Text,
        }
    }
}

pub(super) fn run(args: &Args) -> CommandResult {
    let order = args.order();
    let mut input = args.puzzles.read(args.colors);
    let interrupt = signals::interrupt()?;
    let mut destination = Destination::new(args.out.as_deref(), args.force)?;
    let counter = Counter::unless(destination.is_terminal() && args.form() != RowForm::Text, "puzzles");
    let mut rows = FeatureRows::new(args.form(), order.columns());
    let mut exit = Exit::Done;
    args.jobs.in_order(
        input.by_ref(),
        &interrupt,
        |puzzle| {
            let values = within(args.time_limit, &interrupt, |limited| order.values(&puzzle, limited));
            values.ok_or(puzzle.id)
        },
        |values| {
            let values = match values {
                Ok(values) => values,
                // What an interrupt has cut short says nothing.
                Err(_) if interrupt.is_raised() => return Ok(()),
                Err(id) => {
                    print_error(&miette!("puzzle `{id}`: the time limit is over"));
                    exit = Exit::Undecided;
                    return Ok(());
                }
            };
            counter.advance();
            destination.write(rows.row(values))
        },
    )?;
    drop(counter);
    destination.write(rows.end())?;
    if interrupt.is_raised() {
        // A file of some of the rows would look like one of all.
        destination.flush()?;
        return Ok(Exit::Signal(interrupt.signal()));
    }
    destination.finish()?;
    Ok(exit.and(input.finish()?))
}

/// Columns with these beginnings come in families, a share for each size, operator or technique; most are 0.
const OF_MANY: [&str; 3] = ["cage_size_", "operator_", "step_"];

/// How rows are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowForm {
    /// A table when all is done.
    Text,
    Csv,
    /// An object a line.
    Json,
}

/// Rows as text, one by one but for those of a table.
struct FeatureRows {
    form: RowForm,
    columns: Vec<FeatureColumn>,
    /// The line of names, before the first row; without rows nothing is written.
    head: String,
    waiting: Vec<Vec<FeatureValue>>,
}

impl FeatureRows {
    fn new(form: RowForm, columns: Vec<FeatureColumn>) -> Self {
        let head = record(columns.iter().map(|column| &*column.name));
        Self { form, columns, head, waiting: Vec::new() }
    }

    fn row(&mut self, values: Vec<FeatureValue>) -> String {
        match self.form {
            RowForm::Text => {
                // One puzzle has a table of its own, several share one: only the end tells.
                self.waiting.push(values);
                String::new()
            }
            RowForm::Csv => {
                // The header stands before the first row alone.
                std::mem::take(&mut self.head) + &record(values.iter().map(FeatureValue::to_string))
            }
            RowForm::Json => {
                let names = self.columns.iter().map(|column| column.name.clone());
                let object: Map<String, Value> = names.zip(values.iter().map(Value::from)).collect();
                format!("{}\n", Value::Object(object))
            }
        }
    }

    fn end(&self) -> String {
        match &*self.waiting {
            [] => String::new(),
            [one] => self.of_one(one).render(TableFormat::Text, &terminal::view()),
            all => self.of_many(all).render(TableFormat::Text, &terminal::view()),
        }
    }

    /// A line for each known value, without the sizes, operators and techniques whose share is 0.
    fn of_one(&self, values: &[FeatureValue]) -> Table {
        let mut table = Table::new([
            Column::words("feature", "feature"),
            Column::numbers("value", &["value"]),
            Column::words("what it is", "about").priority(1),
        ]);
        for (column, value) in self.columns.iter().zip(values) {
            // There is a column for every size, operator and technique: most are 0 for any one puzzle.
            let is_absent = *value == FeatureValue::Number(0.0)
                && OF_MANY.iter().any(|start| column.name.starts_with(start));
            if *value != FeatureValue::Unknown && !is_absent {
                table.push([Cell::words(&*column.name), cell(value), Cell::words(&*column.about)]);
            }
        }
        table.note(
            "Left out are unknown values, and sizes of cages, operators and techniques that the puzzle does not have; --csv and --json have \
             every column.",
        );
        table.whole()
    }

    /// The columns that tell most.
    fn of_many(&self, all: &[Vec<FeatureValue>]) -> Table {
        let (mut shown, mut headings) = (Vec::new(), Vec::new());
        for (index, FeatureColumn { name, kind, is_shown, .. }) in self.columns.iter().enumerate() {
            if !is_shown {
                continue;
            }
            shown.push(index);
            headings.push(match kind {
                FeatureKind::Word => Column::words(name, name),
                _ => Column::numbers(name.replace('_', " "), &[name]),
            });
        }
        let mut table = Table::new(headings);
        for values in all {
            table.push(shown.iter().map(|index| cell(&values[*index])));
        }
        table.note(format!("These are {} of {} columns; --csv has all.", shown.len(), self.columns.len()));
        table.whole()
    }
}

/// A value with as many digits as tell something.
fn cell(value: &FeatureValue) -> Cell {
    let text = match value {
        FeatureValue::Number(number) if number.abs() < 1000.0 => decimal(*number, 3),
        FeatureValue::Number(number) => decimal(*number, 0),
        other => other.to_string(),
    };
    Cell::new(text, [Value::from(value)])
}

/// The fields of a row with quotes where they are needed, and the end of the line.
fn record(fields: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for field in fields {
        writer.write_field(&*text::cell(field.as_ref())).expect("memory takes every field");
    }
    writer.write_record(None::<&[u8]>).expect("memory takes every record");
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("fields are text")
}
