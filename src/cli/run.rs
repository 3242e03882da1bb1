//! `kenga run`: an experiment from one configuration.

use std::path::PathBuf;

use miette::{Report, miette};

use super::experiment::{ConfigArgs, ExecutionArgs, Overrides, base, execute, no_config, resumed};
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
  kenga init --for sweep                              writes sweep.toml
  kenga run sweep.toml                                every setting of it
  kenga run sweep.toml --puzzle book.jsonl --runs 5 --seed 7
  kenga run sweep.toml --set algorithm.selection.size=4
  kenga run --resume results/sweep                    finish it
  kenga run --resume results/sweep --runs 100         add replicates
  kenga run sweep.toml -o results/long --resume
  kenga run lesson.toml --runs 1 --statistics 100")]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
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
    let Some(config) = args.config.named() else {
        if args.resume.is_none() {
            return Err(no_config("run"));
        }
        let help =
            "name it, as in `kenga run --resume DIR`, or name the configuration: `kenga run FILE --resume`";
        let path = resumed.ok_or_else(|| miette!(help = help, "--resume needs a folder"))?;
        // Without a configuration there is nothing to begin a folder with.
        if !path.exists() {
            let help = "name the folder, or the configuration to start it: `kenga run FILE --resume`";
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
