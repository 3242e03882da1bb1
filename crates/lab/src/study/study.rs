//! A study: the runs of one or more results folders by setting, for comparisons, reports and exports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::values::Values;
use crate::experiment::{Plan, Race, Shard};
use crate::results::{Folder, FolderRows, Reading, ResultsError, RunRow};
use kenga_core::budget::Budget;
use kenga_core::puzzle::Puzzle;

/// The runs of some folders.
pub struct Study {
    /// The folders.
    pub folders: Vec<StudyFolder>,
    /// The keys that distinguish the settings, as dotted paths: the swept keys of one folder, or the keys in which several
    /// differ.
    pub keys: Vec<String>,
    /// Every setting of every folder, in order.
    pub settings: Vec<StudySetting>,
    /// The race of each folder, if it has one.
    races: Vec<Option<Race>>,
    /// The keys whose values are the names of the settings of several folders.
    pub(super) naming: Vec<String>,
    /// Whether some of the runs were dropped.
    is_part: bool,
}

/// A folder.
pub struct StudyFolder {
    /// Its path.
    pub path: PathBuf,
    /// Its name: the last part of its path, or the whole path where two folders share that part.
    pub name: String,
    /// The path by which commands in a report name it.
    pub named: PathBuf,
    /// Its plan.
    pub plan: Plan,
    /// The shard of the plan that the folder is for.
    pub shard: Shard,
    /// The rows of its complete runs.
    pub rows: FolderRows,
    /// The ids of the puzzles with unknown solutions: distances to a solution are upper bounds there.
    pub open: BTreeSet<String>,
    /// Of each run that was left out because a folder named before holds it too, that folder.
    pub doubles: Vec<usize>,
}

impl StudyFolder {
    /// A note on a folder that holds a part of its experiment; `None` where it is complete.
    pub fn partial(&self) -> Option<String> {
        let path = self.path.display();
        if let Some(note) = self.rows.note() {
            return Some(format!("{path}: {note}"));
        }
        if !self.rows.has_ended {
            return Some(format!("{path} has not ended: only its finished runs count"));
        }
        if self.shard != Shard::WHOLE {
            let shard = self.shard;
            return Some(format!("{path} is shard {shard}: the runs of the other shards do not count"));
        }
        None
    }
}

/// One setting of a folder with its runs.
pub struct StudySetting {
    /// The index of its folder.
    pub folder: usize,
    /// Its index there.
    pub setting: u64,
    /// Its name: the values that distinguish it from the other settings.
    pub label: String,
    /// The name is one that it has been given.
    pub is_named: bool,
    /// Its configuration.
    pub values: Values,
    /// What a run of it may spend.
    pub budget: Budget,
    /// Its runs.
    pub runs: Vec<StudyRun>,
}

/// One run.
#[derive(Clone, Debug)]
pub struct StudyRun {
    /// Its row, without the values of swept keys; `solved` is true only if the referee agreed.
    pub row: RunRow,
    /// Seconds of CPU time; `None` where the timing is missing.
    pub cpu_s: Option<f64>,
    /// What it has cost, where its algorithm reports that.
    pub cost: Option<f64>,
    /// The index of its folder.
    pub folder: usize,
    /// The seed of its folder.
    pub seed: u64,
}

impl StudyRun {
    /// Evaluations and moves until the solution; of an unsolved run all that it spent.
    pub fn calls(&self) -> u64 {
        self.row.calls_to_solution().unwrap_or(self.row.calls())
    }
}

impl Study {
    /// Reads the finished runs of the folders.
    ///
    /// # Errors
    /// [`ResultsError::DuplicateRuns`] for a folder given twice, [`ResultsError::OtherPuzzle`] where two puzzles have one id, and the errors of [`Reading::open`] and [`FolderRows::each`].
    pub fn read(folders: &[PathBuf]) -> Result<Self, ResultsError> {
        let mut study = Self {
            folders: Vec::new(),
            keys: Vec::new(),
            settings: Vec::new(),
            races: Vec::new(),
            naming: Vec::new(),
            is_part: false,
        };
        for folder in folders {
            study.add(folder)?;
        }
        // Refused before anything is named: tables would mix their rows.
        study.refuse_other_puzzles()?;
        // A race is replayed on all of its runs.
        for folder in 0..study.folders.len() {
            study.races.push(study.replay(folder));
        }
        let alike = study.leave_out_double_runs()?;
        study.name_folders();
        study.keys = study.distinguishing_keys();
        study.label_by_folder();
        if study.folders.len() > 1 {
            study.label_by_difference(&alike);
        }
        // A setting whose runs another folder holds would be one without runs.
        let folders = &study.folders;
        study.settings.retain(|one| !one.runs.is_empty() || folders[one.folder].doubles.is_empty());
        Ok(study)
    }

