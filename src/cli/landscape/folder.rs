//! The folder of `--out`: all values, the rows that figures show, and figures of the first puzzles.

use std::path::{Path, PathBuf};

use miette::Report;

use super::Predicted;
use crate::cli::io::exit::{print_note, wrote};
use crate::cli::io::output::{Destination, make_folder, write_figures, write_table};
use kenga_lab::landscape::Sheet;
use kenga_report::landscape::{CurveFile, figures, values};

/// The most puzzles with figures.
const DRAWN: usize = 6;

/// A folder that is being written; its files appear when all is there.
pub(super) struct CurveFolder {
    path: PathBuf,
    force: bool,
    files: Vec<(CurveFile, Destination)>,
    /// The puzzles that have figures.
    drawn: Vec<String>,
    has_more: bool,
}

impl CurveFolder {
    /// Begins the folder.
    ///
    /// # Errors
    /// A report when a file of it is there and may not be overwritten.
    pub(super) fn begin(path: &Path, force: bool) -> Result<Self, Report> {
        make_folder(path)?;
        let mut files = Vec::new();
        for file in CurveFile::ALL {
            let mut destination = Destination::new(Some(&path.join(file.name)), force)?;
            destination.write(file.head())?;
            files.push((file, destination));
        }
        Ok(Self { path: path.to_owned(), force, files, drawn: Vec::new(), has_more: false })
    }

    /// Writes the curves of a landscape, and forgets them.
    ///
    /// # Errors
    /// A report that names the file that cannot be written.
    pub(super) fn take(&mut self, sheet: &mut Sheet) -> Result<(), Report> {
        for (file, destination) in &mut self.files {
            destination.write(file.rows(sheet))?;
        }
        if self.drawn.len() < DRAWN && !self.drawn.contains(&sheet.puzzle) {
            self.drawn.push(sheet.puzzle.clone());
        }
        self.has_more |= !self.drawn.contains(&sheet.puzzle);
        if self.drawn.contains(&sheet.puzzle) {
            write_figures(&self.path, &figures(sheet), self.force)?;
        }
        // The figures are written; the curves are large.
        sheet.curves = None;
        Ok(())
    }

    /// Completes the folder with all values.
    ///
    /// # Errors
    /// A report that names the file that cannot be written.
    pub(super) fn finish(self, sheets: &[Sheet], predicted: Option<&Predicted>) -> Result<(), Report> {
        for (_, destination) in self.files {
            destination.complete()?;
        }
        write_table(&self.path.join("landscape.csv"), &values(sheets), self.force)?;
        if let Some(predicted) = predicted {
            write_table(&self.path.join("predictions.csv"), &predicted.table(usize::MAX), self.force)?;
        }
        if self.has_more {
            print_note(&format!("note: figures are drawn of the first {DRAWN} puzzles"));
        }
        wrote(&format!("{} (tables and figures)", self.path.display()));
        Ok(())
    }
}
