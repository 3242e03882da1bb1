//! `kenga transform` and `kenga canonical` as whole programs.

use std::fs::File;

use serde_json::Value;

use crate::lab::{Ended, FOUR, Lab};

const SUDOKU: &str = "......7....6.8..237..1.3.56.34..7...5....1.3489.2..5..3..6.8..2...912.4.......6..\n";

fn object(ended: &Ended) -> Value {
    assert_eq!((ended.code, ended.complaints().as_str()), (0, ""));
    serde_json::from_str(&ended.stdout).expect("one JSON object")
}

/// The program with a text as its standard input.
fn with_input(lab: &Lab, args: &[&str], text: &str) -> Ended {
    lab.write("input", text);
    let input = File::open(lab.path("input")).expect("it was written");
    let output = lab.command(args).stdin(input).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("valid text");
    let code = output.status.code().expect("an exit code");
    Ended { code, stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn hashes(lab: &Lab, file: &str) -> Vec<String> {
    let ended = lab.kenga(&["canonical", file, "--hash"]);
    assert_eq!((ended.code, ended.complaints().as_str()), (0, ""), "{file}");
    ended.stdout.lines().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn changes_are_made_in_their_order_and_noted() {
    let lab = Lab::new();
    let turned = lab.kenga(&["transform", "4x4.txt", "--rotate", "90", "--mirror", "columns"]);
    let transposed = lab.kenga(&["transform", "4x4.txt", "--transpose"]);
    let note = |object: &Value| object["meta"]["transform"].clone();
    assert_eq!(note(&object(&turned)), "--rotate 90 --mirror columns");
    assert_eq!(object(&turned)["cages"], object(&transposed)["cages"]);
    lab.write("once.json", &transposed.stdout);
    let back = lab.kenga(&["transform", "once.json", "--transpose"]);
    assert_eq!(note(&object(&back)), "--transpose, --transpose");
    let keen = lab.kenga(&["transform", "once.json", "--transpose", "--to", "keen"]);
    assert_eq!(keen.stdout, "4:b_a4_a_6aa,m8s1a6s1m4a3d2\n");
}

#[test]
fn what_would_be_another_puzzle_is_refused_and_the_others_are_written() {
    let lab = Lab::new();
    lab.write("sudoku.txt", SUDOKU);
    let both = lab.kenga(&["transform", "4x4.txt", "sudoku.txt", "--rows", "3,2,1,4,5,6,7,8,9"]);
    assert_eq!((both.code, both.stdout.lines().count()), (2, 1));
    assert!(both.stderr.contains("rows 3 2 1 4 5 6 7 8 9 are no order"), "{}", both.stderr);
    for (args, said) in [
        (
            &["4x4.txt", "--rows", "2,1,3,4"][..],
            "rows and columns cannot change places: cage 8× at A1 holds them",
        ),
        (&["4x4.txt", "--relabel", "complement"], "cage 8× at A1 does not allow these digits"),
        (&["sudoku.txt", "--rows", "4,2,3,1,5,6,7,8,9"], "rows change places only within bands of 3"),
        (&["sudoku.txt", "--relabel", "1,2,3"], "expected each of 1 2 3 4 5 6 7 8 9 once"),
        (&["sudoku.txt"], "there is nothing to change"),
        (&["sudoku.txt", "--random", "--transpose"], "cannot be used with"),
        (&["sudoku.txt", "--seed", "3", "--transpose"], "cannot be used with"),
        (&["sudoku.txt", "--seed", "3"], "--random"),
        (&["sudoku.txt", "--rotate", "45"], "expected 90, 180 or 270"),
        (&["sudoku.txt", "--rows", "a"], "expected the numbers of all lines"),
        (&["sudoku.txt", "--mirror", "cells"], "expected rows or columns"),
    ] {
        let ended = lab.kenga(&[&["transform"], args].concat());
        let told = ended.stderr.replace("\n  │ ", " ");
        assert!(ended.code == 2 && told.contains(said), "{args:?}: {told}");
        assert_eq!(ended.stdout, "", "{args:?}");
    }
}

#[test]
fn random_changes_depend_on_the_seed_alone_and_keep_the_form() {
    let lab = Lab::new();
    lab.write("sudoku.txt", SUDOKU);
    lab.kenga(&["convert", "4x4.txt", "sudoku.txt", "--to", "json", "-o", "two.jsonl"]);
    let changed = |file: &str, seed: &str| {
        let ended = lab.kenga(&["transform", file, "--random", "--seed", seed]);
        assert_eq!((ended.code, ended.complaints().as_str()), (0, ""));
        ended.stdout
    };
    assert_eq!(changed("two.jsonl", "3").lines().next(), changed("4x4.txt", "3").lines().next());
    assert_ne!(changed("two.jsonl", "3"), changed("two.jsonl", "4"));
    let forms = hashes(&lab, "two.jsonl");
    assert!(forms.len() == 2 && forms[0] != forms[1] && forms.iter().all(|name| name.len() == 16));
    for seed in ["1", "2", "3"] {
        lab.write("changed.jsonl", changed("two.jsonl", seed));
        assert_eq!(hashes(&lab, "changed.jsonl"), forms);
    }
}

#[test]
fn the_name_of_a_form_is_stable() {
    let lab = Lab::new();
    lab.write("sudoku.txt", SUDOKU);
    assert_eq!(
        [hashes(&lab, "4x4.txt"), hashes(&lab, "sudoku.txt")].concat(),
        ["52a9c1ca8fb56428", "49080d107761a46b"]
    );
}

#[test]
fn the_first_of_equal_puzzles_is_kept_as_it_is() {
    let lab = Lab::new();
    let json = lab.kenga(&["convert", "4x4.txt", "--to", "json"]).stdout;
    let other =
        lab.kenga(&["transform", "4x4.txt", "--rotate", "180"]).stdout.replace("\"4x4\"", "\"again\"");
    let third =
        lab.kenga(&["transform", "4x4.txt", "--mirror", "rows"]).stdout.replace("\"4x4\"", "\"third\"");
    let different = json.replace("\"4x4\"", "\"different\"").replace("\"target\":8", "\"target\":9");
    lab.write("all.jsonl", [json.as_str(), &other, &different, &third].concat());
    let kept = lab.kenga(&["canonical", "all.jsonl", "--drop-duplicates"]);
    assert_eq!((kept.code, kept.stderr.as_str()), (0, "2 kept, 2 dropped\n"));
    assert_eq!(kept.stdout, json + &different);
    let both = lab.kenga(&["canonical", "all.jsonl", "--drop-duplicates", "--hash"]);
    assert!(both.code == 2 && both.stderr.contains("cannot be used with"), "{}", both.stderr);
    let forms = lab.kenga(&["canonical", "all.jsonl"]).stdout;
    let cages = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["cages"].clone();
    let forms: Vec<Value> = forms.lines().map(cages).collect();
    assert!(forms[0] == forms[1] && forms[0] == forms[3] && forms[0] != forms[2]);
}

#[test]
fn standard_input_is_read_and_a_file_is_not_overwritten() {
    let lab = Lab::new();
    assert_eq!(with_input(&lab, &["canonical", "-"], FOUR).code, 0);
    assert_eq!(with_input(&lab, &["transform", "-", "--transpose", "-o", "t.json"], FOUR).code, 0);
    let again = with_input(&lab, &["transform", "-", "--transpose", "-o", "t.json"], FOUR);
    assert!(again.code == 2 && again.stderr.contains("already exists"), "{}", again.stderr);
    let bad = with_input(&lab, &["canonical", "-"], "no puzzle\n");
    assert_eq!((bad.code, bad.stdout.as_str()), (2, ""));
}
