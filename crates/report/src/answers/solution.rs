//! One puzzle solved, with what the printing needs, and why it has no solution.

use serde_json::{Map, Value, json};

use super::cells::cell_names;
use super::givens::Givens;
use super::referee::cells_json;
use crate::plural;
use kenga_core::budget::{Clock, Interrupt};
use kenga_core::problem::Problem;
use kenga_core::puzzle::{Failure, Grid, Group, Kind, Puzzle, Role, check};
use kenga_core::solver::{
    Explanation, Limits, Outcome, Proof, Status, VertexConflict, explain, solve_since, vertex_conflict,
};
use kenga_core::text::{enumeration, joined};

/// How many solutions an answer keeps.
pub const KEPT: usize = 2;

/// How puzzles are to be solved.
pub struct Solver<'a> {
    /// What bounds the search.
    pub limits: Limits,
    /// The number of solutions was asked for.
    pub counting: bool,
    /// Why there is no solution was asked for.
    pub why: bool,
    /// A clue that cannot be satisfied by itself is to be named.
    pub naming: bool,
    /// Givens that were added to the puzzles.
    pub with: Option<&'a Givens>,
    /// Ends the search early when it is raised.
    pub interrupt: &'a Interrupt,
}

/// What was found about one puzzle.
pub struct PuzzleAnswer {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Status, counts and times.
    pub outcome: Outcome,
    /// The first solutions, at most two.
    pub solutions: Vec<Grid>,
    /// The group whose clue alone cannot be satisfied, where the puzzle has no solution for that reason.
    pub impossible: Option<usize>,
    /// What the givens alone break, where the puzzle has no solution.
    pub conflicts: Vec<Failure>,
    /// Which clues conflict, where that was asked for.
    pub why: Option<Why>,
    /// The number of solutions was asked for.
    pub counting: bool,
}

impl Solver<'_> {
    /// Solves a puzzle and keeps its first solutions.
    pub fn answer(&self, puzzle: Puzzle) -> PuzzleAnswer {
        let mut solutions = Vec::new();
        self.search(puzzle, &mut |grid| {
            if solutions.len() < KEPT {
                solutions.push(grid());
            }
        })
        .with(solutions)
    }

    /// Solves a puzzle and hands every solution to `on_solution`, as a grid that is made when asked for.
    pub fn search(&self, puzzle: Puzzle, on_solution: &mut dyn FnMut(&dyn Fn() -> Grid)) -> PuzzleAnswer {
        let clock = Clock::start();
        let problem = Problem::compile(&puzzle);
        let report = &mut |ranks: &[u8]| on_solution(&|| problem.grid(ranks));
        let outcome = solve_since(&clock, &problem, &self.limits, self.interrupt, report);
        let (mut impossible, mut conflicts) = (None, Vec::new());
        if outcome.status == Status::Unsolvable {
            impossible = self.naming.then(|| self.impossible(&problem, &clock)).flatten();
            conflicts = check(&puzzle, &puzzle.given_grid()).failures;
        }
        let left = Limits {
            solutions: 1,
            reported: 1,
            nodes: self.limits.nodes.map(|nodes| nodes.saturating_sub(outcome.nodes)),
            seconds: self.limits.seconds.map(|seconds| (seconds - clock.wall_s()).max(0.0)),
        };
        let why =
            self.why.then(|| Why::of(&puzzle, &problem, outcome.status, &left, self.with, self.interrupt));
        let (solutions, counting) = (Vec::new(), self.counting);
        PuzzleAnswer { puzzle, outcome, solutions, impossible, conflicts, why, counting }
    }

    /// The first group whose clue alone cannot be satisfied, as far as time allows to look.
    fn impossible(&self, problem: &Problem, clock: &Clock) -> Option<usize> {
        for group in 0..problem.groups() {
            if self.interrupt.is_raised() || clock.past(self.limits.seconds) {
                return None;
            }
            if problem.is_satisfiable(group) == Some(false) {
                return Some(group);
            }
        }
        None
    }
}

impl PuzzleAnswer {
    fn with(self, solutions: Vec<Grid>) -> Self {
        Self { solutions, ..self }
    }

