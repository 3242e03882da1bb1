//! What can go wrong with a results folder.

use std::io;
use std::path::PathBuf;

use miette::Diagnostic;
use thiserror::Error;

/// An error of a results folder; every one names the file or the key.
#[derive(Debug, Error, Diagnostic)]
pub enum ResultsError {
    /// A file could not be read or written.
    #[error("cannot {what} {path}", path = path.display())]
    #[diagnostic(help("{}", advice(source)))]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// The folder holds something already.
    #[error("{path} is not empty", path = path.display())]
    #[diagnostic(help(
        "results are never overwritten: name another folder with --out, or continue it with --resume"
    ))]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds no results.
    #[error("{path} holds no results", path = path.display())]
    #[diagnostic(help("name a folder that `kenga run` has written; it holds manifest.json"))]
    NoResults {
        /// The folder.
        path: PathBuf,
    },
    /// A file that is no plan.
    #[error("{path} is no plan", path = path.display())]
    #[diagnostic(help("name a file that `kenga sweep plan -o FILE` has written"))]
    NoPlan {
        /// The file.
        path: PathBuf,
    },
    /// The folder was written under another configuration.
    #[error("cannot resume {path}: `{key}` was {was}, now it is {is}", path = path.display())]
    #[diagnostic(help("resume with the same configuration and version, or start anew in another folder"))]
    OtherConfig {
        /// The folder.
        path: PathBuf,
        /// The key that differs.
        key: String,
        /// Its value in the folder.
        was: String,
        /// Its value now.
        is: String,
    },
    /// Shards that do not make a whole.
    #[error("the shards cannot be merged: {problem}")]
    #[diagnostic(help("{help}"))]
    Shards {
        /// What is missing, doubled or foreign.
        problem: String,
        /// What to do.
        help: &'static str,
    },
    /// A file is not what kenga writes.
    #[error("{path}{at}: {problem}", path = path.display())]
    #[diagnostic(help("the file was changed or damaged; `kenga validate` says what still holds"))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The place in it, such as `, line 7`; empty when it is the whole.
        at: String,
        /// What is wrong.
        problem: String,
    },
}

fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull => {
            "the disk is full; what was written is whole: free some space and use --resume"
        }
        io::ErrorKind::WouldBlock => "another program is writing this folder",
        io::ErrorKind::PermissionDenied => "check the permissions of the folder",
        io::ErrorKind::NotFound => "check the path",
        _ => "what was written before is whole; --resume continues it",
    }
}

impl ResultsError {
    /// For `map_err`: an error of the system while doing something to a file.
    pub(super) fn io(what: &'static str, path: &std::path::Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { what, path, source }
    }
}
