//! Results folders of runs that were never made: kenga's own plan and writer, with outcomes that were drawn. The program reads
//! them like any others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kenga::budget::{Interrupt, Spent, StopReason};
use kenga::experiment::{ConfigDraft, Plan, RunBest, RunRecord, Runner, Shard, Sink, race_calls};
use kenga::puzzle::{Grid, Puzzle, formats};
use kenga::results::Folder;
use kenga::search::Ledger;
use serde_json::Value;

/// What a run has found and spent.
#[derive(Clone, Copy)]
pub struct Outcome {
    pub fitness: u32,
    pub calls: u64,
}

/// A folder of an experiment.
pub struct Slot {
    pub side: usize,
    /// The numbers of its puzzles.
    pub puzzles: Vec<usize>,
    pub replicates: usize,
    /// Settings that the side takes together.
    pub copies: u32,
}

/// The outcomes of the runs of a folder, in the order of its plan.
#[derive(Default)]
pub struct SlotRuns(pub Vec<Outcome>);

/// The id of the puzzle with a number.
pub fn puzzle_id(number: usize) -> String {
    format!("p{number}")
}

/// The puzzle with a number, up to 126: each has a second digit of its own, because the same puzzle under two ids counts once.
/// Its `meta` names the family, of which the first puzzle has this number.
pub fn puzzle(number: usize, family: usize) -> Puzzle {
    let (id, digit) = (puzzle_id(number), number + 2);
    let target = digit + 1;
    let text = format!(
        r#"{{"id":"{id}","size":2,"digits":[1,{digit}],"meta":{{"family":"f{family}"}},"cages":[{{"op":"+","target":{target},"cells":[[0,0],[0,1]]}},{{"op":"+","target":{target},"cells":[[1,0],[1,1]]}}]}}"#
    );
    formats::read("calibration", text.as_bytes()).remove(0).expect("a sound puzzle")
}

/// The plan of a configuration on some puzzles, in families of so many.
pub fn plan(config: &str, puzzles: &[usize], family: usize) -> Plan {
    let settings = ConfigDraft::read("calibration.toml", config).and_then(ConfigDraft::settings);
    let settings = settings.unwrap_or_else(|error| panic!("{error}:\n{config}"));
    Plan::new(settings, puzzles.iter().map(|number| puzzle(*number, number / family)).collect())
}

/// Writes a finished folder; `is_recorded`: its configuration records convergence.
pub fn write(path: &Path, plan: &Plan, runner: &Runner<'_>, runs: &SlotRuns, is_recorded: bool) {
    let mut folder = Folder::begin(path, plan, Shard::WHOLE).expect("a folder that can be written");
    folder.prepare(plan, runner).expect("a folder that can be written");
    {
        let mut sink = folder.sink(plan);
        for (run, outcome) in runs.0.iter().enumerate() {
            sink.take(&record(plan, run as u64, *outcome)).expect("a folder that can be written");
        }
    }
    if is_recorded {
        write_convergence(&path.join("convergence.csv"), runs);
    }
    folder.finish().expect("a folder that can be written");
}

/// Adds what the sink had no samples of: a row of fitness 1 at the beginning of every run, and one at its end.
fn write_convergence(path: &Path, runs: &SlotRuns) {
    let mut text = fs::read_to_string(path).expect("a folder that can be read");
    let measures = ",".repeat(text.trim_end().split(',').count() - 5);
    for (run, Outcome { fitness, calls }) in runs.0.iter().enumerate() {
        text += &format!("{run},0,1,0,1{measures}\n{run},{},{calls},0,{fitness}{measures}\n", calls / 10);
    }
    fs::write(path, text).expect("a folder that can be written");
}

/// Writes the folder of a race, which decides as it does in the program.
pub fn write_race(path: &Path, plan: &Plan, runner: &Runner<'_>, mut outcome: impl FnMut() -> Outcome) {
    let mut race = plan.race().expect("the plan is a race");
    let mut folder = Folder::begin(path, plan, Shard::WHOLE).expect("a folder that can be written");
    folder.prepare(plan, runner).expect("a folder that can be written");
    {
        let mut sink = folder.sink(plan);
        while let Some(block) = race.next() {
            let mut calls = Vec::new();
            for run in block.filter(|run| race.has(*run)) {
                let found = outcome();
                sink.take(&record(plan, run, found)).expect("a folder that can be written");
                calls.push(race_calls(found.fitness == 0, found.calls));
            }
            race.take(&calls);
        }
    }
    folder.finish().expect("a folder that can be written");
}

fn record(plan: &Plan, run: u64, Outcome { fitness, calls }: Outcome) -> RunRecord {
    let spent = Spent { evaluations: calls, moves: 0, generations: calls / 10 };
    let solved = fitness == 0;
    let grid = Grid::parse(if solved { "1 2/2 1" } else { "1 2/1 2" }, 2, 2).expect("a grid");
    RunRecord {
        id: plan.id(run),
        solved,
        verified: solved,
        by_propagation: false,
        spent,
        best: Some(RunBest { fitness, at: spent, distance: None, grid }),
        stop: if solved { StopReason::Solved } else { StopReason::Evaluations },
        failure: None,
        cost: None,
        terms: Vec::new(),
        dead_at: None,
        samples: Vec::new(),
        migrations: Vec::new(),
        populations: Vec::new(),
        broken: Vec::new(),
        operators: Ledger::default(),
        cpu_s: 0.0,
        wall_s: 0.0,
    }
}

/// The runner of a plan, which knows the solutions of its puzzles.
pub fn runner(plan: &Plan) -> Runner<'_> {
    Runner::prepare(plan, 1, &Interrupt::default()).expect("a plan that can be run")
}

/// A place for folders that is removed in the end.
pub struct Place(PathBuf);

impl Place {
    /// A new place for one simulation.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kenga-calibration-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What is left of it does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What the program prints as JSON.
pub fn ask(arguments: &[&str], folders: &[PathBuf]) -> Value {
    let command = arguments[0];
    let output = Command::new(program())
        .arg(command)
        .args(folders)
        .args(&arguments[1..])
        .arg("--json")
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .expect("the program is there: cargo build --release");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "kenga {arguments:?} {folders:?}: {errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The program, which cargo builds two folders above a bench.
fn program() -> PathBuf {
    let bench = std::env::current_exe().expect("a running program");
    let built = bench.ancestors().nth(2).expect("target/release/deps/calibration");
    built.join(format!("kenga{}", std::env::consts::EXE_SUFFIX))
}
