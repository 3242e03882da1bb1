//! Programs that are killed before any change that they make: the next one goes on, or starts anew, and ends with the same
//! bytes.

use std::collections::BTreeSet;
use std::{fs, io};

use super::super::*;
use crate::experiment::{ConfigDraft, RemainingRuns, RunRecord, Runner, Sink, perform, perform_race};
use crate::results::atomic::fault;
use crate::results::files::{CHECKSUMS, FAILURES, MANIFEST};
use crate::results::{Folder, FolderRows, Replay, merge, round_of_shard, shard_folder, validate};
use kenga_core::budget::{Interrupt, Spent, StopReason};
use kenga_core::puzzle::formats;
use kenga_core::search::Failure;

const RACE: &str = "[sweep]\nmethod = 'race'\n'algorithm.mutation.rate' = [0.1, 0.5]\n";

pub(super) fn experiment(replicates: u64, sweep: &str) -> Plan {
    planned(replicates, "{ name = 'genetic', population = 6 }", "gzip = false", sweep)
}

/// The plan of four runs with more keys of `[record]`.
pub(super) fn recorded(record: &str) -> Plan {
    planned(4, "{ name = 'genetic', population = 6 }", record, "")
}

fn planned(replicates: u64, algorithm: &str, record: &str, sweep: &str) -> Plan {
    let text = format!(
        "replicates = {replicates}\nbudget.evaluations = 40\nalgorithm = {algorithm}\n\
         record = {{ every = 2, groups = true, {record} }}\n{sweep}"
    );
    let settings =
        ConfigDraft::read("a.toml", &text).and_then(ConfigDraft::settings).expect("a sound configuration");
    let puzzle = br#"{"id":"p","size":2,"cages":[{"op":"+","target":7,"cells":[[0,0],[0,1],[1,0],[1,1]]}]}"#;
    let puzzles = formats::read("p", puzzle).into_iter().collect::<Result<_, _>>();
    Plan::new(settings, puzzles.expect("a sound puzzle"))
}

/// The plan of an experiment whose runs can fail; other algorithms make them all the same.
fn of_programs(replicates: u64, sweep: &str) -> Plan {
    if sweep.is_empty() {
        return planned(replicates, "{ name = 'program', command = ['none'] }", "gzip = false", sweep);
    }
    let mut plan = experiment(replicates, sweep);
    plan.settings.all.iter_mut().for_each(|setting| setting.config.can_fail = true);
    plan
}

/// Makes some runs fail on their way to a sink, every other one of them before its first evaluation.
struct Failing<'a> {
    sink: &'a mut dyn Sink,
    runs: &'a [u64],
}

impl Sink for Failing<'_> {
    fn take(&mut self, record: &RunRecord) -> io::Result<()> {
        let mut record = record.clone();
        if let Some(place) = self.runs.iter().position(|run| *run == record.id.run) {
            (record.stop, record.solved, record.verified) = (StopReason::Failed, false, false);
            let stderr = "Traceback\n  \"main\", line 7\n".to_owned();
            record.failure = Some(Failure { reason: "it ended with exit code 3".to_owned(), stderr });
            if place % 2 == 1 {
                (record.best, record.spent) = (None, Spent::default());
                (record.samples, record.broken) = (Vec::new(), Vec::new());
            }
        }
        self.sink.take(&record)
    }
}

/// What `kenga run --resume` does with a folder.
pub(super) fn run(path: &Path, plan: &Plan, runner: &Runner<'_>, shard: Shard) -> Result<(), String> {
    run_failing(path, plan, runner, shard, &[])
}

