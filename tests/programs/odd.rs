//! Puzzles and populations at the edge.

use crate::lab::Lab;

/// An n x n grid under one clue.
fn whole(n: usize, operator: &str, target: u64) -> String {
    let cells: Vec<[usize; 2]> = (0..n * n).map(|cell| [cell / n, cell % n]).collect();
    format!(
        r#"{{"id":"whole","size":{n},"cages":[{{"op":"{operator}","target":{target},"cells":{cells:?}}}]}}"#
    )
}

fn given(digit: u8) -> String {
    format!(r#"{{"id":"one","size":1,"cages":[{{"op":"=","target":{digit},"cells":[[0,0]]}}]}}"#)
}

/// Runs a puzzle; the words that the program ends with, and the row of the first run.
fn run(puzzle: &str, sets: &[&str]) -> (String, Vec<String>) {
    let lab = Lab::new();
    lab.write("p.json", puzzle);
    let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    let args = ["--config", "ga.toml", "--puzzle", "p.json", "--runs", "2", "--out", "o"];
    let ended = lab.run(&[&args[..], &sets].concat());
    let (code, found) = lab.validate(&["o", "--replay", "all"]);
    assert_eq!((code, &found["replayed"]), (0, &2.into()), "{found}");
    (ended.stdout, lab.row("o/runs.csv", 1))
}

#[test]
fn one_cell_is_solved_at_once() {
    for encoding in ["algorithm.encoding=cells", "algorithm.encoding=rows"] {
        let (shown, row) = run(&given(1), &[encoding]);
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("proves it the only solution"), "{shown}");
        assert_eq!(
            (row[4].as_str(), row[5].as_str(), row[6].as_str(), row[11].as_str()),
            ("true", "true", "search", "1")
        );
    }
}

#[test]
fn a_puzzle_without_solutions_is_no_error() {
    for puzzle in [given(2), whole(3, "+", 17), whole(2, "*", 1_000_000_000_000)] {
        let (shown, row) = run(&puzzle, &[]);
        assert!(shown.contains("the puzzle has no solution"), "{shown}");
        assert_eq!((row[4].as_str(), row[13].as_str(), row[15].as_str()), ("false", "evaluations", ""));
    }
}

#[test]
fn a_solution_is_one_of_those_that_there_are() {
    let (shown, row) = run(&whole(2, "+", 6), &[]);
    assert!(shown.contains("solved and verified") && shown.contains("one of 2 solutions\n"), "{shown}");
    assert_eq!(row[15], "0");
    let (shown, _) = run(&whole(3, "+", 18), &["budget.evaluations=20000"]);
    assert!(shown.contains("one of 12 solutions\n"), "{shown}");
    let (shown, _) = run(&whole(3, "+", 18), &["budget.evaluations=20000", "exact.solutions=5"]);
    assert!(shown.contains("one of 5 solutions or more\n"), "{shown}");
    let (shown, row) = run(&whole(3, "+", 18), &["budget.evaluations=20000", "exact.nodes=0"]);
    assert!(shown.contains("whether there are others is not known"), "{shown}");
    assert_eq!(row[15], "");
}

#[test]
fn large_puzzles_run() {
    for size in [9, 25, 32] {
        let sum = (size * size * (size + 1) / 2) as u64;
        for encoding in ["algorithm.encoding=cells", "algorithm.encoding=rows"] {
            let (_, row) =
                run(&whole(size, "+", sum), &[encoding, "budget.evaluations=60", "exact.nodes=50"]);
            assert_eq!(row[16].split('/').count(), size, "{}", row[16]);
            assert_eq!(row[7], "60");
        }
    }
}

#[test]
fn tiny_populations_live() {
    for encoding in ["algorithm.encoding=cells", "algorithm.encoding=rows"] {
        for population in ["algorithm.population=1", "algorithm.population=2", "algorithm.population=3"] {
            for elitism in ["algorithm.replacement.elitism=0", "algorithm.replacement.elitism=1"] {
                let four = include_str!("../../puzzles/original/4x4.txt");
                let (_, row) = run(four, &[encoding, population, elitism, "budget.evaluations=61"]);
                assert!(row[7] == "61" || row[4] == "true", "{row:?}");
            }
        }
    }
}

#[test]
fn islands_of_one_and_more_islands_than_budget_live() {
    let lab = Lab::new();
    for (sets, out) in [
        (&["algorithm.island.population=1", "algorithm.migrants=5"][..], "a"),
        (&["algorithm.count=1"], "b"),
        (&["algorithm.count=64", "budget.evaluations=9"], "c"),
        (&["algorithm.interval=1", "algorithm.migrants=0"], "d"),
    ] {
        let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
        lab.run(&[&["--config", "islands.toml", "--runs", "2", "--out", out], &sets[..]].concat());
        assert_eq!(lab.validate(&[out, "--replay", "all"]).0, 0, "{out}");
    }
}

#[test]
fn names_with_commas_and_quotes_survive() {
    let lab = Lab::new();
    lab.write("p.json", given(1).replace("one", "a,b c \\\"d\\\""));
    for (runs, resume) in [("2", &[][..]), ("4", &["--resume"])] {
        lab.run(
            &[&["--config", "ga.toml", "--puzzle", "p.json", "--out", "o", "--runs", runs], resume].concat(),
        );
    }
    lab.run(&["--config", "ga.toml", "--puzzle", "p.json", "--out", "p", "--runs", "4"]);
    assert_eq!(lab.decided("o"), lab.decided("p"));
    assert_eq!(lab.validate(&["o", "--replay", "all"]).0, 0);
}

#[test]
fn a_memetic_algorithm_with_moves_alone_ends() {
    let lab = Lab::new();
    lab.write("one.json", "{\"size\":2,\"cages\":[{\"op\":\"+\",\"target\":4,\"cells\":[[0,0],[0,1]]},{\"op\":\"+\",\"target\":2,\"cells\":[[1,0],[1,1]]}],\"givens\":[[0,0,1],[0,1,2],[1,0,2],[1,1,1]]}");
    let memetic = |more: &str| {
        format!("puzzles = ['one.json']\n[budget]\nmoves = 1000\n[algorithm]\nname = 'memetic'\n{more}")
    };
    lab.write("stuck.toml", memetic("encoding = 'rows'\nmutation = 'row_swap'\ncrossover = 'row'"));
    lab.run(&["--config", "stuck.toml", "--out", "stuck", "--quiet"]);
    assert!(lab.read("stuck/runs.csv").contains(",stalled,"), "{}", lab.read("stuck/runs.csv"));
    for never in ["improve_share = 0", "improve = 'random'"] {
        lab.write("never.toml", memetic(never));
        assert_eq!(lab.kenga(&["run", "--config", "never.toml"]).code, 2, "{never}");
    }
}
