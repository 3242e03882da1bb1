//! Every kind of puzzle goes through the whole chain: read, drawn, solved, searched, judged.

use std::path::Path;
use std::process::{Command, Output};

use kenga::budget::Interrupt;
use kenga::problem::Problem;
use kenga::puzzle::{
    Cage, Entry, Futoshiki, Grid, Kakuro, Kind, LessPair, Magic, Puzzle, Queens, Square, check, formats,
    operators,
};
use kenga::solver::{self, Limits, Status};

use crate::lab::Lab;

/// A part of each example's drawing: sums in black cells, boxes, a cage that crosses one, cells, signs, a sum, queens.
const DRAWN: [&str; 7] = [
    "│14\\  │10\\11│",
    "┣━━━━━━━━━━━╋",
    "│15+ ╏",
    "├───┼───┼",
    "│ 6 > 2 │ 1 │",
    "add up to 34",
    "│ . │ Q │ . │ . │",
];

const EXAMPLES: [(&str, Kind); 7] = [
    ("kakuro-6x6", Kind::Kakuro),
    ("sudoku-9x9", Kind::Sudoku),
    ("killer-6x6", Kind::Killer),
    ("latin-7x7", Kind::Latin),
    ("futoshiki-6x6", Kind::Futoshiki),
    ("magic-4x4", Kind::Magic),
    ("queens-8x8", Kind::Queens),
];

fn path(name: &str) -> String {
    format!("{}/puzzles/family/{name}.json", env!("CARGO_MANIFEST_DIR"))
}

fn kenga() -> Command {
    Command::new(env!("CARGO_BIN_EXE_kenga"))
}

