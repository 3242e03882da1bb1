//! `kenga sweep run`: all runs of a plan, or those of a shard, whose index a job array may give.

use std::env;
use std::path::PathBuf;

use super::read_plan;
use crate::cli::experiment::{ExecutionArgs, execute};
use crate::cli::io::exit::CommandResult;
use kenga_core::text::printable;
use kenga_lab::experiment::{Shard, ShardError};
use kenga_lab::results::{Folder, FolderKind, ResultsError, shard_folder};

/// Run a plan, or a shard of it
///
/// Each shard has a folder of its own in DIR, such as DIR/shard-0-of-3, locked while it runs. With --resume a shard begins
/// or continues, so that the same command can be repeated after any interruption.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep run plan.json -o results/all
  kenga sweep run plan.json --shard 2/3 -o results/shards --resume

In a job array with indices 0 to 6:
  kenga sweep run plan.json --shard auto/7 -o results/shards --resume")]
pub(in crate::cli) struct Args {
    /// A file that `kenga sweep plan` has written; `-` is standard input
    plan: String,
    /// Execute every N-th run, from the K-th (K counts from 0); `auto` takes K from the job array of Slurm, AWS Batch,
    /// Kubernetes or PBS
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// The results folder; for shards the folder that they share
    #[arg(short, long, value_name = "DIR", alias = "output")]
    out: PathBuf,
    /// Continue the folder if it exists
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    execution: ExecutionArgs,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let plan = read_plan(&args.plan)?;
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let path = args.shard.map_or_else(|| args.out.clone(), |shard| shard_folder(&args.out, shard));
    execute(&plan, shard, &args.execution, Some(&args.plan), || {
        if FolderKind::of(&path) == FolderKind::Tuning {
            return Err(ResultsError::Tuning { path: path.clone() }.into());
        }
        if args.resume && path.exists() {
            return Ok(Folder::resume(&path, &plan, shard)?);
        }
        Ok(Folder::begin(&path, &plan, shard)?)
    })
}

/// The variables in which engines tell the index of a task: Slurm, AWS Batch, Kubernetes, PBS.
const INDEX: [&str; 4] =
    ["SLURM_ARRAY_TASK_ID", "AWS_BATCH_JOB_ARRAY_INDEX", "JOB_COMPLETION_INDEX", "PBS_ARRAY_INDEX"];

/// Reads `K/N` or `auto/N`. How many shards there are is never taken from an engine: an array that is submitted again
/// for one task says that there is one.
fn parse_shard(text: &str) -> Result<Shard, String> {
    match text.strip_prefix("auto/") {
        Some(of) => automatic(of, &|name| env::var(name).ok()),
        None if text == "auto" => {
            Err("write auto/N with the number of shards: the scheduler may not know it".to_owned())
        }
        None => text.parse().map_err(|error: ShardError| error.to_string()),
    }
}

fn automatic(of: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Shard, String> {
    let found: Vec<(&str, String)> =
        INDEX.iter().filter_map(|name| variable(name).map(|value| (*name, value))).collect();
    match &found[..] {
        [(name, index)] => format!("{index}/{of}")
            .parse()
            .map_err(|problem: ShardError| format!("{name} is {}: {problem}", printable(index))),
        [] => Err(format!("no index of a job array is set: {}", INDEX.join(", "))),
        several => {
            let names: Vec<&str> = several.iter().map(|(name, _)| *name).collect();
            Err(format!("several indices are set: {}; give K/N", names.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_that_of_the_engine_and_must_be_one_of_the_shards() {
        let with = |set: &'static [(&'static str, &'static str)], of| {
            automatic(of, &|name| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(with(&[("SLURM_ARRAY_TASK_ID", "2")], "7"), Ok(Shard { index: 2, of: 7 }));
        assert_eq!(with(&[("PBS_ARRAY_INDEX", "0")], "1"), Ok(Shard { index: 0, of: 1 }));
        assert!(
            with(&[("JOB_COMPLETION_INDEX", "7")], "7").is_err_and(|said| said.starts_with("JOB_COMPLETION"))
        );
        assert!(with(&[], "7").is_err_and(|said| said.starts_with("no index")));
        let two = &[("SLURM_ARRAY_TASK_ID", "2"), ("PBS_ARRAY_INDEX", "2")];
        assert!(with(two, "7").is_err_and(|said| said.starts_with("several")));
    }
}
