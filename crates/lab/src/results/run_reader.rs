//! Reading of a file that runs append to, run by run: memory holds no more than one of them.
//!
//! A file is plain or packed. In a packed one the header and the rows of every run are separate gzip members (RFC 1952), so
//! that it can be appended to, cut back and merged run by run like a plain one.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use csv::StringRecord;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::ResultsError;
pub(super) use super::chunks::is_packed;
use super::chunks::{Chunks, MOST, too_much};
use super::files::FAILURES;
use super::rows::{self, CsvRow, Numbered};

/// The rows of one run.
#[derive(Debug, Default)]
pub(super) struct RunRows {
    /// The run.
    pub(super) run: u64,
    /// The line of its first row, from 1.
    pub(super) line: u64,
    /// Its rows, complete lines.
    pub(super) text: Vec<u8>,
    /// Bytes of the file up to its end.
    pub(super) end: u64,
}

/// A reader of a file, run by run.
pub(super) struct RunReader {
    path: PathBuf,
    source: Chunks,
    /// The columns.
    columns: StringRecord,
    /// Bytes of the header; 0 where it is torn.
    header: u64,
    current: RunRows,
    /// The chunk after them; empty at the end.
    ahead: Vec<u8>,
    /// The line that it begins with.
    line: u64,
    /// The bytes of the file up to its end.
    end: u64,
    is_torn: bool,
    /// Lines of what the file is torn at, or stops at.
    torn: Tear,
}

/// Where the reading of a file has stopped before its end.
#[derive(Default)]
struct Tear {
    /// The last line is none of a run, or does not begin as one would: no kill leaves such a line.
    is_line: bool,
    /// Rows that an unclosed quote swallowed.
    swallowed: u64,
}

impl RunReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] for another header than the expected, [`ResultsError::Io`].
    pub(super) fn open(path: &Path, expected: Option<&[u8]>) -> Result<Self, ResultsError> {
        Self::open_among(path, expected, 1)
    }

    /// The same for one of so many files that are read in turns: of many, none stays open.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub(super) fn open_among(
        path: &Path,
        expected: Option<&[u8]>,
        files: usize,
    ) -> Result<Self, ResultsError> {
        let source = Chunks::open(path, files).map_err(ResultsError::io("read", path))?;
        let mut reader = Self {
            path: path.to_owned(),
            source,
            columns: StringRecord::new(),
            header: 0,
            current: RunRows::default(),
            ahead: Vec::new(),
            line: 0,
            end: 0,
            is_torn: false,
            torn: Tear::default(),
        };
        reader.advance()?;
        let expected = expected.unwrap_or(&reader.ahead);
        if reader.is_torn || reader.ahead.is_empty() {
            // A program that is killed while it writes the header leaves its beginning, and no row.
            if !expected.starts_with(&reader.ahead) {
                return Err(reader.other_header(expected));
            }
            (reader.is_torn, reader.ahead) = (true, Vec::new());
            return Ok(reader);
        }
        if reader.ahead != expected {
            return Err(reader.other_header(expected));
        }
        if records(&reader.ahead).nth(1).is_some() {
            return Err(reader.damaged(1, "the header is not a gzip member of its own".to_owned()));
        }
        reader.columns = rows::columns(&reader.ahead);
        reader.header = reader.end;
        reader.advance()?;
        Ok(reader)
    }

    /// The rows of the next run; nothing is read beyond a torn row.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(super) fn next(&mut self) -> Result<Option<&RunRows>, ResultsError> {
        let Some(run) = self.peek() else { return Ok(None) };
        self.current.text.clear();
        (self.current.run, self.current.line) = (run, self.line);
        while self.peek() == Some(run) {
            if self.current.text.len() + self.ahead.len() > MOST {
                return Err(ResultsError::io("read", &self.path)(too_much()));
            }
            self.current.text.extend_from_slice(&self.ahead);
            self.current.end = self.end;
            self.advance()?;
        }
        Ok(Some(&self.current))
    }

    /// The columns.
    pub(super) fn columns(&self) -> Vec<String> {
        self.columns.iter().map(str::to_owned).collect()
    }

    /// The rows that [`next`](Self::next) returned last; empty before the first.
    pub(super) fn current(&self) -> &RunRows {
        &self.current
    }

    /// The run ahead.
    pub(super) fn peek(&self) -> Option<u64> {
        number(&self.ahead, 0)
    }

    /// Bytes of the header; 0 where it is torn.
    pub(super) fn header(&self) -> u64 {
        self.header
    }

    /// Whether the part that was read ends within a row, or with something else.
    pub(super) fn is_torn(&self) -> bool {
        self.is_torn
    }

    /// The line at which the reading has stopped, where that is not a torn end.
    pub(super) fn broken_line(&self) -> Option<u64> {
        // What a program wrote to standard error may look like rows.
        let swallows = self.torn.swallowed > 0 && !self.path.ends_with(FAILURES);
        let is_broken = self.is_torn && self.header > 0 && (self.torn.is_line || swallows);
        if is_broken { Some(self.line) } else { None }
    }

    /// Reads on behind what the reading has stopped at: how many rows it keeps from being used, itself among them.
    ///
    /// # Errors
    /// [`ResultsError::Io`].
    pub(super) fn rows_behind_tear(&mut self) -> Result<u64, ResultsError> {
        let mut rows = 1 + self.torn.swallowed;
        let mut chunk = Vec::new();
        loop {
            let is_whole = self.source.chunk(&mut chunk).map_err(ResultsError::io("read", &self.path))?;
            if !is_whole || chunk.is_empty() {
                return Ok(rows);
            }
            rows += 1;
        }
    }

    /// The error of a torn file.
    pub(super) fn torn(&self) -> ResultsError {
        self.damaged(self.line.max(1), "the file is cut off here, or this is not a row of a run".to_owned())
    }

    /// The rows of the run, each with its line.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] naming the line.
    pub(super) fn rows<T: CsvRow>(&self) -> Result<Vec<Numbered<T>>, ResultsError> {
        rows::parse(&self.current.text, &self.columns, self.current.line)
            .map_err(|wrong| self.damaged(wrong.line, wrong.problem))
    }

    /// An error at the next run.
    pub(super) fn damaged_ahead(&self, problem: String) -> ResultsError {
        self.damaged(self.line, problem)
    }

    fn damaged(&self, line: u64, problem: String) -> ResultsError {
        ResultsError::Damaged { path: self.path.clone(), at: format!(", line {line}"), problem }
    }

    fn other_header(&self, expected: &[u8]) -> ResultsError {
        let expected = String::from_utf8_lossy(expected);
        if self.ahead.ends_with(b"\r\n") {
            let problem = "the lines end with CRLF, as git's `autocrlf` makes them, not with LF";
            return self.damaged(1, problem.to_owned());
        }
        self.damaged(1, format!("the header is not `{}`", expected.trim_end()))
    }

    /// Goes to the next chunk.
    fn advance(&mut self) -> Result<(), ResultsError> {
        self.line = if self.line == 0 { 1 } else { self.line + lines(&self.ahead) };
        let is_whole = self.source.chunk(&mut self.ahead).map_err(ResultsError::io("read", &self.path))?;
        self.is_torn |= !is_whole;
        self.end = self.source.position();
        if self.header > 0 && !self.ahead.is_empty() {
            let run = number(&self.ahead, 0);
            self.is_torn |= run.is_none() || records(&self.ahead).any(|row| number(row, 0) != run);
        }
        if self.is_torn && self.header > 0 {
            let is_row = may_begin_row(&self.ahead, self.current.run);
            self.torn = Tear { is_line: is_whole || !is_row && !self.source.is_packed, swallowed: 0 };
            // A quote that is never closed has taken the lines behind it for its own.
            if !is_whole && !self.source.is_packed {
                for line in self.ahead.split(|byte| *byte == b'\n').skip(1) {
                    self.torn.swallowed += u64::from(number(line, 0).is_some());
                }
            }
            self.ahead.clear();
        }
        Ok(())
    }
}

