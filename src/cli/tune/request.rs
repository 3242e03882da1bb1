//! What a tuning is asked for: the space, the options and the puzzles, from a file or from the folder of a tuning.

use std::collections::BTreeSet;
use std::path::Path;

use miette::{Report, miette};

use super::Args;
use crate::cli::experiment::{ConfigText, puzzles_of, tuning_of};
use crate::cli::io::exit::Exit;
use kenga_core::puzzle::Puzzle;
use kenga_lab::experiment::Space;
use kenga_lab::tune::{InstanceParts, Options, TuneManifest};

/// A tuning that is asked for.
pub(super) struct TuneRequest {
    pub(super) manifest: TuneManifest,
    pub(super) space: Space,
    pub(super) options: Options,
    /// What a person should know.
    pub(super) notes: Vec<String>,
}

impl TuneRequest {
    /// Reads a configuration and its puzzles.
    ///
    /// # Errors
    /// What cannot be read or used.
    pub(super) fn read(config: &str, args: &Args) -> Result<(Self, Exit), Report> {
        let help = "a tuning is a TOML file with [sweep] and [tune]; `kenga guide tune` shows one";
        let source = ConfigText::read(config, help)?;
        let mut set = args.set.clone();
        set.extend(args.seed.map(|seed| format!("seed={seed}")));
        let (space, options) = tuning_of(&source.name, &source.text, &set)?;
        let (parts, exit) = match options.instances(space.default()) {
            Some(_) if !args.puzzles.is_empty() => {
                let help = "take out --puzzle, or [problem]";
                return Err(miette!(help = help, "a tuning on a problem of your own has no puzzles"));
            }
            Some(parts) => (parts, Exit::Done),
            None => puzzles_to_tune_on(config, &source, &space, &options, args)?,
        };
        let InstanceParts { training: puzzles, held_out } = parts;
        refuse_overlap(&puzzles, &held_out, options.noun())?;
        let ConfigText { name, text } = source;
        let manifest = TuneManifest { name, text, set, puzzles, held_out };
        Ok((Self::new(manifest, space, options), exit))
    }

    /// Reads the folder of a tuning.
    ///
    /// # Errors
    /// What cannot be read, and options that are not those of the folder.
    pub(super) fn of_folder(path: &Path, args: &Args) -> Result<Self, Report> {
        if !path.exists() {
            let help = "name the folder, or the configuration to start it: `kenga tune FILE --resume`";
            return Err(miette!(help = help, "there is nothing to resume at {}", path.display()));
        }
        if args.seed.is_some() || !args.set.is_empty() || !args.puzzles.is_empty() {
            let help = "the folder has its configuration and its puzzles: only --jobs, --programs, --quiet and --json go with it";
            return Err(miette!(help = help, "--resume {} takes no other options", path.display()));
        }
        let manifest = TuneManifest::read(path)?;
        let (space, options) = tuning_of(&manifest.name, &manifest.text, &manifest.set)?;
        Ok(Self::new(manifest, space, options))
    }

    fn new(manifest: TuneManifest, space: Space, options: Options) -> Self {
        let mut notes = Vec::new();
        if manifest.held_out.is_empty() {
            notes.push(format!(
                "without `validate` in [tune] nothing says how the best does on other {}s",
                options.noun()
            ));
        }
        Self { manifest, space, options, notes }
    }
}

/// The puzzles to tune on, and those that are held out.
fn puzzles_to_tune_on(
    config: &str,
    source: &ConfigText,
    space: &Space,
    options: &Options,
    args: &Args,
) -> Result<(InstanceParts, Exit), Report> {
    let files = space.default().puzzles();
    let (training, exit) = puzzles_of(config, source, &files, &args.puzzles)?;
    if options.validate.is_empty() {
        return Ok((InstanceParts { training, held_out: Vec::new() }, exit));
    }
    let (held_out, held_exit) = puzzles_of(config, source, &options.validate, &[])?;
    Ok((InstanceParts { training, held_out }, exit.and(held_exit)))
}

/// Refuses held-out puzzles, or instances, that are tuned on.
fn refuse_overlap(puzzles: &[Puzzle], held_out: &[Puzzle], noun: &str) -> Result<(), Report> {
    // By what a puzzle says: the same one may have two ids.
    let texts: BTreeSet<String> = puzzles.iter().map(Puzzle::canonical_text).collect();
    match held_out.iter().find(|held| texts.contains(&held.canonical_text())) {
        None => Ok(()),
        Some(puzzle) => {
            let help = format!("validate on {noun}s that tuning has not seen");
            Err(miette!(help = help, "{noun} {} is both tuned on and held out", puzzle.id))
        }
    }
}
