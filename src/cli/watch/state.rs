//! The viewer's state between two keys, and the command each key gives: a pure state machine.

use ratatui::crossterm::event::KeyEvent;

use crate::cli::screen::{Arrow, ViewerCommand, faster, moved, slower};
use kenga_lab::playback::{PlayerCommand, Speed, View};

/// What the arrow keys move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Focus {
    /// The moment that is shown.
    #[default]
    Time,
    /// A cursor in the grid.
    Grid,
    /// A cursor in the population.
    Population,
    /// The list of islands.
    Islands,
    /// The list of operators.
    Operators,
}

impl Focus {
    const ALL: [Self; 5] = [Self::Time, Self::Grid, Self::Population, Self::Islands, Self::Operators];

    fn step(self, by: usize) -> Self {
        let place = Self::ALL.iter().position(|focus| *focus == self).unwrap_or(0);
        Self::ALL[(place + by) % Self::ALL.len()]
    }
}

/// A viewer's command: what a key changes outside the viewer's own state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Action {
    /// Nothing.
    None,
    /// A command for the player.
    Command(PlayerCommand),
    /// Play or pause.
    Play(bool),
    /// Another speed.
    Speed(Speed),
    /// Another run.
    Run(u64),
    /// Leave.
    Quit,
    /// Leave as after a signal.
    Interrupt,
}

/// What the cursors may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CursorBounds {
    /// Rows and columns of the grid.
    pub(super) grid: (usize, usize),
    /// Islands, 1 or more.
    pub(super) islands: usize,
    /// Individuals of the island that is shown.
    pub(super) rows: usize,
    /// Runs of the plan.
    pub(super) runs: u64,
}

/// What the viewer remembers between two keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ViewerState {
    pub(super) focus: Focus,
    /// The cell under the cursor, row and column.
    pub(super) cell: (usize, usize),
    /// The row of the population under the cursor.
    pub(super) row: usize,
    /// The island that is shown.
    pub(super) island: usize,
    /// Help lies over the panels.
    pub(super) helps: bool,
}

impl ViewerState {
    /// Takes a key.
    pub(super) fn key(&mut self, key: KeyEvent, view: &View, bounds: &CursorBounds) -> Action {
        let Some(command) = ViewerCommand::of(key, &mut self.helps) else { return Action::None };
        match command {
            ViewerCommand::Quit => return Action::Quit,
            ViewerCommand::Interrupt => return Action::Interrupt,
            ViewerCommand::Panel { forward: true } => self.focus = self.focus.step(1),
            ViewerCommand::Panel { forward: false } => self.focus = self.focus.step(Focus::ALL.len() - 1),
            ViewerCommand::Move(arrow) => return self.arrow(arrow, view, bounds),
            ViewerCommand::Own('[') => {
                self.show_island(self.island.checked_sub(1).unwrap_or(bounds.islands - 1))
            }
            ViewerCommand::Own(']') => self.show_island((self.island + 1) % bounds.islands),
            _ => return in_time(command, view, bounds),
        }
        Action::None
    }

    fn show_island(&mut self, island: usize) {
        (self.island, self.row) = (island, 0);
    }

    fn arrow(&mut self, arrow: Arrow, view: &View, bounds: &CursorBounds) -> Action {
        match self.focus {
            Focus::Time => return scrub(arrow, view),
            Focus::Grid => self.cell = arrow.cell(self.cell, bounds.grid),
            Focus::Population => self.row = moved(self.row, arrow.down, bounds.rows),
            Focus::Islands => {
                let island = moved(self.island, arrow.down, bounds.islands);
                if island != self.island {
                    self.show_island(island);
                }
            }
            Focus::Operators => {}
        }
        Action::None
    }
}

/// Left and right: a hundredth of what is known of the run, one generation at least.
fn scrub(arrow: Arrow, view: &View) -> Action {
    let at = generation(view);
    let known = view.last.or(view.curve.last().map(|sample| sample.generation)).unwrap_or(at);
    let by = (known / 100).max(1);
    match arrow.right {
        -1 => Action::Command(PlayerCommand::Seek(at.saturating_sub(by))),
        1 => Action::Command(PlayerCommand::Seek(at.saturating_add(by))),
        _ => Action::None,
    }
}

/// The generation that is shown.
fn generation(view: &View) -> u64 {
    view.frame.as_ref().map_or(0, |frame| frame.generation)
}

