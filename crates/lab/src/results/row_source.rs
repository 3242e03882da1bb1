//! The bytes of files that are read in turns, of which systems let a program have some hundreds open.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// The most files that stay open: systems often allow a program 1024, of which it needs some itself.
const OPEN: usize = 256;

/// Bytes that are read ahead of one of so many files: of a hundred thousand they fit into memory.
pub(super) fn buffer_of(files: usize) -> usize {
    ((64 << 20) / files.max(1)).clamp(512, 64 << 10)
}

/// A file that is read from its beginning.
pub(super) enum RowSource {
    /// The file stays open.
    Open(File),
    /// One of many files: it is opened for each read.
    Closed { path: PathBuf, position: u64 },
}

impl RowSource {
    pub(super) fn open(path: &Path, files: usize) -> io::Result<Self> {
        let file = File::open(path)?;
        if files <= OPEN {
            return Ok(Self::Open(file));
        }
        Ok(Self::Closed { path: path.to_owned(), position: 0 })
    }
}

impl Read for RowSource {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Open(file) => file.read(into),
            Self::Closed { path, position } => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(*position))?;
                let read = file.read(into)?;
                *position += read as u64;
                Ok(read)
            }
        }
    }
}
