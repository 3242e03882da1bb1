//! Puzzles of puzz.link (pzprjs): addresses, one per line, and files that begin with `pzprv3`.
//!
//! ```text
//! https://puzz.link/p?factors/4/4/26g2c…          https://puzz.link/p?kakuro/3/3/…
//! ```
//!
//! After the kind stand the numbers of columns and rows, then the puzzle, packed as each kind has it. kenga knows
//! `factors`, a KenKen of products; `kakuro`; and `sudoku`. Numbers are written in base 16: one digit alone, two after
//! `-`, three after `+`; letters from `g` to `z` skip 1 to 20 places.
//!
//! A kind is a file with a `VARIETY` and its name in `VARIETIES`: how an address and a file hold it.

mod factors;
mod file;
mod kakuro;
mod sudoku;

use super::super::{Kind, Puzzle};
use super::Format;
use super::error::{Fault, Span, WriteError};
use super::words::{Word, lines};

pub(super) const FORMAT: Format = Format::new(
    "puzz_link",
    "addresses https://puzz.link/p?factors/…, kakuro/… and sudoku/…, one per line",
    |text| lines(text).next().is_some_and(|line| kind_of(line.text.trim()).is_some()),
    read,
)
.by_lines()
.written_by(write);

pub(super) use file::FORMAT as FILE;

