//! Game IDs of Keen, of Simon Tatham's Portable Puzzle Collection: `4dn:b_a4_a_6aa,m8s1a6s1m4a3d2`.
//!
//! Size 3 to 9, a difficulty that does not change the rules (`d` and one of `enhxu`, `m` for products only), then the
//! walls between cells, then the clues. The inner edges are walked first between horizontal neighbours row by row,
//! then between vertical neighbours column by column, and end with one wall more that is not there.

mod read;
mod write;

use super::Format;

pub(super) const FORMAT: Format = Format {
    name: "keen",
    about: "Keen game IDs such as 4:b_a4_a_6aa,m8s1a6s1m4a3d2, one a line",
    many: true,
    recognise: |text| params_end(text.trim_start()).is_some(),
    end: super::line_end,
    read: read::read,
    write: Some(write::write),
};

/// The sizes that Keen has.
const SIZES: std::ops::RangeInclusive<usize> = 3..=9;

/// The difficulties: easy, normal, hard, extreme, unreasonable.
const DIFFICULTIES: &str = "enhxu";

/// The letter of each operator's symbol; a one-cell cage is a given whatever its letter.
const LETTERS: [(char, &str); 4] = [('a', "+"), ('s', "-"), ('m', "*"), ('d', "/")];

/// Where the parameters end that a game ID starts with: digits, letters, then `:` (or `#` before a random seed).
fn params_end(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let letters = text[digits..].bytes().take_while(u8::is_ascii_lowercase).count();
    let end = digits + letters;
    (digits > 0 && text[end..].starts_with([':', '#'])).then_some(end)
}

/// The inner edges of a grid in Keen's order: the two cells on either side, row-major.
fn edges(size: usize) -> impl Iterator<Item = (usize, usize)> {
    let inner = move |line: usize| (0..size - 1).map(move |step| (line, step));
    let across =
        (0..size).flat_map(inner).map(move |(row, column)| (row * size + column, row * size + column + 1));
    let down =
        (0..size).flat_map(inner).map(move |(column, row)| (row * size + column, (row + 1) * size + column));
    across.chain(down)
}

/// The number of the cage of every cell, where `open` edges join cells; cages are numbered by first cell.
pub(super) fn cages(size: usize, open: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..size * size).collect();
    for (a, b) in open {
        let (a, b) = (root(&parent, a), root(&parent, b));
        parent[a.max(b)] = a.min(b);
    }
    let mut numbers = vec![0; size * size];
    let mut count = 0;
    for cell in 0..size * size {
        let first = root(&parent, cell);
        numbers[cell] = if first == cell { count } else { numbers[first] };
        count += usize::from(first == cell);
    }
    numbers
}

fn root(parent: &[usize], mut cell: usize) -> usize {
    while parent[cell] != cell {
        cell = parent[cell];
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_go_across_by_rows_then_down_by_columns() {
        let edges: Vec<_> = edges(3).collect();
        assert_eq!(edges[..4], [(0, 1), (1, 2), (3, 4), (4, 5)]);
        assert_eq!(edges[6..9], [(0, 3), (3, 6), (1, 4)]);
        assert_eq!(edges.len(), 12);
    }

    #[test]
    fn any_path_of_open_edges_makes_one_cage() {
        assert_eq!(cages(2, [(2, 3), (1, 3)].into_iter()), [0, 1, 1, 1]);
        assert_eq!(cages(2, [(0, 2), (1, 3)].into_iter()), [0, 1, 0, 1]);
    }
}