    /// The object of `kenga solve --json`: `id, status, solutions, count, count_is_exact, nodes, compile_us, first_us,
    /// search_us`, times in microseconds of CPU. Where it was asked why, two more: `why` is a list of `{op,target,cells}`, and
    /// `why_is` one of `smallest, irreducible, reduced`; both are null where there is nothing to explain, or limits left no
    /// explanation.
    pub fn json(&self) -> Map<String, Value> {
        let us = |seconds: f64| json!((seconds * 1e9).round() / 1e3);
        let outcome = &self.outcome;
        let mut members = vec![
            ("id", json!(self.puzzle.id)),
            ("status", json!(outcome.status.name())),
            ("solutions", self.solutions.iter().map(json_rows).collect()),
            ("count", json!(outcome.count)),
            ("count_is_exact", json!(outcome.count_is_exact)),
            ("nodes", json!(outcome.nodes)),
            ("compile_us", us(outcome.compile_s)),
            ("first_us", outcome.first_s.map_or(Value::Null, us)),
            ("search_us", us(outcome.search_s)),
        ];
        if let Some(why) = &self.why {
            let (clues, proof) = why.json(&self.puzzle);
            members.extend([("why", clues), ("why_is", proof)]);
        }
        members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// Milliseconds of CPU, compiling and search.
    pub fn ms(&self) -> f64 {
        (self.outcome.compile_s + self.outcome.search_s) * 1e3
    }
}

/// A grid as a list of rows, null where a cell is black.
pub fn json_rows(grid: &Grid) -> Value {
    grid.cells().chunks(grid.cols()).map(|row| json!(row)).collect()
}

/// Decisions for an explanation when nothing else is said.
const NODES: u64 = 1_000_000;

/// What there is to say.
pub enum Why {
    /// The puzzle has a solution.
    Solvable,
    /// Limits left open whether it has one.
    Undecided,
    /// It has none; limits left open why.
    Unknown,
    /// It has none because of these clues; `from_arguments` are the groups of `--with`. Of a graph that needs no clue to
    /// conflict, `graph` says which vertices do.
    Because { explanation: Explanation, from_arguments: Vec<usize>, graph: Option<VertexConflict> },
}

impl Why {
    /// Explains a puzzle that was found to be of this status, within `left` of the limits.
    pub(crate) fn of(
        puzzle: &Puzzle,
        problem: &Problem,
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
                    let mut from_arguments = explanation.clues.clone();
                    from_arguments.retain(|group| {
                        with.is_some_and(|with| with.holds(puzzle, &puzzle.groups()[*group]))
                    });
                    let is_graph = puzzle.kind == Kind::Coloring && explanation.clues.is_empty();
                    let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(explanation.nodes));
                    let limits = Limits { nodes, ..limits };
                    let graph = is_graph.then(|| vertex_conflict(puzzle, &limits, interrupt));
                    Self::Because { explanation, from_arguments, graph }
                }
            },
        }
    }

    /// Lines for people.
    pub fn text(&self, puzzle: &Puzzle) -> String {
        let line = match self {
            Self::Solvable => "nothing to explain: there is a solution".to_owned(),
            Self::Undecided => "no explanation: undecided within the limits".to_owned(),
            Self::Unknown => "no explanation within the limits".to_owned(),
            Self::Because { graph: Some(conflict), .. } => vertices(puzzle, conflict),
            Self::Because { explanation, .. } => heading(puzzle, explanation),
        };
        let mut text = format!("  {line}\n");
        if let Self::Because { explanation, from_arguments, .. } = self {
            for group in &explanation.clues {
                let origin = if from_arguments.contains(group) { " (--with)" } else { "" };
                text += &format!("    {}{origin}\n", describe(puzzle, &puzzle.groups()[*group]));
            }
        }
        text
    }

    /// The clues and what is proved of them, for programs.
    pub(crate) fn json(&self, puzzle: &Puzzle) -> (Value, Value) {
        let Self::Because { explanation, .. } = self else { return (Value::Null, Value::Null) };
        let mut clues = Vec::new();
        for group in &explanation.clues {
            let group = &puzzle.groups()[*group];
            let clue = group.clue.expect("an explanation names clues");
            let cells = cells_json(puzzle, &group.cells);
            clues.push(json!({ "op": clue.operator.symbol, "target": clue.target, "cells": cells }));
        }
        (Value::Array(clues), json!(explanation.proof.name()))
    }
}

/// What is proved of the clues.
fn heading(puzzle: &Puzzle, explanation: &Explanation) -> String {
    let count = explanation.clues.len();
    match (count, explanation.proof) {
        (0, _) => format!("without any clue, {} conflict", distinct(puzzle)),
        (1, _) => "this clue cannot be satisfied:".to_owned(),
        (_, Proof::Smallest) => {
            format!("these {count} clues contradict each other; no smaller set does:")
        }
        (_, Proof::Irreducible) => {
            format!(
                "these {count} clues contradict each other; each is needed, but another set may be smaller:"
            )
        }
        (_, Proof::Reduced) => {
            format!("these {count} clues contradict each other; the search for fewer ended at its limits:")
        }
    }
}

/// The vertices of a graph that conflict, all of them by name.
fn vertices(puzzle: &Puzzle, conflict: &VertexConflict) -> String {
    let VertexConflict { vertices, edges, is_clique, proof } = conflict;
    let (count, colors) = (vertices.len(), puzzle.digits().len());
    let what = match (is_clique, proof) {
        (true, _) => format!("{count} vertices are all joined with each other"),
        (_, Proof::Reduced) => {
            format!(
                "{count} vertices with {edges} edges between them conflict; the search for fewer ended at its limits"
            )
        }
        _ => format!("{count} vertices with {edges} edges between them conflict, each of them needed"),
    };
    let names = joined(vertices.iter().map(|vertex| puzzle.cell_name(*vertex)), " ");
    let colors = format!("{colors} {}", plural(colors as u64, "colour"));
    format!("without any clue, with {colors}: {what}\n    {names}")
}

/// The distinct groups by their roles: `the rows and columns`.
fn distinct(puzzle: &Puzzle) -> String {
    let mut names = Vec::new();
    for role in Role::ALL {
        if puzzle.groups_with(role).any(|group| group.distinct) {
            names.push(if role == Role::Entry { "entries".to_owned() } else { format!("{role}s") });
        }
    }
    if names.is_empty() { "the rules".to_owned() } else { format!("the {}", enumeration(names)) }
}

/// `cage 5+ at A1: A1 A2`, `given 3 in B1`.
fn describe(puzzle: &Puzzle, group: &Group) -> String {
    let clue = group.clue.expect("an explanation names clues");
    match &*group.cells {
        [cell] => format!("given {} in {}", clue.target, puzzle.cell_name(*cell)),
        many => format!("{}: {}", puzzle.group_name(group), cell_names(puzzle, many)),
    }
}
