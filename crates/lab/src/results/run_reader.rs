//! Reading of a file that runs append to, run by run, as the ledger divides it: memory holds no more than one of them.
//!
//! A file is plain or packed. In a packed one the header and the rows of each run are separate gzip members (RFC 1952), so
//! that it can be appended to, cut back and merged run by run like a plain one.

use std::io::{self, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};

use csv::StringRecord;
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use memchr::{memchr, memchr_iter};

use super::ResultsError;
use super::files::is_file;
use super::ledger::RunSize;
use super::row_source::{RowSource, buffer_of};
use super::rows::{self, CsvRow, Numbered};

/// The most bytes of one run, unpacked: more must be damage, and would have to fit in memory.
const MOST: u64 = if cfg!(test) { 1 << 20 } else { 1 << 30 };

/// The bytes of text that are read into rows at once.
const BATCH: usize = 1 << 16;

/// The rows of one run.
#[derive(Debug, Default)]
pub(crate) struct RunRows {
    /// The run.
    pub(super) run: u64,
    /// The line of its first row, from 1.
    pub(crate) line: u64,
    /// Its rows, complete lines.
    pub(crate) text: Vec<u8>,
    /// Its rows as the file stores them, in a packed file.
    packed: Vec<u8>,
}

/// A reader of a file, run by run.
pub(crate) struct RunReader {
    path: PathBuf,
    source: BufReader<RowSource>,
    is_packed: bool,
    columns: StringRecord,
    sizes: std::vec::IntoIter<RunSize>,
    current: RunRows,
    /// The line behind the rows that were read.
    line: u64,
}

impl RunReader {
    /// Opens one of so many files that are read in turns, with this header and the rows of these runs: of many files none stays
    /// open.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] for another header, [`ResultsError::Io`].
    pub(super) fn open(
        path: &Path,
        header: &[u8],
        sizes: Vec<RunSize>,
        files: usize,
    ) -> Result<Self, ResultsError> {
        is_file(path).map_err(ResultsError::io("read", path))?;
        let source = RowSource::open(path, files).map_err(ResultsError::io("read", path))?;
        let mut source = BufReader::with_capacity(buffer_of(files), source);
        let stored = as_stored(path, header.to_vec());
        let mut there = Vec::new();
        (&mut source)
            .take(stored.len() as u64)
            .read_to_end(&mut there)
            .map_err(ResultsError::io("read", path))?;
        // A crash may lose a header behind which no run has rows.
        let may_be_lost = stored.starts_with(&there) || there.iter().all(|byte| *byte == 0);
        let is_lost = sizes.is_empty() && may_be_lost;
        if there != stored && !is_lost {
            return Err(ResultsError::other_header(path, &there, &String::from_utf8_lossy(header)));
        }
        Ok(Self {
            path: path.to_owned(),
            source,
            is_packed: is_packed(path),
            columns: rows::columns(header),
            sizes: sizes.into_iter(),
            current: RunRows::default(),
            line: 1 + lines(header),
        })
    }

    /// The rows of the next run that has any.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] for rows that are not the run's, [`ResultsError::Io`].
    pub(crate) fn next(&mut self) -> Result<Option<&RunRows>, ResultsError> {
        let Some(RunSize { run, bytes }) = self.sizes.next() else { return Ok(None) };
        if bytes > MOST {
            return Err(ResultsError::io("read", &self.path)(too_much()));
        }
        (self.current.run, self.current.line) = (run, self.line);
        let stored = if self.is_packed { &mut self.current.packed } else { &mut self.current.text };
        stored.clear();
        let read = (&mut self.source).take(bytes).read_to_end(stored);
        if (read.map_err(ResultsError::io("read", &self.path))? as u64) < bytes {
            return Err(self.damaged(self.line, "the file is cut off here".to_owned()));
        }
        if self.is_packed && !self.unpack()? {
            let problem = format!("the rows of run {run} are not a gzip member");
            return Err(self.damaged(self.line, problem));
        }
        if let Some(row) = first_foreign_row(&self.current.text, run) {
            return Err(self.damaged(self.line + row, format!("this is not a row of run {run}")));
        }
        self.line += lines(&self.current.text);
        Ok(Some(&self.current))
    }

    /// Unpacks the rows of the run; `false` for anything but one gzip member.
    fn unpack(&mut self) -> Result<bool, ResultsError> {
        let RunRows { text, packed, .. } = &mut self.current;
        text.clear();
        let mut member = GzDecoder::new(&packed[..]);
        match (&mut member).take(MOST + 1).read_to_end(text) {
            Ok(read) if read as u64 > MOST => Err(ResultsError::io("read", &self.path)(too_much())),
            Ok(_) => Ok(member.into_inner().is_empty()),
            Err(_) => Ok(false),
        }
    }

