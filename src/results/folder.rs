//! A results folder: begun, continued, finished.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::experiment::{Plan, Race, Runner, Shard};

use super::appender::{Appender, FileAppender};
use super::files::{self, CHECKSUMS, CONVERGENCE, FACTS, MANIFEST, PUZZLES, RUNS, SETTINGS, TIMING};
use super::rows::{ConvergenceRow, PuzzleRow, RunRow, TimingRow, csv_text, raced, read_rows, read_runs};
use super::sink::FolderSink;
use super::whole::{Grown, growing, whole_length, whole_runs};
use super::{Manifest, ResultsError};

/// A growing file, and how many of its bytes are whole runs.
type Growing = (Box<dyn Appender>, u64);

/// An open results folder.
pub struct Folder {
    path: PathBuf,
    /// Runs whose rows are there whole.
    done: BTreeSet<u64>,
    /// Those of [`growing`], with the length that is whole.
    files: Vec<Growing>,
}

impl Folder {
    /// Begins a folder: makes it where it is not there, and writes what is known before the first run.
    ///
    /// # Errors
    /// [`ResultsError::Occupied`] when it holds anything, [`ResultsError::Io`].
    pub fn begin(path: &Path, plan: &Plan, shard: Shard) -> Result<Self, ResultsError> {
        fs::create_dir_all(path).map_err(ResultsError::io("make", path))?;
        if !is_unbegun(path)? {
            return Err(ResultsError::Occupied { path: path.to_owned() });
        }
        files::write_whole(path, PUZZLES, files::puzzle_lines(plan).as_bytes())?;
        if plan.settings.sweep.is_some() {
            files::write_whole(path, SETTINGS, plan.settings.lines().as_bytes())?;
        }
        files::write_whole(path, MANIFEST, Manifest::new(plan, shard).text().as_bytes())?;
        let mut files = Self::open(path, plan)?;
        let done = cut_to_whole_runs(path, &mut files, plan)?;
        Ok(Self { path: path.to_owned(), done, files })
    }

    /// Continues a folder: keeps the runs that are there whole and cuts what was left of others. A folder whose program
    /// was killed before the manifest was there is begun anew.
    ///
    /// # Errors
    /// [`ResultsError::NoResults`], [`ResultsError::OtherConfig`] naming the key, [`ResultsError::Damaged`],
    /// [`ResultsError::Io`].
    pub fn resume(path: &Path, plan: &Plan, shard: Shard) -> Result<Self, ResultsError> {
        let no_results = || ResultsError::NoResults { path: path.to_owned() };
        if path.is_dir() && is_unbegun(path)? {
            return Self::begin(path, plan, shard);
        }
        let text = fs::read_to_string(path.join(MANIFEST)).map_err(|_| no_results())?;
        let (was, is) = (Manifest::parse(&text).ok_or_else(no_results)?, Manifest::new(plan, shard));
        if let Some((key, was, is)) = was.difference(&is) {
            return Err(ResultsError::OtherConfig { path: path.to_owned(), key, was, is });
        }
        let mut texts = vec![("puzzles", PUZZLES, files::puzzle_lines(plan))];
        texts.extend(plan.settings.sweep.as_ref().map(|_| ("settings", SETTINGS, plan.settings.lines())));
        for (key, name, text) in texts {
            if files::read(path, name)? != text.as_bytes() {
                let (key, was, is) = (key.to_owned(), format!("those in {name}"), "others".to_owned());
                return Err(ResultsError::OtherConfig { path: path.to_owned(), key, was, is });
            }
        }
        let mut files = Self::open(path, plan)?;
        let done = cut_to_whole_runs(path, &mut files, plan)?;
        let all = match Race::replay(plan, &raced(&Self::runs(path)?)) {
            Some(race) if race.next().is_none() => race.runs(),
            _ => shard.count(plan.runs()),
        };
        if (done.len() as u64) < all {
            // Those of an experiment that has ended do not hold for one that goes on.
            files::remove(path, CHECKSUMS)?;
        }
        if was != is {
            files::write_whole(path, MANIFEST, is.text().as_bytes())?;
        }
        Ok(Self { path: path.to_owned(), done, files })
    }

