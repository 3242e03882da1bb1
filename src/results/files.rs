//! The files of a results folder: names, reading, writing and removing, and `checksums.txt`, the SHA-256 of every file
//! whose bytes the seed decides.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fs, io};

use sha2::{Digest, Sha256};

use super::atomic::{self, step};
use super::run_files::run_file_names;
use super::{Folder, ResultsError};
use crate::experiment::Plan;
use crate::puzzle::formats;

pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const SETTINGS: &str = "settings.jsonl";
pub(super) const PUZZLES: &str = "puzzles.jsonl";
pub(super) const FACTS: &str = "puzzles.csv";
pub(super) const RUNS: &str = "runs.csv";
pub(super) const CONVERGENCE: &str = "convergence.csv";
pub(super) const MIGRATIONS: &str = "migrations.csv";
pub(super) const GROUPS: &str = "groups.csv";
pub(super) const OPERATORS: &str = "operators.csv";
pub(super) const FAILURES: &str = "failures.csv";
pub(super) const TIMING: &str = "timing.csv";
pub(super) const CHECKSUMS: &str = "checksums.txt";

/// Writes a file completely or not at all.
pub(super) fn write_whole(folder: &Path, name: &str, text: &[u8]) -> Result<(), ResultsError> {
    let path = folder.join(name);
    atomic::write_whole(&path, text).map_err(ResultsError::io("write", &path))
}

pub(super) fn read(folder: &Path, name: &str) -> Result<Vec<u8>, ResultsError> {
    let path = folder.join(name);
    is_file(&path).and_then(|()| fs::read(&path)).map_err(ResultsError::io("read", &path))
}

/// Refuses pipes and devices, which may never end.
pub(super) fn is_file(path: &Path) -> io::Result<()> {
    match fs::metadata(path)?.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("it is not a regular file")),
    }
}

/// Removes a file, if it exists.
pub(super) fn remove(folder: &Path, name: &str) -> Result<(), ResultsError> {
    let path = folder.join(name);
    match step().and_then(|()| fs::remove_file(&path)) {
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

/// The last folder that [`free_folder`] created for `base`, if there is one.
pub fn latest_folder(base: &Path) -> Option<PathBuf> {
    let there = (1..).map(|number| numbered(base, number)).take_while(|path| path.exists());
    there.last()
}

fn numbered(base: &Path, number: u64) -> PathBuf {
    if number == 1 {
        return base.to_owned();
    }
    let mut name = base.as_os_str().to_owned();
    name.push(format!("-{number}"));
    PathBuf::from(name)
}

/// The puzzles as JSON lines.
pub(super) fn puzzle_lines(plan: &Plan) -> String {
    plan.puzzles.iter().map(|puzzle| formats::canonical(puzzle) + "\n").collect()
}

/// The files that every folder has and whose bytes the seed decides.
const CHECKSUMMED: [&str; 4] = [MANIFEST, PUZZLES, FACTS, RUNS];

/// The files that have a line in `checksums.txt`.
fn checksummed(folder: &Path) -> impl Iterator<Item = &'static str> {
    let asked = |name: &&str| *name != TIMING && !CHECKSUMMED.contains(name) && folder.join(name).exists();
    CHECKSUMMED.into_iter().chain([SETTINGS].into_iter().chain(run_file_names()).filter(asked))
}

/// The text of `checksums.txt`: SHA-256 of every file whose bytes the seed decides, as `sha256sum -c` reads it.
///
/// # Errors
/// [`ResultsError::Io`] for a file that cannot be read.
pub fn checksums(folder: &Path) -> Result<String, ResultsError> {
    let line = |name: &str| {
        let path = folder.join(name);
        let digest = digest(&path).map_err(ResultsError::io("read", &path))?;
        Ok(format!("{digest}  {name}\n"))
    };
    checksummed(folder).map(line).collect()
}

/// A difference of a folder from its `checksums.txt`.
pub(super) struct Difference {
    /// The line of `checksums.txt`; 0 for a file that it does not list.
    pub(super) line: u64,
    /// The file.
    pub(super) file: String,
    /// How it differs.
    pub(super) problem: &'static str,
}

impl Difference {
    /// The error that names this difference.
    pub(super) fn refusal(&self, folder: &Path) -> ResultsError {
        ResultsError::Edited { path: folder.to_owned(), file: self.file.clone(), problem: self.problem }
    }
}

/// Every difference from `checksums.txt`, none where the experiment has not ended.
///
/// # Errors
/// [`ResultsError::Io`] for a file that cannot be read.
pub(super) fn differences(folder: &Path) -> Result<Vec<Difference>, ResultsError> {
    if !Folder::has_ended(folder) {
        return Ok(Vec::new());
    }
    let text = read(folder, CHECKSUMS)?;
    let text = String::from_utf8_lossy(&text);
    let mut found = Vec::new();
    let mut listed = Vec::new();
    for (line, row) in (1..).zip(text.lines()) {
        let (digest_was, file) = row.split_once("  ").unwrap_or((row, ""));
        let known = checksummed(folder).any(|name| name == file);
        let problem = match known.then(|| digest(&folder.join(file))) {
            None if folder.join(file).exists() => Some("is not a file that has a checksum"),
            None => Some("is missing"),
            Some(Ok(is)) if is == digest_was => None,
            Some(Ok(_)) => Some("has changed"),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => Some("is missing"),
            Some(Err(error)) => return Err(ResultsError::io("read", &folder.join(file))(error)),
        };
        found.extend(problem.map(|problem| Difference { line, file: file.to_owned(), problem }));
        listed.push(file);
    }
    let unlisted = checksummed(folder).filter(|name| !listed.contains(name));
    found.extend(unlisted.map(|name| Difference {
        line: 0,
        file: name.to_owned(),
        problem: "is not listed",
    }));
    Ok(found)
}

/// The SHA-256 of a file in hexadecimal, read piece by piece.
pub(super) fn digest(path: &Path) -> io::Result<String> {
    is_file(path)?;
    let (mut file, mut hash) = (fs::File::open(path)?, Sha256::new());
    let mut piece = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok(hexadecimal(hash));
        }
        hash.update(&piece[..read]);
    }
}

/// A finished hash in hexadecimal.
pub(super) fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
