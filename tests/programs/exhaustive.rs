//! `kenga landscape --exhaustive`: what it says, what it writes, and what it refuses.

use serde_json::Value;

use crate::lab::{Lab, refused};

const CONFIG: &str = "\
puzzles = [\"three.json\"]
budget.moves = 1000
algorithm = { name = \"hill_climbing\", encoding = \"rows\" }
";

const THREE: &str = r#"{"id":"three","size":3,"cages":[{"op":"+","target":3,"cells":[[0,0],[1,0]]},
    {"op":"-","target":1,"cells":[[0,1],[0,2]]},{"op":"*","target":3,"cells":[[1,1],[1,2]]},
    {"op":"+","target":6,"cells":[[2,0],[2,1],[2,2]]}]}"#;

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("climb.toml", CONFIG);
    lab.write("three.json", THREE);
    lab
}

fn exhaustive(lab: &Lab, words: &[&str]) -> (i32, String, String) {
    let ended = lab.kenga(&[&["landscape", "--exhaustive", "climb.toml", "--calls", "300"], words].concat());
    (ended.code, ended.stdout, ended.stderr)
}

#[test]
fn exact_numbers_agree_with_runs_and_are_the_same_for_any_number_of_threads() {
    let lab = lab();
    let said = |jobs| exhaustive(&lab, &["--json", "--against", "500", "--jobs", jobs]);
    let (code, one, _) = said("1");
    assert_eq!((code, &one), (0, &said("3").1));
    let found: Value = serde_json::from_str(&one).expect("a JSON object");
    assert_eq!((&found["genomes"], &found["solutions"]), (&Value::from(216), &Value::from(2)));
    assert_eq!(
        (&found["against"]["agrees"], &found["against"]["runs"]),
        (&Value::from(true), &Value::from(500))
    );
    let last = found["points"].as_array().and_then(|points| points.last()).expect("points");
    assert!(last[0] == 300 && last[1].as_f64().is_some_and(|share| share > 0.9 && share < 1.0), "{last}");
}

#[test]
fn the_network_of_optima_is_written_and_drawn() {
    let lab = lab();
    let (code, _, said) =
        exhaustive(&lab, &["--network", "o.graphml", "--network", "o.svg", "--ways", "basin"]);
    assert!(code == 0 && said.contains("local optima") && said.contains("funnel"), "{said}");
    let (graph, drawn) = (lab.read("o.graphml"), lab.read("o.svg"));
    assert!(graph.ends_with("</graphml>\n") && drawn.ends_with("</svg>\n"));
    assert_eq!(graph.matches("<node ").count() * 2, drawn.matches("<circle").count());
    let (code, _, said) = exhaustive(&lab, &["--network", "o.svg"]);
    assert!(code == 2 && said.contains("--force"), "{said}");
}

#[test]
fn options_of_samples_are_refused() {
    let lab = lab();
    for words in
        [["--out", "o"], ["--runs", "r"], ["--encoding", "cells"], ["--seed", "7"], ["--measure", "fdc"]]
    {
        let (code, _, said) = exhaustive(&lab, &words);
        assert!(code == 2 && said.contains("cannot be used with") && said.contains(words[0]), "{said}");
    }
    // Without --exhaustive, too.
    let said = refused(&lab, "landscape 4x4.txt --samples 20 --network n.svg");
    assert!(said.contains("--network <FILE>"), "{said}");
}

#[test]
fn what_cannot_be_followed_says_why() {
    let lab = lab();
    let (code, _, said) = exhaustive(&lab, &["--set", "algorithm.name=\"tabu\""]);
    assert!(code == 2 && said.contains("is more than one genome"), "{said}");
    let (code, _, said) = exhaustive(&lab, &["--set", "algorithm.restart={name=\"stalled\", calls=3}"]);
    assert!(code == 2 && said.contains("restart.calls"), "{said}");
}
