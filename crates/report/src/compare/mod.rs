//! Comparisons as text, as JSON and as parts of the report. The verdict is a sentence, a table of the other settings compared
//! with the first, and remarks.
//!
//! **Invariant**: the keys of the JSON object and the names of columns are a format that programs read. Headings, sentences
//! and their order may change freely.

mod headline;
mod next_puzzle;
mod words;

pub use headline::headline;
pub use next_puzzle::next_puzzle;
pub use words::remarks;

use std::collections::BTreeSet;

use maud::{Markup, html};
use serde_json::{Value, json};

use super::paragraph::on_page;
use super::table::{Cell, Column, Field, Note, Table, TableFormat, View};
use super::{
    calls, counted, decimal, p_value, percent_range, percent_with_interval, range, several, with_interval,
    wrap,
};
use kenga_lab::study::{Comparison, Metric, NoVerdict, Pair, PuzzleStats, SettingStats};
use kenga_stats::{Estimate, Interval};
use words::{bracketed, factor, points};

/// The tables and the verdict as text.
pub fn in_words(comparison: &Comparison, view: &View) -> String {
    let mut text = settings(comparison).render(TableFormat::Text, view);
    if comparison.puzzles > 1 {
        text += "\n";
        text += &puzzles(comparison).render(TableFormat::Text, view);
    }
    text += &format!("\n{}\n\n", wrap(&headline(comparison), view.width));
    text += &comparisons(comparison).render(TableFormat::Text, view);
    text += "\n";
    if let Some(table) = next_puzzle(comparison) {
        text += &table.render(TableFormat::Text, view);
        text += "\n";
    }
    for remark in remarks(comparison) {
        text += &format!("{}\n", wrap(&remark, view.width));
    }
    text
}

/// The same as a part of a page.
pub fn as_page(comparison: &Comparison) -> Markup {
    html! {
        p.headline { (on_page(&headline(comparison))) }
        (comparisons(comparison).folded_page("compared"))
        @if let Some(table) = next_puzzle(comparison) { (table.folded_page("next-puzzle")) }
        @for remark in remarks(comparison) { p.note { (on_page(&remark)) } }
        (settings(comparison).folded_page("settings"))
        @if comparison.puzzles > 1 { (puzzles(comparison).folded_page("puzzles")) }
    }
}

/// The comparison as one JSON object; what is infinite or unknown is null.
pub fn as_json(comparison: &Comparison) -> Value {
    let name = |side: &usize| &comparison.settings[*side].name;
    let headline = headline(comparison);
    let mut verdict = vec![headline.clone()];
    verdict.extend(remarks(comparison));
    json!({
        "metric": comparison.metric.name(),
        "alpha": comparison.alpha,
        "headline": headline,
        "reference": name(&comparison.reference),
        "puzzles": comparison.puzzles,
        "blocks": comparison.blocks,
        "blocks_of_all": comparison.common,
        "runs_of_a_block": comparison.runs_of_block,
        "dropped_early": comparison.dropped.iter().map(name).collect::<Vec<_>>(),
        "overall_p": comparison.overall.map(|test| test.p),
        "overall_compared_up_to": comparison.overall_limit,
        "failed": comparison.failed,
        "solved_at_once": comparison.solved_at_once,
        "tests": comparison.tests,
        "level_of_intervals": comparison.level,
        "order": comparison.order.iter().map(name).collect::<Vec<_>>(),
        "average_ranks": comparison.ranks.as_ref().map(|line| &line.average),
        "critical_difference": comparison.ranks.as_ref().map(|line| line.critical_difference),
        "settings": comparison.settings.iter().map(setting).collect::<Vec<_>>(),
        "pairs": comparison.pairs.iter().map(|one| pair(one, comparison)).collect::<Vec<_>>(),
        "verdict": verdict,
    })
}

