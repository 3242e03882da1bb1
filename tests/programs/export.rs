//! `kenga export`: what the formats hold, and what is refused.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::lab::{Lab, forge_again, matches};

/// Four settings on three puzzles with names that no file system takes.
const SWEEP: &str = "\
puzzles = [\"odd.jsonl\"]
seed = 3
replicates = 2
[budget]
evaluations = 120
[sweep]
algorithm.crossover = [\"two_point\", { name = \"uniform\", rate = 0.5 }]
\"algorithm.population\" = [6, 10]
";

const IDS: [&str; 3] = ["../a b/\"c\"", "exit()", "größe, Ω"];

/// A folder `sweep` that has ended.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("sweep.toml", SWEEP);
    let line = |id: &str| {
        let cells = "[[0,0],[0,1],[1,0],[1,1]]";
        format!(r#"{{"id":{},"size":2,"cages":[{{"op":"+","target":6,"cells":{cells}}}]}}"#, Value::from(id))
    };
    lab.write("odd.jsonl", IDS.map(|id| line(id) + "\n").concat());
    lab.run(&["--config", "sweep.toml", "--out", "sweep", "--quiet"]);
    lab
}

/// `kenga export` with these words; it ends well.
fn well(lab: &Lab, line: &str) -> String {
    let ended = lab.kenga(&[&["export"], &line.split(' ').collect::<Vec<_>>()[..]].concat());
    assert_eq!((ended.code, ended.complaints().as_str()), (0, ""), "{line}");
    ended.stdout
}

/// `kenga export` with these words; it is refused, and leaves nothing.
fn refused(lab: &Lab, line: &str) -> String {
    let before = tree(&lab.path("."));
    let ended = lab.kenga(&[&["export"], &line.split(' ').collect::<Vec<_>>()[..]].concat());
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{line}\n{}", ended.stderr);
    assert_eq!(tree(&lab.path(".")), before, "{line}");
    ended.stderr.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// Every file below a folder, by its path there.
fn tree(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            found
                .insert(path.strip_prefix(folder).expect("it is below").to_string_lossy().replace('\\', "/"));
            if path.is_dir() {
                open.push(path);
            }
        }
    }
    found
}

/// The rows of a CSV text by column.
fn rows(text: &str) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().expect("a header").clone();
    let row = |record: csv::StringRecord| {
        names.iter().zip(&record).map(|(name, field)| (name.to_owned(), field.to_owned())).collect()
    };
    reader.records().map(|record| row(record.expect("a sound row"))).collect()
}

fn field<'a>(row: &'a [(String, String)], name: &str) -> &'a str {
    &row.iter().find(|(key, _)| key == name).unwrap_or_else(|| panic!("no column {name}")).1
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
}

#[test]
fn headers_are_as_shown() {
    let lab = lab();
    let header = |text: String| text.lines().next().expect("a header").replace(',', "\n");
    matches("export_runs", &header(well(&lab, "sweep --to csv")));
    matches("export_convergence", &header(well(&lab, "sweep --to csv --convergence")));
}

#[test]
fn a_table_has_every_row_and_value_of_the_folder() {
    let lab = lab();
    let (exported, kept) = (rows(&well(&lab, "sweep --to csv")), rows(&lab.read("sweep/runs.csv")));
    assert_eq!((exported.len(), kept.len()), (24, 24));
    for (row, kept) in exported.iter().zip(&kept) {
        for (name, value) in kept {
            assert_eq!(field(row, name), value, "{name}");
        }
        let solved = field(row, "solved") == "true";
        let to_solution = if solved { field(row, "evaluations_to_best") } else { "" };
        assert_eq!(field(row, "calls_to_solution"), to_solution);
        assert!(!field(row, "cpu_s").is_empty() && !field(row, "wall_s").is_empty());
        assert_eq!(field(row, "algorithm.name"), "genetic");
    }
    let (exported, kept) =
        (rows(&well(&lab, "sweep --to csv --convergence")), rows(&lab.read("sweep/convergence.csv")));
    assert_eq!(exported.len(), kept.len());
    for (row, kept) in exported.iter().zip(&kept) {
        for (name, value) in kept {
            assert_eq!(field(row, name), value, "{name}");
        }
    }
}

#[test]
fn json_lines_are_the_same_table_with_types() {
    let lab = lab();
    let (objects, table) = (lines(&well(&lab, "sweep --to json")), rows(&well(&lab, "sweep --to csv")));
    assert_eq!(objects.len(), table.len());
    for (object, row) in objects.iter().zip(&table) {
        assert_eq!(object.as_object().map(serde_json::Map::len), Some(row.len()));
        for (name, value) in row {
            let shown = match &object[name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                Value::Number(number) if number.is_f64() => {
                    number.as_f64().map(|number| number.to_string()).unwrap_or_default()
                }
                other => other.to_string(),
            };
            assert_eq!(&shown, value, "{name}");
        }
        assert!(object["solved"].is_boolean() && object["calls"].is_u64() && object["cpu_s"].is_f64());
        assert!(IDS.contains(&object["puzzle"].as_str().expect("a text")), "{object}");
    }
}

