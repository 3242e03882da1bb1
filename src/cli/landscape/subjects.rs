//! The landscapes that the arguments name: those of puzzles, or of a configuration.

use std::path::Path;

use miette::{Report, miette};

use super::{Args, Sampling};
use crate::cli::io::exit::Exit;
use crate::cli::io::input::{self, beside};
use crate::cli::io::puzzles::{Colors, Puzzles};
use kenga_core::fitness::{Equals, Guide};
use kenga_core::puzzle::Puzzle;
use kenga_core::search::algorithms;
use kenga_lab::experiment::{Config, ConfigDraft, Settings};
use kenga_lab::landscape::{FitnessKind, LandscapeSpec};

/// A landscape, and what is done to the puzzle first.
pub(super) struct LandscapeSubject {
    pub(super) spec: LandscapeSpec,
    /// Propagation first removes candidates.
    pub(super) propagate: bool,
    /// The configuration whose problem says what genomes are worth; `None` of puzzles.
    pub(super) own: Option<Box<Config>>,
}

impl LandscapeSubject {
    /// Both are the same landscape, whatever it is called.
    fn is_same(&self, other: &Self) -> bool {
        self.spec.encoding_text == other.spec.encoding_text
            && self.spec.guide == other.spec.guide
            && self.propagate == other.propagate
            && match (&self.own, &other.own) {
                (Some(config), Some(other)) => config.has_same_problem(other),
                _ => true,
            }
    }
}

/// The puzzles and their landscapes.
pub(super) struct Subjects {
    pub(super) puzzles: Vec<Puzzle>,
    pub(super) all: Vec<LandscapeSubject>,
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
            [config] if is_config(config) => {
                let (name, settings) = read_settings(config)?;
                let all = of_settings(&settings, &args.sampling)?;
                let instances = settings.instances().map_err(|why| miette!("{name}: {why}"))?;
                if let Some(puzzles) = instances {
                    return Ok(Self { puzzles, all, exit: Exit::Done });
                }
                (beside(&name, &settings.all[0].config.puzzles()), all)
            }
            files if files.iter().any(is_config) => {
                let help = "name one configuration, or puzzles";
                return Err(miette!(help = help, "a configuration brings its own puzzles"));
            }
            files => (files.to_vec(), of_puzzles(&args.sampling)),
        };
        let mut input = Puzzles::new(&files, Colors::AS_STATED, None);
        let puzzles: Vec<Puzzle> = input.by_ref().collect();
        let exit = input.finish()?;
        if puzzles.is_empty() && exit == Exit::Done {
            return Err(miette!(help = "name puzzles, or a configuration that does", "there is no puzzle"));
        }
        Ok(Self { puzzles, all, exit })
    }
}

/// Every encoding with every fitness.
fn of_puzzles(args: &Sampling) -> Vec<LandscapeSubject> {
    let all = LandscapeSpec::all(&kinds(args)).into_iter().filter(|spec| wants(args, &spec.encoding));
    all.map(|spec| LandscapeSubject { spec, propagate: false, own: None }).collect()
}

/// The name and the settings of a configuration.
fn read_settings(file: &str) -> Result<(String, Settings), Report> {
    let (name, text) = input::read_text(file, "a configuration is a TOML file; `kenga init` writes one")?;
    let settings = ConfigDraft::read(&name, &text)?.settings()?;
    Ok((name, settings))
}

/// The different landscapes of the settings of a configuration.
fn of_settings(settings: &Settings, args: &Sampling) -> Result<Vec<LandscapeSubject>, Report> {
    let mut all: Vec<LandscapeSubject> = Vec::new();
    for setting in &settings.all {
        let config = &setting.config;
        let own = config.has_own_problem().then(|| Box::new(config.clone()));
        if own.is_some() && !args.fitness.is_empty() {
            let help = "leave --fitness out: the values of the problem are what is minimised";
            return Err(miette!(help = help, "--fitness is about puzzles, and there is a [problem]"));
        }
        for (encoding, guide) in algorithms::landscapes(config.algorithm()) {
            if !wants(args, &encoding.name) {
                continue;
            }
            let mut guides: Vec<(&str, Guide)> =
                args.fitness.iter().map(|kind| (kind.name(), kind.guide())).collect();
            if guides.is_empty() {
                let guide = guide.unwrap_or_else(|| guide_of(config));
                guides.push(("configured", if own.is_some() { Guide::PLAIN } else { guide }));
            }
            for (name, guide) in guides {
                let made = LandscapeSubject {
                    spec: LandscapeSpec::new(encoding, name, guide),
                    propagate: config.propagate,
                    own: own.clone(),
                };
                // Settings that differ in other keys have the same landscape.
                if !all.iter().any(|one| one.is_same(&made)) {
                    all.push(made);
                }
            }
        }
    }
    number(&mut all);
    Ok(all)
}

/// Distinguishes landscapes that would have the same names: `configured`, `configured-2`.
fn number(all: &mut [LandscapeSubject]) {
    for index in 1..all.len() {
        let (before, rest) = all.split_at_mut(index);
        let one = &mut rest[0].spec;
        let name = one.fitness.clone();
        // Two of one name would share their files.
        let mut number = 2;
        while before.iter().any(|two| two.spec.encoding == one.encoding && two.spec.fitness == one.fitness) {
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

fn kinds(args: &Sampling) -> Vec<FitnessKind> {
    let mut kinds = FitnessKind::ALL.to_vec();
    if !args.fitness.is_empty() {
        kinds.retain(|kind| args.fitness.contains(kind));
    }
    kinds
}

fn wants(args: &Sampling, encoding: &str) -> bool {
    args.encodings.is_empty() || args.encodings.contains(&encoding)
}
