//! The population as a picture: a row an individual, best first, a column a gene, a colour a digit; without colours the
//! digits themselves. Where there are more than fit, some are left out at even distances.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::scene::Scene;
use super::state::Focus;
use kenga_lab::playback::Rows;

/// The least columns of the fitness before a row.
const FITNESS: usize = 5;

/// Draws the island that is shown.
pub(super) fn draw(scene: &Scene<'_>, to: &mut Frame<'_>, area: Rect) {
    let Some(rows) = scene.rows().filter(|rows| !rows.is_empty()) else {
        return to.render_widget(Paragraph::new("no generation is complete yet"), area);
    };
    let height = usize::from(area.height);
    // A half block shows two genes, one above the other, in two colours.
    let each = if scene.palette.colour { 2 } else { 1 };
    let shown = rows.len().min(height * each);
    let worth = |row: usize| scene.worth(rows.fitness()[row]);
    let digits = (0..rows.len()).map(|row| worth(row).len()).max().unwrap_or(0).max(FITNESS);
    let columns = rows.width().min(usize::from(area.width).saturating_sub(digits + 1)).max(1);
    let mut lines = Vec::new();
    for first in (0..shown).step_by(each) {
        let next = (first + each).min(shown);
        let pair: Vec<usize> = (first..next).map(|place| spread(place, shown, rows.len())).collect();
        let mut label = Span::raw(format!("{:>digits$} ", worth(pair[0])));
        // The line stands for the rows from its first one up to that of the next line.
        let end = if next < shown { spread(next, shown, rows.len()) } else { rows.len() };
        let cursor = scene.state.row.min(rows.len() - 1);
        if scene.state.focus == Focus::Population && (pair[0]..end).contains(&cursor) {
            label = label.style(scene.palette.cursor(Style::new()));
        }
        let mut spans = vec![label];
        for place in 0..columns {
            spans.push(gene(scene, rows, &pair, spread(place, columns, rows.width())));
        }
        lines.push(Line::from(spans));
    }
    to.render_widget(Paragraph::new(lines), area);
}

/// One of `count` at an even distance, the first and the last among them.
pub(super) fn spread(place: usize, shown: usize, count: usize) -> usize {
    if shown < 2 { 0 } else { place * (count - 1) / (shown - 1) }
}

/// A gene of one individual, or of two one above the other.
fn gene(scene: &Scene<'_>, rows: &Rows, pair: &[usize], gene: usize) -> Span<'static> {
    let rank = |row: usize| rows.genome(row)[gene];
    match pair {
        [upper, lower] => {
            let (upper, lower) = (scene.palette.digit(rank(*upper)), scene.palette.digit(rank(*lower)));
            Span::styled("▀", Style::new().fg(upper).bg(lower))
        }
        [only] if scene.palette.colour => {
            Span::styled("▀", Style::new().fg(scene.palette.digit(rank(*only))))
        }
        [only, ..] => Span::raw(character(scene, rank(*only))),
        [] => Span::raw(" "),
    }
}

/// One character a digit, by its rank: 1 to 9, then letters; of a gene of a problem of the user's own from 0 on.
fn character(scene: &Scene<'_>, rank: u8) -> String {
    let from = if scene.has_own_problem() { 0 } else { 1 };
    let digits = &b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[from..];
    char::from(digits[usize::from(rank) % digits.len()]).to_string()
}
