//! From arguments to a plan.

use std::path::{Path, PathBuf};

use miette::{Report, miette};

use crate::cli::io::exit::{Exit, print_note};
use crate::cli::io::input;
use crate::cli::io::number::whole;
use crate::experiment::{Config, Draft, Plan, Settings, Shard};
use crate::puzzle::Puzzle;
use crate::report::several;
use crate::results::{ResultsError, read_plan};

/// What experiment is meant: a configuration, and what the command line lays over it.
#[derive(clap::Args)]
pub(in crate::cli) struct ExperimentArgs {
    /// The experiment, a TOML file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    config: String,
    #[command(flatten)]
    over: Over,
}

/// What the command line lays over a configuration.
#[derive(clap::Args)]
pub(in crate::cli) struct Over {
    /// Puzzles in place of those of the configuration; may be given again
    #[arg(long = "puzzle", value_name = "FILE")]
    puzzles: Vec<String>,
    /// The seed that all randomness derives from
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Replicates of every puzzle and setting
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=1_000_000_000_u64))]
    runs: Option<u64>,
    /// Set a key of the configuration, such as `algorithm.population=40`; may be given again
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl ExperimentArgs {
    /// The plan, and [`Exit::BadInput`] when some of the puzzles could not be read.
    pub(in crate::cli) fn plan(&self) -> Result<(Plan, Exit), Report> {
        self.over.plan(&self.config)
    }
}

/// The folder that results of a configuration go to when none is named.
pub(in crate::cli) fn base(config: &str) -> PathBuf {
    let stem = Path::new(config).file_stem().and_then(|stem| stem.to_str());
    Path::new("results").join(stem.filter(|stem| *stem != "-").unwrap_or("stdin"))
}

impl Over {
    /// The plan of a configuration, and [`Exit::BadInput`] when some of the puzzles could not be read.
    pub(in crate::cli) fn plan(&self, config: &str) -> Result<(Plan, Exit), Report> {
        let settings = self.settings(config)?;
        settings.notes.iter().for_each(|note| print_note(&format!("note: {note}")));
        let (puzzles, exit) = self.puzzles(config, &settings.all[0].config)?;
        Ok((Plan::new(settings, puzzles), exit))
    }

    /// The plan that a folder keeps, with the replicates that are asked for. What else is given must agree with it.
    ///
    /// # Errors
    /// What [`read_plan`] refuses, and a key that disagrees.
    pub(in crate::cli) fn kept(&self, folder: &Path) -> Result<(Plan, Shard), Report> {
        let (plan, shard) = read_plan(folder)?;
        let other = |(key, was, is)| ResultsError::OtherConfig { path: folder.to_owned(), key, was, is };
        let mut settings = plan.settings;
        for assignment in self.assignments() {
            let mut draft = Draft::default();
            draft.set(&assignment)?;
            if let Some(difference) = settings.assigned(&draft) {
                return Err(other(difference).into());
            }
        }
        let plan = Plan::new(settings, plan.puzzles);
        if !self.puzzles.is_empty() {
            let (puzzles, _) = self.puzzles("-", &plan.config)?;
            let texts = |puzzles: &[Puzzle]| puzzles.iter().map(Puzzle::canonical_text).collect::<Vec<_>>();
            if texts(&puzzles) != texts(&plan.puzzles) {
                let difference = ["puzzles", "those of the folder", "others"].map(str::to_owned);
                return Err(other(difference.into()).into());
            }
        }
        Ok((plan, shard))
    }

    /// What the arguments set, as `--set` does.
    fn assignments(&self) -> Vec<String> {
        let mut all = self.set.clone();
        all.extend(self.seed.map(|seed| format!("seed={seed}")));
        all.extend(self.runs.map(|runs| format!("replicates={runs}")));
        all
    }

    /// The settings with all that the arguments lay over them.
    fn settings(&self, config: &str) -> Result<Settings, Report> {
        let help = "a configuration is a TOML file; see `configs/` for examples";
        let (name, text) = input::read_text(config, help)?;
        let mut draft = Draft::read(&name, &text)?;
        for assignment in self.assignments() {
            draft.set(&assignment)?;
        }
        Ok(draft.settings()?)
    }

    /// The puzzles of the arguments, or else of the configuration, whose files are relative to it.
    fn puzzles(&self, name: &str, config: &Config) -> Result<(Vec<Puzzle>, Exit), Report> {
        let files: Vec<String> = if self.puzzles.is_empty() {
            let base = Path::new(name).parent().filter(|_| name != "-");
            let beside = |file: &String| match base {
                Some(base) => base.join(file).to_string_lossy().into_owned(),
                None => file.clone(),
            };
            config.puzzles().iter().map(beside).collect()
        } else {
            self.puzzles.clone()
        };
        let mut reader = input::puzzles(&files);
        let puzzles: Vec<Puzzle> = reader.by_ref().collect();
        match (puzzles.is_empty(), reader.exit()) {
            (true, Exit::Done) => {
                let help = "name files in `puzzles = [\"…\"]` of the configuration, or with --puzzle";
                Err(miette!(help = help, "there is no puzzle to run"))
            }
            (true, _) => Err(miette!("no puzzle is left to run")),
            (false, exit) => {
                if exit != Exit::Done {
                    let count = several(puzzles.len() as u64, "puzzle");
                    print_note(&format!(
                        "note: some puzzles could not be read: these are results of {count}"
                    ));
                }
                Ok((puzzles, exit))
            }
        }
    }
}
