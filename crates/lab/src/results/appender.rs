//! Files that grow at their end, and can be cut back to their last complete run.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use super::atomic::{AtomicFile, may_be_killed_here};

/// A file, or what stands for one, that rows are appended to.
pub trait Appender: Send {
    /// Appends all bytes, or fails with some of them possibly written.
    ///
    /// # Errors
    /// When not all bytes could be written.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Removes everything after the first `len` bytes.
    ///
    /// # Errors
    /// When it cannot be removed.
    fn cut(&mut self, len: u64) -> io::Result<()>;
}

/// A file to append to, locked against a second program while it is open.
pub(crate) struct FileAppender {
    file: File,
    /// What it has replaced, locked as long: another program may have opened that just before.
    _before: Option<Box<dyn Appender>>,
}

impl FileAppender {
    /// Opens a file, creating it if it does not exist.
    ///
    /// # Errors
    /// When it cannot be opened, is a link or not a regular file, or another program appends to it.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("it is a link, or not a regular file"));
        }
        may_be_killed_here()?;
        let file = OpenOptions::new().create(true).read(true).write(true).truncate(false).open(path)?;
        lock(&file)?;
        Ok(Self { file, _before: None })
    }

    /// Commits a file in place of one that this program has locked: no other program can come between.
    ///
    /// # Errors
    /// When it cannot be locked or renamed.
    pub(super) fn replace(before: Box<dyn Appender>, file: AtomicFile) -> io::Result<Self> {
        Ok(Self { file: file.commit_locked()?, _before: Some(before) })
    }
}

impl Appender for FileAppender {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        may_be_killed_here()?;
        // The file may have been cut since the last rows.
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(bytes)
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        may_be_killed_here()?;
        self.file.set_len(len)
    }
}

/// Locks a file; tries it for a moment, because somebody may just be looking at it.
fn lock(file: &File) -> io::Result<()> {
    for _ in 0..4 {
        if file.try_lock().is_ok() {
            return Ok(());
        }
        sleep(Duration::from_millis(4));
    }
    Ok(file.try_lock()?)
}

/// Whether a program appends to a file.
pub(super) fn is_locked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
