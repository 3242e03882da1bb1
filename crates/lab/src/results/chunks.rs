//! The chunks of a file that runs append to: the lines of a plain one, the gzip members of a packed one (RFC 1952).

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;

use super::files::is_file;

/// The most bytes of one run, unpacked: more must be damage, and would have to fit in memory.
pub(super) const MOST: usize = if cfg!(test) { 1 << 20 } else { 1 << 30 };

/// The source of chunks: the lines of a plain file, the members of a packed one.
pub(super) struct Chunks {
    file: CountingReader,
    pub(super) is_packed: bool,
}

impl Chunks {
    /// Opens one of so many files that are read in turns.
    pub(super) fn open(path: &Path, files: usize) -> io::Result<Self> {
        is_file(path)?;
        let file = BufReader::with_capacity(buffer_of(files), RowSource::open(path, files)?);
        Ok(Self { file: CountingReader { file, position: 0 }, is_packed: is_packed(path) })
    }

    /// Bytes of the file that were read.
    pub(super) fn position(&self) -> u64 {
        self.file.position
    }

    /// The file is opened anew whenever it is read.
    #[cfg(test)]
    pub(super) fn is_closed(&self) -> bool {
        matches!(self.file.file.get_ref(), RowSource::Closed { .. })
    }

    /// Reads the next chunk, nothing at the end; says whether it is complete.
    pub(super) fn chunk(&mut self, into: &mut Vec<u8>) -> io::Result<bool> {
        into.clear();
        if self.is_packed { self.member(into) } else { self.record(into) }
    }

    fn member(&mut self, into: &mut Vec<u8>) -> io::Result<bool> {
        if self.file.fill_buf()?.is_empty() {
            return Ok(true);
        }
        match GzDecoder::new(&mut self.file).take(MOST as u64 + 1).read_to_end(into) {
            Ok(read) if read > MOST => Err(too_much()),
            Ok(_) => Ok(into.ends_with(b"\n")),
            Err(error) if is_tear(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// A quoted line break, as in the id of a puzzle, does not end a record.
    fn record(&mut self, into: &mut Vec<u8>) -> io::Result<bool> {
        let mut is_closed = true;
        loop {
            // One byte too many shows that there are more.
            let read = (&mut self.file).take(MOST as u64 + 1).read_until(b'\n', into)?;
            if into.len() > MOST {
                return Err(too_much());
            }
            let quotes = into[into.len() - read..].iter().filter(|byte| **byte == b'"').count();
            is_closed ^= !quotes.is_multiple_of(2);
            if read == 0 || is_closed {
                return Ok(into.is_empty() || is_closed && into.ends_with(b"\n"));
            }
        }
    }
}

pub(super) fn too_much() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("one run has more than {} MiB there", MOST >> 20))
}

/// Whether the bytes are wrong, rather than the reading.
fn is_tear(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

/// The most files that stay open: systems often allow a program 1024, of which it needs some itself.
const OPEN: usize = 256;

/// Bytes that are read ahead of one of so many files: of a hundred thousand they fit into memory.
fn buffer_of(files: usize) -> usize {
    ((64 << 20) / files.max(1)).clamp(512, 8 << 10)
}

/// A file that is read from its beginning.
enum RowSource {
    /// It stays open.
    Open(File),
    /// One of many: it is opened whenever it is read.
    Closed { path: PathBuf, position: u64 },
}

impl RowSource {
    fn open(path: &Path, files: usize) -> io::Result<Self> {
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

/// A reader that counts the bytes read.
struct CountingReader {
    file: BufReader<RowSource>,
    position: u64,
}

impl Read for CountingReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(into)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl BufRead for CountingReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.file.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.position += bytes as u64;
        self.file.consume(bytes);
    }
}

/// Whether a file is packed, judged by its name.
pub(super) fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}
