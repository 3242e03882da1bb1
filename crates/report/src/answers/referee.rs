//! What the referee says of a grid, and whether a partial one can still become a solution.

use serde_json::{Value, json};

use kenga_core::budget::Interrupt;
use kenga_core::problem::{Domains, Problem};
use kenga_core::puzzle::{Failure, Grid, Puzzle, Verdict};
use kenga_core::solver::{Limits, Status, solve};

/// What is known of the solutions that hold the digits of a grid.
#[derive(Clone, Copy)]
pub struct Completion {
    /// Whether there is one; `None` when the search gave up.
    pub is_possible: Option<bool>,
    /// Decisions of the search.
    pub nodes: u64,
}

impl Completion {
    /// Asks the solver, unless the verdict says it already; limits or the interrupt may leave it open.
    pub fn of(
        puzzle: &Puzzle,
        grid: &Grid,
        verdict: &Verdict,
        limits: &Limits,
        interrupt: &Interrupt,
    ) -> Self {
        if verdict.is_solution() || !verdict.is_consistent() {
            return Self { is_possible: Some(verdict.is_solution()), nodes: 0 };
        }
        let problem = Problem::compile(puzzle);
        let problem = problem.restrict(&domains(&problem, puzzle, grid));
        let limits = Limits { solutions: 1, ..*limits };
        let outcome = solve(&problem, &limits, interrupt, &mut |_| {});
        let is_possible = match outcome.status {
            Status::Unsolvable => Some(false),
            Status::Undecided => None,
            Status::Unique | Status::Multiple | Status::Solved => Some(true),
        };
        Self { is_possible, nodes: outcome.nodes }
    }
}

/// One candidate where the grid holds a digit, all where it is empty.
fn domains(problem: &Problem, puzzle: &Puzzle, grid: &Grid) -> Domains {
    let mut masks = Vec::new();
    for cell in 0..problem.cells() {
        let rank = grid.get(problem.place(cell)).and_then(|digit| puzzle.digits().rank(digit));
        masks.push(rank.map_or(problem.all_digits(), |rank| 1 << rank));
    }
    Domains(masks)
}

/// The object of `kenga check --json`: what the referee found; cells are `[row, column]` from 0.
pub fn verdict_json(puzzle: &Puzzle, verdict: &Verdict, completion: Completion) -> Value {
    let mut failures = Vec::new();
    for Failure { group, reason } in &verdict.failures {
        let group = &puzzle.groups()[*group];
        let (name, cells) = (puzzle.group_name(group), cells_json(puzzle, &group.cells));
        failures.push(json!({"group": name, "role": group.role.name(), "cells": cells, "reason": reason}));
    }
    json!({
        "id": puzzle.id,
        "solution": verdict.is_solution(),
        "consistent": verdict.is_consistent(),
        "completable": completion.is_possible,
        "missing": cells_json(puzzle, &verdict.missing),
        "foreign": cells_json(puzzle, &verdict.foreign),
        "failures": failures,
    })
}

/// Cells as `[row, column]` from 0.
pub(super) fn cells_json(puzzle: &Puzzle, cells: &[usize]) -> Value {
    cells.iter().map(|cell| json!([cell / puzzle.cols(), cell % puzzle.cols()])).collect()
}
