//! `kenga plot`: convergence in the terminal, search trajectories as a network.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use miette::{Report, miette};

use super::io::exit::{CommandResult, Exit, print_note};
use super::io::input::whole;
use super::io::output::{Destination, print};
use super::io::progress::Counter;
use super::io::signals;
use super::io::{input, terminal};
use kenga_core::text::nearest;
use kenga_lab::landscape::Network;
use kenga_lab::study::Study;
use kenga_report::{PlotError, plot, several, trajectories};

/// The widths that a plot can have.
const WIDTHS: RangeInclusive<u16> = 30..=1000;

/// Plot the convergence of results in the terminal
///
/// The best fitness so far against calls (evaluations and moves): the median over the runs of each setting, for at most
/// the six best settings. With --trajectories: the search trajectories of the runs, as a network in a file.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga plot results/ga
  kenga plot results/sweep --by algorithm.mutation.rate
  kenga plot results/ga results/tabu --width 72
  kenga plot results/ga results/tabu --trajectories network.svg --id 4x4")]
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
    /// Draw the search-trajectory network of one puzzle into FILE (.svg), or write it as GraphML (.graphml); makes the runs again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["width", "by"])]
    trajectories: Option<PathBuf>,
    /// The puzzle of the network, if there are several
    #[arg(long, value_name = "ID", requires = "trajectories")]
    id: Option<String>,
    /// Draw at most so many places, those that most runs pass
    #[arg(long, value_name = "N", default_value = "1000", value_parser = whole(1..=100_000_usize), requires = "trajectories")]
    most: usize,
    /// Overwrite FILE
    #[arg(long, requires = "trajectories")]
    force: bool,
}

/// What to do about results without convergence.
const RECORD: &str =
    "`kenga report` shows what else there is; record every generation with `record.every = 1`";

pub(super) fn run(args: &Args) -> CommandResult {
    if let Some(path) = &args.trajectories {
        return draw_trajectories(args, path);
    }
    let progress = Counter::start("measuring", None);
    let (study, by) = input::study(&args.dirs, &args.by)?;
    let view = terminal::view();
    let columns = view.width.clamp(usize::from(*WIDTHS.start()), usize::from(*WIDTHS.end()));
    let width = args.width.map_or(columns, usize::from);
    let text = plot(&study, &by, width, view.colour).map_err(|error| match error {
        PlotError::NoRuns => input::no_runs(&study, &args.dirs),
        PlotError::NoConvergence(why) => miette!(help = RECORD, "nothing to plot: {why}"),
    })?;
    drop(progress);
    print(&text)
}

/// Whether a file is a drawing, by its suffix, or GraphML.
fn is_drawing(path: &Path) -> Result<bool, Report> {
    let suffix = path.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default();
    match suffix.to_ascii_lowercase().as_str() {
        "svg" => Ok(true),
        "graphml" => Ok(false),
        _ => {
            let help = "name a file that ends in .svg or .graphml";
            Err(miette!(help = help, "--trajectories: the form of {} is unknown", path.display()))
        }
    }
}

/// Refuses settings whose fitness is not the same: a location would have several.
fn refuse_other_fitness(study: &Study) -> Result<(), Report> {
    let Some(first) = study.settings.first() else { return Ok(()) };
    let keys = first.values.keys().filter(|key| key.starts_with("fitness."));
    for (key, other) in keys.flat_map(|key| study.settings.iter().map(move |other| (key, other))) {
        let [one, another] =
            [first, other].map(|setting| setting.values.get(key).map_or("nothing", String::as_str));
        if one != another {
            let help = "a network has one fitness for each location; draw the folders or settings one by one";
            return Err(miette!(help = help, "settings differ in `{key}`: {one} and {another}"));
        }
    }
    Ok(())
}

fn draw_trajectories(args: &Args, path: &Path) -> CommandResult {
    let is_drawing = is_drawing(path)?;
    // Before the work: a file that exists is refused at once.
    let mut file = Destination::new(Some(path), args.force)?;
    let (study, _) = input::study(&args.dirs, &[])?;
    // Before the runs are made again, which takes as long as they took.
    refuse_other_fitness(&study)?;
    let puzzle = chosen(&study, args)?;
    let progress = Counter::start("making runs again", None);
    let interrupt = signals::interrupt()?;
    let (mut settings, mut sets) = (Vec::new(), Vec::new());
    for set in study.trajectories_on(&puzzle, &interrupt)? {
        settings.push(set.setting.label.clone());
        sets.push(set.runs);
    }
    drop(progress);
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    let cut = cut_by_clock(&study, &puzzle);
    if sets.is_empty() {
        return Err(no_trajectory(&puzzle, cut));
    }
    let network = Network::of_trajectories(&sets);
    let title = format!("{puzzle}: search trajectories");
    file.write(if is_drawing {
        trajectories(&network.heaviest(args.most), &settings, &title)
    } else {
        network.graphml()
    })?;
    file.finish()?;
    // GraphML has all places; only a picture has to leave some out.
    let too_many = if is_drawing { network.nodes.len().saturating_sub(args.most) } else { 0 };
    tell_left_out(too_many, cut);
    Ok(Exit::Done)
}

/// Why there is no trajectory: no run, or only runs that the clock has cut.
fn no_trajectory(puzzle: &str, cut: usize) -> Report {
    if cut == 0 {
        return miette!("there are no runs on {puzzle} yet");
    }
    let help = "bound runs by `budget.evaluations` or `budget.moves`, not by `budget.seconds`";
    miette!(help = help, "the clock has cut all runs on {puzzle}: they cannot be made again")
}

/// Says how many places and runs are left out.
fn tell_left_out(places: usize, cut: usize) {
    if places > 0 {
        print_note(&format!("note: {places} places are not drawn; --most draws more"));
    }
    if cut > 0 {
        let cut = several(cut as u64, "run");
        print_note(&format!("note: {cut} that the clock has cut cannot be made again: left out"));
    }
}

/// How many runs of a puzzle the clock has ended.
fn cut_by_clock(study: &Study, puzzle: &str) -> usize {
    let is_cut = |run: &usize| study.runs.was_cut_by_the_clock(*run) && **study.puzzle_of(*run) == *puzzle;
    study.counted_runs().filter(is_cut).count()
}

/// The puzzle whose runs are drawn.
fn chosen(study: &Study, args: &Args) -> Result<String, Report> {
    let puzzles = study.puzzles();
    let ids: Vec<&str> = puzzles.iter().map(|puzzle| &*puzzle.id).collect();
    match (&args.id, &*ids) {
        (None, []) => Err(input::no_runs(study, &args.dirs)),
        (None, [only]) => Ok((*only).to_owned()),
        (None, all) => {
            let help = format!("choose one with --id, such as {}", all[0]);
            Err(miette!(help = help, "--trajectories draws one puzzle, and here are {}", all.len()))
        }
        (Some(id), all) if all.contains(&&**id) => Ok(id.clone()),
        (Some(id), all) => {
            let mut near = nearest(id, all.iter().copied());
            near.truncate(3);
            let help = format!("expected one of {}, such as {}", all.len(), near.join(", "));
            Err(miette!(help = help, "no runs on a puzzle {id}"))
        }
    }
}
