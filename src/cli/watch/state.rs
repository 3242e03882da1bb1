//! The viewer's state between two keys, and the command each key gives: a pure state machine.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::cli::screen;
use kenga_lab::playback::{PlayerCommand, Speed, View};

/// Speeds that `+` and `-` go through, in generations a second; beyond them there is no limit.
const SPEEDS: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 1000.0];

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
pub(super) struct Bounds {
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
    pub(super) fn key(&mut self, key: KeyEvent, view: &View, bounds: &Bounds) -> Action {
        let code = key.code;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return if code == KeyCode::Char('c') { Action::Interrupt } else { Action::None };
        }
        if self.helps {
            self.helps = false;
            return Action::None;
        }
        match code {
            KeyCode::Char('q') | KeyCode::Esc => Action::Quit,
            KeyCode::Char('?' | 'h') => {
                self.helps = true;
                Action::None
            }
            KeyCode::Tab => self.look_at(self.focus.step(1)),
            KeyCode::BackTab => self.look_at(self.focus.step(Focus::ALL.len() - 1)),
            KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down => self.arrow(code, view, bounds),
            KeyCode::Char('[') => self.show_island(self.island.checked_sub(1).unwrap_or(bounds.islands - 1)),
            KeyCode::Char(']') => self.show_island((self.island + 1) % bounds.islands),
            KeyCode::Char('n') => other_run(view.run.checked_add(1), bounds),
            KeyCode::Char('p') => other_run(view.run.checked_sub(1), bounds),
            _ => in_time(code, view),
        }
    }

    fn look_at(&mut self, focus: Focus) -> Action {
        self.focus = focus;
        Action::None
    }

    fn show_island(&mut self, island: usize) -> Action {
        (self.island, self.row) = (island, 0);
        Action::None
    }

    fn arrow(&mut self, code: KeyCode, view: &View, bounds: &Bounds) -> Action {
        let moved = |at: usize, back: KeyCode, on: KeyCode, count: usize| {
            screen::moved(at, i8::from(code == on) - i8::from(code == back), count)
        };
        let (up, down, left, right) = (KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right);
        match self.focus {
            Focus::Time => return scrub(code, view),
            Focus::Grid => {
                let (rows, columns) = bounds.grid;
                self.cell = (moved(self.cell.0, up, down, rows), moved(self.cell.1, left, right, columns));
            }
            Focus::Population => self.row = moved(self.row, up, down, bounds.rows),
            Focus::Islands => {
                let island = moved(self.island, up, down, bounds.islands);
                if island != self.island {
                    return self.show_island(island);
                }
            }
            Focus::Operators => {}
        }
        Action::None
    }
}

/// Left and right: a hundredth of what is known of the run, one generation at least.
fn scrub(code: KeyCode, view: &View) -> Action {
    let at = view.frame.as_ref().map_or(0, |frame| frame.generation);
    let known = view.last.or(view.curve.last().map(|sample| sample.generation)).unwrap_or(at);
    let by = (known / 100).max(1);
    match code {
        KeyCode::Left => Action::Command(PlayerCommand::Seek(at.saturating_sub(by))),
        KeyCode::Right => Action::Command(PlayerCommand::Seek(at.saturating_add(by))),
        _ => Action::None,
    }
}

/// Another run, if there is one.
fn other_run(run: Option<u64>, bounds: &Bounds) -> Action {
    run.filter(|run| *run < bounds.runs).map_or(Action::None, Action::Run)
}

/// The keys that move in time.
fn in_time(code: KeyCode, view: &View) -> Action {
    let at = view.frame.as_ref().map_or(0, |frame| frame.generation);
    let is_over = view.frame.as_ref().is_some_and(|frame| frame.stop.is_some());
    match code {
        // At the end there is nothing left to play.
        KeyCode::Char(' ') if is_over => Action::Command(PlayerCommand::Seek(0)),
        KeyCode::Char(' ') => Action::Play(!view.plays),
        KeyCode::Char('.') => Action::Command(PlayerCommand::Forward(1)),
        KeyCode::Char('>') => Action::Command(PlayerCommand::Forward(10)),
        // The end stands behind the last generation.
        KeyCode::Char(',') if is_over => Action::Command(PlayerCommand::Seek(at)),
        KeyCode::Char(',') => Action::Command(PlayerCommand::Seek(at.saturating_sub(1))),
        KeyCode::Char('<') => Action::Command(PlayerCommand::Seek(at.saturating_sub(10))),
        KeyCode::Char('i') => Action::Command(PlayerCommand::Improvement),
        KeyCode::Char('o') => Action::Command(PlayerCommand::CountOperators(!view.counts_operators)),
        KeyCode::Home => Action::Command(PlayerCommand::Seek(0)),
        KeyCode::End => Action::Command(PlayerCommand::End),
        KeyCode::Char('+' | '=') => Action::Speed(faster(view.speed)),
        KeyCode::Char('-') => Action::Speed(slower(view.speed)),
        _ => Action::None,
    }
}

fn faster(speed: Speed) -> Speed {
    let Speed::Generations(rate) = speed else { return speed };
    let next = SPEEDS.into_iter().find(|next| *next > rate);
    next.map_or(Speed::Unlimited, Speed::Generations)
}

fn slower(speed: Speed) -> Speed {
    let below = |rate: f64| SPEEDS.into_iter().rev().find(|next| *next < rate).unwrap_or(SPEEDS[0]);
    Speed::Generations(match speed {
        Speed::Generations(rate) => below(rate),
        Speed::Unlimited => below(f64::INFINITY),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const BOUNDS: Bounds = Bounds { grid: (4, 6), islands: 3, rows: 10, runs: 5 };

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
    fn speeds_go_up_to_no_limit_and_back() {
        let mut speed = Speed::Generations(1.0);
        for _ in 0..20 {
            speed = faster(speed);
        }
        assert_eq!(speed, Speed::Unlimited);
        assert_eq!(slower(speed), Speed::Generations(1000.0));
        assert_eq!(slower(Speed::Generations(1.0)), Speed::Generations(1.0));
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

    #[test]
    fn any_key_closes_the_help_and_does_nothing_else() {
        let mut state = ViewerState::default();
        press(&mut state, KeyCode::Char('?'));
        assert!(state.helps);
        assert_eq!(press(&mut state, KeyCode::Char('q')), Action::None);
        assert!(!state.helps);
    }
}
