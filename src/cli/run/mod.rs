//! `kenga run`: an experiment from one configuration.

mod live;
mod setup;
mod statistics;
mod verdict;

use std::path::PathBuf;
use std::thread::available_parallelism;

use super::exit::{CommandResult, Exit};
use super::output::Output;
use super::signals;
use crate::experiment::{Halt, Plan, Runner, perform};
use crate::results::Folder;

use live::Live;

/// Run an experiment: puzzles x replicates, in parallel, every claim checked
///
/// Writes a results folder (runs.csv, convergence.csv and more) and prints a summary. Results are the same bytes for
/// any number of jobs. Exits with 0 when every run has ended, solved or not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga run --config configs/ga.toml
  kenga run --config configs/ga.toml --puzzle my.txt --runs 20 --seed 7
  kenga run --config configs/ga.toml --set algorithm.island.mutation.rate=0.05
  kenga run --config configs/ga.toml --out results/long --resume     finish what was cut
  kenga run --config configs/pyevolve-4x4.toml --runs 1 --statistics 100")]
pub(super) struct Args {
    /// The experiment, a TOML file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    config: String,
    /// Puzzles in place of those of the configuration; may be given again
    #[arg(long = "puzzle", value_name = "FILE")]
    puzzles: Vec<String>,
    /// The seed that all randomness derives from
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Replicates of every puzzle
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    runs: Option<u64>,
    /// Threads; all cores when absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Set a key of the configuration, such as `algorithm.population=40`; may be given again
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The results folder; results/NAME, then NAME-2 and so on, when absent
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Continue a folder that was cut: the one of --out, or the last one of this configuration
    #[arg(long)]
    resume: bool,
    /// Print a line of statistics to standard error every N generations of every run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    statistics: Option<u64>,
    /// Print no progress and no summary
    #[arg(long, conflicts_with = "json")]
    quiet: bool,
    /// Print the summary as one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let config = setup::config(args)?;
    let (puzzles, exit) = setup::puzzles(args, &config)?;
    let plan = Plan::new(config, puzzles);
    let interrupt = signals::interrupt()?;
    let jobs = args.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let runner = Runner::prepare(&plan, jobs, &interrupt).map_err(setup::Unrunnable)?;
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    let mut folder = setup::folder(args, &plan)?;
    folder.write_facts(&plan, &runner)?;
    let done = folder.done().clone();
    let halt = {
        let solved = Folder::runs(folder.path())?.iter().filter(|row| row.solved).count() as u64;
        let live = Live::start(args, &plan, done.len() as u64, solved);
        let mut sink = folder.sink(&plan);
        perform(&runner, jobs, &done, &mut sink, &live, &interrupt)
    };
    let halt = halt.map_err(|error| setup::Cut { path: folder.path().to_owned(), error })?;
    if halt == Halt::Complete {
        folder.finish()?;
    }
    let mut output = Output::lock();
    output.write(&verdict::text(args, &plan, &runner, folder.path(), halt)?)?;
    output.flush()?;
    Ok(match halt {
        Halt::Complete => exit,
        Halt::Interrupted => Exit::Signal(interrupt.signal()),
    })
}
