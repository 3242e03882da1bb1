//! The settings in numbers, one a line.

use maud::{Markup, html};

use super::super::material::{Material, Measured};
use super::super::{counted, rounded};
use crate::stats::{Estimate, Interval, Median, RestartAdvice};

/// More settings than that are not all shown at once; that many are.
const MOST: usize = 40;
const FIRST: usize = 20;

/// The section with the table and what its columns mean.
pub(super) fn section(material: &Material<'_>) -> Markup {
    // Of many settings the best are seen at once, the others when asked for.
    let shown = if material.order.len() > MOST { FIRST } else { material.order.len() };
    html! {
        section id="settings" {
            h2 { "The settings in numbers" }
            (table(material, 0, &material.order[..shown]))
            @if shown < material.order.len() {
                details {
                    summary { "The other " (material.order.len() - shown) " settings" }
                    (table(material, shown, &material.order[shown..]))
                }
            }
            (explanation(material))
        }
    }
}

/// The settings from some place on as a table.
fn table(material: &Material<'_>, first: usize, settings: &[usize]) -> Markup {
    let labels = &material.labels;
    html! {
        div.wide {
            table {
                thead {
                    tr {
                        th.number { "#" }
                        @for column in &labels.columns { th { (column) } }
                        th.number { "solved" }
                        th.number { "share, %" span.interval { "95 %" } }
                        th.number { "median calls" span.interval { "95 %" } }
                        th.number { "expected calls" span.interval { "95 %" } }
                        th.number { "PAR-10" }
                        @if material.ranks.is_some() { th.number { "rank" } }
                        @if material.puzzles == 1 { th.number { "restart after" } }
                    }
                }
                tbody {
                    @for (place, setting) in (first..).zip(settings) { (row(material, place, *setting)) }
                }
            }
        }
    }
}

fn row(material: &Material<'_>, place: usize, setting: usize) -> Markup {
    let one: &Measured<'_> = &material.settings[setting];
    html! {
        tr {
            td.number { (place + 1) }
            @for value in &material.labels.rows[setting] { td { (value) } }
            td.number { (counted(one.solved)) " of " (counted(one.runs())) }
            td.number { (format!("{:.0}", one.rate() * 100.0)) span.interval { (format!("{:.0} to {:.0}", one.share.low * 100.0, one.share.high * 100.0)) } }
            td.number { (median(&one.median)) }
            td.number { (estimate(&one.ert)) }
            td.number { (calls(one.par10)) }
            @if let Some(ranks) = &material.ranks { td.number { (format!("{:.2}", ranks.line.average[setting])) } }
            @if material.puzzles == 1 { td.number { (restart(one.advice.as_ref())) } }
        }
    }
}

fn calls(value: f64) -> String {
    if value.is_finite() { rounded(value) } else { "never".to_owned() }
}

fn interval(interval: Interval) -> Markup {
    html! { span.interval { (calls(interval.low)) " to " (calls(interval.high)) } }
}

fn median(median: &Median) -> Markup {
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
fn restart(advice: Option<&RestartAdvice>) -> String {
    let worth = advice.filter(|advice| advice.ratio.high < 1.0);
    worth.and_then(|advice| advice.cutoff).map_or("–".to_owned(), |cutoff| counted(cutoff as u64))
}

fn explanation(material: &Material<'_>) -> Markup {
    html! {
        p.note {
            "Settings from best to worst: more runs solved, then fewer expected calls, then a lower mean of the best fitness. Calls are evaluations and moves. "
            b { "Share" } " with Wilson's interval. "
            b { "Median calls" } " to a solution with the interval from order statistics, runs without a solution censored: "
            q { "never" } " lies beyond what the runs had. "
            b { "Expected calls" } ": all calls spent over the number of solutions, which is what starting anew after each failure takes; percentile interval of 2 000 bootstrap resamples over runs. "
            b { "PAR-10" } ": mean calls, a run without a solution counting ten times the longest run of all ("
            (counted(material.longest as u64)) " calls). "
            @if let Some(ranks) = &material.ranks {
                b { "Rank" } ": the average over " (counted(ranks.blocks as u64)) " blocks of puzzle, seed and replicate; two settings are told apart where their ranks differ by more than "
                (format!("{:.2}", ranks.line.critical_difference)) " (Nemenyi, 5 %). "
            }
            @if material.puzzles == 1 {
                b { "Restart after" } ": the calls after which giving up and starting anew is worth it, where the whole 95 % interval says so."
            } @else {
                "All numbers are over the runs of " (material.puzzles) " puzzles together."
            }
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
