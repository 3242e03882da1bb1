//! `kenga landscape --exhaustive`: an algorithm followed exactly, and held against runs of its own.

mod network;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use miette::{Report, miette};
use serde_json::{Map, Value, json};

use crate::cli::experiment::Overrides;
use crate::cli::io::exit::{CommandResult, Exit};
use crate::cli::io::input::{one_of, whole};
use crate::cli::io::output::{Destination, Output};
use crate::cli::io::progress::{self, ProgressDisplay, passed};
use crate::cli::io::terminal;
use kenga_core::budget::{Clock, Interrupt};
use kenga_core::fitness::Fitness;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::StreamKey;
use kenga_core::search::algorithms::recipe;
use kenga_lab::experiment::{Setting, on_cores};
use kenga_lab::landscape::exhaustive::{
    Agreement, CallUnit, Curve, Exact, Expected, Measured, Point, Progress, Ways,
};
use kenga_report::{Cell, Column, Table, TableFormat, counted, several};

/// The options of samples, which nothing exact has.
const SAMPLING: [&str; 12] = [
    "encodings",
    "fitness",
    "measures",
    "samples",
    "walks",
    "length",
    "limit",
    "solutions",
    "nodes",
    "seed",
    "out",
    "runs",
];

/// What is enumerated.
#[derive(clap::Args)]
#[command(next_help_heading = "Exhaustive")]
pub(super) struct ExhaustiveArgs {
    /// Enumerate every genome and compute exactly how the configured algorithm performs: the probability that the puzzle is
    /// solved by each number of calls, and the expected running time
    #[arg(long, conflicts_with_all = SAMPLING)]
    pub(super) exhaustive: bool,
    /// Compute the probabilities up to N calls
    #[arg(long, value_name = "N", default_value = "10000", value_parser = whole(1..=100_000_000_u64), requires = "exhaustive")]
    calls: u64,
    /// Count moves alone, as a budget of moves does
    #[arg(long, requires = "exhaustive")]
    by_moves: bool,
    /// Make N runs and compare them with the exact numbers
    #[arg(long, value_name = "N", value_parser = whole(1..=100_000_000_u64), requires = "exhaustive")]
    against: Option<u64>,
    /// Set a key of the configuration, such as `algorithm.from=0.4`; repeatable
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "exhaustive")]
    set: Vec<String>,
    /// Write the network of local optima of a single puzzle: GraphML, or a drawing if FILE ends in .svg; repeatable
    #[arg(long, value_name = "FILE", requires = "exhaustive")]
    network: Vec<PathBuf>,
    /// What leads from one optimum to another
    #[arg(long, value_name = "WAYS", default_value = "escape2", value_parser = one_of(WAYS, |way| way.0), requires = "exhaustive")]
    ways: &'static ([&'static str; 2], Ways),
    /// Draw at most so many optima, those of the largest basins
    #[arg(long, value_name = "N", default_value = "300", value_parser = whole(1..=2000_usize), requires = "exhaustive")]
    most: usize,
}

static WAYS: &[([&str; 2], Ways)] = &[
    (["basin", "a random move from its basin"], Ways::Basin),
    (["escape1", "a random move from it, and a descent"], Ways::Escape(1)),
    (["escape2", "two random moves from it, and a descent"], Ways::Escape(2)),
];

/// What was found of one setting on one puzzle.
struct Found {
    puzzle: String,
    setting: String,
    exact: Exact,
    expected: Expected,
    curve: Curve,
    unit: CallUnit,
    points: Vec<usize>,
    agreement: Option<Agreement>,
}

/// Follows every setting of a configuration on each of its puzzles.
pub(super) fn run(
    args: &ExhaustiveArgs,
    files: &[String],
    (jobs, force): (usize, bool),
    format: TableFormat,
) -> CommandResult {
    let [config] = files else {
        let help = "name one, such as docs/configs/exhaustive-4x4.toml";
        return Err(miette!(help = help, "--exhaustive needs exactly one configuration"));
    };
    let (plan, exit) = Overrides::setting(&args.set).plan(config)?;
    if !args.network.is_empty() && plan.runs() != plan.config.replicates {
        let help = "leave only one puzzle and one setting";
        return Err(miette!(help = help, "--network writes one network"));
    }
    let files = args.network.iter().map(|path| Ok((path, Destination::new(Some(path), force)?)));
    let mut files: Vec<(&PathBuf, Destination)> = files.collect::<Result<_, Report>>()?;
    let interrupt = progress::interrupt()?;
    let mut output = Output::lock();
    let mut table = table();
    let mut agrees = true;
    for puzzle in &plan.puzzles {
        for setting in &plan.settings.all {
            let name = name(&plan.settings.keys, setting);
            let Some(found) = on_cores(jobs, || follow(args, puzzle, (name, setting), &interrupt))? else {
                return Ok(Exit::Signal(interrupt.signal()));
            };
            agrees &= found.agreement.as_ref().is_none_or(Agreement::agrees);
            if !files.is_empty() {
                let Some(made) = on_cores(jobs, || network::find(args, &found, &interrupt))? else {
                    return Ok(Exit::Signal(interrupt.signal()));
                };
                network::write(args, &found.puzzle, &made, std::mem::take(&mut files))?;
            }
            match format {
                TableFormat::Text => output.write(&found.text())?,
                TableFormat::Json => output.write(&format!("{}\n", found.json()))?,
                _ => found.rows(&mut table),
            }
        }
    }
    if !matches!(format, TableFormat::Text | TableFormat::Json) {
        output.write(&table.render(format, &terminal::view()))?;
    }
    output.flush()?;
    Ok(if agrees { exit } else { Exit::No.and(exit) })
}

