//! What was run, and how to reproduce it.

use std::path::Path;

use maud::{Markup, PreEscaped, html};

use super::super::drawing::{Marks, Style, picture};
use super::super::figures::Drawing;
use super::super::measurements::{FigureName, Measurements};
use super::super::{counted, failures, plural, several, solved_at_once};
use super::configuration::{self, configuration, listed, values};
use kenga_core::budget::Budget;
use kenga_core::puzzle::{Grid, Puzzle, Role, check};
use kenga_core::text::quoted_path;
use kenga_lab::study::StudyFolder;

/// The most puzzles with a picture.
const PICTURES: usize = 4;

/// The experiment in a line of numbers.
pub(super) fn summary(measurements: &Measurements<'_>) -> Markup {
    let puzzles = measurements.study.puzzles().len() as u64;
    let settings = measurements.settings.len() as u64;
    let (runs, planned) = (measurements.runs(), measurements.planned());
    let study = measurements.study;
    let cut = study.counted_runs().filter(|run| study.runs.was_cut_by_the_clock(*run)).count() as u64;
    html! {
        dl.summary {
            (number(&counted(settings), &plural(settings, "setting")))
            (number(&counted(puzzles), &plural(puzzles, measurements.subject.noun())))
            (number(&counted(runs), &plural(runs, "run")))
            @if !measurements.is_by_fitness { (number(&counted(measurements.solved()), "solved")) }
        }
        @if cut > 0 {
            p.warning { (counted(cut)) @if cut == 1 { " run was" } @else { " runs were" } " stopped by the time limit: such runs cannot be reproduced." }
        }
        @if let Some(words) = failures(measurements.failed()) { p.warning { (words) } }
        @if let Some(words) = solved_at_once(measurements.solved_at_once(), measurements.subject.noun()) { p.warning { (words) } }
        @for folder in 0..measurements.study.folders.len() { (race(measurements, folder)) }
        @for folder in &measurements.study.folders {
            @if let Some(note) = folder.rows.note() { p.warning { (folder.name) ": " (note) } }
        }
        @for note in measurements.study.doubles() { p.note { (note) "." } }
        @if measurements.study.is_part() {
            p.note { "Only a choice of settings or puzzles is shown: tests are corrected for these alone." }
        } @else if runs < planned {
            p.warning { "The experiment has not ended: " (counted(runs)) " of " (counted(planned)) " runs are complete. The page covers only these; " code { "--resume" } " makes the others." }
        }
    }
}

/// The state of a race, and what it means for p-values and intervals.
fn race(measurements: &Measurements<'_>, folder: usize) -> Markup {
    let settings = &measurements.study.folders[folder].plan.settings;
    let (Some(race), Some(rules)) = (measurements.study.race(folder), settings.race) else {
        return html! {};
    };
    let (left, all) = (race.left().len(), settings.all.len());
    let is_whole = measurements.comparison.as_ref().is_some_and(|comparison| comparison.is_race);
    html! {
        p.warning {
            "A race: " (counted(left as u64)) " of " (counted(all as u64)) " settings are left after " (counted(race.block())) " blocks."
            @if left < all {
                " The others were dropped because of their results: they have fewer runs, and look worse than they are."
            }
            @if is_whole {
                " The race looked after every block: p-values that compare settings are corrected for "
                @match rules.last {
                    Some(last) => { "all looks up to block " (counted(last)) }
                    None => { "these looks and for those at blocks that are added later" }
                }
                ", intervals are not."
            } @else if left < all {
                " No p-value compares them with others, because none is valid for a part of a race."
            }
        }
    }
}

fn number(value: &str, of: &str) -> Markup {
    html! { div { dd { (value) } dt { (of) } } }
}

