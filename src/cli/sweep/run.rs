//! `kenga sweep run`: all runs of a plan, or those of a shard, whose index a job array may give.

use std::path::PathBuf;

use super::auto_shard::parse_shard;
use super::read_plan;
use crate::cli::experiment::{ExecutionArgs, execute};
use crate::cli::io::exit::CommandResult;
use kenga_lab::experiment::Shard;
use kenga_lab::results::{Folder, FolderKind, ResultsError, shard_folder};

/// Run a plan, or a shard of it
///
/// Each shard has a folder of its own in DIR, such as DIR/shard-0-of-3, locked while it runs. With --resume a shard begins
/// or continues, so that the same command can be repeated after any interruption.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep run plan.json -o results/all
  kenga sweep run plan.json --shard 2/3 -o results/shards --resume

In a job array of 7 tasks:
  kenga sweep run plan.json --shard auto/7 -o results/shards --resume
Started together by srun or mpirun:
  srun -n 7 kenga sweep run plan.json --shard auto -o results/shards --resume")]
pub(in crate::cli) struct Args {
    /// A file that `kenga sweep plan` has written; `-` is standard input
    plan: String,
    /// Execute the K-th of N shards (K counts from 0). `auto/N` takes K from the job array or the launcher that started
    /// the task: Slurm, PBS, SGE, LSF, AWS Batch, Kubernetes, GNU parallel, MPI. `auto` takes N too, where a launcher says it
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
