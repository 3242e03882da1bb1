//! Answers as text: for people, and for programs one JSON object a puzzle.
//!
//! When every solution is listed, `solutions` is written while it grows, so `status` and what follows it come after.

use serde_json::{Value, json};

use kenga_core::puzzle::{Failure, Grid, Kind};
use kenga_core::solver::Status;
use kenga_core::text::joined;
use kenga_report::answers::{PuzzleAnswer, cell_names};
use kenga_report::{draw, plural};

/// The verdict on one puzzle, and why it has no solution.
pub(super) fn heading(answer: &PuzzleAnswer) -> String {
    let verdict = verdict(answer, &differing(answer));
    format!("{}: {verdict}\n{}{}", answer.puzzle.id, conflicts(answer), why(answer))
}

/// The solutions of one puzzle, drawn.
pub(super) fn drawings(answer: &PuzzleAnswer) -> String {
    let differing = differing(answer);
    answer.solutions.iter().map(|grid| draw(&answer.puzzle, grid, &differing)).collect()
}

/// One puzzle of many, on a line: id, status, nodes, milliseconds; below it why it has no solution.
pub(super) fn line(answer: &PuzzleAnswer) -> String {
    let status = answer.outcome.status.name();
    let count = if answer.counting { format!("  {}", count(answer)) } else { String::new() };
    let (id, nodes) = (&answer.puzzle.id, answer.outcome.nodes);
    format!("{id:<24} {status:<10} {nodes:>12} {:>12.3}{count}\n{}", answer.ms(), why(answer))
}

/// What stands above such lines; where solutions are counted, with a column for them.
pub(super) fn columns_of_lines(counting: bool) -> String {
    let count = if counting { "  solutions" } else { "" };
    format!("{:<24} {:<10} {:>12} {:>12}{count}\n", "puzzle", "status", "nodes", "ms")
}

/// What stands above the list of a puzzle's solutions.
pub(super) fn open(id: &str) -> String {
    format!("{id}:\n")
}

/// What stands below the list of a puzzle's solutions.
pub(super) fn close(answer: &PuzzleAnswer) -> String {
    let words = match answer.outcome.status {
        Status::Unsolvable | Status::Undecided => verdict(answer, &[]),
        _ if answer.outcome.count_is_exact => count(answer),
        _ => format!("{}, cut off after {}", count(answer), nodes(answer.outcome.nodes)),
    };
    format!("{words}\n{}{}{}", conflicts(answer), why(answer), costs(answer))
}

/// The answer in words; `differing` are the cells in which two solutions differ.
fn verdict(answer: &PuzzleAnswer, differing: &[usize]) -> String {
    let decisions = nodes(answer.outcome.nodes);
    let colors = colors(answer);
    match answer.outcome.status {
        Status::Unique => "the only solution".to_owned(),
        Status::Solved if answer.counting => count(answer),
        Status::Solved => {
            format!("a solution{colors}; whether it is the only one is undecided after {decisions}")
        }
        Status::Multiple if answer.counting => count(answer),
        Status::Multiple => {
            format!("two solutions{colors}; they differ in {}", cell_names(&answer.puzzle, differing))
        }
        Status::Undecided => format!("undecided{colors} after {decisions}"),
        Status::Unsolvable => match answer.impossible {
            Some(group) => {
                let group = &answer.puzzle.groups()[group];
                format!("no solution: the {} cannot be satisfied", answer.puzzle.group_name(group))
            }
            None => format!("no solution{colors}"),
        },
    }
}

/// What the solutions of a graph depend on: ` with 5 colours`; empty for puzzles of other kinds.
fn colors(answer: &PuzzleAnswer) -> String {
    let colors = answer.puzzle.digits().len();
    match answer.puzzle.kind {
        Kind::Coloring => format!(" with {colors} {}", plural(colors as u64, "colour")),
        _ => String::new(),
    }
}

/// What the givens alone break, a line each.
fn conflicts(answer: &PuzzleAnswer) -> String {
    let line = |Failure { group, reason }: &Failure| {
        format!("  {}: {reason}\n", answer.puzzle.group_name(&answer.puzzle.groups()[*group]))
    };
    answer.conflicts.iter().map(line).collect()
}

