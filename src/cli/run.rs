//! `kenga run`: an experiment from one configuration.

use std::path::PathBuf;

use miette::Report;

use super::exit::CommandResult;
use super::experiment::{Asked, Making, make, resume};
use crate::experiment::{Plan, Shard};
use crate::results::{Folder, free_folder, latest_folder};

/// Run an experiment: settings x puzzles x replicates, in parallel, every claim checked
///
/// Writes a results folder (runs.csv, convergence.csv and more) and prints a summary. A configuration with [sweep] runs
/// every setting on the same starts. Results are the same bytes for any number of jobs. Exits with 0 when every run has
/// ended, solved or not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga run --config configs/ga.toml
  kenga run --config configs/ga.toml --puzzle my.txt --runs 20 --seed 7
  kenga run --config configs/ga.toml --set algorithm.island.mutation.rate=0.05
  kenga run --config configs/ga.toml --out results/long --resume     finish what was cut
  kenga run --config configs/sweep-smoke.toml                        a sweep of settings
  kenga run --config configs/pyevolve-4x4.toml --runs 1 --statistics 100")]
pub(super) struct Args {
    #[command(flatten)]
    asked: Asked,
    /// The results folder; results/NAME, then NAME-2 and so on, when absent
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Continue a folder that was cut, or one that shall have more runs: that of --out, or the last one of this configuration
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    making: Making,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let (plan, exit) = args.asked.plan()?;
    Ok(make(&plan, Shard::WHOLE, &args.making, || folder(args, &plan))?.and(exit))
}

/// The folder to write: a new one, or one to continue.
fn folder(args: &Args, plan: &Plan) -> Result<Folder, Report> {
    let base = args.asked.base();
    Ok(match (&args.out, args.resume) {
        (Some(path), false) => Folder::begin(path, plan, Shard::WHOLE)?,
        (None, false) => Folder::begin(&free_folder(&base)?, plan, Shard::WHOLE)?,
        (Some(path), true) => resume(path, plan, Shard::WHOLE)?,
        (None, true) => resume(&latest_folder(&base).unwrap_or(base), plan, Shard::WHOLE)?,
    })
}
