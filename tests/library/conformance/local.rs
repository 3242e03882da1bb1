//! Algorithms that make moves keep their budgets, solve what is easy, and give up where nothing can be done.

use kenga::budget::{Budget, Spent, StopReason};
use kenga::puzzle::operators::{self, GIVEN};
use kenga::puzzle::{Cage, Entry, Kakuro, Puzzle, Square, formats};
use kenga::search::algorithms::{ALGORITHMS, recipe};
use kenga::search::encodings::of_puzzles;
use kenga::search::{Census, Observer, run};
use kenga::spec::{Catalog, Member, ParamKind, Spec, Value};

use kenga_testing::Field;
use kenga_testing::kenken;
use kenga_testing::setup::{defaults, has_defaults, named, resolve, spec};

/// The algorithms that make moves, and those that make none.
fn by_moves() -> (Vec<&'static Member>, Vec<&'static Member>) {
    let moves = |member: &&Member| {
        let recipe = recipe(&defaults(&ALGORITHMS, member)).expect("defaults go together");
        recipe.spends().contains(&StopReason::Moves)
    };
    ALGORITHMS.members().into_iter().filter(|member| has_defaults(member)).partition(moves)
}

fn takes(member: &Member, key: &str) -> bool {
    member.params.iter().any(|param| param.name == key)
}

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

fn on(name: &str, encoding: &str) -> Spec {
    spec(name, &[("encoding", text(encoding))])
}

/// An algorithm on an encoding; one that lists others, with two of them on it.
fn member_on(member: &Member, encoding: &str) -> Spec {
    let list = member.params.iter().find(|param| matches!(param.kind, ParamKind::Members(_)));
    match list {
        Some(list) => {
            let listed = ["tabu", "annealing"].map(|name| Value::Spec(on(name, encoding)));
            spec(member.name, &[(list.name, Value::List(listed.into()))])
        }
        None => on(member.name, encoding),
    }
}

/// Every algorithm that makes moves on every encoding.
fn settings() -> impl Iterator<Item = Spec> {
    by_moves()
        .0
        .into_iter()
        .flat_map(|member| of_puzzles().into_iter().map(|encoding| member_on(member, encoding.name)))
}

