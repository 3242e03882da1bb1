//! KenKen as numbers: the size and the number of cages, then for each cage the number of its cells, these as pairs of row
//! and column, an operator and a target: `2 0 0 0 1 + 3`. Pairs count from 1 unless one is 0.

use super::super::{MAX_DIGITS, operators};
use super::words::{Word, whole_span};
use super::{Format, cage_list, read_as};

pub(super) const FORMAT: Format = Format::new(
    "counted_cages",
    "the size, the number of cages, then `2 0 0 0 1 + 3` for each: cells, their rows and columns, clue",
    |text| cage_list(text).is_some(),
    |record| {
        let list =
            cage_list(record).ok_or_else(|| Word::of(record).unexpected("cages as `2 0 0 0 1 + 3`"))?;
        read_as(&cage_list::FORMAT, &list, whole_span(record))
    },
);

/// The same as a list of cages; `None` where the words are not as many as the text says, or something else.
fn cage_list(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let size: usize = words.next()?.parse().ok()?;
    let count: usize = words.next()?.parse().ok()?;
    if size > MAX_DIGITS || !(1..=size * size).contains(&count) {
        return None;
    }
    let mut list = format!("# {size}\n");
    for _ in 0..count {
        let cells: usize = words.next()?.parse().ok()?;
        let mut pairs = String::new();
        for _ in 0..cells {
            let (row, column): (usize, usize) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            pairs += &format!(" ({row},{column})");
        }
        let (operator, target) = (words.next()?, words.next()?);
        operators::find(operator)?;
        list += &format!("{operator} {target}{pairs}\n");
    }
    words.next().is_none().then_some(list)
}