/// The bytes that a file of this name stores for a text: a gzip member in a packed one.
pub(super) fn as_stored(name: &str, text: Vec<u8>) -> Vec<u8> {
    if text.is_empty() || !is_packed(Path::new(name)) {
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
pub(super) fn records(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut quoted = false;
    text.split_inclusive(move |byte| {
        quoted ^= *byte == b'"';
        *byte == b'\n' && !quoted
    })
}

/// The number in a field of a line.
pub(super) fn number(line: &[u8], field: usize) -> Option<u64> {
    let field = line.split(|byte| *byte == b',').nth(field)?;
    str::from_utf8(field).ok()?.parse().ok()
}

/// Whether a text may be the beginning of a row of this run or a later one, or zeros, which a crash of the system leaves.
fn may_begin_row(text: &[u8], run: u64) -> bool {
    if text.contains(&b',') {
        return number(text, 0).is_some_and(|number| number >= run);
    }
    text.iter().all(|byte| byte.is_ascii_digit() || *byte == 0)
}

fn lines(text: &[u8]) -> u64 {
    text.iter().filter(|byte| **byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Shard;

    /// What is said of a file with a header and these bytes behind it.
    fn said_of(name: &str, behind: Vec<u8>) -> Option<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        let header = as_stored(name, b"run,x\n".to_vec());
        std::fs::write(&path, [header, behind].concat()).expect("it is written");
        let read = || {
            let mut reader = RunReader::open(&path, None)?;
            while reader.next()?.is_some() {}
            Ok(())
        };
        let error: ResultsError = read().err()?;
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        Some(format!("{error}: {}", cause.unwrap_or_default()))
    }

    #[test]
    fn a_run_that_memory_should_not_hold_is_refused_packed_and_plain() {
        let (rows, line) = (b"0,1\n".repeat(MOST / 4 + 1), [&b"0,"[..], &vec![b'1'; MOST]].concat());
        assert!(as_stored("x.csv.gz", rows.clone()).len() < MOST / 100, "it is small on disk");
        for (name, text) in [("x.csv.gz", &rows), ("x.csv", &rows), ("x.csv", &line), ("x.csv.gz", &line)] {
            let said = said_of(name, as_stored(name, text.clone())).expect("it is refused");
            assert!(said.contains("one run has more than 1 MiB"), "{said}");
        }
        assert_eq!(said_of("x.csv.gz", as_stored("x.csv.gz", rows[..MOST / 2].to_vec())), None);
        assert_eq!(said_of("x.csv", rows[..MOST / 2].to_vec()), None);
    }

    #[test]
    fn one_of_many_files_is_read_alike() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["x.csv", "x.csv.gz"] {
            let path = folder.path().join(name);
            let mut text = as_stored(name, b"run,x\n".to_vec());
            for run in 0..300 {
                text.extend(as_stored(name, format!("{run},{}\n", "a".repeat(run)).into_bytes()));
            }
            std::fs::write(&path, text).expect("it is written");
            let mut few = RunReader::open(&path, None).expect("it is read");
            let mut many = RunReader::open_among(&path, None, Shard::MOST as usize).expect("it is read");
            assert!(many.source.is_closed());
            while let Some(rows) = few.next().expect("it is read") {
                let text = rows.text.clone();
                assert_eq!(many.next().expect("it is read").map(|rows| &rows.text), Some(&text));
            }
            assert!(many.next().expect("it is read").is_none() && !many.is_torn());
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
