//! `kenga solve --animate` as a whole program.

use std::fs;

use crate::lab::{Ended, Lab, flat};

/// A puzzle of each kind, with what its last picture says.
const KINDS: [(&str, &str); 7] = [
    ("futoshiki-6x6.json", "this is the only solution"),
    ("kakuro-6x6.json", "this is the only solution"),
    ("killer-6x6.json", "this is the only solution"),
    ("latin-7x7.json", "this is the only solution"),
    ("magic-4x4.json", "this is"),
    ("queens-8x8.json", "this is"),
    ("sudoku-9x9.json", "this is the only solution"),
];

fn animate(lab: &Lab, puzzle: &str, args: &[&str]) -> Ended {
    lab.kenga(&[&["solve", puzzle, "--animate"], args].concat())
}

fn shipped(name: &str) -> String {
    format!("{}/puzzles/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_picture_of_the_readme_is_what_the_command_makes() {
    let lab = Lab::new();
    let ended = animate(&lab, &shipped("original/6x6.txt"), &["solve.svg"]);
    assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.as_str()), (0, "", "wrote solve.svg\n"));
    let kept = include_str!("../../docs/figures/solve-6x6.svg");
    assert!(lab.read("solve.svg") == kept, "make it anew: see docs/watch.md");
    assert!(kept.len() < 300_000);
}

#[test]
fn every_kind_moves() {
    let lab = Lab::new();
    for (name, proved) in KINDS {
        let puzzle = shipped(&format!("family/{name}"));
        let svg = animate(&lab, &puzzle, &["-", "--steps", "20"]);
        assert_eq!(svg.code, 0, "{name}: {}", svg.stderr);
        assert!(svg.stdout.contains("@keyframes t0{0%{visibility:"), "{name}");
        assert!(svg.stdout.contains(&format!(">The end: {proved}")), "{name}");
        let page = format!("{name}.html");
        assert_eq!(animate(&lab, &puzzle, &[&page, "--detail", "decisions"]).code, 0, "{name}");
        let page = lab.read(&page);
        assert!(
            page.contains("<ol><li><button type=\"button\">no rule removes more") && !page.contains("http"),
            "{name}"
        );
    }
}

#[test]
fn the_answer_is_the_exit_code() {
    let lab = Lab::new();
    lab.write("one.json", r#"{"size":1,"cages":[{"op":"=","target":1,"cells":[[0,0]]}]}"#);
    lab.write("none.json", r#"{"size":2,"cages":[{"op":"+","target":9,"cells":[[0,0],[0,1],[1,0],[1,1]]}]}"#);
    lab.write("two.json", r#"{"kind":"latin","size":2,"id":"two <b>"}"#);
    for (file, args, code, says) in [
        ("one.json", &[][..], 0, "this is the only"),
        ("none.json", &[], 1, "there is no"),
        ("two.json", &[], 0, "this is one of"),
        ("two.json", &["--count", "1"], 0, "this is"),
        (&shipped("hard-12x12.json"), &["--node-limit", "3", "--steps", "1"], 3, "stopped; whether"),
    ] {
        let ended = animate(&lab, file, &[&["-"], args].concat());
        assert_eq!(ended.code, code, "{file}: {}", ended.stderr);
        assert!(ended.stdout.contains(says), "{file}: {}", ended.stdout.lines().last().unwrap_or_default());
    }
}

#[test]
fn a_gif_holds_its_pictures() {
    let lab = Lab::new();
    lab.write("two.json", r#"{"kind":"latin","size":2}"#);
    assert_eq!(animate(&lab, "two.json", &["two.gif", "--detail", "decisions", "--speed", "4"]).code, 0);
    let bytes = fs::read(lab.path("two.gif")).expect("the file is there");
    assert!(bytes.starts_with(b"GIF89a") && bytes.windows(11).any(|part| part == b"NETSCAPE2.0"));
    assert!(bytes.len() < 60_000, "{}", bytes.len());
}

#[test]
fn what_is_left_out_is_said() {
    let lab = Lab::new();
    let ended = animate(&lab, &shipped("original/6x6.txt"), &["short.html", "--steps", "4"]);
    assert_eq!(ended.code, 0);
    assert!(
        ended.stderr.contains("steps are left out: show more with --steps N, or --detail decisions"),
        "{}",
        ended.stderr
    );
    assert!(lab.read("short.html").contains("steps left out)"));
    let large =
        animate(&lab, &shipped("large-25x25.json"), &["large.svg", "--steps", "2", "--node-limit", "5"]);
    assert_eq!(large.code, 3, "{}", large.stderr);
    assert!(lab.read("large.svg").len() < 4_000_000);
}

#[test]
fn what_cannot_be_animated_is_refused() {
    let lab = Lab::new();
    lab.write("two.jsonl", "{\"kind\":\"latin\",\"size\":2}\n{\"kind\":\"latin\",\"size\":3}\n");
    lab.write("one.json", r#"{"kind":"latin","size":1}"#);
    lab.write("there.svg", "mine");
    let graph = shipped("graphs-colorable.jsonl");
    for (puzzle, args, says) in [
        ("two.jsonl", &["x.svg"][..], "--animate shows one puzzle, and there are several"),
        ("one.json", &["x.sgv"], "did you mean .svg?"),
        ("one.json", &["there.svg"], "there.svg already exists"),
        ("one.json", &["x.svg", "--speed", "0"], "from 0.1 to 50"),
        ("one.json", &["x.svg", "--json"], "cannot be used with"),
    ] {
        let ended = animate(&lab, puzzle, args);
        assert_eq!(ended.code, 2, "{says}: {}", ended.stderr);
        assert!(flat(&ended.stderr).contains(says), "{says}: {}", ended.stderr);
    }
    let first = fs::read_to_string(&graph).expect("a file").lines().next().expect("a line").to_owned();
    lab.write("graph.json", &first);
    let ended = animate(&lab, "graph.json", &["x.svg"]);
    assert!(ended.code == 2 && ended.stderr.contains("a graph has no grid to animate"), "{}", ended.stderr);
    assert_eq!(lab.read("there.svg"), "mine");
    assert_eq!(animate(&lab, "one.json", &["there.svg", "--force"]).code, 0);
}
