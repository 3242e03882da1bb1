//! The files of a folder that grow: opened, cut back to their complete runs, and added to.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use super::ResultsError;
use super::appender::{Appender, FileAppender};
use super::files::RUNS;
use super::recovery::CompleteRuns;
use super::run_files::{RunFile, run_files_of};
use super::run_reader::as_stored;
use crate::experiment::{Plan, RunRecord};

/// An open file that every run appends its rows to, and how many of its bytes are complete runs.
pub(super) type OpenFile = (Box<dyn Appender>, u64);

/// Open files to the ends of which runs are added.
#[derive(Default)]
pub(super) struct Tails(Vec<Tail>);

/// A file and how many of its bytes are complete runs.
struct Tail {
    of: &'static RunFile,
    file: Box<dyn Appender>,
    whole: u64,
}

impl Tails {
    /// The files that the plan asks for, in their order.
    pub(super) fn new(plan: &Plan, files: impl IntoIterator<Item = OpenFile>) -> Self {
        let tail = |(of, (file, whole))| Tail { of, file, whole };
        Self(run_files_of(plan).zip(files).map(tail).collect())
    }

    /// The last of the files, which is claimed.
    pub(super) fn into_claim(mut self) -> Option<Box<dyn Appender>> {
        self.0.pop().map(|tail| tail.file)
    }

    /// Adds a run.
    pub(super) fn take(&mut self, record: &RunRecord, plan: &Plan) -> io::Result<()> {
        let append = |tail: &mut Tail| tail.of.append(record, plan, &mut *tail.file);
        match self.0.iter_mut().map(append).collect::<io::Result<Vec<u64>>>() {
            Ok(added) => self.0.iter_mut().zip(added).for_each(|(tail, bytes)| tail.whole += bytes),
            Err(error) => {
                // Resuming cuts what cannot be cut now; the first error is reported.
                self.0.iter_mut().for_each(|tail| drop(tail.file.cut(tail.whole)));
                return Err(error);
            }
        }
        Ok(())
    }
}

/// Reserves a folder for this program before it writes anything else: `runs.csv` stays locked until the program ends,
/// however it ends.
pub(crate) fn claim(path: &Path) -> Result<FileAppender, ResultsError> {
    let runs = path.join(RUNS);
    FileAppender::open(&runs).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => ResultsError::Busy { path: path.to_owned() },
        _ => ResultsError::io("open", &runs)(error),
    })
}

/// Opens the files that runs append to, each with its length; `claim` is the last of them.
pub(super) fn open(
    path: &Path,
    plan: &Plan,
    claim: Box<dyn Appender>,
) -> Result<Vec<OpenFile>, ResultsError> {
    let length = |path: &Path| fs::metadata(path).map(|found| found.len());
    let open = |file: &RunFile| -> Result<OpenFile, ResultsError> {
        let path = path.join(file.file(&plan.config));
        let opened = FileAppender::open(&path).and_then(|file| Ok((file, length(&path)?)));
        let (file, length) = opened.map_err(ResultsError::io("open", &path))?;
        Ok((Box::new(file), length))
    };
    let runs = path.join(RUNS);
    let claimed = (claim, length(&runs).map_err(ResultsError::io("open", &runs))?);
    run_files_of(plan).filter(|file| file.name != RUNS).map(open).chain([Ok(claimed)]).collect()
}

/// Cuts every file back to its complete runs, which are returned, and writes missing headers.
pub(super) fn cut(
    path: &Path,
    files: &mut [OpenFile],
    plan: &Plan,
    found: &CompleteRuns,
) -> Result<BTreeSet<u64>, ResultsError> {
    for ((file, (appender, whole)), length) in run_files_of(plan).zip(files).zip(found.lengths()) {
        let name = file.file(&plan.config);
        let at = path.join(name);
        appender.cut(length).map_err(ResultsError::io("truncate", &at))?;
        *whole = length;
        if length == 0 {
            let header = as_stored(name, (file.header)(plan));
            appender.append(&header).map_err(ResultsError::io("write", &at))?;
            *whole = header.len() as u64;
        }
    }
    Ok(found.runs.clone())
}
