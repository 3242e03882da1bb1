//! What people look at: tables, drawings of grids, verdicts in words, plots and the HTML report.

pub mod compare;
mod configuration;
mod figures;
mod graphic;
mod grid;
mod html;
mod lines;
mod material;
mod number;
mod plot;
mod summary;
mod table;
mod wrap;

pub use graphic::GENERATOR;
pub use grid::draw;
pub use html::FigureFile;
pub use number::{counted, duration, percent, rounded, several};
pub use plot::{PlotError, plot};
pub use summary::{Labels, Summary, Summing, table};
pub use table::{Cell, Column, Format, Table, View};
pub use wrap::{columns, wrap};

use crate::study::{Arm, Comparison, Metric, Question, Study, compare_arms};
use html::Verdict;
use material::{Material, Part};

/// Puzzles that are shown by themselves; of more some that lie evenly between easy and hard.
const PARTS: usize = 6;

/// The chance that the verdict claims a difference where there is none.
const ALPHA: f64 = 0.05;

/// A study as a page to look at.
pub struct Report {
    /// The page: HTML, with nothing to load.
    pub page: String,
    /// Its figures as files of their own, with names that differ.
    pub figures: Vec<FigureFile>,
}

/// Makes the report of a study, settings with the same values of `by` taken together; the same study gives the same
/// bytes. `None` where no run has ended.
pub fn report(study: &Study, by: &[String], title: Option<&str>) -> Option<Report> {
    let material = Material::new(study, by, PARTS, ALPHA);
    if material.settings.is_empty() {
        return None;
    }
    let names: Vec<&str> = study.sources.iter().map(|source| source.name.as_str()).collect();
    let title = title.map_or_else(|| names.join(", "), str::to_owned);
    let (page, figures) = html::page(&material, &title, &verdicts(&material, study));
    Some(Report { page, figures })
}

/// The verdict over all puzzles, and of several that on each that is shown; nothing where there is nothing to compare.
fn verdicts<'a>(material: &'a Material<'_>, study: &Study) -> Vec<Verdict<'a>> {
    let arms = || material.settings.iter().map(|setting| &setting.arm);
    let all: Vec<Arm<'_>> = arms().cloned().collect();
    let question = Question::new(study, &all, Metric::Calls, ALPHA);
    let of_puzzle = |part: &Part| {
        let arms: Vec<Arm<'_>> = arms().filter_map(|arm| arm.on(&part.puzzle)).collect();
        let found: Comparison = compare_arms(study, &arms, &question).ok()?;
        Some(Verdict { puzzle: Some(part.puzzle.clone()), comparison: found.into() })
    };
    let over_all = material.comparison.as_ref();
    let over_all = over_all.map(|found| Verdict { puzzle: None, comparison: found.into() });
    let several = if material.puzzles > 1 { &*material.parts } else { &[] };
    over_all.into_iter().chain(several.iter().filter_map(of_puzzle)).collect()
}
