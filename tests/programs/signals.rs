//! Ctrl-C and SIGTERM end an experiment in good order; two programs never write one folder.

use std::fs;
use std::process::{Child, Command, Stdio};

use crate::lab::Lab;
use crate::resume::wait_while_running;

/// An experiment that does not end before it is told to, however slow the one who tells it is.
const LONG: &[&str] = &[
    "--config",
    "ga.toml",
    "--runs",
    "1000000",
    "--set",
    "budget.evaluations=2000",
    "--set",
    "record.every=50",
];

/// Starts a long experiment in the folder `o` and waits until some runs are there.
fn started(lab: &Lab, args: &[&str]) -> Child {
    let args = [&["run", "--out", "o"], LONG, args].concat();
    let lines = || fs::read_to_string(lab.path("o/runs.csv")).map_or(1, |text| text.lines().count());
    let before = lines();
    let mut child =
        lab.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let rows = || lines() > before + 3;
    assert!(wait_while_running(&mut child, rows), "it ended too soon");
    child
}

pub fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(status.expect("there is a kill").success());
}

#[test]
fn a_signal_leaves_whole_runs_that_can_be_resumed() {
    let lab = Lab::new();
    let few = LONG.iter().map(|arg| if *arg == "1000000" { "30" } else { arg });
    lab.run(&few.chain(["--out", "whole"]).collect::<Vec<_>>());
    for (signal, expected, resume) in
        [("-INT", 130, &[][..]), ("-TERM", 143, &["--resume"]), ("-INT", 130, &["--resume"])]
    {
        let child = started(&lab, resume);
        send(signal, &child);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(expected), "{signal}");
        let shown = String::from_utf8(output.stdout).expect("text");
        assert!(shown.contains("Continue with:\n  kenga run --resume o\n"), "{shown}");
        assert!(!lab.path("o/checksums.txt").exists());
        for name in ["runs.csv", "convergence.csv"] {
            let (cut, whole) = (lab.read(&format!("o/{name}")), lab.read(&format!("whole/{name}")));
            assert!(cut.starts_with(&whole) || whole.starts_with(&cut), "{name}");
        }
        let (code, found) = lab.validate(&["o"]);
        let runs = lab.read("o/runs.csv").lines().count() as u64 - 1;
        let missing = 1_000_000 - runs;
        assert_eq!((code, &found["runs"], &found["missing"]), (0, &runs.into(), &missing.into()));
    }
}

#[test]
fn an_interrupted_shard_says_the_command_that_continues_it() {
    let lab = Lab::new();
    lab.kenga(&[&["sweep", "plan", "--pilot", "0", "-o", "plan.json"], LONG].concat());
    let rows = || {
        fs::read_to_string(lab.path("my shards/shard-0-of-2/runs.csv")).map_or(1, |text| text.lines().count())
    };
    let first = ["sweep", "run", "plan.json", "--shard", "0/2", "-o", "my shards"].map(str::to_owned);
    let mut words = first.to_vec();
    for _ in 0..2 {
        let before = rows();
        let args: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut child = lab.command(&args).stdout(Stdio::piped()).spawn().expect("it starts");
        assert!(wait_while_running(&mut child, || rows() > before + 3), "{words:?} ended too soon");
        send("-INT", &child);
        let output = child.wait_with_output().expect("it ends");
        let shown = String::from_utf8(output.stdout).expect("text");
        assert!(shown.contains("Continue with:\n  kenga run --resume 'my shards/shard-0-of-2'\n"), "{shown}");
        words = ["run", "--resume", "my shards/shard-0-of-2"].map(str::to_owned).to_vec();
    }
}

#[test]
fn a_second_program_is_refused_a_folder_that_one_writes() {
    let lab = Lab::new();
    let child = started(&lab, &["--json"]);
    let second = lab.kenga(&[&["run", "--out", "o", "--resume"], LONG].concat());
    let third = lab.kenga(&[&["run", "--out", "o"], LONG].concat());
    send("-INT", &child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(second.code, 2);
    assert!(second.stderr.contains("another program is writing o"), "{}", second.stderr);
    assert!(third.code == 2 && third.stderr.contains("another program is writing o"), "{}", third.stderr);
    assert_eq!(output.status.code(), Some(130));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(summary["complete"], false);
    assert_eq!(lab.validate(&["o"]).0, 0);
}

/// However far the next migration is.
#[test]
fn islands_hear_a_signal_between_migrations() {
    let lab = Lab::new();
    lab.write(
        "impossible.json",
        r#"{"id":"p","size":2,"cages":[{"op":"+","target":7,"cells":[[0,0],[0,1],[1,0],[1,1]]}]}"#,
    );
    let sets = ["--set", "algorithm.interval=1000000000000", "--set", "budget.evaluations=1000000000000"];
    let args = [
        "run",
        "--config",
        "islands.toml",
        "--puzzle",
        "impossible.json",
        "--out",
        "o",
        "--set",
        "record.every=0",
    ];
    let mut child =
        lab.command(&[&args[..], &sets].concat()).stdout(Stdio::null()).spawn().expect("it starts");
    assert!(wait_while_running(&mut child, || lab.path("o/puzzles.csv").exists()));
    send("-INT", &child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

/// Ends a command by a signal; its exit code.
fn ended_by(signal: &str, mut child: Child) -> Option<i32> {
    send(signal, &child);
    child.wait().expect("it ends").code()
}

#[test]
fn a_command_that_waits_for_its_input_ends_by_a_signal() {
    let lab = Lab::new();
    let made = Command::new("mkfifo").arg(lab.path("pipe")).status().expect("mkfifo is there");
    assert!(made.success());
    for (line, signal, code) in [
        ("sweep merge pipe shards -o all", "-TERM", 143),
        ("sweep merge pipe shards -o all", "-INT", 130),
        ("convert pipe --to json -o all", "-TERM", 143),
        ("canonical pipe -o all", "-INT", 130),
        ("transform pipe --rotate 90 -o all", "-TERM", 143),
    ] {
        let child = lab.command(&line.split(' ').collect::<Vec<_>>()).spawn().expect("it starts");
        // It can be opened once the command reads it.
        let pipe = fs::OpenOptions::new().write(true).open(lab.path("pipe")).expect("a reader");
        assert_eq!(ended_by(signal, child), Some(code), "{line}");
        drop(pipe);
        assert!(!lab.path("all").exists());
    }
}

#[test]
fn a_report_that_a_signal_ends_leaves_no_draft() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--runs", "2", "--out", "o", "--quiet"]);
    let made = Command::new("mkfifo").arg(lab.path("pipe")).status().expect("mkfifo is there");
    assert!(made.success());
    // A page that is larger than a pipe holds.
    let title = "x".repeat(100_000);
    let child = lab.command(&["report", "o", "-o", "pipe", "--title", &title]).spawn().expect("it starts");
    let pipe = fs::File::open(lab.path("pipe")).expect("a writer");
    assert_eq!(ended_by("-INT", child), Some(130), "it waits for who reads the pipe");
    drop(pipe);
    let mut left: Vec<_> =
        fs::read_dir(lab.path("")).expect("a folder").flatten().map(|one| one.file_name()).collect();
    left.sort();
    assert_eq!(left, ["4x4.txt", "ga.toml", "islands.toml", "o", "pipe"]);
}
