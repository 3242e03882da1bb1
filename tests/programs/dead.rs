//! Runs that have lost every solution: never one that solves the puzzle after all, noted or ended, and checked.

use kenga::budget::StopReason;
use kenga::experiment::RunRecord;

use crate::inside;
use crate::lab::{Lab, forge_again, with_field};

/// The operators of the original with few individuals, so that digits vanish.
const ORIGINAL: [&str; 5] = [
    "algorithm.encoding={ name = \"cells\", givens = \"free\" }",
    "algorithm.crossover=\"single_point\"",
    "algorithm.mutation=\"swap\"",
    "record.every=0",
    "algorithm.population=4",
];

/// Operators that keep the digits of a row together.
const ROWS: [&str; 2] = ["algorithm.crossover=\"row\"", "algorithm.mutation=\"row_swap\""];

/// Replicates with these settings.
fn records(count: usize, sets: &[&str]) -> Vec<RunRecord> {
    let plan = inside::plan(&[sets, &[&format!("replicates={count}")]].concat());
    inside::records(&inside::runner(&plan))
}

/// How many of so many runs a test makes: a quarter where the code is not optimised.
fn cases(all: usize) -> usize {
    if cfg!(debug_assertions) { all / 4 } else { all }
}

#[test]
fn no_run_that_is_dead_is_ever_solved() {
    for (operators, least) in [
        (&["algorithm.mutation.rate=0.1"][..], 1),
        (&["algorithm.crossover=\"uniform\"", "algorithm.mutation.rate=0.0"], 76),
        (&["algorithm.crossover={ name = \"single_point\", rate = 0.0 }"], 68),
        (&["algorithm.crossover=\"row\"", "algorithm.mutation=\"row_swap\""], 68),
        (
            &["algorithm.encoding=\"rows\"", "algorithm.crossover=\"cycle\"", "algorithm.mutation.rate=0.0"],
            76,
        ),
        (&["algorithm.encoding=\"rows\"", "algorithm.crossover=\"row\""], 0),
        (&["algorithm.replacement=\"steady_state\"", "algorithm.duplicates=\"refuse\""], 0),
    ] {
        let sets = [&ORIGINAL[..], &["budget.evaluations=4000"], operators].concat();
        let records = records(cases(80), &sets);
        let dead = records.iter().filter(|record| record.dead_at.is_some()).count();
        assert!(dead >= cases(least), "{operators:?}: {dead} dead");
        let revived = records.iter().find(|record| record.dead_at.is_some() && record.solved);
        assert_eq!(revived.map(|record| record.id), None, "{operators:?}");
    }
}

/// A table that has a name is replaced by one of another name.
const NAMED: &str = "algorithm.name=\"genetic\"";

/// The encoding of the original on islands, whose individuals are few.
const FREE: &str = "name = \"genetic\", encoding = { name = \"cells\", givens = \"free\" }";

#[test]
fn no_islands_that_are_dead_are_ever_solved() {
    let many = |population: u32, crossover: &str, mutation: &str| {
        let operators = format!("crossover = {crossover}, mutation = {mutation}");
        format!("island = {{ {FREE}, population = {population}, {operators} }}")
    };
    let alike = |crossover: &str, mutation: &str| many(2, crossover, mutation);
    let (swap, seldom) = ("{ name = \"swap\", rate = 0.1 }", "{ name = \"swap\", rate = 0.0 }");
    let rows = ("\"row\"", "\"row_swap\"");
    let differ = format!(
        "islands = [{{ {FREE}, population = 3, crossover = \"row\", mutation = {seldom} }}, {{ {FREE}, population = 2, \
         crossover = {{ name = \"uniform\", rate = 0.3 }}, mutation = \"row_swap\" }}]"
    );
    let on_rows = "island = { name = \"genetic\", encoding = \"rows\", population = 3, crossover = \"cycle\", \
                   mutation = { name = \"swap\", rate = 0.0 } }";
    for (passage, islands, least) in [
        ("count = 3, interval = 20", alike("\"single_point\"", swap), 0),
        ("count = 2, interval = 20", alike("{ name = \"single_point\", rate = 0.0 }", swap), 20),
        ("count = 3, interval = 20", alike(rows.0, rows.1), 20),
        ("count = 4, interval = 40", many(40, rows.0, rows.1), 20),
        ("count = 4, interval = 60", many(40, "\"uniform\"", seldom), 20),
        ("count = 3, interval = 20, topology = \"isolated\"", alike(rows.0, rows.1), 20),
        (
            "count = 4, interval = 7, topology = \"star\", select = \"random\", replace = \"random\"",
            { alike("\"uniform\"", seldom) },
            20,
        ),
        ("count = 4, interval = 30, replace = \"worst_if_better\"", differ.clone(), 10),
        ("count = 4, interval = 30, migrants = 0", differ, 10),
        ("count = 3, interval = 15, topology = \"complete\"", on_rows.to_owned(), 20),
    ] {
        let algorithm = format!("algorithm={{ name = \"islands\", {passage}, {islands} }}");
        let common = [NAMED, "record.every=0", "budget.evaluations=12_000"];
        let records = records(cases(40), &[&common[..], &[&algorithm]].concat());
        let dead = records.iter().filter(|record| record.dead_at.is_some()).count();
        assert!(dead >= cases(least), "{algorithm}: {dead} dead");
        let revived = records.iter().find(|record| record.dead_at.is_some() && record.solved);
        assert_eq!(revived.map(|record| record.id), None, "{algorithm}");
    }
}