/// The swept keys of a setting with their values.
fn name(keys: &[String], setting: &Setting) -> String {
    let pairs = keys.iter().zip(&setting.labels).filter(|(_, label)| !label.is_empty());
    pairs.map(|(key, label)| format!("{key}={label}")).collect::<Vec<_>>().join(" ")
}

/// Shows how far the work is.
fn display(what: &str, steps: &Arc<AtomicU64>) -> ProgressDisplay {
    let (steps, what, watch) = (Arc::clone(steps), what.to_owned(), Clock::start());
    ProgressDisplay::show(move || {
        let done = counted(steps.load(Ordering::Relaxed));
        vec![format!("{what}: {done} steps, {}", passed(watch.wall_s()))]
    })
}

fn follow(
    args: &ExhaustiveArgs,
    puzzle: &Puzzle,
    (name, setting): (String, &Setting),
    interrupt: &Interrupt,
) -> Result<Option<Found>, Report> {
    let help = "see docs/exhaustive.md for the algorithms and spaces that can be followed exactly";
    let refused = |error: &dyn std::fmt::Display| miette!(help = help, "{}: {error}", puzzle.id);
    let config = &setting.config;
    let (fitness, _): (Fitness, bool) =
        config.fitness(&Problem::compile(puzzle)).map_err(|error| refused(&error))?;
    let (fitness, spec) = (Arc::new(fitness), config.algorithm.spec());
    let steps = Arc::new(AtomicU64::new(0));
    let _display = display(&format!("{}: following {}", puzzle.id, spec.name), &steps);
    let progress = Progress::new(interrupt, &steps);
    let unit = if args.by_moves { CallUnit::Moves } else { CallUnit::Calls };
    let most = args.calls as usize;
    let recipe = recipe(&spec).map_err(|error| refused(&error))?;
    let exact = Exact::new(&fitness, (&spec, &*recipe), &progress).map_err(|error| refused(&error))?;
    let Some(exact) = exact else { return Ok(None) };
    let Some(curve) = exact.curve(unit, most, &progress).map_err(|error| refused(&error))? else {
        return Ok(None);
    };
    let Some(expected) = exact.expected(&progress).map_err(|error| refused(&error))? else { return Ok(None) };
    let points = points(most);
    let agreement = match args.against {
        None => None,
        Some(runs) => {
            let text = puzzle.canonical_text();
            let key = |replicate| StreamKey::run(config.seed, &text, replicate);
            let measured = Measured::make(&exact, &*recipe, &fitness, key, (runs, most, unit), &progress);
            let Some(measured) = measured.map_err(|error| refused(&error))? else { return Ok(None) };
            Some(measured.against(&curve, &points))
        }
    };
    Ok(Some(Found {
        puzzle: puzzle.id.clone(),
        setting: name,
        exact,
        expected,
        curve,
        unit,
        points,
        agreement,
    }))
}

/// 1, 2, 5, 10, 20, … and the last.
fn points(most: usize) -> Vec<usize> {
    let decades =
        (0..).map(|power| 10_usize.pow(power)).flat_map(|unit| [1, 2, 5].map(|factor| factor * unit));
    decades.take_while(|calls| *calls < most).chain([most]).collect()
}

/// A table for programs: a row for each number of calls.
fn table() -> Table {
    Table::new([
        Column::words("puzzle", "puzzle"),
        Column::words("setting", "setting"),
        Column::numbers("calls", &["calls"]),
        Column::numbers("probability", &["probability"]),
        Column::numbers("solved", &["solved", "runs"]),
        Column::numbers("from", &["low"]),
        Column::numbers("to", &["high"]),
    ])
}

