//! Answers for programs: one JSON object a puzzle.
//!
//! `id, status, solutions, count, count_is_exact, nodes, compile_us, first_us, search_us`. When every solution is
//! listed, `solutions` is written while it grows, so `status` and what follows it come after. With `--why` two more:
//! `why` is a list of `{op,target,cells}`, and `why_is` one of `smallest, irreducible, reduced`; both are null where there
//! is nothing to explain, or limits left no explanation.

use serde_json::{Map, Value, json};

use super::answer::Answer;
use crate::puzzle::Grid;

/// The whole object, with a line break.
pub(super) fn line(answer: &Answer) -> String {
    let mut object = Map::new();
    object.insert("id".to_owned(), json!(answer.puzzle.id));
    object.insert("status".to_owned(), json!(answer.outcome.status.name()));
    object.insert("solutions".to_owned(), answer.solutions.iter().map(rows).collect());
    object.extend(measures(answer));
    Value::Object(object).to_string() + "\n"
}

/// The object up to the first of its solutions.
pub(super) fn open(id: &str) -> String {
    format!("{{\"id\":{},\"solutions\":[", json!(id))
}

/// What follows the last of the solutions, with a line break.
pub(super) fn close(answer: &Answer) -> String {
    let mut object = Map::new();
    object.insert("status".to_owned(), json!(answer.outcome.status.name()));
    object.extend(measures(answer));
    let text = Value::Object(object).to_string();
    format!("],{}\n", &text[1..])
}

/// A grid as a list of rows, null where a cell is black.
pub(super) fn rows(grid: &Grid) -> Value {
    grid.cells().chunks(grid.cols()).map(|row| json!(row)).collect()
}

fn measures(answer: &Answer) -> Map<String, Value> {
    let us = |seconds: f64| json!((seconds * 1e9).round() / 1e3);
    let outcome = &answer.outcome;
    let mut measures: Map<String, Value> = [
        ("count", json!(outcome.count)),
        ("count_is_exact", json!(outcome.count_is_exact)),
        ("nodes", json!(outcome.nodes)),
        ("compile_us", us(outcome.compile_s)),
        ("first_us", outcome.first_s.map_or(Value::Null, us)),
        ("search_us", us(outcome.search_s)),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into_iter()
    .collect();
    if let Some(why) = &answer.why {
        let (clues, proof) = why.json(&answer.puzzle);
        measures.insert("why".to_owned(), clues);
        measures.insert("why_is".to_owned(), proof);
    }
    measures
}