fn pair(pair: &Pair, comparison: &Comparison) -> Value {
    json!({
        "first": comparison.settings[pair.first].name,
        "second": comparison.settings[pair.second].name,
        "pairs": pair.pairs,
        "blocks": pair.blocks,
        "test": pair.test,
        "p": pair.p,
        "p_holm": pair.holm,
        "shown": pair.is_shown(comparison.alpha),
        "cannot_tell": pair.untold.map(reason),
        "second_is_better": pair.is_second_better,
        "ratio": interval_95(pair.ratio),
        "a12": interval_95(Some(pair.a12)),
        "share_difference": interval_95(Some(pair.share)),
        "share_p": pair.share_p,
        "share_p_holm": pair.share_holm,
        "log_rank_p": pair.log_rank_p,
        "log_rank_p_holm": pair.log_rank_holm,
        "compared_up_to": pair.limit,
        "runs_needed": pair.runs_needed,
        "next_puzzle": pair.next.map(|next| next_puzzle::as_json(&next, pair, comparison)),
    })
}

fn setting(side: &SettingStats) -> Value {
    json!({
        "name": side.name,
        "runs": side.runs,
        "solved": side.solved,
        "share": side.share.value,
        "share_95": ends(side.share.interval),
        "share_95_next_puzzle": side.share_next.map(ends),
        "median": interval_95(side.median),
        "expected": interval_95(side.ert),
        "par10": interval_95(side.par10),
        "par10_95_next_puzzle": side.par10_next.map(ends),
        "mean": side.mean,
        "puzzles": side.puzzles.iter().map(of_puzzle).collect::<Vec<_>>(),
    })
}

fn of_puzzle(part: &PuzzleStats) -> Value {
    json!({
        "puzzle": part.id,
        "runs": part.runs,
        "solved": part.solved,
        "share": part.share.value,
        "share_95": ends(part.share.interval),
        "median": interval_95(Some(part.median)),
        "expected": interval_95(part.ert),
        "par10": interval_95(part.par10),
    })
}

fn reason(untold: NoVerdict) -> &'static str {
    match untold {
        NoVerdict::NoCommonPuzzle => "no common puzzle",
        NoVerdict::Dropped => "dropped by a race",
        NoVerdict::TooFew => "too few runs",
    }
}

fn ends(interval: Interval) -> Value {
    json!([interval.low, interval.high])
}

fn interval_95(estimate: Option<Estimate>) -> Option<Value> {
    estimate.map(|found| json!({ "value": found.value, "interval_95": ends(found.interval) }))
}

/// The mark of a significant difference.
const MARK: &str = " *";

/// The other settings compared with the reference, from best to worst; significant differences are bold.
pub fn comparisons(comparison: &Comparison) -> Table {
    let is_time = comparison.metric.is_time();
    let unit = match comparison.metric {
        Metric::Calls => "× calls",
        Metric::Evaluations => "× evaluations",
        Metric::Moves => "× moves",
        _ => "× CPU time",
    };
    let level = rounded_percent(comparison.level);
    let reference = &comparison.settings[comparison.reference].spoken;
    let mut fields: Vec<Field<'_, Pair>> = vec![(
        Column::words("setting", "setting"),
        Box::new(|pair| Cell::words(comparison.settings[pair.second].name.clone())),
    )];
    if is_time {
        let ratio = Column::estimate(format!("{unit} ({level} %)"), "ratio");
        fields.push((ratio, Box::new(|pair| ratio_cell(pair.ratio))));
    }
    let a12 = Column::estimate(format!("A12 ({level} %)"), "a12").priority(2);
    fields
        .push((a12, Box::new(|pair| estimate(where_comparable(pair, pair.a12), &|value| decimal(value, 2)))));
    let heading = format!("solved, points ({level} %)");
    let share = Column::numbers(heading, &["share_difference", "share_low", "share_high"]).priority(1);
    fields.push((share, Box::new(|pair| estimate(where_comparable(pair, pair.share), &points))));
    let share_p = Column::numbers("p, shares", &["share_p_holm"]).priority(3);
    fields.push((share_p, Box::new(|pair| p_cell(pair, pair.share_holm, ""))));
    fields.push((
        Column::numbers("p", &["p_holm"]),
        Box::new(|pair| p_cell(pair, pair.holm, if pair.is_shown(comparison.alpha) { MARK } else { "" })),
    ));
    let mut table = Table::of(&comparison.pairs, fields)
        .titled(format!("Compared with the reference, {}:", bracketed(reference)));
    for (row, pair) in comparison.pairs.iter().enumerate() {
        if pair.is_shown(comparison.alpha) {
            table.set_off(row);
        }
    }
    table.paragraph(about_columns(comparison, unit));
    table
}

