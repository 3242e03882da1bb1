//! The validation of a tuning: ordinary results folders of the best and the default on the held-out puzzles.

use std::path::{Path, PathBuf};

use miette::Report;

use super::{Args, TuneOrder};
use crate::answers::{ComparisonOrder, compared, study_of};
use crate::budget::Interrupt;
use crate::cli::experiment::unrunnable;
use crate::cli::io::progress::Counter;
use crate::experiment::{Config, Halt, Plan, Runner, Shard, on_all_cores};
use crate::results::{Folder, make_runs};
use crate::study::{Comparison, Metric};
use crate::tune::{Cost, Tuned};

/// Runs the best and the default on the held-out puzzles and compares them; `Some(None)` without such puzzles, `None` when a
/// signal cut it.
///
/// # Errors
/// A folder that cannot be written or read.
pub(super) fn validate(
    args: &Args,
    order: &TuneOrder,
    tuned: &Tuned,
    path: &Path,
    interrupt: &Interrupt,
) -> Result<Option<Option<Comparison>>, Report> {
    if order.manifest.held_out.is_empty() {
        return Ok(Some(None));
    }
    let configs = [order.space.default(), &tuned.best().config];
    for ((name, folder), config) in NAMES.iter().zip(folders(path)).zip(configs) {
        if make(args, order, config, &folder, (name, interrupt))? == Halt::Interrupted {
            return Ok(None);
        }
    }
    match tuned.elites[0] {
        0 => Ok(Some(None)),
        _ => Ok(Some(validated(path, order.options.cost)?)),
    }
}

const NAMES: [&str; 2] = ["default", "best"];

fn folders(path: &Path) -> [PathBuf; 2] {
    NAMES.map(|name| path.join("validation").join(name))
}

/// The comparison of the best and the default in the folder of a tuning, where both have run on all held-out puzzles.
///
/// # Errors
/// A folder that cannot be read.
pub(in crate::cli) fn validated(path: &Path, cost: Cost) -> Result<Option<Comparison>, Report> {
    let folders = folders(path);
    if !folders.iter().all(|folder| Folder::has_ended(folder)) {
        return Ok(None);
    }
    let (study, _) = study_of(&folders, &[])?;
    let metric = if cost == Cost::Calls { Metric::Calls } else { Metric::BestFitness };
    let order = ComparisonOrder { metric, alpha: 0.05, baseline: None };
    let arms = study.arms(&[]);
    on_all_cores(|| compared(&study, &arms, &order, "")).map(Some)
}

/// Makes the runs of one of them, or those that are missing.
fn make(
    args: &Args,
    order: &TuneOrder,
    config: &Config,
    folder: &Path,
    (name, interrupt): (&str, &Interrupt),
) -> Result<Halt, Report> {
    let plan = Plan::new(config.clone(), order.manifest.held_out.clone());
    let counter = Counter::unless(args.quiet, &format!("validating the {name}: runs begun"));
    let runner = Runner::prepare(&plan, args.jobs.count(), interrupt).map_err(|error| unrunnable(&error))?;
    let mut folder = match folder.exists() {
        true => Folder::resume(folder, &plan, Shard::WHOLE)?,
        false => Folder::begin(folder, &plan, Shard::WHOLE)?,
    };
    let halt = make_runs(&mut folder, &runner, (Shard::WHOLE, args.jobs.count()), |_, _| counter, interrupt);
    halt.map_err(|error| miette::miette!("the validation stopped: {}", error.in_full()))
}
