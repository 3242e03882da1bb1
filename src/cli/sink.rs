//! Where text goes: standard output, or a file that appears when all of it is written.

use std::fs::{self, File};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};
use thiserror::Error;

use super::output::Output;
use crate::results::AtomicFile;

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
pub(super) fn write_file(path: &Path, content: impl AsRef<[u8]>, ours: Option<&str>) -> Result<(), Report> {
    let content = content.as_ref();
    if fs::metadata(path).is_ok_and(|found| found.is_file()) {
        let there = fs::read(path).unwrap_or_default();
        let beginning = String::from_utf8_lossy(&there[..there.len().min(BEGINNING)]);
        if there != content && !ours.is_some_and(|ours| beginning.contains(ours)) {
            return Err(SinkError::Exists { path: path.to_owned(), or_else: ", or remove it first" }.into());
        }
    }
    let mut sink = Sink::new(Some(path), true)?;
    sink.write_bytes(content)?;
    sink.finish()
}

/// How many bytes of a file tell who wrote it.
const BEGINNING: usize = 1000;

/// A file on its way; nothing is left of one that was not completed.
pub(super) struct Pending {
    path: PathBuf,
    /// It appears when it is complete; what is no plain file, such as a device, takes the text as it comes.
    is_atomic: bool,
    writer: Option<BufWriter<Goal>>,
}

/// What a pending file is written to.
enum Goal {
    Atomic(AtomicFile),
    Plain(File),
}

impl Write for Goal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Atomic(file) => file.write(bytes),
            Self::Plain(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Atomic(file) => file.flush(),
            Self::Plain(file) => file.flush(),
        }
    }
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
        let is_atomic = match fs::metadata(&path) {
            Ok(found) if found.is_file() && !force => {
                return Err(SinkError::Exists { path, or_else: ", or overwrite it with --force" }.into());
            }
            Ok(found) => found.is_file(),
            Err(_) => true,
        };
        Ok(Self::File(Pending { path, is_atomic, writer: None }))
    }

    /// Writes text.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Report> {
        self.write_bytes(text.as_bytes())
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Report> {
        match self {
            Self::Output(output) => output.write_bytes(bytes),
            Self::File(pending) => Ok(pending.write(bytes).map_err(|source| pending.unwritable(source))?),
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
    fn write(&mut self, content: &[u8]) -> io::Result<()> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => none.insert(BufWriter::new(match self.is_atomic {
                true => Goal::Atomic(AtomicFile::create(&self.path)?),
                false => Goal::Plain(File::create(&self.path)?),
            })),
        };
        writer.write_all(content)
    }

    fn finish(&mut self) -> io::Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        match writer.into_inner().map_err(IntoInnerError::into_error)? {
            Goal::Atomic(file) => file.commit(),
            Goal::Plain(_) => Ok(()),
        }
    }

    fn unwritable(&self, source: io::Error) -> SinkError {
        SinkError::Unwritable { path: self.path.clone(), source }
    }
}
