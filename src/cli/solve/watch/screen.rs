//! The whole screen: the grid, what happens, and the cell under the cursor.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::widgets::Paragraph;

use super::film::Film;
use super::grid::{Picture, Sight};
use super::state::{Face, Stand};
use super::words;
use crate::cli::screen::{Palette, help, is_too_small, panel};
use kenga_core::solver::Status;

/// The fewest columns of what happens, and the most.
const STORY: (u16, u16) = (25, 70);

/// Lines of the panel of a cell, its frame included.
const CELL: u16 = 9;

/// All that is drawn.
pub(super) struct Scene<'a, 'f> {
    pub(super) film: &'a Film<'f>,
    pub(super) face: &'a Face,
    pub(super) stand: Stand,
    pub(super) status: Option<Status>,
    pub(super) palette: Palette,
}

/// Draws everything; whether candidates are shown.
pub(super) fn draw(scene: &Scene<'_, '_>, to: &mut Frame<'_>) -> bool {
    if is_too_small("kenga solve --watch", to) {
        return false;
    }
    let Scene { film, face, stand, palette, .. } = scene;
    let area = to.area();
    let [title, middle, bottom] =
        area.layout(&Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(3)]));
    to.render_widget(Paragraph::new(words::title(film, stand, *palette)), title);
    let status = words::status(film, face, stand, (*palette, usize::from(area.width)));
    to.render_widget(Paragraph::new(status), bottom);
    let room = (usize::from(middle.width - STORY.0), usize::from(middle.height));
    let Picture { lines, columns, shows_candidates } = Sight::new(film, face, *palette).picture(room);
    let columns = (columns as u16 + 1).max(middle.width.saturating_sub(STORY.1));
    let [left, right] =
        middle.layout(&Layout::horizontal([Constraint::Length(columns), Constraint::Fill(1)]));
    to.render_widget(Paragraph::new(lines), left);
    beside(scene, to, right);
    if face.helps {
        help(*palette, to, &words::HELP);
    }
    shows_candidates
}

/// What happens, and the cell under the cursor.
fn beside(scene: &Scene<'_, '_>, to: &mut Frame<'_>, area: Rect) {
    let Scene { film, face, palette, .. } = scene;
    let lines = if face.looks { CELL } else { 0 };
    let [story, cell] = area.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(lines)]));
    let inner = panel(*palette, to, story, &words::story_title(scene.status, &scene.stand), false);
    let room = (usize::from(inner.width), usize::from(inner.height));
    to.render_widget(Paragraph::new(words::story(film, *palette, room)), inner);
    if face.looks {
        let inner = panel(*palette, to, cell, &words::cell_title(film, face), true);
        to.render_widget(Paragraph::new(words::cell(film, face, usize::from(inner.width))), inner);
    }
}
