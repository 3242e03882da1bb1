//! The options of `kenga run`.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::lab::{GENETIC, Lab};

fn manifest(lab: &Lab, folder: &str) -> Value {
    serde_json::from_str::<Value>(&lab.read(&format!("{folder}/manifest.json"))).expect("JSON")["config"]
        .clone()
}

#[test]
fn seed_and_runs_lie_over_the_file_and_over_set() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--seed", "77", "--runs", "2", "--set", "seed=5", "--out", "o"]);
    let config = manifest(&lab, "o");
    assert_eq!((&config["seed"], &config["replicates"]), (&json!(77), &json!(2)));
    assert_eq!(lab.read("o/runs.csv").lines().count(), 3);
}

#[test]
fn set_takes_numbers_words_lists_and_tables() {
    let lab = Lab::new();
    let sets = [
        "algorithm.population=7",
        "algorithm.mutation.rate = 0.25",
        "algorithm.crossover=uniform",
        "fitness.weights={cage=3}",
        "fitness.cages=gap",
        "algorithm.replacement={name=\"generational\",elitism=0}",
        "puzzles=['4x4.txt']",
        "record.every=0",
    ];
    let args: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    lab.run(&[&["--config", "ga.toml", "--out", "o"], &args[..]].concat());
    let config = manifest(&lab, "o");
    assert_eq!(config["algorithm"]["population"], 7);
    assert_eq!(config["algorithm"]["mutation"]["rate"], 0.25);
    assert_eq!(config["algorithm"]["crossover"]["name"], "uniform");
    assert_eq!(config["algorithm"]["replacement"]["elitism"], 0);
    assert_eq!(config["fitness"]["cages"], "gap");
    assert_eq!(config["fitness"]["weights"], json!({"count":1,"row":1,"column":1,"region":1,"cage":3}));
    assert_eq!(lab.read("o/convergence.csv").lines().count(), 1);
}

#[test]
fn the_last_set_of_a_key_wins() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--set", "seed=8", "--set", "seed=9", "--out", "o"]);
    assert_eq!(manifest(&lab, "o")["seed"], 9);
}

#[test]
fn puzzles_of_the_file_are_beside_it_and_those_of_options_in_the_working_folder() {
    let lab = Lab::new();
    lab.write("deep/ga.toml", GENETIC);
    lab.write("deep/4x4.txt", "1\n1 !\n");
    assert_eq!(lab.summary(&["--config", "deep/ga.toml"])["puzzles"][0]["best"]["grid"], "1");
    let summary = lab.summary(&["--config", "deep/ga.toml", "--puzzle", "4x4.txt"]);
    assert_eq!(summary["puzzles"][0]["solutions"], 1);
    assert_ne!(summary["puzzles"][0]["best"]["grid"], "1");
}

