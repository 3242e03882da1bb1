//! The words around the grid: which puzzle it is, what has happened, and what is under the cursor.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::film::{SearchFilm, Tone};
use super::grid::Room;
use super::state::{FilmPosition, SearchViewer};
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
pub(super) fn title(film: &SearchFilm<'_>, position: &FilmPosition, palette: Palette) -> Line<'static> {
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
    film: &SearchFilm<'_>,
    state: &SearchViewer,
    position: &FilmPosition,
    palette: Palette,
    width: usize,
) -> Vec<Line<'static>> {
    let counts = film.counts();
    let mut so_far = format!(
        "decisions {}  conflicts {}  solutions {}",
        counted(counts.decisions),
        counted(counts.conflicts),
        counted(counts.solutions)
    );
    if counts.clauses > 0 {
        so_far += &format!("  learned {}", counted(counts.clauses));
    }
    so_far += &format!("  depth {}", film.depth());
    let keys = "space play  . > on  , < back  c conflict  d decision  tab cursor  ? help  q quit";
    vec![
        Line::raw(clipped(&now(state, position), width)),
        Line::raw(clipped(state.note.as_deref().unwrap_or(&so_far), width)),
        Line::styled(keys, palette.faint()),
    ]
}

/// Whether it plays, how fast, and where it stands.
fn now(state: &SearchViewer, position: &FilmPosition) -> String {
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

/// The last events that fit a room, the latest last and bold.
pub(super) fn story(film: &SearchFilm<'_>, palette: Palette, room: Room) -> Vec<Line<'static>> {
    // From the last line on, since the latest event must fit.
    let mut lines: Vec<Line<'static>> = Vec::new();
    for (age, (tone, words)) in film.told().rev().enumerate() {
        let (mut style, mut mark) = (style(tone, palette), "- ");
        if age == 0 {
            (style, mark) = (style.add_modifier(Modifier::BOLD), "> ");
        }
        let mut told = Vec::new();
        // Wrapped lines go on without a mark.
        for words in wrap(words, room.columns.saturating_sub(2).max(1)).lines() {
            told.push(Line::styled(format!("{mark}{words}"), style));
            mark = "  ";
        }
        lines.extend(told.into_iter().rev());
        if lines.len() >= room.lines {
            break;
        }
    }
    if lines.is_empty() {
        lines.push(Line::raw("the puzzle, before the first step"));
    }
    // Too long a story loses its oldest lines.
    lines.truncate(room.lines);
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
pub(super) fn cell_title(film: &SearchFilm<'_>, state: &SearchViewer) -> String {
    let place = state.cell.0 * film.puzzle.cols() + state.cell.1;
    let name = film.puzzle.cell_name(place);
    let mut groups = film.puzzle.groups().iter().filter(|group| group.cells.contains(&place));
    match groups.find_map(|group| group.clue) {
        Some(clue) => format!(" {name} in {} ", clue.printed()),
        None => format!(" {name} "),
    }
}

/// What is left in the cell under the cursor, and what removed the rest.
pub(super) fn cell(film: &SearchFilm<'_>, state: &SearchViewer, width: usize) -> Vec<Line<'static>> {
    let place = state.cell.0 * film.puzzle.cols() + state.cell.1;
    let Some(cell) = film.problem.cell_at(place) else { return vec![Line::raw("a black cell")] };
    let left = digits(film, film.candidates(cell));
    let mut sentences = vec![match left.len() {
        0 => "nothing is left".to_owned(),
        1 => format!("{} is left", left[0]),
        _ => format!("{} are left", left.join(" ")),
    }];
    for (ranks, number, words) in film.causes(cell) {
        let mut why = format!("not {}: {words}", enumeration(digits(film, ranks)));
        if number > 0 {
            why += &format!(" (event {})", counted(number as u64));
        }
        sentences.push(why);
    }
    let mut lines = Vec::new();
    for sentence in sentences {
        lines.extend(wrap(&sentence, width).lines().map(|line| Line::raw(line.to_owned())));
    }
    lines
}

/// The digits of some ranks.
fn digits(film: &SearchFilm<'_>, ranks: u32) -> Vec<String> {
    bits(ranks).map(|rank| film.problem.values()[rank as usize].to_string()).collect()
}

/// How the search ended, for the frame of the story; before the end of the film it tells nothing.
pub(super) fn story_title(status: Option<Status>, position: &FilmPosition) -> String {
    match status {
        None => " what happens: searching ".to_owned(),
        Some(status) if position.at == position.known => format!(" what happens: {} ", status.name()),
        Some(_) => " what happens ".to_owned(),
    }
}
