//! `kenga grade`, `kenga explain` and `kenga hint` as whole programs.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::lab::flat;
use serde_json::Value;

const FOUR: &str = "puzzles/original/4x4.txt";
const SIX: &str = "puzzles/original/6x6.txt";
const SAMPLE: &str = "puzzles/keen-sample.jsonl";

/// Exit code, standard output, standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kenga"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("valid text");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
}

#[test]
fn one_puzzle_is_graded_with_its_techniques() {
    let (code, out, _) = run(&["grade", FOUR]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(out, @r"
    puzzle                   tier         score  steps  hardest technique
    4x4                      normal         2.0     23  cell_combinations
      last_cell           1.0     5 steps
      one_combination     1.1     3 steps
      naked_single        1.2     5 steps
      hidden_single       1.3     6 steps
      combinations        1.5     3 steps
      cell_combinations   2.0     1 step
    ");
}

#[test]
fn a_corpus_takes_a_line_a_puzzle_whatever_the_threads() {
    let one = run(&["grade", SAMPLE, "--json", "--jobs", "1"]);
    assert_eq!(one, run(&["grade", SAMPLE, "--json", "--jobs", "4"]));
    for object in json(&one.1) {
        let keys: Vec<&String> = object.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["id", "status", "score", "tier", "sum", "steps", "rounds", "techniques"]);
    }
}

#[test]
fn puzzles_without_one_solution_have_no_grade() {
    let (code, out, _) = run(&["grade", "puzzles/unsat-multi.jsonl", "--json"]);
    assert_eq!(code, 1);
    for object in json(&out) {
        assert!(["multiple", "unsolvable"].contains(&object["status"].as_str().expect("a status")));
        assert_eq!((&object["score"], &object["tier"]), (&Value::Null, &Value::Null));
    }
}

#[test]
fn a_tier_bounds_the_techniques() {
    let (code, out, _) = run(&["grade", SIX, "--up-to", "hard"]);
    assert_eq!((code, out.lines().nth(1).expect("a line").split_whitespace().nth(1)), (1, Some("beyond")));
    let (code, _, err) = run(&["grade", SIX, "--up-to", "hrad"]);
    assert!(code == 2 && err.contains("hard"), "{err}");
}

#[test]
fn every_step_is_explained() {
    let (code, out, _) = run(&["explain", FOUR]);
    assert_eq!(code, 0);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "4x4",
            "  1. D1 is 3: it is given  [last_cell 1.0]",
            "  2. cage 8× at A1 has one combination left, 1 2 4: A2 and A3 lose 3",
            "     [one_combination 1.1]",
        ]
    );
    assert_eq!(lines.last(), Some(&"solved in 23 steps: normal, 2.0"));
    let (_, out, _) = run(&["explain", FOUR, "--json"]);
    let told = json(&out);
    assert_eq!((told.len(), &told[22]["step"], &told[23]["steps"]), (24, &Value::from(23), &Value::from(23)));
    assert_eq!((&told[23]["end"], &told[22]["verified"]), (&Value::from("solved"), &Value::Null));
    assert!(!told[0].as_object().expect("an object").contains_key("verified"));
    let (_, out, _) = run(&["explain", FOUR, "--json", "--verify"]);
    assert_eq!(json(&out)[0]["verified"], "yes");
    assert_eq!(json(&out)[23]["verified"], serde_json::json!({"yes": 23, "no": 0, "undecided": 0}));
    assert_eq!(run(&["explain", SIX, "--up-to", "easy"]).0, 1);
    let (_, page, note) = run(&["explain", FOUR, "--verify", "--format", "html"]);
    assert!(page.contains("verified: yes") && note.contains("23 follow"), "{note}");
    let (code, out, _) = run(&["explain", SIX, "--verify"]);
    let verified = "the exact solver: 71 follow from the rules they name, 0 do not, 0 undecided";
    assert_eq!((code, out.lines().last()), (0, Some(verified)));
}

#[test]
fn a_killed_explanation_leaves_whole_lines() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kenga"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["explain", SAMPLE, "--id", "keen-9du-955", "--json", "--verify"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut told = String::new();
    for _ in 0..3 {
        pipe.read_line(&mut told).expect("a line");
    }
    child.kill().expect("it runs or has ended");
    child.wait().expect("it ends");
    pipe.read_to_string(&mut told).expect("the rest");
    let steps = json(&told);
    assert!(steps.len() >= 3 && steps[2]["step"] == 3 && told.ends_with('\n'), "{told}");
}

