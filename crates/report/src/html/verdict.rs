//! The verdict: what the runs show, in a sentence and in the table that it rests on.

use maud::{Markup, html};

use super::super::compare::{comparisons, headline, next_puzzle, remarks};
use super::super::measurements::Measurements;
use super::super::paragraph::on_page;
use super::super::prose::short_value;
use super::super::{counted, percent, percent_range, problem_value, several};
use super::run;
use kenga_core::budget::StopReason;
use kenga_lab::study::Comparison;

/// The section: the comparison over all puzzles, and those on single puzzles.
pub(super) fn section(measurements: &Measurements<'_>, on_puzzles: &[(&str, Comparison)]) -> Markup {
    let over_all = measurements.comparison.as_ref();
    let finding = over_all.map_or_else(|| without_comparison(measurements), headline);
    html! {
        section id="verdict" {
            h2 { "Verdict" }
            p.headline { (on_page(&finding)) }
            (run::summary(measurements))
            // Where nothing was solved there are no times to compare.
            @if measurements.solved() > 0 || measurements.is_by_fitness { (tables(over_all, on_puzzles, measurements.subject.noun())) }
        }
    }
}

fn tables(over_all: Option<&Comparison>, on_puzzles: &[(&str, Comparison)], noun: &str) -> Markup {
    html! {
        @if let Some(found) = over_all {
            (comparisons(found).folded_page("compared"))
            @if let Some(table) = next_puzzle(found) { (table.folded_page("next-puzzle")) }
            @for remark in remarks(found) { p.note { (on_page(&remark)) } }
        }
        @for (place, (puzzle, found)) in on_puzzles.iter().enumerate() {
            details.part {
                summary { "On " b { (puzzle) } ": " (on_page(&headline(found))) }
                (comparisons(found).folded_page(&format!("compared-{}", place + 1)))
            }
        }
        @if usize::from(over_all.is_some()) + on_puzzles.len() > 1 {
            p.note { "The first verdict is over all " (noun) "s. A verdict on one " (noun) " holds for that " (noun) ", and Holm's correction covers the tests of one table." }
        }
    }
}

/// What the runs show where there are no two settings to compare.
fn without_comparison(measurements: &Measurements<'_>) -> String {
    let (runs, solved) = (measurements.runs(), measurements.solved());
    let (subject, noun) = (measurements.subject_on(None), measurements.subject.noun());
    if runs == 1 {
        return only_run(measurements);
    }
    let [only] = measurements.stats() else {
        return format!("{} of {} solved their {noun}.", counted(solved), several(runs, "run"));
    };
    if measurements.is_by_fitness {
        return format!(
            "The mean of the {} over {} is {}.",
            subject.best(),
            several(runs, "run"),
            short_value(subject.value(only.mean))
        );
    }
    let interval = format!("95 %: {} %", percent_range(only.share.interval));
    let share = percent(only.share.value);
    match measurements.puzzles {
        1 => format!(
            "{} of {} solved the {noun}: {share} ({interval}).",
            counted(solved),
            several(runs, "run")
        ),
        puzzles => format!(
            "{} of {} solved their {noun}: {share} on average over {} ({interval}, on these {noun}s).",
            counted(solved),
            several(runs, "run"),
            several(puzzles as u64, noun)
        ),
    }
}

/// The result of the only run.
fn only_run(measurements: &Measurements<'_>) -> String {
    let (study, run) = (measurements.study, measurements.first_run());
    let runs = &study.runs;
    let puzzle = study.puzzle_of(run);
    let calls = several(runs.calls(run), "call");
    match runs.best_fitness[run] {
        _ if runs.solved[run] => format!("The only run solved {puzzle} after {calls}."),
        Some(best) if measurements.subject.is_own_problem => {
            let subject = measurements.subject_on(None);
            let value = problem_value(subject.value(f64::from(best)));
            let bound = if runs.stop[run] == StopReason::Bound { ", the bound," } else { "" };
            format!("The {} of the only run is {value}{bound} after {calls}.", subject.best())
        }
        Some(best) => {
            format!("The only run did not solve {puzzle}: its best fitness is {best} after {calls}.")
        }
        None => format!("The only run did not solve {puzzle}."),
    }
}
