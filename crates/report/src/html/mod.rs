//! The page: one self-contained HTML file, for light and dark screens and for paper.
//!
//! **Invariant**: the page loads nothing, is complete without its script, and escapes every text of a folder; the same folders
//! give the same bytes. Words and their order may change freely.

mod configuration;
mod run;
mod script;
mod settings;
mod tuning;
mod verdict;

pub use configuration::{PUZZLES, configuration};
pub use script::SCRIPTS;
pub(super) use tuning::tuning_page;

use maud::{Markup, PreEscaped, html};

use super::figures::{Drawing, Drawn, FIGURES, NotDrawn};
use super::graphic::{self, FigureFile};
use super::measurements::Measurements;
use super::paragraph::on_page;
use super::several;
use kenga_lab::study::Comparison;

/// The style of the page; that of the figures precedes it.
const PAGE_STYLE: &str = include_str!("page.css");

/// The figures of a page.
struct Figures {
    sections: Vec<Section>,
    /// Why other figures are not drawn, a sentence each.
    missing: Vec<String>,
    puzzles: Vec<Drawing>,
}

/// A section with figures.
struct Section {
    id: &'static str,
    title: &'static str,
    drawn: Drawn,
}

impl Figures {
    fn of(measurements: &Measurements<'_>) -> Self {
        let mut figures =
            Self { sections: Vec::new(), missing: Vec::new(), puzzles: run::pictures(measurements) };
        for figure in FIGURES {
            match (figure.draw)(measurements) {
                Ok(drawn) => figures.sections.push(Section { id: figure.id, title: figure.title, drawn }),
                Err(NotDrawn::Silently) => {}
                Err(NotDrawn::Because(why)) => figures.missing.push(why),
            }
        }
        figures
    }

    fn files(&self) -> Vec<FigureFile> {
        let mut files: Vec<FigureFile> = self.puzzles.iter().flat_map(Drawing::files).collect();
        for section in &self.sections {
            files.extend(section.drawn.drawings.iter().flat_map(Drawing::files));
        }
        files
    }
}

/// Makes the page and the files of its figures; `on_puzzles` holds the comparisons on single puzzles.
pub(super) fn page(
    measurements: &Measurements<'_>,
    title: &str,
    on_puzzles: &[(&str, Comparison)],
) -> (String, Vec<FigureFile>) {
    let figures = Figures::of(measurements);
    let body = html! {
        main {
            h1 { (title) }
            (article(measurements, on_puzzles, &figures))
        }
        script { (PreEscaped(script::joined())) }
    };
    let generator = format!("kenga {}", env!("CARGO_PKG_VERSION"));
    let page = graphic::page(title, &generator, None, &[PAGE_STYLE, script::STYLE].concat(), &body);
    (page, figures.files())
}

/// What stands in the page below its title.
pub(super) fn part(measurements: &Measurements<'_>, on_puzzles: &[(&str, Comparison)]) -> String {
    article(measurements, on_puzzles, &Figures::of(measurements)).into_string()
}

/// The verdict first, then the numbers and the figures that it rests on, and last how the experiment was set up.
fn article(measurements: &Measurements<'_>, on_puzzles: &[(&str, Comparison)], figures: &Figures) -> Markup {
    html! {
        (verdict::section(measurements, on_puzzles))
        nav aria-label="Contents" {
            ol {
                li { a href="#settings" { (settings::title(measurements)) } }
                @for section in &figures.sections { li { a href={ "#" (section.id) } { (section.title) } } }
                li { a href="#run" { "What was run" } }
                li { a href="#repeat" { "How to reproduce it" } }
            }
        }
        (settings::section(measurements))
        @for section in &figures.sections {
            section id=(section.id) {
                h2 { (section.title) }
                (content(section.title, &section.drawn))
            }
        }
        @if !figures.missing.is_empty() {
            section id="missing" {
                h2 { "Not drawn" }
                ul.remarks { @for why in &figures.missing { li { (why) } } }
            }
        }
        (run::section(measurements, &figures.puzzles))
        (run::repeat(measurements))
        footer {
            p { "Made by kenga " (env!("CARGO_PKG_VERSION")) " from " (several(measurements.runs(), "run")) "; the same folders give the same page." }
        }
    }
}

/// The figures, the numbers and the remarks below a heading.
fn content(heading: &str, drawn: &Drawn) -> Markup {
    html! {
        // Panels with one caption are one figure.
        @for drawings in drawn.drawings.chunk_by(|a, b| a.caption == b.caption) { (figure(heading, drawings)) }
        @if let Some((title, table)) = &drawn.table { h3 { (title) } (table.page()) }
        @if !drawn.remarks.is_empty() {
            ul.remarks { @for remark in &drawn.remarks { li { (remark) } } }
        }
    }
}

/// Pictures that share a caption, below a heading.
fn figure(heading: &str, drawings: &[Drawing]) -> Markup {
    html! {
        figure {
            div.panels {
                @for drawing in drawings {
                    div.panel id={ "figure-" (drawing.name) } {
                        @if drawing.title != heading { h3 { (drawing.title) } }
                        (PreEscaped(drawing.inline()))
                    }
                }
            }
            @if let Some(drawing) = drawings.first() { figcaption { (on_page(&drawing.caption)) } }
        }
    }
}
