//! `kenga run`: an experiment from one configuration.

use std::path::PathBuf;

use miette::{Report, miette};

use super::experiment::{ExecutionArgs, Overrides, base, execute, resumed};
use super::io::exit::CommandResult;
use kenga_core::text::quoted_path;
use kenga_lab::experiment::{Plan, Shard};
use kenga_lab::results::{Folder, FolderKind, free_folder, latest_folder};

/// Run an experiment, or a sweep of settings, every claim checked
///
/// Makes the runs of settings x puzzles x replicates in parallel, writes a results folder (runs.csv, convergence.csv and
/// more) and prints a summary. A configuration with [sweep] runs
/// every setting on the same starts. Results are the same bytes for any number of jobs. Exits with 0 when every run has
/// ended, solved or not, and with 1 when the programs of some have failed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga run --config configs/ga.toml
  kenga run --config configs/ga.toml --puzzle my.txt --runs 20 --seed 7
  kenga run --config configs/ga.toml --set algorithm.island.mutation.rate=0.05
  kenga run --config configs/sweep-smoke.toml              a sweep of settings
  kenga run --resume results/long                          finish it
  kenga run --resume results/long --runs 200               add replicates
  kenga run --config configs/ga.toml -o results/long --resume
  kenga run --config configs/pyevolve-4x4.toml --runs 1 --statistics 100")]
pub(super) struct Args {
    /// The experiment, a TOML file; `-` is standard input. Not needed with --resume DIR
    #[arg(long, value_name = "FILE", required_unless_present = "resume")]
    config: Option<String>,
    #[command(flatten)]
    overrides: Overrides,
    /// The results folder [default: results/NAME, then results/NAME-2 and so on]
    #[arg(short, long, value_name = "DIR", alias = "output")]
    out: Option<PathBuf>,
    /// Continue DIR, the folder of --out, or the latest one of this configuration; start it if there is none. Other
    /// options must match; --runs may be larger
    #[arg(long, value_name = "DIR")]
    resume: Option<Option<PathBuf>>,
    #[command(flatten)]
    execution: ExecutionArgs,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let resumed = resumed(&args.resume, &args.out)?;
    if let Some(path) = resumed.as_ref().filter(|path| FolderKind::of(path) == FolderKind::Tuning) {
        let help = format!("continue it with `kenga tune --resume {}`", quoted_path(path));
        return Err(miette!(help = help, "{} is the folder of a tuning", path.display()));
    }
    let Some(config) = &args.config else {
        let help = "name it, as in `kenga run --resume DIR`, or name the configuration with --config";
        let path = resumed.ok_or_else(|| miette!(help = help, "--resume needs a folder"))?;
        // Without a configuration there is nothing to begin a folder with.
        if !path.exists() {
            let help = "name the folder, or the configuration with --config to start it";
            return Err(miette!(help = help, "there is nothing to resume at {}", path.display()));
        }
        let (plan, shard) = args.overrides.folder_plan(&path)?;
        return execute(&plan, shard, &args.execution, None, || Ok(Folder::resume(&path, &plan, shard)?));
    };
    let (plan, exit) = args.overrides.plan(config)?;
    Ok(execute(&plan, Shard::WHOLE, &args.execution, Some(config), || folder(args, resumed, config, &plan))?
        .and(exit))
}

/// The folder to write: a new one, or one to continue.
fn folder(args: &Args, resumed: Option<PathBuf>, config: &str, plan: &Plan) -> Result<Folder, Report> {
    let base = base(config);
    let mut known = resumed;
    if known.is_none() && args.resume.is_some() {
        known = latest_folder(&base, |path| FolderKind::of(path) != FolderKind::Tuning);
    }
    Ok(match (known, &args.out) {
        (Some(path), _) if path.exists() => Folder::resume(&path, plan, Shard::WHOLE)?,
        (Some(path), _) => Folder::begin(&path, plan, Shard::WHOLE)?,
        (None, Some(path)) => Folder::begin(path, plan, Shard::WHOLE)?,
        (None, None) => Folder::begin(&free_folder(&base)?, plan, Shard::WHOLE)?,
    })
}
