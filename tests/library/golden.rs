//! Golden runs: what algorithms find with fixed seeds, on one thread and on three. A change of any draw shows here; to
//! change a line of the table takes a line of the changelog.

use std::sync::Arc;

use kenga::budget::{Budget, Guard, StopReason};
use kenga::fitness::{CageMeasure, Fitness, Weights};
use kenga::problem::Problem;
use kenga::puzzle::operators::find;
use kenga::puzzle::{Cage, Puzzle, Square};
use kenga::rng::StreamKey;
use kenga::search::algorithms::{ALGORITHMS, recipe};
use kenga::search::{RunOutcome, Task, run};
use kenga::spec::{Catalog, DefaultValue, Named, Place, Spec, Value};

fn spec(name: &str, values: &[(&str, Value)]) -> Spec {
    let named = |(key, value): &(&str, Value)| Named::new(*key, value.clone(), Place::default());
    Spec::named(name).with(values.iter().map(named))
}

fn text(word: &str) -> Value {
    Value::Text(word.to_owned())
}

/// A puzzle from rows of cage letters and the clues of the cages in the order of their letters.
fn puzzle(rows: &[&str], clues: &[&str]) -> Puzzle {
    let cells = |letter: char| {
        let places = rows
            .iter()
            .enumerate()
            .flat_map(|(row, line)| line.chars().enumerate().map(move |(c, l)| (l, (row, c))));
        places.filter(|(other, _)| *other == letter).map(|(_, cell)| cell).collect()
    };
    let cage = |(letter, clue): (char, &&str)| {
        let (target, symbol) = clue.split_at(clue.len() - 1);
        let operator = find(symbol).expect("a known operator");
        Cage::new(operator, target.parse().expect("a number"), cells(letter))
    };
    Square::kenken(rows.len(), ('a'..).zip(clues).map(cage).collect()).build().expect("a sound puzzle")
}

/// The puzzle of the original experiment.
fn four() -> Puzzle {
    puzzle(&["aaab", "cddb", "ccee", "fgge"], &["8*", "1-", "6+", "1-", "4*", "3+", "2/"])
}

fn six() -> Puzzle {
    let rows = ["aabbbc", "aadbec", "fgghec", "fihhjj", "fkkjjl", "mmmlll"];
    let clues = ["13+", "180*", "9+", "2+", "20*", "15+", "6*", "11+", "3+", "9+", "2/", "18+", "8+"];
    puzzle(&rows, &clues)
}

/// The algorithm of the original.
fn original() -> Spec {
    let values = [
        ("encoding", Value::Spec(spec("cells", &[("givens", text("free"))]))),
        ("population", Value::Integer(80)),
        ("offset", Value::Integer(1000)),
        ("selection", Value::Spec(spec("roulette", &[("scaling", text("linear"))]))),
        ("crossover", text("single_point")),
        ("mutation", text("swap")),
    ];
    spec("genetic", &values)
}

fn permutations() -> Spec {
    let values = [
        ("encoding", text("rows")),
        ("selection", text("tournament")),
        ("mutation", Value::Spec(spec("swap", &[("rate", Value::Real(0.05))]))),
    ];
    spec("genetic", &values)
}

/// Permutations whose likes share what they score.
fn sharing() -> Spec {
    with(permutations(), "niching", text("sharing"))
}

/// Permutations that compete with those of their age.
fn layered() -> Spec {
    with(permutations(), "replacement", Value::Spec(spec("age_layers", &[("gap", Value::Integer(2))])))
}

/// Weights that adapt, children by conflict.
fn weighing(encoding: &str, mutation: &str) -> Spec {
    let values = [
        ("encoding", text(encoding)),
        ("population", Value::Integer(10)),
        ("selection", text("uniform")),
        ("crossover", text("conflict")),
        ("mutation", text(mutation)),
        ("replacement", text("steady_state")),
        ("duplicates", text("refuse")),
        ("weights", text("saw")),
        ("restart", Value::Spec(spec("stalled", &[("calls", Value::Integer(1500))]))),
    ];
    spec("genetic", &values)
}

