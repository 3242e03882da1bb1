//! Game IDs of Keen, of Simon Tatham's Portable Puzzle Collection: `4dn:b_a4_a_6aa,m8s1a6s1m4a3d2`.
//!
//! Size 3 to 9, a difficulty that does not change the rules (`d` and one of `enhxu`, `m` for products only), then the
//! walls between cells, then the clues. The inner edges are first those between horizontal neighbours by rows, then
//! those between vertical neighbours by columns; one further wall ends the list.

use serde_json::{Map, Value};

use super::super::operators::{self, Operator};
use super::super::{Cage, Clue, Group, Puzzle, Square, positions};
use super::Format;
use super::cages::{CagePlaces, PlacedCage, Places, build, cage_cells, cage_numbers};
use super::contents::plain_cages;
use super::error::{Fault, Malformed, Span, WriteError};
use super::words::{Word, digits_at_start, truncated};

pub(super) const FORMAT: Format = Format::new(
    "keen",
    "Keen game IDs such as 4:b_a4_a_6aa,m8s1a6s1m4a3d2, one per line",
    |text| params_end(text.trim_start()).is_some(),
    read,
)
.by_lines()
.written_by(write);

/// The sizes that Keen has.
const SIZES: std::ops::RangeInclusive<usize> = 3..=9;

/// The difficulties: easy, normal, hard, extreme, unreasonable.
const DIFFICULTIES: &str = "enhxu";

/// The letter of each operator's symbol; a one-cell cage is a given whatever its letter.
const LETTERS: [(char, &str); 4] = [('a', "+"), ('s', "-"), ('m', "*"), ('d', "/")];

/// The length of the parameters at the start of a game ID: digits, letters, then `:` (or `#` before a random seed).
fn params_end(text: &str) -> Option<usize> {
    let digits = digits_at_start(text);
    let after = text[digits..].trim_start_matches(|c: char| c.is_ascii_lowercase());
    (digits > 0 && after.starts_with([':', '#'])).then_some(text.len() - after.len())
}

/// The inner edges of a grid in Keen's order: the two cells on either side, row-major.
fn edges(size: usize) -> Vec<(usize, usize)> {
    let mut edges = Vec::with_capacity(2 * size * (size - 1));
    for row in 0..size {
        for column in 0..size - 1 {
            edges.push((row * size + column, row * size + column + 1));
        }
    }
    for column in 0..size {
        for row in 0..size - 1 {
            edges.push((row * size + column, (row + 1) * size + column));
        }
    }
    edges
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let id = Word::of(record);
    let Some(end) = params_end(id.text) else {
        return Err(id.unexpected("a Keen game ID, such as `4:…,…`"));
    };
    let (params, rest) = id.split_at(end);
    // A seed names the puzzle to Keen's own generator alone.
    if rest.text.starts_with('#') {
        let help = "open it in Keen and copy the specific game ID, which has a `:`";
        let found = format!("the random seed `{}`", rest.text);
        return Err(Fault::unexpected("`:` and the puzzle itself", found, rest.span()).help(help));
    }
    let (size, meta) = parameters(params)?;
    let rest = rest.after(1);
    let (walls, rest) = rest.split_at(rest.text.find(',').unwrap_or(rest.text.len()));
    let open = open_edges(walls, size)?;
    if rest.text.is_empty() {
        return Err(truncated(record, "a game ID", "`,` and the clues should follow here"));
    }
    let mut puzzle = clued(rest.after(1), size, &open, id.span())?;
    puzzle.meta = meta;
    Ok((puzzle, 0..0))
}

/// The size, and the difficulty as `meta`.
fn parameters(params: Word<'_>) -> Result<(usize, Map<String, Value>), Fault> {
    let (digits, letters) = params.split_at(params.number_end());
    let size = match digits.text.parse() {
        Ok(size) if SIZES.contains(&size) => size,
        _ => return Err(digits.unexpected("a size from 3 to 9")),
    };
    let mut meta = Map::new();
    let mut rest = letters.text;
    if let Some(level) = rest.strip_prefix('d') {
        match level.chars().next() {
            Some(letter) if DIFFICULTIES.contains(letter) => {
                meta.insert("diff".to_owned(), Value::from(letter.to_string()));
            }
            _ => return Err(letters.unexpected("`d` and a difficulty, one of e n h x u")),
        }
        rest = &level[1..];
    }
    if let Some(after) = rest.strip_prefix('m') {
        meta.insert("mult".to_owned(), Value::Bool(true));
        rest = after;
    }
    if !rest.is_empty() {
        return Err(letters.unexpected("a difficulty (`d` and one of e n h x u), then `m` or nothing"));
    }
    Ok((size, meta))
}

