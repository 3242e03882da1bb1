//! How good settings are at any time, and differences that matter, by `kenga compare`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::lab::{GENETIC, Lab, flat};

const TWO: &str = r#"{"id":"two","size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"+","target":3,"cells":[[1,0],[1,1]]}]}"#;

/// Two rates on an easy and on a harder puzzle.
fn swept() -> Lab {
    let lab = Lab::new();
    let config = GENETIC.replace("[\"4x4.txt\"]", "[\"4x4.txt\", \"two.json\"]");
    lab.write("two.json", TWO);
    lab.write("sweep.toml", format!("{config}[sweep]\nalgorithm.mutation.rate = [0.02, 0.3]\n"));
    lab.run(&["--config", "sweep.toml", "--out", "sweep", "--quiet"]);
    lab
}

fn compared(lab: &Lab, words: &[&str]) -> String {
    let ended = lab.kenga(&[&["compare", "sweep"], words].concat());
    assert_eq!((ended.code, ended.complaints().as_str()), (0, ""), "{words:?}\n{}", ended.stdout);
    ended.stdout
}

#[test]
fn tables_say_how_seldom_a_local_search_records_its_best() {
    let lab = Lab::new();
    lab.write(
        "sweep.toml",
        "puzzles = [\"4x4.txt\"]\nreplicates = 5\nbudget.moves = 20000\nbudget.evaluations = 500\n[sweep]\nalgorithm.name = [\"tabu\", \"genetic\"]\n",
    );
    lab.run(&["--config", "sweep.toml", "--out", "sweep", "--quiet"]);
    let note = "tabu records its best every 10 000 calls, so that an improvement counts only from the next record on.";
    for words in [&["--anytime", "linear"][..], &["--targets", "1"], &["--budgets", "500"]] {
        let said = compared(&lab, words).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(note), "{words:?}: {said}");
    }
}

/// A run as the files of the folder have it: its setting, its calls, and what it had attained by when.
struct Run {
    setting: u64,
    calls: u64,
    solved: bool,
    steps: Vec<(u64, u64)>,
}

impl Run {
    /// The best fitness after some calls.
    fn at(&self, calls: u64) -> Option<u64> {
        self.steps.iter().filter(|step| step.0 <= calls).map(|step| step.1).min()
    }
}

/// The rows of a file as maps.
fn rows(lab: &Lab, file: &str) -> Vec<BTreeMap<String, String>> {
    let text = lab.read(&format!("sweep/{file}"));
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let names = lines.next().expect("a header");
    lines.map(|line| names.iter().cloned().zip(line).collect()).collect()
}

fn number(row: &BTreeMap<String, String>, name: &str) -> u64 {
    row[name].parse().unwrap_or_else(|error| panic!("{name} {}: {error}", row[name]))
}

/// The runs on a puzzle.
fn runs(lab: &Lab, puzzle: &str) -> Vec<Run> {
    let convergence = rows(lab, "convergence.csv");
    let run = |row: &BTreeMap<String, String>| {
        let mine = convergence.iter().filter(|step| step["run"] == row["run"]);
        let calls = |step: &BTreeMap<String, String>| number(step, "evaluations") + number(step, "moves");
        let mut steps: Vec<(u64, u64)> = mine.map(|step| (calls(step), number(step, "best"))).collect();
        let found = number(row, "evaluations_to_best") + number(row, "moves_to_best");
        // What is recorded later was found by then.
        steps.retain(|step| step.1 > number(row, "best_fitness"));
        steps.push((found, number(row, "best_fitness")));
        let (setting, solved) = (number(row, "setting"), row["solved"] == "true");
        Run { setting, solved, calls: if solved { found } else { calls(row) }, steps }
    };
    rows(lab, "runs.csv").iter().filter(|row| row["puzzle"] == puzzle).map(run).collect()
}