fn succeeds(args: &[&str]) -> Output {
    let output = kenga().args(args).output().expect("the program starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn example(name: &str) -> Puzzle {
    let text = std::fs::read(path(name)).expect("a file of the repository");
    formats::read(name, &text).remove(0).unwrap_or_else(|error| panic!("{error}"))
}

/// Solves for all solutions, each judged by the referee; says how many there are.
fn count(puzzle: &Puzzle) -> u64 {
    let problem = Problem::compile(puzzle);
    let limits = Limits { solutions: u64::MAX, ..Limits::default() };
    let outcome = solver::solve(&problem, &limits, &Interrupt::default(), &mut |ranks| {
        assert!(check(puzzle, &problem.grid(ranks)).is_solution());
    });
    assert!(outcome.count_is_exact);
    outcome.count
}

/// Every assignment, cell by cell, that the referee does not contradict.
fn brute_force(puzzle: &Puzzle, grid: &mut Grid, cell: usize) -> u64 {
    if cell == grid.cells().len() {
        return 1;
    }
    if puzzle.is_black(cell) {
        return brute_force(puzzle, grid, cell + 1);
    }
    let mut found = 0;
    for &digit in puzzle.digits().values() {
        grid.set(cell, Some(digit));
        if check(puzzle, grid).is_consistent() {
            found += brute_force(puzzle, grid, cell + 1);
        }
    }
    grid.set(cell, None);
    found
}

fn agrees(puzzle: &Puzzle) -> u64 {
    let text = formats::canonical(puzzle);
    let again =
        formats::read("x", text.as_bytes()).remove(0).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!((again.canonical_text(), again.kind), (puzzle.canonical_text(), puzzle.kind), "{text}");
    let counted = count(puzzle);
    let mut grid = Grid::empty(puzzle.rows(), puzzle.cols());
    assert_eq!(counted, brute_force(puzzle, &mut grid, 0), "{text}");
    counted
}

#[test]
fn examples_have_one_solution_the_one_they_come_with() {
    for (name, kind) in EXAMPLES {
        let puzzle = example(name);
        assert_eq!((puzzle.kind, puzzle.id.as_str()), (kind, name));
        assert!(check(&puzzle, puzzle.solution.as_ref().expect("a solution")).is_solution(), "{name}");
        assert_eq!(count(&puzzle), 1, "{name}");
    }
}

#[test]
fn counts_of_every_kind_are_those_of_brute_force() {
    assert_eq!(agrees(&Square::latin(3).build().expect("sound")), 12);
    let primes = Square { digits: Some(vec![2, 3, 5, 7]), givens: vec![(0, 0, 7)], ..Square::latin(4) };
    assert_eq!(agrees(&primes.build().expect("sound")), 144);
    assert_eq!(agrees(&Square::sudoku(4, (2, 2)).build().expect("sound")), 288);
    let from_zero =
        Square { digits: Some(vec![0, 1, 2, 3]), givens: vec![(0, 0, 0)], ..Square::sudoku(4, (1, 4)) };
    assert_eq!(agrees(&from_zero.build().expect("sound")), 144);
    let plus = operators::find("+").expect("a known operator");
    let cage = |repeats| Cage { repeats, ..Cage::new(plus, 6, vec![(0, 1), (0, 2), (1, 2)]) };
    let killer = |repeats| Square::killer(4, (2, 2), vec![cage(repeats)]).build();
    let (distinct, repeating) = (killer(false).expect("sound"), killer(true).expect("sound"));
    assert!(agrees(&distinct) < agrees(&repeating));
}

#[test]
fn counts_of_futoshikis_magic_squares_and_queens_are_those_of_brute_force() {
    let pairs: [LessPair; 4] = [[(0, 0), (0, 1)], [(1, 1), (0, 1)], [(2, 1), (2, 2)], [(1, 0), (2, 0)]];
    let futoshiki = |less: &[LessPair]| Futoshiki::new(4, less.to_vec());
    let counts = [0, 1, 2, 4].map(|count| agrees(&futoshiki(&pairs[..count]).build().expect("sound")));
    assert_eq!((counts[0], counts[1]), (576, 288), "half of the squares have a lesser first digit");
    assert!(counts[3] > 0 && counts[3] < counts[2] && counts[2] < counts[1], "{counts:?}");
    let both = [pairs[0], [pairs[0][1], pairs[0][0]]];
    assert_eq!(agrees(&futoshiki(&both).build().expect("sound")), 0);
    let primes = Futoshiki { digits: Some(vec![2, 3, 5, 7]), givens: vec![(0, 1, 7)], ..futoshiki(&pairs) };
    assert!(agrees(&primes.build().expect("sound")) > 0);
    assert_eq!([1, 2, 3].map(|size| agrees(&Magic::new(size).build().expect("sound"))), [1, 0, 8]);
    let lower = Magic { target: Some(14), ..Magic::new(3) };
    assert_eq!(agrees(&lower.build().expect("sound")), 0);
    for (size, count) in (1..=kenga_testing::size(6, 8)).zip([1, 0, 0, 2, 10, 4, 40, 92]) {
        assert_eq!(agrees(&Queens::new(size).build().expect("sound")), count);
    }
}

#[test]
fn a_kakuro_of_any_digits_is_counted_and_too_long_an_entry_has_no_solution() {
    let entry = |target, cells: &[(usize, usize)]| Entry { target, cells: cells.to_vec() };
    let entries = vec![
        entry(5, &[(0, 1), (0, 2)]),
        entry(6, &[(1, 0), (1, 1), (1, 2)]),
        entry(4, &[(0, 1), (1, 1)]),
        entry(4, &[(0, 2), (1, 2)]),
    ];
    for digits in [None, Some(vec![0, 1, 2, 3, 4]), Some((1..=32).collect())] {
        let kakuro = Kakuro { digits, ..Kakuro::new((2, 3), entries.clone()) };
        agrees(&kakuro.build().expect("sound"));
    }
    let long: Vec<(usize, usize)> = (0..10).map(|column| (0, column)).collect();
    let puzzle = Kakuro::new((1, 10), vec![entry(46, &long)]).build().expect("sound");
    let outcome =
        solver::solve(&Problem::compile(&puzzle), &Limits::default(), &Interrupt::default(), &mut |_| ());
    assert_eq!(outcome.status, Status::Unsolvable);
}

#[test]
fn formats_of_other_kinds_refuse_a_puzzle_by_name() {
    let latin = Square::latin(3).build().expect("sound");
    let holds_it =
        |name: &str| ["json", "pls", "fpuzzles", "fpuzzles_link", "sudokupad_link"].contains(&name);
    let others = |format: &&formats::Format| format.is_written() && !holds_it(format.name);
    for format in formats::TABLE.iter().filter(others) {
        let error = formats::write(&latin, format).expect_err("no other format holds a Latin square");
        assert!(error.what.starts_with("a Latin square, only "), "{error}");
        let Ok(text) = formats::write(&example("sudoku-9x9"), format) else { continue };
        assert!([("sudoku", 82), ("puzz_link", 74)].contains(&(format.name, text.len())), "{text}");
    }
}

#[test]
fn commands_solve_and_check_every_kind() {
    for ((name, _), drawn) in EXAMPLES.into_iter().zip(DRAWN) {
        let solved = succeeds(&["solve", &path(name)]);
        let shown = String::from_utf8_lossy(&solved.stdout);
        assert!(shown.contains("the only solution") && shown.contains(drawn), "{shown}");
        let solution = example(name).solution.expect("a solution").to_string();
        succeeds(&["check", &path(name), "--grid", &solution]);
    }
}

#[test]
fn runs_search_every_kind_in_the_encodings_that_it_has() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let encode = |name: &str, encoding: &str| {
        let config = folder.path().join(format!("{name}-{encoding}.toml"));
        let text = format!(
            "puzzles = [{:?}]\nseed = 1\nreplicates = 2\n[budget]\nevaluations = 2_000\n\
             [algorithm]\nname = \"genetic\"\nencoding = \"{encoding}\"\npopulation = 20\n",
            path(name)
        );
        std::fs::write(&config, text).expect("a file");
        run(folder.path(), &config)
    };
    for (name, kind) in EXAMPLES {
        assert!(encode(name, "cells"), "{name}");
        assert!(encode(name, "cages"), "{name}");
        assert_eq!(encode(name, "rows"), kind != Kind::Kakuro, "{name}: a Kakuro has no lines");
    }
}

