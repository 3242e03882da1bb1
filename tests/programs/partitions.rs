//! `kenga partitions` as a whole program.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Two differing lines, a cage of three cells that bends, a difference, a hidden operator, and a given.
const PUZZLE: &str = r#"{"id":"p","size":3,"cages":[{"op":"+","target":5,"cells":[[0,0],[0,1],[1,0]]},{"op":"-","target":1,"cells":[[0,2],[1,2]]},{"op":"?","target":6,"cells":[[1,1],[2,1],[2,2]]},{"op":"=","target":2,"cells":[[2,0]]}]}"#;
const KAKURO: &str = r#"{"id":"k","kind":"kakuro","rows":2,"cols":2,"runs":[{"target":4,"cells":[[0,0],[0,1]]},{"target":6,"cells":[[0,0],[1,0]]},{"target":3,"cells":[[0,1],[1,1]]},{"target":5,"cells":[[1,0],[1,1]]}]}"#;

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kenga"));
    command
        .env("KENGA_PROGRESS", "0")
        .arg("partitions")
        .args(args)
        .stdin(Stdio::null())
        .env("NO_COLOR", "1")
        .env_remove("COLUMNS");
    command
}

fn run(args: &[&str]) -> (i32, String, String) {
    let output = command(args).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("valid text");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

/// The words of a call, and what it lists without a complaint.
fn listed(words: &str) -> String {
    let (code, stdout, stderr) = run(&words.split(' ').collect::<Vec<_>>());
    assert_eq!((code, stderr.as_str()), (0, ""), "{words}");
    stdout
}

fn puzzles() -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("p.jsonl");
    std::fs::write(&path, format!("{PUZZLE}\n{KAKURO}\n")).expect("a file in the folder");
    let name = path.to_str().expect("a name in text").to_owned();
    (folder, name)
}

#[test]
fn tables_are_listed_in_order() {
    assert_eq!(listed("sum 20 --cells 4 --max 9 --distinct --without 8,9"), "2,5,6,7\n3,4,6,7\n");
    assert_eq!(listed("product 4050 --cells 5"), "2,5,5,9,9\n3,5,5,6,9\n");
    assert_eq!(listed("product 28 --cells 2"), "4,7\n");
    assert_eq!(listed("product 28 --cells 2 --max 28"), "1,28\n2,14\n4,7\n");
    assert_eq!(listed("sum 4"), "1,1,1,1\n1,1,2\n1,3\n2,2\n4\n");
    assert_eq!(listed("product 12"), "2,2,3\n2,6\n3,4\n12\n");
    assert_eq!(listed("sum 3 --cells 2 --min 0 --max 5"), "0,3\n1,2\n");
    assert_eq!((listed("product 1"), listed("sum 0")), ("\n".to_owned(), "\n".to_owned()));
}

#[test]
fn counts_are_printed_without_listing() {
    for (words, count) in [
        ("sum 20", "627"),
        ("product 72", "16"),
        ("sum 100", "190569292"),
        ("product 453600 --cells 6 --max 16", "45"),
    ] {
        assert_eq!(listed(&format!("{words} --count")), format!("{count}\n"));
    }
    assert_eq!(listed("sum 7 --shape AB/AC --count"), "1\n");
}

#[test]
fn a_shape_keeps_equal_digits_apart() {
    assert_eq!(listed("sum 5 --cells 3"), "1,1,3\n1,2,2\n");
    assert_eq!(listed("sum 5 --shape AB/A"), "1,1,3\n1,2,2\n");
    assert_eq!(listed("sum 6 --shape ABC"), "1,2,3\n");
    assert_eq!(listed("sum 7 --shape ab/ac"), "1,1,2,3\n");
}

#[test]
fn json_is_one_object() {
    let object = |words: &str| serde_json::from_str::<Value>(&listed(words)).expect("one JSON object");
    let query = json!({
        "operation": "sum", "number": 5, "cells": 3, "min": 1, "max": 9, "distinct": false, "without": [4],
        "shape": [[0, 0], [0, 1], [1, 0]],
    });
    let expected =
        json!({ "query": query, "multisets": [[1, 1, 3], [1, 2, 2]], "count": 2, "complete": true });
    assert_eq!(object("sum 5 --shape AB/A --without 4 --json"), expected);
    let counted = object("sum 20 --count --json");
    assert_eq!((&counted["count"], &counted["complete"]), (&json!(627), &json!(true)));
    assert_eq!(counted["query"]["max"], 20);
    let (code, stdout, _) = run(&["sum", "100", "--cells", "2", "--json"]);
    let none: Value = serde_json::from_str(&stdout).expect("one JSON object");
    assert_eq!((code, &none["multisets"], &none["count"]), (1, &json!([]), &json!(0)));
}

