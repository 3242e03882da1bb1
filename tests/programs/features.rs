//! Features of puzzles: forms, files, the same bytes for any number of threads, bad input.

use crate::lab::{Lab, refused, well};

/// Three puzzles, the second of which is none.
const MIXED: &str = "{\"kind\":\"coloring\",\"vertices\":2,\"colors\":2,\"edges\":[[0,1]]}\n{\"kind\":\"nothing\"}\n{\"kind\":\"coloring\",\"vertices\":3,\"colors\":2,\"edges\":[[0,1],[0,2],[1,2]],\"id\":\"triangle\"}\n";

/// Few samples, so that it takes no time.
const FEW: &str = "--landscape --encoding rows --samples 20 --walks 5";

#[test]
fn rows_have_the_same_bytes_for_any_threads_and_come_in_every_form() {
    let lab = Lab::new();
    lab.write("many.jsonl", (0..6).map(|_| "4:b_a4_a_6aa,m8s1a6s1m4a3d2\n").collect::<String>());
    let one = well(&lab, "features many.jsonl --csv --jobs 1");
    assert_eq!(one, well(&lab, "features many.jsonl --csv --jobs 4"));
    assert_eq!(one.lines().count(), 7);
    well(&lab, "features many.jsonl -o features.csv");
    assert_eq!(lab.read("features.csv"), one);
    assert!(refused(&lab, "features many.jsonl -o features.csv").contains("--force"));
    let json = well(&lab, "features many.jsonl --json --family exact");
    let first: serde_json::Value = serde_json::from_str(json.lines().next().expect("a line")).expect("JSON");
    assert_eq!((&first["solutions"], &first["solutions_exact"]), (&1.into(), &true.into()));
    assert_eq!(json.lines().count(), 6);
    let table = well(&lab, "features many.jsonl");
    assert!(table.contains("nodes") && table.lines().all(|line| line.chars().count() <= 80), "{table}");
}

#[test]
fn one_puzzle_is_a_list_of_what_it_has() {
    let lab = Lab::new();
    let shown = well(&lab, "features 4x4.txt");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    assert!(shown.contains("cage_size_mean") && !shown.contains("operator_lcm  "), "{shown}");
    assert!(shown.contains("\ndecided  ") && shown.contains("\ngivens  "), "what is 0 is told: {shown}");
}

#[test]
fn a_bad_puzzle_is_told_of_and_the_others_are_done() {
    let lab = Lab::new();
    lab.write("mixed.jsonl", MIXED);
    let ended = lab.kenga(&["features", "mixed.jsonl", "--csv"]);
    assert_eq!(ended.code, 2);
    assert_eq!(ended.stdout.lines().count(), 3, "{}", ended.stdout);
    assert!(ended.stdout.contains("\ntriangle,coloring,"), "{}", ended.stdout);
    assert!(ended.stderr.contains("mixed.jsonl:2"), "{}", ended.stderr);
}

#[test]
fn without_a_puzzle_there_is_no_file() {
    let lab = Lab::new();
    lab.write("bad.txt", "rubbish");
    assert_eq!(lab.kenga(&["features", "bad.txt", "-o", "none.csv"]).code, 2);
    assert!(!lab.path("none.csv").exists());
}

#[test]
fn landscapes_have_the_values_that_their_own_command_has() {
    let lab = Lab::new();
    let row = well(&lab, &format!("features 4x4.txt --json --family shape {FEW}"));
    let row: serde_json::Value = serde_json::from_str(&row).expect("JSON");
    let measured =
        well(&lab, "landscape 4x4.txt --json --encoding rows --fitness binary --samples 20 --walks 5");
    let measured: serde_json::Value = serde_json::from_str(&measured).expect("JSON");
    let all = measured.as_array().expect("a list");
    assert!(all.len() > 10);
    for quantity in all {
        let name = format!("rows_binary_{}", quantity["measure"].as_str().expect("a name"));
        assert_eq!(row[&name], quantity["value"], "{name}");
    }
}

#[test]
fn a_time_limit_leaves_out_what_is_not_known_by_then() {
    let lab = Lab::new();
    for line in ["features 4x4.txt --time-limit 0 --json", "canonical 4x4.txt --time-limit 0"] {
        // A small puzzle may be done before the clock is looked at.
        let ended = lab.kenga(&line.split(' ').collect::<Vec<_>>());
        assert!(ended.code == 3 || !ended.stdout.is_empty(), "{line}: {}", ended.stderr);
    }
    let path: String = (1..20_000).map(|vertex| format!("e {vertex} {}\n", vertex + 1)).collect();
    lab.write("path.col", format!("c colors 3\np edge 20000 19999\n{path}"));
    for line in ["features path.col --time-limit 0.01 --json", "canonical path.col --time-limit 0.01"] {
        let ended = lab.kenga(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ended.code, ended.stdout.as_str()), (3, ""), "{line}: {}", ended.stderr);
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let lab = Lab::new();
    assert!(refused(&lab, "features 4x4.txt --encoding rows").contains("--landscape"));
    assert!(refused(&lab, "features 4x4.txt --family exat").contains("exact"));
    assert!(refused(&lab, "features none.txt").contains("cannot read none.txt"));
    assert!(refused(&lab, "features 4x4.txt --csv --json").contains("cannot be used with"));
}
