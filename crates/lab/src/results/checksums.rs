//! `checksums.txt`: the SHA-256 of every file whose bytes the seed decides.

use std::io::Read;
use std::path::Path;
use std::{fs, io};

use sha2::{Digest, Sha256};

use super::ResultsError;
use super::files::{CHECKSUMS, FACTS, LEDGER, MANIFEST, PUZZLES, RUNS, SETTINGS, TIMING, is_file, read};
use super::run_files::run_file_names;

/// The files that every folder has and whose bytes the seed decides.
const CHECKSUMMED: [&str; 5] = [MANIFEST, PUZZLES, FACTS, RUNS, LEDGER];

/// The files that have a line in `checksums.txt`, in their order.
fn checksummed(folder: &Path) -> Vec<&'static str> {
    let mut names = CHECKSUMMED.to_vec();
    for name in [SETTINGS].into_iter().chain(run_file_names()) {
        // A clock decides the bytes of timing.csv.
        if name != TIMING && !CHECKSUMMED.contains(&name) && folder.join(name).exists() {
            names.push(name);
        }
    }
    names
}

/// The text of `checksums.txt`: SHA-256 of every file whose bytes the seed decides, as `sha256sum -c` reads it.
///
/// # Errors
/// [`ResultsError::Io`] for a file that cannot be read.
pub fn checksums(folder: &Path) -> Result<String, ResultsError> {
    checksum_lines(folder, &checksummed(folder))
}

/// The lines of some files of a folder.
///
/// # Errors
/// As [`checksums`].
pub(crate) fn checksum_lines(folder: &Path, names: &[&str]) -> Result<String, ResultsError> {
    let mut text = String::new();
    for name in names {
        let path = folder.join(name);
        let digest = digest(&path).map_err(ResultsError::io("read", &path))?;
        text += &format!("{digest}  {name}\n");
    }
    Ok(text)
}

/// A difference of a folder from its `checksums.txt`.
pub(crate) struct Difference {
    /// The line of `checksums.txt`; 0 for a file that it does not list.
    pub(crate) line: u64,
    /// The file.
    pub(crate) file: String,
    /// How it differs.
    pub(crate) problem: &'static str,
}

impl Difference {
    /// The error that names this difference.
    pub(super) fn refusal(&self, folder: &Path) -> ResultsError {
        ResultsError::Edited { path: folder.to_owned(), file: self.file.clone(), problem: self.problem }
    }
}

/// Every difference of these files from `checksums.txt`, none where the experiment has not ended.
///
/// # Errors
/// [`ResultsError::Io`] for a file that cannot be read.
pub(super) fn differences(folder: &Path, names: &[&str]) -> Result<Vec<Difference>, ResultsError> {
    differences_among(folder, &checksummed(folder), names)
}

/// Every difference of some files from `checksums.txt`, which lists the files `known`.
///
/// # Errors
/// [`ResultsError::Io`] for a file that cannot be read.
pub(crate) fn differences_among(
    folder: &Path,
    known: &[&str],
    names: &[&str],
) -> Result<Vec<Difference>, ResultsError> {
    if !folder.join(CHECKSUMS).exists() {
        return Ok(Vec::new());
    }
    let text = read(folder, CHECKSUMS)?;
    let text = String::from_utf8_lossy(&text);
    let mut unlisted = known.to_vec();
    let mut differences = Vec::new();
    for (line, row) in (1..).zip(text.lines()) {
        // A line that is none of `sha256sum` names no file, and no file of that name has a checksum.
        let (digest_was, file) = row.split_once("  ").unwrap_or((row, ""));
        unlisted.retain(|name| *name != file);
        let is_asked = names.contains(&file) || !known.contains(&file);
        if is_asked && let Some(problem) = problem_of(&folder.join(file), known.contains(&file), digest_was)?
        {
            differences.push(Difference { line, file: file.to_owned(), problem });
        }
    }
    for name in unlisted {
        differences.push(Difference { line: 0, file: name.to_owned(), problem: "is not listed" });
    }
    Ok(differences)
}

/// Every difference of a folder from `checksums.txt`.
///
/// # Errors
/// [`ResultsError::Io`] for a file that cannot be read.
pub(super) fn all_differences(folder: &Path) -> Result<Vec<Difference>, ResultsError> {
    differences(folder, &checksummed(folder))
}

/// How a file differs from its line.
fn problem_of(
    path: &Path,
    has_checksum: bool,
    digest_was: &str,
) -> Result<Option<&'static str>, ResultsError> {
    if !has_checksum {
        return Ok(Some(if path.exists() { "is not a file that has a checksum" } else { "is missing" }));
    }
    match digest(path) {
        Ok(is) if is == digest_was => Ok(None),
        Ok(_) => Ok(Some("has changed")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some("is missing")),
        Err(error) => Err(ResultsError::io("read", path)(error)),
    }
}

/// The SHA-256 of a file in hexadecimal, read piece by piece.
fn digest(path: &Path) -> io::Result<String> {
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
    let mut text = String::with_capacity(64);
    for byte in hash.finalize() {
        text += &format!("{byte:02x}");
    }
    text
}
