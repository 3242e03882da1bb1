//! The figures of a report: one file each, and the table of them.

mod convergence;
mod heat;
mod importance;
mod levels;
mod parameter;
mod picture;
mod ranks;
mod restarts;
mod run_length;
mod shown;
mod success;
mod violations;

pub(super) use picture::picture;
pub(super) use restarts::is_worth;

use super::material::Material;
use super::svg::{Svg, WIDTH};

/// The width of one of two charts side by side.
const PANEL: f64 = 480.0;

/// A kind of figure.
pub(super) struct Figure {
    /// The anchor of its section, and the beginning of its files' names.
    pub(super) id: &'static str,
    /// The heading of its section.
    pub(super) title: &'static str,
    /// Draws it, or says in a sentence why there is nothing to draw; with an empty one the section is left out.
    pub(super) draw: fn(&Material<'_>) -> Result<Drawn, String>,
}

/// What stands in the section of a figure.
pub(super) struct Drawn {
    pub(super) drawings: Vec<Drawing>,
    /// Numbers below them.
    pub(super) sheet: Option<Sheet>,
    /// Sentences at the end.
    pub(super) remarks: Vec<String>,
}

/// A small table.
pub(super) struct Sheet {
    pub(super) title: &'static str,
    /// The heads of the columns, and whether numbers stand in them.
    pub(super) head: Vec<(String, bool)>,
    pub(super) rows: Vec<Vec<String>>,
    /// What the columns mean.
    pub(super) note: String,
}

/// One picture.
#[derive(Clone)]
pub(super) struct Drawing {
    /// The name of its file, without the ending.
    pub(super) name: String,
    pub(super) title: String,
    /// What is seen, and how it was computed.
    pub(super) caption: String,
    pub(super) svg: Svg,
}

/// Every figure, in the order of the report.
pub(super) static FIGURES: &[Figure] = &[
    success::FIGURE,
    convergence::FIGURE,
    run_length::FIGURE,
    parameter::FIGURE,
    heat::FIGURE,
    importance::FIGURE,
    ranks::FIGURE,
    violations::FIGURE,
];

impl Drawn {
    /// One picture alone.
    fn one(name: &str, title: &str, caption: String, svg: Svg) -> Self {
        let (name, title) = (name.to_owned(), title.to_owned());
        Self::of(vec![Drawing { name, title, caption, svg }])
    }

    /// Pictures alone.
    fn of(drawings: Vec<Drawing>) -> Self {
        Self { drawings, sheet: None, remarks: Vec::new() }
    }
}

/// The width of a chart of which there is one for each puzzle: of several puzzles two stand side by side.
fn panel_width(material: &Material<'_>) -> f64 {
    if material.parts.len() > 1 { PANEL } else { WIDTH }
}

/// A share in per cent: `37 %`; what is not all is not rounded to all, what is not none not to none.
fn percent(share: f64) -> String {
    let rounded = (share * 100.0).round();
    match share {
        share if share > 0.0 && rounded < 1.0 => "< 1 %".to_owned(),
        share if share < 1.0 && rounded > 99.0 => "> 99 %".to_owned(),
        _ => format!("{rounded:.0} %"),
    }
}