/// The same, where some runs fail.
fn run_failing(
    path: &Path,
    plan: &Plan,
    runner: &Runner<'_>,
    shard: Shard,
    runs: &[u64],
) -> Result<(), String> {
    let said = |error: ResultsError| format!("{error:?}");
    let opened =
        if path.exists() { Folder::resume(path, plan, shard) } else { Folder::begin(path, plan, shard) };
    let mut folder = opened.map_err(said)?;
    folder.prepare(plan, runner).map_err(said)?;
    let known = FolderRows::open(path, plan, shard).and_then(|rows| rows.race_calls()).map_err(said)?;
    let done = folder.done().clone();
    let mut sink = folder.sink(plan);
    let mut failing = Failing { sink: &mut sink, runs };
    let mut round = None;
    if plan.is_part_of_race(shard) {
        round = Some(round_of_shard(plan, shard, path).map_err(said)?);
    }
    let share = RemainingRuns { share: plan.share(shard), done: &done, race: round.as_ref() };
    let interrupt = Interrupt::default();
    let halt = match plan.settings.race.filter(|_| round.is_none()) {
        None => perform(runner, 1, &share, &mut failing, &(), &interrupt).map(drop),
        Some(_) => perform_race(runner, 1, &known, &mut failing, &(), &interrupt).map(drop),
    };
    drop(sink);
    halt.map_err(|error| format!("{error:?}"))?;
    folder.finish().map_err(said)
}

/// Does something again and again, killed one change later each time, until it is not; behind every kill `then` says
/// whether all is well.
fn killed_at_every_change(mut act: impl FnMut() -> Result<(), String>, mut then: impl FnMut(u64)) {
    for changes in (0..).step_by(kenga_testing::size(3, 1)) {
        fault::after(Some(changes));
        let ended = act();
        fault::after(None);
        match ended {
            Ok(()) => return assert!(changes > 5, "{changes} changes"),
            Err(said) => assert!(said.contains("killed"), "{said}"),
        }
        then(changes);
    }
}

/// A folder that a program was killed in holds, once it is one.
fn holds(folder: &Path) {
    if folder.join(MANIFEST).exists() {
        let found = validate(folder, Replay::Some(1), 1, None, &(), &Interrupt::default());
        assert_eq!(found.expect("it is readable").findings, []);
    }
}

fn bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
    let names: BTreeSet<String> = names.filter(|name| name != "timing.csv").collect();
    names.into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).expect("it is there"))).collect()
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("it can be copied");
    }
}

/// A program that another test starts holds the locks of this process for a moment.
fn at_last(path: &Path, plan: &Plan, runner: &Runner<'_>, shard: Shard) -> Result<(), String> {
    loop {
        match run(path, plan, runner, shard) {
            Err(said) if said.starts_with("Busy") => std::thread::yield_now(),
            ended => return ended,
        }
    }
}

#[test]
fn a_folder_that_is_begun_and_killed_ends_with_the_same_bytes() {
    let place = tempfile::tempdir().expect("a folder");
    let [whole, torn] = ["whole", "torn"].map(|name| place.path().join(name));
    for sweep in ["", RACE] {
        let plan = experiment(3, sweep);
        let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("the puzzle fits");
        let _ = fs::remove_dir_all(&whole);
        run(&whole, &plan, &runner, Shard::WHOLE).expect("nothing fails");
        let begin = || {
            let _ = fs::remove_dir_all(&torn);
            run(&torn, &plan, &runner, Shard::WHOLE)
        };
        killed_at_every_change(begin, |changes| {
            holds(&torn);
            at_last(&torn, &plan, &runner, Shard::WHOLE)
                .unwrap_or_else(|said| panic!("{changes} changes: {said}"));
            assert!(bytes(&torn) == bytes(&whole), "{changes} changes");
        });
    }
}

/// A finished folder that is asked for more replicates; a race may be over already.
#[test]
fn a_folder_that_is_extended_and_killed_ends_with_the_same_bytes() {
    let place = tempfile::tempdir().expect("a folder");
    let [ended, whole, torn] = ["ended", "whole", "torn"].map(|name| place.path().join(name));
    for sweep in ["", RACE] {
        let [few, many] = [experiment(8, sweep), experiment(9, sweep)];
        let [of_few, of_many] = [&few, &many]
            .map(|plan| Runner::prepare(plan, 1, &Interrupt::default()).expect("the puzzle fits"));
        [&ended, &whole].iter().for_each(|path| drop(fs::remove_dir_all(path)));
        run(&ended, &few, &of_few, Shard::WHOLE).expect("nothing fails");
        run(&whole, &many, &of_many, Shard::WHOLE).expect("nothing fails");
        let extend = || {
            copy(&ended, &torn);
            run(&torn, &many, &of_many, Shard::WHOLE)
        };
        killed_at_every_change(extend, |changes| {
            holds(&torn);
            at_last(&torn, &many, &of_many, Shard::WHOLE)
                .unwrap_or_else(|said| panic!("{changes} changes: {said}"));
            assert!(bytes(&torn) == bytes(&whole), "{changes} changes");
        });
    }
}

