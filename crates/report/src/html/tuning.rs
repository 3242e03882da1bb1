//! The page of a tuning.

use maud::{Markup, PreEscaped, html};

use super::super::compare::as_page;
use super::super::figures::{Drawing, tuning_drawings};
use super::super::graphic;
use super::super::table::{Cell, Column, Table};
use super::super::{calls, counted, decimal, several};
use super::{PAGE_STYLE, figure, script};
use crate::{FigureFile, FigureOptions};
use kenga_lab::experiment::short_key;
use kenga_lab::study::Comparison;
use kenga_lab::tune::{Cost, Decision, TuneHistory};

/// Makes the page of a tuning and the files of its figures.
pub(crate) fn tuning_page(
    history: &TuneHistory,
    title: &str,
    compared: Option<&Comparison>,
    options: FigureOptions,
) -> (String, Vec<FigureFile>) {
    let drawings = tuning_drawings(history, None);
    let printed = options.pixels().map(|width| tuning_drawings(history, Some(width)));
    let files = printed.as_ref().unwrap_or(&drawings).iter().flatten();
    let all = files.flat_map(|drawing| drawing.files(options)).collect();
    let body = html! {
        main {
            h1 { (title) }
            @for note in history.notes() { p.warning { (note) } }
            (verdict(history, compared))
            (best(history))
            (summary(history))
            @for group in &drawings { (section(group)) }
            section id="tests" {
                h2 { "How candidates were dropped" }
                (drops(history))
            }
            section id="configuration" {
                h2 { "The configuration" }
                pre { code { (history.manifest.text) } }
                @if !history.manifest.set.is_empty() { p { "Set over it: " code { (history.manifest.set.join(" ")) } } }
            }
            footer { p { "Made by kenga " (env!("CARGO_PKG_VERSION")) "; the same folder gives the same page." } }
        }
        script { (PreEscaped(script::joined())) }
    };
    let generator = format!("kenga {}", env!("CARGO_PKG_VERSION"));
    (graphic::page(title, &generator, None, &[PAGE_STYLE, script::STYLE].concat(), &body), all)
}

fn section(group: &[Drawing]) -> Markup {
    let heading = match group {
        [one] => &*one.title,
        _ => "Values by iteration",
    };
    html! {
        section {
            h2 { (heading) }
            (figure(heading, group))
        }
    }
}

fn summary(history: &TuneHistory) -> Markup {
    let share = history.used as f64 / history.options.budget as f64 * 100.0;
    html! {
        dl.summary {
            (fact(&counted(history.iterations()), "iterations"))
            (fact(&counted(history.candidates.len() as u64), "candidates"))
            (fact(&counted(history.runs), "runs"))
            (fact(&format!("{} %", decimal(share, 1)), "of the budget"))
        }
        p {
            "Iterated racing over " (several(history.space.keys().len() as u64, "key")) " on "
            (several(history.manifest.puzzles.len() as u64, &format!("training {}", history.options.noun()))) ": "
            (counted(history.used)) " of " (counted(history.options.budget)) " calls (evaluations and moves). "
            (counted(history.cut)) " of " (counted(history.runs)) " runs were cut short because their candidates had cost too much."
        }
    }
}

fn fact(number: &str, what: &str) -> Markup {
    html! { div { dd { (number) } dt { (what) } } }
}

/// What the held-out puzzles say of the best and the default.
fn verdict(history: &TuneHistory, compared: Option<&Comparison>) -> Markup {
    html! {
        section id="verdict" {
            h2 { "Verdict" }
            @match (compared, history.best()) {
                (Some(found), _) => {
                    (as_page(found))
                    p.note { "The best and the default on " (several(history.manifest.held_out.len() as u64, &format!("held-out {}", history.options.noun()))) ", which the tuning did not see." }
                },
                (None, Some(0)) => p.headline { "The default is the best: nothing was shown to be better." },
                (None, _) => p.headline { "There is no comparison on held-out " (history.options.noun()) "s: none are named, the validation has not ended, or the tuning does not hold." },
            }
        }
    }
}

