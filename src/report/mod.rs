//! Output for people: tables, drawings of grids, verdicts, plots and the HTML report.

pub mod compare;
mod figures;
mod graphic;
mod grid;
mod html;
mod measurements;
mod plot;
mod prose;
mod summary;
mod table;

pub use graphic::GENERATOR;
pub use grid::draw;
pub use html::FigureFile;
pub use plot::{PlotError, plot};
pub(crate) use prose::failures;
use prose::{bare_percent, p_in_words, p_value};
pub use prose::{columns, counted, duration, percent, plural, rounded, several, wrap};
pub use summary::{Summary, SummaryBuilder, table};
pub use table::{Cell, Column, Field, Table, TableFormat, View};

use crate::study::{Arm, Comparison, Metric, Question, Study, compare_arms};
use measurements::Measurements;

/// The most puzzles with figures of their own; of more, some spread evenly from the easiest to the hardest.
const PARTS: usize = 6;

/// The significance level of the verdict.
const ALPHA: f64 = 0.05;

/// A report on a study.
pub struct Report {
    /// The page: HTML, with nothing to load.
    pub page: String,
    /// Its figures as files, with distinct names.
    pub figures: Vec<FigureFile>,
}

/// Makes the report of a study, with the settings joined that have the same values of `by`; the same study gives the same
/// bytes. `None` where no run has ended.
pub fn report(study: &Study, by: &[String], title: Option<&str>) -> Option<Report> {
    let measurements = Measurements::new(study, by, PARTS, ALPHA);
    if measurements.arms.is_empty() {
        return None;
    }
    let names: Vec<&str> = study.sources.iter().map(|source| source.name.as_str()).collect();
    let title = title.map_or_else(|| names.join(", "), str::to_owned);
    let (page, figures) = html::page(&measurements, &title, &on_puzzles(&measurements, study));
    Some(Report { page, figures })
}

/// The comparison on each puzzle that has figures of its own, where there are several.
fn on_puzzles<'a>(of: &'a Measurements<'_>, study: &Study) -> Vec<(&'a str, Comparison)> {
    let question = Question::new(study, &of.arms, Metric::Calls, ALPHA);
    let on_puzzle = |part: &'a String| {
        let arms: Vec<Arm<'_>> = of.arms.iter().filter_map(|arm| arm.on(part)).collect();
        Some((part.as_str(), compare_arms(study, &arms, &question).ok()?))
    };
    let several = if of.puzzles > 1 { &*of.parts } else { &[] };
    several.iter().filter_map(on_puzzle).collect()
}
