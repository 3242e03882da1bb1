//! The plan of a folder, read back from its manifest, settings and puzzles; and the plan file, which holds all three before
//! there is a folder. The manifest names no clock, host, path or thread count.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::files::{self, MANIFEST, PUZZLES, SETTINGS, puzzle_lines};
use super::{FolderKind, ResultsError};
use crate::experiment::{Config, KeyDifference, Plan, SWEEP, Settings, SettingsError, Shard};
use kenga_core::puzzle::Puzzle;
use kenga_core::puzzle::formats::{self, Malformed};
use kenga_core::spec::SpecError;

/// The version of the folder's layout.
const FORMAT: u64 = 1;

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
}

impl Manifest {
    /// The manifest of a shard of a plan under this version.
    pub fn new(plan: &Plan, shard: Shard) -> Self {
        let mut config = plan.config.resolved.object();
        config.shift_remove("puzzles");
        if let Some(sweep) = &plan.settings.sweep {
            config.insert(SWEEP.to_owned(), sweep.clone());
        }
        let shard = Some(shard).filter(|shard| *shard != Shard::WHOLE);
        Self { kenga: env!("CARGO_PKG_VERSION").to_owned(), format: FORMAT, config, shard }
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut value = json!({ "format": self.format, "kenga": self.kenga, "config": self.config });
        if let Some(shard) = self.shard {
            value["shard"] = json!(shard.to_string());
        }
        let mut text = serde_json::to_string_pretty(&value).expect("maps with text keys can be written");
        text.push('\n');
        text
    }

    /// Reads the text of the file; `None` when it is not a manifest.
    pub fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let config = value.get("config")?.as_object()?.clone();
        let kenga = value.get("kenga")?.as_str()?.to_owned();
        let shard = match value.get("shard") {
            Some(shard) => Some(shard.as_str()?.parse().ok()?),
            None => None,
        };
        Some(Self { kenga, format: value.get("format")?.as_u64()?, config, shard })
    }

    /// The first key that differs in another manifest. More replicates are no difference: their runs are appended.
    pub fn difference(&self, other: &Self) -> Option<KeyDifference> {
        if self.kenga != other.kenga {
            return Some(KeyDifference::new("kenga", &self.kenga, &other.kenga));
        }
        if self.format != other.format {
            return Some(KeyDifference::new("format", &self.format, &other.format));
        }
        let shown = |shard: Option<Shard>| shard.unwrap_or(Shard::WHOLE).to_string();
        if self.shard != other.shard {
            return Some(KeyDifference::new("shard", &shown(self.shard), &shown(other.shard)));
        }
        difference("", &Value::Object(self.config.clone()), &Value::Object(other.config.clone()))
    }
}

fn difference(path: &str, was: &Value, is: &Value) -> Option<KeyDifference> {
    let (Value::Object(old), Value::Object(new)) = (was, is) else {
        let appends = path == "replicates" && is.as_u64() >= was.as_u64();
        return (was != is && !appends).then(|| KeyDifference::new(path, was, is));
    };
    let keys: Vec<&String> = old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))).collect();
    keys.into_iter().find_map(|key| {
        let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match (old.get(key), new.get(key)) {
            (Some(was), Some(is)) => difference(&inner, was, is),
            (was, is) => {
                let shown = |value: Option<&Value>| value.map_or("absent".to_owned(), Value::to_string);
                Some(KeyDifference { key: inner, was: shown(was), is: shown(is) })
            }
        }
    })
}