fn archipelago() -> Spec {
    let island = with(permutations(), "population", Value::Integer(30));
    let values = [
        ("count", Value::Integer(3)),
        ("interval", Value::Integer(200)),
        ("migrants", Value::Integer(2)),
        ("island", Value::Spec(island)),
    ];
    spec("islands", &values)
}

fn with(mut old: Spec, key: &str, value: Value) -> Spec {
    old.set(Named::new(key, value, Place::default()));
    old
}

fn resolved(algorithm: &Spec) -> Spec {
    ALGORITHMS.resolve(algorithm, Place::default()).expect("a sound spec")
}

/// One run of up to 5000 evaluations in a line: best fitness, evaluations, evaluations to the best, why it ended.
fn line(puzzle: &Puzzle, algorithm: &Spec, seed: u64, pool: Option<Arc<rayon::ThreadPool>>) -> String {
    let budget = Budget { evaluations: Some(5000), ..Budget::default() };
    let RunOutcome { best, spent, stop } = outcome(puzzle, algorithm, seed, budget, pool);
    format!("{} {} {} {stop}", best.fitness, spent.evaluations, best.at.evaluations)
}

/// One run of up to 20,000 moves in a line: best fitness, evaluations, moves, moves to the best, why it ended.
fn line_of_moves(puzzle: &Puzzle, algorithm: &Spec, seed: u64) -> String {
    let budget = Budget { moves: Some(20_000), ..Budget::default() };
    let RunOutcome { best, spent, stop } = outcome(puzzle, algorithm, seed, budget, None);
    format!("{} {} {} {} {stop}", best.fitness, spent.evaluations, spent.moves, best.at.moves)
}

fn outcome(
    puzzle: &Puzzle,
    algorithm: &Spec,
    seed: u64,
    budget: Budget,
    pool: Option<Arc<rayon::ThreadPool>>,
) -> RunOutcome {
    let problem = Problem::compile(puzzle);
    let fitness = Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary).expect("small weights");
    let key = StreamKey::run(seed, &puzzle.canonical_text(), 0);
    let task = Task { pool, ..Task::new(Arc::new(fitness), key, budget, Guard::default()) };
    let mut started =
        recipe(&resolved(algorithm)).expect("members that fit").start(&task).expect("a KenKen has lines");
    run(&mut *started, &mut ())
}

