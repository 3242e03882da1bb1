//! The page: one self-contained HTML file, for light and dark screens and for paper.
//!
//! **Invariant**: the page loads nothing, is complete without its script, and escapes every text of a folder; the same folders
//! give the same bytes. Words and their order may change freely.

mod configuration;
mod run;
mod script;
mod tuning;

pub use configuration::{PUZZLES, configuration};
pub use script::SCRIPTS;
pub(super) use tuning::tuning_page;

use maud::{Markup, PreEscaped, html};

use super::compare::{comparisons, headline, next_puzzle, remarks};
use super::figures::{Drawing, Drawn, FIGURES};
use super::graphic::{self, FigureFile};
use super::measurements::{Advice, Measurements};
use super::{bare_percent, counted, rounded};
use kenga_lab::study::Comparison;
use kenga_stats::{Estimate, Interval};

/// The style of the page; that of the figures precedes it.
const PAGE_STYLE: &str = include_str!("page.css");

/// A section of the page.
struct Section {
    id: &'static str,
    title: &'static str,
    /// The figures, or why there are none.
    drawn: Result<Drawn, String>,
}

/// Makes the page and the files of its figures; `on_puzzles` holds the comparisons on single puzzles.
pub(super) fn page(
    measurements: &Measurements<'_>,
    title: &str,
    on_puzzles: &[(&str, Comparison)],
) -> (String, Vec<FigureFile>) {
    let (sections, pictures) = (sections(measurements), run::pictures(measurements));
    let mut files: Vec<FigureFile> = pictures.iter().flat_map(Drawing::files).collect();
    for drawn in sections.iter().filter_map(|section| section.drawn.as_ref().ok()) {
        files.extend(drawn.drawings.iter().flat_map(Drawing::files));
    }
    let verdict = verdict(measurements.comparison.as_ref(), on_puzzles);
    let article = article(measurements, &verdict, &sections, &pictures);
    let body = html! {
        main {
            h1 { (title) }
            (article)
        }
        script { (PreEscaped(script::joined())) }
    };
    let generator = format!("kenga {}", env!("CARGO_PKG_VERSION"));
    (graphic::page(title, &generator, None, &[PAGE_STYLE, script::STYLE].concat(), &body), files)
}

/// What stands in the page below its title.
pub(super) fn part(measurements: &Measurements<'_>, on_puzzles: &[(&str, Comparison)]) -> String {
    let (sections, pictures) = (sections(measurements), run::pictures(measurements));
    let verdict = verdict(measurements.comparison.as_ref(), on_puzzles);
    article(measurements, &verdict, &sections, &pictures).into_string()
}

fn sections(measurements: &Measurements<'_>) -> Vec<Section> {
    let mut sections = Vec::new();
    for figure in FIGURES {
        let drawn = (figure.draw)(measurements);
        if drawn.as_ref().is_err_and(String::is_empty) {
            continue;
        }
        sections.push(Section { id: figure.id, title: figure.title, drawn });
    }
    sections
}

fn article(
    measurements: &Measurements<'_>,
    verdict: &Markup,
    sections: &[Section],
    pictures: &[Drawing],
) -> Markup {
    html! {
        (run::summary(measurements))
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
        (run::section(measurements, pictures))
        (verdict)
        (settings(measurements))
        @for section in sections {
            section id=(section.id) {
                h2 { (section.title) }
                (content(&section.drawn))
            }
        }
        (run::repeat(measurements))
        footer {
            p { "Made by kenga " (env!("CARGO_PKG_VERSION")) " from " (counted(measurements.runs())) " runs; the same folders give the same page." }
        }
    }
}

