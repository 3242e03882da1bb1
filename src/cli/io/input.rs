//! Reading what the user names: puzzles in files or standard input, one by its id, results folders, members of tables, and
//! whole numbers, written as in configurations: `250`, `100_000`, `1e5`.

use std::fmt::Display;
use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use miette::{Diagnostic, Report, miette};
use thiserror::Error;

use super::exit::{Exit, print_error, print_note};
use kenga_core::puzzle::formats::{Ids, Reader};
use kenga_core::puzzle::{MAX_DIGITS, Puzzle};
use kenga_core::spec::MAX_EXACT;
use kenga_core::text::quoted_path;
use kenga_lab::study::Study;
use kenga_report::answers::study_of;

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
fn read_bytes(name: &str) -> Result<(String, Vec<u8>), Report> {
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

/// The text of a file, or of standard input for `-`, with the name that errors show.
///
/// # Errors
/// A report when it cannot be read, or is no text; `help` says what is expected.
pub(in crate::cli) fn read_text(name: &str, help: &str) -> Result<(String, String), Report> {
    let (name, bytes) = read_bytes(name)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok((name, text)),
        Err(_) => Err(miette!(help = help, "{name} is not UTF-8 text")),
    }
}

/// The puzzles of some files, in order; a bad one is printed to standard error when it is met, and the rest goes on.
pub(in crate::cli) struct Puzzles<'a> {
    files: std::slice::Iter<'a, String>,
    colors: Option<usize>,
    id: Option<&'a str>,
    reader: Option<Reader>,
    ids: Ids,
    exit: Exit,
    /// The puzzle with the id was met and refused.
    has_refused: bool,
}

/// Reads puzzles from files, each with one in any format or with many; `-` is standard input.
///
/// ```text
/// let mut puzzles = input::puzzles(&args.files);
/// for puzzle in &mut puzzles { … }
/// Ok(exit.and(puzzles.exit()))
/// ```
pub(in crate::cli) fn puzzles(files: &[String]) -> Puzzles<'_> {
    let (files, ids, exit) = (files.iter(), Ids::default(), Exit::Done);
    Puzzles { files, colors: None, id: None, reader: None, ids, exit, has_refused: false }
}

/// How many colours the graphs of the files are to be coloured with.
#[derive(clap::Args, Clone, Copy)]
pub(in crate::cli) struct Colors {
    /// Colour graphs with K colours, 1 to 32, whatever their text says
    #[arg(long, value_name = "K", value_parser = whole(1..=MAX_DIGITS))]
    colors: Option<usize>,
}

impl<'a> Puzzles<'a> {
    /// Sets the colours of graphs, or of the one with the id; puzzles of other kinds are then refused.
    pub(in crate::cli) fn with(self, Colors { colors }: Colors, id: Option<&'a str>) -> Self {
        Self { colors, id, ..self }
    }

    /// A puzzle with the colours that the arguments name.
    fn colored(&self, puzzle: Puzzle) -> Result<Puzzle, Report> {
        let is_wanted = self.id.is_none_or(|id| puzzle.id == id);
        let Some(colors) = self.colors.filter(|_| is_wanted) else { return Ok(puzzle) };
        let help = "--colors is for puzzles of the kind coloring";
        puzzle.with_colors(colors).map_err(|defect| miette!(help = help, "puzzle `{}`: {defect}", puzzle.id))
    }

    /// [`Exit::BadInput`] when something met so far could not be read, else [`Exit::Done`].
    pub(in crate::cli) fn exit(&self) -> Exit {
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
                Some(Ok(puzzle)) => match self.colored(puzzle) {
                    Ok(puzzle) => return Some(puzzle),
                    Err(report) => {
                        self.has_refused = true;
                        self.refuse(&report);
                    }
                },
                Some(Err(error)) => self.refuse(&error.into()),
                None => match open(self.files.next()?, self.colors) {
                    Ok(reader) => self.reader = Some(reader),
                    Err(report) => self.refuse(&report),
                },
            }
        }
    }
}

