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
    assert_eq!((ended.code, ended.complaints().as_str()), (0, ""), "{line}\n{}", ended.stdout);
    ended.stdout
}

fn refused(lab: &Lab, line: &str) -> String {
    let ended = lab.kenga(&["compare"].into_iter().chain(line.split(' ')).collect::<Vec<_>>());
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{line}");
    ended.stderr.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// The text on one line, however it was wrapped.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn the_verdict_begins_with_one_sentence() {
    let lab = swept();
    let by_name = words(&compared(&lab, "sweep --by algorithm"));
    assert!(by_name.contains("algorithm tabu is better: a solution costs "), "{by_name}");
    assert!(by_name.contains("< 0.001 *"), "{by_name}");
    let found = json(&compared(&lab, "sweep --by algorithm --json"));
    assert_eq!(found["verdict"][0], found["headline"]);
    assert_eq!(
        (found["pairs"][0]["shown"].as_bool(), found["order"][0].as_str()),
        (Some(true), Some("tabu"))
    );
    let by_log = words(&compared(&lab, "sweep --by algorithm.generation"));
    assert!(by_log.contains(" are equivalent: ") && !by_log.contains(" is better"), "{by_log}");
}

#[test]
fn both_tables_are_printed_in_every_form() {
    let lab = swept();
    let csv = compared(&lab, "sweep --by algorithm --csv");
    let headers: Vec<&str> = csv.split("\n\n").filter_map(|table| table.lines().next()).collect();
    assert!(headers.len() == 2 && headers.iter().all(|header| header.starts_with("setting,")), "{csv}");
    assert_eq!(compared(&lab, "sweep --by algorithm --markdown").matches("\n| --- ").count(), 2);
    assert_eq!(compared(&lab, "sweep --by algorithm --latex").matches("\\toprule").count(), 2);
}

#[test]
fn runs_of_other_keys_that_share_a_start_count_once() {
    let lab = swept();
    let found = json(&compared(&lab, "sweep --by algorithm.generation --json"));
    let pair = &found["pairs"][0];
    assert_eq!((pair["p"].as_f64(), pair["pairs"].as_u64()), (Some(1.0), Some(20)));
    assert!((pair["ratio"]["value"].as_f64().expect("a ratio") - 1.0).abs() < 1e-6, "{pair}");
    assert_eq!(pair["shown"].as_bool(), Some(false));
    assert!((pair["a12"]["value"].as_f64().expect("A12") - 0.5).abs() < 1e-12, "{pair}");
    assert_eq!((found["blocks"].as_u64(), found["runs_of_a_block"].as_u64()), (Some(20), Some(2)));
    // A key that changes nothing adds runs, and no certainty.
    let alone = json(&compared(&lab, "sweep --json"));
    let side = |found: &Value, name: &str| {
        let sides = found["settings"].as_array().expect("settings").clone();
        sides
            .into_iter()
            .find(|side| side["name"].as_str().is_some_and(|own| own.contains(name)))
            .expect("a side")
    };
    let together = json(&compared(&lab, "sweep --by algorithm --json"));
    let (one, both) = (side(&alone, "tabu"), side(&together, "tabu"));
    assert_eq!((one["runs"].as_u64(), both["runs"].as_u64()), (Some(20), Some(40)));
    for number in ["share_95", "par10"] {
        assert_eq!(one[number], both[number], "{number}");
    }
    assert_eq!(one["expected"]["value"], both["expected"]["value"]);
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
    assert_eq!(found["pairs"].as_array().map(Vec::len), Some(3));
    assert_eq!(found["tests"].as_u64(), Some(6));
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
    let paired = words(&compared(&lab, "one two --metric best_fitness"));
    assert!(
        paired.contains("each with the same 6 starts") && paired.contains("label swaps within starts"),
        "{paired}"
    );
    let by = compared(&lab, "one two --by algorithm.population");
    assert!(by.contains("24") && by.contains("12"), "{by}");
    let none = compared(&lab, "one two");
    assert!(none.contains("No run of any setting has solved") && !none.contains("()"), "{none}");
    let apart = words(&compared(&lab, "one other --metric best_fitness"));
    assert!(
        apart.contains("tests for independent runs") && apart.contains("label swaps within puzzles"),
        "{apart}"
    );
}

