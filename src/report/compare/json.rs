//! A comparison for programs.

use serde_json::{Value, json};

use super::verdict;
use crate::stats::{Estimate, Interval};
use crate::study::{Comparison, OfPuzzle, Pair, Side};

/// The comparison as one JSON object; what is infinite is null.
pub fn as_json(comparison: &Comparison) -> Value {
    let finite = |value: f64| value.is_finite().then_some(value);
    let ends = |interval: Interval| json!([finite(interval.low), finite(interval.high)]);
    let estimate = |estimate: Option<Estimate>| {
        estimate.map(|found| json!({ "value": finite(found.value), "interval_95": ends(found.interval) }))
    };
    let part = |part: &OfPuzzle| {
        json!({
            "puzzle": part.id,
            "runs": part.runs,
            "solved": part.solved,
            "share_95": ends(part.share.interval),
            "median": estimate(Some(Estimate { value: part.median.value, interval: part.median.interval })),
            "expected": estimate(part.ert),
            "par10": estimate(part.par10),
        })
    };
    let side = |side: &Side| {
        json!({
            "name": side.name,
            "runs": side.runs,
            "solved": side.solved,
            "share": side.share.value,
            "share_95": ends(side.share.interval),
            "median": estimate(side.median.map(|m| Estimate { value: m.value, interval: m.interval })),
            "expected": estimate(side.ert),
            "par10": estimate(side.par10),
            "puzzles": side.puzzles.iter().map(part).collect::<Vec<_>>(),
        })
    };
    let pair = |pair: &Pair| {
        json!({
            "first": comparison.sides[pair.first].name,
            "second": comparison.sides[pair.second].name,
            "pairs": pair.pairs,
            "test": pair.test,
            "p": pair.p,
            "p_holm": pair.holm,
            "shown": pair.holm < comparison.alpha,
            "ratio": estimate(pair.ratio),
            "a12": estimate(Some(pair.a12)),
            "share_difference": estimate(Some(pair.share)),
            "share_p": pair.share_p,
            "share_p_holm": pair.share_holm,
            "log_rank_p": pair.log_rank_p,
            "runs_needed": pair.runs_needed,
        })
    };
    json!({
        "metric": comparison.metric.name(),
        "alpha": comparison.alpha,
        "puzzles": comparison.puzzles,
        "blocks": comparison.blocks,
        "blocks_of_all": comparison.common,
        "dropped_early": comparison.dropped.iter().map(|side| &comparison.sides[*side].name).collect::<Vec<_>>(),
        "overall_p": comparison.overall.p,
        "order": comparison.order.iter().map(|side| &comparison.sides[*side].name).collect::<Vec<_>>(),
        "average_ranks": comparison.ranks.as_ref().map(|line| &line.average),
        "critical_difference": comparison.ranks.as_ref().map(|line| finite(line.critical_difference)),
        "settings": comparison.sides.iter().map(side).collect::<Vec<_>>(),
        "pairs": comparison.pairs.iter().map(pair).collect::<Vec<_>>(),
        "verdict": verdict(comparison),
    })
}
