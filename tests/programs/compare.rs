//! Comparisons: what is shown, what is not, and what cannot be compared.

use serde_json::Value;

use crate::lab::Lab;

/// Two algorithms of which one never solves, and a key that changes nothing but the log.
const SWEEP: &str = "\
puzzles = [\"4x4.txt\"]
seed = 3
replicates = 20
[budget]
evaluations = 60
moves = 20_000
[sweep]
algorithm.name = [\"tabu\", \"random\"]
algorithm.generation = [100, 1000]
[record]
every = 0
";

fn swept() -> Lab {
    let lab = Lab::new();
    lab.write("sweep.toml", SWEEP);
    lab.run(&["--config", "sweep.toml", "--out", "sweep", "--quiet"]);
    lab
}

/// `kenga compare` with these words; it ends well.
fn compared(lab: &Lab, line: &str) -> String {
    let ended = lab.kenga(&["compare"].into_iter().chain(line.split(' ')).collect::<Vec<_>>());
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{line}\n{}", ended.stdout);
    ended.stdout
}

fn refused(lab: &Lab, line: &str) -> String {
    let ended = lab.kenga(&["compare"].into_iter().chain(line.split(' ')).collect::<Vec<_>>());
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{line}");
    ended.stderr.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn a_difference_is_shown_and_none_is_not() {
    let lab = swept();
    let by_name = compared(&lab, "sweep --by algorithm");
    assert!(by_name.contains("40 blocks: on one puzzle"), "{by_name}");
    assert!(
        by_name
            .contains("Shown: tabu takes fewer calls to solve than random (Wilcoxon signed-rank, p < 0.001")
    );
    let by_log = compared(&lab, "sweep --by algorithm.generation");
    assert!(by_log.contains("Not shown: that 100 and 1000 differ"), "{by_log}");
    let found = json(&compared(&lab, "sweep --by algorithm.generation --json"));
    let pair = &found["pairs"][0];
    assert_eq!((pair["p"].as_f64(), pair["ratio"]["value"].as_f64()), (Some(1.0), Some(1.0)));
    assert_eq!((pair["shown"].as_bool(), pair["a12"]["value"].as_f64()), (Some(false), Some(0.5)));
    assert_eq!((found["blocks"].as_u64(), found["overall_p"].as_f64()), (Some(40), Some(1.0)));
}

#[test]
fn numbers_are_those_of_the_rows() {
    let lab = swept();
    let found = json(&compared(&lab, "sweep --json"));
    let rows = lab.read("sweep/runs.csv");
    for (index, side) in found["settings"].as_array().expect("settings").iter().enumerate() {
        let rows: Vec<Vec<&str>> = rows
            .lines()
            .skip(1)
            .map(|row| row.split(',').collect())
            .filter(|row: &Vec<&str>| row[2] == index.to_string())
            .collect();
        let solved = rows.iter().filter(|row| row[6] == "true").count() as u64;
        assert_eq!((side["runs"].as_u64(), side["solved"].as_u64()), (Some(20), Some(solved)), "{side}");
        let mut calls: Vec<f64> = rows
            .iter()
            .map(|row| match row[6] {
                "true" => {
                    row[13].parse::<f64>().expect("evaluations") + row[14].parse::<f64>().expect("moves")
                }
                _ => f64::INFINITY,
            })
            .collect();
        calls.sort_by(f64::total_cmp);
        let median = f64::midpoint(calls[9], calls[10]);
        assert_eq!(
            side["median"]["value"].as_f64(),
            Some(median).filter(|median| median.is_finite()),
            "{side}"
        );
    }
    assert_eq!(found["pairs"].as_array().map(Vec::len), Some(6));
    let spread = json(&compared(&lab, "sweep --json --metric best_fitness --alpha 0.01"));
    assert_eq!(
        (spread["metric"].as_str(), spread["settings"][0]["expected"].is_null()),
        (Some("best_fitness"), true)
    );
}

#[test]
fn a_baseline_is_compared_with_all_others() {
    let lab = swept();
    let found = json(&compared(&lab, "sweep --by algorithm --baseline random --json"));
    assert_eq!(found["pairs"].as_array().map(Vec::len), Some(1));
    assert!(refused(&lab, "sweep --by algorithm --baseline tab").contains("did you mean `tabu`?"));
}

#[test]
fn folders_are_compared_in_pairs_where_they_start_alike_and_else_as_they_are() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "one", "--quiet"]);
    lab.run(&["--config", "ga.toml", "--out", "two", "--set", "algorithm.population=24", "--quiet"]);
    lab.run(&["--config", "ga.toml", "--out", "other", "--seed", "9", "--quiet"]);
    let paired = compared(&lab, "one two");
    assert!(paired.contains("2 settings in 6 blocks") && paired.contains("Wilcoxon"), "{paired}");
    let by = compared(&lab, "one two --by algorithm.population");
    assert!(by.contains("24") && by.contains("12"), "{by}");
    let apart = compared(&lab, "one other");
    assert!(apart.contains("compared as independent ones") && apart.contains("Mann-Whitney"), "{apart}");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let lab = swept();
    lab.run(&["--config", "ga.toml", "--out", "one", "--quiet"]);
    assert!(refused(&lab, "one").contains("there is one side only: genetic"));
    assert!(
        refused(&lab, "sweep --by algorithm.generatoin").contains("did you mean `algorithm.generation`?")
    );
    assert!(refused(&lab, "nowhere").contains("nowhere holds no results"));
    assert!(
        refused(&lab, "sweep --puzzle 5x5").contains("no run is of the puzzle `5x5` help: there are: 4x4")
    );
    assert_eq!(compared(&lab, "sweep --puzzle 4x4"), compared(&lab, "sweep"));
    assert!(refused(&lab, "sweep --metric cals").contains("did you mean `calls`?"));
    assert!(refused(&lab, "sweep --alpha 1.5").contains("a number between 0 and 1"));
    lab.change("sweep/runs.csv", |text| text.split_inclusive('\n').take(3).collect());
    assert!(refused(&lab, "sweep").contains("has no run"));
}