/// Says of every inner edge, in Keen's order, whether it is open.
fn open_edges(walls: Word<'_>, size: usize) -> Result<Vec<bool>, Fault> {
    let count = 2 * size * (size - 1);
    let expected = format!("walls for exactly {count} edges");
    let mut open = Vec::with_capacity(count + 1);
    let mut rest = walls;
    while let Some(letter) = rest.text.chars().next() {
        let (run, has_wall) = match letter {
            '_' => (0, true),
            'a'..='y' => (letter as usize - 'a' as usize + 1, true),
            'z' => (25, false),
            _ => return Err(rest.first().unexpected("a letter or `_` for walls")),
        };
        let (item, tail) = rest.split_at(1 + digits_at_start(&rest.text[1..]));
        for _ in 0..times(item)? {
            open.resize(open.len() + run, true);
            if has_wall {
                open.push(false);
            }
            // Checked in the loop: a count may be any number.
            if open.len() > count + 1 {
                return Err(Fault::unexpected(expected, "walls for more", item.span()));
            }
        }
        rest = tail;
    }
    // The list ends with a wall behind the last edge.
    if open.len() <= count || open.pop() == Some(true) {
        return Err(Fault::unexpected(expected, "walls for fewer", rest.span()));
    }
    Ok(open)
}

/// How often a letter counts, by the number after it.
fn times(item: Word<'_>) -> Result<usize, Fault> {
    let count = item.after(1);
    match count.text.parse() {
        _ if count.text.is_empty() => Ok(1),
        Ok(times) if times > 0 => Ok(times),
        _ => Err(count.unexpected("a count from 1")),
    }
}

/// The puzzle whose cages open edges join, with their clues in `text`.
fn clued(text: Word<'_>, size: usize, open: &[bool], whole: Span) -> Result<Puzzle, Fault> {
    let mut joined = edges(size);
    let mut is_open = open.iter();
    joined.retain(|_| *is_open.next().unwrap_or(&false));
    let all = cage_cells(&cage_numbers(size, &joined));
    let count = all.len();
    let mut cages = Vec::with_capacity(count);
    let mut rest = text;
    for (number, cells) in all.iter().enumerate() {
        if rest.text.is_empty() {
            let label = format!("the clue of cage {} should follow here", number + 1);
            return Err(Fault::new(Malformed::Truncated("the clues".to_owned()), rest.span(), label));
        }
        // Clues stand side by side, in the order of the first cells of their cages.
        let letter = rest.first();
        let digits = rest.after(letter.text.len());
        let (digits, tail) = digits.split_at(digits_at_start(digits.text));
        if digits.text.is_empty() {
            return Err(tail.first().unexpected("a target, a number"));
        }
        let operator = operator_of(letter, cells.len())?;
        let cage = Cage::new(operator, digits.whole()?, positions(cells, size));
        let places = CagePlaces {
            whole: letter.start..digits.span().end,
            operator: letter.span(),
            target: digits.span(),
            cells: Vec::new(),
        };
        cages.push(PlacedCage { cage, places });
        rest = tail;
    }
    if !rest.text.is_empty() {
        let help = format!("the walls divide the grid into {count} cages, whose clues all stand before this");
        return Err(rest.unexpected("the end of the game ID").help(help));
    }
    let places = Places { end: rest.span(), ..Places::at(whole, "") };
    build(Square::kenken(size, Vec::new()), cages, &places)
}