    /// Reads a folder.
    fn add(&mut self, path: &Path) -> Result<(), ResultsError> {
        let Reading { plan, shard, rows } = Reading::open(path)?;
        let folder = self.folders.len();
        let seed = plan.config.seed;
        let first = self.settings.len();
        self.add_settings(&plan, folder);
        // Without readable timing the times are unknown.
        let timing = rows.timing().unwrap_or_default();
        let costs = rows.costs(&plan)?;
        rows.try_each(|mut row: RunRow| {
            // Rows that do not follow from the plan are another experiment's: nothing can be said of them.
            if let Some(problem) = row.contradiction(&plan) {
                return Err(ResultsError::damaged(&path.join("runs.csv"), problem));
            }
            // The setting holds the values.
            row.swept = Vec::new();
            // A solution that the referee refuted is none.
            row.solved = row.is_success();
            let cpu_s = timing.get(&row.run).map(|timing| timing.cpu_s);
            let cost = costs.get(&row.run).copied();
            self.settings[first + row.setting as usize].runs.push(StudyRun {
                row,
                cpu_s,
                cost,
                folder,
                seed,
            });
            Ok(())
        })?;
        for setting in &mut self.settings[first..] {
            // Growing vectors may be half empty.
            setting.runs.shrink_to_fit();
        }
        let mut open = BTreeSet::new();
        // Without readable facts no puzzle counts as open.
        for facts in Folder::facts(path).unwrap_or_default() {
            if facts.solutions_exact == Some(false) {
                open.insert(facts.puzzle);
            }
        }
        let name = match path.file_name() {
            Some(name) => name.to_string_lossy().into_owned(),
            None => path.display().to_string(),
        };
        // A report is the same wherever the folder lies.
        let (path, named) = (path.to_owned(), PathBuf::from(&name));
        self.folders.push(StudyFolder { path, name, named, plan, shard, rows, open, doubles: Vec::new() });
        Ok(())
    }

    /// Adds the settings of a plan, still without runs and labels.
    fn add_settings(&mut self, plan: &Plan, folder: usize) {
        for (index, setting) in plan.settings.all.iter().enumerate() {
            let config = setting.config.resolved.as_json();
            let mut values = Values::new(&config, &plan.settings.keys, &setting.labels);
            // Thousands of settings of a sweep differ in few values.
            if let Some(first) = self.settings.first() {
                values = values.shared(&first.values);
            }
            self.settings.push(StudySetting {
                folder,
                setting: index as u64,
                label: String::new(),
                is_named: false,
                values,
                budget: setting.config.budget,
                runs: Vec::new(),
            });
        }
    }

    /// Refuses folders that use one id for two puzzles.
    fn refuse_other_puzzles(&self) -> Result<(), ResultsError> {
        let mut puzzles: BTreeMap<&str, (String, &Path)> = BTreeMap::new();
        for folder in &self.folders {
            for puzzle in &folder.plan.puzzles {
                let text = puzzle.canonical_text();
                let (known, other) =
                    puzzles.entry(&puzzle.id).or_insert_with(|| (text.clone(), &folder.path));
                if *known != text {
                    let (path, other) = (folder.path.clone(), other.to_path_buf());
                    return Err(ResultsError::OtherPuzzle { puzzle: puzzle.id.clone(), path, other });
                }
            }
        }
        Ok(())
    }

    /// Leaves out the runs that a folder named before holds too, and returns the settings that are alike, by index.
    fn leave_out_double_runs(&mut self) -> Result<Vec<Vec<usize>>, ResultsError> {
        // Hashes are smaller than the configurations.
        let mut alike: BTreeMap<[u8; 32], Vec<usize>> = BTreeMap::new();
        for (index, setting) in self.settings.iter().enumerate() {
            let config = &self.folders[setting.folder].plan.settings.all[setting.setting as usize].config;
            alike.entry(Sha256::digest(config.deciding()).into()).or_default().push(index);
        }
        // Most settings have no twin, and their runs need no map.
        let mut alike: Vec<Vec<usize>> = alike.into_values().collect();
        alike.retain(|settings| settings.len() > 1);
        for settings in &alike {
            let mut first: BTreeMap<(String, u64), usize> = BTreeMap::new();
            for index in settings {
                for run in std::mem::take(&mut self.settings[*index].runs) {
                    let start = (run.row.puzzle.clone(), run.row.replicate);
                    match first.get(&start) {
                        // Two labels of one folder for one setting.
                        Some(other) if *other == run.folder => {
                            return Err(self.duplicate_runs(*other, *other));
                        }
                        Some(other) => self.folders[run.folder].doubles.push(*other),
                        None => {
                            first.insert(start, run.folder);
                            self.settings[*index].runs.push(run);
                        }
                    }
                }
            }
        }
        self.refuse_copies()?;
        Ok(alike)
    }

