//! Texts that change when files of a folder do.

use std::fs;
use std::path::Path;

use super::files::{CHECKSUMS, FACTS, LEDGER, MANIFEST, PUZZLES, RETRIED, RETRY, SETTINGS};
use super::run_files::run_file_names;

/// A text that changes when a file does: its length, and when it was written.
pub(super) fn stamp(folder: &Path, files: &[&str]) -> String {
    let mut stamps = Vec::with_capacity(files.len());
    for name in files {
        let found = fs::metadata(folder.join(name)).ok();
        stamps.push(found.map(|found| (found.len(), found.modified().ok())));
    }
    format!("{stamps:?}")
}

/// A text that changes when a folder is begun, extended or ended, but not when runs are added.
pub(super) fn frame_stamp(folder: &Path) -> String {
    stamp(folder, &[MANIFEST, SETTINGS, PUZZLES, CHECKSUMS])
}

/// A text that changes when any file of a folder does.
pub(super) fn whole_stamp(folder: &Path) -> String {
    let mut names = vec![MANIFEST, SETTINGS, PUZZLES, FACTS, CHECKSUMS, LEDGER];
    names.extend(run_file_names());
    stamp(folder, &names) + &stamp(&folder.join(RETRY), &[LEDGER]) + &stamp(&folder.join(RETRIED), &[LEDGER])
}
