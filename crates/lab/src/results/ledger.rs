//! `ledger.csv`: the runs of a folder, and how many bytes the rows of each take in every file.
//!
//! **Invariant**: the line of a run is appended after all its rows, and a run exists exactly if its line is whole. A line has sizes,
//! not places, so that merging copies it. The CRC-32 is that of the run's rows as they are stored, file after file in the order of the columns.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use super::ResultsError;
use super::files::is_file;

/// The whole lines of a ledger, in columns.
#[derive(Clone, Default)]
pub(crate) struct Ledger {
    /// The names of the files.
    files: Vec<&'static str>,
    runs: Vec<u64>,
    /// The bytes of a run's rows in each file, run by run.
    sizes: Vec<u64>,
    sums: Vec<u32>,
    /// The header is whole.
    pub(crate) has_header: bool,
    /// The first line, from 1, that neither is the next run's nor ends as a kill or a crash ends a file.
    pub(crate) broken_line: Option<u64>,
}

/// The bytes of a run's rows in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunSize {
    pub(crate) run: u64,
    pub(crate) bytes: u64,
}

impl Ledger {
    /// A ledger of these files without runs.
    pub(crate) fn new(files: Vec<&'static str>) -> Self {
        Self { files, ..Self::default() }
    }

    /// The ledger of a folder; one that is missing has no header.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] for another header, [`ResultsError::Io`].
    pub(crate) fn read(path: &Path, files: Vec<&'static str>) -> Result<Self, ResultsError> {
        let text = match is_file(path).and_then(|()| fs::read(path)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(ResultsError::io("read", path))?,
        };
        let mut ledger = Self::new(files);
        let header = ledger.header();
        let Some(lines) = text.strip_prefix(header.as_bytes()) else {
            // A kill leaves the beginning of the header.
            if header.as_bytes().starts_with(&text) || text.iter().all(|byte| *byte == 0) {
                return Ok(ledger);
            }
            return Err(ResultsError::other_header(path, &text, &header));
        };
        ledger.has_header = true;
        let mut rest = lines;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line = str::from_utf8(&rest[..end]).unwrap_or_default();
            if !ledger.add_line(line) {
                break;
            }
            rest = &rest[end + 1..];
        }
        let is_lost_end = rest.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b',' | 0));
        if !is_lost_end {
            ledger.broken_line = Some(ledger.runs.len() as u64 + 2);
        }
        Ok(ledger)
    }

    /// Adds a line as kenga writes it; `false` for another text.
    fn add_line(&mut self, line: &str) -> bool {
        let mut fields = line.split(',');
        let mut number = || fields.next()?.parse::<u64>().ok();
        let Some(run) = number().filter(|run| self.runs.last().is_none_or(|last| last < run)) else {
            return false;
        };
        let mut sizes = Vec::with_capacity(self.files.len());
        for _ in &self.files {
            sizes.extend(number());
        }
        let sum = fields.next().and_then(|field| u32::from_str_radix(field, 16).ok());
        let Some(sum) = sum.filter(|_| fields.next().is_none() && sizes.len() == self.files.len()) else {
            return false;
        };
        // No two texts stand for one line.
        if ledger_line(run, &sizes, sum).trim_end() != line {
            return false;
        }
        self.push(run, &sizes, sum);
        true
    }

    /// Adds a run.
    pub(crate) fn push(&mut self, run: u64, sizes: &[u64], sum: u32) {
        self.runs.push(run);
        self.sizes.extend_from_slice(sizes);
        self.sums.push(sum);
    }

    /// The header line.
    pub(crate) fn header(&self) -> String {
        let mut header = "run".to_owned();
        for file in &self.files {
            header.push(',');
            header.push_str(file);
        }
        header + ",crc32\n"
    }

    /// The header and the lines.
    pub(crate) fn text(&self) -> String {
        let mut text = self.header();
        for place in 0..self.runs.len() {
            text += &ledger_line(self.runs[place], self.sizes(place), self.sums[place]);
        }
        text
    }

    /// The runs, ascending.
    pub(crate) fn runs(&self) -> &[u64] {
        &self.runs
    }

    /// The place of a run among the lines.
    pub(crate) fn place(&self, run: u64) -> Option<usize> {
        self.runs.binary_search(&run).ok()
    }

    /// The bytes of the rows of the run at a place, file by file.
    pub(crate) fn sizes(&self, place: usize) -> &[u64] {
        let files = self.files.len();
        &self.sizes[place * files..(place + 1) * files]
    }

    /// The CRC-32 of the rows of the run at a place.
    pub(crate) fn sum(&self, place: usize) -> u32 {
        self.sums[place]
    }

    /// The runs that have rows in a file, each with the bytes of its rows.
    pub(crate) fn sizes_in(&self, file: &str) -> Vec<RunSize> {
        let mut sizes = Vec::new();
        if let Some(column) = self.files.iter().position(|name| *name == file) {
            for (place, run) in self.runs.iter().enumerate() {
                let bytes = self.sizes(place)[column];
                if bytes > 0 {
                    sizes.push(RunSize { run: *run, bytes });
                }
            }
        }
        sizes
    }

    /// Keeps the first runs only.
    pub(crate) fn truncate(&mut self, runs: usize) {
        self.runs.truncate(runs);
        self.sizes.truncate(runs * self.files.len());
        self.sums.truncate(runs);
    }
}

