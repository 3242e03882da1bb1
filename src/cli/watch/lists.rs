//! The islands with the migrants of the last barrier, and the operators with their credit.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::scene::Scene;
use kenga_core::text::joined;
use kenga_report::{counted, decimal, rounded};

/// Draws a line for every island: its best, median and worst, and who sent it what at the last barrier.
pub(super) fn islands(scene: &Scene<'_>, to: &mut Frame<'_>, area: Rect) {
    let Some(frame) = scene.frame() else { return };
    let barrier = frame.migrations.first().map_or(0, |migration| migration.barrier);
    let migrants = counted(frame.migrants);
    let heading = match frame.islands.len() {
        0 | 1 => "one population, no islands".to_owned(),
        _ if frame.migrants == 0 => "island  best median worst   no migrant yet".to_owned(),
        _ => format!("island  best median worst   migrants at barrier {barrier} ({migrants} in all)"),
    };
    let fits = usize::from(area.height).saturating_sub(1).max(1);
    let shown = scene.island();
    let first = shown.saturating_sub(fits / 2).min(frame.islands.len().saturating_sub(fits));
    let mut lines = vec![Line::styled(heading, scene.palette.faint())];
    for (index, rows) in frame.islands.iter().enumerate().skip(first).take(fits) {
        let mut text = format!("{index:>6}");
        for (place, width) in [(0, 5), (rows.len() / 2, 6), (rows.len().saturating_sub(1), 5)] {
            let fitness = rows.fitness().get(place).map_or("-".to_owned(), |one| scene.worth(*one));
            text += &format!(" {fitness:>width$}");
        }
        let here = frame.migrations.iter().filter(|migration| migration.to == index);
        let arrived = joined(here.map(|one| format!("{} from {}", scene.worth(one.fitness), one.from)), ", ");
        text += &format!("   {arrived}");
        let style = if index == shown { scene.palette.cursor(Style::new()) } else { Style::new() };
        lines.push(Line::styled(text, style));
    }
    to.render_widget(Paragraph::new(lines), area);
}

/// Draws a line for every operator: how often it was applied, the share that was better, and what was gained.
pub(super) fn operators(scene: &Scene<'_>, to: &mut Frame<'_>, area: Rect) {
    let uses = scene.frame().map_or(&[][..], |frame| frame.operators.uses());
    if uses.is_empty() {
        let text = if scene.view.counts_operators {
            "this algorithm has no operators to count"
        } else {
            "o counts what each operator gains: the run is replayed, a little slower"
        };
        return to.render_widget(Paragraph::new(text).wrap(ratatui::widgets::Wrap { trim: true }), area);
    }
    let is_wide = area.width >= 60;
    let wide = if is_wide { "   best" } else { "" };
    let heading = format!("{:<17}{:>7}{:>7}{wide}{:>8}", "operator", "used", "better", "gain");
    let mut lines = vec![Line::styled(heading, scene.palette.faint())];
    for used in uses {
        let name: String = used.name.chars().take(16).collect();
        let mut text = format!(
            "{name:<17}{:>7}{:>6}%",
            rounded(used.applied as f64),
            percentage(used.better, used.applied)
        );
        if is_wide {
            text += &format!("{:>6}%", percentage(used.best, used.applied));
        }
        text += &format!("{:>8}", rounded(used.gain as f64));
        if is_wide {
            text += &format!("   {}", used.family);
        }
        lines.push(Line::raw(text));
    }
    to.render_widget(Paragraph::new(lines), area);
}

fn percentage(part: u64, of: u64) -> String {
    decimal(100.0 * part as f64 / of.max(1) as f64, 1)
}
