//! The target of an export: a stream, or a file or folder that appears complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Export, ExportError, ExportFormat, ExportRows, FileError};
use crate::results::{AtomicFolder, OutputFile};

/// Hands out the files that a format writes.
pub trait Files {
    /// Writes a file by its path below the export, parts divided by `/`; where the format is one file the path is empty.
    ///
    /// # Errors
    /// Those of `write`, or [`ExportError::Write`].
    fn file(&mut self, path: &str, write: &mut WriteFile<'_>) -> Result<(), ExportError>;
}

/// Writes the text of one file.
pub type WriteFile<'a> = dyn FnMut(&mut (dyn Write + Send)) -> Result<(), FileError> + 'a;

/// The target of an export.
pub enum Target<'a> {
    /// A stream with its name in errors, such as standard output.
    Stream(&'a str, Box<dyn Write + Send>),
    /// A new file or folder.
    Path(&'a Path),
    /// A file that may replace another; for a format that is a folder the same as [`Path`](Self::Path).
    Over(&'a Path),
}

impl Target<'_> {
    /// Writes an export. A file or folder appears when it is complete.
    ///
    /// # Errors
    /// [`ExportError::Occupied`], [`ExportError::NeedsFolder`], [`ExportError::NoTable`], and those of the format.
    pub fn write(self, format: &ExportFormat, export: &Export, rows: ExportRows) -> Result<(), ExportError> {
        if rows == ExportRows::Convergence && !format.is_table {
            return Err(ExportError::NoTable { format: format.name });
        }
        let (path, over) = match self {
            Self::Stream(..) if format.is_folder => {
                return Err(ExportError::NeedsFolder { format: format.name });
            }
            Self::Stream(name, mut writer) => {
                let mut file = OneFile { path: name.into(), writer: &mut *writer };
                return match (format.write)(export, rows, &mut file) {
                    Err(ExportError::Write { source, .. }) => {
                        Err(ExportError::Stream { name: name.to_owned(), source })
                    }
                    written => written,
                };
            }
            Self::Path(path) => (path, false),
            Self::Over(path) => (path, true),
        };
        match Destination::of(path, format.is_folder, over)? {
            Destination::Folder => {
                let folder = AtomicFolder::create(path).map_err(ExportError::write(path))?;
                (format.write)(export, rows, &mut Tree { root: folder.draft().to_owned() })?;
                folder.commit().map_err(|error| taken(path, error))
            }
            Destination::File => {
                let mut file = OutputFile::create(path).map_err(ExportError::write(path))?;
                (format.write)(export, rows, &mut OneFile { path: path.to_owned(), writer: &mut file })?;
                file.commit(over).map_err(|error| taken(path, error))
            }
        }
    }
}

/// What to write at a path.
enum Destination {
    /// A new folder, or one that is empty.
    Folder,
    /// A file, a device or a pipe.
    File,
}

impl Destination {
    /// # Errors
    /// [`ExportError::Occupied`].
    fn of(path: &Path, is_folder: bool, over: bool) -> Result<Self, ExportError> {
        let occupied = |state| Err(ExportError::Occupied { path: path.to_owned(), state });
        if is_folder {
            // What cannot be looked at cannot be written either, and creating it says why.
            let Ok(found) = fs::metadata(path) else { return Ok(Self::Folder) };
            if !found.is_dir() {
                return occupied("already exists");
            }
            if fs::read_dir(path).map_err(ExportError::write(path))?.next().is_some() {
                return occupied("is not empty");
            }
            return Ok(Self::Folder);
        }
        let Ok(found) = fs::symlink_metadata(path) else { return Ok(Self::File) };
        if found.is_dir() {
            return occupied("is a folder");
        }
        if !over && OutputFile::is_taken(path) {
            return occupied("already exists");
        }
        Ok(Self::File)
    }
}

/// The error of the final rename; another program may have taken the path.
fn taken(path: &Path, error: io::Error) -> ExportError {
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => {
            ExportError::Occupied { path: path.to_owned(), state: "already exists" }
        }
        _ => ExportError::write(path)(error),
    }
}

/// The only file of a format.
struct OneFile<'a> {
    path: PathBuf,
    writer: &'a mut (dyn Write + Send),
}

impl Files for OneFile<'_> {
    fn file(&mut self, _path: &str, write: &mut WriteFile<'_>) -> Result<(), ExportError> {
        write_through(&self.path, self.writer, write)
    }
}

/// Files below a folder.
struct Tree {
    root: PathBuf,
}

impl Files for Tree {
    fn file(&mut self, path: &str, write: &mut WriteFile<'_>) -> Result<(), ExportError> {
        let mut at = self.root.clone();
        at.extend(path.split('/'));
        let folder = at.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(ExportError::write(folder))?;
        let mut file = File::create_new(&at).map_err(ExportError::write(&at))?;
        write_through(&at, &mut file, write)
    }
}

fn write_through(
    path: &Path,
    writer: &mut (dyn Write + Send),
    write: &mut WriteFile<'_>,
) -> Result<(), ExportError> {
    let mut writer = BufWriter::new(writer);
    match write(&mut writer).and_then(|()| Ok(writer.flush()?)) {
        Ok(()) => Ok(()),
        Err(FileError::Io(source)) => Err(ExportError::write(path)(source)),
        Err(FileError::Other(error)) => Err(error),
    }
}
