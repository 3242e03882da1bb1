//! Game IDs of Unequal, of Simon Tatham's Portable Puzzle Collection: `3:0R,0,0,0,2U,0,0,0,0U,`.
//!
//! The size, a difficulty that does not change the rules (`d` and one of `etsxr`), then cell by cell its digit, 0 where it
//! is open, and a letter for each neighbour that is less: `U` above, `R` to the right, `D` below, `L` to the left. IDs in
//! the mode Adjacent, `a` before the colon, have other rules and are refused.

use super::super::{Defect, Futoshiki, MAX_DIGITS, Position, Puzzle, position};
use super::Format;
use super::error::{Fault, Span, WriteError};
use super::futoshiki::Contents;
use super::words::{Word, digits_at_start};

pub(super) const FORMAT: Format =
    Format::new("unequal", "Unequal game IDs such as 3:0R,0,0,0,2U,0,0,0,0U, one per line", recognise, read)
        .by_lines()
        .written_by(write);

/// The letter of each direction, with its step down and to the right.
const LETTERS: [(char, (isize, isize)); 4] = [('U', (-1, 0)), ('R', (0, 1)), ('D', (1, 0)), ('L', (0, -1))];

/// A size, letters, a colon, and a digit: Keen's have a letter or `_` there.
fn recognise(text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let Some((params, cells)) = line.split_once(':') else { return false };
    let digits = digits_at_start(params);
    digits > 0
        && params[digits..].bytes().all(|byte| byte.is_ascii_lowercase())
        && cells.starts_with(|c: char| c.is_ascii_digit())
        && cells.contains(',')
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let whole = Word::of(record);
    let colon = whole.text.find(':').ok_or_else(|| whole.unexpected("a game ID, with a colon"))?;
    let (params, rest) = whole.split_at(colon);
    let (number, letters) = params.split_at(digits_at_start(params.text));
    let size = number.count()?;
    if !(1..=MAX_DIGITS).contains(&size) {
        return Err(Fault::new(Defect::Size(size), number.span(), "expected a size from 1 to 32"));
    }
    if letters.text.starts_with('a') {
        return Err(letters.unexpected("the mode Unequal: Adjacent has other rules"));
    }
    let cells = rest.split_at_marks(&[':', ',']);
    if cells.len() != size * size {
        let found = format!("{} cells", cells.len());
        return Err(Fault::unexpected(format!("{} cells", size * size), found, rest.span()));
    }
    let mut futoshiki = Futoshiki::new(size, Vec::new());
    for (index, cell) in cells.into_iter().enumerate() {
        read_cell(cell, position(index, size), &mut futoshiki)?;
    }
    let puzzle = futoshiki.build().map_err(|defect| Fault::new(defect, rest.span(), "in this puzzle"))?;
    Ok((puzzle, 0..0))
}

/// Adds the given and the signs of a cell.
fn read_cell(text: Word<'_>, cell: Position, futoshiki: &mut Futoshiki) -> Result<(), Fault> {
    let size = futoshiki.size;
    let (number, letters) = text.split_at(digits_at_start(text.text));
    match number.text.parse::<u8>() {
        Ok(0) => {}
        Ok(digit) if usize::from(digit) <= size => futoshiki.givens.push((cell.0, cell.1, digit)),
        _ => return Err(text.unexpected(format!("a digit from 0 to {size}"))),
    }
    for letter in letters.characters() {
        let Some((_, step)) = LETTERS.iter().find(|(known, _)| letter.text.starts_with(*known)) else {
            return Err(letter.unexpected("`U`, `R`, `D` or `L`"));
        };
        let other = neighbour(cell, *step, size);
        futoshiki.less.push([other.ok_or_else(|| letter.unexpected("a neighbour in the grid"))?, cell]);
    }
    Ok(())
}

fn neighbour(cell: Position, step: (isize, isize), size: usize) -> Option<Position> {
    let (row, column) = (cell.0.checked_add_signed(step.0)?, cell.1.checked_add_signed(step.1)?);
    (row < size && column < size).then_some((row, column))
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let Contents { givens, pairs } =
        Contents::of(puzzle).map_err(|what| WriteError::new(FORMAT.name, what))?;
    let size = puzzle.rows();
    let mut text = format!("{size}:");
    for (index, given) in givens.iter().enumerate() {
        text += &given.unwrap_or(0).to_string();
        for (letter, step) in LETTERS {
            if let Some((row, column)) = neighbour(position(index, size), step, size)
                && pairs.contains(&[row * size + column, index])
            {
                text.push(letter);
            }
        }
        text.push(',');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::formats::Malformed;

    #[test]
    fn letters_name_the_neighbours_that_are_less() {
        let text = "3:0RD,0,0,0,2U,0,0,0,0LU,";
        let (puzzle, _) = read(text).unwrap_or_else(|fault| panic!("{}", fault.what));
        let Contents { givens, pairs } = Contents::of(&puzzle).expect("nothing but signs");
        assert_eq!(givens[4], Some(2));
        assert_eq!(pairs, [[1, 0], [3, 0], [1, 4], [5, 8], [7, 8]]);
        assert_eq!(write(&puzzle).as_deref(), Ok("3:0RD,0,0,0,2U,0,0,0,0UL,"));
    }

    #[test]
    fn the_example_that_users_see_is_sound() {
        let id =
            FORMAT.about.split(' ').find(|word| word.contains(':')).expect("an ID").trim_end_matches(',');
        let (puzzle, _) = read(id).unwrap_or_else(|fault| panic!("{}", fault.what));
        assert_eq!(write(&puzzle), Ok(format!("{id},")));
    }

    #[test]
    fn what_is_wrong_is_shown_in_place() {
        let said = |text: &str| read(text).err().map(|fault| fault.what.to_string()).expect("a fault");
        assert_eq!(said("2a:0,0,0,0,"), "expected the mode Unequal: Adjacent has other rules, found `a`");
        assert_eq!(said("2:0,0,0,"), "expected 4 cells, found 3 cells");
        assert_eq!(said("2:0,3,0,0"), "expected a digit from 0 to 2, found `3`");
        assert_eq!(said("2:0,0X,0,0"), "expected `U`, `R`, `D` or `L`, found `X`");
        assert_eq!(said("2:0U,0,0,0"), "expected a neighbour in the grid, found `U`");
        assert!(matches!(
            read("33:0,0").err().map(|fault| fault.what),
            Some(Malformed::Defect(Defect::Size(33)))
        ));
    }

    #[test]
    fn keen_ids_are_not_recognised() {
        assert!(recognise("2:0,0,0,0,\n") && recognise("4dk:0D,0"));
        for text in ["4:b_a4_a_6aa,m8s1", "4dn:_", "5#12,3", "0,0", "a:0,0"] {
            assert!(!recognise(text), "{text}");
        }
    }
}