#[test]
fn areas_are_sums_over_the_calls_of_the_files() {
    let lab = swept();
    let found: Value =
        serde_json::from_str(&compared(&lab, &["--anytime", "linear", "--json"])).expect("JSON");
    for row in found["areas_by_puzzle"].as_array().expect("rows") {
        let runs = runs(&lab, row["puzzle"].as_str().expect("a puzzle"));
        let setting = u64::from(row["setting"] == "mutation.rate = 0.3");
        let worst = runs.iter().map(|run| run.steps[0].1).max().expect("runs").max(1) as f64;
        // Where all runs of a setting solved it is known for ever.
        let open = runs.iter().filter(|run| !run.solved).map(|run| run.calls).max();
        let last = open.unwrap_or_else(|| runs.iter().map(|run| run.calls).max().expect("runs"));
        let area = |run: &Run| {
            let attained =
                |calls: u64| run.at(calls).map_or(0.0, |best| 1.0 - (best as f64).min(worst) / worst);
            (0..last).map(attained).sum::<f64>() / last as f64
        };
        let mine: Vec<f64> = runs.iter().filter(|run| run.setting == setting).map(area).collect();
        let mean = mine.iter().sum::<f64>() / mine.len() as f64;
        assert!((row["aocc"].as_f64().expect("an area") - mean).abs() < 1e-9, "{row} is not {mean}");
    }
    let mean = |name: &str| {
        let rows = found["areas_by_puzzle"].as_array().expect("rows");
        let mine: Vec<f64> =
            rows.iter().filter(|row| row["setting"] == name).filter_map(|row| row["aocc"].as_f64()).collect();
        mine.iter().sum::<f64>() / mine.len() as f64
    };
    for row in found["areas"].as_array().expect("rows") {
        let name = row["setting"].as_str().expect("a name");
        assert!((row["aocc"].as_f64().expect("an area") - mean(name)).abs() < 1e-12, "{row}");
    }
}

#[test]
fn the_area_on_the_next_puzzle_has_the_interval_of_student_over_the_puzzles() {
    let lab = Lab::new();
    let names = ["a", "b", "c"];
    for name in names {
        lab.write(&format!("{name}.json"), TWO.replace("\"two\"", &format!("\"{name}\"")));
    }
    let puzzles = names.map(|name| format!("\"{name}.json\"")).join(", ");
    // The small puzzles are solved at once; their areas differ from that of the other.
    let config = GENETIC.replace("[\"4x4.txt\"]", &format!("[\"4x4.txt\", {puzzles}]"));
    lab.write("sweep.toml", format!("{config}[sweep]\nalgorithm.mutation.rate = [0.02, 0.3]\n"));
    // One run a puzzle: nothing is known of the spread within a puzzle.
    lab.run(&["--config", "sweep.toml", "--out", "sweep", "--quiet", "--runs", "1"]);
    let found: Value =
        serde_json::from_str(&compared(&lab, &["--anytime", "linear", "--json"])).expect("JSON");
    let row = &found["areas"][0];
    let areas: Vec<f64> = found["areas_by_puzzle"]
        .as_array()
        .expect("rows")
        .iter()
        .filter(|one| one["setting"] == row["setting"])
        .map(|row| row["aocc"].as_f64().expect("an area"))
        .collect();
    assert!(areas.iter().any(|area| *area != areas[0]), "{areas:?}");
    let mean = areas.iter().sum::<f64>() / 4.0;
    let variance = areas.iter().map(|area| (area - mean).powi(2)).sum::<f64>() / 3.0;
    // Reference value: scipy 1.17, stats.t.ppf(0.975, 3).
    let half = 3.182446305284263 * (variance / 4.0).sqrt();
    let (low, high) = (row["next_low"].as_f64().expect("an end"), row["next_high"].as_f64().expect("an end"));
    assert!((low - (mean - half).max(0.0)).abs() < 1e-6, "{row}: {areas:?}");
    assert!((high - (mean + half).min(1.0)).abs() < 1e-6, "{row}: {areas:?}");
}