/// A finished folder, of which some runs failed, may be asked for more replicates; a race goes on from the first of them.
#[test]
fn failed_runs_that_are_tried_again_and_killed_end_with_the_bytes_of_runs_that_did_not_fail() {
    let place = tempfile::tempdir().expect("a folder");
    let [ended, whole, torn] = ["ended", "whole", "torn"].map(|name| place.path().join(name));
    for (sweep, runs, failed, shard) in [
        ("", [4, 5], &[0, 2, 3][..], Shard::WHOLE),
        ("", [6, 6], &[3], Shard { index: 1, of: 2 }),
        (RACE, [4, 4], &[4, 6], Shard::WHOLE),
    ] {
        let [few, many] = runs.map(|replicates| of_programs(replicates, sweep));
        let makers = runs.map(|replicates| experiment(replicates, sweep));
        let [of_few, of_many] = [&makers[0], &makers[1]]
            .map(|plan| Runner::prepare(plan, 1, &Interrupt::default()).expect("the puzzle fits"));
        [&ended, &whole].iter().for_each(|path| drop(fs::remove_dir_all(path)));
        run_failing(&ended, &few, &of_few, shard, failed).expect("nothing else fails");
        run(&whole, &many, &of_many, shard).expect("nothing fails");
        assert!(bytes(&ended) != bytes(&whole));
        let again = || {
            copy(&ended, &torn);
            run(&torn, &many, &of_many, shard)
        };
        killed_at_every_change(again, |changes| {
            if sweep.is_empty() {
                let found = validate(&torn, Replay::Some(0), 1, None, &(), &Interrupt::default());
                assert_eq!(found.expect("it is readable").findings, [], "{changes} changes");
            }
            at_last(&torn, &many, &of_many, shard).unwrap_or_else(|said| panic!("{changes} changes: {said}"));
            assert!(bytes(&torn) == bytes(&whole), "{changes} changes");
            let timing = fs::read_to_string(torn.join("timing.csv")).expect("it is there");
            let listed = fs::read_to_string(torn.join(RUNS)).expect("it is there");
            assert_eq!(timing.lines().count(), listed.lines().count(), "{changes} changes");
        });
    }
}

#[test]
fn a_run_that_fails_again_is_listed_once_with_its_reason() {
    let place = tempfile::tempdir().expect("a folder");
    let [whole, again] = ["whole", "again"].map(|name| place.path().join(name));
    let plan = of_programs(5, "");
    let maker = experiment(5, "");
    let runner = Runner::prepare(&maker, 1, &Interrupt::default()).expect("the puzzle fits");
    run_failing(&whole, &plan, &runner, Shard::WHOLE, &[3]).expect("nothing else fails");
    run_failing(&again, &plan, &runner, Shard::WHOLE, &[3, 1]).expect("nothing else fails");
    run_failing(&again, &plan, &runner, Shard::WHOLE, &[3]).expect("nothing else fails");
    assert!(bytes(&again) == bytes(&whole));
    let failures = fs::read_to_string(again.join(FAILURES)).expect("it is there");
    assert_eq!(
        failures,
        "run,puzzle,setting,replicate,reason,stderr\n\
         3,p,0,3,it ended with exit code 3,\"Traceback\n  \"\"main\"\", line 7\n\"\n"
    );
    // A reason that was lost is looked for again.
    fs::remove_file(again.join(CHECKSUMS)).expect("it is there");
    fs::write(again.join(FAILURES), "run,puzzle,setting,replicate,reason,stderr\n")
        .expect("it can be written");
    let complete = recover(&again, &plan, Shard::WHOLE, Proof::Sizes).expect("sound rows");
    assert_eq!(complete.ledger.runs(), [0, 1, 2]);
}

