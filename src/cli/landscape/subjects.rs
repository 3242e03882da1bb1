//! The landscapes that the arguments name: those of puzzles, or of a configuration.

use std::path::Path;

use miette::{Report, miette};

use super::Args;
use crate::cli::io::exit::Exit;
use crate::cli::io::input;
use kenga_core::fitness::{Equals, Guide};
use kenga_core::puzzle::Puzzle;
use kenga_core::search::algorithms;
use kenga_core::spec::Spec;
use kenga_lab::experiment::{Config, Draft};
use kenga_lab::landscape::{FitnessKind, LandscapeSpec};

/// A landscape, and what is done to the puzzle first.
pub(super) struct Subject {
    pub(super) spec: LandscapeSpec,
    /// Propagation first removes candidates.
    pub(super) propagate: bool,
}

/// The puzzles and their landscapes.
pub(super) struct Subjects {
    pub(super) puzzles: Vec<Puzzle>,
    pub(super) all: Vec<Subject>,
    /// [`Exit::BadInput`] when some of the puzzles could not be read.
    pub(super) exit: Exit,
}

impl Subjects {
    /// Reads what the arguments name.
    ///
    /// # Errors
    /// A report when nothing can be read, or when a configuration stands among other files.
    pub(super) fn read(args: &Args) -> Result<Self, Report> {
        let is_config = |file: &String| Path::new(file).extension().is_some_and(|suffix| suffix == "toml");
        let (files, all) = match args.files.as_slice() {
            [config] if is_config(config) => of_config(config, args)?,
            files if files.iter().any(is_config) => {
                let help = "name one configuration, or puzzles";
                return Err(miette!(help = help, "a configuration brings its own puzzles"));
            }
            files => (files.to_vec(), of_puzzles(args)),
        };
        let mut reader = input::puzzles(&files);
        let puzzles: Vec<Puzzle> = reader.by_ref().collect();
        if puzzles.is_empty() && reader.exit() == Exit::Done {
            return Err(miette!(help = "name puzzles, or a configuration that does", "there is no puzzle"));
        }
        Ok(Self { puzzles, all, exit: reader.exit() })
    }
}

/// Every encoding with every fitness.
fn of_puzzles(args: &Args) -> Vec<Subject> {
    let all = LandscapeSpec::all(&kinds(args)).into_iter().filter(|spec| wants(args, &spec.encoding));
    all.map(|spec| Subject { spec, propagate: false }).collect()
}

/// The puzzles of a configuration, and the different landscapes of its settings.
fn of_config(file: &str, args: &Args) -> Result<(Vec<String>, Vec<Subject>), Report> {
    let (name, text) = input::read_text(file, "a configuration is a TOML file; see `configs/` for examples")?;
    let settings = Draft::read(&name, &text)?.settings()?;
    let mut all: Vec<Subject> = Vec::new();
    for setting in &settings.all {
        let config = &setting.config;
        for (encoding, guide) in algorithms::landscapes(&config.algorithm.spec()) {
            if !wants(args, &encoding.name) {
                continue;
            }
            let own = [("configured", guide.unwrap_or_else(|| guide_of(config)))];
            let asked: Vec<(&str, Guide)> =
                args.fitness.iter().map(|kind| (kind.name(), kind.guide())).collect();
            let guides = if asked.is_empty() { own.to_vec() } else { asked };
            for (name, guide) in guides {
                let made = subject(encoding, name, guide, config.propagate);
                let is_known = |one: &Subject| {
                    one.spec.encoding_text == made.spec.encoding_text
                        && one.spec.guide == guide
                        && one.propagate == made.propagate
                };
                if !all.iter().any(is_known) {
                    all.push(made);
                }
            }
        }
    }
    number(&mut all);
    let config = &settings.all[0].config;
    let base = Path::new(&name).parent();
    let beside =
        |file: String| base.map_or(file.clone(), |base| base.join(&file).to_string_lossy().into_owned());
    Ok((config.puzzles().into_iter().map(beside).collect(), all))
}

/// Distinguishes landscapes that would have the same names: `configured`, `configured-2`.
fn number(all: &mut [Subject]) {
    for index in 1..all.len() {
        let (before, rest) = all.split_at_mut(index);
        let one = &mut rest[0].spec;
        let name = one.fitness.clone();
        let is_taken = |other: &Subject, fitness: &str| {
            other.spec.encoding == one.encoding && other.spec.fitness == fitness
        };
        let mut number = 2;
        while before.iter().any(|other| is_taken(other, &one.fitness)) {
            one.fitness = format!("{name}-{number}");
            number += 1;
        }
    }
}

/// The fitness of a configuration, but for its count term; rows, columns and regions weigh as the row does.
fn guide_of(config: &Config) -> Guide {
    Guide {
        lines: Equals::Pairs,
        cages: config.measure,
        line_weight: config.weights.row,
        cage_weight: config.weights.cage,
    }
}

fn kinds(args: &Args) -> Vec<FitnessKind> {
    FitnessKind::ALL
        .into_iter()
        .filter(|kind| args.fitness.is_empty() || args.fitness.contains(kind))
        .collect()
}

fn wants(args: &Args, encoding: &str) -> bool {
    args.encodings.is_empty() || args.encodings.contains(&encoding)
}

fn subject(spec: &Spec, fitness: &str, guide: Guide, propagate: bool) -> Subject {
    Subject { spec: LandscapeSpec::new(spec, fitness, guide), propagate }
}