#[test]
fn settings_that_a_race_has_dropped_are_compared_on_the_pairs_that_both_have() {
    let lab = Lab::new();
    let method = "[sweep]\nmethod = { name = \"race\", of = \"grid\", first = 6 }";
    lab.write("race.toml", SWEEP.replace("[sweep]", method).replace("replicates = 20", "replicates = 40"));
    lab.run(&["--config", "race.toml", "--out", "race", "--quiet"]);
    let found = json(&compared(&lab, "race --json"));
    let runs = |name: &Value| {
        let side = found["settings"].as_array().expect("settings").iter().find(|side| side["name"] == *name);
        side.and_then(|side| side["runs"].as_u64()).expect("a side")
    };
    let dropped = found["dropped_early"].as_array().expect("names");
    assert!(!dropped.is_empty() && dropped.iter().all(|name| runs(name) < 40), "{dropped:?}");
    for pair in found["pairs"].as_array().expect("pairs") {
        let least = runs(&pair["first"]).min(runs(&pair["second"]));
        assert_eq!(pair["pairs"].as_u64(), Some(least), "{pair}");
    }
    let order = found["order"].as_array().expect("names");
    assert!(order.windows(2).all(|pair| runs(&pair[0]) >= runs(&pair[1])), "{order:?}");
    let text = words(&compared(&lab, "race"));
    assert!(text.contains("The race dropped") && text.contains("looked after every block"), "{text}");
    // Of a part of a race no p-value holds.
    let part = json(&compared(&lab, "race --by algorithm --json"));
    let pair = &part["pairs"][0];
    assert_eq!((&pair["p"], pair["shown"].as_bool()), (&Value::Null, Some(false)), "{pair}");
    assert_eq!(pair["cannot_tell"].as_str(), Some("dropped by a race"));
}

#[test]
fn settings_joined_after_a_race_have_p_values_that_are_not_corrected_for_its_looks() {
    let lab = Lab::new();
    // The first look comes after the last block, so that none is dropped.
    let method = "[sweep]\nmethod = { name = \"race\", of = \"grid\", first = 30 }";
    lab.write("race.toml", SWEEP.replace("[sweep]", method));
    lab.run(&["--config", "race.toml", "--out", "race", "--quiet"]);
    let note = "The p-values are not corrected for that, because settings are joined or runs left out.";
    let text = words(&compared(&lab, "race --by algorithm"));
    assert!(text.contains(note), "{text}");
    let text = words(&compared(&lab, "race"));
    assert!(!text.contains(note) && text.contains("the p-values are corrected for that"), "{text}");
}

#[test]
fn numbers_over_several_puzzles_are_means_of_those_by_puzzle() {
    let lab = swept();
    lab.write("two.json", r#"{"id":"two","size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"+","target":3,"cells":[[1,0],[1,1]]}]}"#);
    lab.run(&[
        "--config",
        "sweep.toml",
        "--puzzle",
        "4x4.txt",
        "--puzzle",
        "two.json",
        "--out",
        "both",
        "--quiet",
    ]);
    let (both, one) =
        (json(&compared(&lab, "both --json")), json(&compared(&lab, "both --json --puzzle two")));
    for (side, alone) in both["settings"]
        .as_array()
        .expect("settings")
        .iter()
        .zip(one["settings"].as_array().expect("settings"))
    {
        assert!(side["median"].is_null() && side["expected"]["value"].is_number(), "{side}");
        let parts = side["puzzles"].as_array().expect("puzzles");
        let share =
            |part: &Value| part["solved"].as_f64().expect("solved") / part["runs"].as_f64().expect("runs");
        let mean = parts.iter().map(share).sum::<f64>() / 2.0;
        assert!((side["share"].as_f64().expect("a share") - mean).abs() < 1e-12, "{side}");
        assert_eq!((&parts[1]["median"], &parts[1]["solved"]), (&alone["median"], &alone["solved"]));
    }
    let text = words(&compared(&lab, "both"));
    assert!(text.contains("means over the puzzles") && text.contains("about these puzzles"), "{text}");
    assert!(
        both["settings"][0]["share_95_next_puzzle"].is_array()
            && one["settings"][0]["share_95_next_puzzle"].is_null()
    );
}

#[test]
fn what_cannot_be_compared_is_said() {
    let lab = swept();
    lab.run(&["--config", "ga.toml", "--out", "one", "--quiet"]);
    let one = refused(&lab, "one");
    assert!(one.contains("there is only one setting to compare: genetic"), "{one}");
    assert!(one.contains("name a second folder, or one with a sweep"), "{one}");
    assert!(
        refused(&lab, "sweep --by algorithm.generatoin").contains("did you mean `algorithm.generation`?")
    );
    assert!(refused(&lab, "nowhere").contains("nowhere holds no results"));
    assert!(
        refused(&lab, "sweep --puzzle 5x5").contains("the results have no puzzle `5x5` help: known: 4x4")
    );
    assert_eq!(compared(&lab, "sweep --puzzle 4x4"), compared(&lab, "sweep"));
    assert!(refused(&lab, "sweep --metric cals").contains("did you mean `calls`?"));
    assert!(refused(&lab, "sweep --alpha 1.5").contains("a number between 0 and 1"));
    lab.change("sweep/runs.csv", |text| text.split_inclusive('\n').take(3).collect());
    assert!(refused(&lab, "sweep").contains("has no run"));
}

#[test]
fn the_better_of_two_is_who_has_less_whatever_the_order() {
    let lab = Lab::new();
    let config = |seed: u64, evaluations: u64, replicates: u64| {
        format!(
            "puzzles = [\"4x4.txt\", \"6x6.txt\"]\nseed = {seed}\nreplicates = {replicates}\n[budget]\nevaluations = {evaluations}\n[algorithm]\npopulation = 10\n"
        )
    };
    lab.write("6x6.txt", include_str!("../../puzzles/original/6x6.txt"));
    lab.write("few.toml", config(1, 40, 30));
    lab.write("many.toml", config(2, 4000, 12));
    for name in ["few", "many"] {
        lab.run(&["--config", &format!("{name}.toml"), "--out", name, "--quiet"]);
    }
    for pair in [["few", "many"], ["many", "few"]] {
        let shown = lab.kenga(&["compare", pair[0], pair[1], "--metric", "best_fitness"]);
        let text = shown.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("many is better: a run of it has the lower fitness"), "{text}");
        let calls = "A run of many makes 4.00 k calls and one of few makes 40: a setting that makes more may end better";
        assert!(text.contains(calls), "{text}");
    }
}