    /// Hands over the rows of all runs that are left, many at a time.
    ///
    /// # Errors
    /// Those of [`next`](Self::next), and those of `take`.
    pub(super) fn each<T: CsvRow, E: From<ResultsError>>(
        &mut self,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut batch, mut first) = (Vec::new(), self.line);
        loop {
            let is_last = match self.next()? {
                Some(rows) => {
                    batch.extend_from_slice(&rows.text);
                    false
                }
                None => true,
            };
            if is_last || batch.len() >= BATCH {
                for numbered in self.parse(&batch, first)? {
                    take(numbered.row)?;
                }
                batch.clear();
                first = self.line;
            }
            if is_last {
                return Ok(());
            }
        }
    }

    /// The rows that [`next`](Self::next) returned last; empty before the first.
    pub(crate) fn current(&self) -> &RunRows {
        &self.current
    }

    /// The run ahead.
    pub(super) fn peek(&self) -> Option<u64> {
        self.sizes.as_slice().first().map(|size| size.run)
    }

    /// The rows of the run, each with its line.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] naming the line.
    pub(crate) fn rows<T: CsvRow>(&self) -> Result<Vec<Numbered<T>>, ResultsError> {
        self.parse(&self.current.text, self.current.line)
    }

    fn parse<T: CsvRow>(&self, text: &[u8], first: u64) -> Result<Vec<Numbered<T>>, ResultsError> {
        rows::parse(text, &self.columns, first).map_err(|wrong| self.damaged(wrong.line, wrong.problem))
    }

    fn damaged(&self, line: u64, problem: String) -> ResultsError {
        ResultsError::Damaged { path: self.path.clone(), at: format!(", line {line}"), problem }
    }
}

impl RunRows {
    /// Its rows as the file stores them.
    pub(super) fn stored(&self) -> &[u8] {
        if self.packed.is_empty() { &self.text } else { &self.packed }
    }
}

/// The first row of a run's text that is not one of its whole rows, counted from 0.
fn first_foreign_row(text: &[u8], run: u64) -> Option<u64> {
    let begin = format!("{run},");
    let mut row = 0;
    for record in records(text) {
        if !record.starts_with(begin.as_bytes()) || !record.ends_with(b"\n") {
            return Some(row);
        }
        row += lines(record);
    }
    None
}

fn too_much() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("one run has more than {} MiB there", MOST >> 20))
}

/// Whether a file is packed, judged by its name.
pub(super) fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// The bytes that a file stores for a text: a gzip member in a packed one.
pub(super) fn as_stored(path: &Path, text: Vec<u8>) -> Vec<u8> {
    if text.is_empty() || !is_packed(path) {
        return text;
    }
    packed(|write| write(&text)).expect("memory does not fail")
}

/// Takes the next part of a text.
pub(super) type Write<'a> = &'a mut dyn FnMut(&[u8]) -> io::Result<()>;

/// A text, handed over in parts, as a gzip member; its bytes do not depend on the parts. Empty for an empty text.
pub(super) fn packed(text: impl FnOnce(Write<'_>) -> io::Result<()>) -> io::Result<Vec<u8>> {
    let (mut member, mut is_empty) = (GzEncoder::new(Vec::new(), Compression::default()), true);
    text(&mut |part| {
        is_empty &= part.is_empty();
        member.write_all(part)
    })?;
    if is_empty { Ok(Vec::new()) } else { member.finish() }
}

/// The records of a CSV text; a quoted line break, as in the id of a puzzle, does not end one.
pub(super) fn records(text: &[u8]) -> Records<'_> {
    Records { rest: text, has_quotes: memchr(b'"', text).is_some() }
}

/// An iterator over the records of a CSV text.
pub(super) struct Records<'a> {
    rest: &'a [u8],
    has_quotes: bool,
}

impl<'a> Iterator for Records<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let mut is_quoted = false;
        let mut end = self.rest.len();
        let mut from = 0;
        while let Some(length) = memchr(b'\n', &self.rest[from..]) {
            let line = &self.rest[from..from + length];
            if self.has_quotes {
                is_quoted ^= !memchr_iter(b'"', line).count().is_multiple_of(2);
            }
            from += length + 1;
            if !is_quoted {
                end = from;
                break;
            }
        }
        let (record, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(record)
    }
}