#[test]
fn several_folders_are_told_apart_with_all_their_keys() {
    let lab = lab();
    lab.run(&["--config", "ga.toml", "--out", "b/sweep", "--quiet"]);
    let objects = lines(&well(&lab, "sweep b/sweep --to json"));
    assert_eq!(objects.len(), 24 + 6);
    let folders: BTreeSet<&str> = objects.iter().filter_map(|object| object["folder"].as_str()).collect();
    assert_eq!(folders, BTreeSet::from(["b/sweep", "sweep"]));
    // What one folder sweeps has its value in the other too; a table that is swept stands by its name.
    assert_eq!(objects[29]["algorithm.population"], 12);
    assert_eq!(objects[0]["algorithm.crossover"], "two_point");
    assert_eq!(
        lines(&well(&lab, "sweep b/sweep --to optuna")).iter().filter(|op| op["op_code"] == 4).count(),
        5
    );
    well(&lab, "sweep b/sweep --to ioh -o ioh");
    let files = tree(&lab.path("ioh"));
    assert_eq!(files.iter().filter(|path| path.ends_with(".dat")).count(), 4 * 3 + 1);
}

#[test]
fn ioh_holds_every_run_from_call_one_to_the_last() {
    let lab = lab();
    well(&lab, "sweep --to ioh -o ioh");
    let files = tree(&lab.path("ioh"));
    let plain = |path: &str| path.chars().all(|c| c.is_ascii_alphanumeric() || "-._/".contains(c));
    assert!(files.iter().all(|path| plain(path) && !path.contains("..")), "{files:#?}");
    matches("export_ioh_files", &files.iter().map(|path| format!("{path}\n")).collect::<String>());
    let kept = rows(&lab.read("sweep/runs.csv"));
    let mut seen = 0;
    for path in files.iter().filter(|path| path.ends_with(".json")) {
        let meta: Value = serde_json::from_str(&lab.read(&format!("ioh/{path}"))).expect("JSON");
        let scenario = &meta["scenarios"][0];
        let folder = path.split('/').next().expect("a folder");
        let data = lab.read(&format!("ioh/{folder}/{}", scenario["path"].as_str().expect("a path")));
        let curves: Vec<Vec<(u64, u64)>> = data
            .split("evaluations raw_y\n")
            .skip(1)
            .map(|curve| curve.lines().map(point).collect())
            .collect();
        let runs = scenario["runs"].as_array().expect("runs");
        assert_eq!(curves.len(), runs.len());
        for (curve, run) in curves.iter().zip(runs) {
            let row = &kept[run["run"].as_u64().expect("a number") as usize];
            let number = |name: &str| field(row, name).parse::<u64>().expect("a number");
            assert_eq!(curve.first().map(|first| first.0), Some(1));
            assert_eq!(curve.last(), Some(&(number("evaluations"), number("best_fitness"))));
            assert!(
                curve.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 >= pair[1].1),
                "{curve:?}"
            );
            let found = curve.iter().find(|(_, best)| *best == number("best_fitness"));
            assert_eq!(found.map(|found| found.0), Some(number("evaluations_to_best")));
            assert_eq!(run["best"]["y"], number("best_fitness"));
            seen += 1;
        }
        // Words are literals: what Python evaluates is a text.
        let puzzle: &str = meta["experiment_attributes"][0]["puzzle"].as_str().expect("a text");
        assert!(IDS.contains(&&*serde_json::from_str::<String>(puzzle).expect("a literal")), "{puzzle}");
    }
    assert_eq!(seen, kept.len());
}

fn point(line: &str) -> (u64, u64) {
    let (calls, best) = line.split_once(' ').expect("two numbers");
    (calls.parse().expect("calls"), best.parse().expect("a fitness"))
}

#[test]
fn the_journal_has_a_finished_trial_for_every_setting() {
    let lab = lab();
    let operations = lines(&well(&lab, "sweep --to optuna"));
    assert!(operations.iter().all(|operation| operation["worker_id"] == "kenga"));
    let of = |code: u64| operations.iter().filter(move |operation| operation["op_code"] == code);
    assert_eq!((of(0).count(), of(4).count(), of(5).count(), of(6).count()), (1, 4, 8, 4));
    let kept = rows(&lab.read("sweep/runs.csv"));
    for state in of(6) {
        let setting = state["trial_id"].to_string();
        let mine: Vec<f64> =
            kept.iter().filter(|row| field(row, "setting") == setting).map(|row| par_10(row)).collect();
        assert_eq!(state["state"], 1);
        assert_eq!(state["values"][0].as_f64(), Some(mine.iter().sum::<f64>() / mine.len() as f64));
        let last = of(7).rfind(|step| step["trial_id"] == state["trial_id"]).expect("steps");
        assert_eq!((last["step"].as_u64(), &last["intermediate_value"]), (Some(1), &state["values"][0]));
    }
}

