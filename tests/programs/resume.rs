//! Whatever kills the program, `--resume` finishes with the same bytes.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use kenga::budget::Interrupt;
use kenga::puzzle::formats;
use kenga::results::{Replay, validate};

use crate::inside;
use crate::lab::{GENETIC, Lab, refused as refused_line, well};

const LONG: &[&str] = &[
    "run",
    "--config",
    "ga.toml",
    "--runs",
    "600",
    "--set",
    "budget.evaluations=3000",
    "--set",
    "record.every=25",
];

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |data| data.len())
}

/// Waits until the condition holds or the child has ended; says whether the child still runs.
pub fn wait_while_running(child: &mut Child, holds: impl Fn() -> bool) -> bool {
    loop {
        if child.try_wait().expect("it can be asked").is_some() {
            return false;
        }
        if holds() {
            return true;
        }
        sleep(Duration::from_millis(1));
    }
}

/// Starts the program again and again and kills it as soon as `holds` says so of the round, until it ends by itself or the
/// rounds are over; then lets it end.
pub fn kill_and_resume(lab: &Lab, args: &[&str], rounds: u64, holds: impl Fn(u64) -> bool) {
    for round in 0..rounds {
        let mut child = lab.command(args).stderr(Stdio::null()).spawn().expect("it starts");
        if !wait_while_running(&mut child, || holds(round)) {
            break;
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }
    let ended = lab.kenga(args);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
}

#[test]
fn killed_again_and_again_it_ends_with_the_same_bytes() {
    let lab = Lab::new();
    assert_eq!(lab.kenga(&[LONG, &["--out", "whole", "--quiet"]].concat()).code, 0);
    let torn = |name: &str| lab.path("torn").join(name);
    let step = size(&lab.path("whole/runs.csv")) / 9;
    // The first ones are killed as soon as the folder, the manifest, the files are there; later ones amid runs, each of
    // which comes further than the one before.
    kill_and_resume(
        &lab,
        &[LONG, &["--out", "torn", "--quiet", "--resume"]].concat(),
        12,
        |round| match round {
            0 => true,
            1 => lab.path("torn").exists(),
            2 => torn("puzzles.jsonl").exists(),
            3 => torn("manifest.json").exists(),
            4 => torn("runs.csv").exists(),
            5 => torn("puzzles.csv").exists(),
            _ => size(&torn("runs.csv")) > step * (round - 5),
        },
    );
    assert_eq!(lab.decided("torn"), lab.decided("whole"));
    assert_eq!(lab.read("torn/timing.csv").lines().count(), 601);
    assert_eq!(lab.validate(&["torn"]).0, 0);
}

#[test]
fn a_torn_end_of_any_file_is_made_again() {
    let plan = inside::plan(&["replicates=5", "record.every=5"]);
    let runner = inside::runner(&plan);
    let place = tempfile::tempdir().expect("a temporary folder");
    let [whole, torn] = ["whole", "torn"].map(|name| place.path().join(name));
    inside::begin(&whole, &plan, &runner);
    let timing = fs::read(whole.join("timing.csv")).expect("it is there");
    for name in ["runs.csv", "convergence.csv", "timing.csv", "ledger.csv"] {
        let text = fs::read(whole.join(name)).expect("it is there");
        // A ledger without its header is refused: nobody can tell how much it has listed.
        let header = text.iter().position(|byte| *byte == b'\n').expect("it has a header") + 1;
        for lost in (1..=(text.len() - header).min(200)).step_by(kenga_testing::size(7, 1)) {
            let _ = fs::remove_dir_all(&torn);
            fs::create_dir(&torn).expect("a folder");
            for entry in fs::read_dir(&whole).expect("the folder is there") {
                let entry = entry.expect("an entry");
                fs::copy(entry.path(), torn.join(entry.file_name())).expect("it can be copied");
            }
            fs::write(torn.join(name), &text[..text.len() - lost]).expect("it can be written");
            inside::resume(&torn, &plan, &runner);
            assert_eq!(
                inside::decided(&torn),
                inside::decided(&whole),
                "{name} without its last {lost} bytes"
            );
            if name != "timing.csv" {
                let now = fs::read(torn.join("timing.csv")).expect("it is there");
                assert_eq!(now.split(|b| *b == b'\n').count(), timing.split(|b| *b == b'\n').count());
            }
        }
    }
}

#[test]
fn a_begun_folder_without_a_manifest_is_begun_anew() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "whole"]);
    lab.write("torn/ledger.csv", "");
    lab.write("torn/.kenga-x1y2z3.part", "{\"id\"");
    lab.write("torn/puzzles.jsonl", lab.read("whole/puzzles.jsonl"));
    lab.run(&["--config", "ga.toml", "--out", "torn", "--resume"]);
    assert_eq!(lab.decided("torn"), lab.decided("whole"));
    assert!(!lab.path("torn/.kenga-x1y2z3.part").exists());
}

