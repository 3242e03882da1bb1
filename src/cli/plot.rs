//! `kenga plot`: convergence in the terminal.

use std::path::PathBuf;

use miette::Diagnostic;
use thiserror::Error;

use super::exit::{CommandResult, Exit};
use super::output::Output;
use super::studied;
use crate::report::{PlotError, plot};

/// Columns where there is no terminal to ask.
const COLUMNS: usize = 100;

/// Plot the convergence of results in the terminal
///
/// The best fitness found so far against calls (evaluations and moves), the median over the runs of each setting; of
/// many settings the six best. Coloured on a terminal only.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga plot results/ga
  kenga plot results/sweep --by algorithm.mutation.rate
  kenga plot results/ga results/tabu --width 72")]
pub(super) struct Args {
    /// Folders that `kenga run` or `kenga sweep` has written
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Columns: those of the terminal, else 100
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(30..=1000))]
    width: Option<u16>,
    /// Take settings with the same value of this key together; may be given again
    #[arg(long, value_name = "KEY")]
    by: Vec<String>,
}

/// Results without convergence.
#[derive(Debug, Error, Diagnostic)]
#[error("nothing to plot: {why}")]
#[diagnostic(help(
    "`kenga report` shows what else there is; record every generation with `record.every = 1`"
))]
struct Nothing {
    why: String,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let (study, by) = studied::read(&args.dirs, &args.by)?;
    let mut output = Output::lock();
    let asked = args.width.map(usize::from);
    let width = asked.unwrap_or_else(|| if output.is_terminal() { terminal_columns() } else { COLUMNS });
    let text = plot(&study, &by, width, output.is_terminal()).map_err(|error| match error {
        PlotError::NoRuns => miette::Report::from(studied::no_runs(&args.dirs)),
        PlotError::NoConvergence(why) => Nothing { why }.into(),
    })?;
    output.write(&text)?;
    output.flush()?;
    Ok(Exit::Done)
}

fn terminal_columns() -> usize {
    terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| usize::from(width.0).clamp(30, 1000))
}
