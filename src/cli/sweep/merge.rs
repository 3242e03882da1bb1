//! `kenga sweep merge`: shards to the folder of the whole.

use std::path::PathBuf;

use super::read_plan;
use crate::cli::io::exit::CommandResult;
use crate::cli::io::output::print;
use crate::cli::io::progress::Counter;
use crate::report::several;
use crate::results;

/// Merge the shards of a plan to one results folder
///
/// The result has the bytes that one program would have written. Refuses a shard that is missing, there twice, not
/// ended, changed, or of another plan.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep merge plan.json results/shards -o results/all
  kenga sweep merge plan.json here/shard-0-of-2 there/shard-1-of-2 -o all")]
pub(in crate::cli) struct Args {
    /// A file that `kenga sweep plan` has written; `-` is standard input
    plan: String,
    /// Folders of shards, or folders that hold them
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// The results folder to write
    #[arg(short, long, value_name = "DIR", alias = "output")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let plan = read_plan(&args.plan)?;
    {
        let _progress = Counter::start("merging", None);
        results::merge(&plan, &args.dirs, &args.out)?;
    }
    print(&format!("{} merged\nResults in {}\n", several(plan.runs(), "run"), args.out.display()))
}