#[test]
fn distinct_groups_of_no_other_role_have_a_term_and_columns_of_their_own() {
    let lab = Lab::new();
    let diagonal = r#"{"id":"diagonal","kind":"latin","size":5,"groups":[{"role":"group","cells":[[0,0],[1,1],[2,2],[3,3],[4,4]]}]}"#;
    lab.write("diagonal.json", diagonal);
    lab.write("plain.json", r#"{"id":"plain","kind":"latin","size":3}"#);
    let config = "seed = 3\nreplicates = 8\n[budget]\nevaluations = 100\n[fitness]\nweights = { group = 5 }\n\
                  [algorithm]\nname = \"genetic\"\npopulation = 10\n[record]\noperators = true\ngroups = true\n";
    lab.write("group.toml", config);
    for (puzzle, has_column) in [("diagonal.json", true), ("plain.json", false)] {
        lab.run(&["--config", "group.toml", "--puzzle", puzzle, "--out", puzzle.trim_end_matches(".json")]);
        let folder = puzzle.trim_end_matches(".json");
        let header = |name: &str| lab.read(&format!("{folder}/{name}")).lines().next().map(str::to_owned);
        for name in ["convergence.csv", "operators.csv"] {
            assert_eq!(header(name).expect("a header").ends_with(",group"), has_column, "{puzzle} {name}");
        }
        assert_eq!(lab.validate(&[folder, "--replay", "all"]).0, 0, "{puzzle}");
    }
    assert!(
        lab.read("diagonal/groups.csv").contains(",group at A1,group,"),
        "{}",
        lab.read("diagonal/groups.csv")
    );
    assert!(lab.read("diagonal/manifest.json").contains("\"group\": 5"));
}

fn run(folder: &Path, config: &Path) -> bool {
    let output = kenga().current_dir(folder).arg("run").arg("--config").arg(config).arg("--quiet").output();
    output.expect("it runs").status.success()
}