/// What the columns of the comparisons mean, in sentences.
fn about_columns(comparison: &Comparison, unit: &str) -> Note {
    let mut note = Note::default();
    if comparison.metric.is_time() {
        note = note
            .about("ratio", format!("{unit}: the setting's divided by the reference's."))
            .about("a12", "A12 is the probability that a run of the setting takes longer than one of the reference, ties counting half.");
    } else {
        note = note.about(
            "a12",
            "A12 is the probability that a run of the setting has the larger value, ties counting half.",
        );
    }
    if comparison.puzzles > 1 {
        note = note.sentence("Intervals and tests are about these puzzles.");
    }
    if comparison.level > 0.95 {
        note = note.sentence(format!(
            "The reference was chosen as the best of {} on the same runs: intervals have a level of {} % each, so that 95 % of them hold. They and p are corrected differently, and may disagree where a difference is barely significant.",
            comparison.settings.len(),
            rounded_percent(comparison.level)
        ));
    }
    let mut about_p = Vec::new();
    if comparison.tests > 1 && comparison.pairs.iter().any(|pair| pair.holm.is_some()) {
        about_p.push(format!("p has Holm's correction for {}", several(comparison.tests as u64, "test")));
    }
    if comparison.pairs.iter().any(|pair| pair.is_shown(comparison.alpha)) {
        about_p.push(format!("* marks significance at the {} % level", rounded_percent(comparison.alpha)));
    }
    if about_p.is_empty() { note } else { note.about("p_holm", format!("{}.", about_p.join("; "))) }
}

/// An estimate of a pair; `None` where both share no puzzle.
fn where_comparable(pair: &Pair, found: Estimate) -> Option<Estimate> {
    (pair.untold != Some(NoVerdict::NoCommonPuzzle)).then_some(found)
}

/// A ratio with its interval, even an unbounded one, which says that nothing is known.
fn ratio_cell(ratio: Option<Estimate>) -> Cell {
    let Some(Estimate { value, interval: Interval { low, high } }) = ratio else {
        return Cell::new("–", []);
    };
    let text = format!("{} ({})", factor(value), range(Interval { low, high }, &factor));
    Cell::new(text, [value, low, high].map(|value| json!(value)))
}

/// A corrected p-value, or why there is none.
fn p_cell(pair: &Pair, p: Option<f64>, mark: &str) -> Cell {
    let text = match (p, pair.untold) {
        (Some(p), _) => p_value(p) + mark,
        (None, Some(NoVerdict::Dropped)) => "dropped".to_owned(),
        (None, Some(NoVerdict::NoCommonPuzzle)) => "no puzzle".to_owned(),
        (None, Some(NoVerdict::TooFew) | None) => "–".to_owned(),
    };
    Cell::new(text, [json!(p)])
}

