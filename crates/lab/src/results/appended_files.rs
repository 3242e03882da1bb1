//! The files of a folder that every run appends its rows to, and the ledger: opened, cut back to their complete runs, and added to.

use std::path::Path;
use std::{fs, io};

use crc32fast::Hasher;

use super::ResultsError;
use super::appender::{Appender, FileAppender};
use super::files::{LEDGER, MISSING, TIMING};
use super::ledger::ledger_line;
use super::recovery::CompleteRuns;
use super::run_files::{RowFile, run_files_of};
use super::run_reader::as_stored;
use crate::experiment::{Plan, RunRecord};

/// The files that runs append to, open, in the order of the ledger's columns.
pub(crate) struct AppendedFiles {
    files: Vec<AppendedFile>,
    ledger: Box<dyn Appender>,
    /// Bytes of the ledger up to the last complete run.
    complete: u64,
}

struct AppendedFile {
    file: RowFile,
    appender: Box<dyn Appender>,
    /// Bytes of the header and of complete runs.
    complete: u64,
}

impl AppendedFiles {
    /// The files that the plan asks for, in their order, and the ledger behind them, each with the bytes of its complete runs.
    ///
    /// # Panics
    /// If one of them is missing.
    pub(super) fn new(plan: &Plan, files: impl IntoIterator<Item = (Box<dyn Appender>, u64)>) -> Self {
        let mut files = files.into_iter();
        let mut appended = Vec::new();
        for file in run_files_of(plan) {
            let (appender, complete) = files.next().expect("there is an appender for each file");
            appended.push(AppendedFile { file: file.row_file(plan), appender, complete });
        }
        let (ledger, complete) = files.next().expect("there is an appender for the ledger");
        Self { files: appended, ledger, complete }
    }

