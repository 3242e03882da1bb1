//! Folders that appear complete: written under a temporary name in the same folder, then renamed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::atomic::{PART, builder, drafts_in, folder_of, may_be_killed_here};
use super::drafts::OwnDraft;

/// The file in the draft of a folder that the writing program locks.
const LOCK: &str = ".kenga-lock";

/// Its name until it is locked.
const FRESH_LOCK: &str = ".kenga-lock-fresh";

/// A folder being written; dropping it removes it.
pub struct AtomicFolder {
    path: PathBuf,
    draft: TempDir,
    own: OwnDraft,
    /// Tells other programs that the draft is in use.
    lock: File,
}

impl AtomicFolder {
    /// Begins a folder, and removes the drafts of it that killed programs left.
    ///
    /// # Errors
    /// When the folder above cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        // The path may end with a slash, or be a link to an empty folder.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let above = folder_of(&path);
        fs::create_dir_all(above)?;
        let prefix = draft_prefix(&path);
        remove_abandoned(above, &prefix)?;
        may_be_killed_here()?;
        let draft = builder(0o777).prefix(&prefix).suffix(PART).tempdir_in(above)?;
        let own = OwnDraft::new(draft.path());
        may_be_killed_here()?;
        // Locked before it gets its name: a lock of that name that can be taken is always that of a killed program.
        let fresh = draft.path().join(FRESH_LOCK);
        let lock = File::create_new(&fresh)?;
        lock.try_lock()?;
        may_be_killed_here()?;
        fs::rename(fresh, draft.path().join(LOCK))?;
        Ok(Self { path, draft, own, lock })
    }

    /// Removes the drafts of a folder that killed programs left, and begins no other.
    ///
    /// # Errors
    /// When a draft cannot be removed.
    pub(super) fn clean_up(path: &Path) -> io::Result<()> {
        match fs::canonicalize(path) {
            Ok(path) => remove_abandoned(folder_of(&path), &draft_prefix(&path)),
            Err(_) => Ok(()),
        }
    }

    /// The folder to write to until it is complete.
    pub fn draft(&self) -> &Path {
        self.draft.path()
    }

    /// Renames the folder to its path, which must be free or an empty folder.
    ///
    /// # Errors
    /// [`io::ErrorKind::DirectoryNotEmpty`] for a folder that is not empty, or when it cannot be renamed.
    pub fn commit(self) -> io::Result<()> {
        may_be_killed_here()?;
        fs::remove_file(self.draft.path().join(LOCK))?;
        drop(self.lock);
        may_be_killed_here()?;
        self.own.commit(|| rename_folder(self.draft.path(), &self.path))?;
        drop(self.draft.keep());
        Ok(())
    }
}

fn rename_folder(from: &Path, to: &Path) -> io::Result<()> {
    let renamed = fs::rename(from, to);
    if renamed.is_ok() || !to.is_dir() {
        return renamed;
    }
    // Some systems do not rename over an empty folder.
    fs::remove_dir(to)?;
    fs::rename(from, to)
}

/// The beginning of the names of the drafts of a folder.
fn draft_prefix(path: &Path) -> String {
    format!(".{}.", path.file_name().unwrap_or_default().to_string_lossy())
}

/// Removes the drafts of a folder that no program is writing.
fn remove_abandoned(above: &Path, prefix: &str) -> io::Result<()> {
    for entry in drafts_in(above, prefix)? {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_if_abandoned(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes a draft whose lock is free. Another program may remove or commit it at the same time.
fn remove_if_abandoned(draft: &Path) -> io::Result<()> {
    let path = draft.join(LOCK);
    // A link is not followed.
    if !is_plain_file(&path) {
        return Ok(());
    }
    let Ok(lock) = File::open(&path) else { return Ok(()) };
    // A writer removes the lock before it releases it.
    if lock.try_lock().is_ok() && is_plain_file(&path) {
        may_be_killed_here()?;
        match remove_with_lock_last(draft) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Removes a draft. Its lock goes last: if this program is killed, the next one still sees that the draft is abandoned.
fn remove_with_lock_last(draft: &Path) -> io::Result<()> {
    for entry in fs::read_dir(draft)? {
        let entry = entry?;
        if entry.file_name() == LOCK {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
        may_be_killed_here()?;
    }
    fs::remove_dir_all(draft)
}

fn is_plain_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_folders_at_one_place_the_first_wins_and_nothing_is_left() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("a");
        fs::create_dir(&path).expect("an empty folder is as good as none");
        let [first, second] = [0, 1].map(|_| AtomicFolder::create(&path).expect("it can be written"));
        fs::write(first.draft().join("x"), "1").expect("it can be written");
        fs::write(second.draft().join("x"), "2").expect("it can be written");
        first.commit().expect("the place is free");
        assert_eq!(second.commit().expect_err("it is taken").kind(), io::ErrorKind::DirectoryNotEmpty);
        assert_eq!(fs::read(path.join("x")).expect("it is there"), b"1");
        assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn what_a_killed_program_has_left_is_removed_and_what_another_writes_is_not() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("a");
        for name in [".a.1.part", ".a.2.part", ".b.1.part"] {
            fs::create_dir(place.path().join(name)).expect("a folder");
        }
        fs::write(place.path().join(".a.1.part").join(LOCK), "").expect("it can be written");
        fs::write(place.path().join(".b.1.part").join(LOCK), "").expect("it can be written");
        let other = AtomicFolder::create(&path).expect("it can be written");
        let ours = AtomicFolder::create(&path).expect("it can be written");
        assert!(other.draft().exists() && ours.draft().exists());
        let is_there = |name: &str| place.path().join(name).exists();
        assert_eq!([".a.1.part", ".a.2.part", ".b.1.part"].map(is_there), [false, true, true]);
    }

    #[test]
    fn of_many_writers_at_one_place_one_wins_every_time() {
        let place = tempfile::tempdir().expect("a folder");
        for round in 0..100 {
            let path = place.path().join(round.to_string());
            let write = || {
                let folder = AtomicFolder::create(&path)?;
                fs::write(folder.draft().join("x"), "1")?;
                folder.commit()
            };
            let ended: Vec<io::Result<()>> = std::thread::scope(|scope| {
                let writers: Vec<_> = (0..4).map(|_| scope.spawn(write)).collect();
                writers.into_iter().map(|writer| writer.join().expect("no panic")).collect()
            });
            let lost: Vec<io::Error> = ended.into_iter().filter_map(Result::err).collect();
            assert_eq!(lost.len(), 3, "{lost:?}");
            assert!(lost.iter().all(|error| error.kind() == io::ErrorKind::DirectoryNotEmpty), "{lost:?}");
            assert_eq!(fs::read_dir(&path).expect("a folder").count(), 1);
        }
        assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 100, "no draft is left");
    }
}
