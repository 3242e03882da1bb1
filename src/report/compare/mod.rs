//! Comparisons for people and for programs. The verdict, in `kenga compare` and in the report, is a sentence, a table of
//! the other settings compared with the first, and remarks.

mod table;
mod words;

pub use table::{comparisons, puzzles, settings};
pub use words::{headline, remarks};

use serde_json::{Value, json};

use super::table::{Format, View};
use super::wrap::wrap;
use crate::stats::{Estimate, Interval};
use crate::study::{Comparison, OfPuzzle, Pair, Side, Untold};

/// The tables and the verdict as text.
pub fn in_words(comparison: &Comparison, view: &View) -> String {
    let mut text = settings(comparison).render(Format::Text, view);
    if comparison.puzzles > 1 {
        text += "\n";
        text += &puzzles(comparison).render(Format::Text, view);
    }
    let prose = |sentence: &str| wrap(sentence, view.width);
    text += &format!("\n{}\n\n", prose(&headline(comparison)));
    text += &comparisons(comparison).render(Format::Text, view);
    text += "\n";
    for remark in remarks(comparison) {
        text += &format!("{}\n", prose(&remark));
    }
    text
}

/// The comparison as one JSON object; what is infinite or unknown is null.
pub fn as_json(comparison: &Comparison) -> Value {
    let name = |side: usize| &comparison.sides[side].name;
    let names = |sides: &[usize]| sides.iter().map(|side| name(*side).clone()).collect::<Vec<_>>();
    let pair = |pair: &Pair| {
        json!({
            "first": name(pair.first),
            "second": name(pair.second),
            "pairs": pair.pairs,
            "blocks": pair.blocks,
            "test": pair.test,
            "p": pair.p,
            "p_holm": pair.holm,
            "shown": pair.is_shown(comparison.alpha),
            "cannot_tell": pair.untold.map(reason),
            "second_is_better": pair.is_second_better,
            "ratio": estimate(pair.ratio),
            "a12": estimate(Some(pair.a12)),
            "share_difference": estimate(Some(pair.share)),
            "share_p": pair.share_p,
            "share_p_holm": pair.share_holm,
            "log_rank_p": pair.log_rank_p,
            "log_rank_p_holm": pair.log_rank_holm,
            "compared_up_to": pair.limit,
            "runs_needed": pair.runs_needed,
        })
    };
    json!({
        "metric": comparison.metric.name(),
        "alpha": comparison.alpha,
        "headline": headline(comparison),
        "reference": name(comparison.reference),
        "puzzles": comparison.puzzles,
        "blocks": comparison.blocks,
        "blocks_of_all": comparison.common,
        "runs_of_a_block": comparison.runs_of_block,
        "dropped_early": names(&comparison.dropped),
        "overall_p": comparison.overall.map(|test| test.p),
        "overall_compared_up_to": comparison.overall_limit,
        "tests": comparison.tests,
        "level_of_intervals": comparison.level,
        "order": names(&comparison.order),
        "average_ranks": comparison.ranks.as_ref().map(|line| &line.average),
        "critical_difference": comparison.ranks.as_ref().and_then(|line| finite(line.critical_difference)),
        "settings": comparison.sides.iter().map(side).collect::<Vec<_>>(),
        "pairs": comparison.pairs.iter().map(pair).collect::<Vec<_>>(),
        "verdict": std::iter::once(headline(comparison)).chain(remarks(comparison)).collect::<Vec<_>>(),
    })
}

fn side(side: &Side) -> Value {
    json!({
        "name": side.name,
        "runs": side.runs,
        "solved": side.solved,
        "share": side.share.value,
        "share_95": ends(side.share.interval),
        "share_95_next_puzzle": side.share_next.map(ends),
        "median": estimate(side.median.map(|m| Estimate { value: m.value, interval: m.interval })),
        "expected": estimate(side.ert),
        "par10": estimate(side.par10),
        "par10_95_next_puzzle": side.par10_next.map(ends),
        "mean": finite(side.mean),
        "puzzles": side.puzzles.iter().map(of_puzzle).collect::<Vec<_>>(),
    })
}

fn of_puzzle(part: &OfPuzzle) -> Value {
    json!({
        "puzzle": part.id,
        "runs": part.runs,
        "solved": part.solved,
        "share": part.share.value,
        "share_95": ends(part.share.interval),
        "median": estimate(Some(Estimate { value: part.median.value, interval: part.median.interval })),
        "expected": estimate(part.ert),
        "par10": estimate(part.par10),
    })
}

fn reason(untold: Untold) -> &'static str {
    match untold {
        Untold::NoCommonPuzzle => "no common puzzle",
        Untold::Dropped => "dropped by a race",
        Untold::TooFew => "too few runs",
    }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

fn ends(interval: Interval) -> Value {
    json!([finite(interval.low), finite(interval.high)])
}

fn estimate(estimate: Option<Estimate>) -> Option<Value> {
    estimate.map(|found| json!({ "value": finite(found.value), "interval_95": ends(found.interval) }))
}
