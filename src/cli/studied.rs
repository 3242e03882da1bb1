//! The folders that a command studies, and the keys by which it takes their settings together.

use std::path::PathBuf;

use miette::{Diagnostic, Report};
use thiserror::Error;

use super::exit::print_note;
use crate::study::Study;
use crate::text::nearest;

/// A key that no setting has.
#[derive(Debug, Error, Diagnostic)]
#[error("no setting has the key `{key}`")]
#[diagnostic(help("{help}"))]
struct UnknownKey {
    key: String,
    help: String,
}

/// No run has ended.
#[derive(Debug, Error, Diagnostic)]
#[error("{folders}: no run has ended")]
#[diagnostic(help("there is nothing to show yet: finish the experiment with --resume"))]
pub(super) struct NoRuns {
    folders: String,
}

/// Reads folders whose settings have the keys, and says on standard error which hold a part of their experiment. The keys
/// come back as dotted paths: a key may be given as tables shorten it.
///
/// # Errors
/// A folder that cannot be read, or a key that no setting has.
pub(super) fn read(dirs: &[PathBuf], keys: &[String]) -> Result<(Study, Vec<String>), Report> {
    let study = Study::read(dirs)?;
    let found = |key: &String| study.key(key).map(str::to_owned).ok_or_else(|| unknown(&study, key));
    let keys = keys.iter().map(found).collect::<Result<Vec<String>, UnknownKey>>()?;
    study.partial().for_each(|note| print_note(&note));
    Ok((study, keys))
}

fn unknown(study: &Study, key: &str) -> UnknownKey {
    let known = nearest(key, study.settings.iter().flat_map(|one| one.values.keys().map(String::as_str)));
    let mut help = format!("did you mean `{}`?", known.first().map_or("", String::as_str));
    if !study.keys.is_empty() {
        help += &format!(" Settings differ in {}", study.keys.join(", "));
    }
    UnknownKey { key: key.to_owned(), help }
}

/// The error of folders without a run that has ended.
pub(super) fn no_runs(dirs: &[PathBuf]) -> NoRuns {
    let names: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
    NoRuns { folders: names.join(", ") }
}