/// Every setting in numbers, from best to worst.
pub fn settings(comparison: &Comparison) -> Table {
    let is_time = comparison.metric.is_time();
    let several = comparison.puzzles > 1;
    let side = |index: &usize| &comparison.settings[*index];
    let mut fields: Vec<Field<'_, usize>> = vec![
        (Column::words("setting", "setting"), Box::new(|of| Cell::words(side(of).name.clone()))),
        (
            Column::numbers("solved", &["solved", "runs"]),
            Box::new(|of| solved(side(of).solved, side(of).runs)),
        ),
        (Column::estimate("share % (95 %)", "share"), Box::new(|of| share(side(of).share))),
    ];
    if several {
        let next = Column::numbers("next puzzle %", &["next_low", "next_high"]).priority(2);
        fields.push((next, Box::new(|of| side(of).share_next.map_or_else(Cell::default, share_range))));
    } else {
        let median = Column::estimate(format!("{}, median (95 %)", comparison.metric.about()), "median");
        fields.push((median, Box::new(|of| estimate(side(of).median, &calls))));
    }
    if is_time && !several {
        let expected = Column::estimate("expected, with restarts (95 %)", "expected").priority(1);
        fields.push((expected, Box::new(|of| estimate(side(of).ert, &calls))));
    }
    if is_time {
        let par10 = Column::estimate("PAR-10 (95 %)", "par10").priority(3);
        fields.push((par10, Box::new(|of| estimate(side(of).par10, &calls))));
    } else {
        let mean = Column::numbers("mean", &["mean"]).priority(1);
        fields.push((mean, Box::new(|of| Cell::new(calls(side(of).mean), [json!(side(of).mean)]))));
    }
    if let Some(line) = &comparison.ranks {
        fields.push((
            Column::numbers("rank", &["rank"]).priority(4),
            Box::new(|of| Cell::new(decimal(line.average[*of], 2), [json!(line.average[*of])])),
        ));
    }
    let mut table = Table::of(&comparison.order, fields);
    if several {
        let all = if is_time { "Shares and PAR-10" } else { "Shares" };
        table.paragraph(
            Note::default()
                .sentence(format!("{all} are means over the puzzles, each counting alike, with intervals about these puzzles."))
                .about("next_low", "“next puzzle” is the interval of the chance to solve another puzzle of their kind."),
        );
    }
    table
}

/// A row for each puzzle and setting, puzzle by puzzle.
pub fn puzzles(comparison: &Comparison) -> Table {
    let mut ids = BTreeSet::new();
    for side in &comparison.settings {
        ids.extend(side.puzzles.iter().map(|puzzle| &puzzle.id));
    }
    let mut rows: Vec<(&SettingStats, &PuzzleStats)> = Vec::new();
    for id in ids {
        for side in &comparison.order {
            let side = &comparison.settings[*side];
            rows.extend(side.on(id).map(|puzzle| (side, puzzle)));
        }
    }
    let median = format!("{}, median (95 %)", comparison.metric.about());
    let mut fields: Vec<Field<'_, (&SettingStats, &PuzzleStats)>> = vec![
        (Column::words("puzzle", "puzzle"), Box::new(|of| Cell::words(of.1.id.clone()))),
        (Column::words("setting", "setting"), Box::new(|of| Cell::words(of.0.name.clone()))),
        (Column::numbers("solved", &["solved", "runs"]), Box::new(|of| solved(of.1.solved, of.1.runs))),
        (Column::estimate("share % (95 %)", "share").priority(1), Box::new(|of| share(of.1.share))),
        (Column::estimate(median, "median"), Box::new(|of| estimate(Some(of.1.median), &calls))),
    ];
    if comparison.metric.is_time() {
        let expected = Column::estimate("expected, with restarts (95 %)", "expected").priority(2);
        fields.push((expected, Box::new(|of| estimate(of.1.ert, &calls))));
    }
    Table::of(&rows, fields)
}

pub(super) fn solved(solved: u64, runs: u64) -> Cell {
    Cell::new(format!("{} of {}", counted(solved), counted(runs)), [json!(solved), json!(runs)])
}

pub(super) fn share(share: Estimate) -> Cell {
    let Estimate { value, interval: Interval { low, high } } = share;
    Cell::new(percent_with_interval(&share), [value, low, high].map(|value| json!(value)))
}

pub(super) fn share_range(ends: Interval) -> Cell {
    let text = percent_range(ends);
    Cell::new(text, [json!(ends.low), json!(ends.high)])
}

/// A value with its interval, unless that has no bounds.
pub(super) fn estimate(estimate: Option<Estimate>, shown: &dyn Fn(f64) -> String) -> Cell {
    let Some(found) = estimate else {
        return Cell::new("–", [Value::Null, Value::Null, Value::Null]);
    };
    let Estimate { value, interval: Interval { low, high } } = found;
    Cell::new(with_interval(&found, shown), [value, low, high].map(|value| json!(value)))
}

fn rounded_percent(share: f64) -> String {
    let text = decimal(share * 100.0, 2);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