/// Algorithms that are told how to work.
fn settings() -> [(&'static str, Spec); 8] {
    [
        ("original", original()),
        ("rows", permutations()),
        ("islands", archipelago()),
        ("sharing", sharing()),
        ("layered", layered()),
        ("weighing cells", weighing("cells", "redraw")),
        ("weighing rows", weighing("rows", "force")),
        ("weighing cages", weighing("cages", "conflict")),
    ]
}

/// Puzzle, algorithm, seed: best fitness, evaluations, evaluations to the best, stop reason.
const GOLDEN: [&str; 48] = [
    "4x4 original 1: 11 5000 1186 evaluations",
    "4x4 original 2: 10 5000 3431 evaluations",
    "4x4 original 3: 7 5000 3370 evaluations",
    "4x4 rows 1: 0 500 441 solved",
    "4x4 rows 2: 0 2900 2869 solved",
    "4x4 rows 3: 0 1100 1081 solved",
    "4x4 islands 1: 0 4230 4211 solved",
    "4x4 islands 2: 0 1200 1070 solved",
    "4x4 islands 3: 0 1110 873 solved",
    "4x4 sharing 1: 0 500 441 solved",
    "4x4 sharing 2: 0 1300 1266 solved",
    "4x4 sharing 3: 0 2100 2055 solved",
    "4x4 layered 1: 0 1152 1151 solved",
    "4x4 layered 2: 0 464 463 solved",
    "4x4 layered 3: 0 2302 2301 solved",
    "4x4 weighing cells 1: 0 122 121 solved",
    "4x4 weighing cells 2: 0 182 181 solved",
    "4x4 weighing cells 3: 0 212 211 solved",
    "4x4 weighing rows 1: 0 112 112 solved",
    "4x4 weighing rows 2: 0 178 177 solved",
    "4x4 weighing rows 3: 0 96 96 solved",
    "4x4 weighing cages 1: 0 182 182 solved",
    "4x4 weighing cages 2: 0 66 65 solved",
    "4x4 weighing cages 3: 0 82 81 solved",
    "6x6 original 1: 57 5000 4917 evaluations",
    "6x6 original 2: 75 5000 3317 evaluations",
    "6x6 original 3: 95 5000 3313 evaluations",
    "6x6 rows 1: 33 5000 2790 evaluations",
    "6x6 rows 2: 36 5000 3543 evaluations",
    "6x6 rows 3: 29 5000 2911 evaluations",
    "6x6 islands 1: 18 5000 4851 evaluations",
    "6x6 islands 2: 29 5000 3679 evaluations",
    "6x6 islands 3: 20 5000 4479 evaluations",
    "6x6 sharing 1: 38 5000 4256 evaluations",
    "6x6 sharing 2: 42 5000 4418 evaluations",
    "6x6 sharing 3: 29 5000 4471 evaluations",
    "6x6 layered 1: 17 5000 2086 evaluations",
    "6x6 layered 2: 26 5000 1867 evaluations",
    "6x6 layered 3: 26 5000 4207 evaluations",
    "6x6 weighing cells 1: 2 5000 1417 evaluations",
    "6x6 weighing cells 2: 0 4526 4525 solved",
    "6x6 weighing cells 3: 4 5000 2977 evaluations",
    "6x6 weighing rows 1: 2 5000 1760 evaluations",
    "6x6 weighing rows 2: 16 5000 3569 evaluations",
    "6x6 weighing rows 3: 4 5000 967 evaluations",
    "6x6 weighing cages 1: 2 5000 1470 evaluations",
    "6x6 weighing cages 2: 2 5000 1298 evaluations",
    "6x6 weighing cages 3: 8 5000 371 evaluations",
];

#[test]
fn runs_end_where_they_always_have_on_any_number_of_threads() {
    let pool = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("three threads"));
    let algorithms = settings();
    let mut lines = Vec::new();
    for (size, puzzle) in [("4x4", four()), ("6x6", six())] {
        for ((name, algorithm), seed) in
            algorithms.iter().flat_map(|algorithm| (1..=3).map(move |seed| (algorithm, seed)))
        {
            let alone = line(&puzzle, algorithm, seed, None);
            assert_eq!(
                alone,
                line(&puzzle, algorithm, seed, Some(Arc::clone(&pool))),
                "{size} {name} {seed}"
            );
            lines.push(format!("{size} {name} {seed}: {alone}"));
        }
    }
    assert_eq!(lines, GOLDEN, "now {lines:#?}");
}

