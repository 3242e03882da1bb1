//! Hardness: from puzzles to what makes them hard, as whole programs.

use crate::lab::{Lab, refused, well};

const PUZZLES: &str = include_str!("../../puzzles/fresh/keen-4x4.jsonl");

/// Two settings, neither of which solves every puzzle within the budget.
const SWEEP: &str = "\
puzzles = [\"corpus.jsonl\"]
replicates = 2
[budget]
moves = 400
[algorithm]
encoding = \"rows\"
[sweep]
algorithm.name = [\"tabu\", \"annealing\"]
[record]
every = 0
";

/// A folder with runs of this many puzzles and their features.
fn studied(puzzles: usize) -> Lab {
    let lab = Lab::new();
    lab.write(
        "corpus.jsonl",
        PUZZLES.lines().take(puzzles).map(|line| format!("{line}\n")).collect::<String>(),
    );
    lab.write("sweep.toml", SWEEP);
    lab.run(&["--config", "sweep.toml", "--out", "sweep", "--quiet"]);
    well(&lab, "features corpus.jsonl -o features.csv");
    lab
}

const STUDY: &str = "study hardness --features features.csv sweep";

#[test]
fn a_study_has_the_same_bytes_for_any_threads_in_every_form() {
    let lab = studied(24);
    let text = well(&lab, &format!("{STUDY} --jobs 1"));
    assert_eq!(text, well(&lab, &format!("{STUDY} --jobs 4")));
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    for words in [
        "24 puzzles, 2 settings, 10 folds, runs cut at 401 calls.",
        "virtual best",
        "purity",
        "need not be a cause",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&well(&lab, &format!("{STUDY} --json --folds 5"))).expect("JSON");
    assert_eq!(json["quality"].as_array().map(Vec::len), Some(2));
    assert_eq!(json["predictions"].as_array().map(Vec::len), Some(48));
    let (single, best) = (&json["selector"][0]["par10"], &json["selector"][2]["par10"]);
    assert!(single.as_f64() >= best.as_f64(), "{single} {best}");
    let csv = well(&lab, &format!("{STUDY} --csv"));
    assert!(csv.starts_with("setting,puzzles,budget,r2,r2_low,r2_high,rmse,"), "{csv}");
    assert_ne!(csv, well(&lab, &format!("{STUDY} --csv --seed 2")));
}

#[test]
fn a_folder_has_every_table_and_figure_and_is_not_overwritten() {
    let lab = studied(20);
    well(&lab, &format!("{STUDY} --out o"));
    for name in
        ["quality", "selector", "importance", "calibration", "footprints", "predictions", "columns", "axes"]
    {
        assert!(lab.read(&format!("o/{name}.csv")).lines().count() > 2, "{name}");
    }
    for name in ["calibration", "importance", "space"] {
        assert!(lab.read(&format!("o/{name}.svg")).contains("<svg"), "{name}");
        assert!(lab.bytes(&format!("o/{name}.pdf")).starts_with(b"%PDF"), "{name}");
    }
    well(&lab, &format!("{STUDY} --out o"));
    assert!(refused(&lab, &format!("{STUDY} --out o --seed 2")).contains("already exists"));
    well(&lab, &format!("{STUDY} --out o --seed 2 --force"));
}

#[test]
fn what_cannot_be_studied_is_refused_with_what_to_do() {
    let lab = studied(20);
    lab.change("features.csv", |text| text.lines().take(20).map(|line| format!("{line}\n")).collect());
    let few = refused(&lab, STUDY);
    assert!(few.contains("19 puzzles have features and runs of every setting: expected 20 or more"), "{few}");
    assert!(few.contains("20 of 20 puzzles have runs of every setting, 19 have features"), "{few}");
    lab.change("features.csv", |text| text.replacen("id,", "puzzle,", 1));
    assert!(refused(&lab, STUDY).contains("features.csv: the first line has no column `id`"));
    assert!(refused(&lab, "study hardness --features none.csv sweep").contains("cannot read none.csv"));
    assert!(refused(&lab, "study hardness sweep").contains("--features"));
    assert!(refused(&lab, "study").contains("hardness"));
    lab.change("features.csv", |text| text.replacen("puzzle,", "id,", 1));
    let group = refused(&lab, &format!("{STUDY} --group famly"));
    assert!(group.contains("features.csv: the first line has no column `famly`"), "{group}");
    assert!(refused(&lab, &format!("{STUDY} --factor 0.5")).contains("expected a number from 1 up"));
}
