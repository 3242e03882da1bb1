//! The tables of settings in numbers.

use maud::{Markup, html};

use super::super::graphic;
use super::super::measurements::{Advice, Measurements};
use super::super::prose::{short_value, with_interval};
use super::super::table::{is_long, open_rows};
use super::super::{bare_percent, calls, counted, decimal, percent_range, several};
use kenga_stats::{Estimate, Interval};

/// The most settings for which the tables of single puzzles are open.
const OPEN: usize = 12;

/// The heading of the section.
pub(super) fn title(measurements: &Measurements<'_>) -> &'static str {
    if measurements.settings.len() == 1 { "The setting in numbers" } else { "The settings in numbers" }
}

/// The section with the tables of settings and their explanation.
pub(super) fn section(measurements: &Measurements<'_>) -> Markup {
    let several = measurements.puzzles > 1;
    html! {
        section id="settings" {
            h2 { (title(measurements)) }
            (folded(measurements, (!several).then_some(0), &measurements.order))
            @if several {
                @for part in 0..measurements.shown_puzzles.len() {
                    details.part open[measurements.settings.len() <= OPEN] {
                        summary { "On " b { (measurements.shown_puzzles[part]) } " alone" }
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
    let shown = open_rows(order.len());
    html! {
        (table(measurements, part, 0, &order[..shown]))
        @if shown < order.len() {
            details {
                summary { "The other " (several((order.len() - shown) as u64, "setting")) }
                (table(measurements, part, shown, &order[shown..]))
            }
        }
    }
}

/// A column of numbers.
struct NumberColumn<'a> {
    heading: &'a str,
    /// The small line below the heading.
    below: &'a str,
    /// The cell of a setting.
    cell: Box<dyn Fn(usize) -> Markup + 'a>,
}

/// The columns of numbers of a table, from left to right.
#[derive(Default)]
struct NumberColumns<'a>(Vec<NumberColumn<'a>>);

impl<'a> NumberColumns<'a> {
    fn add(&mut self, heading: &'a str, below: &'a str, cell: impl Fn(usize) -> Markup + 'a) {
        self.0.push(NumberColumn { heading, below, cell: Box::new(cell) });
    }
}

/// The columns of numbers, on one puzzle or over all.
fn columns<'a>(measurements: &'a Measurements<'_>, part: Option<usize>) -> NumberColumns<'a> {
    let sides = measurements.stats();
    let mut columns = NumberColumns::default();
    if measurements.is_by_fitness {
        add_fitness_columns(&mut columns, measurements, part);
    } else if let Some(part) = part {
        let on =
            move |setting: usize| measurements.numbers(setting, part).expect("it has runs of the puzzle");
        columns.add("solved", "", move |setting| solved(on(setting).solved, on(setting).runs));
        columns.add("share, %", "95 %", move |setting| share(&on(setting).share));
        columns.add("median calls", "95 %", move |setting| estimate(&on(setting).median));
        columns.add("calls per solution", "95 %", move |setting| {
            on(setting).ert.as_ref().map_or_else(Markup::default, estimate)
        });
    } else {
        columns.add("solved", "", |setting| solved(sides[setting].solved, sides[setting].runs));
        let noun = measurements.subject.noun();
        columns.add(
            "mean share, %",
            if noun == "puzzle" { "95 %, these puzzles" } else { "95 %, these instances" },
            |setting| share(&sides[setting].share),
        );
        columns.add(
            if noun == "puzzle" { "the next puzzle, %" } else { "the next instance, %" },
            "95 %",
            |setting| {
                html! { @if let Some(ends) = sides[setting].share_next { (percent_range(ends)) } }
            },
        );
        columns.add("calls per solution", "95 %", |setting| {
            sides[setting].ert.as_ref().map_or_else(Markup::default, estimate)
        });
        if measurements.subject.is_own_problem {
            let subject = measurements.subject_on(None);
            columns.add(subject.best(), "mean", move |setting| {
                html! { (short_value(subject.value(sides[setting].fitness))) }
            });
        }
    }
    if let Some((line, _)) = measurements.ranks()
        && (part.is_none() || measurements.puzzles == 1)
    {
        columns.add("rank", "", |setting| html! { (decimal(line.average[setting], 2)) });
    }
    if let Some(part) = part
        && !measurements.is_by_fitness
    {
        columns.add(
            "restart after",
            "",
            move |setting| html! { (restart(measurements.advice(setting, part))) },
        );
    }
    columns
}

/// Adds the columns of a problem whose best value is unknown, on one instance or over all.
fn add_fitness_columns<'a>(
    columns: &mut NumberColumns<'a>,
    measurements: &'a Measurements<'_>,
    part: Option<usize>,
) {
    let sides = measurements.stats();
    let Some(part) = part else {
        let subject = measurements.subject_on(None);
        columns.add("runs", "", |setting| html! { (counted(sides[setting].runs)) });
        columns.add(subject.best(), "mean", move |setting| {
            html! { (short_value(subject.value(sides[setting].mean))) }
        });
        return;
    };
    let subject = measurements.subject_on(Some(part));
    let on = move |setting: usize| measurements.numbers(setting, part).expect("it has runs of the instance");
    columns.add("runs", "", move |setting| html! { (counted(on(setting).runs)) });
    columns.add(subject.best(), "median (95 %)", move |setting| {
        html! { (with_interval(&subject.estimate(on(setting).median), &short_value)) }
    });
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
                        @for NumberColumn { heading, below, .. } in &columns.0 {
                            th.number { (heading) @if !below.is_empty() { span.interval { (below) } } }
                        }
                    }
                }
                tbody {
                    @for (place, setting) in (first..).zip(settings) {
                        tr data-setting=(graphic::setting_key(*setting)) {
                            td.number { (place + 1) }
                            @for value in &labels.rows[*setting] { td class=[is_long(value).then_some("long")] { (value) } }
                            @for column in &columns.0 { td.number { ((column.cell)(*setting)) } }
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
    html! { (bare_percent(share.value)) span.interval { (percent_range(share.interval)) } }
}

/// Calls with their interval, unless that has no bounds.
fn estimate(estimate: &Estimate) -> Markup {
    let Estimate { value, interval: Interval { low, high } } = *estimate;
    html! {
        (calls(value))
        // Where not even the lower end is known, `never` says it all.
        @if low.is_finite() { span.interval { (calls(low)) " to " (calls(high)) } }
    }
}

/// Whether a run has not solved its puzzle, so that a time may be `never`.
fn has_failures(measurements: &Measurements<'_>) -> bool {
    measurements.stats().iter().any(|side| side.solved < side.runs)
}

/// The cutoff, where the advice is worth following.
fn restart(advice: Option<&Advice>) -> String {
    let worth = advice.filter(|advice| advice.is_worth_following());
    worth.map_or("–".to_owned(), |advice| counted(advice.test.cutoff as u64))
}

/// What the columns of a problem mean whose best value is unknown.
fn fitness_explanation(measurements: &Measurements<'_>) -> Markup {
    let subject = measurements.subject_on(None);
    html! {
        p.note {
            @if measurements.settings.len() > 1 { "Settings from best to worst: a " (subject.better()) " on average. " }
            @if subject.scale.is_none() { "Fitness is the distance from the bound of the problem, in its units. " }
            "The best value is unknown, so that no run counts as solved. "
            @if measurements.puzzles > 1 {
                "Means are over the " (measurements.puzzles) " instances, each counting alike. "
                (measurements.parts_note().unwrap_or_default()) " "
            }
            "Medians have the interval from order statistics. "
            (ranks_explained(measurements))
        }
    }
}

fn ranks_explained(measurements: &Measurements<'_>) -> Markup {
    html! {
        @if let Some((line, ranked)) = measurements.ranks() {
            @let noun = measurements.subject.noun();
            @let units = if measurements.puzzles > 1 { several(ranked as u64, noun) } else { format!("{} of the {noun}", several(ranked as u64, "start")) };
            b { "Rank" } ": the average over the " (units) " that all settings have; two settings differ significantly where their ranks differ by more than "
            (decimal(line.critical_difference, 2)) " (Nemenyi, 5\u{a0}%). "
        }
    }
}

fn explanation(measurements: &Measurements<'_>) -> Markup {
    html! {
        @if measurements.is_by_fitness {
            (fitness_explanation(measurements))
        } @else {
            (calls_explanation(measurements))
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

fn calls_explanation(measurements: &Measurements<'_>) -> Markup {
    let several = measurements.puzzles > 1;
    let on_one = !measurements.shown_puzzles.is_empty();
    let noun = measurements.subject.noun();
    html! {
        p.note {
            @if measurements.settings.len() > 1 {
                "Settings from best to worst: a lower cost of a solution, then a higher share solved, then a lower mean of the final fitness. "
            }
            "Calls are evaluations and moves. "
            @if several {
                "Numbers over the " (measurements.puzzles) " " (noun) "s are means of those by " (noun) ", each counting alike, and the interval of the mean share is about these " (noun) "s. “The next " (noun) "” is the interval of the chance to solve another " (noun) " of this kind, with these " (noun) "s as the sample. "
                @if on_one { "Medians are given only for single " (noun) "s. " }
                (measurements.parts_note().unwrap_or_default()) " "
            }
            @if on_one {
                b { "Share" } " with Wilson's interval. "
                b { "Median calls" } " to a solution with the interval from order statistics, runs without a solution censored"
                @if has_failures(measurements) { ": " q { "never" } " is beyond the budgets of the runs" }
                ". "
                b { "Calls per solution" } ": all calls spent over the number of solutions, the cost of a search that restarts after each failure. "
            }
            (ranks_explained(measurements))
            @if on_one {
                b { "Restart after" } ": the cutoff after which a restart gains 5\u{a0}% or more, significantly with Holm's correction over all settings and " (noun) "s."
            }
        }
    }
}
