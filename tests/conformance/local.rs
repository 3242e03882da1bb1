//! Algorithms that make moves keep their budgets, solve what is easy, and give up where nothing can be done.

use kenga::budget::{Budget, StopReason};
use kenga::puzzle::operators::{self, GIVEN};
use kenga::puzzle::{Cage, Entry, Kakuro, KenKen, Puzzle, formats};
use kenga::search::algorithms::ALGORITHMS;
use kenga::search::encodings::ENCODINGS;
use kenga::spec::{Catalog, Spec, Value};

use crate::common::kenken;
use crate::runs::Field;
use crate::setup::{named, spec};

/// The algorithms that make moves.
const MOVING: [&str; 7] =
    ["hill_climbing", "iterated", "annealing", "tabu", "breakout", "portfolio", "memetic"];

fn moves(moves: u64) -> Budget {
    Budget { moves: Some(moves), ..Budget::default() }
}

fn text(word: &str) -> Value {
    Value::Text(word.to_owned())
}

fn with(mut spec: Spec, key: &str, value: Value) -> Spec {
    spec.set(named(key, value));
    spec
}

/// An algorithm on an encoding, with operators that fit.
fn on(name: &str, encoding: &str) -> Spec {
    match (name, encoding) {
        ("portfolio", _) => {
            let stage = |name| Value::Spec(spec(name, &[("encoding", text(encoding))]));
            spec(name, &[("stages", Value::List(vec![stage("tabu"), stage("annealing")]))])
        }
        ("memetic", "rows") => spec(
            name,
            &[("encoding", text(encoding)), ("crossover", text("row")), ("mutation", text("row_swap"))],
        ),
        _ => spec(name, &[("encoding", text(encoding))]),
    }
}

/// Every algorithm that makes moves on every encoding.
fn settings() -> impl Iterator<Item = Spec> {
    let encodings = || ENCODINGS.members().into_iter().map(|member| member.name);
    MOVING.iter().flat_map(move |name| encodings().map(|encoding| on(name, encoding)))
}

#[test]
fn the_table_has_no_algorithm_that_nobody_tries() {
    let others = ["genetic", "estimation", "islands", "random"];
    for member in ALGORITHMS.members() {
        assert!(MOVING.contains(&member.name) || others.contains(&member.name), "{}", member.name);
    }
}

#[test]
fn budgets_of_moves_are_kept_and_runs_repeat() {
    let field = Field::new(kenken(5, 3));
    for setting in settings() {
        for budget in [1, 7, 79, 1003, 20_011] {
            let first = field.run_within(&setting, moves(budget), None);
            assert_eq!(first, field.run_within(&setting, moves(budget), None), "{setting:?}");
        }
    }
}

#[test]
fn budgets_of_evaluations_are_kept() {
    let field = Field::new(kenken(6, 3));
    for setting in settings().chain([spec("random", &[]), spec("estimation", &[])]) {
        for evaluations in [1, 2, 79] {
            let evaluations = Some(evaluations);
            let budget = Budget { evaluations, moves: Some(3000), ..Budget::default() };
            field.run_within(&setting, budget, None);
        }
    }
}

#[test]
fn how_often_is_logged_decides_nothing() {
    let field = Field::new(kenken(6, 3));
    for setting in settings().filter(|setting| setting.name != "portfolio" && setting.name != "memetic") {
        let every = |calls| with(setting.clone(), "generation", Value::Integer(calls));
        let outcome = |calls| field.run_within(&every(calls), moves(5000), None).0;
        let (often, seldom) = (outcome(13), outcome(10_000));
        assert_eq!(
            (often.best.ranks, often.best.fitness, often.spent.moves, often.stop),
            (seldom.best.ranks, seldom.best.fitness, seldom.spent.moves, seldom.stop),
            "{setting:?}"
        );
    }
}

#[test]
fn small_puzzles_are_solved_at_once() {
    for setting in settings() {
        for size in 1..=4 {
            let (outcome, _) = Field::new(kenken(size, 3)).run_within(&setting, moves(2_000_000), None);
            assert_eq!(outcome.best.fitness, 0, "{size}: {setting:?} {outcome:?}");
        }
    }
}

fn example(name: &str) -> Puzzle {
    let path = format!("{}/puzzles/family/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read(path).expect("a file of the repository");
    formats::read(name, &text).remove(0).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_kind_of_puzzle_is_solved() {
    let cases = [
        ("kakuro-6x6", "cages", "annealing"),
        ("kakuro-6x6", "cages", "breakout"),
        ("sudoku-9x9", "rows", "annealing"),
        ("sudoku-9x9", "cells", "breakout"),
        ("killer-6x6", "cages", "annealing"),
        ("killer-6x6", "cages", "tabu"),
        ("latin-7x7", "rows", "annealing"),
        ("latin-7x7", "cages", "breakout"),
    ];
    for (kind, encoding, name) in cases {
        let (outcome, _) = Field::new(example(kind)).run_within(&on(name, encoding), moves(20_000_000), None);
        assert_eq!(outcome.best.fitness, 0, "{kind} {encoding} {name}: {outcome:?}");
    }
}

/// Two givens that contradict each other in the first row.
fn contradiction() -> Puzzle {
    let mut cages: Vec<Cage> = (0..2).map(|column| Cage::new(GIVEN, 1, vec![(0, column)])).collect();
    let plus = operators::find("+").expect("a known operator");
    cages.push(Cage::new(plus, 3, vec![(1, 0), (1, 1)]));
    KenKen::new(2, cages).build().expect("a sound puzzle without solutions")
}

#[test]
fn where_nothing_can_be_done_runs_end_all_the_same() {
    let everywhere = Entry { target: 17, cells: vec![(0, 0), (0, 1)] };
    let impossible = Kakuro { digits: Some(vec![1, 2, 3]), ..Kakuro::new((1, 2), vec![everywhere]) };
    for puzzle in [contradiction(), impossible.build().expect("a sound entry")] {
        let field = Field::new(puzzle);
        for setting in MOVING.iter().flat_map(|name| ["cells", "cages"].map(|encoding| on(name, encoding))) {
            let (outcome, _) = field.run_within(&setting, moves(3000), None);
            assert!(
                matches!(outcome.stop, StopReason::Moves | StopReason::Stalled),
                "{setting:?} {outcome:?}"
            );
            assert!(outcome.best.fitness > 0);
        }
    }
}