/// The verdict: the comparison over all puzzles in a sentence, a table and remarks, and those on single puzzles; empty
/// without comparisons.
fn verdict(over_all: Option<&Comparison>, on_puzzles: &[(&str, Comparison)]) -> Markup {
    html! {
        @if over_all.is_some() || !on_puzzles.is_empty() {
            section id="verdict" {
                h2 { "Verdict" }
                @if let Some(found) = over_all {
                    p { strong { (headline(found)) } }
                    (comparisons(found).page())
                    @if let Some(table) = next_puzzle(found) { (table.page()) }
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

/// The most settings in an open table, and how many of more are.
const MOST: usize = 40;
const FIRST: usize = 20;

/// The most settings for which the tables of single puzzles are open.
const OPEN: usize = 12;

/// The section with the tables of settings and their explanation.
fn settings(measurements: &Measurements<'_>) -> Markup {
    let several = measurements.puzzles > 1;
    html! {
        section id="settings" {
            h2 { "The settings in numbers" }
            (folded(measurements, (!several).then_some(0), &measurements.order))
            @if several {
                @for part in 0..measurements.parts.len() {
                    details.part open[measurements.arms.len() <= OPEN] {
                        summary { "On " b { (measurements.parts[part]) } " alone" }
                        (folded(measurements, Some(part), &measurements.order_of(part)))
                    }
                }
            }
            (explanation(measurements))
        }
    }
}

/// A table of settings; of many the best are open and the others folded.
fn folded(measurements: &Measurements<'_>, part: Option<usize>, order: &[usize]) -> Markup {
    let shown = if order.len() > MOST { FIRST } else { order.len() };
    html! {
        (table(measurements, part, 0, &order[..shown]))
        @if shown < order.len() {
            details {
                summary { "The other " (order.len() - shown) " settings" }
                (table(measurements, part, shown, &order[shown..]))
            }
        }
    }
}

/// A column: its heading, the small line below it, and the cell of a setting.
type NumberColumn<'a> = (&'a str, &'a str, Box<dyn Fn(usize) -> Markup + 'a>);

/// The columns of numbers, on one puzzle or over all.
fn columns<'a>(measurements: &'a Measurements<'_>, part: Option<usize>) -> Vec<NumberColumn<'a>> {
    let sides = measurements.stats();
    let mut columns: Vec<NumberColumn<'a>> = Vec::new();
    if let Some(part) = part {
        let on =
            move |setting: usize| measurements.numbers(setting, part).expect("it has runs of the puzzle");
        columns.push(("solved", "", Box::new(move |setting| solved(on(setting).solved, on(setting).runs))));
        columns.push(("share, %", "95 %", Box::new(move |setting| share(&on(setting).share))));
        columns.push(("median calls", "95 %", Box::new(move |setting| estimate(&on(setting).median))));
        columns.push((
            "expected calls",
            "95 %",
            Box::new(move |setting| on(setting).ert.as_ref().map_or_else(Markup::default, estimate)),
        ));
        columns.push(("PAR-10", "", Box::new(move |setting| html! { (calls(on(setting).par10_value())) })));
    } else {
        columns.push(("solved", "", Box::new(|setting| solved(sides[setting].solved, sides[setting].runs))));
        columns.push((
            "mean share, %",
            "95 %, these puzzles",
            Box::new(|setting| share(&sides[setting].share)),
        ));
        columns.push((
            "the next puzzle, %",
            "95 %",
            Box::new(|setting| {
                html! { @if let Some(ends) = sides[setting].share_next { (bare_percent(ends.low)) " to " (bare_percent(ends.high)) } }
            }),
        ));
        columns.push(("PAR-10", "mean", Box::new(|setting| html! { (calls(sides[setting].par10_value())) })));
    }
    if let Some((line, _)) = measurements.ranks()
        && (part.is_none() || measurements.puzzles == 1)
    {
        columns.push(("rank", "", Box::new(|setting| html! { (format!("{:.2}", line.average[setting])) })));
    }
    if let Some(part) = part {
        columns.push((
            "restart after",
            "",
            Box::new(move |setting| html! { (restart(measurements.advice(setting, part))) }),
        ));
    }
    columns
}

/// The table of some settings, numbered after `first`, on one puzzle or over all.
fn table(measurements: &Measurements<'_>, part: Option<usize>, first: usize, settings: &[usize]) -> Markup {
    let labels = &measurements.labels;
    let columns = columns(measurements, part);
    html! {
        div.wide {
            table data-rows={ "settings" @if let Some(part) = part { "-" (part + 1) } } {
                thead {
                    tr {
                        th.number { "#" }
                        @for column in &labels.columns { th data-key=(column) { (column) } }
                        @for (heading, below, _) in &columns {
                            th.number { (heading) @if !below.is_empty() { span.interval { (below) } } }
                        }
                    }
                }
                tbody {
                    @for (place, setting) in (first..).zip(settings) {
                        tr data-setting=(graphic::setting_key(*setting)) {
                            td.number { (place + 1) }
                            @for value in &labels.rows[*setting] { td { (value) } }
                            @for (_, _, cell) in &columns { td.number { (cell(*setting)) } }
                        }
                    }
                }
            }
        }
    }
}

fn solved(solved: u64, runs: u64) -> Markup {
    html! { (counted(solved)) " of " (counted(runs)) }
}

fn share(share: &Estimate) -> Markup {
    let Interval { low, high } = share.interval;
    html! { (bare_percent(share.value)) span.interval { (bare_percent(low)) " to " (bare_percent(high)) } }
}

fn calls(value: f64) -> String {
    match value {
        value if !value.is_finite() => "never".to_owned(),
        value if value.fract() == 0.0 && value < 1000.0 => counted(value as u64),
        value => rounded(value),
    }
}

/// Calls with their interval, unless that has no bounds.
fn estimate(estimate: &Estimate) -> Markup {
    let Estimate { value, interval: Interval { low, high } } = *estimate;
    html! {
        (calls(value))
        @if low.is_finite() && low > f64::NEG_INFINITY { span.interval { (calls(low)) " to " (calls(high)) } }
    }
}

/// The cutoff, where the advice is worth following.
fn restart(advice: Option<&Advice>) -> String {
    let worth = advice.filter(|advice| advice.is_worth_following());
    worth.map_or("–".to_owned(), |advice| counted(advice.test.cutoff as u64))
}

fn explanation(measurements: &Measurements<'_>) -> Markup {
    html! {
        p.note {
            "Settings from best to worst: a higher share solved, then a lower PAR-10, then a lower mean of the best fitness. Calls are evaluations and moves. "
            @if measurements.puzzles > 1 {
                "Numbers over the " (measurements.puzzles) " puzzles are means of those by puzzle, each counting alike, and the interval of the mean share is about these puzzles. “The next puzzle” is the interval of the chance to solve another puzzle of this kind, with these puzzles as the sample. Medians and expected times are given only for single puzzles. "
                (measurements.parts_note().unwrap_or_default()) " "
            }
            b { "Share" } " with Wilson's interval. "
            b { "Median calls" } " to a solution with the interval from order statistics, runs without a solution censored: "
            q { "never" } " lies beyond what the runs had. "
            b { "Expected calls" } ": all calls spent over the number of solutions, the cost of a search that restarts after each failure. "
            b { "PAR-10" } ": mean calls, a run without a solution counting ten times its budget. "
            @if let Some((line, blocks)) = measurements.ranks() {
                b { "Rank" } ": the average over the " (counted(blocks as u64)) " blocks of puzzle, seed and replicate that all settings have run; two settings differ significantly where their ranks differ by more than "
                (format!("{:.2}", line.critical_difference)) " (Nemenyi, 5 %). "
            }
            b { "Restart after" } ": the cutoff after which a restart gains 5 % or more, significantly with Holm's correction over all settings and puzzles."
        }
        @if !measurements.labels.common.is_empty() {
            p.note {
                "The same in all settings: "
                @for (index, (key, value)) in measurements.labels.common.iter().enumerate() {
                    @if index > 0 { ", " }
                    code { (key) " = " (value) }
                }
                "."
            }
        }
    }
}
