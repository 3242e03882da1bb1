//! `kenga validate`: what holds is accepted, and every tampered claim is refuted by its line.

use serde_json::Value;

use crate::lab::{Lab, forge_again, list_again, sum_again, with_field};

/// A lab with the results of six runs in `o`.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "o", "--quiet"]);
    lab
}

/// The answer about a copy of the results after a change; its ledger is made anew, its checksums if wanted.
fn said(lab: &Lab, sums: bool, change: impl FnOnce(&Lab)) -> (i32, Value) {
    lab.copy("o", "p");
    change(lab);
    if lab.path("p/runs.csv").exists() {
        list_again(&lab.path("p"));
    }
    if sums {
        sum_again(&lab.path("p"));
    }
    lab.validate(&["p", "--replay", "all"])
}

fn names(found: &Value, file: &str, line: u64) -> bool {
    let findings = found["findings"].as_array().expect("a list");
    findings.iter().any(|finding| finding["file"] == file && finding["line"] == line)
}

#[test]
fn sound_results_hold() {
    let lab = lab();
    let ended = lab.kenga(&["validate", "o"]);
    assert_eq!((ended.code, ended.complaints().as_str()), (0, ""));
    assert_eq!(
        ended.stdout,
        "6 runs checked, 0 solved; 120 rows of convergence; 3 runs replayed; checksums\ncompared\nevery claim holds\n"
    );
}

#[test]
fn as_many_runs_are_made_again_as_wanted() {
    let lab = lab();
    for (replay, expected) in [("0", 0), ("1", 1), ("5", 5), ("6", 6), ("99", 6), ("all", 6)] {
        let (code, found) = lab.validate(&["o", "--replay", replay]);
        assert_eq!((code, &found["replayed"]), (0, &expected.into()), "{replay}");
    }
    for bad in ["-1", "some", "1.5"] {
        assert_eq!(lab.kenga(&["validate", "o", &format!("--replay={bad}")]).code, 2, "{bad}");
    }
}

#[test]
fn a_slower_machine_refutes_nothing() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "o", "--quiet", "--set", "budget.seconds=100000"]);
    // As if no run could be made again in the time that there is.
    let (code, found) = said(&lab, true, |lab| {
        lab.change("p/manifest.json", |text| {
            text.replacen("\"seconds\": 100000.0", "\"seconds\": 0.000001", 1)
        });
    });
    assert_eq!((code, &found["replayed"]), (0, &6.into()), "{found}");
}

#[test]
fn a_folder_of_another_version_is_no_damaged_one() {
    let lab = lab();
    for (was, is) in [("\"kenga\": \"", "\"kenga\": \"0."), ("\"format\": 2", "\"format\": 1")] {
        lab.copy("o", "p");
        lab.change("p/manifest.json", |text| text.replacen(was, is, 1));
        for command in [&["validate", "p"][..], &["run", "--resume", "p"], &["report", "p", "-o", "p.html"]] {
            let ended = lab.kenga(command);
            assert_eq!(ended.code, 2, "{}", ended.stderr);
            assert!(
                ended.stderr.contains("p/manifest.json: ")
                    && (ended.stderr.contains("help: another version")
                        || ended.stderr.contains("format 1 has no ledger.csv"))
            );
        }
    }
}

#[test]
fn every_column_of_runs_is_checked() {
    let lab = lab();
    let row = lab.row("o/runs.csv", 3);
    let more = |field: &str| (field.parse::<u64>().expect("a number") + 1).to_string();
    let less = |field: &str| (field.parse::<u64>().expect("a number") - 1).to_string();
    let columns = lab.row("o/runs.csv", 0);
    for (column, name) in columns.iter().enumerate() {
        let value = match name.as_str() {
            "run" => "4".to_owned(),
            "puzzle" => "5x5".to_owned(),
            "solved" | "verified" => "true".to_owned(),
            "solved_by" => "search".to_owned(),
            "evaluations" | "generations" => less(&row[column]),
            "stop_reason" => "seconds".to_owned(),
            "dead_at" => "7".to_owned(),
            "grid" => "1 2 3 4/2 3 4 1/3 4 1 2/4 1 2 3".to_owned(),
            _ => more(&row[column]),
        };
        for sums in [false, true] {
            let tamper = |text: String| with_field(&text, 3, column, &value);
            let (code, found) = said(&lab, sums, |lab| lab.change("p/runs.csv", tamper));
            assert_eq!(code, 1, "{name}: {found}");
            assert!(name == "run" || names(&found, "runs.csv", 4), "{name}: {found}");
            assert_eq!(names(&found, "checksums.txt", 4), !sums, "{name}: {found}");
            let named = found["findings"].to_string().contains(if name == "run" {
                "run 2 is missing"
            } else {
                "run 2"
            });
            assert!(named, "{name}: {found}");
        }
    }
}