/// Which clues conflict, where that was asked for.
fn why(answer: &PuzzleAnswer) -> String {
    answer.why.as_ref().map_or_else(String::new, |why| why.text(&answer.puzzle))
}

/// How many solutions there are.
fn count(answer: &PuzzleAnswer) -> String {
    let count = answer.outcome.count;
    let exactly = if answer.outcome.count_is_exact { "exactly" } else { "at least" };
    format!("{exactly} {count} {}", plural(count, "solution"))
}

fn nodes(nodes: u64) -> String {
    format!("{nodes} {}", plural(nodes, "node"))
}

/// The cells in which the two solutions shown differ.
fn differing(answer: &PuzzleAnswer) -> Vec<usize> {
    match answer.solutions.as_slice() {
        [one, two] => differences(one, two),
        _ => Vec::new(),
    }
}

fn differences(one: &Grid, two: &Grid) -> Vec<usize> {
    (0..one.cells().len()).filter(|cell| one.get(*cell) != two.get(*cell)).collect()
}

/// What the answer cost.
pub(super) fn costs(answer: &PuzzleAnswer) -> String {
    let outcome = &answer.outcome;
    let first = outcome.first_s.map_or(String::new(), |first| format!("first {:.3} ms, ", first * 1e3));
    format!(
        "{}; compile {:.3} ms, {first}search {:.3} ms\n",
        nodes(outcome.nodes),
        outcome.compile_s * 1e3,
        outcome.search_s * 1e3
    )
}

/// The sums over many puzzles.
#[derive(Default)]
pub(super) struct SolveTotals {
    /// Puzzles by status, in the order of [`STATUSES`].
    counts: [u64; 5],
    nodes: u64,
    ms: f64,
    longest_ms: f64,
}

const STATUSES: [Status; 5] =
    [Status::Unique, Status::Multiple, Status::Solved, Status::Unsolvable, Status::Undecided];

impl SolveTotals {
    /// Adds one answer.
    pub(super) fn add(&mut self, answer: &PuzzleAnswer) {
        for (count, status) in self.counts.iter_mut().zip(STATUSES) {
            *count += u64::from(answer.outcome.status == status);
        }
        self.nodes += answer.outcome.nodes;
        self.ms += answer.ms();
        self.longest_ms = self.longest_ms.max(answer.ms());
    }

    /// Whether no answer was added.
    pub(super) fn is_empty(&self) -> bool {
        self.counts.iter().all(|count| *count == 0)
    }

    /// The summary on a line; `cut` when a signal ended the work.
    pub(super) fn text(&self, cut: bool) -> String {
        let total: u64 = self.counts.iter().sum();
        let named = self.counts.iter().zip(STATUSES).filter(|(count, _)| **count > 0);
        let parts = joined(named.map(|(count, status)| format!("{count} {}", status.name())), ", ");
        let puzzles = plural(total, "puzzle");
        let costs =
            format!("{}, {:.3} ms in all, {:.3} ms the longest", nodes(self.nodes), self.ms, self.longest_ms);
        let cut = if cut { "interrupted after " } else { "" };
        format!("{cut}{total} {puzzles}: {parts}; {costs}\n")
    }
}

/// The whole object, with a line break.
pub(super) fn json_line(answer: &PuzzleAnswer) -> String {
    Value::Object(answer.json()).to_string() + "\n"
}

/// The object up to the first of its solutions.
pub(super) fn json_open(id: &str) -> String {
    format!("{{\"id\":{},\"solutions\":[", json!(id))
}

/// What follows the last of the solutions, with a line break.
pub(super) fn json_close(answer: &PuzzleAnswer) -> String {
    let mut object = answer.json();
    // Both are written already, by `json_open` and solution by solution.
    for key in ["id", "solutions"] {
        object.shift_remove(key);
    }
    let text = Value::Object(object).to_string();
    // The rest goes on within the object that is open.
    format!("],{}\n", &text[1..])
}
