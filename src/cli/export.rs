//! `kenga export`: results in the formats of other programs.

use std::path::{Path, PathBuf};

use super::io::data::data_output;
use super::io::exit::{CommandResult, Exit, print_note, wrote};
use super::io::input::one_of;
use super::io::progress::Counter;
use super::io::signals::end_at_signal;
use kenga_lab::study::{EXPORTS, Export, ExportFormat, ExportRows, Target};

/// Write results in the formats of other programs
///
/// Several folders go into one export, told apart by the column or attribute `folder`. Calls are evaluations and moves;
/// an empty or absent value means unknown, as calls_to_solution of an unsolved run.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Folders that `kenga run` or `kenga sweep` has written
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = one_of(EXPORTS, |format| [format.name, format.about]))]
    to: &'static ExportFormat,
    /// Write to OUT, a new file, or for ioh a new or empty folder [default: `-`, standard output]
    #[arg(short, long, value_name = "OUT", alias = "output")]
    out: Option<PathBuf>,
    /// Overwrite OUT if it is an existing file
    #[arg(long, requires = "out")]
    force: bool,
    /// Write one row per recorded generation instead of one per run (csv, json, parquet)
    #[arg(long)]
    convergence: bool,
}

const EXAMPLES: &str = "\
Examples:
  kenga export results/sweep --to csv -o runs.csv           one row per run
  kenga export results/sweep --to csv --convergence -o generations.csv
  kenga export results/a results/b --to json -o both.jsonl
  kenga export results/sweep --to parquet -o runs.parquet   typed columns
  kenga export results/sweep --to ioh -o ioh-data           for IOHanalyzer
  kenga export results/sweep --to optuna -o journal.log     for Optuna

The output appears only when complete. The guide shows how to open it in R,
pandas, IOHanalyzer or Optuna.

Exit code: 0 written, 2 bad usage, or a folder that cannot be exported.";

pub(super) fn run(args: &Args) -> CommandResult {
    end_at_signal()?;
    let progress = Counter::start("exporting", None);
    let export = Export::read(&args.dirs)?;
    let rows = if args.convergence { ExportRows::Convergence } else { ExportRows::Runs };
    let file = args.out.as_deref().filter(|path| *path != Path::new("-"));
    let target = match file {
        Some(path) if args.force => Target::Over(path),
        Some(path) => Target::Path(path),
        None => Target::Stream("standard output", data_output()),
    };
    target.write(args.to, &export, rows)?;
    // The line of progress would stand among the notes.
    drop(progress);
    for note in export.partial() {
        print_note(&note);
    }
    if let Some(path) = file {
        wrote(&path.display().to_string());
    }
    Ok(Exit::Done)
}
