//! Files that appear complete: written under a temporary name in the same folder, then renamed.
//!
//! The temporary name is created exclusively, so that no link is followed and no two programs write one draft. The drafts
//! that a killed program leaves begin with a dot and end with `.part`.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::drafts::OwnDraft;

/// The first characters of drafts in a results folder.
const DRAFT: &str = ".kenga-";

/// The most bytes of a file's name in the names of its drafts, which have room for a few more.
const LONGEST_NAME: usize = 200;

/// The last characters of all drafts.
pub(super) const PART: &str = ".part";

/// A file being written; dropping it removes it.
pub struct AtomicFile {
    path: PathBuf,
    draft: NamedTempFile,
    own: OwnDraft,
}

impl AtomicFile {
    /// Begins a file, and removes the drafts of it that killed programs left.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let prefix = draft_prefix(path);
        remove_abandoned_files(folder_of(path), &prefix);
        may_be_killed_here()?;
        let draft = locked_draft(folder_of(path), &prefix)?;
        let own = OwnDraft::new(draft.path());
        Ok(Self { path: path.to_owned(), draft, own })
    }

    /// Renames the file to its path, where it replaces any other.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn commit(self) -> io::Result<()> {
        may_be_killed_here()?;
        self.own.commit(|| self.draft.persist(&self.path)).map(drop).map_err(|error| error.error)
    }

    /// Waits until a crash of the system cannot lose what was written.
    ///
    /// # Errors
    /// When the system says so.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.draft.as_file().sync_all()
    }

    /// Renames the file to its path, which must be free.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] when the path is taken, or when it cannot be renamed.
    pub fn commit_new(self) -> io::Result<()> {
        may_be_killed_here()?;
        self.own.commit(|| self.draft.persist_noclobber(&self.path)).map(drop).map_err(|error| error.error)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.draft.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.draft.flush()
    }
}

/// The beginning of the names of the drafts of a file. A file with a very long name shares it with those named alike.
fn draft_prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let end = name.floor_char_boundary(LONGEST_NAME);
    format!("{DRAFT}{}.", &name[..end])
}

/// A new draft that this program has locked, as long as the file system knows locks.
fn locked_draft(folder: &Path, prefix: &str) -> io::Result<NamedTempFile> {
    loop {
        let draft = builder(0o666).prefix(prefix).suffix(PART).tempfile_in(folder)?;
        // Before it is locked, another program may take it for one that was left.
        // A file system without locks says something else than that it is locked.
        let is_ours = !matches!(draft.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if is_ours && fs::symlink_metadata(draft.path()).is_ok() {
            return Ok(draft);
        }
    }
}

/// Removes the drafts of a file that no program has locked. One that cannot be removed stays.
fn remove_abandoned_files(folder: &Path, prefix: &str) {
    for entry in drafts_in(folder, prefix).unwrap_or_default() {
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(draft) = File::open(entry.path()) else { continue };
        // The lock is held until the draft is gone, so that who has just begun it sees that it was taken for abandoned.
        if draft.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes a file completely or not at all.
pub fn write_whole(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(text)?;
    file.commit()
}

/// Whether the name is that of a draft, or of the lock of one.
pub(crate) fn is_draft(name: &str) -> bool {
    name.starts_with(DRAFT)
}

/// Removes the drafts of files that killed programs left in a folder that this program has locked.
pub(super) fn remove_drafts(folder: &Path) -> io::Result<()> {
    for entry in drafts_in(folder, DRAFT)? {
        may_be_killed_here()?;
        fs::remove_file(entry.path())?;
    }
    Ok(())
}

/// The drafts in a folder whose names begin so.
pub(super) fn drafts_in(folder: &Path, prefix: &str) -> io::Result<Vec<DirEntry>> {
    let mut drafts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix) && name.ends_with(PART)) {
            drafts.push(entry);
        }
    }
    Ok(drafts)
}

/// The folder that holds a path.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A builder of drafts with the permissions of ordinary new files.
pub(super) fn builder(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    builder
}

/// Called before every change of a file or a folder, so that tests can fail there.
#[cfg(not(test))]
pub(super) fn may_be_killed_here() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(super) use fault::may_be_killed_here;

/// Fails at a chosen change of a file, as if the program were killed there.
#[cfg(test)]
pub(super) mod fault {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        /// How many changes may still be made; `None` for no bound.
        static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
    }

    /// Lets this thread make a number of changes, and none after them.
    pub(in crate::results) fn after(changes: Option<u64>) {
        LEFT.set(changes);
    }

    pub(in crate::results) fn may_be_killed_here() -> io::Result<()> {
        match LEFT.get() {
            Some(0) => Err(io::Error::other("killed")),
            left => {
                LEFT.set(left.map(|left| left - 1));
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_replaces_another_or_stays_away() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("a");
        write_whole(&path, b"one").expect("it can be written");
        let mut second = AtomicFile::create(&path).expect("it can be written");
        second.write_all(b"two").expect("it can be written");
        let refused = second.commit_new().expect_err("it is there");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        write_whole(&path, b"three").expect("it can be written");
        assert_eq!(fs::read(&path).expect("it is there"), b"three");
        assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 1, "no draft is left");
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_and_permissions_are_those_of_any_file() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let place = tempfile::tempdir().expect("a folder");
        let [path, other, plain] = ["a", "other", "plain"].map(|name| place.path().join(name));
        fs::write(&other, "mine").expect("it can be written");
        symlink(&other, &path).expect("a link");
        symlink(&other, place.path().join("a.part")).expect("a link");
        write_whole(&path, b"text").expect("it can be written");
        fs::write(&plain, "").expect("it can be written");
        assert_eq!(fs::read(&other).expect("it is there"), b"mine");
        let mode = |path| fs::metadata(path).expect("it is there").permissions().mode();
        assert_eq!(mode(&path), mode(&plain));
    }

    #[test]
    fn drafts_of_a_killed_program_are_removed_and_those_of_a_living_one_are_not() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("a.zip");
        for name in [".kenga-a.zip.1.part", ".kenga-b.zip.1.part", ".a.zip.1.part", ".kenga-a.zip.1"] {
            fs::write(place.path().join(name), "left").expect("it is written");
        }
        let living = AtomicFile::create(&path).expect("it can be written");
        write_whole(&path, b"text").expect("it can be written");
        assert!(living.draft.path().exists());
        let is_there = |name: &str| place.path().join(name).exists();
        assert_eq!(
            [".kenga-a.zip.1.part", ".kenga-b.zip.1.part", ".a.zip.1.part", ".kenga-a.zip.1"].map(is_there),
            [false, true, true, true]
        );
        drop(living);
        assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 4, "its draft is gone");
    }

    #[test]
    fn a_name_of_any_length_has_drafts() {
        let place = tempfile::tempdir().expect("a folder");
        write_whole(&place.path().join("é".repeat(120)), b"text").expect("it can be written");
    }

    #[test]
    fn of_many_writers_of_one_file_all_end() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("a");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope
                    .spawn(|| (0..100).for_each(|_| write_whole(&path, b"text").expect("it can be written")));
            }
        });
        assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 1, "no draft is left");
    }
}
