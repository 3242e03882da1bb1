//! The differences on the next puzzle of the kind, beside those on these puzzles.

use serde_json::{Value, json};

use super::super::table::{Cell, Column, Fields, Note, Table};
use super::super::{p_value, rounded};
use super::cells::{MARK, estimate, estimate_as, ratio_cell, rounded_percent};
use super::interval_95;
use super::words::{bracketed, points};
use kenga_lab::study::{Comparison, Metric, NextPuzzle, Pair};
use kenga_stats::Estimate;

/// The differences on the next puzzle of the kind, from best to worst; `None` where nothing says what it shows.
pub fn next_puzzle(comparison: &Comparison) -> Option<Table> {
    let rows: Vec<NextRow<'_>> =
        comparison.pairs.iter().filter_map(|pair| Some((pair, pair.next?))).collect();
    if rows.is_empty() {
        return None;
    }
    let level = rounded_percent(comparison.level);
    let is_time = comparison.metric.is_time();
    let name = |row: &NextRow<'_>| Cell::words(comparison.settings[row.0.second].name.clone());
    let difference = if is_time {
        Column::estimate(format!("× PAR-10 ({level} %)"), "ratio")
    } else {
        Column::estimate(format!("difference ({level} %)"), "difference")
    };
    let mut fields: Fields<'_, NextRow<'_>> = Fields::default();
    fields.add(Column::words("setting", "setting"), name);
    fields.add(difference, move |row| difference_cell(comparison, row.1.difference));
    if comparison.subject.can_be_solved {
        let heading = format!("solved, points ({level} %)");
        let share = Column::numbers(heading, &["share_difference", "share_low", "share_high"]).priority(1);
        fields.add(share, |row| estimate(Some(row.1.share), &points));
        let share_p = Column::numbers("p, shares", &["share_p_holm"]).priority(2);
        fields.add(share_p, |row| p_alone(row.1.share_holm, ""));
    }
    fields.add(Column::numbers("p", &["p_holm"]), |row| {
        p_alone(row.1.holm, if row.0.is_shown_of_kind(comparison.alpha) { MARK } else { "" })
    });
    let (reference, noun) = (&comparison.settings[comparison.reference].spoken, comparison.subject.noun());
    let mut table = Table::of(&rows, fields).titled(format!(
        "On the next {noun} of this kind, compared with the reference, {}:",
        bracketed(reference)
    ));
    for (row, _) in rows.iter().enumerate().filter(|(_, row)| row.0.is_shown_of_kind(comparison.alpha)) {
        table.set_off(row);
    }
    let mut note = Note::default();
    if is_time {
        note = note.about("ratio", format!("× PAR-10: the setting's divided by the reference's, a run without a solution counting ten budgets, as the geometric mean over {noun}s."));
    }
    table.paragraph(note.sentence(format!(
        "The {noun}s that both have are the sample, with one value each (Student’s interval and test).",
    )));
    Some(table)
}

/// A pair and its difference on the next puzzle.
type NextRow<'a> = (&'a Pair, NextPuzzle);

/// A ratio, or a difference of values that are no times.
fn difference_cell(comparison: &Comparison, difference: Estimate) -> Cell {
    if comparison.metric.is_time() {
        return ratio_cell(Some(difference));
    }
    let is_of_values = comparison.metric == Metric::BestFitness;
    let in_values = |found| if is_of_values { comparison.subject.difference(found) } else { found };
    estimate_as(Some(difference), &in_values, &rounded_signed)
}

fn rounded_signed(value: f64) -> String {
    let text = rounded(value.abs());
    if value < 0.0 { format!("−{text}") } else { text }
}

fn p_alone(p: f64, mark: &str) -> Cell {
    Cell::new(p_value(p) + mark, [json!(p)])
}

/// The difference on the next puzzle: of times a ratio of PAR-10, else a difference.
pub(super) fn as_json(next: &NextPuzzle, pair: &Pair, comparison: &Comparison) -> Value {
    let name = if comparison.metric.is_time() { "ratio" } else { "difference" };
    json!({
        "puzzles": next.puzzles,
        name: interval_95(Some(next.difference)),
        "p": next.p,
        "p_holm": next.holm,
        "shown": pair.is_shown_of_kind(comparison.alpha),
        "share_difference": interval_95(Some(next.share)),
        "share_p": next.share_p,
        "share_p_holm": next.share_holm,
    })
}
