//! A study: the runs of one or more results folders by setting, for comparisons, reports and exports.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Runs;
use super::values::Values;
use crate::experiment::{Plan, Race, Sample, Shard};
use crate::results::{ConvergenceRow, Folder, FolderRows, Reading, ResultsError, RunRow};
use kenga_core::budget::Budget;
use kenga_core::puzzle::Puzzle;

/// The runs of some folders.
#[derive(Default)]
pub struct Study {
    /// The folders.
    pub folders: Vec<StudyFolder>,
    /// The keys that distinguish the settings, as dotted paths: the swept keys of one folder, or the keys in which several
    /// differ.
    pub keys: Vec<String>,
    /// Every setting of every folder, in order.
    pub settings: Vec<StudySetting>,
    /// The runs of all folders; those that no setting holds do not count.
    pub runs: Runs,
    /// The ids of all puzzles, sorted.
    pub(super) puzzle_ids: Vec<Arc<str>>,
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
    /// Its runs among those of the study.
    runs: Range<usize>,
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
    /// Its runs, in order, as indices of [`Study::runs`]; there may be millions of them.
    pub(super) runs: Vec<u32>,
}

impl StudySetting {
    /// Its runs, in order, as indices of [`Study::runs`].
    pub fn runs(&self) -> impl ExactSizeIterator<Item = usize> + Clone {
        self.runs.iter().map(|run| *run as usize)
    }
}

impl Study {
    /// Reads the finished runs of the folders.
    ///
    /// # Errors
    /// [`ResultsError::DuplicateRuns`] for a folder given twice, [`ResultsError::OtherPuzzle`] where two puzzles have one id, and the errors of [`Reading::open`] and [`FolderRows::each`].
    pub fn read(folders: &[PathBuf]) -> Result<Self, ResultsError> {
        Self::read_with_grids(folders, false)
    }

