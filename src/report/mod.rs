//! What people look at: tables, drawings of grids, verdicts in words, plots and the HTML report.

pub mod compare;
mod configuration;
mod figures;
mod grid;
mod html;
mod lines;
mod material;
mod number;
mod plot;
mod summary;
mod svg;

pub use grid::draw;
pub use html::FigureFile;
pub use number::{counted, duration, rounded};
pub use plot::{PlotError, plot};
pub use summary::{Summary, Summing, table};

use crate::results::{Arm, Study};
use material::Material;

/// Puzzles that have curves of their own; of more the runs are taken together.
const PARTS: usize = 4;

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
    let material = Material::new(study, by, PARTS);
    if material.settings.is_empty() {
        return None;
    }
    let names: Vec<&str> = study.sources.iter().map(|source| source.name.as_str()).collect();
    let title = title.map_or_else(|| names.join(", "), str::to_owned);
    let arms: Vec<Arm<'_>> = study.arms(by).into_iter().filter(|arm| !arm.runs.is_empty()).collect();
    let verdict = compare::compare(&arms, compare::Metric::Calls, ALPHA, None).ok();
    let (page, figures) = html::page(&material, &title, verdict.as_ref().map(compare::verdict).as_deref());
    Some(Report { page, figures })
}
