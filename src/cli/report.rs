//! `kenga report`: results as one page to look at.

use std::path::{Path, PathBuf};

use super::io::exit::{CommandResult, Exit, print_note, wrote};
use super::io::input;
use super::io::output::{Overwrite, make_folder, print, write_file};
use super::io::progress::Counter;
use super::io::signals::end_at_signal;
use super::tune::validated;
use kenga_lab::experiment::{cores, on_all_cores};
use kenga_lab::results::FolderKind;
use kenga_lab::tune::TuneHistory;
use kenga_report::{GENERATOR, Report, findings, report, several, tuning_report};
use miette::miette;

/// Show results as one HTML page
///
/// The configuration, with drawings of the puzzles; a table of settings with intervals; convergence, run-length
/// distributions, success, heat maps, and the importance of parameters. The page is self-contained, adapts to light and
/// dark screens, and can be printed. An unfinished experiment is reported as far as its runs go. The same results give
/// the same bytes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga report results/sweep -o sweep.html
  kenga report results/ga results/tabu -o both.html --title \"Two searches\"
  kenga report results/sweep -o sweep.html --figures figures     SVG and PDF too
  kenga report results/sweep -o rate.html --by algorithm.mutation.rate
  kenga report results/ga -o - | less
  kenga report results/sweep --json | jq .restarts")]
pub(super) struct Args {
    /// Folders that `kenga run` or `kenga sweep` has written, or one of `kenga tune`
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// The page to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", alias = "output", required_unless_present = "json")]
    out: Option<PathBuf>,
    /// Print what the report finds as JSON, in place of a page: comparisons, restarts, importance
    #[arg(long, conflicts_with_all = ["out", "figures", "title"])]
    json: bool,
    /// Overwrite files even if kenga did not write them
    #[arg(long, conflicts_with = "json")]
    force: bool,
    /// Also write every figure as SVG and PDF into this folder
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
    /// The title of the page [default: the names of the folders]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Group settings by the value of this key; repeatable
    #[arg(long, value_name = "KEY")]
    by: Vec<String>,
}

/// The report of results folders.
fn of_results(dirs: &[PathBuf], args: &Args) -> Result<Report, miette::Report> {
    let _progress = Counter::start("measuring", None);
    let (study, by) = input::study(dirs, &args.by)?;
    let made = on_all_cores(|| report(&study, &by, args.title.as_deref()));
    made.ok_or_else(|| input::no_runs(&study, dirs))
}

/// The report of a tuning, with its validation where that has ended.
fn tuning(folder: &Path, title: Option<&str>) -> Result<Report, miette::Report> {
    let _progress = Counter::start("measuring", None);
    let history = TuneHistory::read(folder, cores())?;
    let notes = history.notes();
    // Where the runs do not hold, their best candidate need not be the one that ran on the held-out puzzles.
    let is_compared = notes.is_empty() && history.best().is_some_and(|best| best != 0);
    let compared = if is_compared { validated(folder, history.options.cost)? } else { None };
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let title = title.map_or_else(|| format!("Tuning: {}", name.unwrap_or_default()), str::to_owned);
    for note in &notes {
        print_note(&format!("{}: {note}", folder.display()));
    }
    Ok(tuning_report(&history, &title, compared.as_ref()))
}

/// What stands near the beginning of a page that kenga has written.
const PAGE: &str = "name=\"generator\" content=\"kenga ";

/// What a report of results folders finds, as JSON.
fn findings_of(dirs: &[PathBuf], args: &Args) -> Result<String, miette::Report> {
    if let [one] = dirs
        && FolderKind::of(one) == FolderKind::Tuning
    {
        return Err(miette!("{} is a tuning, of which `kenga report` makes a page alone", one.display()));
    }
    let _progress = Counter::start("measuring", None);
    let (study, by) = input::study(dirs, &args.by)?;
    let found = on_all_cores(|| findings(&study, &by)).ok_or_else(|| input::no_runs(&study, dirs))?;
    Ok(format!("{found}\n"))
}

pub(super) fn run(args: &Args) -> CommandResult {
    end_at_signal()?;
    let Some(out) = args.out.as_deref() else {
        return print(&findings_of(&args.dirs, args)?);
    };
    let made = match &args.dirs[..] {
        [one] if FolderKind::of(one) == FolderKind::Tuning => tuning(one, args.title.as_deref())?,
        dirs => of_results(dirs, args)?,
    };
    if let Some(folder) = &args.figures {
        make_folder(folder)?;
        for figure in &made.figures {
            write_file(&folder.join(&figure.name), &figure.bytes, Overwrite::own(GENERATOR, args.force))?;
        }
        wrote(&format!("{} ({})", folder.display(), several(made.figures.len() as u64, "figure")));
    }
    if out == Path::new("-") {
        return print(&made.page);
    }
    write_file(out, &made.page, Overwrite::own(PAGE, args.force))?;
    wrote(&out.display().to_string());
    Ok(Exit::Done)
}