/// Of two shards of a race one is killed in the second round.
#[test]
fn a_race_of_which_a_shard_is_killed_ends_with_the_same_bytes() {
    let place = tempfile::tempdir().expect("a folder");
    let [whole, shards, merged] = ["whole", "shards", "merged"].map(|name| place.path().join(name));
    let before = ["first", "last"].map(|name| place.path().join(name));
    let plan = experiment(11, RACE);
    let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("the puzzle fits");
    run(&whole, &plan, &runner, Shard::WHOLE).expect("nothing fails");
    let both = [0, 1].map(|index| Shard { index, of: 2 });
    let folders = both.map(|shard| shard_folder(&shards, shard));
    let make = |one: usize| at_last(&folders[one], &plan, &runner, both[one]);
    for one in [0, 1, 0] {
        make(one).expect("nothing fails");
    }
    for one in 0..2 {
        copy(&folders[one], &before[one]);
    }
    let second = || {
        for one in 0..2 {
            copy(&before[one], &folders[one]);
        }
        run(&folders[1], &plan, &runner, both[1])
    };
    killed_at_every_change(second, |changes| {
        holds(&folders[1]);
        merge(&runner, std::slice::from_ref(&shards), &merged).expect("what is there can be merged");
        holds(&merged);
        for one in [1, 0, 1, 0, 1, 0] {
            make(one).unwrap_or_else(|said| panic!("{changes} changes: {said}"));
        }
        merge(&runner, std::slice::from_ref(&shards), &merged).expect("the race is over");
        assert!(bytes(&merged) == bytes(&whole), "{changes} changes");
        fs::remove_dir_all(&merged).expect("it is there");
    });
    // What was merged of the second round is replaced.
    let part = place.path().join("part");
    merge(&runner, std::slice::from_ref(&shards), &part).expect("what is there can be merged");
    for one in [1, 0, 1, 0] {
        make(one).expect("nothing fails");
    }
    let merge_all = || merge(&runner, std::slice::from_ref(&shards), &merged).map(drop);
    let over_part = || {
        copy(&part, &merged);
        merge_all().map_err(|error| format!("{error:?}"))
    };
    killed_at_every_change(over_part, |changes| {
        merge_all().unwrap_or_else(|error| panic!("{changes} changes: {error}"));
        assert!(bytes(&merged) == bytes(&whole), "{changes} changes");
    });
    assert!(bytes(&merged) == bytes(&whole));
    let names = fs::read_dir(place.path()).expect("a folder").count();
    assert_eq!(names, 6, "no draft is left");
}

#[test]
fn a_merge_that_is_killed_is_made_again() {
    let place = tempfile::tempdir().expect("a folder");
    let [whole, shards, merged] = ["whole", "shards", "merged"].map(|name| place.path().join(name));
    let plan = experiment(5, "");
    let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("the puzzle fits");
    run(&whole, &plan, &runner, Shard::WHOLE).expect("nothing fails");
    for index in 0..2 {
        let shard = Shard { index, of: 2 };
        run(&shard_folder(&shards, shard), &plan, &runner, shard).expect("nothing fails");
    }
    let merge_all = || merge(&runner, std::slice::from_ref(&shards), &merged);
    let killed = || {
        merge_all().map(drop).map_err(|error| {
            assert!(!error.to_string().contains(".part"), "{error} names what nobody can find");
            format!("{error:?}")
        })
    };
    killed_at_every_change(killed, |changes| {
        merge_all().unwrap_or_else(|error| panic!("{changes} changes: {error}"));
        assert!(bytes(&merged) == bytes(&whole), "{changes} changes");
        fs::remove_dir_all(&merged).expect("it is there");
    });
    // The draft of a killed merge goes, though the folder is there already.
    fs::create_dir(place.path().join(".merged.1.part")).expect("a folder");
    fs::write(place.path().join(".merged.1.part/.kenga-lock"), "").expect("it is written");
    assert!(matches!(merge_all(), Err(ResultsError::TargetExists { .. })));
    assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 3, "no draft is left");
}
