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
use kenga_lab::study::Study;
use kenga_lab::tune::TuneHistory;
use kenga_report::answers::choose_settings;
use kenga_report::{FigureOptions, GENERATOR, Report, findings, report, several, tuning_report};
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
  kenga report results/sweep --figures figures --width 85mm --no-titles
  kenga report results/sweep --figures f --by mutation.rate --settings 0.1,0.05
  kenga report results/sweep -o rate.html --by algorithm.mutation.rate
  kenga report results/ga -o - | less
  kenga report results/sweep --json | jq .restarts")]
pub(super) struct Args {
    /// Folders that `kenga run` or `kenga sweep` has written, or one of `kenga tune`
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// The page to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", alias = "output", required_unless_present_any = ["json", "figures"])]
    out: Option<PathBuf>,
    /// Print what the report finds as JSON, in place of a page: comparisons, restarts, importance
    #[arg(long, conflicts_with_all = ["out", "figures", "title"])]
    json: bool,
    /// Overwrite files even if kenga did not write them
    #[arg(long, conflicts_with = "json")]
    force: bool,
    /// Write every figure as SVG and PDF into this folder
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
    /// Make these figures for a width in print, such as 85mm, 17.4cm, 3.3in or 240pt: texts have 7 to 9 pt there
    #[arg(long, value_name = "LENGTH", requires = "figures", value_parser = points)]
    width: Option<f64>,
    /// Leave the titles of these figures out, for captions of your own
    #[arg(long, requires = "figures")]
    no_titles: bool,
    /// Show only these settings, in this order, by the names that tables have: 0.1,0.05 with --by mutation.rate
    #[arg(long, value_name = "LIST")]
    settings: Option<String>,
    /// The title of the page [default: the names of the folders]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Group settings by the value of this key; repeatable
    #[arg(long, value_name = "KEY")]
    by: Vec<String>,
}

/// The units of lengths, in points.
const UNITS: [(&str, f64); 4] = [("mm", 72.0 / 25.4), ("cm", 72.0 / 2.54), ("in", 72.0), ("pt", 1.0)];

/// Reads a width in print, as points.
fn points(text: &str) -> Result<f64, String> {
    for (unit, points) in UNITS {
        if let Some(Ok(number)) = text.strip_suffix(unit).map(|number| number.trim().parse::<f64>()) {
            let width = number * points;
            let is_sound = (140.0..=1420.0).contains(&width);
            return if is_sound { Ok(width) } else { Err("expected a width from 50mm to 500mm".to_owned()) };
        }
    }
    Err("expected a number and mm, cm, in or pt, such as 85mm".to_owned())
}

/// The results folders with the settings that were chosen, and the keys by which they are joined.
fn study(dirs: &[PathBuf], args: &Args) -> Result<(Study, Vec<String>), miette::Report> {
    let (mut study, by) = input::study(dirs, &args.by)?;
    if let Some(names) = &args.settings {
        choose_settings(&mut study, &by, names)?;
    }
    Ok((study, by))
}

/// The report of results folders.
fn of_results(dirs: &[PathBuf], args: &Args) -> Result<Report, miette::Report> {
    let _progress = Counter::start("measuring", None);
    let (study, by) = study(dirs, args)?;
    let made = on_all_cores(|| report(&study, &by, args.title.as_deref(), args.figure_options()));
    made.ok_or_else(|| input::no_runs(&study, dirs))
}

impl Args {
    fn figure_options(&self) -> FigureOptions {
        FigureOptions { width: self.width, no_titles: self.no_titles, is_chosen: self.settings.is_some() }
    }
}

/// The report of a tuning, with its validation where that has ended.
fn tuning(folder: &Path, args: &Args) -> Result<Report, miette::Report> {
    if args.settings.is_some() {
        return Err(miette!("{} is a tuning, whose report has no settings to choose", folder.display()));
    }
    let _progress = Counter::start("measuring", None);
    let history = TuneHistory::read(folder, cores())?;
    let notes = history.notes();
    // Where the runs do not hold, their best candidate need not be the one that ran on the held-out puzzles.
    let is_compared = notes.is_empty() && history.best().is_some_and(|best| best != 0);
    let compared = if is_compared { validated(folder, history.options.cost)? } else { None };
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let title = args.title.clone().unwrap_or_else(|| format!("Tuning: {}", name.unwrap_or_default()));
    for note in &notes {
        print_note(&format!("{}: {note}", folder.display()));
    }
    Ok(tuning_report(&history, &title, compared.as_ref(), args.figure_options()))
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
    let (study, by) = study(dirs, args)?;
    let found = on_all_cores(|| findings(&study, &by)).ok_or_else(|| input::no_runs(&study, dirs))?;
    Ok(format!("{found}\n"))
}

pub(super) fn run(args: &Args) -> CommandResult {
    end_at_signal()?;
    if args.json {
        return print(&findings_of(&args.dirs, args)?);
    }
    let made = match &args.dirs[..] {
        [one] if FolderKind::of(one) == FolderKind::Tuning => tuning(one, args)?,
        dirs => of_results(dirs, args)?,
    };
    if let Some(folder) = &args.figures {
        make_folder(folder)?;
        for figure in &made.figures {
            write_file(&folder.join(&figure.name), &figure.bytes, Overwrite::own(GENERATOR, args.force))?;
        }
        wrote(&format!("{} ({})", folder.display(), several(made.figures.len() as u64, "figure")));
    }
    let Some(out) = args.out.as_deref() else { return Ok(Exit::Done) };
    if out == Path::new("-") {
        return print(&made.page);
    }
    write_file(out, &made.page, Overwrite::own(PAGE, args.force))?;
    wrote(&out.display().to_string());
    Ok(Exit::Done)
}
