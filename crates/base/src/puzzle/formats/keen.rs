//! Game IDs of Keen, of Simon Tatham's Portable Puzzle Collection: `4dn:b_a4_a_6aa,m8s1a6s1m4a3d2`.
//!
//! Size 3 to 9, a difficulty that does not change the rules (`d` and one of `enhxu`, `m` for products only), then the
//! walls between cells, then the clues. The inner edges are first those between horizontal neighbours by rows, then
//! those between vertical neighbours by columns; one further wall ends the list.

use serde_json::{Map, Value};

use super::super::operators::{self, Operator};
use super::super::{Cage, Clue, Group, Puzzle, Square};
use super::cages::{CagePlaces, Places, build, plain_cages};
use super::error::{Fault, Malformed, Span, WriteError};
use super::words::{Word, truncated};
use super::{Format, unequal};

pub(super) const FORMAT: Format = Format {
    name: "keen",
    about: "Keen game IDs such as 4:b_a4_a_6aa,m8s1a6s1m4a3d2, one per line",
    many: true,
    recognise: |text| params_end(text.trim_start()).is_some() && !unequal::recognise(text),
    end: super::line_end,
    read,
    write: Some(write),
};

/// The sizes that Keen has.
const SIZES: std::ops::RangeInclusive<usize> = 3..=9;

/// The difficulties: easy, normal, hard, extreme, unreasonable.
const DIFFICULTIES: &str = "enhxu";

/// The letter of each operator's symbol; a one-cell cage is a given whatever its letter.
const LETTERS: [(char, &str); 4] = [('a', "+"), ('s', "-"), ('m', "*"), ('d', "/")];

/// The length of the parameters at the start of a game ID: digits, letters, then `:` (or `#` before a random seed).
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

/// The number of the cage of every cell, where `open` edges join cells; the order of cages is that of their first
/// cells.
pub(super) fn cage_numbers(size: usize, open: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
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

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let text = record.trim();
    let id = Word { text, start: record.len() - record.trim_start().len() };
    let Some(end) = params_end(text) else {
        return Err(id.unexpected("a Keen game ID, such as `4:…,…`"));
    };
    let (params, rest) = id.split_at(end);
    if rest.text.starts_with('#') {
        let help = "open it in Keen and copy the specific game ID, which has a `:`";
        let found = format!("the random seed `{}`", rest.text);
        return Err(Fault::unexpected("`:` and the puzzle itself", found, rest.span()).help(help));
    }
    let (size, meta) = parameters(params)?;
    let (_, rest) = rest.split_at(1);
    let (walls, rest) = rest.split_at(rest.text.find(',').unwrap_or(rest.text.len()));
    let open = open_edges(walls, size)?;
    if rest.text.is_empty() {
        return Err(truncated(record, "a game ID", "`,` and the clues should follow here"));
    }
    let mut puzzle = clued(rest.split_at(1).1, size, &open, id.span())?;
    puzzle.meta = meta;
    Ok((puzzle, 0..0))
}

/// The size, and the difficulty as `meta`.
fn parameters(params: Word<'_>) -> Result<(usize, Map<String, Value>), Fault> {
    let (digits, letters) = params.split_at(params.number_end());
    let size = digits.text.parse().ok().filter(|size| SIZES.contains(size));
    let size = size.ok_or_else(|| digits.unexpected("a size from 3 to 9"))?;
    let mut meta = Map::new();
    let mut rest = letters.text;
    if let Some(level) = rest.strip_prefix('d') {
        let letter = level.chars().next().filter(|letter| DIFFICULTIES.contains(*letter));
        let letter = letter.ok_or_else(|| letters.unexpected("`d` and a difficulty, one of e n h x u"))?;
        meta.insert("diff".to_owned(), Value::from(letter.to_string()));
        rest = &level[1..];
    }
    if let Some(after) = rest.strip_prefix('m') {
        meta.insert("mult".to_owned(), Value::Bool(true));
        rest = after;
    }
    match rest {
        "" => Ok((size, meta)),
        _ => Err(letters.unexpected("a difficulty (`d` and one of e n h x u), then `m` or nothing")),
    }
}

