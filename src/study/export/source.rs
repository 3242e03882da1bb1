//! What is exported: the runs of some folders, and the values of every setting by column.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::ExportError;
use super::columns::{Cell, Column, settings_by_column, telling};
use crate::results::Folder;
use crate::study::{Study, StudyRun};

/// The runs of some folders, ready to be written in any format.
pub struct Export {
    /// The runs by setting.
    pub(super) study: Study,
    /// What every folder is called, no two alike.
    pub(super) folders: Vec<String>,
    /// The keys that any folder sweeps, with a value for every setting.
    pub(super) swept: Values,
    /// The other keys of the configurations.
    pub(super) fixed: Values,
    telling: Values,
    /// Seconds of wall time by folder and run.
    pub(super) wall_s: BTreeMap<(usize, u64), f64>,
}

/// Columns with a cell for every setting: `cells[setting][column]`.
#[derive(Default)]
pub(super) struct Values {
    pub(super) columns: Vec<Column>,
    pub(super) cells: Vec<Vec<Cell>>,
}

impl Export {
    /// Reads the runs that folders hold; of an experiment that has not ended those that are there.
    ///
    /// # Errors
    /// [`ExportError::NoRuns`], and what [`Study::read`] refuses.
    pub fn read(folders: &[PathBuf]) -> Result<Self, ExportError> {
        let study = Study::read(folders)?;
        if study.settings.iter().all(|setting| setting.runs.is_empty()) {
            return Err(ExportError::NoRuns { path: folders.first().cloned().unwrap_or_default() });
        }
        let (swept, fixed) = settings_by_column(&study);
        let mut wall_s = BTreeMap::new();
        for (source, folder) in folders.iter().enumerate() {
            // Like those of CPU time they may be gone.
            let timing = Folder::timing(folder).unwrap_or_default();
            wall_s.extend(timing.into_values().map(|row| ((source, row.run), row.wall_s)));
        }
        Ok(Self { folders: names(&study), telling: telling(&study), study, swept, fixed, wall_s })
    }

    /// What people should know of folders that hold a part of their experiment.
    pub fn partial(&self) -> impl Iterator<Item = String> {
        self.study.partial()
    }

    /// The keys that tell the settings apart: of one folder those that it sweeps, of several those in which they differ.
    pub(super) fn telling(&self) -> &Values {
        &self.telling
    }

    /// Every run with the index of its setting in the study, in the order of folders and runs.
    pub(super) fn runs(&self) -> Vec<(usize, &StudyRun)> {
        let settings = self.study.settings.iter().enumerate();
        let mut runs: Vec<(usize, &StudyRun)> =
            settings.flat_map(|(index, setting)| setting.runs.iter().map(move |run| (index, run))).collect();
        runs.sort_by_key(|(setting, run)| (self.study.settings[*setting].source, run.row.run));
        runs
    }
}

/// What the folders are called: the last parts of their paths where these differ, else the paths.
fn names(study: &Study) -> Vec<String> {
    let twin = |name: &str| study.sources.iter().filter(|other| other.name == name).count() > 1;
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    let name = |source: &crate::study::Source| {
        if twin(&source.name) { shown(&source.path) } else { source.name.clone() }
    };
    study.sources.iter().map(name).collect()
}
