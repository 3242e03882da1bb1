//! A results folder: begun, continued, finished.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::experiment::{Plan, Race, Runner, Shard};

use super::atomic::{Appender, FileAppender, is_draft, remove_drafts, step};
use super::checksums::{checksums, differences};
use super::files::{
    self, CHECKSUMS, CONVERGENCE, FACTS, MANIFEST, MIGRATIONS, OPERATORS, PUZZLES, RUNS, SETTINGS, TIMING,
};
use super::recovery::{Recovered, recover};
use super::rows::{
    ConvergenceRow, MigrationRow, OperatorRow, PuzzleRow, Row, RunRow, TimingRow, csv_text, read_rows,
};
use super::run_files::{FolderSink, run_file, run_files_of};
use super::run_reader::{RunReader, as_stored};
use super::{Manifest, ResultsError};

/// An open file that runs add their rows to, and how many of its bytes are complete runs.
type OpenFile = (Box<dyn Appender>, u64);

/// An open results folder.
pub struct Folder {
    path: PathBuf,
    /// The runs that are complete.
    done: BTreeSet<u64>,
    /// The files that runs add rows to, each with the length of its complete runs.
    files: Vec<OpenFile>,
    /// The checksums that the files must have in the end, where they had ended before.
    sums: Option<Vec<u8>>,
}

impl Folder {
    /// Begins a folder: makes it where it is not there, and writes what is known before the first run.
    ///
    /// # Errors
    /// [`ResultsError::NoFolder`] for a file, [`ResultsError::Occupied`] when it holds anything, [`ResultsError::Busy`] when
    /// another program writes it, [`ResultsError::Io`].
    pub fn begin(path: &Path, plan: &Plan, shard: Shard) -> Result<Self, ResultsError> {
        if path.is_file() {
            return Err(ResultsError::NoFolder { path: path.to_owned() });
        }
        step().and_then(|()| fs::create_dir_all(path)).map_err(ResultsError::io("make", path))?;
        let occupied = || ResultsError::Occupied { path: path.to_owned() };
        if !is_unbegun(path, plan)? {
            // Whoever writes it says so first.
            return Err(if path.join(RUNS).exists() {
                claim(path).err().unwrap_or_else(occupied)
            } else {
                occupied()
            });
        }
        let claim = claim(path)?;
        // Another program may have come first, and gone.
        if !is_unbegun(path, plan)? {
            return Err(occupied());
        }
        remove_drafts(path).map_err(ResultsError::io("clear", path))?;
        files::write_whole(path, PUZZLES, files::puzzle_lines(plan).as_bytes())?;
        if plan.settings.sweep.is_some() {
            files::write_whole(path, SETTINGS, plan.settings.lines().as_bytes())?;
        }
        files::write_whole(path, MANIFEST, Manifest::new(plan, shard).text().as_bytes())?;
        let mut files = Self::open(path, plan, claim)?;
        let found = recover(path, plan, shard)?;
        let done = cut(path, &mut files, plan, found)?;
        Ok(Self { path: path.to_owned(), done, files, sums: None })
    }

