//! What can go wrong with a results folder.

use std::io;
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use crate::experiment::KeyDifference;

/// An error of a results folder; every one names the file or the key.
#[derive(Debug, Error, Diagnostic)]
pub enum ResultsError {
    /// A file could not be read or written.
    #[error("cannot {what} {path}", path = path.display())]
    #[diagnostic(help("{}", advice(source)))]
    Io {
        /// The action that failed, a verb.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// The folder is not empty.
    #[error("{path} is not empty", path = path.display())]
    #[diagnostic(help(
        "results are never overwritten: name another folder with --out, or continue it with --resume"
    ))]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// A file stands where the folder should be.
    #[error("{path} is a file, not a folder", path = path.display())]
    #[diagnostic(help("name another folder"))]
    NoFolder {
        /// The file.
        path: PathBuf,
    },
    /// Another program is writing the folder.
    #[error("another program is writing {path}", path = path.display())]
    #[diagnostic(help("wait until it has ended, or name another folder with --out"))]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// Another folder was put in the place of the one that runs were written to.
    #[error("{path} was moved or replaced while its runs were made", path = path.display())]
    #[diagnostic(help(
        "the runs are in the folder that was there: `kenga run --resume` finishes it where it is now"
    ))]
    Replaced {
        /// The folder.
        path: PathBuf,
    },
    /// The folder that shards should be merged into is not empty.
    #[error("{path} already exists", path = path.display())]
    #[diagnostic(help("results are never overwritten: merge to another folder, or remove this one first"))]
    TargetExists {
        /// The folder.
        path: PathBuf,
    },
    /// A folder was changed after its experiment had ended.
    #[error("{file} in {path} {problem} (compared with checksums.txt)", path = path.display())]
    #[diagnostic(help(
        "it was changed after the experiment ended: `kenga validate` names every difference; restore it, or repeat the runs in another folder"
    ))]
    Edited {
        /// The folder.
        path: PathBuf,
        /// The file.
        file: String,
        /// How it differs.
        problem: &'static str,
    },
    /// The folder holds no results.
    #[error("{path} holds no results", path = path.display())]
    #[diagnostic(help("name a folder that `kenga run` has written; it holds manifest.json"))]
    NoResults {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is one of a tuning.
    #[error("{path} is the folder of a tuning", path = path.display())]
    #[diagnostic(help(
        "`kenga validate` and `kenga report` take it, `kenga tune --resume` continues it; every command takes the results folders in its validation/"
    ))]
    Tuning {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is one of a shard of a tuning.
    #[error("{path} is a shard of a tuning", path = path.display())]
    #[diagnostic(help(
        "`kenga tune FILE --shards DIR`, with the folder that the shards share, makes the folder of the tuning"
    ))]
    TuningShard {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is one of an experiment, where one of a tuning is needed.
    #[error("{path} is the folder of an experiment, not of a tuning", path = path.display())]
    #[diagnostic(help(
        "continue it with `kenga run --resume`, or name a folder that `kenga tune` has written"
    ))]
    NoTuning {
        /// The folder.
        path: PathBuf,
    },
    /// The file is not a plan.
    #[error("{path} is not a plan", path = path.display())]
    #[diagnostic(help("name a file that `kenga sweep plan -o FILE` has written"))]
    NoPlan {
        /// The file.
        path: PathBuf,
    },
    /// The folder was written under another configuration.
    #[error("cannot resume {path}: `{key}` was {was}, now it is {is}", path = path.display(), key = difference.key, was = difference.was, is = difference.is)]
    #[diagnostic(help("resume with the same configuration and version, or start again in another folder"))]
    OtherConfig {
        /// The folder.
        path: PathBuf,
        /// The key that differs.
        difference: KeyDifference,
    },
    /// The folder was written for other puzzles or settings.
    #[error("cannot resume {path}: the {what} differ from {file}", path = path.display())]
    #[diagnostic(help("resume with the same configuration and puzzles, or start again in another folder"))]
    OtherInput {
        /// The folder.
        path: PathBuf,
        /// What differs: `puzzles` or `settings`.
        what: &'static str,
        /// The file that holds those of the folder.
        file: &'static str,
    },
    /// Two folders hold the same runs.
    #[error("{path} holds runs that {other} also holds", path = path.display(), other = other.display())]
    #[diagnostic(help("runs would count twice: name only one of the folders"))]
    DuplicateRuns {
        /// A folder.
        path: PathBuf,
        /// The folder named before it, possibly the same one.
        other: PathBuf,
    },
    /// Two different puzzles with one id.
    #[error("puzzle {puzzle} of {path} differs from that of {other}", path = path.display(), other = other.display())]
    #[diagnostic(help(
        "runs are compared puzzle by puzzle: give the puzzles different ids and repeat the runs, or name one of the folders"
    ))]
    OtherPuzzle {
        /// The id.
        puzzle: String,
        /// A folder.
        path: PathBuf,
        /// The folder named before it.
        other: PathBuf,
    },
    /// An earlier folder tells no costs of a plan.
    #[error("`--costs {path}`: none of its runs has a setting and a puzzle of this plan", path = path.display())]
    #[diagnostic(help("make a pilot with the same configuration: `kenga run FILE --runs 2 --out DIR`"))]
    OtherCosts {
        /// The earlier folder.
        path: PathBuf,
    },
    /// The shards cannot be merged.
    #[error("the shards cannot be merged: {problem}")]
    #[diagnostic(help("{help}"))]
    Shards {
        /// What is missing, doubled or foreign.
        problem: String,
        /// What to do.
        help: String,
    },
    /// Another version of kenga has written the folder.
    #[error("{path}: {problem}", path = path.display())]
    #[diagnostic(help(
        "another version would produce other runs: use kenga {wrote}, or repeat the runs in another folder"
    ))]
    OtherVersion {
        /// The file that says so.
        path: PathBuf,
        /// What differs.
        problem: String,
        /// The version that wrote it.
        wrote: String,
    },
    /// The folder, or the plan, has another format.
    #[error("{path}: format {format}, this program reads format {known}", path = path.display())]
    #[diagnostic(help(
        "format 1 has no ledger.csv: the programs before 29 November 2026 read it, which call themselves kenga 0.1.0 too; repeat the runs in another folder"
    ))]
    OtherFormat {
        /// The file that says so.
        path: PathBuf,
        /// The format.
        format: u64,
        /// The format that this program reads.
        known: u64,
    },
    /// The folder names a member that this program does not have.
    #[error("{path}{at}: {problem}", path = path.display())]
    #[diagnostic(help(
        "a program that adds members of its own to kenga has written it, and only that program can read it"
    ))]
    NoMember {
        /// The file.
        path: PathBuf,
        /// The place in it; empty for the file as a whole.
        at: String,
        /// What there is not.
        problem: String,
    },
    /// Rows follow a gap.
    #[error("cannot resume {path}: {note}", path = path.display())]
    #[diagnostic(help(
        "no kill leaves such a folder: restore the file, or remove the lines of ledger.csv from that run on, and `--resume` makes these runs again"
    ))]
    Gap {
        /// The folder.
        path: PathBuf,
        /// Which rows, and what is missing.
        note: String,
    },
    /// A file is not what kenga writes.
    #[error("{path}{at}: {problem}", path = path.display())]
    #[diagnostic(help(
        "the file was changed or damaged after kenga wrote it: restore it, or repeat the runs in another folder"
    ))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The place in it, such as `, line 7`; empty for the file as a whole.
        at: String,
        /// What is wrong.
        problem: String,
    },
}

fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull => {
            "the disk is full: free some space and repeat the command; `kenga run --resume` continues a folder of runs"
        }
        io::ErrorKind::PermissionDenied => "check the permissions of the folder",
        io::ErrorKind::NotFound => "check the path",
        _ => "all runs written before are complete; `kenga run --resume` continues with the next",
    }
}

impl ResultsError {
    /// The same error, with the path of a draft replaced by that of its folder.
    pub(super) fn of_draft(self, draft: &Path, folder: &Path) -> Self {
        match self {
            Self::Io { what, path, source } => {
                let path = path.strip_prefix(draft).map_or(path.clone(), |inside| folder.join(inside));
                Self::Io { what, path, source }
            }
            other => other,
        }
    }

    /// A file that is not as kenga writes it.
    pub(crate) fn damaged(path: &Path, problem: String) -> Self {
        Self::Damaged { path: path.to_owned(), at: String::new(), problem }
    }

    /// A file that begins with other bytes than its header.
    pub(super) fn other_header(path: &Path, there: &[u8], header: &str) -> Self {
        let begins_with_crlf =
            there.split(|byte| *byte == b'\n').next().is_some_and(|line| line.ends_with(b"\r"));
        let problem = if begins_with_crlf {
            "the lines end with CRLF, as git's `autocrlf` makes them, not with LF".to_owned()
        } else {
            format!("the header is not `{}`", header.trim_end())
        };
        Self::Damaged { path: path.to_owned(), at: ", line 1".to_owned(), problem }
    }

    /// For `map_err`: an error of the system while doing something to a file.
    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { what, path, source }
    }
}
