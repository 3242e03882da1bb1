//! The folder of a tuning: plain files, written as it goes on, and read again when it is resumed.
//!
//! `runs.csv` has a row for every run, in the order in which they are due, and `ledger.csv` says which of them are there. They
//! alone are read when a tuning is resumed, which repeats all decisions from them and writes the other files anew.

use std::collections::VecDeque;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::journal::{ABLATION_COLUMNS, DECISION_COLUMNS};
use super::manifest::{ABLATION, BEST, CANDIDATES, DECISIONS, DEFAULT, TuneManifest, checksums};
use super::run_log::{RunLog, row_files};
use super::validate::refuse_what_does_not_hold;
use super::{AblationStep, Candidate, Decision, Journal, TuneRun};
use crate::experiment::{Config, Shard};
use crate::results::{CHECKSUMS, FileAppender, ResultsError, claim, claim_begun, write_whole};

/// The open folder of a tuning.
pub struct TuneFolder {
    path: PathBuf,
    log: RunLog,
    recorded: VecDeque<TuneRun>,
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
        let claimed = claim(path)?;
        manifest.write(path, None)?;
        Self::open(path, claimed, manifest)
    }

    /// Resumes a folder, and checks it before as [`validate`](super::validate) does, on `jobs` threads and without making a run.
    /// Nothing is changed before all recorded runs have turned out to be those of this tuning.
    ///
    /// # Errors
    /// [`ResultsError::OtherConfig`], [`ResultsError::OtherInput`], [`ResultsError::Busy`], [`ResultsError::Gap`],
    /// [`ResultsError::Damaged`] for a claim that does not hold, [`ResultsError::Io`].
    pub fn resume(path: &Path, manifest: &TuneManifest, jobs: usize) -> Result<Self, ResultsError> {
        manifest.check(path, None)?;
        let claimed = claim_begun(path)?;
        refuse_what_does_not_hold(path, jobs)?;
        Self::open(path, claimed, manifest)
    }

    /// Resumes a folder without checks.
    #[cfg(test)]
    pub(super) fn resume_unchecked(path: &Path, manifest: &TuneManifest) -> Result<Self, ResultsError> {
        manifest.check(path, None)?;
        Self::open(path, claim(path)?, manifest)
    }

    fn open(path: &Path, claimed: FileAppender, manifest: &TuneManifest) -> Result<Self, ResultsError> {
        let (log, recorded) = RunLog::open(path, Box::new(claimed), row_files(manifest), Shard::WHOLE)?;
        let derived = [
            DerivedFile::new(CANDIDATES, ""),
            DerivedFile::new(DECISIONS, DECISION_COLUMNS),
            DerivedFile::new(ABLATION, ABLATION_COLUMNS),
        ];
        Ok(Self { path: path.to_owned(), log, recorded: recorded.into(), derived })
    }

    /// All recorded runs are those of this tuning: what is left of others is cut off, and what follows from them replaces what
    /// is there. Checksums stay: where there are any, they hold, and nothing changes.
    fn start(&mut self) -> Result<(), ResultsError> {
        self.log.cut()?;
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
    fn recorded(&mut self) -> Result<Option<TuneRun>, ResultsError> {
        let next = self.recorded.pop_front();
        if next.is_none() {
            self.start()?;
        }
        Ok(next)
    }

    fn candidate(&mut self, candidate: &Candidate, keys: &[String]) -> Result<(), ResultsError> {
        self.add(CANDIDATES, &candidate.line(keys))
    }

    fn run(&mut self, run: &TuneRun) -> Result<(), ResultsError> {
        self.log.add(run)
    }

    fn decision(&mut self, decision: &Decision) -> Result<(), ResultsError> {
        self.add(DECISIONS, &decision.row())
    }

    fn step(&mut self, step: &AblationStep) -> Result<(), ResultsError> {
        self.add(ABLATION, &step.row())
    }
}
