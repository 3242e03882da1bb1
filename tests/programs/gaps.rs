//! Folders that have ended, of which rows are missing, although their checksums were made again or not: `validate` refutes them
//! without a replay, and every command that uses the others says so.

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

/// The commands that print a folder name it with the note; so does the page of the report.
fn every_reader_says(lab: &Lab, note: &str) {
    let named = format!("in/o: {note}");
    let page = "report in/o -o page.html --force";
    for line in ["compare in/o", "compare in/o --json", page, "plot in/o", "export in/o --to csv"] {
        let ended = lab.kenga(&line.split(' ').collect::<Vec<_>>());
        let says = in_a_line(&ended.stderr).contains(&named);
        assert!(ended.code == 0 && says, "{line}: {}{}", ended.stdout, ended.stderr);
    }
    assert!(lab.read("page.html").contains(note), "the page");
}

fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_command_says_which_rows_it_does_not_use() {
    for lines in [1, usize::MAX] {
        let lab = without_convergence(lines);
        let (code, said) = lab.validate(&["in/o", "--replay", "0"]);
        assert!(code == 1 && said.to_string().contains(NOTE), "{code} {said}");
        every_reader_says(&lab, NOTE);
        let rows = lab.kenga(&["export", "in/o", "--to", "csv"]).stdout;
        assert_eq!(rows.lines().count(), 6, "{rows}");
        let ended = lab.kenga(&["bundle", "in/o", "-o", "study.zip", "--force"]);
        assert!(ended.code == 0 && in_a_line(&ended.stderr).contains(NOTE), "{}", ended.stderr);
        let ended = lab.kenga(&["run", "--resume", "in/o"]);
        assert_eq!(ended.code, 2, "{}", ended.stdout);
    }
}

#[test]
fn an_end_that_no_kill_leaves_is_named() {
    let lab = without_end();
    fs::remove_file(lab.path("in/o/checksums.txt")).expect("it is there");
    // Five rows of runs and a half: the sixth run was being written.
    for (file, end, code) in [
        ("runs.csv", "5,", 0),
        ("runs.csv", "\0\0", 0),
        ("runs.csv", "x", 1),
        ("runs.csv", "0,0", 1),
        ("convergence.csv", "x", 1),
        ("convergence.csv", "0,0", 1),
        ("convergence.csv", "x\n", 1),
    ] {
        let whole = lab.read(&format!("in/o/{file}"));
        let line = whole.lines().count() + 1;
        lab.change(&format!("in/o/{file}"), |text| text + end);
        let (ended, said) = lab.validate(&["in/o", "--replay", "0"]);
        let note = format!("1 row of {file} is not used: line {line} is not a row of the next run");
        assert_eq!((ended, said.to_string().contains(&note)), (code, code == 1), "{file} {end:?}: {said}");
        lab.write(&format!("in/o/{file}"), whole);
    }
}

#[test]
fn other_line_ends_are_named() {
    let lab = without_end();
    lab.change("in/o/runs.csv", |text| text.replace('\n', "\r\n"));
    let said = lab.kenga(&["compare", "in/o"]).stderr;
    assert!(said.contains("the lines end with CRLF"), "{said}");
}

#[test]
fn a_folder_without_its_ledger_stays_as_it_is() {
    let lab = without_end();
    fs::remove_file(lab.path("in/o/ledger.csv")).expect("it is there");
    let ended = lab.kenga(&["run", "--resume", "in/o"]);
    let said = in_a_line(&ended.stderr);
    assert!(ended.code == 2 && said.contains("in/o/ledger.csv: the file is missing"), "{said}");
    assert!(!lab.path("in/o/ledger.csv").exists());
    let said = in_a_line(&lab.kenga(&["compare", "in/o"]).stderr);
    assert!(said.contains("help: `kenga validate` names every difference: restore the files"), "{said}");
}

const NOT_WHOLE: &str = "not whole: 5 of 8 runs are there although checksums.txt says that it was finished; `kenga validate` says more";

/// Eight runs of two settings, of which `runs.csv` has lost the last three.
fn without_end() -> Lab {
    let lab = Lab::new();
    lab.change("ga.toml", |text| text + "[sweep]\n\"algorithm.mutation.rate\" = [0.02, 0.3]\n");
    lab.run(&["--config", "ga.toml", "--out", "in/o", "--runs", "4", "--quiet"]);
    lab.change("in/o/runs.csv", |text| text.split_inclusive('\n').take(6).collect());
    lab
}

#[test]
fn a_finished_folder_whose_last_rows_are_cut_is_not_whole() {
    let lab = without_end();
    every_reader_says(&lab, NOT_WHOLE);
    lab.copy("in/o", "again");
    sum_again(&lab.path("in/o"));
    every_reader_says(&lab, NOT_WHOLE);
    let (code, said) = lab.validate(&["in/o", "--replay", "0"]);
    assert!(code == 1 && said.to_string().contains("missing: 3 of 8 runs"), "{code} {said}");
    // An end that was lost is repeated as it was.
    lab.run(&["--resume", "again", "--quiet"]);
    assert_eq!(lab.validate(&["again"]).0, 0);
    assert_eq!(lab.kenga(&["compare", "again"]).stderr, "");
}

#[test]
fn a_race_whose_last_rows_are_cut_is_not_whole() {
    let lab = Lab::new();
    lab.change("ga.toml", |text| text.replace("240", "60") + RACE);
    lab.run(&["--config", "ga.toml", "--out", "o", "--runs", "9", "--quiet"]);
    let whole = lab.kenga(&["compare", "o"]);
    assert!(!whole.stderr.contains("not whole"), "{}", whole.stderr);
    let runs = lab.read("o/runs.csv").lines().count() - 1;
    for left in [runs - 1, 8] {
        lab.copy("o", "p");
        lab.change("p/runs.csv", |text| text.split_inclusive('\n').take(left + 1).collect());
        let said = in_a_line(&lab.kenga(&["compare", "p"]).stderr);
        assert!(said.contains(&format!("p: not whole: {left} of ")), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_server_calls_no_folder_finished_that_lacks_runs() {
    let lab = without_end();
    lab.run(&["--config", "ga.toml", "--out", "in/gap", "--runs", "4", "--quiet"]);
    lab.change("in/gap/runs.csv", |text| {
        text.split_inclusive('\n').filter(|line| !line.starts_with("5,")).collect()
    });
    let served = Served::start(&lab, &["in"]);
    let gap = "2 rows of runs.csv are not used: run 5 is missing";
    for (name, note) in [("o", NOT_WHOLE), ("gap", gap)] {
        let said = served.look(&format!("experiment?folder={name}")).json();
        let (state, done) = (&said["state"], &said["done"]);
        assert_eq!((state, done, &said["note"]), (&json!("interrupted"), &json!(5), &json!(note)), "{name}");
        assert_eq!(served.look(&format!("runs?folder={name}")).json()["note"], note);
        let report = served.done("report", &json!({"folders": [name]}));
        assert!(report["notes"].to_string().contains(note), "{}", report["notes"]);
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
