//! The manifest of a tuning, the puzzles beside it, and the names of its files.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::{Cost, KEYS, Options, TUNE};
use crate::experiment::{Config, ConfigDraft, KeyDifference, Shard, Space};
use crate::results::{
    FolderKind, LEDGER, MANIFEST, PUZZLES, RUNS, ResultsError, checksum_lines, is_draft, puzzle_lines,
    read_file, write_whole, wrong_solutions,
};
use kenga_core::puzzle::{Puzzle, formats};

pub(super) const HELD_OUT: &str = "held-out.jsonl";
pub(super) const CANDIDATES: &str = "candidates.jsonl";
pub(super) const DECISIONS: &str = "decisions.csv";
pub(super) const ABLATION: &str = "ablation.csv";
pub(super) const BEST: &str = "best.toml";
pub(super) const DEFAULT: &str = "default.toml";

/// The files that `checksums.txt` lists, in its order. The validation has checksums of its own, and programs decide the texts of
/// `failures.csv`, which the ledger lists.
pub(super) const CHECKSUMMED: [&str; 10] =
    [ABLATION, BEST, CANDIDATES, DECISIONS, DEFAULT, HELD_OUT, LEDGER, MANIFEST, PUZZLES, RUNS];

/// The key of a shard in its manifest.
const SHARD: &str = "shard";

/// The layout of the folder.
const FORMAT: u64 = 2;

/// The version that writes it.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a folder is for: everything that decides what stands in it.
#[derive(Clone, Debug)]
pub struct TuneManifest {
    /// The name of the configuration file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What was set over it, as `--set` does.
    pub set: Vec<String>,
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
    /// The held-out puzzles.
    pub held_out: Vec<Puzzle>,
}

/// The traits of a tuning that decide which files and columns its runs have.
#[derive(Clone, Copy, Default)]
pub(super) struct RunTraits {
    pub(super) can_fail: bool,
    /// The costs that programs report are compared.
    pub(super) compares_costs: bool,
}

/// The problem of a file that can be read but that kenga writes differently.
pub(super) const NOT_OURS: &str = "kenga writes it differently";

impl TuneManifest {
    fn json(&self, shard: Option<Shard>) -> Json {
        let mut json = json!({
            "format": FORMAT,
            "kenga": VERSION,
            "kind": "tuning",
            "name": self.name,
            "text": self.text,
            "set": self.set,
        });
        if let Some(shard) = shard {
            json[SHARD] = json!(shard.to_string());
        }
        json
    }

    /// The text of the file, in the folder of the tuning or of a shard.
    pub(super) fn text(&self, shard: Option<Shard>) -> String {
        format!("{}\n", serde_json::to_string_pretty(&self.json(shard)).expect("a JSON value is written"))
    }

