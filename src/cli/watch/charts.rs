//! Convergence: the best and the mean fitness of every generation, and the diversity below them.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::symbols::Marker;
use ratatui::text::Span;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Paragraph};

use super::scene::Scene;
use kenga_lab::experiment::measure;

const MEAN: usize = measure("mean");
const DIVERSITY: usize = measure("diversity");

/// Fitness is drawn as its square root: it falls over orders of magnitude, and 0 is what counts.
fn scaled(fitness: f64) -> f64 {
    fitness.sqrt()
}

/// Draws the charts, which share the axis of generations.
pub(super) fn draw(scene: &Scene<'_>, to: &mut Frame<'_>, area: Rect) {
    let samples = &scene.view.curve;
    if samples.is_empty() {
        return to.render_widget(Paragraph::new("no generation is complete yet"), area);
    }
    let at = scene.frame().map_or(0, |frame| frame.generation);
    let last = samples.last().map_or(0, |sample| sample.generation).max(scene.view.last.unwrap_or(0));
    let last = last.max(at).max(1) as f64;
    // Diversity needs less room than what it explains.
    let below = if area.height < 12 { 2 } else { area.height / 4 };
    let parts = Layout::vertical([Constraint::Fill(1), Constraint::Length(below)]).split(area);
    let (mut best, mut mean, mut diversity) = (Vec::new(), Vec::new(), Vec::new());
    for sample in samples.iter() {
        let generation = sample.generation as f64;
        best.push((generation, scaled(f64::from(sample.best))));
        mean.extend(sample.value(MEAN).map(|mean| (generation, scaled(mean))));
        diversity.extend(sample.value(DIVERSITY).map(|diversity| (generation, diversity)));
    }
    let top = best.iter().chain(&mean).map(|(_, y)| *y).fold(scaled(1.0), f64::max);
    let palette = scene.palette;
    let here = [(at as f64, 0.0), (at as f64, top)];
    let generations = [Span::raw("0"), Span::raw(format!("generation {last}"))];
    let fitness = Chart::new(vec![
        line("", Marker::Braille, palette.faint(), &here),
        line("mean", if palette.colour { Marker::Braille } else { Marker::Dot }, palette.mean(), &mean),
        line("best", Marker::Braille, palette.best(), &best),
    ])
    .x_axis(Axis::default().bounds([0.0, last]).labels(generations).style(palette.faint()))
    .y_axis(Axis::default().bounds([0.0, top]).labels(labels(top)).style(palette.faint()))
    .legend_position(None);
    to.render_widget(fitness, parts[0]);
    let chart = Chart::new(vec![line("diversity", Marker::Braille, palette.good(), &diversity)])
        .x_axis(Axis::default().bounds([0.0, last]).style(palette.faint()))
        .y_axis(Axis::default().bounds([0.0, 1.0]).labels(["   0", "   1"]).style(palette.faint()))
        .legend_position(None);
    to.render_widget(chart, parts[1]);
}

fn line<'a>(name: &'static str, marker: Marker, style: Style, points: &'a [(f64, f64)]) -> Dataset<'a> {
    Dataset::default().name(name).marker(marker).graph_type(GraphType::Line).style(style).data(points)
}

/// The fitness at the ends and in the middle of the axis.
fn labels(top: f64) -> [String; 3] {
    [0.0, top / 2.0, top].map(|y| format!("{:>4.0}", y * y))
}