    /// Refuses a folder given twice, or a copy, where no other folder has runs of its own.
    fn refuse_copies(&self) -> Result<(), ResultsError> {
        let mut left = vec![0; self.folders.len()];
        for setting in &self.settings {
            left[setting.folder] += setting.runs.len();
        }
        for (index, folder) in self.folders.iter().enumerate() {
            let Some(other) = folder.doubles.first() else { continue };
            let is_copy = left[index] == 0 && folder.doubles.len() == left[*other];
            if is_copy && left.iter().filter(|runs| **runs > 0).count() == 1 {
                return Err(self.duplicate_runs(index, *other));
            }
        }
        Ok(())
    }

    fn duplicate_runs(&self, folder: usize, other: usize) -> ResultsError {
        let (path, other) = (self.folders[folder].path.clone(), self.folders[other].path.clone());
        ResultsError::DuplicateRuns { path, other }
    }

    /// The keys whose values are the names of the settings of several folders; empty where the folders name them.
    pub fn naming_keys(&self) -> &[String] {
        &self.naming
    }

    /// The race of a folder in its present state; `None` where the folder has none.
    pub fn race(&self, folder: usize) -> Option<&Race> {
        self.races[folder].as_ref()
    }

    /// Whether some of the runs were dropped.
    pub fn is_part(&self) -> bool {
        self.is_part
    }

    fn replay(&self, folder: usize) -> Option<Race> {
        let race = self.folders[folder].plan.race()?;
        // Which settings are left is recorded nowhere: it follows from the runs.
        let mut calls = BTreeMap::new();
        for setting in self.settings.iter().filter(|setting| setting.folder == folder) {
            for run in &setting.runs {
                calls.insert(run.row.run, run.row.race_calls());
            }
        }
        Some(race.replay(&calls))
    }

    /// Notes on the folders that hold only a part of their experiment, or runs of another folder.
    pub fn partial(&self) -> impl Iterator<Item = String> {
        self.folders.iter().filter_map(StudyFolder::partial).chain(self.doubles())
    }

    /// Notes on the runs that were left out because two folders hold them.
    pub fn doubles(&self) -> impl Iterator<Item = String> {
        let mut counts: BTreeMap<[usize; 2], u64> = BTreeMap::new();
        for (index, folder) in self.folders.iter().enumerate() {
            for other in &folder.doubles {
                *counts.entry([index, *other]).or_default() += 1;
            }
        }
        counts.into_iter().map(|(both, count)| {
            let [folder, other] = both.map(|index| self.folders[index].named.display());
            let runs = if count == 1 { "1 run".to_owned() } else { format!("{count} runs") };
            format!("{other} and {folder} share {runs}, counted once")
        })
    }

    /// All puzzles, each once, in the order of the folders.
    pub fn puzzles(&self) -> Vec<&Puzzle> {
        let mut seen = BTreeSet::new();
        let mut puzzles = Vec::new();
        for puzzle in self.folders.iter().flat_map(|folder| &folder.plan.puzzles) {
            if seen.insert(&puzzle.id) {
                puzzles.push(puzzle);
            }
        }
        puzzles
    }

    /// The keys that any folder sweeps, each once, in the order of the folders.
    pub fn swept_keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = Vec::new();
        for key in self.folders.iter().flat_map(|folder| &folder.plan.settings.keys) {
            if !keys.contains(key) {
                keys.push(key.clone());
            }
        }
        keys
    }

    /// Drops the settings of which a key has none of the values.
    pub fn keep_settings(&mut self, key: &str, values: &[String]) {
        let before = self.settings.len();
        self.settings.retain(|setting| setting.values.get(key).is_some_and(|value| values.contains(value)));
        self.is_part |= self.settings.len() < before;
    }

    /// Keeps the settings with these indices, in this order.
    pub fn choose_settings(&mut self, chosen: &[usize]) {
        self.is_part |= chosen.len() < self.settings.len();
        let mut settings: Vec<Option<StudySetting>> = Vec::new();
        settings.extend(std::mem::take(&mut self.settings).into_iter().map(Some));
        for index in chosen {
            self.settings.extend(settings[*index].take());
        }
    }

    /// Drops the runs of all puzzles but these.
    pub fn keep_puzzles(&mut self, ids: &[String]) {
        // The rules of a race hold for all of its runs alone.
        self.is_part |= self.puzzles().iter().any(|puzzle| !ids.contains(&puzzle.id));
        for setting in &mut self.settings {
            setting.runs.retain(|run| ids.contains(&run.row.puzzle));
        }
    }
}
