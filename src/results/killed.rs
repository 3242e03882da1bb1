//! Programs that are killed before any change that they make: the next one goes on, or starts anew, and ends with the same
//! bytes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::atomic::fault;
use super::{Folder, ResultsError, merge, shard_folder};
use crate::budget::Interrupt;
use crate::experiment::{Draft, Plan, Runner, Shard, Share, perform, perform_race};
use crate::puzzle::formats;

const RACE: &str = "[sweep]\nmethod = 'race'\n'algorithm.mutation.rate' = [0.1, 0.5]\n";

fn plan(replicates: u64, sweep: &str) -> Plan {
    let text = format!(
        "replicates = {replicates}\nbudget.evaluations = 40\nalgorithm = {{ name = 'genetic', population = 6 }}\n\
         record = {{ every = 2, groups = true }}\n{sweep}"
    );
    let settings = Draft::read("a.toml", &text).and_then(Draft::settings).expect("a sound configuration");
    let puzzle = br#"{"id":"p","size":2,"cages":[{"op":"+","target":7,"cells":[[0,0],[0,1],[1,0],[1,1]]}]}"#;
    let puzzles = formats::read("p", puzzle).into_iter().collect::<Result<_, _>>();
    Plan::new(settings, puzzles.expect("a sound puzzle"))
}

/// What `kenga run --resume` does with a folder.
fn run(path: &Path, plan: &Plan, runner: &Runner<'_>, shard: Shard) -> Result<(), String> {
    let said = |error: ResultsError| format!("{error:?}");
    let mut folder = match path.exists() {
        true => Folder::resume(path, plan, shard),
        false => Folder::begin(path, plan, shard),
    }
    .map_err(said)?;
    folder.write_facts(plan, runner).map_err(said)?;
    let (done, known) = (folder.done().clone(), Folder::raced(path).map_err(said)?);
    let mut sink = folder.sink(plan);
    let share = Share { shard, done: &done, race: None };
    let interrupt = Interrupt::default();
    let halt = match plan.settings.race {
        None => perform(runner, 1, &share, &mut sink, &(), &interrupt).map(drop),
        Some(_) => perform_race(runner, 1, &known, &mut sink, &(), &interrupt).map(drop),
    };
    drop(sink);
    halt.map_err(|error| format!("{error:?}"))?;
    folder.finish().map_err(said)
}

/// Does something again and again, killed one change later each time, until it is not; behind every kill `then` says
/// whether all is well.
fn killed_at_every_change(mut act: impl FnMut() -> Result<(), String>, mut then: impl FnMut(u64)) {
    for changes in 0.. {
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
fn at_last(path: &Path, plan: &Plan, runner: &Runner<'_>) -> Result<(), String> {
    loop {
        match run(path, plan, runner, Shard::WHOLE) {
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
        let plan = plan(3, sweep);
        let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("the puzzle fits");
        let _ = fs::remove_dir_all(&whole);
        run(&whole, &plan, &runner, Shard::WHOLE).expect("nothing fails");
        let begin = || {
            let _ = fs::remove_dir_all(&torn);
            run(&torn, &plan, &runner, Shard::WHOLE)
        };
        killed_at_every_change(begin, |changes| {
            at_last(&torn, &plan, &runner).unwrap_or_else(|said| panic!("{changes} changes: {said}"));
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
        let [few, many] = [plan(8, sweep), plan(9, sweep)];
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
            at_last(&torn, &many, &of_many).unwrap_or_else(|said| panic!("{changes} changes: {said}"));
            assert!(bytes(&torn) == bytes(&whole), "{changes} changes");
        });
    }
}

#[test]
fn a_merge_that_is_killed_is_made_again() {
    let place = tempfile::tempdir().expect("a folder");
    let [whole, shards, merged] = ["whole", "shards", "merged"].map(|name| place.path().join(name));
    let plan = plan(5, "");
    let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("the puzzle fits");
    run(&whole, &plan, &runner, Shard::WHOLE).expect("nothing fails");
    for index in 0..2 {
        let shard = Shard { index, of: 2 };
        run(&shard_folder(&shards, shard), &plan, &runner, shard).expect("nothing fails");
    }
    let merge_all = || merge(&plan, std::slice::from_ref(&shards), &merged);
    let killed = || {
        merge_all().map_err(|error| {
            assert!(!error.to_string().contains(".part"), "{error} names what nobody can find");
            format!("{error:?}")
        })
    };
    killed_at_every_change(killed, |changes| {
        merge_all().unwrap_or_else(|error| panic!("{changes} changes: {error}"));
        assert!(bytes(&merged) == bytes(&whole), "{changes} changes");
        fs::remove_dir_all(&merged).expect("it is there");
    });
}
