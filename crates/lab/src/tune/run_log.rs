//! The runs that a tuning, or a shard of one, records in its folder: `runs.csv`, and why some failed in `failures.csv`.
//! `ledger.csv` says which of them are there, as in a results folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::TuneRun;
use super::manifest::{RunTraits, TuneManifest};
use crate::experiment::Shard;
use crate::results::{
    AppendedFiles, Appender, CompleteRuns, FAILURES, PlainRow, RUNS, ResultsError, RowFile, csv_text,
    header_of, recover_tuning,
};
use kenga_core::search::Failure;
use kenga_core::text::{cell, from_cell};

/// The files that runs append to. Runs that cannot fail have no `failures.csv`.
pub(super) fn row_files(manifest: &TuneManifest) -> Vec<RowFile> {
    files_of(manifest.run_traits())
}

fn files_of(RunTraits { can_fail, compares_costs }: RunTraits) -> Vec<RowFile> {
    let mut files = Vec::new();
    if can_fail {
        let header = header_of(TuneFailure::default());
        files.push(RowFile { name: FAILURES, stored: FAILURES, header });
    }
    let cost = compares_costs.then_some(None);
    let header = header_of(TuneRun { cost, ..TuneRun::default() });
    files.push(RowFile { name: RUNS, stored: RUNS, header });
    files
}

/// The recorded runs of a folder, open for more.
pub(super) struct RunLog {
    path: PathBuf,
    files: AppendedFiles,
    row_files: Vec<RowFile>,
    /// The runs that are there; `None` once what is left of others was cut off.
    complete: Option<CompleteRuns>,
}

impl RunLog {
    /// Opens the log of a folder, the ledger of which this program has claimed, and reads its runs.
    ///
    /// # Errors
    /// [`ResultsError::Gap`], [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub(super) fn open(
        path: &Path,
        claim: Box<dyn Appender>,
        row_files: Vec<RowFile>,
        shard: Shard,
    ) -> Result<(Self, Vec<TuneRun>), ResultsError> {
        let RecordedRuns { complete, runs, .. } =
            RecordedRuns::read(path, &row_files, shard, 0)?.checked(path)?;
        let files = AppendedFiles::open_files(path, row_files.clone(), claim)?;
        Ok((Self { path: path.to_owned(), files, row_files, complete: Some(complete) }, runs))
    }

    /// Cuts off what is left of runs that are not recorded, and writes missing headers.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(super) fn cut(&mut self) -> Result<(), ResultsError> {
        match self.complete.take() {
            Some(complete) => self.files.cut(&self.path, &complete),
            None => Ok(()),
        }
    }

    /// Records a run.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(super) fn add(&mut self, run: &TuneRun) -> Result<(), ResultsError> {
        let mut texts = Vec::with_capacity(self.row_files.len());
        for file in &self.row_files {
            texts.push(match (file.name, TuneFailure::new(run)) {
                (RUNS, _) => text_of(run),
                (_, Some(failure)) => failure.text(),
                (_, None) => Vec::new(),
            });
        }
        let appended = self.files.append_texts(run.run, &texts);
        appended.map_err(ResultsError::io("write", &self.path.join(RUNS)))
    }
}

/// The recorded runs of a folder.
pub(super) struct RecordedRuns {
    pub(super) complete: CompleteRuns,
    /// The runs up to the first line that is none.
    pub(super) runs: Vec<TuneRun>,
    /// This line, if there is one.
    pub(super) broken: Option<BrokenLine>,
}

/// A line that kenga does not write.
pub(super) struct BrokenLine {
    pub(super) file: &'static str,
    /// Its number, from 1.
    pub(super) number: u64,
    pub(super) problem: String,
}

impl RecordedRuns {
    /// Reads the runs of a folder but for the first `known`.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] for a file with another header, [`ResultsError::Io`].
    pub(super) fn read(
        path: &Path,
        row_files: &[RowFile],
        shard: Shard,
        known: usize,
    ) -> Result<Self, ResultsError> {
        let complete = recover_tuning(path, row_files, shard)?;
        let (mut runs, mut failures) = (Vec::new(), Vec::new());
        let mut broken = None;
        if complete.len() > 0 && complete.missing.is_none() {
            for file in row_files {
                broken = match file.name {
                    RUNS => read_rows(path, file, &complete, known, text_of, &mut runs)?,
                    _ => read_rows(path, file, &complete, 0, TuneFailure::text, &mut failures)?,
                };
                if broken.is_some() {
                    break;
                }
            }
        }
        let mut reasons: BTreeMap<u64, Failure> = BTreeMap::new();
        for failure in failures {
            reasons.insert(failure.run, failure.into());
        }
        for run in &mut runs {
            if run.has_failed() {
                run.failure = reasons.remove(&run.run);
            }
        }
        Ok(Self { complete, runs, broken })
    }

    /// Refuses runs that no kill and no crash leaves.
    ///
    /// # Errors
    /// [`ResultsError::Gap`], [`ResultsError::Damaged`].
    pub(super) fn checked(self, folder: &Path) -> Result<Self, ResultsError> {
        self.complete.check(folder)?;
        match self.broken {
            Some(BrokenLine { file, number, problem }) => Err(ResultsError::Damaged {
                path: folder.join(file),
                at: format!(", line {number}"),
                problem,
            }),
            None => Ok(self),
        }
    }
}

