//! Folders of which something was lost or edited.

mod killed;

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::experiment::Runner;
use crate::results::files::CHECKSUMS;
use crate::results::ledger::ledger_line;
use kenga_core::budget::Interrupt;
use killed::{recorded, run};

/// An unfinished folder with every run of a plan.
struct TestLab {
    place: tempfile::TempDir,
    plan: Plan,
}

impl TestLab {
    fn new(record: &str) -> Self {
        let lab = Self { place: tempfile::tempdir().expect("a folder"), plan: recorded(record) };
        let runner = Runner::prepare(&lab.plan, 1, &Interrupt::default()).expect("the puzzle fits");
        run(&lab.folder(), &lab.plan, &runner, Shard::WHOLE).expect("nothing fails");
        fs::remove_file(lab.folder().join(CHECKSUMS)).expect("the experiment has ended");
        lab
    }

    fn folder(&self) -> PathBuf {
        self.place.path().join("a")
    }

    fn names(&self) -> Vec<&'static str> {
        let mut names = vec![LEDGER];
        names.extend(ledger_files(&self.plan).map(|file| file.file(&self.plan.config)));
        names
    }

    fn recover(&self) -> Result<CompleteRuns, ResultsError> {
        recover(&self.folder(), &self.plan, Shard::WHOLE, Proof::Rows)
    }

    /// The complete runs, and why rows are not used, of the folder with another text in a file.
    fn with(&self, name: &str, bytes: &[u8]) -> Result<(Vec<u64>, Option<UnusedRows>), ResultsError> {
        let path = self.folder().join(name);
        let whole = fs::read(&path).expect("it is there");
        fs::write(&path, bytes).expect("it can be written");
        let complete = self.recover();
        fs::write(&path, whole).expect("it can be written");
        complete.map(|CompleteRuns { ledger, unused, .. }| (ledger.runs().to_vec(), unused))
    }

    /// The ledger of other runs, the rows of which are as before.
    fn ledger_of(&self, runs: &[u64]) -> String {
        let ledger = self.recover().expect("it can be read").ledger;
        let mut text = ledger.header();
        for run in runs {
            let place = ledger.place(*run).expect("it is listed");
            text += &ledger_line(*run, ledger.sizes(place), ledger.sum(place));
        }
        text
    }
}

#[test]
fn a_crash_ends_each_file_at_any_byte() {
    for record in ["gzip = false", "gzip = true"] {
        let lab = TestLab::new(record);
        for name in lab.names() {
            let whole = fs::read(lab.folder().join(name)).expect("it is there");
            for end in (0..whole.len()).step_by(kenga_testing::size(7, 1)) {
                let zeros = [&whole[..end], &vec![0; whole.len() - end][..]].concat();
                // The last bytes of a member may be zeros, so that a few more say nothing.
                let is_seen = !name.ends_with(".gz") || end + 8 <= whole.len();
                for text in [&whole[..end], &zeros].into_iter().take(1 + usize::from(is_seen)) {
                    // Zeros behind a part of a header, or behind a whole member that happens to end so, are no crash's.
                    let Ok((runs, unused)) = lab.with(name, text) else { continue };
                    assert!((0..4).collect::<Vec<u64>>().starts_with(&runs), "{name}, {end}: {runs:?}");
                    let is_gone = name == LEDGER && runs.is_empty();
                    let is_damage = unused.as_ref().is_some_and(|unused| unused.cause == UnusedCause::Damage);
                    assert!(!is_damage || is_gone, "{name}, {end}: {unused:?}");
                }
            }
        }
    }
}

#[test]
fn rows_of_other_runs_than_the_next_are_named() {
    let lab = TestLab::new("gzip = false");
    let unused = |name: &str, text: &str| {
        let (runs, unused) = lab.with(name, text.as_bytes()).expect("it can be read");
        (runs.len(), unused.map(|unused| (unused.note(), unused.cause)))
    };
    let some = |note: &str, cause| Some((note.to_owned(), cause));
    for (kept, name, text, expected) in [
        (4, LEDGER, lab.ledger_of(&[0, 1, 2, 3]), None),
        (3, LEDGER, lab.ledger_of(&[0, 1, 2]), None),
        (
            2,
            LEDGER,
            lab.ledger_of(&[0, 1]),
            some("2 rows of runs.csv are not used: ledger.csv ends before run 2", UnusedCause::LedgerEnd),
        ),
        (
            0,
            LEDGER,
            String::new(),
            some(
                "4 rows of runs.csv are not used: ledger.csv is missing, or has lost all its lines",
                UnusedCause::Damage,
            ),
        ),
        (
            1,
            LEDGER,
            lab.ledger_of(&[0, 2, 3]),
            some("2 rows of runs.csv are not used: run 1 is missing", UnusedCause::Damage),
        ),
        (
            1,
            LEDGER,
            lab.ledger_of(&[0]) + "no line\n",
            some(
                "3 rows of runs.csv are not used: line 3 of ledger.csv is not that of the next run",
                UnusedCause::Damage,
            ),
        ),
    ] {
        assert_eq!(unused(name, &text), (kept, expected), "{text}");
    }
    let rows = fs::read_to_string(lab.folder().join(RUNS)).expect("it is there");
    let lines: Vec<&str> = rows.split_inclusive('\n').collect();
    let gap = [lines[0], lines[1], lines[3], lines[4]].concat();
    assert_eq!(
        unused(RUNS, &gap),
        (1, some("2 rows of runs.csv are not used: run 1 is missing", UnusedCause::Damage))
    );
    let more = format!("{rows}x");
    assert_eq!(
        unused(RUNS, &more),
        (4, some("1 row of runs.csv is not used: line 6 is not a row of the next run", UnusedCause::Damage))
    );
}
