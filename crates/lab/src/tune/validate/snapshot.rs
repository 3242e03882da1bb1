//! The files of a tuning, read so that they belong together although a program may write them meanwhile.

use std::path::Path;

use super::super::VALIDATION_FOLDERS;
use super::super::manifest::{ABLATION, BEST, CANDIDATES, DECISIONS, DEFAULT, RUNS, TuneManifest};
use super::super::recorded::{RecordedRun, run_columns};
use crate::results::{CHECKSUMS, Folder, ResultsError, read_file};

/// The files of a tuning.
///
/// **Invariant**: `runs.csv` is read before and after the files that follow from it. A tuning writes what follows from runs
/// before it makes the next one; so these files hold at least what follows from the runs but the last of the first reading,
/// and at most what follows from those of the second. What is written at the end is read before the second.
pub(super) struct TuningSnapshot {
    pub(super) manifest: TuneManifest,
    /// Everything has been written, and nobody writes.
    pub(super) has_ended: bool,
    /// How many runs were there before the other files were read.
    pub(super) runs_before: usize,
    /// The bytes of `runs.csv`.
    pub(super) runs: Vec<u8>,
    /// The bytes of `candidates.jsonl`, `decisions.csv` and `ablation.csv`; `None` for a file that is not there.
    pub(super) derived: [Option<Vec<u8>>; 3],
    /// Those of `best.toml` and `default.toml`.
    pub(super) configs: [Option<Vec<u8>>; 2],
    /// Which of the folders of the validation are there.
    pub(super) held_out: [bool; 2],
}

/// The runs of `runs.csv`.
pub(super) struct RecordedRuns {
    pub(super) runs: Vec<RecordedRun>,
    /// The first line that is no run, if there is one: the lines behind it are not read.
    pub(super) broken: Option<BrokenLine>,
}

/// A line that kenga does not write.
pub(super) struct BrokenLine {
    /// Its number, from 1.
    pub(super) number: u64,
    /// What is wrong with it.
    pub(super) problem: String,
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
    pub(super) fn read(folder: &Path) -> Result<Self, ResultsError> {
        let manifest = TuneManifest::read(folder)?;
        let is_at_rest = || folder.join(CHECKSUMS).exists() && !Folder::is_being_written(folder);
        let is_ended_before = is_at_rest();
        let before = read_file(folder, RUNS)?;
        let held_out = VALIDATION_FOLDERS.map(|name| folder.join(name).exists());
        let configs = [optional(folder, BEST)?, optional(folder, DEFAULT)?];
        let derived =
            [optional(folder, CANDIDATES)?, optional(folder, DECISIONS)?, optional(folder, ABLATION)?];
        let runs = read_file(folder, RUNS)?;
        let runs_before = rows_of(&before);
        let has_ended = is_ended_before && is_at_rest();
        Ok(Self { manifest, has_ended, runs_before, runs, derived, configs, held_out })
    }

    /// How many rows `runs.csv` has, whatever they are.
    pub(super) fn listed(&self) -> u64 {
        rows_of(&self.runs) as u64
    }

    /// The recorded runs up to the first line that is none.
    pub(super) fn recorded(&self) -> RecordedRuns {
        let mut runs = Vec::new();
        let has_costs = self.manifest.has_costs();
        let columns = run_columns(has_costs);
        for (number, line) in (1..).zip(self.runs.split_inclusive(|byte| *byte == b'\n')) {
            let problem = if !line.ends_with(b"\n") {
                if !self.has_ended {
                    // A killed program leaves the beginning of a row, which is made again.
                    return RecordedRuns { runs, broken: None };
                }
                "the line has no end".to_owned()
            } else if number == 1 {
                if line == columns.as_bytes() {
                    continue;
                }
                format!("its first line is not {}", columns.trim_end())
            } else {
                match RecordedRun::read(String::from_utf8_lossy(line).trim_end_matches('\n'), has_costs) {
                    Some(run) if run.row(has_costs).as_bytes() == line => {
                        runs.push(run);
                        continue;
                    }
                    Some(_) => "kenga writes this line differently".to_owned(),
                    None => "the line is not a run".to_owned(),
                }
            };
            return RecordedRuns { runs, broken: Some(BrokenLine { number, problem }) };
        }
        RecordedRuns { runs, broken: None }
    }
}

/// The complete lines of a table behind its header.
fn rows_of(table: &[u8]) -> usize {
    table.iter().filter(|byte| **byte == b'\n').count().saturating_sub(1)
}

fn optional(folder: &Path, name: &str) -> Result<Option<Vec<u8>>, ResultsError> {
    if folder.join(name).exists() { read_file(folder, name).map(Some) } else { Ok(None) }
}