#[test]
fn results_are_never_overwritten() {
    let lab = Lab::new();
    for expected in ["results/ga", "results/ga-2", "results/ga-3"] {
        assert_eq!(lab.summary(&["--config", "ga.toml", "--runs", "1"])["out"], expected);
    }
    assert_eq!(lab.decided("results/ga"), lab.decided("results/ga-3"));
    let before = lab.decided("results/ga");
    for folder in ["results/ga", "."] {
        let ended = lab.kenga(&["run", "--config", "ga.toml", "--out", folder, "--seed", "9"]);
        assert_eq!(ended.code, 2);
        assert!(
            ended.stderr.contains("is not empty") && ended.stderr.contains("--resume"),
            "{}",
            ended.stderr
        );
    }
    assert_eq!(lab.decided("results/ga"), before);
    let ended = lab.kenga(&["run", "--config", "ga.toml", "--out", "4x4.txt"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("4x4.txt"), "{}", ended.stderr);
}

#[test]
fn an_empty_folder_and_a_deep_one_can_be_named() {
    let lab = Lab::new();
    fs::create_dir(lab.path("empty")).expect("a folder");
    lab.run(&["--config", "ga.toml", "--out", "empty"]);
    lab.run(&["--config", "ga.toml", "--out", "a/b/c"]);
    assert_eq!(lab.decided("empty"), lab.decided("a/b/c"));
}

#[test]
fn quiet_says_nothing() {
    let lab = Lab::new();
    assert_eq!(lab.run(&["--config", "ga.toml", "--quiet"]).stdout, "");
    let ended = lab.kenga(&["run", "--config", "ga.toml", "--quiet", "--json"]);
    assert_eq!(ended.code, 2);
    let ended = lab.kenga(&["run", "--config", "nowhere.toml", "--quiet"]);
    assert!(ended.code == 2 && ended.stderr.contains("nowhere.toml"), "{}", ended.stderr);
}

#[test]
fn json_is_one_object_that_agrees_with_the_rows() {
    let lab = Lab::new();
    let summary = lab.summary(&["--config", "ga.toml", "--set", "budget.evaluations=6000", "--out", "o"]);
    let rows: Vec<Vec<String>> = (1..7).map(|line| lab.row("o/runs.csv", line)).collect();
    let solved = rows.iter().filter(|row| row[4] == "true").count();
    assert_eq!(summary["out"], "o");
    assert_eq!(summary["complete"], true);
    assert_eq!((&summary["runs"], &summary["solved"]), (&json!(6), &json!(solved)));
    let puzzle = &summary["puzzles"][0];
    assert_eq!((&puzzle["puzzle"], &puzzle["runs"]), (&json!("4x4"), &json!(6)));
    assert_eq!((&puzzle["solutions"], &puzzle["solutions_exact"]), (&json!(1), &json!(true)));
    let best = rows.iter().min_by_key(|row| row[10].parse::<u64>().expect("a number")).expect("a row");
    assert_eq!(puzzle["best"]["fitness"].to_string(), best[10]);
    assert_eq!(puzzle["best"]["grid"], json!(best[16]));
    assert_eq!(puzzle["cut_by_the_clock"], 0);
}

#[test]
fn the_configuration_can_come_from_standard_input() {
    let lab = Lab::new();
    let mut child = lab
        .command(&["run", "--config", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("a pipe").write_all(GENETIC.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    lab.run(&["--config", "ga.toml", "--out", "o"]);
    assert_eq!(lab.decided("results/stdin"), lab.decided("o"));
}

#[test]
fn a_puzzle_can_come_from_standard_input() {
    let lab = Lab::new();
    let file = fs::File::open(lab.path("4x4.txt")).expect("the puzzle");
    let status = lab
        .command(&["run", "--config", "ga.toml", "--puzzle", "-", "--out", "o", "--quiet"])
        .stdin(file)
        .status();
    assert!(status.expect("it starts").success());
    lab.run(&["--config", "ga.toml", "--out", "p"]);
    assert_eq!(lab.row("o/runs.csv", 1)[1], "stdin");
    assert_eq!(lab.read("o/convergence.csv"), lab.read("p/convergence.csv"));
}

#[test]
fn a_preset_lies_below_the_file() {
    let lab = Lab::new();
    lab.write("p.toml", "preset = 'pyevolve'\npuzzles = ['4x4.txt']\nbudget.generations = 20\nalgorithm.mutation.rate = 0.5\n");
    lab.run(&["--config", "p.toml", "--out", "o", "--set", "algorithm.population=10"]);
    let algorithm = &manifest(&lab, "o")["algorithm"];
    assert_eq!(algorithm["encoding"], json!({"name":"cells","givens":"free"}));
    assert_eq!((&algorithm["offset"], &algorithm["population"]), (&json!(1000), &json!(10)));
    assert_eq!(algorithm["mutation"]["rate"], 0.5);
    assert_eq!(lab.row("o/runs.csv", 1)[7], "210");
}

#[test]
fn statistics_are_lines_on_standard_error_and_change_no_byte() {
    for config in ["ga.toml", "islands.toml"] {
        let lab = Lab::new();
        lab.run(&["--config", config, "--out", "o", "--runs", "2"]);
        let ended = lab.kenga(&[
            "run",
            "--config",
            config,
            "--out",
            "s",
            "--runs",
            "2",
            "--statistics",
            "5",
            "--jobs",
            "1",
        ]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        let mut lines = ended.stderr.lines();
        let heading = lines.next().expect("a heading");
        assert!(heading.contains("higher is better") && heading.contains("0 is best"), "{heading}");
        let first = lines.next().expect("a line");
        assert!(
            first.starts_with("run 0  Gen. 0 (") && first.contains("Max/Min/Avg Fitness(Raw) ["),
            "{first}"
        );
        assert!(ended.stderr.lines().skip(1).all(|line| line.starts_with("run ")), "{}", ended.stderr);
        assert!(ended.stderr.lines().any(|line| line.contains("Gen. 15 (")), "{}", ended.stderr);
        assert_eq!(lab.decided("o"), lab.decided("s"), "{config}");
    }
}

#[test]
fn every_k_generations_are_recorded_and_always_the_last() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--runs", "1", "--set", "record.every=7", "--out", "o"]);
    let generations: Vec<String> = lab
        .read("o/convergence.csv")
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(1).expect("a field").to_owned())
        .collect();
    assert_eq!(generations, ["0", "7", "14", "19"]);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let lab = Lab::new();
    let closed = || {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        Stdio::from(writer)
    };
    for args in [
        &["run", "--config", "ga.toml"][..],
        &["run", "--config", "ga.toml", "--json"],
        &["list"],
        &["run", "--help"],
    ] {
        let status = lab.command(args).stdout(closed()).status().expect("it starts");
        assert_eq!(status.code(), Some(0), "{args:?}");
    }
    let args = ["run", "--config", "ga.toml", "--statistics", "1"];
    let status = lab.command(&args).stdout(Stdio::null()).stderr(closed()).status().expect("it starts");
    assert_eq!(status.code(), Some(0));
    let status =
        lab.command(&["run", "--config", "nowhere.toml"]).stderr(closed()).status().expect("it starts");
    assert_eq!(status.code(), Some(2));
}

#[test]
fn a_bad_puzzle_among_good_ones_is_told_and_the_rest_is_run() {
    let lab = Lab::new();
    lab.write("bad.txt", "1 2\n1 2\n3 +\n");
    let ended = lab.kenga(&[
        "run", "--config", "ga.toml", "--puzzle", "bad.txt", "--puzzle", "4x4.txt", "--out", "o", "--json",
    ]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("bad.txt"), "{}", ended.stderr);
    assert_eq!(serde_json::from_str::<Value>(&ended.stdout).expect("JSON")["runs"], 6);
}