/// Reads the cells of a file, line by line, of the record that is last.
type FileReader = fn(GridSize, &[Vec<Word<'_>>], &str) -> Result<Puzzle, Fault>;

/// A kind of puzzle there.
struct Variety {
    /// Its name in addresses.
    name: &'static str,
    kind: Kind,
    /// Reads what follows the numbers of columns and rows.
    read: fn(GridSize, Word<'_>) -> Result<Puzzle, Fault>,
    /// The numbers of columns and rows, and what follows; or what it cannot hold.
    write: fn(&Puzzle) -> Result<(GridSize, String), String>,
    /// Reads the lines of a file.
    read_file: FileReader,
}

const VARIETIES: [Variety; 3] = [factors::VARIETY, kakuro::VARIETY, sudoku::VARIETY];

/// The rows and columns that an address tells.
#[derive(Clone)]
struct GridSize {
    rows: usize,
    cols: usize,
    /// The place that tells it.
    span: Span,
}

impl GridSize {
    /// The size of a square grid of 1 to 32 rows.
    fn square(&self) -> Result<usize, Fault> {
        if self.rows != self.cols {
            let found = format!("{} x {}", self.rows, self.cols);
            return Err(Fault::unexpected("as many columns as rows", found, self.span.clone()));
        }
        Ok(self.rows)
    }
}

/// The kind of an address, or of what follows `?` in one, and the text after it.
fn kind_of(line: &str) -> Option<(&str, &str)> {
    // Of a known host every kind is an address, so that an unknown one is named in the error.
    if let Some((address, after)) = line.split_once('?') {
        let (kind, rest) = after.split_once('/')?;
        let is_name = !kind.is_empty() && kind.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        return (is_host(address) && is_name).then_some((kind, rest));
    }
    let (kind, rest) = line.split_once('/')?;
    VARIETIES.iter().any(|variety| variety.name == kind).then_some((kind, rest))
}

/// Says whether an address, up to its `?`, is one of pzprjs: of a known host, or of the page `p` or `p.html`.
fn is_host(address: &str) -> bool {
    let page = address.rsplit('/').next().unwrap_or_default();
    ["puzz.link", "pzv.jp", "pzprxs", "pzprv3"].iter().any(|host| address.contains(host))
        || address.contains("://") && matches!(page, "p" | "p.html" | "p3.html")
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let line = Word::of(record);
    let Some((kind, rest)) = kind_of(line.text) else {
        return Err(line.unexpected("an address such as https://puzz.link/p?factors/…"));
    };
    let variety = variety(&line.part(kind))?;
    let (size, body) = size(line.part(rest))?;
    Ok(((variety.read)(size, body)?, 0..0))
}

fn variety(kind: &Word<'_>) -> Result<&'static Variety, Fault> {
    for variety in &VARIETIES {
        if variety.name == kind.text {
            return Ok(variety);
        }
    }
    let known = VARIETIES.map(|variety| variety.name).join(", ");
    Err(kind.unexpected(format!("a kind that kenga knows ({known})")))
}

/// The size at the start of a text, perhaps after options, and what follows.
fn size<'a>(text: Word<'a>) -> Result<(GridSize, Word<'a>), Fault> {
    let mut rest = text;
    // Options such as `v:` stand before the numbers.
    if !rest.starts_number()
        && let Some(slash) = rest.text.find('/')
    {
        rest = rest.after(slash + 1);
    }
    let start = rest.start;
    let mut sides = [0; 2];
    for side in &mut sides {
        let end = rest.text.find('/').unwrap_or(rest.text.len());
        let (number, tail) = rest.split_at(end);
        *side = number_of(&number)?;
        rest = tail.after(usize::from(!tail.text.is_empty()));
    }
    Ok((GridSize { rows: sides[1], cols: sides[0], span: start..rest.start }, rest))
}

/// The number of rows or columns.
fn number_of(word: &Word<'_>) -> Result<usize, Fault> {
    match word.text.trim().parse() {
        Ok(side) if (1..=255).contains(&side) => Ok(side),
        _ => Err(word.unexpected("the numbers of columns and rows, as in `factors/4/4/…`")),
    }
}

/// The forms of numbers: a sign, the digits after it, and what is added.
const NUMBERS: [(char, usize, i64); 6] =
    [('-', 2, 0), ('+', 3, 0), ('=', 3, 4096), ('%', 3, 8192), ('*', 4, 12240), ('$', 5, 77776)];

/// The largest number that these forms hold.
const MOST: i64 = 77776 + 0xF_FFFF;

/// The number, if there is one, of each of `count` places.
fn numbers(text: Word<'_>, count: usize) -> Result<Vec<Option<i64>>, Fault> {
    let mut numbers = Vec::with_capacity(count);
    let mut rest = text;
    while let Some(c) = rest.text.chars().next() {
        let mut length = c.len_utf8();
        if c == '.' {
            numbers.push(None);
        } else if ('g'..='z').contains(&c) {
            numbers.resize(numbers.len() + c as usize - 'g' as usize + 1, None);
        } else if let Some((_, digits, more)) = NUMBERS.iter().find(|(sign, ..)| *sign == c) {
            let Some(number) = base_16(&rest.text[1..], *digits) else {
                let expected = format!("{digits} digits of base 16 after this sign");
                return Err(rest.first().unexpected(expected));
            };
            numbers.push(Some(number + more));
            length += digits;
        } else {
            match base_16(rest.text, 1) {
                Some(number) if !c.is_ascii_uppercase() => numbers.push(Some(number)),
                _ => return Err(rest.first().unexpected("a number in base 16, or `g` to `z`")),
            }
        }
        rest = rest.after(length);
        // Checked in the loop: each letter skips up to 20 places.
        if numbers.len() > count {
            return Err(Fault::unexpected(format!("{count} places"), "more of them", rest.span()));
        }
    }
    numbers.resize(count, None);
    Ok(numbers)
}

/// The number that the first characters of a text are.
fn base_16(text: &str, length: usize) -> Option<i64> {
    let digits = text.get(..length)?;
    // A sign is no digit.
    if digits.starts_with(['+', '-']) { None } else { i64::from_str_radix(digits, 16).ok() }
}

/// Writes numbers from 0 to [`MOST`].
fn show_numbers(numbers: &[Option<i64>]) -> String {
    let mut text = String::new();
    let mut open = 0;
    for number in numbers {
        if let Some(number) = number {
            show_open(&mut text, open, 'g');
            open = 0;
            text += &show_number(*number);
        } else {
            open += 1;
        }
    }
    show_open(&mut text, open, 'g');
    text
}

/// Writes open places as letters: the first letter stands for one, `z` for the most.
fn show_open(text: &mut String, count: usize, first: char) {
    let most = 'z' as usize - first as usize + 1;
    for _ in 0..count / most {
        text.push('z');
    }
    if !count.is_multiple_of(most) {
        text.push(char::from(first as u8 - 1 + (count % most) as u8));
    }
}

fn show_number(number: i64) -> String {
    if number < 16 {
        return format!("{number:x}");
    }
    for (sign, length, more) in NUMBERS {
        if number >= more && number - more < 1 << (4 * length) {
            return format!("{sign}{:0length$x}", number - more);
        }
    }
    unreachable!("writers refuse numbers beyond {MOST}")
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    address(puzzle).map_err(|what| WriteError::new(FORMAT.name, what))
}

fn address(puzzle: &Puzzle) -> Result<String, String> {
    let Some(variety) = VARIETIES.iter().find(|variety| variety.kind == puzzle.kind) else {
        let known = VARIETIES.map(|variety| variety.kind.name()).join(", ");
        return Err(format!("{}, only {known}", puzzle.kind.phrase()));
    };
    let (GridSize { rows, cols, .. }, body) = (variety.write)(puzzle)?;
    Ok(format!("https://puzz.link/p?{}/{cols}/{rows}/{body}", variety.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_length_are_read_back() {
        let all = [0, 9, 15, 16, 255, 256, 4095, 4096, 4097, 8191, 8192, 12239, 12240, 77775, 77776, MOST];
        let mut numbers_in: Vec<Option<i64>> = all.map(Some).to_vec();
        numbers_in.splice(3..3, [None; 43]);
        let text = show_numbers(&numbers_in);
        let read = numbers(Word { text: &text, start: 0 }, numbers_in.len());
        assert_eq!(read.unwrap_or_else(|fault| panic!("{}", fault.what)), numbers_in, "{text}");
        assert_eq!(show_numbers(&[Some(10), None, None, Some(26)]), "ah-1a");
    }

    #[test]
    fn a_kakuro_has_no_clue_where_a_dash_or_a_zero_stands() {
        let parsed = |read: Result<(Puzzle, Span), Fault>| match read {
            Ok((puzzle, _)) => puzzle,
            Err(fault) => panic!("{}", fault.what),
        };
        // A black cell with a clue across only, one with a clue down only, and one without.
        let address = "https://puzz.link/p?kakuro/4/3/-3l5-p.k73a3";
        let puzzle = parsed(read(address));
        for other in ["kakuro/4/3/03l50p.k73a3", "kakuro/4/3/-3l5-p--k73a3"] {
            assert_eq!(parsed(read(other)).canonical_text(), puzzle.canonical_text(), "{other}");
        }
        assert_eq!(write(&puzzle).as_deref(), Ok(address));
        let small = parsed(read("kakuro/2/2/n34-4")).canonical_text();
        for none in ["0", "-1"] {
            let file = format!("pzprv3/kakuro/2/2/0 3 4 /{none} . . /4 . . /");
            assert_eq!(parsed((FILE.read)(&file)).canonical_text(), small, "{none}");
        }
    }

    #[test]
    fn kinds_are_found_in_addresses_and_alone() {
        for text in ["https://puzz.link/p?kakuro/3/3/x", "http://pzv.jp/p.html?kakuro/3/3/x", "kakuro/3/3/x"]
        {
            assert_eq!(kind_of(text), Some(("kakuro", "3/3/x")), "{text}");
        }
        assert_eq!(kind_of("https://puzz.link/p?nurikabe/3/3/x").map(|found| found.0), Some("nurikabe"));
        for text in ["kakuro", "nurikabe/3/3/", "https://f-puzzles.com/?load=N4/x", "1/2/3"] {
            assert_eq!(kind_of(text), None, "{text}");
        }
    }
}