/// The plan of a folder, and the shard that the folder is for.
///
/// # Errors
/// [`ResultsError::NoResults`]; [`ResultsError::Tuning`]; [`ResultsError::Damaged`] for an unreadable file; [`ResultsError::OtherVersion`], whose runs
/// this version cannot reproduce; [`ResultsError::NoMember`] for a member that another program has added to kenga;
/// [`ResultsError::Io`].
pub fn read_plan(folder: &Path) -> Result<(Plan, Shard), ResultsError> {
    let damaged = |name: &'static str, problem: String| ResultsError::Damaged {
        path: folder.join(name),
        at: String::new(),
        problem,
    };
    match FolderKind::of(folder) {
        FolderKind::Experiment => {}
        FolderKind::Tuning => return Err(ResultsError::Tuning { path: folder.to_owned() }),
        FolderKind::Other => return Err(ResultsError::NoResults { path: folder.to_owned() }),
    }
    let manifest = Manifest::parse(&text(folder, MANIFEST)?)
        .ok_or_else(|| damaged(MANIFEST, "not a manifest".to_owned()))?;
    let settings = || text(folder, SETTINGS);
    let plan = plan_of(&manifest, settings, &files::read(folder, PUZZLES)?, &damaged)?;
    Ok((plan, manifest.shard.unwrap_or(Shard::WHOLE)))
}

