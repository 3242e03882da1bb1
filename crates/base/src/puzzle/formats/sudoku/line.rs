//! The lines of a text with Sudoku: comments, rules, rows of grids, whole puzzles.

use super::super::words::{Word, lines};

/// The sizes whose cells are one character each, in rows without spaces and on one line.
const LARGE: [usize; 6] = [10, 12, 15, 16, 20, 25];

/// The sizes of the same with digits alone.
const SMALL: [usize; 4] = [4, 6, 8, 9];

/// The kinds of lines.
pub(super) enum SudokuLine<'a> {
    Blank,
    Comment,
    /// `[Puzzle]`: a puzzle begins.
    Puzzle,
    /// Another line in brackets: what follows up to `[Puzzle]` is no puzzle.
    Section,
    /// Edges of boxes.
    Rule,
    /// A whole puzzle, perhaps of a wrong length.
    Whole,
    /// Puzzles of 81 cells, perhaps with their solutions, among other words.
    Embedded(Vec<Word<'a>>),
    Row(GridRow<'a>),
    /// Characters that no Sudoku has.
    Other,
}

/// A row of a grid.
pub(super) struct GridRow<'a> {
    pub(super) cells: Vec<Word<'a>>,
    /// The number of cells before each `|` between two cells.
    pub(super) bars: Vec<usize>,
}

/// What the lines of a puzzle together say of each.
#[derive(Clone, Copy, Default)]
pub(super) struct Context {
    /// Lines of 16 characters are rows of 16 cells, not whole puzzles.
    sixteen: bool,
    /// The first line is the size, twice, and `-` is an open cell.
    header: Option<usize>,
}

impl Context {
    /// What the beginning of a text says.
    pub(super) fn of(text: &str) -> Self {
        let mut lines = lines(text).filter(|line| !line.text.trim().starts_with('#'));
        let Some(mut line) = lines.next() else { return Self::default() };
        if let Some(size) = size_twice(&line) {
            let first = lines.next().map_or(0, |line| line.split().len());
            return Self { header: (size == first && size > 3).then_some(size), sixteen: false };
        }
        // Whole puzzles of 4 x 4 have no digit above 4 and no letters.
        let mut has_large = false;
        for row in 1..=16 {
            let text = line.text.trim();
            if text.len() != 16 || text.contains(' ') {
                break;
            }
            has_large |= text.contains(|c: char| c.is_ascii_alphanumeric() && !('0'..='4').contains(&c));
            if row == 16 {
                return Self { sixteen: has_large, header: None };
            }
            match lines.next() {
                Some(next) => line = next,
                None => break,
            }
        }
        Self::default()
    }

    /// The size, where the first line tells it.
    pub(super) fn header(self) -> Option<usize> {
        self.header
    }
}

/// The size in `9 9`.
fn size_twice(line: &Word<'_>) -> Option<usize> {
    match line.split()[..] {
        [a, b] if a.text == b.text => a.text.parse().ok(),
        _ => None,
    }
}

/// Says whether a text has no characters but these and white space.
fn has_only(text: &str, known: &str) -> bool {
    text.chars().all(|c| known.contains(c) || c.is_whitespace())
}

impl<'a> SudokuLine<'a> {
    pub(super) fn of(line: &Word<'a>, context: Context) -> Self {
        let text = line.text.trim();
        let embedded = embedded(line);
        match text {
            "" => Self::Blank,
            _ if text.starts_with('#') => Self::Comment,
            _ if !embedded.is_empty() => Self::Embedded(embedded),
            _ if text.starts_with('<') && text.ends_with('>') || is_table_head(text) => Self::Comment,
            _ if context.header.is_some() && size_twice(line) == context.header => Self::Comment,
            _ if text.eq_ignore_ascii_case("[puzzle]") => Self::Puzzle,
            _ if text.starts_with('[') && text.ends_with(']') => Self::Section,
            _ if is_rule(text) => Self::Rule,
            _ if context.header.is_some() && has_only(text, "0123456789._-") => Self::Row(GridRow::of(line)),
            _ if !has_only(text, "0123456789._|") => Self::with_letters(line, context),
            _ if text.contains('|') || text.split_whitespace().count() > 1 => Self::Row(GridRow::of(line)),
            _ => Self::of_word(line, context),
        }
    }

    /// A line of one word, without bars.
    fn of_word(line: &Word<'a>, context: Context) -> Self {
        match line.text.trim().chars().count() {
            16 if !context.sixteen => Self::Whole,
            count if count < 10 || LARGE.contains(&count) => Self::Row(GridRow::of(line)),
            _ => Self::Whole,
        }
    }

    /// A line of a grid with letters for the digits from 10: unspaced, or its cells separated by spaces.
    fn with_letters(line: &Word<'a>, context: Context) -> Self {
        let text = line.text.trim();
        for c in text.chars() {
            let is_known = matches!(c, '0'..='9' | 'A'..='Y' | 'a'..='y' | '.' | '_' | '|');
            if !is_known && !c.is_whitespace() {
                return Self::Other;
            }
        }
        let words = line.split_with(&['|']);
        let (mut count, mut is_spaced) = (0, LARGE.contains(&words.len()));
        for word in &words {
            count += word.text.len();
            is_spaced &= word.text.len() == 1 || word.text.len() == 2 && word.is_digits();
        }
        // Sixteen characters are a whole small puzzle or a row of a large one: the lines around them tell.
        let is_row = match words.len() {
            1 if whole_size(count).is_some_and(|size| size > 9) => return Self::Whole,
            1 if count != 16 || context.sixteen => is_spaced || LARGE.contains(&count),
            _ => is_spaced || text.contains('|') && LARGE.contains(&count),
        };
        if is_row { Self::Row(GridRow::of(line)) } else { Self::Other }
    }
}

