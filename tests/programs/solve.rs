//! `kenga solve` as a whole program.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::lab::flat;

/// One solution: 1 2 / 2 1.
const UNIQUE: &str = r#"{"id":"unique","size":2,"cages":[{"op":"=","target":1,"cells":[[0,0]]},{"op":"+","target":5,"cells":[[0,1],[1,1],[1,0]]}]}"#;
/// Both squares of the digits 1 and 2.
const MULTIPLE: &str =
    r#"{"id":"multiple","size":2,"cages":[{"op":"+","target":6,"cells":[[0,0],[0,1],[1,1],[1,0]]}]}"#;
const UNSOLVABLE: &str = r#"{"id":"absurd","size":2,"cages":[{"op":"*","target":1000000000000000,"cells":[[0,0],[0,1],[1,1],[1,0]]}]}"#;
const BAD: &str = r#"{"id":"bad","size":2,"cages":[{"op":"+","target":6,"cells":[[0,0],[0,7]]}]}"#;

/// A folder with files in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn with(self, name: &str, lines: &[&str]) -> Self {
        fs::write(self.path(name), lines.join("\n") + "\n").expect("a file in the folder");
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kenga"));
        command.current_dir(self.0.path()).env("KENGA_PROGRESS", "0").arg("solve").args(args);
        command
    }

    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(args).output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("valid text");
        (status.code().expect("an exit code"), text(stdout), text(stderr))
    }
}

