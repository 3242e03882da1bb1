//! `kenga landscape --exhaustive`: an algorithm followed exactly, and held against runs of its own.

mod found;
mod network;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use miette::{Report, miette};

use self::found::{Found, table};
use crate::cli::experiment::Overrides;
use crate::cli::io::exit::{CommandResult, Exit};
use crate::cli::io::input::{one_of, whole};
use crate::cli::io::output::{Destination, Output};
use crate::cli::io::progress::{ProgressDisplay, passed};
use crate::cli::io::signals;
use crate::cli::io::terminal;
use kenga_core::budget::{Clock, Interrupt};
use kenga_core::fitness::Fitness;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::StreamKey;
use kenga_core::text::joined;
use kenga_lab::experiment::{Setting, on_cores};
use kenga_lab::landscape::exhaustive::{Agreement, CallLimit, CallUnit, EdgeKind, Exact, Measured, Progress};
use kenga_report::{TableFormat, counted};

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
#[group(multiple = true, conflicts_with_all = SAMPLING)]
pub(super) struct ExhaustiveArgs {
    /// Enumerate every genome and compute exactly how the configured algorithm performs: the probability that the puzzle is
    /// solved by each number of calls, and the expected running time
    #[arg(long)]
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
    #[arg(long, value_name = "KIND", default_value = "escape2", value_parser = one_of(EDGE_KINDS, |way| way.0), requires = "exhaustive")]
    ways: &'static ([&'static str; 2], EdgeKind),
    /// Draw at most so many optima, those of the largest basins
    #[arg(long, value_name = "N", default_value = "300", value_parser = whole(1..=2000_usize), requires = "exhaustive")]
    most: usize,
}

/// What an edge of the network can be, with its words.
static EDGE_KINDS: &[([&str; 2], EdgeKind)] = &[
    (["basin", "a random move from its basin"], EdgeKind::Basin),
    (["escape1", "a random move from it, and a descent"], EdgeKind::Escape(1)),
    (["escape2", "two random moves from it, and a descent"], EdgeKind::Escape(2)),
];

/// Follows every setting of a configuration on each of its puzzles, on so many threads. With `force` the files of networks
/// are overwritten.
pub(super) fn run(
    args: &ExhaustiveArgs,
    files: &[String],
    jobs: usize,
    force: bool,
    format: TableFormat,
) -> CommandResult {
    let [config] = files else {
        let help = "`kenga guide landscape` shows one";
        return Err(miette!(help = help, "--exhaustive needs exactly one configuration"));
    };
    let (plan, exit) = Overrides::setting(&args.set).plan(config)?;
    if plan.config.has_own_problem() {
        let help = "without --exhaustive its landscape is measured from samples";
        return Err(miette!(
            help = help,
            "{config} has a [problem]: only algorithms on puzzles are followed exactly"
        ));
    }
    // One puzzle and one setting have a run for each replicate.
    if !args.network.is_empty() && plan.runs() != plan.config.replicates {
        let help = "leave only one puzzle and one setting";
        return Err(miette!(help = help, "--network writes one network"));
    }
    // Before the work begins: what cannot be written is refused now, not after an hour.
    let mut files: Vec<(&PathBuf, Destination)> = Vec::new();
    for path in &args.network {
        files.push((path, Destination::new(Some(path), force)?));
    }
    let interrupt = signals::interrupt()?;
    let mut output = Output::lock();
    let mut table = table();
    let mut agrees = true;
    for puzzle in &plan.puzzles {
        for setting in &plan.settings.all {
            let name = name(&plan.settings.keys, setting);
            let Some(found) = on_cores(jobs, || follow(args, puzzle, name, setting, &interrupt))? else {
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
    let known = keys.iter().zip(&setting.labels).filter(|(_, label)| !label.is_empty());
    joined(known.map(|(key, label)| format!("{key}={label}")), " ")
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
    name: String,
    setting: &Setting,
    interrupt: &Interrupt,
) -> Result<Option<Found>, Report> {
    let help = "`kenga guide landscape` names the algorithms and spaces that can be followed exactly";
    let refused = |error: &dyn std::fmt::Display| miette!(help = help, "{}: {error}", puzzle.id);
    let config = &setting.config;
    let (fitness, _): (Fitness, bool) =
        config.fitness(&Problem::compile(puzzle)).map_err(|error| refused(&error))?;
    let (fitness, spec) = (Arc::new(fitness), config.algorithm());
    let steps = Arc::new(AtomicU64::new(0));
    // The display counts steps, of which nobody knows how many there will be.
    let _display = display(&format!("{}: following {}", puzzle.id, spec.name), &steps);
    let progress = Progress::new(interrupt, &steps);
    let unit = if args.by_moves { CallUnit::Moves } else { CallUnit::Calls };
    let most = args.calls as usize;
    let exact = Exact::new(&fitness, spec, &*config.recipe, &progress).map_err(|error| refused(&error))?;
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
            let limit = CallLimit { most, unit };
            let key = |replicate| StreamKey::run(config.seed, &text, replicate);
            let measured = Measured::make(&exact, &*config.recipe, &fitness, key, runs, limit, &progress);
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
    let (mut points, mut unit) = (Vec::new(), 1);
    while unit < most {
        points.extend([1, 2, 5].map(|factor| factor * unit).into_iter().filter(|calls| *calls < most));
        unit *= 10;
    }
    points.push(most);
    points
}