fn open(file: &str, colors: Option<usize>) -> Result<Reader, Report> {
    let (name, bytes) = read_bytes(file)?;
    let reader = Reader::new(&name, bytes);
    let reader = match colors {
        Some(colors) => reader.with_colors(colors),
        None => reader,
    };
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

/// The one puzzle of the file, or the one with this id; none when it could not be read.
///
/// # Errors
/// A report when there are several to choose from, or none with the id.
pub(in crate::cli) fn one_puzzle(
    file: &str,
    id: Option<&str>,
    input: &mut Puzzles<'_>,
) -> Result<Option<Puzzle>, Report> {
    let mut wanted = PuzzleId::new(id);
    let mut puzzles = (&mut *input).filter(|puzzle| wanted.accepts(puzzle));
    let (first, second) = (puzzles.next(), puzzles.next());
    if let (Some(first), Some(second)) = (&first, &second) {
        let (first, second) = (&first.id, &second.id);
        let help = "choose one with --id";
        return Err(miette!(help = help, "{file} holds several puzzles: `{first}`, `{second}`, …"));
    }
    wanted.found(input)?;
    Ok(first)
}

/// Looks for an id, and remembers the one most like it; without an id every puzzle is wanted.
pub(in crate::cli) struct PuzzleId<'a> {
    id: Option<&'a str>,
    found: bool,
    nearest: Option<(f64, String)>,
}

impl<'a> PuzzleId<'a> {
    /// Looks for this id, or for none.
    pub(in crate::cli) fn new(id: Option<&'a str>) -> Self {
        Self { id, found: id.is_none(), nearest: None }
    }

    /// Says whether this is a puzzle that is wanted.
    pub(in crate::cli) fn accepts(&mut self, puzzle: &Puzzle) -> bool {
        let Some(id) = self.id else { return true };
        if puzzle.id == id {
            self.found = true;
            return true;
        }
        let likeness = strsim::jaro_winkler(id, &puzzle.id);
        if self.nearest.as_ref().is_none_or(|(most, _)| likeness > *most) {
            self.nearest = Some((likeness, puzzle.id.clone()));
        }
        false
    }

    /// The end of the search.
    ///
    /// # Errors
    /// A report that names the nearest id when the input had no puzzle with the wanted one.
    pub(in crate::cli) fn found(self, input: &Puzzles<'_>) -> Result<(), Report> {
        match (self.id, self.nearest) {
            _ if input.has_refused => Ok(()),
            (Some(id), Some((_, nearest))) if !self.found => {
                Err(miette!(help = format!("did you mean `{nearest}`?"), "no puzzle has the id `{id}`"))
            }
            (Some(id), None) if !self.found => Err(miette!("no puzzle has the id `{id}`")),
            _ => Ok(()),
        }
    }
}

/// Reads folders whose settings have the keys, and says on standard error which hold a part of their experiment. The keys
/// come back as dotted paths: a key may be given as tables shorten it.
///
/// # Errors
/// A folder that cannot be read, or a key that no setting has.
pub(in crate::cli) fn study(dirs: &[PathBuf], keys: &[String]) -> Result<(Study, Vec<String>), Report> {
    let (study, keys) = study_of(dirs, keys)?;
    study.partial().for_each(|note| print_note(&note));
    Ok((study, keys))
}

/// The error of folders without a run that has ended.
pub(in crate::cli) fn no_runs(dirs: &[PathBuf]) -> Report {
    let names: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
    miette!(help = unfinished(dirs), "{}: no run has ended", names.join(", "))
}

/// What to do about results that are not there yet.
pub(in crate::cli) fn unfinished(dirs: &[PathBuf]) -> String {
    let commands: Vec<String> = dirs.iter().map(|dir| format!("`{}`", resume(dir))).collect();
    format!("finish the experiment first: {}", commands.join(", "))
}

/// The command that continues a folder, whoever began it.
pub(in crate::cli) fn resume(path: &Path) -> String {
    format!("kenga run --resume {}", quoted_path(path))
}

pub(in crate::cli) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=1e9).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0 to 1e9".to_owned()),
    }
}

