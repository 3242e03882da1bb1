//! Puzzles of puzz.link (pzprjs): addresses, one per line, and files that begin with `pzprv3`.
//!
//! ```text
//! https://puzz.link/p?factors/4/4/26g2c…          https://puzz.link/p?kakuro/3/3/…
//! ```
//!
//! After the kind stand the numbers of columns and rows, then the puzzle, packed as each kind has it. kenga knows
//! `factors`, a KenKen of products; `kakuro`; and `sudoku`. Numbers are written in base 16: one digit alone, two after
//! `-`, three after `+`; letters from `g` to `z` skip 1 to 20 places.

mod factors;
mod file;
mod kakuro;
mod sudoku;

use super::super::{Kind, Puzzle};
use super::error::{Fault, Span, WriteError};
use super::words::Word;
use super::{Format, line_end};

pub(super) const FORMAT: Format = Format {
    name: "puzz_link",
    about: "addresses https://puzz.link/p?factors/…, kakuro/… and sudoku/…, one per line",
    many: true,
    recognise: |text| kind_of(first_line(text)).is_some(),
    end: line_end,
    read,
    write: Some(write),
};

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

fn first_line(text: &str) -> &str {
    text.trim_start().lines().next().unwrap_or_default().trim()
}

/// The kind of an address, or of what follows `?` in one, and the text after it.
fn kind_of(line: &str) -> Option<(&str, &str)> {
    let after = match line.split_once('?') {
        Some((address, after)) => is_host(address).then_some(after)?,
        None => line,
    };
    let (kind, rest) = after.split_once('/')?;
    let known = line.len() > after.len() || VARIETIES.iter().any(|variety| variety.name == kind);
    let is_name = !kind.is_empty() && kind.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (known && is_name).then_some((kind, rest))
}

/// Says whether an address, up to its `?`, is one of pzprjs: of a known host, or of the page `p` or `p.html`.
fn is_host(address: &str) -> bool {
    let page = address.rsplit('/').next().unwrap_or_default();
    ["puzz.link", "pzv.jp", "pzprxs", "pzprv3"].iter().any(|host| address.contains(host))
        || address.contains("://") && matches!(page, "p" | "p.html" | "p3.html")
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let start = record.len() - record.trim_start().len();
    let line = Word { text: record.trim(), start };
    let Some((kind, rest)) = kind_of(line.text) else {
        return Err(line.unexpected("an address such as https://puzz.link/p?factors/…"));
    };
    let rest_start = line.text.len() - rest.len();
    let kind = line.split_at(rest_start - 1 - kind.len()).1.split_at(kind.len()).0;
    let variety = variety(&kind)?;
    let (size, body) = size(line.split_at(rest_start).1)?;
    Ok(((variety.read)(size, body)?, 0..0))
}

fn variety(kind: &Word<'_>) -> Result<&'static Variety, Fault> {
    VARIETIES.iter().find(|variety| variety.name == kind.text).ok_or_else(|| {
        let known = VARIETIES.iter().map(|variety| variety.name).collect::<Vec<_>>().join(", ");
        kind.unexpected(format!("a kind that kenga knows ({known})"))
    })
}

/// The size at the start of a text, perhaps after options, and what follows.
fn size<'a>(text: Word<'a>) -> Result<(GridSize, Word<'a>), Fault> {
    let mut rest = text;
    if !rest.starts_number()
        && let Some(slash) = rest.text.find('/')
    {
        rest = rest.split_at(slash + 1).1;
    }
    let start = rest;
    let mut sides = [0; 2];
    for side in &mut sides {
        let end = rest.text.find('/').unwrap_or(rest.text.len());
        let (number, tail) = rest.split_at(end);
        *side = number_of(&number)?;
        rest = tail.split_at(usize::from(!tail.text.is_empty())).1;
    }
    let span = start.start..rest.start;
    Ok((GridSize { rows: sides[1], cols: sides[0], span }, rest))
}

/// The number of rows or columns.
fn number_of(word: &Word<'_>) -> Result<usize, Fault> {
    let side = word.text.trim().parse().ok().filter(|side| (1..=255).contains(side));
    side.ok_or_else(|| word.unexpected("the numbers of columns and rows, as in `factors/4/4/…`"))
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
        let digits = |start: usize, length: usize| {
            let digits = rest.text.get(start..start + length)?;
            i64::from_str_radix(digits, 16).ok().filter(|_| digits.chars().all(|c| c.is_ascii_hexdigit()))
        };
        let form = NUMBERS.iter().find(|(sign, ..)| *sign == c);
        let length = match (c, form) {
            ('.', _) => {
                numbers.push(None);
                1
            }
            ('g'..='z', _) => {
                numbers.extend(std::iter::repeat_n(None, c as usize - 'g' as usize + 1));
                1
            }
            (_, Some((_, length, more))) => {
                let number = digits(1, *length).ok_or_else(|| {
                    rest.first().unexpected(format!("{length} digits of base 16 after this sign"))
                })?;
                numbers.push(Some(number + more));
                1 + length
            }
            _ => {
                let number = digits(0, 1).filter(|_| !c.is_ascii_uppercase());
                numbers.push(Some(
                    number.ok_or_else(|| rest.first().unexpected("a number in base 16, or `g` to `z`"))?,
                ));
                1
            }
        };
        rest = rest.split_at(length).1;
        if numbers.len() > count {
            return Err(Fault::unexpected(format!("{count} places"), "more of them", rest.span()));
        }
    }
    numbers.resize(count, None);
    Ok(numbers)
}

/// Writes numbers from 0 to [`MOST`].
fn show_numbers(numbers: &[Option<i64>]) -> String {
    let mut text = String::new();
    for run in numbers.chunk_by(|a, b| a.is_none() && b.is_none()) {
        match run[0] {
            Some(number) => text += &show_number(number),
            None => {
                let letter = |count: usize| char::from(b'g' - 1 + count as u8);
                text.extend(std::iter::repeat_n('z', run.len() / 20));
                text.extend((run.len() % 20 > 0).then(|| letter(run.len() % 20)));
            }
        }
    }
    text
}

fn show_number(number: i64) -> String {
    if number < 16 {
        return format!("{number:x}");
    }
    let fits = |(_, length, more): &&(char, usize, i64)| number >= *more && number - more < 1 << (4 * length);
    let (sign, length, more) = NUMBERS.iter().find(fits).expect("the writer refuses larger numbers");
    format!("{sign}{:0length$x}", number - more)
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let refused = |what| WriteError { format: FORMAT.name, what };
    let known = || VARIETIES.map(|variety| variety.kind.name()).join(", ");
    let variety = VARIETIES.iter().find(|variety| variety.kind == puzzle.kind);
    let variety = variety.ok_or_else(|| refused(format!("{}, only {}", puzzle.kind.phrase(), known())))?;
    let (GridSize { rows, cols, .. }, body) = (variety.write)(puzzle).map_err(refused)?;
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