#[test]
fn a_complete_folder_stays_as_it_is() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "o"]);
    let (before, timing) = (lab.decided("o"), lab.read("o/timing.csv"));
    let ended = lab.run(&["--config", "ga.toml", "--out", "o", "--resume"]);
    assert!(ended.stdout.contains("of 6") && ended.stdout.contains("Results in o"), "{}", ended.stdout);
    assert_eq!((lab.decided("o"), lab.read("o/timing.csv")), (before, timing));
}

#[test]
fn without_a_name_the_last_folder_is_resumed() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--runs", "2"]);
    lab.run(&["--config", "ga.toml", "--runs", "3"]);
    assert_eq!(lab.summary(&["--config", "ga.toml", "--resume"])["out"], "results/ga-2");
    lab.run(&["--config", "ga.toml", "--out", "o"]);
    assert_eq!(lab.decided("results/ga-2"), lab.decided("o"));
    assert_eq!(lab.read("results/ga/runs.csv").lines().count(), 3);
}

/// What `kenga run --resume` says of the folder `o`; it leaves every byte.
fn refused(lab: &Lab, args: &[&str]) -> String {
    let before = lab.decided("o");
    let ended = lab.kenga(&[&["run", "--config", "ga.toml", "--out", "o", "--resume"], args].concat());
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{args:?}\n{}", ended.stderr);
    assert_eq!(lab.decided("o"), before, "{args:?}");
    ended.stderr
}

#[test]
fn another_configuration_is_refused_by_its_key() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "o"]);
    for (args, said) in [
        (&["--seed", "4"][..], "`seed` was 3, now it is 4"),
        (&["--runs", "5"], "`replicates` was 6, now it is 5"),
        (&["--set", "algorithm.mutation.rate=0.5"], "`algorithm.mutation.rate` was 0.02, now it is 0.5"),
        (
            &["--set", "algorithm.mutation=scramble"],
            "`algorithm.mutation.name` was \"swap\", now it is \"scramble\"",
        ),
        (&["--set", "budget.seconds=9"], "`budget.seconds` was absent, now it is 9"),
        (&["--set", "record.every=2"], "`record.every` was 1, now it is 2"),
        (&["--set", "exact.nodes=9"], "`exact.nodes` was 1000000, now it is 9"),
    ] {
        let shown = refused(&lab, args);
        let line: Vec<&str> = shown.split_whitespace().filter(|word| *word != "│").collect();
        assert!(line.join(" ").contains(said), "{shown}");
    }
    lab.write("other.txt", "1\n1 !\n");
    let shown = refused_line(&lab, "run --config ga.toml --out o --resume --puzzle other.txt");
    assert!(shown.contains("cannot resume o: the puzzles differ from puzzles.jsonl"), "{shown}");
    lab.change("o/manifest.json", |text| text.replace(env!("CARGO_PKG_VERSION"), "99.0.0"));
    let shown = refused(&lab, &[]);
    assert!(shown.contains("`kenga` was 99.0.0"), "{shown}");
}