fn par_10(row: &[(String, String)]) -> f64 {
    let number = |name: &str| field(row, name).parse::<f64>().expect("a number");
    if field(row, "solved") == "true" { number("evaluations_to_best") } else { 10.0 * number("evaluations") }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_begins_and_ends_as_it_should() {
    let lab = lab();
    well(&lab, "sweep --to parquet -o runs.parquet");
    let bytes = lab.bytes("runs.parquet");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_the_feature_it_is_said_how_to_get_parquet() {
    let said = refused(&lab(), "sweep --to parquet -o runs.parquet");
    assert!(said.contains("built without parquet") && said.contains("--features parquet"), "{said}");
}

#[test]
fn nothing_is_written_over() {
    let lab = lab();
    for (to, out, said) in [
        ("csv", "sweep.toml", "sweep.toml already exists"),
        ("csv", "sweep", "sweep is a folder"),
        ("ioh", "sweep", "sweep is not empty"),
        ("ioh", "sweep.toml", "sweep.toml already exists"),
        ("csv", "no/such/folder.csv", "cannot write no/such/folder.csv"),
    ] {
        let found = refused(&lab, &format!("sweep --to {to} -o {out}"));
        assert!(found.contains(said), "{found}");
    }
    fs::create_dir(lab.path("empty")).expect("a folder");
    well(&lab, "sweep --to ioh -o empty");
    assert!(refused(&lab, "sweep --to ioh -o empty").contains("empty is not empty"));
    well(&lab, "sweep --to csv -o runs.csv");
    assert!(refused(&lab, "sweep --to csv -o runs.csv").contains("runs.csv already exists"));
    assert!(!tree(&lab.path(".")).iter().any(|path| path.ends_with(".part")));
}

#[test]
fn what_cannot_be_exported_is_named() {
    let lab = lab();
    for (line, said) in [
        ("nowhere --to csv", "nowhere holds no results"),
        ("sweep nowhere --to csv", "nowhere holds no results"),
        ("sweep.toml --to csv", "sweep.toml holds no results"),
        ("sweep ./sweep --to csv", "would count twice"),
        ("sweep --to cvs", "one of csv, json, parquet, ioh, optuna"),
        ("sweep --to ioh", "ioh is a folder of files"),
        ("sweep --to ioh -o -", "ioh is a folder of files"),
        ("sweep --to optuna --convergence", "optuna is not a table"),
        ("sweep --to ioh --convergence -o x", "ioh is not a table"),
        ("--to csv", "required"),
        ("sweep", "--to <FORMAT>"),
    ] {
        let found = refused(&lab, line);
        assert!(found.contains(said), "{line}: {found}");
    }
    lab.run(&["--config", "ga.toml", "--set", "record.every=0", "--out", "blind", "--quiet"]);
    for line in ["blind --to ioh -o x", "blind --to csv --convergence -o x"] {
        assert!(refused(&lab, line).contains("blind holds no convergence"));
    }
    well(&lab, "blind --to csv -o blind.csv");
    lab.change("sweep/convergence.csv", |text| text.replacen("0,1,", "0,x,", 1));
    let found = refused(&lab, "sweep --to ioh -o x");
    let said = "24 rows of runs.csv are not used: the rows of run 0 are not those that ledger.csv lists";
    assert!(found.contains(said), "{found}");
    lab.change("sweep/runs.csv", |text| text.replacen("true", "maybe", 1).replacen("false", "maybe", 1));
    forge_again(&lab.path("sweep"));
    assert!(refused(&lab, "sweep --to csv").contains("runs.csv, line "));
}

#[test]
fn of_an_experiment_that_has_not_ended_the_runs_that_are_there_are_exported() {
    let lab = lab();
    fs::remove_file(lab.path("sweep/checksums.txt")).expect("it is there");
    // A run that is half written: its first rows of convergence, the last one torn, and no row of its own.
    let last = |text: &str| text.trim_end().rfind("\n23,").expect("a row of the last run") + 1;
    lab.change("sweep/runs.csv", |text| text[..last(&text)].to_owned());
    lab.change("sweep/convergence.csv", |text| text[..text.len() - 20].to_owned());
    for (to, count) in [("csv", 23), ("json", 23), ("csv --convergence", 0), ("ioh -o ioh", 0), ("optuna", 0)]
    {
        let line = format!("export sweep --to {to}");
        let ended = lab.kenga(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ended.code, 0, "{line}\n{}", ended.stderr);
        assert_eq!(ended.complaints(), "sweep has not ended: only its finished runs count\n");
        if to == "csv" {
            assert_eq!(rows(&ended.stdout).len(), count);
        } else if to == "json" {
            assert_eq!(ended.stdout.lines().count(), count);
        } else if to == "csv --convergence" {
            assert!(rows(&ended.stdout).iter().all(|row| field(row, "run") != "23"));
        }
    }
    lab.change("sweep/runs.csv", |text| text.lines().next().expect("a header").to_owned() + "\n");
    assert!(refused(&lab, "sweep --to csv").contains("sweep holds no run yet"));
}
