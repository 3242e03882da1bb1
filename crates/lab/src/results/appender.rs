//! Files that grow at their end, and can be cut back to their last complete run.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use super::atomic::may_be_killed_here;

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
    /// Bytes of the file as far as this program has written it; `None` before the first write.
    length: Option<u64>,
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
        Ok(Self { file, length: None, _before: None })
    }

    /// Opens a file that will replace one that this program has locked.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub(super) fn open_behind(path: &Path, before: Box<dyn Appender>) -> io::Result<Self> {
        Ok(Self { _before: Some(before), ..Self::open(path)? })
    }
}

impl Appender for FileAppender {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        may_be_killed_here()?;
        // The file may have been cut since the last rows.
        let length = self.file.seek(SeekFrom::End(0))?;
        if self.length.is_some_and(|expected| expected != length) {
            return Err(io::Error::other("another program has changed the file meanwhile"));
        }
        self.length = None;
        self.file.write_all(bytes)?;
        self.length = Some(length + bytes.len() as u64);
        Ok(())
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        may_be_killed_here()?;
        // A file that another program has cut shorter is not filled up with zeros.
        if self.file.metadata()?.len() < len {
            return Err(io::Error::other("another program has cut the file shorter"));
        }
        self.file.set_len(len)?;
        self.length = Some(len);
        Ok(())
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
