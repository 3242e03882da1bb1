//! Reading a file puzzle by puzzle.

use std::collections::HashMap;
use std::path::Path;

use super::super::Puzzle;
use super::error::{Fault, Malformed, ReadError, Span};
use super::recognition::{format_of, known_formats, resemblance};
use super::{Format, col, sudoku};
use crate::text::{id_flaw, sound_id};

/// What an id must be.
const EXPECTED: &str =
    "expected visible characters on one line, no = + - or @ first, no white space at either end";

/// The ids read so far, so that no two puzzles share one.
#[derive(Debug, Default)]
pub struct Ids {
    taken: HashMap<String, FirstUse>,
}

/// Where an id was first used.
#[derive(Clone, Debug)]
struct FirstUse {
    name: String,
    line: usize,
    /// The text has no id for the puzzle, whose id is the file's name.
    named_after_file: bool,
}

/// Reads the puzzles of one file one at a time; only its text is in memory.
///
/// ```
/// use kenga_base::puzzle::formats::{Ids, Reader};
///
/// let text = br#"{"size":1,"cages":[{"op":"=","target":1,"cells":[[0,0]]}]}"#;
/// let mut reader = Reader::new("tiny.jsonl", text.to_vec());
/// let puzzle = reader.next(&mut Ids::default()).expect("one line").expect("a sound puzzle");
/// assert_eq!(puzzle.id, "tiny");
/// ```
#[derive(Debug)]
pub struct Reader {
    name: String,
    stem: String,
    text: String,
    /// The text was not UTF-8; U+FFFD replaces the bytes that are not.
    damaged: bool,
    format: Option<&'static Format>,
    /// The offset at which the next record starts.
    at: usize,
    /// The line at which the next record starts, from 0.
    line: usize,
    /// The line at which the record that was read last starts, from 0.
    last_line: usize,
    records: usize,
    unnamed: usize,
    /// Problems of the user's own, which are no puzzles, are read too.
    reads_problems: bool,
}

impl Reader {
    /// A reader of a file's bytes. Errors show `name`; puzzles without an id are named after its stem.
    pub fn new(name: &str, bytes: Vec<u8>) -> Self {
        // A file with one bad byte still has its other puzzles.
        let (text, damaged) = match String::from_utf8(bytes) {
            Ok(text) => (text, false),
            Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
        };
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let at = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        let format = format_of(&text[at..]);
        let name = name.to_owned();
        Self {
            name,
            stem,
            text,
            damaged,
            format,
            at,
            line: 0,
            last_line: 0,
            records: 0,
            unnamed: 0,
            reads_problems: false,
        }
    }

    /// Reads problems of the user's own too, as results folders keep them.
    #[must_use]
    pub(crate) fn with_problems(self) -> Self {
        Self { reads_problems: true, ..self }
    }

    /// Sets the name for puzzles without an id; by default the stem of the file's name.
    pub fn with_stem(self, stem: &str) -> Self {
        Self { stem: stem.to_owned(), ..self }
    }

    /// Reads graphs to be coloured in DIMACS with this many colours, whatever their comments say. Other formats name the
    /// colours themselves: see [`Puzzle::with_colors`].
    pub fn with_colors(mut self, colors: usize) -> Self {
        // The last comment counts, so that this one overrules those of the file.
        if self.format.is_some_and(|format| format.name == col::FORMAT.name) {
            self.text += &format!("\n{}\n", col::colors_comment(colors));
        }
        self
    }

