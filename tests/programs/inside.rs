//! The same from inside: the library's own experiment, where a program for every byte would take too long.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use kenga::budget::Interrupt;
use kenga::experiment::{
    ConfigDraft, Halt, Plan, RemainingRuns, RunRecord, Runner, Shard, Sink, perform, perform_race,
};
use kenga::puzzle::formats;
use kenga::results::{Folder, Reading, ResultsError, make_runs};

use crate::lab::{DECIDED, FOUR, GENETIC};

/// Keeps the runs as they are.
#[derive(Default)]
pub struct Kept(pub Vec<RunRecord>);

impl Sink for Kept {
    fn take(&mut self, record: &RunRecord) -> io::Result<()> {
        self.0.push(record.clone());
        Ok(())
    }
}

/// The plan of the genetic configuration with some assignments.
pub fn plan(sets: &[&str]) -> Plan {
    let mut draft = ConfigDraft::read("ga.toml", GENETIC).expect("sound TOML");
    sets.iter().for_each(|set| draft.set(set).expect("a sound assignment"));
    let puzzles = formats::read("4x4.txt", FOUR.as_bytes()).into_iter().collect::<Result<_, _>>();
    Plan::new(draft.finish().expect("a sound configuration"), puzzles.expect("a sound puzzle"))
}

pub fn runner(plan: &Plan) -> Runner<'_> {
    Runner::prepare(plan, 1, &Interrupt::default()).expect("the puzzle fits")
}

/// Every run of a plan.
pub fn records(runner: &Runner<'_>) -> Vec<RunRecord> {
    let mut kept = Kept::default();
    let halt = perform(
        runner,
        1,
        &RemainingRuns { share: runner.plan().share(Shard::WHOLE), done: &BTreeSet::new(), race: None },
        &mut kept,
        &(),
        &Interrupt::default(),
    );
    assert_eq!(halt.expect("nothing fails"), Halt::Complete);
    kept.0
}

/// Makes what is missing in a folder, and its checksums.
pub fn complete(mut folder: Folder, plan: &Plan, runner: &Runner<'_>) {
    folder.prepare(plan, runner).expect("sound rows");
    let reading = Reading::open(folder.path()).expect("sound rows");
    let (done, known) = (folder.done().clone(), reading.rows.race_calls().expect("sound rows"));
    let mut sink = folder.sink(plan);
    let share = RemainingRuns { share: plan.share(Shard::WHOLE), done: &done, race: None };
    let halt = match plan.settings.race {
        None => perform(runner, 1, &share, &mut sink, &(), &Interrupt::default()),
        Some(_) => {
            perform_race(runner, 1, &known, &mut sink, &(), &Interrupt::default()).map(|(halt, _)| halt)
        }
    };
    assert_eq!(halt.expect("nothing fails"), Halt::Complete);
    drop(sink);
    folder.finish().expect("the folder can be written");
}

/// Resumes a folder to its end. A program that another test starts holds the locks of this process from its fork until
/// it is replaced, so that a lock may take a moment to be free.
pub fn resume(path: &Path, plan: &Plan, runner: &Runner<'_>) {
    let is_held = |error: &ResultsError| matches!(error, ResultsError::Busy { .. });
    let mut folder = Folder::resume(path, plan, Shard::WHOLE);
    while folder.as_ref().is_err_and(is_held) {
        std::thread::yield_now();
        folder = Folder::resume(path, plan, Shard::WHOLE);
    }
    complete(folder.expect("it is resumed"), plan, runner);
}

pub fn begin(path: &Path, plan: &Plan, runner: &Runner<'_>) {
    complete(Folder::begin(path, plan, Shard::WHOLE).expect("an empty folder"), plan, runner);
}

/// All files whose bytes the configuration decides.
pub fn decided(path: &Path) -> Vec<Vec<u8>> {
    DECIDED.iter().map(|name| fs::read(path.join(name)).expect("the file is there")).collect()
}

#[test]
fn an_interrupt_while_puzzles_are_solved_is_not_taken_for_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, plan) = (folder.path().join("o"), plan(&["replicates=3"]));
    begin(&path, &plan, &runner(&plan));
    // As a kill leaves it.
    fs::remove_file(path.join("checksums.txt")).expect("it is there");
    let rows = fs::read_to_string(path.join("runs.csv")).expect("it is there");
    fs::write(path.join("runs.csv"), rows.split_inclusive('\n').take(3).collect::<String>())
        .expect("written");
    let interrupt = Interrupt::default();
    interrupt.raise(15);
    let runner = Runner::prepare(&plan, 1, &interrupt).expect("the puzzle fits");
    let mut folder = Folder::resume(&path, &plan, Shard::WHOLE).expect("it can be resumed");
    let halt = make_runs(&mut folder, &runner, Shard::WHOLE, 1, |_, _| (), &interrupt);
    assert_eq!(halt.expect("nothing is damaged"), Halt::Interrupted);
}
