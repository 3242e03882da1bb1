//! What is recorded of a generation is the same however seldom generations are recorded.

use std::collections::BTreeMap;

use crate::lab::Lab;

/// Searches whose runs end in the middle of a generation.
const SEARCHES: [&str; 8] = [
    "{ name = \"genetic\", population = 30 }",
    "{ name = \"tabu\" }",
    "{ name = \"breakout\" }",
    "{ name = \"annealing\" }",
    "{ name = \"iterated\" }",
    "{ name = \"hill_climbing\" }",
    "{ name = \"portfolio\", calls = 700, stages = [\"tabu\", \"genetic\"] }",
    "{ name = \"islands\", count = 3, interval = 500, island = { name = \"tabu\", generation = 130 } }",
];

/// The rows of convergence by run and generation.
fn rows(lab: &Lab, folder: &str) -> BTreeMap<String, String> {
    let text = lab.read(&format!("{folder}/convergence.csv"));
    let row = |line: &str| {
        let fields: Vec<&str> = line.splitn(3, ',').collect();
        (format!("run {} generation {}", fields[0], fields[1]), fields[2].to_owned())
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn rows_are_those_of_every_generation() {
    // Every day half of them.
    for (index, search) in SEARCHES.iter().enumerate().step_by(kenga_testing::size(2, 1)) {
        let lab = Lab::new();
        let budget = if index == 0 { "evaluations = 1000" } else { "moves = 20_000\nevaluations = 5000" };
        lab.write("x.toml", format!("puzzles = [\"4x4.txt\"]\nreplicates = 6\n[budget]\n{budget}\n"));
        let run = |every: &str, out: &str| {
            let (search, every) = (format!("algorithm={search}"), format!("record.every={every}"));
            lab.run(&["--config", "x.toml", "--set", &search, "--set", &every, "--out", out, "--quiet"]);
            let (code, found) = lab.validate(&[out, "--replay", "2"]);
            assert_eq!(code, 0, "{search} {every}: {found}");
            rows(&lab, out)
        };
        let all = run("1", "all");
        for (every, out) in [("3", "third"), ("10", "tenth"), ("'log'", "log"), ("'improvement'", "best")] {
            for (place, row) in run(every, out) {
                assert_eq!(all.get(&place), Some(&row), "{search} {every} {place}");
            }
        }
    }
}