/// The first puzzles as pictures.
pub(super) fn pictures(measurements: &Measurements<'_>) -> Vec<Drawing> {
    let mut drawings = Vec::new();
    // A problem of the user's own has no grid.
    if measurements.subject.is_own_problem {
        return drawings;
    }
    for (index, puzzle) in measurements.study.puzzles().into_iter().take(PICTURES).enumerate() {
        let (mut marks, mut by) = (Marks::new(puzzle), "no run has solved it".to_owned());
        if let Some((grid, run)) = solution(measurements, puzzle) {
            (marks, by) = (marks.with_grid(&grid), run);
        }
        let name = FigureName::new(format!("puzzle-{}", index + 1), &puzzle.id);
        let room = if puzzle.rows().max(puzzle.cols()) > 12 { 620.0 } else { 330.0 };
        let room = measurements.print_width.map_or(room, |width| width.min(room));
        drawings.push(Drawing::new(name, format!("{}; {by}", in_words(puzzle)), room, |width| {
            picture(puzzle, &marks, &Style { room: Some((width, width)), ..Style::default() }).graphic
        }));
    }
    drawings
}

/// The grid of the first run that solved a puzzle, and which run that is, in words.
fn solution(measurements: &Measurements<'_>, puzzle: &Puzzle) -> Option<(Grid, String)> {
    let study = measurements.study;
    for run in study.counted_runs().filter(|run| study.runs.solved[*run]) {
        // The first run of each setting that solved a puzzle has a grid.
        let Some(grid) = study.runs.grids.get(&run).filter(|_| **study.puzzle_of(run) == *puzzle.id) else {
            continue;
        };
        let Ok(grid) = Grid::parse(grid, puzzle.rows(), puzzle.cols()) else { continue };
        if !check(puzzle, &grid).failures.is_empty() {
            continue;
        }
        let label = &study.settings[study.runs.setting[run] as usize].label;
        let which = if measurements.settings.len() > 1 { format!(" ({label})") } else { String::new() };
        let calls = several(study.runs.calls(run), "call").replace(' ', "\u{a0}");
        return Some((grid, format!("solved by run {}{which} after {calls}", study.runs.run[run])));
    }
    None
}

fn in_words(puzzle: &Puzzle) -> String {
    let mut text = format!("{} {}×{}", puzzle.kind.name(), puzzle.rows(), puzzle.cols());
    let nouns =
        [(Role::Cage, "cage", "cages"), (Role::Entry, "entry", "entries"), (Role::Given, "given", "givens")];
    for (role, one, many) in nouns {
        match puzzle.groups_with(role).count() {
            0 => {}
            1 => text += &format!(", 1 {one}"),
            count => text += &format!(", {count} {many}"),
        }
    }
    text
}

/// The section on the puzzles and on each folder.
pub(super) fn section(measurements: &Measurements<'_>, pictures: &[Drawing]) -> Markup {
    let all = measurements.study.puzzles().len();
    html! {
        section id="run" {
            h2 { "What was run" }
            div.puzzles {
                @for drawing in pictures {
                    figure id={ "figure-" (drawing.name) } {
                        (PreEscaped(drawing.inline()))
                        figcaption { b { (drawing.title) } " — " (drawing.caption) }
                    }
                }
            }
            @if all > pictures.len() && !measurements.subject.is_own_problem { p.note { "Of " (all) " puzzles the first " (pictures.len()) " are shown." } }
            @for (index, folder) in measurements.study.folders.iter().enumerate() {
                @if measurements.study.folders.len() > 1 { h3 { (folder.name) } }
                (facts(measurements, index, folder))
            }
        }
    }
}

fn facts(measurements: &Measurements<'_>, index: usize, folder: &StudyFolder) -> Markup {
    let config = &folder.plan.config;
    let settings = &folder.plan.settings;
    let mut runs = folder.doubles.len();
    for setting in &measurements.study.settings {
        if setting.folder == index {
            runs += setting.runs().len();
        }
    }
    html! {
        dl.facts {
            @if measurements.subject.is_own_problem { dt { "Problem" } dd { (configuration::problem(folder)) } }
            dt { "Algorithm" } dd { (configuration::algorithm(folder)) }
            dt { "Budget of a run" } dd { (budget(folder)) }
            dt { "Runs" } dd { (counted(runs as u64)) ": " (several(settings.all.len() as u64, "setting")) " × " (several(folder.plan.puzzles.len() as u64, measurements.subject.noun())) " × " (several(config.replicates, "replicate")) (missing(measurements, index, runs as u64)) }
            @if !settings.keys.is_empty() {
                dt { "Swept" } dd { @for (place, key) in settings.keys.iter().enumerate() { @if place > 0 { "; " } code { (key) } " = " (values(folder, key)) } }
            }
            dt { "Seed" } dd { (config.seed) }
            dt { "Written by" } dd { "kenga " (env!("CARGO_PKG_VERSION")) }
        }
    }
}

