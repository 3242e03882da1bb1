//! The viewer's state between two keys, and the command each key gives: a pure state machine.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::film::Landmark;
use crate::cli::screen::moved;

/// Speeds that `+` and `-` go through, in events a second; beyond them there is no limit.
const SPEEDS: [f64; 10] = [0.5, 1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 1000.0];

/// A viewer's command: what a key changes outside the viewer's own state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Action {
    None,
    /// To a moment, by the number of events.
    Seek(usize),
    /// To the next landmark, or to the one before.
    Find(Landmark, bool),
    /// To another puzzle.
    Puzzle(usize),
    Quit,
    Interrupt,
}

/// The moment that the film shows, and what bounds the keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// The number of events so far, and of all that are known.
    pub(super) at: usize,
    pub(super) known: usize,
    /// The search is over, and the last known event is its end.
    pub(super) is_over: bool,
    /// Rows and columns of the grid.
    pub(super) grid: (usize, usize),
    /// The puzzle, and how many there are.
    pub(super) puzzle: usize,
    pub(super) puzzles: usize,
}

/// What the viewer remembers between two keys.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ViewerState {
    pub(super) plays: bool,
    /// Events a second; none without a limit.
    pub(super) speed: Option<f64>,
    /// The cursor is in the grid.
    pub(super) looks: bool,
    /// The cell under the cursor, row and column.
    pub(super) cell: (usize, usize),
    /// Candidates are wanted, or unwanted; else shown where they fit.
    pub(super) candidates: Option<bool>,
    /// Help lies over the panels.
    pub(super) helps: bool,
    /// What a key did not find.
    pub(super) note: Option<String>,
}

impl ViewerState {
    pub(super) fn new(speed: f64) -> Self {
        Self {
            plays: true,
            speed: Some(speed),
            looks: false,
            cell: (0, 0),
            candidates: None,
            helps: false,
            note: None,
        }
    }

    /// Takes a key; `shows_candidates` as the screen does now.
    pub(super) fn key(&mut self, key: KeyEvent, position: &Position, shows_candidates: bool) -> Action {
        let code = key.code;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return if code == KeyCode::Char('c') { Action::Interrupt } else { Action::None };
        }
        self.note = None;
        if self.helps {
            self.helps = false;
            return Action::None;
        }
        match code {
            KeyCode::Char('q') | KeyCode::Esc => return Action::Quit,
            KeyCode::Char('?' | 'h') => self.helps = true,
            KeyCode::Tab | KeyCode::BackTab => self.looks = !self.looks,
            KeyCode::Char('k') => self.candidates = Some(!shows_candidates),
            KeyCode::Char('+' | '=') => self.speed = faster(self.speed),
            KeyCode::Char('-') => self.speed = slower(self.speed),
            KeyCode::Char('n') => return other(position.puzzle.checked_add(1), position),
            KeyCode::Char('p') => return other(position.puzzle.checked_sub(1), position),
            KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down if self.looks => {
                self.look(code, position.grid);
            }
            _ => return self.in_time(code, position),
        }
        Action::None
    }

    fn look(&mut self, code: KeyCode, (rows, columns): (usize, usize)) {
        let on = |back: KeyCode, on: KeyCode| i8::from(code == on) - i8::from(code == back);
        self.cell = (
            moved(self.cell.0, on(KeyCode::Up, KeyCode::Down), rows),
            moved(self.cell.1, on(KeyCode::Left, KeyCode::Right), columns),
        );
    }

    /// The keys that move in time; all but space pause.
    fn in_time(&mut self, code: KeyCode, position: &Position) -> Action {
        let at = position.at;
        let is_at_end = position.is_over && at == position.known;
        let share = (position.known / 100).max(1);
        if code == KeyCode::Char(' ') {
            self.plays = !self.plays || is_at_end;
            return if is_at_end { Action::Seek(0) } else { Action::None };
        }
        let action = match code {
            KeyCode::Char('.') => Action::Seek(at + 1),
            KeyCode::Char('>') => Action::Seek(at + 10),
            KeyCode::Char(',') => Action::Seek(at.saturating_sub(1)),
            KeyCode::Char('<') => Action::Seek(at.saturating_sub(10)),
            KeyCode::Right => Action::Seek(at + share),
            KeyCode::Left => Action::Seek(at.saturating_sub(share)),
            KeyCode::Home => Action::Seek(0),
            KeyCode::End => Action::Seek(usize::MAX),
            KeyCode::Char('c') => Action::Find(Landmark::Conflict, true),
            KeyCode::Char('C') => Action::Find(Landmark::Conflict, false),
            KeyCode::Char('d') => Action::Find(Landmark::Decision, true),
            KeyCode::Char('D') => Action::Find(Landmark::Decision, false),
            KeyCode::Char('s') => Action::Find(Landmark::Solution, true),
            KeyCode::Char('S') => Action::Find(Landmark::Solution, false),
            _ => return Action::None,
        };
        self.plays = false;
        action
    }
}

