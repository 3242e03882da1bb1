//! The files of a results folder: names, reading, writing and removing.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::ResultsError;
use super::atomic::{self, may_be_killed_here};
use kenga_core::puzzle::{Puzzle, check, formats};

pub(crate) const MANIFEST: &str = "manifest.json";
pub(super) const SETTINGS: &str = "settings.jsonl";
pub(crate) const PUZZLES: &str = "puzzles.jsonl";
pub(super) const FACTS: &str = "puzzles.csv";
pub(crate) const RUNS: &str = "runs.csv";
pub(super) const CONVERGENCE: &str = "convergence.csv";
pub(super) const MIGRATIONS: &str = "migrations.csv";
pub(super) const GROUPS: &str = "groups.csv";
pub(super) const OPERATORS: &str = "operators.csv";
pub(super) const POPULATIONS: &str = "populations.csv";
pub(super) const COSTS: &str = "costs.csv";
pub(super) const TERMS: &str = "terms.csv";
pub(crate) const FAILURES: &str = "failures.csv";
pub(super) const TIMING: &str = "timing.csv";
pub(crate) const LEDGER: &str = "ledger.csv";
pub const CHECKSUMS: &str = "checksums.txt";

/// The problem of a file that is not there, though a program creates every file before the first run.
pub(super) const MISSING: &str = "the file is missing";

/// The folder inside for the runs that have been tried again.
pub(super) const RETRY: &str = ".kenga-retry";

/// The folder inside for the files that replace those of the folder.
pub(super) const RETRIED: &str = ".kenga-retried";

/// The path of a file that runs append to: that of the new one, as long as it has not been moved.
pub(super) fn place_of(folder: &Path, file: &str) -> PathBuf {
    let retried = folder.join(RETRIED);
    if retried.join(LEDGER).exists() && retried.join(file).exists() {
        return retried.join(file);
    }
    folder.join(file)
}

/// Writes a file completely or not at all.
pub fn write_whole(folder: &Path, name: &str, text: &[u8]) -> Result<(), ResultsError> {
    let path = folder.join(name);
    atomic::write_whole(&path, text).map_err(ResultsError::io("write", &path))
}

pub(crate) fn read(folder: &Path, name: &str) -> Result<Vec<u8>, ResultsError> {
    let path = folder.join(name);
    is_file(&path).and_then(|()| fs::read(&path)).map_err(ResultsError::io("read", &path))
}

/// Whether a folder has `checksums.txt`, which is written when every run has ended.
pub(super) fn has_checksums(folder: &Path) -> bool {
    folder.join(CHECKSUMS).exists()
}

/// Refuses pipes and devices, which may never end.
pub(super) fn is_file(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() { Ok(()) } else { Err(io::Error::other("it is not a regular file")) }
}

/// Removes a file, if it exists.
pub(super) fn remove(folder: &Path, name: &str) -> Result<(), ResultsError> {
    let path = folder.join(name);
    match may_be_killed_here().and_then(|()| fs::remove_file(&path)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ResultsError::io("remove", &path)(error))
        }
        _ => Ok(()),
    }
}

/// Creates the first free folder of `base`, `base-2`, `base-3` and so on.
///
/// # Errors
/// [`ResultsError::Io`] when no folder can be created.
pub fn free_folder(base: &Path) -> Result<PathBuf, ResultsError> {
    if let Some(parent) = base.parent() {
        fs::create_dir_all(parent).map_err(ResultsError::io("create", parent))?;
    }
    let mut number = 1u64;
    loop {
        let path = numbered(base, number);
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(ResultsError::io("create", &path)(error)),
        }
    }
}

/// The last folder that [`free_folder`] created for `base` and that is of the kind asked for, if there is one.
pub fn latest_folder(base: &Path, is_one: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let mut latest = None;
    for number in 1.. {
        let path = numbered(base, number);
        if !path.exists() {
            break;
        }
        if is_one(&path) {
            latest = Some(path);
        }
    }
    latest
}

fn numbered(base: &Path, number: u64) -> PathBuf {
    if number == 1 {
        return base.to_owned();
    }
    let mut name = base.as_os_str().to_owned();
    name.push(format!("-{number}"));
    PathBuf::from(name)
}

/// Puzzles as JSON lines.
pub(crate) fn puzzle_lines(puzzles: &[Puzzle]) -> String {
    puzzles.iter().map(|puzzle| formats::canonical(puzzle) + "\n").collect()
}

/// The puzzles whose given solution is wrong: the line of each, and that it is.
pub(crate) fn wrong_solutions(puzzles: &[Puzzle]) -> Vec<(u64, String)> {
    let mut wrong = Vec::new();
    for (line, puzzle) in (1..).zip(puzzles) {
        if puzzle.solution.as_ref().is_some_and(|grid| !check(puzzle, grid).is_solution()) {
            wrong.push((line, format!("the given solution of {} is wrong", puzzle.id)));
        }
    }
    wrong
}
