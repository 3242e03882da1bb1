//! Where an export goes: a file or a folder that appears when all of it is written, or a stream.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Export, ExportError, ExportFormat, Rows};
use crate::results::ResultsError;

/// Hands out the files that a format writes.
pub trait Files {
    /// Writes a file by its path below the export, parts divided by `/`; where the format is one file the path is empty.
    ///
    /// # Errors
    /// What `write` says, or [`ExportError::Write`].
    fn file(&mut self, path: &str, write: &mut WriteFile<'_>) -> Result<(), ExportError>;
}

/// Writes the text of one file.
pub type WriteFile<'a> = dyn FnMut(&mut (dyn Write + Send)) -> Result<(), FileError> + 'a;

/// An error on the way of a file.
pub enum FileError {
    /// The file cannot be written.
    Io(io::Error),
    /// Anything else.
    Other(ExportError),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ResultsError> for FileError {
    fn from(error: ResultsError) -> Self {
        Self::Other(error.into())
    }
}

impl From<ExportError> for FileError {
    fn from(error: ExportError) -> Self {
        Self::Other(error)
    }
}

/// Where an export goes.
pub enum Target<'a> {
    /// A stream that is called so in errors, such as standard output.
    Stream(&'a str, Box<dyn Write + Send>),
    /// A new file or folder.
    Path(&'a Path),
}

impl Target<'_> {
    /// Writes an export. A path appears when all of it is written; where anything is there already it stays as it is.
    ///
    /// # Errors
    /// [`ExportError::Occupied`], [`ExportError::NeedsFolder`], [`ExportError::NoTable`], and what the format says.
    pub fn write(self, format: &dyn ExportFormat, export: &Export, rows: Rows) -> Result<(), ExportError> {
        if rows == Rows::Convergence && !format.is_table() {
            return Err(ExportError::NoTable { format: format.name() });
        }
        match self {
            Self::Stream(..) if format.is_folder() => Err(ExportError::NeedsFolder { format: format.name() }),
            Self::Stream(name, writer) => {
                format.write(export, rows, &mut OneFile { path: name.into(), writer })
            }
            Self::Path(path) => {
                let whole = Whole::begin(path, format.is_folder())?;
                if format.is_folder() {
                    format.write(export, rows, &mut Tree { root: whole.part.clone() })?;
                } else {
                    let writer = File::create(&whole.part).map_err(ExportError::write(path))?;
                    let (path, writer) = (path.to_owned(), Box::new(writer));
                    format.write(export, rows, &mut OneFile { path, writer })?;
                }
                whole.finish()
            }
        }
    }
}

/// The only file of a format.
struct OneFile {
    path: PathBuf,
    writer: Box<dyn Write + Send>,
}

impl Files for OneFile {
    fn file(&mut self, _path: &str, write: &mut WriteFile<'_>) -> Result<(), ExportError> {
        write_through(&self.path, &mut self.writer, write)
    }
}

/// Files below a folder.
struct Tree {
    root: PathBuf,
}

impl Files for Tree {
    fn file(&mut self, path: &str, write: &mut WriteFile<'_>) -> Result<(), ExportError> {
        let path = path.split('/').fold(self.root.clone(), |path, part| path.join(part));
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(ExportError::write(folder))?;
        let file = File::create_new(&path).map_err(ExportError::write(&path))?;
        write_through(&path, &mut { file }, write)
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

/// A file or folder on its way; what was written of it is gone when it is dropped.
struct Whole {
    path: PathBuf,
    /// Its name until it is whole; the path itself for what is neither a file nor a folder.
    part: PathBuf,
    done: bool,
}

impl Whole {
    fn begin(path: &Path, is_folder: bool) -> Result<Self, ExportError> {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let mut part = PathBuf::from(part);
        match fs::metadata(path) {
            Ok(found) if found.is_dir() && is_folder => {
                if fs::read_dir(path).map_err(ExportError::write(path))?.next().is_some() {
                    return Err(ExportError::Occupied { path: path.to_owned(), state: "is not empty" });
                }
            }
            Ok(found) if found.is_dir() => {
                return Err(ExportError::Occupied { path: path.to_owned(), state: "is a folder" });
            }
            Ok(found) if found.is_file() || is_folder => {
                return Err(ExportError::Occupied { path: path.to_owned(), state: "is there already" });
            }
            // A device or a pipe takes the text as it comes.
            Ok(_) => part = path.to_owned(),
            Err(_) => {}
        }
        if is_folder {
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(ExportError::write(path))?;
            }
            fs::create_dir(&part).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => ExportError::Occupied {
                    path: part.clone(),
                    state: "was left by an export that was ended",
                },
                _ => ExportError::write(path)(error),
            })?;
        }
        Ok(Self { path: path.to_owned(), part, done: false })
    }

    fn finish(mut self) -> Result<(), ExportError> {
        self.done = true;
        if self.part == self.path {
            return Ok(());
        }
        if self.path.is_dir() {
            fs::remove_dir(&self.path).map_err(ExportError::write(&self.path))?;
        }
        fs::rename(&self.part, &self.path).map_err(ExportError::write(&self.path))
    }
}

impl Drop for Whole {
    /// Leaves nothing of what was not completed.
    fn drop(&mut self) {
        if !self.done && self.part != self.path {
            // Nothing is lost but the space when this fails.
            drop(if self.part.is_dir() {
                fs::remove_dir_all(&self.part)
            } else {
                fs::remove_file(&self.part)
            });
        }
    }
}