    /// Resumes a folder: keeps its complete runs and cuts what is left of others. A folder whose program
    /// was killed before the manifest was there is begun anew.
    ///
    /// # Errors
    /// [`ResultsError::NoResults`], [`ResultsError::OtherConfig`] naming the key, [`ResultsError::Edited`] for an experiment
    /// that has ended and was changed since, [`ResultsError::Busy`], [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn resume(path: &Path, plan: &Plan, shard: Shard) -> Result<Self, ResultsError> {
        let no_results = || ResultsError::NoResults { path: path.to_owned() };
        if path.is_dir() && is_unbegun(path, plan)? {
            return Self::begin(path, plan, shard);
        }
        if !path.join(MANIFEST).exists() {
            return Err(no_results());
        }
        let claim = claim(path)?;
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
        let edited = differences(path)?.into_iter().next();
        let mut files = Self::open(path, plan, claim)?;
        let found = recover(path, plan, shard)?;
        let is_missing = (found.runs.len() as u64) < planned(path, plan, shard, &found.runs)?;
        // Of an experiment that has ended only an end that was lost is made again.
        let is_lost_end = is_missing && found.is_cut_short && was == is;
        if let Some(edited) = edited.as_ref().filter(|_| !is_lost_end) {
            return Err(edited.refusal(path));
        }
        // What was torn from an experiment that had ended comes out as it was.
        let sums = if edited.is_some() { Some(files::read(path, CHECKSUMS)?) } else { None };
        if is_missing || was != is {
            // Those of an experiment that has ended do not hold for one that goes on, from the first change on.
            files::remove(path, CHECKSUMS)?;
        }
        remove_drafts(path).map_err(ResultsError::io("clear", path))?;
        let done = cut(path, &mut files, plan, found)?;
        if was != is {
            files::write_whole(path, MANIFEST, is.text().as_bytes())?;
        }
        Ok(Self { path: path.to_owned(), done, files, sums })
    }

    /// Opens the growing files; the one that is claimed is the last of them.
    fn open(path: &Path, plan: &Plan, claim: FileAppender) -> Result<Vec<OpenFile>, ResultsError> {
        let open = |name| -> Result<OpenFile, ResultsError> {
            let path = path.join(name);
            let file = FileAppender::open(&path).map_err(ResultsError::io("open", &path))?;
            Ok((Box::new(file), 0))
        };
        let others = run_files_of(&plan.config).filter(|file| file.name != RUNS);
        let others = others.map(|file| open(file.file(&plan.config)));
        others.chain([Ok((Box::new(claim) as Box<dyn Appender>, 0))]).collect()
    }

    /// Every run of the experiment that a folder holds has ended.
    pub fn has_ended(folder: &Path) -> bool {
        folder.join(CHECKSUMS).exists()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The complete runs.
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
        FolderSink::new(plan, files.chain(std::iter::repeat_with(|| -> OpenFile { (Box::new(Closed), 0) })))
    }

    /// Writes the checksums: every run is there.
    ///
    /// # Errors
    /// [`ResultsError::Edited`] for an experiment that had ended with other bytes, [`ResultsError::Io`].
    pub fn finish(&self) -> Result<(), ResultsError> {
        let Some(sums) = &self.sums else {
            return files::write_whole(&self.path, CHECKSUMS, checksums(&self.path)?.as_bytes());
        };
        files::write_whole(&self.path, CHECKSUMS, sums)?;
        match differences(&self.path)?.first() {
            Some(edited) => Err(edited.refusal(&self.path)),
            None => Ok(()),
        }
    }

    /// Hands over the rows of the runs that are there, in order and one at a time: there may be more of them than memory
    /// holds.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn each_run(path: &Path, mut take: impl FnMut(RunRow)) -> Result<(), ResultsError> {
        each(path, RUNS, |row| {
            take(row);
            Ok(())
        })
    }

    /// What a race compares of the runs that are there.
    ///
    /// # Errors
    /// As [`each_run`](Self::each_run).
    pub fn raced(path: &Path) -> Result<BTreeMap<u64, f64>, ResultsError> {
        let mut calls = BTreeMap::new();
        Self::each_run(path, |row| calls.extend([(row.run, row.race_calls())]))?;
        Ok(calls)
    }

    /// Hands over the rows of convergence as [`each_run`](Self::each_run) does those of runs. What an experiment that has
    /// not ended has written of its last run may be incomplete.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`], and what `take` says.
    pub fn each_sample<E: From<ResultsError>>(
        path: &Path,
        take: impl FnMut(ConvergenceRow) -> Result<(), E>,
    ) -> Result<(), E> {
        each(path, CONVERGENCE, take)
    }

    /// The exact facts of the puzzles.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn facts(path: &Path) -> Result<Vec<PuzzleRow>, ResultsError> {
        let rows = read_rows::<PuzzleRow>(&path.join(FACTS), &files::read(path, FACTS)?)?;
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    /// Hands over what operators came to, where it was recorded, as [`each_run`](Self::each_run) does rows of runs.
    ///
    /// # Errors
    /// As [`each_run`](Self::each_run).
    pub fn each_operator(path: &Path, mut take: impl FnMut(OperatorRow)) -> Result<(), ResultsError> {
        each(path, OPERATORS, |row| {
            take(row);
            Ok(())
        })
    }

    /// Hands over the migrants, where they were recorded, as [`each_run`](Self::each_run) does rows of runs.
    ///
    /// # Errors
    /// As [`each_run`](Self::each_run).
    pub fn each_migrant(path: &Path, mut take: impl FnMut(MigrationRow)) -> Result<(), ResultsError> {
        each(path, MIGRATIONS, |row| {
            take(row);
            Ok(())
        })
    }

    /// The timing of the runs that are there.
    ///
    /// # Errors
    /// As [`each_run`](Self::each_run).
    pub fn timing(path: &Path) -> Result<BTreeMap<u64, TimingRow>, ResultsError> {
        let mut timing = BTreeMap::new();
        each(path, TIMING, |row: TimingRow| {
            timing.insert(row.run, row);
            Ok::<_, ResultsError>(())
        })?;
        Ok(timing)
    }
}

