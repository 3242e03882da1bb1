//! `kenga sweep`: an experiment planned first, then made at once, in shards, or on a cluster.

mod forecast;
mod merge;
mod plan;
mod run;
mod submit;

use clap::Subcommand;
use miette::{Diagnostic, Report};
use serde::de::IgnoredAny;
use thiserror::Error;

use super::io::exit::CommandResult;
use super::io::input;
use crate::experiment::Plan;
use crate::results::{ResultsError, read_plan_text};

/// Plan a sweep of settings, make it in shards, and merge them
///
/// A plan fixes every setting, puzzle and run. `run` makes all of it or a shard; shards can be made anywhere, in any
/// order, by as many programs, and merge to the bytes of one. `kenga run` makes a sweep at once, without a plan.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep plan --config configs/sweep-smoke.toml -o plan.json
  kenga sweep run plan.json -o results/smoke                    all of it
  kenga sweep run plan.json --shard 0/3 -o results/shards       a third of it
  kenga sweep merge plan.json results/shards -o results/smoke   all three")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Plan(plan::Args),
    Run(run::Args),
    Merge(merge::Args),
    Submit(submit::Args),
}

pub(super) fn run(args: &Args) -> CommandResult {
    match &args.command {
        Command::Plan(args) => plan::run(args),
        Command::Run(args) => run::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Submit(args) => submit::run(args),
    }
}

/// A plan that is not text.
#[derive(Debug, Error, Diagnostic)]
#[error("{name} is not text")]
#[diagnostic(help("name a file that `kenga sweep plan -o FILE` has written"))]
struct NotText {
    name: String,
}

/// A plan that is not JSON.
#[derive(Debug, Error, Diagnostic)]
#[error("{name} is no plan: {reason}")]
#[diagnostic(help("name a file that `kenga sweep plan -o FILE` has written"))]
struct NotJson {
    name: String,
    /// With its line and column.
    reason: serde_json::Error,
}

/// Reads the plan in a file, or from standard input for `-`.
fn read_plan(file: &str) -> Result<Plan, Report> {
    let (name, bytes) = input::read_bytes(file)?;
    let text = String::from_utf8(bytes).map_err(|_| NotText { name: name.clone() })?;
    read_plan_text(&name, &text).map_err(|error| match (error, serde_json::from_str::<IgnoredAny>(&text)) {
        (ResultsError::NoPlan { .. }, Err(reason)) => NotJson { name, reason }.into(),
        (error, _) => error.into(),
    })
}