/// The elites of the last race, and the default.
fn best(history: &TuneHistory) -> Markup {
    let last = history.iterations();
    let mut elites: Vec<&Decision> = history.decisions.iter().collect();
    elites.retain(|one| one.is_elite() && one.iteration == last);
    let mut columns =
        ["#", "candidate", "mean cost", "blocks"].map(|name| Column::numbers(name, &[])).to_vec();
    columns.extend(history.space.keys().iter().map(|key| Column::words(short_key(key), "")));
    let mut table = Table::new(columns);
    for one in &elites {
        let place = one.rank.map_or(String::new(), |rank| decimal(rank, 0));
        let numbers = [place, cost(history, one.cost), counted(one.blocks as u64)];
        table.push(row(history, one.candidate, numbers));
    }
    if elites.iter().all(|one| one.candidate != 0) && !history.candidates.is_empty() {
        table.push(row(history, 0, ["default".to_owned(), String::new(), String::new()]));
    }
    html! {
        section id="best" {
            h2 { "The best configurations" }
            (table.page())
        }
    }
}

fn row(history: &TuneHistory, candidate: usize, [place, cost, blocks]: [String; 3]) -> Vec<Cell> {
    let mut words = vec![place, candidate.to_string(), cost, blocks];
    for axis in 0..history.space.keys().len() {
        words.push(history.candidates[candidate].word(axis).unwrap_or_else(|| "–".to_owned()));
    }
    words.into_iter().map(Cell::words).collect()
}

/// A mean cost: of a place two decimals tell, of calls none.
fn cost(history: &TuneHistory, cost: f64) -> String {
    if history.options.cost == Cost::Place { decimal(cost, 2) } else { calls(cost) }
}

/// Of every iteration: newcomers, and how many each test dropped.
fn drops(history: &TuneHistory) -> Markup {
    const TESTS: [&str; 5] = ["capping", "nearness", "friedman", "wilcoxon", "failed"];
    const NAMES: [&str; 8] =
        ["iteration", "newcomers", "blocks", "capping", "nearness", "Friedman", "Wilcoxon", "failed"];
    let mut rows = Vec::new();
    for iteration in 1..=history.iterations() {
        let newcomers = history.candidates.iter().filter(|one| one.iteration == iteration).count();
        let (mut blocks, mut dropped) = (0, [0; TESTS.len()]);
        for one in history.decisions.iter().filter(|one| one.iteration == iteration) {
            blocks = blocks.max(one.blocks as u64);
            for (count, test) in dropped.iter_mut().zip(TESTS) {
                *count += u64::from(!one.is_elite() && one.test == test);
            }
        }
        let [capping, nearness, friedman, wilcoxon, failed] = dropped;
        rows.push([iteration, newcomers as u64, blocks, capping, nearness, friedman, wilcoxon, failed]);
    }
    let fails = rows.iter().any(|row| row[7] > 0);
    let shown = if fails { 8 } else { 7 };
    let mut table = Table::new(NAMES[..shown].iter().map(|name| Column::numbers(*name, &[])));
    for row in rows {
        table.push(row[..shown].iter().map(|number| Cell::count(*number)));
    }
    table.note("Capping drops a newcomer that has cost several times as much as the best on the same blocks. Nearness drops one that has solved none of the first blocks, where another has solved some or has come nearer by the best fitness. Friedman's test with Conover's comparisons, or Wilcoxon's signed ranks where two are left, drops candidates that are worse than the best by ranks.");
    if history.options.cost == Cost::Place {
        table.note("Candidates were compared by their best values: the place of each run among all runs on the same instance, from 0, the best, to 1. So instances with large values weigh as much as the others. Neither capping nor nearness drops anybody then.");
    }
    if fails {
        table.note("A newcomer whose program failed was dropped at once: failures.csv says why.");
    }
    table.page()
}
