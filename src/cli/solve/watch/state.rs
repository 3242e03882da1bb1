//! The viewer's state between two keys, and the command each key gives: a pure state machine.

use ratatui::crossterm::event::KeyEvent;

use super::film::Landmark;
use crate::cli::screen::{Arrow, ViewerCommand, faster, slower};

/// A viewer's command: what a key changes outside the viewer's own state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SearchAction {
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
pub(super) struct FilmPosition {
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
pub(super) struct SearchViewer {
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

impl SearchViewer {
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
    pub(super) fn key(
        &mut self,
        key: KeyEvent,
        position: &FilmPosition,
        shows_candidates: bool,
    ) -> SearchAction {
        self.note = None;
        let Some(command) = ViewerCommand::of(key, &mut self.helps) else { return SearchAction::None };
        match command {
            ViewerCommand::Quit => return SearchAction::Quit,
            ViewerCommand::Interrupt => return SearchAction::Interrupt,
            ViewerCommand::Panel { .. } => self.looks = !self.looks,
            ViewerCommand::Own('k') => self.candidates = Some(!shows_candidates),
            ViewerCommand::Faster => self.speed = faster(self.speed),
            ViewerCommand::Slower => self.speed = slower(self.speed),
            ViewerCommand::Neighbour { forward: true } if position.puzzle + 1 < position.puzzles => {
                return SearchAction::Puzzle(position.puzzle + 1);
            }
            ViewerCommand::Neighbour { forward: false } if position.puzzle > 0 => {
                return SearchAction::Puzzle(position.puzzle - 1);
            }
            ViewerCommand::Move(arrow) if self.looks => self.cell = arrow.cell(self.cell, position.grid),
            _ => return self.in_time(command, position),
        }
        SearchAction::None
    }

    /// The keys that move in time; all but space pause.
    fn in_time(&mut self, command: ViewerCommand, position: &FilmPosition) -> SearchAction {
        let at = position.at;
        let is_at_end = position.is_over && at == position.known;
        if command == ViewerCommand::Play {
            // At the end there is nothing left to play: it begins again.
            self.plays = !self.plays || is_at_end;
            return if is_at_end { SearchAction::Seek(0) } else { SearchAction::None };
        }
        let share = (position.known / 100).max(1);
        let action = match command {
            ViewerCommand::Step(by) => SearchAction::Seek(at.saturating_add_signed(by.into())),
            ViewerCommand::Move(Arrow { right: 1, .. }) => SearchAction::Seek(at + share),
            ViewerCommand::Move(Arrow { right: -1, .. }) => SearchAction::Seek(at.saturating_sub(share)),
            ViewerCommand::Start => SearchAction::Seek(0),
            ViewerCommand::End => SearchAction::Seek(usize::MAX),
            ViewerCommand::Own('c') => SearchAction::Find(Landmark::Conflict, true),
            ViewerCommand::Own('C') => SearchAction::Find(Landmark::Conflict, false),
            ViewerCommand::Own('d') => SearchAction::Find(Landmark::Decision, true),
            ViewerCommand::Own('D') => SearchAction::Find(Landmark::Decision, false),
            ViewerCommand::Own('s') => SearchAction::Find(Landmark::Solution, true),
            ViewerCommand::Own('S') => SearchAction::Find(Landmark::Solution, false),
            _ => return SearchAction::None,
        };
        self.plays = false;
        action
    }
}

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::{KeyCode, KeyModifiers};

    use super::*;

    const POSITION: FilmPosition =
        FilmPosition { at: 30, known: 900, is_over: true, grid: (4, 6), puzzle: 1, puzzles: 3 };

    fn press(state: &mut SearchViewer, code: KeyCode) -> SearchAction {
        state.key(KeyEvent::new(code, KeyModifiers::NONE), &POSITION, true)
    }

    #[test]
    fn keys_ask_for_what_the_help_says() {
        let of = |code| press(&mut SearchViewer::new(2.0), code);
        for (code, at) in [('.', 31), ('>', 40), (',', 29), ('<', 20)] {
            assert_eq!(of(KeyCode::Char(code)), SearchAction::Seek(at));
        }
        assert_eq!(of(KeyCode::Right), SearchAction::Seek(39));
        assert_eq!(of(KeyCode::Left), SearchAction::Seek(21));
        assert_eq!(of(KeyCode::Home), SearchAction::Seek(0));
        assert_eq!(of(KeyCode::End), SearchAction::Seek(usize::MAX));
        assert_eq!(of(KeyCode::Char('c')), SearchAction::Find(Landmark::Conflict, true));
        assert_eq!(of(KeyCode::Char('C')), SearchAction::Find(Landmark::Conflict, false));
        assert_eq!(of(KeyCode::Char('d')), SearchAction::Find(Landmark::Decision, true));
        assert_eq!(of(KeyCode::Char('n')), SearchAction::Puzzle(2));
        assert_eq!(of(KeyCode::Char('p')), SearchAction::Puzzle(0));
        assert_eq!(of(KeyCode::Esc), SearchAction::Quit);
        let control = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(SearchViewer::new(2.0).key(control, &POSITION, true), SearchAction::Interrupt);
    }

    #[test]
    fn space_plays_pauses_and_begins_again_at_the_end() {
        let mut state = SearchViewer::new(2.0);
        assert_eq!(press(&mut state, KeyCode::Char(' ')), SearchAction::None);
        assert!(!state.plays);
        let end = FilmPosition { at: 900, ..POSITION };
        let space = KeyEvent::new(KeyCode::Char(' '), KeyModifiers::NONE);
        assert_eq!(state.key(space, &end, true), SearchAction::Seek(0));
        assert!(state.plays);
        press(&mut state, KeyCode::Char('.'));
        assert!(!state.plays, "a step pauses");
    }

    #[test]
    fn the_arrows_move_the_cursor_while_it_is_in_the_grid() {
        let mut state = SearchViewer::new(2.0);
        press(&mut state, KeyCode::Tab);
        for _ in 0..9 {
            assert_eq!(press(&mut state, KeyCode::Down), SearchAction::None);
        }
        press(&mut state, KeyCode::Right);
        assert_eq!(state.cell, (3, 1));
        press(&mut state, KeyCode::Tab);
        assert_eq!(press(&mut state, KeyCode::Right), SearchAction::Seek(39));
    }

    #[test]
    fn there_is_no_puzzle_before_the_first_or_after_the_last() {
        let at = |puzzle, code| {
            let key = KeyEvent::new(KeyCode::Char(code), KeyModifiers::NONE);
            SearchViewer::new(2.0).key(key, &FilmPosition { puzzle, ..POSITION }, true)
        };
        assert_eq!([at(0, 'p'), at(2, 'n')], [SearchAction::None; 2]);
    }

    #[test]
    fn candidates_are_turned_from_what_is_shown() {
        let mut state = SearchViewer::new(2.0);
        press(&mut state, KeyCode::Char('k'));
        assert_eq!(state.candidates, Some(false));
    }
}
