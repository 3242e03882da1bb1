//! What the viewers on a terminal share: the screen, its keys, its colours, and a few shapes.
//!
//! A key that all viewers have is a [`ViewerCommand`] and a line in the help of each; one that a single viewer has is its own
//! [`ViewerCommand::Own`].

mod command;
mod guard;
mod style;

use std::io;
use std::ops::Range;
use std::time::Duration;

use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use ratatui::layout::{Constraint, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

pub(super) use command::{Arrow, ViewerCommand, faster, moved, slower};
pub(super) use guard::{ScreenGuard, check};
pub(super) use style::Palette;

/// The smallest screen: columns and lines.
pub(super) const SMALLEST: (u16, u16) = (80, 24);

/// How long to wait for a key before the screen is drawn again.
const TICK: Duration = Duration::from_millis(50);

/// What a terminal sends for Ctrl-C, where nobody takes the key.
pub(super) const SIGINT: usize = 2;

/// The next key, if one is pressed within a tick.
///
/// # Errors
/// What the terminal refuses.
pub(super) fn next_key() -> io::Result<Option<KeyEvent>> {
    if !event::poll(TICK)? {
        return Ok(None);
    }
    Ok(match event::read()? {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(key),
        _ => None,
    })
}

/// Says on a screen that is too small what is needed; whether it did.
pub(super) fn is_too_small(command: &str, to: &mut Frame<'_>) -> bool {
    let area = to.area();
    let is_small = area.width < SMALLEST.0 || area.height < SMALLEST.1;
    if is_small {
        let needs = format!(
            "{command} needs {} columns and {} lines; here are {} and {}. Make the window larger, or q to quit.",
            SMALLEST.0, SMALLEST.1, area.width, area.height
        );
        to.render_widget(Paragraph::new(needs).wrap(Wrap { trim: true }), area);
    }
    is_small
}

/// The frame of a panel; what lies within is returned.
pub(super) fn panel(palette: Palette, to: &mut Frame<'_>, area: Rect, title: &str, has_focus: bool) -> Rect {
    let block = Block::bordered().title(title.to_owned()).border_style(palette.frame(has_focus));
    let inner = block.inner(area);
    to.render_widget(block, area);
    inner
}

/// The keys, over everything.
pub(super) fn help(palette: Palette, to: &mut Frame<'_>, lines: &[&str]) {
    const WIDTH: u16 = 76;
    let lines: Vec<Line<'_>> = lines.iter().map(|line| Line::raw(*line)).collect();
    let area = to.area().centered(Constraint::Length(WIDTH), Constraint::Length(lines.len() as u16 + 2));
    to.render_widget(Clear, area);
    let inner = panel(palette, to, area, " keys: any key closes this ", true);
    to.render_widget(Paragraph::new(lines), inner);
}

/// The part of `count` rows or columns that fits and holds the one under the cursor.
pub(super) fn window(count: usize, cursor: usize, fits: usize) -> Range<usize> {
    let fits = fits.clamp(1, count.max(1));
    let first = cursor.saturating_sub(fits / 2).min(count - fits.min(count));
    first..(first + fits).min(count)
}

/// The beginning of a text that fits a line.
pub(super) fn clipped(text: &str, width: usize) -> String {
    if text.chars().count() > width {
        text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}
