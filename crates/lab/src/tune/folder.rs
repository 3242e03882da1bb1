//! The folder of a tuning: plain files, written as it goes on, and read again when it is resumed.
//!
//! `runs.csv` has a row for every run, in the order in which they are due; it alone is read when a tuning is resumed, which
//! repeats all decisions from it and writes the other files anew.

use std::collections::VecDeque;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::manifest::{
    ABLATION, BEST, CANDIDATES, CHECKSUMMED, CHECKSUMS, DECISIONS, DEFAULT, FAILURES, HELD_OUT, MANIFEST,
    PUZZLES, RUNS, TuneManifest,
};
use super::recorded::{RecordedRun, run_columns};
use super::{AblationStep, Candidate, Decision, Journal, Outcome, RunRequest};
use crate::experiment::Config;
use crate::results::{
    Appender, ResultsError, checksum_lines, claim, puzzle_lines, read_file, write_whole, wrong_solutions,
};
use kenga_core::search::Failure;
use kenga_core::text::cell;

pub(super) const DECISION_COLUMNS: &str = "iteration,blocks,block,candidate,decision,test,p,rank,cost,used\n";
const FAILURE_COLUMNS: &str = "run,candidate,puzzle,reason,stderr\n";
pub(super) const ABLATION_COLUMNS: &str = "step,change,candidate,cost,solved,blocks\n";

/// The problem of a file that can be read but that kenga writes differently.
const NOT_OURS: &str = "kenga writes it differently";

/// The open folder of a tuning.
pub struct TuneFolder {
    path: PathBuf,
    /// Locked while it is open.
    runs: Box<dyn Appender>,
    /// `runs.csv` has a column of costs.
    has_costs: bool,
    recorded: VecDeque<RecordedRun>,
    /// Candidates, decisions and the ablation path.
    derived: [DerivedFile; 3],
}

/// A file that follows from the runs, and is written anew from the recorded ones. It replaces the one that is there only when
/// they all have turned out to be those of this tuning.
struct DerivedFile {
    name: &'static str,
    /// What is to be written by then.
    held: String,
    /// Open for what follows, from then on.
    file: Option<fs::File>,
}

impl DerivedFile {
    fn new(name: &'static str, head: &str) -> Self {
        Self { name, held: head.to_owned(), file: None }
    }

    fn add(&mut self, folder: &Path, text: &str) -> Result<(), ResultsError> {
        match &mut self.file {
            None => self.held += text,
            Some(file) => {
                let at = folder.join(self.name);
                file.write_all(text.as_bytes()).map_err(ResultsError::io("write", &at))?;
            }
        }
        Ok(())
    }

    /// Replaces the file.
    fn replace(&mut self, folder: &Path) -> Result<(), ResultsError> {
        if self.file.is_none() {
            write_whole(folder, self.name, self.held.as_bytes())?;
            let at = folder.join(self.name);
            let file = fs::OpenOptions::new().append(true).open(&at);
            self.file = Some(file.map_err(ResultsError::io("open", &at))?);
            self.held.clear();
        }
        Ok(())
    }
}

impl TuneFolder {
    /// Begins a folder, which must be new or empty.
    ///
    /// # Errors
    /// [`ResultsError::Occupied`], [`ResultsError::Busy`], [`ResultsError::Io`].
    pub fn begin(path: &Path, manifest: &TuneManifest) -> Result<Self, ResultsError> {
        fs::create_dir_all(path).map_err(ResultsError::io("create", path))?;
        let mut entries = fs::read_dir(path).map_err(ResultsError::io("read", path))?;
        if entries.next().is_some() {
            return Err(ResultsError::Occupied { path: path.to_owned() });
        }
        let claimed = claim(path)?;
        write_whole(path, PUZZLES, puzzle_lines(&manifest.puzzles).as_bytes())?;
        write_whole(path, HELD_OUT, puzzle_lines(&manifest.held_out).as_bytes())?;
        write_whole(path, MANIFEST, manifest.text().as_bytes())?;
        Self::open(path, Box::new(claimed), manifest.has_costs())
    }

