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
        if size < 10 {
            return Self::FromOne;
        }
        let (mut has_dot, mut has_zero, mut has_digit) = (false, false, false);
        for cell in cells {
            match cell.text {
                "." | "_" => has_dot = true,
                "0" => has_zero = true,
                text if text.len() > 1 => return Self::FromOne,
                _ => has_digit |= cell.is_digits(),
            }
        }
        if has_dot && has_zero {
            Self::FromZero
        } else if !has_digit {
            Self::Letters
        } else {
            Self::FromOne
        }
    }

    /// The number in a cell that is not open; `None` where it is no number.
    fn number(self, cell: &str) -> Option<u8> {
        // A is 10, B is 11, and so on.
        let letter = if cell.len() == 1 { u8::from_str_radix(cell, 35).ok() } else { None };
        match self {
            Self::Letters => letter?.checked_sub(9),
            _ => cell.parse().ok().or(letter),
        }
    }

    fn is_open(self, cell: &str) -> bool {
        is_open(cell) && (cell != "0" || self != Self::FromZero)
    }
}

/// Says whether a cell is open, whatever the symbols.
pub(super) fn is_open(cell: &str) -> bool {
    matches!(cell, "." | "_" | "0" | "-")
}

/// A square with the givens of its cells, row-major.
pub(in super::super) fn with_givens(mut square: Square, cells: &[Word<'_>]) -> Result<Square, Fault> {
    let size = square.size;
    let symbols = Symbols::of(cells, size);
    let mut digits = 1..=size;
    if symbols == Symbols::FromZero {
        square.digits = Some((0..size as u8).collect());
        digits = 0..=size - 1;
    }
    for (index, cell) in cells.iter().enumerate() {
        if symbols.is_open(cell.text) {
            continue;
        }
        let (row, column) = (index / size, index % size);
        match symbols.number(cell.text) {
            Some(digit) if digits.contains(&usize::from(digit)) => square.givens.push((row, column, digit)),
            _ => {
                let letters = if size > 9 { " (or its letter)" } else { "" };
                let (first, last, place) = (digits.start(), digits.end(), cell_name(row, column));
                let expected = format!("a digit from {first} to {last}{letters}, or `.`, in {place}");
                return Err(cell.unexpected(expected));
            }
        }
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
        let numbers = |symbols: Symbols, cells: [&str; 4]| {
            cells.map(|cell| if symbols.is_open(cell) { None } else { Some(symbols.number(cell)) })
        };
        assert_eq!(
            numbers(Symbols::FromOne, ["9", "A", "g", "."]),
            [Some(Some(9)), Some(Some(10)), Some(Some(16)), None]
        );
        assert_eq!(
            numbers(Symbols::FromZero, ["0", "F", "_", "12"]),
            [Some(Some(0)), Some(Some(15)), None, Some(Some(12))]
        );
        assert_eq!(
            numbers(Symbols::Letters, ["A", "p", "0", "Y"]),
            [Some(Some(1)), Some(Some(16)), None, Some(Some(25))]
        );
    }
}
