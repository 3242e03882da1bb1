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

/// Columns of the fitness before a row.
const FITNESS: usize = 6;

/// Draws the island that is shown.
pub(super) fn draw(scene: &Scene<'_>, to: &mut Frame<'_>, area: Rect) {
    let Some(rows) = scene.rows().filter(|rows| !rows.is_empty()) else {
        return to.render_widget(Paragraph::new("no generation is complete yet"), area);
    };
    let height = usize::from(area.height);
    let each = if scene.palette.colour { 2 } else { 1 };
    let shown = rows.len().min(height * each);
    let columns = rows.width().min(usize::from(area.width).saturating_sub(FITNESS)).max(1);
    let row_at = |place: usize| spread(place, shown, rows.len());
    let gene_at = |place: usize| spread(place, columns, rows.width());
    let lines: Vec<Line<'_>> = (0..shown.div_ceil(each))
        .map(|line| {
            let pair: Vec<usize> = (line * each..((line + 1) * each).min(shown)).map(row_at).collect();
            let has_cursor = scene.state.focus == Focus::Population
                && is_between(scene.state.row, line, each, shown, rows);
            let label = Span::raw(format!("{:>5} ", rows.fitness()[pair[0]]));
            let label = if has_cursor { label.style(scene.palette.cursor(Style::new())) } else { label };
            let genes = (0..columns).map(|place| gene(scene, rows, &pair, gene_at(place)));
            Line::from_iter([label].into_iter().chain(genes))
        })
        .collect();
    to.render_widget(Paragraph::new(lines), area);
}

/// The cursor's row is one of those that a line stands for.
fn is_between(cursor: usize, line: usize, each: usize, shown: usize, rows: &Rows) -> bool {
    let cursor = cursor.min(rows.len() - 1);
    let from = spread(line * each, shown, rows.len());
    let next = (line + 1) * each;
    let to = if next < shown { spread(next, shown, rows.len()) } else { rows.len() };
    (from..to).contains(&cursor)
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
        [only, ..] => Span::raw(character(rank(*only))),
        [] => Span::raw(" "),
    }
}

/// One character a digit, by its rank: 1 to 9, then letters.
fn character(rank: u8) -> String {
    let digits = b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char::from(digits[usize::from(rank) % digits.len()]).to_string()
}
