//! Writing a game ID.

use serde_json::Value;

use super::super::super::{Clue, Group, Puzzle};
use super::super::error::WriteError;
use super::super::plain;
use super::{DIFFICULTIES, FORMAT, LETTERS, SIZES, edges};

pub(super) fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let cages = plain::cages(puzzle, FORMAT.name)?;
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

/// What Keen knows of the difficulty, if the puzzle came with it.
fn difficulty(puzzle: &Puzzle) -> String {
    let letter = puzzle.meta.get("diff").and_then(Value::as_str).unwrap_or_default();
    let known = letter.len() == 1 && DIFFICULTIES.contains(letter);
    let products = puzzle.meta.get("mult") == Some(&Value::Bool(true));
    let level = if known { format!("d{letter}") } else { String::new() };
    level + if products { "m" } else { "" }
}

/// A letter for each wall: how many edges without one stand before it.
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

/// Writes a letter that stands three times or more in a row once, with a count.
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
