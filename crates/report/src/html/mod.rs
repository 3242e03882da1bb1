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
use super::graphic::{self, FigureFile, FigureOptions};
use super::measurements::Measurements;
use super::paragraph::on_page;
use super::several;
use kenga_lab::study::Comparison;

/// The style of the page; that of the figures precedes it.
const PAGE_STYLE: &str = include_str!("page.css");

/// The figures of a page.
pub(super) struct Figures {
    /// The figure at the top.
    picture: Option<Section>,
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
    /// The figures that there is something for.
    pub(super) fn of(measurements: &Measurements<'_>) -> Self {
        let puzzles = run::pictures(measurements);
        let mut figures = Self { picture: None, sections: Vec::new(), missing: Vec::new(), puzzles };
        for figure in FIGURES {
            match (figure.draw)(measurements) {
                Ok(drawn) => figures.sections.push(Section { id: figure.id, title: figure.title, drawn }),
                Err(NotDrawn::Silently) => {}
                Err(NotDrawn::Because(why)) => figures.missing.push(why),
            }
        }
        figures.lift_picture(measurements.labels.factors().len());
        figures
    }

    /// Moves the curve of a sweep over one key, or the first map of one over two, to the top of the page.
    fn lift_picture(&mut self, keys: usize) {
        let id = ["", "parameter", "heat"].get(keys).copied().unwrap_or_default();
        let Some(place) = self.sections.iter().position(|section| section.id == id) else { return };
        let Section { title, drawn, .. } = &mut self.sections[place];
        // Panels with one caption are one figure.
        let count = drawn.drawings.chunk_by(|a, b| a.caption == b.caption).next().map_or(0, <[Drawing]>::len);
        let rest = drawn.drawings.split_off(count);
        let drawings = std::mem::replace(&mut drawn.drawings, rest);
        let mut picture = Section { id: "picture", title, drawn: Drawn::of(drawings) };
        if drawn.drawings.is_empty() {
            // Others link to the section, which has nothing left.
            picture.id = id;
            self.sections.remove(place);
        }
        self.picture = Some(picture);
    }

    /// The figures as files.
    pub(super) fn files(&self, options: FigureOptions) -> Vec<FigureFile> {
        let mut drawings: Vec<&Drawing> = self.puzzles.iter().collect();
        for section in self.picture.iter().chain(&self.sections) {
            drawings.extend(&section.drawn.drawings);
        }
        drawings.into_iter().flat_map(|drawing| drawing.files(options)).collect()
    }
}

/// Makes the page; `on_puzzles` holds the comparisons on single puzzles.
pub(super) fn page(
    measurements: &Measurements<'_>,
    title: &str,
    on_puzzles: &[(&str, Comparison)],
    figures: &Figures,
) -> String {
    let body = html! {
        main {
            h1 { (title) }
            (article(measurements, on_puzzles, figures))
        }
        script { (PreEscaped(script::joined())) }
    };
    let generator = format!("kenga {}", env!("CARGO_PKG_VERSION"));
    graphic::page(title, &generator, None, &[PAGE_STYLE, script::STYLE].concat(), &body)
}

/// What stands in the page below its title.
pub(super) fn part(measurements: &Measurements<'_>, on_puzzles: &[(&str, Comparison)]) -> String {
    article(measurements, on_puzzles, &Figures::of(measurements)).into_string()
}

/// A picture and the verdict first, then the numbers and the figures that it rests on, and last how the experiment was set
/// up.
fn article(measurements: &Measurements<'_>, on_puzzles: &[(&str, Comparison)], figures: &Figures) -> Markup {
    html! {
        @if let Some(picture) = &figures.picture { section id=(picture.id) { (content(picture.title, &picture.drawn)) } }
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
                ul.remarks { @for why in &figures.missing { li { (on_page(why)) } } }
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