#[test]
fn folders_without_a_common_puzzle_show_nothing() {
    let lab = Lab::new();
    let config = |puzzle: &str, algorithm: &str| {
        format!(
            "puzzles = [\"{puzzle}\"]\nreplicates = 20\n[budget]\nevaluations = 400\nmoves = 20_000\n[algorithm]\nname = \"{algorithm}\"\n"
        )
    };
    lab.write("two.json", r#"{"id":"two","size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"+","target":3,"cells":[[1,0],[1,1]]}]}"#);
    lab.write("one.toml", config("4x4.txt", "random"));
    lab.write("other.toml", config("two.json", "tabu"));
    for name in ["one", "other"] {
        lab.run(&["--config", &format!("{name}.toml"), "--out", name, "--quiet"]);
    }
    let text = words(&compared(&lab, "one other"));
    assert!(text.contains("cannot tell which setting is better: they have no puzzle in common"), "{text}");
    let found = json(&compared(&lab, "one other --json"));
    let pair = &found["pairs"][0];
    assert_eq!((&pair["p"], pair["shown"].as_bool()), (&Value::Null, Some(false)), "{pair}");
}

#[test]
fn too_few_runs_to_show_anything_are_said_to_be_too_few() {
    let lab = Lab::new();
    lab.write("few.toml", SWEEP.replace("replicates = 20", "replicates = 3"));
    lab.run(&["--config", "few.toml", "--out", "few", "--quiet"]);
    let text = words(&compared(&lab, "few --by algorithm"));
    assert!(
        text.contains(
            "cannot tell which setting is better: with 3 starts each no difference can be significant; at least 6 are"
        ),
        "{text}"
    );
}

#[test]
fn budgets_that_differ_are_compared_up_to_the_smaller() {
    let lab = Lab::new();
    let sweep = "[sweep]\nbudget.evaluations = [300, 3000]\n[algorithm]\npopulation = 20\n";
    lab.write(
        "budget.toml",
        format!("puzzles = [\"4x4.txt\"]\nreplicates = 30\n[budget]\nevaluations = 300\n{sweep}"),
    );
    lab.run(&["--config", "budget.toml", "--out", "budget", "--quiet"]);
    let found = json(&compared(&lab, "budget --json"));
    let pair = &found["pairs"][0];
    // The same algorithm on the same starts: up to 300 calls the runs are the same.
    assert_eq!((pair["p"].as_f64(), pair["share_p"].as_f64()), (Some(1.0), Some(1.0)), "{pair}");
    assert_eq!(
        (pair["compared_up_to"].as_f64(), pair["shown"].as_bool()),
        (Some(300.0), Some(false)),
        "{pair}"
    );
}

#[test]
fn a_key_may_be_given_as_tables_print_it() {
    let lab = swept();
    let whole = compared(&lab, "sweep --by algorithm.generation");
    assert_eq!(compared(&lab, "sweep --by generation"), whole);
    assert!(refused(&lab, "sweep --by eration").contains("no setting has the key `eration`"));
}

#[test]
fn par10_is_by_the_budget_whatever_stands_beside_it() {
    let lab = swept();
    lab.write("long.toml", SWEEP.replace("moves = 20_000", "moves = 60_000"));
    lab.run(&["--config", "long.toml", "--out", "long", "--quiet"]);
    let par10 = |line: &str| {
        let found = json(&compared(&lab, line));
        let sides = found["settings"].as_array().expect("settings").clone();
        let of = |side: Value| (side["runs"].clone(), side["par10"].clone(), side["expected"].clone());
        sides.into_iter().take(4).map(of).collect::<Vec<_>>()
    };
    assert_eq!(par10("sweep --json"), par10("sweep long --json"));
}

/// A race over two puzzles that drops settings after an odd number of blocks: they have more runs of one puzzle.
const UNEVEN: &str = "\
puzzles = [\"4x4.txt\", \"two.json\"]
seed = 3
replicates = 40
[budget]
evaluations = 60
moves = 1000
[sweep]
method = { name = \"race\", of = \"grid\", first = 6 }
algorithm.name = [\"tabu\", \"random\"]
algorithm.generation = [100, 1000]
[record]
every = 0
";

#[test]
fn summary_table_comparison_and_report_say_one_share() {
    let lab = Lab::new();
    lab.write(
        "two.json",
        r#"{"id":"two","size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"+","target":3,"cells":[[1,0],[1,1]]}]}"#,
    );
    let even = UNEVEN.replace("method = { name = \"race\", of = \"grid\", first = 6 }\n", "");
    lab.write("even.toml", even.replace("replicates = 40", "replicates = 4"));
    lab.write("uneven.toml", UNEVEN);
    let one_puzzle = ["--config", "even.toml", "--puzzle", "4x4.txt", "--set", "budget.moves=100"];
    for (design, arguments) in [
        ("one", &one_puzzle[..]),
        ("even", &["--config", "even.toml"]),
        ("uneven", &["--config", "uneven.toml"]),
    ] {
        let summary = lab.summary(&[arguments, &["--out", design]].concat());
        let table = lab.kenga(&["run", "--resume", design, "--csv"]).stdout;
        let compared = json(&compared(&lab, &format!("{design} --json")));
        let report = format!("{design}.html");
        assert_eq!(lab.kenga(&["report", design, "-o", &report]).code, 0);
        let report = lab.read(&report);
        let mut lines = table.lines();
        let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
        let at = |name: &str| header.iter().position(|column| *column == name).expect("the column");
        let settings = summary["settings"].as_array().expect("settings");
        for (setting, line) in settings.iter().zip(lines) {
            let fields: Vec<&str> = line.split(',').collect();
            let name = format!("name = {}, generation = {}", fields[0], fields[1]);
            let sides = compared["settings"].as_array().expect("settings");
            let side = sides.iter().find(|side| side["name"] == name.as_str()).expect("the side");
            for (own, place, column) in [
                (&side["share"], &setting["share"], "share"),
                (&side["share_95"][0], &setting["share_95"][0], "share_low"),
                (&side["share_95"][1], &setting["share_95"][1], "share_high"),
            ] {
                assert_eq!(own, place, "{design}: {name}: {column}");
                assert_eq!(own.as_f64(), fields[at(column)].parse().ok(), "{design}: {name}: {column}");
            }
            let number = |value: &Value| (100.0 * value.as_f64().expect("a share") + 1e-9).round();
            let shown = format!(
                "{}<span class=\"interval\">{} to {}</span>",
                number(&side["share"]),
                number(&side["share_95"][0]),
                number(&side["share_95"][1])
            );
            assert!(report.contains(&shown), "{design}: {name}: {shown}");
        }
    }
    let uneven = json(&compared(&lab, "uneven --json"));
    let side = &uneven["settings"][3];
    let pooled = side["solved"].as_f64().expect("solved") / side["runs"].as_f64().expect("runs");
    assert!((side["share"].as_f64().expect("a share") - pooled).abs() > 0.005, "{side}");
}

#[test]
fn the_test_of_all_settings_says_where_it_cuts() {
    let lab = Lab::new();
    let config = |moves: u64| {
        SWEEP
            .replace("[\"tabu\", \"random\"]", "[\"tabu\", \"annealing\"]")
            .replace("moves = 20_000", &format!("moves = {moves}"))
    };
    for (name, moves) in [("short", 2000), ("long", 8000)] {
        lab.write(&format!("{name}.toml"), config(moves));
        lab.run(&["--config", &format!("{name}.toml"), "--out", name, "--quiet"]);
    }
    let text = words(&compared(&lab, "short long"));
    assert!(
        text.contains("(Friedman over the 20 starts of one puzzle up to 2.06 k, the smallest budget, p"),
        "{text}"
    );
    let alike = words(&compared(&lab, "short"));
    assert!(alike.contains("(Friedman over the 20 starts of one puzzle, p"), "{alike}");
    assert!(text.contains("p and intervals have Holm's correction for 28 tests"), "{text}");
}

#[test]
fn a_folder_of_results_folders_names_them() {
    let lab = Lab::new();
    for name in ["b", "a"] {
        lab.write(&format!("results/{name}/manifest.json"), "{}");
    }
    let ended = lab.kenga(&["compare", "results"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("name folders in it: results/a, results/b"), "{}", ended.stderr);
}
