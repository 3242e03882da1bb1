//! Output for people: tables, drawings of grids, verdicts, plots and the HTML report.

pub mod answers;
pub mod anytime;
pub mod bundle;
pub mod compare;
pub mod drawing;
mod figures;
mod findings;
mod graphic;
mod grid;
pub mod hardness;
mod html;
pub mod landscape;
mod measurements;
mod network;
mod paragraph;
mod plot;
mod prose;
mod summary;
mod table;

pub use graphic::{FigureFile, FigureOptions, GENERATOR, style_sheet};
pub use grid::draw;
pub use grid::{ClueStyle, TextCanvas, canvas};
pub use html::{PUZZLES, SCRIPTS, configuration};
pub use network::{network, trajectories};
pub use plot::{PlotError, plot};
use prose::{bare_percent, p_in_words, p_value, percent_range, percent_with_interval, range, with_interval};
pub use prose::{calls, columns, counted, decimal, duration, percent, plural, rounded, several, wrap};
pub use prose::{failures, problem_value, short_value, solved_at_once};
pub use summary::{Summary, SummaryBuilder, table};
pub use table::{Cell, Column, Fields, Table, TableFormat, View};

use drawing::{Marks, Style};
use html::Figures;
use kenga_core::puzzle::{Grid, Puzzle};
use kenga_core::text::joined;
use kenga_lab::study::{Comparison, Metric, Question, Study, compare_settings};
use kenga_lab::tune::TuneHistory;
use measurements::Measurements;
use serde_json::Value;

/// The most puzzles with figures of their own; of more, some spread evenly from the easiest to the hardest.
const SHOWN_PUZZLES: usize = 6;

/// The significance level of the verdict.
const ALPHA: f64 = 0.05;

/// The room of a puzzle that is drawn by itself, in pixels.
const ROOM: f64 = 420.0;

/// A report on a study.
pub struct Report {
    /// The page: HTML, with nothing to load.
    pub page: String,
    /// Its figures as files, with distinct names.
    pub figures: Vec<FigureFile>,
}

/// Measures the settings of a study; `None` where no run has ended, or all of them failed.
fn measured<'a>(study: &'a Study, by: &[String]) -> Option<Measurements<'a>> {
    if study.all_failed().is_some() {
        return None;
    }
    let measurements = Measurements::new(study, by, SHOWN_PUZZLES, ALPHA);
    if measurements.settings.is_empty() { None } else { Some(measurements) }
}

/// Makes the report of a study, with the settings joined that have the same values of `by`; the same study gives the same
/// bytes. `None` where no run has ended, or all of them failed.
pub fn report(study: &Study, by: &[String], title: Option<&str>, options: FigureOptions) -> Option<Report> {
    let mut measurements = measured(study, by)?;
    if options.is_chosen {
        measurements.order = (0..measurements.settings.len()).collect();
    }
    let names = joined(study.folders.iter().map(|folder| folder.name.as_str()), ", ");
    let title = title.map_or(names, str::to_owned);
    let mut figures = Figures::of(&measurements);
    let page = html::page(&measurements, &title, &on_puzzles(&measurements, study), &figures);
    measurements.print_width = options.pixels();
    if measurements.print_width.is_some() {
        figures = Figures::of(&measurements);
    }
    Some(Report { page, figures: figures.files(options) })
}

/// What a report finds, as an object for programs: comparisons, advice on restarts, importance of parameters. `None` where no
/// run has ended, or all of them failed.
pub fn findings(study: &Study, by: &[String]) -> Option<Value> {
    let measurements = measured(study, by)?;
    Some(findings::as_json(&measurements, &on_puzzles(&measurements, study)))
}

/// Makes the report of a tuning; `compared` are its best and its default on the held-out puzzles.
pub fn tuning_report(
    history: &TuneHistory,
    title: &str,
    compared: Option<&Comparison>,
    options: FigureOptions,
) -> Report {
    let (page, figures) = html::tuning_page(history, title, compared, options);
    Report { page, figures }
}

/// What stands in the report below its title, to be put into another page. `None` where no run has ended, or all of
/// them failed.
pub fn report_part(study: &Study, by: &[String]) -> Option<String> {
    let measurements = measured(study, by)?;
    Some(html::part(&measurements, &on_puzzles(&measurements, study)))
}

/// Draws a puzzle as an SVG file with its id above: cells, cages, clues and given digits, and those of `grid` if there is one.
///
/// # Panics
/// When the grid has another shape than the puzzle.
pub fn svg(puzzle: &Puzzle, grid: Option<&Grid>) -> String {
    if let Some(grid) = grid {
        let (shape, expected) = ((grid.rows(), grid.cols()), (puzzle.rows(), puzzle.cols()));
        assert_eq!(shape, expected, "grid and puzzle have one shape");
    }
    let marks = grid.map_or_else(|| Marks::new(puzzle), |grid| Marks::new(puzzle).with_grid(grid));
    drawing::picture(puzzle, &marks, &Style { room: Some((ROOM, ROOM)), ..Style::default() }).svg(&puzzle.id)
}

/// The lowest and the highest of some numbers; (∞, −∞) without any.
fn span(numbers: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for number in numbers {
        (low, high) = (low.min(number), high.max(number));
    }
    (low, high)
}

/// The comparison on each puzzle that has figures of its own, where there are several.
fn on_puzzles<'a>(of: &'a Measurements<'_>, study: &Study) -> Vec<(&'a str, Comparison)> {
    let on_puzzle = |part: &'a String| {
        let question = Question::plain(Metric::usual(study), ALPHA).about(study, &of.settings, Some(part));
        Some((part.as_str(), compare_settings(study, &of.settings, &question).ok()?))
    };
    let several = if of.puzzles > 1 { &*of.shown_puzzles } else { &[] };
    several.iter().filter_map(on_puzzle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use kenga_core::puzzle::formats;

    #[test]
    fn a_drawing_has_the_clues_and_the_digits_of_its_grid() {
        let puzzle = formats::read("small", b"2\n3+ A1 A2\n3+ B1 B2\n").remove(0);
        let puzzle = puzzle.unwrap_or_else(|error| panic!("{error}"));
        let grid = Grid::parse("1 2/2 1", 2, 2).expect("a 2x2 grid");
        let digits = |svg: &str| svg.matches(">1</text>").count();
        let (bare, filled) = (svg(&puzzle, None), svg(&puzzle, Some(&grid)));
        assert!(bare.contains("<svg") && bare.contains(">3+</text>") && bare.contains("small"));
        assert_eq!((digits(&bare), digits(&filled)), (0, 2));
    }
}
