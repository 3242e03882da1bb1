//! A study: the runs of one or more results folders by setting, for comparisons, reports and exports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::experiment::{COMMON, Plan, Race, Shard};
use crate::results::{Folder, FolderRows, Reading, ResultsError, RunRow};
use kenga_core::budget::Budget;
use kenga_core::puzzle::Puzzle;

/// The runs of some folders.
pub struct Study {
    /// The folders.
    pub sources: Vec<StudyFolder>,
    /// The keys that distinguish the settings, as dotted paths: the swept keys of one folder, or the keys in which several
    /// differ.
    pub keys: Vec<String>,
    /// Every setting of every folder, in order.
    pub settings: Vec<StudySetting>,
    /// The race of each folder, if it has one.
    races: Vec<Option<Race>>,
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
}

impl StudyFolder {
    /// A note on a folder that holds a part of its experiment; `None` where it is complete.
    pub fn partial(&self) -> Option<String> {
        let path = self.path.display();
        if let Some(unused) = self.rows.unused() {
            return Some(format!("{path}: {}", unused.note()));
        }
        match (self.rows.has_ended, self.shard) {
            (false, _) => Some(format!("{path} has not ended: only its finished runs count")),
            (true, Shard::WHOLE) => None,
            (true, shard) => {
                Some(format!("{path} is shard {shard}: the runs of the other shards do not count"))
            }
        }
    }
}

/// One setting with its runs.
pub struct StudySetting {
    /// The index of its folder.
    pub source: usize,
    /// Its index there.
    pub setting: u64,
    /// Its name: the values that distinguish it from the other settings.
    pub label: String,
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
    /// Its row, without the values of swept keys.
    pub row: RunRow,
    /// Seconds of CPU time; `None` where the timing is missing.
    pub cpu_s: Option<f64>,
}

impl StudyRun {
    /// Evaluations and moves until the solution, or until the run gave up.
    pub fn calls(&self) -> u64 {
        self.row.calls_to_solution().unwrap_or(self.row.calls())
    }
}

impl Study {
    /// Reads the finished runs of the folders.
    ///
    /// # Errors
    /// [`ResultsError::DuplicateRuns`] for runs that two folders hold, [`ResultsError::OtherPuzzle`] where two puzzles have one
    /// id, and the errors of [`Reading::open`] and [`FolderRows::each`].
    pub fn read(folders: &[PathBuf]) -> Result<Self, ResultsError> {
        let mut study = Self {
            sources: Vec::new(),
            keys: Vec::new(),
            settings: Vec::new(),
            races: Vec::new(),
            is_part: false,
        };
        for folder in folders {
            study.add(folder)?;
        }
        study.refuse_twins()?;
        study.distinguish();
        study.races = (0..study.sources.len()).map(|source| study.replay(source)).collect();
        Ok(study)
    }

    fn add(&mut self, folder: &Path) -> Result<(), ResultsError> {
        let Reading { plan, shard, rows } = Reading::open(folder)?;
        let source = self.sources.len();
        let first = self.settings.len();
        for (index, setting) in plan.settings.all.iter().enumerate() {
            let shown = plan.settings.keys.iter().cloned().zip(setting.labels.iter().cloned());
            let values = Values::new(&setting.config.resolved.object(), shown);
            let values = match self.settings.first() {
                Some(first) => values.shared(&first.values),
                None => values,
            };
            let (label, budget, runs) = (String::new(), setting.config.budget, Vec::new());
            self.settings.push(StudySetting { source, setting: index as u64, label, values, budget, runs });
        }
        // Without readable timing the times are unknown.
        let timing = rows.timing().unwrap_or_default();
        if let Some(unused) = rows.unused().filter(|unused| unused.is_foreign) {
            let (path, problem) = (folder.join("runs.csv"), unused.reason.clone());
            return Err(ResultsError::Damaged { path, at: String::new(), problem });
        }
        rows.each(|mut row: RunRow| {
            // The setting holds the values.
            row.swept = Vec::new();
            let cpu_s = timing.get(&row.run).map(|timing| timing.cpu_s);
            self.settings[first + row.setting as usize].runs.push(StudyRun { row, cpu_s });
        })?;
        // Growing vectors may be half empty.
        self.settings[first..].iter_mut().for_each(|setting| setting.runs.shrink_to_fit());
        let shown = || folder.display().to_string();
        let name = folder.file_name().map_or_else(shown, |name| name.to_string_lossy().into_owned());
        // Without readable facts no puzzle counts as open.
        let facts = Folder::facts(folder).unwrap_or_default().into_iter();
        let open = facts.filter(|row| row.solutions_exact == Some(false)).map(|row| row.puzzle).collect();
        let (path, named) = (folder.to_owned(), folder.to_owned());
        self.sources.push(StudyFolder { path, name, named, plan, shard, rows, open });
        Ok(())
    }

