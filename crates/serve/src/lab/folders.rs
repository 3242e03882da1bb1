//! What is known of results folders.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use serde_json::{Map, Value, json};

use super::Lab;
use crate::refusal::Refusal;
use kenga_lab::experiment::{Plan, Shard};
use kenga_lab::results::{Folder, ResultsError, RunTally, ShelfError, Standing};

/// What does not change while an experiment runs.
#[derive(Clone)]
pub(crate) struct Facts {
    runs: u64,
    puzzles: usize,
    settings: usize,
    replicates: u64,
    seed: u64,
    keys: Vec<String>,
    algorithms: Vec<&'static str>,
    is_race: bool,
    shard: Option<String>,
}

/// How far an experiment is.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Status {
    /// What is being done with it.
    pub(super) state: &'static str,
    /// Why it cannot be read, or has stopped.
    pub(super) problem: Option<String>,
    /// How many others come first, if it waits.
    pub(super) before: Option<usize>,
    /// Runs that have ended.
    pub(super) done: u64,
    /// Those of them that are solved.
    pub(super) solved: u64,
    /// Those of them that failed.
    pub(super) failed: u64,
    /// The lowest fitness.
    pub(super) best: Option<u32>,
    /// Which rows are not used, and why.
    pub(super) note: Option<String>,
    /// Evaluations and moves that this server has made of it.
    pub(super) calls: Option<u64>,
    /// The same a second.
    pub(super) calls_per_s: Option<f64>,
    /// The runs that are being made.
    pub(super) under_way: Vec<Value>,
}

/// What was read of folders: by name, with the stamp of the files that it was read from.
pub(super) type Known = BTreeMap<String, (String, Result<Arc<Contents>, Unread>)>;

/// Why a folder was not read.
#[derive(Clone)]
pub(super) enum Unread {
    /// It is one of a tuning, of which the Lab shows the results folders inside.
    Tuning,
    /// It cannot be read, for this reason.
    Problem(String),
}

/// A folder that was read.
#[derive(Clone)]
pub(super) struct Contents {
    facts: Facts,
    tally: RunTally,
    has_ended: bool,
    note: Option<String>,
}

impl Facts {
    /// The facts of a plan.
    pub(super) fn new(plan: &Plan, shard: Shard) -> Self {
        let mut algorithms: Vec<&'static str> = Vec::new();
        for setting in &plan.settings.all {
            if !algorithms.contains(&setting.config.algorithm.name) {
                algorithms.push(setting.config.algorithm.name);
            }
        }
        Self {
            runs: shard.count(plan.runs()),
            puzzles: plan.puzzles.len(),
            settings: plan.settings.all.len(),
            replicates: plan.config.replicates,
            seed: plan.config.seed,
            keys: plan.settings.keys.clone(),
            algorithms,
            is_race: plan.settings.race.is_some(),
            shard: (shard != Shard::WHOLE).then(|| shard.to_string()),
        }
    }

    /// Adds them to an object.
    pub(crate) fn write(&self, object: &mut Map<String, Value>) {
        let facts = json!({
            "runs": self.runs,
            "puzzles": self.puzzles,
            "settings": self.settings,
            "replicates": self.replicates,
            "seed": self.seed,
            "keys": self.keys,
            "algorithms": self.algorithms,
            "race": self.is_race,
            "shard": self.shard,
        });
        object.extend(facts.as_object().cloned().into_iter().flatten());
    }
}

impl Status {
    /// Adds it to an object.
    pub(crate) fn write(&self, object: &mut Map<String, Value>) {
        let status = json!({
            "state": self.state,
            "problem": self.problem,
            "before": self.before,
            "done": self.done,
            "solved": self.solved,
            "failed": self.failed,
            "best_fitness": self.best,
            "note": self.note,
            "calls": self.calls,
            "calls_per_s": self.calls_per_s,
            "under_way": self.under_way,
        });
        object.extend(status.as_object().cloned().into_iter().flatten());
    }

    /// A state in which nothing changes any more unless somebody resumes the experiment.
    pub(crate) fn is_rest(state: &Value) -> bool {
        ["finished", "interrupted", "tuning", "unreadable"].iter().any(|rest| state == rest)
    }

    /// That of a folder that cannot be read.
    fn unreadable(problem: String) -> Self {
        Self { state: "unreadable", problem: Some(problem), ..Self::default() }
    }
}

impl Lab {
    /// How far the experiment of a folder is, and its facts if it can be read; from the disk unless it runs here.
    ///
    /// # Errors
    /// No folder has the name.
    pub(crate) fn status(&self, name: &str) -> Result<(Status, Option<Facts>), Refusal> {
        if let Some((experiment, before)) = self.here(name) {
            return Ok((experiment.status(before), Some(experiment.facts.clone())));
        }
        let path = match self.shelf().find(name) {
            // It is there, and the list of folders says why nothing is shown of it.
            Err(error @ ShelfError::Outside { .. }) if self.shelf().place(name).is_ok() => {
                return Ok((Status::unreadable(error.to_string()), None));
            }
            found => found.map_err(Refusal::of_shelf)?,
        };
        let folder = match self.folder(name, &path) {
            Ok(folder) => folder,
            Err(Unread::Tuning) => return Ok((Status { state: "tuning", ..Status::default() }, None)),
            Err(Unread::Problem(problem)) => return Ok((Status::unreadable(problem), None)),
        };
        let state = match (Folder::is_being_written(&path), folder.has_ended) {
            (true, _) => "locked",
            (false, true) => "finished",
            (false, false) => "interrupted",
        };
        let RunTally { done, solved, failed, best } = folder.tally;
        let problem = self.problem(name).filter(|_| state == "interrupted");
        let note = folder.note.clone();
        let status = Status { state, problem, done, solved, failed, best, note, ..Status::default() };
        Ok((status, Some(folder.facts.clone())))
    }

    /// What a folder holds, read again when its files have changed.
    fn folder(&self, name: &str, path: &Path) -> Result<Arc<Contents>, Unread> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = Folder::stamp(path);
        if let Some((_, folder)) = known().get(name).filter(|(read, _)| *read == stamp) {
            return folder.clone();
        }
        let folder = match Standing::read(path) {
            Ok(Standing { plan, shard, has_ended, tally, unused }) => {
                let note = unused.map(|unused| unused.note());
                Ok(Arc::new(Contents { facts: Facts::new(&plan, shard), tally, has_ended, note }))
            }
            Err(ResultsError::Tuning { .. }) => Err(Unread::Tuning),
            Err(error) => Err(Unread::Problem(Refusal::of_results(error).message().to_owned())),
        };
        known().insert(name.to_owned(), (stamp, folder.clone()));
        folder
    }

    /// The object of a folder: its name, facts and status.
    ///
    /// # Errors
    /// No folder has the name.
    pub(crate) fn object(&self, name: &str) -> Result<Map<String, Value>, Refusal> {
        let (status, facts) = self.status(name)?;
        let mut object = Map::new();
        object.insert("folder".to_owned(), json!(name));
        status.write(&mut object);
        if let Some(facts) = facts {
            facts.write(&mut object);
        }
        Ok(object)
    }
}
