//! What the commands that make runs share: the plan that is asked for, the making of its runs, and what is said of them.

mod experiment_args;
mod live;
mod verdict;

use miette::{Report, miette};

use super::io::exit::{CommandResult, Exit};
use super::io::input::resume;
use super::io::number::whole;
use super::io::output::{TableForm, print};
use super::io::progress::{self, Counter};
use crate::experiment::{Halt, Plan, RemainingRuns, RunError, Runner, Shard, cores, perform, perform_race};
use crate::results::{Folder, RunRow};
use live::Live;

pub(super) use experiment_args::{ExperimentArgs, Over, base};
pub(super) use verdict::{cells, columns};

/// How runs are made and what is printed of them.
#[derive(clap::Args)]
pub(super) struct Making {
    #[command(flatten)]
    jobs: Jobs,
    /// Print a line of statistics to standard error every N generations of every run
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    statistics: Option<u64>,
    /// Print no progress and no summary
    #[arg(long, conflicts_with = "TableForm")]
    quiet: bool,
    #[command(flatten)]
    form: TableForm,
}

/// How many threads work.
#[derive(clap::Args)]
pub(super) struct Jobs {
    /// Threads; all cores when absent
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=u16::MAX))]
    jobs: Option<u16>,
}

impl Jobs {
    pub(super) fn count(&self) -> usize {
        self.jobs.map_or_else(cores, usize::from)
    }
}

/// The error of a plan that cannot be run.
pub(super) fn unrunnable(error: &RunError) -> Report {
    let help = "choose an encoding and weights that fit the puzzle; see `kenga list encoding`";
    miette!(help = help, "{error}")
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
    let interrupt = progress::interrupt()?;
    let jobs = making.jobs.count();
    let runner = {
        let is_shown = !making.quiet && making.statistics.is_none();
        let _progress = is_shown.then(|| Counter::start("solving the puzzles exactly", None));
        Runner::prepare(plan, jobs, &interrupt).map_err(|error| unrunnable(&error))?
    };
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    let mut folder = open()?;
    folder.write_facts(plan, &runner)?;
    let done = folder.done().clone();
    let remaining = RemainingRuns { shard, done: &done, race: None };
    let halt = {
        let mut solved = 0;
        Folder::each(folder.path(), |row: RunRow| solved += u64::from(row.solved))?;
        let live = Live::start(making, plan, &remaining, solved);
        let mut sink = folder.sink(plan);
        match plan.settings.race {
            None => perform(&runner, jobs, &remaining, &mut sink, &live, &interrupt),
            Some(_) => {
                let known = Folder::raced(folder.path())?;
                perform_race(&runner, jobs, &known, &mut sink, &live, &interrupt).map(|(halt, _)| halt)
            }
        }
    };
    let halt = halt.map_err(|error| {
        let (path, command) = (folder.path().display(), resume(folder.path()));
        let help = format!("{path} is intact; fix the problem, then continue with: {command}");
        miette!(help = help, "the experiment was cut: {}", with_sources(&error))
    })?;
    if halt == Halt::Complete {
        folder.finish()?;
    }
    let done = print(&verdict::text(making, plan, &runner, folder.path(), halt)?)?;
    Ok(match halt {
        Halt::Complete => done,
        Halt::Interrupted => Exit::Signal(interrupt.signal()),
    })
}