    /// The format that was recognised.
    pub fn format(&self) -> Option<&'static Format> {
        self.format
    }

    /// Where the puzzle that was read last begins: the name of the file, and in a format that holds many the line from 1.
    pub fn place(&self) -> String {
        if self.format.is_some_and(|format| format.many) {
            format!("{}, line {}", self.name, self.last_line + 1)
        } else {
            self.name.clone()
        }
    }

    /// Reads the next puzzle; `None` after the last. A text without any puzzle is one error.
    ///
    /// # Errors
    /// [`ReadError`] for this record; those after it can still be read.
    pub fn next(&mut self, ids: &mut Ids) -> Option<Result<Puzzle, ReadError>> {
        self.skip_blank_lines();
        // A text without any puzzle is an error; blank lines at its end are none.
        if self.at == self.text.len() && self.records > 0 {
            return None;
        }
        self.records += 1;
        let (start, first_line) = (self.at, self.line);
        self.last_line = first_line;
        let rest = &self.text[start..];
        let length = self.format.map_or(rest.len(), |format| (format.end)(rest));
        let record = &rest[..length];
        // Before reading: a bad record is passed like any other.
        self.line += record.matches('\n').count();
        self.at += length;
        let result =
            self.read_record(record).and_then(|(puzzle, id)| self.admit(ids, puzzle, id, first_line));
        match result {
            Ok((puzzle, unnamed)) => {
                self.unnamed += usize::from(unnamed);
                Some(Ok(puzzle))
            }
            Err(fault) => Some(Err(self.error(fault, &self.text[start..self.at], first_line))),
        }
    }

    /// The error of a record. Of a format whose texts resemble others, it says that the text was read as that.
    fn error(&self, fault: Fault, record: &str, first_line: usize) -> ReadError {
        let mut fault = fault;
        if let Some(format) = self.format
            && (!format.many || format.name == sudoku::FORMAT.name)
            && !matches!(fault.what, Malformed::Encoding | Malformed::Empty)
        {
            let taken = format!("read as {}: {}", format.name, format.about);
            fault.help = Some(match fault.help {
                Some(help) => format!("{help}\n{taken}"),
                None => taken,
            });
        }
        ReadError::new(&self.name, record, first_line, fault)
    }

    fn skip_blank_lines(&mut self) {
        while let Some(end) = self.text[self.at..].find('\n') {
            if !self.text[self.at..self.at + end].trim().is_empty() {
                return;
            }
            self.at += end + 1;
            self.line += 1;
        }
        if self.text[self.at..].trim().is_empty() {
            self.at = self.text.len();
        }
    }

    fn read_record(&self, record: &str) -> Result<(Puzzle, Span), Fault> {
        // Bytes that are no UTF-8 were replaced when the file was read; a file may also hold the replacement
        // character itself, and that is no damage.
        if self.damaged
            && let Some(place) = record.find(char::REPLACEMENT_CHARACTER)
        {
            let span = place..place + char::REPLACEMENT_CHARACTER.len_utf8();
            return Err(Fault::new(Malformed::Encoding, span, "expected UTF-8 text").help(ENCODING_HELP));
        }
        if record.trim().is_empty() {
            return Err(Fault::new(Malformed::Empty, 0..0, "expected a puzzle").help(known_formats()));
        }
        if let Some(format) = self.format {
            return (format.read)(record);
        }
        let start = record.len() - record.trim_start().len();
        let first = record[start..].lines().next().unwrap_or_default();
        let span = start..start + first.trim_end().len();
        let label = "expected a puzzle in a known format";
        Err(Fault::new(Malformed::NoFormat, span, label).help(resemblance(record) + "\n" + &known_formats()))
    }

    /// Gives the puzzle an id that no other has; says whether it was named after the file.
    fn admit(&self, ids: &mut Ids, puzzle: Puzzle, id: Span, line: usize) -> Result<(Puzzle, bool), Fault> {
        let mut puzzle = puzzle;
        let unnamed = puzzle.id.is_empty();
        if puzzle.genome().is_some() && !self.reads_problems {
            let label = "expected a puzzle";
            let help = "`kenga run`, `validate`, `compare` and `report` take the folder that holds it";
            return Err(Fault::new(Malformed::OwnProblem, 0..1, label).help(help));
        }
        // Ids come from strangers: they could move a cursor or be run as a formula.
        if let Some(flaw) = id_flaw(&puzzle.id) {
            let help = "ids appear on terminals, in lines of files and in spreadsheets: choose another";
            return Err(Fault::new(Malformed::Id { id: puzzle.id, flaw }, id, EXPECTED).help(help));
        }
        if unnamed {
            puzzle.id = ids.free_name(&sound_id(&self.stem), self.unnamed);
        } else if let Some(first) = ids.taken.get(&puzzle.id) {
            return Err(first.fault(&puzzle.id, id));
        }
        let place = FirstUse { name: self.name.clone(), line, named_after_file: unnamed };
        ids.taken.insert(puzzle.id.clone(), place);
        Ok((puzzle, unnamed))
    }
}

impl Ids {
    /// `stem` for the first puzzle of a file, then `stem-2` and so on, without those taken.
    fn free_name(&self, stem: &str, unnamed: usize) -> String {
        let stem = if stem.is_empty() { "puzzle" } else { stem };
        // From the puzzles named so far on: a long file is not searched from its start.
        let mut number = unnamed + 1;
        let mut name = if number == 1 { stem.to_owned() } else { format!("{stem}-{number}") };
        while self.taken.contains_key(&name) {
            number += 1;
            name = format!("{stem}-{number}");
        }
        name
    }
}

impl FirstUse {
    fn fault(&self, id: &str, span: Span) -> Fault {
        let first = format!("line {} of {}", self.line + 1, self.name);
        let help = if self.named_after_file {
            "that puzzle has no id of its own and is named after its file; give it one"
        } else {
            "ids name puzzles in results: give every puzzle its own"
        };
        let label = "expected an id that no other puzzle has";
        Fault::new(Malformed::RepeatedId { id: id.to_owned(), first }, span, label).help(help)
    }
}

const ENCODING_HELP: &str = "puzzles are UTF-8 text; convert the file, or check that it is the right one";
