//! Comparisons as text, as JSON and as parts of the report. The verdict is a sentence, a table of the other settings compared
//! with the first, and remarks.
//!
//! **Invariant**: the keys of the JSON object and the names of columns are a format that programs read. Headings, sentences
//! and their order may change freely.

mod cells;
mod headline;
mod next_puzzle;
mod quantities;
mod tables;
mod words;

pub(super) use cells::{estimate, share, share_range, solved};
pub use headline::headline;
pub use next_puzzle::next_puzzle;
pub use tables::{comparisons, puzzles, settings};
pub use words::remarks;

use maud::{Markup, html};
use serde_json::{Value, json};

use super::paragraph::on_page;
use super::table::{TableFormat, View};
use super::wrap;
use kenga_lab::study::{Comparison, NoVerdict, Pair, PuzzleStats, SettingStats};
use kenga_stats::{Estimate, Interval};

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
        "scale": comparison.facts.subject.scale.map(|scale| {
            json!({ "reference": scale.reference, "resolution": scale.resolution, "maximise": scale.maximise })
        }),
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
        "failed": comparison.facts.failed,
        "solved_at_once": comparison.facts.solved_at_once,
        "tests": comparison.tests,
        "level_of_intervals": 1.0 - comparison.alpha,
        "smallest": comparison.facts.smallest.ratio,
        "groups": comparison.groups,
        "repeated_puzzles": comparison.facts.repeated,
        "order": comparison.order.iter().map(name).collect::<Vec<_>>(),
        "average_ranks": comparison.ranks.as_ref().map(|line| &line.average),
        "ranked": comparison.ranked,
        "critical_difference": comparison.ranks.as_ref().map(|line| line.critical_difference),
        "settings": comparison.settings.iter().map(setting).collect::<Vec<_>>(),
        "pairs": comparison.pairs.iter().map(|one| pair(one, comparison)).collect::<Vec<_>>(),
        "first_without": comparison.stability.without.iter().map(|leader| {
            json!({ "puzzle": leader.puzzle, "setting": name(&leader.setting) })
        }).collect::<Vec<_>>(),
        "first_at_half_the_budget": comparison.stability.at_half.as_ref().map(name),
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
        "any_p_holm": pair.any_holm,
        "level": pair.level,
        "second_is_better": pair.is_second_better,
        "ratio": interval_95(pair.ratio),
        "a12": interval_95(Some(pair.a12)),
        "share_difference": interval_95(Some(pair.share)),
        "share_p": pair.share_p,
        "share_p_holm": pair.share_holm,
        "per_run": pair.spent,
        "per_run_p_holm": pair.spent_holm,
        "equivalence_p_holm": pair.equivalence_holm,
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
