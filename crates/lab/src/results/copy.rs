//! Copying of runs from folders to another, file by file: their rows and their lines of the ledger stay as they are.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;

use super::ResultsError;
use super::atomic::AtomicFile;
use super::files::{LEDGER, TIMING, place_of};
use super::recovery::CompleteRuns;
use super::run_files::{RowFile, empty_ledger, run_files_of};
use super::run_reader::as_stored;
use crate::experiment::Plan;

/// A folder whose runs are copied.
pub(super) struct Source {
    pub(super) folder: PathBuf,
    pub(super) runs: CompleteRuns,
}

/// A run that is copied.
pub(super) struct CopiedRun {
    pub(super) run: u64,
    /// The place of its source.
    pub(super) source: usize,
}

/// Writes the files that runs append to with these runs, ascending, to a folder, the ledger last. A crash behind this loses
/// none of them.
///
/// # Errors
/// [`ResultsError::Damaged`] for rows that are not those of their line in the ledger, [`ResultsError::Io`].
///
/// # Panics
/// If a source does not have its run.
pub(super) fn copy_runs(
    plan: &Plan,
    sources: &[Source],
    runs: &[CopiedRun],
    to: &Path,
) -> Result<(), ResultsError> {
    let mut sums = vec![0; runs.len()];
    for file in run_files_of(plan) {
        copy_file(&file.row_file(plan), sources, runs, &mut sums, to)?;
    }
    let mut ledger = empty_ledger(plan);
    for (CopiedRun { run, source }, sum) in runs.iter().zip(sums) {
        let Source { folder, runs } = &sources[*source];
        let place = runs.ledger.place(*run).expect("the source has the run");
        if runs.ledger.sum(place) != sum {
            let problem = format!("the rows of run {run} are not those that {LEDGER} lists");
            return Err(ResultsError::damaged(folder, problem));
        }
        ledger.push(*run, runs.ledger.sizes(place), sum);
    }
    write_file(&to.join(LEDGER), |writer| writer.write_all(ledger.text().as_bytes()))
}

/// Copies the rows of runs in one file, and goes on with their CRC-32.
fn copy_file(
    file: &RowFile,
    sources: &[Source],
    runs: &[CopiedRun],
    sums: &mut [u32],
    to: &Path,
) -> Result<(), ResultsError> {
    // A source without runs may lack the file, and times may be missing.
    let mut readers = BTreeMap::new();
    for (place, source) in sources.iter().enumerate() {
        let is_there = place_of(&source.folder, file.stored).exists();
        if is_there || file.name != TIMING && source.runs.len() > 0 {
            readers.insert(place, source.runs.reader(&source.folder, file, sources.len())?);
        }
    }
    let path = to.join(file.stored);
    let mut damage = None;
    let copied = write_file(&path, |writer| {
        writer.write_all(&as_stored(&path, file.header.clone()))?;
        for (CopiedRun { run, source }, sum) in runs.iter().zip(sums) {
            let Some(reader) = readers.get_mut(source) else { continue };
            while reader.peek().is_some_and(|ahead| ahead <= *run) {
                match reader.next() {
                    Err(error) => {
                        damage = Some(error);
                        return Ok(());
                    }
                    Ok(Some(rows)) if rows.run == *run => {
                        writer.write_all(rows.stored())?;
                        if file.name != TIMING {
                            let mut hash = Hasher::new_with_initial(*sum);
                            hash.update(rows.stored());
                            *sum = hash.finalize();
                        }
                    }
                    Ok(_) => {}
                }
            }
        }
        Ok(())
    });
    match damage {
        Some(error) => Err(error),
        None => copied,
    }
}

/// Writes a file, and waits until a crash of the system cannot lose it.
fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<AtomicFile>) -> std::io::Result<()>,
) -> Result<(), ResultsError> {
    let write_all = || {
        let mut writer = BufWriter::new(AtomicFile::create(path)?);
        write(&mut writer)?;
        let file = writer.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.sync()?;
        file.commit()
    };
    write_all().map_err(ResultsError::io("write", path))
}
