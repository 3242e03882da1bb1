//! `kenga generate --hard-for` as a whole program, and the set of puzzles that it made.

use serde_json::Value;

use crate::lab::{Ended, Lab};

const HARD: &str = "seed = 4\nbudget = {evaluations = 300}\n[algorithm]\npopulation = 10\n";
const EASY: &str = "budget = {moves = 4_000}\n[algorithm]\nname = \"breakout\"\nencoding = \"cages\"\n";

const FOUR: [&str; 9] =
    ["generate", "--kind", "kenken", "--size", "4", "--hard-for", "ga.toml", "--effort", "12"];

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("ga.toml", HARD);
    lab.write("breakout.toml", EASY);
    lab
}

fn evolve(lab: &Lab, more: &[&str]) -> Ended {
    lab.kenga(&[&FOUR[..], more].concat())
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn puzzles_are_unique_have_their_figures_and_are_the_same_for_any_number_of_threads() {
    let lab = lab();
    let order = ["--easy-for", "breakout.toml", "--runs", "6", "--count", "2"];
    let one = evolve(&lab, &[&order[..], &["--jobs", "1"]].concat());
    let eight = evolve(&lab, &[&order[..], &["--jobs", "8", "-o", "four.jsonl"]].concat());
    assert_eq!((one.code, eight.code), (0, 0), "{}{}", one.stderr, eight.stderr);
    assert_eq!(one.stdout, lab.read("four.jsonl"));
    let fewer = evolve(&lab, &["--easy-for", "breakout.toml", "--runs", "6", "--count", "1"]);
    assert!(one.stdout.starts_with(&fewer.stdout));
    let solved = lab.kenga(&["solve", "four.jsonl", "--json"]);
    assert!(lines(&solved.stdout).iter().all(|answer| answer["status"] == "unique"), "{}", solved.stdout);
    for puzzle in lines(&one.stdout) {
        let id = puzzle["id"].as_str().expect("an id");
        assert!(id.starts_with("kenken-4-hard-ga-easy-breakout-00"), "{id}");
        check_figures(&puzzle);
    }
}

/// The figures of a puzzle agree with each other.
fn check_figures(puzzle: &Value) {
    let (id, meta) = (&puzzle["id"], &puzzle["meta"]);
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{id}: {value} is no number"));
    let cost = |figures: &Value| {
        if figures["name"] == "exact" {
            return number(&figures["decisions"]).max(1.0);
        }
        let (par10, ends) = (number(&figures["par10"]), &figures["par10_95"]);
        assert!(number(&ends[0]) <= par10 && par10 <= number(&ends[1]), "{id} {figures}");
        assert!(number(&figures["solved"]) <= number(&figures["runs"]), "{id} {figures}");
        assert_eq!(figures["expected_calls"].is_null(), figures["solved"] == 0, "{id} {figures}");
        par10.max(1.0)
    };
    let easy = meta.get("easy_for").map_or(1.0, cost);
    let advantage = (cost(&meta["hard_for"]) / easy).log10();
    assert!((advantage - number(&meta["advantage"])).abs() < 0.05, "{id} {advantage}");
    let interval = meta.get("advantage_95").map(|ends| [number(&ends[0]), number(&ends[1])]);
    let count_calls = meta["hard_for"].get("par10").is_some()
        && meta.get("easy_for").is_some_and(|figures| figures.get("par10").is_some());
    assert_eq!(interval.is_some(), count_calls, "{id}");
    assert!(interval.is_none_or(|[low, high]| low <= advantage + 0.05 && advantage - 0.05 <= high), "{id}");
    number(&meta["selection"]["advantage"]);
    number(&meta["decisions"]);
    number(&meta["grade"]["score"]);
}

#[test]
fn the_figures_are_those_of_kenga_run() {
    let lab = lab();
    assert_eq!(evolve(&lab, &["--runs", "9", "-o", "four.jsonl"]).code, 0);
    let puzzle = &lines(&lab.read("four.jsonl"))[0];
    let run =
        ["run", "--config", "ga.toml", "--puzzle", "four.jsonl", "--runs", "9", "--out", "runs", "--quiet"];
    assert_eq!(lab.kenga(&run).code, 0);
    let rows = lab.read("runs/runs.csv");
    let column = rows.lines().next().expect("a header").split(',').position(|name| name == "solved");
    let column = column.expect("a column");
    let solved = rows.lines().skip(1).filter(|row| row.split(',').nth(column) == Some("true")).count();
    assert_eq!(puzzle["meta"]["hard_for"]["solved"], solved);
}

#[test]
fn the_exact_solver_stands_on_either_side() {
    let lab = lab();
    for (hard, easy) in [("exact", "breakout.toml"), ("breakout.toml", "exact")] {
        let order = ["generate", "--kind", "kenken", "--size", "4", "--effort", "8", "--runs", "3"];
        let made = lab.kenga(&[&order[..], &["--hard-for", hard, "--easy-for", easy]].concat());
        assert_eq!(made.code, 0, "{}", made.stderr);
        check_figures(&lines(&made.stdout)[0]);
    }
}

#[test]
fn a_puzzle_that_fresh_runs_do_not_confirm_is_not_delivered() {
    let lab = lab();
    lab.write("same.toml", EASY.replace("4_000", "4_001"));
    let order =
        ["generate", "--kind", "kenken", "--size", "4", "--effort", "6", "--runs", "2", "--count", "2"];
    for (hard, easy, said) in [
        ("breakout.toml", "ga.toml", "is solved by ga in only"),
        (
            "breakout.toml",
            "same.toml",
            "is not shown to cost breakout more than same, in 48 fresh runs of each",
        ),
    ] {
        let ended = lab.kenga(&[&order[..], &["--hard-for", hard, "--easy-for", easy]].concat());
        assert_eq!((ended.code, ended.stdout.as_str()), (1, ""), "{}", ended.stderr);
        let lines: Vec<&str> =
            ended.stderr.lines().filter(|line| line.contains("not found in 6 tries")).collect();
        assert!(lines.len() == 2 && lines.iter().all(|line| line.contains(said)), "{}", ended.stderr);
    }
}

#[test]
fn the_exact_solver_alone_needs_no_runs_and_odd_names_stay_out_of_ids() {
    let lab = lab();
    let order = ["generate", "--kind", "kenken", "--size", "4", "--effort", "2", "--runs", "1"];
    let exact = lab.kenga(&[&order[..], &["--hard-for", "exact"]].concat());
    assert!(lines(&exact.stdout)[0]["meta"]["selection"].get("runs").is_none(), "{}", exact.stdout);
    lab.write("é b\"=.1.toml", HARD);
    let odd = lab.kenga(&[&order[..], &["--hard-for", "é b\"=.1.toml"]].concat());
    assert_eq!(lines(&odd.stdout)[0]["id"], "kenken-4-hard---b--.1-000", "{}", odd.stderr);
}

#[test]
fn what_puzzles_cannot_be_evolved_against_is_refused() {
    let lab = lab();
    lab.write("same.toml", format!("replicates = 9\n{HARD}"));
    lab.write("copy/ga.toml", HARD.replace("300", "400"));
    lab.write("exact.toml", HARD);
    lab.write("clock.toml", "budget = {evaluations = 9, seconds = 1}");
    lab.write("sweep.toml", format!("{HARD}[sweep]\n\"algorithm.population\" = [10, 20]\n"));
    lab.write("once.toml", format!("{HARD}[sweep]\n\"algorithm.population\" = [10]\n"));
    for (args, said) in [
        (&["--hard-for", "none.toml"][..], "none.toml"),
        (&["--hard-for", "ga.toml", "--easy-for", "same.toml"], "name the same algorithm"),
        (&["--hard-for", "exact", "--easy-for", "exact"], "name the same algorithm"),
        (&["--hard-for", "ga.toml", "--easy-for", "copy/ga.toml"], "are both called `ga`"),
        (&["--hard-for", "exact.toml"], "has the name of the exact solver"),
        (&["--hard-for", "clock.toml"], "the clock would decide"),
        (&["--hard-for", "sweep.toml"], "has 2 settings, not one"),
        (&["--hard-for", "ga.toml", "--max-solutions", "2"], "have one solution"),
        (&["--hard-for", "ga.toml", "--effort", "0"], "--effort"),
        (&["--easy-for", "ga.toml"], "--hard-for"),
        (&["--effort", "7"], "--hard-for"),
    ] {
        let ended = lab.kenga(&[&["generate", "--kind", "kenken", "--size", "4"], args].concat());
        assert!(ended.code == 2 && ended.stderr.contains(said), "{args:?} {}", ended.stderr);
        assert_eq!(ended.stdout, "");
    }
    for (kind, said) in [
        (&["kenken", "--size", "2"][..], "a kenken of size 2 leaves nothing to evolve"),
        (&["quasigroup", "--size", "5", "--holes", "0.5"], "quasigroup cannot be evolved"),
    ] {
        let ended = lab.kenga(&[&["generate", "--hard-for", "ga.toml", "--kind"], kind].concat());
        assert!(ended.code == 2 && ended.stderr.contains(said), "{kind:?} {}", ended.stderr);
    }
    let once = lab.kenga(&[
        "generate",
        "--kind",
        "kenken",
        "--size",
        "3",
        "--hard-for",
        "once.toml",
        "--effort",
        "2",
        "--runs",
        "1",
    ]);
    assert_eq!(once.code, 0, "{}", once.stderr);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_whole_puzzles() {
    let lab = lab();
    let few = ["--effort", "2", "--runs", "1"];
    let order = [&FOUR[..7], &few, &["--count", "100000", "-o", "many.jsonl"]].concat();
    let mut child = lab.command(&order).spawn().expect("the program starts");
    lab.wait_for_a_draft();
    crate::signals::send("-INT", &child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let made = lab.read("many.jsonl");
    let count = made.lines().count().to_string();
    let again = lab.kenga(&[&FOUR[..7], &few, &["--count", &count]].concat());
    assert_eq!(again.stdout, made);
}

/// A puzzle is what its name says, in runs that had no part in its choice.
fn check_claim(puzzle: &Value) {
    let (id, meta) = (&puzzle["id"], &puzzle["meta"]);
    let number = |value: &Value| value.as_f64().expect("a number");
    if let Some(runs) = meta.get("easy_for").and_then(|figures| figures.get("runs")) {
        let solved = number(&meta["easy_for"]["solved"]);
        assert!(solved >= 0.9 * number(runs), "{id}");
        assert!(number(&meta["advantage"]) > 0.0, "{id}");
    }
}

/// The set that `benches/adversarial/make.sh` makes.
const SET: &str = include_str!("../../puzzles/adversarial.jsonl");

#[test]
fn the_set_has_figures_and_one_solution_each() {
    let lab = Lab::new();
    let puzzles = lines(SET);
    assert!(puzzles.len() >= 40, "{}", puzzles.len());
    puzzles.iter().for_each(check_figures);
    puzzles.iter().for_each(check_claim);
    // A debug build takes long for the rest; their proofs are in the figures.
    let is_short = |puzzle: &&Value| puzzle["meta"]["decisions"].as_f64().is_some_and(|count| count <= 500.0);
    let short: Vec<String> = puzzles.iter().filter(is_short).map(|puzzle| format!("{puzzle}\n")).collect();
    lab.write("short.jsonl", short.concat());
    let solved = lab.kenga(&["solve", "short.jsonl", "--json"]);
    let answers = lines(&solved.stdout);
    assert_eq!(answers.len(), short.len());
    assert!(answers.iter().all(|answer| answer["status"] == "unique"), "{}", solved.stdout);
}
