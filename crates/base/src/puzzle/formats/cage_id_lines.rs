//! Where rows of cage ids stand in a text, and where their clues.

use super::super::MAX_DIGITS;
use super::cages::ClueWords;
use super::words::{Word, lines, tidied};

/// The most lines that are looked at to recognise a text.
pub(super) const MOST_LINES: usize = 1200;

/// The words of the lines.
pub(super) fn split(tidy: &str) -> Vec<Vec<Word<'_>>> {
    lines(tidy).map(|line| line.split()).collect()
}

/// Says whether a clue with an operator follows as many rows of ids as the first has, or clues with ids stand before such
/// rows; no Sudoku has that.
pub(super) fn has_clues(text: &str) -> bool {
    let tidy = tidied(text, MOST_LINES);
    let lines = split(&tidy);
    headers(&lines).is_some() || rows_first(&lines).is_some()
}

/// The number of lines, 0 or 1, before the rows; `None` where no rows and clue follow.
pub(super) fn headers(lines: &[Vec<Word<'_>>]) -> Option<usize> {
    [1, 0].into_iter().filter(|headers| *headers < lines.len()).find(|headers| {
        let (head, lines) = lines.split_at(*headers);
        let size = lines.first().map_or(0, |words| ids(words).len());
        if size > MAX_DIGITS || size > lines.len() || !head.iter().all(|words| is_header(words, size)) {
            return false;
        }
        let (rows, rest) = lines.split_at(size);
        let rows: Vec<Vec<Word<'_>>> = rows.iter().map(|words| ids(words)).collect();
        let square = rows.iter().all(|row| row.len() == size && row.iter().all(is_id));
        let names: Vec<Word<'_>> = rows.concat();
        // A bare number may be a clue; a further row of digits begins another Sudoku.
        let is_bare = |words: &Vec<Word<'_>>| words.iter().all(Word::is_digits) && ids(words).len() != size;
        let mut clues = rest.iter().skip_while(|words| is_rule(words)).skip_while(|words| is_bare(words));
        square && clues.next().is_some_and(|words| is_clue(words, &names))
    })
}

/// The lines with the rows first, where clues with ids stand before them and nothing follows them.
pub(super) fn rows_first<'a>(lines: &[Vec<Word<'a>>]) -> Option<Vec<Vec<Word<'a>>>> {
    let size = lines.last().map_or(0, |words| ids(words).len());
    let start = lines.len().checked_sub(size).filter(|start| *start > 0 && size > 1 && size <= MAX_DIGITS)?;
    let (clues, rows) = lines.split_at(start);
    let clues = &clues[usize::from(is_header(&clues[0], size))..];
    let rows: Vec<Vec<Word<'_>>> = rows.iter().map(|words| ids(words)).collect();
    let square = rows.iter().all(|row| row.len() == size && row.iter().all(is_id));
    let names: Vec<Word<'_>> = rows.concat();
    let has_id = |words: &Vec<Word<'a>>| {
        let pieces = pieces(words, &names);
        pieces.iter().all(|piece| id_and_clue(piece, &names).is_some_and(|(_, clue)| ordered_clue(&clue)))
    };
    let known = square
        && clues.iter().all(|words| is_rule(words) || has_id(words))
        && clues.iter().any(|words| !is_rule(words) && is_clue(words, &names));
    known.then(|| [&lines[start..], clues].concat())
}

/// Says whether a line is the size, alone or with the number of cages.
fn is_header(words: &[Word<'_>], size: usize) -> bool {
    size > 1 && words.len() <= 2 && words.iter().all(Word::is_digits) && words[0].text.parse() == Ok(size)
}

/// The ids of a row: its words, or the characters of a single one.
pub(super) fn ids<'a>(words: &[Word<'a>]) -> Vec<Word<'a>> {
    match words {
        [only] if only.text.len() <= 4 * MAX_DIGITS => only.characters(),
        _ => words.to_vec(),
    }
}

pub(super) fn is_id(word: &Word<'_>) -> bool {
    word.text.chars().all(char::is_alphanumeric)
}