/// Reads the rows of a file but for those of the first `known` runs in it, up to the first that is not as kenga writes it.
fn read_rows<T: PlainRow>(
    path: &Path,
    file: &RowFile,
    complete: &CompleteRuns,
    known: usize,
    text: fn(&T) -> Vec<u8>,
    into: &mut Vec<T>,
) -> Result<Option<BrokenLine>, ResultsError> {
    let mut reader = complete.reader(path, file, 1)?;
    let mut read = 0;
    loop {
        let rows = match reader.next() {
            Ok(None) => return Ok(None),
            Ok(Some(_)) if read < known => {
                read += 1;
                continue;
            }
            Ok(Some(_)) => reader.rows::<T>(),
            Err(error) => Err(error),
        };
        let number = reader.current().line;
        let problem = match rows {
            Ok(rows) if rows.len() == 1 && text(&rows[0].row) == reader.current().text => {
                into.extend(rows.into_iter().map(|numbered| numbered.row));
                continue;
            }
            Ok(_) => "kenga writes this line differently".to_owned(),
            Err(ResultsError::Damaged { problem, .. }) => problem,
            Err(error) => return Err(error),
        };
        return Ok(Some(BrokenLine { file: file.name, number, problem }));
    }
}

/// The row of a run.
fn text_of(run: &TuneRun) -> Vec<u8> {
    csv_text([run], false)
}

/// A row of `failures.csv`: why a run failed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct TuneFailure {
    run: u64,
    candidate: usize,
    puzzle: usize,
    reason: String,
    stderr: String,
}

impl PlainRow for TuneFailure {
    const FILE: &'static str = FAILURES;
}

impl TuneFailure {
    fn new(run: &TuneRun) -> Option<Self> {
        let Failure { reason, stderr } = run.failure.as_ref()?;
        let on_one_line = |text: &str| cell(&text.lines().collect::<Vec<_>>().join(" / ")).into_owned();
        let (reason, stderr) = (on_one_line(reason), on_one_line(stderr));
        Some(Self { run: run.run, candidate: run.candidate, puzzle: run.puzzle, reason, stderr })
    }

    /// Its line, the texts in quotes.
    fn text(&self) -> Vec<u8> {
        let mut writer = csv::WriterBuilder::new();
        let mut writer =
            writer.has_headers(false).quote_style(csv::QuoteStyle::NonNumeric).from_writer(Vec::new());
        writer.serialize(self).expect("the row is flat and memory does not fail");
        writer.into_inner().expect("memory does not fail")
    }
}

impl From<TuneFailure> for Failure {
    fn from(row: TuneFailure) -> Self {
        Self { reason: from_cell(&row.reason).to_owned(), stderr: from_cell(&row.stderr).to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "run,iteration,candidate,block,puzzle,replicate,cap,solved,evaluations,moves,best_fitness,calls_to_best,capped";

    /// The header lines of both files.
    fn headers(compares_costs: bool) -> Vec<Vec<u8>> {
        files_of(RunTraits { can_fail: true, compares_costs }).into_iter().map(|file| file.header).collect()
    }

    /// The rows of `runs.csv` that are read from a text.
    fn read(row: &str, compares_costs: bool) -> Option<Vec<u8>> {
        let files = files_of(RunTraits { can_fail: false, compares_costs });
        let folder = tempfile::tempdir().expect("a folder");
        let text = [&files[0].header, row.as_bytes()].concat();
        std::fs::write(folder.path().join(RUNS), text).expect("it is written");
        let ledger = format!("run,runs.csv,crc32\n0,{},{:08x}\n", row.len(), crc32fast::hash(row.as_bytes()));
        std::fs::write(folder.path().join("ledger.csv"), ledger).expect("it is written");
        let read = RecordedRuns::read(folder.path(), &files, Shard::WHOLE, 0).expect("it is read");
        assert_eq!(read.runs.is_empty(), read.broken.is_some() || read.complete.len() == 0);
        read.runs.first().map(text_of)
    }

    #[test]
    fn rows_are_read_as_they_were_written_and_others_are_refused() {
        assert_eq!(headers(false)[1], format!("{HEADER}\n").as_bytes());
        assert_eq!(headers(true)[1], format!("{HEADER},cost\n").as_bytes());
        for row in [
            "0,1,0,4,2,0,,true,17,3,0,20,false",
            "0,0,7,1,0,5,40,false,41,0,,0,true",
            "0,0,7,1,0,5,,false,0,0,,0,failed",
        ] {
            let plain = format!("{row}\n");
            assert_eq!(read(&plain, false).as_deref(), Some(plain.as_bytes()));
            for cost in ["", "-0.25", "7", "12345678901234567000"] {
                let row = format!("{row},{cost}\n");
                assert_eq!(read(&row, true).as_deref(), Some(row.as_bytes()));
            }
            assert_eq!(read(&plain, true), None);
        }
        for bad in [
            "0,1",
            "0,1,0,4,2,0,,true,17,3,0,20,false,1",
            "0,1,0,4,2,0,,true,-1,3,0,20,false",
            "0,1,0,4,2,0,,true,01,3,0,4,false",
            "0,1,0,4,2,0,,true,1,3,0,4,no",
        ] {
            assert_eq!(read(&format!("{bad}\n"), false), None, "{bad}");
        }
    }

    #[test]
    fn texts_of_failures_stand_in_quotes_on_one_line() {
        let failure = Failure { reason: "no \"luck\"".to_owned(), stderr: "=1\nb".to_owned() };
        let run = TuneRun { run: 3, candidate: 7, failure: Some(failure), ..TuneRun::default() };
        let row = TuneFailure::new(&run).expect("it failed").text();
        assert_eq!(String::from_utf8_lossy(&row), "3,7,0,\"no \"\"luck\"\"\",\"'=1 / b\"\n");
        assert_eq!(headers(false)[0], b"run,candidate,puzzle,reason,stderr\n");
    }
}