/// The runs of 81 cells beside other words of a line: in a table, a link, a tag; or alone, with `-` for open cells.
fn embedded<'a>(line: &Word<'a>) -> Vec<Word<'a>> {
    let mut runs = Vec::new();
    // A line of nothing else is a whole puzzle.
    if line.text.len() < EMBEDDED || line.text.trim().len() == EMBEDDED && !line.text.contains('-') {
        return runs;
    }
    for text in line.text.split(|c: char| !c.is_alphanumeric() && !".-_".contains(c)) {
        if text.len() == EMBEDDED && has_only(text, "0123456789._-") {
            runs.push(line.part(text));
        }
    }
    runs
}

/// The cells of a puzzle among other words.
const EMBEDDED: usize = 81;

/// Says whether a line names the columns of a table with puzzles.
fn is_table_head(text: &str) -> bool {
    let names = ["puzzle", "puzzles", "quiz", "quizzes", "sudoku", "board", "grid"];
    let mut columns = text.split([',', ';', '\t']);
    let is_table = text.contains([',', ';', '\t']) && !text.starts_with(['{', '[']);
    is_table
        && columns.any(|column| {
            let column = column.trim_matches(['"', ' ']);
            names.iter().any(|name| name.eq_ignore_ascii_case(column))
        })
}

/// Says whether a line shows edges of boxes.
fn is_rule(text: &str) -> bool {
    let has_edge = text.contains('+') || text.contains("--") || text.contains("==");
    has_edge && has_only(text, "+-=|*:")
}

impl<'a> GridRow<'a> {
    /// The cells of a line of any characters.
    pub(super) fn of(line: &Word<'a>) -> Self {
        // A cell of three characters, or of two that are no number, is a row without spaces.
        let mut is_dense = line.text.split_whitespace().nth(1).is_none();
        for word in line.split_with(&['|']) {
            is_dense |= word.text.len() > 2 || word.text.len() > 1 && !word.is_digits();
        }
        let mut row = Self { cells: Vec::new(), bars: Vec::new() };
        for part in line.text.split('|') {
            let words = line.part(part).split();
            // What stands before the first bar is the frame.
            if !words.is_empty() && !row.cells.is_empty() {
                row.bars.push(row.cells.len());
            }
            for word in words {
                if is_dense {
                    row.cells.extend(word.characters());
                } else {
                    row.cells.push(word);
                }
            }
        }
        row
    }
}

/// The size of a puzzle of so many cells on one line.
pub(super) fn whole_size(cells: usize) -> Option<usize> {
    let size = cells.isqrt();
    (size * size == cells && (SMALL.contains(&size) || LARGE.contains(&size))).then_some(size)
}

/// Says whether puzzles of this size, with the usual boxes, are written on one line.
pub(super) fn is_written_whole(size: usize) -> bool {
    SMALL.contains(&size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Option<(String, Vec<usize>)> {
        match SudokuLine::of(&Word { text, start: 0 }, Context::default()) {
            SudokuLine::Row(row) => {
                let cells = row.cells.iter().map(|cell| cell.text.to_owned()).collect::<Vec<_>>();
                Some((cells.join(" "), row.bars))
            }
            _ => None,
        }
    }

    #[test]
    fn rows_are_read_with_blanks_and_without() {
        let is = |text: &str, cells: &str, bars: &[usize]| {
            assert_eq!(row(text), Some((cells.to_owned(), bars.to_vec())), "{text}");
        };
        is("12|34", "1 2 3 4", &[2]);
        is("| 12  3 | .  4 |", "12 3 . 4", &[2]);
        is("53. .7. ...", "5 3 . . 7 . . . .", &[]);
        is("1|2|3", "1 2 3", &[1, 2]);
        is("1A..B2C9..", "1 A . . B 2 C 9 . .", &[]);
        is("1 A . . B 2 C 10 . .", "1 A . . B 2 C 10 . .", &[]);
    }

    #[test]
    fn other_lines_are_no_rows() {
        for text in ["Simple Sudoku", "AAB", "A: 8+", "1AB", "12+", "x,x"] {
            assert!(
                matches!(SudokuLine::of(&Word { text, start: 0 }, Context::default()), SudokuLine::Other),
                "{text}"
            );
        }
        assert!(matches!(
            SudokuLine::of(&Word { text: "*--+--*", start: 0 }, Context::default()),
            SudokuLine::Rule
        ));
    }

    #[test]
    fn sixteen_characters_are_a_row_of_a_grid_or_a_puzzle() {
        assert!(Context::of(&"1......G.......2\n".repeat(16)).sixteen);
        assert!(!Context::of(&"1......4.......2\n".repeat(16)).sixteen);
        assert!(!Context::of(&"1......G.......2\n".repeat(15)).sixteen);
    }
}