#[test]
fn every_column_of_convergence_is_checked() {
    let lab = lab();
    let row = lab.row("o/convergence.csv", 45);
    for (column, name) in lab.row("o/convergence.csv", 0).iter().enumerate() {
        let number: f64 = row[column].parse().expect("a number");
        let value = if name == "diversity" { 0.123 } else { number + 1.0 }.to_string();
        for sums in [false, true] {
            let tamper = |text: String| with_field(&text, 45, column, &value);
            let (code, found) = said(&lab, sums, |lab| lab.change("p/convergence.csv", tamper));
            if name == "run" {
                assert!(code > 0 && found.to_string().contains("convergence.csv"), "{found}");
                continue;
            }
            assert_eq!(code, 1, "{name}: {found}");
            assert!(names(&found, "convergence.csv", 46), "{name}: {found}");
        }
    }
}

#[test]
fn rows_that_are_gone_twice_or_elsewhere_are_refuted() {
    let lab = lab();
    let lines = |text: &str| text.lines().map(|line| format!("{line}\n")).collect::<Vec<_>>();
    for (file, at) in [("runs.csv", 2), ("convergence.csv", 45)] {
        for change in ["gone", "twice", "swapped"] {
            let tamper = |text: String| {
                let mut lines = lines(&text);
                match change {
                    "gone" => drop(lines.remove(at)),
                    "twice" => lines.insert(at, lines[at].clone()),
                    _ => lines.swap(at, at + 1),
                }
                lines.concat()
            };
            let (code, found) = said(&lab, true, |lab| lab.change(&format!("p/{file}"), tamper));
            assert_eq!(code, 1, "{file} {change}: {found}");
        }
    }
    // All samples of a run, which no replay may see.
    lab.copy("o", "p");
    lab.change("p/convergence.csv", |text| {
        lines(&text).into_iter().filter(|line| !line.starts_with("2,")).collect()
    });
    forge_again(&lab.path("p"));
    let (code, found) = lab.validate(&["p", "--replay", "0"]);
    assert!(code == 1 && names(&found, "runs.csv", 4), "{found}");
}

#[test]
fn exact_facts_are_found_again() {
    let lab = lab();
    for column in 0..8 {
        let value = ["4x5", "15", "5", "2", "false", "15", "1", "17"][column];
        let tamper = |text: String| with_field(&text, 1, column, value);
        let (code, found) = said(&lab, true, |lab| lab.change("p/puzzles.csv", tamper));
        assert!(code == 1 && names(&found, "puzzles.csv", 2), "{found}");
    }
    let (code, found) =
        said(&lab, true, |lab| lab.change("p/puzzles.csv", |text| text + "9,16,4,1,true,16,0,16\n"));
    assert!(code == 1 && names(&found, "puzzles.csv", 3), "{found}");
    let header = |text: String| text.lines().next().expect("a header").to_owned() + "\n";
    let (code, found) = said(&lab, true, |lab| lab.change("p/puzzles.csv", header));
    assert!(code == 1 && found["findings"].to_string().contains("missing"), "{found}");
}