#[test]
fn cages_of_puzzles_bring_their_own_numbers() {
    let (_folder, file) = puzzles();
    let cage = |id: &str, words: &str| listed(&format!("{words} --puzzle {file} --id {id}"));
    assert_eq!(cage("p", "--cage A1"), "1,1,3\n1,2,2\n");
    assert_eq!(cage("p", "--cage B1 --max 2"), "1,2,2\n");
    assert_eq!(cage("p", "sum --cage C2"), "1,2,3\n");
    assert_eq!(cage("p", "product --cage C2"), "1,2,3\n");
    assert_eq!(cage("p", "sum 3 --cage A3"), "1,2\n");
    assert_eq!(cage("p", "--cage C1"), "2\n");
    assert_eq!(cage("k", "sum 6 --cage A1"), "1,5\n2,4\n");
}

#[test]
fn nothing_found_is_said() {
    let (code, stdout, stderr) = run(&["sum", "100", "--cells", "3"]);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert_eq!(stderr, "none: 3 digits from 1 to 9 with the sum 100\n");
    assert_eq!(run(&["sum", "100", "--cells", "3", "--count"]), (1, "0\n".to_owned(), String::new()));
    assert_eq!(run(&["product", "7", "--max", "6"]).0, 1);
    assert_eq!(run(&["product", "0"]).2, "none: digits from 2 up with the product 0\n");
}

#[test]
fn bad_values_are_named() {
    let (_folder, file) = puzzles();
    let of = |rest: &str| format!("--puzzle {file} {rest}");
    let cases = [
        ("sum".to_owned(), "<N>"),
        ("quotient 4".to_owned(), "quotient"),
        ("sum -4".to_owned(), "-4"),
        ("sum 18446744073709551616".to_owned(), "18446744073709551616 is too large"),
        ("sum 9 --cells 0".to_owned(), "0 cells are outside 1 to 1048576"),
        ("sum 9 --cells 1048577".to_owned(), "1048577 cells are outside"),
        ("sum 9 --cells x".to_owned(), "invalid value `x`"),
        ("sum 9 --min 0".to_owned(), "parts of 0 do not change a sum"),
        ("product 9 --min 1".to_owned(), "parts of 1 do not change a product"),
        ("sum 99 --cells 3 --min 10".to_owned(), "the least digit 10 is above the greatest, 9"),
        ("sum 99 --min 10 --max 5".to_owned(), "the least digit 10 is above the greatest, 5"),
        ("sum 9 --without 1,x".to_owned(), "expected digits with commas between"),
        ("sum 9 --shape A//B".to_owned(), "row 2 of the shape has no cells"),
        ("sum 9 --shape AA".to_owned(), "column A is named twice in row 1"),
        ("sum 9 --shape A1".to_owned(), "`1` in row 1 of the shape is not a letter"),
        ("sum 9 --shape AB --cells 2".to_owned(), "cannot be used with"),
        ("sum 9 --cage A1".to_owned(), "--puzzle"),
        ("sum 9 --id p".to_owned(), "--puzzle"),
        ("sum 10000 --count".to_owned(), "too many to count exactly"),
        ("sum 99999999 --count".to_owned(), "table of 100000000 entries"),
        ("sum 99999999".to_owned(), "longer than the 1048576"),
        (of(""), "--cage"),
        (of("--cage A1"), "holds several puzzles"),
        (of("--cage A1 --id q"), "no puzzle has the id `q`"),
        (of("--cage 1A --id p"), "`1A` is not the name of a cell"),
        (of("--cage D1 --id p"), "puzzle `p` has no cell D1"),
        (of("--cage A3 --id p"), "the cage 1− at A3 of puzzle `p` is neither a sum nor a product"),
        (of("--cage B2 --id p"), "the cage 6? at B2 of puzzle `p` is neither a sum nor a product"),
        (of("--cage A1 --id k"), "lies in the entry 4+ at A1 and in the entry 6+ at A1"),
        ("--puzzle absent.json --cage A1".to_owned(), "cannot read absent.json"),
    ];
    for (words, complaint) in cases {
        let (code, stdout, stderr) = run(&words.split_whitespace().collect::<Vec<_>>());
        assert_eq!((code, stdout.as_str()), (2, ""), "{words}");
        let shown = stderr.replace("\n  │ ", " ");
        assert!(shown.contains(complaint), "{words}: {stderr}");
    }
}

#[test]
fn a_long_list_starts_at_once_and_a_closed_pipe_is_no_error() {
    let mut child =
        command(&["sum", "400"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert_eq!(lines.next().expect("a line").expect("text"), vec!["1"; 400].join(","));
    drop(lines);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn signals_end_a_list_in_good_order() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut child = command(&["sum", "400", "--json"]).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut [0; 100]).expect("it has begun");
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(kill.expect("kill starts").success());
        let mut end = Vec::new();
        stdout.read_to_end(&mut end).expect("the rest");
        assert_eq!(child.wait().expect("it ends").code(), Some(code));
        assert!(end.ends_with(b",\"complete\":false}\n"), "{signal}");
    }
}