/// The keys that move in time, and to other runs.
fn in_time(command: ViewerCommand, view: &View, bounds: &CursorBounds) -> Action {
    let at = generation(view);
    let is_over = view.frame.as_ref().is_some_and(|frame| frame.stop.is_some());
    let for_player = match command {
        // At the end there is nothing left to play.
        ViewerCommand::Play if is_over => PlayerCommand::Seek(0),
        ViewerCommand::Play => return Action::Play(!view.plays),
        // The end stands behind the last generation.
        ViewerCommand::Step(-1) if is_over => PlayerCommand::Seek(at),
        ViewerCommand::Step(by @ ..0) => PlayerCommand::Seek(at.saturating_add_signed(by.into())),
        ViewerCommand::Step(by) => PlayerCommand::Forward(by.unsigned_abs().into()),
        ViewerCommand::Own('i') => PlayerCommand::Improvement,
        ViewerCommand::Own('o') => PlayerCommand::CountOperators(!view.counts_operators),
        ViewerCommand::Start => PlayerCommand::Seek(0),
        ViewerCommand::End => PlayerCommand::End,
        ViewerCommand::Faster => return Action::Speed(speed(faster(rate(view.speed)))),
        ViewerCommand::Slower => return Action::Speed(speed(slower(rate(view.speed)))),
        ViewerCommand::Neighbour { forward: true } if view.run + 1 < bounds.runs => {
            return Action::Run(view.run + 1);
        }
        ViewerCommand::Neighbour { forward: false } if view.run > 0 => return Action::Run(view.run - 1),
        _ => return Action::None,
    };
    Action::Command(for_player)
}

/// Generations a second; `None` without a limit.
fn rate(speed: Speed) -> Option<f64> {
    match speed {
        Speed::Generations(rate) => Some(rate),
        Speed::Unlimited => None,
    }
}

fn speed(rate: Option<f64>) -> Speed {
    rate.map_or(Speed::Unlimited, Speed::Generations)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ratatui::crossterm::event::{KeyCode, KeyModifiers};

    use super::*;

    const BOUNDS: CursorBounds = CursorBounds { grid: (4, 6), islands: 3, rows: 10, runs: 5 };

    fn view() -> View {
        View {
            run: 2,
            frame: None,
            curve: Arc::default(),
            record: None,
            last: Some(900),
            speed: Speed::Generations(10.0),
            plays: false,
            replays: None,
            counts_operators: false,
            fitness: None,
        }
    }

    fn press(state: &mut ViewerState, code: KeyCode) -> Action {
        state.key(KeyEvent::new(code, KeyModifiers::NONE), &view(), &BOUNDS)
    }

    #[test]
    fn keys_ask_for_what_the_help_says() {
        let of = |code| press(&mut ViewerState::default(), code);
        assert_eq!(of(KeyCode::Char(' ')), Action::Play(true));
        assert_eq!(of(KeyCode::Char('.')), Action::Command(PlayerCommand::Forward(1)));
        assert_eq!(of(KeyCode::Char('>')), Action::Command(PlayerCommand::Forward(10)));
        assert_eq!(of(KeyCode::Right), Action::Command(PlayerCommand::Seek(9)));
        assert_eq!(of(KeyCode::Left), Action::Command(PlayerCommand::Seek(0)));
        assert_eq!(of(KeyCode::Home), Action::Command(PlayerCommand::Seek(0)));
        assert_eq!(of(KeyCode::End), Action::Command(PlayerCommand::End));
        assert_eq!(of(KeyCode::Char('n')), Action::Run(3));
        assert_eq!(of(KeyCode::Char('p')), Action::Run(1));
        assert_eq!(of(KeyCode::Char('q')), Action::Quit);
        assert_eq!(of(KeyCode::Esc), Action::Quit);
        assert_eq!(of(KeyCode::Char('c')), Action::None);
        let control = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(ViewerState::default().key(control, &view(), &BOUNDS), Action::Interrupt);
    }

    #[test]
    fn there_is_no_run_before_the_first_or_after_the_last() {
        let at = |run, code| {
            let key = KeyEvent::new(KeyCode::Char(code), KeyModifiers::NONE);
            ViewerState::default().key(key, &View { run, ..view() }, &BOUNDS)
        };
        assert_eq!([at(4, 'n'), at(0, 'p')], [Action::None; 2]);
    }

    #[test]
    fn slower_than_the_slowest_speed_stays_as_it_is() {
        let slow = View { speed: Speed::Generations(0.01), ..view() };
        let minus = KeyEvent::new(KeyCode::Char('-'), KeyModifiers::NONE);
        let action = ViewerState::default().key(minus, &slow, &BOUNDS);
        assert_eq!(action, Action::Speed(Speed::Generations(0.01)));
    }

    #[test]
    fn cursors_stay_within_their_bounds() {
        let mut state = ViewerState::default();
        press(&mut state, KeyCode::Tab);
        assert_eq!(state.focus, Focus::Grid);
        for code in [KeyCode::Up, KeyCode::Left, KeyCode::Down, KeyCode::Right, KeyCode::Right] {
            assert_eq!(press(&mut state, code), Action::None);
        }
        assert_eq!(state.cell, (1, 2));
        (0..9).for_each(|_| assert_eq!(press(&mut state, KeyCode::Down), Action::None));
        assert_eq!(state.cell, (3, 2));
        press(&mut state, KeyCode::Tab);
        (0..20).for_each(|_| assert_eq!(press(&mut state, KeyCode::Down), Action::None));
        assert_eq!(state.row, 9);
        press(&mut state, KeyCode::Char('['));
        assert_eq!((state.island, state.row), (2, 0));
        press(&mut state, KeyCode::Char(']'));
        assert_eq!(state.island, 0);
        press(&mut state, KeyCode::BackTab);
        assert_eq!(state.focus, Focus::Grid);
    }
}
