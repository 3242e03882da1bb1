//! The page: one HTML file with nothing to load, for light and dark screens and for paper.

mod configuration;
mod run;
mod table;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::compare::{comparisons, headline, remarks};
use super::counted;
use super::figures::{Drawing, Drawn, FIGURES};
use super::graphic::{printable, style_sheet};
use super::measurements::Measurements;
use crate::study::Comparison;

/// The style of the page around the figures, whose own is [`style_sheet`].
const PAGE_STYLE: &str = include_str!("page.css");

/// Sorts tables, hides curves and shows their values; without it the page shows the same. It loads and sends nothing.
const SCRIPT: &str = include_str!("page.js");

/// A figure as a file of its own.
pub struct FigureFile {
    /// The name of the file, such as `success.svg`.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// A section with what stands in it.
struct Section {
    id: &'static str,
    title: &'static str,
    /// The figures, or the sentence in their place.
    drawn: Result<Drawn, String>,
}

/// Makes the page and the files of its figures; `on_puzzles` holds comparisons on single puzzles beside that over all.
pub(super) fn page(
    material: &Measurements<'_>,
    title: &str,
    on_puzzles: &[(&str, Comparison)],
) -> (String, Vec<FigureFile>) {
    let sections: Vec<Section> = FIGURES
        .iter()
        .map(|figure| Section { id: figure.id, title: figure.title, drawn: (figure.draw)(material) })
        .filter(|section| !section.drawn.as_ref().is_err_and(String::is_empty))
        .collect();
    let pictures = run::pictures(material);
    let drawings =
        sections.iter().filter_map(|section| section.drawn.as_ref().ok()).flat_map(|drawn| &drawn.drawings);
    let files = pictures.iter().chain(drawings).flat_map(files).collect();
    let page =
        whole(material, title, &verdict(material.comparison.as_ref(), on_puzzles), &sections, &pictures)
            .into_string();
    // It may be large, and hardly ever holds what cannot be printed.
    let is_sound = page.chars().all(|c| printable(c) == c);
    (if is_sound { page } else { page.chars().map(printable).collect() }, files)
}

/// A picture as SVG and as PDF.
fn files(drawing: &Drawing) -> [FigureFile; 2] {
    let Drawing { name, title, graphic, .. } = drawing;
    [
        FigureFile { name: format!("{name}.svg"), bytes: graphic.svg_file(title).into_bytes() },
        FigureFile { name: format!("{name}.pdf"), bytes: graphic.pdf_file(title) },
    ]
}

fn whole(
    material: &Measurements<'_>,
    title: &str,
    verdict: &Markup,
    sections: &[Section],
    pictures: &[Drawing],
) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "kenga " (env!("CARGO_PKG_VERSION")) };
                title { (title) }
                style { (PreEscaped(style_sheet())) (PreEscaped(PAGE_STYLE)) }
            }
            body {
                main {
                    h1 { (title) }
                    (run::summary(material))
                    nav aria-label="Contents" {
                        ol {
                            li { a href="#run" { "What was run" } }
                            @if !verdict.0.is_empty() { li { a href="#verdict" { "Verdict" } } }
                            li { a href="#settings" { "The settings in numbers" } }
                            @for section in sections.iter().filter(|section| section.drawn.is_ok()) {
                                li { a href={ "#" (section.id) } { (section.title) } }
                            }
                            li { a href="#repeat" { "How to reproduce it" } }
                        }
                    }
                    (run::section(material, pictures))
                    (verdict)
                    (table::section(material))
                    @for section in sections {
                        section id=(section.id) {
                            h2 { (section.title) }
                            (content(&section.drawn))
                        }
                    }
                    (run::repeat(material))
                    footer {
                        p { "Made by kenga " (env!("CARGO_PKG_VERSION")) " from " (counted(material.runs())) " runs; the same folders give the same page." }
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// The verdict: what a comparison over all puzzles has found, in a sentence, a table and remarks, and what those on single
/// puzzles have; nothing without any.
fn verdict(over_all: Option<&Comparison>, on_puzzles: &[(&str, Comparison)]) -> Markup {
    html! {
        @if over_all.is_some() || !on_puzzles.is_empty() {
            section id="verdict" {
                h2 { "Verdict" }
                @if let Some(found) = over_all {
                    p { strong { (headline(found)) } }
                    (comparisons(found).page())
                    @for remark in remarks(found) { p.note { (remark) } }
                }
                @for (puzzle, found) in on_puzzles {
                    details.part {
                        summary { "On " b { (puzzle) } ": " (headline(found)) }
                        (comparisons(found).page())
                    }
                }
                @if usize::from(over_all.is_some()) + on_puzzles.len() > 1 {
                    p.note { "The first verdict is over all puzzles. A verdict on one puzzle holds for that puzzle, and Holm's correction covers the tests of one table." }
                }
            }
        }
    }
}

fn content(drawn: &Result<Drawn, String>) -> Markup {
    html! {
        @match drawn {
            Err(why) => p.absent { (why) },
            Ok(drawn) => {
                @for drawings in drawn.drawings.chunk_by(|a, b| a.caption == b.caption) { (figure(drawings)) }
                @if let Some((heading, table)) = &drawn.table { h3 { (heading) } (table.page()) }
                @if !drawn.remarks.is_empty() {
                    ul.remarks { @for remark in &drawn.remarks { li { (remark) } } }
                }
            }
        }
    }
}

/// Pictures that share a caption.
fn figure(drawings: &[Drawing]) -> Markup {
    html! {
        figure {
            div.panels {
                @for drawing in drawings {
                    div.panel id={ "figure-" (drawing.name) } {
                        h3 { (drawing.title) }
                        (PreEscaped(drawing.inline()))
                    }
                }
            }
            @if let Some(drawing) = drawings.first() { figcaption { (drawing.caption) } }
        }
    }
}
