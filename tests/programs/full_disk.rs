//! A disk that is full leaves whole runs, wherever it ends, and resuming finishes with the same bytes.

use std::sync::{Arc, Mutex};
use std::{fs, io};

use kenga::experiment::{Plan, RunRecord, Sink};
use kenga::results::{Appender, FolderSink};
use tempfile::TempDir;

use crate::inside;

/// A disk with four files and little room.
struct Disk {
    files: [Vec<u8>; 4],
    room: usize,
    can_cut: bool,
}

/// One file of the disk.
struct File {
    disk: Arc<Mutex<Disk>>,
    index: usize,
}

impl Appender for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut disk = self.disk.lock().expect("nobody panics");
        let fitting = bytes.len().min(disk.room);
        disk.room -= fitting;
        disk.files[self.index].extend(&bytes[..fitting]);
        if fitting == bytes.len() { Ok(()) } else { Err(io::ErrorKind::StorageFull.into()) }
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        let mut disk = self.disk.lock().expect("nobody panics");
        if !disk.can_cut {
            return Err(io::Error::other("the disk is gone"));
        }
        disk.files[self.index].truncate(usize::try_from(len).expect("it fits"));
        Ok(())
    }
}

/// What is on the disk when all runs were offered to it, or the first failed; and how many were taken.
fn filled(plan: &Plan, records: &[RunRecord], room: usize, can_cut: bool) -> ([Vec<u8>; 4], usize) {
    let disk = Arc::new(Mutex::new(Disk { files: Default::default(), room, can_cut }));
    let file = |index| -> (Box<dyn Appender>, u64) { (Box::new(File { disk: Arc::clone(&disk), index }), 0) };
    let mut sink = FolderSink::new(plan, [file(0), file(1), file(2), file(3)]);
    let taken = records.iter().take_while(|record| sink.take(record).is_ok()).count();
    drop(sink);
    let files = disk.lock().expect("nobody panics").files.clone();
    (files, taken)
}

const SETS: [&str; 3] = ["replicates=3", "record.every=5", "budget.evaluations=120"];

#[test]
fn what_is_left_is_whole_runs() {
    let plan = inside::plan(&SETS);
    let records = inside::records(&inside::runner(&plan));
    let (whole, all) = filled(&plan, &records, usize::MAX, true);
    assert_eq!(all, 3);
    let size: usize = whole.iter().map(Vec::len).sum();
    for room in 0..size {
        let (left, taken) = filled(&plan, &records, room, true);
        let (expected, _) = filled(&plan, &records[..taken], usize::MAX, true);
        assert_eq!(left, expected, "{room} bytes");
        assert!(taken < 3);
    }
    assert_eq!(filled(&plan, &records, size, true).1, 3);
}

#[test]
fn a_disk_that_cannot_even_be_cut_is_resumed() {
    let plan = inside::plan(&SETS);
    let runner = inside::runner(&plan);
    let records = inside::records(&runner);
    let place = tempfile::tempdir().expect("a temporary folder");
    let whole = place.path().join("whole");
    inside::begin(&whole, &plan, &runner);
    let size: usize = filled(&plan, &records, usize::MAX, true).0.iter().map(Vec::len).sum();
    for room in (0..size).step_by(kenga_testing::size(9, 3)) {
        let torn = with_tails(&place, &plan, &filled(&plan, &records, room, false).0);
        inside::resume(&torn, &plan, &runner);
        assert_eq!(inside::decided(&torn), inside::decided(&whole), "{room} bytes");
        let timed = fs::read_to_string(torn.join("timing.csv")).expect("it is there").lines().count();
        assert_eq!(timed, 4, "{room} bytes");
    }
}

/// A folder that was begun, with these bytes after the headers of its growing files.
fn with_tails(place: &TempDir, plan: &Plan, tails: &[Vec<u8>; 4]) -> std::path::PathBuf {
    let path = place.path().join("torn");
    let _ = fs::remove_dir_all(&path);
    drop(
        kenga::results::Folder::begin(&path, plan, kenga::experiment::Shard::WHOLE).expect("an empty folder"),
    );
    for (name, tail) in ["convergence.csv", "timing.csv", "runs.csv", "ledger.csv"].into_iter().zip(tails) {
        let header = fs::read(path.join(name)).expect("it is there");
        fs::write(path.join(name), [header, tail.clone()].concat()).expect("it can be written");
    }
    path
}