/// The plan of a manifest; a sweep also needs `settings`. `damaged` makes the error for one of the parts.
fn plan_of(
    manifest: &Manifest,
    settings: impl FnOnce() -> Result<String, ResultsError>,
    puzzles: &[u8],
    damaged: &dyn Fn(&'static str, String) -> ResultsError,
) -> Result<Plan, ResultsError> {
    let other_version = |problem| match damaged(MANIFEST, problem) {
        ResultsError::Damaged { path, problem, .. } => {
            ResultsError::OtherVersion { path, problem, wrote: manifest.kenga.clone() }
        }
        other => other,
    };
    let this = env!("CARGO_PKG_VERSION");
    if manifest.kenga != this {
        return Err(other_version(format!("written by kenga {}, this is {this}", manifest.kenga)));
    }
    if manifest.format != FORMAT {
        let problem = format!("layout {} of a folder, this version knows {FORMAT}", manifest.format);
        return Err(other_version(problem));
    }
    let mut config = manifest.config.clone();
    let sweep = config.shift_remove(SWEEP);
    let config =
        Config::from_json(&config).map_err(|error| unknown(&error, damaged(MANIFEST, error.to_string())))?;
    let settings = match sweep {
        None => Settings::from(config),
        sweep => {
            let text = settings()?;
            Settings::from_lines(&text, &config, sweep).map_err(|error| match &error {
                SettingsError::Config(unread) => unknown(unread, damaged(SETTINGS, error.to_string())),
                SettingsError::Contradiction(_) => damaged(SETTINGS, error.to_string()),
            })?
        }
    };
    let puzzles: Vec<Puzzle> = formats::read(PUZZLES, puzzles)
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(|error| match error.what() {
            Malformed::UnknownOperator(_) => no_member(damaged(PUZZLES, error.to_string())),
            _ => damaged(PUZZLES, error.to_string()),
        })?;
    match puzzles.is_empty() {
        true => Err(damaged(PUZZLES, "it holds no puzzle".to_owned())),
        false => Ok(Plan::new(settings, puzzles)),
    }
}

/// The error of a configuration that cannot be read: a name that no family has is that of another program's member.
fn unknown(error: &SpecError, damaged: ResultsError) -> ResultsError {
    match error {
        SpecError::UnknownName { .. } => no_member(damaged),
        _ => damaged,
    }
}

fn no_member(damaged: ResultsError) -> ResultsError {
    match damaged {
        ResultsError::Damaged { path, at, problem } => ResultsError::NoMember { path, at, problem },
        other => other,
    }
}

fn text(folder: &Path, name: &str) -> Result<String, ResultsError> {
    Ok(String::from_utf8_lossy(&files::read(folder, name)?).into_owned())
}

/// The text of a plan file: the manifest with the settings and the puzzles, each on a line of its own.
pub fn plan_text(plan: &Plan) -> String {
    let manifest = Manifest::new(plan, Shard::WHOLE).text();
    let lines = |text: String| text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join(",\n");
    let head = manifest.trim_end().trim_end_matches('}').trim_end().to_owned();
    let settings = plan.settings.sweep.as_ref().map_or(String::new(), |_| plan.settings.lines());
    format!(
        "{head},\n  \"settings\": [\n{}\n  ],\n  \"puzzles\": [\n{}\n  ]\n}}\n",
        lines(settings),
        lines(puzzle_lines(plan))
    )
}

/// Reads the text of a plan file.
///
/// # Errors
/// [`ResultsError::NoPlan`] for another text; [`ResultsError::OtherVersion`] for the plan of another version of kenga;
/// [`ResultsError::Damaged`].
pub fn read_plan_text(name: &str, text: &str) -> Result<Plan, ResultsError> {
    let no_plan = || ResultsError::NoPlan { path: name.into() };
    let value: Value = serde_json::from_str(text).map_err(|_| no_plan())?;
    let manifest = Manifest::parse(text).ok_or_else(no_plan)?;
    let lines = |key: &str| -> Option<String> {
        Some(value.get(key)?.as_array()?.iter().map(|line| format!("{line}\n")).collect())
    };
    let (settings, puzzles) = (lines("settings").ok_or_else(no_plan)?, lines("puzzles").ok_or_else(no_plan)?);
    let damaged = |part: &'static str, problem: String| ResultsError::Damaged {
        path: name.into(),
        at: format!(", {part}"),
        problem,
    };
    plan_of(&manifest, || Ok(settings), puzzles.as_bytes(), &damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Draft;
    use kenga_core::puzzle::{Cage, Square, operators};

    fn plan(sweep: &str) -> Plan {
        let text = format!("seed = 7\n[budget]\nevaluations = 100\n{sweep}");
        let settings = Draft::read("x.toml", &text).and_then(Draft::settings).expect("a sound configuration");
        let plus = operators::find("+").expect("a known operator");
        let whole = Cage::new(plus, 6, vec![(0, 0), (0, 1), (1, 0), (1, 1)]);
        let mut puzzle = Square::kenken(2, vec![whole]).build().expect("a sound puzzle");
        puzzle.id = "two".to_owned();
        Plan::new(settings, vec![puzzle])
    }

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        for sweep in ["", "[sweep]\n'algorithm.population' = [4, 8]\n'algorithm.crossover.rate' = [0.5, 1.0]"]
        {
            let plan = plan(sweep);
            let text = plan_text(&plan);
            let again = read_plan_text("plan.json", &text).expect("a plan");
            assert_eq!(plan_text(&again), text);
            assert_eq!((again.runs(), again.settings.keys.len()), (plan.runs(), plan.settings.keys.len()));
        }
    }

    #[test]
    fn a_member_of_another_program_is_named_as_such() {
        let sweep = "[sweep]\n'algorithm.mutation' = ['swap', 'reset']";
        let plain = plan_text(&plan(""));
        let swept = plan_text(&plan(sweep));
        let mutation = "there is no mutation named `rotate`";
        for (text, was, is, told) in [
            (&plain, "\"swap\"", "\"rotate\"", mutation),
            (&swept, "{\"name\":\"reset\"", "{\"name\":\"rotate\"", mutation),
            (&plain, "\"op\":\"+\"", "\"op\":\"sqr\"", "unknown operator `sqr`"),
        ] {
            let changed = text.replace(was, is);
            assert_ne!(&changed, text);
            match read_plan_text("plan.json", &changed).expect_err("a member of another program") {
                ResultsError::NoMember { problem, .. } => assert_eq!(problem, told),
                other => panic!("{other}"),
            }
        }
    }

    #[test]
    fn what_is_no_plan_is_refused() {
        for text in ["", "{}", "[1]", "{\"format\": 1, \"kenga\": \"0\", \"config\": {}}"] {
            let error = read_plan_text("plan.json", text).expect_err("no plan");
            assert!(error.to_string().contains("plan.json"), "{error}");
        }
    }
}