    /// Resumes a folder.
    ///
    /// # Errors
    /// [`ResultsError::OtherConfig`], [`ResultsError::OtherInput`], [`ResultsError::Busy`], [`ResultsError::Damaged`],
    /// [`ResultsError::Io`].
    pub fn resume(path: &Path, manifest: &TuneManifest) -> Result<Self, ResultsError> {
        let was = TuneManifest::read(path)?;
        if read_file(path, MANIFEST)? != was.text().as_bytes() {
            return Err(ResultsError::damaged(&path.join(MANIFEST), NOT_OURS.to_owned()));
        }
        if let Some(difference) = was.difference(manifest) {
            return Err(ResultsError::OtherConfig { path: path.to_owned(), difference });
        }
        for (what, file, is) in
            [("puzzles", PUZZLES, &manifest.puzzles), ("held-out puzzles", HELD_OUT, &manifest.held_out)]
        {
            if read_file(path, file)? != puzzle_lines(is).as_bytes() {
                return Err(ResultsError::OtherInput { path: path.to_owned(), what, file });
            }
            if let Some((_, problem)) = wrong_solutions(is).into_iter().next() {
                return Err(ResultsError::damaged(&path.join(file), problem));
            }
        }
        // Another program may be tuning there: nothing is changed before it is ours.
        let claimed = claim(path)?;
        Self::open(path, Box::new(claimed), manifest.has_costs())
    }

    fn open(path: &Path, mut runs: Box<dyn Appender>, has_costs: bool) -> Result<Self, ResultsError> {
        let at = path.join(RUNS);
        let text = fs::read_to_string(&at).map_err(ResultsError::io("read", &at))?;
        // A row that a killed program left unfinished is made again.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let columns = run_columns(has_costs);
        if whole > 0 && !text.starts_with(&columns) {
            return Err(ResultsError::damaged(&at, format!("its first line is not {}", columns.trim_end())));
        }
        let mut recorded = VecDeque::new();
        for (line, row) in (1..).zip(text[..whole].split_terminator('\n')).skip(1) {
            match RecordedRun::read(row, has_costs) {
                Some(run) if run.row(has_costs).trim_end() == row => recorded.push_back(run),
                _ => {
                    return Err(ResultsError::damaged(
                        &at,
                        format!("line {line} is not a run as kenga writes it"),
                    ));
                }
            }
        }
        // Cut only now: a file that is not ours stays as it is.
        runs.cut(whole as u64).map_err(ResultsError::io("write", &at))?;
        if whole == 0 {
            runs.append(columns.as_bytes()).map_err(ResultsError::io("write", &at))?;
        }
        let derived = [
            DerivedFile::new(CANDIDATES, ""),
            DerivedFile::new(DECISIONS, DECISION_COLUMNS),
            DerivedFile::new(ABLATION, ABLATION_COLUMNS),
        ];
        let mut folder = Self { path: path.to_owned(), runs, has_costs, recorded, derived };
        cut_failures(path, folder.recorded.len())?;
        if folder.recorded.is_empty() {
            folder.replace_derived()?;
        }
        Ok(folder)
    }

    /// All recorded runs are those of this tuning: what follows from them replaces what is there.
    fn replace_derived(&mut self) -> Result<(), ResultsError> {
        let sums = self.path.join(CHECKSUMS);
        if sums.exists() {
            fs::remove_file(&sums).map_err(ResultsError::io("remove", &sums))?;
        }
        for file in &mut self.derived {
            file.replace(&self.path)?;
        }
        Ok(())
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the best and the default as configurations that `kenga run` takes.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub fn write_configs(
        &self,
        manifest: &TuneManifest,
        best: &Config,
        default: &Config,
    ) -> Result<(), ResultsError> {
        write_whole(&self.path, BEST, manifest.best_toml(best).as_bytes())?;
        write_whole(&self.path, DEFAULT, manifest.default_toml(default).as_bytes())
    }

    /// Writes the checksums of the files of the tuning; those of its validation have their own.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub fn finish(&self) -> Result<(), ResultsError> {
        let text = checksums(&self.path)?;
        write_whole(&self.path, CHECKSUMS, text.as_bytes())
    }