    /// Whether a folder holds only what a program writes before the manifest.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(super) fn is_unbegun(&self, path: &Path) -> Result<bool, ResultsError> {
        let has = |name: &str, text: &str| read_file(path, name).is_ok_and(|bytes| bytes == text.as_bytes());
        for entry in fs::read_dir(path).map_err(ResultsError::io("read", path))? {
            let name = entry.map_err(ResultsError::io("read", path))?.file_name();
            let is_expected = match name.to_str() {
                Some(LEDGER) => has(LEDGER, ""),
                Some(PUZZLES) => has(PUZZLES, &puzzle_lines(&self.puzzles)),
                Some(HELD_OUT) => has(HELD_OUT, &puzzle_lines(&self.held_out)),
                Some(name) => is_draft(name),
                None => false,
            };
            if !is_expected {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes into a new folder what it is for.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(super) fn write(&self, path: &Path, shard: Option<Shard>) -> Result<(), ResultsError> {
        write_whole(path, PUZZLES, puzzle_lines(&self.puzzles).as_bytes())?;
        write_whole(path, HELD_OUT, puzzle_lines(&self.held_out).as_bytes())?;
        write_whole(path, MANIFEST, self.text(shard).as_bytes())
    }

    /// Checks that a folder is for the same.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), [`ResultsError::OtherConfig`], [`ResultsError::OtherInput`].
    pub(super) fn check(&self, path: &Path, shard: Option<Shard>) -> Result<(), ResultsError> {
        let was = Self::read_as(path, shard)?;
        if read_file(path, MANIFEST)? != was.text(shard).as_bytes() {
            return Err(ResultsError::damaged(&path.join(MANIFEST), NOT_OURS.to_owned()));
        }
        if let Some(difference) = was.difference(self) {
            return Err(ResultsError::OtherConfig { path: path.to_owned(), difference });
        }
        for (what, file, is) in
            [("puzzles", PUZZLES, &self.puzzles), ("held-out puzzles", HELD_OUT, &self.held_out)]
        {
            if read_file(path, file)? != puzzle_lines(is).as_bytes() {
                return Err(ResultsError::OtherInput { path: path.to_owned(), what, file });
            }
            if let Some((_, problem)) = wrong_solutions(is).into_iter().next() {
                return Err(ResultsError::damaged(&path.join(file), problem));
            }
        }
        Ok(())
    }

    /// Reads what a folder is for.
    ///
    /// # Errors
    /// [`ResultsError::NoResults`], [`ResultsError::NoTuning`] for the folder of an experiment,
    /// [`ResultsError::TuningShard`], [`ResultsError::OtherVersion`], [`ResultsError::OtherFormat`], [`ResultsError::Damaged`],
    /// [`ResultsError::Io`].
    pub fn read(path: &Path) -> Result<Self, ResultsError> {
        Self::read_as(path, None)
    }

    /// Reads what a folder is for, which is that of the tuning or of this shard.
    fn read_as(path: &Path, shard: Option<Shard>) -> Result<Self, ResultsError> {
        match FolderKind::of(path) {
            FolderKind::Tuning => {}
            FolderKind::Experiment => return Err(ResultsError::NoTuning { path: path.to_owned() }),
            FolderKind::Other => return Err(ResultsError::NoResults { path: path.to_owned() }),
        }
        let at = path.join(MANIFEST);
        let no_manifest = || ResultsError::damaged(&at, "not a manifest".to_owned());
        let json: Json = serde_json::from_slice(&read_file(path, MANIFEST)?).map_err(|_| no_manifest())?;
        let word = |key: &str| json[key].as_str().map(str::to_owned).ok_or_else(no_manifest);
        let wrote = word("kenga")?;
        // What another version decided from the same runs cannot be repeated.
        if wrote != VERSION {
            let problem = format!("written by kenga {wrote}, this is {VERSION}");
            return Err(ResultsError::OtherVersion { path: at, problem, wrote });
        }
        let format = json["format"].as_u64().ok_or_else(no_manifest)?;
        if format != FORMAT {
            return Err(ResultsError::OtherFormat { path: at, format, known: FORMAT });
        }
        if json.get(SHARD) != shard.map(|shard| json!(shard.to_string())).as_ref() {
            return Err(ResultsError::TuningShard { path: path.to_owned() });
        }
        let mut set = Vec::new();
        for assignment in json["set"].as_array().ok_or_else(no_manifest)? {
            set.push(assignment.as_str().ok_or_else(no_manifest)?.to_owned());
        }
        let (name, text) = (word("name")?, word("text")?);
        let (puzzles, held_out) = (read_puzzles(path, PUZZLES)?, read_puzzles(path, HELD_OUT)?);
        if puzzles.is_empty() {
            return Err(ResultsError::damaged(&path.join(PUZZLES), "it holds no puzzle".to_owned()));
        }
        Ok(Self { name, text, set, puzzles, held_out })
    }

    /// The space and the options that the text describes.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] where it describes none; `folder` is that of the manifest.
    pub(super) fn space_and_options(&self, folder: &Path) -> Result<(Space, Options), ResultsError> {
        match self.parsed() {
            Some(parsed) => Ok(parsed),
            None => {
                let problem = "it does not describe the space of a tuning".to_owned();
                Err(ResultsError::damaged(&folder.join(MANIFEST), problem))
            }
        }
    }

    fn parsed(&self) -> Option<(Space, Options)> {
        let mut draft = ConfigDraft::read(&self.name, &self.text).ok()?;
        for assignment in &self.set {
            draft.set(assignment).ok()?;
        }
        let spec = draft.take_section(TUNE, KEYS).ok()??;
        let space = draft.space().ok()?;
        let options = Options::new(&spec, space.default(), space.keys().len()).ok()?;
        Some((space, options))
    }

    /// The traits that decide which files and columns its runs have.
    pub(super) fn run_traits(&self) -> RunTraits {
        let Some((space, options)) = self.parsed() else { return RunTraits::default() };
        // A candidate may start a program where the default does not: its command stands in the sweep then.
        let can_fail = space.default().can_fail || space.written().to_string().contains("command");
        RunTraits { can_fail, compares_costs: options.cost == Cost::Reported }
    }

    /// The text of `best.toml`.
    pub fn best_toml(&self, best: &Config) -> String {
        self.config_toml("best", best)
    }

    /// The text of `default.toml`.
    pub(super) fn default_toml(&self, default: &Config) -> String {
        self.config_toml("default", default)
    }

    /// The TOML of a configuration as resolved, on the puzzles of the folder.
    fn config_toml(&self, what: &str, config: &Config) -> String {
        let mut object = config.resolved.as_json();
        if !config.has_own_problem() {
            object.insert("puzzles".to_owned(), json!([PUZZLES]));
        }
        let body = toml::to_string(&object).expect("a resolved configuration has no null");
        // A line break in the name of a file would end the comment.
        let name = self.name.lines().collect::<Vec<_>>().join(" ");
        format!("# The {what} configuration of a tuning of {name}, by kenga {VERSION}.\n\n{body}")
    }

    /// The first thing in which another tuning differs from this one.
    pub(super) fn difference(&self, other: &Self) -> Option<KeyDifference> {
        let (was, is) = (self.json(None), other.json(None));
        // The name of the file decides nothing, and other versions are refused before.
        for key in ["text", "set"] {
            if was[key] != is[key] {
                return Some(KeyDifference::new(key, &short(&was[key]), &short(&is[key])));
            }
        }
        None
    }
}

/// The text of `checksums.txt`: the SHA-256 of the files of a tuning, as `sha256sum -c` reads it.
///
/// # Errors
/// [`ResultsError::Io`] for a file that cannot be read.
pub fn checksums(folder: &Path) -> Result<String, ResultsError> {
    checksum_lines(folder, &CHECKSUMMED)
}

/// A value on one line.
fn short(value: &Json) -> String {
    match value.as_str() {
        Some(text) if text.contains('\n') => "another text".to_owned(),
        _ => value.to_string(),
    }
}

fn read_puzzles(path: &Path, file: &str) -> Result<Vec<Puzzle>, ResultsError> {
    let bytes = read_file(path, file)?;
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let read = formats::read_with_problems(file, &bytes).into_iter().collect::<Result<Vec<Puzzle>, _>>();
    read.map_err(|error| ResultsError::damaged(&path.join(file), error.to_string()))
}
