//! The islands with the migrants of the last barrier, and the operators with their credit.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::scene::Scene;
use kenga_lab::playback::Rows;
use kenga_report::{counted, rounded};

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
    let line = |(index, rows): (usize, &Rows)| {
        let of = |place: usize| rows.fitness().get(place).map_or("-".to_owned(), u32::to_string);
        let [best, median, worst] = [0, rows.len() / 2, rows.len().saturating_sub(1)].map(of);
        let arrived: Vec<String> = frame
            .migrations
            .iter()
            .filter(|migration| migration.to == index)
            .map(|migration| format!("{} from {}", migration.fitness, migration.from))
            .collect();
        let text = format!("{index:>6} {best:>5} {median:>6} {worst:>5}   {}", arrived.join(", "));
        let style = if index == shown { scene.palette.cursor(Style::new()) } else { Style::new() };
        Line::styled(text, style)
    };
    let lines = frame.islands.iter().enumerate().skip(first).take(fits).map(line);
    let heading = Line::styled(heading, scene.palette.faint());
    to.render_widget(Paragraph::new(Vec::from_iter([heading].into_iter().chain(lines))), area);
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
    let lines = uses.iter().map(|used| {
        let name: String = used.name.chars().take(16).collect();
        let share = |part: u64| format!("{:>6.1}%", 100.0 * part as f64 / used.applied.max(1) as f64);
        let [applied, gain] = [used.applied, used.gain].map(|count| rounded(count as f64));
        let best = if is_wide { share(used.best) } else { String::new() };
        let family = if is_wide { format!("   {}", used.family) } else { String::new() };
        Line::raw(format!("{name:<17}{applied:>7}{}{best}{gain:>8}{family}", share(used.better)))
    });
    let heading = Line::styled(heading, scene.palette.faint());
    to.render_widget(Paragraph::new(Vec::from_iter([heading].into_iter().chain(lines))), area);
}
