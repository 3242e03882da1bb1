//! `kenga check` as a whole program.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::lab::flat;

const FOUR: &str = include_str!("../../puzzles/original/4x4.txt");
const SAMPLE: &str = include_str!("../../puzzles/keen-sample.jsonl");
const SOLUTION: &str = "4 1 2 3/1 4 3 2/2 3 1 4/3 2 4 1";

/// A folder with the 4x4 puzzle, a corpus, and some grids.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ruled = "4 | 1 | 2 | 3\n--+---+---+--\n1 | 4 | 3 | 2\n2 | 3 | 1 | 4\n3 | 2 | 4 | 1\n";
    let files =
        [("4x4.txt", FOUR), ("sample.jsonl", SAMPLE), ("ruled.txt", ruled), ("bad.txt", "1 2\n1 2\n3 +\n")];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file in the folder");
    }
    folder
}

fn command(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kenga"));
    command.current_dir(folder.path()).arg("check").args(args);
    command
}

/// Exit code, standard output, standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    finished(command(&folder(), args).output().expect("the program starts"))
}

fn finished(Output { status, stdout, stderr }: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).expect("valid text");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

#[test]
fn a_solution_is_one_however_it_is_written() {
    let lists = "[[4,1,2,3],[1,4,3,2],[2,3,1,4],[3,2,4,1]]";
    for grid in [SOLUTION, "4123/1432/2314/3241", "@ruled.txt", lists] {
        let expected = (0, "4x4: the grid is a solution\n".to_owned(), String::new());
        assert_eq!(run(&["4x4.txt", "--grid", grid]), expected, "{grid}");
    }
}

#[test]
fn a_grid_may_come_from_standard_input() {
    let folder = folder();
    let mut child = command(&folder, &["4x4.txt", "--grid", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(SOLUTION.as_bytes()).expect("the program reads");
    assert_eq!(finished(child.wait_with_output().expect("the program ends")).0, 0);
    let (code, _, errors) = run(&["-", "--grid", "-"]);
    assert!(code == 2 && errors.contains("standard input"), "{errors}");
}

#[test]
fn groups_that_fail_are_named_with_the_reason() {
    let (code, text, _) = run(&["4x4.txt", "--grid", "4123/1432/2314/3214"]);
    let expected = "\
4x4: the grid is not a solution: 3 rules are broken
  column 3: 1 stands in C3 and D3
  column 4: 4 stands in C4 and D4
  cage 4× at C3: 1, 4, 4 do not make 4×
";
    assert_eq!((code, &*text), (1, expected));
}

#[test]
fn a_partial_grid_is_not_yet_a_solution() {
    let (code, text, _) = run(&["4x4.txt", "--grid", "4123/14../2314/3241"]);
    let right = "4x4: the grid is not a solution yet: 2 cells are empty (B3 B4); it can be\ncompleted\n";
    assert_eq!((code, &*text), (1, right));
    let (code, text, _) = run(&["4x4.txt", "--grid", "44../..../..../...9"]);
    let wrong = "\
4x4: the grid is not a solution: 13 cells are empty (A3 A4 B1 B2 B3 B4 C1 C2 C3 C4 D1 D2 and 1 more cell), and 2 rules are broken already
  D4 holds 9, which is not a digit of this puzzle
  row A: 4 stands in A1 and A2
";
    assert_eq!((code, flat(&text)), (1, flat(wrong)));
}

#[test]
fn programs_get_an_object() {
    let (code, text, _) = run(&["4x4.txt", "--json", "--grid", "4123/143./2314/3249"]);
    let object: Value = serde_json::from_str(&text).expect("one JSON object");
    assert_eq!(code, 1);
    assert_eq!(object["id"], "4x4");
    assert_eq!((&object["solution"], &object["consistent"]), (&json!(false), &json!(false)));
    assert_eq!((&object["missing"], &object["foreign"]), (&json!([[1, 3]]), &json!([[3, 3]])));
    let failure = &object["failures"][0];
    assert_eq!((&failure["role"], &failure["group"]), (&json!("cage"), &json!("cage 4× at C3")));
    assert_eq!(failure["cells"], json!([[2, 2], [2, 3], [3, 3]]));
}

#[test]
fn a_puzzle_of_a_corpus_is_chosen_by_its_id() {
    let solution = "[[3,2,1],[2,1,3],[1,3,2]]";
    let (code, text, _) = run(&["sample.jsonl", "--id", "keen-3de-0", "--grid", solution]);
    assert_eq!((code, &*text), (0, "keen-3de-0: the grid is a solution\n"));
    let (code, text, errors) = run(&["sample.jsonl", "--grid", solution]);
    assert!(code == 2 && text.is_empty() && errors.contains("--id"), "{errors}");
    let (code, _, errors) = run(&["sample.jsonl", "--id", "keen-3de-00", "--grid", solution]);
    assert!(code == 2 && errors.contains("did you mean `keen-3de-0`?"), "{errors}");
}

#[test]
fn bad_input_is_shown_with_its_line() {
    for (grid, place) in [
        ("4123/1432/2314", "[--grid:1:11]"),
        ("4123/1432/2314/32x1", "[--grid:1:16]"),
        ("4 1 2 3/1 4 3/2 3 1 4/3 2 4 1", "[--grid:1:9]"),
        ("@bad.txt", "[bad.txt:3:1]"),
        ("@4x4.txt", "[4x4.txt:11:1]"),
        ("@missing.txt", "cannot read missing.txt"),
        ("", "expected 4 rows, found 0"),
    ] {
        let (code, text, errors) = run(&["4x4.txt", "--grid", grid]);
        assert!(code == 2 && text.is_empty() && errors.contains(place), "{grid}: {errors}");
    }
    let (code, _, errors) = run(&["bad.txt", "--grid", "1"]);
    assert!(code == 2 && errors.contains("[bad.txt:"), "{errors}");
}

#[test]
fn a_partial_grid_that_cannot_be_completed_is_found_out() {
    let (code, text, _) = run(&["4x4.txt", "--grid", "1.../..../..../...."]);
    assert_eq!(code, 1);
    assert!(flat(&text).ends_with("; no rule is broken so far, but it cannot be completed"), "{text}");
    let completable = |grid: &str, more: &[&str]| {
        let (_, text, _) = run(&[&["4x4.txt", "--json", "--grid", grid], more].concat());
        serde_json::from_str::<Value>(&text).expect("one JSON object")["completable"].clone()
    };
    assert_eq!(completable("1.../..../..../....", &[]), json!(false));
    assert_eq!(completable("44../..../..../....", &[]), json!(false));
    assert_eq!(completable("4.../..../..../....", &[]), json!(true));
    assert_eq!(completable(SOLUTION, &[]), json!(true));
}

#[test]
fn what_the_nodes_do_not_suffice_for_is_not_known() {
    let cells: Vec<[usize; 2]> = (0..81).map(|cell| [cell / 9, cell % 9]).collect();
    let puzzle = format!(r#"{{"id":"sum","size":9,"cages":[{{"op":"+","target":405,"cells":{cells:?}}}]}}"#);
    let folder = folder();
    fs::write(folder.path().join("sum.json"), puzzle).expect("a file in the folder");
    let empty = [". . . . . . . . ."; 9].join("/");
    let args = ["sum.json", "--node-limit", "3", "--grid", &empty];
    let (code, text, _) = finished(command(&folder, &args).output().expect("the program starts"));
    let words = "no rule is broken so far; whether it can be completed is not known within 3 nodes";
    assert!(code == 1 && flat(&text).ends_with(words), "{text}");
}
