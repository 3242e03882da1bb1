//! Graph colouring with the commands.

use serde_json::Value;

use crate::lab::{Ended, Lab};

/// A wheel: a cycle of five vertices and a hub. It needs four colours.
const WHEEL: &str =
    "c a wheel\np edge 6 10\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 1\ne 6 1\ne 6 2\ne 6 3\ne 6 4\ne 6 5\n";

fn wheel() -> Lab {
    let lab = Lab::new();
    lab.write("wheel.col", WHEEL);
    lab
}

/// What the solver says of a graph that is made.
fn solved(kind: &str, size: &str, colors: &str) -> Value {
    let lab = Lab::new();
    let made =
        lab.kenga(&["generate", "--kind", kind, "--size", size, "--colors", colors, "-o", "graph.json"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let ended = lab.kenga(&["solve", "graph.json", "--json"]);
    serde_json::from_str(&ended.stdout).expect("a JSON object")
}

#[test]
fn queens_graphs_need_as_many_colours_as_is_known() {
    for (size, colors) in [(1, 1), (2, 4), (3, 5), (4, 5), (5, 5), (6, 7), (7, 7)] {
        let status =
            |colors: i32| solved("queens-graph", &size.to_string(), &colors.to_string())["status"].clone();
        assert!(["unique", "multiple"].contains(&status(colors).as_str().expect("a word")), "{size}");
        if colors > 1 {
            assert_eq!(status(colors - 1), "unsolvable", "{size}");
        }
    }
}

#[test]
fn mycielski_graphs_need_a_colour_more_than_their_number() {
    for (number, fewer, enough) in [("2", "2", "3"), ("3", "3", "4"), ("4", "4", "5")] {
        assert_eq!(solved("mycielski", number, fewer)["status"], "unsolvable", "{number}");
        assert_eq!(solved("mycielski", number, enough)["status"], "multiple", "{number}");
    }
}

#[test]
fn a_graph_in_dimacs_needs_the_number_of_colours_and_both_ways_to_say_it_are_named() {
    let lab = wheel();
    let unsaid = lab.kenga(&["solve", "wheel.col"]);
    assert_eq!((unsaid.code, unsaid.stdout.as_str()), (2, ""));
    assert!(
        unsaid.stderr.contains("--colors K") && unsaid.stderr.contains("c colors K"),
        "{}",
        unsaid.stderr
    );
    let three = lab.kenga(&["solve", "wheel.col", "--colors", "3"]);
    assert!(three.code == 1 && three.stdout.contains("no solution with 3 colours"), "{}", three.stdout);
    let four = lab.kenga(&["solve", "wheel.col", "--colors", "4", "--count", "1000"]);
    assert!(four.code == 0 && four.stdout.contains("exactly 120 solutions"), "{}", four.stdout);
    lab.write("said.col", format!("{WHEEL}c colors 3"));
    assert_eq!(lab.kenga(&["solve", "said.col"]).code, 1);
    assert_eq!(lab.kenga(&["solve", "said.col", "--colors", "4"]).code, 0);
}

#[test]
fn graphs_are_converted_and_recoloured() {
    let lab = wheel();
    let json = lab.kenga(&["convert", "wheel.col", "--colors", "4", "--to", "json", "-o", "wheel.json"]);
    assert_eq!((json.code, json.complaints().as_str()), (0, ""));
    assert!(
        lab.read("wheel.json")
            .starts_with("{\"id\":\"wheel\",\"kind\":\"coloring\",\"vertices\":6,\"colors\":4,")
    );
    assert_eq!(lab.kenga(&["solve", "wheel.json", "--colors", "3"]).code, 1);
    let back = lab.kenga(&["convert", "wheel.json", "--to", "col"]);
    assert_eq!(back.stdout.lines().take(2).collect::<Vec<_>>(), ["c colors 4", "p edge 6 10"]);
    let other = lab.kenga(&["solve", "4x4.txt", "--colors", "3"]);
    assert!(other.code == 2 && other.stderr.contains("a KenKen has no colours"), "{}", other.stderr);
}

#[test]
fn colours_are_those_of_the_puzzle_that_is_chosen() {
    let lab = wheel();
    lab.kenga(&["convert", "wheel.col", "--colors", "4", "--to", "json", "-o", "wheel.json"]);
    lab.write(
        "both.jsonl",
        "{\"id\":\"square\",\"kind\":\"latin\",\"size\":2}\n".to_owned() + &lab.read("wheel.json"),
    );
    let graph = ["both.jsonl", "--id", "wheel", "--colors", "3"];
    let solved = lab.kenga(&[&["solve"], &graph[..]].concat());
    assert_eq!((solved.code, solved.stderr.as_str()), (1, ""));
    let checked = lab.kenga(&[&["check", "--grid", "1 2 1/2 3 4"], &graph[..]].concat());
    assert_eq!((checked.code, checked.stderr.as_str()), (1, ""));
    let converted = lab.kenga(&[&["convert", "--to", "col"], &graph[..]].concat());
    assert_eq!((converted.code, converted.stdout.lines().next()), (0, Some("c colors 3")));
    let square = lab.kenga(&["solve", "both.jsonl", "--id", "square", "--colors", "3"]);
    assert!(square.code == 2 && square.stderr.contains("a Latin square has no colours"), "{}", square.stderr);
    assert!(!square.stderr.contains("no puzzle has the id"), "it is told once: {}", square.stderr);
}

#[test]
fn a_colouring_is_checked_and_a_broken_edge_is_named() {
    let lab = wheel();
    let check = |grid: &str| -> Ended { lab.kenga(&["check", "wheel.col", "--colors", "4", "--grid", grid]) };
    assert_eq!(check("1 2 1/2 3 4").code, 0);
    let broken = check("1 1 2/1 3 4");
    assert!(broken.code == 1 && broken.stdout.contains("pair A1 A2"), "{}", broken.stdout);
}

#[test]
fn every_search_on_cells_colours_a_graph_and_its_folder_is_valid() {
    let lab = wheel();
    lab.kenga(&["convert", "wheel.col", "--colors", "4", "--to", "json", "-o", "wheel.json"]);
    for name in ["genetic", "tabu", "annealing"] {
        let config = format!(
            "puzzles = [\"wheel.json\"]\nreplicates = 4\n[budget]\nevaluations = 2000\nmoves = 20_000\n\
             [algorithm]\nname = \"{name}\"\nencoding = \"cells\"\n"
        );
        lab.write("c.toml", config);
        lab.run(&["--config", "c.toml", "--out", name, "--quiet"]);
        let (code, found) = lab.validate(&[name, "--replay", "all"]);
        assert_eq!(code, 0, "{name}: {found}");
        assert!(lab.read(&format!("{name}/runs.csv")).contains(",true,true,search,"), "{name}");
    }
}
