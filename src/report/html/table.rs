//! The settings in numbers, one a line.

use maud::{Markup, html};

use super::super::figures::is_worth;
use super::super::measurements::{Advice, Measured, Measurements, Numbers};
use super::super::{counted, rounded};
use crate::stats::{Estimate, Interval};

/// More settings than that are not all shown at once; that many are.
const MOST: usize = 40;
const FIRST: usize = 20;

/// Settings of a puzzle whose numbers are seen at once.
const OPEN: usize = 12;

/// The section with the tables and what their columns mean.
pub(super) fn section(material: &Measurements<'_>) -> Markup {
    let several = material.puzzles > 1;
    html! {
        section id="settings" {
            h2 { "The settings in numbers" }
            @match several {
                true => (folded(material, None, &material.order)),
                false => (folded(material, Some(0), &material.order)),
            }
            @if several {
                @for part in 0..material.parts.len() {
                    details.part open[material.settings.len() <= OPEN] {
                        summary { "On " b { (material.parts[part].puzzle) } " alone" }
                        (folded(material, Some(part), &material.order_of(part)))
                    }
                }
            }
            (explanation(material))
        }
    }
}

/// A table of which, of many settings, the best are seen at once, the others when asked for.
fn folded(material: &Measurements<'_>, part: Option<usize>, order: &[usize]) -> Markup {
    let shown = if order.len() > MOST { FIRST } else { order.len() };
    html! {
        (table(material, part, 0, &order[..shown]))
        @if shown < order.len() {
            details {
                summary { "The other " (order.len() - shown) " settings" }
                (table(material, part, shown, &order[shown..]))
            }
        }
    }
}

/// The settings from some place on as a table, on one puzzle or over all.
fn table(material: &Measurements<'_>, part: Option<usize>, first: usize, settings: &[usize]) -> Markup {
    let labels = &material.labels;
    let has_ranks = material.ranks.is_some() && (part.is_none() || material.puzzles == 1);
    html! {
        div.wide {
            table data-rows={ "settings" @if let Some(part) = part { "-" (part + 1) } } {
                thead {
                    tr {
                        th.number { "#" }
                        @for column in &labels.columns { th { (column) } }
                        th.number { "solved" }
                        @match part {
                            None => {
                                th.number { "mean share, %" span.interval { "95 %, these puzzles" } }
                                th.number { "the next puzzle, %" span.interval { "95 %" } }
                            },
                            Some(_) => {
                                th.number { "share, %" span.interval { "95 %" } }
                                th.number { "median calls" span.interval { "95 %" } }
                                th.number { "expected calls" span.interval { "95 %" } }
                            }
                        }
                        th.number { "PAR-10" @if part.is_none() { span.interval { "mean" } } }
                        @if has_ranks { th.number { "rank" } }
                        @if part.is_some() { th.number { "restart after" } }
                    }
                }
                tbody {
                    @for (place, setting) in (first..).zip(settings) {
                        tr {
                            td.number { (place + 1) }
                            @for value in &labels.rows[*setting] { td { (value) } }
                            @match part.and_then(|part| material.numbers(*setting, part)) {
                                Some(numbers) => (on_puzzle(numbers)),
                                None => (over_all(&material.settings[*setting])),
                            }
                            @if let Some(ranks) = material.ranks.as_ref().filter(|_| has_ranks) {
                                td.number { (format!("{:.2}", ranks.line.average[*setting])) }
                            }
                            @if let Some(numbers) = part.and_then(|part| material.numbers(*setting, part)) {
                                td.number { (restart(numbers.advice.as_ref())) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn over_all(one: &Measured<'_>) -> Markup {
    html! {
        (solved(one.solved, one.runs()))
        (share(&one.share))
        td.number {
            @if let Some(Interval { low, high }) = one.share_next { (format!("{:.0} to {:.0}", low * 100.0, high * 100.0)) }
        }
        td.number { (calls(one.par10)) }
    }
}

fn on_puzzle(one: &Numbers) -> Markup {
    html! {
        (solved(one.solved, one.runs()))
        (share(&one.share))
        td.number { (median(&one.median)) }
        td.number { (estimate(&one.ert)) }
        td.number { (calls(one.par10)) }
    }
}

fn solved(solved: u64, runs: u64) -> Markup {
    html! { td.number { (counted(solved)) " of " (counted(runs)) } }
}

fn share(share: &Estimate) -> Markup {
    let percent = |share: f64| format!("{:.0}", share * 100.0);
    let Interval { low, high } = share.interval;
    html! { td.number { (percent(share.value)) span.interval { (percent(low)) " to " (percent(high)) } } }
}

fn calls(value: f64) -> String {
    match value {
        value if !value.is_finite() => "never".to_owned(),
        value if value.fract() == 0.0 && value < 1000.0 => counted(value as u64),
        value => rounded(value),
    }
}

fn interval(interval: Interval) -> Markup {
    html! { span.interval { (calls(interval.low)) " to " (calls(interval.high)) } }
}

fn median(median: &Estimate) -> Markup {
    html! {
        (calls(median.value))
        // Too few runs for an interval, or one that says nothing.
        @if median.interval.low > f64::NEG_INFINITY && median.interval.low.is_finite() { (interval(median.interval)) }
    }
}

fn estimate(estimate: &Estimate) -> Markup {
    html! {
        (calls(estimate.value))
        @if estimate.value.is_finite() { (interval(estimate.interval)) }
    }
}

/// Only advice that is worth following is shown.
fn restart(advice: Option<&Advice>) -> String {
    let worth = advice.filter(|advice| is_worth(advice));
    worth.map_or("–".to_owned(), |advice| counted(advice.test.cutoff as u64))
}

fn explanation(material: &Measurements<'_>) -> Markup {
    html! {
        p.note {
            "Settings from best to worst: a higher share solved, then a lower PAR-10, then a lower mean of the best fitness. Calls are evaluations and moves. "
            @if material.puzzles > 1 {
                "Puzzles do not mix: numbers over the " (material.puzzles) " puzzles are means of those by puzzle, each counting alike, and the interval of the mean share is about these puzzles. “The next puzzle” is where the chance lies to solve another puzzle of this kind, the puzzles being the sample. A median or an expected time over different puzzles would be of none of them. "
                (material.parts_in_words()) " "
            }
            b { "Share" } " with Wilson's interval. "
            b { "Median calls" } " to a solution with the interval from order statistics, runs without a solution censored: "
            q { "never" } " lies beyond what the runs had. "
            b { "Expected calls" } ": all calls spent over the number of solutions, which is what starting anew after each failure takes. "
            b { "PAR-10" } ": mean calls, a run without a solution counting ten times its budget. "
            @if let Some(ranks) = &material.ranks {
                b { "Rank" } ": the average over the " (counted(ranks.blocks as u64)) " blocks of puzzle, seed and replicate that all settings have run; two settings are told apart where their ranks differ by more than "
                (format!("{:.2}", ranks.line.critical_difference)) " (Nemenyi, 5 %). "
            }
            b { "Restart after" } ": the calls after which giving up and starting anew is shown to gain 5 % or more, with Holm's correction over all settings and puzzles."
        }
        @if !material.labels.common.is_empty() {
            p.note {
                "The same in all settings: "
                @for (index, (key, value)) in material.labels.common.iter().enumerate() {
                    @if index > 0 { ", " }
                    code { (key) " = " (value) }
                }
                "."
            }
        }
    }
}
