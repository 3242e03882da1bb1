//! The best genome of a problem of the user's own: its genes in lines, as many as fit around the cursor.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::scene::Scene;
use super::state::Focus;
use crate::cli::screen::window;

/// Draws the genes.
pub(super) fn draw(scene: &Scene<'_>, to: &mut Frame<'_>, area: Rect) {
    let Some(best) = scene.best() else {
        return to.render_widget(Paragraph::new("nothing has been evaluated yet"), area);
    };
    let genes = best.grid.cells();
    let mut widest = 1;
    for gene in genes.iter().flatten() {
        widest = widest.max(gene.to_string().len());
    }
    let in_a_line = (usize::from(area.width) / (widest + 1)).max(1);
    let cursor = scene.state.cell.1;
    let mut lines = Vec::new();
    for line in window(genes.len().div_ceil(in_a_line), cursor / in_a_line, area.height.into()) {
        let first = line * in_a_line;
        let mut spans = Vec::new();
        for (place, gene) in genes.iter().enumerate().skip(first).take(in_a_line) {
            let is_here = scene.state.focus == Focus::Grid && place == cursor;
            let style = if is_here { scene.palette.cursor(Style::new()) } else { Style::new() };
            let value = gene.map_or_else(|| ".".to_owned(), |value| value.to_string());
            spans.push(Span::styled(format!("{value:>widest$} "), style));
        }
        lines.push(Line::from(spans));
    }
    to.render_widget(Paragraph::new(lines), area);
}