/// Another puzzle, if there is one.
fn other(puzzle: Option<usize>, position: &Position) -> Action {
    puzzle.filter(|puzzle| *puzzle < position.puzzles).map_or(Action::None, Action::Puzzle)
}

fn faster(speed: Option<f64>) -> Option<f64> {
    SPEEDS.into_iter().find(|next| speed.is_some_and(|speed| *next > speed))
}

fn slower(speed: Option<f64>) -> Option<f64> {
    let rate = speed.unwrap_or(f64::INFINITY);
    Some(SPEEDS.into_iter().rev().find(|next| *next < rate).unwrap_or(SPEEDS[0].min(rate)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITION: Position =
        Position { at: 30, known: 900, is_over: true, grid: (4, 6), puzzle: 1, puzzles: 3 };

    fn press(state: &mut ViewerState, code: KeyCode) -> Action {
        state.key(KeyEvent::new(code, KeyModifiers::NONE), &POSITION, true)
    }

    #[test]
    fn keys_ask_for_what_the_help_says() {
        let of = |code| press(&mut ViewerState::new(2.0), code);
        for (code, at) in [('.', 31), ('>', 40), (',', 29), ('<', 20)] {
            assert_eq!(of(KeyCode::Char(code)), Action::Seek(at));
        }
        assert_eq!(of(KeyCode::Right), Action::Seek(39));
        assert_eq!(of(KeyCode::Left), Action::Seek(21));
        assert_eq!(of(KeyCode::Home), Action::Seek(0));
        assert_eq!(of(KeyCode::End), Action::Seek(usize::MAX));
        assert_eq!(of(KeyCode::Char('c')), Action::Find(Landmark::Conflict, true));
        assert_eq!(of(KeyCode::Char('C')), Action::Find(Landmark::Conflict, false));
        assert_eq!(of(KeyCode::Char('d')), Action::Find(Landmark::Decision, true));
        assert_eq!(of(KeyCode::Char('n')), Action::Puzzle(2));
        assert_eq!(of(KeyCode::Char('p')), Action::Puzzle(0));
        assert_eq!(of(KeyCode::Esc), Action::Quit);
        let control = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(ViewerState::new(2.0).key(control, &POSITION, true), Action::Interrupt);
    }

    #[test]
    fn space_plays_pauses_and_begins_again_at_the_end() {
        let mut state = ViewerState::new(2.0);
        assert_eq!(press(&mut state, KeyCode::Char(' ')), Action::None);
        assert!(!state.plays);
        let end = Position { at: 900, ..POSITION };
        let space = KeyEvent::new(KeyCode::Char(' '), KeyModifiers::NONE);
        assert_eq!(state.key(space, &end, true), Action::Seek(0));
        assert!(state.plays);
        press(&mut state, KeyCode::Char('.'));
        assert!(!state.plays, "a step pauses");
    }

    #[test]
    fn the_arrows_move_the_cursor_while_it_is_in_the_grid() {
        let mut state = ViewerState::new(2.0);
        press(&mut state, KeyCode::Tab);
        for _ in 0..9 {
            assert_eq!(press(&mut state, KeyCode::Down), Action::None);
        }
        press(&mut state, KeyCode::Right);
        assert_eq!(state.cell, (3, 1));
        press(&mut state, KeyCode::Tab);
        assert_eq!(press(&mut state, KeyCode::Right), Action::Seek(39));
    }

    #[test]
    fn there_is_no_puzzle_before_the_first_or_after_the_last() {
        let at = |puzzle, code| {
            let key = KeyEvent::new(KeyCode::Char(code), KeyModifiers::NONE);
            ViewerState::new(2.0).key(key, &Position { puzzle, ..POSITION }, true)
        };
        assert_eq!([at(0, 'p'), at(2, 'n')], [Action::None; 2]);
    }

    #[test]
    fn speeds_go_up_to_no_limit_and_back() {
        let mut speed = Some(0.1);
        for _ in 0..20 {
            speed = faster(speed);
            if speed.is_none() {
                break;
            }
        }
        assert_eq!(speed, None);
        assert_eq!(slower(speed), Some(1000.0));
        assert_eq!(slower(Some(0.5)), Some(0.5));
        assert_eq!(slower(Some(0.1)), Some(0.1));
        assert_eq!(slower(Some(3.0)), Some(2.0));
    }

    #[test]
    fn candidates_are_turned_from_what_is_shown() {
        let mut state = ViewerState::new(2.0);
        press(&mut state, KeyCode::Char('k'));
        assert_eq!(state.candidates, Some(false));
    }
}