    fn add(&mut self, file: &str, text: &str) -> Result<(), ResultsError> {
        let derived = self.derived.iter_mut().find(|derived| derived.name == file);
        derived.expect("it is one of the three").add(&self.path, text)
    }
}

impl Journal for TuneFolder {
    fn recorded(&mut self) -> Result<Option<RecordedRun>, ResultsError> {
        let next = self.recorded.pop_front();
        if next.is_none() && self.derived.iter().any(|derived| derived.file.is_none()) {
            self.replace_derived()?;
        }
        Ok(next)
    }

    fn candidate(&mut self, candidate: &Candidate, keys: &[String]) -> Result<(), ResultsError> {
        self.add(CANDIDATES, &candidate.line(keys))
    }

    fn run(
        &mut self,
        run: u64,
        iteration: u64,
        request: &RunRequest,
        outcome: &Outcome,
    ) -> Result<(), ResultsError> {
        if let Some(failure) = &outcome.failure {
            // Before its run: whoever is killed in between leaves a row too many, which resuming takes out.
            append(&self.path.join(FAILURES), FAILURE_COLUMNS, &failure_row(run, request, failure))?;
        }
        let recorded = RecordedRun { run, iteration, request: request.clone(), outcome: outcome.clone() };
        let row = recorded.row(self.has_costs);
        let at = self.path.join(RUNS);
        self.runs.append(row.as_bytes()).map_err(ResultsError::io("write", &at))
    }

    fn decision(&mut self, decision: &Decision) -> Result<(), ResultsError> {
        self.add(DECISIONS, &decision.row())
    }

    fn step(&mut self, step: &AblationStep) -> Result<(), ResultsError> {
        self.add(ABLATION, &step.row())
    }
}

/// Why a run failed, as a row.
fn failure_row(run: u64, request: &RunRequest, failure: &Failure) -> String {
    let quoted = |text: &str| {
        let on_one_line = text.lines().collect::<Vec<_>>().join(" / ");
        format!("\"{}\"", cell(&on_one_line).replace('"', "\"\""))
    };
    let (candidate, puzzle) = (request.candidate, request.place.0);
    format!("{run},{candidate},{puzzle},{},{}\n", quoted(&failure.reason), quoted(&failure.stderr))
}

/// Adds a row to a table, which begins with its columns.
fn append(at: &Path, columns: &str, row: &str) -> Result<(), ResultsError> {
    let mut text = if at.exists() { String::new() } else { columns.to_owned() };
    text += row;
    let file = fs::OpenOptions::new().append(true).create(true).open(at);
    let mut file = file.map_err(ResultsError::io("open", at))?;
    file.write_all(text.as_bytes()).map_err(ResultsError::io("write", at))
}

/// Takes out of the failures what is of no recorded run: a killed program has left it.
fn cut_failures(path: &Path, runs: usize) -> Result<(), ResultsError> {
    let at = path.join(FAILURES);
    if !at.exists() {
        return Ok(());
    }
    let text = fs::read_to_string(&at).map_err(ResultsError::io("read", &at))?;
    let mut kept = FAILURE_COLUMNS.to_owned();
    for row in text.split_inclusive('\n').skip(1) {
        let run = row.split(',').next().and_then(|cell| cell.parse::<usize>().ok());
        if row.ends_with('\n') && run.is_some_and(|run| run < runs) {
            kept += row;
        }
    }
    if kept == text {
        return Ok(());
    }
    if kept == FAILURE_COLUMNS {
        return fs::remove_file(&at).map_err(ResultsError::io("remove", &at));
    }
    write_whole(path, FAILURES, kept.as_bytes())
}

/// The text of `checksums.txt`: the SHA-256 of the files of a tuning, as `sha256sum -c` reads it.
///
/// # Errors
/// [`ResultsError::Io`] for a file that cannot be read.
pub fn checksums(folder: &Path) -> Result<String, ResultsError> {
    checksum_lines(folder, &CHECKSUMMED)
}
