//! Damage to small results folders: whoever validates, resumes, compares, reports or exports one never panics.
//!
//! Input: the folder, then edits, each a file, what to do, where, and how many bytes follow. `fuzz/seeds` makes the folders.

#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use kenga::budget::Interrupt;
use kenga::report::{FigureOptions, report};
use kenga::results::{Folder, Replay, checksums, read_plan, validate};
use kenga::study::{Metric, Question, Study, compare_settings};
use libfuzzer_sys::fuzz_target;

/// A folder: its files and what is in them.
type Files = Vec<(String, Vec<u8>)>;

/// The folders that `fuzz/seeds` has made.
static FOLDERS: LazyLock<Vec<Files>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("folders");
    let mut folders = entries(&root);
    folders.sort();
    assert!(!folders.is_empty(), "run fuzz/seeds first: it makes {}", root.display());
    let files = |folder: PathBuf| {
        let mut files = entries(&folder);
        files.sort();
        let name = |path: &Path| path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        files.iter().map(|path| (name(path), fs::read(path).expect("a file of a folder"))).collect()
    };
    folders.into_iter().map(files).collect()
});

fn entries(path: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(path).unwrap_or_else(|error| panic!("run fuzz/seeds first: {}: {error}", path.display()));
    read.map(|entry| entry.expect("a readable folder").path()).collect()
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, mut edits)) = bytes.split_first() else { return };
    let mut files = FOLDERS[usize::from(which >> 1) % FOLDERS.len()].clone();
    while let Some(rest) = edit(&mut files, edits) {
        edits = rest;
    }
    let path = std::env::temp_dir().join(format!("kenga-fuzz-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a temporary folder");
    for (name, content) in &files {
        fs::write(path.join(name), content).expect("a temporary file");
    }
    if which & 1 == 1
        && let Ok(text) = checksums(&path)
    {
        fs::write(path.join("checksums.txt"), text).expect("a temporary file");
    }
    examine(&path);
    fs::remove_dir_all(&path).expect("the temporary folder");
});

/// Applies the first edit; gives the bytes behind it.
fn edit<'a>(files: &mut Files, bytes: &'a [u8]) -> Option<&'a [u8]> {
    let (&[file, what, high, low, length], rest) = bytes.split_first_chunk::<5>()?;
    let (piece, rest) = rest.split_at(usize::from(length % 32).min(rest.len()));
    let file = usize::from(file) % files.len();
    let content = &mut files[file].1;
    let at = usize::from(u16::from_be_bytes([high, low])) % (content.len() + 1);
    let end = (at + piece.len()).min(content.len());
    let line = content[at..].iter().position(|byte| *byte == b'\n').map_or(content.len(), |newline| at + newline + 1);
    match what % 6 {
        0 => drop(content.splice(at..end, piece.iter().copied())),
        1 => drop(content.splice(at..at, piece.iter().copied())),
        2 => drop(content.drain(at..end)),
        3 => content.truncate(at),
        4 => drop(content.drain(at..line)),
        _ => {
            let copy = content[at..line].to_vec();
            drop(content.splice(at..at, copy));
        }
    }
    if what == u8::MAX {
        files.remove(file);
    }
    Some(rest).filter(|_| !files.is_empty())
}

/// Everybody who reads a folder.
fn examine(path: &Path) {
    let _ = validate(path, Replay::Some(0), 1, None, &(), &Interrupt::default());
    if let Ok(study) = Study::read(&[path.to_owned()]) {
        let _ = report(&study, &[], None, FigureOptions::default());
        let _ = compare_settings(&study, &study.joined_settings(&[]), &Question::plain(Metric::Calls, 0.05));
    }
    if let Ok((plan, shard)) = read_plan(path) {
        let _ = Folder::resume(path, &plan, shard);
    }
}
