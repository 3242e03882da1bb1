//! What `kenga sweep submit` sends: the shards of a plan, or those of a tuning.

use std::path::{Path, PathBuf};

use miette::{Report, miette};

use super::plan_of;
use super::shard_status::{ShardState, Statuses};
use crate::cli::experiment::{round_words, tuning_of};
use crate::cli::io::input;
use kenga_core::text::quoted_path;
use kenga_lab::experiment::{ConfigDraft, Plan, Shard};
use kenga_lab::results::{CHECKSUMS, Folder, shard_folder};
use kenga_lab::tune::{KEYS, TUNE};

/// What is sent.
pub(super) enum Work {
    /// The runs of a plan.
    Plan(Box<Plan>),
    /// The runs of a tuning, whose shards wait for each other.
    Tuning,
}

/// How far the shards are.
pub(super) struct ShardsToSend {
    /// The indices of those that are to be run.
    pub(super) to_run: Vec<u64>,
    /// How many a program is making now.
    pub(super) running: u64,
    /// The round of a race, in words.
    pub(super) round: Option<String>,
}

impl Work {
    /// Reads a plan, or the configuration of a tuning.
    ///
    /// # Errors
    /// What is neither.
    pub(super) fn read(file: &str) -> Result<Self, Report> {
        let help =
            "name a file that `kenga sweep plan -o FILE` has written, or the configuration of a tuning";
        let (name, text) = input::read_text(file, help)?;
        // A plan is one JSON object, which no TOML file is.
        if text.trim_start().starts_with('{') {
            return Ok(Self::Plan(Box::new(plan_of(&name, &text)?)));
        }
        if ConfigDraft::read(&name, &text)?.take_section(TUNE, KEYS)?.is_some() {
            tuning_of(&name, &text, &[])?;
            return Ok(Self::Tuning);
        }
        let help = format!("plan it first: kenga sweep plan {} -o plan.json", quoted_path(Path::new(file)));
        Err(miette!(help = help, "{name} is a configuration without [tune], not a plan"))
    }

    /// The words of the command that makes a shard, without its name.
    pub(super) fn run_words(&self, file: &str, shared: &str, cpus: &str) -> Vec<String> {
        let words: &[&str] = match self {
            Self::Plan(_) => &["sweep", "run", file, "--out", shared, "--resume", "--quiet", "--jobs", cpus],
            Self::Tuning => &["tune", file, "--out", shared, "--wait", "--quiet", "--jobs", cpus],
        };
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    /// The words of the command that joins all shards.
    pub(super) fn merge_words(&self, file: &str, shared: &str, merged: &str) -> Vec<String> {
        let words: &[&str] = match self {
            Self::Plan(_) => &["sweep", "merge", file, shared, "--out", merged],
            Self::Tuning => &["tune", file, "--shards", shared, "--resume", merged],
        };
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    /// How far the shards in a folder are.
    ///
    /// # Errors
    /// Folders that cannot be read.
    pub(super) fn shards(&self, shared: &Path, of: u64) -> Result<ShardsToSend, Report> {
        let Self::Plan(plan) = self else { return Ok(tuning_shards(shared, of)) };
        let statuses = Statuses::of_plan(shared, plan, of)?;
        let mut to_run = Vec::new();
        for status in &statuses.listed {
            if status.is_to_run() {
                to_run.push(status.shard.index);
            }
        }
        let round = statuses.race.as_ref().map(|(plan, race)| round_words(plan, race));
        Ok(ShardsToSend { to_run, running: statuses.count(ShardState::Running), round })
    }

    /// All runs are over, and joined in the folder `merged`. `round` is the round of a race.
    pub(super) fn is_merged(&self, merged: &Path, round: Option<&String>) -> bool {
        // A race, and a tuning, may have been joined before its end.
        let needs_end = round.is_some() || matches!(self, Self::Tuning);
        if needs_end { merged.join(CHECKSUMS).exists() } else { merged.exists() }
    }
}

/// A tuning is over when all of its shards say so: until it is joined, all are sent but those that are being made.
fn tuning_shards(shared: &Path, of: u64) -> ShardsToSend {
    let (mut to_run, mut running) = (Vec::new(), 0);
    for index in 0..of {
        let folder: PathBuf = shard_folder(shared, Shard { index, of });
        if Folder::is_being_written(&folder) {
            running += 1;
        } else {
            to_run.push(index);
        }
    }
    ShardsToSend { to_run, running, round: None }
}
