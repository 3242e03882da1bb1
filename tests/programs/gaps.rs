//! Folders that have ended, of which rows are missing although their checksums were made again: `validate` refutes them without a
//! replay, and every command that uses the others says so.

use std::fs;
use std::path::Path;

use kenga::budget::Interrupt;
use kenga::results::{Replay, Validation, validate};
#[cfg(unix)]
use serde_json::json;

use crate::lab::{Lab, sum_again};
#[cfg(unix)]
use crate::served::Served;

const RACE: &str = "[sweep]\nmethod = \"race\"\n\"algorithm.mutation.rate\" = [0.02, 0.3]\n";

/// Removes the rows of a run from some files, and makes the checksums again.
fn forge(folder: &Path, files: &[&str], run: u64) {
    for file in files {
        let path = folder.join(file);
        let text = fs::read_to_string(&path).expect("it is there");
        let is_kept = |line: &&str| !line.starts_with(&format!("{run},"));
        let kept: String = text.split_inclusive('\n').filter(is_kept).collect();
        assert_ne!(kept, text, "{file} has run {run}");
        fs::write(path, kept).expect("it can be written");
    }
    sum_again(folder);
}

fn found(folder: &Path) -> Validation {
    validate(folder, Replay::Some(0), 1, None, &(), &Interrupt::default()).expect("it can be read")
}

#[test]
fn a_race_without_one_of_its_runs_is_refuted_without_a_replay() {
    let lab = Lab::new();
    lab.change("ga.toml", |text| text.replace("240", "60") + RACE);
    lab.run(&["--config", "ga.toml", "--out", "o", "--runs", "9", "--quiet"]);
    assert_eq!(found(&lab.path("o")).findings, []);
    let runs = lab.read("o/runs.csv").lines().count() as u64 - 1;
    assert!(runs > 9, "{runs} runs");
    for run in 0..runs {
        for files in [&["runs.csv"][..], &["runs.csv", "convergence.csv", "timing.csv"]] {
            lab.copy("o", "p");
            forge(&lab.path("p"), files, run);
            assert_ne!(found(&lab.path("p")).findings, [], "without run {run} in {files:?}");
        }
    }
    lab.copy("o", "p");
    forge(&lab.path("p"), &["runs.csv", "convergence.csv", "timing.csv"], 4);
    let (code, said) = lab.validate(&["p", "--replay", "0"]);
    assert!(code == 1 && said.to_string().contains("run 4 is missing"), "{code} {said}");
    let ended = lab.kenga(&["compare", "p"]);
    assert!(ended.stderr.contains("are not used: run 4 is missing"), "{}", ended.stderr);
    let ended = lab.kenga(&["run", "--resume", "p"]);
    assert!(ended.code == 2 && ended.stderr.contains("run 4 is missing"), "{}", ended.stderr);
}

/// Eight runs of two settings, of which run 5 has lost its rows of convergence, or the last of them.
fn without_convergence(lines: usize) -> Lab {
    let lab = Lab::new();
    lab.change("ga.toml", |text| text + "[sweep]\n\"algorithm.mutation.rate\" = [0.02, 0.3]\n");
    lab.run(&["--config", "ga.toml", "--out", "in/o", "--runs", "4", "--quiet"]);
    lab.change("in/o/convergence.csv", |text| {
        let of_run = text.lines().filter(|line| line.starts_with("5,")).count();
        let (mut left, mut place) = (String::new(), 0);
        for line in text.split_inclusive('\n') {
            place += usize::from(line.starts_with("5,"));
            if !line.starts_with("5,") || place <= of_run.saturating_sub(lines) {
                left += line;
            }
        }
        left
    });
    sum_again(&lab.path("in/o"));
    lab
}

const NOTE: &str = "3 rows of runs.csv are not used: run 5 is not complete in convergence.csv";

#[test]
fn every_command_says_which_rows_it_does_not_use() {
    for lines in [1, usize::MAX] {
        let lab = without_convergence(lines);
        let (code, said) = lab.validate(&["in/o", "--replay", "0"]);
        assert!(code == 1 && said.to_string().contains(NOTE), "{code} {said}");
        let note = format!("in/o: {NOTE}");
        for line in [
            "compare in/o",
            "report in/o -o page.html --force",
            "plot in/o",
            "export in/o --to csv",
            "bundle in/o -o study.zip --force",
        ] {
            let ended = lab.kenga(&line.split(' ').collect::<Vec<_>>());
            let said = ended.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(ended.code == 0 && said.contains(&note), "{line}: {}{}", ended.stdout, ended.stderr);
        }
        let rows = lab.kenga(&["export", "in/o", "--to", "csv"]).stdout;
        assert_eq!(rows.lines().count(), 6, "{rows}");
        let ended = lab.kenga(&["run", "--resume", "in/o"]);
        assert_eq!(ended.code, 2, "{}", ended.stdout);
    }
}

#[cfg(unix)]
#[test]
fn a_server_says_which_rows_it_does_not_use() {
    let lab = without_convergence(usize::MAX);
    lab.run(&["--config", "ga.toml", "--out", "in/whole", "--runs", "4", "--quiet"]);
    let served = Served::start(&lab, &["in"]);
    for (name, note, rows) in [("o", json!(NOTE), 5), ("whole", json!(null), 8)] {
        for path in [format!("experiment?folder={name}"), format!("runs?folder={name}")] {
            assert_eq!(served.look(&path).json()["note"], note, "{path}");
        }
        assert_eq!(served.look(&format!("runs?folder={name}")).json()["total"], rows);
        let listed = served.look("experiments").json();
        let listed = listed["folders"].as_array().expect("a list").clone();
        let of = listed.iter().find(|folder| folder["folder"] == name).expect("it is listed");
        assert_eq!((&of["note"], &of["done"]), (&note, &json!(rows)));
        let report = served.done("report", &json!({"folders": [name]}));
        let says =
            report["notes"].as_array().expect("a list").iter().any(|said| said.to_string().contains(NOTE));
        assert_eq!(says, note.is_string(), "{}", report["notes"]);
    }
    // What a file other than runs.csv loses is seen too.
    lab.change("in/whole/convergence.csv", |text| {
        text.split_inclusive('\n').filter(|line| !line.starts_with("3,")).collect()
    });
    let said = served.look("experiment?folder=whole").json();
    assert_eq!((&said["done"], said["note"].is_string()), (&json!(3), true), "{said}");
}
