//! The figures of a report: one file each, and the table of them.

mod bars;
mod convergence;
mod heat;
mod importance;
mod migrations;
mod operators;
mod parameter;
mod picture;
mod ranks;
mod run_length;
mod selection;
mod success;
mod violations;

pub(super) use picture::{Overlay, picture};
pub(super) use run_length::is_worth;

use super::graphic::{Graphic, NARROW, WIDTH};
use super::measurements::Measurements;
use super::percent;

/// The width of one of two charts side by side.
const PANEL: f64 = 480.0;

/// A kind of figure.
pub(super) struct Figure {
    /// The anchor of its section, and the beginning of its files' names.
    pub(super) id: &'static str,
    /// The heading of its section.
    pub(super) title: &'static str,
    /// Draws it, or says in a sentence why there is nothing to draw; with an empty one the section is left out.
    pub(super) draw: fn(&Measurements<'_>) -> Result<Drawn, String>,
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
    pub(super) graphic: Graphic,
    /// The same for the screen of a telephone, where it is another.
    narrow: Option<Graphic>,
}

impl Drawing {
    /// The picture that `draw` makes of a width: this one, and that of a telephone.
    pub(super) fn new(
        (name, title): (String, String),
        caption: String,
        width: f64,
        draw: impl Fn(f64) -> Graphic,
    ) -> Self {
        let narrow = (width > NARROW).then(|| draw(NARROW));
        Self { name, title, caption, graphic: draw(width), narrow }
    }

    /// The picture as elements of a page, of which the screen shows one.
    pub(super) fn inline(&self) -> String {
        match &self.narrow {
            None => self.graphic.inline(&self.title, ""),
            Some(narrow) => {
                self.graphic.inline(&self.title, " broad") + &narrow.inline(&self.title, " narrow")
            }
        }
    }
}

/// Every figure, in the order of the report.
pub(super) static FIGURES: &[Figure] = &[
    success::FIGURE,
    convergence::FIGURE,
    convergence::POPULATION,
    run_length::FIGURE,
    parameter::FIGURE,
    heat::FIGURE,
    importance::FIGURE,
    ranks::FIGURE,
    operators::FIGURE,
    migrations::FIGURE,
    violations::FIGURE,
];

impl Drawn {
    /// One picture alone.
    fn one(name: &str, title: &str, caption: String, draw: impl Fn(f64) -> Graphic) -> Self {
        Self::of(vec![Drawing::new((name.to_owned(), title.to_owned()), caption, WIDTH, draw)])
    }

    /// Pictures alone.
    fn of(drawings: Vec<Drawing>) -> Self {
        Self { drawings, sheet: None, remarks: Vec::new() }
    }
}

/// The width of a chart of which there is one for each puzzle: of several puzzles two stand side by side.
fn panel_width(material: &Measurements<'_>) -> f64 {
    if material.parts.len() > 1 { PANEL } else { WIDTH }
}