    /// Refuses folders that hold the same runs, or use one id for two puzzles.
    fn refuse_twins(&self) -> Result<(), ResultsError> {
        let mut puzzles: BTreeMap<&str, (String, &Path)> = BTreeMap::new();
        for source in &self.sources {
            for puzzle in &source.plan.puzzles {
                let text = puzzle.canonical_text();
                let (known, other) =
                    puzzles.entry(&puzzle.id).or_insert_with(|| (text.clone(), &source.path));
                if *known != text {
                    let (path, other) = (source.path.clone(), other.to_path_buf());
                    return Err(ResultsError::OtherPuzzle { puzzle: puzzle.id.clone(), path, other });
                }
            }
        }
        // Hashes are smaller than the configurations.
        let mut alike: BTreeMap<[u8; 32], Vec<&StudySetting>> = BTreeMap::new();
        for setting in &self.settings {
            let config = &self.sources[setting.source].plan.settings.all[setting.setting as usize].config;
            alike.entry(Sha256::digest(config.deciding()).into()).or_default().push(setting);
        }
        for alike in alike.values().filter(|alike| alike.len() > 1) {
            let mut seen: BTreeMap<(&str, u64), usize> = BTreeMap::new();
            for (setting, run) in alike.iter().flat_map(|one| one.runs.iter().map(move |run| (one, run))) {
                if let Some(other) = seen.insert((&run.row.puzzle, run.row.replicate), setting.source) {
                    let path = |source: usize| self.sources[source].path.clone();
                    return Err(ResultsError::DuplicateRuns {
                        path: path(setting.source),
                        other: path(other),
                    });
                }
            }
        }
        Ok(())
    }

    /// Finds the keys that distinguish the settings, and labels every setting.
    fn distinguish(&mut self) {
        let names: Vec<String> = self.sources.iter().map(|source| source.name.clone()).collect();
        for source in &mut self.sources {
            if names.iter().filter(|name| **name == source.name).count() > 1 {
                source.name = source.path.display().to_string();
            }
        }
        let swept: Vec<&Vec<String>> = self.sources.iter().map(|source| &source.plan.settings.keys).collect();
        let one_sweep = swept.windows(2).all(|pair| pair[0] == pair[1]);
        self.keys = match (one_sweep, self.sources.len()) {
            (true, 1) => swept[0].clone(),
            _ => self.differing(),
        };
        let several = self.sources.len() > 1;
        for setting in &mut self.settings {
            let source = &self.sources[setting.source];
            let words = source.plan.settings.describe(setting.setting as usize);
            setting.label = match (several, words.is_empty()) {
                (true, true) => source.name.clone(),
                (true, false) => format!("{}: {words}", source.name),
                (false, true) => setting.values.get("algorithm").cloned().unwrap_or_default(),
                (false, false) => words,
            };
        }
    }

    /// The keys of the search whose values differ between settings.
    fn differing(&self) -> Vec<String> {
        let all: BTreeSet<&String> = self.settings.iter().flat_map(|setting| setting.values.keys()).collect();
        let differs = |key: &&String| {
            let mut values = self.settings.iter().map(|setting| setting.values.get(key));
            let first = values.next();
            values.any(|value| Some(value) != first)
        };
        all.into_iter().filter(|key| is_of_search(key)).filter(differs).cloned().collect()
    }

    /// The race of a folder in its present state; `None` where the folder has none.
    pub fn race(&self, source: usize) -> Option<&Race> {
        self.races[source].as_ref()
    }

    /// Whether some of the runs were dropped.
    pub fn is_part(&self) -> bool {
        self.is_part
    }

    fn replay(&self, source: usize) -> Option<Race> {
        let race = self.sources[source].plan.race()?;
        let settings = self.settings.iter().filter(|setting| setting.source == source);
        let runs = settings.flat_map(|setting| &setting.runs);
        Some(race.replay(&runs.map(|run| (run.row.run, run.row.race_calls())).collect()))
    }

    /// Notes on the folders that hold only a part of their experiment.
    pub fn partial(&self) -> impl Iterator<Item = String> {
        self.sources.iter().filter_map(StudyFolder::partial)
    }

    /// All puzzles, each once, in the order of the folders.
    pub fn puzzles(&self) -> Vec<&Puzzle> {
        let mut seen = BTreeSet::new();
        let puzzles = self.sources.iter().flat_map(|source| &source.plan.puzzles);
        puzzles.filter(|puzzle| seen.insert(&*puzzle.id)).collect()
    }