/// Says of every inner edge, in Keen's order, whether it is open.
fn open_edges(walls: Word<'_>, size: usize) -> Result<Vec<bool>, Fault> {
    let count = 2 * size * (size - 1);
    let mut open = Vec::with_capacity(count + 1);
    let mut rest = walls;
    while let Some(letter) = rest.text.chars().next() {
        let (run, wall) = match letter {
            '_' => (0, true),
            'a'..='y' => (letter as usize - 'a' as usize + 1, true),
            'z' => (25, false),
            _ => return Err(rest.first().unexpected("a letter or `_` for walls")),
        };
        let (item, times, tail) = repeated(rest)?;
        for _ in 0..times {
            open.extend(std::iter::repeat_n(true, run));
            open.extend(wall.then_some(false));
            if open.len() > count + 1 {
                let found = "walls for more";
                return Err(Fault::unexpected(
                    format!("walls for exactly {count} edges"),
                    found,
                    item.span(),
                ));
            }
        }
        rest = tail;
    }
    if open.len() <= count || open.pop() == Some(true) {
        let expected = format!("walls for exactly {count} edges");
        return Err(Fault::unexpected(expected, "walls for fewer", rest.span()));
    }
    Ok(open)
}

/// A letter with its count, the count, and the rest of the word.
fn repeated(word: Word<'_>) -> Result<(Word<'_>, usize, Word<'_>), Fault> {
    let digits = word.text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let (item, tail) = word.split_at(1 + digits);
    if digits == 0 {
        return Ok((item, 1, tail));
    }
    let count = item.split_at(1).1;
    match count.text.parse() {
        Ok(times) if times > 0 => Ok((item, times, tail)),
        _ => Err(count.unexpected("a count from 1")),
    }
}

/// The puzzle whose cages open edges join, with their clues in `text`.
fn clued(text: Word<'_>, size: usize, open: &[bool], whole: Span) -> Result<Puzzle, Fault> {
    let joined = edges(size).zip(open).filter(|(_, open)| **open).map(|(edge, _)| edge);
    let owner = cage_numbers(size, joined);
    let count = owner.iter().max().map_or(0, |last| last + 1);
    let mut cages = Vec::new();
    let mut rest = text;
    for number in 0..count {
        let cells: Vec<_> = (0..size * size).filter(|cell| owner[*cell] == number).collect();
        if rest.text.is_empty() {
            let end = rest.span();
            let label = format!("the clue of cage {} should follow here", number + 1);
            return Err(Fault::new(Malformed::Truncated("the clues".to_owned()), end, label));
        }
        let (operator, digits, tail) = clue(rest)?;
        let places = CagePlaces {
            whole: operator.start..digits.span().end,
            operator: operator.span(),
            target: digits.span(),
            cells: Vec::new(),
        };
        let operator = operator_of(operator, cells.len())?;
        let cells = cells.iter().map(|cell| (cell / size, cell % size)).collect();
        cages.push((Cage::new(operator, digits.whole()?, cells), places));
        rest = tail;
    }
    if !rest.text.is_empty() {
        let help = format!("the walls divide the grid into {count} cages, whose clues all stand before this");
        return Err(rest.unexpected("the end of the game ID").help(help));
    }
    let places = Places { size: whole.clone(), digits: whole, end: rest.span(), naming: "" };
    build(Square::kenken(size, Vec::new()), cages, &places)
}

/// The letter, the number, and the rest of the text.
fn clue(text: Word<'_>) -> Result<(Word<'_>, Word<'_>, Word<'_>), Fault> {
    let letter = text.first();
    let (_, rest) = text.split_at(letter.text.len());
    let digits = rest.text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return Err(rest.first().unexpected("a target, a number"));
    }
    let (digits, tail) = rest.split_at(digits);
    Ok((letter, digits, tail))
}

