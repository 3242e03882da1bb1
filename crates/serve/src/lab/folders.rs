//! What is known of results folders.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Lab;
use crate::lock;
use crate::refusal::Refusal;
use kenga_core::fitness::Scale;
use kenga_lab::experiment::{Plan, Shard};
use kenga_lab::results::{Folder, FolderProgress, ResultsError, RunTally, ServedFolderError};
use kenga_lab::study::RunSubject;

/// What does not change while an experiment runs, as answers have it.
#[derive(Clone, Serialize)]
pub(crate) struct ExperimentFacts {
    runs: u64,
    puzzles: usize,
    /// What one of them is called.
    noun: &'static str,
    settings: usize,
    replicates: u64,
    seed: u64,
    keys: Vec<String>,
    algorithms: Vec<String>,
    #[serde(rename = "race")]
    is_race: bool,
    shard: Option<String>,
    /// Whether the highest value is best; absent where runs have no values that compare.
    maximise: Option<bool>,
    #[serde(skip)]
    scale: Option<Scale>,
}

/// How far an experiment is, as answers have it.
#[derive(Default, Serialize)]
pub(crate) struct ExperimentStatus {
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
    pub(super) best_fitness: Option<u32>,
    /// Which rows are not used and why, or how many are missing.
    pub(super) note: Option<String>,
    /// Evaluations and moves that this server has made of it.
    pub(super) calls: Option<u64>,
    /// The same a second.
    pub(super) calls_per_s: Option<f64>,
    /// The runs that are being made.
    pub(super) under_way: Vec<Value>,
}

/// The object of a folder: its name, how far it is, and its facts if it can be read.
#[derive(Serialize)]
struct FolderObject<'a> {
    folder: &'a str,
    #[serde(flatten)]
    status: ExperimentStatus,
    #[serde(flatten)]
    facts: Option<ExperimentFacts>,
    /// The best value of a problem of the user's own.
    best_value: Option<f64>,
}

/// What was read of folders: by name, with the stamp of the files that it was read from.
pub(super) type Known = BTreeMap<String, (String, Result<Arc<FolderContents>, Unread>)>;

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
pub(super) struct FolderContents {
    facts: ExperimentFacts,
    tally: RunTally,
    has_ended: bool,
    note: Option<String>,
}

impl ExperimentFacts {
    /// The facts of a plan.
    pub(super) fn new(plan: &Plan, shard: Shard) -> Self {
        let mut algorithms: Vec<String> = Vec::new();
        for setting in &plan.settings.all {
            let name = &setting.config.algorithm().name;
            if !algorithms.contains(name) {
                algorithms.push(name.clone());
            }
        }
        let scale = plan.scale();
        Self {
            runs: plan.share(shard).count(),
            puzzles: plan.puzzles.len(),
            noun: RunSubject::of_plan(plan).noun(),
            settings: plan.settings.all.len(),
            replicates: plan.config.replicates,
            seed: plan.config.seed,
            keys: plan.settings.keys.clone(),
            algorithms,
            is_race: plan.settings.race.is_some(),
            shard: (shard != Shard::WHOLE).then(|| shard.to_string()),
            maximise: scale.map(|scale| scale.maximise),
            scale,
        }
    }

    /// The value of a fitness, where all runs have values that compare.
    fn value(&self, fitness: Option<u32>) -> Option<f64> {
        Some(self.scale?.value(f64::from(fitness?)))
    }
}

impl ExperimentStatus {
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
    /// The object of a folder; from the disk unless its experiment runs here.
    ///
    /// # Errors
    /// No folder has the name.
    pub(crate) fn object(&self, name: &str) -> Result<Map<String, Value>, Refusal> {
        let (status, facts) = match self.here(name) {
            Some((experiment, before)) => (experiment.status(before), Some(experiment.facts.clone())),
            None => self.on_disk(name)?,
        };
        let best_value = facts.as_ref().and_then(|facts| facts.value(status.best_fitness));
        match json!(FolderObject { folder: name, status, facts, best_value }) {
            Value::Object(object) => Ok(object),
            _ => Err(Refusal::bug()),
        }
    }

    /// How far the experiment of a folder on the disk is, and its facts if it can be read.
    fn on_disk(&self, name: &str) -> Result<(ExperimentStatus, Option<ExperimentFacts>), Refusal> {
        let path = match self.served().find(name) {
            // It is there, and the list of folders says why nothing is shown of it.
            Err(error @ ServedFolderError::Outside { .. }) if self.served().place(name).is_ok() => {
                return Ok((ExperimentStatus::unreadable(error.to_string()), None));
            }
            found => found?,
        };
        let folder = match self.folder(name, &path) {
            Ok(folder) => folder,
            Err(Unread::Tuning) => {
                return Ok((ExperimentStatus { state: "tuning", ..ExperimentStatus::default() }, None));
            }
            Err(Unread::Problem(problem)) => return Ok((ExperimentStatus::unreadable(problem), None)),
        };
        let (mut state, mut problem) = ("interrupted", None);
        // Another program's lock counts most: a folder that has ended is written again by whoever adds replicates.
        if Folder::is_being_written(&path) {
            state = "locked";
        } else if folder.has_ended {
            state = "finished";
        } else {
            problem = self.problem(name);
        }
        let RunTally { done, solved, failed, best, .. } = folder.tally;
        let note = folder.note.clone();
        let status = ExperimentStatus {
            state,
            problem,
            done,
            solved,
            failed,
            best_fitness: best,
            note,
            ..ExperimentStatus::default()
        };
        Ok((status, Some(folder.facts.clone())))
    }

    /// What a folder holds, read again when its files have changed.
    fn folder(&self, name: &str, path: &Path) -> Result<Arc<FolderContents>, Unread> {
        // Taken before the files are read: what changes meanwhile is read again the next time.
        let stamp = Folder::stamp(path);
        if let Some((read, folder)) = lock(&self.known).get(name)
            && *read == stamp
        {
            return folder.clone();
        }
        let folder = match FolderProgress::read(path) {
            Ok(FolderProgress { plan, shard, has_ended, tally, note }) => Ok(Arc::new(FolderContents {
                facts: ExperimentFacts::new(&plan, shard),
                tally,
                has_ended,
                note,
            })),
            Err(ResultsError::Tuning { .. }) => Err(Unread::Tuning),
            Err(error) => Err(Unread::Problem(Refusal::from(error).message().to_owned())),
        };
        lock(&self.known).insert(name.to_owned(), (stamp, folder.clone()));
        folder
    }
}
