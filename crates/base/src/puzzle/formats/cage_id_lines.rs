//! Where rows of cage ids stand in a text, and where their clues.

use super::super::MAX_DIGITS;
use super::cages::ClueWords;
use super::words::{Word, rows, tidied};

/// The most lines that are looked at to recognise a text.
pub(super) const MOST_LINES: usize = 1200;

/// The lines that show what most texts are: the size, rows of ids, a rule and clues.
const FEW_LINES: usize = MAX_DIGITS + 8;

/// The most words of a line of clues: four for each cage.
const MOST_WORDS: usize = 4 * MAX_DIGITS * MAX_DIGITS;

/// Says whether a clue with an operator follows as many rows of ids as the first has, or clues with ids stand before such
/// rows; no Sudoku has that.
pub(super) fn has_clues(text: &str) -> bool {
    // A corpus asks for each of its lines.
    if headers(&rows(&tidied(text, FEW_LINES))).is_some() {
        return true;
    }
    let tidy = tidied(text, MOST_LINES);
    let lines = rows(&tidy);
    headers(&lines).is_some() || rows_first(&lines).is_some()
}

/// The number of lines, 0 or 1, before the rows; `None` where no rows and clue follow.
pub(super) fn headers(lines: &[Vec<Word<'_>>]) -> Option<usize> {
    // A first line `4` is the size before it is a row.
    for headers in [1, 0] {
        if headers < lines.len() && clue_follows(&lines[..headers], &lines[headers..]) {
            return Some(headers);
        }
    }
    None
}

/// Says whether lines are rows of ids and then a clue; the size may stand in the head.
fn clue_follows(head: &[Vec<Word<'_>>], lines: &[Vec<Word<'_>>]) -> bool {
    let size = ids(&lines[0]).len();
    if size > lines.len() || !head.iter().all(|words| is_header(words, size)) {
        return false;
    }
    let (rows, mut rest) = lines.split_at(size);
    let Some(names) = square_ids(rows, size) else { return false };
    while rest.first().is_some_and(|words| is_rule(words)) {
        rest = &rest[1..];
    }
    // A bare number may be a clue; a further row of digits begins another Sudoku.
    while rest.first().is_some_and(|words| is_bare(words) && ids(words).len() != size) {
        rest = &rest[1..];
    }
    rest.first().is_some_and(|words| is_clue(words, &names))
}

/// The ids of all rows, where these are a square of ids.
fn square_ids<'a>(rows: &[Vec<Word<'a>>], size: usize) -> Option<Vec<Word<'a>>> {
    if size > MAX_DIGITS {
        return None;
    }
    let mut names = Vec::with_capacity(size * size);
    for words in rows {
        let ids = ids(words);
        if ids.len() != size || !ids.iter().all(is_id) {
            return None;
        }
        names.extend(ids);
    }
    Some(names)
}

/// The lines with the rows first, where clues with ids stand before them and nothing follows them.
pub(super) fn rows_first<'a>(lines: &[Vec<Word<'a>>]) -> Option<Vec<Vec<Word<'a>>>> {
    let size = ids(lines.last()?).len();
    let start = lines.len().checked_sub(size)?;
    if start == 0 || size <= 1 {
        return None;
    }
    let names = square_ids(&lines[start..], size)?;
    let clues = &lines[usize::from(is_header(&lines[0], size))..start];
    // Short ids and bare targets look alike: the rows come last only where all before them reads as clues.
    let mut has_clue = false;
    for words in clues {
        if is_rule(words) {
            continue;
        }
        if words.len() > MOST_WORDS {
            return None;
        }
        for piece in pieces(words, &names) {
            ClueWords::only(&NamedClue::read(&piece, &names)?.clue)?;
        }
        has_clue |= is_clue(words, &names);
    }
    has_clue.then(|| [&lines[start..], clues].concat())
}

/// Says whether a line is the size, alone or with the number of cages.
fn is_header(words: &[Word<'_>], size: usize) -> bool {
    size > 1 && words.len() <= 2 && is_bare(words) && words[0].text.parse() == Ok(size)
}

/// Says whether words are nothing but numbers.
fn is_bare(words: &[Word<'_>]) -> bool {
    words.iter().all(Word::is_digits)
}

/// The ids of a row: its words, or the characters of a single one.
pub(super) fn ids<'a>(words: &[Word<'a>]) -> Vec<Word<'a>> {
    match words {
        // A longer word is no row: its characters have up to four bytes each.
        [only] if only.text.len() <= 4 * MAX_DIGITS => only.characters(),
        _ => words.to_vec(),
    }
}

pub(super) fn is_id(word: &Word<'_>) -> bool {
    word.text.chars().all(char::is_alphanumeric)
}

