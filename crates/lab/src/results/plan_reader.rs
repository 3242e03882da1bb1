//! The plan of a folder, read back from its manifest, settings and puzzles; and the plan file, which holds all three before
//! there is a folder. The manifest names no clock, host, path or thread count.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::files::{self, MANIFEST, PUZZLES, SETTINGS, puzzle_lines};
use super::{FolderKind, ResultsError};
use crate::experiment::{Config, KeyDifference, Plan, RunCosts, SWEEP, Settings, SettingsError, Shard};
use kenga_core::puzzle::formats::{self, Malformed};
use kenga_core::spec::SpecError;

/// The version of the folder's layout.
const FORMAT: u64 = 2;

/// The content of `manifest.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The version of kenga that wrote it.
    pub kenga: String,
    /// The layout of the folder.
    pub format: u64,
    /// The resolved configuration without puzzle files: the puzzles are in `puzzles.jsonl`. For a sweep, the configuration of
    /// its first setting and the sweep as written; the settings are in `settings.jsonl`.
    pub config: Map<String, Value>,
    /// The shard that the folder is for; `None` for all runs.
    pub shard: Option<Shard>,
    /// The costs by which runs are dealt to shards; a folder of all runs has none.
    pub run_costs: Option<Arc<RunCosts>>,
}

/// The key of the costs in manifests and plans.
const RUN_COSTS: &str = "run_costs";

impl Manifest {
    /// The manifest of a shard of a plan under this version.
    pub fn new(plan: &Plan, shard: Shard) -> Self {
        let mut config = plan.config.resolved.as_json();
        // They name files of one computer; the folder holds the puzzles themselves.
        config.shift_remove("puzzles");
        if let Some(sweep) = &plan.settings.sweep {
            config.insert(SWEEP.to_owned(), sweep.clone());
        }
        let shard = Some(shard).filter(|shard| *shard != Shard::WHOLE);
        let run_costs = shard.and_then(|_| plan.costs.clone());
        Self { kenga: env!("CARGO_PKG_VERSION").to_owned(), format: FORMAT, config, shard, run_costs }
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut value = json!({ "format": self.format, "kenga": self.kenga, "config": self.config });
        if let Some(shard) = self.shard {
            value["shard"] = json!(shard.to_string());
        }
        if let Some(costs) = &self.run_costs {
            value[RUN_COSTS] = json!(**costs);
        }
        let mut text = serde_json::to_string_pretty(&value).expect("maps with text keys can be written");
        text.push('\n');
        text
    }

    /// Reads the text of the file; `None` when it is not a manifest.
    pub fn parse(text: &str) -> Option<Self> {
        Self::of(&serde_json::from_str(text).ok()?)
    }

    /// The manifest that a value is, or is a part of.
    fn of(value: &Value) -> Option<Self> {
        let config = value.get("config")?.as_object()?.clone();
        let kenga = value.get("kenga")?.as_str()?.to_owned();
        let shard = match value.get("shard") {
            Some(shard) => Some(shard.as_str()?.parse().ok()?),
            None => None,
        };
        let run_costs = match value.get(RUN_COSTS) {
            Some(costs) => Some(Arc::new(RunCosts::deserialize(costs).ok()?)),
            None => None,
        };
        Some(Self { kenga, format: value.get("format")?.as_u64()?, config, shard, run_costs })
    }

    /// The first key that differs in another manifest. More replicates are no difference: their runs are appended.
    pub fn difference(&self, other: &Self) -> Option<KeyDifference> {
        if self.kenga != other.kenga {
            return Some(KeyDifference::new("kenga", &self.kenga, &other.kenga));
        }
        if self.format != other.format {
            return Some(KeyDifference::new("format", &self.format, &other.format));
        }
        if self.shard != other.shard {
            let [was, is] = [self, other].map(|manifest| manifest.shard.unwrap_or(Shard::WHOLE).to_string());
            return Some(KeyDifference::new("shard", &was, &is));
        }
        let difference = difference_of_tables("", &self.config, &other.config);
        if difference.is_none() && self.run_costs != other.run_costs {
            return Some(KeyDifference::new(RUN_COSTS, &"one table", &"another"));
        }
        difference
    }
}