#[test]
fn steps_are_drawn_on_a_page_and_as_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    assert_eq!(run(&["explain", FOUR, "--format", "html", "-o", &at("steps.html")]).0, 0);
    let page = std::fs::read_to_string(at("steps.html")).expect("the page");
    // 23 steps and the end.
    assert_eq!((page.matches("<section").count(), page.matches("<svg").count()), (24, 24));
    assert_eq!(run(&["explain", FOUR, "--format", "svg", "-o", &at("steps")]).0, 0);
    assert_eq!(std::fs::read_dir(at("steps")).expect("a folder").count(), 23);
    assert_eq!(run(&["explain", FOUR, "--format", "svg", "--step", "2", "-o", &at("two.svg")]).0, 0);
    let picture = std::fs::read_to_string(at("two.svg")).expect("the picture");
    assert!(picture.contains("<svg") && picture.contains("one combination left"), "{picture}");
    for (args, code) in [(&["--format", "svg"][..], 2), (&["--step", "24"], 2), (&["--step", "0"], 2)] {
        assert_eq!(run(&[&["explain", FOUR], args].concat()).0, code, "{args:?}");
    }
}

#[test]
fn what_has_no_or_several_solutions_is_said_to() {
    const FILE: &str = "puzzles/unsat-multi.jsonl";
    let (code, out, _) = run(&["explain", FILE, "--id", "unsat-4-35"]);
    assert!(code == 1 && out.ends_with(": there is no solution\n"), "{out}");
    let (code, out, _) = run(&["explain", FILE, "--id", "multi-4-9"]);
    assert!(code == 1 && flat(&out).ends_with("because there are several solutions"), "{out}");
    let (code, out, _) = run(&["hint", FILE, "--id", "unsat-4-35"]);
    assert_eq!((code, out.as_str()), (1, "the puzzle has no solution\n"));
}

#[test]
fn a_hint_nudges_first_and_names_mistakes() {
    let grid = "4 . . ./. . . ./. . . ./3 . . .";
    let (code, nudge, _) = run(&["hint", FOUR, "--grid", grid]);
    assert_eq!(code, 0);
    assert!(nudge.starts_with("look at "), "{nudge}");
    let (_, more, _) = run(&["hint", FOUR, "--grid", grid, "--more"]);
    assert!(more.contains(" is "), "{more}");
    let wrong = "4 2 . ./. . . ./. . . ./. . . .";
    assert_eq!(run(&["hint", FOUR, "--grid", wrong]).1, "row A has a mistake\n");
    assert_eq!(run(&["hint", FOUR, "--grid", wrong, "--more"]).1, "A2 is wrong\n");
    for (grid, cell) in [
        ("4 . . ./. 7 . ./. . . ./. . . .", "B2 holds 7, which"),
        ("0 . . ./. . . ./. . . ./. . . .", "A1 holds 0"),
    ] {
        let (code, _, err) = run(&["hint", FOUR, "--grid", grid]);
        assert!(code == 2 && err.contains(cell) && err.contains("1, 2, 3 and 4"), "{err}");
    }
    let solved = "4 1 2 3/1 4 3 2/2 3 1 4/3 2 4 1";
    assert_eq!(run(&["hint", FOUR, "--grid", solved]), (0, "the grid is solved\n".to_owned(), String::new()));
    assert_eq!(run(&["hint", FOUR, "--grid", "1 2"]).0, 2);
    let (code, _, err) = run(&["hint", "-", "--grid", "-"]);
    assert!(code == 2 && err.contains("cannot both come from standard input"), "{err}");
}

#[test]
fn what_is_not_graded_in_time_is_undecided() {
    const FILE: &str = "puzzles/large-25x25.json";
    let (code, out, _) = run(&["grade", FILE, "--time-limit", "0.05"]);
    assert_eq!(code, 3);
    let said = "1 puzzle was not graded within 0.05 s: --time-limit takes longer\n";
    assert!(out.contains(" undecided\n") && out.ends_with(said), "{out}");
    let (code, out, _) = run(&["grade", FILE, SAMPLE, "--time-limit", "0", "--json"]);
    let graded = json(&out);
    assert_eq!((code, &graded[0]["status"], &graded[0]["tier"]), (3, &"undecided".into(), &Value::Null));
    assert!(graded.iter().all(|one| one["status"] == "undecided"), "{out}");
    let (code, _, err) = run(&["grade", FILE, "--time-limit", "-1"]);
    assert!(code == 2 && err.contains("a number of seconds"), "{err}");
}

#[test]
fn nothing_is_summed_up_where_nothing_was_graded() {
    let (code, out, err) = run(&["grade", "no-such-file.json"]);
    assert!(code == 2 && out.is_empty() && err.contains("no-such-file.json"), "{out}{err}");
}

#[test]
fn a_long_id_leaves_the_columns_where_they_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("long.json");
    let id = "é".repeat(40);
    let text = format!(r#"{{"id":"{id}","size":1,"cages":[{{"op":"=","target":1,"cells":[[0,0]]}}]}}"#);
    std::fs::write(&file, text).expect("a file");
    let (_, out, _) = run(&["grade", file.to_str().expect("a name")]);
    assert!(out.contains(&format!("\n{}… easy ", "é".repeat(23))), "{out}");
}

#[test]
fn techniques_are_listed_with_their_sources() {
    let (code, out, _) = run(&["list", "techniques", "--json"]);
    assert_eq!((code, out.lines().count()), (0, 33));
    assert!(json(&out).iter().all(|member| member["source"] != "" && member["score"].is_number()));
    assert_eq!(run(&["list", "technique", "--json"]).1, out);
}
