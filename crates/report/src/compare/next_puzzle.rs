//! The differences on the next puzzle of the kind, beside those on these puzzles.

use serde_json::{Value, json};

use super::super::table::{Cell, Column, Fields, Note, Table};
use super::super::{decimal, p_value, percent};
use super::cells::{MARK, estimate, ratio_cell, rounded_percent};
use super::interval_95;
use super::quantities::{points, unit};
use super::words::bracketed;
use kenga_lab::study::{Comparison, NextPuzzle, Pair};

/// The differences on the next puzzle of the kind, from best to worst; `None` where nothing says what it shows.
pub fn next_puzzle(comparison: &Comparison) -> Option<Table> {
    let rows: Vec<NextRow<'_>> =
        comparison.pairs.iter().filter_map(|pair| Some((pair, pair.next?))).collect();
    if rows.is_empty() {
        return None;
    }
    let level = rounded_percent(1.0 - comparison.alpha);
    let is_time = comparison.metric.is_time();
    let name = |row: &NextRow<'_>| Cell::words(comparison.settings[row.0.second].name.clone());
    let unit = unit(comparison.metric);
    let difference = if is_time {
        Column::estimate(format!("× {unit} ({level} %)"), "ratio")
    } else {
        Column::estimate(format!("A12 ({level} %)"), "a12")
    };
    let mut fields: Fields<'_, NextRow<'_>> = Fields::default();
    fields.add(Column::words("setting", "setting"), name);
    let is_shown = |row: &NextRow<'_>| row.0.is_shown_of_kind(comparison.alpha);
    fields.add(difference, move |row| {
        let cell = if is_time {
            ratio_cell(Some(row.1.difference))
        } else {
            estimate(Some(row.1.difference), &|value| decimal(value, 2))
        };
        cell.strong_if(is_shown(row))
    });
    fields.add(Column::numbers("p", &["p_holm"]), |row| {
        p_alone(row.1.holm, if is_shown(row) { MARK } else { "" }).strong_if(is_shown(row))
    });
    if comparison.facts.subject.can_be_solved {
        let heading = format!("solved, points ({level} %)");
        let share = Column::numbers(heading, &["share_difference", "share_low", "share_high"]).priority(1);
        fields.add(share, |row| estimate(Some(row.1.share), &points));
        let share_p = Column::numbers("p, solved", &["share_p_holm"]).priority(1);
        fields.add(share_p, |row| p_alone(row.1.share_holm, ""));
    }
    let (reference, noun) =
        (&comparison.settings[comparison.reference].spoken, comparison.facts.subject.noun());
    let mut table = Table::of(&rows, fields).titled(format!(
        "On the next {noun} of this kind, compared with the reference, {}:",
        bracketed(reference)
    ));
    let sample = match &comparison.groups {
        Some(name) => format!("families of {noun}s (by {name})"),
        None => format!("{noun}s"),
    };
    let mut note = Note::default().sentence(format!(
        "The {sample} that both have are the sample, with one value each (Student’s interval and test)."
    ));
    if is_time {
        let units = rows[0].1.units;
        let nouns = if comparison.groups.is_some() { "families".to_owned() } else { format!("{noun}s") };
        // A part of this size is missed in one experiment of twenty.
        let unseen = percent(1.0 - 0.05_f64.powf(1.0 / units as f64));
        note = note.sentence(format!(
            "Up to {unseen} of the {nouns} of this kind may be unlike these {units}: if a setting never solves those, the ratio is larger than its interval."
        ));
    }
    table.paragraph(note);
    Some(table)
}

/// A pair and its difference on the next puzzle.
type NextRow<'a> = (&'a Pair, NextPuzzle);

fn p_alone(p: f64, mark: &str) -> Cell {
    Cell::new(p_value(p) + mark, [json!(p)])
}

/// The difference on the next puzzle: of times the ratio of what a solution costs, else A12.
pub(super) fn as_json(next: &NextPuzzle, pair: &Pair, comparison: &Comparison) -> Value {
    let name = if comparison.metric.is_time() { "ratio" } else { "a12" };
    json!({
        "puzzles": next.puzzles,
        "units": next.units,
        "units_needed": next.needed,
        name: interval_95(Some(next.difference)),
        "p": next.p,
        "p_holm": next.holm,
        "shown": pair.is_shown_of_kind(comparison.alpha),
        "share_difference": interval_95(Some(next.share)),
        "share_p": next.share_p,
        "share_p_holm": next.share_holm,
    })
}
