//! From arguments to a plan and a folder.

use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};
use thiserror::Error;

use super::Args;
use crate::cli::exit::Exit;
use crate::cli::input;
use crate::experiment::{Config, Draft, Plan, RunError};
use crate::puzzle::Puzzle;
use crate::results::{Folder, ResultsError, free_folder, latest_folder};

/// A configuration that is not text.
#[derive(Debug, Error, Diagnostic)]
#[error("{name} is not text")]
#[diagnostic(help("a configuration is a TOML file; see `configs/` for examples"))]
struct NotText {
    name: String,
}

/// No puzzle to run.
#[derive(Debug, Error, Diagnostic)]
#[error("there is no puzzle to run")]
#[diagnostic(help("name files in `puzzles = [\"…\"]` of the configuration, or with --puzzle"))]
struct NoPuzzle;

/// Puzzles were named, and each of them was refused.
#[derive(Debug, Error, Diagnostic)]
#[error("no puzzle is left to run")]
struct NoneLeft;

/// A plan that cannot be run.
#[derive(Debug, Error, Diagnostic)]
#[error(transparent)]
#[diagnostic(help("choose an encoding and weights that fit the puzzle; see `kenga list encoding`"))]
pub(super) struct Unrunnable(pub(super) RunError);

/// An experiment that was cut by an error.
#[derive(Debug, Error, Diagnostic)]
#[error("the experiment was cut: {error}", error = with_sources(error))]
#[diagnostic(help("what {path} holds is whole; when the cause is gone, continue with --resume", path = path.display()))]
pub(super) struct Cut {
    pub(super) path: PathBuf,
    pub(super) error: RunError,
}

fn with_sources(error: &RunError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    text
}

/// Nothing to continue.
#[derive(Debug, Error, Diagnostic)]
#[error("there is nothing to resume at {path}", path = path.display())]
#[diagnostic(help("name the folder with --out, or leave --resume out to start"))]
struct NothingToResume {
    path: PathBuf,
}

/// The configuration with all that the arguments lay over it.
pub(super) fn config(args: &Args) -> Result<Config, Report> {
    let (name, bytes) = input::read_bytes(&args.config)?;
    let text = String::from_utf8(bytes).map_err(|_| NotText { name: name.clone() })?;
    let mut draft = Draft::read(&name, &text)?;
    for assignment in &args.set {
        draft.set(assignment)?;
    }
    if let Some(seed) = args.seed {
        draft.set_integer("seed", seed)?;
    }
    if let Some(runs) = args.runs {
        draft.set_integer("replicates", runs)?;
    }
    Ok(draft.finish()?)
}

/// The puzzles of the arguments, or else of the configuration, whose files are relative to it.
pub(super) fn puzzles(args: &Args, config: &Config) -> Result<(Vec<Puzzle>, Exit), Report> {
    let files = if args.puzzles.is_empty() {
        let base = Path::new(&args.config).parent().filter(|_| args.config != "-");
        let beside = |file: &String| match base {
            Some(base) => base.join(file).to_string_lossy().into_owned(),
            None => file.clone(),
        };
        config.puzzles.iter().map(beside).collect()
    } else {
        args.puzzles.clone()
    };
    let mut reader = input::puzzles(&files);
    let puzzles: Vec<Puzzle> = reader.by_ref().collect();
    match (puzzles.is_empty(), reader.exit()) {
        (true, Exit::Done) => Err(NoPuzzle.into()),
        (true, _) => Err(NoneLeft.into()),
        (false, exit) => Ok((puzzles, exit)),
    }
}

/// The folder to write: a new one, or one to continue.
pub(super) fn folder(args: &Args, plan: &Plan) -> Result<Folder, Report> {
    let stem = Path::new(&args.config).file_stem().and_then(|stem| stem.to_str()).filter(|stem| *stem != "-");
    let base = Path::new("results").join(stem.unwrap_or("stdin"));
    Ok(match (&args.out, args.resume) {
        (Some(path), false) => Folder::begin(path, plan)?,
        (None, false) => Folder::begin(&free_folder(&base)?, plan)?,
        (Some(path), true) => resume(path, plan)?,
        (None, true) => resume(&latest_folder(&base).unwrap_or(base), plan)?,
    })
}

fn resume(path: &Path, plan: &Plan) -> Result<Folder, Report> {
    Folder::resume(path, plan).map_err(|error| match error {
        ResultsError::NoResults { path } if !path.exists() => NothingToResume { path }.into(),
        other => other.into(),
    })
}
