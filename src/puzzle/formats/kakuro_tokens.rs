//! Kakuro as rows of tokens with blanks between; a black cell says `down,across`.
//!
//! ```text
//! 3 3
//! - 3, 4,
//! ,3 0 0
//! ,4 0 0
//! ```
//!
//! `-` is a black cell without a clue, `0` a white one, a digit in a white cell is given. The first line, the numbers of
//! rows and columns, may be missing. The digits are 1 to 9.

use super::Format;
use super::crossing::{self, Signs};

pub(super) const FORMAT: Format = Format {
    name: SIGNS.name,
    about: "rows of cells with blanks between: `down,across` and `-` black, `0` white, a digit given",
    many: false,
    recognise,
    end: str::len,
    read: |record| crossing::read(record, &SIGNS),
    write: Some(|puzzle| {
        let rows = crossing::write(puzzle, &SIGNS)?;
        Ok(format!("{} {}\n{rows}", puzzle.rows(), puzzle.cols()))
    }),
};

const SIGNS: Signs = Signs {
    name: "kakuro_tokens",
    between: " ",
    divider: ',',
    black: &["-"],
    white: &["0"],
    split: |line| line.split(),
    expected: "a cell: `down,across`, `-` black, `0` white, or a digit",
};

/// Every word up to the first clue is a number or a `-`; one of these, or a white cell later, there is. Without a clue
/// there are only black cells, as many as the shape before them says.
fn recognise(text: &str) -> bool {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_clue = |word: &str| word.contains(',') && word.chars().all(|c| c.is_ascii_digit() || c == ',');
    let mut words = text.split_whitespace();
    let before = words.by_ref().take_while(|word| *word == "-" || is_number(word)).count();
    match text.split_whitespace().nth(before) {
        Some(word) => is_clue(word) && (before > 0 || words.any(|word| word == "0")),
        None => is_black(text),
    }
}

/// `rows cols`, then as many `-`.
fn is_black(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let mut side = || words.next().and_then(|word| word.parse::<usize>().ok());
    let area = side().zip(side()).and_then(|(rows, cols)| rows.checked_mul(cols));
    let cells: Vec<&str> = words.collect();
    !cells.is_empty() && area == Some(cells.len()) && cells.iter().all(|cell| *cell == "-")
}
