//! The drafts that this program has begun, so that it can remove them when it has to end at once.

use std::fs;
use std::mem::forget;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn drafts() -> MutexGuard<'static, Vec<PathBuf>> {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A draft of this program; it is known until it is dropped.
pub(super) struct OwnDraft(PathBuf);

impl OwnDraft {
    /// Makes a draft known.
    pub(super) fn new(path: &Path) -> Self {
        drafts().push(path.to_owned());
        Self(path.to_owned())
    }

    /// Gives the draft its final name, unless the program is ending.
    pub(super) fn commit<T>(self, rename: impl FnOnce() -> T) -> T {
        let known = drafts();
        let renamed = rename();
        drop(known);
        renamed
    }
}

impl Drop for OwnDraft {
    fn drop(&mut self) {
        drafts().retain(|draft| *draft != self.0);
    }
}

/// Removes a draft, a file or a folder, in which another thread may still be writing.
fn remove(draft: &Path) {
    for _ in 0..ATTEMPTS {
        let removed = if draft.is_dir() { fs::remove_dir_all(draft) } else { fs::remove_file(draft) };
        if removed.is_ok() || fs::symlink_metadata(draft).is_err() {
            return;
        }
    }
}

/// How often the removal of a folder is tried, into which files come meanwhile.
const ATTEMPTS: usize = 100;

/// Removes all drafts of this program, which then has to end: no further draft is begun or gets its name.
pub fn abandon_drafts() {
    let known = drafts();
    for draft in known.iter() {
        remove(draft);
    }
    // Whoever waits for the list waits until the end.
    forget(known);
}
