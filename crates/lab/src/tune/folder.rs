//! The folder of a tuning: plain files, written as it goes on, and read again when it is resumed.
//!
//! `runs.csv` has a row for every run, in the order in which they are due; it alone is read when a tuning is resumed, which
//! repeats all decisions from it and writes the other files anew.

use std::collections::VecDeque;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::manifest::{ABLATION, BEST, CANDIDATES, CHECKSUMMED, DECISIONS, DEFAULT, RUNS, TuneManifest};
use super::run_log::RunLog;
use super::{AblationStep, Candidate, Decision, Journal, Outcome, RecordedRun, RunRequest};
use crate::experiment::Config;
use crate::results::{Appender, CHECKSUMS, ResultsError, checksum_lines, claim, write_whole};

pub(super) const DECISION_COLUMNS: &str = "iteration,blocks,block,candidate,decision,test,p,rank,cost,used\n";
pub(super) const ABLATION_COLUMNS: &str = "step,change,candidate,cost,solved,blocks\n";

/// The open folder of a tuning.
pub struct TuneFolder {
    path: PathBuf,
    log: RunLog,
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
            let at = folder.join(self.name);
            // A kill leaves the beginning of the file, and never another text: what was there may be the honest one.
            let known = fs::read(&at).unwrap_or_default();
            let common = known.len().min(self.held.len());
            if known[..common] != self.held.as_bytes()[..common] {
                return Err(ResultsError::damaged(&at, "it does not follow from runs.csv".to_owned()));
            }
            write_whole(folder, self.name, self.held.as_bytes())?;
            let file = fs::OpenOptions::new().append(true).open(&at);
            self.file = Some(file.map_err(ResultsError::io("open", &at))?);
            self.held.clear();
        }
        Ok(())
    }
}

impl TuneFolder {
    /// Begins a folder, which must be new, or empty, or have been killed before it had a manifest.
    ///
    /// # Errors
    /// [`ResultsError::Occupied`], [`ResultsError::Busy`], [`ResultsError::Io`].
    pub fn begin(path: &Path, manifest: &TuneManifest) -> Result<Self, ResultsError> {
        fs::create_dir_all(path).map_err(ResultsError::io("create", path))?;
        if !manifest.is_unbegun(path)? {
            return Err(ResultsError::Occupied { path: path.to_owned() });
        }
        let claimed = claim(path, RUNS)?;
        manifest.write(path, None)?;
        Self::open(path, Box::new(claimed), manifest)
    }

    /// Resumes a folder.
    ///
    /// # Errors
    /// [`ResultsError::OtherConfig`], [`ResultsError::OtherInput`], [`ResultsError::Busy`], [`ResultsError::Damaged`],
    /// [`ResultsError::Io`].
    pub fn resume(path: &Path, manifest: &TuneManifest) -> Result<Self, ResultsError> {
        manifest.check(path, None)?;
        // Another program may be tuning there: nothing is changed before it is ours.
        let claimed = claim(path, RUNS)?;
        Self::open(path, Box::new(claimed), manifest)
    }

    fn open(path: &Path, claimed: Box<dyn Appender>, manifest: &TuneManifest) -> Result<Self, ResultsError> {
        let (log, recorded) = RunLog::open(path, claimed, manifest.has_costs())?;
        let derived = [
            DerivedFile::new(CANDIDATES, ""),
            DerivedFile::new(DECISIONS, DECISION_COLUMNS),
            DerivedFile::new(ABLATION, ABLATION_COLUMNS),
        ];
        let mut folder = Self { path: path.to_owned(), log, recorded: recorded.into(), derived };
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
        self.log.add(&RecordedRun { run, iteration, request: request.clone(), outcome: outcome.clone() })
    }

    fn decision(&mut self, decision: &Decision) -> Result<(), ResultsError> {
        self.add(DECISIONS, &decision.row())
    }

    fn step(&mut self, step: &AblationStep) -> Result<(), ResultsError> {
        self.add(ABLATION, &step.row())
    }
}

/// The text of `checksums.txt`: the SHA-256 of the files of a tuning, as `sha256sum -c` reads it.
///
/// # Errors
/// [`ResultsError::Io`] for a file that cannot be read.
pub fn checksums(folder: &Path) -> Result<String, ResultsError> {
    checksum_lines(folder, &CHECKSUMMED)
}
