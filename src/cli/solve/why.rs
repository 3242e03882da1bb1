//! `--why`: which clues conflict, in words and for programs.

use serde_json::{Value, json};

use super::super::givens::Givens;
use super::text::cells;
use crate::budget::Interrupt;
use crate::problem::Problem;
use crate::puzzle::{Group, Puzzle, Role};
use crate::solver::{Explanation, Limits, Proof, Status, explain};

/// Decisions for an explanation when nothing else is said.
const NODES: u64 = 1_000_000;

/// What there is to say.
pub(super) enum Why {
    /// The puzzle has a solution.
    Solvable,
    /// Limits left open whether it has one.
    Undecided,
    /// It has none; limits left open why.
    Unknown,
    /// It has none because of these clues; the groups of `laid` come from the command line.
    Because { explanation: Explanation, laid: Vec<usize> },
}

impl Why {
    /// Explains a puzzle that was found to be of this status, within `left` of the limits.
    pub(super) fn of(
        (puzzle, problem): (&Puzzle, &Problem),
        status: Status,
        left: &Limits,
        with: Option<&Givens>,
        interrupt: &Interrupt,
    ) -> Self {
        let limits = Limits { nodes: left.nodes.or(Some(NODES)), ..*left };
        match status {
            Status::Unique | Status::Multiple | Status::Solved => Self::Solvable,
            Status::Undecided => Self::Undecided,
            Status::Unsolvable => match explain(problem, &limits, interrupt) {
                None => Self::Unknown,
                Some(explanation) => {
                    let laid =
                        |group: &usize| with.is_some_and(|with| with.laid(puzzle, &puzzle.groups()[*group]));
                    let laid = explanation.clues.iter().copied().filter(laid).collect();
                    Self::Because { explanation, laid }
                }
            },
        }
    }

    /// Lines for people.
    pub(super) fn text(&self, puzzle: &Puzzle) -> String {
        let line = match self {
            Self::Solvable => "nothing to explain: there is a solution".to_owned(),
            Self::Undecided => "no explanation: the limits left open whether there is a solution".to_owned(),
            Self::Unknown => "no explanation within the limits".to_owned(),
            Self::Because { explanation, .. } => heading(puzzle, explanation),
        };
        let mut text = format!("  {line}\n");
        if let Self::Because { explanation, laid } = self {
            for group in &explanation.clues {
                let origin = if laid.contains(group) { " (--with)" } else { "" };
                text += &format!("    {}{origin}\n", in_words(puzzle, &puzzle.groups()[*group]));
            }
        }
        text
    }

    /// The clues and what is proved of them, for programs.
    pub(super) fn json(&self, puzzle: &Puzzle) -> (Value, Value) {
        let Self::Because { explanation, .. } = self else { return (Value::Null, Value::Null) };
        let cell = |cell: &usize| json!([cell / puzzle.cols(), cell % puzzle.cols()]);
        let clue = |group: &usize| {
            let group = &puzzle.groups()[*group];
            let clue = group.clue.expect("an explanation names clues");
            let cells: Vec<Value> = group.cells.iter().map(cell).collect();
            json!({ "op": clue.operator.symbol(), "target": clue.target, "cells": cells })
        };
        (explanation.clues.iter().map(clue).collect(), json!(explanation.proof.name()))
    }
}

/// What is proved of the clues.
fn heading(puzzle: &Puzzle, explanation: &Explanation) -> String {
    let count = explanation.clues.len();
    match (count, explanation.proof) {
        (0, _) => format!("without any clue, {} conflict", distinct(puzzle)),
        (1, Proof::Smallest | Proof::Irreducible) => "smallest conflict: 1 clue cannot be met".to_owned(),
        (1, Proof::Reduced) => "reduced conflict: 1 clue cannot be met".to_owned(),
        (_, Proof::Smallest) => format!("smallest conflict: {count} clues, and no fewer conflict"),
        (_, Proof::Irreducible) => {
            format!("irreducible conflict: {count} clues, none to be spared; other, fewer ones may conflict")
        }
        (_, Proof::Reduced) => {
            format!("reduced conflict: {count} clues; limits ended the search for fewer")
        }
    }
}

/// The distinct groups by their roles: `the rows and columns`.
fn distinct(puzzle: &Puzzle) -> String {
    let has = |role: &Role| puzzle.groups_with(*role).any(|group| group.distinct);
    let plural = |role: Role| if role == Role::Entry { "entries".to_owned() } else { format!("{role}s") };
    let names: Vec<String> = Role::ALL.into_iter().filter(has).map(plural).collect();
    match names.split_last() {
        Some((last, [])) => format!("the {last}"),
        Some((last, others)) => format!("the {} and {last}", others.join(", ")),
        None => "the rules".to_owned(),
    }
}

/// `cage 5+ over A1 A2`, `given 3 in B1`.
fn in_words(puzzle: &Puzzle, group: &Group) -> String {
    let clue = group.clue.expect("an explanation names clues");
    match &*group.cells {
        [cell] => format!("given {} in {}", clue.target, puzzle.cell_name(*cell)),
        many => format!("{} {clue} over {}", group.role, cells(puzzle, many)),
    }
}
