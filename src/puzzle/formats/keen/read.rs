//! Reading a game ID.

use serde_json::{Map, Value};

use super::super::super::operators::{self, Operator};
use super::super::super::{Cage, Puzzle, Square};
use super::super::cages::{self, CagePlaces, Places};
use super::super::error::{Fault, Malformed, Span};
use super::super::words::{Word, truncated};
use super::{DIFFICULTIES, LETTERS, SIZES, cages as cages_of, edges, params_end};

pub(super) fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
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
    let (kenken, places) = clues(rest.split_at(1).1, size, &open, id.span())?;
    let mut puzzle = cages::build(kenken, &places)?;
    puzzle.meta = meta;
    Ok((puzzle, 0..0))
}

/// The size, and what is known of the difficulty.
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

/// A letter with its count, the count, and what follows.
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

/// Joins the cells that open edges join, and gives each cage its clue.
fn clues(text: Word<'_>, size: usize, open: &[bool], whole: Span) -> Result<(Square, Places), Fault> {
    let joined = edges(size).zip(open).filter(|(_, open)| **open).map(|(edge, _)| edge);
    let owner = cages_of(size, joined);
    let count = owner.iter().max().map_or(0, |last| last + 1);
    let mut kenken = Square::kenken(size, Vec::new());
    let mut places = Vec::new();
    let mut rest = text;
    for number in 0..count {
        let cells: Vec<_> = (0..size * size).filter(|cell| owner[*cell] == number).collect();
        if rest.text.is_empty() {
            let end = rest.span();
            let label = format!("the clue of cage {} should follow here", number + 1);
            return Err(Fault::new(Malformed::Truncated("the clues".to_owned()), end, label));
        }
        let (operator, digits, tail) = clue(rest)?;
        let cage = Cage::new(operator_of(operator, cells.len())?, digits.whole()?, Vec::new());
        let cells = cells.iter().map(|cell| (cell / size, cell % size)).collect();
        kenken.cages.push(Cage { cells, ..cage });
        let (operator, target) = (operator.span(), digits.span());
        places.push(CagePlaces { whole: operator.start..target.end, operator, target, cells: Vec::new() });
        rest = tail;
    }
    if !rest.text.is_empty() {
        let help = format!("the walls part the grid into {count} cages, and each has its clue before this");
        return Err(rest.unexpected("the end of the game ID").help(help));
    }
    let places =
        Places { size: whole.clone(), digits: whole.clone(), end: rest.span(), cages: places, naming: "" };
    Ok((kenken, places))
}

/// The letter, the number, and what follows.
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
