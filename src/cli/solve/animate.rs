//! `kenga solve --animate`: the search as a picture that moves.

use std::path::{Path, PathBuf};

use miette::{Report, miette};

use super::scenes::{Detail, Scenes};
use crate::cli::io::exit::print_note;
use crate::cli::io::input::{one_of, whole};
use crate::cli::io::output::Destination;
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::{Kind, Puzzle};
use kenga_core::solver::{Limits, Outcome};
use kenga_core::text::meant;
use kenga_report::drawing::Animation;
use kenga_report::plural;

/// How the search is animated.
#[derive(clap::Args)]
#[command(next_help_heading = "Animation")]
pub(super) struct AnimationArgs {
    /// Write the search as a picture that moves: .svg and .gif play by themselves, .html by buttons and keys; `-` is standard
    /// output, as SVG
    #[arg(long, value_name = "FILE", group = "shown", conflicts_with_all = ["all", "json", "why"])]
    pub(super) animate: Option<PathBuf>,
    /// Play the search on the terminal, forwards and back, of one puzzle after the other; `?` shows the keys
    #[cfg(feature = "terminal")]
    #[arg(long, group = "shown", conflicts_with_all = ["all", "json", "why"])]
    pub(super) watch: bool,
    /// What has a picture of its own
    #[arg(long, value_name = "WHAT", default_value = "removals", requires = "animate", value_parser = one_of(Detail::ALL, |detail| [detail.name(), detail.about()]))]
    detail: Detail,
    /// Show the first N steps and the end
    #[arg(long, value_name = "N", default_value_t = 200, requires = "animate", value_parser = whole(1..=10_000usize))]
    steps: usize,
    /// Steps a second
    #[arg(long, value_name = "X", default_value = "2", requires = "shown", value_parser = speed)]
    pub(super) speed: f64,
    /// Overwrite FILE if it exists
    #[arg(long, requires = "animate")]
    force: bool,
}

/// The files that an animation becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FilmFormat {
    Svg,
    Html,
    Gif,
}

impl FilmFormat {
    const ALL: [(Self, &str); 3] = [(Self::Svg, "svg"), (Self::Html, "html"), (Self::Gif, "gif")];

    /// The format that the suffix of a file names.
    fn of(file: &Path) -> Result<Self, Report> {
        if file == Path::new("-") {
            return Ok(Self::Svg);
        }
        let suffix = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let found = Self::ALL.iter().find(|(_, name)| *name == suffix);
        found.map(|(format, _)| *format).ok_or_else(|| {
            let near = meant(&suffix, Self::ALL.map(|(_, name)| name));
            let near = near.map_or(String::new(), |near| format!("; did you mean .{near}?"));
            let help = format!("end FILE with .svg, .html or .gif{near}");
            miette!(help = help, "{} does not say what to write", file.display())
        })
    }

    fn write(self, animation: &Animation) -> Vec<u8> {
        match self {
            Self::Svg => animation.svg().into_bytes(),
            Self::Html => animation.html().into_bytes(),
            Self::Gif => animation.gif(1.0),
        }
    }
}

/// Searches, and writes what the search does.
///
/// # Errors
/// A report when the file cannot be written, or the puzzle has no cells to draw.
pub(super) fn animate(
    args: &AnimationArgs,
    file: &Path,
    puzzle: &Puzzle,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Result<Outcome, Report> {
    let format = FilmFormat::of(file)?;
    if puzzle.kind == Kind::Coloring {
        let help = "draw it with `kenga draw`, or solve it without --animate";
        return Err(miette!(help = help, "a graph has no grid to animate"));
    }
    // Before the search, which may take long, so that a taken name is told at once.
    let mut target = Destination::new(Some(file), args.force)?;
    let mut scenes = Scenes::new(puzzle, args.detail, args.steps);
    let outcome = scenes.record(limits, interrupt);
    if let left @ 1.. = scenes.left_out() {
        let more = if args.detail == Detail::Removals { ", or --detail decisions" } else { "" };
        let steps = plural(left, "step");
        print_note(&format!("{left} {steps} are left out: show more with --steps N{more}"));
    }
    let title = format!("{}, solved exactly", puzzle.id);
    target.write(format.write(&Animation::new(&title, scenes.finish(), 1.0 / args.speed)))?;
    target.finish()?;
    Ok(outcome)
}

fn speed(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(speed) if (0.1..=50.0).contains(&speed) => Ok(speed),
        _ => Err("expected steps a second, from 0.1 to 50".to_owned()),
    }
}