#[test]
fn dead_islands_are_the_same_for_any_threads_and_can_be_checked() {
    let lab = Lab::new();
    let island = format!("{{ {FREE}, population = 2, crossover = \"row\", mutation = \"row_swap\" }}");
    lab.write(
        "islands.toml",
        format!(
            "puzzles = [\"4x4.txt\"]\nreplicates = 6\n[budget]\nevaluations = 2000\n[record]\nevery = 1\n[algorithm]\n\
             name = \"islands\"\ncount = 3\ninterval = 30\nisland = {island}\n"
        ),
    );
    for dead in ["note", "stop"] {
        let set = format!("exact.dead={dead:?}");
        for jobs in ["1", "8"] {
            let out = format!("{dead}-{jobs}");
            lab.run(&[
                "--config",
                "islands.toml",
                "--set",
                &set,
                "--runs",
                "1",
                "--jobs",
                jobs,
                "--out",
                &out,
            ]);
        }
        assert_eq!(lab.decided(&format!("{dead}-1")), lab.decided(&format!("{dead}-8")));
        lab.run(&["--config", "islands.toml", "--set", &set, "--out", dead]);
        assert!((1..=6).any(|line| !lab.row(&format!("{dead}/runs.csv"), line)[14].is_empty()));
        let (code, found) = lab.validate(&[dead, "--replay", "all"]);
        assert_eq!(code, 0, "{found}");
    }
    assert!(lab.read("stop/runs.csv").contains(",dead,"));
}

#[test]
fn what_brings_digits_in_never_dies() {
    for operators in [
        &["algorithm.mutation=\"reset\""][..],
        &["algorithm.mutation={ name = \"adaptive\", of = [\"swap\", \"conflict\"] }"],
        &["algorithm.restart=\"luby\""],
        &["exact.nodes=0"],
        &["exact.dead=\"off\""],
        &[
            NAMED,
            "algorithm={ name = \"islands\", island = { name = \"genetic\", population = 2, mutation = \"reset\" } }",
        ],
        &[
            NAMED,
            "algorithm={ name = \"islands\", islands = [{ name = \"genetic\", encoding = \"cages\", crossover = \"cage\", mutation = \"redraw\" }, \"tabu\"] }",
        ],
    ] {
        let few = ["budget.evaluations=2000", "budget.moves=2000"];
        let sets = [&ORIGINAL[..], &few, operators].concat();
        assert!(records(cases(40), &sets).iter().all(|record| record.dead_at.is_none()), "{operators:?}");
    }
}

#[test]
fn runs_that_end_when_they_are_dead_are_the_same_until_then() {
    let sets = [&ORIGINAL[..], &["budget.evaluations=4000"], &ROWS].concat();
    let records = |dead: &str| records(cases(100), &[&sets[..], &[dead]].concat());
    let [noted, ended, off] = ["note", "stop", "off"].map(|dead| records(&format!("exact.dead={dead:?}")));
    assert!(noted.iter().filter(|record| record.dead_at.is_some()).count() > cases(50));
    for ((noted, ended), off) in noted.iter().zip(&ended).zip(&off) {
        assert_eq!((off.spent, &off.best), (noted.spent, &noted.best));
        assert_eq!(noted.dead_at, ended.dead_at);
        match ended.dead_at {
            Some(evaluations) => {
                assert_eq!((ended.stop, ended.spent.evaluations), (StopReason::Dead, evaluations));
            }
            None => {
                assert_eq!((ended.stop, ended.spent, &ended.best), (noted.stop, noted.spent, &noted.best))
            }
        }
    }
}

