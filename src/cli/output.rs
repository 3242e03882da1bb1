//! Standard output: locked, buffered, and an error when it cannot be written, so that a closed pipe can be told.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use miette::{Diagnostic, Report};
use thiserror::Error;

use crate::report::Format;
use crate::text::coloured;

/// Standard output that cannot be written.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot write to standard output")]
struct Unwritable(#[source] io::Error);

/// The error of standard output that cannot be written.
pub(super) fn unwritable(error: io::Error) -> Report {
    Unwritable(error).into()
}

/// What stands near the beginning of a file that may be replaced: kenga's own mark, or with `--force` nothing.
pub(super) fn replaceable(mark: &'static str, force: bool) -> &'static str {
    if force { "" } else { mark }
}

/// The form of tables.
#[derive(clap::Args, Clone, Copy)]
#[group(multiple = false)]
pub(super) struct Form {
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
    pub(super) fn format(self) -> Format {
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
    pub(super) fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Report> {
        self.writer.write_all(bytes).map_err(Unwritable)?;
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