/// An n x n grid under one sum: as many solutions as there are Latin squares.
fn one_sum(n: usize) -> String {
    let cells: Vec<[usize; 2]> = (0..n * n).map(|cell| [cell / n, cell % n]).collect();
    let target = n * n * (n + 1) / 2;
    format!(r#"{{"id":"sum{n}","size":{n},"cages":[{{"op":"+","target":{target},"cells":{cells:?}}}]}}"#)
}

fn objects(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line")).collect()
}

#[test]
fn the_only_solution_is_drawn_with_its_cages() {
    let (code, stdout, stderr) = Folder::new().with("p.json", &[UNIQUE]).run(&["p.json"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let picture = "\
unique: the only solution
┌────┬────┐
│    │5+  │
│ 1  │ 2  │
├────┘    │
│         │
│ 2    1  │
└─────────┘
0 nodes; compile ";
    assert!(stdout.starts_with(picture), "{stdout}");
}

#[test]
fn two_solutions_are_shown_with_the_cells_in_which_they_differ() {
    let (code, stdout, _) = Folder::new().with("p.json", &[MULTIPLE]).run(&["p.json"]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("multiple: two solutions; they differ in A1 A2 B1 B2\n"), "{stdout}");
    assert!(stdout.contains("│[1]  [2] │") && stdout.contains("│[2]  [1] │"), "{stdout}");
}

#[test]
fn a_clue_that_no_digits_make_is_named() {
    let (code, stdout, stderr) = Folder::new().with("p.json", &[UNSOLVABLE]).run(&["p.json"]);
    assert_eq!((code, stderr.as_str()), (1, ""));
    assert!(
        stdout.starts_with("absurd: no solution: the cage 1000000000000000× at A1 cannot be satisfied\n")
    );
}

#[test]
fn json_has_one_object_a_puzzle_with_the_documented_keys() {
    let folder = Folder::new().with("p.jsonl", &[UNIQUE, MULTIPLE, UNSOLVABLE]);
    let (code, stdout, _) = folder.run(&["p.jsonl", "--json"]);
    assert_eq!(code, 1);
    let objects = objects(&stdout);
    let keys = "id status solutions count count_is_exact nodes compile_us first_us search_us";
    for object in &objects {
        let found: Vec<&str> = object.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(found.join(" "), keys);
    }
    let status: Vec<&str> = objects.iter().filter_map(|object| object["status"].as_str()).collect();
    assert_eq!(status, ["unique", "multiple", "unsolvable"]);
    assert_eq!(objects[0]["solutions"], serde_json::json!([[[1, 2], [2, 1]]]));
    assert_eq!(objects[1]["solutions"].as_array().map(Vec::len), Some(2));
    assert!(objects[0]["first_us"].is_f64() && objects[2]["first_us"].is_null());
    assert_eq!((&objects[2]["count"], &objects[2]["count_is_exact"]), (&Value::from(0), &Value::from(true)));
}

#[test]
fn a_bad_line_of_a_corpus_is_reported_and_the_rest_is_solved() {
    let folder = Folder::new().with("p.jsonl", &[UNIQUE, BAD, UNSOLVABLE]);
    let (code, stdout, stderr) = folder.run(&["p.jsonl"]);
    assert_eq!(code, 2);
    assert!(stdout.contains("unique ") && stdout.contains("absurd "), "{stdout}");
    assert!(stdout.contains("2 puzzles: 1 unique, 1 unsolvable; 0 nodes"), "{stdout}");
    let head = stdout.lines().next().map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(head.expect("a line"), ["puzzle", "status", "nodes", "ms"]);
    assert!(stderr.contains("p.jsonl"), "{stderr}");
}

#[test]
fn a_missing_file_is_bad_input_and_the_others_are_solved() {
    let (code, stdout, stderr) = Folder::new().with("p.json", &[UNIQUE]).run(&["absent.json", "p.json"]);
    assert_eq!(code, 2);
    assert!(stdout.starts_with("unique: the only solution"), "{stdout}");
    assert!(stderr.contains("cannot read absent.json"), "{stderr}");
}

#[test]
fn standard_input_is_read_for_a_dash() {
    let folder = Folder::new();
    let mut child = folder
        .command(&["-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(UNIQUE.as_bytes()).expect("the program reads");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(objects(&String::from_utf8_lossy(&output.stdout))[0]["id"], "unique");
}

#[test]
fn an_id_picks_one_puzzle_and_an_unknown_one_names_the_nearest() {
    let folder = Folder::new().with("p.jsonl", &[UNIQUE, MULTIPLE]);
    let (code, stdout, _) = folder.run(&["p.jsonl", "--id", "multiple"]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("multiple: two solutions"), "{stdout}");
    let (code, stdout, stderr) = folder.run(&["p.jsonl", "--id", "uniqe"]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("`uniqe`") && stderr.contains("did you mean `unique`?"), "{stderr}");
}

#[test]
fn a_count_says_whether_it_is_exact() {
    let folder = Folder::new().with("p.json", &[&one_sum(4)]);
    let (_, stdout, _) = folder.run(&["p.json", "--count", "1000"]);
    assert!(stdout.starts_with("sum4: exactly 576 solutions\n"), "{stdout}");
    let (_, stdout, _) = folder.run(&["p.json", "--count", "100"]);
    assert!(stdout.starts_with("sum4: at least 100 solutions\n"), "{stdout}");
    let (_, stdout, _) = folder.run(&["p.json", "--count", "576", "--json"]);
    let object = &objects(&stdout)[0];
    assert_eq!((&object["count"], &object["count_is_exact"]), (&Value::from(576), &Value::from(true)));
}

#[test]
fn all_lists_every_solution_once_in_a_fixed_order() {
    let folder = Folder::new().with("p.json", &[&one_sum(4)]);
    let (code, stdout, _) = folder.run(&["p.json", "--all"]);
    assert_eq!(code, 0);
    let grids: Vec<&str> = stdout.lines().filter(|line| line.contains('/')).collect();
    let different: std::collections::BTreeSet<&str> = grids.iter().copied().collect();
    assert_eq!((grids.len(), different.len()), (576, 576));
    assert!(stdout.contains("exactly 576 solutions\n"), "{stdout}");
    let (_, again, _) = folder.run(&["p.json", "--all"]);
    assert_eq!(again.lines().take(577).collect::<Vec<_>>(), stdout.lines().take(577).collect::<Vec<_>>());
    let (_, json, _) = folder.run(&["p.json", "--all", "--json", "--jobs", "1"]);
    let object = &objects(&json)[0];
    assert_eq!(object["solutions"].as_array().map(Vec::len), Some(576));
    assert_eq!(object["status"], "multiple");
}

#[test]
fn limits_leave_puzzles_undecided_and_bad_input_beats_that() {
    let sum = one_sum(9);
    let folder = Folder::new().with("p.jsonl", &[&sum, UNSOLVABLE]).with("bad.jsonl", &[&sum, BAD]);
    let (code, stdout, _) = folder.run(&["p.jsonl", "--node-limit", "0", "--json"]);
    assert_eq!(code, 3);
    assert_eq!(objects(&stdout)[0]["status"], "undecided");
    let (code, stdout, _) = folder.run(&["bad.jsonl", "--time-limit", "0"]);
    assert_eq!(code, 2);
    assert!(stdout.starts_with("sum9: undecided after 0 nodes"), "{stdout}");
}

#[test]
fn a_time_limit_holds_while_a_large_puzzle_is_prepared() {
    let runs: Vec<Value> = (0..200 * 200 / 4)
        .flat_map(|run| {
            let (row, column) = (run / 50, run % 50 * 4);
            let across: Vec<[usize; 2]> = (column..column + 4).map(|column| [row, column]).collect();
            let down: Vec<[usize; 2]> = across.iter().map(|[row, column]| [*column, *row]).collect();
            [json!({ "target": 250, "cells": across }), json!({ "target": 250, "cells": down })]
        })
        .collect();
    let digits: Vec<u8> = (40..72).collect();
    let puzzle =
        json!({ "id": "large", "kind": "kakuro", "rows": 200, "cols": 200, "digits": digits, "runs": runs });
    let folder = Folder::new().with("large.json", &[&puzzle.to_string()]);
    let (code, stdout, _) = folder.run(&["large.json", "--time-limit", "0.05", "--json"]);
    let object = &objects(&stdout)[0];
    assert_eq!((code, &object["status"], &object["nodes"]), (3, &json!("undecided"), &json!(0)));
    assert!(object["compile_us"].as_f64().is_some_and(|us| us < 20e6), "{object}");
}

#[test]
fn bad_limits_are_refused() {
    let folder = Folder::new().with("p.json", &[UNIQUE]);
    let refused: &[&[&str]] = &[
        &["--time-limit", "-1"],
        &["--time-limit", "nan"],
        &["--count", "0"],
        &["--jobs", "0"],
        &["--jobs", "99999999999"],
        &["--node-limit", "x"],
        &["--all", "--count", "3"],
    ];
    for limits in refused {
        let (code, stdout, stderr) = folder.run(&[&["p.json"], *limits].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{limits:?}");
        assert!(stderr.starts_with("  × "), "{limits:?}: {stderr}");
    }
}

#[test]
fn lines_come_in_the_order_of_input_for_any_number_of_jobs() {
    let puzzles: Vec<String> = (0..80).map(|index| UNIQUE.replace("unique", &format!("p{index}"))).collect();
    let lines: Vec<&str> = puzzles.iter().map(String::as_str).collect();
    let folder = Folder::new().with("p.jsonl", &lines);
    for jobs in ["1", "3"] {
        let (code, stdout, _) = folder.run(&["p.jsonl", "--json", "--jobs", jobs]);
        assert_eq!(code, 0);
        let ids: Vec<String> = objects(&stdout).iter().map(|object| object["id"].to_string()).collect();
        assert_eq!(ids, (0..80).map(|index| format!("\"p{index}\"")).collect::<Vec<_>>());
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let sum = one_sum(9);
    let folder = Folder::new().with("p.json", &[&sum]);
    let mut child = folder
        .command(&["p.json", "--all"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    stdout.read_line(&mut String::new()).expect("a first line");
    drop(stdout);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

/// Starts an endless listing, sends a signal after its first solution, and returns the exit code with all that it wrote.
#[cfg(unix)]
fn end_by(signal: &str) -> (Option<i32>, String) {
    let sum = one_sum(9);
    let folder = Folder::new().with("p.json", &[&sum]);
    let mut child =
        folder.command(&["p.json", "--all"]).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    for _ in ["the puzzle", "its first solution"] {
        stdout.read_line(&mut text).expect("a line");
    }
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    stdout.read_to_string(&mut text).expect("valid text");
    (child.wait().expect("the program ends").code(), text)
}

#[cfg(unix)]
#[test]
fn signals_end_the_search_with_what_is_known() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let (ended, text) = end_by(signal);
        assert_eq!(ended, Some(code));
        assert!(text.starts_with("sum9:\n") && text.contains("\nat least "), "{}", text.len());
    }
}

#[test]
fn digits_are_laid_over_a_puzzle() {
    let folder = Folder::new().with("p.jsonl", &[MULTIPLE]);
    let (code, stdout, _) = folder.run(&["p.jsonl", "--with", "A1=2"]);
    assert!(code == 0 && stdout.starts_with("multiple: the only solution\n"), "{stdout}");
    let (code, stdout, _) = folder.run(&["p.jsonl", "--with", "A1=2, b2=1"]);
    assert!(code == 1 && stdout.starts_with("multiple: no solution\n"), "{stdout}");
    let (code, stdout, _) = folder.run(&["p.jsonl", "--with", "A1=2,A2=2"]);
    assert_eq!(code, 1);
    assert!(stdout.contains("multiple: no solution\n  row A: 2 stands in A1 and A2\n"), "{stdout}");
}

#[test]
fn givens_that_a_puzzle_has_no_place_for_are_named() {
    let folder = Folder::new().with("p.jsonl", &[UNIQUE, MULTIPLE]);
    for (givens, words) in [
        ("C1=1", "puzzle `unique` has no cell C1"),
        ("A1=3", "3 (for A1) is not a digit of puzzle `multiple`"),
        ("A1", "`A1` is not a cell and its digit"),
        ("A1=1,A1=2", "A1 is given twice, as 1 and as 2"),
    ] {
        let (code, stdout, stderr) = folder.run(&["p.jsonl", "--with", givens]);
        assert!(code == 2 && stdout.is_empty() && flat(&stderr).contains(words), "{givens}: {stderr}");
    }
}