pub(super) fn is_rule(words: &[Word<'_>]) -> bool {
    words.len() == 1 && words[0].text.len() > 1 && words[0].text.chars().all(|c| matches!(c, '-' | '='))
}

/// Says whether a line is a target and a known operator, or one of these ids and a clue.
pub(super) fn is_clue<'a>(words: &[Word<'a>], names: &[Word<'a>]) -> bool {
    let has_operator = |words: &[Word<'_>]| {
        let clue = ClueWords::take(words).and_then(|(clue, _)| clue.operator);
        clue.is_some_and(|operator| operator.is_operator())
    };
    // Two numbers may be an id and a clue, but also anything else.
    let whole = |clue: &[Word<'_>]| ordered_clue(clue) && !words.iter().all(Word::is_digits);
    let first = pieces(words, names).into_iter().next().unwrap_or_default();
    has_operator(words)
        || id_and_clue(&first, names).is_some_and(|(_, clue)| has_operator(&clue) || whole(&clue))
}

/// Says whether the words are a clue and nothing else.
fn ordered_clue(words: &[Word<'_>]) -> bool {
    ClueWords::take(words).is_some_and(|(_, rest)| rest.is_empty())
}

/// One of these ids and the words after it: `A 8+`, `A: 8+`, `A:8+`, `A = 8+`, `A - 8+`, `A. 8+`; or a letter and the words
/// before it, `8+ A`, `8+: A`.
pub(super) fn id_and_clue<'a>(words: &[Word<'a>], names: &[Word<'a>]) -> Option<(Word<'a>, Vec<Word<'a>>)> {
    let (first, rest) = words.split_first()?;
    if let Some(id) = known(first, names).or_else(|| known(&first.before('.')?, names)) {
        let mark = rest.first().map_or("", |word| word.text);
        let is_dash = matches!(mark, "-" | "–" | "—")
            && ClueWords::take(&rest[1..]).is_some_and(|(clue, _)| clue.operator.is_some());
        let marked = rest.len() > 1 && (matches!(mark, ":" | "=") || is_dash);
        return Some((id, rest[usize::from(marked)..].to_vec()));
    }
    if let Some((id, clue)) = first.text.find([':', '=']).map(|at| first.split_at(at))
        && let Some(id) = known(&id, names)
    {
        let glued = Some(clue.split_at(1).1).filter(|word| !word.text.is_empty());
        return Some((id, glued.into_iter().chain(rest.iter().copied()).collect()));
    }
    let (last, clue) = words.split_last()?;
    let id = known(last, names).filter(|id| !id.is_digits() && !clue.is_empty())?;
    let mut clue = clue.to_vec();
    match clue.last().and_then(|word| word.before(':')) {
        Some(Word { text: "", .. }) if clue.len() > 1 => drop(clue.pop()),
        Some(word) if !word.text.is_empty() => *clue.last_mut()? = word,
        _ => {}
    }
    ordered_clue(&clue).then_some((id, clue))
}

/// The id that a word names: itself, or the only one that differs from it by the case of letters.
fn known<'a>(word: &Word<'a>, names: &[Word<'a>]) -> Option<Word<'a>> {
    if names.iter().any(|name| name.text == word.text) {
        return Some(*word);
    }
    let mut alike = names.iter().filter(|name| name.text.eq_ignore_ascii_case(word.text));
    let first = alike.next()?;
    alike.all(|name| name.text == first.text).then_some(Word { text: first.text, start: word.start })
}

/// The clues of a line, separated by `,` and `;`, and before each id that `:` or `=` follows.
pub(super) fn pieces<'a>(words: &[Word<'a>], names: &[Word<'a>]) -> Vec<Vec<Word<'a>>> {
    let words: Vec<Word<'a>> =
        words.iter().flat_map(|word| word.split_by(|c| c == ',' || c == ';')).collect();
    let mut pieces: Vec<Vec<Word<'a>>> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let marked = words.get(index + 1).is_some_and(|next| matches!(next.text, ":" | "="))
            && index + 2 < words.len();
        let is_known = known(word, names).is_some();
        let starts = is_known && marked || !is_known && id_and_clue(&words[index..=index], names).is_some();
        match pieces.last_mut() {
            Some(piece) if !starts => piece.push(*word),
            _ => pieces.push(vec![*word]),
        }
    }
    pieces
}
