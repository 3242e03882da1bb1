//! The next step in a partly filled grid.

use miette::{Report, miette};
use serde_json::{Value, json};

use kenga_core::puzzle::{Grid, Puzzle, check};
use kenga_core::text::enumeration;
use kenga_craft::ladder::{Explanation, Hint};

/// The text of a grid without a digit.
pub fn empty_grid(puzzle: &Puzzle) -> String {
    vec![".".repeat(puzzle.cols()); puzzle.rows()].join("/")
}

/// Refuses a grid with digits that are none of the puzzle's.
///
/// # Errors
/// A report that names the first cell that holds one.
pub fn own_digits(puzzle: &Puzzle, grid: &Grid) -> Result<(), Report> {
    check(puzzle, grid).foreign.first().map_or(Ok(()), |cell| Err(foreign_digit(puzzle, grid, *cell)))
}

/// A digit that no solution can have there.
fn foreign_digit(puzzle: &Puzzle, grid: &Grid, cell: usize) -> Report {
    let digit = grid.get(cell).map_or_else(String::new, |digit| digit.to_string());
    let name = puzzle.cell_name(cell);
    if puzzle.is_black(cell) {
        return miette!(help = "write `.` for black cells", "{name} holds {digit}, but is black");
    }
    let digits = enumeration(puzzle.digits().values().iter().map(u8::to_string).collect());
    let help = format!("the digits of puzzle `{}` are {digits}", puzzle.id);
    miette!(help = help, "{name} holds {digit}, which is not a digit of this puzzle")
}

/// What a hint says: where to look and what for, or with `more` all of it.
pub fn hint_words(puzzle: &Puzzle, hint: &Hint, more: bool) -> String {
    match hint {
        Hint::Beyond => format!("{}; `kenga solve` finds out", hint.words(puzzle)),
        _ if more => hint.words(puzzle),
        _ => hint.nudge(puzzle),
    }
}

/// The object of `kenga hint --json`; cells are `[row, column]` from 0.
pub fn hint_json(puzzle: &Puzzle, hint: &Hint, more: bool) -> Value {
    let cell = |cell: usize| json!([cell / puzzle.cols(), cell % puzzle.cols()]);
    let mistake = match hint {
        Hint::Mistake(at) => Some(cell(*at)),
        _ => None,
    };
    let steps: &[Explanation] = match hint {
        Hint::Steps(steps) if more => steps,
        _ => &[],
    };
    let fills = steps.last().and_then(|step| step.fills);
    let words = |step: &Explanation| json!({"technique": step.technique.name, "words": step.words});
    json!({
        "id": puzzle.id,
        "hint": hint.name(),
        "mistake": mistake,
        "words": hint_words(puzzle, hint, more),
        "fills": fills.map(|(at, digit)| json!({"cell": cell(at), "digit": digit})),
        "steps": steps.iter().map(words).collect::<Value>(),
    })
}