    /// The keys that any folder sweeps, each once, in the order of the folders.
    pub fn swept_keys(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let keys = self.sources.iter().flat_map(|source| &source.plan.settings.keys);
        keys.filter(|key| seen.insert(*key)).cloned().collect()
    }

    /// Drops the settings of which a key has none of the values.
    pub fn keep_settings(&mut self, key: &str, values: &[String]) {
        let goes = |one: &mut StudySetting| !one.values.get(key).is_some_and(|value| values.contains(value));
        self.is_part |= self.settings.extract_if(.., goes).count() > 0;
    }

    /// Drops the runs of all puzzles but these.
    pub fn keep_puzzles(&mut self, ids: &[String]) {
        self.is_part |= self.puzzles().iter().any(|puzzle| !ids.contains(&puzzle.id));
        for setting in &mut self.settings {
            setting.runs.retain(|run| ids.contains(&run.row.puzzle));
        }
    }
}

/// Every key of a configuration, as a dotted path, with its value; of a member its name.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// The values of the first setting.
    first: Arc<BTreeMap<String, String>>,
    /// The values that differ from them; `None` for a key without a value.
    own: BTreeMap<String, Option<String>>,
}

impl Values {
    /// The values of a configuration; `shown` replaces those of swept keys by their labels.
    fn new(config: &Map<String, Value>, shown: impl Iterator<Item = (String, String)>) -> Self {
        let mut first = BTreeMap::new();
        each_leaf("", config, &mut |path, value| {
            if let (Some(member), Value::String(name)) = (path.strip_suffix(".name"), value) {
                first.insert(member.to_owned(), name.clone());
            }
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or(f64::NAN).to_string(),
                other => other.to_string(),
            };
            first.insert(path, text);
        });
        // Labels distinguish tables of one name.
        first.extend(shown);
        Self { first: first.into(), own: BTreeMap::new() }
    }

    /// The same values, sharing those that the first setting also has.
    fn shared(&self, first: &Self) -> Self {
        let first = Arc::clone(&first.first);
        let is_own = |(key, value): &(&String, &String)| first.get(*key) != Some(*value);
        let others = self.iter().filter(is_own).map(|(key, value)| (key.clone(), Some(value.clone())));
        let missing = first.keys().filter(|key| self.get(key).is_none()).map(|key| (key.clone(), None));
        Self { own: others.chain(missing).collect(), first }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&String> {
        self.own.get(key).map_or_else(|| self.first.get(key), Option::as_ref)
    }

    /// All keys with their values; the setting's own come last.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &String)> {
        let first = self.first.iter().filter(|(key, _)| !self.own.contains_key(*key));
        first.chain(self.own.iter().filter_map(|(key, value)| Some((key, value.as_ref()?))))
    }

    /// Every key.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.iter().map(|(key, _)| key)
    }
}

/// Hands over every value of a configuration that is not a table, with its dotted path.
pub(super) fn each_leaf<'a>(
    path: &str,
    table: &'a Map<String, Value>,
    take: &mut dyn FnMut(String, &'a Value),
) {
    for (key, value) in table {
        let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            Value::Object(table) => each_leaf(&inner, table, take),
            value => take(inner, value),
        }
    }
}

/// Whether a key, as a dotted path, configures the search and not the experiment around it.
pub(super) fn is_of_search(key: &str) -> bool {
    key.split('.').next().is_some_and(|head| !COMMON.contains(&head))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn values(config: Value) -> Values {
        let config = config.as_object().expect("a configuration is a table");
        Values::new(config, [("shown".to_owned(), "0.5".to_owned())].into_iter())
    }

    #[test]
    fn shared_values_are_the_same_and_only_what_differs_is_held_again() {
        let first =
            json!({"seed": 1, "algorithm": {"name": "genetic", "mutation": {"name": "swap", "rate": 0.5}}});
        let other =
            json!({"seed": 1, "algorithm": {"name": "genetic", "mutation": "redraw", "population": 8}});
        let (first, alone) = (values(first), values(other));
        let shared = alone.clone().shared(&first);
        let sorted = |values: &Values| -> BTreeMap<String, String> {
            values.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        assert_eq!(sorted(&shared), sorted(&alone));
        assert_eq!(sorted(&shared).len(), 6);
        assert!(sorted(&alone).iter().all(|(key, value)| shared.get(key) == Some(value)));
        assert_eq!(shared.get("algorithm.mutation.rate"), None);
        let own: Vec<&str> = shared.own.keys().map(String::as_str).collect();
        assert_eq!(
            own,
            [
                "algorithm.mutation",
                "algorithm.mutation.name",
                "algorithm.mutation.rate",
                "algorithm.population"
            ]
        );
        assert!(first.clone().shared(&first).own.is_empty());
    }
}