fn operator_of(letter: Word<'_>, cells: usize) -> Result<Operator, Fault> {
    let known = LETTERS.iter().find(|(known, _)| letter.text.starts_with(*known));
    let Some((_, symbol)) = known else {
        return Err(letter.unexpected("a clue's letter (a for +, s for -, m for *, d for /)"));
    };
    if cells > 2 && matches!(*symbol, "-" | "/") {
        let expected = format!("a or m over {cells} cells (in Keen, s and d are for 2)");
        let help = "formats other than keen hold wider differences and quotients";
        return Err(letter.unexpected(expected).help(help));
    }
    Ok(operators::find(symbol).expect("the table has all four"))
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let cages = plain_cages(puzzle, FORMAT.name)?;
    let size = puzzle.rows();
    if !SIZES.contains(&size) {
        let what = format!("a size of {size}, only {} to {}", SIZES.start(), SIZES.end());
        return Err(WriteError::new(FORMAT.name, what));
    }
    let mut owner = vec![0; size * size];
    let mut clues = String::new();
    for (index, (cage, clue)) in cages.iter().enumerate() {
        for &cell in &cage.cells {
            owner[cell] = index;
        }
        clues.push(letter(puzzle, cage, *clue)?);
        clues += &clue.target.to_string();
    }
    let mut walls: Vec<bool> = edges(size).iter().map(|(a, b)| owner[*a] != owner[*b]).collect();
    walls.push(true);
    Ok(format!("{size}{}:{},{clues}", difficulty(puzzle), shorten(&runs(&walls))))
}

fn letter(puzzle: &Puzzle, cage: &Group, clue: Clue) -> Result<char, WriteError> {
    let (symbol, cells) = (clue.operator.symbol, cage.cells.len());
    // Keen itself writes `a` for a given.
    if cells == 1 {
        return Ok('a');
    }
    match LETTERS.iter().find(|(_, known)| *known == symbol) {
        Some((letter, _)) if cells == 2 || !matches!(symbol, "-" | "/") => Ok(*letter),
        _ => {
            let what = format!("{} of {cells} cells", puzzle.group_name(cage));
            Err(WriteError::new(FORMAT.name, what))
        }
    }
}

/// The letters for the difficulty, where the puzzle's `meta` has it.
fn difficulty(puzzle: &Puzzle) -> String {
    let mut letters = String::new();
    let level = puzzle.meta.get("diff").and_then(Value::as_str).unwrap_or_default();
    if level.len() == 1 && DIFFICULTIES.contains(level) {
        letters += "d";
        letters += level;
    }
    if puzzle.meta.get("mult") == Some(&Value::Bool(true)) {
        letters += "m";
    }
    letters
}

/// A letter for each wall: the number of open edges before it.
fn runs(walls: &[bool]) -> String {
    let mut text = String::new();
    let mut open = 0_u8;
    for wall in walls {
        if !wall {
            open += 1;
            continue;
        }
        // `z` is 25 open edges and no wall.
        while open > 25 {
            text.push('z');
            open -= 25;
        }
        text.push(if open == 0 { '_' } else { char::from(b'a' - 1 + open) });
        open = 0;
    }
    text
}

/// Replaces three or more equal letters in a row by one and their count.
fn shorten(text: &str) -> String {
    let mut short = String::new();
    for run in text.as_bytes().chunk_by(|a, b| a == b) {
        let letter = char::from(run[0]);
        match run.len() {
            1 => short.push(letter),
            2 => short.extend([letter, letter]),
            count => short += &format!("{letter}{count}"),
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_go_across_by_rows_then_down_by_columns() {
        let edges = edges(3);
        assert_eq!(edges[..4], [(0, 1), (1, 2), (3, 4), (4, 5)]);
        assert_eq!(edges[6..9], [(0, 3), (3, 6), (1, 4)]);
        assert_eq!(edges.len(), 12);
    }

    #[test]
    fn any_path_of_open_edges_makes_one_cage() {
        assert_eq!(cage_numbers(2, &[(2, 3), (1, 3)]), [0, 1, 1, 1]);
        assert_eq!(cage_numbers(2, &[(0, 2), (1, 3)]), [0, 1, 0, 1]);
    }

    #[test]
    fn long_runs_of_open_edges_are_cut_at_25() {
        let open = |count| [vec![false; count], vec![true]].concat();
        assert_eq!(runs(&open(0)), "_");
        assert_eq!(runs(&open(25)), "y");
        assert_eq!(runs(&open(26)), "za");
        assert_eq!(runs(&open(60)), "zzj");
    }

    #[test]
    fn only_three_of_a_kind_are_counted() {
        assert_eq!(shorten("_aabbb____"), "_aab3_4");
    }
}
