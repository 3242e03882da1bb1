//! Tuning programs in the place of an algorithm, and problems of the user's own.

use std::fs;
use std::process::{Command, Stdio};
use std::{thread, time::Duration};

use serde_json::Value;

use crate::lab::{Lab, flat, refused, well};

/// Random search, which fails or hangs where its options say so, and where the file `broken` says so in any case.
const SEARCH: &str = r#"
import json, os, random, sys, time
task = json.loads(sys.stdin.readline())
options = task["options"]
if os.path.exists("broken") or options.get("kind") == "bad":
    sys.exit("no such kind")
if options.get("kind") == "slow":
    time.sleep(60)
rng = random.Random(task["seed"])
while True:
    batch = [[rng.choice(digits) for digits in task["candidates"]] for _ in range(options["batch"])]
    print(json.dumps({"evaluate": batch}), flush=True)
    if "done" in json.loads(sys.stdin.readline()):
        break
"#;

const SEARCHES: &str = "\
puzzles = ['4x4.txt']
replicates = 2
budget = { evaluations = 50, moves = 1 }
algorithm = { name = 'program', command = ['python3', 'search.py'], timeout = 2, options = { batch = 5, kind = 'good' } }
[sweep]
'algorithm.options.kind' = ['good', 'bad', 'fine']
'algorithm.options.batch' = { from = 1, to = 20 }
'algorithm.options.spread' = { from = 0.0, to = 1, when = 'algorithm.options.kind == fine' }
[tune]
budget = 1500
validate = ['other.txt']
";

/// How many genes are not 1, so many times, and more.
const PROBLEM: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "kenga" in message:
        options = message["options"]
        continue
    if options.get("breaks"):
        sys.exit("it breaks")
    values = [sum(gene != 1 for gene in genome) * options["times"] + options.get("more", 0) for genome in message["evaluate"]]
    print(json.dumps({"fitness": values}), flush=True)
"#;

const OWN: &str = "\
replicates = 2
budget = { evaluations = 60, moves = 1 }
[problem]
command = ['python3', 'own.py']
genes = 14
values = [0, 2]
reuse = true
[problem.instances]
small = { times = 1, more = 3 }
large = { times = 100_000 }
other = { times = 7 }
[algorithm]
name = 'genetic'
population = 40
[record]
every = 0
[sweep]
'algorithm.population' = { from = 4, to = 40, scale = 'log' }
'algorithm.mutation.rate' = { from = 0.01, to = 1, scale = 'log' }
[tune]
budget = 3000
validate = ['other']
";

/// The files of a tuning that its configuration decides.
const FILES: [&str; 10] = [
    "manifest.json",
    "puzzles.jsonl",
    "held-out.jsonl",
    "candidates.jsonl",
    "runs.csv",
    "decisions.csv",
    "ablation.csv",
    "best.toml",
    "validation/default/runs.csv",
    "checksums.txt",
];

/// A lab with both programs; none where there is no Python.
fn lab(config: &str) -> Option<Lab> {
    let lab = Lab::with_python()?;
    lab.write("study/search.py", SEARCH);
    lab.write("study/own.py", PROBLEM);
    lab.write("study/4x4.txt", lab.read("4x4.txt"));
    lab.write("study/other.txt", "4:b_a4_a_6aa,m6s1a6s1m4a3d2");
    lab.write("study/tune.toml", config);
    Some(lab)
}

fn files(lab: &Lab, folder: &str) -> Vec<String> {
    let mut all: Vec<String> = FILES.iter().map(|name| lab.read(&format!("{folder}/{name}"))).collect();
    for optional in ["failures.csv", "validation/best/runs.csv"] {
        all.push(fs::read_to_string(lab.path(&format!("{folder}/{optional}"))).unwrap_or_default());
    }
    all
}