/// Hands over the rows of a growing file. The torn end of an experiment that has not ended is left out.
fn each<T: Row, E: From<ResultsError>>(
    folder: &Path,
    name: &'static str,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let plain = folder.join(name);
    let packed = run_file(name).and_then(|file| file.packed).map(|name| folder.join(name));
    let path = packed.filter(|packed| !plain.exists() && packed.exists()).unwrap_or(plain);
    let mut pieces = RunReader::open(&path, None)?;
    while pieces.next()?.is_some() {
        for (_, row) in pieces.rows()? {
            take(row)?;
        }
    }
    match pieces.is_torn() && folder.join(CHECKSUMS).exists() {
        true => Err(pieces.torn().into()),
        false => Ok(()),
    }
}

/// Takes a folder for this program alone, before anything else is written to it: its `runs.csv` is locked until the
/// program ends, however it ends.
fn claim(path: &Path) -> Result<FileAppender, ResultsError> {
    let runs = path.join(RUNS);
    FileAppender::open(&runs).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => ResultsError::Busy { path: path.to_owned() },
        _ => ResultsError::io("open", &runs)(error),
    })
}

/// The folder is empty, or its program was killed before the manifest was there: what it holds is what would be written.
fn is_unbegun(path: &Path, plan: &Plan) -> Result<bool, ResultsError> {
    let unbegun = |name: &str| match name {
        PUZZLES => files::read(path, name).is_ok_and(|text| text == files::puzzle_lines(plan).as_bytes()),
        SETTINGS => files::read(path, name).is_ok_and(|text| text == plan.settings.lines().as_bytes()),
        RUNS => fs::metadata(path.join(name)).is_ok_and(|found| found.len() == 0),
        _ => is_draft(name),
    };
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
    fn append(&mut self, _bytes: &[u8]) -> io::Result<()> {
        Err(io::Error::other("the folder's files were handed to a sink"))
    }

    fn cut(&mut self, _len: u64) -> io::Result<()> {
        self.append(&[])
    }
}

/// How many runs a shard will have, as far as its finished runs tell.
fn planned(path: &Path, plan: &Plan, shard: Shard, done: &BTreeSet<u64>) -> Result<u64, ResultsError> {
    if Race::of(plan).is_none() {
        return Ok(shard.count(plan.runs()));
    }
    let mut calls = Folder::raced(path)?;
    calls.retain(|run, _| done.contains(run));
    let race = Race::replay(plan, &calls).filter(|race| race.next().is_none());
    Ok(race.map_or(plan.runs(), |race| race.runs()))
}

/// Cuts everything but the complete runs.
fn cut(
    path: &Path,
    files: &mut [OpenFile],
    plan: &Plan,
    found: Recovered,
) -> Result<BTreeSet<u64>, ResultsError> {
    for ((file, (appender, whole)), length) in run_files_of(&plan.config).zip(files).zip(found.lengths) {
        let name = file.file(&plan.config);
        let at = path.join(name);
        appender.cut(length).map_err(ResultsError::io("cut", &at))?;
        *whole = length;
        if length == 0 {
            let header = as_stored(name, (file.header)(plan));
            appender.append(&header).map_err(ResultsError::io("write", &at))?;
            *whole = header.len() as u64;
        }
    }
    Ok(found.runs)
}