/// Every local search on every encoding: what has a guide.
fn local_searches() -> impl Iterator<Item = Spec> {
    let has_guide = |setting: &Spec| {
        ALGORITHMS.members().iter().any(|member| member.name == setting.name && takes(member, "guide"))
    };
    settings().filter(has_guide)
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
    let others = by_moves().1.into_iter().map(|member| Spec::named(member.name));
    for setting in settings().chain(others) {
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
    let reheating = [("cooling", text("reheating")), ("period", Value::Integer(700))];
    for setting in &local_searches().chain([spec("annealing", &reheating)]).collect::<Vec<_>>() {
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
    Square::kenken(2, cages).build().expect("a sound puzzle without solutions")
}

#[test]
fn where_nothing_can_be_done_runs_end_all_the_same() {
    let everywhere = Entry { target: 17, cells: vec![(0, 0), (0, 1)] };
    let impossible = Kakuro { digits: Some(vec![1, 2, 3]), ..Kakuro::new((1, 2), vec![everywhere]) };
    for puzzle in [contradiction(), impossible.build().expect("a sound entry")] {
        let field = Field::new(puzzle);
        let moving = by_moves().0.into_iter();
        for setting in
            moving.flat_map(|member| ["cells", "cages"].map(|encoding| member_on(member, encoding)))
        {
            let (outcome, _) = field.run_within(&setting, moves(3000), None);
            assert!(
                matches!(outcome.stop, StopReason::Moves | StopReason::Stalled),
                "{setting:?} {outcome:?}"
            );
            assert!(outcome.best.fitness > 0);
        }
    }
}

#[test]
fn nothing_is_shown_that_is_better_than_the_best() {
    let field = Field::new(kenken(6, 3));
    for setting in local_searches() {
        for cage_weight in [1, 7] {
            let guide = Value::Spec(spec("", &[("cage_weight", Value::Integer(cage_weight))]));
            let setting = with(with(setting.clone(), "generation", Value::Integer(5)), "guide", guide);
            field.run_within(&setting, moves(20_000), None);
        }
    }
}

#[test]
fn budgets_that_would_never_end_a_run_are_not_said_to() {
    use StopReason::{Evaluations, Generations, Moves};
    let member = |name: &str, values: &[(&str, Value)]| Value::Spec(spec(name, values));
    let spends = |setting: &Spec| recipe(&resolve(&ALGORITHMS, setting)).expect("a sound spec").spends();
    let of = |value: &Value| match value {
        Value::Spec(setting) => spends(setting),
        _ => unreachable!("members are specs"),
    };
    let (random, annealing, tabu) = (member("random", &[]), member("annealing", &[]), member("tabu", &[]));
    let growing = member("tabu", &[("restart", text("geometric"))]);
    assert_eq!(of(&random), [Evaluations, Generations], "it makes no moves");
    assert_eq!(of(&annealing), [Moves, Generations], "it never begins anew");
    assert_eq!(of(&growing), [Moves, Generations], "it hardly ever does");
    assert_eq!(of(&tabu), [Evaluations, Moves, Generations]);
    let portfolio = |stages: &[&Value]| {
        let stages = stages.iter().map(|stage| (*stage).clone()).collect();
        spends(&spec("portfolio", &[("stages", Value::List(stages))]))
    };
    assert_eq!(portfolio(&[&random]), [Evaluations, Generations]);
    assert_eq!(portfolio(&[&random, &annealing]), [Evaluations, Moves, Generations]);
    let islands = |islands: &[&Value]| {
        let islands = islands.iter().map(|island| (*island).clone()).collect();
        spends(&spec("islands", &[("islands", Value::List(islands))]))
    };
    assert_eq!(islands(&[&random, &annealing]), [Generations]);
    assert_eq!(islands(&[&tabu, &annealing]), [Moves, Generations]);
}

#[test]
fn a_portfolio_of_short_turns_goes_on_and_shows_every_generation_from_0() {
    let stages = |names: &[&str]| {
        Value::List(
            names.iter().map(|name| Value::Spec(spec(name, &[("encoding", text("cells"))]))).collect(),
        )
    };
    let field = Field::new(kenken(6, 3));
    for (names, factor) in [(vec!["genetic", "tabu"], 4.0), (vec!["random", "annealing"], 1.0)] {
        let values =
            [("calls", Value::Integer(2)), ("factor", Value::Real(factor)), ("stages", stages(&names))];
        let (outcome, shown) = field.run_within(&spec("portfolio", &values), moves(2000), None);
        assert_eq!(outcome.stop, StopReason::Moves, "{names:?}");
        assert_eq!(shown[0].0.generations, 0, "{names:?}");
    }
}

#[test]
fn a_portfolio_spends_its_budget_and_counts_no_generation_that_never_began() {
    let stages = ["genetic", "tabu"].map(|name| Value::Spec(spec(name, &[("encoding", text("cells"))])));
    let values = [("calls", Value::Integer(300)), ("stages", Value::List(stages.into()))];
    let field = Field::new(kenken(6, 3));
    for evaluations in (700..1300).step_by(25) {
        let budget = Budget { evaluations: Some(evaluations), moves: Some(5000), ..Budget::default() };
        let mut algorithm = field.algorithm(&spec("portfolio", &values), budget, None);
        let mut shown = Generations(Vec::new());
        let outcome = run(&mut *algorithm, &mut shown);
        let mut census = Census::new(36, 6);
        let complete = algorithm.census(&mut census).generations;
        let last = if census.individuals() > 0 { Some(&complete) } else { shown.0.last() };
        assert_eq!(Some(&outcome.spent.generations), last, "{evaluations} evaluations");
        assert_eq!(outcome.spent.evaluations, evaluations);
    }
}

struct Generations(Vec<u64>);

impl Observer for Generations {
    fn wants(&self, _generation: u64) -> bool {
        true
    }

    fn observe(&mut self, spent: Spent, _census: &Census) {
        self.0.push(spent.generations);
    }
}

struct Positions(Vec<Vec<u8>>);

impl Observer for Positions {
    fn wants(&self, _generation: u64) -> bool {
        true
    }

    fn observe(&mut self, _spent: Spent, census: &Census) {
        self.0.push(census.best_ranks().to_vec());
    }
}

#[test]
fn a_migrant_begins_a_stretch_of_full_length() {
    let restart = Value::Spec(spec("fixed", &[("calls", Value::Integer(50))]));
    let values = [("generation", Value::Integer(1)), ("restart", restart), ("from", Value::Real(0.1))];
    let setting =
        values.into_iter().fold(on("annealing", "cells"), |setting, (key, value)| with(setting, key, value));
    let mut algorithm = Field::new(kenken(6, 3)).algorithm(&setting, moves(10_000), None);
    let mut seen = Positions(Vec::new());
    algorithm.start(&mut seen);
    (0..40).for_each(|_| assert_eq!(algorithm.step(&mut seen), None));
    let population = algorithm.population().expect("a population of one");
    population.genome_mut(0).fill(1);
    population.set_fitness(0, 1000);
    seen.0.clear();
    (0..49).for_each(|_| assert_eq!(algorithm.step(&mut seen), None));
    let changed = |pair: &[Vec<u8>]| pair[0].iter().zip(&pair[1]).filter(|(a, b)| a != b).count();
    assert!(seen.0.len() > 40 && seen.0.windows(2).all(|pair| changed(pair) <= 1), "no restart yet");
}