#[test]
fn what_is_no_results_folder_is_refused() {
    let lab = Lab::new();
    let said = |args: &[&str]| {
        let ended = lab.kenga(&[&["run", "--config", "ga.toml", "--resume"], args].concat());
        assert_eq!(ended.code, 2, "{args:?}");
        ended.stderr
    };
    assert!(said(&["--out", "."]).contains("holds no results"));
    assert!(said(&["--out", "4x4.txt"]).contains("4x4.txt"));
    assert!(refused_line(&lab, "run --resume nowhere").contains("nothing to resume at nowhere"));
    assert!(refused_line(&lab, "run --resume").contains("--resume needs a folder"));
    assert!(refused_line(&lab, "run --resume a --out b").contains("name two folders"));
    assert!(refused_line(&lab, "run").contains("kenga run sweep.toml"));
    assert!(!lab.path("nowhere").exists());
}

#[test]
fn a_new_folder_with_resume_is_begun() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "o"]);
    for line in [
        "run --config ga.toml --out a --resume --quiet",
        "run --resume b --config ga.toml --quiet",
        "run --config ga.toml --resume --quiet",
    ] {
        well(&lab, line);
    }
    for folder in ["a", "b", "results/ga"] {
        assert_eq!(lab.decided(folder), lab.decided("o"), "{folder}");
    }
}

/// The configuration and the puzzles may be gone.
#[test]
fn a_folder_is_resumed_with_nothing_but_itself() {
    let sweep = "[sweep]\nmethod = \"race\"\n\"algorithm.mutation.rate\" = [0.02, 0.3]\n";
    for more in ["", sweep] {
        let lab = Lab::new();
        lab.change("ga.toml", |text| text + more);
        well(&lab, "run --config ga.toml --out whole --runs 9 --quiet");
        well(&lab, "run --config ga.toml --out o --quiet");
        ["ga.toml", "4x4.txt"].iter().for_each(|name| fs::remove_file(lab.path(name)).expect("it is there"));
        fs::remove_file(lab.path("o/checksums.txt")).expect("it is there");
        lab.change("o/runs.csv", |text| text.lines().take(3).map(|line| format!("{line}\n")).collect());
        let ended = lab.kenga(&["validate", "o"]);
        assert!(ended.stdout.contains("kenga run --resume o\n"), "{}", ended.stdout);
        well(&lab, "run --resume o --quiet");
        well(&lab, "run --resume o --runs 9 --set algorithm.population=12 --seed 3 --quiet");
        assert_eq!(lab.decided("o"), lab.decided("whole"));
        for (line, said) in [
            ("run --resume o --runs 8", "`replicates` was 9, now it is 8"),
            ("run --out o --resume --seed 4", "`seed` was 3, now it is 4"),
            ("run --resume o --set algorithm.population=13", "`algorithm.population` was 12, now it is 13"),
            ("run --resume o --set algorithm.popu=13", "`algorithm.popu` was absent, now it is 13"),
        ] {
            let shown = refused_line(&lab, line);
            assert!(shown.contains(said), "{line}: {shown}");
        }
        lab.write("other.txt", "1\n1 !\n");
        let shown = refused_line(&lab, "run --resume o --puzzle other.txt");
        assert!(shown.contains("cannot resume o: the puzzles differ from puzzles.jsonl"), "{shown}");
        assert_eq!(lab.decided("o"), lab.decided("whole"));
    }
}

#[test]
fn a_header_that_is_another_is_refused() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "o"]);
    for name in ["runs.csv", "convergence.csv", "timing.csv"] {
        lab.copy("o", "p");
        lab.change(&format!("p/{name}"), |text| text.replacen("run,", "lauf,", 1));
        let before = lab.read(&format!("p/{name}"));
        let ended = lab.kenga(&["run", "--config", "ga.toml", "--out", "p", "--resume"]);
        assert!(
            ended.code == 2 && ended.stderr.contains(name) && ended.stderr.contains("line 1"),
            "{}",
            ended.stderr
        );
        assert_eq!(lab.read(&format!("p/{name}")), before);
    }
}