/// The line of a run.
pub(crate) fn ledger_line(run: u64, sizes: &[u64], sum: u32) -> String {
    let mut line = run.to_string();
    for size in sizes {
        write!(line, ",{size}").expect("memory does not fail");
    }
    writeln!(line, ",{sum:08x}").expect("memory does not fail");
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::files::LEDGER;

    fn read(text: &str) -> Result<Ledger, ResultsError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(LEDGER);
        fs::write(&path, text).expect("it is written");
        Ledger::read(&path, vec!["a.csv", "b.csv"])
    }

    const TEXT: &str = "run,a.csv,b.csv,crc32\n0,10,0,0000002a\n3,7,8,ffffffff\n";

    #[test]
    fn lines_come_out_as_they_went_in() {
        let ledger = read(TEXT).expect("a sound ledger");
        assert_eq!((ledger.text().as_str(), ledger.runs()), (TEXT, &[0, 3][..]));
        assert_eq!((ledger.sizes(1), ledger.sum(0), ledger.place(3)), (&[7, 8][..], 42, Some(1)));
        assert_eq!(ledger.sizes_in("b.csv"), [RunSize { run: 3, bytes: 8 }]);
        assert_eq!((ledger.has_header, ledger.broken_line), (true, None));
    }

    #[test]
    fn a_kill_or_a_crash_ends_a_ledger_at_any_byte() {
        for end in 0..TEXT.len() {
            for tail in ["", "\0\0"] {
                let ledger = read(&(TEXT[..end].to_owned() + tail));
                // A crash does not leave a part of the first page and zeros behind.
                if let Ok(ledger) = ledger {
                    assert_eq!(ledger.broken_line, None, "{end}");
                    assert!(TEXT.starts_with(ledger.text().trim_end()) || !ledger.has_header, "{end}");
                }
            }
        }
    }

    #[test]
    fn other_lines_are_named() {
        for (line, text) in [
            (2, TEXT.replacen("0,10", "0,010", 1)),
            (2, TEXT.replacen("0000002a", "0000002A", 1)),
            (3, TEXT.replacen("3,7,8", "0,7,8", 1)),
            (3, TEXT.replacen("3,7,8", "3,7", 1)),
            (4, TEXT.to_owned() + "x"),
            (4, TEXT.to_owned() + "\n"),
        ] {
            assert_eq!(read(&text).expect("its header is whole").broken_line, Some(line), "{text}");
        }
        assert!(read(&TEXT.replacen("a.csv", "c.csv", 1)).is_err());
    }
}