#[test]
fn another_puzzle_or_manifest_is_refuted() {
    let lab = lab();
    for (file, from, to) in [
        ("puzzles.jsonl", "\"target\":8", "\"target\":12"),
        ("puzzles.jsonl", "\"id\":\"4x4\"", "\"id\":\"5x5\""),
        ("manifest.json", "\"seed\": 3", "\"seed\": 4"),
        ("manifest.json", "\"cage\": 10", "\"cage\": 9"),
        ("manifest.json", "\"evaluations\": 240", "\"evaluations\": 239"),
        ("manifest.json", "\"population\": 12", "\"population\": 11"),
        ("manifest.json", "\"replicates\": 6", "\"replicates\": 7"),
        ("manifest.json", "\"replicates\": 6", "\"replicates\": 5"),
    ] {
        for sums in [false, true] {
            let (code, found) = said(&lab, sums, |lab| {
                lab.change(&format!("p/{file}"), |text| {
                    assert!(text.contains(from), "{from} is in {file}");
                    text.replacen(from, to, 1)
                });
            });
            assert_eq!(code, 1, "{to}: {found}");
        }
    }
}

#[test]
fn what_cannot_be_read_is_an_error_that_names_the_file() {
    let lab = lab();
    for (file, from, to) in [
        ("manifest.json", "{", "["),
        ("manifest.json", "\"seed\"", "\"sede\""),
        ("manifest.json", "\"population\": 12", "\"population\": 0"),
        ("manifest.json", env!("CARGO_PKG_VERSION"), "99.0.0"),
        ("puzzles.jsonl", "\"size\":4", "\"size\":3"),
        ("puzzles.csv", "true", "maybe"),
        ("runs.csv", "run,", "lauf,"),
        ("runs.csv", "\n3,4x4,0,3,false", "\n3,4x4,0,3,no"),
        ("convergence.csv", "\n3,0,12,", "\n3,0,twelve,"),
    ] {
        let (code, said) =
            said(&lab, true, |lab| lab.change(&format!("p/{file}"), |text| text.replacen(from, to, 1)));
        let said = said.as_str().expect("an error").to_owned();
        assert!(code == 2 && said.contains(file), "{to}: {said}");
        assert!(!file.ends_with(".csv") || said.contains(", line "), "{to}: {said}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let lab = lab();
    for file in ["manifest.json", "puzzles.jsonl", "puzzles.csv", "runs.csv", "convergence.csv"] {
        let remove = |lab: &Lab| std::fs::remove_file(lab.path("p").join(file)).expect("it is there");
        let (code, said) = said(&lab, false, remove);
        let said = said.as_str().expect("an error").to_owned();
        assert!(
            code == 2 && said.contains("p") && (said.contains(file) || said.contains("no results")),
            "{said}"
        );
    }
    for folder in ["nowhere", ".", "4x4.txt"] {
        let (code, said) = lab.validate(&[folder]);
        assert!(code == 2 && said.to_string().contains(folder), "{said}");
    }
}

#[test]
fn checksums_name_the_file_that_was_changed() {
    let lab = lab();
    for (file, line) in [
        ("manifest.json", 1),
        ("puzzles.jsonl", 2),
        ("puzzles.csv", 3),
        ("runs.csv", 4),
        ("convergence.csv", 5),
    ] {
        let tamper = |text: String| {
            with_field(&text, line - 1, 0, "0").replace("0\n", &format!("{}  {file}\n", "0".repeat(64)))
        };
        let (code, found) = said(&lab, false, |lab| lab.change("p/checksums.txt", tamper));
        assert!(code == 1 && names(&found, "checksums.txt", line as u64), "{found}");
        assert!(found["findings"].to_string().contains(file), "{found}");
    }
    let cut = |text: String| text.lines().take(3).map(|line| format!("{line}\n")).collect();
    assert_eq!(said(&lab, false, |lab| lab.change("p/checksums.txt", cut)).0, 1);
}

#[test]
fn timing_may_be_gone() {
    let lab = lab();
    let remove = |lab: &Lab| std::fs::remove_file(lab.path("p/timing.csv")).expect("it is there");
    assert_eq!(said(&lab, false, remove).0, 0);
}

#[test]
fn an_unfinished_folder_holds_and_says_what_is_missing() {
    let lab = lab();
    let whole = lab.bytes("o/runs.csv");
    std::fs::remove_file(lab.path("o/checksums.txt")).expect("it is there");
    for lost in (1..whole.len()).step_by(29) {
        lab.copy("o", "p");
        lab.write("p/runs.csv", &whole[..whole.len() - lost]);
        let (code, found) = lab.validate(&["p", "--replay", "1"]);
        let left = whole[..whole.len() - lost].iter().filter(|byte| **byte == b'\n').count().saturating_sub(1)
            as u64;
        assert_eq!(
            (code, &found["runs"], &found["missing"]),
            (0, &left.into(), &(6 - left).into()),
            "{lost} bytes less"
        );
    }
    let samples = lab.bytes("o/convergence.csv");
    for lost in (1..samples.len()).step_by(211) {
        lab.copy("o", "p");
        lab.write("p/convergence.csv", &samples[..samples.len() - lost]);
        let (code, found) = lab.validate(&["p", "--replay", "1"]);
        assert!(code == 0 && found["missing"].as_u64() > Some(0), "{found}");
    }
    lab.copy("o", "p");
    lab.change("p/runs.csv", |text| text.lines().take(3).map(|line| format!("{line}\n")).collect());
    let ended = lab.kenga(&["validate", "p"]);
    assert!(ended.stdout.contains("the experiment has not ended"), "{}", ended.stdout);
    assert!(ended.stdout.contains("4 runs missing: "), "{}", ended.stdout);
}

#[test]
fn an_unfinished_folder_is_refuted_where_it_is_tampered_with() {
    let lab = lab();
    std::fs::remove_file(lab.path("o/checksums.txt")).expect("it is there");
    let tamper = |text: String| with_field(&text, 3, 10, "1");
    let (code, found) = said(&lab, false, |lab| lab.change("p/runs.csv", tamper));
    assert!(code == 1 && names(&found, "runs.csv", 4), "{found}");
}

#[test]
fn runs_that_the_clock_ended_are_told_and_not_made_again() {
    let lab = Lab::new();
    let sets = ["--set", "budget.seconds=1e-9", "--set", "budget.evaluations=1000000", "--runs", "3"];
    let shown = lab.run(&[&["--config", "ga.toml", "--out", "o"], &sets[..]].concat()).stdout;
    assert!(shown.contains("3 runs stopped by the time limit"), "{shown}");
    assert_eq!(lab.row("o/runs.csv", 1)[13], "seconds");
    let (code, found) = lab.validate(&["o", "--replay", "all"]);
    assert_eq!((code, &found["not_replayable"], &found["replayed"]), (0, &3.into(), &0.into()), "{found}");
    let shown = lab.kenga(&["validate", "o"]).stdout;
    assert!(shown.contains("3 runs stopped by the time limit and cannot be replayed"), "{shown}");
}

/// A doubled row changes every sum over the file; no replay is needed to see it.
#[test]
fn an_operator_with_a_row_too_many_is_refuted() {
    let lab = Lab::new();
    let adaptive = "algorithm.mutation={ name = \"adaptive\", of = [{ name = \"swap\", rate = 0.1 }, { name = \"swap\", rate = 0.5 }] }";
    for sets in [&["record.operators=true"][..], &["record.operators=true", adaptive]] {
        let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
        lab.run(&[&["--config", "ga.toml", "--out", "o", "--quiet"], &sets[..]].concat());
        let (code, found) = lab.validate(&["o", "--replay", "0"]);
        assert_eq!(code, 0, "{found}");
        let rows = lab.read("o/operators.csv");
        let of_run = rows.lines().filter(|row| row.starts_with("2,")).count();
        for (line, row) in rows.lines().enumerate().filter(|(_, row)| row.starts_with("2,")) {
            let twice = |text: String| text.replacen(&format!("{row}\n"), &format!("{row}\n{row}\n"), 1);
            let (code, found) = {
                lab.copy("o", "p");
                lab.change("p/operators.csv", twice);
                forge_again(&lab.path("p"));
                lab.validate(&["p", "--replay", "0"])
            };
            assert_eq!(code, 1, "line {line} of {of_run}: {found}");
            assert!(found.to_string().contains("has a row too many"), "{found}");
        }
        std::fs::remove_dir_all(lab.path("o")).expect("it is there");
    }
}