pub(super) fn is_rule(words: &[Word<'_>]) -> bool {
    words.len() == 1 && words[0].text.len() > 1 && words[0].text.trim_matches(['-', '=']).is_empty()
}

/// Says whether a line is a target and a known operator, or one of these ids and a clue.
pub(super) fn is_clue<'a>(words: &[Word<'a>], names: &[Word<'a>]) -> bool {
    if starts_calculation(words) {
        return true;
    }
    // A clue and its id have few words.
    let first = pieces(&words[..words.len().min(8)], names).into_iter().next().unwrap_or_default();
    let Some(named) = NamedClue::read(&first, names) else { return false };
    // Two numbers may be an id and a clue, but also anything else.
    starts_calculation(&named.clue) || ClueWords::only(&named.clue).is_some() && !is_bare(words)
}

fn starts_calculation(words: &[Word<'_>]) -> bool {
    ClueWords::take(words).is_some_and(|(clue, _)| clue.is_calculation())
}

/// A cage id and the words of its clue.
pub(super) struct NamedClue<'a> {
    pub(super) id: Word<'a>,
    pub(super) clue: Vec<Word<'a>>,
}

impl<'a> NamedClue<'a> {
    /// One of these ids and the words after it: `A 8+`, `A: 8+`, `A:8+`, `A = 8+`, `A - 8+`, `A. 8+`; or a letter and the
    /// words before it, `8+ A`, `8+: A`.
    pub(super) fn read(words: &[Word<'a>], names: &[Word<'a>]) -> Option<Self> {
        let (first, rest) = words.split_first()?;
        // An id before its clue comes first: in `2 8+` the 2 is the id.
        if let Some(id) = known(first, names).or_else(|| known(&first.before('.')?, names)) {
            let is_marked = rest.len() > 1 && is_mark(rest);
            return Some(Self { id, clue: rest[usize::from(is_marked)..].to_vec() });
        }
        if let Some(mark) = first.text.find([':', '='])
            && let Some(id) = known(&first.split_at(mark).0, names)
        {
            let mut clue = vec![first.after(mark + 1)];
            clue.retain(|word| !word.text.is_empty());
            clue.extend(rest);
            return Some(Self { id, clue });
        }
        Self::read_backwards(words, names)
    }

    /// A letter and the clue before it.
    fn read_backwards(words: &[Word<'a>], names: &[Word<'a>]) -> Option<Self> {
        let (last, clue) = words.split_last()?;
        let id = known(last, names)?;
        // In `8 2` neither number shows that it is the id.
        if id.is_digits() || clue.is_empty() {
            return None;
        }
        let mut clue = clue.to_vec();
        let end = clue.len() - 1;
        match clue[end].before(':') {
            Some(word) if !word.text.is_empty() => clue[end] = word,
            Some(_) if end > 0 => drop(clue.pop()),
            _ => {}
        }
        ClueWords::only(&clue).map(|_| Self { id, clue })
    }
}

/// Says whether the first of these words stands between an id and its clue: `:`, `=`, or a dash before a whole clue.
fn is_mark(words: &[Word<'_>]) -> bool {
    match words[0].text {
        ":" | "=" => true,
        "-" | "–" | "—" => ClueWords::take(&words[1..]).is_some_and(|(clue, _)| clue.operator.is_some()),
        _ => false,
    }
}

/// The id that a word names: itself, or the only one that differs from it by the case of letters.
fn known<'a>(word: &Word<'a>, names: &[Word<'a>]) -> Option<Word<'a>> {
    let mut alike: Option<&str> = None;
    let mut is_clear = true;
    for name in names {
        if name.text == word.text {
            return Some(*word);
        }
        if name.text.eq_ignore_ascii_case(word.text) {
            is_clear &= alike.is_none_or(|other| other == name.text);
            alike = Some(name.text);
        }
    }
    if is_clear { alike.map(|text| Word { text, start: word.start }) } else { None }
}

/// The clues of a line, separated by `,` and `;`, and before each id that `:` or `=` follows.
pub(super) fn pieces<'a>(words: &[Word<'a>], names: &[Word<'a>]) -> Vec<Vec<Word<'a>>> {
    let words: Vec<Word<'a>> = words.iter().flat_map(|word| word.split_at_marks(&[',', ';'])).collect();
    let mut pieces: Vec<Vec<Word<'a>>> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let starts = if known(word, names).is_some() {
            index + 2 < words.len() && matches!(words[index + 1].text, ":" | "=")
        } else {
            NamedClue::read(&words[index..=index], names).is_some()
        };
        match pieces.last_mut() {
            Some(piece) if !starts => piece.push(*word),
            _ => pieces.push(vec![*word]),
        }
    }
    pieces
}
