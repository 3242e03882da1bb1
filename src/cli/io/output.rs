//! Where text goes: standard output, locked and buffered, or a file that appears when all of it is written.

use std::io::{BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

use miette::{Diagnostic, Report, miette};
use thiserror::Error;

use super::exit::{CommandResult, Exit, wrote};
use super::terminal;
use kenga_core::text::{painted, printable};
use kenga_lab::results::OutputFile;
use kenga_report::{FigureFile, GENERATOR, Table, TableFormat, View, wrap};

/// Standard output that cannot be written.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot write to standard output")]
struct Unwritable(#[source] io::Error);

/// The error of standard output that cannot be written.
pub(in crate::cli) fn unwritable(error: io::Error) -> Report {
    Unwritable(error).into()
}

/// How a table is printed.
#[derive(clap::Args, Clone, Copy)]
#[group(multiple = false)]
pub(in crate::cli) struct TableForm {
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

impl TableForm {
    /// The form that the arguments ask for; text for people without any.
    pub(in crate::cli) fn format(self) -> TableFormat {
        match self {
            Self { json: true, .. } => TableFormat::Json,
            Self { csv: true, .. } => TableFormat::Csv,
            Self { markdown: true, .. } => TableFormat::Markdown,
            Self { latex: true, .. } => TableFormat::Latex,
            _ => TableFormat::Text,
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

    /// Standard output is a terminal.
    pub(in crate::cli) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Writes text; at once to a terminal.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(in crate::cli) fn write(&mut self, text: &str) -> Result<(), Report> {
        // Data goes out as it is; only our own escape sequences reach a terminal.
        if !self.is_terminal {
            self.write_bytes(text.as_bytes())
        } else if terminal::shows_on_stdout() {
            self.write_bytes(painted(text).as_bytes())
        } else {
            self.write_bytes(printable(text).as_bytes())
        }
    }

    /// Writes sentences, wrapped to the columns that there are.
    ///
    /// # Errors
    /// A report when they cannot be written.
    pub(in crate::cli) fn write_words(&mut self, text: &str) -> Result<(), Report> {
        self.write(&wrap(text, terminal::columns()))
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Report> {
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

/// Writes the text of a command that is then done.
///
/// # Errors
/// A report when it cannot be written.
pub(in crate::cli) fn print(text: &str) -> CommandResult {
    let mut output = Output::lock();
    output.write(text)?;
    output.flush()?;
    Ok(Exit::Done)
}

/// Writes the sentences of a command that is then done, wrapped to the columns that there are.
///
/// # Errors
/// A report when they cannot be written.
pub(in crate::cli) fn print_words(text: &str) -> CommandResult {
    let mut output = Output::lock();
    output.write_words(text)?;
    output.flush()?;
    Ok(Exit::Done)
}

/// A file that cannot be written.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot write {}", path.display())]
#[diagnostic(help("check the folder, its permissions and the space left"))]
struct UnwritableFile {
    path: PathBuf,
    #[source]
    source: io::Error,
}

/// The error of a file that cannot be written.
pub(in crate::cli) fn unwritable_file(path: &Path, source: io::Error) -> Report {
    UnwritableFile { path: path.to_owned(), source }.into()
}

fn exists_error(path: &Path, or_else: &str) -> Report {
    miette!(help = format!("choose another name, or {or_else}"), "{} already exists", path.display())
}

/// A folder that cannot be made.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot create the folder {path}", path = path.display())]
#[diagnostic(help("check its path and permissions"))]
struct UnusableFolder {
    path: PathBuf,
    #[source]
    source: io::Error,
}

/// Makes a folder where there is none.
///
/// # Errors
/// A report that names the folder.
pub(in crate::cli) fn make_folder(path: &Path) -> Result<(), Report> {
    fs::create_dir_all(path).map_err(|source| UnusableFolder { path: path.to_owned(), source }.into())
}

/// Which files may be replaced by others.
#[derive(Clone, Copy)]
pub(in crate::cli) enum Overwrite {
    Never,
    /// Those with kenga's mark near their beginning.
    Marked(&'static str),
    Always,
}

impl Overwrite {
    /// Files with this mark; with `--force` all.
    pub(in crate::cli) fn own(mark: &'static str, force: bool) -> Self {
        if force { Self::Always } else { Self::Marked(mark) }
    }

    fn allows(self, content: &[u8]) -> bool {
        match self {
            Self::Never => false,
            Self::Marked(mark) => {
                String::from_utf8_lossy(&content[..content.len().min(BEGINNING)]).contains(mark)
            }
            Self::Always => true,
        }
    }
}

/// Bytes at the start of a file in which kenga's mark is looked for.
const BEGINNING: usize = 1000;

/// Writes a file whole or not at all. One that is there with other text is replaced only if `overwrite` allows it; a device
/// or a pipe takes the text as it comes.
///
/// # Errors
/// A report that names the file.
pub(in crate::cli) fn write_file(
    path: &Path,
    content: impl AsRef<[u8]>,
    overwrite: Overwrite,
) -> Result<(), Report> {
    let content = content.as_ref();
    if OutputFile::is_taken(path) {
        let there = fs::read(path).unwrap_or_default();
        if there != content && !overwrite.allows(&there) {
            return Err(exists_error(path, "remove it first"));
        }
    }
    write_whole(path, content).map_err(|source| unwritable_file(path, source))
}

fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(content)?;
    file.commit(true)
}

/// Writes a table as comma-separated values; with `force` over any other file.
///
/// # Errors
/// A report that names the file.
pub(in crate::cli) fn write_table(path: &Path, table: &Table, force: bool) -> Result<(), Report> {
    let overwrite = if force { Overwrite::Always } else { Overwrite::Never };
    write_file(path, table.render(TableFormat::Csv, &View { width: 80, colour: false }), overwrite)
}

/// Writes figures into a folder, over kenga's own; with `force` over any other file.
///
/// # Errors
/// A report that names the file.
pub(in crate::cli) fn write_figures(
    folder: &Path,
    figures: &[FigureFile],
    force: bool,
) -> Result<(), Report> {
    for figure in figures {
        write_file(&folder.join(&figure.name), &figure.bytes, Overwrite::own(GENERATOR, force))?;
    }
    Ok(())
}

/// Where a command writes that has one output.
#[derive(clap::Args)]
pub(in crate::cli) struct OutputArgs {
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE", alias = "output")]
    out: Option<PathBuf>,
    /// Overwrite FILE if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

impl OutputArgs {
    /// Where it writes, as [`Destination::new`] says.
    pub(in crate::cli) fn open(&self) -> Result<Destination, Report> {
        Destination::new(self.out.as_deref(), self.force)
    }
}

/// Where a command writes: standard output at once, or a file that appears when all of it is there.
pub(in crate::cli) enum Destination {
    Output(Output),
    /// The draft is begun by the first bytes.
    File {
        path: PathBuf,
        draft: Option<OutputFile>,
        /// It may take the place of another.
        over: bool,
    },
}

/// Refuses a file that is there, or that stands in no folder, before the work is done.
///
/// # Errors
/// A report that names the file.
pub(in crate::cli) fn refuse_existing(path: &Path, force: bool) -> Result<(), Report> {
    if !force && OutputFile::is_taken(path) {
        return Err(exists_error(path, "overwrite it with --force"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.map(fs::metadata) {
        Some(Err(source)) => Err(unwritable_file(path, source)),
        _ => Ok(()),
    }
}

impl Destination {
    /// The destination for `-o`; standard output without it or for `-`.
    ///
    /// # Errors
    /// A report when a file of this name is there and may not be overwritten, or when its folder is not there.
    pub(in crate::cli) fn new(path: Option<&Path>, force: bool) -> Result<Self, Report> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::Output(Output::lock()));
        };
        refuse_existing(path, force)?;
        Ok(Self::File { path: path.to_owned(), draft: None, over: force })
    }

    /// The bytes go to a terminal.
    pub(in crate::cli) fn is_terminal(&self) -> bool {
        matches!(self, Self::Output(output) if output.is_terminal())
    }

    /// Takes text or other bytes.
    ///
    /// # Errors
    /// A report when they cannot be written.
    pub(in crate::cli) fn write(&mut self, more: impl AsRef<[u8]>) -> Result<(), Report> {
        let more = more.as_ref();
        match self {
            // Whatever it is, a terminal gets no sequences of others.
            Self::Output(output) if output.is_terminal() => output.write(&String::from_utf8_lossy(more)),
            Self::Output(output) => output.write_bytes(more),
            Self::File { .. } if more.is_empty() => Ok(()),
            Self::File { path, draft, .. } => {
                let written = match draft {
                    Some(draft) => draft.write_all(more),
                    None => OutputFile::create(path).and_then(|file| draft.insert(file).write_all(more)),
                };
                written.map_err(|source| unwritable_file(path, source))
            }
        }
    }

    /// Takes sentences, wrapped to the columns that there are.
    ///
    /// # Errors
    /// A report when they cannot be written.
    pub(in crate::cli) fn write_words(&mut self, more: &str) -> Result<(), Report> {
        match self {
            Self::Output(output) => output.write_words(more),
            Self::File { .. } => self.write(wrap(more, terminal::columns())),
        }
    }

    /// Writes what is buffered to standard output; a file appears when all of it is there.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(in crate::cli) fn flush(&mut self) -> Result<(), Report> {
        match self {
            Self::Output(output) => output.flush(),
            Self::File { .. } => Ok(()),
        }
    }

    /// Completes the file, and says on standard error that it is written; there is none without bytes.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(in crate::cli) fn finish(self) -> Result<(), Report> {
        self.finish_with("")
    }

    /// As [`finish`](Self::finish), with words about what is in the file.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(in crate::cli) fn finish_with(self, content: &str) -> Result<(), Report> {
        let name = match &self {
            Self::File { path, draft: Some(_), .. } => path.display().to_string(),
            _ => return self.complete(),
        };
        self.complete()?;
        let content = if content.is_empty() { String::new() } else { format!(" ({content})") };
        wrote(&format!("{name}{content}"));
        Ok(())
    }

    /// Completes the file and says nothing of it.
    ///
    /// # Errors
    /// A report when it cannot be written.
    pub(in crate::cli) fn complete(self) -> Result<(), Report> {
        match self {
            Self::Output(mut output) => output.flush(),
            Self::File { draft: None, .. } => Ok(()),
            Self::File { path, draft: Some(draft), over } => match draft.commit(over) {
                // Another program has taken the name meanwhile.
                Err(_) if !over && OutputFile::is_taken(&path) => {
                    Err(exists_error(&path, "overwrite it with --force"))
                }
                written => written.map_err(|source| unwritable_file(&path, source)),
            },
        }
    }
}
