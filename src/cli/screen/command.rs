//! The keys that all viewers have, and the speeds that they go through.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key asks a viewer for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum ViewerCommand {
    /// Leave.
    Quit,
    /// Leave as after a signal: a terminal that is taken over sends none for Ctrl-C.
    Interrupt,
    /// The cursor to the next panel, or to the one before.
    Panel { forward: bool },
    /// Move the cursor.
    Move(Arrow),
    /// The next run or puzzle, or the one before.
    Neighbour { forward: bool },
    /// The next speed up.
    Faster,
    /// The next speed down.
    Slower,
    /// Play, or pause.
    Play,
    /// Forward by so many steps, or back.
    Step(i8),
    /// To the start.
    Start,
    /// To the end.
    End,
    /// A key that has a meaning in one viewer.
    Own(char),
}

/// Rows down and columns to the right, each -1, 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Arrow {
    pub(in crate::cli) down: i8,
    pub(in crate::cli) right: i8,
}

impl ViewerCommand {
    /// What a key asks for; nothing where it opens or closes the help, or has no meaning.
    pub(in crate::cli) fn of(key: KeyEvent, helps: &mut bool) -> Option<Self> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return (key.code == KeyCode::Char('c')).then_some(Self::Interrupt);
        }
        // Any key closes the help, and does nothing else.
        if *helps {
            *helps = false;
            return None;
        }
        Some(match key.code {
            KeyCode::Char('?' | 'h') => {
                *helps = true;
                return None;
            }
            KeyCode::Char('q') | KeyCode::Esc => Self::Quit,
            KeyCode::Tab => Self::Panel { forward: true },
            KeyCode::BackTab => Self::Panel { forward: false },
            KeyCode::Up => Self::Move(Arrow { down: -1, right: 0 }),
            KeyCode::Down => Self::Move(Arrow { down: 1, right: 0 }),
            KeyCode::Left => Self::Move(Arrow { down: 0, right: -1 }),
            KeyCode::Right => Self::Move(Arrow { down: 0, right: 1 }),
            KeyCode::Char('n') => Self::Neighbour { forward: true },
            KeyCode::Char('p') => Self::Neighbour { forward: false },
            KeyCode::Char('+' | '=') => Self::Faster,
            KeyCode::Char('-') => Self::Slower,
            KeyCode::Char(' ') => Self::Play,
            KeyCode::Char('.') => Self::Step(1),
            KeyCode::Char('>') => Self::Step(10),
            KeyCode::Char(',') => Self::Step(-1),
            KeyCode::Char('<') => Self::Step(-10),
            KeyCode::Home => Self::Start,
            KeyCode::End => Self::End,
            KeyCode::Char(other) => Self::Own(other),
            _ => return None,
        })
    }
}

impl Arrow {
    /// The cell, a row and a column, that it leads to in a grid of so many rows and columns.
    pub(in crate::cli) fn cell(self, from: (usize, usize), grid: (usize, usize)) -> (usize, usize) {
        (moved(from.0, self.down, grid.0), moved(from.1, self.right, grid.1))
    }
}

/// One place on or back, within `count`.
pub(in crate::cli) fn moved(at: usize, on: i8, count: usize) -> usize {
    let last = count.saturating_sub(1);
    at.min(last).saturating_add_signed(on.into()).min(last)
}

/// Steps a second; beyond the last there is no limit.
const SPEEDS: [f64; 10] = [0.5, 1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 1000.0];

/// The next speed up, in steps a second; `None` is no limit.
pub(in crate::cli) fn faster(speed: Option<f64>) -> Option<f64> {
    let rate = speed?;
    SPEEDS.into_iter().find(|next| *next > rate)
}

/// The next speed down, in steps a second; what is slower than all of them stays.
pub(in crate::cli) fn slower(speed: Option<f64>) -> Option<f64> {
    let rate = speed.unwrap_or(f64::INFINITY);
    Some(SPEEDS.into_iter().rfind(|next| *next < rate).unwrap_or(SPEEDS[0].min(rate)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, helps: &mut bool) -> Option<ViewerCommand> {
        ViewerCommand::of(KeyEvent::new(code, KeyModifiers::NONE), helps)
    }

    #[test]
    fn any_key_closes_the_help_and_does_nothing_else() {
        let mut helps = false;
        assert_eq!((press(KeyCode::Char('?'), &mut helps), helps), (None, true));
        assert_eq!((press(KeyCode::Char('q'), &mut helps), helps), (None, false));
        assert_eq!(press(KeyCode::Char('q'), &mut helps), Some(ViewerCommand::Quit));
    }

    #[test]
    fn ctrl_c_leaves_from_the_help_too() {
        let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(ViewerCommand::of(key, &mut true), Some(ViewerCommand::Interrupt));
    }

    #[test]
    fn speeds_go_up_to_no_limit_and_back_and_no_key_for_slower_is_faster() {
        let mut speed = Some(0.1);
        for _ in 0..20 {
            speed = faster(speed);
            if speed.is_none() {
                break;
            }
        }
        assert_eq!(speed, None);
        assert_eq!(slower(speed), Some(1000.0));
        assert_eq!(slower(Some(3.0)), Some(2.0));
        assert_eq!([slower(Some(0.5)), slower(Some(0.1))], [Some(0.5), Some(0.1)]);
    }
}
