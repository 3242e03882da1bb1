//! The whole screen: which panels there are, and where.

use ratatui::Frame as Screen;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::widgets::Paragraph;

use super::scene::Scene;
use super::state::Focus;
use super::{charts, genes, grid, lists, population, words};
use crate::cli::screen::{self, is_too_small};

/// The smallest screen with all panels at once.
const LARGE: (u16, u16) = (110, 36);

/// Draws everything.
pub(super) fn draw(scene: &Scene<'_>, to: &mut Screen<'_>) {
    if is_too_small("kenga watch", to) {
        return;
    }
    let area = to.area();
    let [title, middle, bottom] =
        area.layout(&Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(4)]));
    to.render_widget(Paragraph::new(words::title(scene)), title);
    to.render_widget(Paragraph::new(words::status(scene, usize::from(area.width))), bottom);
    if area.width >= LARGE.0 && area.height >= LARGE.1 {
        large(scene, to, middle);
    } else {
        small(scene, to, middle);
    }
    if scene.state.helps {
        screen::help(scene.palette, to, &words::HELP);
    }
}

/// The grid, the charts, and one panel more: that of the focus.
fn small(scene: &Scene<'_>, to: &mut Screen<'_>, area: Rect) {
    let wanted = if scene.has_own_problem() { 0 } else { grid::columns(scene, area.height) };
    let columns = wanted.clamp(32, area.width - 40);
    let [left, right] = area.layout(&Layout::horizontal([Constraint::Length(columns), Constraint::Fill(1)]));
    let [top, bottom] = right.layout(&Layout::vertical([Constraint::Fill(5), Constraint::Fill(4)]));
    best(scene, to, left);
    convergence(scene, to, top);
    match scene.state.focus {
        Focus::Islands => islands(scene, to, bottom),
        Focus::Operators => operators(scene, to, bottom),
        _ => individuals(scene, to, bottom),
    }
}

/// All panels.
fn large(scene: &Scene<'_>, to: &mut Screen<'_>, area: Rect) {
    let [left, right] = area.layout(&Layout::horizontal([Constraint::Percentage(45), Constraint::Fill(1)]));
    let [grid, uses] = left.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(9)]));
    let parts = [Constraint::Fill(3), Constraint::Fill(3), Constraint::Fill(2)];
    let [curves, population, list] = right.layout(&Layout::vertical(parts));
    best(scene, to, grid);
    operators(scene, to, uses);
    convergence(scene, to, curves);
    individuals(scene, to, population);
    islands(scene, to, list);
}

fn best(scene: &Scene<'_>, to: &mut Screen<'_>, area: Rect) {
    let inner = scene.panel(to, area, &words::best_title(scene), Some(Focus::Grid));
    if scene.has_own_problem() {
        genes::draw(scene, to, inner);
    } else {
        grid::draw(scene, to, inner);
    }
}

fn convergence(scene: &Scene<'_>, to: &mut Screen<'_>, area: Rect) {
    let title = format!(" {}: best, mean (dots); diversity ", scene.quantity());
    let inner = scene.panel(to, area, &title, Some(Focus::Time));
    charts::draw(scene, to, inner);
}

fn individuals(scene: &Scene<'_>, to: &mut Screen<'_>, area: Rect) {
    let inner = scene.panel(to, area, &words::population_title(scene), Some(Focus::Population));
    population::draw(scene, to, inner);
}

fn islands(scene: &Scene<'_>, to: &mut Screen<'_>, area: Rect) {
    let inner = scene.panel(to, area, " islands ", Some(Focus::Islands));
    lists::islands(scene, to, inner);
}

fn operators(scene: &Scene<'_>, to: &mut Screen<'_>, area: Rect) {
    let inner = scene.panel(to, area, " operators ", Some(Focus::Operators));
    lists::operators(scene, to, inner);
}