/// Reads the members of a table by name; `words` gives the name and what it is.
pub(in crate::cli) fn one_of<T: Copy + Send + Sync + 'static>(
    table: impl IntoIterator<Item = T>,
    words: fn(T) -> [&'static str; 2],
) -> impl TypedValueParser<Value = T> {
    let table: Vec<T> = table.into_iter().collect();
    let value = |one: &T| PossibleValue::new(words(*one)[0]).help(words(*one)[1]);
    let find = move |table: &[T], name: &str| table.iter().copied().find(|one| words(*one)[0] == name);
    PossibleValuesParser::new(table.iter().map(value).collect::<Vec<_>>())
        .map(move |name| find(&table, &name).expect("the name is one of them"))
}

/// Reads a share that is neither nothing nor all.
pub(in crate::cli) fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "expected a number between 0 and 1".to_owned())
}

/// Reads whole numbers of a range.
pub(in crate::cli) fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: TryFrom<u64> + PartialOrd + Display + Copy,
{
    move |text| {
        let number = read_whole(text).and_then(|number| T::try_from(number).ok());
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            if is_too_large(text) {
                format!(
                    "{text} is too large: expected a whole number from {} to {}",
                    range.start(),
                    range.end()
                )
            } else {
                expected(&range)
            }
        })
    }
}

/// The text is a whole number, but one beyond 64 bits.
fn is_too_large(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u64>().is_err() && !text.is_empty()
}

/// What is expected, in words.
pub(in crate::cli) fn expected<T: Display>(range: &RangeInclusive<T>) -> String {
    let (low, high) = (range.start(), range.end().to_string());
    if high == u64::MAX.to_string() || high == usize::MAX.to_string() {
        format!("expected a whole number from {low} up")
    } else {
        format!("expected a whole number from {low} to {high}")
    }
}

/// The number that a text is; underscores stand between digits.
pub(in crate::cli) fn read_whole(text: &str) -> Option<u64> {
    let is_digit =
        |part: &str, place: Option<char>| !part.is_empty() && place.is_some_and(|c| c.is_ascii_digit());
    let mut parts = text.split('_').peekable();
    let mut digits = parts.next()?.to_owned();
    for part in parts {
        if !is_digit(part, part.chars().next()) || !is_digit(&digits, digits.chars().last()) {
            return None;
        }
        digits += part;
    }
    let real =
        || digits.parse().ok().filter(|real: &f64| real.fract() == 0.0 && (0.0..=MAX_EXACT).contains(real));
    digits.parse().ok().or_else(|| real().map(|real| real as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_as_in_configurations() {
        for (text, number) in [
            ("0", 0),
            ("250", 250),
            ("1e5", 100_000),
            ("1_000_000", 1_000_000),
            ("2.5e3", 2500),
            ("1_0e1_0", 100_000_000_000),
        ] {
            assert_eq!(read_whole(text), Some(number), "{text}");
        }
        assert_eq!(read_whole("18446744073709551615"), Some(u64::MAX));
        for text in
            ["", " 1", "-1", "1.5", "1e400", "nan", "inf", "1__0", "_1", "1_", "1_e5", "0x10", "1e17", "a"]
        {
            assert_eq!(read_whole(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_outside_the_range_is_refused_with_the_range() {
        assert_eq!(whole(1..=65_535_u16)("1e4"), Ok(10_000));
        for text in ["0", "65536", "1e5", "many"] {
            let said = "expected a whole number from 1 to 65535".to_owned();
            assert_eq!(whole(1..=65_535_u16)(text), Err(said), "{text}");
        }
        assert_eq!(whole(1..=u64::MAX)("0"), Err("expected a whole number from 1 up".to_owned()));
    }

    #[test]
    fn a_number_beyond_64_bits_is_called_too_large() {
        let said =
            "18446744073709551616 is too large: expected a whole number from 0 to 18446744073709551615";
        assert_eq!(whole(0..=u64::MAX)("18446744073709551616"), Err(said.to_owned()));
    }
}