    /// The same, with the grids of all runs or of a few; see [`Runs::grids`].
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub(super) fn read_with_grids(folders: &[PathBuf], all_grids: bool) -> Result<Self, ResultsError> {
        let mut study = Self::default();
        for folder in folders {
            study.add(folder)?;
        }
        // Refused before anything is named: tables would mix their rows.
        study.refuse_other_puzzles()?;
        let ids: BTreeSet<&str> = study.puzzles().into_iter().map(|puzzle| &*puzzle.id).collect();
        study.puzzle_ids = ids.into_iter().map(Arc::from).collect();
        for folder in 0..study.folders.len() {
            study.add_runs(folder, all_grids)?;
            // A race is replayed on all of its runs.
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
        study.number_settings();
        Ok(study)
    }

    /// Reads a folder, still without its runs.
    fn add(&mut self, path: &Path) -> Result<(), ResultsError> {
        let Reading { plan, shard, rows } = Reading::open(path)?;
        self.add_settings(&plan, self.folders.len());
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
        let (runs, doubles) = (0..0, Vec::new());
        self.folders.push(StudyFolder { path, name, named, plan, shard, rows, open, runs, doubles });
        Ok(())
    }

    /// Reads the runs of a folder.
    fn add_runs(&mut self, index: usize, all_grids: bool) -> Result<(), ResultsError> {
        let StudyFolder { path, plan, rows, .. } = &self.folders[index];
        let first = self.settings.partition_point(|setting| setting.folder < index);
        let id_of = |puzzle: &Puzzle| self.puzzle_ids.partition_point(|id| **id < *puzzle.id) as u32;
        let puzzles: Vec<u32> = plan.puzzles.iter().map(id_of).collect();
        // Without readable timing the times are unknown.
        let timing = rows.timing().unwrap_or_default();
        let costs = rows.costs(plan)?;
        let (runs, mut solved) = (&mut self.runs, BTreeSet::new());
        let start = runs.len();
        rows.try_each(|row: RunRow| {
            let run = runs.len();
            // Nothing can be said of rows that do not follow from the plan: they are another experiment's.
            let problem = row.contradiction(plan).or_else(|| runs.push(&row).err());
            if let Some(problem) = problem {
                return Err(ResultsError::damaged(&path.join("runs.csv"), problem));
            }
            let puzzle = puzzles[plan.id(row.run).puzzle];
            let setting = first + row.setting as usize;
            runs.folder.push(index as u32);
            runs.setting.push(setting as u32);
            runs.puzzle.push(puzzle);
            runs.seed.push(plan.config.seed);
            let times = timing.get(&row.run);
            runs.cpu_s.push(times.map(|times| times.cpu_s));
            runs.wall_s.push(times.map(|times| times.wall_s));
            runs.cost.push(costs.get(&row.run).copied());
            if all_grids || runs.solved[run] && solved.insert((setting, puzzle)) {
                runs.grids.insert(run, row.grid.into());
            }
            self.settings[setting].runs.push(run as u32);
            Ok(())
        })?;
        self.folders[index].runs = start..self.runs.len();
        for setting in &mut self.settings[first..] {
            // Growing vectors may be half empty.
            setting.runs.shrink_to_fit();
        }
        Ok(())
    }

    /// Gives every run the index of its setting; a run that no setting holds does not count.
    fn number_settings(&mut self) {
        self.runs.setting.fill(Runs::NO_SETTING);
        for (index, setting) in self.settings.iter().enumerate() {
            for run in setting.runs() {
                self.runs.setting[run] = index as u32;
            }
        }
    }

    /// The id of the puzzle of a run.
    pub fn puzzle_of(&self, run: usize) -> &Arc<str> {
        &self.puzzle_ids[self.runs.puzzle[run] as usize]
    }

    /// Every run that counts, by setting.
    pub fn counted_runs(&self) -> impl Iterator<Item = usize> {
        self.settings.iter().flat_map(StudySetting::runs)
    }

    /// Hands over the recorded generations of the runs of a folder that count, in order, with the run.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`], and the errors of `take`.
    pub fn each_sample<E: From<ResultsError>>(
        &self,
        folder: usize,
        mut take: impl FnMut(usize, &Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        let StudyFolder { rows, runs, .. } = &self.folders[folder];
        let mut run = runs.start;
        rows.try_each(|row: ConvergenceRow| {
            // The rows of a run stand together, in the order of the runs.
            while run < runs.end && self.runs.run[run] < row.run {
                run += 1;
            }
            if !runs.contains(&run) || self.runs.run[run] != row.run || !self.runs.counts(run) {
                return Ok(());
            }
            take(run, &row.sample)
        })
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
        for run in self.folders[folder].runs.clone() {
            calls.insert(self.runs.run[run], self.runs.race_calls(run));
        }
        Some(race.replay(&calls))
    }

    /// Notes on the folders that hold only a part of their experiment, or runs of another folder.
    pub fn partial(&self) -> impl Iterator<Item = String> {
        self.folders.iter().filter_map(StudyFolder::partial).chain(self.doubles())
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
        self.number_settings();
    }

    /// Keeps the settings with these indices, in this order.
    pub fn choose_settings(&mut self, chosen: &[usize]) {
        self.is_part |= chosen.len() < self.settings.len();
        let mut settings: Vec<Option<StudySetting>> = Vec::new();
        settings.extend(std::mem::take(&mut self.settings).into_iter().map(Some));
        for index in chosen {
            self.settings.extend(settings[*index].take());
        }
        self.number_settings();
    }

    /// Drops the runs of all puzzles but these.
    pub fn keep_puzzles(&mut self, ids: &[String]) {
        // The rules of a race hold for all of its runs alone.
        self.is_part |= self.puzzles().iter().any(|puzzle| !ids.contains(&puzzle.id));
        let is_kept: Vec<bool> =
            self.puzzle_ids.iter().map(|id| ids.iter().any(|kept| **kept == **id)).collect();
        for setting in &mut self.settings {
            setting.runs.retain(|run| is_kept[self.runs.puzzle[*run as usize] as usize]);
        }
        self.number_settings();
    }
}
