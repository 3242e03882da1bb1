//! Where text goes: standard output, locked and buffered, or a file that appears when all of it is written.

use std::fs::File;
use std::io::{BufWriter, IntoInnerError, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

use miette::{Diagnostic, Report};
use thiserror::Error;

use crate::report::Format;
use crate::results::AtomicFile;
use crate::text::coloured;

/// Standard output that cannot be written.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot write to standard output")]
struct Unwritable(#[source] io::Error);

/// The error of standard output that cannot be written.
pub(in crate::cli) fn unwritable(error: io::Error) -> Report {
    Unwritable(error).into()
}

/// What stands near the beginning of a file that may be replaced: kenga's own mark, or with `--force` nothing.
pub(in crate::cli) fn replaceable(mark: &'static str, force: bool) -> &'static str {
    if force { "" } else { mark }
}

/// The form of tables.
#[derive(clap::Args, Clone, Copy)]
#[group(multiple = false)]
pub(in crate::cli) struct Form {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the table as comma-separated values
    #[arg(long)]
    csv: bool,
    /// Print the table in Markdown
    #[arg(long)]
    markdown: bool,
    /// Print the table in LaTeX, for the package booktabs
    #[arg(long)]
    latex: bool,
}

impl Form {
    /// The form that the arguments ask for; text for people without any.
    pub(in crate::cli) fn format(self) -> Format {
        match self {
            Self { json: true, .. } => Format::Json,
            Self { csv: true, .. } => Format::Csv,
            Self { markdown: true, .. } => Format::Markdown,
            Self { latex: true, .. } => Format::Latex,
            _ => Format::Text,
        }
    }
}

/// The locked standard output of a command.
pub(in crate::cli) struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    is_terminal: bool,
}

impl Output {
    /// Locks standard output.
    pub(in crate::cli) fn lock() -> Self {
        let stdout = io::stdout().lock();
        let is_terminal = stdout.is_terminal();
        Self { writer: BufWriter::new(stdout), is_terminal }
    }

    /// Somebody watches.
    pub(in crate::cli) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Writes text; at once when somebody watches.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(in crate::cli) fn write(&mut self, text: &str) -> Result<(), Report> {
        // Data goes out as it is; a terminal obeys nobody but us.
        match self.is_terminal {
            true => self.write_bytes(coloured(text).as_bytes()),
            false => self.write_bytes(text.as_bytes()),
        }
    }

    /// Writes what may be no text.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(in crate::cli) fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Report> {
        self.writer.write_all(bytes).map_err(Unwritable)?;
        if self.is_terminal { self.flush() } else { Ok(()) }
    }

    /// Writes what is buffered.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(in crate::cli) fn flush(&mut self) -> Result<(), Report> {
        Ok(self.writer.flush().map_err(Unwritable)?)
    }
}

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
pub(in crate::cli) enum Sink {
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
pub(in crate::cli) fn write_file(
    path: &Path,
    content: impl AsRef<[u8]>,
    ours: Option<&str>,
) -> Result<(), Report> {
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
pub(in crate::cli) struct Pending {
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
    pub(in crate::cli) fn new(path: Option<&Path>, force: bool) -> Result<Self, Report> {
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
    pub(in crate::cli) fn write(&mut self, text: &str) -> Result<(), Report> {
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
    pub(in crate::cli) fn finish(mut self) -> Result<(), Report> {
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
