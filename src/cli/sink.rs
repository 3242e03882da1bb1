//! Where text goes: standard output, or a file that appears when all of it is written.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};
use thiserror::Error;

use super::output::Output;

/// A file that cannot be written.
#[derive(Debug, Error, Diagnostic)]
enum SinkError {
    #[error("{} is there already", path.display())]
    #[diagnostic(help("choose another name{}", or_else))]
    Exists { path: PathBuf, or_else: &'static str },
    #[error("cannot write {}", path.display())]
    #[diagnostic(help("check the folder, its permissions and the space left"))]
    Unwritable {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// Takes the text of puzzles, one after the other.
pub(super) enum Sink {
    /// Standard output.
    Output(Output),
    /// A file; nothing is made of it before the first text.
    File(Pending),
}

/// Writes a file whole or not at all. One that is there with other text is replaced only where `ours` stands near its
/// beginning, which tells what kenga wrote before; a device or a pipe takes the text as it comes.
///
/// # Errors
/// A report that names the file.
pub(super) fn write_file(path: &Path, text: &str, ours: Option<&str>) -> Result<(), Report> {
    if fs::metadata(path).is_ok_and(|found| found.is_file()) {
        let there = fs::read(path).unwrap_or_default();
        let beginning = String::from_utf8_lossy(&there[..there.len().min(BEGINNING)]);
        if there != text.as_bytes() && !ours.is_some_and(|ours| beginning.contains(ours)) {
            return Err(SinkError::Exists { path: path.to_owned(), or_else: ", or remove it first" }.into());
        }
    }
    let mut sink = Sink::new(Some(path), true)?;
    sink.write(text)?;
    sink.finish()
}

/// How many bytes of a file tell who wrote it.
const BEGINNING: usize = 1000;

/// A file on its way.
pub(super) struct Pending {
    path: PathBuf,
    /// Where its text goes until it is complete; the path itself for what is no plain file.
    part: PathBuf,
    writer: Option<BufWriter<File>>,
}

impl Sink {
    /// The sink for `-o`; standard output without it or for `-`.
    ///
    /// # Errors
    /// A report when a file of this name is there and may not be overwritten.
    pub(super) fn new(path: Option<&Path>, force: bool) -> Result<Self, Report> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::Output(Output::lock()));
        };
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let part = match fs::metadata(&path) {
            Ok(found) if found.is_file() && !force => {
                return Err(SinkError::Exists { path, or_else: ", or overwrite it with --force" }.into());
            }
            Ok(found) if !found.is_file() => path.clone(),
            _ => part_of(&path),
        };
        Ok(Self::File(Pending { path, part, writer: None }))
    }

    /// Writes text.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Report> {
        match self {
            Self::Output(output) => output.write(text),
            Self::File(pending) => Ok(pending.write(text).map_err(|source| pending.unwritable(source))?),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(super) fn finish(mut self) -> Result<(), Report> {
        match &mut self {
            Self::Output(output) => output.flush(),
            Self::File(pending) => Ok(pending.finish().map_err(|source| pending.unwritable(source))?),
        }
    }
}

impl Pending {
    fn write(&mut self, text: &str) -> io::Result<()> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => none.insert(BufWriter::new(File::create(&self.part)?)),
        };
        writer.write_all(text.as_bytes())
    }

    fn finish(&mut self) -> io::Result<()> {
        let Some(mut writer) = self.writer.take() else { return Ok(()) };
        writer.flush()?;
        if self.part == self.path { Ok(()) } else { fs::rename(&self.part, &self.path) }
    }

    fn unwritable(&self, source: io::Error) -> SinkError {
        SinkError::Unwritable { path: self.path.clone(), source }
    }
}

impl Drop for Pending {
    /// Leaves nothing of a file that was not completed.
    fn drop(&mut self) {
        if self.writer.take().is_some() && self.part != self.path {
            // Nothing is lost but the space when this fails.
            drop(fs::remove_file(&self.part));
        }
    }
}

fn part_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".part");
    path.with_file_name(name)
}
