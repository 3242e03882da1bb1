//! From arguments to a plan.

use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};
use thiserror::Error;

use crate::cli::exit::{Exit, print_note};
use crate::cli::input;
use crate::experiment::{Config, Draft, Plan, Settings};
use crate::puzzle::Puzzle;

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

/// What experiment is meant: a configuration, and what the command line lays over it.
#[derive(clap::Args)]
pub(in crate::cli) struct Asked {
    /// The experiment, a TOML file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    config: String,
    /// Puzzles in place of those of the configuration; may be given again
    #[arg(long = "puzzle", value_name = "FILE")]
    puzzles: Vec<String>,
    /// The seed that all randomness derives from
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Replicates of every puzzle and setting
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    runs: Option<u64>,
    /// Set a key of the configuration, such as `algorithm.population=40`; may be given again
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl Asked {
    /// The plan, and [`Exit::BadInput`] when some of the puzzles could not be read.
    pub(in crate::cli) fn plan(&self) -> Result<(Plan, Exit), Report> {
        let settings = self.settings()?;
        settings.notes.iter().for_each(|note| print_note(&format!("note: {note}")));
        let (puzzles, exit) = self.puzzles(&settings.all[0].config)?;
        Ok((Plan::new(settings, puzzles), exit))
    }

    /// The folder that results go to when none is named.
    pub(in crate::cli) fn base(&self) -> PathBuf {
        let stem = Path::new(&self.config).file_stem().and_then(|stem| stem.to_str());
        Path::new("results").join(stem.filter(|stem| *stem != "-").unwrap_or("stdin"))
    }

    /// The settings with all that the arguments lay over them.
    fn settings(&self) -> Result<Settings, Report> {
        let (name, bytes) = input::read_bytes(&self.config)?;
        let text = String::from_utf8(bytes).map_err(|_| NotText { name: name.clone() })?;
        let mut draft = Draft::read(&name, &text)?;
        for assignment in &self.set {
            draft.set(assignment)?;
        }
        if let Some(seed) = self.seed {
            draft.set_integer("seed", seed)?;
        }
        if let Some(runs) = self.runs {
            draft.set_integer("replicates", runs)?;
        }
        Ok(draft.settings()?)
    }

    /// The puzzles of the arguments, or else of the configuration, whose files are relative to it.
    fn puzzles(&self, config: &Config) -> Result<(Vec<Puzzle>, Exit), Report> {
        let files = if self.puzzles.is_empty() {
            let base = Path::new(&self.config).parent().filter(|_| self.config != "-");
            let beside = |file: &String| match base {
                Some(base) => base.join(file).to_string_lossy().into_owned(),
                None => file.clone(),
            };
            config.puzzles.iter().map(beside).collect()
        } else {
            self.puzzles.clone()
        };
        let mut reader = input::puzzles(&files);
        let puzzles: Vec<Puzzle> = reader.by_ref().collect();
        match (puzzles.is_empty(), reader.exit()) {
            (true, Exit::Done) => Err(NoPuzzle.into()),
            (true, _) => Err(NoneLeft.into()),
            (false, exit) => Ok((puzzles, exit)),
        }
    }
}
