//! Standard output: locked, buffered, and an error when it cannot be written, so that a closed pipe can be told.

use std::fs;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};
use thiserror::Error;

/// Standard output that cannot be written.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot write to standard output")]
struct Unwritable(#[source] io::Error);

/// The locked standard output of a command.
pub(super) struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    is_terminal: bool,
}

impl Output {
    /// Locks standard output.
    pub(super) fn lock() -> Self {
        let stdout = io::stdout().lock();
        let is_terminal = stdout.is_terminal();
        Self { writer: BufWriter::new(stdout), is_terminal }
    }

    /// Somebody watches.
    pub(super) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Writes text; at once when somebody watches.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(super) fn write(&mut self, text: &str) -> Result<(), Report> {
        self.writer.write_all(text.as_bytes()).map_err(Unwritable)?;
        if self.is_terminal { self.flush() } else { Ok(()) }
    }

    /// Writes what is buffered.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(super) fn flush(&mut self) -> Result<(), Report> {
        Ok(self.writer.flush().map_err(Unwritable)?)
    }
}

/// A file that cannot be written.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot write {path}", path = path.display())]
#[diagnostic(help("check the folder, its permissions and the space left"))]
struct NotWritten {
    path: PathBuf,
    #[source]
    source: io::Error,
}

/// Writes a file whole or not at all: under another name first, then renamed.
///
/// # Errors
/// A report that names the file.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), Report> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let written = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
    Ok(written.map_err(|source| NotWritten { path: path.to_owned(), source })?)
}
