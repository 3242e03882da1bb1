//! `kenga generate` as a whole program.

use serde_json::Value;

use crate::lab::{Ended, Lab, flat};

const QUASIGROUP: [&str; 6] = ["--kind", "quasigroup", "--size", "6", "--holes", "0.5"];

fn generate(lab: &Lab, args: &[&str]) -> Ended {
    lab.kenga(&[&["generate"], args].concat())
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn the_same_options_give_the_same_bytes_and_more_puzzles_begin_with_the_fewer() {
    let lab = Lab::new();
    let three = generate(&lab, &[&QUASIGROUP[..], &["--count", "3", "--seed", "9"]].concat());
    assert_eq!((three.code, three.complaints().as_str()), (0, ""));
    assert_eq!(lines(&three.stdout)[2]["id"], "quasigroup-6-50-002");
    let five = &[&QUASIGROUP[..], &["--count", "5", "--seed", "9", "-o", "five.jsonl"]].concat();
    assert_eq!(generate(&lab, five).stdout, "");
    assert!(lab.read("five.jsonl").starts_with(&three.stdout));
    let other = generate(&lab, &[&QUASIGROUP[..], &["--count", "3", "--seed", "8"]].concat());
    assert_ne!(other.stdout, three.stdout);
}

#[test]
fn what_is_made_is_solved_and_its_solution_holds() {
    let lab = Lab::new();
    generate(&lab, &[&QUASIGROUP[..], &["--count", "4", "-o", "q.jsonl"]].concat());
    assert_eq!(lab.kenga(&["solve", "q.jsonl"]).code, 0);
    for puzzle in lines(&lab.read("q.jsonl")) {
        let row = |row: &Value| row.to_string().replace(['[', ']'], "");
        let rows = puzzle["solution"].as_array().expect("rows").iter().map(row).collect::<Vec<_>>().join("/");
        let id = puzzle["id"].as_str().expect("an id");
        assert_eq!(lab.kenga(&["check", "q.jsonl", "--id", id, "--grid", &rows]).code, 0, "{id}");
    }
}

#[test]
fn a_square_goes_through_the_text_of_lsencode_and_back() {
    let lab = Lab::new();
    generate(&lab, &[&QUASIGROUP[..], &["--count", "2", "-o", "q.jsonl"]].concat());
    let pls = lab.kenga(&["convert", "q.jsonl", "--to", "pls", "-o", "q.pls"]);
    assert_eq!((pls.code, lab.read("q.pls").matches("order 6\n").count()), (0, 2));
    let again = lab.kenga(&["convert", "q.pls", "--to", "pls"]);
    assert_eq!(again.stdout, lab.read("q.pls"));
}

#[test]
fn options_that_a_kind_does_not_take_are_named_with_those_that_it_takes() {
    let lab = Lab::new();
    for (args, said) in [
        (&["--kind", "quasigroup", "--size", "5"][..], "quasigroup needs --holes, a number from 0 to 1"),
        (
            &["--kind", "quasigroup", "--size", "0", "--holes", "0.5"],
            "--size takes a whole number from 1 to 32",
        ),
        (
            &["--kind", "quasigroup", "--size", "5", "--holes", "2"],
            "--holes takes a number from 0 to 1, not 2",
        ),
        (&["--kind", "quasigrp"], "invalid value `quasigrp`"),
        (&["--size", "5"], "--kind <KIND>"),
    ] {
        let ended = generate(&lab, args);
        assert!(ended.code == 2 && flat(&ended.stderr).contains(said), "{args:?} {}", ended.stderr);
        assert_eq!(ended.stdout, "");
    }
}

#[test]
fn a_futoshiki_has_one_solution_and_as_many_clues_as_asked() {
    let lab = Lab::new();
    let futoshiki = ["--kind", "futoshiki", "--size", "5", "--count", "3", "-o", "f.jsonl"];
    assert_eq!(generate(&lab, &futoshiki).code, 0);
    let solved = lab.kenga(&["solve", "f.jsonl", "--json"]);
    assert!(lines(&solved.stdout).iter().all(|answer| answer["status"] == "unique"), "{}", solved.stdout);
    let forty = generate(&lab, &["--kind", "futoshiki", "--size", "5", "--signs", "0.5", "--clues", "40"]);
    let puzzle = &lines(&forty.stdout)[0];
    let count = |key: &str| puzzle[key].as_array().map_or(0, Vec::len);
    assert_eq!(
        (puzzle["id"].as_str(), count("less") + count("givens")),
        (Some("futoshiki-5-s50-c40-000"), 40)
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_the_puzzles_that_were_made() {
    let lab = Lab::new();
    let order = ["generate", "--kind", "kenken", "--size", "6", "-o", "many.jsonl", "--count", "1000000"];
    let mut child = lab.command(&order).spawn().expect("the program starts");
    lab.wait_for_a_draft();
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-TERM", &pid]).status().expect("kill is there");
    assert!(sent.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(143));
    let made = lab.read("many.jsonl");
    let count = made.lines().count().to_string();
    let again = lab.kenga(&["generate", "--kind", "kenken", "--size", "6", "--count", &count, "--jobs", "1"]);
    assert_eq!(again.stdout, made);
}

#[test]
fn a_kenken_is_unique_as_ordered_and_the_same_for_any_number_of_threads() {
    let lab = Lab::new();
    let order =
        ["--kind", "kenken", "--size", "5", "--count", "12", "--operators", "-3+*", "--cages", "2..4"];
    let one = generate(&lab, &[&order[..], &["--jobs", "1"]].concat());
    let eight = generate(&lab, &[&order[..], &["--jobs", "8", "-o", "k.jsonl"]].concat());
    assert_eq!((one.code, eight.code, one.stdout.as_str()), (0, 0, lab.read("k.jsonl").as_str()));
    let solved = lab.kenga(&["solve", "k.jsonl", "--json"]);
    assert!(lines(&solved.stdout).iter().all(|answer| answer["status"] == "unique"), "{}", solved.stdout);
    assert!(!one.stdout.contains("\"/\"") && one.stdout.contains("\"kenken-5-011\""));
}

#[test]
fn every_kind_is_the_same_for_any_number_of_threads_and_solved_by_its_solution() {
    let lab = Lab::new();
    for order in [
        &["kenken", "--size", "4", "--difficulty", "easy"][..],
        &["killer", "--size", "6"],
        &["sudoku", "--size", "6", "--symmetry", "rotate"],
        &["kakuro", "--rows", "6", "--cols", "7"],
        &["futoshiki", "--size", "5", "--difficulty", "easy..normal"],
    ] {
        let order = [&["--kind"], order, &["--count", "4"]].concat();
        let one = generate(&lab, &[&order[..], &["--jobs", "1"]].concat());
        let eight = generate(&lab, &[&order[..], &["--jobs", "8", "-o", "k.jsonl", "--force"]].concat());
        assert_eq!((one.code, eight.code), (0, 0), "{}{}", one.stderr, eight.stderr);
        assert_eq!((lines(&one.stdout).len(), one.stdout), (4, lab.read("k.jsonl")));
        let solved = lab.kenga(&["solve", "k.jsonl", "--json"]);
        assert!(lines(&solved.stdout).iter().all(|answer| answer["status"] == "unique"), "{}", solved.stdout);
    }
}

#[test]
fn an_order_that_cannot_be_met_ends_and_says_so() {
    // An order that cannot be met takes all its effort: seconds.
    if !kenga_testing::runs_all() {
        return;
    }
    let lab = Lab::new();
    let order = ["--kind", "kenken", "--size", "3", "--difficulty", "unreasonable", "--count", "100"];
    let ended = generate(&lab, &[&order[..], &["--jobs", "1"]].concat());
    let said = ": not found in 4";
    assert_eq!((ended.code, ended.stderr.matches(said).count(), ended.stdout.as_str()), (1, 3, ""));
}

#[test]
fn an_order_whose_puzzles_all_have_several_solutions_ends_and_says_so() {
    // An order that cannot be met takes all its effort: seconds.
    if !kenga_testing::runs_all() {
        return;
    }
    let ended = generate(&Lab::new(), &["--kind", "kenken", "--size", "2", "--minimal"]);
    assert!(ended.stderr.starts_with("kenken-2-000: not found in"), "{}", ended.stderr);
    assert_eq!((ended.code, ended.stdout.as_str()), (1, ""));
}

#[test]
fn difficulties_and_techniques_that_are_not_known_are_refused() {
    let lab = Lab::new();
    for (args, said) in [
        (
            &["--difficulty", "harder"][..],
            "--difficulty takes easy, normal, hard, extreme, unreasonable, or a range",
        ),
        (&["--require", "magic"], "--require: there is no technique named `magic`"),
        (&["--cages", "0"], "--cages takes sizes from 1 to 12"),
        (&["--operators", "%"], "--operators takes some of +-*/?"),
        (&["--givens", "5"], "kenken takes no --givens"),
    ] {
        let ended = generate(&lab, &[&["--kind", "kenken", "--size", "4"], args].concat());
        assert!(
            ended.code == 2 && ended.stderr.replace("\n", " ").contains(said),
            "{args:?} {}",
            ended.stderr
        );
    }
}
