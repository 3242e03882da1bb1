//! Game IDs of Solo, of Simon Tatham's Portable Puzzle Collection: `2x2:1b3_4c2g`.
//!
//! The columns and rows of blocks, `x` where the diagonals count too, a symmetry and a difficulty, which do not change the
//! rules; then row by row the givens, `_` between two, and a letter for each run of open cells, `a` for 1 to `z` for 26.
//! Jigsaws (`j`) and Killers (`k`) are refused.

use super::super::square::diagonals;
use super::super::{Group, MAX_DIGITS, Puzzle, Role, Square, position};
use super::error::{Fault, Span};
use super::words::{Word, digits_at_start};
use super::{Format, Malformed};

pub(super) const FORMAT: Format =
    Format::new("solo", "Solo game IDs such as 2x2:1b3_4c2g, one per line", recognise, read).by_lines();

/// Two numbers with `x` between them, letters and digits, a colon, and a cell.
fn recognise(text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let Some((params, cells)) = line.split_once(':') else { return false };
    let Some((columns, rest)) = params.split_once('x') else { return false };
    let is_number = !columns.is_empty() && digits_at_start(columns) == columns.len();
    is_number
        && digits_at_start(rest) > 0
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && cells.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let whole = Word::of(record);
    let (params, cells) = whole.split_at(whole.text.find(':').unwrap_or(whole.text.len()));
    let (columns, rest) = params.split_at(digits_at_start(params.text));
    let (rows, mut letters) = rest.after(1).split_at(digits_at_start(&rest.text[1..]));
    // A block is as wide as there are rows of blocks.
    let shape = (columns.count()?, rows.count()?);
    let size = shape.0.saturating_mul(shape.1);
    if !(1..=MAX_DIGITS).contains(&size) {
        return Err(params.unexpected(format!("blocks of up to {MAX_DIGITS} cells")));
    }
    let mut square = Square::sudoku(size, shape);
    while let Some(letter) = letters.text.chars().next() {
        let length = match letter {
            'x' => {
                let groups = diagonals(size).map(|cells| Group::all_different(Role::Region, cells));
                square.groups.extend(groups);
                1
            }
            'j' | 'k' => return Err(letters.unexpected("a Sudoku: jigsaws and Killers of Solo are not read")),
            // A difficulty is `d` and a letter; the symmetries are `a`, `r2`, `r4`, `m2`, `m4`, `md2`, `md4`.
            'd' => 2.min(letters.text.len()),
            _ => 1,
        };
        letters = letters.after(length);
    }
    let mut cell = 0;
    let mut rest = cells.after(1);
    while let Some(c) = rest.text.chars().next() {
        let length = digits_at_start(rest.text).max(1);
        let (item, tail) = rest.split_at(if c.is_ascii() { length } else { 0 });
        match c {
            'a'..='z' => cell += c as usize - 'a' as usize + 1,
            '_' => {}
            '0'..='9' if cell < size * size => {
                let digit = item.text.parse().ok().filter(|digit| (1..=size).contains(&usize::from(*digit)));
                let digit = digit.ok_or_else(|| item.unexpected(format!("a digit from 1 to {size}")))?;
                let (row, column) = position(cell, size);
                square.givens.push((row, column, digit));
                cell += 1;
            }
            _ => return Err(rest.first().unexpected("a digit, a letter or `_`")),
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
    let puzzle = square
        .build()
        .map_err(|defect| Fault::new(Malformed::Defect(defect), whole.span(), "in this puzzle"))?;
    Ok((puzzle, 0..0))
}
