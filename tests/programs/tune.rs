//! Tuning: candidates, the budget, resuming, validation.

use std::process::Stdio;
use std::{fs, thread, time::Duration};

use kenga_lab::tune::checksums;
use serde_json::Value;

use crate::lab::{Lab, list_again, refused, well};
use crate::served::Served;

/// Two keys and a condition on the 4x4 puzzle, validated on another one.
const TUNE: &str = "\
puzzles = [\"4x4.txt\"]
seed = 3
replicates = 6
[budget]
evaluations = 400
moves = 1
[algorithm]
name = \"genetic\"
encoding = \"rows\"
population = 60
mutation = { name = \"row_swap\", rate = 0.02 }
[record]
every = 0
[sweep]
\"algorithm.population\" = { from = 4, to = 100, scale = \"log\" }
\"algorithm.mutation.rate\" = { from = 0.01, to = 1, scale = \"log\" }
\"algorithm.selection.name\" = [\"tournament\", \"rank\"]
\"algorithm.selection.size\" = { values = [2, 3, 5], when = \"algorithm.selection.name == tournament\" }
[tune]
budget = 40_000
validate = [\"other.txt\"]
";

/// The files of a tuning, and those of its validation.
const FILES: [&str; 13] = [
    "manifest.json",
    "puzzles.jsonl",
    "held-out.jsonl",
    "candidates.jsonl",
    "runs.csv",
    "ledger.csv",
    "decisions.csv",
    "ablation.csv",
    "best.toml",
    "default.toml",
    "checksums.txt",
    "validation/best/runs.csv",
    "validation/default/runs.csv",
];

pub fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("tune.toml", TUNE);
    lab.write("other.txt", "4:b_a4_a_6aa,m6s1a6s1m4a3d2");
    lab
}

/// Two folders have the same files.
pub fn same_files(lab: &Lab, folder: &str, other: &str) {
    for name in FILES {
        let [one, two] = [folder, other].map(|folder| lab.read(&format!("{folder}/{name}")));
        assert!(one == two, "{name}");
    }
}

fn files(lab: &Lab, folder: &str) -> Vec<String> {
    FILES.iter().map(|name| lab.read(&format!("{folder}/{name}"))).collect()
}

#[test]
fn a_tuning_keeps_its_budget_and_its_folder_is_sound() {
    let lab = lab();
    let told = well(&lab, "tune --config tune.toml --out one --json --quiet");
    let told: Value = serde_json::from_str(&told).expect("a JSON object");
    let used = told["used"].as_u64().expect("a number");
    assert!(used > 20_000 && used <= 40_000, "{used}");
    let calls: u64 = lab.read("one/runs.csv").lines().skip(1).map(calls).sum();
    assert_eq!(calls, used);
    for line in lab.read("one/candidates.jsonl").lines() {
        let candidate: Value = serde_json::from_str(line).expect("a JSON object");
        let values = &candidate["values"];
        let has_size = !values["algorithm.selection.size"].is_null();
        assert_eq!(has_size, values["algorithm.selection.name"] == "tournament", "{line}");
    }
    for folder in ["one/validation/best", "one/validation/default"] {
        well(&lab, &format!("validate {folder} --replay all"));
    }
    well(&lab, "compare one/validation/best one/validation/default");
    well(&lab, "report one -o tune.html --figures pictures");
    let page = lab.read("tune.html");
    for part in ["The ablation path", "Values by iteration", "Candidates left", "How candidates were dropped"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(lab.read("pictures/tuning-alive.svg").contains("<svg"));
    well(&lab, "run --config one/best.toml --runs 2 --out again --quiet");
}

fn calls(row: &str) -> u64 {
    let number = |cell: &str| cell.parse::<u64>().expect("a number");
    row.split(',').skip(8).take(2).map(number).sum()
}

#[test]
fn threads_change_no_byte_and_neither_does_a_kill() {
    let lab = lab();
    well(&lab, "tune --config tune.toml --out jobs-1 --quiet --jobs 1");
    let wanted = files(&lab, "jobs-1");
    for jobs in kenga_testing::size(vec![8], vec![2, 8]) {
        well(&lab, &format!("tune --config tune.toml --out jobs-{jobs} --quiet --jobs {jobs}"));
        assert_eq!(files(&lab, &format!("jobs-{jobs}")), wanted);
    }
    let args = ["tune", "--config", "tune.toml", "--resume", "killed", "--quiet"];
    for round in (1..8).step_by(kenga_testing::size(3, 1)) {
        let mut child = lab.command(&args).stderr(Stdio::null()).spawn().expect("it starts");
        let rows = || lab.path("killed/runs.csv").metadata().map_or(0, |data| data.len());
        while rows() < round * 1500 && child.try_wait().expect("it can be asked").is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    well(&lab, "tune --resume killed --quiet");
    assert_eq!(files(&lab, "killed"), wanted);
}

#[test]
fn a_folder_with_other_runs_is_refused_and_stays_as_it_is() {
    let lab = lab();
    well(&lab, "tune --config tune.toml --out one --quiet");
    let (before, runs) = (files(&lab, "one"), lab.read("one/runs.csv"));
    let rows: Vec<&str> = runs.lines().collect();
    let changed = |row: usize, cell: usize, to: &str| {
        let mut cells: Vec<&str> = rows[row].split(',').collect();
        cells[cell] = to;
        let text = cells.join(",");
        let with =
            |(index, line): (usize, &&str)| if index == row { text.clone() } else { (*line).to_owned() };
        rows.iter().enumerate().map(with).collect::<Vec<_>>().join("\n") + "\n"
    };
    let calls = "18446744073709551615";
    let last = rows[rows.len() - 1];
    for (what, text) in [
        ("another candidate", changed(20, 2, "77")),
        ("another index", changed(20, 0, "77")),
        ("another iteration", changed(20, 1, "9")),
        ("calls beyond the budget of a run", changed(20, 8, "402")),
        ("calls that cannot be counted", changed(20, 8, calls)),
        ("a sum that cannot be counted", changed(20, 9, calls)),
        ("a row after the end", format!("{runs}{last}\n")),
        ("another head", runs.replacen("run,", "ran,", 1)),
    ] {
        for is_forged in [false, true] {
            lab.write("one/runs.csv", &text);
            if is_forged {
                list_again(&lab.path("one"));
                lab.write("one/checksums.txt", checksums(&lab.path("one")).expect("files"));
            }
            let edited = files(&lab, "one");
            let said = refused(&lab, "tune --resume one --quiet");
            assert!(said.contains("runs.csv"), "{what}: {said}");
            assert_eq!(files(&lab, "one"), edited, "{what}");
            for (name, text) in FILES.iter().zip(&before) {
                lab.write(&format!("one/{name}"), text);
            }
        }
    }
    well(&lab, "tune --resume one --quiet");
    assert_eq!(files(&lab, "one"), before);
}

#[test]
fn what_does_not_follow_from_the_runs_is_not_written_over() {
    let lab = lab();
    well(&lab, "tune tune.toml -o one --quiet");
    fs::remove_file(lab.path("one/checksums.txt")).expect("it is there");
    let decisions = lab.read("one/decisions.csv");
    let place = decisions.len() / 2 + decisions[decisions.len() / 2..].find(',').expect("a cell") + 1;
    let edited = format!("{}9{}", &decisions[..place], &decisions[place..]);
    lab.write("one/decisions.csv", &edited);
    let said = refused(&lab, "tune --resume one --quiet");
    let line = edited[..place].lines().count();
    let says = format!("one/decisions.csv, line {line}: it does not say what follows from the runs");
    assert!(said.contains(&says), "{said}");
    assert_eq!(lab.read("one/decisions.csv"), edited);
    // A beginning, as a kill leaves it, is finished.
    lab.write("one/decisions.csv", &decisions[..place]);
    well(&lab, "tune --resume one --quiet");
    assert_eq!(lab.read("one/decisions.csv"), decisions);
}

#[test]
fn the_report_of_a_damaged_folder_names_the_line() {
    let lab = lab();
    well(&lab, "tune --config tune.toml --out one --quiet");
    let candidates = lab.read("one/candidates.jsonl");
    let draws = candidates.find("\"draws\":[").expect("draws") + 9;
    let end = draws + candidates[draws..].find(']').expect("their end");
    lab.write("one/candidates.jsonl", format!("{}{}", &candidates[..draws], &candidates[end..]));
    let said = || {
        let ended = lab.kenga(&["report", "one", "-o", "page.html"]);
        assert_eq!(ended.code, 0, "what follows from the runs is shown: {}", ended.stderr);
        ended.stderr
    };
    assert!(said().contains("candidates.jsonl, line 1"), "{}", said());
    lab.write("one/candidates.jsonl", &candidates);
    let head = "iteration,blocks,block,candidate,decision,test,p,rank,cost,used\n";
    for row in ["1,5,4,99999,elite,,,1,20,3000", "99999999999999,5,4,0,elite,,,1,20,3000"] {
        lab.write("one/decisions.csv", format!("{head}{row}\n"));
        assert!(said().contains("decisions.csv, line 2"), "{}", said());
    }
}

#[test]
fn encodings_that_a_puzzle_does_not_allow_are_left_out() {
    let lab = lab();
    lab.write("kakuro.json", include_str!("../../puzzles/family/kakuro-6x6.json"));
    let axis = "\"algorithm.encoding\" = [\"cells\", \"rows\", \"cages\"]";
    let text = TUNE.replace("[sweep]", &format!("[sweep]\n{axis}")).replace("4x4.txt", "kakuro.json");
    let text = text.replace("encoding = \"rows\"", "encoding = \"cells\"");
    let lines = text.lines().filter(|line| !line.contains("mutation"));
    lab.write("kakuro.toml", lines.collect::<Vec<_>>().join("\n"));
    let told = well(&lab, "tune --config kakuro.toml --out one --json --quiet");
    let told: Value = serde_json::from_str(&told).expect("a JSON object");
    assert!(told["refused"].as_u64().expect("a number") > 0, "{told}");
    let told = || {
        ["candidates.jsonl", "runs.csv", "decisions.csv", "checksums.txt"]
            .map(|name| lab.read(&format!("one/{name}")))
    };
    let before = told();
    well(&lab, "tune --resume one --quiet");
    assert_eq!(told(), before);
}

#[test]
fn notes_name_puzzles_without_a_solution_and_are_silent_when_quiet() {
    let lab = lab();
    let none = r#"{"id":"never","size":2,"cages":[{"op":"+","target":9,"cells":[[0,0],[0,1],[1,0],[1,1]]}]}"#;
    lab.write("never.jsonl", none);
    let text = TUNE.replace("\"4x4.txt\"", "\"4x4.txt\", \"never.jsonl\"");
    lab.write("tune.toml", text.replace("validate = [\"other.txt\"]\n", ""));
    let said = lab.kenga(&["tune", "--config", "tune.toml", "--out", "one"]).stderr;
    assert!(said.contains("no solution: never") && said.contains("without `validate`"), "{said}");
    well(&lab, "tune --config tune.toml --out two --quiet");
}

#[test]
fn the_latest_folder_to_resume_is_one_of_a_tuning() {
    let lab = lab();
    lab.write("run.toml", TUNE.split("[sweep]").next().expect("a beginning"));
    well(&lab, "run --config run.toml --out results/tune --runs 1 --quiet");
    well(&lab, "tune --config tune.toml --resume --quiet");
    well(&lab, "tune --config tune.toml --resume --quiet");
    assert!(lab.path("results/tune-2/checksums.txt").exists() && !lab.path("results/tune-3").exists());
}

#[test]
fn the_folder_of_a_tuning_is_resumed_by_tune_alone() {
    let lab = lab();
    well(&lab, "tune --config tune.toml --out one --quiet");
    lab.write("run.toml", TUNE.split("[sweep]").next().expect("a beginning"));
    let before = files(&lab, "one");
    for resume in
        ["run --resume one", "run --config run.toml --resume one", "run --config run.toml --out one --resume"]
    {
        let said = refused(&lab, &format!("{resume} --quiet"));
        assert!(said.contains("one is the folder of a tuning"), "{resume}: {said}");
        assert!(said.contains("kenga tune --resume one"), "{resume}: {said}");
    }
    assert_eq!(files(&lab, "one"), before);
}

#[test]
fn the_folder_of_an_experiment_is_not_resumed_as_a_tuning() {
    let lab = lab();
    lab.run(&["--config", "ga.toml", "--out", "ga", "--quiet"]);
    for resume in ["tune --resume ga", "tune --config tune.toml --resume ga"] {
        let said = refused(&lab, &format!("{resume} --quiet"));
        assert!(said.contains("ga is the folder of an experiment, not of a tuning"), "{resume}: {said}");
        assert!(said.contains("`kenga run --resume`"), "{resume}: {said}");
    }
}

#[test]
fn a_tuning_is_validated_and_other_commands_say_what_it_is() {
    let lab = lab();
    well(&lab, "tune --config tune.toml --out one --quiet");
    let said = well(&lab, "validate one --replay all");
    assert!(said.ends_with("checksums compared\nevery claim holds\n"), "{said}");
    let found: Value = serde_json::from_str(&well(&lab, "validate one --json")).expect("a JSON object");
    assert_eq!(
        (&found["holds"], &found["complete"], &found["missing"]),
        (&true.into(), &true.into(), &0.into())
    );
    assert!(found["used"].as_u64() <= found["budget"].as_u64());
    lab.write("features.csv", "id,size\n4x4,4\n");
    well(&lab, "sweep plan --config ga.toml -o plan.json --force");
    for command in [
        "compare one",
        "plot one",
        "export one --to csv",
        "bundle one -o one.zip",
        "report one one -o page.html",
        "study hardness --features features.csv one",
        "landscape 4x4.txt --runs one",
        "sweep merge plan.json one -o merged",
        "sweep run plan.json -o one --resume",
        "run --resume one",
    ] {
        let said = refused(&lab, command);
        assert!(said.contains("one is the folder of a tuning"), "{command}: {said}");
        assert!(said.contains("kenga tune --resume"), "{command}: {said}");
    }
    for command in ["compare", "export --to csv"] {
        well(&lab, &format!("{command} one/validation/best one/validation/default"));
    }
}

#[test]
fn a_tuning_that_was_killed_is_validated_for_what_it_holds() {
    let lab = lab();
    let args = ["tune", "--config", "tune.toml", "--out", "killed", "--quiet"];
    let mut child = lab.command(&args).stderr(Stdio::null()).spawn().expect("it starts");
    let rows = || lab.path("killed/runs.csv").metadata().map_or(0, |data| data.len());
    while rows() < 2000 && child.try_wait().expect("it can be asked").is_none() {
        // Beside the program that writes it nothing is refuted.
        let ended = lab.kenga(&["validate", "killed", "--replay", "0", "--json"]);
        assert!(ended.code != 1, "{}", ended.stdout);
    }
    let _ = child.kill();
    child.wait().expect("it ends");
    let said = well(&lab, "validate killed --replay all");
    assert!(said.ends_with("every claim holds\n"), "{said}");
}

#[test]
fn the_surrogate_can_be_left_out() {
    let lab = lab();
    well(&lab, "tune --config tune.toml --out with --quiet");
    well(&lab, "tune --config tune.toml --set tune.surrogate=false --out without --quiet");
    well(&lab, "validate without");
    assert_ne!(lab.read("with/candidates.jsonl"), lab.read("without/candidates.jsonl"));
}

#[test]
fn a_server_lists_a_tuning_and_its_results_folders() {
    let lab = lab();
    well(&lab, "tune --config tune.toml --out lab/one --quiet");
    let served = Served::start(&lab, &["lab"]);
    let all = served.look("experiments").json();
    let folders = all["folders"].as_array().expect("a list");
    let listed: Vec<(&str, &str)> = folders
        .iter()
        .map(|one| (one["folder"].as_str().unwrap_or_default(), one["state"].as_str().unwrap_or_default()))
        .collect();
    let wanted =
        [("one", "tuning"), ("one/validation/best", "finished"), ("one/validation/default", "finished")];
    assert_eq!(listed, wanted);
    assert!(folders[0]["problem"].is_null());
    let said = served.look("runs?folder=one").json();
    assert!(said["error"]["message"].as_str().is_some_and(|said| said.contains("of a tuning")), "{said}");
}

#[test]
fn a_default_that_is_the_best_is_validated_alone() {
    let lab = lab();
    // Two other values, which solve nothing.
    let sweep = TUNE.split("[sweep]").nth(1).and_then(|text| text.split("[tune]").next()).expect("a sweep");
    let axis = "\n\"algorithm.population\" = [398, 399]\n";
    lab.write("tune.toml", TUNE.replace(sweep, axis));
    let told = well(&lab, "tune --config tune.toml --out one --json --quiet");
    let told: Value = serde_json::from_str(&told).expect("a JSON object");
    assert_eq!((&told["best"]["candidate"], &told["validation"]), (&Value::from(0), &Value::Null));
    assert_eq!(told["default_on_held_out"]["runs"], 6);
    assert!(lab.path("one/validation/default").exists() && !lab.path("one/validation/best").exists());
}

#[test]
fn nonsense_is_refused() {
    let lab = lab();
    let with = |name: &str, from: &str, to: &str| {
        lab.write(name, TUNE.replace(from, to));
        refused(&lab, &format!("tune --config {name} --out never"))
    };
    assert!(with("a.toml", "budget = 40_000", "budget = 400").contains("at least"));
    assert!(with("b.toml", "\"other.txt\"", "\"4x4.txt\"").contains("is both tuned on and held out"));
    assert!(with("c.toml", "[sweep]", "[sweep]\nmethod = \"race\"").contains("method"));
    assert!(with("d.toml", "moves = 1\n", "").contains("does not bound the calls"));
    assert!(with("e.toml", "seed = 3", "sede = 3").contains("sede"));
    let cut = TUNE.split("[sweep]").next().expect("a beginning").to_owned();
    lab.write("f.toml", format!("{cut}[tune]\nbudget = 40_000\n"));
    assert!(refused(&lab, "tune --config f.toml --out never").contains("[sweep]"));
    lab.write("g.toml", TUNE.split("[tune]").next().expect("a beginning"));
    assert!(refused(&lab, "tune --config g.toml --out never").contains("[tune]"));
    assert!(fs::metadata(lab.path("never")).is_err());
}

#[test]
fn a_tuning_ends_with_few_lines_and_the_file_of_the_best() {
    let lab = lab();
    let said = well(&lab, "tune tune.toml --out one");
    assert!(said.lines().count() <= 14 && said.lines().all(|line| line.chars().count() <= 80), "{said}");
    assert!(said.contains("The best is candidate ") && said.contains("On the held-out puzzles"), "{said}");
    assert!(said.contains("kenga run --config one/best.toml\n") && !said.contains("[algorithm]"), "{said}");
}
