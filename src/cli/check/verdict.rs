//! A verdict in words, and for programs.

use serde_json::{Value, json};

use super::completion::Completion;
use crate::puzzle::{Failure, Grid, Puzzle, Verdict};

/// Cells named in one line.
const NAMED: usize = 12;

/// What the referee found, for people.
pub(super) fn text(puzzle: &Puzzle, grid: &Grid, verdict: &Verdict, completion: Completion) -> String {
    let mut text = format!("{}: {}\n", puzzle.id, summary(puzzle, verdict, completion));
    for &cell in &verdict.foreign {
        let digit = grid.get(cell).map_or_else(String::new, |digit| digit.to_string());
        let why = if puzzle.is_black(cell) { "but is black" } else { "which is no digit of this puzzle" };
        text += &format!("  {} holds {digit}, {why}\n", puzzle.cell_name(cell));
    }
    for Failure { group, reason } in &verdict.failures {
        text += &format!("  {}: {reason}\n", puzzle.group_name(&puzzle.groups()[*group]));
    }
    text
}

fn summary(puzzle: &Puzzle, verdict: &Verdict, completion: Completion) -> String {
    let broken = verdict.foreign.len() + verdict.failures.len();
    let broken = format!("{broken} {}", if broken == 1 { "rule is broken" } else { "rules are broken" });
    match (verdict.missing.len(), verdict.is_consistent()) {
        (0, true) => "the grid is a solution".to_owned(),
        (0, false) => format!("the grid is no solution: {broken}"),
        (_, true) => {
            format!("the grid is no solution yet: {}; {}", empty(puzzle, verdict), completion.words())
        }
        (_, false) => format!("the grid is no solution: {}, and {broken} already", empty(puzzle, verdict)),
    }
}

/// `2 cells are empty (A1, B3)`.
fn empty(puzzle: &Puzzle, verdict: &Verdict) -> String {
    let count = verdict.missing.len();
    let names: Vec<String> = verdict.missing.iter().take(NAMED).map(|cell| puzzle.cell_name(*cell)).collect();
    let more = if count > NAMED { ", …" } else { "" };
    let cells = if count == 1 { "cell is" } else { "cells are" };
    format!("{count} {cells} empty ({}{more})", names.join(", "))
}

/// What the referee found, as one line of JSON.
pub(super) fn json(puzzle: &Puzzle, verdict: &Verdict, completion: Completion) -> String {
    let cell = |cell: &usize| json!([cell / puzzle.cols(), cell % puzzle.cols()]);
    let cells = |list: &[usize]| list.iter().map(cell).collect::<Value>();
    let failure = |Failure { group, reason }: &Failure| {
        let group = &puzzle.groups()[*group];
        let name = puzzle.group_name(group);
        json!({"group": name, "role": group.role.name(), "cells": cells(&group.cells), "reason": reason})
    };
    let object = json!({
        "id": puzzle.id,
        "solution": verdict.is_solution(),
        "consistent": verdict.is_consistent(),
        "completable": completion.known(),
        "missing": cells(&verdict.missing),
        "foreign": cells(&verdict.foreign),
        "failures": verdict.failures.iter().map(failure).collect::<Value>(),
    });
    object.to_string() + "\n"
}
