//! Sweeps: settings, plans, shards and merges.

use crate::lab::{Lab, refused, well};
use crate::resume::kill_and_resume;

/// Eight settings on the 4x4 puzzle.
const SWEEP: &str = "\
puzzles = [\"4x4.txt\"]
seed = 3
replicates = 5
[budget]
evaluations = 240
[sweep]
\"algorithm.mutation.rate\" = [0.02, 0.1]
\"algorithm.population\" = { from = 4, to = 10, points = 3 }
algorithm.crossover = [\"two_point\", { name = \"uniform\", rate = 0.5 }]
where = [\"algorithm.population != 7\"]
[record]
every = \"log\"
";

/// The files whose bytes the configuration decides, with the settings.
const DECIDED: [&str; 7] = [
    "runs.csv",
    "convergence.csv",
    "puzzles.csv",
    "manifest.json",
    "settings.jsonl",
    "puzzles.jsonl",
    "checksums.txt",
];

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("sweep.toml", SWEEP);
    lab
}

fn decided(lab: &Lab, folder: &str) -> Vec<String> {
    DECIDED.iter().map(|name| lab.read(&format!("{folder}/{name}"))).collect()
}

fn planned() -> Lab {
    let lab = lab();
    well(&lab, "sweep plan --config sweep.toml -o plan.json");
    lab
}

#[test]
fn every_setting_runs_on_the_same_starts_and_stands_in_the_rows() {
    let lab = lab();
    well(&lab, "run --config sweep.toml --out whole --quiet");
    let runs = lab.read("whole/runs.csv");
    let header = "run,puzzle,setting,replicate,algorithm.mutation.rate,algorithm.population,algorithm.crossover,solved,";
    assert!(runs.starts_with(header), "{runs}");
    let settings: Vec<String> = runs
        .lines()
        .skip(1)
        .take(8)
        .map(|row| row.split(',').skip(2).take(5).collect::<Vec<_>>().join(" "))
        .collect();
    let wanted = [
        "0 0 0.02 4 two_point",
        "1 0 0.02 4 uniform",
        "2 0 0.02 10 two_point",
        "3 0 0.02 10 uniform",
        "4 0 0.1 4 two_point",
        "5 0 0.1 4 uniform",
        "6 0 0.1 10 two_point",
        "7 0 0.1 10 uniform",
    ];
    assert_eq!(settings, wanted);
    // What a setting alone gives, it gives in the sweep.
    lab.write("one.toml", SWEEP.split("[sweep]").next().expect("a beginning"));
    well(
        &lab,
        "run --config one.toml --out one --quiet --set algorithm.population=10 --set algorithm.mutation.rate=0.1 --set algorithm.crossover=two_point",
    );
    let rest = |row: &str, skip: usize| row.split(',').skip(skip).map(str::to_owned).collect::<Vec<_>>();
    let alone: Vec<Vec<String>> = lab.read("one/runs.csv").lines().skip(1).map(|row| rest(row, 4)).collect();
    let swept = runs.lines().skip(1).filter(|row| row.split(',').nth(2) == Some("6"));
    assert_eq!(swept.map(|row| rest(row, 7)).collect::<Vec<_>>(), alone);
    assert!(well(&lab, "validate whole --replay all").contains("every claim holds"));
}

#[test]
fn shards_merge_to_the_bytes_of_the_whole() {
    let lab = planned();
    well(&lab, "run --config sweep.toml --out whole --quiet");
    well(&lab, "sweep run plan.json --out planned --quiet --jobs 1");
    assert_eq!(decided(&lab, "planned"), decided(&lab, "whole"));
    for of in [1, 3, 7] {
        for shard in (0..of).rev() {
            well(&lab, &format!("sweep run plan.json --shard {shard}/{of} --out in{of} --quiet --resume"));
        }
        well(&lab, &format!("sweep merge plan.json in{of} --out out{of}"));
        assert_eq!(decided(&lab, &format!("out{of}")), decided(&lab, "whole"), "{of} shards");
    }
    assert!(well(&lab, "validate in7/shard-3-of-7 --replay all").contains("every claim holds"));
    assert!(well(&lab, "validate out7 --replay all").contains("every claim holds"));
}

#[test]
fn status_says_which_shards_are_to_be_run() {
    let lab = planned();
    let status = |code: i32| {
        let ran = lab.kenga(&["sweep", "status", "in", "--csv"]);
        assert_eq!(ran.code, code, "{}", ran.stderr);
        ran.stdout.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    well(&lab, "sweep run plan.json --shard 1/3 --out in --quiet");
    let runs = lab.read("in/shard-1-of-3/runs.csv").lines().count() - 1;
    assert_eq!(
        status(1),
        ["0/3,0,,missing".to_owned(), format!("1/3,{runs},{runs},finished"), "2/3,0,,missing".to_owned()]
    );
    let said = lab.kenga(&["sweep", "status", "in"]).stdout;
    assert!(
        said.contains("1 finished, 2 missing") && said.contains("--shard 0/3 --out in --resume"),
        "{said}"
    );
    // A run is taken away.
    lab.change("in/shard-1-of-3/runs.csv", |text| {
        text.lines().take(runs).map(|line| format!("{line}\n")).collect()
    });
    std::fs::remove_file(lab.path("in/shard-1-of-3/checksums.txt")).expect("it is there");
    assert_eq!(status(1)[1], format!("1/3,{},{runs},unfinished", runs - 1));
    for shard in 0..3 {
        well(&lab, &format!("sweep run plan.json --shard {shard}/3 --out in --quiet --resume"));
    }
    assert!(status(0).iter().all(|row| row.ends_with(",finished")));
    well(&lab, "sweep run plan.json --shard 0/2 --out in --quiet");
    assert!(refused(&lab, "sweep status in").contains("in has shards of"));
    refused(&lab, "sweep status .");
}

#[test]
fn status_shows_the_other_shards_where_a_folder_cannot_be_read() {
    let lab = planned();
    well(&lab, "sweep run plan.json --shard 0/3 --out in --quiet");
    let unbegun = lab.path("in/shard-1-of-3");
    std::fs::create_dir_all(&unbegun).expect("a folder");
    well(&lab, "sweep run plan.json --shard 2/3 --out in --quiet");
    lab.write("in/shard-2-of-3/manifest.json", "{");
    let ran = lab.kenga(&["sweep", "status", "in", "--csv"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let states: Vec<&str> = ran.stdout.lines().skip(1).filter_map(|row| row.rsplit(',').next()).collect();
    assert_eq!(states, ["finished", "unfinished", "unfinished"]);
    assert!(ran.stderr.contains("shard-2-of-3/manifest.json: not a manifest"), "{}", ran.stderr);
}

#[test]
fn shards_beyond_number_cost_nothing() {
    let lab = planned();
    let said = refused(&lab, "sweep run plan.json --shard 0/1000000000 --out in --quiet");
    assert!(said.contains("at most 100000"), "{said}");
    std::fs::create_dir_all(lab.path("in/shard-0-of-18446744073709551615")).expect("a folder");
    refused(&lab, "sweep status in");
    well(&lab, "sweep run plan.json --shard 7/100000 --out in --quiet");
    let said = lab.kenga(&["sweep", "status", "in"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stdout.lines().count() < 120, "{}", said.stdout);
    assert!(said.stdout.contains("100 000 shards: 1 finished, 99 999 missing"), "{}", said.stdout);
    let said = refused(&lab, "sweep merge plan.json in/shard-7-of-100000 --out out");
    assert!(said.contains("9/100000, 10/100000 and 99989 more"), "{said}");
    // A forged manifest.
    lab.change("in/shard-7-of-100000/manifest.json", |text| text.replace("100000", "18446744073709551615"));
    refused(&lab, "sweep merge plan.json in/shard-7-of-100000 --out out");
}

#[test]
fn killed_again_and_again_a_sweep_ends_with_the_same_bytes() {
    let lab = lab();
    lab.change("sweep.toml", |text| {
        text.replace("= 240", "= 1000").replace("replicates = 5", "replicates = 20")
    });
    well(&lab, "sweep plan --config sweep.toml -o longer.json");
    well(&lab, "sweep run longer.json --out whole --quiet");
    let args = ["sweep", "run", "longer.json", "--shard", "0/1", "--out", "torn", "--quiet", "--resume"];
    let size =
        |folder: &str| std::fs::metadata(lab.path(folder).join("runs.csv")).map_or(0, |data| data.len());
    let step = size("whole") / 13;
    kill_and_resume(&lab, &args, 12, |round| size("torn/shard-0-of-1") > step * round);
    well(&lab, "sweep merge longer.json torn --out merged");
    assert_eq!(decided(&lab, "merged"), decided(&lab, "whole"));
}

#[test]
fn more_replicates_are_added_without_making_any_again() {
    let lab = lab();
    well(&lab, "run --config sweep.toml --out grown --runs 2 --quiet");
    let timing = lab.read("grown/timing.csv");
    well(&lab, "run --config sweep.toml --out grown --resume --quiet");
    well(&lab, "run --config sweep.toml --out whole --quiet");
    assert_eq!(decided(&lab, "grown"), decided(&lab, "whole"));
    assert!(lab.read("grown/timing.csv").starts_with(&timing));
}

#[test]
fn shards_that_are_no_whole_are_not_merged() {
    let lab = planned();
    for shard in ["0/2", "1/2"] {
        well(&lab, &format!("sweep run plan.json --shard {shard} --out in --quiet"));
    }
    let said = refused(&lab, "sweep merge plan.json in/shard-0-of-2 --out out");
    assert!(said.contains("missing: 1/2"), "{said}");
    let said = refused(&lab, "sweep merge plan.json in --out in/shard-0-of-2/all");
    assert!(said.contains("lies in in/shard-0-of-2, the folder of a shard"), "{said}");
    lab.copy("in/shard-0-of-2", "twin");
    let said = refused(&lab, "sweep merge plan.json in twin --out out");
    assert!(said.contains("0/2 appears twice: in/shard-0-of-2 and twin"), "{said}");
    well(&lab, "sweep run plan.json --shard 0/3 --out three --quiet");
    let said = refused(&lab, "sweep merge plan.json in three --out out");
    assert!(said.contains("is one of 3, others are of 2"), "{said}");
    well(&lab, "sweep plan --config sweep.toml --seed 4 -o other.json");
    let said = refused(&lab, "sweep merge other.json in --out out");
    assert!(said.contains("a shard of another plan: `seed` is 3, not 4"), "{said}");
    lab.write("other.txt", "1\n1 !\n");
    well(&lab, "sweep plan --config sweep.toml --puzzle other.txt -o other.json --force");
    let said = refused(&lab, "sweep merge other.json in --out out");
    assert!(said.contains("a shard of another plan: its puzzles differ"), "{said}");
    let settings = lab.read("in/shard-0-of-2/settings.jsonl");
    lab.change("in/shard-0-of-2/settings.jsonl", |text| text.replace("0.1", "0.3"));
    let said = refused(&lab, "sweep merge plan.json in --out out");
    assert!(said.contains("a shard of another plan: its settings differ"), "{said}");
    lab.write("in/shard-0-of-2/settings.jsonl", &settings);
    lab.change("in/shard-1-of-2/runs.csv", |text| text.replacen("240", "239", 1));
    let said = refused(&lab, "sweep merge plan.json in --out out");
    assert!(said.contains("runs.csv in in/shard-1-of-2 has changed"), "{said}");
    std::fs::remove_file(lab.path("in/shard-1-of-2/checksums.txt")).expect("it is there");
    let said = refused(&lab, "sweep merge plan.json in --out out");
    assert!(said.contains("1/2 in in/shard-1-of-2 is unfinished"), "{said}");
    assert!(!lab.path("out").exists());
    let said = refused(&lab, "sweep run 4x4.txt --out out");
    assert!(said.contains("4x4.txt is not a plan"), "{said}");
    let said = refused(&lab, "sweep run plan.json --shard 0/2 --out in --quiet");
    assert!(said.contains("in/shard-0-of-2 is not empty"), "{said}");
}

#[test]
fn what_is_no_sweep_is_shown_where_it_stands() {
    let said = |sweep: &str| {
        let lab = lab();
        lab.write(
            "bad.toml",
            format!("puzzles = [\"4x4.txt\"]\n[budget]\nevaluations = 9\n[sweep]\n{sweep}\n"),
        );
        let said = refused(&lab, "run --config bad.toml");
        assert!(said.contains("bad.toml:"), "{said}");
        said
    };
    let cases = [
        ("", "[sweep] varies no key"),
        ("method = \"gird\"\n'a' = [1]", "no sweep_method named `gird`"),
        (
            "preset = {values = ['pyevolve'], when = 'algorithm.population > 3'}",
            "`preset` takes a list of names",
        ),
        ("preset = {from = 1, to = 2}", "`preset` takes a list of names"),
        ("'seed' = [1, 2]", "`seed` cannot be swept"),
        ("'algorithm.popluation' = [1]", "unknown key `popluation`"),
        ("'algorithm.population' = [10, -1]", "in the setting population = -1"),
        ("samples = 3", "unknown key `samples` in the sweep"),
        ("'algorithm.population' = 3", "takes a list of values, or a range"),
        ("'algorithm.population' = {from = 2, to = 9}", "a grid needs a finite list of values"),
        ("'algorithm.population' = [4]\nwhere = ['algorithm.population > 4']", "excludes every setting"),
        ("'algorithm.population' = [4]\nwhere = ['algorithm.population ~ 4']", "takes a condition"),
        ("'algorithm.population' = [4]\nwhere = ['algorithm.elitism > 4']", "which nothing sets"),
        ("'algorithm.population' = [4]\nwhere = ['algorithm.population >> 2']", "takes a condition"),
        ("'algorithm.population' = {values = []}", "`values` takes a list of values, not an empty list"),
        (
            "'algorithm.population' = [4]\nalgorithm.population = [4, 5]",
            "`algorithm.population` is swept twice, in lines 5 and 6",
        ),
        (
            "'algorithm.offset' = {from = 1, to = 1001, points = 1001}\n'algorithm.population' = {from = 1, to = 101, points = 101}",
            "more than 100000 settings",
        ),
    ];
    for (sweep, wanted) in cases {
        let said = said(sweep);
        assert!(said.contains(wanted), "{sweep}\n{said}");
    }
}

#[test]
fn a_key_is_left_out_where_its_condition_does_not_hold() {
    let lab = lab();
    let sweep = "'algorithm.name' = ['tabu', 'annealing']\n'algorithm.tenure' = {values = [2, 5], when = 'algorithm.name == tabu'}";
    lab.write("when.toml", format!("puzzles = ['4x4.txt']\n[budget]\nmoves = 500\n[sweep]\n{sweep}\n"));
    well(&lab, "run --config when.toml --out when --quiet");
    let rows = lab.read("when/runs.csv");
    let swept: Vec<String> = rows
        .lines()
        .skip(1)
        .map(|row| row.split(',').skip(4).take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(swept, ["tabu 2", "tabu 5", "annealing "]);
    assert!(well(&lab, "validate when --replay all").contains("every claim holds"));
}

#[test]
fn what_is_set_over_a_sweep_takes_the_place_of_its_axes() {
    let lab = lab();
    let plan =
        |set: &str| lab.kenga(&["sweep", "plan", "--config", "sweep.toml", "--pilot", "0", "--set", set]);
    let said = plan("sweep.algorithm.population=[4, 5, 6]");
    assert_eq!((said.code, said.complaints().as_str()), (0, ""));
    assert!(said.stdout.contains("\n12 settings x 1 puzzle x 5 replicates: 60 runs\n"), "{}", said.stdout);
    let said = plan("sweep.algorithm.population.points=4");
    assert!(said.stdout.contains("\n16 settings x "), "{}", said.stdout);
    let said = plan("algorithm.population=6");
    let note =
        "note: `--set algorithm.population=…` has no effect: the sweep sets the key in every setting\n";
    assert_eq!((said.code, said.stderr.as_str()), (0, note));
}

#[test]
fn points_that_come_out_the_same_are_one_setting_and_this_is_said() {
    let lab = lab();
    lab.change("sweep.toml", |text| text.replace("[0.02, 0.1]", "[0.02, 0.1, 1, 1.0]"));
    let said = lab.kenga(&["run", "--config", "sweep.toml", "--out", "out", "--quiet"]);
    let note = "note: 6 of 24 points repeat others; 12 settings are left\n";
    assert_eq!((said.code, said.stderr.as_str()), (0, note));
    assert!(well(&lab, "validate out --replay all").contains("every claim holds"));
}

#[test]
fn a_plan_counts_every_pair_of_settings() {
    let lab = lab();
    let said = well(&lab, "sweep plan --config sweep.toml --set budget.evaluations=50_000");
    assert!(said.contains("\n8 settings are 28 pairs: 5 % / 28 for each, "), "{said}");
    assert!(said.contains(" if a single pair, chosen before, is compared\n"), "{said}");
    assert!(said.ends_with("\nthe plan has 5 runs per setting on each puzzle\n"), "{said}");
    for smallest in ["1.01", "1.5", "100"] {
        let said = well(
            &lab,
            &format!("sweep plan --config sweep.toml --set budget.evaluations=50_000 --smallest {smallest}"),
        );
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains(&format!("a solution costs {smallest} times as much, with 80 % power at 5 %: ")),
            "{said}"
        );
    }
    let two = well(
        &lab,
        "sweep plan --config sweep.toml --set sweep.algorithm.population=[4] --set sweep.algorithm.crossover=[\"uniform\"]",
    );
    assert!(two.contains("\n2 settings x ") && !two.contains("pairs: "), "{two}");
}

#[test]
fn a_plan_fixes_the_question_of_the_comparison() {
    let lab = lab();
    well(&lab, "run --config sweep.toml --out out --quiet");
    let names = well(&lab, "compare out --json");
    let all: serde_json::Value = serde_json::from_str(&names).expect("JSON");
    let last = all["order"][7].as_str().expect("eight settings").to_owned();
    let fix = ["sweep", "plan", "--config", "sweep.toml", "--pilot", "0", "-o", "fixed.json"];
    let ended =
        lab.kenga(&[&fix[..], &["--baseline", &last, "--metric", "evaluations", "--smallest", "2"]].concat());
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let found: serde_json::Value =
        serde_json::from_str(&well(&lab, "compare out --plan fixed.json --json")).expect("JSON");
    assert_eq!((&found["reference"], &found["metric"]), (&last.into(), &"evaluations".into()));
    assert_eq!((found["smallest"].as_f64(), found["tests"].as_u64()), (Some(2.0), Some(7)));
    let said = refused(&lab, "compare out --plan sweep.toml");
    assert!(said.contains("sweep.toml is no plan that fixes a question"), "{said}");
    well(&lab, "sweep run fixed.json --out planned --quiet");
    // What the plan does not have is refused before the runs, not after them.
    let said = refused(&lab, "sweep plan --config sweep.toml --pilot 0 --baseline 4");
    assert!(said.contains("no setting of the plan is named `4`") && said.contains("population = "), "{said}");
    let said = refused(&lab, "sweep plan --config sweep.toml --pilot 0 --by size");
    assert!(said.contains("sweeps no key `size`") && said.contains("algorithm.population"), "{said}");
    let joined = "--by population --baseline 4 --metric evaluations";
    let said = well(&lab, &format!("sweep plan --config sweep.toml -o joined.json {joined}"));
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("1.25 times as many evaluations"), "{said}");
    let found: serde_json::Value =
        serde_json::from_str(&well(&lab, "compare out --plan joined.json --json")).expect("JSON");
    assert_eq!((&found["reference"], &found["metric"]), (&"4".into(), &"evaluations".into()));
}

#[test]
fn a_plan_destroys_no_file() {
    let lab = planned();
    let (plan, config) = (lab.read("plan.json"), lab.read("sweep.toml"));
    well(&lab, "sweep plan --config sweep.toml --pilot 0 -o plan.json");
    let said = refused(&lab, "sweep plan --config sweep.toml --seed 4 -o plan.json");
    assert!(
        said.contains("plan.json is another plan") && said.contains("overwrite it with --force"),
        "{said}"
    );
    let said = refused(&lab, "sweep plan --config sweep.toml -o sweep.toml");
    assert!(said.contains("sweep.toml exists and is not a plan"), "{said}");
    assert_eq!((lab.read("plan.json"), lab.read("sweep.toml")), (plan, config));
    lab.change("plan.json", |text| text.lines().take(30).collect::<Vec<_>>().join("\n"));
    let said = refused(&lab, "sweep run plan.json --out out");
    assert!(
        said.contains("plan.json is not a plan: EOF while parsing") && said.contains("at line 30 "),
        "{said}"
    );
}

#[test]
fn the_examples_of_the_documentation_run() {
    let text = include_str!("../../docs/sweeps.md");
    let examples = text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lab = lab();
    let mut settings = Vec::new();
    for (index, example) in examples.enumerate() {
        let base = "puzzles = ['4x4.txt']\nreplicates = 7\n[budget]\nevaluations = 400\n";
        lab.write("example.toml", base.to_owned() + example);
        well(&lab, &format!("run --config example.toml --out {index} --quiet"));
        settings.push(lab.read(&format!("{index}/settings.jsonl")).lines().count());
    }
    assert_eq!(settings, [45, 2]);
}

#[test]
fn what_stands_in_a_column_is_what_was_run() {
    let lab = Lab::new();
    let sweep = |axes: &str| {
        lab.write("x.toml", format!("puzzles = [\"4x4.txt\"]\n[budget]\nevaluations = 100\n[algorithm]\npopulation = 30\n[sweep]\n{axes}"));
        let _ = std::fs::remove_dir_all(lab.path("o"));
        let ended = lab.kenga(&["run", "--config", "x.toml", "--out", "o", "--quiet"]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        assert!(well(&lab, "validate o --replay all").contains("every claim holds"));
        lab.read("o/settings.jsonl").lines().count()
    };
    // A table is laid before what is set inside it, whatever conditions there are.
    let inside = "\"algorithm.mutation.rate\" = [0.1, 0.2]\n";
    let table = "\"algorithm.mutation\" = { values = [{ name = \"swap\", rate = 0.5 }], when = \"algorithm.population > 2\" }\n";
    assert_eq!(sweep(&format!("{table}{inside}")), 2);
    assert!(lab.read("o/settings.jsonl").lines().nth(1).is_some_and(|line| line.contains("\"rate\":0.2}")));
    let whole =
        "algorithm = [{ name = \"genetic\", population = 40 }, { name = \"genetic\", population = 8 }]\n";
    assert_eq!(sweep(&format!("{whole}\"algorithm.population\" = [10, 20]\n")), 2);
    let cyclic = "[sweep]\n\"algorithm.mutation\" = { values = [\"swap\"], when = \"algorithm.mutation.rate > 0\" }\n\"algorithm.mutation.rate\" = [0.1, 0.2]\n";
    lab.write("x.toml", format!("puzzles = [\"4x4.txt\"]\n[budget]\nevaluations = 100\n[algorithm.mutation]\nname = \"swap\"\nrate = 0.1\n{cyclic}"));
    assert!(refused(&lab, "run --config x.toml --out p").contains("circular `when` conditions"));
}

#[test]
fn presets_and_the_points_of_other_methods_are_swept() {
    let lab = lab();
    let text = "puzzles = ['4x4.txt']\n[budget]\nevaluations = 400\n[sweep]\npreset = ['pyevolve']\nmethod = {name = 'METHOD', points = 6}\n'algorithm.mutation.rate' = {from = 0.001, to = 0.5, scale = 'log'}\n";
    for method in ["random", "sobol", "latin_hypercube"] {
        lab.write("m.toml", text.replace("METHOD", method));
        well(&lab, &format!("run --config m.toml --out {method} --quiet"));
        let rows = lab.read(&format!("{method}/runs.csv"));
        let rates: Vec<f64> = rows
            .lines()
            .skip(1)
            .map(|row| row.split(',').nth(5).expect("a rate").parse().expect("a number"))
            .collect();
        assert!(rates.len() == 6 && rates.iter().all(|rate| (0.001..0.5).contains(rate)), "{rates:?}");
        assert!(lab.read(&format!("{method}/manifest.json")).contains("\"offset\": 1000"));
    }
}

/// A race of four settings, two of which never solve.
const RACE: &str = "\
puzzles = [\"4x4.txt\"]
seed = 3
replicates = 40
[budget]
moves = 20_000
[algorithm]
name = \"tabu\"
[sweep]
method = { name = \"race\", first = 6 }
algorithm.name = [\"tabu\", \"random\"]
algorithm.encoding = [\"cages\", \"cells\"]
[record]
every = 0
";

#[test]
fn a_race_drops_the_worse_and_decides_alike_when_it_is_resumed() {
    let lab = lab();
    lab.write("race.toml", RACE.replace("moves = 20_000", "evaluations = 2_000\nmoves = 20_000"));
    let said = well(&lab, "run --config race.toml --out whole");
    assert!(said.contains("Race: ") && said.contains("of 4 settings left after"), "{said}");
    let rows = lab.read("whole/runs.csv").lines().count() - 1;
    assert!((24..160).contains(&rows), "{rows} runs");
    assert!(well(&lab, "validate whole --replay all").contains("every claim holds"));
    // Cut in the middle of a block, it goes on to the same bytes.
    lab.copy("whole", "torn");
    std::fs::remove_file(lab.path("torn/checksums.txt")).expect("it is there");
    lab.change("torn/runs.csv", |text| text.split_inclusive('\n').take(20).collect());
    assert!(well(&lab, "validate torn").contains("missing: run them with"));
    well(&lab, "run --config race.toml --out torn --resume --quiet --jobs 3");
    let bytes = |folder: &str| {
        [format!("{folder}/runs.csv"), format!("{folder}/checksums.txt")].map(|file| lab.read(&file))
    };
    assert_eq!(bytes("torn"), bytes("whole"));
}

#[test]
fn a_race_ends_at_its_last_block_and_added_blocks_change_no_decision() {
    let lab = lab();
    let race = RACE.replace("moves = 20_000", "evaluations = 2_000\nmoves = 20_000");
    lab.write("race.toml", race.replace("first = 6", "first = 6, last = 24"));
    well(&lab, "run --config race.toml --out whole --quiet");
    let rows = lab.read("whole/runs.csv").lines().count() - 1;
    assert!((24..=96).contains(&rows), "{rows} runs");
    assert!(well(&lab, "validate whole").contains("every claim holds"));
    assert_eq!(well(&lab, "run --config race.toml --out grown --runs 8 --quiet"), "");
    assert!(lab.read("grown/runs.csv").lines().count() - 1 < rows);
    well(&lab, "run --config race.toml --out grown --runs 40 --resume --quiet");
    assert_eq!(lab.read("grown/runs.csv"), lab.read("whole/runs.csv"));
    lab.write("race.toml", race.replace("first = 6", "first = 6, last = 5"));
    let said = refused(&lab, "run --config race.toml --out early");
    assert!(said.contains("the race ends at block 5, before its first look at block 6"), "{said}");
}
