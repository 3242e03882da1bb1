//! Reading what the user names: files, or `-` for standard input.

use std::fs;
use std::io::{self, Read};

use miette::{Diagnostic, Report};
use thiserror::Error;

use super::exit::{Exit, print_error};
use crate::puzzle::Puzzle;
use crate::puzzle::formats::{Ids, Reader};

/// A file that cannot be read.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot read {name}")]
#[diagnostic(help("{help}"))]
struct Unreadable {
    name: String,
    help: &'static str,
    #[source]
    source: io::Error,
}

/// The bytes of a file, or of standard input for `-`, with the name that errors show.
///
/// # Errors
/// A report that names the file when it cannot be read.
pub(super) fn read_bytes(name: &str) -> Result<(String, Vec<u8>), Report> {
    if name == "-" {
        let mut bytes = Vec::new();
        let shown = "standard input".to_owned();
        return match io::stdin().lock().read_to_end(&mut bytes) {
            Ok(_) => Ok((shown, bytes)),
            Err(source) => Err(unreadable(&shown, source)),
        };
    }
    fs::read(name).map(|bytes| (name.to_owned(), bytes)).map_err(|source| unreadable(name, source))
}

/// The puzzles of some files, in order; a bad one is printed to standard error when it is met, and the rest goes on.
pub(super) struct Puzzles<'a> {
    files: std::slice::Iter<'a, String>,
    reader: Option<Reader>,
    ids: Ids,
    exit: Exit,
}

/// Reads puzzles from files, each with one in any format or with many; `-` is standard input.
///
/// ```text
/// let mut puzzles = input::puzzles(&args.files);
/// for puzzle in &mut puzzles { … }
/// Ok(exit.and(puzzles.exit()))
/// ```
pub(super) fn puzzles(files: &[String]) -> Puzzles<'_> {
    Puzzles { files: files.iter(), reader: None, ids: Ids::default(), exit: Exit::Done }
}

impl Puzzles<'_> {
    /// [`Exit::BadInput`] when something met so far could not be read, else [`Exit::Done`].
    pub(super) fn exit(&self) -> Exit {
        self.exit
    }

    fn refuse(&mut self, report: &Report) {
        print_error(report);
        self.exit = Exit::BadInput;
    }
}

impl Iterator for Puzzles<'_> {
    type Item = Puzzle;

    fn next(&mut self) -> Option<Puzzle> {
        loop {
            match self.reader.as_mut().and_then(|reader| reader.next(&mut self.ids)) {
                Some(Ok(puzzle)) => return Some(puzzle),
                Some(Err(error)) => self.refuse(&error.into()),
                None => match open(self.files.next()?) {
                    Ok(reader) => self.reader = Some(reader),
                    Err(report) => self.refuse(&report),
                },
            }
        }
    }
}

fn open(file: &str) -> Result<Reader, Report> {
    let (name, bytes) = read_bytes(file)?;
    let reader = Reader::new(&name, bytes);
    Ok(if file == "-" { reader.with_stem("stdin") } else { reader })
}

fn unreadable(name: &str, source: io::Error) -> Report {
    let help = match source.kind() {
        io::ErrorKind::NotFound => "check the path; `-` reads standard input",
        io::ErrorKind::IsADirectory => "name a file, not a folder",
        _ => "check that the file can be read",
    };
    Unreadable { name: name.to_owned(), help, source }.into()
}
