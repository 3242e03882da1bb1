//! Budgets are never exceeded, and what a run is cut at counts.

use crate::lab::Lab;

fn row(sets: &[&str]) -> (Lab, Vec<String>) {
    let lab = Lab::new();
    let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    lab.run(&[&["--config", "ga.toml", "--runs", "1", "--out", "o"], &sets[..]].concat());
    assert_eq!(lab.validate(&["o", "--replay", "all"]).0, 0);
    let row = lab.row("o/runs.csv", 1);
    (lab, row)
}

#[test]
fn evaluations_are_spent_to_the_last() {
    for budget in [13, 23, 100, 101, 240] {
        let (lab, row) = row(&[&format!("budget.evaluations={budget}")]);
        assert_eq!((row[7].as_str(), row[13].as_str()), (budget.to_string().as_str(), "evaluations"));
        // A generation that the budget cuts short is not logged.
        let last = lab.read("o/convergence.csv").lines().count() - 1;
        let last = lab.row("o/convergence.csv", last);
        assert_eq!((last[2].parse::<u64>().expect("a number")), budget / 12 * 12);
        assert_eq!(last[1], row[9]);
    }
}

#[test]
fn an_initial_population_that_is_cut_short_counts_and_is_not_logged() {
    let (lab, row) = row(&["budget.evaluations=5"]);
    assert_eq!((row[7].as_str(), row[9].as_str(), row[13].as_str()), ("5", "0", "evaluations"));
    assert!(row[11].parse::<u64>().expect("a number") <= 5);
    assert_eq!(lab.read("o/convergence.csv").lines().count(), 1);
}

#[test]
fn generations_bound_a_run() {
    let (_, row) = row(&["budget={generations=4}"]);
    assert_eq!((row[7].as_str(), row[9].as_str(), row[13].as_str()), ("60", "4", "generations"));
}

#[test]
fn islands_share_the_evaluations_to_the_last() {
    let lab = Lab::new();
    lab.run(&["--config", "islands.toml", "--set", "budget.evaluations=101", "--out", "o"]);
    for line in 1..7 {
        let row = lab.row("o/runs.csv", line);
        assert!(row[7] == "101" || row[4] == "true", "{row:?}");
    }
    assert_eq!(lab.validate(&["o", "--replay", "all"]).0, 0);
}