/// Why there are fewer runs than settings × puzzles × replicates.
fn missing(measurements: &Measurements<'_>, folder: usize, runs: u64) -> &'static str {
    let StudyFolder { plan, doubles, .. } = &measurements.study.folders[folder];
    match runs {
        runs if runs < measurements.planned_of(folder) + doubles.len() as u64 => {
            ", of which some are missing"
        }
        runs if runs < plan.runs() => ", of which the race saved the others",
        _ => "",
    }
}

/// The bounds of a run, with the values of all settings.
fn budget(folder: &StudyFolder) -> String {
    type Bound = fn(&Budget) -> Option<f64>;
    const BOUNDS: [(&str, Bound); 4] = [
        ("evaluations", |budget| budget.evaluations.map(|count| count as f64)),
        ("moves", |budget| budget.moves.map(|count| count as f64)),
        ("generations", |budget| budget.generations.map(|count| count as f64)),
        ("seconds", |budget| budget.seconds),
    ];
    let mut parts = Vec::new();
    for (name, bound) in BOUNDS {
        let mut values = Vec::new();
        for setting in &folder.plan.settings.all {
            values.extend(bound(&setting.config.budget));
        }
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let mut shown = Vec::new();
        for value in values {
            shown.push(if value.fract() == 0.0 { counted(value as u64) } else { value.to_string() });
        }
        if !shown.is_empty() {
            parts.push(format!("{} {name}", listed(&shown, " or ")));
        }
    }
    match parts.len() {
        0 | 1 => parts.concat(),
        _ => format!("{}, whichever ends first", parts.join(", ")),
    }
}

/// The section on how to reproduce the experiment: commands, and the configuration as TOML.
pub(super) fn repeat(measurements: &Measurements<'_>) -> Markup {
    html! {
        section id="repeat" {
            h2 { "How to reproduce it" }
            @for folder in &measurements.study.folders {
                @if measurements.study.folders.len() > 1 { h3 { (folder.name) } }
                p {
                    "To check every claim of the folder, and replay every run and compare it byte by byte"
                    @if folder.plan.starts_programs() { "; programs are started in the current folder" }
                    ":"
                }
                pre tabindex="0" { code { "kenga validate " (quoted_path(&folder.named)) " --replay all" @if folder.plan.starts_programs() { " --programs ." } } }
                (written(folder))
            }
        }
    }
}

fn written(folder: &StudyFolder) -> Markup {
    let (text, is_whole) = configuration(&folder.plan, configuration::PUZZLES);
    // The name may be a whole path.
    let short = folder.name.rsplit('/').next().unwrap_or_default();
    let name = format!("{short}.toml");
    html! {
        p {
            "To run the same experiment again, save the configuration below as " code { (name) }
            @if folder.plan.config.has_own_problem() { " beside the program of the problem:" }
            @else { " beside the folder's " code { "puzzles.jsonl" } ":" }
        }
        pre tabindex="0" { code { "kenga run --config " (quoted_path(Path::new(&name))) " --out " (quoted_path(Path::new(&format!("{short}-again")))) } }
        @if !is_whole {
            p.warning { "The folder does not keep enough to write the sweep as one configuration: this is that of the first setting, and all settings are in settings.jsonl." }
        }
        details open[text.lines().count() <= 60] {
            summary { "The configuration, every default filled in" }
            pre tabindex="0" { code { (text) } }
        }
    }
}