/// The number in the first field of a line.
pub(super) fn run_of(line: &[u8]) -> Option<u64> {
    let end = line.iter().position(|byte| *byte == b',')?;
    str::from_utf8(&line[..end]).ok()?.parse().ok()
}

fn lines(text: &[u8]) -> u64 {
    memchr_iter(b'\n', text).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Shard;

    const HEADER: &[u8] = b"run,x\n";

    /// A file with the rows of some runs.
    struct TestFile {
        folder: tempfile::TempDir,
        name: &'static str,
        sizes: Vec<RunSize>,
    }

    impl TestFile {
        fn new(name: &'static str, runs: &[Vec<u8>]) -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let mut bytes = as_stored(name.as_ref(), HEADER.to_vec());
            let mut sizes = Vec::new();
            for (run, text) in (0..).zip(runs) {
                let stored = as_stored(name.as_ref(), text.clone());
                sizes.push(RunSize { run, bytes: stored.len() as u64 });
                bytes.extend(stored);
            }
            std::fs::write(folder.path().join(name), bytes).expect("it is written");
            Self { folder, name, sizes }
        }

        fn open(&self, files: usize) -> RunReader {
            let path = self.folder.path().join(self.name);
            RunReader::open(&path, HEADER, self.sizes.clone(), files).expect("its header is sound")
        }

        /// The error of reading the file, with its cause.
        fn error(&self) -> Option<String> {
            let mut reader = self.open(1);
            loop {
                match reader.next() {
                    Ok(Some(_)) => {}
                    Ok(None) => return None,
                    Err(error) => {
                        let cause = std::error::Error::source(&error).map(ToString::to_string);
                        return Some(format!("{error}: {}", cause.unwrap_or_default()));
                    }
                }
            }
        }
    }

    #[test]
    fn a_run_that_memory_should_not_hold_is_refused_packed_and_plain() {
        let most = MOST as usize;
        let (rows, line) = (b"0,1\n".repeat(most / 4 + 1), [&b"0,"[..], &vec![b'1'; most], b"\n"].concat());
        assert!(as_stored("x.csv.gz".as_ref(), rows.clone()).len() < most / 100, "it is small on disk");
        for name in ["x.csv.gz", "x.csv"] {
            for text in [&rows, &line] {
                let error = TestFile::new(name, std::slice::from_ref(text)).error().expect("it is refused");
                assert!(error.contains("one run has more than 1 MiB"), "{error}");
            }
            assert_eq!(TestFile::new(name, &[rows[..most / 2].to_vec()]).error(), None);
        }
    }

    #[test]
    fn rows_of_other_runs_are_named_by_their_line() {
        for name in ["x.csv.gz", "x.csv"] {
            let error = |text: &str| TestFile::new(name, &[b"0,1\n".to_vec(), text.into()]).error();
            assert_eq!(error("1,\"a\nb\"\n1,2\n"), None);
            for (line, text) in [(3, "2,1\n"), (4, "1,1\n0,1\n"), (3, "1,1"), (5, "1,\"a\nb\"\n11,\n")] {
                let said = error(text).expect("it is refused");
                assert!(said.contains(&format!("{name}, line {line}: this is not a row of run 1")), "{said}");
            }
        }
    }

    #[test]
    fn one_of_many_files_is_read_alike() {
        for name in ["x.csv", "x.csv.gz"] {
            let runs: Vec<Vec<u8>> =
                (0..300).map(|run| format!("{run},{}\n", "a".repeat(run)).into_bytes()).collect();
            let file = TestFile::new(name, &runs);
            let (mut few, mut many) = (file.open(1), file.open(Shard::MOST as usize));
            assert!(matches!(many.source.get_ref(), RowSource::Closed { .. }));
            while let Some(rows) = few.next().expect("it is read") {
                let text = rows.text.clone();
                assert_eq!(many.next().expect("it is read").map(|rows| &rows.text), Some(&text));
            }
            assert!(many.next().expect("it is read").is_none());
        }
    }

    #[test]
    fn a_member_has_the_same_bytes_however_its_text_was_parted() {
        let row = |run: u64| format!("{run},{},{},0.{:06}\n", run * 80, run % 97, run * 7919 % 1_000_000);
        let text: Vec<u8> = (0..40_000).map(row).collect::<String>().into_bytes();
        let whole = packed(|write| write(&text)).expect("memory does not fail");
        for size in [1, 7, 258, 259, 32_767, 32_768, 65_537] {
            let parts = packed(|write| text.chunks(size).try_for_each(write));
            assert!(parts.expect("memory does not fail") == whole, "{size}");
        }
        assert!(packed(|write| write(b"")).is_ok_and(|member| member.is_empty()));
    }
}