/// Algorithm, encoding where it takes one, seed on the 6x6: best fitness, evaluations, moves, moves to the best, stop
/// reason; of an algorithm that makes no moves on the 4x4: best fitness, evaluations, evaluations to the best, stop reason.
const GOLDEN_DEFAULTS: [&str; 42] = [
    "memetic cells 1: 0 13 10565 10565 solved",
    "memetic cells 2: 0 13 10110 10110 solved",
    "memetic rows 1: 12 13 20000 20000 moves",
    "memetic rows 2: 0 13 5991 5991 solved",
    "memetic cages 1: 0 13 10426 10426 solved",
    "memetic cages 2: 0 13 5043 5043 solved",
    "estimation 1: 0 2400 2228 solved",
    "random 1: 0 3665 3665 solved",
    "hill_climbing cells 1: 47 25 20000 1775 moves",
    "hill_climbing cells 2: 45 29 20000 18145 moves",
    "hill_climbing rows 1: 42 29 20000 17196 moves",
    "hill_climbing rows 2: 43 27 20000 5279 moves",
    "hill_climbing cages 1: 6 22 20000 9659 moves",
    "hill_climbing cages 2: 4 23 20000 4912 moves",
    "iterated cells 1: 47 19 20000 1775 moves",
    "iterated cells 2: 84 19 20000 15093 moves",
    "iterated rows 1: 32 15 20000 11518 moves",
    "iterated rows 2: 0 14 13889 13889 solved",
    "iterated cages 1: 7 9 20000 3174 moves",
    "iterated cages 2: 8 9 20000 1762 moves",
    "annealing cells 1: 24 25 20000 11251 moves",
    "annealing cells 2: 55 27 20000 5391 moves",
    "annealing rows 1: 30 19 20000 3354 moves",
    "annealing rows 2: 0 15 1849 1849 solved",
    "annealing cages 1: 0 17 6823 6823 solved",
    "annealing cages 2: 0 17 5530 5530 solved",
    "tabu cells 1: 50 22 20000 8425 moves",
    "tabu cells 2: 18 21 20000 4750 moves",
    "tabu rows 1: 0 18 11102 11102 solved",
    "tabu rows 2: 12 13 20000 5356 moves",
    "tabu cages 1: 3 11 20000 14228 moves",
    "tabu cages 2: 4 11 20000 13740 moves",
    "breakout cells 1: 21 20 20000 5500 moves",
    "breakout cells 2: 0 24 18585 18585 solved",
    "breakout rows 1: 22 16 20000 4890 moves",
    "breakout rows 2: 0 14 19856 19856 solved",
    "breakout cages 1: 4 12 20000 8529 moves",
    "breakout cages 2: 0 12 9088 9088 solved",
    "portfolio 1: 0 12 11030 11030 solved",
    "portfolio 2: 0 11 8651 8651 solved",
    "memetic row_swap 1: 12 13 20000 20000 moves",
    "memetic row_swap 2: 0 13 5291 5291 solved",
];

/// Every algorithm of the table that has no line above, at its defaults: one that makes moves on every encoding.
#[test]
fn the_defaults_of_every_algorithm_end_where_they_always_have() {
    let above = settings();
    let others = ALGORITHMS
        .members()
        .into_iter()
        .filter(|member| !above.iter().any(|(_, algorithm)| algorithm.name == member.name))
        .filter(|member| member.params.iter().all(|param| param.default != DefaultValue::Required));
    let mut lines = Vec::new();
    for member in others {
        let default = spec(member.name, &[]);
        let moves = recipe(&resolved(&default)).expect("defaults").spends().contains(&StopReason::Moves);
        let takes_encoding = member.params.iter().any(|param| param.name == "encoding");
        match (moves, takes_encoding) {
            (true, true) => {
                for encoding in ["cells", "rows", "cages"] {
                    let algorithm = with(default.clone(), "encoding", text(encoding));
                    lines.extend([1, 2].map(|seed| {
                        format!(
                            "{} {encoding} {seed}: {}",
                            member.name,
                            line_of_moves(&six(), &algorithm, seed)
                        )
                    }));
                }
            }
            (true, false) => lines
                .extend([1, 2].map(|seed| {
                    format!("{} {seed}: {}", member.name, line_of_moves(&six(), &default, seed))
                })),
            _ => lines.push(format!("{} 1: {}", member.name, line(&four(), &default, 1, None))),
        }
    }
    let row_swap = [("encoding", text("rows")), ("mutation", text("row_swap"))];
    lines.extend([1, 2].map(|seed| {
        format!("memetic row_swap {seed}: {}", line_of_moves(&six(), &spec("memetic", &row_swap), seed))
    }));
    assert_eq!(lines, GOLDEN_DEFAULTS, "now {lines:#?}");
}