    /// Opens the files that a plan asks for in a folder, the ledger of which this program has claimed.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(super) fn open(folder: &Path, plan: &Plan, claim: Box<dyn Appender>) -> Result<Self, ResultsError> {
        Self::open_files(folder, run_files_of(plan).map(|file| file.row_file(plan)), claim)
    }

    /// Opens files of a folder, the ledger of which this program has claimed.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(crate) fn open_files(
        folder: &Path,
        row_files: impl IntoIterator<Item = RowFile>,
        claim: Box<dyn Appender>,
    ) -> Result<Self, ResultsError> {
        let mut files = Vec::new();
        for file in row_files {
            let path = folder.join(file.stored);
            let appender = Box::new(FileAppender::open(&path).map_err(ResultsError::io("open", &path))?);
            let complete = fs::metadata(&path).map_err(ResultsError::io("open", &path))?.len();
            files.push(AppendedFile { file, appender, complete });
        }
        let path = folder.join(LEDGER);
        let complete = fs::metadata(&path).map_err(ResultsError::io("open", &path))?.len();
        Ok(Self { files, ledger: claim, complete })
    }

    /// Cuts every file back to its complete runs, and writes missing headers, that of the ledger last.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(crate) fn cut(&mut self, folder: &Path, runs: &CompleteRuns) -> Result<(), ResultsError> {
        // The ledger first: a run that is cut must not be listed with a part of its rows.
        let path = folder.join(LEDGER);
        let ledger = if runs.ledger.has_header { runs.ledger.text().len() as u64 } else { 0 };
        self.ledger.cut(ledger).map_err(ResultsError::io("truncate", &path))?;
        for AppendedFile { file, appender, complete } in &mut self.files {
            let path = folder.join(file.stored);
            *complete = runs.length(folder, file)?;
            appender.cut(*complete).map_err(ResultsError::io("truncate", &path))?;
            if *complete == 0 {
                let header = as_stored(&path, file.header.clone());
                appender.append(&header).map_err(ResultsError::io("write", &path))?;
                *complete = header.len() as u64;
            }
        }
        self.complete = ledger;
        if ledger == 0 {
            let header = runs.ledger.header();
            self.ledger.append(header.as_bytes()).map_err(ResultsError::io("write", &path))?;
            self.complete = header.len() as u64;
        }
        Ok(())
    }

    /// Refuses files that another program has changed since their last run was appended.
    ///
    /// # Errors
    /// The first that was changed.
    pub(super) fn check(&mut self) -> io::Result<()> {
        for file in &mut self.files {
            file.appender.append(&[])?;
        }
        self.ledger.append(&[])
    }

    /// The open ledger, by which this program holds the folder; the other files are closed.
    pub(super) fn into_claim(self) -> Box<dyn Appender> {
        self.ledger
    }

    /// Appends the rows of a run to every file, or to none.
    ///
    /// # Errors
    /// When not all of them could be written.
    pub(super) fn append(&mut self, record: &RunRecord, plan: &Plan) -> io::Result<()> {
        let mut files = run_files_of(plan);
        self.append_run(record.id.run, &mut |to, hash| {
            files.next().expect("the files are those of the plan").append(record, plan, to, hash)
        })
    }

    /// Appends the rows of a run, one text for each file, or none of them.
    ///
    /// # Errors
    /// When not all of them could be written.
    ///
    /// # Panics
    /// If a file has no text.
    pub(crate) fn append_texts(&mut self, run: u64, texts: &[Vec<u8>]) -> io::Result<()> {
        let mut texts = texts.iter();
        self.append_run(run, &mut |to, hash| {
            let text = texts.next().expect("there is a text for each file");
            hash.update(text);
            if !text.is_empty() {
                to.append(text)?;
            }
            Ok(text.len() as u64)
        })
    }

    /// Appends a run; `append` adds its rows to one file after the other, and returns their bytes.
    fn append_run(&mut self, run: u64, append: AppendRows<'_>) -> io::Result<()> {
        let appended = self.append_rows(run, append);
        if appended.is_err() {
            // Resuming cuts what cannot be cut now; the first error is reported.
            drop(self.ledger.cut(self.complete));
            for AppendedFile { appender, complete, .. } in &mut self.files {
                drop(appender.cut(*complete));
            }
        }
        appended
    }

    fn append_rows(&mut self, run: u64, append: AppendRows<'_>) -> io::Result<()> {
        let (mut all, mut sizes, mut hash) = (Vec::new(), Vec::new(), Hasher::new());
        for AppendedFile { file, appender, .. } in &mut self.files {
            if file.name == TIMING {
                all.push(append(&mut **appender, &mut Hasher::new())?);
                continue;
            }
            let bytes = append(&mut **appender, &mut hash)?;
            all.push(bytes);
            sizes.push(bytes);
        }
        let line = ledger_line(run, &sizes, hash.finalize());
        self.ledger.append(line.as_bytes())?;
        // Only now: a run counts in all files or in none.
        self.complete += line.len() as u64;
        for (file, bytes) in self.files.iter_mut().zip(all) {
            file.complete += bytes;
        }
        Ok(())
    }
}

/// Adds the rows of a run to the next file, hashes them, and returns how many bytes they are.
type AppendRows<'a> = &'a mut dyn FnMut(&mut dyn Appender, &mut Hasher) -> io::Result<u64>;

/// Reserves a folder for this program before it writes anything else: the ledger stays locked until the program ends, however
/// it ends.
///
/// # Errors
/// [`ResultsError::Busy`], [`ResultsError::Io`].
pub(crate) fn claim(folder: &Path) -> Result<FileAppender, ResultsError> {
    let path = folder.join(LEDGER);
    FileAppender::open(&path).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => ResultsError::Busy { path: folder.to_owned() },
        _ => ResultsError::io("open", &path)(error),
    })
}

/// Reserves a folder that another program has begun, and whose ledger is therefore there.
///
/// # Errors
/// [`ResultsError::Damaged`] if the ledger is missing, and those of [`claim`].
pub(crate) fn claim_begun(folder: &Path) -> Result<FileAppender, ResultsError> {
    let path = folder.join(LEDGER);
    if !path.exists() {
        return Err(ResultsError::damaged(&path, MISSING.to_owned()));
    }
    claim(folder)
}
