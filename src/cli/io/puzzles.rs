//! The puzzles that commands read, in files or standard input: all of them, or one by its id.

use miette::{Report, miette};

use super::exit::{CommandResult, Exit, print_error};
use super::input::{read_bytes, whole};
use kenga_core::puzzle::formats::{Ids, Reader};
use kenga_core::puzzle::{MAX_DIGITS, Puzzle};
use kenga_core::text::meant;

/// The puzzles of a command that takes any number.
#[derive(clap::Args)]
pub(in crate::cli) struct PuzzleArgs {
    /// Puzzles: one in any known format, or many as JSON lines, Keen game IDs, Sudoku lines; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(in crate::cli) files: Vec<String>,
    /// Only the puzzle with this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

impl PuzzleArgs {
    /// The puzzles, read when they are asked for.
    pub(in crate::cli) fn read(&self, colors: Colors) -> Puzzles<'_> {
        Puzzles::new(&self.files, colors, self.id.as_deref())
    }
}

/// The puzzle of a command that takes one.
#[derive(clap::Args)]
pub(in crate::cli) struct OnePuzzleArgs {
    /// The puzzle, in any known format; of several, --id chooses one; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(in crate::cli) file: String,
    /// The puzzle with this id
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

impl OnePuzzleArgs {
    /// The puzzle, as [`one_puzzle`] reads it.
    pub(in crate::cli) fn read(&self, colors: Colors) -> Result<(Option<Puzzle>, Exit), Report> {
        one_puzzle(&self.file, self.id.as_deref(), colors)
    }
}

/// How many colours the graphs of the files are to be coloured with.
#[derive(clap::Args, Clone, Copy)]
pub(in crate::cli) struct Colors {
    /// Colour graphs with K colours, 1 to 32, whatever their text says
    #[arg(long, value_name = "K", value_parser = whole(1..=MAX_DIGITS))]
    colors: Option<usize>,
}

impl Colors {
    /// The colours that the text of a puzzle states.
    pub(in crate::cli) const AS_STATED: Self = Self { colors: None };
}

/// The puzzles of some files, in order; a bad one is printed to standard error when it is met, and the rest goes on.
#[derive(Default)]
pub(in crate::cli) struct Puzzles<'a> {
    files: std::slice::Iter<'a, String>,
    colors: Option<usize>,
    id: Option<&'a str>,
    reader: Option<Reader>,
    ids: Ids,
    exit: Exit,
    /// How many could not be read.
    refused: u64,
    /// The puzzle with the id was met.
    is_found: bool,
    /// The id most like the one that is looked for.
    nearest: Option<String>,
}

impl<'a> Puzzles<'a> {
    /// Reads puzzles from files, each with one in any format or with many; `-` is standard input. With an id only the puzzle
    /// that has it is read; with colours only graphs are.
    ///
    /// ```text
    /// let mut puzzles = Puzzles::new(&files, args.colors, None);
    /// for puzzle in &mut puzzles { … }
    /// Ok(exit.and(puzzles.finish()?))
    /// ```
    pub(in crate::cli) fn new(files: &'a [String], Colors { colors }: Colors, id: Option<&'a str>) -> Self {
        Self { files: files.iter(), colors, id, ..Self::default() }
    }

    /// Says whether a puzzle is wanted; without an id every one is.
    fn accepts(&mut self, puzzle: &Puzzle) -> bool {
        let Some(id) = self.id else { return true };
        if puzzle.id == id {
            self.is_found = true;
            return true;
        }
        // The input may be longer than memory: of the ids that are near only the nearest is kept.
        self.nearest = match self.nearest.take() {
            Some(known) => meant(id, [&*known, &*puzzle.id]).map(str::to_owned),
            None => meant(id, [&*puzzle.id]).map(str::to_owned),
        };
        false
    }

    /// A puzzle with the colours that the arguments name.
    fn colored(&self, puzzle: Puzzle) -> Result<Puzzle, Report> {
        let Some(colors) = self.colors else { return Ok(puzzle) };
        let help = "--colors is for puzzles of the kind coloring";
        puzzle.with_colors(colors).map_err(|defect| miette!(help = help, "puzzle `{}`: {defect}", puzzle.id))
    }

    /// Opens the next file; `false` after the last one.
    fn open_next(&mut self) -> bool {
        let Some(file) = self.files.next() else { return false };
        match open(file, self.colors) {
            Ok(reader) => self.reader = Some(reader),
            Err(report) => self.refuse(&report),
        }
        true
    }

    fn refuse(&mut self, report: &Report) {
        print_error(report);
        self.exit = Exit::BadInput;
    }

    fn refuse_puzzle(&mut self, report: &Report) {
        self.refuse(report);
        self.refused += 1;
    }

    /// How many could not be read so far; a file that cannot be opened is no puzzle.
    pub(in crate::cli) fn refused(&self) -> u64 {
        self.refused
    }

    /// Where the last puzzle was read.
    pub(in crate::cli) fn place(&self) -> String {
        self.reader.as_ref().map_or_else(String::new, Reader::place)
    }

    /// The end of the input: [`Exit::BadInput`] when something met could not be read, else [`Exit::Done`].
    ///
    /// # Errors
    /// A report that names the nearest id when no puzzle has the one that is wanted.
    pub(in crate::cli) fn finish(self) -> CommandResult {
        match (self.id, self.nearest) {
            (Some(id), Some(nearest)) if !self.is_found => {
                Err(miette!(help = format!("did you mean `{nearest}`?"), "no puzzle has the id `{id}`"))
            }
            (Some(id), None) if !self.is_found => Err(miette!("no puzzle has the id `{id}`")),
            _ => Ok(self.exit),
        }
    }
}

impl Iterator for Puzzles<'_> {
    type Item = Puzzle;

    fn next(&mut self) -> Option<Puzzle> {
        loop {
            match self.reader.as_mut().and_then(|reader| reader.next(&mut self.ids)) {
                Some(Ok(puzzle)) => {
                    // The others are read nevertheless: what is wrong with them is said, too.
                    if !self.accepts(&puzzle) {
                        continue;
                    }
                    match self.colored(puzzle) {
                        Ok(puzzle) => return Some(puzzle),
                        Err(report) => self.refuse_puzzle(&report),
                    }
                }
                Some(Err(error)) => self.refuse_puzzle(&error.into()),
                None => {
                    if !self.open_next() {
                        return None;
                    }
                }
            }
        }
    }
}

fn open(file: &str, colors: Option<usize>) -> Result<Reader, Report> {
    let (name, bytes) = read_bytes(file)?;
    let mut reader = Reader::new(&name, bytes);
    if let Some(colors) = colors {
        reader = reader.with_colors(colors);
    }
    Ok(if file == "-" { reader.with_stem("stdin") } else { reader })
}

/// The one puzzle of a file, or the one with this id; none when it could not be read, as the exit says.
///
/// # Errors
/// A report when there are several to choose from, or none with the id.
pub(in crate::cli) fn one_puzzle(
    file: &str,
    id: Option<&str>,
    colors: Colors,
) -> Result<(Option<Puzzle>, Exit), Report> {
    let files = [file.to_owned()];
    let mut input = Puzzles::new(&files, colors, id);
    // A second one is read: which of several is meant must be said.
    let (first, second) = (input.next(), input.next());
    if let (Some(first), Some(second)) = (&first, &second) {
        let (first, second) = (&first.id, &second.id);
        let help = "choose one with --id";
        return Err(miette!(help = help, "{file} holds several puzzles: `{first}`, `{second}`, …"));
    }
    Ok((first, input.finish()?))
}
