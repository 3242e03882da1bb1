//! What a report finds, for programs: the comparisons, the advice on restarts, and which parameters matter.

use serde_json::{Value, json};

use super::compare;
use super::figures::PuzzleImportance;
use super::measurements::{Advice, Factor, Measurements};
use kenga_lab::study::Comparison;
use kenga_stats::PartShare;

/// The findings as an object. What does not apply is null.
pub(super) fn as_json(measurements: &Measurements<'_>, on_puzzles: &[(&str, Comparison)]) -> Value {
    let mut by_puzzle = Vec::new();
    for (puzzle, found) in on_puzzles {
        by_puzzle.push(json!({ "puzzle": puzzle, "comparison": compare::as_json(found) }));
    }
    json!({
        "runs": measurements.runs(),
        "failed": measurements.failed(),
        "solved_at_once": measurements.solved_at_once(),
        "puzzles": measurements.puzzles,
        "comparison": measurements.comparison.as_ref().map(compare::as_json),
        "on_puzzles": by_puzzle,
        "restarts": restarts(measurements),
        "importance": importance(measurements),
    })
}

/// The advice on restarts, of each puzzle with figures of its own and each setting for which a cutoff looks better.
fn restarts(measurements: &Measurements<'_>) -> Vec<Value> {
    let mut found = Vec::new();
    for (part, puzzle) in measurements.shown_puzzles.iter().enumerate() {
        for setting in measurements.order_of(part) {
            if let Some(advice) = measurements.advice(setting, part) {
                let name = &measurements.stats()[setting].name;
                found.push(restart(advice, name, puzzle));
            }
        }
    }
    found
}

fn restart(advice: &Advice, setting: &str, puzzle: &str) -> Value {
    json!({
        "setting": setting,
        "puzzle": puzzle,
        "cutoff": advice.test.cutoff,
        "expected_with": advice.test.with,
        "expected_without": advice.test.without,
        "ratio": {
            "value": advice.ratio(),
            "interval_95": [advice.test.ratio.low, advice.test.ratio.high],
        },
        "p": advice.test.p,
        "p_holm": advice.holm,
        "advised": advice.is_worth_following(),
    })
}

/// What the parameters explain on each puzzle with figures of its own; null without two parameters.
fn importance(measurements: &Measurements<'_>) -> Value {
    let factors = measurements.labels.factors();
    if factors.len() < 2 {
        return Value::Null;
    }
    let mut found = Vec::new();
    for (part, puzzle) in measurements.shown_puzzles.iter().enumerate() {
        found.push(match PuzzleImportance::new(measurements, part, &factors) {
            Ok(found) => importance_on(puzzle, &found, &factors),
            Err(why) => json!({ "puzzle": puzzle, "left_out": why }),
        });
    }
    Value::Array(found)
}

fn importance_on(puzzle: &str, found: &PuzzleImportance, factors: &[Factor]) -> Value {
    let mut parts = Vec::new();
    for (index, factor) in factors.iter().enumerate() {
        parts.push(json!({
            "parameters": [factor.name],
            "solved": explained(found.solved.main[index]),
            "par10": explained(found.calls.main[index]),
        }));
    }
    for (index, shared) in found.solved.pairs.iter().enumerate() {
        parts.push(json!({
            "parameters": [factors[shared.first].name, factors[shared.second].name],
            "solved": explained(shared.part),
            "par10": explained(found.calls.pairs[index].part),
        }));
    }
    json!({
        "puzzle": puzzle,
        "parts": parts,
        "everything_else": { "solved": found.solved.higher, "par10": found.calls.higher },
    })
}

fn explained(part: PartShare) -> Value {
    json!({ "share": part.share, "floor": part.floor, "exceeds_floor": part.exceeds() })
}
