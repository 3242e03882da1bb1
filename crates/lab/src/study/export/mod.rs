//! Results in the formats of other programs: one file per format, one line each in [`EXPORTS`].
//!
//! A format is a table of rows (`csv`, `json`, `parquet`) or that of a program of the field (`ioh`, `optuna`). All are given
//! the same [`Export`]: the runs of some folders, with the values of every setting by column. Formats never touch the file
//! system: they write to the [`Files`] of a [`Target`], which appear complete or not at all.

mod columns;
mod ioh;
mod names;
mod optuna;
mod parquet;
mod source;
mod tables;
mod target;

pub use names::Names;
pub use source::Export;
pub use target::{Files, Target};

use std::io;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use crate::results::ResultsError;

/// A format that another program reads.
pub struct ExportFormat {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// Whether it is a folder of files, not one file.
    is_folder: bool,
    /// Whether it is a table, which can hold the rows of convergence in place of the runs.
    is_table: bool,
    /// Writes the runs, or for a table the rows that are asked for.
    write: fn(&Export, ExportRows, &mut dyn Files) -> Result<(), ExportError>,
}

/// What the rows of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportRows {
    /// A row a run.
    Runs,
    /// A row a recorded generation.
    Convergence,
}

/// Every format.
#[rustfmt::skip]
pub static EXPORTS: &[ExportFormat] = &[
    tables::CSV,
    tables::JSON,
    parquet::FORMAT,
    ioh::FORMAT,
    optuna::FORMAT,
];

/// An error of an export; every one names the folder, the file or the format.
#[derive(Debug, Error, Diagnostic)]
pub enum ExportError {
    /// A folder of results cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Results(#[from] ResultsError),
    /// No folder holds a run.
    #[error("{path} holds no run yet", path = path.display())]
    #[diagnostic(help("export it when a run has ended; `kenga run --resume` continues it"))]
    NoRuns {
        /// The first folder.
        path: PathBuf,
    },
    /// No folder holds a run that is used.
    #[error("no run can be exported: {note}")]
    #[diagnostic(help(
        "`kenga validate` names every difference: restore the files, or repeat the runs in another folder"
    ))]
    NoneUsed {
        /// The first folder with rows that are not used, and why.
        note: String,
    },
    /// A folder lacks the convergence that the format needs.
    #[error("{path} holds no convergence: its configuration says `record.every = 0`", path = path.display())]
    #[diagnostic(help(
        "make it again with --set record.every=1, or export its runs alone with --to csv|json|parquet|optuna"
    ))]
    NoConvergence {
        /// The folder.
        path: PathBuf,
    },
    /// A folder lacks the column `worst`, which the format needs.
    #[error("convergence.csv of {path} has no column worst: the fitness at the first call is unknown", path = path.display())]
    #[diagnostic(help(
        "make it again with \"worst\" among record.columns, or export it with --to csv|json|parquet|optuna"
    ))]
    NoWorst {
        /// The folder.
        path: PathBuf,
    },
    /// A format that is not a table cannot hold rows of convergence.
    #[error("{format} is not a table: it cannot hold rows of convergence alone")]
    #[diagnostic(help("leave --convergence out, or choose --to csv|json|parquet"))]
    NoTable {
        /// The format.
        format: &'static str,
    },
    /// Standard output cannot hold a folder of files.
    #[error("{format} is a folder of files, which standard output cannot hold")]
    #[diagnostic(help("name a new folder with -o OUT"))]
    NeedsFolder {
        /// The format.
        format: &'static str,
    },
    /// The target already exists.
    #[error("{path} {state}", path = path.display())]
    #[diagnostic(help("choose another name with -o, remove it, or overwrite a file with --force"))]
    Occupied {
        /// The file or folder.
        path: PathBuf,
        /// Why: `already exists`, `is not empty`, `is a folder`.
        state: &'static str,
    },
    /// There are more puzzles than the format can number.
    #[error("{count} puzzles are more than the format {format} can number: {most}")]
    #[diagnostic(help("export the folders one by one"))]
    TooManyPuzzles {
        /// The format.
        format: &'static str,
        /// How many puzzles there are.
        count: usize,
        /// The most that it can number.
        most: usize,
    },
    /// This program was built without the format.
    #[error("this kenga was built without {format}")]
    #[diagnostic(help(
        "build it with the feature: cargo install --path . --features {format}; csv and json hold the same table"
    ))]
    Without {
        /// The format and the feature.
        format: &'static str,
    },
    /// A stream cannot be written.
    #[error("cannot write to {name}")]
    Stream {
        /// What it is called.
        name: String,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {path}", path = path.display())]
    #[diagnostic(help("check the folder, its permissions and the space left"))]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

impl ExportError {
    /// For `map_err`: an error of the system while writing a file.
    fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }
}

/// An error while writing a file.
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
