//! Game IDs of Solo, of Simon Tatham's Portable Puzzle Collection: `2x2:1b3_4c2g`.
//!
//! The columns and rows of blocks, `x` where the diagonals count too, a symmetry and a difficulty, which do not change the
//! rules; then row by row the givens, `_` between two, and a letter for each run of open cells, `a` for 1 to `z` for 26.
//! Jigsaws (`j`) and Killers (`k`) are refused.

use super::super::square::diagonals;
use super::super::{Group, MAX_DIGITS, Puzzle, Role, Square};
use super::Format;
use super::error::{Fault, Span};
use super::words::{Word, digits_at_start};

pub(super) const FORMAT: Format =
    Format::new("solo", "Solo game IDs such as 2x2:1b3_4c2g, one per line", recognise, read).by_lines();

/// Two numbers with `x` between them, letters and digits, a colon, and a cell.
fn recognise(text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let Some((params, cells)) = line.split_once(':') else { return false };
    let rest = &params[digits_at_start(params)..];
    params.len() > rest.len()
        && rest.strip_prefix('x').is_some_and(|rows| digits_at_start(rows) > 0)
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && cells.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let whole = Word::of(record);
    let colon = whole.text.find(':').ok_or_else(|| whole.unexpected("a game ID, with a colon"))?;
    let (params, cells) = whole.split_at(colon);
    let (columns, rest) = params.split_at(digits_at_start(params.text));
    if !rest.text.starts_with('x') {
        return Err(params.unexpected("the columns and rows of blocks, such as `3x3`: jigsaws are not read"));
    }
    let (rows, letters) = rest.after(1).split_at(digits_at_start(&rest.text[1..]));
    if letters.text.contains(['j', 'k']) {
        return Err(letters.unexpected("a Sudoku: jigsaws and Killers of Solo are not read"));
    }
    // A block is as wide as there are rows of blocks.
    let shape = (columns.count()?, rows.count()?);
    let size = shape.0.saturating_mul(shape.1);
    if !(1..=MAX_DIGITS).contains(&size) {
        return Err(params.unexpected(format!("blocks of up to {MAX_DIGITS} cells")));
    }
    let mut square = Square::sudoku(size, shape);
    if letters.text.contains('x') {
        square.groups.extend(diagonals(size).map(|cells| Group::all_different(Role::Region, cells)));
    }
    let (mut cell, mut rest) = (0, cells.after(1));
    while let Some(c) = rest.text.chars().next() {
        let (item, tail) = rest.split_at(digits_at_start(rest.text).max(c.len_utf8()));
        let digit = item.text.parse().ok().filter(|digit| (1..=size).contains(&usize::from(*digit)));
        match (c, digit) {
            ('a'..='z', _) => cell += c as usize - 'a' as usize + 1,
            ('_', _) => {}
            (_, Some(digit)) => {
                square.givens.push((cell / size, cell % size, digit));
                cell += 1;
            }
            _ => return Err(item.unexpected(format!("a digit from 1 to {size}, a letter or `_`"))),
        }
        rest = tail;
    }
    if cell != size * size {
        return Err(Fault::unexpected(
            format!("{} cells", size * size),
            format!("{cell} cells"),
            cells.span(),
        ));
    }
    let puzzle = square.build().map_err(|defect| Fault::new(defect, whole.span(), "in this puzzle"))?;
    Ok((puzzle, 0..0))
}