/// Runs that mostly die, with everything that is kept of operators and groups.
const MORTAL: &str = "\
puzzles = [\"4x4.txt\"]
seed = 3
replicates = 8
[budget]
evaluations = 900
[algorithm]
population = 4
encoding = { name = \"cells\", givens = \"free\" }
crossover = \"row\"
mutation = \"row_swap\"
[record]
every = 10
groups = true
operators = true
";

fn mortal() -> Lab {
    let lab = Lab::new();
    lab.write("mortal.toml", MORTAL);
    lab
}

#[test]
fn a_death_that_was_another_is_refuted() {
    let lab = mortal();
    lab.run(&["--config", "mortal.toml", "--out", "o"]);
    assert_eq!(lab.validate(&["o", "--replay", "all"]).0, 0);
    let text = lab.read("o/runs.csv");
    let dead = (1..=8).find(|line| !lab.row("o/runs.csv", *line)[14].is_empty()).expect("a dead run");
    for (dead_at, said) in [("5", "replaying run"), ("", "replaying run"), ("99999", "dead_at exceeds")] {
        lab.write("o/runs.csv", with_field(&text, dead, 14, dead_at));
        forge_again(&lab.path("o"));
        let (code, found) = lab.validate(&["o", "--replay", "all"]);
        assert!(code == 1 && found.to_string().contains(said), "{said}: {found}");
    }
    lab.run(&["--config", "mortal.toml", "--set", "algorithm.mutation=\"reset\"", "--out", "r"]);
    lab.change("r/runs.csv", |text| with_field(&text, 1, 14, "5"));
    forge_again(&lab.path("r"));
    let (code, found) = lab.validate(&["r", "--replay", "0"]);
    assert!(code == 1 && found.to_string().contains("cannot be proved"), "{found}");
    lab.run(&["--config", "mortal.toml", "--set", "exact.dead=\"stop\"", "--out", "s"]);
    assert!(lab.read("s/runs.csv").contains(",dead,"));
    assert_eq!(lab.validate(&["s", "--replay", "all"]).0, 0);
}

#[test]
fn groups_and_operators_are_the_same_for_any_threads_and_any_tear() {
    let lab = mortal();
    lab.run(&["--config", "mortal.toml", "--jobs", "1", "--out", "1"]);
    lab.run(&["--config", "mortal.toml", "--jobs", "3", "--out", "3"]);
    let sums = lab.read("1/checksums.txt");
    assert!(sums.contains("  groups.csv\n") && sums.contains("  operators.csv\n"), "{sums}");
    for name in ["groups.csv", "operators.csv"] {
        let whole = lab.read(&format!("1/{name}"));
        assert_eq!(whole, lab.read(&format!("3/{name}")));
        for kept in [whole.len() - 2, whole.len() - 19, 9, 0] {
            lab.copy("1", "torn");
            lab.write(&format!("torn/{name}"), &whole[..kept]);
            lab.run(&["--config", "mortal.toml", "--out", "torn", "--resume"]);
            assert_eq!(lab.decided("torn"), lab.decided("1"), "{name} torn at {kept}");
            assert_eq!(lab.read(&format!("torn/{name}")), whole, "{name} torn at {kept}");
        }
    }
}

#[test]
fn groups_and_operators_that_are_others_are_refuted() {
    let lab = mortal();
    lab.run(&["--config", "mortal.toml", "--out", "o"]);
    for (name, column, value, said) in [
        ("groups.csv", 3, "77", "the grid breaks different groups"),
        ("groups.csv", 0, "9", "line 3 is not a row of the next run"),
        ("operators.csv", 1, "luck", "there is no family luck"),
        ("operators.csv", 3, "99999", "more children than were evaluated"),
        ("operators.csv", 5, "9999", "contradict each other"),
        ("operators.csv", 11, "4000", "gives different operator counts"),
    ] {
        let text = lab.read(&format!("o/{name}"));
        lab.write(&format!("o/{name}"), with_field(&text, 1, column, value));
        forge_again(&lab.path("o"));
        let (code, found) = lab.validate(&["o", "--replay", "all"]);
        assert!(code == 1 && found.to_string().contains(said), "{name} {column}: {found}");
        lab.write(&format!("o/{name}"), text);
    }
}

#[test]
fn operators_of_memetic_islands_and_portfolios_are_followed() {
    let lab = mortal();
    let local =
        |name: &str, encoding: &str| format!("algorithm={{ name = \"{name}\", encoding = \"{encoding}\" }}");
    let (tabu, annealing) = (local("tabu", "rows"), local("annealing", "cells"));
    let memetic = "algorithm={ name = \"memetic\", improve_moves = 40, improve_share = 0.5, mutation = \
                   { name = \"adaptive\", of = [\"redraw\", \"conflict\"] } }";
    for (sets, families) in [
        (
            memetic,
            &[
                "crossover,cage,",
                "mutation,redraw,",
                "mutation,conflict,",
                "improve,breakout,",
                "move,breakout.redraw,",
            ][..],
        ),
        (&tabu, &["move,tabu.swap,"]),
        (&annealing, &["move,annealing.redraw,"]),
        ("algorithm={ name = \"islands\", count = 2 }", &["crossover,row,", "mutation,swap,"]),
        (
            "algorithm={ name = \"portfolio\", calls = 400, stages = [\"tabu\", \"genetic\"] }",
            &["move,tabu.redraw,", "crossover,row,", "mutation,swap,"],
        ),
    ] {
        let (out, off) = (format!("o{}", sets.len()), format!("off{}", sets.len()));
        let moves = ["--set", "budget.moves=2000", "--set", "exact.dead=\"note\""];
        let config = MORTAL.split("[algorithm]").next().expect("the start").to_owned()
            + "[record]\noperators = true\n";
        lab.write("other.toml", config);
        let ended = lab
            .kenga(&[&["run", "--config", "other.toml", "--set", sets, "--out", &out][..], &moves].concat());
        assert_eq!(ended.code, 0, "{sets}: {}", ended.stderr);
        let text = lab.read(&format!("{out}/operators.csv"));
        assert!(families.iter().all(|family| text.contains(family)), "{sets}: {text}");
        assert_eq!(lab.validate(&[&out, "--replay", "all"]).0, 0, "{sets}");
        // Whoever follows changes nothing.
        let unseen = ["--set", "record.operators=false", "--set", "record.groups=false"];
        let ended = lab.kenga(
            &[&["run", "--config", "other.toml", "--set", sets, "--out", &off][..], &moves, &unseen].concat(),
        );
        assert_eq!(ended.code, 0, "{sets}: {}", ended.stderr);
        for name in ["runs.csv", "convergence.csv", "puzzles.csv"] {
            assert_eq!(
                lab.read(&format!("{out}/{name}")),
                lab.read(&format!("{off}/{name}")),
                "{sets}: {name}"
            );
        }
    }
}

#[test]
fn shards_merge_to_the_same_groups_and_operators() {
    let lab = mortal();
    lab.write(
        "sweep.toml",
        MORTAL.to_owned() + "[sweep]\nmethod = \"grid\"\n\"algorithm.population\" = [4, 6]\n",
    );
    let kenga = |args: &[&str]| {
        let ended = lab.kenga(args);
        assert_eq!(ended.code, 0, "{args:?}: {}", ended.stderr);
    };
    kenga(&["sweep", "plan", "--config", "sweep.toml", "-o", "plan"]);
    kenga(&["sweep", "run", "plan", "--out", "whole"]);
    kenga(&["sweep", "run", "plan", "--shard", "0/2", "--out", "shards"]);
    kenga(&["sweep", "run", "plan", "--shard", "1/2", "--out", "shards"]);
    kenga(&["sweep", "merge", "plan", "shards", "--out", "merged"]);
    for name in ["groups.csv", "operators.csv", "runs.csv", "checksums.txt"] {
        assert_eq!(lab.read(&format!("merged/{name}")), lab.read(&format!("whole/{name}")), "{name}");
    }
    assert_eq!(lab.validate(&["merged", "--replay", "all"]).0, 0);
}
