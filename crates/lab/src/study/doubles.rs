//! Folders that hold the same runs, or use one id for two puzzles.

use std::collections::BTreeMap;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::Study;
use crate::results::ResultsError;

impl Study {
    /// Refuses folders that use one id for two puzzles.
    pub(super) fn refuse_other_puzzles(&self) -> Result<(), ResultsError> {
        let mut puzzles: BTreeMap<&str, (String, &Path)> = BTreeMap::new();
        for folder in &self.folders {
            for puzzle in &folder.plan.puzzles {
                let text = puzzle.canonical_text();
                let (known, other) =
                    puzzles.entry(&puzzle.id).or_insert_with(|| (text.clone(), &folder.path));
                if *known != text {
                    let (path, other) = (folder.path.clone(), other.to_path_buf());
                    return Err(ResultsError::OtherPuzzle { puzzle: puzzle.id.clone(), path, other });
                }
            }
        }
        Ok(())
    }

    /// Leaves out the runs that a folder named before holds too, and returns the settings that are alike, by index.
    pub(super) fn leave_out_double_runs(&mut self) -> Result<Vec<Vec<usize>>, ResultsError> {
        // Hashes are smaller than the configurations.
        let mut alike: BTreeMap<[u8; 32], Vec<usize>> = BTreeMap::new();
        for (index, setting) in self.settings.iter().enumerate() {
            let config = &self.folders[setting.folder].plan.settings.all[setting.setting as usize].config;
            alike.entry(Sha256::digest(config.deciding()).into()).or_default().push(index);
        }
        // Most settings have no twin, and their runs need no map.
        let mut alike: Vec<Vec<usize>> = alike.into_values().collect();
        alike.retain(|settings| settings.len() > 1);
        for settings in &alike {
            let mut first: BTreeMap<(u32, u64), usize> = BTreeMap::new();
            for index in settings {
                let folder = self.settings[*index].folder;
                for run in std::mem::take(&mut self.settings[*index].runs) {
                    let start = (self.runs.puzzle[run as usize], self.runs.replicate[run as usize]);
                    match first.get(&start) {
                        // Two labels of one folder for one setting.
                        Some(other) if *other == folder => {
                            return Err(self.duplicate_runs(*other, *other));
                        }
                        Some(other) => self.folders[folder].doubles.push(*other),
                        None => {
                            first.insert(start, folder);
                            self.settings[*index].runs.push(run);
                        }
                    }
                }
            }
        }
        self.refuse_copies()?;
        Ok(alike)
    }

    /// Refuses a folder given twice, or a copy, where no other folder has runs of its own.
    fn refuse_copies(&self) -> Result<(), ResultsError> {
        let mut left = vec![0; self.folders.len()];
        for setting in &self.settings {
            left[setting.folder] += setting.runs.len();
        }
        for (index, folder) in self.folders.iter().enumerate() {
            let Some(other) = folder.doubles.first() else { continue };
            let is_copy = left[index] == 0 && folder.doubles.len() == left[*other];
            if is_copy && left.iter().filter(|runs| **runs > 0).count() == 1 {
                return Err(self.duplicate_runs(index, *other));
            }
        }
        Ok(())
    }

    fn duplicate_runs(&self, folder: usize, other: usize) -> ResultsError {
        let (path, other) = (self.folders[folder].path.clone(), self.folders[other].path.clone());
        ResultsError::DuplicateRuns { path, other }
    }

    /// Notes on the runs that were left out because two folders hold them.
    pub fn doubles(&self) -> impl Iterator<Item = String> {
        let mut counts: BTreeMap<[usize; 2], u64> = BTreeMap::new();
        for (index, folder) in self.folders.iter().enumerate() {
            for other in &folder.doubles {
                *counts.entry([index, *other]).or_default() += 1;
            }
        }
        counts.into_iter().map(|(both, count)| {
            let [folder, other] = both.map(|index| self.folders[index].named.display());
            let runs = if count == 1 { "1 run".to_owned() } else { format!("{count} runs") };
            format!("{other} and {folder} share {runs}, counted once")
        })
    }
}