/// Runs appended to a folder that had ended: while they are made there are no checksums.
#[test]
fn an_experiment_that_goes_on_has_no_checksums() {
    let lab = Lab::new();
    lab.write("ga.toml", GENETIC);
    lab.run(&["--config", "ga.toml", "--out", "o", "--runs", "2"]);
    let long = ["--runs", "1000000", "--resume", "--quiet"];
    let mut child = lab
        .command(&[&["run", "--config", "ga.toml", "--out", "o"], &long[..]].concat())
        .spawn()
        .expect("it starts");
    let before = size(&lab.path("o/runs.csv"));
    assert!(wait_while_running(&mut child, || size(&lab.path("o/runs.csv")) > before));
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let (code, found) = lab.validate(&["o", "--replay", "2"]);
    assert_eq!((code, &found["checksums"]), (0, &false.into()), "{found}");
}

#[test]
fn puzzles_are_kept_as_they_were() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "o"]);
    let texts = |name: &str| -> Vec<String> {
        let puzzles = formats::read(name, &lab.bytes(name)).into_iter();
        puzzles.map(|puzzle| puzzle.expect("a sound puzzle").canonical_text()).collect()
    };
    assert_eq!(texts("o/puzzles.jsonl"), texts("4x4.txt"));
}

/// Programs that begin, resume or merge one folder at once: one wins, and what it leaves holds.
#[test]
fn of_programs_at_one_folder_one_wins_and_the_others_say_why() {
    let lab = Lab::new();
    well(&lab, "sweep plan --config ga.toml -o plan.json");
    well(&lab, "sweep run plan.json --shard 0/1 --out in --quiet");
    let start = |line: &str| {
        let args: Vec<&str> = line.split(' ').collect();
        lab.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
    };
    let lines = |line: &str| (1..=6).map(|seed| line.replace("SEED", &seed.to_string())).collect::<Vec<_>>();
    for (name, line) in [
        ("run", "run --config ga.toml --seed SEED --out run"),
        ("merge", "sweep merge plan.json in --out merge"),
        ("export", "export in/shard-0-of-1 --to ioh -o export"),
    ] {
        let programs: Vec<Child> = lines(line).iter().map(|line| start(line)).collect();
        let ended = programs.into_iter().map(|program| program.wait_with_output().expect("it ends"));
        let lost: Vec<String> = ended
            .filter(|ended| ended.status.code() != Some(0))
            .map(|ended| format!("{:?} {}", ended.status.code(), String::from_utf8_lossy(&ended.stderr)))
            .collect();
        assert_eq!(lost.len(), 5, "{line}: {lost:?}");
        let why = ["another program is writing", "is not empty", "already exists"];
        for lost in &lost {
            let says_why = why.iter().any(|why| lost.contains(why));
            assert!(lost.starts_with("Some(2)") && says_why, "{line}: {lost}");
        }
        if name != "export" {
            assert_eq!(lab.validate(&[name, "--replay", "all"]).0, 0, "{name}");
        }
        let left = fs::read_dir(lab.path("")).expect("the folder is there");
        let left = left.filter(|entry| {
            entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().ends_with(".part"))
        });
        assert_eq!(left.count(), 0, "{name}");
    }
}

/// A folder is read as of one moment, whatever another program does to it meanwhile.
#[test]
fn a_folder_that_is_extended_meanwhile_is_never_refuted() {
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("o");
    let plan = |runs: u64| inside::plan(&[&format!("replicates={runs}"), "budget.evaluations=40"]);
    let first = plan(1);
    inside::begin(&path, &first, &inside::runner(&first));
    let reads = std::thread::scope(|scope| {
        let extender = scope.spawn(|| {
            for runs in 2..kenga_testing::size(40, 400) {
                let plan = plan(runs);
                inside::resume(&path, &plan, &inside::runner(&plan));
            }
        });
        let mut reads = 0;
        while !extender.is_finished() {
            let found =
                validate(&path, Replay::Some(1), 1, None, &(), &Interrupt::default()).expect("it is sound");
            assert!(found.is_being_written || found.findings.is_empty(), "{:?}", found.findings);
            reads += 1;
        }
        reads
    });
    assert!(reads > 3, "{reads} reads");
    let found = validate(&path, Replay::Some(1), 1, None, &(), &Interrupt::default()).expect("it is sound");
    assert!(!found.is_being_written && found.findings.is_empty(), "{:?}", found.findings);
}
