//! Files that grow at their end, and can be cut back to what was whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use super::atomic::step;

/// Something that rows are appended to.
pub trait Appender: Send {
    /// Appends all bytes, or fails with some of them possibly written.
    ///
    /// # Errors
    /// When not all bytes could be written.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Cuts everything after the first `len` bytes.
    ///
    /// # Errors
    /// When it cannot be cut.
    fn cut(&mut self, len: u64) -> io::Result<()>;
}

/// A file to append to, locked against a second program while it is open.
#[derive(Debug)]
pub struct FileAppender(File);

impl FileAppender {
    /// Opens a file, making it if it is not there.
    ///
    /// # Errors
    /// When it cannot be opened, is a link or no file, or another program appends to it.
    pub fn open(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("it is a link, or no file"));
        }
        step()?;
        let file = OpenOptions::new().create(true).read(true).write(true).truncate(false).open(path)?;
        file.try_lock()?;
        Ok(Self(file))
    }
}

impl Appender for FileAppender {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        step()?;
        self.0.seek(SeekFrom::End(0))?;
        self.0.write_all(bytes)
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        step()?;
        self.0.set_len(len)
    }
}
