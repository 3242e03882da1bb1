//! `kenga plot`: convergence in the terminal.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use miette::miette;

use super::io::exit::CommandResult;
use super::io::input::whole;
use super::io::output::print;
use super::io::progress::Counter;
use super::io::{input, terminal};
use crate::report::{PlotError, plot};

/// The widths that a plot can have.
const WIDTHS: RangeInclusive<u16> = 30..=1000;

/// Plot the convergence of results in the terminal
///
/// The best fitness so far against calls (evaluations and moves): the median over the runs of each setting, for at most
/// the six best settings.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga plot results/ga
  kenga plot results/sweep --by algorithm.mutation.rate
  kenga plot results/ga results/tabu --width 72")]
pub(super) struct Args {
    /// Folders that `kenga run` or `kenga sweep` has written
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Columns [default: those of the terminal, else 80]
    #[arg(long, value_name = "N", value_parser = whole(WIDTHS))]
    width: Option<u16>,
    /// Group settings by the value of this key; repeatable
    #[arg(long, value_name = "KEY")]
    by: Vec<String>,
}

/// What to do about results without convergence.
const RECORD: &str =
    "`kenga report` shows what else there is; record every generation with `record.every = 1`";

pub(super) fn run(args: &Args) -> CommandResult {
    let progress = Counter::start("measuring", None);
    let (study, by) = input::study(&args.dirs, &args.by)?;
    let view = terminal::view();
    let columns = view.width.clamp(usize::from(*WIDTHS.start()), usize::from(*WIDTHS.end()));
    let width = args.width.map_or(columns, usize::from);
    let text = plot(&study, &by, width, view.colour).map_err(|error| match error {
        PlotError::NoRuns => input::no_runs(&args.dirs),
        PlotError::NoConvergence(why) => miette!(help = RECORD, "nothing to plot: {why}"),
    })?;
    drop(progress);
    print(&text)
}
