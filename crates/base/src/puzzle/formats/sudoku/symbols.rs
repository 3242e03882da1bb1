//! The symbols of digits: numbers, or single characters, with letters for those from 10.
//!
//! Programs differ in the characters of large puzzles: 1 to 9, then A for 10; A for 1; or 0 to 9, then A for 10, of the
//! digits from 0. The open cells tell the last: where a dot is one, 0 is a digit.

use super::super::super::{Square, cell_name};
use super::super::error::Fault;
use super::super::words::Word;

/// What the characters of a puzzle mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbols {
    /// Numbers from 1, letters from 10 on; 0 is open.
    FromOne,
    /// Digits from 0, letters from 10 on.
    FromZero,
    /// Letters from 1; 0 is open.
    Letters,
}

impl Symbols {
    /// What the cells of a puzzle of this size show.
    fn of(cells: &[Word<'_>], size: usize) -> Self {
        if size < 10 || cells.iter().any(|cell| cell.text.len() > 1) {
            return Self::FromOne;
        }
        let any = |known: &str| cells.iter().any(|cell| known.contains(cell.text));
        match (any("._"), any("0"), any("123456789")) {
            (true, true, _) => Self::FromZero,
            (_, _, false) => Self::Letters,
            _ => Self::FromOne,
        }
    }

    /// The digits, where they are not those from 1.
    fn digits(self, size: usize) -> Option<Vec<u8>> {
        (self == Self::FromZero).then(|| (0..size as u8).collect())
    }

    /// The number in a cell; `None` where it is open.
    fn number(self, cell: &str) -> Option<Result<u8, ()>> {
        let is_open = matches!(cell, "." | "_" | "-") || cell == "0" && self != Self::FromZero;
        let letter =
            || Some(cell).filter(|cell| cell.len() == 1).and_then(|cell| u8::from_str_radix(cell, 35).ok());
        let number = match self {
            Self::Letters => letter().and_then(|number| number.checked_sub(9)),
            _ => cell.parse().ok().or_else(letter),
        };
        (!is_open).then(|| number.ok_or(()))
    }
}

/// Says whether a cell is open, whatever the symbols.
pub(super) fn is_open(cell: &str) -> bool {
    matches!(cell, "." | "_" | "0" | "-")
}

/// A Sudoku with the givens of its cells, row-major.
pub(super) fn with_givens(mut square: Square, cells: &[Word<'_>]) -> Result<Square, Fault> {
    let size = square.size;
    let symbols = Symbols::of(cells, size);
    square.digits = symbols.digits(size);
    let digits = if symbols == Symbols::FromZero { 0..=size - 1 } else { 1..=size };
    for (index, cell) in cells.iter().enumerate() {
        let Some(number) = symbols.number(cell.text) else { continue };
        let (row, column) = (index / size, index % size);
        let digit = number.ok().filter(|digit| digits.contains(&usize::from(*digit)));
        let digit = digit.ok_or_else(|| {
            let letters = if size > 9 { " (or its letter)" } else { "" };
            let place = cell_name(row, column);
            let range = format!("a digit from {} to {}", digits.start(), digits.end());
            cell.unexpected(format!("{range}{letters}, or `.`, in {place}"))
        })?;
        square.givens.push((row, column, digit));
    }
    Ok(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_characters_of_all_cells_tell_what_each_means() {
        let of = |text: &str, size| Symbols::of(&Word { text, start: 0 }.characters(), size);
        assert_eq!(of("1..0", 9), Symbols::FromOne);
        assert_eq!(of("1..G", 16), Symbols::FromOne);
        assert_eq!(of("1A0G", 16), Symbols::FromOne);
        assert_eq!(of("1..0F", 16), Symbols::FromZero);
        assert_eq!(of("A..P", 16), Symbols::Letters);
        assert_eq!(of("A00P", 16), Symbols::Letters);
        let numbers = |symbols: Symbols, cells: [&str; 4]| cells.map(|cell| symbols.number(cell));
        assert_eq!(
            numbers(Symbols::FromOne, ["9", "A", "g", "."]),
            [Some(Ok(9)), Some(Ok(10)), Some(Ok(16)), None]
        );
        assert_eq!(
            numbers(Symbols::FromZero, ["0", "F", "_", "12"]),
            [Some(Ok(0)), Some(Ok(15)), None, Some(Ok(12))]
        );
        assert_eq!(
            numbers(Symbols::Letters, ["A", "p", "0", "Y"]),
            [Some(Ok(1)), Some(Ok(16)), None, Some(Ok(25))]
        );
    }
}
