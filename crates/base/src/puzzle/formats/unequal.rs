//! Game IDs of Unequal, of Simon Tatham's Portable Puzzle Collection: `3:0R,0,0,0,2U,0,0,0,0U,`.
//!
//! The size, a difficulty that does not change the rules (`d` and one of `etsxr`), then cell by cell its digit, 0 where it
//! is open, and a letter for each neighbour that is less: `U` above, `R` to the right, `D` below, `L` to the left. IDs in
//! the mode Adjacent, `a` before the colon, have other rules and are refused.

use super::super::{Defect, Futoshiki, LessPair, MAX_DIGITS, Puzzle};
use super::Format;
use super::error::{Fault, Span, WriteError};
use super::futoshiki::contents;
use super::words::Word;

pub(super) const FORMAT: Format = Format {
    name: "unequal",
    about: "Unequal game IDs such as 3:0R,0,0,0,2U,0,0,0,0U, one per line",
    many: true,
    recognise,
    end: super::line_end,
    read,
    write: Some(write),
};

/// The letter of each direction, with its step down and to the right.
const LETTERS: [(char, (isize, isize)); 4] = [('U', (-1, 0)), ('R', (0, 1)), ('D', (1, 0)), ('L', (0, -1))];

/// A size, letters, a colon, and a digit: Keen's have a letter or `_` there.
pub(super) fn recognise(text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let Some((params, cells)) = line.split_once(':') else { return false };
    let letters = params.trim_start_matches(|c: char| c.is_ascii_digit());
    letters.len() < params.len()
        && letters.bytes().all(|byte| byte.is_ascii_lowercase())
        && cells.starts_with(|c: char| c.is_ascii_digit())
        && cells.contains(',')
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let start = record.len() - record.trim_start().len();
    let whole = Word { text: record.trim(), start };
    let colon = whole.text.find(':').ok_or_else(|| whole.unexpected("a game ID, with a colon"))?;
    let (params, rest) = whole.split_at(colon);
    let digits = params.text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, letters) = params.split_at(digits);
    let size = usize::try_from(number.whole()?).unwrap_or(usize::MAX);
    if !(1..=MAX_DIGITS).contains(&size) {
        return Err(Fault::new(Defect::Size(size), number.span(), "expected a size from 1 to 32"));
    }
    if letters.text.starts_with('a') {
        return Err(letters.unexpected("the mode Unequal: Adjacent has other rules"));
    }
    let cells = rest.split_by(|c| c == ':' || c == ',');
    if cells.len() != size * size {
        let found = format!("{} cells", cells.len());
        return Err(Fault::unexpected(format!("{} cells", size * size), found, rest.span()));
    }
    let mut futoshiki = Futoshiki::new(size, Vec::new());
    for (index, cell) in cells.into_iter().enumerate() {
        read_cell(cell, (index / size, index % size), &mut futoshiki)?;
    }
    let puzzle = futoshiki.build().map_err(|defect| Fault::new(defect, rest.span(), "in this puzzle"))?;
    Ok((puzzle, 0..0))
}

/// Adds the given and the signs of a cell.
fn read_cell(text: Word<'_>, cell: (usize, usize), futoshiki: &mut Futoshiki) -> Result<(), Fault> {
    let size = futoshiki.size;
    let digits = text.text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, letters) = text.split_at(digits);
    let digit = number.text.parse::<usize>().ok().filter(|digit| *digit <= size);
    let digit = digit.ok_or_else(|| text.unexpected(format!("a digit from 0 to {size}")))?;
    if digit > 0 {
        futoshiki.givens.push((cell.0, cell.1, digit as u8));
    }
    for letter in letters.characters() {
        let step = LETTERS.iter().find(|(known, _)| letter.text.starts_with(*known)).map(|(_, step)| *step);
        let step = step.ok_or_else(|| letter.unexpected("`U`, `R`, `D` or `L`"))?;
        let other =
            neighbour(cell, step, size).ok_or_else(|| letter.unexpected("a neighbour in the grid"))?;
        futoshiki.less.push([other, cell]);
    }
    Ok(())
}

fn neighbour(cell: (usize, usize), step: (isize, isize), size: usize) -> Option<(usize, usize)> {
    let (row, column) = (cell.0.checked_add_signed(step.0)?, cell.1.checked_add_signed(step.1)?);
    (row < size && column < size).then_some((row, column))
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let (givens, pairs) = contents(puzzle).map_err(|what| WriteError { format: FORMAT.name, what })?;
    let size = puzzle.rows();
    let place = |cell: usize| (cell / size, cell % size);
    let pairs: Vec<LessPair> = pairs.into_iter().map(|pair| pair.map(place)).collect();
    let cell = |index: usize| {
        let is_greater = |(_, step): &&(char, (isize, isize))| {
            let other = neighbour(place(index), *step, size);
            other.is_some_and(|other| pairs.contains(&[other, place(index)]))
        };
        let letters: String = LETTERS.iter().filter(is_greater).map(|(letter, _)| letter).collect();
        format!("{}{letters},", givens[index].unwrap_or(0))
    };
    Ok(format!("{size}:") + &(0..size * size).map(cell).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::formats::Malformed;

    #[test]
    fn letters_name_the_neighbours_that_are_less() {
        let text = "3:0RD,0,0,0,2U,0,0,0,0LU,";
        let (puzzle, _) = read(text).unwrap_or_else(|fault| panic!("{}", fault.what));
        let (givens, pairs) = contents(&puzzle).expect("nothing but signs");
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
