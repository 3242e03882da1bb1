//! A file that runs append to, compared with the ledger of its folder.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;

use crate::results::ResultsError;
use crate::results::files::{LEDGER, RUNS, is_file, place_of};
use crate::results::ledger::Ledger;
use crate::results::run_files::RowFile;
use crate::results::run_reader::{as_stored, is_packed, records, run_of};

/// The rows that a file lacks of a run.
pub(super) struct Lack {
    pub(super) reason: String,
    /// The row of a later run stands there.
    pub(super) is_gap: bool,
    /// A whole row of the run stands there, which is another one.
    pub(super) is_other_row: bool,
}

/// The most bytes behind the rows of the ledger that are looked at.
pub(super) const MOST_BEHIND: u64 = 1 << 26;

/// A file that runs append to, as it lies in a folder.
pub(super) struct StoredFile {
    pub(super) file: RowFile,
    pub(super) path: PathBuf,
    pub(super) is_there: bool,
    /// The bytes of its header.
    pub(super) header: u64,
    /// The bytes of the file; 0 if it is missing.
    pub(super) length: u64,
}

impl StoredFile {
    /// Looks at a file, and refuses one with another header.
    pub(super) fn new(folder: &Path, file: &RowFile) -> Result<Self, ResultsError> {
        let path = place_of(folder, file.stored);
        let header = as_stored(&path, file.header.clone());
        let mut there = Vec::new();
        let mut is_there = true;
        let length = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                is_there = false;
                0
            }
            opened => {
                is_file(&path).map_err(ResultsError::io("read", &path))?;
                let opened = opened.map_err(ResultsError::io("read", &path))?;
                let length = opened.metadata().map_err(ResultsError::io("read", &path))?.len();
                let mut begin = opened.take(header.len() as u64);
                begin.read_to_end(&mut there).map_err(ResultsError::io("read", &path))?;
                length
            }
        };
        // A kill or a crash leaves the beginning of a header, or zeros.
        let is_ours = header.starts_with(&there) || there.iter().all(|byte| *byte == 0);
        if !is_ours {
            return Err(ResultsError::other_header(&path, &there, &String::from_utf8_lossy(&file.header)));
        }
        let length = if there == header { length } else { length.min(header.len() as u64 - 1) };
        Ok(Self { file: file.clone(), path, is_there, header: header.len() as u64, length })
    }

    pub(super) fn has_header(&self) -> bool {
        self.length >= self.header
    }

    /// The bytes of the header and of the runs of a ledger.
    pub(super) fn end(&self, ledger: &Ledger) -> u64 {
        self.header + ledger.sizes_in(self.file.stored).iter().map(|size| size.bytes).sum::<u64>()
    }

    /// The rows behind a place; none if the file is shorter.
    pub(super) fn behind(&self, place: u64) -> Result<Vec<u8>, ResultsError> {
        let mut text = Vec::new();
        if self.length > place {
            let mut read = || {
                let mut file = File::open(&self.path)?;
                file.seek(io::SeekFrom::Start(place))?;
                file.take(MOST_BEHIND).read_to_end(&mut text)
            };
            read().map_err(ResultsError::io("read", &self.path))?;
        }
        Ok(text)
    }

    /// A reader of the rows; of a missing file an empty one.
    pub(super) fn rows(&self) -> Result<Box<dyn BufRead>, ResultsError> {
        if !self.has_header() {
            return Ok(Box::new(io::empty()));
        }
        let mut reader = File::open(&self.path).map_err(ResultsError::io("read", &self.path))?;
        reader.seek(io::SeekFrom::Start(self.header)).map_err(ResultsError::io("read", &self.path))?;
        Ok(Box::new(BufReader::with_capacity(1 << 16, reader)))
    }

    /// The rows that a file lacks of a run, whose rows take so many bytes, if `text` is that of the file from there on.
    pub(super) fn lack_of(&self, run: u64, bytes: u64, text: &[u8]) -> Option<Lack> {
        let mut lack = Lack {
            reason: format!("run {run} is not complete in {}", self.file.name),
            is_gap: false,
            is_other_row: false,
        };
        if is_packed(&self.path) {
            let mut unpacked = Vec::new();
            let member = &text[..text.len().min(usize::try_from(bytes).unwrap_or(usize::MAX))];
            let is_member = GzDecoder::new(member).take(1 << 16).read_to_end(&mut unpacked).is_ok();
            let is_of_run = is_member && run_of(&unpacked) == Some(run);
            return if bytes == 0 || is_of_run { None } else { Some(lack) };
        }
        let mut there = 0;
        for row in records(text) {
            if run_of(row) != Some(run) || !row.ends_with(b"\n") {
                break;
            }
            there += row.len() as u64;
        }
        if there == bytes {
            return None;
        }
        if self.file.name == RUNS {
            // A crash does not leave another row, but a part of this one or none.
            if there > 0 {
                lack.is_other_row = true;
                lack.reason = format!("run {run} has another row than {LEDGER} lists");
            }
            if run_of(text).is_some_and(|other| other > run) {
                lack.is_gap = true;
                lack.reason = format!("run {run} is missing");
            }
        }
        Some(lack)
    }

    /// Whether the file has lost its end as a crash of the system loses it: it is too short, or ends with zeros.
    pub(super) fn has_lost_end(&self, end: u64) -> Result<bool, ResultsError> {
        if self.length < end {
            return Ok(true);
        }
        // A text has no zero; the last bytes of a gzip member may be zeros, but another member follows, or none.
        let (before, behind) = match (is_packed(&self.path), self.length > end) {
            (false, _) => (1, 0),
            (true, true) => (1, 8),
            (true, false) => (8, 0),
        };
        let begin = end.saturating_sub(before).max(self.header);
        let mut tail = self.behind(begin)?;
        tail.truncate((end + behind - begin) as usize);
        Ok(!tail.is_empty() && tail.iter().all(|byte| *byte == 0))
    }

    /// The lines before a place of a plain file; of a packed one it cannot be said.
    pub(super) fn lines_before(&self, place: u64) -> Result<u64, ResultsError> {
        if is_packed(&self.path) {
            return Ok(0);
        }
        let mut text = Vec::new();
        let mut read = || File::open(&self.path)?.take(place).read_to_end(&mut text);
        read().map_err(ResultsError::io("read", &self.path))?;
        Ok(memchr::memchr_iter(b'\n', &text).count() as u64)
    }
}