#[test]
fn targets_and_budgets_are_those_of_the_files() {
    let lab = swept();
    let words = ["--targets", "8,0", "--budgets", "100,240,1e6", "--json", "--puzzle", "4x4"];
    let found: Value = serde_json::from_str(&compared(&lab, &words)).expect("JSON");
    let all = runs(&lab, "4x4");
    let of = |row: &Value| u64::from(row["setting"] == "mutation.rate = 0.3");
    for row in found["targets"].as_array().expect("rows") {
        let target = row["target"].as_u64().expect("a target");
        let mine = all.iter().filter(|run| run.setting == of(row));
        let times = mine.map(|run| run.steps.iter().find(|step| step.1 <= target).map(|step| step.0));
        assert_eq!(row["attained"].as_u64(), Some(times.flatten().count() as u64), "{row}");
    }
    assert_eq!(found["targets"].as_array().map(Vec::len), Some(4));
    for row in found["budgets"].as_array().expect("rows") {
        let calls = row["calls"].as_u64().expect("calls");
        let mut best: Vec<u64> =
            all.iter().filter(|run| run.setting == of(row)).filter_map(|run| run.at(calls)).collect();
        best.sort_unstable();
        let median = f64::midpoint(best[2] as f64, best[3] as f64);
        assert_eq!(row["median"].as_f64(), (calls <= 240).then_some(median), "{row}");
        assert_eq!(row["solved"].is_null(), calls > 240, "{row}");
    }
}

#[test]
fn solving_is_the_target_0_of_compare() {
    let lab = swept();
    let found: Value = serde_json::from_str(&compared(&lab, &["--targets", "0", "--json"])).expect("JSON");
    for row in found["targets"].as_array().expect("rows") {
        let sides = found["settings"].as_array().expect("sides");
        let side = sides.iter().find(|side| side["name"] == row["setting"]).expect("a side");
        assert_eq!((&row["attained"], &row["share"]), (&side["solved"], &side["share"]), "{row}");
        assert_eq!(row["expected"], side["expected"]["value"], "{row}");
    }
}

#[test]
fn a_region_says_how_probable_a_difference_is_that_matters() {
    let lab = swept();
    let table = |words: &[&str]| -> Value {
        let text = compared(&lab, &[words, &["--json"]].concat());
        serde_json::from_str::<Value>(&text).expect("JSON")["practical"][0].clone()
    };
    let sum = |row: &Value| {
        ["better", "same", "worse"].map(|name| row[name].as_f64().expect("a chance")).iter().sum::<f64>()
    };
    let both = table(&["--rope", "5%"]);
    assert_eq!((both["units"].as_u64(), sum(&both)), (Some(2), 1.0), "{both}");
    let one = table(&["--rope", "5%", "--puzzle", "4x4"]);
    assert_eq!((one["units"].as_u64(), sum(&one)), (Some(6), 1.0), "{one}");
    let wide = table(&["--rope", "1000", "--metric", "best_fitness"]);
    assert!(wide["same"].as_f64() > Some(0.9), "{wide}");
    assert_eq!(table(&["--rope", "5%"]), both, "the same draws");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let lab = swept();
    let refused = |words: &[&str]| {
        let ended = lab.kenga(&[&["compare", "sweep"], words].concat());
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{words:?}");
        flat(&ended.stderr)
    };
    assert!(refused(&["--rope", "1"]).contains("--rope 5%"));
    assert!(refused(&["--rope", "5%", "--metric", "best_fitness"]).contains("may be 0"));
    assert!(refused(&["--rope", "five"]).contains("a percentage such as 5%"));
    assert!(refused(&["--anytime", "cubic"]).contains("log-calls"));
    assert!(refused(&["--worst", "9"]).contains("--anytime"));
    assert!(refused(&["--targets", "1.5"]).contains("a whole number"));
    assert!(refused(&["--budgets", "0"]).contains("a whole number"));
    lab.run(&["--config", "sweep.toml", "--set", "record.every=0", "--out", "silent", "--quiet"]);
    let ended = lab.kenga(&["compare", "silent", "--targets", "0"]);
    assert!(ended.code == 2 && ended.stderr.contains("record.every"), "{}", ended.stderr);
}

#[test]
fn every_form_has_the_further_tables() {
    let lab = swept();
    let all = ["--rope", "5%", "--anytime", "log", "--targets", "0", "--budgets", "100"];
    let tables = |form: &str, sign: &str| compared(&lab, &[&all[..], &[form]].concat()).matches(sign).count();
    assert_eq!(tables("--latex", "\\toprule"), 2 + 6);
    assert_eq!(tables("--markdown", "\n| --"), 2 + 6);
    assert_eq!(tables("--csv", "\n\n"), 1 + 6);
    let text = compared(&lab, &all);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}
