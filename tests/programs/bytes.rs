//! The same configuration gives the same bytes.

use crate::lab::{DECIDED, Lab};

const RUNS: &str = "run,puzzle,setting,replicate,solved,verified,solved_by,evaluations,moves,generations,best_fitness,\
    evaluations_to_best,moves_to_best,stop_reason,dead_at,distance,grid";
const CONVERGENCE: &str = "run,generation,evaluations,moves,best,mean,worst,std,diversity,count,row,column,region,cage,\
    distance,entropy";
const PUZZLES: &str = "puzzle,cells,digits,solutions,solutions_exact,backbone,nodes,candidates";

#[test]
fn jobs_do_not_change_a_byte() {
    for config in ["ga.toml", "islands.toml"] {
        let lab = Lab::new();
        lab.write(
            "two.json",
            r#"{"id":"two","size":2,"cages":[{"op":"+","target":6,"cells":[[0,0],[0,1],[1,0],[1,1]]}]}"#,
        );
        for jobs in ["1", "2", "8"] {
            let puzzles = ["--puzzle", "4x4.txt", "--puzzle", "two.json"];
            lab.run(&[&["--config", config, "--jobs", jobs, "--out", jobs], &puzzles[..]].concat());
            assert_eq!(lab.decided(jobs), lab.decided("1"), "{config}, {jobs} jobs");
        }
    }
}

/// One run on many threads: what the runs do not need serves the islands.
#[test]
fn threads_within_a_run_do_not_change_a_byte() {
    let lab = Lab::new();
    for jobs in ["1", "8"] {
        lab.run(&["--config", "islands.toml", "--runs", "1", "--jobs", jobs, "--out", jobs]);
    }
    assert_eq!(lab.decided("1"), lab.decided("8"));
}

#[test]
fn headers_are_those_of_the_format() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "o"]);
    for (file, header) in
        [("runs", RUNS), ("convergence", CONVERGENCE), ("puzzles", PUZZLES), ("timing", "run,cpu_s,wall_s")]
    {
        assert_eq!(lab.read(&format!("o/{file}.csv")).lines().next(), Some(header));
    }
    let mut files: Vec<_> = std::fs::read_dir(lab.path("o"))
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    files.sort();
    let mut expected: Vec<&str> = DECIDED.into_iter().chain(["timing.csv"]).collect();
    expected.sort();
    assert_eq!(files, expected);
}

#[test]
fn runs_are_ordered_by_replicate_then_puzzle() {
    let lab = Lab::new();
    lab.write("b.txt", lab.read("4x4.txt"));
    lab.run(&[
        "--config", "ga.toml", "--runs", "2", "--puzzle", "b.txt", "--puzzle", "4x4.txt", "--out", "o",
    ]);
    let rows: Vec<String> = (1..5).map(|line| lab.row("o/runs.csv", line)[..4].join(",")).collect();
    assert_eq!(rows, ["0,b,0,0", "1,4x4,0,0", "2,b,0,1", "3,4x4,0,1"]);
    // The stream of a run depends on the puzzle itself, not on its name or place.
    assert_eq!(lab.row("o/runs.csv", 1)[4..], lab.row("o/runs.csv", 2)[4..]);
}

#[test]
fn more_replicates_append_to_the_bytes_of_a_longer_experiment() {
    for config in ["ga.toml", "islands.toml"] {
        let lab = Lab::new();
        lab.run(&["--config", config, "--runs", "9", "--out", "long"]);
        lab.run(&["--config", config, "--runs", "2", "--out", "o"]);
        assert!(lab.read("long/runs.csv").starts_with(&lab.read("o/runs.csv")));
        assert!(lab.read("long/convergence.csv").starts_with(&lab.read("o/convergence.csv")));
        for runs in ["5", "9", "9"] {
            lab.run(&["--config", config, "--runs", runs, "--out", "o", "--resume"]);
        }
        assert_eq!(lab.decided("o"), lab.decided("long"), "{config}");
        assert_eq!(lab.read("o/timing.csv").lines().count(), 10);
    }
}

#[test]
fn another_seed_gives_other_runs() {
    let lab = Lab::new();
    for seed in ["3", "4"] {
        lab.run(&["--config", "ga.toml", "--seed", seed, "--out", seed]);
    }
    assert_ne!(lab.read("3/runs.csv"), lab.read("4/runs.csv"));
    assert_ne!(lab.read("3/convergence.csv"), lab.read("4/convergence.csv"));
    assert_eq!(lab.read("3/puzzles.jsonl"), lab.read("4/puzzles.jsonl"));
}

/// Settings are compared on the same starts: the initial population does not depend on parameters.
#[test]
fn another_rate_starts_from_the_same_population() {
    let lab = Lab::new();
    for rate in ["0.01", "0.2"] {
        let set = format!("algorithm.mutation.rate={rate}");
        lab.run(&["--config", "ga.toml", "--set", &set, "--out", rate]);
    }
    let start = |folder: &str| lab.row(&format!("{folder}/convergence.csv"), 1);
    assert_eq!(start("0.01"), start("0.2"));
    assert_ne!(lab.read("0.01/runs.csv"), lab.read("0.2/runs.csv"));
}

#[test]
fn results_name_no_path_host_or_clock() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "o"]);
    let place = lab.path("").to_string_lossy().into_owned();
    for (name, text) in lab.decided("o") {
        assert!(!text.contains(place.trim_end_matches('/')), "{name}");
    }
}
