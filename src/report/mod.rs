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
mod table;
mod wrap;

pub use grid::draw;
pub use html::FigureFile;
pub use number::{counted, duration, rounded, several};
pub use plot::{PlotError, plot};
pub use summary::{Summary, Summing, table};
pub use svg::GENERATOR;
pub use table::{Cell, Column, Format, Table, View};
pub use wrap::{columns, wrap};

use crate::study::{self, Arm, Metric, Question, Study};
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
    let material = Material::new(study, by, PARTS);
    if material.settings.is_empty() {
        return None;
    }
    let names: Vec<&str> = study.sources.iter().map(|source| source.name.as_str()).collect();
    let title = title.map_or_else(|| names.join(", "), str::to_owned);
    let (page, figures) = html::page(&material, &title, &verdicts(&material, study, by));
    Some(Report { page, figures })
}

/// The verdict over all puzzles, paired by puzzle and replicate, and of several that on each that is shown; nothing where
/// there is nothing to compare.
fn verdicts(material: &Material<'_>, study: &Study, by: &[String]) -> Vec<Verdict> {
    let arms: Vec<Arm<'_>> = study.arms(by).into_iter().filter(|arm| !arm.runs.is_empty()).collect();
    let question = Question::new(study, &arms, Metric::Calls, ALPHA);
    let verdict = |puzzle: Option<&str>, arms: &[Arm<'_>]| {
        let found = study::compare(arms, question.clone()).ok()?;
        let sentences = match puzzle {
            Some(_) => compare::brief_verdict(&found),
            None => compare::verdict(&found),
        };
        Some(Verdict { puzzle: puzzle.map(str::to_owned), sentences })
    };
    let of_puzzle = |part: &Part| {
        let puzzle = &part.puzzle;
        let arms: Vec<Arm<'_>> = arms.iter().filter_map(|arm| on(arm, puzzle)).collect();
        verdict(Some(puzzle), &arms)
    };
    let several = if material.puzzles > 1 { &*material.parts } else { &[] };
    verdict(None, &arms).into_iter().chain(several.iter().filter_map(of_puzzle)).collect()
}

/// The runs of a side on one puzzle; `None` without any.
fn on<'a>(arm: &Arm<'a>, puzzle: &str) -> Option<Arm<'a>> {
    let runs: Vec<_> = arm.runs.iter().filter(|(block, _)| block.puzzle == puzzle).cloned().collect();
    let (name, values, settings) = (arm.name.clone(), arm.values.clone(), arm.settings.clone());
    (!runs.is_empty()).then_some(Arm { name, values, settings, runs })
}
