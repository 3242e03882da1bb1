//! The figures of a report: one file each, and the table of them.

mod convergence;
mod heat;
mod importance;
mod levels;
mod parameter;
mod picture;
mod ranks;
mod run_length;
mod shown;
mod success;
mod violations;

pub(super) use picture::picture;

use super::material::Material;
use super::svg::Svg;

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
    /// Sentences below them.
    pub(super) remarks: Vec<String>,
}

/// One picture.
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
        Self { drawings: vec![Drawing { name, title, caption, svg }], remarks: Vec::new() }
    }
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