/// The first key that differs, in the order of the old table and then of what is new, under a dotted path.
fn difference_of_tables(
    path: &str,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
) -> Option<KeyDifference> {
    let inner = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    for (key, was) in old {
        let Some(is) = new.get(key) else {
            return Some(KeyDifference { key: inner(key), was: was.to_string(), is: "absent".to_owned() });
        };
        if let Some(difference) = difference_of_values(&inner(key), was, is) {
            return Some(difference);
        }
    }
    let (key, is) = new.iter().find(|(key, _)| !old.contains_key(*key))?;
    Some(KeyDifference { key: inner(key), was: "absent".to_owned(), is: is.to_string() })
}

fn difference_of_values(path: &str, was: &Value, is: &Value) -> Option<KeyDifference> {
    if let (Value::Object(old), Value::Object(new)) = (was, is) {
        return difference_of_tables(path, old, new);
    }
    let appends = path == "replicates" && is.as_u64() >= was.as_u64();
    if was == is || appends { None } else { Some(KeyDifference::new(path, was, is)) }
}

/// The plan of a folder, and the shard that the folder is for.
///
/// # Errors
/// [`ResultsError::NoResults`]; [`ResultsError::Tuning`]; [`ResultsError::Damaged`] for an unreadable file; [`ResultsError::OtherVersion`], whose runs
/// this version cannot reproduce; [`ResultsError::NoMember`] for a member that another program has added to kenga;
/// [`ResultsError::Io`].
pub fn read_plan(folder: &Path) -> Result<(Plan, Shard), ResultsError> {
    match FolderKind::of(folder) {
        FolderKind::Experiment => {}
        FolderKind::Tuning => return Err(ResultsError::Tuning { path: folder.to_owned() }),
        FolderKind::Other => return Err(ResultsError::NoResults { path: folder.to_owned() }),
    }
    let source = PlanSource::Folder(folder);
    let Some(manifest) = Manifest::parse(&text(folder, MANIFEST)?) else {
        return Err(source.damaged(MANIFEST, "not a manifest".to_owned()));
    };
    source.check_version(&manifest)?;
    let puzzles = files::read(folder, PUZZLES)?;
    let has_sweep = manifest.config.contains_key(SWEEP);
    let settings = if has_sweep { text(folder, SETTINGS)? } else { String::new() };
    let mut lines = settings.lines().map(|line| serde_json::from_str(line).ok());
    let plan = source.plan(&manifest, &mut lines, &puzzles)?;
    Ok((plan, manifest.shard.unwrap_or(Shard::WHOLE)))
}

/// What a plan is read from.
enum PlanSource<'a> {
    /// The files of a folder.
    Folder(&'a Path),
    /// A file with all parts.
    File { name: &'a str },
}

impl PlanSource<'_> {
    /// Refuses what another version has written: it may draw other random numbers, and its runs could not be checked.
    fn check_version(&self, manifest: &Manifest) -> Result<(), ResultsError> {
        let this = env!("CARGO_PKG_VERSION");
        if manifest.kenga != this {
            return Err(
                self.other_version(manifest, format!("written by kenga {}, this is {this}", manifest.kenga))
            );
        }
        if manifest.format != FORMAT {
            return Err(ResultsError::OtherFormat {
                path: self.place(MANIFEST).0,
                format: manifest.format,
                known: FORMAT,
            });
        }
        Ok(())
    }

    /// The plan of a manifest, the lines of its settings and these puzzles.
    fn plan(
        &self,
        manifest: &Manifest,
        settings: &mut dyn Iterator<Item = Option<Value>>,
        puzzles: &[u8],
    ) -> Result<Plan, ResultsError> {
        let settings = self.settings(manifest, settings)?;
        let mut sound = Vec::new();
        for puzzle in formats::read_with_problems(PUZZLES, puzzles) {
            match puzzle {
                Ok(puzzle) => sound.push(puzzle),
                Err(error) => {
                    let is_unknown = matches!(error.what(), Malformed::UnknownOperator(_));
                    return Err(self.unread(PUZZLES, error.to_string(), is_unknown));
                }
            }
        }
        if sound.is_empty() {
            return Err(self.damaged(PUZZLES, "it holds no puzzle".to_owned()));
        }
        let mut plan = Plan::new(settings, sound);
        let replicate_runs = (plan.settings.all.len() * plan.puzzles.len()) as u64;
        if manifest.run_costs.as_ref().is_some_and(|costs| !costs.fit(plan.config.replicates, replicate_runs))
        {
            let problem = format!("{RUN_COSTS} are not those of the settings, puzzles and replicates");
            return Err(self.damaged(MANIFEST, problem));
        }
        plan.costs.clone_from(&manifest.run_costs);
        Ok(plan)
    }

    /// The settings of a manifest; those of a sweep have lines of their own.
    fn settings(
        &self,
        manifest: &Manifest,
        lines: &mut dyn Iterator<Item = Option<Value>>,
    ) -> Result<Settings, ResultsError> {
        let mut config = manifest.config.clone();
        // The configuration is that of one setting, which has no sweep.
        let sweep = config.shift_remove(SWEEP);
        let config = Config::from_json(&config)
            .map_err(|error| self.unread(MANIFEST, error.to_string(), is_unknown_name(&error)))?;
        if sweep.is_none() {
            return Ok(Settings::from(config));
        }
        Settings::from_lines(lines, &config, sweep).map_err(|error| {
            let is_unknown = matches!(&error, SettingsError::Config(unread) if is_unknown_name(unread));
            self.unread(SETTINGS, error.to_string(), is_unknown)
        })
    }

    /// The path and the place in it of a part.
    fn place(&self, part: &'static str) -> (PathBuf, String) {
        match self {
            Self::Folder(folder) => (folder.join(part), String::new()),
            Self::File { name } => (name.into(), format!(", {part}")),
        }
    }

    fn damaged(&self, part: &'static str, problem: String) -> ResultsError {
        let (path, at) = self.place(part);
        ResultsError::Damaged { path, at, problem }
    }

    fn other_version(&self, manifest: &Manifest, problem: String) -> ResultsError {
        ResultsError::OtherVersion { path: self.place(MANIFEST).0, problem, wrote: manifest.kenga.clone() }
    }

    /// The error of a part that cannot be read: what has a name that no family knows is another program's member.
    fn unread(&self, part: &'static str, problem: String, is_unknown_name: bool) -> ResultsError {
        if !is_unknown_name {
            return self.damaged(part, problem);
        }
        let (path, at) = self.place(part);
        ResultsError::NoMember { path, at, problem }
    }
}