fn operator_of(letter: Word<'_>, cells: usize) -> Result<Operator, Fault> {
    let known = LETTERS.iter().find(|(known, _)| letter.text.starts_with(*known));
    let Some((_, symbol)) = known else {
        return Err(letter.unexpected("a clue's letter (a for +, s for -, m for *, d for /)"));
    };
    if cells > 2 && matches!(*symbol, "-" | "/") {
        let expected = format!("a or m over {cells} cells (in Keen, s and d are for 2)");
        return Err(letter
            .unexpected(expected)
            .help("formats other than keen hold wider differences and quotients"));
    }
    Ok(operators::find(symbol).expect("the table has all four"))
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let cages = plain_cages(puzzle, FORMAT.name)?;
    let size = puzzle.rows();
    if !SIZES.contains(&size) {
        let what = format!("a size of {size}, only {} to {}", SIZES.start(), SIZES.end());
        return Err(WriteError { format: FORMAT.name, what });
    }
    let mut owner = vec![0; size * size];
    let mut clues = String::new();
    for (index, (cage, clue)) in cages.iter().enumerate() {
        cage.cells.iter().for_each(|&cell| owner[cell] = index);
        clues.push(letter(puzzle, cage, *clue)?);
        clues += &clue.target.to_string();
    }
    let walls = edges(size).map(|(a, b)| owner[a] != owner[b]).chain([true]);
    Ok(format!("{size}{}:{},{clues}", difficulty(puzzle), shorten(&runs(walls))))
}

fn letter(puzzle: &Puzzle, cage: &Group, clue: Clue) -> Result<char, WriteError> {
    let (symbol, cells) = (clue.operator.symbol, cage.cells.len());
    let wide = cells > 2 && matches!(symbol, "-" | "/");
    let letter = LETTERS.iter().find(|(_, known)| *known == symbol).map(|(letter, _)| *letter);
    match letter {
        _ if cells == 1 => Ok('a'),
        Some(letter) if !wide => Ok(letter),
        _ => {
            let what = format!("{} of {cells} cells", puzzle.group_name(cage));
            Err(WriteError { format: FORMAT.name, what })
        }
    }
}

/// The letters for the difficulty, where the puzzle's `meta` has it.
fn difficulty(puzzle: &Puzzle) -> String {
    let letter = puzzle.meta.get("diff").and_then(Value::as_str).unwrap_or_default();
    let known = letter.len() == 1 && DIFFICULTIES.contains(letter);
    let products = puzzle.meta.get("mult") == Some(&Value::Bool(true));
    let level = if known { format!("d{letter}") } else { String::new() };
    level + if products { "m" } else { "" }
}

/// A letter for each wall: the number of open edges before it.
fn runs(walls: impl Iterator<Item = bool>) -> String {
    let mut text = String::new();
    let mut open = 0_u8;
    for wall in walls {
        if !wall {
            open += 1;
            continue;
        }
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
        let edges: Vec<_> = edges(3).collect();
        assert_eq!(edges[..4], [(0, 1), (1, 2), (3, 4), (4, 5)]);
        assert_eq!(edges[6..9], [(0, 3), (3, 6), (1, 4)]);
        assert_eq!(edges.len(), 12);
    }

    #[test]
    fn any_path_of_open_edges_makes_one_cage() {
        assert_eq!(cage_numbers(2, [(2, 3), (1, 3)].into_iter()), [0, 1, 1, 1]);
        assert_eq!(cage_numbers(2, [(0, 2), (1, 3)].into_iter()), [0, 1, 0, 1]);
    }

    #[test]
    fn long_runs_of_open_edges_are_cut_at_25() {
        let open = |count| std::iter::repeat_n(false, count).chain([true]);
        assert_eq!(runs(open(0)), "_");
        assert_eq!(runs(open(25)), "y");
        assert_eq!(runs(open(26)), "za");
        assert_eq!(runs(open(60)), "zzj");
    }

    #[test]
    fn only_three_of_a_kind_are_counted() {
        assert_eq!(shorten("_aabbb____"), "_aab3_4");
    }
}
