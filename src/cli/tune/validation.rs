//! The validation of a tuning: ordinary results folders of the best and the default on the held-out puzzles.

use std::path::{Path, PathBuf};

use miette::Report;

use super::{Args, TuneRequest};
use crate::cli::experiment::unrunnable;
use crate::cli::io::progress::Counter;
use kenga_core::budget::Interrupt;
use kenga_lab::experiment::{Config, Halt, Plan, Runner, Shard, on_all_cores};
use kenga_lab::results::{Folder, FolderKind, Reading, make_runs};
use kenga_lab::study::{Comparison, Metric};
use kenga_lab::tune::{Cost, Tuned, VALIDATION_FOLDERS};
use kenga_report::answers::{ComparisonOrder, compared, study_of};

/// What the held-out puzzles say.
#[derive(Default)]
pub(super) struct HeldOut {
    /// The best beside the default.
    pub(super) compared: Option<Comparison>,
    /// Runs with a solution, and all runs, of a default that is the best itself.
    pub(super) default: Option<(usize, usize)>,
}

/// Runs the default on the held-out puzzles, and the best where it is another one, and compares them; `None` when a signal
/// cut it.
///
/// # Errors
/// A folder that cannot be written or read.
pub(super) fn validate(
    args: &Args,
    request: &TuneRequest,
    tuned: &Tuned,
    path: &Path,
    interrupt: &Interrupt,
) -> Result<Option<HeldOut>, Report> {
    if request.manifest.held_out.is_empty() {
        return Ok(Some(HeldOut::default()));
    }
    let [default, best] = folders(path);
    if make(args, request, request.space.default(), &default, "default", interrupt)? == Halt::Interrupted {
        return Ok(None);
    }
    // Where the default won there is nothing to compare it with.
    if tuned.elites[0] == 0 {
        return Ok(Some(HeldOut { compared: None, default: Some(solved(&default)?) }));
    }
    if make(args, request, &tuned.best().config, &best, "best", interrupt)? == Halt::Interrupted {
        return Ok(None);
    }
    Ok(Some(HeldOut { compared: validated(path, request.options.cost)?, default: None }))
}

/// Runs of a folder with a solution, and all of them.
fn solved(folder: &Path) -> Result<(usize, usize), Report> {
    let (study, _) = study_of(&[folder.to_owned()], &[])?;
    let solved = study.counted_runs().filter(|run| study.runs.solved[*run]).count();
    Ok((solved, study.counted_runs().count()))
}

/// The folders of the default and the best.
fn folders(path: &Path) -> [PathBuf; 2] {
    VALIDATION_FOLDERS.map(|name| path.join(name))
}

/// The comparison of the best and the default in the folder of a tuning, where both have run on all held-out puzzles.
///
/// # Errors
/// A folder that cannot be read.
pub(in crate::cli) fn validated(path: &Path, cost: Cost) -> Result<Option<Comparison>, Report> {
    let folders = folders(path);
    for folder in &folders {
        if FolderKind::of(folder) == FolderKind::Other || !Reading::open(folder)?.rows.has_ended {
            return Ok(None);
        }
    }
    let (study, _) = study_of(&folders, &[])?;
    let metric = match cost {
        Cost::Calls => Metric::Calls,
        Cost::BestFitness | Cost::Place => Metric::BestFitness,
        Cost::Reported => Metric::Cost,
    };
    let order = ComparisonOrder::plain(metric, 0.05);
    let settings = study.joined_settings(&[]);
    on_all_cores(|| compared(&study, &settings, &order, "")).map(Some)
}

/// Makes the runs of one of them, or those that are missing.
fn make(
    args: &Args,
    request: &TuneRequest,
    config: &Config,
    folder: &Path,
    name: &str,
    interrupt: &Interrupt,
) -> Result<Halt, Report> {
    let plan = Plan::new(config.clone(), request.manifest.held_out.clone());
    let counter = Counter::unless(args.quiet, &format!("validating the {name}: runs begun"));
    let runner = Runner::prepare(&plan, args.jobs.count(), interrupt).map_err(|error| unrunnable(&error))?;
    let runner = runner.with_programs(args.programs.beside(args.config.named()));
    let mut folder = if folder.exists() {
        Folder::resume(folder, &plan, Shard::WHOLE)?
    } else {
        Folder::begin(folder, &plan, Shard::WHOLE)?
    };
    let halt = make_runs(&mut folder, &runner, Shard::WHOLE, args.jobs.count(), |_, _| counter, interrupt);
    halt.map_err(|error| miette::miette!("the validation stopped: {}", error.in_full()))
}
