//! `kenga solve --why` as a whole program.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// 1 2 / 2 1 and no other.
const UNIQUE: &str = r#"{"id":"unique","size":2,"cages":[{"op":"=","target":1,"cells":[[0,0]]},{"op":"+","target":5,"cells":[[0,1],[1,1],[1,0]]}]}"#;
/// The first two clues leave 3 to both rows' last cells, which stand in one column.
const THREE: &str = r#"{"id":"three","size":3,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"*","target":2,"cells":[[1,0],[1,1]]},{"op":"-","target":2,"cells":[[0,2],[1,2]]},{"op":"+","target":6,"cells":[[2,0],[2,1],[2,2]]}]}"#;
const ABSURD: &str =
    r#"{"id":"absurd","size":2,"cages":[{"op":"*","target":1000,"cells":[[0,0],[0,1],[1,1],[1,0]]}]}"#;
/// Every grid of two digits.
const FREE: &str =
    r#"{"id":"free","size":2,"cages":[{"op":"+","target":6,"cells":[[0,0],[0,1],[1,1],[1,0]]}]}"#;
/// What its cage ends with, and a given of the puzzle's own after it.
const CAGE: &str = "}]}";
const GIVENS: &str = r#"}],"givens":[[1,0,1]]}"#;
/// Two digits for three cells in a row.
const NARROW: &str = r#"{"id":"narrow","size":3,"digits":[1,2],"cages":[{"op":"+","target":4,"cells":[[0,0],[0,1],[0,2],[1,0],[1,1],[1,2],[2,0],[2,1],[2,2]]}]}"#;

fn run(puzzles: &[&str], args: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("p.jsonl"), puzzles.join("\n")).expect("a file in the folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_kenga"));
    command
        .current_dir(folder.path())
        .env("KENGA_PROGRESS", "0")
        .args(["solve", "p.jsonl", "--why"])
        .args(args)
        .stdin(Stdio::null());
    let output = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("valid text");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

/// What is said of one puzzle, but for the costs.
fn said(puzzle: &str, args: &[&str]) -> (i32, String) {
    let (code, stdout, stderr) = run(&[puzzle], args);
    assert_eq!(stderr, "");
    let lines: Vec<&str> = stdout.lines().filter(|line| !line.contains("; compile ")).collect();
    (code, lines.join("\n"))
}

fn object(puzzle: &str, args: &[&str]) -> Value {
    serde_json::from_str(&run(&[puzzle], &[args, &["--json"]].concat()).1).expect("one JSON object")
}

#[test]
fn clues_that_conflict_are_named() {
    let (code, text) = said(THREE, &[]);
    let expected = "\
three: no solution
  these 2 clues contradict each other; no smaller set does:
    cage 3+ at A1: A1 A2
    cage 2× at B1: B1 B2";
    assert_eq!((code, text.as_str()), (1, expected));
    let absurd = "\
absurd: no solution: the cage 1000× at A1 cannot be satisfied
  this clue cannot be satisfied:
    cage 1000× at A1: A1 A2 B1 B2";
    assert_eq!(said(ABSURD, &[]).1, absurd);
}

#[test]
fn digits_laid_over_the_puzzle_are_clues_of_their_own() {
    let expected = "\
free: no solution
  column 1: 1 stands in A1 and B1
  these 2 clues contradict each other; no smaller set does:
    given 1 in A1 (--with)
    given 1 in B1 (--with)";
    assert_eq!(said(FREE, &["--with", "A1=1,B1=1"]).1, expected);
    assert!(said(&FREE.replace("free", "given").replace(CAGE, GIVENS), &["--with", "A1=1"]).1.ends_with(
        "\
    given 1 in A1 (--with)
    given 1 in B1"
    ));
}

#[test]
fn groups_that_conflict_without_a_clue_are_said_to() {
    let expected = "\
narrow: no solution: the cage 4+ at A1 cannot be satisfied
  without any clue, the rows and columns conflict";
    assert_eq!(said(NARROW, &[]).1, expected);
    let object = object(NARROW, &[]);
    assert_eq!((&object["why"], &object["why_is"]), (&json!([]), &json!("smallest")));
}

#[test]
fn vertices_of_a_graph_that_conflict_are_named() {
    let clique =
        r#"{"id":"k","kind":"coloring","vertices":5,"colors":2,"edges":[[0,1],[1,2],[0,2],[2,3],[3,4]]}"#;
    let expected = "\
k: no solution with 2 colours
  without any clue, with 2 colours: 3 vertices are all joined with each other
    A1 A2 A3";
    assert_eq!(said(clique, &[]), (1, expected.to_owned()));
    let ring = r#"{"id":"r","kind":"coloring","vertices":6,"colors":2,"edges":[[0,1],[1,2],[2,3],[3,4],[4,0],[4,5]]}"#;
    let expected = "\
r: no solution with 2 colours
  without any clue, with 2 colours: 5 vertices with 5 edges between them
  conflict, each of them needed
    A1 A2 A3 B1 B2";
    assert_eq!(said(ring, &[]), (1, expected.to_owned()));
}

#[test]
fn a_puzzle_with_a_solution_has_nothing_to_explain() {
    let (code, text) = said(UNIQUE, &[]);
    assert!(
        code == 0 && text.contains("unique: the only solution\n  nothing to explain: there is a solution\n"),
        "{text}"
    );
    let object = object(UNIQUE, &[]);
    assert_eq!((&object["why"], &object["why_is"]), (&Value::Null, &Value::Null));
}

#[test]
fn json_has_the_clues_and_what_is_proved_of_them() {
    for all in [&[][..], &["--all"]] {
        let object = object(THREE, all);
        let expected = json!([
            {"op": "+", "target": 3, "cells": [[0, 0], [0, 1]]},
            {"op": "*", "target": 2, "cells": [[1, 0], [1, 1]]},
        ]);
        assert_eq!((&object["why"], &object["why_is"]), (&expected, &json!("smallest")));
        assert_eq!(object["status"], "unsolvable");
    }
}

#[test]
fn every_puzzle_of_many_is_explained() {
    let (code, stdout, _) = run(&[UNIQUE, THREE, ABSURD], &["--jobs", "1"]);
    assert_eq!(code, 1);
    let indented: Vec<&str> = stdout.lines().filter(|line| line.starts_with(' ')).collect();
    let expected = [
        "  nothing to explain: there is a solution",
        "  these 2 clues contradict each other; no smaller set does:",
        "    cage 3+ at A1: A1 A2",
        "    cage 2× at B1: B1 B2",
        "  this clue cannot be satisfied:",
        "    cage 1000× at A1: A1 A2 B1 B2",
    ];
    assert_eq!(indented, expected);
}

#[test]
fn limits_leave_what_is_known() {
    let (code, text) = said(THREE, &["--time-limit", "0"]);
    let open = "  no explanation: undecided within the limits";
    assert!(code == 3 && text.contains(open), "{code} {text}");
    // No decision is granted: propagation alone refutes the puzzle, but finds few grids.
    let object = object(THREE, &["--node-limit", "0"]);
    assert!(["smallest", "irreducible", "reduced"].iter().any(|word| object["why_is"] == *word), "{object}");
}