impl Found {
    fn unit(&self) -> &'static str {
        if self.unit == CallUnit::Moves { "moves" } else { "calls" }
    }

    fn text(&self) -> String {
        let surface = self.exact.surface();
        let numbering = surface.numbering();
        let mut text = format!("{}: {}\n", self.puzzle, self.exact.law().words());
        if !self.setting.is_empty() {
            text += &format!("  {}\n", self.setting);
        }
        text += &format!(
            "  {}, {}; violation {} to {}\n",
            several(numbering.genomes() as u64, "genome"),
            several(surface.solutions().len() as u64, "solution"),
            surface.levels()[0],
            surface.levels()[surface.levels().len() - 1],
        );
        text += &format!("  {}\n\n", expectation(&self.expected));
        text += &self.points_text();
        text += "\n";
        for note in self.notes() {
            text += &format!("  {note}\n");
        }
        text + "\n"
    }

    fn points_text(&self) -> String {
        let mut text = format!("  {:>12}  {:>12}", self.unit(), "probability");
        if self.agreement.is_some() {
            text += "    measured   99.9 % interval";
        }
        text += "\n";
        for (index, calls) in self.points.iter().enumerate() {
            text += &format!("  {:>12}  {:>12.8}", counted(*calls as u64), self.curve.at(*calls));
            if let Some(agreement) = &self.agreement {
                let point = agreement.points[index];
                let share = point.solved as f64 / agreement.runs as f64;
                let (low, high) = (point.interval.low, point.interval.high);
                let mark = if point.agrees() { "" } else { "  outside" };
                text += &format!("    {share:.5}    {low:.5} to {high:.5}{mark}");
            }
            text += "\n";
        }
        text
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(calls) = self.curve.geometric_from {
            let calls = counted(calls as u64);
            notes.push(format!(
                "From {calls} {} on, the remaining probability falls by a constant factor.",
                self.unit()
            ));
        }
        if let Some(agreement) = &self.agreement {
            let runs = several(agreement.runs as u64, "run");
            notes.push(format!(
                "{runs}: the distributions differ by at most {:.5} (Kolmogorov-Smirnov p {:.3}).",
                agreement.distance, agreement.p
            ));
            if !agreement.distributions_agree() {
                notes
                    .push("They disagree: a difference this large has a probability below 0.001.".to_owned());
            }
        }
        notes
    }

    fn json(&self) -> Value {
        let surface = self.exact.surface();
        let mut object = Map::new();
        object.insert("id".to_owned(), json!(self.puzzle));
        if !self.setting.is_empty() {
            object.insert("setting".to_owned(), json!(self.setting));
        }
        let levels: Vec<Value> =
            surface.levels().iter().zip(surface.density()).map(|pair| json!(pair)).collect();
        let Expected { success, calls, moves, evaluations, residual } = self.expected;
        let rest = json!({
            "law": self.exact.law().words(),
            "genomes": surface.numbering().genomes(),
            "solutions": surface.solutions().len(),
            "violations": levels,
            "success": success,
            "expected_calls": finite(calls),
            "expected_moves": finite(moves),
            "expected_evaluations": finite(evaluations),
            "residual": residual,
            "unit": self.unit(),
            "geometric_from": self.curve.geometric_from,
            "rounding": self.curve.lost,
            "points": self.points.iter().map(|calls| json!([calls, self.curve.at(*calls)])).collect::<Vec<_>>(),
        });
        object.extend(rest.as_object().cloned().unwrap_or_default());
        if let Some(agreement) = &self.agreement {
            let point = |point: &Point| {
                json!({"calls": point.calls, "exact": point.exact, "solved": point.solved,
                       "low": point.interval.low, "high": point.interval.high, "agrees": point.agrees()})
            };
            object.insert(
                "against".to_owned(),
                json!({"runs": agreement.runs, "distance": agreement.distance, "p": agreement.p,
                       "agrees": agreement.agrees(),
                       "points": agreement.points.iter().map(point).collect::<Vec<_>>()}),
            );
        }
        Value::Object(object)
    }

    fn rows(&self, table: &mut Table) {
        let number = |number: f64| Cell::new(format!("{number:.8}"), [json!(number)]);
        for (index, calls) in self.points.iter().enumerate() {
            let mut row = vec![
                Cell::words(&self.puzzle),
                Cell::words(&self.setting),
                Cell::count(*calls as u64),
                number(self.curve.at(*calls)),
            ];
            row.extend(match &self.agreement {
                None => [
                    Cell::new("", [Value::Null, Value::Null]),
                    Cell::new("", [Value::Null]),
                    Cell::new("", [Value::Null]),
                ],
                Some(agreement) => {
                    let point = agreement.points[index];
                    let solved = format!("{} of {}", point.solved, agreement.runs);
                    [
                        Cell::new(solved, [json!(point.solved), json!(agreement.runs)]),
                        number(point.interval.low),
                        number(point.interval.high),
                    ]
                }
            });
            table.push(row);
        }
    }
}

/// A number of JSON, which has no infinity.
fn finite(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { Value::Null }
}

/// What a run comes to, in words.
fn expectation(expected: &Expected) -> String {
    let Expected { success, calls, moves, evaluations, .. } = *expected;
    let never = success == 0.0;
    let share = if success > 1.0 - 1e-9 { "1".to_owned() } else { format!("{success:.8}") };
    match (never, calls.is_finite()) {
        (true, _) => "a run never solves it".to_owned(),
        (_, false) => format!("a run solves it with probability {share}, and otherwise never ends"),
        _ => format!(
            "a run ever solves it with probability {share}, and ends after {calls:.2} calls on average: {moves:.2} moves and \
             {evaluations:.2} evaluations"
        ),
    }
}
