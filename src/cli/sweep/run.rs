//! `kenga sweep run`: all runs of a plan, or those of a shard.

use std::path::PathBuf;

use super::{array, read_plan};
use crate::cli::exit::CommandResult;
use crate::cli::experiment::{Making, make};
use crate::experiment::Shard;
use crate::results::{Folder, shard_folder};

/// Make the runs of a plan, or a shard of them
///
/// A shard writes to its own folder in DIR, such as DIR/shard-0-of-3, so that all may share DIR, and is locked while it
/// is made. With --resume it begins or continues, so that the same command can be given again after any end.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep run plan.json -o results/all
  kenga sweep run plan.json --shard 2/3 -o results/shards --resume

In a job array with indices 0 to 6:
  kenga sweep run plan.json --shard auto/7 -o results/shards --resume")]
pub(in crate::cli) struct Args {
    /// A file that `kenga sweep plan` has written; `-` is standard input
    plan: String,
    /// Make every N-th run, from the K-th: one of N shares, K from 0; `auto` takes K from the job array of Slurm, AWS
    /// Batch, Kubernetes or PBS
    #[arg(long, value_name = "K/N", value_parser = array::parse_shard)]
    shard: Option<Shard>,
    /// The results folder; of shards the one that they share
    #[arg(short, long, value_name = "DIR", alias = "output")]
    out: PathBuf,
    /// Continue what is there
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    making: Making,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let plan = read_plan(&args.plan)?;
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let path = args.shard.map_or_else(|| args.out.clone(), |shard| shard_folder(&args.out, shard));
    make(&plan, shard, &args.making, || {
        Ok(match args.resume && path.exists() {
            true => Folder::resume(&path, &plan, shard)?,
            false => Folder::begin(&path, &plan, shard)?,
        })
    })
}
