//! The files of a tuning, read so that they belong together although a program may write them meanwhile.

use std::path::Path;

use super::super::VALIDATION_FOLDERS;
use super::super::manifest::{ABLATION, BEST, CANDIDATES, DECISIONS, DEFAULT, TuneManifest};
use super::super::run_log::{RecordedRuns, row_files};
use super::Purpose;
use crate::experiment::Shard;
use crate::results::{CHECKSUMS, Folder, LEDGER, Ledger, ResultsError, read_file};

/// The files of a tuning.
///
/// **Invariant**: `ledger.csv` is read before and after the files that follow from the runs. A tuning writes what follows from runs
/// before it makes the next one; so these files hold at least what follows from the runs but the last of the first reading,
/// and at most what follows from those of the second. What is written at the end is read before the second.
pub(super) struct TuningSnapshot {
    pub(super) manifest: TuneManifest,
    /// Everything has been written, and no other program writes.
    pub(super) has_ended: bool,
    /// A program writes, or has claimed the folder to go on.
    pub(super) is_locked: bool,
    /// How many runs were there before the other files were read.
    pub(super) runs_before: usize,
    /// The recorded runs.
    pub(super) recorded: RecordedRuns,
    /// The bytes of `candidates.jsonl`, `decisions.csv` and `ablation.csv`; `None` for a file that is not there.
    pub(super) derived: [Option<Vec<u8>>; 3],
    /// Those of `best.toml` and `default.toml`.
    pub(super) configs: [Option<Vec<u8>>; 2],
    /// Which of the folders of the validation are there.
    pub(super) held_out: [bool; 2],
}

/// The files that follow from the runs.
pub(super) const DERIVED: [&str; 3] = [CANDIDATES, DECISIONS, ABLATION];

/// The configurations that are written at the end.
pub(super) const CONFIGS: [&str; 2] = [BEST, DEFAULT];

impl TuningSnapshot {
    /// Reads the files of a folder.
    ///
    /// # Errors
    /// Those of [`TuneManifest::read`].
    pub(super) fn read(folder: &Path, purpose: Purpose) -> Result<Self, ResultsError> {
        let manifest = TuneManifest::read(folder)?;
        // The program that resumes has locked the folder itself.
        let is_locked = || Folder::is_being_written(folder);
        let is_at_rest = || folder.join(CHECKSUMS).exists() && (purpose == Purpose::Resume || !is_locked());
        let (was_locked, is_ended_before) = (is_locked(), is_at_rest());
        let row_files = row_files(&manifest);
        let names = row_files.iter().map(|file| file.stored).collect();
        let runs_before = Ledger::read(&folder.join(LEDGER), names)?.runs().len();
        let held_out = VALIDATION_FOLDERS.map(|name| folder.join(name).exists());
        let configs = [optional(folder, BEST)?, optional(folder, DEFAULT)?];
        let derived =
            [optional(folder, CANDIDATES)?, optional(folder, DECISIONS)?, optional(folder, ABLATION)?];
        let recorded = RecordedRuns::read(folder, &row_files, Shard::WHOLE, 0)?;
        let has_ended = is_ended_before && is_at_rest();
        let is_locked = was_locked || is_locked();
        Ok(Self { manifest, has_ended, is_locked, runs_before, recorded, derived, configs, held_out })
    }
}

fn optional(folder: &Path, name: &str) -> Result<Option<Vec<u8>>, ResultsError> {
    if folder.join(name).exists() { read_file(folder, name).map(Some) } else { Ok(None) }
}
