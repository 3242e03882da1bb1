//! What can go wrong with an export.

use std::io;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use crate::results::ResultsError;

/// An error of an export; every one names the folder, the file or the format.
#[derive(Debug, Error, Diagnostic)]
pub enum ExportError {
    /// A folder of results that cannot be read.
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
    /// A folder without the rows that the format is made of.
    #[error("{path} holds no convergence: its configuration says `record.every = 0`", path = path.display())]
    #[diagnostic(help(
        "make it again with --set record.every=1, or export its runs alone with --to csv|json|parquet|optuna"
    ))]
    NoConvergence {
        /// The folder.
        path: PathBuf,
    },
    /// A folder without the column that says how runs begin.
    #[error("convergence.csv of {path} has no column worst: how bad its runs begin is not known", path = path.display())]
    #[diagnostic(help(
        "make it again with \"worst\" among record.columns, or export it with --to csv|json|parquet|optuna"
    ))]
    NoWorst {
        /// The folder.
        path: PathBuf,
    },
    /// Rows of convergence in a format that is no table.
    #[error("{format} is no table: it cannot hold rows of convergence alone")]
    #[diagnostic(help("leave --convergence out, or choose --to csv|json|parquet"))]
    NoTable {
        /// The format.
        format: &'static str,
    },
    /// A folder of files for standard output.
    #[error("{format} is a folder of files, which standard output cannot hold")]
    #[diagnostic(help("name a new folder with -o OUT"))]
    NeedsFolder {
        /// The format.
        format: &'static str,
    },
    /// What would be written is there.
    #[error("{path} {state}", path = path.display())]
    #[diagnostic(help("exports are never written over anything: choose another name with -o, or remove it"))]
    Occupied {
        /// The file or folder.
        path: PathBuf,
        /// In which way: `is there already`, `is not empty`.
        state: &'static str,
    },
    /// More puzzles than the format can number.
    #[error("{count} puzzles are more than the format {format} can number: {most}")]
    #[diagnostic(help("export the folders one by one"))]
    TooManyPuzzles {
        /// The format.
        format: &'static str,
        /// Puzzles.
        count: usize,
        /// The most of them.
        most: usize,
    },
    /// A format that this program was built without.
    #[error("this kenga was built without {format}")]
    #[diagnostic(help(
        "build it with the feature: cargo install --path . --features {format}; csv and json hold the same table"
    ))]
    Without {
        /// The format and the feature.
        format: &'static str,
    },
    /// A file that cannot be written.
    #[error("cannot write {path}", path = path.display())]
    #[diagnostic(help("check the folder, its permissions and the space left"))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
}

impl ExportError {
    /// For `map_err`: an error of the system while writing a file.
    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Write { path, source }
    }
}

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
