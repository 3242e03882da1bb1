//! The words around the grid: which puzzle it is, what has happened, and what is under the cursor.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::film::{Film, Tone};
use super::state::{Position, ViewerState};
use crate::cli::screen::{Palette, clipped};
use kenga_core::problem::bits;
use kenga_core::solver::Status;
use kenga_core::text::{enumeration, printable};
use kenga_report::{counted, wrap};

/// The keys.
pub(super) const HELP: [&str; 20] = [
    "space        play, pause; at the end again from the start",
    ".  >         on by one event, by ten",
    ",  <         back by one event, by ten",
    "left right   back, on by a hundredth of the film (no cursor)",
    "c  C         on to the next conflict, back to the one before",
    "d  D         on to the next decision, back to the one before",
    "s  S         on to the next solution, back to the one before",
    "home end     to the start, to the end",
    "+  -         faster, slower; beyond 1000 events a second: no limit",
    "n  p         next, previous puzzle",
    "tab          cursor to the grid, and out of it",
    "arrows       move the cursor; a panel says what is left there and why",
    "k            candidates, or digits alone",
    "?            this help",
    "q  esc       quit; ctrl-c quits with exit code 130",
    "",
    "grid: an event shows the candidates before it. What it removes is",
    "yellow (underlined), what it rests on cyan, what is tried green, what",
    "fails red. Where candidates do not fit, a few stand in a row, and",
    "·5 says that five are left.",
];

/// The puzzle, and which of how many.
pub(super) fn title(film: &Film<'_>, position: &Position, palette: Palette) -> Line<'static> {
    let puzzle = film.puzzle;
    let of = match position.puzzles {
        1 => String::new(),
        puzzles => format!("  puzzle {} of {}", position.puzzle + 1, counted(puzzles as u64)),
    };
    let text = format!("{}  {}{of}", printable(&puzzle.id), puzzle.kind.name());
    Line::from(vec![Span::styled("kenga solve  ", palette.faint()), Span::raw(text)])
}

/// The three lines below the panels.
pub(super) fn status(
    film: &Film<'_>,
    state: &ViewerState,
    position: &Position,
    (palette, width): (Palette, usize),
) -> Vec<Line<'static>> {
    let counts = film.counts();
    let [decisions, conflicts, solutions] =
        [counts.decisions, counts.conflicts, counts.solutions].map(counted);
    let clauses =
        if counts.clauses > 0 { format!("  learned {}", counted(counts.clauses)) } else { String::new() };
    let so_far = format!(
        "decisions {decisions}  conflicts {conflicts}  solutions {solutions}{clauses}  depth {}",
        film.depth()
    );
    let keys = "space play  . > on  , < back  c conflict  d decision  tab cursor  ? help  q quit";
    vec![
        Line::raw(clipped(&now(state, position), width)),
        Line::raw(clipped(state.note.as_deref().unwrap_or(&so_far), width)),
        Line::styled(keys, palette.faint()),
    ]
}

/// Whether it plays, how fast, and where it stands.
fn now(state: &ViewerState, position: &Position) -> String {
    let is_at_end = position.is_over && position.at == position.known;
    let plays = match (state.plays, is_at_end) {
        (_, true) => "ended",
        (true, false) => "playing",
        (false, false) => "paused",
    };
    let speed = match state.speed {
        None => "no limit".to_owned(),
        Some(1.0) => "1 event/s".to_owned(),
        Some(rate) => format!("{rate} events/s"),
    };
    let searching = if position.is_over { "" } else { " so far: still searching" };
    format!(
        "{plays} at {speed}  event {} of {}{searching}",
        counted(position.at as u64),
        counted(position.known as u64)
    )
}

/// The last events that fit so many lines, the latest last and bold.
pub(super) fn story(
    film: &Film<'_>,
    palette: Palette,
    (width, height): (usize, usize),
) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    for (age, (tone, words)) in film.told().rev().enumerate() {
        let style = style(tone, palette);
        let style = if age == 0 { style.add_modifier(Modifier::BOLD) } else { style };
        let wrapped = wrap(words, width.saturating_sub(2).max(1));
        let told: Vec<Line<'static>> = wrapped
            .lines()
            .enumerate()
            .map(|(line, words)| {
                let mark = if line > 0 {
                    "  "
                } else if age == 0 {
                    "> "
                } else {
                    "- "
                };
                Line::styled(format!("{mark}{words}"), style)
            })
            .collect();
        lines.extend(told.into_iter().rev());
        if lines.len() >= height {
            break;
        }
    }
    if lines.is_empty() {
        lines.push(Line::raw("the puzzle, before the first step"));
    }
    lines.truncate(height);
    lines.reverse();
    lines
}

fn style(tone: Tone, palette: Palette) -> Style {
    match tone {
        Tone::Plain => Style::new(),
        Tone::Decision => palette.best(),
        Tone::Conflict => palette.broken(),
        Tone::Back => palette.mean(),
        Tone::Solution => palette.good(),
    }
}

/// The cell under the cursor, for the frame of its panel.
pub(super) fn cell_title(film: &Film<'_>, state: &ViewerState) -> String {
    let place = state.cell.0 * film.puzzle.cols() + state.cell.1;
    let name = film.puzzle.cell_name(place);
    let groups = film.puzzle.groups().iter();
    let clue = groups.filter(|group| group.cells.contains(&place)).find_map(|group| group.clue);
    clue.map_or_else(|| format!(" {name} "), |clue| format!(" {name} in {clue} "))
}

/// What is left in the cell under the cursor, and what removed the rest.
pub(super) fn cell(film: &Film<'_>, state: &ViewerState, width: usize) -> Vec<Line<'static>> {
    let place = state.cell.0 * film.puzzle.cols() + state.cell.1;
    let Some(cell) = film.problem.cell_at(place) else { return vec![Line::raw("a black cell")] };
    let digits = |ranks: u32, joint: &str| {
        let digits: Vec<String> =
            bits(ranks).map(|rank| film.problem.values()[rank as usize].to_string()).collect();
        digits.join(joint)
    };
    let left = match film.candidates(cell) {
        0 => "nothing is left".to_owned(),
        mask if mask.is_power_of_two() => format!("{} is left", digits(mask, " ")),
        mask => format!("{} are left", digits(mask, " ")),
    };
    let why = film.causes(cell).into_iter().map(|(ranks, number, words)| {
        let words = if number > 0 { format!("{words} (event {})", counted(number as u64)) } else { words };
        format!(
            "not {}: {words}",
            enumeration(bits(ranks).map(|rank| film.problem.values()[rank as usize].to_string()).collect())
        )
    });
    let lines: Vec<String> = std::iter::once(left).chain(why).collect();
    lines
        .iter()
        .flat_map(|line| wrap(line, width).lines().map(|line| Line::raw(line.to_owned())).collect::<Vec<_>>())
        .collect()
}

/// How the search ended, for the frame of the story; before the end of the film it tells nothing.
pub(super) fn story_title(status: Option<Status>, position: &Position) -> String {
    match status {
        None => " what happens: searching ".to_owned(),
        Some(status) if position.at == position.known => format!(" what happens: {} ", status.name()),
        Some(_) => " what happens ".to_owned(),
    }
}