/// Kills a tuning again and again, and then lets it end.
fn killed(lab: &Lab, folder: &str, step: u64) {
    let args = ["tune", "--config", "study/tune.toml", "--resume", folder, "--quiet"];
    for round in 1..4 {
        let mut child = lab.command(&args).stderr(Stdio::null()).spawn().expect("it starts");
        let rows = || lab.path(&format!("{folder}/runs.csv")).metadata().map_or(0, |data| data.len());
        while rows() < round * step && child.try_wait().expect("it can be asked").is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    well(lab, &format!("tune --resume {folder} --quiet --programs study"));
}

#[test]
fn a_program_is_tuned_and_options_with_which_it_fails_are_dropped() {
    let Some(lab) = lab(SEARCHES) else { return };
    let told = well(&lab, "tune study/tune.toml -o one --jobs 1");
    assert!(told.contains("kenga run --config one/best.toml --programs study"), "{told}");
    // The best lies elsewhere than its program, also where that is in the current folder.
    for file in ["search.py", "4x4.txt", "other.txt", "tune.toml"] {
        lab.write(file, lab.read(&format!("study/{file}")));
    }
    let here = well(&lab, "tune tune.toml -o two --jobs 1");
    assert!(here.contains("kenga run --config two/best.toml --programs .\n"), "{here}");
    well(&lab, "run --config two/best.toml --programs . --runs 1 -o ran --quiet");
    assert!(told.contains("failures.csv says why") && told.contains("of 1 500 calls"), "{told}");
    let runs = lab.read("one/runs.csv");
    let calls = |row: &str| {
        row.split(',').skip(8).take(2).map(|cell| cell.parse::<u64>().expect("calls")).sum::<u64>()
    };
    assert!(runs.lines().skip(1).map(calls).sum::<u64>() <= 1500);
    let bad: Vec<Value> = lab
        .read("one/candidates.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("an object"))
        .filter(|one| one["values"]["algorithm.options.kind"] == "bad" && one["iteration"] != 0)
        .collect();
    assert!(!bad.is_empty());
    for one in bad {
        let (index, decisions) = (&one["candidate"], lab.read("one/decisions.csv"));
        assert!(decisions.contains(&format!(",{index},dropped,failed,")), "{index}: {decisions}");
        let of_it = |row: &&str| row.split(',').nth(2) == Some(&index.to_string());
        let made: Vec<&str> = runs.lines().skip(1).filter(of_it).collect();
        assert!(made.len() == 1 && made[0].ends_with(",failed"), "dropped at once: {made:?}");
    }
    assert!(!lab.read("one/best.toml").contains("kind = \"bad\""));
    let failures = lab.read("one/failures.csv");
    assert!(failures.contains("ended before the run did") && failures.contains("no such kind"), "{failures}");
    // A spread is there for one kind alone.
    for line in lab.read("one/candidates.jsonl").lines() {
        let one: Value = serde_json::from_str(line).expect("an object");
        let has_spread = !one["values"]["algorithm.options.spread"].is_null();
        assert!(!has_spread || one["values"]["algorithm.options.kind"] == "fine", "{line}");
    }
    let (code, found) = lab.validate(&["one", "--replay", "all"]);
    assert_eq!((code, &found["replayed"]), (0, &0.into()), "{found}");
    let (code, found) = lab.validate(&["one", "--replay", "all", "--programs", "study"]);
    assert!(code == 0 && found["failed"].as_u64() > Some(0) && found["not_started"] == 0, "{found}");
    assert!(found["replayed"].as_u64() > Some(10), "{found}");
    well(&lab, "report one -o one.html");
    assert!(lab.read("one.html").contains("failures.csv says why"));
    killed(&lab, "killed", 300);
    assert_eq!(files(&lab, "killed"), files(&lab, "one"));
    well(&lab, "run --config one/best.toml --programs study --runs 1 -o again --quiet");
    if !kenga_testing::runs_all() {
        return;
    }
    well(&lab, "tune study/tune.toml -o four --jobs 4 --quiet");
    assert_eq!(files(&lab, "four"), files(&lab, "one"));
    well(&lab, "tune study/tune.toml -o seeded --seed 9 --quiet");
    assert_ne!(files(&lab, "seeded")[4], files(&lab, "one")[4]);
}

#[test]
fn a_program_that_hangs_is_dropped_after_its_timeout() {
    let config = SEARCHES.replace("timeout = 2", "timeout = 1.5").replace("'bad'", "'slow'");
    let Some(lab) = lab(&config.replace("validate = ['other.txt']", "")) else { return };
    let told = lab.kenga(&["tune", "study/tune.toml", "-o", "o", "--jobs", "4"]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert!(
        lab.read("o/failures.csv").contains("it sent nothing for 1.5 s"),
        "{}",
        lab.read("o/failures.csv")
    );
    assert!(told.stderr.contains("nothing says how the best does on other puzzles"), "{}", told.stderr);
}

#[test]
fn a_default_that_fails_stops_the_tuning_which_goes_on_once_it_is_mended() {
    let Some(lab) = lab(&SEARCHES.replace("budget = 1500", "budget = 1100")) else { return };
    lab.write("study/broken", "");
    let said = refused(&lab, "tune study/tune.toml -o o --quiet");
    for part in
        ["without [sweep] fails: it ended before", "no such kind", "kenga tune --resume o --programs study"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(lab.read("o/runs.csv").lines().count(), 1);
    fs::remove_file(lab.path("study/broken")).expect("it was there");
    well(&lab, "tune --resume o --programs study --quiet");
    well(&lab, "tune study/tune.toml -o whole --quiet");
    assert_eq!(files(&lab, "o"), files(&lab, "whole"));
}

#[test]
fn a_problem_without_an_optimum_is_tuned_by_places_and_nothing_speaks_of_solutions() {
    let Some(lab) = lab(OWN) else { return };
    let told = well(&lab, "tune study/tune.toml -o one --jobs 1");
    assert!(told.contains("by its place among all runs on the same instance"), "{told}");
    assert!(told.contains("On the held-out instance") || told.contains("the default"), "{told}");
    assert!(!told.contains("solve") && !told.contains("puzzle"), "{told}");
    assert!(told.lines().filter(|line| !line.is_empty()).count() <= 11, "{told}");
    for row in lab.read("one/decisions.csv").lines().skip(1) {
        let cost: f64 = row.split(',').nth(8).and_then(|cell| cell.parse().ok()).expect("a cost");
        assert!(cost > 0.0 && cost < 1.0, "a place: {row}");
    }
    for row in lab.read("one/ablation.csv").lines().skip(1) {
        assert_eq!(row.rsplit(',').nth(1), Some(""), "{row}");
    }
    assert_eq!(lab.read("one/puzzles.jsonl").lines().count(), 2);
    assert!(lab.read("one/held-out.jsonl").contains("other"));
    let said = well(&lab, "validate one --replay all --programs study");
    assert!(said.contains("every claim holds") && !said.contains("solved"), "{said}");
    well(&lab, "report one -o one.html");
    let page = lab.read("one.html");
    assert!(page.contains("mean place of the best value") && page.contains("2 training instances"));
    assert!(!page.contains("mean calls"));
    let told = well(&lab, "tune study/tune.toml -o four --jobs 4 --json --quiet");
    let told: Value = serde_json::from_str(&told).expect("an object");
    assert_eq!((&told["cost"], &told["failed"]), (&"best_fitness".into(), &0.into()));
    assert_eq!(files(&lab, "four"), files(&lab, "one"));
    killed(&lab, "killed", 400);
    assert_eq!(files(&lab, "killed"), files(&lab, "one"));
    well(&lab, "run --config one/best.toml --programs study --runs 1 -o again --quiet");
}

#[test]
fn a_problem_with_an_optimum_is_tuned_by_calls() {
    let config = OWN.replace("genes = 14", "genes = 4\noptimum = 0").replace(", more = 3", "");
    let Some(lab) = lab(&config) else { return };
    let told = well(&lab, "tune study/tune.toml -o o --json --quiet");
    let told: Value = serde_json::from_str(&told).expect("an object");
    assert_eq!(told["cost"], "calls");
    assert!(lab.read("o/runs.csv").contains(",true,"), "some run is solved");
    let said = well(&lab, "validate o --replay all --programs study");
    assert!(said.contains(" solved;"), "{said}");
    // By its best fitness it is tuned where the configuration says so.
    let told = well(&lab, "tune study/tune.toml --set tune.cost=best_fitness -o by --json --quiet");
    assert!(told.contains("\"cost\":\"best_fitness\""), "{told}");
}

#[test]
fn one_instance_alone_is_tuned_without_validation() {
    let alone = OWN.replace("[problem.instances]\nsmall = { times = 1, more = 3 }\nlarge = { times = 100_000 }\nother = { times = 7 }\n", "options = { times = 2 }\n");
    let Some(lab) = lab(&alone.replace("validate = ['other']\n", "")) else { return };
    let told = lab.kenga(&["tune", "study/tune.toml", "-o", "o"]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert!(told.stderr.contains("does on other instances"), "{}", told.stderr);
    assert!(lab.read("o/held-out.jsonl").is_empty() && !lab.path("o/validation").exists());
}

#[test]
fn what_cannot_be_tuned_is_refused_by_name() {
    if lab(OWN).is_none() {
        return;
    }
    for (from, to, said) in [
        ("validate = ['other']", "validate = ['othr']", "did you mean `other`?"),
        ("validate = ['other']", "validate = ['small', 'large', 'other']", "leave one to tune on"),
        ("validate = ['other']", "cost = 'calls'", "no run can solve the instance `small`"),
        ("budget = 3000", "budget = 100", "is too small for one race"),
        ("'algorithm.population' =", "'problem.options.times' =", "`problem.options.times` cannot be tuned"),
        (
            "other = { times = 7 }",
            "other = { times = 100_000 }",
            "instance other is both tuned on and held out",
        ),
        ("moves = 1", "seconds = 1", "cannot bound the runs of a tuning"),
    ] {
        let Some(lab) = lab(&OWN.replace(from, to)) else { return };
        let message = refused(&lab, "tune study/tune.toml -o o");
        assert!(flat(&message).contains(said), "{to}: {message}");
        assert!(!lab.path("o").exists(), "{to}");
    }
    let Some(lab) = lab(OWN) else { return };
    let message = refused(&lab, "tune study/tune.toml --puzzle 4x4.txt -o o");
    assert!(message.contains("take out --puzzle, or [problem]"), "{message}");
}

#[test]
fn a_problem_that_breaks_on_one_instance_fails_the_default() {
    let Some(lab) = lab(&OWN.replace("times = 100_000", "times = 2, breaks = true")) else { return };
    let said = refused(&lab, "tune study/tune.toml -o o --quiet");
    assert!(said.contains("without [sweep] fails") && said.contains("it breaks"), "{said}");
}

#[cfg(unix)]
#[test]
fn irace_can_call_kenga_by_the_line_of_the_guide() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/tune.md")).expect("the guide");
    let line = page.lines().find(|line| line.starts_with("kenga run ga.toml")).expect("the line for irace");
    for needed in ["bash", "jq"] {
        if Command::new(needed).arg("--version").output().is_err() {
            return;
        }
    }
    let lab = Lab::new();
    lab.write("ga.toml", "budget.evaluations = 90\n[algorithm]\nname = 'genetic'\npopulation = 20\n");
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_kenga")).parent().expect("a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    // As irace does: the configuration, the instance by number, a seed, the instance, the switches with values.
    let given = [
        "1",
        "2",
        "1234567890",
        "4x4.txt",
        "--set",
        "algorithm.population=7",
        "--set",
        "algorithm.crossover.rate=0.5",
    ];
    let mut bash = Command::new("bash");
    bash.current_dir(lab.path("")).env("PATH", path).args(["-c", line, "target-runner"]).args(given);
    let told = bash.output().expect("bash");
    let said = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    well(
        &lab,
        "run ga.toml --puzzle 4x4.txt --seed 1234567890 --runs 1 --set algorithm.population=7 --set algorithm.crossover.rate=0.5 -o o --quiet",
    );
    let row = lab.row("o/runs.csv", 1);
    assert_eq!(said.trim(), row[10], "one number, the best fitness: {row:?}");
}