fn is_unknown_name(error: &SpecError) -> bool {
    matches!(error, SpecError::UnknownName { .. })
}

fn text(folder: &Path, name: &str) -> Result<String, ResultsError> {
    Ok(String::from_utf8_lossy(&files::read(folder, name)?).into_owned())
}

/// The text of a plan file: the manifest with the settings and the puzzles, each on a line of its own.
pub fn plan_text(plan: &Plan) -> String {
    let manifest = Manifest::new(plan, Shard::WHOLE).text();
    // The parts are added before the brace that ends the manifest.
    let head = manifest.trim_end().trim_end_matches('}').trim_end();
    let mut text = head.to_owned();
    if let Some(costs) = &plan.costs {
        text += &format!(",\n  \"{RUN_COSTS}\": {}", json!(**costs));
    }
    text += ",\n  \"settings\": [\n";
    if plan.settings.sweep.is_some() {
        add_elements(&mut text, plan.settings.each_line());
    }
    text += "\n  ],\n  \"puzzles\": [\n";
    add_elements(&mut text, puzzle_lines(&plan.puzzles).lines());
    text + "\n  ]\n}\n"
}

/// Adds JSON lines as the elements of an array, one after the other: all of them may be a hundred megabytes.
fn add_elements(text: &mut String, lines: impl Iterator<Item = impl AsRef<str>>) {
    for (index, line) in lines.enumerate() {
        *text += if index > 0 { ",\n    " } else { "    " };
        *text += line.as_ref().trim_end();
    }
}

/// Reads the text of a plan file.
///
/// # Errors
/// [`ResultsError::NoPlan`] for another text; [`ResultsError::OtherVersion`] for the plan of another version of kenga;
/// [`ResultsError::Damaged`].
pub fn read_plan_text(name: &str, text: &str) -> Result<Plan, ResultsError> {
    let no_plan = || ResultsError::NoPlan { path: name.into() };
    let mut value: Value = serde_json::from_str(text).map_err(|_| no_plan())?;
    let manifest = Manifest::of(&value).ok_or_else(no_plan)?;
    let Some(Value::Array(settings)) = value.get_mut("settings").map(Value::take) else {
        return Err(no_plan());
    };
    let mut puzzles = String::new();
    for puzzle in value.get("puzzles").and_then(Value::as_array).ok_or_else(no_plan)? {
        puzzles += &format!("{puzzle}\n");
    }
    let source = PlanSource::File { name };
    source.check_version(&manifest)?;
    source.plan(&manifest, &mut settings.into_iter().map(Some), puzzles.as_bytes())
}
