//! The whole screen: the grid, what happens, and the cell under the cursor.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::widgets::Paragraph;

use super::film::SearchFilm;
use super::grid::{Picture, Room, Sight};
use super::state::{FilmPosition, SearchViewer};
use super::words;
use crate::cli::screen::{Palette, help, is_too_small, panel};
use kenga_core::solver::Status;

/// The fewest columns of what happens, and the most.
const STORY: (u16, u16) = (25, 70);

/// Lines of the panel of a cell, its frame included.
const CELL: u16 = 9;

/// All that is drawn.
pub(super) struct SearchScene<'a, 'f> {
    pub(super) film: &'a SearchFilm<'f>,
    pub(super) state: &'a SearchViewer,
    pub(super) position: FilmPosition,
    pub(super) status: Option<Status>,
    pub(super) palette: Palette,
}

/// Draws everything; whether candidates are shown.
pub(super) fn draw(scene: &SearchScene<'_, '_>, to: &mut Frame<'_>) -> bool {
    if is_too_small("kenga solve --watch", to) {
        return false;
    }
    let SearchScene { film, state, position, palette, .. } = scene;
    let area = to.area();
    let [title, middle, bottom] =
        area.layout(&Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(3)]));
    to.render_widget(Paragraph::new(words::title(film, position, *palette)), title);
    let status = words::status(film, state, position, *palette, area.width.into());
    to.render_widget(Paragraph::new(status), bottom);
    let room = Room { lines: middle.height.into(), columns: usize::from(middle.width - STORY.0) };
    let Picture { lines, columns, shows_candidates } = Sight::new(film, state, *palette).picture(room);
    let columns = (columns as u16 + 1).max(middle.width.saturating_sub(STORY.1));
    let [left, right] =
        middle.layout(&Layout::horizontal([Constraint::Length(columns), Constraint::Fill(1)]));
    to.render_widget(Paragraph::new(lines), left);
    beside(scene, to, right);
    if state.helps {
        help(*palette, to, &words::HELP);
    }
    shows_candidates
}

/// What happens, and the cell under the cursor.
fn beside(scene: &SearchScene<'_, '_>, to: &mut Frame<'_>, area: Rect) {
    let SearchScene { film, state, palette, .. } = scene;
    let lines = if state.looks { CELL } else { 0 };
    let [story, cell] = area.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(lines)]));
    let inner = panel(*palette, to, story, &words::story_title(scene.status, &scene.position), false);
    let room = Room { lines: inner.height.into(), columns: inner.width.into() };
    to.render_widget(Paragraph::new(words::story(film, *palette, room)), inner);
    if state.looks {
        let inner = panel(*palette, to, cell, &words::cell_title(film, state), true);
        to.render_widget(Paragraph::new(words::cell(film, state, usize::from(inner.width))), inner);
    }
}
