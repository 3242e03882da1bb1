//! Search-trajectory networks: search trajectories of runs, for the R scripts of the tool STNs and for STNWeb.
//!
//! A location is the best genome so far at the end of a generation; a line is a step of a run to the next location. A folder a
//! puzzle, and in it a file a setting, as `create.R` expects them.

use std::collections::BTreeMap;

use super::names::Names;
use super::{Export, ExportError, ExportFormat, ExportRows, Files};
use kenga_core::budget::Interrupt;

/// The format.
pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: "stn",
    about: "a folder for STNs and STNWeb: search-trajectory networks, one file per puzzle and setting; makes the runs again",
    is_folder: true,
    is_table: false,
    write,
};

/// The columns of a file, which a space separates.
const HEAD: &str = "Run Fitness1 Solution1 Fitness2 Solution2";

fn write(export: &Export, _rows: ExportRows, files: &mut dyn Files) -> Result<(), ExportError> {
    let mut folders = Names::default();
    let mut ids: Vec<&str> = Vec::new();
    // The folder of each puzzle, and the names of the files in it.
    let mut names: BTreeMap<&str, (String, Names)> = BTreeMap::new();
    for puzzle in export.study.puzzles() {
        ids.push(&puzzle.id);
        names.insert(&puzzle.id, (folders.like(&puzzle.id), Names::default()));
    }
    export.study.each_trajectory_set(&ids, &Interrupt::default(), &mut |setting, puzzle, trajectories| {
        let (folder, names) = names.get_mut(puzzle).expect("it is one of those asked for");
        files.file(&format!("{folder}/{}.txt", names.like(&setting.label)), &mut |out| {
            writeln!(out, "{HEAD}")?;
            for (run, trajectory) in (1..).zip(&trajectories) {
                for step in trajectory.windows(2) {
                    let [(before, from), (after, to)] = step else { continue };
                    writeln!(out, "{run} {before} {from} {after} {to}")?;
                }
            }
            Ok(())
        })
    })
}
