//! What the commands that make runs share: the plan that is asked for, the making of its runs, and what is said of them.

mod experiment_args;
mod live;
mod verdict;

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use miette::{Diagnostic, Report};
use thiserror::Error;

use super::io::exit::{CommandResult, Exit};
use super::io::number::whole;
use super::io::output::{Form, Output};
use super::io::progress::Counter;
use super::io::signals;
use crate::experiment::{Halt, Plan, RunError, Runner, Shard, Share, perform, perform_race};
use crate::results::Folder;
use crate::text::quoted;
use live::Live;

pub(super) use experiment_args::{ExperimentArgs, Over, base};
pub(super) use verdict::{cells, columns};

/// How runs are made and what is printed of them.
#[derive(clap::Args)]
pub(super) struct Making {
    /// Threads; all cores when absent
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=u16::MAX))]
    jobs: Option<u16>,
    /// Print a line of statistics to standard error every N generations of every run
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    statistics: Option<u64>,
    /// Print no progress and no summary
    #[arg(long, conflicts_with = "Form")]
    quiet: bool,
    #[command(flatten)]
    form: Form,
}

/// A plan that cannot be run.
#[derive(Debug, Error, Diagnostic)]
#[error(transparent)]
#[diagnostic(help("choose an encoding and weights that fit the puzzle; see `kenga list encoding`"))]
pub(super) struct Unrunnable(pub(super) RunError);

/// The command that continues a folder, whoever began it.
pub(super) fn resume(path: &Path) -> String {
    let folder = path.display().to_string();
    // What begins with a hyphen would be an option.
    let folder = if folder.starts_with('-') { format!("./{folder}") } else { folder };
    format!("kenga run --resume {}", quoted(&folder))
}

/// An experiment that was cut by an error.
#[derive(Debug, Error, Diagnostic)]
#[error("the experiment was cut: {error}", error = with_sources(error))]
#[diagnostic(help("{} is intact; fix the problem, then continue with: {}", path.display(), resume(path)))]
struct Cut {
    path: PathBuf,
    error: RunError,
}

fn with_sources(error: &RunError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    text
}

/// Makes the runs of a shard in the folder that `open` gives, and says what they have shown.
pub(super) fn make(
    plan: &Plan,
    shard: Shard,
    making: &Making,
    open: impl FnOnce() -> Result<Folder, Report>,
) -> CommandResult {
    let interrupt = signals::interrupt()?;
    let jobs = making.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let runner = {
        let is_shown = !making.quiet && making.statistics.is_none();
        let _progress = is_shown.then(|| Counter::start("solving the puzzles exactly", None));
        Runner::prepare(plan, jobs, &interrupt).map_err(Unrunnable)?
    };
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    let mut folder = open()?;
    folder.write_facts(plan, &runner)?;
    let done = folder.done().clone();
    let share = Share { shard, done: &done, race: None };
    let halt = {
        let mut solved = 0;
        Folder::each_run(folder.path(), |row| solved += u64::from(row.solved))?;
        let live = Live::start(making, plan, &share, solved);
        let mut sink = folder.sink(plan);
        match plan.settings.race {
            None => perform(&runner, jobs, &share, &mut sink, &live, &interrupt),
            Some(_) => {
                let known = Folder::raced(folder.path())?;
                perform_race(&runner, jobs, &known, &mut sink, &live, &interrupt).map(|(halt, _)| halt)
            }
        }
    };
    let halt = halt.map_err(|error| Cut { path: folder.path().to_owned(), error })?;
    if halt == Halt::Complete {
        folder.finish()?;
    }
    let mut output = Output::lock();
    output.write(&verdict::text(making, plan, &runner, folder.path(), halt)?)?;
    output.flush()?;
    Ok(match halt {
        Halt::Complete => Exit::Done,
        Halt::Interrupted => Exit::Signal(interrupt.signal()),
    })
}