    fn open(path: &Path, plan: &Plan) -> Result<Vec<Growing>, ResultsError> {
        let open = |(name, _)| -> Result<Growing, ResultsError> {
            let path = path.join(name);
            let file = FileAppender::open(&path).map_err(ResultsError::io("open", &path))?;
            Ok((Box::new(file), 0))
        };
        growing(plan).into_iter().map(open).collect()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The runs whose rows are there whole.
    pub fn done(&self) -> &BTreeSet<u64> {
        &self.done
    }

    /// Writes the exact facts of the puzzles.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub fn write_facts(&self, plan: &Plan, runner: &Runner<'_>) -> Result<(), ResultsError> {
        let asked = plan.config.exact.nodes > 0;
        let row = |(index, puzzle)| {
            PuzzleRow::new(puzzle, runner.problem(index).cells(), runner.truth(index), asked)
        };
        let rows: Vec<PuzzleRow> = plan.puzzles.iter().enumerate().map(row).collect();
        files::write_whole(&self.path, FACTS, &csv_text(&rows, true))
    }

    /// The sink for further runs.
    pub fn sink<'a>(&mut self, plan: &'a Plan) -> FolderSink<'a> {
        let files = std::mem::take(&mut self.files).into_iter();
        FolderSink::new(plan, files.chain(std::iter::repeat_with(|| -> Growing { (Box::new(Closed), 0) })))
    }

    /// Writes the checksums: every run is there.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub fn finish(&self) -> Result<(), ResultsError> {
        files::write_whole(&self.path, CHECKSUMS, files::checksums(&self.path)?.as_bytes())
    }

    /// The rows of the runs that are there, in order.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn runs(path: &Path) -> Result<Vec<RunRow>, ResultsError> {
        let text = files::read(path, RUNS)?;
        Ok(read_runs(&path.join(RUNS), &text)?.into_iter().map(|(_, row)| row).collect())
    }

    /// Hands over the rows of convergence, in order and one at a time: there may be more of them than memory holds.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn each_sample(path: &Path, take: &mut dyn FnMut(ConvergenceRow)) -> Result<(), ResultsError> {
        let path = path.join(CONVERGENCE);
        let file = fs::File::open(&path).map_err(ResultsError::io("read", &path))?;
        for row in csv::Reader::from_reader(file).into_deserialize() {
            take(row.map_err(|error: csv::Error| ResultsError::Damaged {
                path: path.clone(),
                at: error.position().map_or(String::new(), |at| format!(", line {}", at.line())),
                problem: error.to_string(),
            })?);
        }
        Ok(())
    }

    /// The timing of the runs that are there, in order.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn timing(path: &Path) -> Result<Vec<TimingRow>, ResultsError> {
        let text = files::read(path, TIMING)?;
        Ok(read_rows(&path.join(TIMING), &text)?.into_iter().map(|(_, row)| row).collect())
    }
}

/// The folder is empty, or its program was killed before the manifest was there.
fn is_unbegun(path: &Path) -> Result<bool, ResultsError> {
    let unbegun = |name: &str| name == PUZZLES || name == SETTINGS || name.ends_with(".part");
    for entry in fs::read_dir(path).map_err(ResultsError::io("read", path))? {
        let entry = entry.map_err(ResultsError::io("read", path))?;
        if !entry.file_name().to_str().is_some_and(unbegun) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Stands where the files were before the sink took them.
struct Closed;

impl Appender for Closed {
    fn append(&mut self, _bytes: &[u8]) -> std::io::Result<()> {
        Err(std::io::Error::other("the folder's files were handed to a sink"))
    }

    fn cut(&mut self, _len: u64) -> std::io::Result<()> {
        self.append(&[])
    }
}

/// Finds the runs that are there whole, and cuts everything else.
fn cut_to_whole_runs(path: &Path, files: &mut [Growing], plan: &Plan) -> Result<BTreeSet<u64>, ResultsError> {
    let mut grown = Grown::default();
    for (name, header) in growing(plan) {
        grown.0.insert(name, sound_text(path, name, &header)?);
    }
    let done = whole_runs(path, &grown, &plan.settings.keys, plan.config.record_every)?;
    for ((name, header), (file, whole)) in growing(plan).into_iter().zip(files) {
        let kept = whole_length(grown.text(name), &header, |run| done.contains(&run));
        file.cut(kept as u64).map_err(ResultsError::io("cut", &path.join(name)))?;
        if kept == 0 {
            file.append(&header).map_err(ResultsError::io("write", &path.join(name)))?;
        }
        *whole = kept.max(header.len()) as u64;
    }
    Ok(done)
}

/// The text of a growing file, whose header is whole or torn but no other.
fn sound_text(path: &Path, name: &str, header: &[u8]) -> Result<Vec<u8>, ResultsError> {
    let text = files::read(path, name)?;
    if text.starts_with(header) || header.starts_with(&text) {
        return Ok(text);
    }
    let problem = format!("the header is not `{}`", String::from_utf8_lossy(header).trim_end());
    Err(ResultsError::Damaged { path: path.join(name), at: ", line 1".to_owned(), problem })
}
