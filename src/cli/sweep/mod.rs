//! `kenga sweep`: an experiment planned first, then run at once, in shards, or on a cluster; and shards merged.
//!
//! **Invariant**: merged shards have the bytes of one run of everything, and each command can be repeated after any failure.

mod auto_shard;
mod engines;
mod forecast;
mod plan;
mod requests;
mod run;
mod shard_status;
mod status;
mod submission;
mod submit;
mod work;

use std::path::PathBuf;

use clap::Subcommand;
use miette::{Report, miette};
use serde::de::IgnoredAny;

use super::experiment::{round_words, unrunnable};
use super::io::exit::CommandResult;
use super::io::input;
use super::io::output::print;
use super::io::progress::Counter;
use super::io::signals::end_at_signal;
pub(super) use auto_shard::parse_shard;
use kenga_core::budget::Interrupt;
use kenga_lab::experiment::{Plan, Runner, Shard, cores};
use kenga_lab::results::{self, RaceProgress, ResultsError, RunTally, read_plan_text};
use kenga_report::{failures, several};

/// Plan a sweep of settings, run it in shards, and merge them
///
/// A plan fixes every setting, puzzle and run. `run` executes all of it or a shard. Shards can run anywhere and in any
/// order; merged, they have the same bytes as one run of everything. A race is made round by round, all shards of a round
/// before the next. `kenga run` runs a sweep without a plan.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep plan sweep.toml -o plan.json
  kenga sweep run plan.json -o results/all                      all of it
  kenga sweep run plan.json --shard 0/3 -o results/shards       a third of it
  kenga sweep status results/shards                             what is missing
  kenga sweep merge plan.json results/shards -o results/whole   all three")]
pub(super) struct Args {
    #[command(subcommand)]
    command: SweepCommand,
}

#[derive(Subcommand)]
enum SweepCommand {
    Plan(plan::Args),
    Run(run::Args),
    Status(status::Args),
    Merge(MergeArgs),
    Submit(submit::Args),
}

pub(super) fn run(args: &Args) -> CommandResult {
    match &args.command {
        SweepCommand::Plan(args) => plan::run(args),
        SweepCommand::Run(args) => run::run(args),
        SweepCommand::Status(args) => status::run(args),
        SweepCommand::Merge(args) => merge(args),
        SweepCommand::Submit(args) => submit::run(args),
    }
}

/// What a plan is.
const PLAN: &str = "name a file that `kenga sweep plan -o FILE` has written";

/// Reads the plan in a file, or from standard input for `-`.
fn read_plan(file: &str) -> Result<Plan, Report> {
    let (name, text) = input::read_text(file, PLAN)?;
    plan_of(&name, &text)
}

/// The plan in a text, which `name` names in messages.
fn plan_of(name: &str, text: &str) -> Result<Plan, Report> {
    read_plan_text(name, text).map_err(|error| match (error, serde_json::from_str::<IgnoredAny>(text)) {
        (ResultsError::NoPlan { .. }, Err(reason)) => miette!(help = PLAN, "{name} is not a plan: {reason}"),
        (error, _) => error.into(),
    })
}

/// Merge the shards of a plan into one results folder
///
/// The result has the bytes that one run of everything would have written. Shards that are missing, named twice,
/// unfinished, changed, or of another plan are refused. Of a race that is not over, the blocks that are whole are merged;
/// merged again, more of them take their place.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep merge plan.json results/shards -o results/all
  kenga sweep merge plan.json here/shard-0-of-2 there/shard-1-of-2 -o all")]
struct MergeArgs {
    /// A file that `kenga sweep plan` has written; `-` is standard input
    plan: String,
    /// Folders of shards, or folders that hold them
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// The results folder to write
    #[arg(short, long, value_name = "DIR", alias = "output")]
    out: PathBuf,
}

fn merge(args: &MergeArgs) -> CommandResult {
    end_at_signal()?;
    let plan = read_plan(&args.plan)?;
    let merged = {
        let _progress = Counter::start("merging", None);
        let runner =
            Runner::prepare(&plan, cores(), &Interrupt::default()).map_err(|error| unrunnable(&error))?;
        results::merge(&runner, &args.dirs, &args.out)?
    };
    let mut text = format!("{} merged\n", several(merged.runs, "run"));
    if let Some(RaceProgress { race, .. }) = &merged.race {
        text += &format!("Race: {}\n", round_words(&plan, race));
    }
    if let Some(words) = failures(RunTally::of(&args.out, &plan, Shard::WHOLE)?.failed) {
        text += &format!("{words} failures.csv says why.\n");
    }
    print(&format!("{text}Results in {}\n", args.out.display()))
}
