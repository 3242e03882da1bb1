//! A ZIP file that appears complete, and has the same bytes for the same files: entries have no time and no owner.
//!
//! Files are read, hashed, packed and written piece by piece: one may be larger than memory.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use sha2::{Digest, Sha256};

use super::ResultsError;
use super::checksums::hexadecimal;
use super::files::is_file;
use super::output::OutputFile;
use kenga_core::budget::Interrupt;

/// A ZIP file being written; dropping it removes it.
pub struct Archive {
    zip: ZipArchiveWriter<OutputFile>,
    interrupt: Interrupt,
}

/// What an entry holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveEntry {
    /// Its path, parts divided by `/`.
    pub name: String,
    /// Bytes before packing.
    pub size: u64,
    /// The SHA-256 of these bytes in hexadecimal.
    pub digest: String,
}

/// Why an entry could not be added.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The user stopped it.
    #[error("stopped")]
    Stopped,
    /// The archive cannot be written.
    #[error(transparent)]
    Write(io::Error),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ResultsError),
}

/// Bytes that are read at once.
const PIECE: usize = 1 << 16;

impl Archive {
    /// Begins an archive.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn create(path: &Path, interrupt: &Interrupt) -> io::Result<Self> {
        Ok(Self { zip: ZipArchiveWriter::new(OutputFile::create(path)?), interrupt: interrupt.clone() })
    }

    /// Adds some bytes, as a program if `is_program`.
    ///
    /// # Errors
    /// [`ArchiveError`].
    pub fn text(&mut self, name: &str, bytes: &[u8], is_program: bool) -> Result<ArchiveEntry, ArchiveError> {
        self.add(name, &mut { bytes }, is_program, Path::new(name))
    }

    /// Adds a file.
    ///
    /// # Errors
    /// [`ArchiveError`].
    pub fn file(&mut self, name: &str, path: &Path) -> Result<ArchiveEntry, ArchiveError> {
        is_file(path).map_err(ResultsError::io("read", path))?;
        let mut file = File::open(path).map_err(ResultsError::io("read", path))?;
        self.add(name, &mut file, false, path)
    }

    fn add(
        &mut self,
        name: &str,
        from: &mut dyn Read,
        is_program: bool,
        path: &Path,
    ) -> Result<ArchiveEntry, ArchiveError> {
        let mode = if is_program { 0o755 } else { 0o644 };
        let entry = self.zip.new_file(name).compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = entry.unix_permissions(mode).start().map_err(unwritten)?;
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
        let (mut hash, mut size, mut piece) = (Sha256::new(), 0, vec![0; PIECE]);
        loop {
            // Every piece asks: a file may be larger than memory.
            if self.interrupt.is_raised() {
                return Err(ArchiveError::Stopped);
            }
            let read = from.read(&mut piece).map_err(ResultsError::io("read", path))?;
            if read == 0 {
                break;
            }
            hash.update(&piece[..read]);
            size += read as u64;
            writer.write_all(&piece[..read]).map_err(ArchiveError::Write)?;
        }
        let (packer, descriptor) = writer.finish().map_err(unwritten)?;
        packer.finish().map_err(ArchiveError::Write)?;
        entry.finish(descriptor).map_err(unwritten)?;
        Ok(ArchiveEntry { name: name.to_owned(), size, digest: hexadecimal(hash) })
    }

    /// Renames the archive to its path, where it replaces another only if `over` says so.
    ///
    /// # Errors
    /// When the rest cannot be written, or the path is taken.
    pub fn commit(self, over: bool) -> io::Result<()> {
        self.zip.finish().map_err(of_system)?.commit(over)
    }
}

fn unwritten(error: rawzip::Error) -> ArchiveError {
    ArchiveError::Write(of_system(error))
}

/// The error of the system that an archive has wrapped, which says it once.
fn of_system(error: rawzip::Error) -> io::Error {
    match error.into_kind() {
        rawzip::ErrorKind::IO(error) => error,
        kind => io::Error::other(rawzip::Error::from(kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(place: &Path, name: &str) -> Vec<u8> {
        let path = place.join(name);
        let mut archive = Archive::create(&path, &Interrupt::default()).expect("a file");
        let entry = archive.text("a/b.txt", b"some text\n", true).expect("memory is read");
        assert_eq!((entry.size, entry.digest.len()), (10, 64));
        archive.commit(false).expect("a free path");
        std::fs::read(path).expect("it is there")
    }

    #[test]
    fn the_same_files_give_the_same_bytes() {
        let place = tempfile::tempdir().expect("a folder");
        let (one, other) = (written(place.path(), "one.zip"), written(place.path(), "other.zip"));
        assert_eq!(one, other);
        let archive = rawzip::ZipArchive::from_slice(&one).expect("an archive");
        let entry = archive.entries().next_entry().expect("an entry").expect("one");
        assert_eq!(entry.mode().permissions() & 0o777, 0o755);
        assert_eq!(entry.uncompressed_size_hint(), 10);
    }

    #[test]
    fn what_is_stopped_leaves_nothing() {
        let place = tempfile::tempdir().expect("a folder");
        let interrupt = Interrupt::default();
        let mut archive = Archive::create(&place.path().join("a.zip"), &interrupt).expect("a file");
        interrupt.raise(2);
        assert!(matches!(archive.text("a", b"b", false), Err(ArchiveError::Stopped)));
        drop(archive);
        assert_eq!(std::fs::read_dir(place.path()).expect("a folder").count(), 0);
    }
}
